// The reading of a photo of this game: the pieces, the photo, and the doubts.

import { t } from "/web/words.js";
import { Correcting } from "../correct.js";
import { element, found, inWords } from "../shapes.js";
import { differences } from "./differences.js";

const $ = (id) => document.getElementById(id);

export class Seen {
  // `kindOf()` returns the kind of an added piece; `corrected(kept, before)` is called once a correction is stored.
  constructor(api, kindOf, corrected, failed) {
    Object.assign(this, { api, corrected, failed });
    this.correcting = new Correcting(kindOf, (...corrections) => this.send(corrections));
  }

  // Show a reading as the server stores it; `photo` is the picture itself where this phone took it.
  async show(kept, photo = null) {
    this.draw(kept);
    $("seen").hidden = false;
    this.open(!kept.corrected.sure);
    $("look-again").hidden = !this.api.plays;
    const url = await this.picture(kept, photo);
    if (this.kept?.id !== kept.id) return; // another photo came in between
    if ($("picture").src.startsWith("blob:")) URL.revokeObjectURL($("picture").src);
    $("picture").src = url;
  }

  // The game has gone on: the next photo, or a tap on an old one, brings another reading.
  hide() {
    this.kept = null;
    $("seen").hidden = true;
    $("values").replaceChildren();
  }

  // Open the photo, where a person has to check it.
  open(wide = true) {
    $("photo").open = wide;
  }

  // A person has checked it: the doubts are settled.
  confirmed() {
    $("found").textContent = t("seen.confirmed", { found: found(this.kept.corrected) });
    $("found").className = "sure";
    $("doubts").hidden = true;
  }

  async picture(kept, photo) {
    const own = photo ?? (await this.api.blob(`/v1/readings/${kept.id}/photo`));
    // Most browsers cannot show HEIC; then the server's own drawing is shown under ours.
    const shows = await createImageBitmap(own).then((bitmap) => bitmap.close() ?? true, () => false);
    return URL.createObjectURL(shows ? own : await this.api.blob(`/v1/readings/${kept.id}/annotated`));
  }

  draw(kept) {
    this.kept = kept;
    const reading = kept.corrected;
    this.correcting.show(reading, this.api.plays);
    $("picture").alt = t("photo.marked", { found: found(reading) || t("photo.nothing") });
    $("found").textContent = t(reading.sure ? "seen.sure" : "seen.look", { found: found(reading) || t("seen.nothing") });
    $("found").className = reading.sure ? "sure" : "look";
    $("doubts").replaceChildren(...reading.doubts.map((doubt) => element("li", { "data-reason": doubt.reason }, inWords(doubt))));
    $("doubts").hidden = false;
    $("was-corrected").textContent = kept.corrections.length ? t("seen.by-hand", { count: kept.corrections.length }) : "";
  }

  async send(corrections) {
    const before = this.kept;
    try {
      await this.post(corrections);
      this.correcting.focusAgain();
      this.corrected(this.kept, before);
    } catch (error) {
      this.failed(error);
    }
  }

  // One after the other; the page shows the last answer.
  async post(corrections) {
    for (const correction of corrections) {
      const body = { ...correction, expected: this.kept.corrections.length };
      this.draw(await this.api.post(`/v1/readings/${this.kept.id}/corrections`, body));
    }
  }

  // The pieces are those of this reading of the same photo.
  restore(reading) {
    return this.post(differences(this.kept.corrected, reading));
  }
}
