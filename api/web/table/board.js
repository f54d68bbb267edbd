// The cribbage board: one row per street, in it one lane per side, two pegs per side; and the standings in words.

import { list, number, t, told } from "/web/words.js";
import { drawing, element } from "../shapes.js";

const HOLE = 10; // distance between holes, in units of the drawing
const GAP = 5; // after every fifth hole, as on a wooden board
const LANE = 14;
const STREET_GAP = 12;
const LEFT = 26; // for the numbers, and the pegs that have not left the start
const TOP = 8;

// `streaks` are texts by side, like "2 wipeouts in a row".
export function standings(snapshot, streaks) {
  return snapshot.board.pegs.map((pegs) => standing(pegs, snapshot, streaks.get(pegs.side)));
}

function standing(pegs, { players, to_act, board }, streak) {
  const names = list(pegs.players.map((player) => players[player]));
  const running = pegs.front - pegs.back;
  const turn = pegs.players.includes(to_act);
  const made = element("li", { class: `side side-${pegs.side}${turn ? " turn" : ""}` });
  made.append(element("span", { class: "name" }, names), element("span", { class: "hole" }, number(pegs.back)));
  if (running > 0) made.append(element("span", { class: "running" }, `+${number(running)} `, element("small", {}, t("board.this-turn"))));
  if (turn) made.append(element("span", { class: "spoken" }, t("board.turn")));
  if (streak) made.append(element("span", { class: "note streak" }, told(streak)));
  if (pegs.out) made.append(element("span", { class: "note" }, t(pegs.back >= board.finish ? "board.finished" : "board.out")));
  return made;
}

export function ended({ winners, lost }) {
  const skunked = Object.entries(lost).filter(([, games]) => games > 1);
  const also = skunked.map(([name, count]) => t("ended.lost", { name, count }));
  return [t("ended.wins", { names: list(winners), count: winners.length }), ...also].join(" ");
}

export function drawBoard(svg, snapshot) {
  const { board } = snapshot;
  svg.style.display = board.sheet ? "none" : ""; // a score sheet has only the standings
  if (board.sheet) return;
  const wide = LEFT + across(30) + HOLE * 2;
  const high = TOP * 2 + board.streets.length * streetHeight(board) - STREET_GAP;
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("aria-label", inWords(snapshot));
  const wood = drawing("rect", { class: "wood", width: wide, height: high, rx: 8 });
  svg.replaceChildren(wood, ...holes(board), ...skunk(board), ...board.pegs.flatMap((pegs) => drawnPegs(pegs, board)));
}

function inWords({ board, players }) {
  const sides = board.pegs.map(({ players: who, back, front }) => {
    const names = list(who.map((player) => players[player]));
    const side = back ? t("board.side", { names, hole: back }) : t("board.at-start", { names });
    return front > back ? t("board.ahead", { side, count: front - back }) : side;
  });
  return t("board.all", { holes: board.finish - 1, sides: sides.join("; ") });
}

const streetHeight = (board) => board.lanes * LANE + STREET_GAP;
const across = (hole) => (hole - 0.5) * HOLE + Math.floor((hole - 1) / 5) * GAP;

// The position of a hole; 0, the start, is left of the first, and a peg that is off the board right of the last.
function place(position, lane, board) {
  const last = board.finish - 1;
  const hole = Math.min(position, last);
  const row = Math.max(board.streets.findIndex(([first, end]) => first <= hole && hole <= end), 0);
  const inRow = hole ? hole - board.streets[row][0] + 1 : 0;
  const x = LEFT + (inRow ? across(inRow) : -6) + (position > last ? 12 : 0);
  return [x, TOP + row * streetHeight(board) + (lane + 0.5) * LANE];
}

function* holes(board) {
  const lanes = [...new Set(board.pegs.map((pegs) => pegs.lane))];
  for (const [first, end] of board.streets) {
    const [, y] = place(first, (board.lanes - 1) / 2, board);
    yield drawing("text", { class: "number", x: 11, y }, String(first));
    for (let hole = first; hole <= end; hole++) {
      for (const lane of lanes) {
        const [cx, cy] = place(hole, laneRow(lane, board), board);
        yield drawing("circle", { class: "hole", cx, cy, r: 2 });
      }
    }
  }
}

// Lanes in use may have any numbers; they are drawn below each other without gaps.
function laneRow(lane, board) {
  return [...new Set(board.pegs.map((pegs) => pegs.lane))].sort((a, b) => a - b).indexOf(lane);
}

function skunk(board) {
  if (!board.skunk_line || board.skunk_line >= board.finish) return [];
  const [x, top] = place(board.skunk_line, -0.5, board);
  const line = drawing("line", { class: "skunk", x1: x - 6, x2: x - 6, y1: top, y2: top + board.lanes * LANE });
  line.append(drawing("title", {}, t("board.skunk", { hole: board.skunk_line })));
  return [line];
}

function drawnPegs(pegs, board) {
  const positions = pegs.front > pegs.back ? [pegs.back, pegs.front] : [pegs.back];
  return positions.map((position, ahead) => {
    const [cx, cy] = place(position, laneRow(pegs.lane, board) + nudge(pegs, board), board);
    return drawing("circle", { class: `peg side-${pegs.side}${ahead ? " ahead" : ""}`, cx, cy, r: 4.8 });
  });
}

// Sides that share a lane may share a hole at the start: drawn slightly apart, both are visible.
function nudge(pegs, board) {
  const sharing = board.pegs.filter((other) => other.lane === pegs.lane);
  return sharing.length > 1 ? (sharing.indexOf(pegs) / (sharing.length - 1) - 0.5) * 0.4 : 0;
}
