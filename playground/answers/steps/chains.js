// Sentences for chains of all kinds: turbot fish, wings, colours, and chains.

import { digitsIn, gone, house, ruleOf, where } from "./words.js";
import { cellName, inOrder } from "../cells.js";
import { listed } from "../../words.js";

const sorted = (all) => [...all].sort(inOrder);

// --- turbot fish ---

function touching({ most }, one, other, { puzzle }) {
  return `${cellName(one)} and ${cellName(other)} are both in ${house(ruleOf(most, [one, other], puzzle))}, so they do not both hold it`;
}

const linkOf = ({ must }, link, { puzzle }) => house(ruleOf(must, link, puzzle));

function turbot(step, position) {
  if (!step.chain.length) return dualKite(step, position);
  const [[first], [one], [other], [last]] = step.chain;
  const links = [[first, one], [other, last]].map((link) => `${linkOf(step, link, position)} only in ${where(sorted(link))}`);
  return (
    `${first[2]} fits in ${listed(links, "and in")}. ${touching(step, one, other, position)}. Hence ` +
    `${cellName(first)} or ${cellName(last)} is ${first[2]}, and ${first[2]} goes from ${where(step.removed)}, which both see`
  );
}

function dualKite(step, position) {
  const kites = Object.values(step.roles);
  const [one, other] = sorted(kites[0].filter((each) => kites[1].some((same) => String(same) === String(each))));
  const ends = kites.map((kite) => where(sorted(kite.filter((each) => ![String(one), String(other)].includes(String(each)))), "or"));
  return (
    `in ${listed(step.must.map(house))}, ${one[2]} fits only in two cells each. ${touching(step, one, other, position)}. ` +
    `Hence ${ends[0]} is ${one[2]}, and so is ${ends[1]}. It goes from the cells that both of a pair see: ${gone(step.removed)}`
  );
}

function emptyRectangle(step, position) {
  const { rectangle, ...links } = step.roles;
  const digit = step.removed[0][2];
  const box = house(ruleOf(step.must, rectangle, position.puzzle));
  const corner = `in ${box}, ${digit} is left only in ${where(rectangle)}`;
  if (!step.chain.length) {
    const each = Object.values(links).map((link) => `in ${linkOf(step, link, position)} only in ${where(link)}`);
    return `${corner}; ${listed(each)}. Two empty rectangles remove this: ${gone(step.removed)}`;
  }
  const [part, , [near], [far]] = step.chain;
  return (
    `${corner}, and in ${linkOf(step, [near, far], position)} only in ${where(sorted([near, far]))}. If ` +
    `${cellName(far)} is not ${digit}, then ${cellName(near)} is, and ${box} holds it in ${where(part, "or")}. ` +
    `Either way ${digit} goes from ${where(step.removed)}`
  );
}

// --- wings ---

function xyWing({ must, removed }, position) {
  const digit = removed[0][2];
  const two = must.map((rule) => [rule.slice(1), position.digits(rule.slice(1))]);
  const [pivot, held] = two.find(([, digits]) => !digits.includes(digit));
  const ways = held.flatMap((each) =>
    two.filter(([, digits]) => digits.includes(each) && digits.includes(digit)).map(([cell]) => `if it is ${each}, then ${cellName(cell)} is ${digit}`),
  );
  return `${cellName(pivot)} is ${listed(held, "or")}: ${ways.join("; ")}. Either way ${digit} goes from ${where(removed)}, which both see`;
}

function xyzWing({ roles, removed }) {
  const digit = removed[0][2];
  const pincers = roles.pincer.filter((each) => each[2] !== digit).sort((one, other) => one[2] - other[2]);
  const ways = pincers.map((each) => `if it is ${each[2]}, then ${cellName(each)} is ${digit}`);
  return (
    `${cellName(roles.pivot[0])} is ${listed(digitsIn(roles.pivot), "or")}: ${ways.join("; ")}. ` +
    `In any case ${digit} goes from ${where(removed)}, which all three see`
  );
}

function wWing({ chain, must, removed }) {
  const [[gone], [linked], near, far] = chain;
  const cells = [cellName(gone), cellName(chain.at(-1)[0])];
  const strong = must.find(([name]) => name === "somewhere");
  return (
    `${listed(cells)} are both ${listed(sorted([gone[2], linked[2]]), "or")}. In ${house(strong)}, ${linked[2]} fits only in ` +
    `${cellName(near[0])} and ${cellName(far[0])}, so one of the two sees a ${linked[2]} and is ${gone[2]}: ` +
    `${gone[2]} goes from ${where(removed)}, which both see`
  );
}

// --- colours ---

const coloursOf = ({ roles }) =>
  Object.fromEntries(Object.entries(roles).map(([role, part]) => [role.replace("colour ", ""), part]));
const all = (colour) => (colour.length > 1 ? `all of ${where(colour)}` : where(colour));
const either = (...colours) => colours.map(all).join(" or in ");
const see = ({ removed }) => (removed.length > 1 ? "see" : "sees");
const within = (some, whole) => some.every((each) => whole.some((other) => String(other) === String(each)));

function simpleColours(step) {
  const { removed } = step;
  const digit = removed[0][2];
  const colours = coloursOf(step);
  const said = `by strong links, ${digit} is in ${either(...Object.values(colours))}`;
  if (within(removed, colours["1a"])) {
    return `${said}. Two of ${where(removed)} see each other, so ${digit} goes from all of these`;
  }
  return `${said}. So it goes from ${where(removed)}, which ${see(step)} both`;
}

function multiColours(step) {
  const { removed } = step;
  const digit = removed[0][2];
  const { "1a": oneA, "1b": oneB, "2a": twoA, "2b": twoB } = coloursOf(step);
  const said = `by strong links, ${digit} is in ${either(oneA, oneB)}, and it is in ${either(twoA, twoB)}`;
  if (within(removed, oneA) && within(oneA, removed)) {
    return `${said}. Of ${where(removed)}, some see ${all(twoA)} and some ${all(twoB)}, so ${digit} goes from all of these`;
  }
  return (
    `${said}. It cannot be in ${all(oneA)} and in ${all(twoA)} at once, as two of these cells see each other. ` +
    `Hence it is in ${all(oneB)} or in ${all(twoB)}, and it goes from ${where(removed)}, which ${see(step)} both`
  );
}

// --- chains ---

function holds(node, on) {
  const digit = node[0][2];
  if (node.length === 1) return `${cellName(node[0])} is ${on ? "" : "not "}${digit}`;
  return `${digit} is ${on ? "" : "not "}in ${listed(node.map(cellName), "or")}`;
}

/** "if r1c2 is not 5, then r1c7 is 5, so r4c7 is not 5". */
function told(chain) {
  const [first, second, ...rest] = chain.map((node, number) => holds(node, number % 2 === 1));
  return [`if ${first}, then ${second}`, ...rest].join(", so ");
}

const chain = ({ chain, removed }) =>
  `${told(chain)}. So ${holds(chain[0], true)}, or ${holds(chain.at(-1), true)}, or both, and whatever clashes with both goes: ${gone(removed)}`;

function discontinuous(step) {
  const [start] = step.chain[0];
  if (String(step.chain[0]) !== String(step.chain.at(-1))) return chain(step);
  return `${told(step.chain)}. So ${cellName(start)} must be ${start[2]}, and all else goes from it: ${gone(step.removed)}`;
}

const loop = ({ chain, removed }) =>
  `${told(chain)}, which clashes with the beginning. So it is a loop, and of any two neighbours in it, exactly one holds. ` +
  `Whatever clashes with two neighbours goes: ${gone(removed)}`;

function remotePair({ chain, removed }) {
  const cells = chain.filter((_, at) => at % 2 === 0).map(([each]) => cellName(each));
  const [one, other] = sorted(chain.slice(0, 2).map(([each]) => each[2]));
  return (
    `${listed(cells)} hold only ${one} or ${other}, and each sees the next, so the two digits take turns. ` +
    `Two of the cells that are an odd number of turns apart hold both digits between them, ` +
    `so these go from cells that see both: ${gone(removed)}`
  );
}

export const sentences = {
  skyscraper: turbot,
  two_string_kite: turbot,
  turbot_fish: turbot,
  empty_rectangle: emptyRectangle,
  xy_wing: xyWing,
  xyz_wing: xyzWing,
  w_wing: wWing,
  simple_colours: simpleColours,
  multi_colours: multiColours,
  remote_pair: remotePair,
  x_chain: chain,
  xy_chain: chain,
  aic: chain,
  grouped_aic: chain,
  continuous_nice_loop: loop,
  grouped_continuous_nice_loop: loop,
  discontinuous_nice_loop: discontinuous,
  grouped_discontinuous_nice_loop: discontinuous,
};
