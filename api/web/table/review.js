// The referee's review: the photo is read again at a larger scale, and both readings are shown side by side, every piece
// enlarged. Nothing changes by itself: a person says which one is right.

import { sureness, t } from "/web/words.js";
import { element, named } from "../shapes.js";

const $ = (id) => document.getElementById(id);

export class Review {
  // `taken(first, closer)` is called when the closer reading is chosen.
  constructor(api, taken) {
    this.api = api;
    $("take-closer").addEventListener("click", () => this.close() ?? taken(this.first, this.closer));
    $("keep-first").addEventListener("click", () => this.close());
  }

  async start(first) {
    this.close();
    this.first = first;
    this.closer = await this.api.post(`/v1/readings/${first.id}/look-again`, {});
    const pairs = paired(piecesOf(counted(first), first.reading), piecesOf(this.closer.reading));
    const differing = pairs.filter(differs).length;
    $("verdict").textContent = differing ? t("review.differ", { count: differing }) : t("review.agree");
    $("take-closer").hidden = !differing;
    $("pairs").replaceChildren(...pairs.sort((one, other) => differs(other) - differs(one)).map((pair) => this.row(pair)));
    $("review").hidden = false;
    $("verdict").focus();
  }

  close() {
    $("review").hidden = true;
    for (const crop of $("pairs").querySelectorAll("img")) URL.revokeObjectURL(crop.src);
    $("pairs").replaceChildren();
  }

  row(pair) {
    const title = this.first.corrections.length ? t("review.corrected") : t("review.first");
    const looks = [this.look(title, this.first, pair[0]), this.look(t("review.closer"), this.closer, pair[1])];
    return element("li", { class: differs(pair) ? "differs" : "" }, ...looks);
  }

  look(title, kept, piece) {
    const words = piece ? `${piece.text}, ${sureness(piece.confidence)}` : t("review.nothing");
    const caption = element("figcaption", {}, element("small", {}, title), element("strong", {}, words));
    if (!piece || piece.place < 0) return element("figure", {}, caption);
    // Its space is reserved from the start: a tap misses a button that moves while pieces load.
    const room = element("div", { class: "crop" });
    this.enlarge(kept, piece, room).catch(() => {}); // the values alone are enough
    return element("figure", {}, room, caption);
  }

  async enlarge(kept, piece, room) {
    const crop = await this.api.blob(`/v1/readings/${kept.id}/crops/${piece.place}`);
    room.append(element("img", { alt: t("review.enlarged", { piece: piece.text }), src: URL.createObjectURL(crop) }));
  }
}

// The first reading as corrected by people since.
const counted = ({ reading, corrected, corrections }) => (corrections.length ? corrected : reading);

// Dice first, then tiles, numbered like crops: as they were read. A piece that a person added has no crop.
function piecesOf({ dice, tiles }, read = { dice, tiles }) {
  const texts = [...dice.map((die) => `${die.value}${die.starter ? "★" : ""}`), ...tiles.map(named)];
  const boxes = [...read.dice, ...read.tiles].map((piece) => String(piece.box));
  return [...dice, ...tiles].map(({ box, confidence }, at) => {
    return { place: boxes.indexOf(String(box)), text: texts[at], confidence, ...spot(box) };
  });
}

function spot(box) {
  const [xs, ys] = [0, 1].map((axis) => box.map((point) => point[axis]));
  const [across, down] = [xs, ys].map((all) => Math.max(...all) - Math.min(...all));
  return { x: Math.min(...xs) + across / 2, y: Math.min(...ys) + down / 2, size: Math.max(across, down) };
}

// Each piece of the first reading with the one at the same place in the closer reading, if any; then those only in the latter.
function paired(first, closer) {
  const left = new Set(closer);
  const pairs = first.map((piece) => {
    const same = [...left].find((other) => Math.hypot(piece.x - other.x, piece.y - other.y) < piece.size / 2);
    left.delete(same);
    return [piece, same];
  });
  return [...pairs, ...[...left].map((piece) => [undefined, piece])];
}

const differs = ([one, other]) => Number(one?.text !== other?.text);
