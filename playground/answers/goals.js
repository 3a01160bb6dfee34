// Puzzles for Prolog, as prolog/bridge.pl takes them.

import { nameOf, rowsOf, sizeOf } from "../puzzle.js";
import { cellAt, excluded } from "./asp.js";

/** The shape of the grid as a term. */
export const shape = ({ box, regions }) =>
  regions ? `[${rowsOf(regions, sizeOf(box)).map((row) => `[${row}]`)}]` : box.join("-");

const input = (puzzle) => {
  const n = sizeOf(puzzle.box);
  const gone = excluded(puzzle).map(([cell, digit]) => [...cellAt(cell, n), digit]);
  return { D: puzzle.givens, E: gone };
};

/** A question whose answers bind A to the digits of a solution. */
export const solutions = (puzzle) => ({
  goal: `sudoku_bridge:solution(D, ${shape(puzzle)}, "[]", E, A)`,
  input: input(puzzle),
});

/** A question whose answer binds N to the number of solutions up to `limit`. */
export const numberOf = (puzzle, limit) => ({
  goal: `sudoku_bridge:number_of_solutions(D, ${shape(puzzle)}, "[]", E, ${limit}, N)`,
  input: input(puzzle),
});

/** A question whose answers bind A to those of the full grids that are solutions. */
export const confirmed = (puzzle, grids) => ({
  goal: `member(Grid, Grids), sudoku_bridge:solution(Grid, ${shape(puzzle)}, "[]", E, A)`,
  input: { Grids: grids, E: input(puzzle).E },
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
