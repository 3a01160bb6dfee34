// What a person adds to a puzzle beside digits: pencil marks, and candidates that are crossed out,
// which are "gone". A value: changing it makes another.

import { cellOf, digitsOf, nameOf, toLine } from "./puzzle.js";

const KINDS = ["pencil", "gone"];
const NONE = new Set();

/** For each kind a Map from cells to sets of digits. */
export class Notes {
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
