// The end of a game: the margin of the win, its turns as a curve, its best moments, a picture of it, and a rematch.

import { list, number, t, told } from "/web/words.js";
import { drawing, element } from "../shapes.js";
import { ended } from "./board.js";
import * as link from "./link.js";
import { picture } from "./picture.js";

const [WIDE, HIGH, MARGIN] = [320, 150, 12]; // of the curve, in units of the drawing
const ROOM = 34; // to the right of it, for the points
const LINE = 12; // line height of the points

const $ = (id) => document.getElementById(id);

export class Ended {
  constructor(api, id, failed) {
    Object.assign(this, { api, id, failed, shown: 0 });
    $("rematch").addEventListener("click", () => this.rematch().catch(failed));
    $("send-picture").addEventListener("click", () => this.send().catch(failed));
  }

  // After every snapshot: an undo may reopen a finished game.
  show(snapshot) {
    $("ended").hidden = !snapshot.result;
    if (!snapshot.result || this.shown === snapshot.lines) return;
    this.shown = snapshot.lines;
    $("rematch").hidden = !this.api.plays;
    this.load(snapshot).catch(this.failed);
  }

  async load(snapshot) {
    const story = await this.api.json(`/table/${encodeURIComponent(this.id)}/story`);
    Object.assign(this, { snapshot, story });
    $("moments").replaceChildren(...moments(story, snapshot).map((text) => element("li", {}, text)));
    drawCurve($("curve"), story);
    $("story").hidden = false;
  }

  async rematch() {
    const { id, token, invite, viewer, snapshot } = await this.api.post(`/v1/games/${encodeURIComponent(this.id)}/rematch`, {});
    const links = Object.fromEntries(Object.entries({ player: token, invite, viewer }).filter(([, each]) => each));
    const kept = link.remember(id, { ...links, title: snapshot.title, players: snapshot.players, seated: true });
    location.assign(kept ? `/table/${id}` : link.linkTo(id, token));
  }

  // Shared where the browser can, otherwise saved.
  async send() {
    const lines = [ended(this.snapshot.result), ...moments(this.story, this.snapshot)];
    const blob = await picture(this.snapshot.title, lines, scores(this.story), curves(this.story));
    const file = new File([blob], "muggins.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] }).catch(() => {}); // closed without sharing
      return;
    }
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }
}

const last = ({ turns }) => turns.at(-1)?.scores ?? [];
const scores = (story) => story.sides.map(({ side, names }, place) => ({ side, names: list(names), points: last(story)[place] ?? 0 }));

function moments(story, { result }) {
  const [first, second] = [...last(story)].sort((a, b) => b - a);
  const lead = result.winners.length < 2 && first > second ? [t("ended.by", { count: first - second })] : [];
  const best = [["ended.best-turn", story.best_turn], ["ended.best-throw", story.best_throw]]
    .filter(([, event]) => event)
    .map(([key, event]) => t(key, { what: told(event.text) }));
  return [...lead, ...best, ...(story.luck ?? []).map((each, place) => luck(each, story.sides[place]))];
}

function luck({ turns, above }, { names }) {
  const key = above < 0 ? "ended.below" : "ended.above";
  return t(key, { names: list(names), count: Math.abs(above), turns: t("ended.turns", { count: turns }) });
}

// One line per side, from 0 at the left: points in units of the drawing.
function curves({ sides, turns }) {
  const most = Math.max(1, ...turns.flatMap(({ scores }) => scores));
  const x = (place) => MARGIN + ((WIDE - MARGIN - ROOM) * place) / Math.max(1, turns.length);
  const y = (points) => HIGH - MARGIN - ((HIGH - 2 * MARGIN) * points) / most;
  return sides.map(({ side }, place) => ({
    side,
    points: [[x(0), y(0)], ...turns.map(({ scores }, turn) => [x(turn + 1), y(scores[place])])],
  }));
}

function drawCurve(svg, story) {
  const words = scores(story).map(({ names, points }) => `${names}: ${number(points)}`);
  svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute("aria-label", t("ended.curve", { turns: t("ended.turns", { count: story.turns.length }), scores: words.join("; ") }));
  const ground = drawing("line", { class: "ground", x1: MARGIN, x2: WIDE - ROOM, y1: HIGH - MARGIN, y2: HIGH - MARGIN });
  const lines = curves(story);
  const heights = apart(lines.map(({ points }) => points.at(-1)[1]));
  const drawn = lines.flatMap(({ side, points }, place) => {
    const [x] = points.at(-1);
    const text = drawing("text", { class: `side-${side}`, x: x + 5, y: heights[place] + 4 }, number(last(story)[place] ?? 0));
    return [drawing("polyline", { class: `side-${side}`, points: points.map((each) => each.join(",")).join(" ") }), text];
  });
  svg.replaceChildren(ground, ...drawn);
}

// The heights, moved apart so that no numbers overlap, within the drawing.
function apart(heights) {
  const placed = [...heights];
  const order = placed.map((_, place) => place).sort((a, b) => heights[a] - heights[b]);
  let [least, most] = [0, HIGH - MARGIN];
  for (const place of order) {
    placed[place] = Math.max(placed[place], least);
    least = placed[place] + LINE;
  }
  for (const place of order.reverse()) {
    placed[place] = Math.min(placed[place], most);
    most = placed[place] - LINE;
  }
  return placed;
}
