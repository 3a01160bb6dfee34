// Several cells at once, for digits and marks: by dragging, with Shift or Ctrl and a click,
// or with Shift or Ctrl and the arrow keys.

import { isElsewhere } from "./board.js";
import { cellsBetween, placeOn } from "./dragging.js";

const ARROW = /^Arrow/;

/** Fires "change". The board's own cell is where the keyboard is; it need not be among these. */
export class Selection extends EventTarget {
  #board;
  #element;
  #chosen = new Set();
  #before = new Set(); // the cells before the pointer came down
  #onCell = false; // whether it came down on a cell
  #last = null; // the place of the pointer while it drags, in cells
  #removes = false; // whether dragging takes cells away
  #moves = false; // whether the board's cell moves without ending the selection
  #several = false;
  enabled = true;

  constructor(element, board) {
    super();
    this.#board = board;
    this.#element = element;
    board.addEventListener("select", () => this.#moves || this.#change([board.selected]));
    // First, as the board selects a cell next, and draws it again.
    element.addEventListener("pointerdown", ({ target }) => this.#remember(target), true);
    element.addEventListener("pointerdown", (event) => this.enabled && this.#onCell && this.#start(event));
    element.addEventListener("pointermove", (event) => this.#last && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (this.#last = null));
    document.addEventListener("keydown", (event) => this.enabled && !isElsewhere(event) && this.#key(event), true);
  }

  /** The cells; that of the board if none is chosen. */
  get cells() {
    const there = [...this.#chosen].filter((cell) => cell < this.#board.size ** 2);
    return there.length ? there : [this.#board.selected];
  }

  get several() {
    return this.#several;
  }

  /** Whether a click or a touch adds cells to those chosen before, and a finger can drag. */
  set several(on) {
    this.#several = on;
    this.#element.classList.toggle("several", on);
    if (!on) this.clear();
    else this.#change(this.#chosen);
  }

  /** Choose the board's own cell only. */
  clear() {
    this.#change([this.#board.selected]);
  }

  #remember(target) {
    this.#before = this.#chosen;
    this.#onCell = Boolean(target.closest(".cell"));
  }

  #start(event) {
    const { selected, size } = this.#board;
    if (event.button) return;
    const more = event.shiftKey || event.ctrlKey || event.metaKey || this.#several;
    this.#removes = more && this.#before.has(selected) && this.#before.size > 1;
    this.#change(more ? this.#before : []);
    this.#touch(selected);
    if (event.pointerType === "touch" && !this.#several) return; // it scrolls the page
    this.#last = placeOn(this.#element, size, event);
    this.#element.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const from = this.#last;
    this.#last = placeOn(this.#element, this.#board.size, event);
    for (const cell of cellsBetween(from, this.#last, this.#board.size)) this.#touch(cell);
  }

  #touch(cell) {
    const chosen = new Set(this.#chosen);
    if (this.#removes) chosen.delete(cell);
    else chosen.add(cell);
    if (chosen.size !== this.#chosen.size) this.#change(chosen);
  }

  #key(event) {
    const { key, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    const { selected, size } = this.#board;
    if (ARROW.test(key) && (shiftKey || control) && !event.altKey) {
      const chosen = this.#chosen;
      this.#move(key);
      if (shiftKey) this.#change([...chosen, selected, this.#board.selected]);
    } else if (control && key === " ") {
      this.#removes = this.#chosen.has(selected);
      this.#touch(selected);
    } else if (control && key.toLowerCase() === "a" && !shiftKey) {
      this.#change(Array.from({ length: size ** 2 }, (_, cell) => cell));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the board's cell, and keep what is chosen. */
  #move(key) {
    this.#moves = true;
    this.#board.move(key);
    this.#moves = false;
  }

  #change(cells) {
    this.#chosen = new Set(cells);
    this.dispatchEvent(new Event("change"));
  }
}
