// Puzzles for Prolog, as prolog/bridge.pl takes them.

import { nameOf, rowsOf, sizeOf } from "../puzzle.js";
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

/** Clauses of puzzle/3, which is the puzzle, and of solution/1, which solves it. */
export function clause({ box, givens, regions, marks }) {
  const n = sizeOf(box);
  const marked = [...marks].sort(([a], [b]) => a - b);
  const name = (cell) => givens[cell] || (marks.has(cell) ? nameOf(cell, n).toUpperCase() : "_");
  const goals = [
    `Rows = ${listed(givens.map((_, cell) => name(cell)), n, 11)}`,
    ...marked.map(([cell, digits]) => (digits.length ? `${name(cell)} in ${digits.join(" \\/ ")}` : "fail")),
  ];
  if (regions) goals.push(`Shape = regions(${listed(regions, n, 20)})`);
  return `puzzle(Rows, ${regions ? "Shape" : box.join("-")}, []) :-
    ${goals.join(",\n    ")}.

solution(Rows) :-
    puzzle(Rows, Shape, Rules),
    sudoku(Rows, Shape, Rules).
`;
}

/** A list of rows, a line for each. */
const listed = (cells, n, indent) =>
  `[${rowsOf(cells, n).map((row) => `[${row}]`).join(`,\n${" ".repeat(indent + 1)}`)}]`;
