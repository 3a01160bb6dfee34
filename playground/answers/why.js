// Why a cell has its digit: a minimal set of houses, givens and marks that leave it no other.

import { answers, cellAt, consistent } from "./asp.js";
import { inTime, Refusal } from "./limits.js";
import { counted, listed } from "../elements.js";
import { cellOf, houses, inWords, nameOf, peers, rimOf, rowsOf, sizeOf } from "../puzzle.js";

const MANY = 6; // a board with more houses than this marks none of them

export const why = ({ puzzle, cell }, signal) => inTime(signal, (within) => explain(puzzle, cell, within));

async function explain(puzzle, name, signal) {
  const n = sizeOf(puzzle.box);
  const cell = cellOf(name, n);
  const given = puzzle.givens[cell];
  if (given) return told(puzzle, cell, `${name} is ${given} because it is given.`, { answer: "given", digit: given });
  const [first] = await answers(puzzle, { models: 1 }, signal);
  if (!first) throw new Refusal("The puzzle has no solution, so nothing follows from it.");
  const digit = digitIn(first, cell, n);
  const [other] = await answers(puzzle, { models: 1, more: `:- sudoku(${cellAt(cell, n)},${digit}).` }, signal);
  if (other) {
    const digits = [digit, digitIn(other, cell, n)];
    return told(puzzle, cell, `${name} is not forced: it is ${digits[0]} in one solution and ${digits[1]} in another.`, { answer: "not forced", digits });
  }
  const near = peers(cell, puzzle).add(cell);
  const elements = elementsOf(puzzle);
  const all = elements.toSorted((one, two) => far(one, cell, near) - far(two, cell, near));
  const forces = async (some) => !(await consistent(puzzle, [...some.map(({ fact }) => fact), `:- sudoku(${cellAt(cell, n)},${digit}).`], signal));
  const close = all.filter((element) => !far(element, cell, near));
  const members = new Set(await minimal((await forces(close)) ? close : all, forces));
  return forced(puzzle, cell, digit, Object.groupBy(elements.filter((each) => members.has(each)), ({ kind }) => kind));
}

/**
 * A part of the list for which `holds` is true, and false without any one of its members. It must be
 * true of the whole list, and more members must never make it false. The last members are left out first.
 */
async function minimal(all, holds) {
  let kept = all;
  for (const each of all.toReversed()) {
    const fewer = kept.filter((other) => other !== each);
    if (await holds(fewer)) kept = fewer;
  }
  return kept;
}

const digitIn = (atoms, cell, n) => Number(atoms.map((atom) => atom.match(/\d+/g)).find(([row, column]) => String(cellAt(cell, n)) === `${row},${column}`)[2]);

/** All that a reason may name, each with the fact that demands it. */
function elementsOf(puzzle) {
  const n = sizeOf(puzzle.box);
  const whole = houses(puzzle).map(({ kind: type, number, cells }) => ({ kind: "house", type, number, cells, fact: `demand(house(${type},${number})).` }));
  const givens = puzzle.givens.flatMap((digit, cell) => (digit ? [{ kind: "given", cell, digit, cells: [cell], fact: `initial(${cellAt(cell, n)},${digit}).` }] : []));
  const marks = [...puzzle.marks].map(([cell, digits]) => ({
    kind: "mark", cell, digits, cells: [cell], fact: `:- not 1 { sudoku(${cellAt(cell, n)},(${digits.join(";") || 0})) }.`,
  }));
  return [...givens, ...marks, ...whole]; // deletion begins with the last, and few houses are better than few givens
}

/** 0 for the houses of a cell and what its houses hold, 1 for the others. */
const far = ({ kind, cells }, cell, near) => Number(kind === "house" ? !cells.includes(cell) : !near.has(cells[0]));

function forced(puzzle, cell, digit, { house = [], given = [], mark = [] }) {
  const n = sizeOf(puzzle.box);
  const name = nameOf(cell, n);
  const counts = [[house, "rule"], [given, "given"], [mark, "mark"]].filter(([some]) => some.length);
  const reasons = [
    ...(house.length ? [`  ${inKinds(house)} ${house.length === 1 ? "holds" : "each hold"} every digit once`] : []),
    ...mark.map((each) => `  ${nameOf(each.cell, n)} is ${inWords(each.digits, n)}, as its mark says`),
    ...(given.length ? [`  ${listed(given.map((each) => `${nameOf(each.cell, n)} = ${each.digit}`))} ${given.length === 1 ? "is" : "are"} given`] : []),
    `None of these can be spared: ${listed(counts.map(([some, word]) => counted(some.length, word)))}.`,
  ];
  const explanation = {
    answer: "forced",
    digit,
    rules: house.map(({ type, number }) => ({ rule: ["house", type, number], text: `${type} ${number} holds every digit once` })),
    givens: given.map((each) => ({ cell: nameOf(each.cell, n), digit: each.digit })),
    excluded: Object.fromEntries(mark.map((each) => [nameOf(each.cell, n), each.digits])),
    smallest: false,
    least: 0,
  };
  const answer = told(puzzle, cell, [`${name} is ${digit}, because:`, ...reasons].join("\n"), explanation, [
    ...([...given, ...mark].length ? [{ label: mark.length ? "givens and marks that matter" : "givens that matter", role: "reason", cells: [...given, ...mark].map((each) => nameOf(each.cell, n)) }] : []),
    ...(house.length > MANY ? [] : house.map(({ cells }, index) => ({ label: index ? "" : inKinds(house), role: "house", cells: cells.map((each) => nameOf(each, n)), rim: rimOf(cells, n) }))),
  ]);
  return { ...answer, reasons };
}

/** Houses in words, such as "rows 1 and 3 and column 5". */
const inKinds = (houses) =>
  listed([...Map.groupBy(houses, ({ type }) => type)].map(([type, some]) => `${type}${some.length === 1 ? "" : type === "box" ? "es" : "s"} ${listed(some.map(({ number }) => number))}`));

/** The answer in the shape of the server's. */
function told(puzzle, cell, text, about, highlights = []) {
  const n = sizeOf(puzzle.box);
  const name = nameOf(cell, n);
  const grid = puzzle.givens.with(cell, about.digit ?? 0).map((digit) => digit || null);
  const target = { label: about.digit ? `${name} is ${about.digit}` : name, role: "target", cells: [name] };
  const marks = [target, ...highlights].map((each) => ({ rim: null, candidates: [], ...each }));
  return { title: `Why ${name}`, text, short: text, explanation: { cell: name, ...about }, grid: rowsOf(grid, n), candidates: null, highlights: marks, links: [] };
}
