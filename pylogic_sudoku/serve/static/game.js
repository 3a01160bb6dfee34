// The state of the board and its history; both survive a reload.

import { Notes } from "./notes.js";
import { cellOf, faultOf, fromText, nameOf, sizeOf, toText } from "./puzzle.js";

const KEY = "pylogic-sudoku";
const REMEMBERED = 300; // steps that can be undone

const stateText = ({ puzzle, entries, notes }) => toText(puzzle, entries) + notes.toText(sizeOf(puzzle.box));

/** The puzzle, the entries and the notes of a text, or null if it is not one. */
function stateFrom(text) {
  const state = fromText(text);
  return state && { ...state, notes: Notes.fromText(text, sizeOf(state.puzzle.box)) };
}

/** Fires "change" whenever the board must be drawn again, and "badlink" if a link holds no puzzle. */
export class Game extends EventTarget {
  #state;
  #past = [];
  #future = [];
  setting = false; // whether digits typed are givens
  badLink = ""; // what is wrong with the last link, if it holds no puzzle

  constructor(example) {
    super();
    this.#state = stateFrom(example);
    const linked = location.hash.slice(1);
    this.#restore();
    if (linked) this.#follow(linked);
    addEventListener("hashchange", () => this.#follow(location.hash.slice(1)));
    this.#changed();
  }

  get puzzle() {
    return this.#state.puzzle;
  }

  get size() {
    return sizeOf(this.puzzle.box);
  }

  get givens() {
    return this.puzzle.givens;
  }

  get entries() {
    return this.#state.entries;
  }

  get notes() {
    return this.#state.notes;
  }

  /** Givens and entries together. */
  get cells() {
    return this.givens.map((digit, cell) => digit || this.entries[cell]);
  }

  /** The candidates of empty cells that are crossed out, as the server has them in JSON. */
  get removed() {
    const { cells, size } = this;
    const open = this.notes.all("gone").filter(([cell]) => !cells[cell]);
    return open.flatMap(([cell, digits]) => [...digits].map((digit) => ({ cell: nameOf(cell, size), digit })));
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Whether there is nothing yet but the puzzle. */
  get untouched() {
    return this.notes.isEmpty && this.entries.every((digit) => !digit);
  }

  get link() {
    return this.#linkTo(toText(this.puzzle));
  }

  /** A link that has the entries and the notes too. */
  get linkWithNotes() {
    return this.#linkTo(stateText(this.#state));
  }

  /** Load another puzzle; if it is empty, the user sets it first. */
  load(puzzle) {
    this.setting = puzzle.givens.every((digit) => !digit) && !puzzle.rules.length;
    this.#step({ puzzle, entries: puzzle.givens.map(() => 0), notes: new Notes() });
  }

  /** Put a digit into cells, 0 to empty them; false if there are givens only. */
  place(cells, digit) {
    const { puzzle, entries, notes } = this.#state;
    const open = cells.filter((cell) => this.setting || !puzzle.givens[cell]);
    if (!open.length) return false;
    const put = (digits, value = digit) => digits.map((old, cell) => (open.includes(cell) ? value : old));
    this.#step(
      this.setting
        ? { puzzle: { ...puzzle, givens: put(puzzle.givens) }, entries: put(entries, 0), notes: notes.without("gone") }
        : { puzzle, entries: put(entries), notes },
    );
    return true;
  }

  /** Give a note to cells, or take it away if all of them have it; false if none can have it. */
  note(kind, cells, digit) {
    const { cells: held } = this;
    const open = cells.filter((cell) => !held[cell]);
    if (open.length) this.#note(this.notes.toggled(kind, open, digit));
    return open.length > 0;
  }

  /** Empty cells of what this mode writes, or else of another kind that they have; false if of none. */
  erase(cells, mode) {
    const isFilled = cells.some((cell) => (this.setting ? this.givens : this.entries)[cell]);
    for (const kind of [mode, "digit", "pencil", "gone"]) {
      if (kind !== "digit" && this.notes.has(kind, cells)) return this.#note(this.notes.without(kind, cells));
      if (kind === "digit" && isFilled) return this.place(cells, 0);
    }
    return cells.some((cell) => this.setting || !this.givens[cell]);
  }

  /** Make these the entries, except where a given stands. */
  fill(cells) {
    const { puzzle, notes } = this.#state;
    this.#step({ puzzle, entries: this.#within(cells), notes });
  }

  /** Do what steps do, which are explanations of the server: place digits, and cross out candidates. */
  take(steps) {
    const { size, entries } = this;
    const cells = [...entries];
    const gone = steps.flatMap(({ removed }) => removed.map(({ cell, digit }) => [cellOf(cell, size), digit]));
    for (const { placed } of steps) {
      if (placed) cells[cellOf(placed.cell, size)] = placed.digit;
    }
    this.#step({ puzzle: this.puzzle, entries: this.#within(cells), notes: this.notes.crossedOut(gone) });
  }

  /** Remove all entries and notes. */
  restart() {
    this.#step({ puzzle: this.puzzle, entries: this.givens.map(() => 0), notes: new Notes() });
  }

  /** Give the puzzle other rules; what was crossed out by the old ones may be possible again. */
  rule(rules) {
    const { puzzle, entries, notes } = this.#state;
    this.#step({ puzzle: { ...puzzle, rules }, entries, notes: notes.without("gone") });
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

  #note(notes) {
    this.#step({ ...this.#state, notes });
    return true;
  }

  #within(cells) {
    return cells.map((digit, cell) => (this.givens[cell] ? 0 : digit));
  }

  #step(state) {
    if (stateText(state) === stateText(this.#state)) return this.#changed();
    this.#past = [...this.#past, stateText(this.#state)].slice(-REMEMBERED);
    this.#future = [];
    this.#state = state;
    this.#changed();
  }

  #travel(from, to) {
    const text = from.pop();
    if (!text) return;
    to.push(stateText(this.#state));
    this.#state = stateFrom(text);
    this.#changed();
  }

  #changed() {
    keep([stateText(this.#state), this.#past, this.#future, this.setting]);
    history.replaceState(null, "", this.link);
    this.dispatchEvent(new Event("change"));
  }

  #restore() {
    try {
      const [text, past, future, setting] = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY));
      this.#state = stateFrom(text) ?? this.#state;
      this.#past = past.filter(fromText);
      this.#future = future.filter(fromText);
      this.setting = Boolean(setting);
    } catch {
      // Nothing is stored, or another version stored it.
    }
  }

  #refuse(text) {
    this.badLink = faultOf(text);
    this.#changed(); // the address is that of the board again
    this.dispatchEvent(new Event("badlink"));
  }

  /** Load what a link holds, unless it is here already. */
  #follow(text) {
    const linked = stateFrom(text);
    if (!linked) return this.#refuse(text);
    const started = !linked.notes.isEmpty || linked.entries.some(Boolean);
    if (started) {
      this.setting = false;
      this.#step(linked);
    } else if (toText(linked.puzzle) !== toText(this.puzzle)) {
      this.load(linked.puzzle);
    }
  }

  #linkTo(text) {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${text}`;
  }
}

/** Keep a value for a reload of this tab, and for the next tab. */
function keep(value) {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(KEY, JSON.stringify(value));
    } catch {
      // Full, or forbidden: a reload starts over.
    }
  }
}
