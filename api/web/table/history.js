// Every move of the game, the last one first, with a thumbnail where it came from a photo. What was taken back stays listed.

import { element } from "../shapes.js";
import { checkHashes } from "./heads.js";
import { movedForOther } from "./who.js";

const SIZE = 160; // pixels of a thumbnail's width

const $ = (id) => document.getElementById(id);

export class History {
  // `look(kept)` opens a reading; `broken(text)` hears of a record that is not the one seen before.
  constructor(api, id, look, broken, failed) {
    Object.assign(this, { api, id, look, broken, failed, small: new Map() });
    $("history").addEventListener("toggle", () => this.refresh());
  }

  // The record as it is now contains all this phone has seen: asked after every return of the stream.
  async check() {
    try {
      const trouble = checkHashes(this.id, (await this.lines()).hashes);
      if (trouble) this.broken(trouble);
    } catch (error) {
      this.failed(error);
    }
  }

  lines() {
    return this.api.json(`/v1/games/${this.id}/history`);
  }

  async refresh() {
    if (!$("history").open) return;
    try {
      const { lines } = await this.lines();
      // Who only watches is shown no photos while hands are hidden.
      const { readings } = lines.some((line) => line.reading) ? await this.api.json(`/v1/games/${this.id}/readings`) : { readings: [] };
      const kept = new Map(readings.map((each) => [each.id, each]));
      $("moves").replaceChildren(...lines.reverse().map((line) => this.row(line, kept.get(line.reading))));
    } catch (error) {
      this.failed(error);
    }
  }

  row(line, kept) {
    const time = element("time", { datetime: line.at }, line.at.slice(11, 16));
    const made = element("li", { class: line.undone_by ? "undone" : "" }, time, element("span", {}, words(line, this.api.players)));
    if (kept) made.append(this.thumbnail(kept));
    return made;
  }

  thumbnail(kept) {
    const canvas = element("canvas", { width: SIZE, height: Math.round((SIZE * kept.reading.height) / kept.reading.width) });
    const made = element("button", { type: "button", class: "thumbnail", "aria-label": "Look at the photo" }, canvas);
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

const HOW = { corrected: " (by hand)", watched: " (by camera)", inferred: " (inferred)", claimed: " (claimed: by camera)" };

function words(line, players) {
  const other = movedForOther(line.by, players);
  const made = `${HOW[line.how] ?? ""}${other ? ` (${other})` : ""}`;
  if (line.how === "undo") return `undone${made}`;
  return `${line.hidden ? "face down" : line.move}${line.undone_by ? " (undone)" : ""}${made}`;
}
