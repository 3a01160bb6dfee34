// Asking clingo about a puzzle.

import { facts, placed, whole } from "./asp.js";
import { Engine } from "./engine.js";
import { clingo } from "./engines.js";
import { sizeOf } from "../puzzle.js";

let second = null; // for candidates and Check, whose questions do not keep a solution waiting

/** Ask clingo about the puzzle by `encodings/sudoku.lp` and `more`; `each` gets the atoms of each answer set. */
export async function askClingo(puzzle, { models = 0, options = [], more = "" }, signal, each, engine = clingo) {
  const { text } = await whole();
  const [rows, columns] = puzzle.box;
  const shape = [`-c box_rows=${rows}`, `-c box_columns=${columns}`];
  const program = [text, facts(puzzle), more].join("\n");
  return engine.ask({ program, models, options: [...shape, ...options] }, { signal, each });
}

/** The answer sets, in the order in which they are found. */
export async function answers(puzzle, asked, signal) {
  second ??= new Engine(new URL("clingo-worker.js", import.meta.url), { type: "module" });
  const found = [];
  await askClingo(puzzle, asked, signal, (atoms) => found.push(atoms), second);
  return found;
}

/** For every cell the digits that it has in some solution: the union of all answer sets. */
export async function possible(puzzle, signal) {
  const n = sizeOf(puzzle.box);
  const union = (await answers(puzzle, { options: ["--enum-mode=brave"] }, signal)).at(-1) ?? [];
  const cells = Array.from({ length: n * n }, () => []);
  for (const [row, column, digit] of placed(union)) cells[(row - 1) * n + column - 1].push(digit);
  return cells.map((digits) => digits.sort((one, other) => one - other));
}
