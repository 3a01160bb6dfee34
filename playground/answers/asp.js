// Asking clingo: its program as one text, puzzles as facts, and questions about them.

import { clingo, programNamed, texts } from "./engines.js";
import { digitsTo, sizeOf } from "../puzzle.js";

const ATOM = /^(\w+)\((\d+),(\d+),(\d+)\)$/;
const INCLUDE = /^#include "([^"]+)"\.\s*$/;

/**
 * A program as one text, and where each of its lines comes from: `lines` has { file, line } for each.
 * A file is included once, where it is first asked for. `changed` has texts by name that replace ours.
 */
export async function whole({ files: [first] }, changed = {}) {
  const files = { ...(await texts).encodings, ...changed };
  const included = new Set();
  const text = [];
  const lines = [];

  function add(file) {
    if (included.has(file)) return;
    included.add(file);
    files[file].split("\n").forEach((each, index) => {
      const [, target] = INCLUDE.exec(each) ?? [];
      if (target in files) {
        add(target);
        return;
      }
      text.push(each);
      lines.push({ file, line: index + 1 });
    });
  }

  add(first);
  return { text: text.join("\n"), lines };
}

/** The cell that has this index in a grid of n rows: [row, column], counted from 1. */
export const cellAt = (index, n) => [Math.floor(index / n) + 1, (index % n) + 1];

/** The puzzle as facts, in the words of a program. */
function facts({ given }, puzzle) {
  const n = sizeOf(puzzle.box);
  const regions = (puzzle.regions ?? []).map((region, cell) => `region(${region},${cellAt(cell, n)}).`);
  const gone = excluded(puzzle).map(([cell, digit]) => `excluded(${cellAt(cell, n)},${digit}).`);
  const held = puzzle.givens.flatMap((digit, cell) => (digit ? [`${given}(${cellAt(cell, n)},${digit}).`] : []));
  return [...regions, ...gone, ...held].join("\n");
}

/** The puzzle as facts that also say the shape of the boxes, if it is needed. */
export function puzzleFacts(program, puzzle) {
  const [rows, columns] = puzzle.box;
  const { givens } = puzzle;
  const filled = givens.filter(Boolean).length;
  const plain = rows === 3 && columns === 3 && (filled === givens.length || filled !== Math.max(...givens) ** 2);
  const shape = `#const box_rows=${rows}. [override] #const box_columns=${columns}. [override]\n`;
  return (plain ? "" : shape) + facts(program, puzzle);
}

/** The candidates that marks exclude, as [cell, digit]. */
export function excluded(puzzle) {
  const digits = digitsTo(sizeOf(puzzle.box));
  return [...puzzle.marks].flatMap(([cell, allowed]) =>
    digits.filter((digit) => !allowed.includes(digit)).map((digit) => [cell, digit]),
  );
}

/** The [row, column, digit] of every atom of this name with three arguments. */
const placed = (atoms, name) =>
  atoms.flatMap((atom) => {
    const [, found, ...numbers] = ATOM.exec(atom) ?? [];
    return found === name ? [numbers.map(Number)] : [];
  });

/** The digits of an answer set of a program, 0 for a cell that has none. */
function gridOf({ answer }, atoms, n) {
  const cells = Array(n * n).fill(0);
  for (const [row, column, digit] of placed(atoms, answer)) cells[(row - 1) * n + column - 1] = digit;
  return cells;
}

// --- questions -----------------------------------------------------------------------------------

/** Ask clingo about the puzzle by a program and `more`; `each` gets the atoms of each answer set. */
async function askClingo(program, puzzle, { models = 0, options = [], more = "" }, signal, each) {
  const { text } = await whole(program);
  const [rows, columns] = puzzle.box;
  const shape = [`-c box_rows=${rows}`, `-c box_columns=${columns}`, `-c subgrid_size=${rows}`];
  const all = [text, facts(program, puzzle), more].join("\n");
  return clingo.ask({ program: all, models, options: [...shape, ...options] }, { signal, each });
}

/** All answer sets of a program, in the order in which they are found. */
async function gathered(program, puzzle, asked, signal) {
  const found = [];
  await askClingo(program, puzzle, asked, signal, (atoms) => found.push(atoms));
  return found;
}

/** The answer sets of the main program. */
export const answers = async (puzzle, asked, signal) => gathered(await programNamed("clingo"), puzzle, asked, signal);

const DEMANDED = `
#defined demand/1. #defined initial/3.
{ sudoku(X,Y,N) : digit(N) } = 1 :- cell(X,Y).
:- demand(house(Kind,Number)), digit(N), not { sudoku(X,Y,N) : house(Kind,Number,X,Y) } = 1.
:- initial(X,Y,N), not sudoku(X,Y,N).`;

/** Whether a full grid has the shape of the puzzle and what these facts and rules demand, whatever else is in the puzzle. */
export async function consistent({ box, regions }, demands, signal) {
  const empty = { box, regions, marks: new Map(), givens: [] };
  const more = [DEMANDED, ...demands].join("\n");
  return (await gathered({ files: ["houses.lp"] }, empty, { models: 1, more }, signal)).length > 0;
}

/** For every cell the digits that it has in some solution: the union of all answer sets. */
export async function possible(puzzle, signal) {
  const n = sizeOf(puzzle.box);
  const union = (await answers(puzzle, { options: ["--enum-mode=brave"] }, signal)).at(-1) ?? []; // it grows with each answer set
  const cells = Array.from({ length: n * n }, () => []);
  for (const [row, column, digit] of placed(union, "sudoku")) cells[(row - 1) * n + column - 1].push(digit);
  return cells.map((digits) => digits.sort((one, other) => one - other));
}

/** What clingo finds: `each` gets the digits of each grid, and `count` is the number of solutions up to a limit. */
export const byClingo = {
  solve: (program, puzzle, models, signal, each) =>
    askClingo(program, puzzle, { models }, signal, (atoms) => each(gridOf(program, atoms, sizeOf(puzzle.box)))),

  async count(program, puzzle, models, signal) {
    // Nothing is printed, so an answer set costs little and takes no room.
    const { found } = await askClingo(program, puzzle, { models, options: ["-q2,2,2"] }, signal);
    return found;
  },

  /** The work for the first solution, as clingo reports it: it does not tell propagation from search. */
  async measure(program, puzzle, signal) {
    const { found, time, stats } = await askClingo(program, puzzle, { models: 1, options: ["--stats"] }, signal);
    const { Choices: choices, Conflicts: conflicts } = stats.Core;
    return { solved: found > 0, setup: time.Total - time.Solve, search: time.Solve, choices, conflicts };
  },

  /** One answer set for each grid that is a solution. */
  confirm: (program, puzzle, grids, signal, each) =>
    askClingo(program, puzzle, { more: tried(program, grids, sizeOf(puzzle.box)) }, signal, (atoms) => each(gridOf(program, atoms, sizeOf(puzzle.box)))),
};

/** A program that leaves only these full grids. */
function tried({ answer }, grids, n) {
  const digits = grids.flatMap((cells, grid) =>
    cells.map((digit, cell) => `tried(${grid},${cellAt(cell, n)},${digit}).`),
  );
  return `${digits.join("\n")}
{ tried(G) : G = 0..${grids.length - 1} } = 1.
:- tried(G), tried(G,X,Y,N), not ${answer}(X,Y,N).
#show ${answer}/3.`;
}

// --- changed programs -----------------------------------------------------------------------------

export const SCRIPT = [/^\s*#script\b/, "#script is not run here"];
const NOT_RUN = [
  SCRIPT,
  [/#(minimize|maximize)\b|:~/, "#minimize, #maximize and weak constraints rank the answer sets; expected a program whose answer sets are the solutions"],
];

/**
 * The message with lines of the reader's files, in the place of lines of the one text that clingo got; what is behind
 * them is the `rest`.
 */
export function named(message, lines, rest = "the puzzle") {
  const place = (line) => lines[line - 1] ?? { file: rest, line: line - lines.length };
  return message
    .replace(/^-:(\d+):(\d+)(?:-(\d+):(\d+))?/gm, (_, line, column, lastLine, lastColumn) => {
      const { file, line: own } = place(Number(line));
      const end = lastLine ? `-${place(Number(lastLine)).line}:${lastColumn}` : "";
      return `${file}:${own}:${column}${end}`;
    })
    .replace(/^\*\*\*.*\n?/gm, "")
    .trim();
}

/** The program without comments and texts, line by line. */
export const bare = (text) => text.replace(/%\*[^]*?\*%|%.*|"(?:\\.|[^"\\\n])*"/g, (part) => part.replace(/[^\n]/g, " ")).split("\n");

/** Why the program is not run, as clingo would say it, for these reasons; null if it is. */
export function notRun(text, reasons = NOT_RUN) {
  for (const [index, line] of bare(text).entries()) {
    const why = reasons.find(([sign]) => sign.test(line))?.[1];
    if (why) return `-:${index + 1}:1: ${why}`;
  }
  return null;
}
