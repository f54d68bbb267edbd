// The profiles of people's own dice in a game: those in use, those stored on this phone, and what the game itself has learned.

import { t } from "/web/words.js";
import { element } from "../shapes.js";
import { asFile, checkName, keepProfile, mayReplace, profiles, renamed } from "../teach/profiles.js";

const $ = (id) => document.getElementById(id);

export class OwnDice {
  constructor(api, path, failed) {
    Object.assign(this, { api, path, failed });
  }

  async show() {
    try {
      const { profiles: used } = await this.api.json(`${this.path}/profiles`);
      const own = Object.keys(profiles()).filter((name) => !used.some((each) => each.name === name));
      $("own-dice").replaceChildren(...used.map((each) => this.used(each)), ...own.map((name) => this.kept(name)));
      $("own-none").hidden = used.length + own.length > 0;
    } catch (error) {
      this.failed(error);
    }
  }

  used({ name, sha256, pieces, learned }) {
    const said = learned ? t("own.learned", { count: pieces }) : t("own.used", { name, count: pieces });
    const leave = this.button(t("own.leave"), () => this.api.ask(`${this.path}/profiles/${sha256}`, { method: "DELETE" }));
    const row = element("li", {}, `${said} `, leave);
    if (learned) row.append(" ", this.button(t("own.keep"), () => this.keep(sha256)));
    return row;
  }

  kept(name) {
    return element("li", {}, `${name} `, this.button(t("own.use", { name }), () => this.use(name)));
  }

  async use(name) {
    const body = new FormData();
    body.append("profile", asFile(profiles()[name]), "profile.json");
    await this.api.ask(`${this.path}/profiles`, { method: "PUT", body });
  }

  async keep(sha256) {
    const name = prompt(t("own.keep-as"))?.trim();
    if (!name) return;
    checkName(name);
    const text = renamed(await this.api.text(`${this.path}/profiles/${sha256}`), name);
    if (!mayReplace(name, text)) return;
    if (!keepProfile(name, text)) throw new Error(t("teach.not-kept"));
  }

  button(text, act) {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", async () => {
      try {
        await act();
        await this.show();
      } catch (error) {
        this.failed(error);
      }
    });
    return made;
  }
}
