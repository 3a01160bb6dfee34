// How hard steps and puzzles are, on the scale of HoDoKu. The numbers come from
// pylogic_sudoku/techniques/, which also says how they are combined.

/** The scale, by the tables of programs.json. */
export function scaleOf({ table, levels }) {
  return {
    order: Object.keys(table),
    names: Object.keys(levels),
    weight: ({ technique }) => table[technique].weight,
    level: ({ technique }) => table[technique].level,
    upTo: (number, from) => Object.keys(levels).slice(from).find((level) => number <= (levels[level] ?? Infinity)),
  };
}

/** The rating of a puzzle that these explained steps solve. */
export function rated(steps, { names, upTo }) {
  const weights = steps.map(({ explanation }) => explanation.weight);
  const number = weights.reduce((one, other) => one + other, 0);
  const hardest = steps[weights.indexOf(Math.max(...weights))]?.explanation.technique ?? null;
  const from = Math.max(0, ...steps.map(({ explanation }) => names.indexOf(explanation.level)));
  return { level: upTo(number, from), number, hardest };
}
