// The page of one live game. Everything on it is derived from the last snapshot; every action returns a new one, and the stream
// brings those of the other phones.

import { t, told } from "/web/words.js";
import { copy } from "../copy.js";
import { fillTable } from "../pieces.js";
import { element } from "../shapes.js";
import { Api } from "./api.js";
import { drawBoard, ended, standings } from "./board.js";
import { Live, photoButtons } from "./camera.js";
import { Ended } from "./ended.js";
import { Feed } from "./feed.js";
import { check } from "./heads.js";
import { History } from "./history.js";
import * as link from "./link.js";
import { doubtLines, eventLines, offerButtons } from "./offers.js";
import { Outlook } from "./outlook.js";
import { OwnDice } from "./own_dice.js";
import { Phones } from "./phones.js";
import { released } from "./pressed.js";
import { Review } from "./review.js";
import { Seen } from "./seen.js";
import { Speech } from "./speech.js";
import { Tabs } from "./tabs.js";
import { diceOf, pad } from "./typed.js";
import { Who, movedForOther } from "./who.js";


const RETRY = 5000; // milliseconds until the next attempt to reach a server

const $ = (id) => document.getElementById(id);
const id = link.idInAddress();
const path = `/v1/games/${encodeURIComponent(id)}`;

const api = new Api(null);
const speech = new Speech($("speech"));
const seen = new Seen(api, () => now.kind, corrected, failed);
const history = new History(api, id, (kept) => look(kept), broken, failed);
const outlook = new Outlook(api, `/table/${encodeURIComponent(id)}/outlook`, showStreaks, showPhoto, failed);
const review = new Review(api, takeCloser);
const who = new Who(sit);
const ending = new Ended(api, id, failed);
const phones = new Phones(api, path, failed);
const ownDice = new OwnDice(api, path, failed);
const tabs = new Tabs($("tabs"), opened);
const live = new Live(api, readPhoto, () => now.chance && !busy && !now.result, failed);

const LONG = 70; // letters from which a prompt is written smaller: two lines of a phone
let now = null; // the last snapshot
let busy = false;
let begin; // called with the first snapshot; a photo may be chosen before it arrives
let last = new Promise((resolve) => (begin = resolve)); // the action in progress; actions run one after the other, since a second request at a time would be stale
let streaks = new Map(); // texts by side
let codeTimer = 0;
let origin = null; // origin for links to other devices; null if they cannot reach this server
let unfinished = false; // whether another choice follows the one that is being played
let inOneGo = { moves: 0, lines: 0 }; // how many moves the last tapped choices have played, and the length of the record since
const typing = { rests: false, open: false }; // whether its keys are folded away for choices, and whether they were open before
let standing = null; // what was played from the reading on the page: { id, moves, lines }
let takenBack = null; // what a correction has undone and not yet played again: { kept, lines }, with the reading as it was played

// Joining

async function join() {
  try {
    const first = await admitted();
    $("trouble").hidden = true;
    document.body.classList.remove("closed");
    showSnapshot(first);
    if (!first.result) pad(first.kind);
    showLinks(); // they may have been opened before this page was ready
    if (link.wasJustBegun(id) && api.plays) inviteOthers();
    new Feed(id, api.token, { heard, joined: () => connected(true), lost: (status) => (status === 401 ? revoked() : connected(false)) });
  } catch (error) {
    failed(error);
    $("prompt").textContent = t("table.cannot-open");
    document.body.classList.add("closed");
    if (error.status === 0) setTimeout(join, RETRY);
  }
}

// A valid token of the link is stored for what it allows; a player's token is not replaced by a viewer's.
async function admitted() {
  const given = link.tokenInAddress();
  if (given) {
    api.token = given;
    const { role } = await api.json(`${path}/token`).catch((error) => (link.token(id) ? {} : Promise.reject(error)));
    if (role && link.remember(id, { [role]: given })) link.hideToken();
    if (role === "camera") return films();
  }
  api.token = link.token(id) ?? given;
  if (!api.token) throw new Error(t("table.not-joined"));
  const mine = await api.json(`${path}/token`);
  const told = await api.json(path);
  Object.assign(api, { plays: mine.role === "player", host: mine.host, seats: mine.seats, tokenId: mine.id, players: told.players });
  if (mine.role === "invite" || (api.plays && !mine.seats && told.hands_hidden && !link.game(id).seated)) who.ask(told.players);
  return told;
}

// A camera link is for the phone over the table.
function films() {
  location.replace(`/camera/${encodeURIComponent(id)}${location.hash}`);
  return new Promise(() => {}); // the browser leaves the page
}

// With an invitation this phone gets a token of its own. What it shows then depends on its seats, so it reloads.
async function sit(seats) {
  try {
    if (api.plays) await api.put(`${path}/seats`, { seats });
    else link.remember(id, { player: (await api.post(`${path}/join`, { seats })).token });
    link.remember(id, { seated: true }); // with the whole table there is no reason to ask again
    location.reload();
  } catch (error) {
    failed(error);
  }
}

const noted = ({ title, players, result }) => ({ title, players, over: Boolean(result) });

// Events of the stream

function connected(there) {
  $("connection").textContent = there ? "" : t("connection.lost");
  for (const alert of there ? document.querySelectorAll(".unreached") : []) alert.hidden = true;
  if (there) history.check();
}

// The link was revoked: nothing can be received or done any more; the page says so and stays as it was.
function revoked() {
  Object.assign(api, { plays: false, host: false });
  $("who").hidden = true; // an invitation: nobody can join with it
  showActs();
  for (const part of ["connection", "watching"]) $(part).textContent = "";
  failed({ message: t("table.revoked") });
}

function heard(snapshot) {
  if (now && snapshot.lines < now.lines) {
    // A late event; or a truncated record, which its check then finds.
    history.check();
    return;
  }
  if (snapshot.lines > now.lines) showSnapshot(snapshot);
}

function broken(text) {
  $("broken").textContent = text;
  $("broken").hidden = false;
}

// Rendering

function showSnapshot(snapshot) {
  const first = now === null;
  const news = !first && snapshot.lines !== now.lines;
  if (!first && !busy) leavePhoto(now, snapshot);
  now = snapshot;
  const trouble = check(id, snapshot.head);
  if (trouble) broken(trouble);
  link.remember(id, noted(snapshot));
  showTurn();
  showActs();
  ending.show(now);
  drawBoard($("pegs"), now);
  $("no-board").hidden = !now.board.sheet;
  $("head").textContent = now.head.short;
  $("after").textContent = t("record.after", { line: now.lines });
  const [signature, key] = [now.head.signature, now.head.key].map((hex) => hex.slice(0, 12));
  $("signature").textContent = t("record.signature", { signature, key });
  history.refresh();
  if (first || news) outlook.refresh(now.lines);
  if (news) announce();
  if (news) $("invite").hidden = true; // play has begun
  if (news) $("again").hidden = true; // it was about an earlier state
  if (first) begin();
}

// A played photo stays on the page during its turn; one in doubt disappears with the next move, however that was made.
// `about` is the reading that this phone has just played, or undone.
function leavePhoto(before, after, about) {
  const kept = seen.kept?.id;
  if (!kept) return;
  const played = standing?.id === kept && standing.moves > 0;
  const stays = kept === about || (played && sameThrow(before, after) && after.to_act === before.to_act && !after.result);
  const open = $("correct").open || !$("review").hidden;
  if (before.lines === after.lines || stays || open) return;
  seen.hide();
  showPieces();
}

const sameThrow = (before, after) => JSON.stringify(before.on_table?.thrown) === JSON.stringify(after.on_table?.thrown);

function showTurn() {
  document.title = t("table.page", { game: now.title, prompt: now.result ? t("table.over") : told(now.prompt) });
  $("title").textContent = now.title;
  $("prompt").textContent = now.result ? ended(now.result) : told(now.prompt);
  $("prompt").classList.toggle("long", $("prompt").textContent.length > LONG);
  const none = () => element("li", { class: "none" }, t(now.lines > 1 ? "table.undone" : "table.nothing-yet"));
  $("events").replaceChildren(...(now.events.length ? eventLines(now.events) : [none()]));
  placeEvents(false);
  showPieces();
  showStandings();
  $("made-by").textContent = movedForOther(now.by, now.players);
  $("hands").replaceChildren(...now.hands.map((text) => element("li", {}, told(text))));
  $("hands-open").hidden = !now.hands_open;
  // The whole record reveals hands, so the server withholds it until the end.
  $("evidence-part").hidden = now.hands_hidden && !(api.plays && api.seats === null);
}

// Events in order: a throw and its effect; or the last move, and then dice that are not played yet.
function placeEvents(first) {
  const told = [$("events"), $("made-by")];
  if (first) $("laid").before(...told);
  else $("laid").after(...told);
}

function showStreaks(told) {
  streaks = new Map(told.map(({ side, text }) => [side, text]));
  showStandings();
}

function showStandings() {
  $("standings").replaceChildren(...standings(now, streaks));
  $("standings").classList.toggle("many", now.board.pegs.length > 4);
}

// The pieces on the table. The throw itself is drawn from its photo if that is shown: then a tap corrects it.
function showPieces() {
  const { aside = [], thrown = [], ...rest } = now.on_table ?? {};
  const drawn = { ...rest, aside, thrown: seen.kept ? [] : thrown };
  $("on-table").hidden = !drawn.aside.length && !drawn.thrown.length;
  if (!$("on-table").hidden) fillTable($("on-table"), drawn);
}

// The photo of the last move, if another phone took it; not while the photo on the page is in question.
function showPhoto(reading) {
  const talking = busy || $("correct").open || ["doubt", "again", "review"].some((part) => !$(part).hidden);
  if (talking || seen.kept?.id === reading) return;
  api.json(`/v1/readings/${reading}`).then((kept) => showReading(kept)).catch((error) => error.status === 403 || failed(error));
}

function showReading(kept, photo) {
  const shown = seen.show(kept, photo);
  showPieces();
  return shown;
}

function showActs() {
  const over = Boolean(now.result);
  $("acts").hidden = !api.plays;
  $("watching").hidden = api.plays || !$("who").hidden;
  for (const part of ["dock", "ways", "adding"]) $(part).hidden = !api.plays;
  $("offers").replaceChildren(...offerButtons(now.offers ?? [], now.kind, choose));
  if (over) live.stop();
  // A live camera continues while a choice is made.
  for (const part of ["take", "camera-ways"]) $(part).hidden = over || !(now.chance || live.on);
  showTyping(over);
  $("or-throw").hidden = over || !now.chance || !now.offers?.length;
  $("undo").disabled = now.moves === 0 && takenBack?.lines !== now.lines;
  $("doubt").hidden = true;
}

// The keys for dice are folded away while there are only choices, and reopen with the next throw if they were open.
function showTyping(over) {
  $("typing").hidden = over;
  const rests = !now.chance && Boolean(now.offers?.length);
  if (rests === typing.rests) return;
  const open = $("typing").open;
  $("typing").open = !rests && (open || typing.open);
  Object.assign(typing, { rests, open });
  // A move of another phone may fold away the field with the focus.
  if (document.activeElement?.checkVisibility?.() === false) $("prompt").focus({ preventScroll: true });
}

function announce() {
  const next = unfinished ? [] : [now.result ? ended(now.result) : told(now.prompt)];
  const text = [...now.events.map((event) => told(event.text)), ...next].join(". ");
  $("said").textContent = text;
  speech.say(text);
}

// Actions

// The stream may show the effect of a request before its answer arrives, and people go on at once: their action waits for its
// turn. An action meant for an earlier state (a second tap on the same button) is dropped; a photo is valid at any time.
function once(work, { anyTime = false, beside = "trouble" } = {}) {
  const meant = now?.lines;
  const turn = last.then(() => (anyTime || now.lines === meant) && doing(work, beside));
  last = turn.catch(() => {}); // a failed action does not block later ones
  return turn;
}

// Whether the server was reached.
async function doing(work, beside) {
  const before = now;
  busy = true;
  for (const place of ["trouble", "typed-trouble"]) $(place).hidden = true;
  document.body.classList.add("busy");
  try {
    const about = await work();
    leavePhoto(before, now, about);
    return true;
  } catch (error) {
    await missed(error, beside);
    return error.status !== 0;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

// Somebody else was faster: the page reloads the state, and the player decides again.
async function missed(error, beside) {
  failed(error, beside);
  if (error.status === 409) await api.json(path).then(showSnapshot, failed);
  // An error about the photo before no longer applies.
  else if (beside === "typed-trouble" && error.status) $("doubt").hidden = true;
}

// Beside the field that it is about, and scrolled into view.
function failed(error, beside = "trouble") {
  $(beside).textContent = error.message;
  $(beside).classList.toggle("unreached", error.status === 0);
  $(beside).hidden = false;
  $(beside).scrollIntoView({ block: "nearest" });
}

function play(said, options) {
  const send = async () => {
    const done = await api.post(`${path}/moves`, { lines: now.lines, ...said });
    settle(done, said);
    return done.reading?.id;
  };
  return once(send, options);
}

// Several choices in one go, each after the one before has been played.
function choose(...moves) {
  return once(async () => {
    for (const [place, move] of moves.entries()) {
      unfinished = place < moves.length - 1;
      const done = await api.post(`${path}/moves`, { lines: now.lines, move });
      settle(done, { move });
      if (done.ruling.outcome === "doubt") return;
      inOneGo = { moves: place + 1, lines: now.lines };
    }
  }).finally(() => (unfinished = false));
}

function readPhoto(photo) {
  const read = async () => {
    tabs.show("turn");
    $("said").textContent = t("photo.reading-now");
    review.close();
    const done = await api.photo(`${path}/photos`, photo, { lines: now.lines });
    await showReading(done.reading, photo);
    settle(done, { reading: done.reading.id, corrections: 0 });
    return done.reading.id;
  };
  return once(read, { anyTime: true });
}

// The result: played, or a doubt that may be confirmed.
function settle(done, said) {
  if (done.snapshot.lines >= now.lines) showSnapshot(done.snapshot);
  const { ruling } = done;
  if (done.reading) standing = { id: done.reading.id, moves: ruling.moves.length, lines: now.lines };
  $("again").hidden = true;
  $("notes").replaceChildren(...ruling.notes.map((note) => element("li", {}, told(note))));
  if (said.confirm && done.reading) seen.confirmed();
  if (ruling.outcome !== "doubt") seen.open(false);
  if (ruling.outcome === "doubt") return showDoubt(ruling, said);
  // Refused or doubtful input stays for editing, and so does what was typed in the meantime.
  if (said.move === diceOf($("dice").value, now.kind)) $("dice").value = "";
  // The pressed button may be gone: the focus moves to the next action.
  if (document.activeElement === document.body) $("prompt").focus({ preventScroll: true });
}

function showDoubt(ruling, said) {
  placeEvents(said.reading !== undefined && said.reading === seen.kept?.id);
  // Remove the doubts that the ruling repeats, at least in substance.
  if (ruling.doubt.code === "unsure-reading") $("doubts").hidden = true;
  else for (const said of $("doubts").querySelectorAll("[data-reason='number']")) said.remove();
  $("doubt").replaceChildren(...doubtLines(ruling, () => play({ ...said, confirm: true })));
  $("doubt").hidden = false;
  tabs.show("turn");
  seen.open();
  $("said").textContent = told(ruling.doubt.message);
  speech.say(told(ruling.doubt.message));
}

// Undo: the moves that one tap on this phone has played are undone together; all others one by one. If a correction has undone
// a move and nothing could be played instead, the correction is undone.
function undo() {
  return once(async () => {
    if (takenBack?.lines === now.lines) return playAsBefore(takenBack.kept);
    await takeBack(inOneGo.lines === now.lines ? inOneGo.moves : 1);
    if (seen.kept?.corrections.length) offerAgain("corrected");
    return seen.kept?.id; // to be corrected, and played again
  });
}

async function takeBack(moves) {
  for (let left = moves; left > 0; left--) {
    showSnapshot(await api.post(`${path}/undo`, { lines: now.lines }));
    standing = null;
  }
}

async function playAsBefore(kept) {
  if (seen.kept?.id !== kept.id) await showReading(await api.json(`/v1/readings/${kept.id}`));
  await seen.restore(kept.corrected);
  return playReading(seen.kept);
}

// Corrections: if the last moves were played from the reading, they are undone and it is scored again at once

// `before`: the reading from which it was played; a closer reading may take its place.
async function corrected(kept, before, how = "corrected") {
  $("doubt").hidden = true;
  $("said").textContent = t("seen.corrected");
  const stands = standing?.id === before.id && standing.lines === now.lines;
  const moves = stands ? standing.moves : await history.playedFrom(before.id).catch(failed);
  if (stands || moves) scoreAgain(kept, moves, before);
  else offerAgain(how);
}

// The game has gone on since, or the reading was undone: a player has to confirm it.
function offerAgain(how) {
  $("again").textContent = t(`seen.play-${how}`);
  $("again").hidden = !api.plays || Boolean(now.result);
}

// Undoing the moves that were played from it first.
function scoreAgain(kept, moves = 0, before = null) {
  return once(async () => {
    await takeBack(moves);
    if (moves) takenBack = { kept: before, lines: now.lines };
    return playReading(kept);
  });
}

async function playReading(kept) {
  const said = { reading: kept.id, corrections: kept.corrections.length };
  settle(await api.post(`${path}/moves`, { lines: now.lines, ...said }), said);
  return kept.id;
}

// The referee's review

function lookAgain() {
  return once(async () => {
    $("said").textContent = t("review.looking");
    await review.start(seen.kept);
  });
}

// The closer reading replaces the first one in what was played from it.
function takeCloser(first, closer) {
  showReading(closer).catch(failed);
  corrected(closer, first, "closer");
}

function look(kept) {
  review.close();
  $("again").hidden = true;
  tabs.show("turn");
  showReading(kept).catch(failed);
  seen.open();
  $("seen").scrollIntoView({ block: "start" });
}

function opened(panel) {
  if (panel === "history") history.refresh();
  if (panel === "share") showLinks();
}

// Links and downloads: fetched with the token in the header, so that it is in no URL

async function download(what, name) {
  try {
    const url = URL.createObjectURL(await api.blob(`${path}/${what}`));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  } catch (error) {
    failed(error);
  }
}

// Links for other devices have the server's address in the network; those opened on this computer keep this page's.
async function showLinks() {
  origin = await link.networkOrigin();
  const { invite, player, viewer } = link.game(id);
  $("only-here").hidden = Boolean(origin);
  // A game that an earlier version started has no invitation.
  for (const [role, token] of Object.entries({ player: invite ?? player, viewer })) {
    $(`${role}-link`).value = token ? link.linkTo(id, token, origin ?? location.origin) : "";
    $(`${role}-share`).hidden = !token;
    if (token && !$("share").hidden) showCode(role);
  }
  $("host-share").hidden = !api.host;
  if (api.plays && !$("share").hidden) {
    phones.show();
    ownDice.show();
    showJoinCode();
  }
  if (!viewer) return;
  $("overlay-link").value = link.overlayOf(id, viewer);
  $("overlay-setup").href = link.setupOf(id, viewer);
  $("scoreboard").href = link.scoreboardOf(id, viewer);
}

// The code that others type on their start page; requested again while it is shown, since it expires after some minutes.
async function showJoinCode() {
  clearTimeout(codeTimer);
  try {
    const { code, seconds } = await api.post(`${path}/codes`, {});
    await released(); // another line in the invitation would move the tabs below it away from the finger
    $("join-code").textContent = $("invite-code").textContent = code;
    $("typed-code").hidden = false;
    if (!$("share").hidden || !$("invite").hidden) codeTimer = setTimeout(showJoinCode, (seconds / 2) * 1000);
  } catch (error) {
    failed(error);
  }
}

async function inviteOthers() {
  if (now.players.length < 2 || now.result) return;
  $("invite").hidden = false;
  await showJoinCode();
}

async function makeLink(role, instead) {
  const { token } = await api.post(`${path}/tokens`, { role, instead });
  if (role === "camera") {
    $("camera-share").hidden = false;
    $("camera-link").value = link.linkTo(id, token, origin ?? location.origin);
    showCode("camera");
    phones.show();
  } else link.remember(id, { [role]: token });
}

async function renew() {
  if (!confirm(t("share.renew-sure"))) return;
  try {
    for (const role of ["invite", "viewer"]) await makeLink(role, true);
    showLinks();
  } catch (error) {
    failed(error);
  }
}

// The code of a URL that no phone can open would only mislead.
async function showCode(role) {
  $(`${role}-qr`).hidden = !origin;
  if (!origin) return;
  try {
    const code = await api.send("/table/qr", { text: $(`${role}-link`).value });
    $(`${role}-qr`).src = URL.createObjectURL(await code.blob());
  } catch (error) {
    failed(error);
  }
}

async function copyLink(what) {
  $(`${what}-copied`).textContent = t((await copy($(`${what}-link`))) ? "share.copied" : "share.copy-yourself");
}

// Browsers do not share over plain HTTP.
async function share(role) {
  if (!navigator.share) return copyLink(role);
  await navigator.share({ title: now.title, url: $(`${role}-link`).value }).catch(() => {}); // closed without sharing
}

photoButtons(readPhoto);
$("invite-more").addEventListener("click", () => tabs.show("share"));
$("invite-close").addEventListener("click", () => ($("invite").hidden = true));
$("undo").addEventListener("click", () => {
  tabs.show("turn");
  undo();
});
$("again").addEventListener("click", () => scoreAgain(seen.kept));
$("look-again").addEventListener("click", lookAgain);
for (const role of ["player", "viewer"]) $(`${role}-send`).addEventListener("click", () => share(role));
$("overlay-copy").addEventListener("click", () => copyLink("overlay"));
$("who-change").addEventListener("click", () => who.ask(api.players));
$("renew").addEventListener("click", renew);
$("camera-new").addEventListener("click", () => makeLink("camera", false).catch(failed));
$("record").addEventListener("click", () => download("record", `${now.game}-${id}.jsonl`));
$("evidence").addEventListener("click", () => download("evidence", `${now.game}-${id}.zip`));
$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = diceOf($("dice").value, now.kind);
  if (move) play({ move }, { beside: "typed-trouble" });
});
// A link pasted into this tab changes only the fragment.
addEventListener("hashchange", () => location.reload());
addEventListener("pagehide", () => live.stop());
join();
