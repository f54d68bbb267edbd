// The page that checks evidence: sends a zip to /v1/verifications and shows each finding as it comes. The heads that this browser
// saved during the game are compared here with the record's; they are not sent.

import { t, told } from "/web/words.js";
import { onChosen, onDrop } from "/web/files.js";
import { post } from "/web/post.js";
import { element } from "/web/shapes.js";
import { checkSaved } from "../table/heads.js";
import { gamesWithHeads } from "../table/link.js";

const $ = (id) => document.getElementById(id);
const LEVELS = ["ok", "warning", "wrong"];
let chosen = null; // the file that was checked last
let running = null; // aborts the check under way when a newer one starts

async function check(file) {
  running?.abort();
  const mine = (running = new AbortController());
  chosen = file;
  begin(file);
  try {
    await show(await ask(file, mine.signal));
  } catch (error) {
    if (error.name !== "AbortError") fail(error.message);
  } finally {
    if (running === mine) $("busy").hidden = true;
  }
}

function begin(file) {
  $("trouble").hidden = $("result").hidden = true;
  $("busy").hidden = false;
  $("name").textContent = file.name;
  $("status").className = "";
  $("status").textContent = t("verify.checking");
}

function fail(message) {
  $("status").textContent = "";
  $("trouble").textContent = message;
  $("trouble").hidden = false;
}

async function ask(file, signal) {
  if (!file.size) throw new Error(t("verify.empty"));
  const query = new URLSearchParams();
  for (const name of ["head", "key"]) if ($(name).value.trim()) query.append(name, $(name).value.trim());
  return post(`/v1/verifications?${query}`, { headers: { "content-type": "application/zip" }, body: file, signal }, "verify.not-sent");
}

async function show(response) {
  const findings = [];
  for await (const line of linesOf(response.body)) {
    const said = JSON.parse(line);
    if ("verdict" in said) return conclude(said, findings);
    findings.push(said);
    $("status").textContent = t("verify.so-far", { count: findings.length });
  }
  throw new Error(t("verify.broken-off"));
}

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean);
  }
}

function conclude(said, findings) {
  const all = [...findings, ...knownHere(said, findings)];
  const level = LEVELS.findLast((each) => all.some((finding) => finding.level === each));
  const [fits, others] = [all.filter((finding) => finding.level === "ok"), all.filter((finding) => finding.level !== "ok")];
  others.sort((one, two) => LEVELS.indexOf(two.level) - LEVELS.indexOf(one.level));
  $("verdict").textContent = t(`verify.is-${level}`);
  $("verdict").className = level;
  $("wrong-do").hidden = level !== "wrong";
  $("findings").replaceChildren(...others.map(item));
  $("fits").replaceChildren(...fits.map(item));
  $("fine").hidden = !fits.length;
  $("fine").open = !others.length;
  $("fine-count").textContent = t("verify.fits", { count: fits.length });
  $("status").className = "spoken";
  $("status").textContent = t(`verify.is-${level}`);
  $("result").hidden = false;
  $("verdict").focus({ preventScroll: true });
  $("result").scrollIntoView({ block: "start" });
}

function item({ level, text }) {
  const mark = element("span", { class: "spoken" }, t(`verify.mark-${level}`));
  return element("li", { class: level }, element("span", {}, mark, ` ${told(text)}`));
}

// What this browser knows about the record: the heads of the game that it saved, and the servers' keys saved with them.
function knownHere({ game, key, heads }, findings) {
  if (!heads.length) return [];
  const known = gamesWithHeads();
  // The game is identified by the signature, or else by a head that both have.
  const same = known.find(({ id }) => id === game) ?? known.find(({ seen }) => Object.entries(seen).some(([line, { head }]) => heads[line - 1] === head));
  const told = same ? [checkSaved(same.seen, heads)] : [];
  if (noted(findings, heads.length)) return told;
  if (!known.length) return key ? [{ level: "warning", text: t("verify.only-signed") }] : [];
  if (!same) told.push({ level: "warning", text: t("verify.not-here") });
  if (key) told.push(known.some((each) => each.key === key) ? { level: "ok", text: t("verify.known-key") } : { level: "warning", text: t("verify.unknown-key") });
  return told;
}

// Whether the whole record or its key is the one that somebody noted: a code of an earlier line says nothing of what follows.
const noted = (findings, last) =>
  findings.some(({ code, level, line }) => level === "ok" && ((code === "noted-head" && line === last) || (code === "signature" && $("key").value.trim())));

// Choosing a zip: with the button, or by dropping it; the noted code may be typed before or after

const take = ([file] = []) => file && check(file);

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen) check(chosen);
  else $("file").click();
});
onChosen($("file"), check);
onDrop(take);
// Before the listener is attached, Enter would reload the page and lose the code.
for (const field of $("ask").elements) field.disabled = false;
