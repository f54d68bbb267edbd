// The event stream of a game. Every event is a whole snapshot, so a page that was away is up to date at once.
// It uses fetch, not EventSource, which can send no header and would need the token in the URL.

const FIRST_WAIT = 1000; // milliseconds
const LONGEST_WAIT = 20000;
const SILENCE = 40000; // the server sends a keep-alive every 15 seconds

export class Feed {
  // Calls `heard(snapshot)` for every event, `joined()` when the stream opens, `lost(status)` when it breaks; 401: link revoked.
  constructor(id, token, { heard, joined, lost }) {
    this.url = `/v1/games/${encodeURIComponent(id)}/events`;
    Object.assign(this, { token, heard, joined, lost, wait: FIRST_WAIT });
    this.open();
    // Phones suspend pages, and some do not notice that the stream has died meanwhile.
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
  }

  async open() {
    clearTimeout(this.timer);
    this.stream?.abort();
    const stream = (this.stream = new AbortController());
    this.listen();
    const status = await this.read(stream.signal).catch(() => 0);
    if (this.stream === stream) this.broke(status);
  }

  // Runs until the stream ends; returns the status of its response.
  async read(signal) {
    const headers = { authorization: `Bearer ${this.token}`, accept: "text/event-stream" };
    const response = await fetch(this.url, { headers, signal, cache: "no-store" });
    if (!response.ok) return response.status;
    this.opened();
    let text = "";
    for await (const part of parts(response.body.pipeThrough(new TextDecoderStream()))) {
      const events = (text + part).split("\n\n");
      text = events.pop();
      for (const event of events) this.told(event);
    }
    return response.status;
  }

  // A connection may be dead without an error: a cable pulled, a computer asleep.
  listen() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.deaf(), SILENCE);
  }

  deaf() {
    this.lost(0);
    this.open();
  }

  told(event) {
    this.listen();
    const fields = Object.fromEntries(event.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
    if (fields.event === "snapshot") this.heard(JSON.parse(fields.data));
    if (fields.event) document.dispatchEvent(new Event(`muggins:${fields.event}`));
  }

  opened() {
    this.wait = FIRST_WAIT;
    this.joined();
  }

  broke(status) {
    clearTimeout(this.patience);
    this.lost(status);
    if (status === 401) return;
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}

// Safari cannot iterate over a stream.
async function* parts(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
