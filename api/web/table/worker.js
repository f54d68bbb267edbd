// The service worker caches the pages: they open without internet, and while the server is unreachable. The network comes
// first, so that an update shows at once. Games, photos and readings are never cached.

const SHELF = "muggins-pages";
const PATIENCE = 4000; // milliseconds until the cached copy is used instead

self.addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name) event.respondWith(answer(event.request, name));
});

async function fill() {
  const { files } = await (await fetch("/table/shell.json")).json();
  const shelf = await caches.open(SHELF);
  await shelf.addAll(files);
}

// The cache key; null: not cached. The page is the same for every game, and so are overlay and scoreboard.
function nameOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return null;
  const game = mode === "navigate" && /^\/(table|overlay|scoreboard|rules)\/[^/]+$/.exec(pathname);
  if (game) return `/${game[1]}/shell`;
  return ["/", "/read", "/table/games.json"].includes(pathname) || /^\/(web|table\/words)\//.test(pathname) ? pathname : null;
}

async function answer(request, name) {
  const shelf = await caches.open(SHELF);
  const kept = await shelf.match(name);
  const asked = fetch(request).then((fresh) => put(shelf, name, fresh));
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), PATIENCE));
  return Promise.race([asked, late]).catch(() => kept);
}

async function put(shelf, name, fresh) {
  if (fresh.status === 200) await shelf.put(name, fresh.clone());
  return fresh;
}
