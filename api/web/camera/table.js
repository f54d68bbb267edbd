// What the camera adds to the page of a game: the roll that waits for a player, and a button to film with this phone.

import { t } from "/web/words.js";
import { element } from "../shapes.js";
import { Api } from "../table/api.js";
import * as link from "../table/link.js";
import { Waiting } from "./waiting.js";

const FILM = "muggins.film";
const id = link.idInAddress();
const given = link.tokenInAddress(); // read now: the page hides it once it is stored
const camera = `/camera/${encodeURIComponent(id)}`;
const place = document.getElementById("waiting");

function failed(error) {
  document.getElementById("trouble").textContent = error.message;
  document.getElementById("trouble").hidden = false;
}

// Created on the start page for filming.
if (sessionStorage.getItem(FILM)) {
  sessionStorage.removeItem(FILM);
  location.replace(`${camera}${location.hash}`);
}

const path = `/v1/games/${encodeURIComponent(id)}`;
const api = new Api(link.game(id).player ?? given ?? link.token(id));
new Waiting(place, api, path, failed).watch();

// A camera would see hands that are hidden from others.
async function offer() {
  if (!link.game(id).player || (await api.json(path)).hands_hidden) return;
  const way = element("p", { class: "to-film" }, element("a", { href: camera, class: "film" }, t("film.this-phone")));
  document.getElementById("acts").after(way);
}

// The page itself reports errors; once it has reached the server again, so does this.
function offerOnceReached() {
  offer().catch(() => document.addEventListener("muggins:snapshot", offerOnceReached, { once: true }));
}

offerOnceReached();
