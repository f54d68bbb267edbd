// Shared by pages that show a game to everybody: they follow it with the viewer token, and report problems.

import { t } from "/web/words.js";
import { Api } from "./table/api.js";
import { Feed } from "./table/feed.js";
import * as link from "./table/link.js";

const RETRY = 5000; // milliseconds until the next attempt to reach a server

export const id = link.idInAddress();
export const api = new Api(link.tokenInAddress() ?? link.game(id).viewer ?? null);

// `heard(snapshot)`: called for the first snapshot and every later one; `failed(error)`: with null once the problem is solved;
// `lost(status)`: the connection is lost, and is retried unless the status is 401: the link was revoked.
export async function follow({ heard, failed, lost }) {
  try {
    if (!api.token) throw new Error(t("follow.incomplete"));
    const path = `/v1/games/${encodeURIComponent(id)}`;
    const first = await api.json(path);
    // Offers and advice would reveal a player's hand.
    if ((await api.json(`${path}/token`)).role !== "viewer") throw new Error(t("follow.public"));
    failed(null);
    heard(first);
    // A revoked link is not retried; the server's sentence says what to do.
    const broke = (status) => {
      lost(status);
      if (status === 401) api.json(path).catch(failed);
    };
    new Feed(id, api.token, { heard, joined: () => {}, lost: broke });
  } catch (error) {
    const away = error.status === 0 || error.status >= 500;
    failed(away ? new Error(t("connection.lost")) : error);
    if (away) setTimeout(() => follow({ heard, failed, lost }), RETRY);
  }
}

addEventListener("hashchange", () => location.reload()); // a link pasted into this tab
