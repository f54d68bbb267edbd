// Every move of the game, the last one first, with a thumbnail where it came from a photo. What was taken back stays listed.

import { t, time } from "/web/words.js";
import { element } from "../shapes.js";
import { checkRecord } from "./heads.js";

const SIZE = 160; // pixels of a thumbnail's width

const $ = (id) => document.getElementById(id);

export class History {
  // `look(kept)` opens a reading; `broken(text)` hears of a record that is not the one seen before.
  // `hands(hidden)` hears whether viewers may see the record, which tells what players hold.
  constructor(api, id, look, broken, hands, failed) {
    Object.assign(this, { api, id, look, broken, hands, failed, small: new Map() });
    $("history").addEventListener("toggle", () => this.refresh());
  }

  // The record as it is now contains all this phone has seen: asked after every return of the stream.
  async check() {
    try {
      const trouble = checkRecord(this.id, await this.record());
      this.hands(false);
      if (trouble) this.broken(trouble);
    } catch (error) {
      if (error.status === 403) this.hands(true);
      else this.failed(error);
    }
  }

  record() {
    return this.api.text(`/v1/games/${this.id}/record`);
  }

  async refresh() {
    if (!$("history").open) return;
    try {
      const [record, { readings }] = await Promise.all([this.record(), this.api.json(`/v1/games/${this.id}/readings`)]);
      const lines = standing(record.trimEnd().split("\n").slice(1).map((line) => JSON.parse(line)));
      $("moves").replaceChildren(...lines.reverse().map((line) => this.row(line, readingOf(line, readings))));
    } catch (error) {
      this.failed(error);
    }
  }

  row(line, kept) {
    const at = element("time", { datetime: line.at }, time(line.at));
    const made = element("li", { class: line.undone ? "undone" : "" }, at, element("span", {}, words(line)));
    if (kept) made.append(this.thumbnail(kept));
    return made;
  }

  thumbnail(kept) {
    const canvas = element("canvas", { width: SIZE, height: Math.round((SIZE * kept.reading.height) / kept.reading.width) });
    const made = element("button", { type: "button", class: "thumbnail", "aria-label": t("history.photo") }, canvas);
    made.addEventListener("click", () => this.look(kept));
    this.paint(kept, canvas).catch(this.failed);
    return made;
  }

  // The same reading may stand beside several moves. A photo has millions of pixels: only a small copy is kept in memory.
  async paint(kept, canvas) {
    if (!this.small.has(kept.id)) this.small.set(kept.id, this.smallCopy(kept, canvas));
    canvas.getContext("2d").drawImage(await this.small.get(kept.id), 0, 0);
  }

  async smallCopy(kept, { width, height }) {
    const photo = await this.picture(kept);
    const copy = element("canvas", { width, height });
    copy.getContext("2d").drawImage(photo, 0, 0, width, height);
    photo.close();
    return copy;
  }

  // As the browser can show it, or else as the server has drawn it.
  async picture(kept) {
    const photo = await this.api.blob(`/v1/readings/${kept.id}/photo`);
    const drawn = async () => createImageBitmap(await this.api.blob(`/v1/readings/${kept.id}/annotated`));
    return createImageBitmap(photo).catch(drawn);
  }
}

// The same photo may have been read more than once: no two readings took just as long.
function readingOf({ seen }, readings) {
  const timed = JSON.stringify(seen?.timings_ms);
  return seen && readings.find(({ reading }) => reading.sha256 === seen.sha256 && JSON.stringify(reading.timings_ms) === timed);
}

// Which moves still stand: an undo takes the last standing one back.
function standing(lines) {
  const stack = [];
  for (const line of lines) {
    if (line.undo) {
      const last = stack.pop();
      if (last) last.undone = true;
    } else if (line.move) stack.push(line);
  }
  return lines.filter((line) => line.move || line.undo);
}

function words(line) {
  if (line.undo) return t("history.undone");
  return how(line, line.undone ? t("history.was-undone", { move: line.move }) : line.move);
}

function how({ corrected }, move) {
  if (!corrected) return move;
  if (corrected.inferred) return t("history.inferred", { move });
  return t(corrected.watched ? "history.camera" : "history.hand", { move });
}
