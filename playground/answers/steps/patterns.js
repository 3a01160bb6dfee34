// Sentences for fish with fins, for techniques that assume one solution, and for almost locked sets.

import { housesOf } from "./position.js";
import { digitsIn, gone, house, unique, where } from "./words.js";
import { cellName } from "../cells.js";
import { listed } from "../../words.js";

// --- fish ---

/** The houses of any kinds that rules are about: "rows 2 and 5 and box 9". */
function several(rules) {
  const numbers = Map.groupBy(rules, ([, kind]) => kind);
  const kinds = unique(["row", "column", ...numbers.keys()]).filter((kind) => numbers.has(kind));
  const named = (kind, { length }) => (length === 1 ? kind : kind === "box" ? "boxes" : `${kind}s`);
  return listed(kinds.map((kind) => `${named(kind, numbers.get(kind))} ${listed(numbers.get(kind).map((rule) => rule[2]))}`));
}

function finned(step, position) {
  const digit = step.must[0][3];
  const start = `in ${several(step.must)}, ${digit} fits only in `;
  const cells = new Map(step.must.concat(step.most).map((rule) => [rule, position.held(rule).map(cellName)]));
  const { base, cover } = sides(step, cells);
  if (!Object.keys(step.roles).length) {
    const twice = step.removed.map(cellName).filter((cell) => base.includes(cell));
    const also = twice.length ? `. ${listed(twice)} would use up two of these houses at once` : "";
    return `${start}${several(cover)}, so it goes from the rest of these: ${gone(step.removed)}${also}`;
  }
  const fins = Object.values(step.roles).flat().map(cellName);
  const [they, one] = fins.length > 1 ? ["the fins", "one of the fins"] : ["the fin", "the fin"];
  return (
    `${start}${several(cover)}, but for ${they} ${listed(fins)}.${endo(step, cells)}${alone(step, cells, they, fins)} ` +
    `Either ${one} is ${digit}, or ${digit} goes from the rest of ${several(cover)}. In both cases this goes: ${gone(step.removed)}`
  );
}

/** Why a candidate is a fin, though it may be in the cover. */
function endo({ must, roles }, cells) {
  return unique((roles["endo fin"] ?? []).map(cellName)).map((cell) => {
    const both = must.filter((rule) => cells.get(rule).includes(cell)).map((rule) => `in ${house(rule)}`);
    return ` ${cell} counts as one, as it is ${listed(both)}.`;
  }).join("");
}

/** That a house of a sashimi fish has one candidate left without the fins. */
function alone({ technique, must }, cells, they, fins) {
  if (!technique.startsWith("sashimi")) return "";
  const left = must.map((rule) => [house(rule), cells.get(rule).filter((cell) => !fins.includes(cell))]);
  return ` Without ${they}, ${listed(left.filter(([, found]) => found.length === 1).map(([where, [cell]]) => `${where} has only ${cell}`))}.`;
}

/** The cells of the base, and the cover: the other links connect fins with what goes. */
function sides({ must, most, removed, roles }, cells) {
  const base = must.flatMap((rule) => cells.get(rule));
  const fins = Object.values(roles).flat().map(cellName);
  const outside = (roles.fin ?? []).map(cellName);
  const cover = choices(most, must.length).find((rules) => {
    const covered = rules.flatMap((rule) => cells.get(rule));
    const times = (cell) => covered.filter((each) => each === cell).length;
    const enough = removed.map(cellName).every((cell) => times(cell) > Number(base.includes(cell)));
    return enough && base.every((cell) => fins.includes(cell) || times(cell)) && !outside.some(times);
  });
  return { base, cover };
}

/** Every choice of so many of these, in order. */
function choices([first, ...rest], number) {
  if (!number) return [[]];
  if (first === undefined) return [];
  return [...choices(rest, number - 1).map((more) => [first, ...more]), ...choices(rest, number)];
}

// --- techniques that assume one solution ---

const extra = ({ roles }) => roles.extra ?? [];
const roof = (step) => unique(extra(step).map(cellName));
const third = (step) => listed(digitsIn(extra(step)), "or");
const strong = ({ must }) => must.filter(([name]) => name === "somewhere");

const danger = ({ roles: { rectangle } }, only = " only") =>
  `if ${where(rectangle)} held${only} ${listed(digitsIn(rectangle))}, these could be swapped, and there would be two solutions`;

function sees(step) {
  const one = unique(step.removed.map(cellName)).length === 1;
  return `${one ? "sees" : "see"} ${roof(step).length === 2 ? "both" : "all of them"}`;
}

const oneMore = (step) => `${danger(step)}; so ${roof(step)[0]} is ${third(step)}, and this goes: ${gone(step.removed)}`;

const oneOfThese = (step) =>
  `${danger(step)}; so ${listed(roof(step), "or")} is ${third(step)}, which goes from ${where(step.removed)}, which ${sees(step)}`;

function withSubset(step, { puzzle }) {
  const { subset } = step.roles;
  const together = unique([...roof(step), ...subset.map(cellName)]);
  const inside = housesOf(puzzle).filter(({ cells }) => together.every((cell) => cells.map(cellName).includes(cell)));
  return (
    `${danger(step)}; so ${listed(roof(step), "or")} is ${third(step)}. In ${listed(inside.map(({ kind, number }) => `${kind} ${number}`))}, ` +
    `that cell and ${where(subset)} use up ${listed(digitsIn([...subset, ...extra(step)]))}, so these go from other cells: ${gone(step.removed)}`
  );
}

function onlyPlaces(step) {
  const [rule] = strong(step);
  return (
    `${danger(step)}. In ${house(rule)}, ${rule[3]} fits only in ${listed(roof(step), "or")}, ` +
    `so neither of them is ${step.removed[0][2]}: ${gone(step.removed)}`
  );
}

function crossed(step) {
  const [one, other] = strong(step);
  const [first, second] = roof(step);
  const rest = digitsIn(step.roles.rectangle).find((digit) => digit !== one[3]);
  return (
    `${danger(step)}. In ${house(one)} and ${house(other)}, ${one[3]} fits only in these cells, so ${first} and ${second} ` +
    `are both ${one[3]}, or neither is. With both, the others would be ${rest}; so neither is ${one[3]}: ${gone(step.removed)}`
  );
}

function hiddenRectangle(step) {
  const [one, other] = strong(step);
  const [removed] = step.removed;
  return (
    `${danger(step)}. In ${house(one)} and ${house(other)}, ${one[3]} fits only in these cells. With ${removed[2]} in ${cellName(removed)}, ` +
    `both corners beside it would be ${one[3]}, and the opposite one ${removed[2]}; so ${removed[2]} goes from ${cellName(removed)}`
  );
}

function avoidable(step, position) {
  const filled = step.roles.rectangle.filter((each) => position.digit(each)).map(cellName);
  const so = extra(step).length
    ? `${listed(roof(step), "or")} is ${third(step)}, which goes from ${where(step.removed)}, which ${sees(step)}`
    : `this goes: ${gone(step.removed)}`;
  return `${listed(filled)} are not given; ${danger(step, "")}; so ${so}`;
}

function grave(step) {
  const [each] = extra(step);
  return (
    `without ${each[2]} in ${cellName(each)}, each cell would have two candidates and each digit two places in its houses; ` +
    `all could be swapped, and there would be two solutions. So ${cellName(each)} is ${each[2]}, and this goes: ${gone(step.removed)}`
  );
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

function chainOfSets(step, { puzzle }) {
  const sets = setsOf(step);
  const ties = path(step, sets, puzzle).map((digit, at) => `${LETTERS[at]} and ${LETTERS[at + 1]} do not both hold ${digit}`);
  return (
    `${named(sets)}. Each has one digit more than cells. ${ties.join("; ")}. So A or ${LETTERS[sets.length - 1]} ` +
    `holds all its other digits, and this goes, as it sees all cells of its digit in both: ${gone(step.removed)}`
  );
}

/** The digits that link each set to the next, no two in a row the same. */
function path({ removed }, sets, puzzle) {
  let paths = [[]];
  for (let at = 1; at < sets.length; at++) {
    const tie = restricted(sets[at - 1], sets[at], puzzle);
    paths = paths.flatMap((before) => tie.filter((digit) => before.at(-1) !== digit).map((digit) => [...before, digit]));
  }
  const goes = digitsIn(removed);
  return paths.find((digits) => !goes.includes(digits[0]) && !goes.includes(digits.at(-1)));
}

function blossom({ roles, removed }) {
  const { stem } = roles;
  const petals = stem.map(([, , digit]) => `${digit} takes the ${digit} from ${setOf(roles[`petal(${digit})`])}`);
  return (
    `${cellName(stem[0])} is ${listed(stem.map(([, , digit]) => digit), "or")}: ${petals.join("; ")}. Each of these sets has one digit ` +
    `more than cells, so without this digit it holds all the others. In each case this goes: ${gone(removed)}`
  );
}

const sueDeCoq = ({ roles, removed }) =>
  `${setOf(roles.crossing)}, where a line crosses a box, share their digits with ${setOf(roles.line)} in the line ` +
  `and with ${setOf(roles.box)} in the box. They are as many cells as they hold digits, so every digit has its place in them, ` +
  `and this goes: ${gone(removed)}`;

const FISH = ["finned_", "sashimi_", "franken_", "finned_franken_", "mutant_", "finned_mutant_"]
  .flatMap((kind) => ["x_wing", "swordfish", "jellyfish"].map((name) => kind + name));

export const sentences = {
  ...Object.fromEntries(FISH.map((name) => [name, finned])),
  unique_rectangle_1: oneMore,
  unique_rectangle_2: oneOfThese,
  unique_rectangle_3: withSubset,
  unique_rectangle_4: onlyPlaces,
  unique_rectangle_5: oneOfThese,
  unique_rectangle_6: crossed,
  hidden_rectangle: hiddenRectangle,
  avoidable_rectangle_1: avoidable,
  avoidable_rectangle_2: avoidable,
  bug_plus_1: grave,
  als_xz: twoSets,
  als_xy_wing: chainOfSets,
  als_xy_chain: chainOfSets,
  death_blossom: blossom,
  sue_de_coq: sueDeCoq,
  template_set: ({ placed }) => `${cellName(placed)} is ${placed[2]}, as every way to place the missing ${placed[2]}s puts one there`,
  template_delete: ({ must, removed }) => `no way to place the missing ${must[0][3]}s puts one in any of these cells: ${gone(removed)}`,
};
