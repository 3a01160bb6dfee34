// The state of the board and its history; both survive a reload.

import { cellOf, digitsOf, faultOf, fromText, nameOf, sizeOf, toLine, toText } from "./puzzle.js";

const KEY = "pylogic-sudoku";
const REMEMBERED = 300; // steps that can be undone
const KINDS = ["pencil", "gone"];
const NONE = new Set();

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
    const setting = puzzle.givens.every((digit) => !digit) && !puzzle.rules.length;
    this.#step({ puzzle, entries: puzzle.givens.map(() => 0), notes: new Notes() }, setting);
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

  #step(state, setting = this.setting) {
    const before = this.#moment;
    const same = stateText(state) === stateText(this.#state);
    this.setting = setting;
    if (same) return this.#changed();
    this.#past = [...this.#past, before].slice(-REMEMBERED);
    this.#future = [];
    this.#state = state;
    this.#changed();
  }

  /** What can be come back to: the state, and whether the puzzle was being set. */
  get #moment() {
    return [stateText(this.#state), this.setting];
  }

  #travel(from, to) {
    if (!from.length) return;
    to.push(this.#moment);
    const [text, setting] = from.pop();
    this.#state = stateFrom(text);
    this.setting = setting;
    this.#changed();
  }

  #changed() {
    keep([this.#moment, this.#past, this.#future]);
    history.replaceState(null, "", this.link);
    this.dispatchEvent(new Event("change"));
  }

  #restore() {
    try {
      const [[text, setting], past, future] = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY));
      this.#state = stateFrom(text) ?? this.#state;
      this.#past = past.filter(([each]) => fromText(each));
      this.#future = future.filter(([each]) => fromText(each));
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
      this.#step(linked, false);
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

/**
 * What a person adds to a puzzle beside digits: pencil marks, and candidates that are crossed out, which
 * are "gone". For each kind it has a Map from cells to sets of digits. A value: changing it makes another.
 */
class Notes {
  #of;

  constructor(of = {}) {
    this.#of = Object.fromEntries(KINDS.map((kind) => [kind, new Map(of[kind])]));
  }

  /** The digits of this kind in a cell, ascending. */
  at(kind, cell) {
    return this.#of[kind].get(cell) ?? NONE;
  }

  /** Every cell that has notes of this kind, with their digits. */
  all(kind) {
    return [...this.#of[kind]];
  }

  has(kind, cells) {
    return cells.some((cell) => this.#of[kind].has(cell));
  }

  get isEmpty() {
    return KINDS.every((kind) => !this.#of[kind].size);
  }

  /** Notes without those of a kind in these cells; in all cells if none are named. */
  without(kind, cells = [...this.#of[kind].keys()]) {
    return this.#with(kind, cells, () => NONE);
  }

  /** Give the digit to all of these cells; if all have it, take it away. */
  toggled(kind, cells, digit) {
    const all = cells.every((cell) => this.at(kind, cell).has(digit));
    const one = new Set([digit]);
    return this.#with(kind, cells, (digits) => (all ? digits.difference(one) : digits.union(one)));
  }

  /** Candidates that go, as pairs of a cell and a digit: they are crossed out, and no mark has them. */
  crossedOut(pairs) {
    return pairs.reduce((notes, [cell, digit]) => {
      const one = new Set([digit]);
      return notes
        .#with("gone", [cell], (digits) => digits.union(one))
        .#with("pencil", [cell], (digits) => digits.difference(one));
    }, this);
  }

  #with(kind, cells, change) {
    const changed = new Map(this.#of[kind]);
    for (const cell of cells) {
      const digits = change(this.at(kind, cell));
      if (digits.size) changed.set(cell, new Set([...digits].sort((one, other) => one - other)));
      else changed.delete(cell);
    }
    return new Notes({ ...this.#of, [kind]: changed });
  }

  /** The text ",pencil=r1c1:12.r1c2:3,gone=…", empty if there are no notes. */
  toText(n) {
    const parts = KINDS.map((kind) => {
      const cells = this.all(kind).sort(([one], [other]) => one - other);
      const words = cells.map(([cell, digits]) => `${nameOf(cell, n)}:${toLine([...digits])}`);
      return words.length ? `,${kind}=${words.join(".")}` : "";
    });
    return parts.join("");
  }

  /** The notes of such a text, which may have other parts; those that do not fit are left out. */
  static fromText(text, n) {
    const of = {};
    for (const part of text.split(",")) {
      const [kind, words] = part.split("=");
      if (KINDS.includes(kind) && words) of[kind] = words.split(".").flatMap((word) => noteFrom(word, n));
    }
    return new Notes(of);
  }
}

/** The cell and the digits of "r1c1:12" in a list, which is empty if they do not fit. */
function noteFrom(word, n) {
  const [name, line = ""] = word.split(":");
  const cell = cellOf(name, n);
  const digits = digitsOf(line);
  const fits = cell >= 0 && cell < n * n && digits.length && digits.every((digit) => digit > 0 && digit <= n);
  return fits ? [[cell, new Set(digits)]] : [];
}
