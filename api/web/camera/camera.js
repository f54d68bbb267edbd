// The phone over the table. It films and sends frames; the server watches, counts and plays. This page shows the state, in
// letters readable from the other side of the table, and asks for decisions that only a player can make.

import { t, told } from "/web/words.js";
import { Api } from "../table/api.js";
import { ended as wonBy } from "../table/board.js";
import { Feed } from "../table/feed.js";
import * as link from "../table/link.js";
import { Film } from "./film.js";
import { Waiting } from "./waiting.js";

const RETRY = 5000; // milliseconds until the next attempt to reach a server
const GIVEN_UP = 30000; // timeout of a frame in milliseconds: where a network drops packets silently, later frames must not wait
const QUIET = "muggins.camera.quiet";

const $ = (id) => document.getElementById(id);
const id = link.idInAddress();
const path = `/v1/games/${encodeURIComponent(id)}`;
const api = new Api(null); // answers and listens: with a player's token, if this phone has joined
const eye = new Api(null); // sends frames: with a camera's token, so that the record says "watched"
const waiting = new Waiting($("waiting"), api, path, trouble);
const film = new Film($("video"), send, answered, failed);

let camera = null; // random name of each start: a new start replaces the one before
let arrived = false; // whether a frame of this start has arrived
let stream = null;
let awake = null; // the wake lock
let now = null; // the last snapshot
let sounds = null;

// Joining

async function join() {
  $("game").href = `/table/${encodeURIComponent(id)}`;
  try {
    await admitted();
    document.body.classList.remove("closed");
    hear(await api.json(path));
    new Feed(id, api.token, { heard: hear, joined: () => trouble(null), lost });
    waiting.watch();
    if (!now.result) await watch();
  } catch (error) {
    trouble(error);
    if (!now) cannotOpen();
    if (error.status === 0) setTimeout(join, RETRY);
  }
}

function cannotOpen() {
  $("prompt").textContent = t("table.cannot-open");
  document.body.classList.add("closed");
  if (!api.token) Object.assign($("game"), { href: "/", textContent: t("missing.home") });
}

async function admitted() {
  const given = link.tokenInAddress();
  if (given) {
    const { role } = await new Api(given).json(`${path}/token`);
    if (link.remember(id, { [role]: given })) link.hideToken();
  }
  const { camera, player } = link.game(id);
  api.token = player ?? camera ?? given;
  if (!api.token) throw new Error(t("table.not-joined"));
  eye.token = camera ?? (await ownCamera()) ?? api.token;
  $("claimed").hidden = eye.token !== player;
}

// The host's phone makes a camera link for itself.
async function ownCamera() {
  if (!(await api.json(`${path}/token`)).host) return null;
  const { token } = await api.post(`${path}/tokens`, { role: "camera" });
  link.remember(id, { camera: token });
  return token;
}

function lost(status) {
  trouble(new Error(t(status === 401 ? "table.revoked" : "connection.lost")));
  if (status === 401) stop();
}

function showWays() {
  $("without").hidden = false;
  $("ways").href = `/camera/${encodeURIComponent(id)}/ways#${encodeURIComponent(eye.token)}`;
}

// The camera

async function watch() {
  $("state").textContent = "";
  if (isSecureContext && navigator.mediaDevices?.getUserMedia) await start();
  else showWays();
}

async function start() {
  stop();
  try {
    // No height: the whole sensor picture is wanted, and 16 : 9 would be a crop of it.
    const video = { facingMode: "environment", width: { ideal: 1280 } };
    stream = await navigator.mediaDevices.getUserMedia({ video });
  } catch {
    ended(t("film.denied"));
    return;
  }
  const [track] = stream.getVideoTracks();
  track.addEventListener("ended", () => ended(t("film.ended")));
  track.addEventListener("mute", () => filming(track) && halted());
  track.addEventListener("unmute", () => filming(track) && start());
  $("video").srcObject = stream;
  await $("video").play();
  camera = crypto.randomUUID();
  arrived = false;
  offer(track);
  $("start").hidden = true;
  trouble(null);
  film.start();
  stayAwake();
}

function stop() {
  film.stop();
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
}

const filming = (track) => stream?.getVideoTracks()[0] === track;

// While another app has the camera the video freezes: it would be taken for a still table.
function halted() {
  film.stop();
  $("state").textContent = "";
  trouble(new Error(t("film.halted")));
}

function ended(text) {
  stop();
  $("start").hidden = false;
  trouble(new Error(text));
}

// Further abilities of this camera.
function offer(track) {
  const can = track.getCapabilities?.() ?? {};
  $("torch").hidden = !can.torch;
  $("zoom-field").hidden = !can.zoom;
  if (can.zoom) Object.assign($("zoom"), { min: can.zoom.min, max: can.zoom.max, step: can.zoom.step || 0.1, value: track.getSettings().zoom });
}

const set = (wanted) => stream?.getVideoTracks()[0].applyConstraints({ advanced: [wanted] }).catch(trouble);

async function stayAwake() {
  if (document.hidden || awake?.released === false) return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null);
}

// Frames

// A camera takes over with its first frame, number 0: every frame has number 0 until one has arrived.
async function send({ blob, number, time }) {
  const mine = camera;
  const frame = { camera, number: arrived ? number : 0, time };
  const given = AbortSignal.timeout?.(GIVEN_UP); // missing in Safari before 16, which then waits
  const answer = await eye.photo(`${path}/camera/frames`, new File([blob], "frame.jpg", { type: "image/jpeg" }), frame, given);
  if (mine === camera) arrived = true;
  return answer;
}

function answered(answer) {
  if (now.result) return; // a frame that was being sent when the game ended
  trouble(null);
  waiting.heard(answer);
  $("back").hidden = !answer.leaving;
  const busy = answer.ask ? "waits" : answer.state === "rolling" ? "rolling" : answer.idle ? "" : "reading";
  $("state").textContent = t(`film.${busy || "watching"}`);
  $("state").classList.toggle("busy", Boolean(busy));
  $("state").dataset.table = answer.state;
}

function failed(error) {
  if (error.code === "camera-replaced") ended(t("film.replaced"));
  else if (error.status === 401 || error.status === 403 || error.status === 404) ended(error.message);
  else trouble(error);
}

// The game

function hear(snapshot) {
  const news = now && snapshot.lines > now.lines;
  const again = now?.result && !snapshot.result; // the last move was undone
  now = snapshot;
  document.title = now.title;
  $("prompt").textContent = now.result ? wonBy(now.result) : told(now.prompt);
  $("score").textContent = now.events.map((event) => told(event.text)).join(". ");
  if (news && now.events.some((event) => event.points)) celebrate();
  if (now.result) over();
  else if (again) watch();
}

function over() {
  stop();
  for (const part of ["back", "start"]) $(part).hidden = true;
  $("state").textContent = t("film.over");
  $("state").classList.remove("busy");
  trouble(null);
}

// A score is announced by sound and vibration, unless switched off.
function celebrate() {
  if ($("sound").getAttribute("aria-pressed") !== "true") return;
  navigator.vibrate?.([80, 60, 80]);
  sounds ??= new AudioContext();
  const [tone, volume] = [sounds.createOscillator(), sounds.createGain()];
  tone.frequency.setValueAtTime(660, sounds.currentTime);
  tone.frequency.setValueAtTime(880, sounds.currentTime + 0.12);
  volume.gain.setValueAtTime(0.2, sounds.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sounds.currentTime + 0.4);
  tone.connect(volume).connect(sounds.destination);
  tone.start();
  tone.stop(sounds.currentTime + 0.4);
}

function trouble(error) {
  $("trouble").textContent = error?.message ?? "";
  $("trouble").hidden = !error;
}

function pressed(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

$("start").addEventListener("click", start);
$("torch").addEventListener("click", () => set({ torch: pressed($("torch")) }));
$("zoom").addEventListener("input", () => set({ zoom: Number($("zoom").value) }));
$("sound").addEventListener("click", () => localStorage.setItem(QUIET, pressed($("sound")) ? "" : "yes"));
$("sound").setAttribute("aria-pressed", String(!localStorage.getItem(QUIET)));
document.addEventListener("visibilitychange", () => film.on && stayAwake());
addEventListener("pagehide", stop);
join();
