// A clingo of its own for steps and reasons: their many questions do not keep a solution waiting.

import { argumentsOf, gridOf, shapeOptions, whole } from "./asp.js";
import { Engine } from "./engine.js";
import { sizeOf } from "../puzzle.js";

let engine = null;

/** The answer sets of programs and `more`, each a list of atoms; in the order in which they are found. */
export async function answers(puzzle, names, { more = "", models = 0, options = [] }, signal) {
  engine ??= new Engine(new URL("clingo-worker.js", import.meta.url), { type: "module" });
  const { text } = await whole(names);
  const found = [];
  const request = { program: `${text}\n${more}`, models, options: [...shapeOptions(puzzle), ...options] };
  await engine.ask(request, { signal, each: (atoms) => found.push(atoms) });
  return found;
}

/** The digits of one solution by `sudoku.lp` and these facts, cell by cell; null if there is none. */
export async function solution(puzzle, more, signal) {
  const [atoms] = await answers(puzzle, ["sudoku.lp"], { more, models: 1 }, signal);
  return atoms ? gridOf(atoms, sizeOf(puzzle.box)) : null;
}

/** Every [row, column, digit] of some solution by `sudoku.lp` and these facts; none if there is none. */
export async function possible(puzzle, more, signal) {
  const found = await answers(puzzle, ["sudoku.lp"], { more, options: ["--enum-mode=brave"] }, signal);
  return argumentsOf(found.at(-1) ?? [], "sudoku");
}
