// The upload page: sends a photo to /v1/readings and shows what came back.
// Text from the server or from file names only ever becomes text nodes, never markup.

import { number, t, told as translated } from "/web/words.js";
import { onChosen, onDrop } from "/web/files.js";
import { post } from "/web/post.js";
import { Correcting } from "/web/correct.js";
import { element, found, inWords, named } from "/web/shapes.js";

const $ = (id) => document.getElementById(id);
const ENDS = [0, 1, 2, 3, 4, 5, 6]; // of the double-six set

let chosen = null; // the photo on the page, so that another game can be tried on it
let told = null; // the reading of it, to choose the starter from
let corrections = []; // corrections by hand
let shown = []; // the corrections of the reading that is shown: a request may fail
let readAs = ""; // the kind of pieces that it was read as: for another kind the corrections mean nothing
let running = null; // aborts the request under way when a newer one starts

// Requests

// The form fields of the chosen game: options of its score and of its rules, by name.
const asks = (name) => (game().asks ?? "").split(" ").includes(name);
const game = () => $("game").selectedOptions[0].dataset;

function form(photo) {
  const data = new FormData();
  data.append("photo", photo, photo.name || "photo");
  if ($("game").value) data.append("game", $("game").value);
  if (asks("point") && $("point").value) {
    data.append("point", $("point").value);
    data.append("frozen", $("frozen").value);
  }
  if (asks("starter") && $("starter").value) data.append("starter", $("starter").value);
  if (asks("count")) data.append("rules", rules());
  if (corrections.length) data.append("corrections", JSON.stringify(corrections));
  return data;
}

// A double blank left in a hand may count more than its pips; anywhere else the server refuses such a rule.
function rules() {
  const count = $("count").value;
  return count === "hand" ? `count=hand double_blank=${$("blank").value}` : `count=${count}`;
}

const ask = (path, photo, signal) => post(path, { body: form(photo), signal }, "read.not-sent");

// `anew`: another photo, without corrections yet.
async function read(photo, anew = false) {
  if (anew || (game().kind ?? "") !== readAs) corrections = shown = [];
  [chosen, readAs] = [photo, game().kind ?? ""];
  running?.abort();
  const mine = (running = new AbortController());
  begin();
  try {
    const reading = await (await ask("/v1/readings", photo, mine.signal)).json();
    await show(reading, photo, mine.signal);
  } catch (error) {
    if (error.name === "AbortError") return; // a newer request includes the same corrections
    corrections = shown;
    fail(error.message);
  } finally {
    if (running === mine) {
      $("busy").hidden = true;
      correcting.allowed = true;
    }
  }
}

// Corrections: the photo is sent again with them, for the server stores nothing.

const correcting = new Correcting(kindOf, async (...more) => {
  corrections = [...corrections, ...more];
  await read(chosen);
  correcting.focusAgain();
});

// The kind of the game's pieces; without a game, of most pieces that were read.
function kindOf() {
  if (game().kind) return game().kind;
  if (told.tiles.length > told.dice.length) return "domino";
  return told.dice[0]?.kind ?? "d6";
}

function begin() {
  $("trouble").hidden = true;
  $("result").hidden = !corrections.length; // what is being corrected stays visible
  $("busy").hidden = false;
  correcting.allowed = false; // corrections refer to pieces by index, which the answer may change
  $("status").className = "";
  $("status").textContent = t("photo.reading-now");
}

function fail(message) {
  $("status").textContent = "";
  $("trouble").textContent = message;
  $("trouble").hidden = false;
}

// Rendering

async function show(reading, photo, signal) {
  told = reading;
  offerStarters();
  showVerdict(reading);
  showDoubts(reading.doubts);
  showWorth(reading.score);
  correcting.show(reading, true);
  shown = corrections;
  $("was-corrected").textContent = shown.length ? t("seen.by-hand", { count: shown.length }) : "";
  $("picture").alt = t("read.your-photo", { found: found(reading) || t("photo.nothing") });
  if (!shown.length) await showPicture(reading, photo, signal);
  $("status").className = "spoken";
  $("status").textContent = spoken(reading);
  $("result").hidden = false;
  if (shown.length) return; // a person who makes corrections is at the pieces already
  $("verdict").focus({ preventScroll: true });
  $("result").scrollIntoView({ block: "start" });
}

function spoken(reading) {
  const dice = reading.dice.map((die) => (die.starter ? t("read.the-starter", { value: die.value }) : String(die.value)));
  const values = [...dice, ...reading.tiles.map(named)].join(", ");
  const look = reading.doubts.length ? ` ${t("read.look", { doubts: reading.doubts.map(inWords).join(" ") })}` : "";
  const worth = [...(reading.score?.notes ?? []), reading.score?.summary ?? reading.score?.error?.message ?? ""].map(translated).join(" ");
  return `${found(reading) || t("seen.nothing")}${values && ": "}${values}.${look} ${worth}`.trim();
}

function showVerdict(reading) {
  $("verdict").textContent = t(reading.sure ? "seen.sure" : "seen.look", { found: found(reading) || t("seen.nothing") });
  $("verdict").className = reading.sure ? "sure" : "look";
}

function showDoubts(doubts) {
  $("doubts").replaceChildren(...doubts.map((doubt) => element("li", {}, inWords(doubt))));
}

function showWorth(score) {
  $("summary").textContent = score?.error ? t("read.no-score", { message: translated(score.error.message) }) : translated(score?.summary ?? "");
  $("summary").classList.toggle("look", Boolean(score?.error));
  $("notes").replaceChildren(...(score?.notes ?? []).map((note) => element("li", {}, translated(note))));
  $("worth").replaceChildren(...(score?.choices ? worthTables(score) : []));
}

function worthTables(score) {
  const bonus = score.bonus_choices ?? score.choices;
  const same = JSON.stringify(bonus) === JSON.stringify(score.choices);
  const tables = same
    ? [choiceTable(score.choices, t("read.choices")), itemTable(score.items)]
    : [choiceTable(score.choices, t("read.basic")), choiceTable(bonus, t("read.bonus"))];
  return tables.filter(Boolean);
}

function itemTable(items) {
  return items.length ? worthTable(t("read.scores"), [t("read.what-scores"), t("read.made-of")], items.map(itemRow)) : null;
}

function itemRow(item) {
  return element(
    "tr",
    {},
    element("td", {}, translated(item.name)),
    element("td", {}, item.pieces.join(typeof item.pieces[0] === "string" ? " " : "-")),
    element("td", { class: "points" }, number(item.points)),
  );
}

function choiceTable(choices, title) {
  return choices.length ? worthTable(title, [t("read.choice"), t("read.made-of")], choices.map(choiceRow)) : null;
}

function worthTable(title, header, rows) {
  const head = element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text)));
  head.append(element("th", { scope: "col", class: "points" }, t("read.points")));
  return element(
    "table",
    {},
    element("caption", {}, title),
    element("thead", {}, head),
    element("tbody", {}, ...rows),
  );
}

function choiceRow(choice) {
  const items = choice.items.map((item) => element("div", {}, translated(item.text)));
  return element(
    "tr",
    {},
    element("td", {}, translated(choice.name)),
    element("td", {}, ...(items.length ? items : [t("photo.nothing")])),
    element("td", { class: "points" }, number(choice.points)),
  );
}

// The picture

function loaded(picture, url) {
  return new Promise((resolve) => {
    picture.onload = () => resolve(true);
    picture.onerror = () => resolve(false);
    picture.src = url;
  });
}

async function showPicture(reading, photo, signal) {
  const picture = $("picture");
  if (picture.src.startsWith("blob:")) URL.revokeObjectURL(picture.src);
  $("caption").textContent = reading.photo;
  if (await loaded(picture, URL.createObjectURL(photo))) return;
  // Most browsers cannot show HEIC. The server can: then its own drawing is shown under ours.
  const drawn = await (await ask("/v1/readings/annotated", photo, signal)).blob();
  await loaded(picture, URL.createObjectURL(drawn));
}

// Choosing a photo: with the button, by dropping or pasting it

function take(files) {
  const [photo] = files ?? [];
  if (!photo) return;
  if (game().kind !== "domino") $("starter").value = ""; // belongs to the dice thrown before
  read(photo, true);
}

for (const id of ["camera", "file"]) onChosen($(id), (photo) => take([photo]));

addEventListener("paste", (event) => take(event.clipboardData?.files));
onDrop(take);

// Another game for the same photo

function ruleTheForm() {
  $("turn").hidden = !asks("point");
  $("frozen").disabled = !$("point").value;
  $("turned").hidden = !asks("starter");
  $("counting").hidden = !asks("count");
  $("blank").disabled = $("count").value !== "hand";
  offerStarters();
}

// Possible starters: one of the dice read, or any tile, those in the photo first.
function offerStarters() {
  const before = $("starter").value;
  const tiles = game().kind === "domino";
  $("starter").replaceChildren(...(tiles ? starterTiles() : starterDice()));
  $("starter").value = before;
  if ($("starter").selectedIndex < 0) $("starter").value = "";
}

function starterDice() {
  const dice = told?.dice ?? [];
  const large = dice.filter((die) => die.kind === "d12");
  const values = new Set((large.length ? large : dice).map((die) => die.value).sort((a, b) => a - b));
  return [choice("", t("read.odd")), ...[...values].map((value) => choice(value, value))];
}

function starterTiles() {
  const all = ENDS.flatMap((high) => ENDS.slice(0, high + 1).map((low) => `${high}-${low}`));
  const read = new Set((told?.tiles ?? []).filter((tile) => tile.face_up).map((tile) => [...tile.ends].sort((a, b) => b - a).join("-")));
  const group = (label, names) => (names.length ? [element("optgroup", { label }, ...names.map((name) => choice(name, name)))] : []);
  const here = group(t("read.in-photo"), all.filter((name) => read.has(name)));
  const elsewhere = group(t("read.not-in-photo"), all.filter((name) => !read.has(name)));
  return [choice("", t("read.none")), ...here, ...elsewhere];
}

function choice(value, text) {
  return element("option", { value }, String(text));
}

$("ask").addEventListener("submit", (event) => event.preventDefault());
$("ask").addEventListener("change", (event) => {
  if (event.target.type === "file") return;
  ruleTheForm();
  if (chosen) read(chosen);
});
ruleTheForm();
