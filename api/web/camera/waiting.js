// The camera's roll that waits for a player: its picture, its reading, and one tap to settle it. On every phone of the game.
// A die is corrected by choosing another value; everything else (a missed die, a move) is typed on the page of the game.

import { t, told } from "/web/words.js";
import { element } from "../shapes.js";

const TITLES = { "unsure-reading": "film.unsure" }; // for all other checks the reading is sure
const EVERY = 30000; // milliseconds between polls, in case the stream has missed news

export class Waiting {
  // `at`: the element that shows it; `path` of the game; `failed(error)` is called with refusals.
  constructor(at, api, path, failed) {
    Object.assign(this, { at, api, path: `${path}/camera`, failed });
    this.shown = "";
  }

  // Poll on every event of the stream (feed.js), which may concern a waiting roll, and when the page becomes visible.
  watch() {
    const look = () => document.hidden || this.look();
    for (const news of ["muggins:camera", "muggins:snapshot", "visibilitychange"]) document.addEventListener(news, look);
    setInterval(look, EVERY);
    this.look();
  }

  // The status that comes with a frame may be outdated: it only says whether to poll.
  heard({ ask }) {
    if (ask || this.at.hasChildNodes()) this.look();
  }

  // One poll at a time; news in the meantime triggers another. Only polls show a roll, so a settled one never comes back.
  async look() {
    this.due = Boolean(this.api.token) && !this.refused;
    if (this.looking) return;
    this.looking = true;
    while (this.due) {
      this.due = false;
      await this.api.json(this.path).then((status) => this.show(status)).catch((error) => this.missed(error));
    }
    this.looking = false;
  }

  // Viewers are not asked, and do not poll.
  missed(error) {
    if (error.status === 403) this.refused = true;
  }

  async show({ ask, waiting }) {
    const kept = ask?.kind === "check" ? await this.api.json(`/v1/readings/${ask.reading}`).catch(() => null) : null;
    const now = JSON.stringify([ask, waiting, kept?.corrections.length]);
    if (now === this.shown) return;
    this.shown = now;
    this.at.replaceChildren(...(ask ? [this.card(ask, waiting, kept)] : []));
    if (kept) this.showPicture(ask.reading);
  }

  card(ask, waiting, kept) {
    const more = waiting > 1 ? [element("p", { class: "hint" }, t("film.more", { count: waiting - 1 }))] : [];
    const title = element("h2", {}, t(TITLES[ask.code] ?? `film.${ask.kind}`));
    const look = kept ? this.picture(ask, kept) : [];
    return element("section", { class: "waiting-roll", role: "alert" }, title, element("p", {}, told(ask.text)), ...look, ...more);
  }

  picture(ask, kept) {
    const { dice, tiles } = kept.corrected;
    const fields = dice.map((die, place) => this.field(kept, die, place));
    const values = [...dice.map((die) => die.value), ...tiles.map((tile) => tile.ends.join("-"))].join(" ");
    this.img = element("img", { alt: t("film.picture") });
    const answer = (said) => this.answer({ number: ask.number, answer: said, corrections: kept.corrections.length });
    const buttons = [];
    if (ask.may_confirm || kept.corrections.length) buttons.push(button(t("film.yes", { values }), () => answer("yes"), "main"));
    buttons.push(button(t("film.no"), () => answer("no")));
    return [this.img, element("div", { class: "corrections" }, ...fields), element("div", { class: "answers" }, ...buttons)];
  }

  // A die and its possible values; the last choice: not a die.
  field(kept, die, place) {
    const sides = Array.from({ length: die.kind === "d12" ? 12 : 6 }, (_, at) => at + 1);
    const choices = [...sides, ""].map((value) => element("option", { value }, value === "" ? t("film.no-die") : String(value)));
    const field = element("select", { "aria-label": t("film.die", { number: place + 1 }) }, ...choices);
    field.value = String(die.value);
    field.addEventListener("change", () => this.correct(kept, place, field.value));
    return field;
  }

  async correct(kept, die, value) {
    const said = value === "" ? { remove: { die } } : { change: { die, value: Number(value) } };
    try {
      await this.api.post(`/v1/readings/${kept.id}/corrections`, { ...said, expected: kept.corrections.length });
    } catch (error) {
      this.failed(error);
    }
    this.shown = "";
    this.look();
  }

  async showPicture(reading) {
    const { img } = this;
    const picture = await this.api.blob(`/v1/readings/${reading}/annotated`).catch(() => null);
    if (picture) img.src = URL.createObjectURL(picture);
  }

  async answer(said) {
    try {
      await this.api.post(`${this.path}/answers`, said);
    } catch (error) {
      if (error.status !== 409) this.failed(error); // another phone was faster
      this.shown = "";
    }
    this.look();
  }
}

function button(text, pressed, kind = "") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", pressed);
  return made;
}
