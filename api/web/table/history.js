// Every move of the game, the last one first, with a thumbnail where it came from a photo. Undone moves stay listed.

import { t, time } from "/web/words.js";
import { element } from "../shapes.js";
import { checkHashes } from "./heads.js";
import { moveInWords } from "./offers.js";
import { movedForOther } from "./who.js";

const SIZE = 160; // pixels of a thumbnail's width

const $ = (id) => document.getElementById(id);

export class History {
  // `look(kept)` opens a reading; `broken(text)` is called with a record that contradicts the one seen before.
  constructor(api, id, look, broken, failed) {
    Object.assign(this, { api, id, look, broken, failed, small: new Map() });
  }

  // Checks that the present record contains everything this phone has seen, after every reconnection of the stream.
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

  // How many moves at the end of the record were played from this reading, and not undone.
  async playedFrom(reading) {
    const { lines } = await this.lines();
    const last = lines.reverse().findIndex((line) => line.reading !== reading || line.undone_by || line.how === "undo");
    return last < 0 ? lines.length : last;
  }

  async refresh() {
    if ($("history").hidden) return;
    try {
      const { lines } = await this.lines();
      // Viewers see no photos while hands are hidden.
      const { readings } = lines.some((line) => line.reading) ? await this.api.json(`/v1/games/${this.id}/readings`) : { readings: [] };
      const kept = new Map(readings.map((each) => [each.id, each]));
      $("moves").replaceChildren(...lines.reverse().map((line) => this.row(line, kept.get(line.reading))));
    } catch (error) {
      this.failed(error);
    }
  }

  row(line, kept) {
    const at = element("time", { datetime: line.at }, time(line.at));
    const made = element("li", { value: line.line, class: line.undone_by ? "undone" : "" }, at, element("span", {}, words(line, this.api.players)));
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

  // Several moves may have the same reading. A photo has millions of pixels: only a small copy is kept in memory.
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

const HOW = { corrected: "history.hand", watched: "history.camera", inferred: "history.inferred", claimed: "history.claimed" };

function words(line, players) {
  const other = movedForOther(line.by, players);
  return other ? t("history.for-other", { move: how(line, players), other }) : how(line, players);
}

function how(line, players) {
  if (line.how === "undo") return t("history.undone");
  const said = line.hidden ? t("history.face-down") : moveInWords(line.move);
  const name = players?.[line.player];
  const move = name ? t("history.by", { name, move: said }) : said;
  const standing = line.undone_by ? t("history.was-undone", { move }) : move;
  return line.how in HOW ? t(HOW[line.how], { move: standing }) : standing;
}
