// Keeps the screen on while the page is visible, where the browser allows it: over HTTPS, or on the server itself.

let lock = null;

export async function stayAwake() {
  if (document.hidden || lock?.released === false) return;
  lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
}
