// Reasons as the page gets them: in words, as data, and what to mark on the board.

import { cellAt, cellName, json, placementsIn } from "./cells.js";
import { housesOf } from "./steps/position.js";
import { highlight } from "./steps/shown.js";
import { where } from "./steps/words.js";
import { rowsOf, sizeOf, toJson } from "../puzzle.js";
import { counted, listed } from "../words.js";

const MANY = 6; // a picture with more houses than this highlights none of them
const NAMED = 12; // the text names up to this many cells, and counts more

const inWords = (placements) => listed(placements.map((each) => `${cellName(each)} = ${each[2]}`));
const isAre = (all) => (all.length === 1 ? "is" : "are");

/** What every explanation has; `cells` is the grid to show it on. */
function explained(puzzle, question, { title, short, text = short, more, cells, highlights = [], candidates = null }) {
  const n = sizeOf(puzzle.box);
  return {
    title,
    text,
    short,
    explanation: { question, puzzle: toJson(puzzle), ...more },
    grid: rowsOf(cells.map((digit) => digit || null), n),
    candidates,
    highlights,
    links: [],
  };
}

const filled = ({ box, givens }, [row, column, digit]) => givens.with((row - 1) * sizeOf(box) + column - 1, digit);

const drawn = (cells, { box }) => rowsOf(cells, sizeOf(box)).map((row) => `  ${row.join(" ")}`).join("\n");

// --- why a cell has its digit ---

export function given(puzzle, cell, digit) {
  const short = `${cellName(cell)} is ${digit} because it is given.`;
  return explained(puzzle, "why", {
    title: `Why ${cellName(cell)} is ${digit}`,
    short,
    more: { cell: cellName(cell), answer: "given", digit },
    cells: puzzle.givens,
    highlights: [highlight(short.slice(0, -1), "target", [cell])],
  });
}

/** Two solutions, cell by cell, that differ in this cell. */
export function open(puzzle, cell, solutions) {
  const [here, there] = solutions.map((cells) => placementsIn(cells, sizeOf(puzzle.box)));
  const name = cellName(cell);
  const digits = [here, there].map((all) => all.find((each) => cellName(each) === name)[2]);
  const short = `${name} is not forced: it is ${digits[0]} in one solution and ${digits[1]} in another.`;
  const others = there.filter((each, at) => each[2] !== here[at][2]);
  return explained(puzzle, "why", {
    title: `${name} is ${digits.join(" or ")}: not forced`,
    short,
    text: [short, ...solutions.map((cells) => drawn(cells, puzzle))].join("\n\n"),
    more: { cell: name, answer: "not forced", digits, solutions: solutions.map((cells) => rowsOf(cells, sizeOf(puzzle.box))) },
    cells: solutions[0],
    highlights: [highlight(`${name} is ${digits.join(" or ")}`, "target", [cell]), highlight("another solution", "difference", [], others)],
  });
}

/** Houses and givens that force a digit, as lists. */
export function forced(puzzle, cell, digit, elements) {
  const givens = elements.filter(([name]) => name === "given").map(([, ...placement]) => placement);
  const houses = elements.filter(([name]) => name !== "given");
  const name = cellName(cell);
  const head = `${name} is ${digit}`;
  const texts = [
    ...(houses.length ? [`${named(houses)} ${houses.length > 1 ? "each hold" : "holds"} every digit once`] : ["every cell holds one digit"]),
    ...(givens.length ? [`${inWords(givens)} ${isAre(givens)} given`] : []),
    ...(puzzle.marks.size ? ["the marks are taken for granted"] : []),
  ];
  const counts = [[houses, "rule"], [givens, "given"]].filter(([all]) => all.length).map(([all, word]) => counted(all.length, word));
  const size = elements.length > 1 ? `None of these can be spared: ${listed(counts)}.` : "Nothing else is needed.";
  const set = [`${head}, because:`, ...texts.map((text) => `  ${text}`), size].join("\n");
  const rules = houses.map(([kind, number]) => ({ rule: ["house", kind, number], text: `${kind} ${number} holds every digit once` }));
  return explained(puzzle, "why", {
    title: `Why ${head}`,
    short: set,
    more: {
      cell: name,
      answer: "forced",
      digit,
      rules,
      givens: json(givens),
      excluded: {},
      smallest: false,
      least: 0,
    },
    cells: filled(puzzle, [...cell.slice(0, 2), digit]),
    highlights: ofSet(puzzle, cell, head, houses, givens),
  });
}

function ofSet(puzzle, cell, head, houses, givens) {
  const about = new Set(houses.map(([kind, number]) => `${kind} ${number}`));
  const all = about.size > MANY ? [] : housesOf(puzzle).filter(({ kind, number }) => about.has(`${kind} ${number}`));
  const label = listed(all.map(({ kind, number }) => `${kind} ${number}`));
  return [
    highlight(head, "target", [cell]),
    ...(givens.length ? [highlight("givens that matter", "reason", givens)] : []),
    ...all.map(({ cells }, at) => highlight(at ? "" : label, "house", cells, [], sizeOf(puzzle.box))),
  ];
}

/** Houses by kind: "row 3 and boxes 1 and 2". */
function named(houses) {
  const plural = (kind) => (kind === "box" ? "boxes" : `${kind}s`);
  const kinds = [...Map.groupBy(houses, ([kind]) => kind)].map(([kind, all]) => [kind, all.map(([, number]) => number)]);
  return listed(kinds.map(([kind, numbers]) => `${numbers.length > 1 ? plural(kind) : kind} ${listed(numbers)}`));
}

// --- why not another digit ---

/** The givens that must go so that a placement can hold, and a grid that shows it. */
export function removal(puzzle, target, givens, witness) {
  const what = `${cellName(target)} can be ${target[2]}`;
  const short = {
    0: `${what}: no given has to go.`,
    1: `${what} once ${inWords(givens)} is no longer given.`,
  }[givens.length] ?? `${what} once ${inWords(givens)} are no longer given; removing fewer givens is not enough.`;
  return explained(puzzle, "why_not", {
    title: `What ${inWords([target])} takes`,
    short,
    text: `${short} A ${givens.length ? "grid" : "solution"} that shows it:\n${drawn(witness, puzzle)}`,
    more: { cell: cellName(target), digit: target[2], remove: json(givens), witness: rowsOf(witness, sizeOf(puzzle.box)) },
    cells: witness,
    highlights: [highlight(inWords([target]), "target", [target]), ...(givens.length ? [highlight("givens that must go", "removed", [], givens)] : [])],
  });
}

// --- why there is no solution ---

/** Givens, and candidates that marks exclude, that clash. */
export function clash(puzzle, givens, gone) {
  const all = [...givens, ...gone];
  const kinds = [...(givens.length ? ["givens"] : []), ...(gone.length ? ["marks"] : [])];
  const marks = gone.map((each) => `  ${cellName(each)} may not hold ${each[2]} (mark)`);
  const short = all.length
    ? [
        `The puzzle has no solution, because ${all.length === 1 ? `one ${kinds[0].slice(0, -1)} alone rules it out` : `these ${listed(kinds)} clash`}:`,
        ...(givens.length ? [`  ${inWords(givens)}`] : []),
        ...marks,
        ...duplicates(puzzle, givens),
        all.length === 1 ? "Nothing else is needed." : `None of these ${all.length} can be spared: without any one, the others can stand.`,
      ].join("\n")
    : "The puzzle has no solution whatever its givens: its regions allow no grid.";
  return explained(puzzle, "conflicts", {
    title: "Why there is no solution",
    short,
    more: { answer: "clash", givens: json(givens), excluded: byCell(gone), rules: [], smallest: false },
    cells: puzzle.givens,
    highlights: all.length ? [highlight(`${listed(kinds)} that clash`, "conflict", all)] : [],
  });
}

/** The houses that hold one of these digits twice. */
function duplicates(puzzle, givens) {
  return housesOf(puzzle).flatMap(({ kind, number, cells }) => {
    const inside = givens.filter((each) => cells.some((cell) => cellName(cell) === cellName(each)));
    const twice = [...Map.groupBy(inside, ([, , digit]) => digit)].filter(([, several]) => several.length > 1);
    return twice.map(([digit, several]) => `  ${kind} ${number} holds ${digit} in ${where(several)}`);
  });
}

const byCell = (placements) =>
  Object.fromEntries([...Map.groupBy(placements, cellName)].map(([name, all]) => [name, all.map(([, , digit]) => digit)]));

export function noClash(puzzle, cells) {
  const short = "No givens clash, as a solution shows.";
  return explained(puzzle, "conflicts", {
    title: "No givens clash",
    short,
    text: `${short.slice(0, -1)}:\n${drawn(cells, puzzle)}`,
    more: { answer: "no clash", solution: rowsOf(cells, sizeOf(puzzle.box)) },
    cells,
  });
}

// --- what several solutions leave open ---

/** The names of the cells that differ between solutions. */
export function openCells(solutions) {
  const digits = Map.groupBy(new Map(solutions.flat().map((each) => [String(each), each])).values(), cellName);
  return new Set([...digits].filter(([, all]) => all.length > 1).map(([name]) => name));
}

/** What the placements of all solutions leave open; `number` is that of the solutions, null if they are too many. */
export function differing(puzzle, placements, extra, number) {
  const n = sizeOf(puzzle.box);
  const cells = Map.groupBy(new Map(placements.map((each) => [String(each), each])).values(), cellName);
  const digitsOf = ([row, column]) => cells.get(cellName([row, column])).map(([, , digit]) => digit).sort((one, other) => one - other);
  const all = puzzle.givens.map((_, cell) => cellAt(cell, n));
  const different = all.filter((cell) => digitsOf(cell).length > 1);
  const candidates = all.map(digitsOf);
  const names = different.length > NAMED ? `${different.length} cells` : where(different);
  const [claim, fewest] = [extra.length === 1 ? "This given leaves" : `These ${extra.length} givens leave`, number ? "no fewer do" : "none can be spared, though fewer others may do"];
  const short = different.length
    ? [
        `The puzzle has ${number ? `${number} solutions` : "many solutions"}, which differ in ${names}.`,
        `${claim} only one${extra.length > 1 ? `, and ${fewest}` : ""}:`,
        `  ${inWords(extra)}`,
      ].join("\n")
    : "Nothing is open: the puzzle has one solution.";
  return explained(puzzle, "ambiguity", {
    title: "What the puzzle leaves open",
    short,
    more: {
      solutions: number,
      cells: different.map((cell) => ({ cell: cellName(cell), digits: digitsOf(cell) })),
      extra: json(extra),
      smallest: number !== null,
    },
    cells: candidates.map((digits, at) => (digits.length === 1 ? digits[0] : puzzle.givens[at])),
    candidates: rowsOf(candidates, n),
    highlights: different.length
      ? [highlight("cells that differ", "difference", different), ...(extra.length ? [highlight("enough to know", "target", [], extra)] : [])]
      : [],
  });
}
