// The cards of puzzles, each with a small picture of its puzzle.

import { button, drawing, drawn } from "./elements.js";
import { fromJson, sizeOf, wallsOf } from "./puzzle.js";
import EXAMPLES from "./puzzles.json" with { type: "json" }; // each has one solution

const puzzles = Object.entries(EXAMPLES).map(([name, json]) => [name, fromJson(json)]);

/** The puzzle at the beginning. */
export const [[, FIRST]] = puzzles;

/** A card for each puzzle, which calls `choose`; those with rules beyond plain sudoku only if somebody knows these. */
export function cards(knowsRules, choose) {
  return puzzles
    .filter(([, { rules }]) => knowsRules || !rules.length)
    .map(([name, puzzle]) => {
      const card = button(name, () => choose(puzzle), { className: "puzzle" });
      card.prepend(thumbnail(puzzle));
      return card;
    });
}

/** A small picture of a puzzle: its boxes or regions, and a square for each given. */
function thumbnail(puzzle) {
  const n = sizeOf(puzzle.box);
  const given = ([cell, digit]) => (digit ? [`M${(cell % n) + 0.2} ${Math.floor(cell / n) + 0.2}h.6v.6h-.6z`] : []);
  const ruled = puzzle.rules.map(({ cells }) => cells.map((name) => name.slice(1).split("c").map((at) => at - 0.5)));
  const line = (cells) => `M${cells.map(([row, column]) => `${column} ${row}`).join("L")}`;
  return drawing(
    { class: "thumbnail", viewBox: `-.2 -.2 ${n + 0.4} ${n + 0.4}` },
    drawn("path", { class: "lines", d: wallsOf(puzzle, 1) }),
    drawn("path", { class: "rules", d: ruled.map(line).join("") }),
    drawn("path", { class: "givens", d: [...puzzle.givens.entries()].flatMap(given).join("") }),
  );
}
