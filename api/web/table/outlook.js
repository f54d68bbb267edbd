// Between two moves: streaks beside the names, and what everything that may be done now is worth on average.

import { chance as percent, known, number, t, told } from "/web/words.js";
import { element } from "../shapes.js";
import { released } from "./pressed.js";

const SHOWN = 8; // a hand of Cribbage Dice may be kept in sixteen ways
const RISKS = ["wipeout", "farkle"];

const $ = (id) => document.getElementById(id);

export class Outlook {
  // `streaks(told)` hears which side has which; `photographed(reading)` hears of the photo that the last move came from.
  constructor(api, path, streaks, photographed, failed) {
    Object.assign(this, { api, path, streaks, photographed, failed });
  }

  async refresh(lines) {
    this.lines = lines;
    $("risk").classList.add("outdated"); // it was about the moment before; its place is kept
    try {
      const told = await this.api.json(this.path);
      await released(); // a line more would move the buttons below it away from the finger
      if (told.lines !== this.lines) return; // it was asked again meanwhile
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

// What games call a chance; those that only one game has stay as it names them.
const nameOf = (chance) => (known(`chance.${chance}`) ? t(`chance.${chance}`) : chance.replaceAll("_", " "));
