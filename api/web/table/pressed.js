// Whether somebody is pressing on the page: what moves under a finger then is missed by the tap.

const AFTER = 100; // milliseconds after the finger was lifted; a touch screen makes its click a moment later

let down = false;
let timer = 0;
const waiting = [];

// Of a menu that a second button opens, not every browser tells when that is let up again.
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

// At once, unless something is being pressed.
export const released = () => (down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());
