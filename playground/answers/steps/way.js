// The steps that lead to the digit of one cell, none of them redundant.

import { housesOf, Position } from "./position.js";
import { Walk } from "./walk.js";
import { shown } from "./shown.js";

const LOOSE = ["singles", "sets"]; // programs whose steps can be valid with other candidates too: addition decides

/** The steps that lead to a cell, explained, each in the position to which those before it lead; null if none are known. */
export async function wayTo(puzzle, cell, signal) {
  const walk = new Walk({ puzzle });
  const ends = (position) => position.digit(cell);
  await walk.upTo(Infinity, signal, ends);
  if (!ends(walk.position)) return null;
  const { scale, table } = walk;
  const start = Position.of(puzzle, []);
  const taken = spared(walk.found, (some, from = start) => replayed(from, some, table));
  return replayed(start, taken, table).map(({ found, position }) => shown(found, position, scale, table));
}

/** The steps that the last one needs, with the removals that it needs. The latest are left out first. */
function spared(found, replay) {
  let kept = found;
  for (let at = found.length - 2; at >= 0; at--) {
    if (replay(kept.slice(at + 1), kept[at].position)) kept = kept.toSpliced(at, 1);
  }
  for (const each of kept.filter(({ removed }) => removed.length > 1)) {
    for (const gone of each.removed) {
      const at = kept.findIndex((step) => step.position === each.position);
      const less = { ...kept[at], removed: kept[at].removed.filter((other) => other !== gone) };
      const fewer = kept.with(at, less);
      if (less.removed.length && replay(fewer)) kept = fewer;
    }
  }
  return kept;
}

/** Each step with the position before it, from this one on; null if one of them is not valid there. */
function replayed(position, several, table) {
  const steps = [];
  for (const each of several) {
    const found = each.placed ? single(each, position) : stands(each, position, table) && each;
    if (!found) return null;
    steps.push({ found, position });
    position = position.after(found);
  }
  return steps;
}

/** The single that places this digit here, if it is one: by the rule of the step, or by another. */
function single(step, position) {
  const [row, column, digit] = step.placed;
  const inside = housesOf(position.puzzle).filter(({ cells }) => cells.some((cell) => cell[0] === row && cell[1] === column));
  const rules = [...step.must, ["filled", row, column], ...inside.map(({ kind, number }) => ["somewhere", kind, number, digit])];
  const rule = rules.find((each) => position.held(each).length === 1);
  if (!rule || step.must.length > 1) return null;
  const { cells } = inside.find(({ kind, number }) => kind === rule[1] && number === rule[2]) ?? { cells: [] };
  const empty = cells.filter((cell) => !position.digit(cell)).length;
  const technique = rule[0] === "filled" ? "naked_single" : empty === 1 ? "full_house" : "hidden_single";
  return { ...step, technique, must: [rule] };
}

/** Whether a step that removes candidates is valid here: its pattern is the same, or its rules add up. */
function stands({ technique, must, most, removed, position: before }, position, table) {
  const same = must.every((rule) => String(position.held(rule)) === String(before.held(rule)));
  return same || (LOOSE.includes(table[technique].program) && addsUp(must, most, removed, position));
}

/**
 * Whether addition proves that candidates go. Count for each how many more rules of `most` than of
 * `must` it meets. If no count is negative, a candidate goes if its count exceeds the difference
 * between the numbers of these rules.
 */
function addsUp(must, most, removed, position) {
  const surplus = new Map();
  for (const [rules, sign] of [[most, 1], [must, -1]]) {
    for (const candidate of rules.flatMap((rule) => position.held(rule)).map(String)) {
      surplus.set(candidate, (surplus.get(candidate) ?? 0) + sign);
    }
  }
  const rank = most.length - must.length;
  return Math.min(...surplus.values()) >= 0 && removed.every((each) => (surplus.get(String(each)) ?? 0) > rank);
}
