// Between two moves: streaks beside the names, and what everything that may be done now is worth on average.

import { element } from "../shapes.js";

const SHOWN = 8; // a hand of Cribbage Dice may be kept in sixteen ways
const RISKS = ["wipeout", "farkle"];
const NAMES = { nothing: "ends with nothing", better: "better than now", bomb: "the bomb goes off" };

const $ = (id) => document.getElementById(id);

export class Outlook {
  // `streaks(told)` hears which side has which; `photographed(reading)` hears of the photo that the last move came from.
  constructor(api, path, streaks, photographed, failed) {
    Object.assign(this, { api, path, streaks, photographed, failed });
  }

  async refresh(lines) {
    this.lines = lines;
    try {
      const told = await this.api.json(this.path);
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
  if (!advice) return;
  const riskiest = advice.alternatives.find(({ chances }) => riskOf(chances));
  $("risk").textContent = riskiest ? `${riskiest.text}: ${riskOf(riskiest.chances)}` : "";
  $("worths").replaceChildren(...advice.alternatives.slice(0, SHOWN).map(row));
  $("why").textContent = advice.why;
}

function riskOf(chances) {
  const risk = RISKS.find((name) => chances[name]);
  return risk && `${percent(chances[risk])} ${risk}`;
}

function row({ text, worth, chances }) {
  const likely = Object.entries(chances).filter(([, chance]) => chance > 0);
  const words = likely.map(([name, chance]) => `${NAMES[name] ?? name} ${percent(chance)}`).join(", ");
  const what = element("td", {}, text, ...(words ? [element("small", {}, words)] : []));
  return element("tr", {}, what, element("td", { class: "points" }, worth.toFixed(1)));
}

function percent(chance) {
  if (chance > 0 && chance < 0.005) return "under 1 %";
  return `${Math.round(chance * 100)} %`;
}
