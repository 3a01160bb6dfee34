// The sentence of a step: what follows, and from what. The words are those of
// pylogic_sudoku/techniques/sentences/, and a test compares them.

import { sentences as ofChains } from "./chains.js";
import { sentences as ofPatterns } from "./patterns.js";
import { a, gone, house, unique } from "./words.js";
import { cellName } from "../cells.js";
import { listed } from "../../words.js";

const placed = ({ placed }) => `${cellName(placed)} is ${placed[2]}`;
const digits = (rules) => listed(rules.map((rule) => rule[3]));
const cells = (rules) => listed(rules.map((rule) => cellName(rule.slice(1))));
const houses = (rules) => `${rules[0][1]}s ${listed(rules.map((rule) => rule[2]))}`;

const lockedCandidates = ({ must: [must], most: [most], removed }) =>
  `in ${house(must)}, ${must[3]} fits only where ${house(most)} crosses it, ` +
  `so it goes from the rest of ${house(most)}: ${gone(removed)}`;

const lockedSet = ({ must, most, removed }) =>
  `${cells(must)} hold ${listed(unique(most.map((rule) => rule[3])).sort((one, other) => one - other))} between them, ` +
  `so these go from the rest of ${listed(unique(most.map(house)))}: ${gone(removed)}`;

const naked = ({ must, most, removed }) =>
  `${cells(must)} hold ${digits(most)} between them, so these go from the rest of ${house(most[0])}: ${gone(removed)}`;

const hidden = ({ must, most, removed }) =>
  `in ${house(must[0])}, ${digits(must)} fit only in ${cells(most)}, so all else goes from there: ${gone(removed)}`;

const fish = ({ must, most, removed }) =>
  `in ${houses(must)}, ${must[0][3]} fits only in ${houses(most)}, so it goes from the rest of these: ${gone(removed)}`;

const each = (names, run) => Object.fromEntries(names.map((name) => [name, run]));

const SENTENCES = {
  full_house: (step) => `${house(step.must[0])} has one empty cell left, so ${placed(step)}`,
  naked_single: (step) => `${placed(step)}, as no other digit is left for it`,
  hidden_single: ({ must: [rule], placed }) =>
    `${house(rule)} must hold ${a(rule[3])}, and ${cellName(placed)} is the only cell left for it`,
  ...each(["pointing", "claiming"], lockedCandidates),
  ...each(["locked_pair", "locked_triple"], lockedSet),
  ...each(["naked_pair", "naked_triple", "naked_quad"], naked),
  ...each(["hidden_pair", "hidden_triple", "hidden_quad"], hidden),
  ...each(["x_wing", "swordfish", "jellyfish"], fish),
  ...ofChains,
  ...ofPatterns,
};

/** The sentence, without its full stop. */
export const sentence = (step, position) => SENTENCES[step.technique](step, position);
