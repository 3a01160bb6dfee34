// Cells and placements as lists: [row, column] and [row, column, digit], counted from 1.

/** The cell that has this index in a grid of n rows. */
export const cellAt = (index, n) => [Math.floor(index / n) + 1, (index % n) + 1];

/** The placements of a grid, in which 0 is an empty cell. */
export const placementsIn = (digits, n) => digits.flatMap((digit, index) => (digit ? [[...cellAt(index, n), digit]] : []));

/** The digits of each cell in these placements. */
export function candidatesOf(placements, n) {
  const cells = Array.from({ length: n * n }, () => []);
  for (const [row, column, digit] of placements) cells[(row - 1) * n + column - 1].push(digit);
  return cells.map((digits) => digits.sort((one, other) => one - other));
}

/** The name of the cell of a placement. */
export const cellName = ([row, column]) => `r${row}c${column}`;

/** Placements from JSON, and as JSON. */
export const placementsOf = (named) => named.map(({ cell, digit }) => [...cell.slice(1).split("c").map(Number), digit]);
export const json = (placements) => placements.map((each) => ({ cell: cellName(each), digit: each[2] }));
