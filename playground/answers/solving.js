// Solutions, their number, and what is left for each cell: each question by the engine that is asked.

import { candidatesOf, gridOf, facts, shapeOptions, whole } from "./asp.js";
import { clingo, prolog } from "./engines.js";
import { solutions } from "./goals.js";
import { limited, SOLUTIONS, TIMEOUT } from "./limits.js";
import { Refusal } from "./refusal.js";
import { rowsOf, sizeOf } from "../puzzle.js";

/** Solutions up to `limit`; those found so far if time runs out. */
export async function solve({ puzzle, engine, limit }, signal) {
  const n = sizeOf(puzzle.box);
  const found = [];
  const { stopped, seconds } = await limited(signal, (within) =>
    // One more than asked for shows whether these are all.
    searches(engine)(puzzle, Math.min(limit, SOLUTIONS) + 1, within, (cells) => found.push(cells)),
  );
  const more = found.length > limit;
  return { solutions: found.slice(0, limit).map((cells) => rowsOf(cells, n)), stopped: more ? "limit" : stopped, seconds };
}

/** The number of solutions up to `limit`. */
export async function count({ puzzle, engine, limit }, signal) {
  let number = 0;
  const { stopped } = await limited(signal, (within) => searches(engine)(puzzle, limit + 1, within, () => number++));
  return { count: Math.min(number, limit), stopped: number > limit ? "limit" : stopped };
}

/** Those of the full grids that the engine rejects; they are solutions of the other engine. */
export async function confirm({ puzzle, engine, grids }, signal) {
  const full = grids.map((rows) => rows.flat());
  const kept = (cells) => puzzle.givens.every((given, cell) => !given || given === cells[cell]);
  const accepted = new Set();
  await limited(signal, async (within) => {
    for (const cells of full.filter(kept)) {
      await searches(engine)(puzzle, 1, within, (found) => accepted.add(String(found)), cells);
    }
    return { seconds: 0 };
  });
  return { rejected: grids.filter((_, index) => !accepted.has(String(full[index]))) };
}

/** For every cell the digits that it has in some solution: the union of all answer sets. */
export async function candidates({ puzzle }, signal) {
  const n = sizeOf(puzzle.box);
  let union = [];
  const { stopped } = await limited(signal, async (within) => {
    const { text } = await whole(["sudoku.lp"]);
    const request = { program: `${text}\n${facts(puzzle)}`, models: 0 };
    const options = [...shapeOptions(puzzle), "--enum-mode=brave"];
    return clingo.ask({ ...request, options }, { signal: within, each: (atoms) => (union = atoms) });
  });
  if (stopped) throw new Error(`clingo did not finish in ${TIMEOUT} s.`);
  return { candidates: rowsOf(candidatesOf(union, n), n) };
}

function searches(engine) {
  const found = { clingo: byClingo, prolog: byProlog }[engine];
  if (found) return found;
  throw new Refusal(`There is no engine ${engine} here; choose clingo or prolog.`);
}

async function byClingo(puzzle, models, signal, each, cells) {
  const n = sizeOf(puzzle.box);
  const { text } = await whole(["sudoku.lp"]);
  const request = { program: `${text}\n${facts(puzzle, cells)}`, models, options: shapeOptions(puzzle) };
  return clingo.ask(request, { signal, each: (atoms) => each(gridOf(atoms, n)) });
}

const byProlog = (puzzle, models, signal, each, cells) =>
  prolog.ask({ ...solutions(puzzle, cells), models }, { signal, each: ({ A }) => each(A) });
