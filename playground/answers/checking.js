// Whether the digits that a person has filled in are right, and which are wrong.

import { answers, possible } from "./asp.js";
import { limited, Refusal } from "./limits.js";
import { cellOf, nameOf, sizeOf } from "../puzzle.js";

/** The verdict, and the cells that are wrong, clash, or lack their digit. A digit of some solution is never called wrong. */
export async function check({ puzzle, entries, removed = [] }, signal) {
  const found = { verdict: "unknown", wrong: [], clash: [], needed: [] };
  const filled = filledOf(puzzle, entries.flat());
  const { stopped } = await limited(signal, (within) => judge(found, puzzle, filled, removed, within));
  return { ...found, stopped };
}

/** The digits in cells without a given, each as { cell, digit } with the name of its cell. */
function filledOf({ givens, box }, digits) {
  if (digits.length !== givens.length) throw new Refusal("The entries do not fit the puzzle.");
  return digits.flatMap((digit, cell) => (digit && !givens[cell] ? [{ cell: nameOf(cell, sizeOf(box)), digit }] : []));
}

/** Write each result into `found` as soon as it is known, so that it is there if time runs out. */
async function judge(found, puzzle, filled, removed, signal) {
  const fact = ({ cell, digit }) => `initial(${cell.slice(1).replace("c", ",")},${digit}).`;
  const solutions = (entries, models) => answers(puzzle, { more: entries.map(fact).join("\n"), models }, signal);
  const stands = async (entries) => (await solutions(entries, 1)).length > 0;
  const names = (entries) => entries.map(({ cell }) => cell);
  const digitsAt = (cells, { cell }) => cells[cellOf(cell, sizeOf(puzzle.box))];
  if (await stands(filled)) {
    const whole = puzzle.givens.filter(Boolean).length + filled.length === puzzle.givens.length;
    found.verdict = whole ? "solved" : "right";
    if (!removed.length) return;
    const allowed = await possible(puzzle, signal);
    found.needed = removed.filter((each) => String(digitsAt(allowed, each)) === String(each.digit)); // no other is
    return;
  }
  found.verdict = "impossible";
  const several = await solutions([], 2);
  found.verdict = ["none", "wrong", "several"][several.length];
  if (!several.length) return;
  const allowed = await possible(puzzle, signal);
  found.wrong = names(filled.filter((each) => !digitsAt(allowed, each).includes(each.digit)));
  if (!found.wrong.length) found.clash = names(await minimal(filled, async (some) => !(await stands(some))));
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
