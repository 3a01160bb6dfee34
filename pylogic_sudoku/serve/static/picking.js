// Choosing cells on the board for a rule: by dragging, or with Shift and the arrow keys, or Enter.

import { cellsBetween, placeOn } from "./dragging.js";

const ARROW = /^Arrow/;

/** Fires "pick" when `cells` have changed, and "picked" when the pointer leaves them. */
export class Picker extends EventTarget {
  #board;
  #element;
  #last = null; // the place of the pointer while it drags, in cells
  cells = []; // in the order in which they were chosen
  line = false; // whether going back along the line shortens it

  constructor(element, board) {
    super();
    this.#board = board;
    this.#element = element;
    element.addEventListener("pointerdown", (event) => this.active && this.#start(event));
    element.addEventListener("pointermove", (event) => this.#last && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) {
      addEventListener(type, (event) => this.#last && this.#end(event));
    }
    element.addEventListener("keydown", (event) => this.active && this.#key(event), true);
  }

  get active() {
    return this.#element.classList.contains("picking");
  }

  set active(on) {
    this.#element.classList.toggle("picking", on);
  }

  #place(event) {
    return placeOn(this.#element, this.#board.size, event);
  }

  #start(event) {
    if (event.button) return;
    this.#last = this.#place(event);
    this.#element.setPointerCapture(event.pointerId);
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    this.#change([...new Set([...(more ? this.cells : []), this.#board.selected])]);
  }

  #drag(event) {
    const from = this.#last;
    this.#last = this.#place(event);
    for (const cell of cellsBetween(from, this.#last, this.#board.size)) this.#touch(cell);
  }

  #touch(cell) {
    if (this.line && cell === this.cells.at(-2)) this.#change(this.cells.slice(0, -1));
    else if (!this.cells.includes(cell)) this.#change([...this.cells, cell]);
  }

  #end(event) {
    this.#last = null;
    this.dispatchEvent(new CustomEvent("picked", { detail: event }));
  }

  #key(event) {
    const { selected } = this.#board;
    if (event.key === "Enter") {
      const rest = this.cells.filter((cell) => cell !== selected);
      this.#change(rest.length < this.cells.length ? rest : [...rest, selected]);
    } else if (event.shiftKey && ARROW.test(event.key)) {
      const before = this.cells.at(-1) === selected ? this.cells : [selected];
      this.#board.move(event.key);
      this.#change([...new Set([...before, this.#board.selected])]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #change(cells) {
    this.cells = cells;
    this.dispatchEvent(new Event("pick"));
  }
}
