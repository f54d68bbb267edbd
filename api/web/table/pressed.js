// Whether somebody is pressing on the page: a tap misses an element that moves under the finger.

const AFTER = 100; // milliseconds after the finger was lifted; a touch screen sends its click a moment later

let down = false;
let timer = 0;
const waiting = [];

// Not every browser reports the release of a second button, which opens a menu.
addEventListener("pointerdown", ({ isPrimary, button }) => isPrimary && button === 0 && pressed(), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (timer = setTimeout(lifted, AFTER)), true);

function pressed() {
  clearTimeout(timer); // tapped again at once
  down = true;
}

function lifted() {
  down = false;
  for (const go of waiting.splice(0)) go();
}

// Resolves at once, unless something is being pressed.
export const released = () => (down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());
