// What the board shows, as the server draws it.

import { rowsOf, sizeOf, toJson } from "./puzzle.js";

/** The body for `/picture`: the look of the board, and the answer that it shows, if it shows one. */
export function shownBoard({ puzzle, shown, pencil }, answer) {
  const n = sizeOf(puzzle.box);
  return {
    puzzle: toJson(puzzle),
    grid: rowsOf(shown.map((digit) => digit || null), n),
    candidates: pencil.some(Boolean) ? rowsOf(pencil.map((digits) => [...(digits ?? [])]), n) : null,
    highlights: answer?.highlights ?? [],
    links: answer?.links ?? [],
  };
}
