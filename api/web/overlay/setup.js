// Sets up the overlay of a game: the choices become one URL, and the preview shows exactly that URL.

import { number, t } from "/web/words.js";
import { copy } from "../copy.js";
import { api, follow, id } from "../follow.js";
import { drawing, element } from "../shapes.js";
import * as link from "../table/link.js";
import { inWindow } from "./room.js";
import { CAMERAS, PARTS, PLACES, SCALES, THEMES } from "./wanted.js";

const NAMES = { names: "overlay.players", streaks: "overlay.streaks", board: "overlay.board", score: "overlay.score", odds: "odds.title", roll: "overlay.roll" };
const SIZES = { wide: [1920, 1080], high: [1080, 1920] };
const WAIT = 300; // milliseconds without a change until the preview is reloaded

const $ = (id) => document.getElementById(id);
const token = api.token;
let timer = null;
let places = null; // of the pieces on the table

// The form

function build() {
  $("parts").append(...PARTS.map(row));
  $("theme").append(...THEMES.map((theme) => element("option", { value: theme }, t(`setup.theme-${theme}`))));
  $("camera").append(...CAMERAS.map((camera) => element("option", { value: camera }, t(`setup.camera-${camera}`))));
  $("language").append(...[...document.querySelectorAll("[data-language]")].map((each) => element("option", { value: each.dataset.language, lang: each.lang }, each.textContent)));
  Object.assign($("scale"), { min: SCALES[0], max: SCALES[1] });
}

function row(part) {
  const name = t(NAMES[part]);
  const shown = element("input", { type: "checkbox", id: `show-${part}`, checked: "" });
  const places = ["", ...PLACES].map((place) => element("option", { value: place }, t(place ? `setup.place-${place}` : "setup.usual")));
  const where = element("select", { id: `place-${part}`, "aria-label": t("setup.where", { part: name }) }, ...places);
  return element("div", { class: "part" }, element("label", {}, shown, ` ${name}`), where);
}

// Only the parameters that differ from the overlay's defaults.
function query() {
  const asked = new URLSearchParams();
  const parts = PARTS.filter((part) => $(`show-${part}`).checked);
  if (parts.length < PARTS.length) asked.set("parts", parts.join(","));
  for (const part of parts) if ($(`place-${part}`).value) asked.set(part, $(`place-${part}`).value);
  if ($("theme").value !== THEMES[0]) asked.set("theme", $("theme").value);
  if (Number($("scale").value) !== 1) asked.set("scale", $("scale").value);
  if ($("camera").value !== CAMERAS[0]) asked.set("camera", $("camera").value);
  if ($("language").value) asked.set("language", $("language").value);
  const text = asked.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

// The result

function changed() {
  const none = !PARTS.some((part) => $(`show-${part}`).checked);
  trouble(none ? t("setup.no-parts") : "");
  $("scaled").textContent = number(Number($("scale").value));
  for (const part of PARTS) $(`place-${part}`).disabled = !$(`show-${part}`).checked;
  $("copied").textContent = "";
  $("copy").disabled = none;
  if (none) return;
  $("address").value = link.overlayOf(id, token, query());
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
}

// A frame whose URL changes only in the fragment would not reload, so it is replaced.
function preview() {
  const frame = element("iframe", { id: "preview", title: $("preview").title, src: $("address").value });
  $("preview").replaceWith(frame);
  fitPreview();
}

// The frame has the size of the stream's picture, and is scaled down as a whole.
function fitPreview() {
  const [width, height] = SIZES[$("turn").getAttribute("aria-pressed") === "true" ? "high" : "wide"];
  const { style, dataset } = $("screen");
  dataset.camera = $("camera").value;
  style.setProperty("--width", width);
  style.setProperty("--height", height);
  style.setProperty("--shrink", $("screen").clientWidth / width);
  outline(width, height);
}

// The places of the pieces that panels avoid.
function outline(width, height) {
  const off = $("camera").value === "off";
  const pieces = places && !off ? inWindow(places, $("camera").value, [width, height]) : [];
  $("outlines").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("outlines").replaceChildren(...pieces.map(({ left, top, right, bottom }) => drawing("rect", { x: left, y: top, width: right - left, height: bottom - top })));
  $("outlines-told").textContent = off ? "" : t(pieces.length ? "setup.pieces" : "setup.pieces-none");
}

function heard(snapshot) {
  places = snapshot.places;
  fitPreview();
}

function turn() {
  $("turn").setAttribute("aria-pressed", String($("turn").getAttribute("aria-pressed") !== "true"));
  fitPreview();
}

// A picture of the stream; it stays on this computer.
function lay([picture]) {
  if (picture) $("screen").style.backgroundImage = `url("${URL.createObjectURL(picture)}")`;
}

function trouble(text) {
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
}

// Without a token there is no URL, and nothing to set up.
function incomplete() {
  for (const part of document.querySelector("main").children) part.hidden = true;
  $("to-game").href = `/table/${encodeURIComponent(id)}`;
  $("no-token").hidden = false;
}

build();
$("settings").addEventListener("submit", (event) => event.preventDefault());
$("settings").addEventListener("input", changed);
$("turn").addEventListener("click", turn);
$("ground").addEventListener("change", () => lay($("ground").files));
$("copy").addEventListener("click", async () => ($("copied").textContent = t((await copy($("address"))) ? "share.copied" : "share.copy-yourself")));
addEventListener("resize", fitPreview);
if (token) {
  changed();
  follow({ heard, failed: (error) => trouble(error?.message ?? ""), lost: () => {} });
} else incomplete();
