// What was read, drawn on the photo. A tap on a piece corrects it: its runner-up values first. Another adds a missed one.

import { t } from "/web/words.js";
import { doubted, drawnPieces, element, found, inWords, named } from "../shapes.js";

const SIDES = { d6: 6, d12: 12 };
const MOST_PIPS = 12; // of one end of a domino

const $ = (id) => document.getElementById(id);

export class Seen {
  // `kindOf()` says what a piece is that is added here; `corrected(kept)` hears of every correction.
  constructor(api, kindOf, corrected, failed) {
    Object.assign(this, { api, kindOf, corrected, failed });
    $("add").addEventListener("click", () => this.adding(!this.toAdd));
    $("overlay").addEventListener("click", (event) => this.tapped(event));
    $("overlay").addEventListener("keydown", (event) => this.pressed(event));
    $("correct").addEventListener("close", () => this.focusAgain());
  }

  // A reading as the server keeps it; `photo` is the picture itself where this phone took it.
  async show(kept, photo = null) {
    this.draw(kept);
    $("seen").hidden = false;
    $("look-again").hidden = !this.api.plays;
    const url = await this.picture(kept, photo);
    if (this.kept?.id !== kept.id) return; // another photo came in between
    if ($("picture").src.startsWith("blob:")) URL.revokeObjectURL($("picture").src);
    $("picture").src = url;
  }

  // The game has gone on: the next photo, or a tap on an old one, brings another.
  hide() {
    this.kept = null;
    $("seen").hidden = true;
  }

  // A person has looked: what was in doubt is no more.
  confirmed() {
    $("found").textContent = t("seen.confirmed", { found: found(this.kept.corrected) });
    $("found").className = "sure";
    $("doubts").hidden = true;
  }

  async picture(kept, photo) {
    const own = photo ?? (await this.api.blob(`/v1/readings/${kept.id}/photo`));
    // Most browsers cannot show HEIC; then the server's own drawing stands under ours.
    const shows = await createImageBitmap(own).then((bitmap) => bitmap.close() ?? true, () => false);
    return URL.createObjectURL(shows ? own : await this.api.blob(`/v1/readings/${kept.id}/annotated`));
  }

  draw(kept) {
    this.kept = kept;
    const reading = kept.corrected;
    $("overlay").setAttribute("viewBox", `0 0 ${reading.width} ${reading.height}`);
    const pieces = drawnPieces(reading, this.api.plays ? "button" : "img");
    pieces.forEach((piece, place) => piece.setAttribute("data-place", place));
    $("overlay").replaceChildren(...pieces);
    $("picture").alt = t("photo.marked", { found: found(reading) || t("photo.nothing") });
    $("found").textContent = t(reading.sure ? "seen.sure" : "seen.look", { found: found(reading) || t("seen.nothing") });
    $("found").className = reading.sure ? "sure" : "look";
    $("doubts").replaceChildren(...reading.doubts.map((doubt) => element("li", { "data-reason": doubt.reason }, inWords(doubt))));
    $("doubts").hidden = false;
    this.listValues(reading);
    $("was-corrected").textContent = kept.corrections.length ? t("seen.by-hand", { count: kept.corrections.length }) : "";
  }

  // The same values as large buttons, for fingers too large for small dice.
  listValues(reading) {
    const dice = doubted(reading, "piece");
    const tiles = doubted(reading, "tile");
    const looks = [...reading.dice.map((_, at) => dice.has(at)), ...reading.tiles.map((_, at) => tiles.has(at))];
    const texts = [...reading.dice.map((die) => `${die.value}${die.starter ? "★" : ""}`), ...reading.tiles.map(named)];
    $("values").replaceChildren(...texts.map((text, place) => this.valueButton(text, place, looks[place])));
  }

  valueButton(text, place, look) {
    const made = element("button", { type: "button", class: look ? "value look" : "value", "data-value": text }, text);
    made.setAttribute("aria-label", t("seen.correct-this", { value: text }));
    made.disabled = !this.api.plays;
    made.addEventListener("click", () => this.ask(place));
    return made;
  }

  // Taps

  tapped(event) {
    if (!this.api.plays) return;
    const piece = event.target.closest(".piece");
    if (this.toAdd) this.askNew(this.spot(event));
    else if (piece) this.ask(Number(piece.dataset.place));
  }

  pressed(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    const piece = event.target.closest(".piece");
    if (piece && this.api.plays) this.ask(Number(piece.dataset.place));
  }

  // Where in the photo a tap is, in its pixels.
  spot(event) {
    const shown = $("overlay").getBoundingClientRect();
    const { width, height } = this.kept.corrected;
    const inside = (at, start, length, size) => Math.round(Math.min(Math.max((at - start) / length, 0), 1) * size);
    return [inside(event.clientX, shown.left, shown.width, width), inside(event.clientY, shown.top, shown.height, height)];
  }

  adding(on) {
    this.toAdd = on;
    $("add").setAttribute("aria-pressed", String(on));
    $("stage").classList.toggle("adding", on);
    $("add-hint").hidden = !on;
    $("add-here").hidden = !on;
    // With a keyboard one cannot point: the middle will do, since only the value counts.
    $("add-here").onclick = () => this.askNew([this.kept.corrected.width / 2, this.kept.corrected.height / 2].map(Math.round));
  }

  // Asking what it is

  ask(place) {
    const { dice, tiles } = this.kept.corrected;
    const isDie = place < dice.length;
    const at = isDie ? { die: place } : { tile: place - dice.length };
    const piece = isDie ? dice[place] : tiles[place - dice.length];
    this.from = place;
    const send = (what) => this.send({ change: { ...at, ...what } });
    const remove = dialogButton(t("seen.remove"), () => this.send({ remove: at }), "remove");
    this.open(isDie ? t("seen.which-die", { number: place + 1 }) : t("seen.which-tile", { number: at.tile + 1 }), [
      ...(isDie ? dieChoices(piece, this.kindOf(), send) : tileChoices(piece, send)),
      remove,
    ]);
  }

  askNew(at) {
    const kind = this.kindOf();
    const send = (what) => this.send({ add: { kind, at, ...what } });
    const choices = kind === "domino" ? tileChoices(null, send) : dieChoices({ kind, alternatives: [] }, kind, send);
    this.open(t(kind === "domino" ? "seen.missed-tile" : "seen.missed-die"), choices);
  }

  open(title, choices) {
    $("correct-title").textContent = title;
    $("correct-choices").replaceChildren(...choices);
    $("correct").showModal();
  }

  async send(correction) {
    $("correct").close();
    this.adding(false);
    try {
      const body = { ...correction, expected: this.kept.corrections.length };
      this.draw(await this.api.post(`/v1/readings/${this.kept.id}/corrections`, body));
      this.corrected(this.kept);
    } catch (error) {
      this.failed(error);
    }
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

// Runner-up values first, in the order of their chances; then all others.
function dieChoices(die, kind, send) {
  const likely = die.alternatives.map(([value]) => value).filter((value) => value !== die.value);
  const all = Array.from({ length: SIDES[die.kind] }, (_, place) => place + 1);
  const values = [...new Set([...likely, ...all])].filter((value) => value !== die.value);
  const buttons = values.map((value) => dialogButton(String(value), () => send({ value })));
  if (kind !== "d12" || !die.value || die.starter) return buttons;
  return [...buttons, dialogButton(t("seen.is-starter"), () => send({ value: die.value, starter: true }), "wide")];
}

function tileChoices(tile, send) {
  const likely = (tile?.alternatives ?? []).map(([ends]) => ends).filter((ends) => String(ends) !== String(tile.ends));
  const buttons = likely.slice(0, 4).map((ends) => dialogButton(ends.join("-"), () => send({ ends })));
  const picks = [t("seen.one-end"), t("seen.other-end")].map((label, end) => endPick(label, tile?.ends[end] ?? 0));
  const set = dialogButton(t("seen.use"), () => send({ ends: picks.map((pick) => Number(pick.value)) }), "wide");
  return [...buttons, ...picks, set];
}

function endPick(label, value) {
  const options = Array.from({ length: MOST_PIPS + 1 }, (_, pips) => element("option", {}, String(pips)));
  const made = element("select", { "aria-label": label }, ...options);
  made.value = String(value);
  return made;
}
