// Corrects a reading: the pieces in a row of buttons, and marked on the photo. A tap on a piece asks for its value; a tap on
// an empty place of the photo adds a missed piece there.
// The page needs `#values`; `#stage` with `#overlay` over its picture; `#add`, `#add-here` and `#add-hint`; and correct.html.

import { t } from "/web/words.js";
import { drawnPiece } from "/web/pieces.js";
import { doubted, drawnPieces, element, named } from "/web/shapes.js";

const SIDES = { d6: 6, d12: 12 };
const DOUBLE_SIX = 6; // the most pips of one end, in the set that the games are played with

const $ = (id) => document.getElementById(id);

export class Correcting {
  // `kindOf()` returns the kind of an added piece; `send(...corrections)` resolves once the corrected reading is shown.
  constructor(kindOf, send) {
    Object.assign(this, { kindOf, send });
    $("add").addEventListener("click", () => this.adding(!this.toAdd));
    $("overlay").addEventListener("click", (event) => this.tapped(event));
    $("overlay").addEventListener("keydown", (event) => this.pressed(event));
    $("correct").addEventListener("close", () => this.focusAgain());
  }

  // Show a reading; `allowed`: whether people may correct it here.
  show(reading, allowed) {
    Object.assign(this, { reading, allowed });
    $("overlay").setAttribute("viewBox", `0 0 ${reading.width} ${reading.height}`);
    const pieces = drawnPieces(reading, allowed ? "button" : "img");
    pieces.forEach((piece, place) => piece.setAttribute("data-place", place));
    $("overlay").replaceChildren(...pieces);
    this.listValues(reading);
  }

  // The same pieces drawn in a row of buttons, for fingers too large for small dice.
  listValues(reading) {
    const dice = doubted(reading, "piece");
    const tiles = doubted(reading, "tile");
    const looks = [...reading.dice.map((_, at) => dice.has(at)), ...reading.tiles.map((_, at) => tiles.has(at))];
    const texts = [...reading.dice.map((die) => `${die.value}${die.starter ? "★" : ""}`), ...reading.tiles.map(named)];
    const faces = [...reading.dice.map(dieFace), ...reading.tiles.map(tileFace)];
    $("values").replaceChildren(...texts.map((text, place) => this.valueButton(text, faces[place], place, looks[place])));
  }

  valueButton(text, face, place, look) {
    const made = element("button", { type: "button", class: look ? "value look" : "value", "data-value": text }, face, element("span", { class: "spoken" }, text));
    made.setAttribute("aria-label", t("seen.correct-this", { value: text }));
    made.disabled = !this.allowed;
    made.addEventListener("click", () => this.ask(place));
    return made;
  }

  // Taps

  tapped(event) {
    const piece = event.target.closest(".piece");
    if (piece && !this.toAdd) this.ask(Number(piece.dataset.place));
    else this.askNew(this.spot(event));
  }

  pressed(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const piece = event.target.closest(".piece");
    if (piece) this.ask(Number(piece.dataset.place));
  }

  // The position of a tap in the photo, in its pixels.
  spot(event) {
    const shown = $("overlay").getBoundingClientRect();
    const { width, height } = this.reading;
    const inside = (at, start, length, size) => Math.round(Math.min(Math.max((at - start) / length, 0), 1) * size);
    return [inside(event.clientX, shown.left, shown.width, width), inside(event.clientY, shown.top, shown.height, height)];
  }

  adding(on) {
    this.toAdd = on;
    $("add").setAttribute("aria-pressed", String(on));
    $("stage").classList.toggle("adding", on);
    $("add-hint").hidden = !on;
    $("add-here").hidden = !on;
    // A keyboard has no position: the middle is good enough, since only the value counts.
    $("add-here").onclick = () => this.askNew([this.reading.width / 2, this.reading.height / 2].map(Math.round));
  }

  // Asking for the value

  ask(place) {
    if (!this.allowed) return;
    const { dice, tiles } = this.reading;
    const isDie = place < dice.length;
    const at = isDie ? { die: place } : { tile: place - dice.length };
    const piece = isDie ? dice[place] : tiles[place - dice.length];
    this.from = place;
    const send = (what) => this.answered({ change: { ...at, ...what } });
    const remove = dialogButton(t(isDie ? "seen.no-die" : "seen.no-tile"), () => this.answered({ remove: at }), "wide");
    const title = isDie ? t("seen.which-die", { number: place + 1 }) : t("seen.which-tile", { number: at.tile + 1 });
    const choices = isDie ? this.dieChoices(place, piece, send) : [...this.tileChoices(piece, send), ...this.areDice(at, piece)];
    this.choose(title, [...choices, remove]);
  }

  // A die's values in order; whether it is the starter, for a d12; and "two dice".
  dieChoices(place, die, send) {
    const choices = valueButtons(die.kind, die.value, (value) => send({ value }));
    if (this.kindOf() === "d12" && die.value && !die.starter) {
      choices.push(dialogButton(t("seen.is-starter"), () => send({ value: die.value, starter: true }), "wide"));
    }
    return [...choices, dialogButton(t("seen.two-dice"), () => this.askTwo(place, die), "wide")];
  }

  // One box around two dice: the value of this one, and of the one beside it.
  askTwo(place, die) {
    const second = (first) => {
      const both = (value) => this.answered({ change: { die: place, value: first } }, { add: { kind: die.kind, at: beside(die.box), value } });
      this.choose(t("seen.second-of-two", { value: first }), valueButtons(die.kind, null, both));
    };
    this.choose(t("seen.first-of-two"), valueButtons(die.kind, null, second));
  }

  // Other readings of the tile, and both ends to choose from.
  tileChoices(tile, send) {
    const likely = (tile?.alternatives ?? []).map(([ends]) => ends).filter((ends) => String(ends) !== String(tile.ends));
    const buttons = likely.slice(0, 4).map((ends) => tileButton(ends, () => send({ ends })));
    const ends = tile ? [...tile.ends] : [null, null];
    const use = dialogButton(t("seen.use"), () => send({ ends }), "wide");
    const picked = (end, pips) => {
      ends[end] = pips;
      use.disabled = ends.includes(null);
    };
    use.disabled = ends.includes(null);
    const most = Math.max(DOUBLE_SIX, ...this.reading.tiles.flatMap((each) => each.ends));
    const labels = [t("seen.one-end"), t("seen.other-end")];
    return [...buttons, ...labels.map((label, end) => endPick(label, ends[end], most, (pips) => picked(end, pips))), use];
  }

  // Two dice side by side that were read as a tile: they show the values of its ends.
  areDice(at, tile) {
    if (!tile.ends.every((pips) => pips >= 1 && pips <= SIDES.d6)) return [];
    const dice = halves(tile.box).map((middle, end) => ({ add: { kind: "d6", at: middle.map(Math.round), value: tile.ends[end] } }));
    return [dialogButton(t("seen.two-dice"), () => this.answered({ remove: at }, ...dice), "wide")];
  }

  askNew(at) {
    if (!this.allowed) return;
    const kind = this.kindOf();
    const send = (what) => this.answered({ add: { kind, at, ...what } });
    const choices = kind === "domino" ? this.tileChoices(null, send) : valueButtons(kind, null, (value) => send({ value }));
    this.from = null;
    this.choose(t(kind === "domino" ? "seen.missed-tile" : "seen.missed-die"), choices);
  }

  choose(title, choices) {
    $("correct-title").textContent = title;
    $("correct-choices").replaceChildren(...choices);
    if (!$("correct").open) $("correct").showModal();
    else choices[0].focus();
  }

  async answered(...corrections) {
    $("correct").close();
    this.adding(false);
    await this.send(...corrections);
  }

  focusAgain() {
    const buttons = $("values").children;
    (buttons[this.from] ?? $("add")).focus({ preventScroll: true });
  }
}

function dialogButton(text, press, kind = "") {
  const made = element("button", { type: "button", class: `value ${kind}`.trim() }, text);
  made.addEventListener("click", press);
  return made;
}

// All values of a die, in order; the one that was read is marked, and a tap on it confirms it.
function valueButtons(kind, read, chosen) {
  return Array.from({ length: SIDES[kind] }, (_, place) => {
    const value = place + 1;
    const made = element("button", { type: "button", class: "value", "aria-label": String(value) }, drawnPiece(kind, value));
    if (read !== null) made.setAttribute("aria-pressed", String(value === read));
    made.addEventListener("click", () => chosen(value));
    return made;
  });
}

function tileButton(ends, press) {
  const made = element("button", { type: "button", class: "value", "aria-label": ends.join("-") }, drawnPiece("domino", ends.join("-")));
  made.addEventListener("click", press);
  return made;
}

// The values of one end; `picked(pips)` is called on a tap.
function endPick(label, read, most, picked) {
  const buttons = Array.from({ length: most + 1 }, (_, pips) => {
    const made = element("button", { type: "button", class: "value", "aria-label": String(pips), "aria-pressed": String(pips === read) }, drawnPiece("end", pips));
    made.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === made));
      picked(pips);
    });
    return made;
  });
  return element("fieldset", { class: "ends" }, element("legend", {}, label), ...buttons);
}

const dieFace = (die) => drawnPiece(die.kind, die.value, die.starter ? "starter" : "");
const tileFace = (tile) => (tile.face_up ? drawnPiece("domino", tile.ends.join("-")) : named(tile));

const middle = (one, other) => one.map((at, axis) => (at + other[axis]) / 2);

// The centres of both ends of a tile: the first is between the corners 0 and 3 of its box, the second between 1 and 2.
function halves([a, b, c, d]) {
  const [first, second] = [middle(a, d), middle(b, c)];
  const whole = middle(first, second);
  return [middle(first, whole), middle(second, whole)];
}

// The centre of the right or lower half of a box, divided across its longer side.
function beside(box) {
  const length = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const [a, b, c, d] = box;
  const ends = length(a, b) > length(b, c) ? [middle(a, d), middle(b, c)] : [middle(a, b), middle(c, d)];
  const [near, far] = ends.sort((one, other) => one[0] + one[1] - other[0] - other[1]);
  return middle(middle(near, far), far).map(Math.round);
}
