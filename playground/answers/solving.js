// Answers of either engine: solutions, their number, and whether it accepts those of the other; and candidates.

import { byClingo, possible } from "./asp.js";
import { byProlog } from "./goals.js";
import { inTime, limited, Refusal, SOLUTIONS } from "./limits.js";
import { fromText, rowsOf, sizeOf } from "../puzzle.js";

const ENGINES = { clingo: byClingo, prolog: byProlog };
const FIRST_COUNT = 1000; // solutions at first; then ten times as many, as long as there are more

/** Solutions up to `limit`; those found so far if time runs out. */
export async function solve({ puzzle, engine, limit }, signal) {
  const n = sizeOf(puzzle.box);
  const most = Math.min(limit, SOLUTIONS);
  const found = [];
  const { stopped, seconds } = await limited(signal, (within) =>
    // One more than asked for shows whether these are all.
    by(engine).solve(puzzle, most + 1, within, (cells) => found.push(cells)),
  );
  const more = found.length > most;
  return { solutions: found.slice(0, most).map((cells) => rowsOf(cells, n)), stopped: more ? "limit" : stopped, seconds };
}

/**
 * The number of solutions up to `limit`. No engine says how far it has come, so it counts to a
 * thousand, to ten thousand and so on; if time runs out, the last number that it reached is the answer.
 */
export async function count({ puzzle, engine, limit }, signal) {
  let number = 0;
  const { stopped, seconds } = await limited(signal, async (within) => {
    for (let most = Math.min(limit, FIRST_COUNT), all = false; !all; most = Math.min(limit, most * 10)) {
      number = await by(engine).count(puzzle, most + 1, within);
      all = number <= most || most === limit;
    }
  });
  return { count: Math.min(number, limit), stopped: number > limit ? "limit" : stopped, seconds };
}

/** Those of the full grids that the engine rejects; they are solutions of the other engine. */
export async function confirm({ puzzle, engine, grids }, signal) {
  const full = grids.map((rows) => rows.flat());
  const kept = (cells) => puzzle.givens.every((given, cell) => !given || given === cells[cell]);
  const accepted = new Set();
  const accept = (cells) => accepted.add(String(cells));
  await inTime(signal, (within) => by(engine).confirm(puzzle, full.filter(kept), within, accept), engine);
  return { rejected: grids.filter((_, index) => !accepted.has(String(full[index]))) };
}

/** For every cell the digits that it has in some solution. */
export async function candidates({ puzzle }, signal) {
  const cells = await inTime(signal, (within) => possible(puzzle, within));
  return { candidates: rowsOf(cells, sizeOf(puzzle.box)) };
}

function by(engine) {
  if (engine in ENGINES) return ENGINES[engine];
  throw new Refusal(`There is no engine ${engine} here; choose clingo or prolog.`);
}

// The browser compiles the code of an engine as it first runs. A small puzzle makes it do
// so before the first question comes.
const { puzzle: small } = fromText("2x2,1...............");
for (const engine of Object.keys(ENGINES)) {
  const { signal } = new AbortController();
  solve({ puzzle: small, engine, limit: 1 }, signal).catch(() => {}); // the first question will fail, too
}
