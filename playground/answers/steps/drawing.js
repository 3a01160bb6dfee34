// Outlines of houses and lines of chains, as the paths of SVG elements. A cell is 40 wide.

import { cellName } from "../cells.js";

const SIDE = 40;
const WAYS = [[-1, 0], [1, 0], [0, -1], [0, 1]];
const RADIUS = SIDE / 6; // of the circle around a candidate, where a line ends
const BEND = 0.06; // how far a line is bent, as a fraction of its length

/** The sides that these cells do not share, slightly inside them. */
export function rimOf(cells, n) {
  const inside = new Set(cells.filter(([row, column]) => row <= n && column <= n).map(cellName));
  const has = ([row, column], [down, right]) => inside.has(cellName([row + down, column + right]));
  return cells.map((cell) => sides(cell, (way) => has(cell, way))).join("");
}

function sides([row, column], joined) {
  const [x, y] = [(column - 0.5) * SIDE, (row - 0.5) * SIDE];
  const half = SIDE / 2 - (3 * SIDE) / 40;
  const [up, down, left, right] = WAYS.map((way) => (joined(way) ? SIDE / 2 : half));
  const lines = [
    joined([0, -1]) ? "" : `M${x - half} ${y - up}V${y + down}`,
    joined([0, 1]) ? "" : `M${x + half} ${y - up}V${y + down}`,
    joined([-1, 0]) ? "" : `M${x - left} ${y - half}H${x + right}`,
    joined([1, 0]) ? "" : `M${x - left} ${y + half}H${x + right}`,
  ];
  // If the diagonal neighbour alone is missing, the lines of the two others meet here.
  for (const over of [-1, 1]) {
    for (const aside of [-1, 1]) {
      if (!joined([over, 0]) || !joined([0, aside]) || joined([over, aside])) continue;
      lines.push(`M${x + aside * half} ${y + over * SIDE / 2}V${y + over * half}H${x + aside * SIDE / 2}`);
    }
  }
  return lines.join("");
}

/** The links of a chain, strong and weak in turn; that of a continuous loop is closed. */
export function linksOf(chain, technique, position) {
  const pairs = chain.slice(1).map((node, at) => [chain[at], node, at % 2 === 0]);
  const closed = technique.split(" ").includes("continuous") && chain.length && chain.length % 2 === 0;
  if (closed) pairs.push([chain.at(-1), chain[0], false]);
  const named = (node) => node.map((each) => [cellName(each), each[2]]);
  return pairs.map(([one, other, strong]) => ({ from: named(one), to: named(other), strong, path: line(one, other, position) }));
}

/** A line between the nearest candidates of two nodes. */
function line(one, other, position) {
  const ends = one.flatMap((start) => other.map((end) => [spot(start, position), spot(end, position)]));
  const length = ([[a, b], [c, d]]) => Math.hypot(c - a, d - b);
  const [[a, b], [c, d]] = ends.reduce((best, each) => (length(each) < length(best) ? each : best));
  const [x, y, far] = [c - a, d - b, Math.hypot(c - a, d - b) || 1];
  const off = Math.min(RADIUS / far, 0.4);
  const middle = [(a + c) / 2 - 2 * BEND * y, (b + d) / 2 + 2 * BEND * x];
  // Each end is moved towards the point to which the line bends.
  const towards = ([p, q]) => [p + off * 2 * (middle[0] - p), q + off * 2 * (middle[1] - q)];
  const points = [towards([a, b]), middle, towards([c, d])].map((point) => point.map((each) => each.toFixed(1)).join(" "));
  return `M${points[0]}Q${points[1]} ${points[2]}`;
}

/** Where the board shows the pencil mark; board.css says the same. */
function spot([row, column, digit], { size }) {
  const columns = Math.ceil(Math.sqrt(size));
  const rows = Math.ceil(size / columns);
  const margin = size > 9 ? 0.02 : 0.06;
  const [down, right] = [Math.floor((digit - 1) / columns), (digit - 1) % columns];
  const x = margin + ((right + 0.5) * (1 - 2 * margin)) / columns;
  const y = margin + ((down + 0.5) * (1 - 2 * margin)) / rows;
  return [(column - 1 + x) * SIDE, (row - 1 + y) * SIDE];
}
