// What the board shows, as the server draws it.

import { nameOf, rowsOf, sizeOf, toJson } from "./puzzle.js";

/** The body for `/picture`: the look of the board, and the answer that it shows, if it shows one. */
export function shownBoard({ puzzle, shown, pencil, notes, marks }, answer) {
  const n = sizeOf(puzzle.box);
  const byName = (kind, each) =>
    Object.fromEntries(notes.all(kind).map(([cell, digits]) => [nameOf(cell, n), each([...digits])]));
  const own = (kind) => (marks ? byName(kind, (digits) => digits) : {});
  return {
    puzzle: toJson(puzzle),
    grid: rowsOf(shown.map((digit) => digit || null), n),
    candidates: pencil.length ? rowsOf(pencil.map((digits) => [...(digits ?? [])]), n) : null,
    corner: own("corner"),
    centre: own("centre"),
    colours: byName("colour", ([colour]) => colour),
    highlights: answer?.highlights ?? [],
    links: answer?.links ?? [],
  };
}
