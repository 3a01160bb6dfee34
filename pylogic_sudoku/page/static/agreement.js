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
  const doubtful = [...rejected].find(([, grids]) => grids.length);
  if (doubtful) return differing(answers, doubtful, size);
  return verdictOnCounts(new Map([...answers].map(([name, { solutions, stopped }]) => [name, { count: solutions.length, stopped }])));
}

/** The verdict on numbers of solutions; each is { count, stopped }, and null stopped if these are all. */
export function verdictOnCounts(counts) {
  if (counts.size < 2) return {};
  const [full, late] = [[], []];
  for (const [name, { count, stopped }] of counts) {
    if (stopped) late.push({ name, count: count + (stopped === "limit") }); // at the limit it has seen one more
    else full.push({ name, count });
  }
  const number = full[0]?.count;
  if (full.some(({ count }) => count !== number) || late.some(({ count }) => count > number)) {
    const each = [
      ...full.map(({ name, count }) => `${name} counts ${inFigures(count)}`),
      ...late.map(({ name, count }) => `${name} at least ${inFigures(count)}`),
    ];
    return { agree: false, text: `They differ: ${listed(each)}.` };
  }
  if (!full.length) return SO_FAR;
  const names = (some) => listed(some.map(({ name }) => name));
  const found = counted(number || "no", "solution");
  if (!late.length) return agreed(number, "solution");
  return { agree: true, text: `Both agree so far: ${names(late)} did not finish, ${names(full)} found ${found}.` };
}

/** The verdict on two that have not listed all. */
export const SO_FAR = { agree: true, text: "Both agree so far: each accepts what the other lists." };

/** The verdict on two that have listed all: this number of solutions, or of something else, and `more` about them. */
export function agreed(number, word, more = "") {
  const all = number > 1 ? `are ${counted(number, word)}` : `is ${number ? "one" : "no"} ${word}`;
  return { agree: true, text: `Both agree: there ${all}${more}.` };
}

/** A number of solutions, or of something else, in words: all that there are, unless something stopped the search. */
export function said({ count, stopped }, word = "solution") {
  if (stopped === "limit") return `more than ${counted(count, word)}`;
  const words = counted(count || "no", word);
  return stopped ? `${words} when its time ran out` : words;
}

/** An engine rejects a grid: the cells in which this differs from the nearest grid of its own. */
function differing(answers, [name, [grid]], size) {
  const owner = [...answers].find(([, { solutions }]) => solutions.some((each) => String(each) === String(grid)))[0];
  const counts = [...answers].map(([each, { solutions }]) => `${each} has ${solutions.length || "none"}`);
  const difference = (own) => [...own.keys()].filter((cell) => own[cell] !== grid[cell]);
  const [cells = []] = answers
    .get(name)
    .solutions.map(difference)
    .sort((one, other) => one.length - other.length);
  const where = cells.length ? `, which differs in ${listed(cells.map((cell) => nameOf(cell, size)))}` : "";
  const text = `They differ: ${name} rejects a solution of ${owner}${where} (${listed(counts)}).`;
  return { agree: false, text, cells, grid };
}
