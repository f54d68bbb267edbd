// Two ways to take a photo. The button with `capture` works everywhere, also over plain HTTP. On a secure page (HTTPS, or on
// the server itself) there is a live camera: it sends one frame after the other while the dice settle, and hands one over
// as soon as several readings in a row agree and differ from the one handed over before.

import { t } from "/web/words.js";
import { onChosen } from "../files.js";
import { drawnPieces } from "../shapes.js";

const LONGEST = 1600; // pixels of a frame's longer side
const IN_A_ROW = 3; // equal readings in a row until the dice count as still
const PAUSE = 250; // milliseconds between a reading and the next frame
const LONG_PAUSE = 2000; // the pause while the page is hidden, or the server cannot be reached
const NEAR = 0.02; // tolerance for a die at rest, relative to the frame's width

const $ = (id) => document.getElementById(id);

export function photoButtons(take) {
  for (const id of ["camera", "file"]) onChosen($(id), take);
}

export const liveIsPossible = () => isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

export class Live {
  // `take(photo)` gets each throw once it lies still, and returns whether it arrived; `wanted()` returns whether a throw is due;
  // `failed(error)` is called with errors that end it, which a lost connection does not.
  constructor(api, take, wanted, failed) {
    Object.assign(this, { api, take, wanted, failed, on: false });
    $("live").hidden = !liveIsPossible();
    $("live").addEventListener("click", () => (this.on ? this.stop() : this.start()));
  }

  async start() {
    try {
      // No height: the whole sensor picture is wanted, and 16 : 9 would be a crop of it.
      const video = { facingMode: "environment", width: { ideal: 1920 } };
      this.stream = await navigator.mediaDevices.getUserMedia({ video });
      $("video").srcObject = this.stream;
      await $("video").play();
      this.turn(true);
      this.run(this.stream);
    } catch {
      this.stop();
      this.failed(new Error(t("camera.denied")));
    }
  }

  stop() {
    this.stream?.getTracks().forEach((track) => track.stop());
    this.turn(false);
  }

  turn(on) {
    this.on = on;
    $("viewfinder").hidden = !on;
    $("live-state").hidden = !on;
    $("live").setAttribute("aria-pressed", String(on));
  }

  async run(stream) {
    let last = null;
    let count = 0; // equal readings in a row, the last one included
    let scored = null; // the reading handed over last, which is not scored twice
    while (this.on && this.stream === stream) {
      let pause = document.hidden ? LONG_PAUSE : PAUSE;
      try {
        const frame = await grab($("video"));
        const reading = await this.api.photo("/v1/readings", frame);
        this.draw(reading);
        count = agree(reading, last) ? count + 1 : 1;
        last = reading;
        this.tell(count, agree(reading, scored));
        if (count >= IN_A_ROW && !agree(reading, scored) && this.wanted()) {
          if (await this.take(frame)) scored = reading;
          else pause = LONG_PAUSE;
        }
      } catch (error) {
        pause = LONG_PAUSE;
        this.missed(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  missed(error) {
    if (error.status === 0) {
      $("viewfinder").classList.remove("still");
      $("live-state").textContent = t("connection.lost");
      return;
    }
    this.stop();
    this.failed(error);
  }

  tell(count, known) {
    const still = count >= IN_A_ROW || known;
    $("viewfinder").classList.toggle("still", still);
    $("live-state").textContent = t(still ? "camera.still" : "camera.waiting");
  }

  draw(reading) {
    $("live-overlay").setAttribute("viewBox", `0 0 ${reading.width} ${reading.height}`);
    $("live-overlay").replaceChildren(...drawnPieces(reading));
  }
}

async function grab(video) {
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  return new File([blob], "live.jpg", { type: "image/jpeg" });
}

// The same pieces with the same values at nearly the same places; two empty readings do not count as equal.
export function agree(one, other) {
  if (!other) return false;
  const mine = [...one.dice, ...one.tiles];
  const theirs = [...other.dice, ...other.tiles];
  const near = one.width * NEAR;
  return mine.length > 0 && mine.length === theirs.length && mine.every((piece) => theirs.some((its) => same(piece, its, near)));
}

function same(piece, other, near) {
  const [x, y] = middle(piece.box);
  const [atX, atY] = middle(other.box);
  return String(piece.value ?? piece.ends) === String(other.value ?? other.ends) && Math.hypot(x - atX, y - atY) < near;
}

const middle = (box) => [0, 1].map((axis) => box.reduce((sum, point) => sum + point[axis], 0) / box.length);
