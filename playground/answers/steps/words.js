// Words for the parts of steps.

import { meeting } from "./position.js";
import { cellName } from "../cells.js";
import { listed } from "../../words.js";

export const unique = (all) => [...new Set(all)];

/** The cells of placements, each once. */
export const where = (placements, word = "and") => listed(unique(placements.map(cellName)), word);

/** The digits of placements, each once. */
export const digitsIn = (placements) => unique(placements.map(([, , digit]) => digit)).sort((one, other) => one - other);

export const house = ([, kind, number]) => `${kind} ${number}`;

/** What goes from where: 2 from r3c7 and r3c9; 2 and 5 from r3c8. */
export function gone(removed) {
  const byCell = Map.groupBy(removed, cellName);
  const byDigits = Map.groupBy(byCell, ([, several]) => listed(several.map(([, , digit]) => digit)));
  return [...byDigits].map(([digits, cells]) => `${digits} from ${listed(cells.map(([cell]) => cell))}`).join("; ");
}

/** "an 8": 8, 11 and 18 begin with a vowel. */
export const a = (digit) => `${[8, 11, 18].includes(digit) ? "an" : "a"} ${digit}`;

/** The first of these rules that all of the candidates meet. */
export const ruleOf = (rules, candidates, puzzle) =>
  rules.find((rule) => {
    const met = new Set(meeting(rule, puzzle).map(String));
    return candidates.every((candidate) => met.has(String(candidate)));
  });
