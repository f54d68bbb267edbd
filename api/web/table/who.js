// Who plays on this phone: asked when it joins with an invitation, and of the host where hands are hidden.

import { list, t } from "/web/words.js";
import { element } from "../shapes.js";

const $ = (id) => document.getElementById(id);

export class Who {
  // `said(seats)` is called with the numbers of the players, or null for the whole table.
  constructor(said) {
    this.said = said;
    $("who-all").addEventListener("click", () => said(null));
    $("who-join").addEventListener("click", () => this.join());
  }

  ask(players) {
    $("who-names").replaceChildren(...players.map((name, seat) => this.name(name, seat)));
    $("who-join").disabled = true;
    $("who").hidden = false;
    $("who-title").focus();
  }

  name(text, seat) {
    const made = element("button", { type: "button", "aria-pressed": "false", "data-seat": seat }, text);
    made.addEventListener("click", () => {
      made.setAttribute("aria-pressed", String(made.getAttribute("aria-pressed") !== "true"));
      $("who-join").disabled = !this.seats().length;
    });
    return made;
  }

  seats() {
    return [...$("who-names").querySelectorAll("[aria-pressed=true]")].map((each) => Number(each.dataset.seat));
  }

  join() {
    this.said(this.seats());
  }
}

// The remark on a move that a phone made for a player who is not on it; empty for others.
export function movedForOther(by, players) {
  if (by?.for == null || !players) return "";
  const names = list((by.seats ?? []).map((seat) => players[seat]));
  const name = players[by.for];
  return names ? t("who.for-other", { name, names }) : t("who.for-other-unseated", { name });
}
