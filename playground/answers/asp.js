// Programs for clingo: files with what they include as one text, and puzzles as facts.

import { cellAt } from "./cells.js";
import { texts } from "./engines.js";
import { sizeOf } from "../puzzle.js";

const INCLUDE = /^#include "([^"]+)"\.\s*$/;

/**
 * A program as one text, and where each of its lines comes from: `lines` has { file, line } for each.
 * A file is included once, where it is first asked for. `changed` has texts by name that replace ours.
 */
export async function whole(names, changed = {}) {
  const { encodings } = await texts;
  const included = new Set();
  const text = [];
  const lines = [];

  function add(file) {
    if (included.has(file)) return;
    included.add(file);
    const own = changed[file] ?? encodings[file];
    if (own === undefined) throw new Error(`There is no file ${file}.`);
    own.split("\n").forEach((each, index) => {
      const found = INCLUDE.exec(each);
      const target = found && new URL(found[1], `file:///${file}`).pathname.slice(1);
      if (target && (target in encodings || target in changed)) {
        add(target);
        return;
      }
      text.push(each);
      lines.push({ file, line: index + 1 });
    });
  }

  names.forEach(add);
  return { text: text.join("\n"), lines };
}

export const shapeOptions = ({ box: [rows, columns] }) => [`-c box_rows=${rows}`, `-c box_columns=${columns}`];

/** The puzzle as facts; `cells` can replace its givens, and `given` names their predicate. */
export function facts(puzzle, cells = puzzle.givens, given = "initial") {
  const n = sizeOf(puzzle.box);
  const place = (cell) => cellAt(cell, n);
  const regions = (puzzle.regions ?? []).map((region, cell) => [region, `region(${region},${place(cell)}).`]);
  const gone = excluded(puzzle).map(([cell, digit]) => [cell, `excluded(${place(cell)},${digit}).`]);
  const held = cells.flatMap((digit, cell) => (digit ? [[Math.floor(cell / n), `${given}(${place(cell)},${digit}).`]] : []));
  return [regions, gone, held].flatMap(inLines).join("\n");
}

/** A line for all facts with the same key, in the order of the keys. */
const inLines = (keyed) =>
  [...Map.groupBy(keyed, ([key]) => key)].sort(([a], [b]) => a - b).map(([, found]) => found.map(([, fact]) => fact).join(" "));

/** The puzzle as facts that also say the shape of the boxes, if it is needed. */
export function puzzleFacts(puzzle) {
  const [rows, columns] = puzzle.box;
  const { givens } = puzzle;
  const filled = givens.filter(Boolean).length;
  const plain = rows === 3 && columns === 3 && (filled === givens.length || filled !== Math.max(...givens) ** 2);
  const shape = `#const box_rows=${rows}. [override] #const box_columns=${columns}. [override]\n`;
  return (plain ? "" : shape) + facts(puzzle);
}

/** The candidates that marks exclude, as [cell, digit]. */
export function excluded(puzzle) {
  const digits = Array.from({ length: sizeOf(puzzle.box) }, (_, index) => index + 1);
  return [...puzzle.marks].flatMap(([cell, allowed]) =>
    digits.filter((digit) => !allowed.includes(digit)).map((digit) => [cell, digit]),
  );
}

/** The arguments of every atom of this name, if they are numbers. */
export const argumentsOf = (atoms, name) => atoms.map((atom) => numbers(atom, name)).filter(Boolean);

function numbers(atom, name) {
  const found = /^(\w+)\(([\d,]+)\)$/.exec(atom);
  return found?.[1] === name ? found[2].split(",").map(Number) : null;
}

/** The digits of an answer set, 0 for a cell that has none. */
export function gridOf(atoms, n) {
  const cells = Array(n * n).fill(0);
  for (const [row, column, digit] of argumentsOf(atoms, "sudoku")) cells[(row - 1) * n + column - 1] = digit;
  return cells;
}

/** The digits of each cell in these atoms. */
export function candidatesOf(atoms, n) {
  const cells = Array.from({ length: n * n }, () => []);
  for (const [row, column, digit] of argumentsOf(atoms, "sudoku")) cells[(row - 1) * n + column - 1].push(digit);
  return cells.map((digits) => digits.sort((a, b) => a - b));
}
