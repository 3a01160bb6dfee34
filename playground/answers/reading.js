// Puzzles as text: the formats that need no library.

import { Refusal } from "./refusal.js";
import { SHAPES } from "../examples.js";
import { facts } from "./asp.js";
import { digitsOf, fromJson, rowsOf, sizeOf, toJson, toLine } from "../puzzle.js";

const PUZZLES = 200; // most that are read from one text
const EMPTY = /[.0*_?-]/g;
const FACT = /\b\w+\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)/g;

const WRITERS = {
  line: ({ givens }) => toLine(givens),
  rows: ({ box, givens }) => rowsOf(givens, sizeOf(box)).map(toLine).join("\n"),
  facts: (puzzle) => facts(puzzle),
  prolog: ({ box, givens }) => `[${rowsOf(givens, sizeOf(box)).map(list).join(",\n ")}].`,
  json: (puzzle) => JSON.stringify(toJson(puzzle)),
};
const list = (row) => `[${row.map((digit) => digit || "_").join(",")}]`;

export const FORMATS = Object.keys(WRITERS);
export const READABLE = FORMATS;

/** The puzzle as text, and whether reading the text gives the same puzzle. */
export function write({ puzzle, format }) {
  const asked = fromJson(puzzle);
  const text = WRITERS[format](asked);
  const plain = !asked.regions && !asked.marks.size;
  const square = asked.box[0] === asked.box[1];
  return { text, same: format === "json" || (plain && square) };
}

/** The puzzles of a text of one or many. */
export function read({ text, box }) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const several = lines.length > 1 && lines.every((line) => line.length > 15 && isSquare(line.length));
  const puzzles = (several ? lines : [text.trim()]).slice(0, PUZZLES).map((each) => one(each, box));
  return { puzzles, more: several && lines.length > PUZZLES };
}

const isSquare = (number) => Number.isInteger(Math.sqrt(number));

/** A puzzle as JSON. */
function one(text, box) {
  if (text.startsWith("{")) return fromObject(text);
  const cells = cellsOf(text);
  const n = Math.sqrt(cells.length);
  const boxes = SHAPES.flatMap(([rows, columns]) => [[rows, columns], [columns, rows]]).filter((each) => sizeOf(each) === n);
  if (!boxes.length) throw new Refusal(`This is not a puzzle that the playground can read: it has ${cells.length} cells. Give a line of digits with . for an empty cell, rows, facts or lists.`);
  const chosen = box ?? (boxes[0][0] === boxes[0][1] ? boxes[0] : null);
  if (!chosen) throw new Refusal("the box shape is not known", boxes);
  if (sizeOf(chosen) !== n) throw new Refusal(`Boxes of ${chosen.join("x")} do not fit a grid of ${n}x${n}.`);
  const wrong = cells.findIndex((digit) => !(digit <= n));
  if (wrong >= 0) throw new Refusal(`Cell ${wrong + 1} of the text does not hold a digit from 1 to ${n}, or . if it is empty.`);
  return { box: chosen, grid: rowsOf(cells, n).map((row) => row.map((digit) => digit || null)) };
}

function fromObject(text) {
  try {
    const puzzle = JSON.parse(text);
    return toJson(fromJson(puzzle));
  } catch {
    throw new Refusal("This JSON is not a puzzle: it needs at least box and grid.");
  }
}

/** The cells of a text: facts, lists, or a symbol for each cell. */
function cellsOf(text) {
  const placed = [...text.matchAll(FACT)].map((found) => found.slice(1).map(Number));
  if (placed.length) return ofFacts(placed);
  if (text.includes("[")) {
    return (text.match(/[\w.]+/g) ?? []).map((cell) => (/^\d+$/.test(cell) ? Number(cell) : 0));
  }
  const drawn = text.split("\n").filter((line) => !/^[\s|+=-]*[+=][\s|+=-]*$|^\s*-{3,}[\s|+-]*$/.test(line));
  return digitsOf(drawn.join("").replace(/[\s|]/g, "").replace(EMPTY, ".").toUpperCase());
}

/** Facts do not say how large the grid is: the smallest of the usual ones that has room. */
function ofFacts(placed) {
  const most = Math.max(...placed.flat());
  const n = most <= 4 ? 4 : most <= 9 ? 9 : 16;
  const cells = Array(n * n).fill(0);
  for (const [row, column, digit] of placed) cells[(row - 1) * n + column - 1] = digit;
  return cells;
}
