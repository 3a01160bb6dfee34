// Positions on the way to a solution: the digits so far, and the candidates that are left.
//
// A placement is [row, column, digit], counted from 1. A rule is a list such as ["filled", 1, 2] or
// ["once", "row", 3, 5], as the techniques in encodings/techniques/ name them.

import { cellAt } from "../cells.js";
import { houses, pencilMarks, rowsOf, sizeOf } from "../../puzzle.js";

const cached = new WeakMap(); // the houses of a puzzle, with [row, column] for each cell

/** Every house of the puzzle: kind, number, and its cells as [row, column]. */
export function housesOf(puzzle) {
  if (!cached.has(puzzle)) {
    const n = sizeOf(puzzle.box);
    cached.set(puzzle, houses(puzzle).map((house) => ({ ...house, cells: house.cells.map((cell) => cellAt(cell, n)) })));
  }
  return cached.get(puzzle);
}

/** The placements that meet a rule. */
export function meeting([name, ...about], puzzle) {
  const n = sizeOf(puzzle.box);
  if (name === "filled" || name === "single") return Array.from({ length: n }, (_, digit) => [...about, digit + 1]);
  const [kind, number, digit] = about;
  const house = housesOf(puzzle).find((each) => each.kind === kind && each.number === number);
  return house.cells.map((cell) => [...cell, digit]);
}

export class Position {
  /** `left` are the candidates that are left, each as the text "row,column,digit". */
  constructor(puzzle, cells, left) {
    this.puzzle = puzzle;
    this.cells = cells;
    this.left = left;
    this.size = sizeOf(puzzle.box);
    this.known = new Map(); // answers about this position
  }

  /** The puzzle before the first step, without these placements. */
  static of(puzzle, removed) {
    const n = sizeOf(puzzle.box);
    const marks = pencilMarks(puzzle.givens, puzzle);
    const every = marks.flatMap((digits, cell) => [...(digits ?? [])].map((digit) => `${cellAt(cell, n)},${digit}`));
    const gone = new Set(removed.map(String));
    return new Position(puzzle, puzzle.givens, new Set(every.filter((each) => !gone.has(each))));
  }

  /** The position after a step. */
  after({ placed, removed }) {
    const left = new Set(this.left);
    for (const each of removed) left.delete(String(each));
    if (!placed) return new Position(this.puzzle, this.cells, left);
    const [row, column, digit] = placed;
    const holds = (house) => house.cells.some((cell) => cell[0] === row && cell[1] === column);
    const taken = housesOf(this.puzzle).filter(holds).map(({ kind, number }) => ["once", kind, number, digit]);
    for (const rule of [["single", row, column], ...taken]) {
      for (const each of meeting(rule, this.puzzle)) left.delete(String(each));
    }
    return new Position(this.puzzle, this.cells.with((row - 1) * this.size + column - 1, digit), left);
  }

  digit([row, column]) {
    return this.cells[(row - 1) * this.size + column - 1];
  }

  /** The candidates that meet a rule. */
  held(rule) {
    return meeting(rule, this.puzzle).filter((each) => this.left.has(String(each)));
  }

  /** The digits that a cell may still hold. */
  digits([row, column]) {
    return this.held(["filled", row, column]).map(([, , digit]) => digit);
  }

  get empty() {
    return this.cells.filter((digit) => !digit).length;
  }

  /** The grid as JSON has it. */
  get grid() {
    return rowsOf(this.cells.map((digit) => digit || null), this.size);
  }

  /** Rows of lists: the digits that each cell may still hold. */
  get candidates() {
    const cells = this.cells.map((_, cell) => this.digits(cellAt(cell, this.size)));
    return rowsOf(cells, this.size);
  }
}
