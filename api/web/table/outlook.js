// Between two moves: streaks beside the names, and the expected worth of every possible choice.

import { chance as percent, known, number, t, told } from "/web/words.js";
import { element } from "../shapes.js";
import { released } from "./pressed.js";

const SHOWN = 8; // a hand of Cribbage Dice may be kept in sixteen ways
const RISKS = ["wipeout", "farkle"];

const $ = (id) => document.getElementById(id);

export class Outlook {
  // `streaks(told)` is called with the streaks by side; `photographed(reading)` with the reading of the last move's photo.
  constructor(api, path, streaks, photographed, failed) {
    Object.assign(this, { api, path, streaks, photographed, failed });
  }

  async refresh(lines) {
    this.lines = lines;
    $("risk").classList.add("outdated"); // it is about an earlier state; kept to avoid a layout shift
    try {
      const told = await this.api.json(this.path);
      await released(); // another line would move the buttons below it away from the finger
      if (told.lines !== this.lines) return; // requested again in the meantime
      this.streaks(told.streaks);
      showOdds(told.advice);
      if (told.reading) this.photographed(told.reading);
    } catch (error) {
      if (error.status) this.failed(error);
    }
  }
}

function showOdds(advice) {
  $("odds").hidden = !advice;
  const riskiest = advice?.alternatives.find(({ chances }) => riskOf(chances));
  $("risk").classList.remove("outdated");
  $("risk").textContent = riskiest ? `${told(riskiest.text)}: ${riskOf(riskiest.chances)}` : "";
  if (!advice) return;
  $("worths").replaceChildren(...advice.alternatives.slice(0, SHOWN).map(row));
  $("why").textContent = told(advice.why);
}

function riskOf(chances) {
  const risk = RISKS.find((name) => chances[name]);
  return risk && `${percent(chances[risk])} ${nameOf(risk)}`;
}

function row({ text, worth, chances }) {
  const likely = Object.entries(chances).filter(([, chance]) => chance > 0);
  const words = likely.map(([name, chance]) => `${nameOf(name)} ${percent(chance)}`).join(", ");
  const what = element("td", {}, told(text), ...(words ? [element("small", {}, words)] : []));
  return element("tr", {}, what, element("td", { class: "points" }, number(worth, { minimumFractionDigits: 1, maximumFractionDigits: 1 })));
}

// Names of chances that several games share; those of a single game are shown as the game names them.
const nameOf = (chance) => (known(`chance.${chance}`) ? t(`chance.${chance}`) : chance.replaceAll("_", " "));
