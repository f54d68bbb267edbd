// A live game as an overlay, for OBS and other browser sources. Everything shown is derived from the last snapshot: an animation
// that is still running when the next snapshot comes is replaced.

import { list, t, time, told as translated } from "/web/words.js";
import { api, follow, id } from "../follow.js";
import { fillTable } from "../pieces.js";
import { element } from "../shapes.js";
import { drawBoard, ended, standings } from "../table/board.js";
import { Outlook } from "../table/outlook.js";
import { countOut } from "./counting.js";
import { inWindow, moves } from "./room.js";
import { slide } from "./sliding.js";
import { PLACES, wanted } from "./wanted.js";

// Default places of parts; in a clearly portrait window no corners are free.
const WIDE = { names: "top-left", streaks: "top-left", board: "top-right", odds: "bottom-left", roll: "bottom-left", score: "bottom-right" };
const HIGH = { names: "top", streaks: "top", board: "top", score: "bottom", roll: "bottom", odds: "bottom" };

const GAP = 0.008; // gap between two parts, and around a piece; relative to the window's shorter side
const RETRY = 5000; // milliseconds until the odds are requested again after a failure
const EDGE = 0.015; // margin at the window's edge, as in overlay.css

const $ = (id) => document.getElementById(id);
const high = matchMedia("(max-aspect-ratio: 2 / 3)"); // as in overlay.css
const asked = wanted(location.search);
const outlook = new Outlook(api, `/table/${encodeURIComponent(id)}/outlook`, showStreaks, () => {}, noOutlook);

let now = null; // the snapshot that is shown
let next = null; // the next one to be shown
let outlooked = null; // the one whose streaks and odds are shown
let retry = null;
let heardAt = null; // time of the last message from the server

// The URL parameters

function dress() {
  document.documentElement.dataset.theme = asked.theme;
  document.documentElement.style.setProperty("--scale", asked.scale);
  $("problems").replaceChildren(...asked.problems.map((problem) => element("li", {}, problem)));
  $("problems").hidden = !asked.problems.length;
  $("zones").append(...PLACES.map((place) => element("div", { class: `zone ${place}`, "data-place": place })));
  high.addEventListener("change", arrange);
  addEventListener("resize", makeRoom);
  // Scores and odds come and go, and every part is as large as its text.
  const sizes = new ResizeObserver(makeRoom);
  for (const part of asked.parts) sizes.observe($(part));
  arrange();
}

function arrange() {
  const places = { ...(high.matches ? HIGH : WIDE), ...asked.places };
  for (const part of asked.parts) $("zones").querySelector(`[data-place="${places[part]}"]`).append($(part));
  makeRoom();
}

// No part covers a piece on the table whose place the camera has seen.
function makeRoom() {
  const parts = asked.parts.map($).filter((part) => part.offsetParent);
  const size = [innerWidth, innerHeight];
  const pieces = asked.camera !== "off" && now?.places ? inWindow(now.places, asked.camera, size) : [];
  const short = Math.min(...size);
  const found = moves(parts.map(home), pieces, size, { gap: GAP * short, edge: EDGE * short });
  parts.forEach(({ style }, place) => {
    style.translate = found[place].by.map((by) => `${by}px`).join(" ");
    style.scale = found[place].scale;
  });
}

// The resting place of a part, which may be moving at the moment.
function home(part) {
  const zone = part.offsetParent.getBoundingClientRect();
  const [left, top] = [zone.left + part.offsetLeft, zone.top + part.offsetTop];
  return { left, top, right: left + part.offsetWidth, bottom: top + part.offsetHeight };
}

// The connection to the server

// Each cause has an error of its own: odds that arrive late must not hide that the link was revoked.
const errors = { connection: null, outlook: null };

function failed(error, cause = "connection") {
  errors[cause] = error;
  const first = errors.connection ?? errors.outlook;
  $("trouble").textContent = first?.message ?? "";
  $("trouble").hidden = !first;
}

function lost(status) {
  document.body.classList.add("lost");
  $("connection").textContent = t("overlay.since", { time: time(heardAt) });
  $("connection").hidden = status === 401; // not retried; `failed` says why
}

function heard(snapshot) {
  heardAt = new Date();
  $("connection").hidden = true;
  if (!next) requestAnimationFrame(show);
  next = snapshot;
}

// Rendering: once per frame, so that of many snapshots at once only the last is drawn

function show() {
  const [snapshot, before] = [next, now];
  next = null;
  // After an absence the current state is shown at once, without animation.
  const quiet = !before || document.body.classList.contains("lost");
  document.body.classList.remove("lost");
  if (before?.head.head === snapshot.head.head) return askAgain();
  now = snapshot;
  for (const part of ["streaks", "odds"]) $(part).classList.add("old");
  outlook.refresh(now.lines);
  showNames();
  showRoll(before, quiet);
  showScore(quiet);
  showBoard(quiet);
  makeRoom();
}

function showBoard(quiet) {
  const draw = () => drawBoard($("pegs"), now);
  if (quiet) draw();
  else slide($("pegs"), draw);
  const { width, height } = $("pegs").viewBox.baseVal;
  $("pegs").style.setProperty("--ratio", width / height);
}

function showNames() {
  $("standings").replaceChildren(...standings(now, new Map()));
  $("prompt").textContent = now.result ? ended(now.result) : translated(now.prompt);
  document.body.classList.toggle("over", Boolean(now.result));
}

// Dice that stay on the table are not animated as a new throw.
function showRoll(before, quiet) {
  $("roll").hidden = !now.on_table;
  if (!now.on_table || JSON.stringify(now.on_table) === JSON.stringify(before?.on_table)) return;
  $("who").textContent = now.players[now.on_table.player];
  $("roll").classList.toggle("news", !quiet);
  fillTable($("pieces"), now.on_table);
}

function showScore(quiet) {
  $("score").hidden = !now.events.length;
  $("score").classList.toggle("news", !quiet);
  countOut($("events"), now);
}

// Streaks and odds arrive after the snapshot that they belong to.
function showStreaks(told) {
  failed(null, "outlook");
  clearTimeout(retry);
  outlooked = now;
  for (const part of ["streaks", "odds"]) $(part).classList.remove("old");
  const names = (side) => list(now.board.pegs[side].players.map((player) => now.players[player]));
  $("streak-list").replaceChildren(...told.map(({ side, text }) => element("li", { class: `side-${side}` }, element("b", {}, names(side)), ` ${translated(text)}`)));
  $("streaks").hidden = !told.length;
}

function noOutlook(error) {
  failed(error, "outlook");
  clearTimeout(retry);
  retry = setTimeout(askAgain, RETRY);
}

// The connection may have been lost between a snapshot and its odds.
function askAgain() {
  if (outlooked !== now) outlook.refresh(now.lines);
}

dress();
follow({ heard, failed, lost });
