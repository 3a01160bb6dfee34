// Cells and placements as lists: [row, column] and [row, column, digit], counted from 1.

/** The cell that has this index in a grid of n rows. */
export const cellAt = (index, n) => [Math.floor(index / n) + 1, (index % n) + 1];

/** The placements of a grid, in which 0 is an empty cell. */
export const placementsIn = (digits, n) => digits.flatMap((digit, index) => (digit ? [[...cellAt(index, n), digit]] : []));

/** The name of the cell of a placement. */
export const cellName = ([row, column]) => `r${row}c${column}`;

/** Placements from JSON, and as JSON. */
export const placementsOf = (named) => named.map(({ cell, digit }) => [...cell.slice(1).split("c").map(Number), digit]);
export const json = (placements) => placements.map((each) => ({ cell: cellName(each), digit: each[2] }));

/** Compares numbers, texts, and lists of them. */
export function inOrder(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one < other ? -1 : Number(one > other);
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const found = inOrder(one[at], other[at]);
    if (found) return found;
  }
  return one.length - other.length;
}
