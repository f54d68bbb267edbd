// What the pages do that show a game to everybody: they follow it with the token to watch, and say what stands in the way.

import { t } from "/web/words.js";
import { Api } from "./table/api.js";
import { Feed } from "./table/feed.js";
import * as link from "./table/link.js";

const RETRY = 5000; // milliseconds until a server that was away is asked again

export const id = link.idInAddress();
export const api = new Api(link.tokenInAddress() ?? link.game(id).viewer ?? null);

// `heard(snapshot)`: the first one and every one after it; `failed(error)`: null once nothing stands in the way any more;
// `lost()`: the line is broken, and is tried again.
export async function follow({ heard, failed, lost }) {
  try {
    if (!api.token) throw new Error(t("follow.incomplete"));
    const path = `/v1/games/${encodeURIComponent(id)}`;
    const first = await api.json(path);
    // What is offered to players, and advised, tells a hand.
    if ((await api.json(`${path}/token`)).role !== "viewer") throw new Error(t("follow.public"));
    failed(null);
    heard(first);
    // A link that was revoked is not tried again; the server's sentence says what to do.
    const broke = (status) => {
      lost();
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
