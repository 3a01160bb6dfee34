import { cellOf } from "./puzzle.js";

/** How a board of n rows shows an explanation of the server. */
export function explained({ text, grid, highlights, candidates: pencil }, n) {
  const cellRoles = new Map();
  const candidateRoles = new Map();
  for (const { role, cells, candidates: digits } of highlights) {
    for (const name of cells) {
      const cell = cellOf(name, n);
      cellRoles.set(cell, [...(cellRoles.get(cell) ?? []), role]);
    }
    for (const [name, digit] of digits) {
      const cell = cellOf(name, n);
      candidateRoles.set(cell, (candidateRoles.get(cell) ?? new Map()).set(digit, role));
    }
  }
  return {
    text: text.split("\n\n")[0], // the board shows the grids that follow
    legend: highlights.filter(({ label, cells, candidates: marked }) => label && (cells.length || marked.length)),
    cellRoles,
    candidateRoles,
    shown: grid.flat().map((digit) => digit ?? 0),
    pencil: pencil?.flat().map((digits) => new Set(digits)),
  };
}
