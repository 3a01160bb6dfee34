// A clingo of its own for candidates and Check: their questions do not keep a solution waiting.

import { placed, shapeOptions, whole } from "./asp.js";
import { Engine } from "./engine.js";

let engine = null;

/** The answer sets of `sudoku.lp` and `more`, each a list of atoms; in the order in which they are found. */
export async function answers(puzzle, { more, models = 0, options = [] }, signal) {
  engine ??= new Engine(new URL("clingo-worker.js", import.meta.url), { type: "module" });
  const { text } = await whole();
  const found = [];
  const request = { program: `${text}\n${more}`, models, options: [...shapeOptions(puzzle), ...options] };
  await engine.ask(request, { signal, each: (atoms) => found.push(atoms) });
  return found;
}

/** Every [row, column, digit] of some solution that has these facts; none if there is none. */
export async function possible(puzzle, more, signal) {
  const found = await answers(puzzle, { more, options: ["--enum-mode=brave"] }, signal);
  return placed(found.at(-1) ?? []);
}
