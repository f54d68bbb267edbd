// The games that this phone has joined, and a new one with its rules in plain words.

import { t, told } from "/web/words.js";
import { element } from "../shapes.js";
import { Api } from "./api.js";
import { cards } from "./cards.js";
import * as join from "./join.js";
import * as link from "./link.js";
import * as names from "./names.js";
import { areSet, changedRules, ruleFields, setRules } from "./rules.js";

const SHOWN = 3; // presets; the others are behind "More rules"

const $ = (id) => document.getElementById(id);
let listed = []; // the games as listed by the server: name, title, seats, presets, options …
let beginning = false; // a game is being created: ignore a second tap

// Games joined

function showGames() {
  const games = link.games();
  $("joined").hidden = games.length === 0;
  $("to-join").hidden = games.length > 0;
  $("games").replaceChildren(...games.map(gameRow));
}

function gameRow(game) {
  const state = element("small", {}, game.over ? t("start.over") : "");
  const names = element("span", {}, (game.players ?? []).join(", "));
  const open = element("a", { href: `/table/${encodeURIComponent(game.id)}` }, element("strong", {}, game.title ?? t("start.game")), names, state);
  const remove = element("button", { type: "button", "aria-label": t("start.remove", { game: game.title ?? t("start.game") }) }, "✕");
  remove.addEventListener("click", () => askToForget(game));
  if (!game.over) showState(game, state);
  return element("li", {}, open, remove);
}

async function showState(game, state) {
  const answer = await new Api(link.token(game.id)).json(`/v1/games/${encodeURIComponent(game.id)}`).catch((error) => error);
  state.textContent = answer.result ? t("start.over") : answer.prompt ? told(answer.prompt) : answer.message;
}

// Without its token, a game can only be reopened by its link.
function askToForget(game) {
  if (!confirm(t("start.forget", { game: game.title ?? t("start.game") }))) return;
  link.forget(game.id);
  showGames();
}

// A new game

const chosen = () => listed.find((game) => game.name === document.querySelector("[name=game]:checked").value);

// The last game and its players; all other games are one tap away.
function showCards() {
  const last = names.kept();
  const current = listed.find((game) => game.name === last.game) ?? listed[0];
  $("cards").replaceChildren(...cards(listed, current.name, showGame));
  $("cards").classList.toggle("one", current.name === last.game);
  $("others").hidden = current.name !== last.game;
  $("known-names").replaceChildren(...last.names.map((name) => element("option", { value: name })));
  showGame();
  if (current.name === last.game) fitNames(last.players.length);
  last.players.forEach((name, place) => $("names").children[place] && ($("names").children[place].value = name));
}

function showAll() {
  $("cards").classList.remove("one");
  $("others").hidden = true;
  document.querySelector("[name=game]:checked").focus();
}

function showGame() {
  const { seats, options, presets } = chosen();
  $("begin").before($("trouble"));
  const least = Math.max(seats[0], 2);
  fitNames(Math.min(Math.max($("names").children.length, least), seats.at(-1)));
  $("rules").replaceChildren(...ruleFields(options));
  $("presets").replaceChildren(...presets.slice(0, SHOWN).map(presetOption));
  $("more-presets").replaceChildren(...presets.slice(SHOWN).map(presetOption));
  document.querySelector("[name=preset]")?.click();
  showChanged();
}

function presetOption(preset) {
  const input = element("input", { type: "radio", name: "preset" });
  input.preset = preset;
  input.addEventListener("change", () => {
    setRules($("rules"), preset.options);
    showChanged();
  });
  const words = element("span", {}, element("strong", {}, told(preset.title)), element("small", {}, told(preset.says)));
  return element("label", { class: "option" }, input, words);
}

function fitNames(count) {
  while ($("names").children.length > count) $("names").lastElementChild.remove();
  while ($("names").children.length < count) $("names").append(nameField($("names").children.length + 1));
  const { seats } = chosen();
  $("more").disabled = count >= seats.at(-1);
  $("fewer").disabled = count <= seats[0];
}

function nameField(number) {
  const name = t("start.player", { number });
  return element("input", { "aria-label": name, placeholder: name, maxlength: 40, autocomplete: "off", list: "known-names" });
}

const fields = () => [...$("names").children];
const players = () => fields().map((field) => field.value.trim() || field.placeholder);

// The preset that these rules equal, if any; and how they differ from the usual ones.
function showChanged() {
  const changed = changedRules($("rules"));
  for (const input of document.querySelectorAll("[name=preset]")) input.checked = areSet($("rules"), input.preset.options);
  $("changed").textContent = changed.length ? changed.join(", ") : "";
  const { hides } = chosen();
  $("hands").hidden = !hides.some((text) => !text || changed.includes(text));
}

const openHands = () => !$("hands").hidden && document.querySelector("[name=hands]:checked").value === "open";

async function begin() {
  if (beginning) return;
  beginning = true;
  $("trouble").hidden = true;
  $("begin").before($("trouble")); // the rules may be redrawn
  $("rules").querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
  try {
    const body = { game: chosen().name, players: players(), rules: changedRules($("rules")), open_hands: openHands() };
    const { id, player, invite, viewer, snapshot } = await new Api(null).post("/v1/games", body, join.headers());
    names.keep(body.game, fields().map((field) => field.value.trim()));
    link.justBegun(id);
    document.dispatchEvent(new Event("muggins:begun"));
    const kept = link.remember(id, { player, invite, viewer, title: snapshot.title, players: snapshot.players });
    location.assign(kept ? `/table/${id}` : link.linkTo(id, player)); // further taps are ignored until this page is left
  } catch (error) {
    beginning = false;
    failed(error);
  }
}

// Also when the browser restores the page from its cache.
function shown() {
  beginning = false;
  showGames();
}

// Beside the rule that it names, or else above the button, and scrolled into view.
function failed(error) {
  $("trouble").textContent = error.status === 404 ? t("start.no-games") : error.message;
  $("trouble").hidden = false;
  const field = fieldOf(error);
  if (field) {
    $("rule-options").open = true;
    field.closest(".rule").append($("trouble"));
    field.setAttribute("aria-invalid", "true");
    field.focus();
  } else $("begin").before($("trouble"));
  $("trouble").scrollIntoView({ block: "nearest" });
}

// A sentence about a rule begins with its name, "finish must be 31 to 1000, got 10.", or says how to set it: "switch partners on".
function fieldOf({ detail = "" }) {
  const name = /^[a-z_]+/.exec(detail)?.[0] ?? /switch ([a-z_]+) (?:on|off)/.exec(detail)?.[1];
  return name ? $("rules").querySelector(`[data-rule="${name}"]`) : null;
}

// Joining by the short code that another phone shows

async function useCode() {
  $("code-trouble").hidden = true;
  try {
    if (!/[^\s-]/.test($("code").value)) throw new Error(t("start.no-code"));
    const { id, invite, title, players } = await new Api(null).post("/v1/codes", { code: $("code").value });
    location.assign(link.remember(id, { invite, title, players }) ? `/table/${encodeURIComponent(id)}` : link.linkTo(id, invite));
  } catch (error) {
    $("code-trouble").textContent = error.message;
    $("code-trouble").hidden = false;
    $("code").select();
  }
}

async function open() {
  showGames();
  try {
    listed = (await new Api(null).json("/table/games.json")).games;
    showCards();
  } catch (error) {
    failed(error);
  }
}

$("by-code").addEventListener("submit", (event) => {
  event.preventDefault();
  useCode();
});
$("others").addEventListener("click", showAll);
$("rules").addEventListener("input", showChanged);
$("more").addEventListener("click", () => fitNames($("names").children.length + 1));
$("fewer").addEventListener("click", () => fitNames($("names").children.length - 1));
$("new").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
for (const button of document.querySelectorAll("[type=submit]")) button.disabled = false; // earlier, they would reload the page
join.take();
addEventListener("hashchange", () => join.take()); // a link pasted into this tab
addEventListener("pageshow", shown);
open();
