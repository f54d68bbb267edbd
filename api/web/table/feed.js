// The event stream of a game. Every event is a whole snapshot, so a page that was away is up to date at once.

const FIRST_WAIT = 1000; // milliseconds
const LONGEST_WAIT = 20000;
const SILENCE = 40000; // the server gives a sign of life every 15 seconds

export class Feed {
  // `heard(snapshot)` for every event, `joined()` whenever the stream opens, `lost()` when it breaks.
  constructor(id, token, { heard, joined, lost }) {
    // A browser can send no header with an event stream: only here the token is in an address.
    this.url = `/v1/games/${encodeURIComponent(id)}/events?token=${encodeURIComponent(token)}`;
    Object.assign(this, { heard, joined, lost, wait: FIRST_WAIT });
    this.open();
    // Phones put pages to sleep, and some do not notice that the stream has died meanwhile.
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = new EventSource(this.url);
    this.source.addEventListener("open", () => this.opened());
    this.source.addEventListener("alive", () => this.listen());
    this.source.addEventListener("snapshot", (event) => this.told(event));
    this.source.addEventListener("error", () => this.broke());
    this.listen();
  }

  // A line may be dead and nobody says so: a cable pulled, a computer asleep.
  listen() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.deaf(), SILENCE);
  }

  deaf() {
    this.lost();
    this.open();
  }

  told(event) {
    this.listen();
    this.heard(JSON.parse(event.data));
  }

  opened() {
    this.wait = FIRST_WAIT;
    this.joined();
  }

  // Browsers come back by themselves from a broken line, but not from an answer that is an error.
  broke() {
    this.lost();
    if (this.source.readyState !== EventSource.CLOSED) return;
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }
}
