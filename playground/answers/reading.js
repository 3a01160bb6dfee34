// Puzzles as text: the formats that need no library.

import { puzzleFacts } from "./asp.js";
import { Refusal, SIZE } from "./limits.js";
import { digitsOf, digitsTo, fromJson, fromText, rowsOf, sizeOf, toJson, toLine, toText } from "../puzzle.js";

const PUZZLES = 200; // most that are read from one text
const EMPTY = /^[.0*_?-]$/;
const SHAPE = /#const\s+box_(rows|columns)\s*=\s*(\d+)/g;
const FACT = /\b\w+\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)/g;
const RULED = /^[\s|+=-]*[+=][\s|+=-]*$|^\s*-{3,}[\s|+-]*$/; // a line that is drawn between rows

const WRITERS = {
  line: ({ givens }) => toLine(givens),
  facts: (puzzle) => puzzleFacts({ given: "initial" }, puzzle),
  prolog: ({ box, givens }) => `[${rowsOf(givens, sizeOf(box)).map(list).join(",\n ")}].`,
  json: (puzzle) => JSON.stringify(toJson(puzzle)),
};
const list = (row) => `[${row.map((digit) => digit || "_").join(",")}]`;

export const FORMATS = Object.keys(WRITERS);

/** The puzzle as text, and whether reading the text gives the same puzzle. */
export function write({ puzzle, format }) {
  const asked = fromJson(puzzle);
  const text = WRITERS[format](asked);
  return { text, same: JSON.stringify(readAgain(text)) === JSON.stringify(toJson(asked)) };
}

/** The puzzle of this text; null if it does not say all that is needed. */
function readAgain(text) {
  try {
    return one(text);
  } catch {
    return null;
  }
}

/** The puzzles of a text of one or many. */
export function read({ text, box }) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const several = lines.length > 1 && lines.every((line) => line.length > SIZE && sizeFor(line.length));
  const texts = several ? lines : [text.trim()];
  return { puzzles: texts.slice(0, PUZZLES).map((each) => one(each, box)), more: texts.length > PUZZLES };
}

/** n if grids of n rows have this number of cells, else 0. */
const sizeFor = (cells) => (Number.isInteger(Math.sqrt(cells)) && cells <= SIZE ** 2 ? Math.sqrt(cells) : 0);

/** A puzzle as JSON. */
function one(text, box) {
  if (text.startsWith("{")) return fromObject(text);
  const shape = Object.fromEntries([...text.matchAll(SHAPE)].map((found) => [found[1], Number(found[2])]));
  const chosen = shape.rows && shape.columns ? [shape.rows, shape.columns] : box;
  const cells = cellsOf(text, chosen);
  const n = sizeFor(cells.length);
  if (!n) throw new Refusal(`This is not a puzzle that the playground can read: it has ${cells.length} cells. Give a line of digits with . for an empty cell, rows, facts or lists.`);
  const wrong = cells.findIndex((digit) => !(digit <= n));
  if (wrong >= 0) throw new Refusal(`Cell ${wrong + 1} of the text does not hold a digit from 1 to ${n}, or . if it is empty.`);
  return { box: boxFor(n, chosen), grid: rowsOf(cells.map((digit) => digit || null), n) };
}

/** The box shape that was chosen, or the only square one. */
function boxFor(n, chosen) {
  const side = Math.sqrt(n);
  if (!chosen && Number.isInteger(side)) return [side, side];
  if (!chosen) throw new Refusal("The text does not say which boxes the grid has.", boxesOf(n));
  if (sizeOf(chosen) === n) return chosen;
  throw new Refusal(`Boxes of ${chosen.join("x")} do not fit a grid of ${n}x${n}.`);
}

/** Every box shape of n cells, the squarest first. */
function boxesOf(n) {
  const heights = digitsTo(n).filter((height) => n % height === 0);
  const shapes = heights.map((height) => [height, n / height]);
  return shapes.sort(([a, b], [c, d]) => Math.abs(a - b) - Math.abs(c - d) || a - c);
}

function fromObject(text) {
  try {
    const puzzle = fromJson(JSON.parse(text));
    if (fromText(toText(puzzle))) return toJson(puzzle);
  } catch {
    // refused below
  }
  throw new Refusal("This JSON is not a puzzle: it needs at least box and grid, which fit together.");
}

/** The digits of a text, 0 for an empty cell and NaN for what is neither. */
function cellsOf(text, box) {
  const placed = [...text.matchAll(FACT)].map((found) => found.slice(1).map(Number));
  if (placed.length) return ofFacts(placed, box);
  if (text.includes("[")) return (text.match(/\w+/g) ?? []).map(ofWord);
  const rows = text.split("\n").filter((line) => !RULED.test(line));
  const words = rows.join(" ").split(/[\s|,;]+/).filter(Boolean);
  if (words.length > SIZE && sizeFor(words.length)) return words.map(ofWord);
  return ofSymbols([...words.join("").toUpperCase()]);
}

/** A number or a symbol; an empty cell is a variable in Prolog, and null in JSON. */
function ofWord(word) {
  if (/^(_\w*|null)$/.test(word)) return 0;
  return /^\d+$/.test(word) ? Number(word) : ofSymbols([word.toUpperCase()])[0];
}

function ofSymbols(symbols) {
  const n = sizeFor(symbols.length);
  const other = symbols.some((symbol) => symbol !== "0" && EMPTY.test(symbol));
  if (n > 9 && symbols.includes("0") && other && !digitsOf(symbols).includes(n)) {
    throw new Refusal("0 and another mark for empty cells are both here. Write digits from 1, and all empty cells alike.");
  }
  return digitsOf(symbols.map((symbol) => (EMPTY.test(symbol) ? "." : symbol)));
}

/** Facts do not name empty cells; without a box shape they are those of a 9x9 grid, if that has room. */
function ofFacts(placed, box) {
  const n = box ? sizeOf(box) : Math.max(...placed.flat()) <= 9 ? 9 : SIZE;
  const cells = Array(n * n).fill(0);
  for (const [row, column, digit] of placed) {
    if (!row || !column || row > n || column > n) throw new Refusal(`r${row}c${column} is not a cell of a grid of ${n}x${n}.`);
    cells[(row - 1) * n + column - 1] = digit;
  }
  return cells;
}
