// Whether somebody is pressing on the page: what moves under a finger then is missed by the tap.

const AFTER = 100; // milliseconds after the finger was lifted; a touch screen makes its click a moment later

let down = false;
const waiting = [];

addEventListener("pointerdown", () => (down = true), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(lifted, AFTER), true);

function lifted() {
  down = false;
  for (const go of waiting.splice(0)) go();
}

// At once, unless something is being pressed.
export const released = () => (down ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());
