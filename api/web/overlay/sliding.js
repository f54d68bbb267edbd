// Pegs that have moved slide from their old place. A later drawing replaces them, and so ends the animation.

const TIME = 600; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");

// `draw()` redraws the board.
export function slide(svg, draw) {
  const before = places(svg);
  draw();
  if (still.matches) return;
  for (const peg of svg.querySelectorAll(".peg")) {
    const name = peg.getAttribute("class");
    // A new front peg starts from the back peg.
    moveFrom(peg, before.get(name) ?? before.get(name.replace(" ahead", "")));
  }
}

const at = (peg) => ["cx", "cy"].map((name) => Number(peg.getAttribute(name)));
const places = (svg) => new Map([...svg.querySelectorAll(".peg")].map((peg) => [peg.getAttribute("class"), at(peg)]));

function moveFrom(peg, from) {
  if (!from) return;
  const [x, y] = at(peg);
  if (x === from[0] && y === from[1]) return;
  const start = { transform: `translate(${from[0] - x}px, ${from[1] - y}px)` };
  peg.animate([start, { transform: "none" }], { duration: TIME, easing: "ease-in-out" });
}
