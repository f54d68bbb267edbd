// Teach my dice: a photo, what its pieces show, and a profile that this phone stores. The server stores nothing.

import { post } from "/web/post.js";
import { t } from "/web/words.js";
import { onChosen, onDrop } from "../files.js";
import { drawing, element } from "../shapes.js";
import { asFile, checkName, keepProfile, mayReplace, missing, profileIn, profiles } from "./profiles.js";

const $ = (id) => document.getElementById(id);
const VALUE = /^(?:(.{1,40})=)?(\d{1,2})(?:-(\d{1,2}))?$/;
const NO_PIECE = "x";
const SIX = 6;
const MOST = 12; // the highest value of a die, and of an end of a tile
const [LARGE, SMALL] = [14, 40]; // the longer side over the size of the number beside a found piece, and beside a pointed one

let photo = null;
let size = null; // of the photo in pixels
let found = []; // { box, kind, shows }, or { at } for a piece that was pointed at

for (const id of ["camera", "file"]) onChosen($(id), look);
onDrop(([file]) => file && look(file));
onChosen($("load"), load);
$("picture").addEventListener("click", point);
$("pieces").addEventListener("submit", learn);

async function look(file) {
  say(t("photo.reading-now"));
  try {
    const body = form(file);
    const told = await (await post("/v1/pieces", { body }, "error.unreached")).json();
    photo = file;
    size = [told.width, told.height];
    found = told.pieces;
    await shownPicture(file);
    $("values").replaceChildren(); // values entered for the pieces of another photo
    fill();
    say(found.length ? t("teach.found", { count: found.length }) : t("teach.found-none"));
  } catch (error) {
    failed(error);
  }
}

// Formats that browsers cannot show, such as HEIC, come back from the server as a picture.
async function shownPicture(file) {
  const image = $("picture");
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    const drawn = await post("/v1/readings/annotated", { body: form(file) }, "error.unreached");
    image.src = URL.createObjectURL(await drawn.blob());
  }
}

function form(file) {
  const body = new FormData();
  body.append("photo", file, file.name || "photo.jpg");
  return body;
}

function fill() {
  const values = [...$("values").querySelectorAll("input")].map((input) => input.value);
  $("values").replaceChildren(...found.map((piece, at) => row(piece, at, values[at])));
  draw();
  $("pieces").hidden = false;
}

function row(piece, at, before) {
  const id = `value-${at}`;
  const input = element("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  input.value = before ?? piece.shows?.join("-") ?? "";
  return element("li", {}, element("label", { for: id }, `${t("teach.piece", { number: at + 1 })} `), input);
}

function draw() {
  const [wide, high] = size;
  const text = Math.max(wide, high) / SMALL;
  const marks = found.flatMap((piece, at) => {
    const box = piece.box ?? around(piece.at, Math.max(wide, high) / LARGE);
    const [x, y] = box[0];
    return [
      drawing("polygon", { points: box.map((corner) => corner.join(",")).join(" ") }),
      drawing("text", { x, y: Math.max(text, y - text / SIX), "font-size": text }, String(at + 1)),
    ];
  });
  $("overlay").setAttribute("viewBox", `0 0 ${wide} ${high}`);
  $("overlay").replaceChildren(...marks);
}

const around = ([x, y], side) => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [x + (a * side) / 2, y + (b * side) / 2]);

// Adds a piece that was not found, where the photo is tapped.
function point(event) {
  const { left, top, width, height } = $("picture").getBoundingClientRect();
  found.push({ at: [((event.clientX - left) / width) * size[0], ((event.clientY - top) / height) * size[1]] });
  fill();
  $(`value-${found.length - 1}`).focus();
}

async function learn(event) {
  event.preventDefault();
  try {
    const name = $("name").value.trim();
    if (!name) throw new Error(t("teach.no-name"));
    checkName(name);
    const written = found.map((_, at) => $(`value-${at}`).value.trim());
    const symbols = symbolsIn(name, written);
    const said = found.map((piece, at) => saidOf(piece, written[at], at, symbols)).filter(Boolean);
    if (!said.length) throw new Error(t("teach.no-values"));
    const body = form(photo);
    body.append("name", name);
    body.append("said", JSON.stringify(said));
    const before = profiles()[name];
    if (before) body.append("profile", asFile(before), "profile.json");
    const text = await (await post("/v1/profiles", { body }, "error.unreached")).text();
    keep(name, text);
    $("pieces").hidden = true;
    $("values").replaceChildren();
    $("file").focus(); // the focused button is hidden
    say([t("teach.learned", { name, count: JSON.parse(text).pieces.length }), ...missing(text).map(stillToShow)].join(" "));
  } catch (error) {
    failed(error);
  }
}

// Values of symbols, from the profile of that name and from the fields: such a symbol may be entered alone.
function symbolsIn(name, written) {
  const symbols = new Map();
  for (const { symbol, value } of profileIn(profiles()[name])?.pieces ?? []) if (symbol) symbols.set(symbol, value);
  for (const text of written) {
    const [, symbol, value] = VALUE.exec(text) ?? [];
    if (!symbol) continue;
    if (meansItself(symbol)) throw new Error(t("teach.bad-symbol", { symbol, value }));
    const before = symbols.get(symbol) ?? Number(value);
    if (before !== Number(value)) throw new Error(t("teach.symbol-changed", { symbol, before, value }));
    symbols.set(symbol, before);
  }
  return symbols;
}

// Whether a text stands for itself and is not the name of a symbol.
function meansItself(text) {
  const [, symbol, value] = VALUE.exec(text) ?? [];
  return text.toLowerCase() === NO_PIECE || (value !== undefined && !symbol);
}

// The value of a field, as the server takes it; nothing is skipped.
function saidOf(piece, text, at, symbols) {
  if (!text) return null;
  const place = piece.at ?? middle(piece.box);
  if (text.toLowerCase() === NO_PIECE) return { kind: "other", shows: [], at: place };
  const parts = VALUE.exec(symbols.has(text) && !meansItself(text) ? `${text}=${symbols.get(text)}` : text);
  if (!parts) throw new Error(t("teach.bad-value", { number: at + 1, text }));
  const [, symbol = "", first, second] = parts;
  const shows = [first, second].filter((each) => each !== undefined).map(Number);
  const tile = shows.length > 1;
  if (piece.sure && tile !== piece.tile) throw new Error(t(tile ? "teach.is-die" : "teach.is-tile", { number: at + 1, text }));
  const die = piece.kind === "d12" || shows[0] > SIX ? "d12" : "d6";
  const kind = tile ? "domino" : die;
  const never = shows.some((each) => each < (tile ? 0 : 1) || each > MOST) || (tile && symbol); // symbols are only for dice
  if (never) throw new Error(t("teach.bad-value", { number: at + 1, text }));
  const slip = piece.sure && shows.join("-") !== piece.shows.join("-");
  if (slip && !confirm(t("teach.really", { number: at + 1, read: piece.shows.join("-"), text }))) throw new Error(t("teach.changed"));
  return { kind, shows, at: place, symbol };
}

const middle = (box) => [0, 1].map((axis) => box.reduce((sum, corner) => sum + corner[axis], 0) / box.length);

const notShown = ({ kind, sides }) => t(`teach.not-shown-${kind}`, { sides: sides.join(", ") });
const stillToShow = (left) => `${notShown(left)} ${howToShow(left)}`;
const howToShow = ({ kind, sides, photos }) => {
  if (sides.length === 1) return kind === "domino" ? t("teach.lay-one") : t("teach.turn-one");
  return t(kind === "domino" ? "teach.lay" : "teach.turn", { count: photos });
};

// Stored profiles

function keep(name, text) {
  if (!keepProfile(name, text)) throw new Error(t("teach.not-kept"));
  show();
}

function show() {
  const kept = Object.entries(profiles());
  $("none").hidden = kept.length > 0;
  $("kept").replaceChildren(...kept.map(([name, text]) => keptRow(name, text)));
}

function keptRow(name, text) {
  const save = element("a", { download: `${name}.json`, href: URL.createObjectURL(asFile(text)), class: "button" }, t("teach.save"));
  const remove = element("button", { type: "button", "aria-label": t("teach.delete-of", { name }) }, t("teach.delete"));
  remove.addEventListener("click", () => {
    if (!confirm(t("teach.delete-sure", { name }))) return;
    keepProfile(name, null);
    show();
    $("load").focus(); // the focused button is gone
  });
  const profile = profileIn(text);
  if (!profile) return element("li", {}, `${t("teach.damaged", { name })} `, remove);
  const told = [t("teach.knows", { name, count: profile.pieces.length }), ...missing(text).map(notShown)].join(". ");
  return element("li", {}, `${told} `, save, " ", remove);
}

async function load(file) {
  try {
    const text = await file.text();
    const profile = profileIn(text);
    if (!profile) throw new Error(t("teach.no-profile"));
    const { name, pieces } = profile;
    checkName(name);
    if (!mayReplace(name, text)) return;
    keep(name, text);
    say(t("teach.knows", { name, count: pieces.length }));
  } catch (error) {
    failed(error);
  }
}

function say(text) {
  $("status").textContent = text;
  $("trouble").hidden = true;
}

function failed(error) {
  $("status").textContent = "";
  $("trouble").textContent = error.message;
  $("trouble").hidden = false;
  $("trouble").scrollIntoView({ block: "nearest" }); // the button may be a photo and many pieces below
}

show();
