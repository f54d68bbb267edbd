// The result spoken aloud, if the switch is on.

import { language, t } from "/web/words.js";

const KEY = "muggins.speech";

export class Speech {
  constructor(button) {
    this.button = button;
    button.hidden = !("speechSynthesis" in globalThis);
    this.turn(localStored() && !button.hidden);
    button.addEventListener("click", () => this.toggle());
  }

  // iPhones speak only after a tap: the first words answer this one.
  toggle() {
    this.turn(!this.on);
    store(this.on);
    if (this.on) this.say(t("speech.on"));
    else speechSynthesis.cancel();
  }

  turn(on) {
    this.on = on;
    this.button.setAttribute("aria-checked", String(on));
  }

  say(text) {
    if (!this.on || !text) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }
}

function localStored() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function store(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // A private window stores nothing; the switch lasts until it is closed.
  }
}
