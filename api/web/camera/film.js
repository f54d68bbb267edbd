// Sends frames of a video to the server: only while something changes or is being read, and never more than two at a time.

const LONGEST = 640; // pixels of a frame's longer side
const EVERY = 120; // milliseconds between two checks of the picture
const REST = 2000; // milliseconds between two frames of a still table
const MOST_UNDER_WAY = 2;
const [WIDE, HIGH] = [64, 48]; // size of the small grey picture in which changes are detected
const CHANGED = 12; // of 255: the least change of a pixel
const PLACES = 3; // and the least number of changed pixels

const small = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
const looking = small.getContext("2d", { willReadFrequently: true });

export class Film {
  // `send(frame)` sends { blob, number, time } and returns the answer; then `told(answer)` or `failed(error)` is called.
  constructor(video, send, told, failed) {
    Object.assign(this, { video, send, told, failed });
    this.timer = null;
  }

  start() {
    Object.assign(this, { number: 0, underWay: 0, idle: false, before: null, sentAt: -Infinity });
    this.timer = setInterval(() => this.look(), EVERY);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  get on() {
    return this.timer !== null;
  }

  look() {
    const now = performance.now();
    if (!this.video.videoWidth || this.underWay >= MOST_UNDER_WAY) return;
    const grey = this.glance();
    const due = !this.idle || now - this.sentAt >= REST || differs(grey, this.before);
    if (!due) return;
    Object.assign(this, { before: grey, sentAt: now });
    this.underWay += 1;
    this.bring(now / 1000).finally(() => (this.underWay -= 1));
  }

  async bring(time) {
    const number = this.number++;
    const timer = this.timer;
    try {
      const answer = await this.send({ blob: await picture(this.video), number, time });
      if (timer !== this.timer) return;
      this.idle = answer.idle;
      this.told(answer);
    } catch (error) {
      this.idle = false; // the next frame is checked for what this one would have shown
      if (timer === this.timer) this.failed(error);
    }
  }

  // The picture, scaled down to a few grey pixels.
  glance() {
    looking.drawImage(this.video, 0, 0, WIDE, HIGH);
    const { data } = looking.getImageData(0, 0, WIDE, HIGH);
    return Uint8Array.from({ length: WIDE * HIGH }, (_, at) => (data[4 * at] + 2 * data[4 * at + 1] + data[4 * at + 2]) >> 2);
  }
}

export function differs(one, other) {
  if (!other) return true;
  let places = 0;
  for (let at = 0; at < one.length; at++) if (Math.abs(one[at] - other[at]) > CHANGED && ++places >= PLACES) return true;
  return false;
}

async function picture(video) {
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}
