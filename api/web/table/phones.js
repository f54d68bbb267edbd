// The phones and cameras in the game: who plays on each, and for the host a button that revokes its link.

import { list, t } from "/web/words.js";
import { element } from "../shapes.js";

const EVERY = 5000; // milliseconds between checks who has joined, while the links are open

const $ = (id) => document.getElementById(id);

export class Phones {
  constructor(api, path, failed) {
    Object.assign(this, { api, path, failed, shown: "" });
  }

  async show() {
    clearTimeout(this.timer);
    try {
      const { tokens } = await this.api.json(`${this.path}/tokens`);
      this.fill(tokens.filter(({ role, revoked }) => !revoked && ["player", "camera"].includes(role)));
      if (!$("share").hidden) this.timer = setTimeout(() => this.show(), EVERY);
    } catch (error) {
      this.failed(error);
    }
  }

  // Unchanged where nobody joined or left, so that a button keeps the focus.
  fill(playing) {
    if (JSON.stringify(playing) === this.shown) return;
    this.shown = JSON.stringify(playing);
    $("phones").replaceChildren(...playing.map((token) => this.row(token)));
    $("phones-part").hidden = false;
  }

  row(token) {
    const own = token.id === this.api.tokenId;
    const made = element("li", {}, element("span", {}, own ? t("phones.this", { phone: this.named(token) }) : this.named(token)));
    if (this.api.host && !own) made.append(this.revoking(token));
    return made;
  }

  named({ role, name, seats }) {
    if (role === "camera") return name ? t("phones.camera-named", { name }) : t("phones.camera");
    return list(seats?.map((seat) => this.api.players[seat]) ?? this.api.players) || t("phones.nobody");
  }

  revoking(token) {
    const button = element("button", { type: "button" }, t("phones.revoke"));
    button.setAttribute("aria-label", t("phones.revoke-of", { phone: this.named(token) }));
    button.addEventListener("click", () => this.revoke(token));
    return button;
  }

  async revoke(token) {
    if (!confirm(t("phones.sure", { phone: this.named(token) }))) return;
    try {
      await this.api.send(`${this.path}/tokens/${encodeURIComponent(token.id)}`, undefined, {}, "DELETE");
      await this.show();
    } catch (error) {
      this.failed(error);
    }
  }
}
