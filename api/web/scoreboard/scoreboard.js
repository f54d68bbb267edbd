// The score of a live game, readable from across the room: on a phone between the players, or on a television.

import { number, list, t, time, told } from "/web/words.js";
import { stayAwake } from "../awake.js";
import { follow } from "../follow.js";
import { fillTable } from "../pieces.js";
import { element } from "../shapes.js";
import { ended } from "../table/board.js";
import { fit, widest } from "./fit.js";

const $ = (id) => document.getElementById(id);
let now = null; // the snapshot that is shown
let heardAt = null; // time of the last message from the server

// The connection to the server

function heard(snapshot) {
  heardAt = new Date();
  document.body.classList.remove("lost");
  $("connection").hidden = true;
  now = snapshot;
  show();
}

function failed(error) {
  $("trouble").textContent = error?.message ?? "";
  $("trouble").hidden = !error;
}

function lost(status) {
  document.body.classList.add("lost");
  $("connection").textContent = t("overlay.since", { time: time(heardAt) });
  $("connection").hidden = status === 401; // not retried; `failed` says why
}

// Rendering

function show() {
  document.title = now.title;
  $("parts").hidden = false;
  $("sides").replaceChildren(...now.board.pegs.map(side));
  $("prompt").textContent = now.result ? ended(now.result) : told(now.prompt);
  showThrow();
  arrange();
}

function side({ side: place, players, back, front }) {
  const turn = !now.result && players.includes(now.to_act);
  const won = now.result && players.some((player) => now.result.winners.includes(now.players[player]));
  const name = element("span", { class: "name" }, list(players.map((player) => now.players[player])));
  const heading = element("p", { class: "heading" }, name);
  if (turn) name.append(element("span", { class: "spoken" }, t("board.turn")));
  if (front > back) heading.append(element("span", { class: "running" }, `+${number(front - back)} `, element("small", {}, t("board.this-turn"))));
  const score = element("p", { class: "score" }, element("span", {}, number(back)));
  return element("li", { class: `side side-${place}${turn ? " turn" : ""}${won ? " won" : ""}` }, heading, score);
}

// The effect of the last throw, until the next one.
function showThrow() {
  const { on_table: thrown, events, players } = now;
  $("who").textContent = thrown ? players[thrown.player] : "";
  $("pieces").hidden = !thrown;
  if (thrown) fillTable($("pieces"), thrown);
  const points = events.reduce((sum, event) => sum + event.points, 0);
  $("gain").textContent = points ? `${points < 0 ? "−" : "+"}${t("count.points", { count: Math.abs(points) })}` : "";
  $("events").replaceChildren(...events.map((event) => element("li", {}, told(event.text))));
}

// As large as possible with all scores beside or above the throw.
function arrange() {
  if (!now) return;
  const texts = now.board.pegs.map(({ back }) => number(back));
  const room = { width: innerWidth, height: innerHeight };
  const { layout, columns, size, name, squeeze } = fit(room, texts.length, widest(texts, getComputedStyle(document.body).fontFamily));
  document.body.className = `${layout}${document.body.classList.contains("lost") ? " lost" : ""}`;
  const style = $("sides").style;
  for (const [property, value] of Object.entries({ columns, score: `${size}px`, name: `${name}px`, squeeze })) style.setProperty(`--${property}`, value);
}

// Fullscreen, and the wake lock

async function fill() {
  stayAwake();
  await document.documentElement.requestFullscreen().catch(failed);
}

function offerFull() {
  $("full").hidden = !document.fullscreenEnabled || Boolean(document.fullscreenElement);
}

$("full").addEventListener("click", fill);
document.addEventListener("fullscreenchange", offerFull);
document.addEventListener("visibilitychange", stayAwake);
addEventListener("resize", arrange);
offerFull();
stayAwake();
follow({ heard, failed, lost });
