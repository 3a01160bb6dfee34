// How hard steps and puzzles are, on the scale of HoDoKu or of Sudoku Explainer. The numbers come
// from pylogic_sudoku/techniques/, which also says how they are combined.

import { housesOf } from "./position.js";

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** The scale of this name, by the tables of programs.json. */
export function scaleOf(name, techniques) {
  const keys = Object.keys(techniques.table);
  const { least, levels } = techniques.scales[name];
  const rated = (found, position) => rating(found, position, techniques);
  const upTo = (number, from = 0) => Object.keys(levels).slice(from).find((level) => number <= (levels[level] ?? Infinity));
  if (name === "se") {
    return { name, least, rank: rated, weight: rated, level: (_, number) => upTo(number), whole: (all) => Math.max(0, ...all), upTo };
  }
  return {
    name,
    least,
    rank: ({ technique }) => keys.indexOf(technique),
    weight: ({ technique }) => techniques.table[technique].weight,
    level: ({ technique }) => techniques.table[technique].level,
    whole: sum,
    upTo,
  };
}

/** The rating of a puzzle that these explained steps solve. */
export function rated(steps, scale, techniques) {
  const names = Object.keys(techniques.scales[scale.name].levels);
  const weights = steps.map(({ explanation }) => explanation.weight);
  const number = scale.whole(weights);
  const hardest = steps[weights.indexOf(Math.max(...weights))]?.explanation.technique ?? null;
  const from = Math.max(0, ...steps.map(({ explanation }) => names.indexOf(explanation.level)));
  return { level: scale.upTo(number, from), number, hardest };
}

// --- Sudoku Explainer ---

function rating(found, position, { table, direct, both, byLength, mixed }) {
  const { technique, must, chain, roles } = found;
  const least = table[technique].se;
  if (technique === "hidden_single") return ["row", "column"].includes(must[0][1]) ? 1.5 : least;
  if (technique in direct) return placesAtOnce(found, position) ? direct[technique] : least;
  if (technique === "unique_rectangle_3") {
    const subset = new Set((roles.subset ?? []).map(([row, column]) => `${row},${column}`));
    return tenths(least + 0.1 * Math.max(subset.size - 1, 0));
  }
  if (byLength.includes(technique)) return longer(least, chain.length);
  if (mixed.includes(technique)) return longer(oneKind(chain) ? least : both, chain.length);
  return least;
}

const tenths = (number) => Math.round(number * 10) / 10;

/** A tenth more for each of 4, 6, 8, 12, 16, 24 … nodes that are exceeded. */
function longer(least, length) {
  let classes = 0;
  for (let limit = 4; length > limit; limit += Math.floor(limit / (classes % 2 ? 2 : 3))) classes++;
  return tenths(least + classes / 10);
}

/** Whether a chain is about one digit, or its strong links are cells. */
function oneKind(chain) {
  const strong = chain.slice(0, -1).filter((_, at) => at % 2 === 0).map((node, at) => [...node, ...chain[2 * at + 1]]);
  const cells = (pair) => new Set(pair.map(([row, column]) => `${row},${column}`)).size;
  return new Set(chain.flat().map(([, , digit]) => digit)).size === 1 || strong.every((pair) => cells(pair) === 1);
}

/** Whether, after the step, one of its digits has one place in one of the houses concerned. */
function placesAtOnce({ technique, must, removed }, position) {
  const gone = new Set(removed.map(String));
  const own = technique.startsWith("hidden") ? must[0] : null;
  const houses = housesOf(position.puzzle).filter(({ kind, number }) => !own || (own[1] === kind && own[2] === number));
  return houses.some(({ kind, number, cells }) =>
    removed.some(([row, column, digit]) => {
      const inside = cells.some((cell) => cell[0] === row && cell[1] === column);
      return inside && position.held(["somewhere", kind, number, digit]).filter((each) => !gone.has(String(each))).length === 1;
    }),
  );
}
