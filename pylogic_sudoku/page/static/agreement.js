// Whether the sides agree, as far as each has listed its solutions.
//
// An answer is { solutions, stopped }: solutions are lists of digits, and `stopped` is null if these
// are all. Two that stop at a limit may rightly list different solutions, so one that has not listed
// all is asked whether it accepts those of the others.

import { counted, inFigures, listed } from "./elements.js";
import { nameOf } from "./puzzle.js";

/** For each of those who answered, the solutions of the others that it has not listed; `keyOf` tells solutions apart. */
export function unlisted(all, keyOf) {
  const distinct = new Map(all.flatMap(({ solutions }) => solutions).map((each) => [keyOf(each), each]));
  return new Map(
    all.map((each) => {
      const own = new Set(each.solutions.map(keyOf));
      return [each, [...distinct].filter(([key]) => !own.has(key)).map(([, solution]) => solution)];
    }),
  );
}

/**
 * The verdict on a sudoku: whether they agree, in words, and the cells in which they differ. `rejected` has for each
 * the solutions of others that it rejects, or null if nobody can ask it.
 */
export function verdict(all, rejected, size) {
  const doubtful = [...rejected].find(([, grids]) => grids?.length);
  if (doubtful) return differing(all, doubtful, size);
  return verdictOnCounts(all.map(({ name, solutions, stopped }) => ({ name, count: solutions.length, stopped })));
}

/**
 * The verdict on numbers of solutions, or of something else; each is { name, count, stopped }, and null stopped if these
 * are all. `more` is about them all.
 */
export function verdictOnCounts(counts, word = "solution", more = "") {
  if (counts.length < 2) return {};
  const [full, late] = [[], []];
  for (const { name, count, stopped } of counts) {
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
  const found = counted(number || "no", word);
  if (late.length) return { agree: true, text: `Both agree so far: ${names(late)} did not finish, ${names(full)} found ${found}${more}.` };
  const there = number > 1 ? `are ${counted(number, word)}` : `is ${number ? "one" : "no"} ${word}`;
  return { agree: true, text: `Both agree: there ${there}${more}.` };
}

/** The verdict on two that have not listed all. */
const SO_FAR = { agree: true, text: "Both agree so far: each accepts what the other lists." };

/** A number of solutions, or of something else, in words: all that there are, unless something stopped the search. `one` stands for 1. */
export function said({ count, stopped }, word = "solution", one = "1") {
  if (stopped === "limit") return `more than ${counted(count, word)}`;
  const words = count === 1 ? `${one} ${word}` : counted(count || "no", word);
  return stopped ? `${words} when its time ran out` : words;
}

/** An engine rejects a grid: the cells in which this differs from the nearest grid of its own. */
function differing(all, [{ name, solutions: own }, [grid]], size) {
  const owner = all.find(({ solutions }) => solutions.some((each) => String(each) === String(grid))).name;
  const counts = all.map(({ name: each, solutions }) => `${each} has ${solutions.length || "none"}`);
  const difference = (one) => [...one.keys()].filter((cell) => one[cell] !== grid[cell]);
  const [cells = []] = own.map(difference).sort((one, other) => one.length - other.length);
  const where = cells.length ? `, which differs in ${listed(cells.map((cell) => nameOf(cell, size)))}` : "";
  const text = `They differ: ${name} rejects a solution of ${owner}${where} (${listed(counts)}).`;
  return { agree: false, text, cells, grid };
}
