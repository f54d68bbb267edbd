// A picture of a finished game, for sharing: who won, the points, and the turns as a curve.

const SIZE = 1080; // pixels
const EDGE = 80;
const [GROUND, INK, QUIET] = ["#f6f3ec", "#1d1a16", "#5c554b"];
const SIDES = ["#b3261e", "#1457b8", "#116b3b", "#7a2f9b", "#8a4b00", "#374151"]; // as in board.css
const FONT = "sans-serif";

// `scores` are { side, names, points }, `curves` { side, points: [[x, y] …] } in any units; returns a PNG.
export function picture(title, lines, scores, curves) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  pen.fillStyle = GROUND;
  pen.fillRect(0, 0, SIZE, SIZE);
  let y = text(pen, title, EDGE + 20, 40, QUIET);
  y = text(pen, lines[0], y + 70, 68, INK, 700);
  for (const { side, names, points } of scores) y = score(pen, names, points, y + 66, SIDES[side % SIDES.length]);
  for (const line of lines.slice(1, 4)) y = text(pen, line, y + 50, 32, QUIET);
  draw(pen, curves, y + 50);
  text(pen, "Muggins", SIZE - EDGE / 2, 32, QUIET, 700);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// Text on as many lines as it needs, the first with its baseline at `y`; returns the baseline of the last.
function text(pen, words, y, size, colour, weight = 400) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.textAlign = "left";
  let line = "";
  for (const word of words.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && pen.measureText(longer).width > SIZE - 2 * EDGE) {
      pen.fillText(line, EDGE, y);
      y += size * 1.3;
      line = word;
    } else line = longer;
  }
  pen.fillText(line, EDGE, y);
  return y;
}

function score(pen, names, points, y, colour) {
  pen.fillStyle = colour;
  pen.font = `600 44px ${FONT}`;
  pen.textAlign = "left";
  pen.fillText(names, EDGE, y, SIZE - 2 * EDGE - 200);
  pen.textAlign = "right";
  pen.font = `700 56px ${FONT}`;
  pen.fillText(points, SIZE - EDGE, y);
  return y;
}

function draw(pen, curves, top) {
  const all = curves.flatMap(({ points }) => points);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [left, right, high, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = (x) => EDGE + ((SIZE - 2 * EDGE) * (x - left)) / (right - left || 1);
  const down = (y) => top + ((SIZE - EDGE - 40 - top) * (y - high)) / (low - high || 1);
  pen.lineWidth = 8;
  pen.lineJoin = "round";
  for (const { side, points } of curves) {
    pen.strokeStyle = SIDES[side % SIDES.length];
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(across(x), down(y));
    pen.stroke();
  }
}
