// What is on the board, what was there before, and where it is kept over a reload.

import { fromLine, sizeOf, toLine } from "./puzzle.js";

const KEY = "pylogic-sudoku";
const MOST = 16; // rows of a grid
const REMEMBERED = 300; // steps that can be undone

/** A state as text, "2x3,givens,entries": what links, the history and the storage have. */
const toText = ({ box, givens, entries }) =>
  [box.join("x"), toLine(givens), toLine(entries)].join(",");

function fromText(text) {
  const [shape, givenLine, entryLine] = text.split(",");
  const box = /^\d+x\d+$/.test(shape) ? shape.split("x").map(Number) : [0, 0];
  if (sizeOf(box) < 1 || sizeOf(box) > MOST) return null;
  const givens = fromLine(givenLine ?? "", box);
  const entries = entryLine ? fromLine(entryLine, box) : givens?.map(() => 0);
  return givens && entries && { box, givens, entries };
}

/** Fires "change" whenever something else is to be shown. */
export class Game extends EventTarget {
  #state;
  #past = [];
  #future = [];
  setting = false; // whether digits typed are givens

  constructor(example) {
    super();
    this.#state = fromText(example);
    const linked = fromText(location.hash.slice(1));
    this.#restore();
    if (linked && !this.#isSamePuzzle(linked)) this.load(linked.box, linked.givens);
    addEventListener("hashchange", () => {
      const other = fromText(location.hash.slice(1));
      if (other && !this.#isSamePuzzle(other)) this.load(other.box, other.givens);
    });
    this.#changed();
  }

  get box() {
    return this.#state.box;
  }

  get size() {
    return sizeOf(this.#state.box);
  }

  get givens() {
    return this.#state.givens;
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
    return `${origin}${pathname}#${this.box.join("x")},${toLine(this.givens)}`;
  }

  /** Another puzzle; an empty one is there to be set. */
  load(box, givens) {
    this.setting = givens.every((digit) => !digit);
    this.#step({ box, givens, entries: givens.map(() => 0) });
  }

  /** Puts a digit into a cell, 0 to empty it; false where a given stands. */
  place(cell, digit) {
    const { box, givens, entries } = this.#state;
    if (!this.setting && givens[cell]) return false;
    const old = this.setting ? givens : entries;
    if (old[cell] === digit) return true;
    const changed = old.with(cell, digit);
    this.#step(
      this.setting
        ? { box, givens: changed, entries: entries.with(cell, 0) }
        : { box, givens, entries: changed },
    );
    return true;
  }

  /** Makes these the entries, where no given stands. */
  fill(cells) {
    const { box, givens } = this.#state;
    this.#step({ box, givens, entries: cells.map((digit, cell) => (givens[cell] ? 0 : digit)) });
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
    if (toText(state) === toText(this.#state)) return this.#changed();
    this.#past = [...this.#past, toText(this.#state)].slice(-REMEMBERED);
    this.#future = [];
    this.#state = state;
    this.#changed();
  }

  #travel(from, to) {
    const text = from.pop();
    if (!text) return;
    to.push(toText(this.#state));
    this.#state = fromText(text);
    this.#changed();
  }

  #changed() {
    const kept = [toText(this.#state), this.#past, this.#future, this.setting];
    for (const storage of [sessionStorage, localStorage]) {
      try {
        storage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Full, or forbidden: a reload begins anew.
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
      // Nothing kept, or by another version.
    }
  }

  #isSamePuzzle({ box, givens }) {
    return box.join() === this.box.join() && givens.join() === this.givens.join();
  }
}
