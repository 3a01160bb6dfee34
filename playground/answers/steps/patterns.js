// Sentences for fish with fins and for almost locked sets.

import { housesOf } from "./position.js";
import { digitsIn, gone, house, where } from "./words.js";
import { cellName } from "../cells.js";
import { listed } from "../../words.js";

// --- fish ---

/** The parallel lines that rules are about: "rows 2 and 5". */
const several = (rules) => `${rules[0][1]}s ${listed(rules.map((rule) => rule[2]))}`;

function finned(step, position) {
  const digit = step.must[0][3];
  const start = `in ${several(step.must)}, ${digit} fits only in `;
  const cells = new Map(step.must.concat(step.most).map((rule) => [rule, position.held(rule).map(cellName)]));
  const cover = across(step, cells);
  const fins = step.roles.fin.map(cellName);
  const [they, one] = fins.length > 1 ? ["the fins", "one of the fins"] : ["the fin", "the fin"];
  return (
    `${start}${several(cover)}, but for ${they} ${listed(fins)}.${alone(step, cells, they, fins)} ` +
    `Either ${one} is ${digit}, or ${digit} goes from the rest of ${several(cover)}. In both cases this goes: ${gone(step.removed)}`
  );
}

/** That a house of a sashimi fish has one candidate left without the fins. */
function alone({ technique, must }, cells, they, fins) {
  if (!technique.startsWith("sashimi")) return "";
  const left = must.map((rule) => [house(rule), cells.get(rule).filter((cell) => !fins.includes(cell))]);
  return ` Without ${they}, ${listed(left.filter(([, found]) => found.length === 1).map(([where, [cell]]) => `${where} has only ${cell}`))}.`;
}

/** The lines across those of the base: the other links connect fins with what goes. */
function across({ must, most, roles }, cells) {
  const fins = roles.fin.map(cellName);
  const kind = must[0][1] === "row" ? "column" : "row";
  return most.filter((rule) => rule[1] === kind && !cells.get(rule).some((cell) => fins.includes(cell)));
}

// --- almost locked sets ---

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const setOf = (part) => `${where(part)} (${listed(digitsIn(part))})`;
const setsOf = ({ roles }) => Object.entries(roles).filter(([role]) => role.startsWith("set ")).map(([, part]) => part);
const named = (sets) => sets.map((each, at) => `set ${LETTERS[at]} is ${setOf(each)}`).join(", ");

/** The restricted digits: all their cells in one set see all their cells in the other. */
function restricted(one, other, puzzle) {
  const together = (first, second) => housesOf(puzzle).some(({ cells }) =>
    [first, second].every((each) => cells.some((cell) => cellName(cell) === cellName(each))));
  const apart = (first, second) => cellName(first) === cellName(second) || !together(first, second);
  const of = (set, digit) => set.filter((each) => each[2] === digit);
  return digitsIn(one).filter((digit) =>
    of(other, digit).length && !of(one, digit).some((first) => of(other, digit).some((second) => apart(first, second))));
}

function twoSets(step, { puzzle }) {
  const sets = setsOf(step);
  const [tie, ...more] = restricted(...sets, puzzle);
  const start = `${named(sets)}. Each has one digit more than cells. A and B do not both hold ${tie}, `;
  if (more.length) {
    return `${start}nor both ${listed(more, "or")}. So each holds one of these and all its other digits, and this goes: ${gone(step.removed)}`;
  }
  return `${start}so one of them holds all its other digits. This goes, as it sees all cells of its digit in both: ${gone(step.removed)}`;
}

const FISH = ["finned_", "sashimi_"].flatMap((kind) => ["x_wing", "swordfish", "jellyfish"].map((name) => kind + name));

export const sentences = {
  ...Object.fromEntries(FISH.map((name) => [name, finned])),
  als_xz: twoSets,
  template_set: ({ placed }) => `${cellName(placed)} is ${placed[2]}, as every way to place the missing ${placed[2]}s puts one there`,
  template_delete: ({ must, removed }) => `no way to place the missing ${must[0][3]}s puts one in any of these cells: ${gone(removed)}`,
};
