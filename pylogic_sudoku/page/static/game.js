// The state of the board and its history; both survive a reload.

import { keep, kept } from "./keeping.js";
import { BAD_LINK, cellOf, fromText, nameOf, sizeOf, toText } from "./puzzle.js";

const KEY = "pylogic-sudoku";
const REMEMBERED = 300; // steps that can be undone
const NONE = new Set();

/** Whether the address is that of another problem; see problem.js. */
export const isProblem = () => location.hash.startsWith("#problem=");

/** Whether the address is that of programs alone. */
const isPrograms = () => location.hash.startsWith("#programs=");

const fresh = (puzzle) => ({ puzzle, entries: puzzle.givens.map(() => 0), pencil: new Map(), gone: new Map() });

/** Whether there is nothing yet but the puzzle. */
const isUntouched = ({ pencil, gone, entries }) => !pencil.size && !gone.size && !entries.some(Boolean);

/** Fires "change" whenever the board must be drawn again, "badlink" if a link holds no puzzle, and "packed" if it holds programs. */
export class Game extends EventTarget {
  puzzle;
  entries;
  pencil; // the pencil marks: a Map from cells to sets of digits
  gone; // the same of candidates that are crossed out
  setting = false; // whether digits typed are givens
  badLink = ""; // what is wrong with the last link, if it holds no puzzle
  packed = ""; // the programs of the last link, if it holds some: packed, or by their names after "programs="
  #past = [];
  #future = [];

  constructor(example) {
    super();
    Object.assign(this, fresh(example));
    const linked = isProblem() ? "" : location.hash.slice(1);
    this.#restore();
    if (linked) this.#follow(linked);
    addEventListener("hashchange", () => isProblem() || this.#follow(location.hash.slice(1)));
    this.#changed();
  }

  get size() {
    return sizeOf(this.puzzle.box);
  }

  get givens() {
    return this.puzzle.givens;
  }

  /** Givens and entries together. */
  get cells() {
    return this.givens.map((digit, cell) => digit || this.entries[cell]);
  }

  /** The candidates of empty cells that are crossed out, as the server has them in JSON. */
  get removed() {
    const { cells, size } = this;
    const open = [...this.gone].filter(([cell]) => !cells[cell]);
    return open.flatMap(([cell, digits]) => [...digits].map((digit) => ({ cell: nameOf(cell, size), digit })));
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get untouched() {
    return isUntouched(this);
  }

  get link() {
    return this.#linkTo(toText(this.puzzle));
  }

  /** A link that has the entries and the notes too. */
  get linkWithNotes() {
    return this.#linkTo(this.#text);
  }

  /** Load another puzzle; if it is empty, the user sets it first. */
  load(puzzle) {
    const setting = puzzle.givens.every((digit) => !digit) && !puzzle.rules.length;
    this.#step(fresh(puzzle), setting);
  }

  /**
   * Put a digit into cells, 0 to empty them; false if there are givens only. What was crossed out may
   * follow from a digit that goes, so it is possible again.
   */
  place(cells, digit) {
    const { puzzle, entries } = this;
    const open = cells.filter((cell) => this.setting || !puzzle.givens[cell]);
    if (!open.length) return false;
    const put = (digits, value = digit) => digits.map((old, cell) => (open.includes(cell) ? value : old));
    const gone = open.some((cell) => entries[cell]) ? new Map() : this.gone;
    if (!this.setting) return this.#step({ entries: put(entries), gone });
    return this.#step({ puzzle: { ...puzzle, givens: put(puzzle.givens) }, entries: put(entries, 0), gone: new Map() });
  }

  /** Give a pencil mark to a cell, or take it away; false if the cell holds a digit. */
  note(cell, digit) {
    if (this.cells[cell]) return false;
    return this.#step({ pencil: noted(this.pencil, cell, (digits) => digits.symmetricDifference(new Set([digit]))) });
  }

  /** Take the digit of a cell away, or its notes if it has none; false if it is a given. */
  erase(cell) {
    if (this.cells[cell]) return this.place([cell], 0);
    return this.#step({ pencil: noted(this.pencil, cell, () => NONE), gone: noted(this.gone, cell, () => NONE) });
  }

  /** Make these the entries, except where a given stands. */
  fill(cells) {
    this.#step({ entries: this.#within(cells) });
  }

  /** Do what steps do, which are explanations of the server: place digits, and cross out candidates. */
  take(steps) {
    const cells = [...this.entries];
    let { pencil, gone } = this;
    for (const { placed, removed } of steps) {
      if (placed) cells[cellOf(placed.cell, this.size)] = placed.digit;
      for (const { cell, digit } of removed) {
        const [at, one] = [cellOf(cell, this.size), new Set([digit])];
        gone = noted(gone, at, (digits) => digits.union(one));
        pencil = noted(pencil, at, (digits) => digits.difference(one));
      }
    }
    this.#step({ entries: this.#within(cells), pencil, gone });
  }

  /** Remove all entries and notes. */
  restart() {
    this.#step(fresh(this.puzzle));
  }

  /** Give the puzzle other rules; what was crossed out by the old ones may be possible again. */
  rule(rules) {
    this.#step({ puzzle: { ...this.puzzle, rules }, gone: new Map() });
  }

  undo() {
    this.#travel(this.#past, this.#future);
  }

  redo() {
    this.#travel(this.#future, this.#past);
  }

  set(setting) {
    this.setting = setting;
    this.#changed();
  }

  #within(cells) {
    return cells.map((digit, cell) => (this.givens[cell] ? 0 : digit));
  }

  /** Change these parts of the state; true. */
  #step(change, setting = this.setting) {
    const before = this.#moment;
    Object.assign(this, change);
    this.setting = setting;
    if (this.#moment[0] !== before[0]) {
      this.#past = [...this.#past, before].slice(-REMEMBERED);
      this.#future = [];
    }
    this.#changed();
    return true;
  }

  /** What can be come back to: the state, and whether the puzzle was being set. */
  get #moment() {
    return [this.#text, this.setting];
  }

  #travel(from, to) {
    if (!from.length) return;
    to.push(this.#moment);
    const [text, setting] = from.pop();
    Object.assign(this, fromText(text), { setting });
    this.#changed();
  }

  #changed() {
    keep(KEY, [this.#moment, this.#past, this.#future]);
    if (!isProblem()) history.replaceState(null, "", this.link);
    this.dispatchEvent(new Event("change"));
  }

  #restore() {
    try {
      const [[text, setting], past, future] = kept(KEY);
      Object.assign(this, fromText(text));
      this.#past = past.filter(([each]) => fromText(each));
      this.#future = future.filter(([each]) => fromText(each));
      this.setting = Boolean(setting);
    } catch {
      // Nothing is stored, or another version stored it.
    }
  }

  /** Load what a link holds, unless it is here already. */
  #follow(text) {
    if (isPrograms()) return this.#take(text);
    const { packed, ...linked } = fromText(text) ?? {};
    if (!linked.puzzle) {
      this.badLink = BAD_LINK;
      this.#changed(); // the address is that of the board again
      return this.dispatchEvent(new Event("badlink"));
    }
    if (!isUntouched(linked)) this.#step(linked, false);
    else if (toText(linked.puzzle) !== toText(this.puzzle)) this.load(linked.puzzle);
    else this.#changed(); // the address is that of the board again
    this.#take(packed);
  }

  /** Let the programs of a link, if it holds some, be shown on the puzzle that is here. */
  #take(packed) {
    this.packed = packed;
    if (isPrograms()) this.#changed(); // the address is that of the board again
    if (packed) this.dispatchEvent(new Event("packed"));
  }

  get #text() {
    return toText(this.puzzle, this);
  }

  #linkTo(text) {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${text}`;
  }
}

// --- notes: for each kind a Map from cells to sets of digits ---------------------------------------

/** The notes, in which `change` makes the digits of this cell from those before. */
function noted(notes, cell, change) {
  const after = new Map(notes);
  const digits = change(notes.get(cell) ?? NONE);
  if (digits.size) after.set(cell, digits);
  else after.delete(cell);
  return after;
}
