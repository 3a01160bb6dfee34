// Whether the digits that a person has filled in are right, and which are wrong.

import { facts } from "./asp.js";
import { cellName, json, placementsIn, placementsOf } from "./cells.js";
import { answers, possible } from "./checker.js";
import { limited } from "./limits.js";
import { Refusal } from "./refusal.js";
import { sizeOf } from "../puzzle.js";

/** The verdict, and the cells that are wrong, clash, or lack their digit. A digit of some solution is never called wrong. */
export async function check({ puzzle, entries, removed = [] }, signal) {
  const found = { verdict: "unknown", wrong: [], clash: [], needed: [] };
  const { stopped } = await limited(signal, (within) =>
    judge(found, puzzle, filledOf(puzzle, entries.flat()), placementsOf(removed), within),
  );
  return { ...found, wrong: found.wrong.map(cellName), clash: found.clash.map(cellName), needed: json(found.needed), stopped };
}

/** The digits in cells without a given. */
function filledOf(puzzle, cells) {
  const n = sizeOf(puzzle.box);
  if (cells.length !== n * n) throw new Refusal("The entries do not fit the puzzle.");
  return placementsIn(cells.map((digit, cell) => (puzzle.givens[cell] ? 0 : digit)), n);
}

/** Write each result into `found` as soon as it is known, so that it is there if time runs out. */
async function judge(found, puzzle, filled, removed, signal) {
  const given = facts(puzzle);
  const solutions = (entries, models) =>
    answers(puzzle, { more: [given, ...entries.map((each) => `initial(${each}).`)].join("\n"), models }, signal);
  const stands = async (entries) => (await solutions(entries, 1)).length > 0;
  if (await stands(filled)) {
    const whole = puzzle.givens.filter(Boolean).length + filled.length === puzzle.givens.length;
    found.verdict = whole ? "solved" : "right";
    if (removed.length) found.needed = withoutAlternative(removed, await possible(puzzle, given, signal));
    return;
  }
  found.verdict = "impossible";
  const several = await solutions([], 2);
  found.verdict = ["none", "wrong", "several"][several.length];
  if (!several.length) return;
  const allowed = new Set((await possible(puzzle, given, signal)).map(String));
  found.wrong = filled.filter((each) => !allowed.has(String(each)));
  if (!found.wrong.length) found.clash = await minimal(filled, async (some) => !(await stands(some)));
}

/** The removed candidates that every solution has. */
function withoutAlternative(removed, allowed) {
  const digits = Map.groupBy(allowed, cellName);
  return removed.filter((each) => digits.get(cellName(each)).length === 1 && digits.get(cellName(each))[0][2] === each[2]);
}

/**
 * A part of the list for which `holds` is true, and false without any one of its members. It must be
 * true of the whole list, and more members must never make it false. The last members are left out
 * first, several at a time.
 */
async function minimal(all, holds) {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size; size = Math.floor(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = [...kept.slice(0, Math.max(end - size, 0)), ...kept.slice(end)];
      if (await holds(fewer)) kept = fewer;
    }
  }
  return kept;
}
