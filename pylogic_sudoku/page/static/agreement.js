// Whether the sides agree, as far as each has listed its solutions.
//
// An answer is { solutions, stopped }: solutions are lists of digits, and `stopped` is null if these
// are all. Two that stop at a limit may rightly list different solutions, so one that has not listed
// all is asked whether it accepts those of the others.

import { counted, inFigures, listed } from "./elements.js";
import { nameOf } from "./puzzle.js";

/** For each engine, a Map of its answer by name, the solutions of others that it has not listed. */
export function unlisted(answers) {
  const all = [...answers.values()].flatMap(({ solutions }) => solutions);
  const distinct = [...new Map(all.map((each) => [String(each), each])).values()];
  return new Map(
    [...answers].map(([name, { solutions }]) => {
      const own = new Set(solutions.map(String));
      return [name, distinct.filter((each) => !own.has(String(each)))];
    }),
  );
}

/**
 * The verdict: whether they agree, in words, and the cells in which they differ. `rejected` has by
 * name the solutions of others that an engine rejects.
 */
export function verdict(answers, rejected, size) {
  const doubtful = [...rejected].filter(([, grids]) => grids.length);
  if (doubtful.length) return differing(answers, doubtful[0], size);
  const names = [...answers.keys()];
  const late = names.filter((name) => answers.get(name).stopped);
  const [first] = answers.values();
  if (!late.length) return { agree: true, text: agreement(first.solutions.length), cells: [] };
  const full = names.filter((name) => !late.includes(name));
  if (!full.length) return { agree: true, text: "Both agree so far: each accepts what the other lists.", cells: [] };
  const number = answers.get(full[0]).solutions.length;
  const finishers = listed(full);
  const more = late.find((name) => answers.get(name).stopped === "limit");
  if (more) {
    const text = `They differ: ${finishers} found ${counted(number, "solution")}, ${more} found more.`;
    return { agree: false, text, cells: [] };
  }
  const others = listed(late);
  const accepted = late.length > 1 ? "accept" : "accepts";
  const text = number
    ? `Both agree so far: ${others} did not finish, but ${accepted} the ${counted(number, "solution")} of ${finishers}.`
    : `${others} did not finish, so only ${finishers} can say that there is no solution.`;
  return { agree: true, text, cells: [] };
}

/** The verdict on numbers of solutions; each is { count, stopped }, and null stopped if these are all. */
export function verdictOnCounts(counts) {
  if (counts.size < 2) return {};
  const [full, late] = [[], []];
  for (const [name, { count, stopped }] of counts) (stopped ? late : full).push({ name, count });
  const least = Math.max(...late.map(({ count }) => count));
  const number = full[0]?.count;
  if (full.some(({ count }) => count !== number || count < least)) {
    const each = [
      ...full.map(({ name, count }) => `${name} counts ${inFigures(count)}`),
      ...late.map(({ name, count }) => `${name} at least ${inFigures(count)}`),
    ];
    return { agree: false, text: `They differ: ${listed(each)}.` };
  }
  const slow = listed(late.map(({ name }) => name));
  if (!full.length) return { text: `${slow} did not finish, so the number is not known.` };
  if (late.length) return { text: `${slow} did not finish, so the number is that of ${listed(full.map(({ name }) => name))}.` };
  return { agree: true, text: `Both agree: each counts ${counted(number, "solution")}.` };
}

/** A number of solutions in words: all that there are, unless something stopped the search. */
export function said({ count, stopped }) {
  if (stopped === "limit") return `more than ${counted(count, "solution")}`;
  const words = counted(count || "no", "solution");
  return stopped ? `${words} when its time ran out` : words;
}

function agreement(number) {
  if (!number) return "Both agree: there is no solution.";
  return number === 1 ? "Both agree: there is one solution." : `Both agree on the same ${number} solutions.`;
}

/** An engine rejects a grid: the cells in which this differs from the nearest grid of its own. */
function differing(answers, [name, [grid]], size) {
  const owner = [...answers].find(([, { solutions }]) => solutions.some((each) => String(each) === String(grid)))[0];
  const numbers = new Set([...answers.values()].map(({ solutions }) => solutions.length));
  const counts = [...answers].map(([each, { solutions }]) => `${each} has ${solutions.length || "none"}`);
  const difference = (own) => [...own.keys()].filter((cell) => own[cell] !== grid[cell]);
  const [cells = []] = answers
    .get(name)
    .solutions.map(difference)
    .sort((one, other) => one.length - other.length);
  const where = cells.length ? `, which differs in ${listed(cells.map((cell) => nameOf(cell, size)))}` : "";
  const more = numbers.size > 1 ? ` (${listed(counts)})` : "";
  const text = `They differ: ${name} rejects a solution of ${owner}${where}${more}.`;
  return { agree: false, text, cells, grid };
}
