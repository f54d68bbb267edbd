// The server's join token, which lets this phone begin games. It comes in the fragment of the link that the server shows, which
// no browser sends, is kept on the phone, and goes back in a header of the request that begins a game, and nowhere else.

const KEY = "muggins.join";
const FRAGMENT = /^#join=([^&]+)$/;
let taken = null; // for phones that keep nothing

// Once, when the page opens: keeps the token of the link, and takes it out of the address bar.
export function take() {
  const found = FRAGMENT.exec(location.hash);
  if (!found) return;
  taken = decodeURIComponent(found[1]);
  try {
    localStorage.setItem(KEY, taken);
  } catch {
    return; // a private window may keep nothing: the link stays, so that opening it again is enough
  }
  history.replaceState(null, "", location.pathname);
}

export function headers() {
  const token = taken ?? kept();
  return token ? { "x-muggins-join": token } : {};
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
