// Puzzles for Prolog, as prolog/bridge.pl takes them.

import { rowsOf, sizeOf } from "../puzzle.js";
import { excluded } from "./asp.js";

function input(puzzle, cells = puzzle.givens) {
  const n = sizeOf(puzzle.box);
  const gone = excluded(puzzle).map(([cell, digit]) => [Math.floor(cell / n) + 1, (cell % n) + 1, digit]);
  return { D: cells, E: gone };
}

/** The shape of the grid as a term. */
export const shape = ({ box, regions }) =>
  regions ? `[${rowsOf(regions, sizeOf(box)).map((row) => `[${row}]`)}]` : box.join("-");

/** A goal whose answers bind A to the digits of a solution; these cells may stand for the givens. */
export const solutions = (puzzle, cells) => ({
  goal: `sudoku_bridge:solution(D, ${shape(puzzle)}, "[]", E, A)`,
  input: input(puzzle, cells),
});
