// Asking Prolog: puzzles as prolog/bridge.pl takes them and as clauses, and questions about them.

import { nameOf, rowsOf, sizeOf } from "../puzzle.js";
import { cellAt, excluded } from "./asp.js";
import { prolog } from "./engines.js";

/** The shape of the grid as a term. */
const shape = ({ box, regions }) =>
  regions ? `[${rowsOf(regions, sizeOf(box)).map((row) => `[${row}]`)}]` : box.join("-");

/** The candidates that marks exclude. */
const gone = (puzzle) => excluded(puzzle).map(([cell, digit]) => [...cellAt(cell, sizeOf(puzzle.box)), digit]);

/** What Prolog finds: `each` gets the digits of each grid, and `count` is the number of solutions up to a limit. */
export const byProlog = {
  solve(puzzle, models, signal, each) {
    const goal = `sudoku_bridge:solution(sudoku, D, ${shape(puzzle)}, "[]", E, A)`;
    const input = { D: puzzle.givens, E: gone(puzzle) };
    return prolog.ask({ goal, input, models }, { signal, each: ({ A }) => each(A) });
  },

  async count(puzzle, models, signal) {
    const goal = `sudoku_bridge:number_of_solutions(sudoku, D, ${shape(puzzle)}, "[]", E, ${models}, N)`;
    const input = { D: puzzle.givens, E: gone(puzzle) };
    let number = 0;
    await prolog.ask({ goal, input }, { signal, each: ({ N }) => (number = N) });
    return number;
  },

  /** Those of the full grids that are solutions. */
  confirm(puzzle, grids, signal, each) {
    const goal = `member(Grid, Grids), sudoku_bridge:solution(sudoku, Grid, ${shape(puzzle)}, "[]", E, A)`;
    const input = { Grids: grids, E: gone(puzzle) };
    return prolog.ask({ goal, input }, { signal, each: ({ A }) => each(A) });
  },
};

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
