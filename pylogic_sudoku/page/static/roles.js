// What an explanation of the server marks: the roles of cells and candidates, their shapes, and the legend.

import { drawing, drawn, part } from "./elements.js";
import { cellOf } from "./puzzle.js";

/**
 * The lines of each role in a square of 14 by 14; the first roles come before the others. They are those
 * of pictures, in draw/picture.py; a test compares them.
 */
const SHAPES = {
  target: "M1 1h12v12h-12z",
  conflict: "M1 1h12v12h-12zM2.4 2.4h9.2v9.2h-9.2z",
  removed: "M2 12l10 -10",
  difference: "M1 1h12v12h-12z",
  a: "M-0.2 7l7.2 -7.2l7.2 7.2l-7.2 7.2z",
  b: "M1 7l3 -6h6l3 6l-3 6h-6z",
  c: "M4 1h-3v12h3M10 1h3v12h-3",
  d: "M1 1h12M1 13h12",
  e: "M1 4v-3h3M1 10v3h3M13 4v-3h-3M13 10v3h-3",
  f: "M1 11.5h12M1 13.6h12",
  reason: "M1.6 7a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0 -10.8 0z",
  house: "M0 3.5h14v7h-14z",
  cover: "M0 3.5h14v7h-14z",
};

const LINKS = [
  { link: "strong", label: "at least one of the two holds" },
  { link: "weak", label: "at most one of the two holds" },
];

/** The role whose shape a cell shows, if it has several. */
export const firstRole = (roles) => Object.keys(SHAPES).find((role) => roles.includes(role));

/** The shape of a role, on its ground if that is wanted. */
export function shape(role, grounded = false) {
  const ground = grounded ? [drawn("rect", { width: 14, height: 14 })] : [];
  return drawing({ class: `shape ${role}`, viewBox: "0 0 14 14" }, ...ground, drawn("path", { d: SHAPES[role] }));
}

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

/** The look of a mark in the legend. */
export function swatch({ link, role, cells, candidates }) {
  const inCells = cells?.length > 0;
  const look = link ? `link ${link}` : `${inCells ? "role" : "mark"}-${role}`;
  const held = link ? [] : [inCells ? "" : String(candidates[0][1]), shape(role, true)];
  return part("span", { className: `swatch ${look}`, ariaHidden: "true" }, ...held);
}
