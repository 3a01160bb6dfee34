// What the board shows of an answer of the server.

import { cellOf } from "./puzzle.js";

const LINKS = [
  { link: "strong", label: "at least one of the two holds" },
  { link: "weak", label: "at most one of the two holds" },
];

/** How a board of n rows shows an explanation of the server. */
export function explained({ short, grid, highlights, candidates: pencil, links }, n) {
  const cellRoles = new Map();
  const candidateRoles = new Map();
  for (const { role, cells, candidates: digits } of highlights) {
    for (const name of cells) {
      const cell = cellOf(name, n);
      cellRoles.set(cell, [...(cellRoles.get(cell) ?? []), role]);
    }
    for (const [name, digit] of digits) {
      const cell = cellOf(name, n);
      const roles = candidateRoles.get(cell) ?? new Map();
      if (!roles.has(digit)) candidateRoles.set(cell, roles.set(digit, role));
    }
  }
  return {
    text: short, // the board shows the rest
    legend: [
      ...highlights.filter(({ label, cells, candidates: marked }) => label && (cells.length || marked.length)),
      ...LINKS.filter(({ link }) => links.some(({ strong }) => strong === (link === "strong"))),
    ],
    links,
    rims: highlights.filter(({ rim }) => rim),
    highlights,
    cellRoles,
    candidateRoles,
    shown: grid.flat().map((digit) => digit ?? 0),
    pencil: pencil?.flat().map((digits) => new Set(digits)),
  };
}
