// The state of the board and its history; both survive a reload.

import { faultOf } from "./links.js";
import { fromText, sizeOf, toText } from "./puzzle.js";

const KEY = "pylogic-sudoku";
const REMEMBERED = 300; // steps that can be undone

const stateText = ({ puzzle, entries }) => toText(puzzle, entries);

/** Fires "change" whenever the board must be drawn anew, and "badlink" if a link holds no puzzle. */
export class Game extends EventTarget {
  #state;
  #past = [];
  #future = [];
  setting = false; // whether digits typed are givens
  badLink = ""; // what is wrong with the last link, if it holds no puzzle

  constructor(example) {
    super();
    this.#state = fromText(example);
    const hash = location.hash.slice(1);
    const linked = fromText(hash);
    this.badLink = hash && !linked ? faultOf(hash) : "";
    this.#restore();
    if (linked && !this.#isHere(linked.puzzle)) this.load(linked.puzzle);
    addEventListener("hashchange", () => {
      const text = location.hash.slice(1);
      const other = fromText(text);
      if (!other) return this.#refuse(text);
      if (!this.#isHere(other.puzzle)) this.load(other.puzzle);
    });
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

  /** Givens and entries together. */
  get cells() {
    return this.givens.map((digit, cell) => digit || this.entries[cell]);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  get link() {
    const { origin, pathname } = location;
    return `${origin}${pathname}#${toText(this.puzzle)}`;
  }

  /** Load another puzzle; if it is empty, the user sets it first. */
  load(puzzle) {
    this.setting = puzzle.givens.every((digit) => !digit) && !puzzle.rules.length;
    this.#step({ puzzle, entries: puzzle.givens.map(() => 0) });
  }

  /** Put a digit into a cell, 0 to empty it; false if a given stands there. */
  place(cell, digit) {
    const { puzzle, entries } = this.#state;
    if (!this.setting && puzzle.givens[cell]) return false;
    const old = this.setting ? puzzle.givens : entries;
    if (old[cell] === digit) return true;
    const changed = old.with(cell, digit);
    this.#step(
      this.setting
        ? { puzzle: { ...puzzle, givens: changed }, entries: entries.with(cell, 0) }
        : { puzzle, entries: changed },
    );
    return true;
  }

  /** Make these the entries, except where a given stands. */
  fill(cells) {
    const { puzzle } = this.#state;
    const entries = cells.map((digit, cell) => (puzzle.givens[cell] ? 0 : digit));
    this.#step({ puzzle, entries });
  }

  /** Give the puzzle other rules. */
  rule(rules) {
    const { puzzle, entries } = this.#state;
    this.#step({ puzzle: { ...puzzle, rules }, entries });
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
    this.#state = fromText(text);
    this.#changed();
  }

  #changed() {
    const kept = [stateText(this.#state), this.#past, this.#future, this.setting];
    for (const storage of [sessionStorage, localStorage]) {
      try {
        storage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Full, or forbidden: a reload starts over.
      }
    }
    history.replaceState(null, "", this.link);
    this.dispatchEvent(new Event("change"));
  }

  #restore() {
    try {
      const kept = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
      const [text, past, future, setting] = JSON.parse(kept);
      this.#state = fromText(text) ?? this.#state;
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

  #isHere(puzzle) {
    return toText(puzzle) === toText(this.puzzle);
  }
}
