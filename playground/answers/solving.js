// Answers of the engines: solutions, their number, and whether one accepts those of the other; candidates; and
// what an engine at work knows and does.

import { byClingo, possible } from "./asp.js";
import { programNamed } from "./engines.js";
import { byProlog } from "./goals.js";
import { EVENTS, inTime, limited, Refusal, SOLUTIONS } from "./limits.js";
import { fromText, rowsOf, sizeOf } from "../puzzle.js";

const ENGINES = { clingo: byClingo, prolog: byProlog };

/** Solutions up to `limit`; those found so far if time runs out. */
export async function solve({ puzzle, engine, limit }, signal) {
  const n = sizeOf(puzzle.box);
  const [own, program] = await by(engine);
  const most = Math.min(limit, SOLUTIONS);
  const found = [];
  let first = null;
  const start = performance.now();
  const each = (cells) => {
    first ??= (performance.now() - start) / 1000;
    found.push(cells);
  };
  // One more than asked for shows whether these are all.
  const { stopped, seconds } = await limited(signal, (within) => own.solve(program, puzzle, most + 1, within, each));
  const more = found.length > most;
  const solutions = found.slice(0, most).map((cells) => rowsOf(cells, n));
  // The engine may have had to load, which is not among its seconds.
  return { solutions, stopped: more ? "limit" : stopped, seconds, first: first && Math.min(first, seconds) };
}

/** The number of solutions up to `limit`; 0 if time runs out, as no engine says how far it has come. */
export async function count({ puzzle, engine, limit }, signal) {
  const [own, program] = await by(engine);
  const counted = async (within) => ({ number: await own.count(program, puzzle, limit + 1, within) });
  const { number = 0, stopped, seconds } = await limited(signal, counted);
  return { count: Math.min(number, limit), stopped: number > limit ? "limit" : stopped, seconds };
}

/** Those of the full grids that the engine rejects; they are solutions of the other engine. */
export async function confirm({ puzzle, engine, solutions }, signal) {
  const full = solutions.map((rows) => rows.flat());
  const kept = (cells) => puzzle.givens.every((given, cell) => !given || given === cells[cell]);
  const [own, program] = await by(engine);
  const accepted = new Set();
  const accept = (cells) => accepted.add(String(cells));
  await inTime(signal, (within) => own.confirm(program, puzzle, full.filter(kept), within, accept), engine);
  return { rejected: solutions.filter((_, index) => !accepted.has(String(full[index]))) };
}

/** For every cell the digits that it has in some solution. */
export async function candidates({ puzzle }, signal) {
  const cells = await inTime(signal, (within) => possible(puzzle, within));
  return { candidates: rowsOf(cells, sizeOf(puzzle.box)) };
}

/** What asks an engine, and the program that it is to run. */
async function by(name) {
  const program = await programNamed(name);
  return [ENGINES[program.engine], program];
}

// --- an engine at work --------------------------------------------------------------------------

/** The work for the first solution, set-up apart from search, and the seconds of all. */
export async function measure({ puzzle, engine }, signal) {
  const [own, program] = await by(engine);
  const start = performance.now();
  const work = await inTime(signal, (within) => own.measure(program, puzzle, within), engine);
  return { seconds: (performance.now() - start) / 1000, ...work };
}

/** For every cell the digits that propagation leaves; null if it finds a contradiction. */
export async function propagate({ puzzle, engine }, signal) {
  const [own, program] = await seen(engine);
  const { seconds, left } = await limited(signal, async (within) => ({ left: await own.propagate(program, puzzle, within) }));
  return { candidates: left && rowsOf(left, sizeOf(puzzle.box)), seconds };
}

/** The search for one solution as events, and how many there are. */
export async function trace({ puzzle, engine, limit = EVENTS }, signal) {
  const [own, program] = await seen(engine);
  return inTime(signal, (within) => own.trace(program, puzzle, limit, within), engine);
}

/** The same for an engine whose work can be seen: clingo in a browser shows nothing but answers. */
async function seen(name) {
  const [own, program] = await by(name);
  if (own.trace) return [own, program];
  throw new Refusal("In a browser clingo shows its answers alone; the page of pylogic-sudoku serve shows what it knows and how it searches.");
}

// --- the start ----------------------------------------------------------------------------------

// The browser compiles the code of an engine as it first runs. A small puzzle makes it do
// so before the first question comes.
const { puzzle: small } = fromText("2x2,1...............");
for (const engine of Object.keys(ENGINES)) {
  const { signal } = new AbortController();
  solve({ puzzle: small, engine, limit: 1 }, signal).catch(() => {}); // the first question will fail, too
}
