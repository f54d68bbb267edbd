// The server's join token, which lets this phone start games. It comes in the fragment of the link that the server shows, which
// browsers do not send, is stored on the phone, and is sent only in a header of the request that starts a game.

const KEY = "muggins.join";
const FRAGMENT = /^#join=([^&]+)$/;
let taken = null; // for phones that store nothing

// Once, when the page opens: stores the token of the link, and removes it from the address bar.
export function take() {
  const found = FRAGMENT.exec(location.hash);
  if (!found) return;
  taken = decodeURIComponent(found[1]);
  try {
    localStorage.setItem(KEY, taken);
  } catch {
    return; // a private window may store nothing: the link stays, so that opening it again is enough
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
