// The effect of the last move, in words; and its melds, counted one after another.

import { number, t, told as translated } from "/web/words.js";
import { element } from "../shapes.js";
import { drawnPiece } from "../pieces.js";

const STEP = 0.5; // seconds from one meld to the next
const LONGEST = 2.5; // seconds for all of them
const ROOM = 12; // lines and melds at full size; with more, all are smaller
const SMALLEST = 0.6;

export function countOut(list, { events, kind }) {
  const melds = events.flatMap(({ items }) => items).length;
  list.style.setProperty("--step", `${Math.min(STEP, LONGEST / Math.max(melds, 1))}s`);
  list.style.setProperty("--size", Math.min(1, Math.max(SMALLEST, ROOM / (events.length + melds))));
  let place = 0;
  const next = () => place++;
  list.replaceChildren(...events.map((event) => told(event, kind, next)));
}

function told(event, kind, next) {
  if (!event.items.length) return element("li", {}, words(translated(event.text)));
  const running = runningCounts(event.items);
  const melds = event.items.map((item, at) => chip(item, running[at], kind));
  if (event.points) melds.push(element("li", { class: "points" }, total(event.points)));
  for (const meld of melds) meld.style.setProperty("--place", next());
  return element("li", {}, words(translated(beforeCount(event.text))), element("ul", { class: "melds" }, ...melds));
}

// Dice and tiles such as 3-0 are not broken across lines.
const words = (text) => element("span", { class: "text" }, text.replace(/(?<=\d)-(?=\d)/g, "\u2011"));

// The melds are drawn, so the words after the colon are dropped; the remark that a move is inferred stays.
const beforeCount = (text) => text.replace(/(.*): .*?( \(inferred\))?$/, (_, before, mark) => before + (mark ?? ""));

const total = (points) => (points < 0 ? "−" : "+") + t("count.points", { count: Math.abs(points) });

function runningCounts(items) {
  let sum = 0;
  return items.map(({ points }) => (sum += points));
}

function chip({ name, pieces }, count, kind) {
  const drawn = pieces.map((piece) => drawnPiece(kind, piece));
  return element("li", {}, ...drawn, element("span", {}, translated(name)), element("b", {}, number(count)));
}
