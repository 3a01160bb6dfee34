// Choosing cells on the board for a rule, by pointer or keyboard; and digits, on the pad.

import { isElsewhere } from "./board.js";
import { $, button } from "./elements.js";
import { game } from "./page.js";
import { digitsTo } from "./puzzle.js";

const CENTRE = 0.47; // of a cell: dragging from corner to corner does not touch the cells beside

/**
 * Cells that are picked for a rule while this is `picking`: by dragging, or one by one with Enter. Fires "change",
 * and "dragged" (detail: the event) when the pointer leaves.
 */
export class Selection extends EventTarget {
  #element;
  #board;
  #last = null; // the place of the pointer while it drags, in cells from the upper left corner
  #line = false; // whether going back along the line shortens it
  picking = false;
  picked = []; // in their order

  constructor(element, board) {
    super();
    this.#element = element;
    this.#board = board; // which has already selected the cell below the pointer
    element.addEventListener("pointerdown", (event) => this.picking && !event.button && this.#start(event));
    element.addEventListener("pointermove", (event) => this.#last && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, (event) => this.#last && this.#end(event));
    document.addEventListener("keydown", (event) => this.picking && !isElsewhere(event) && this.#key(event), true);
  }

  /** Go on from these cells, which are those of a `line` or not; null ends the choice. */
  pick(cells, line = false) {
    this.picking = cells !== null;
    this.#element.classList.toggle("picking", this.picking);
    this.picked = cells ?? [];
    this.#line = line;
  }

  #start(event) {
    if (!event.ctrlKey && !event.metaKey) this.picked = [];
    this.#touch(this.#board.selected);
    this.#last = this.#placeOf(event);
    this.#element.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const from = this.#last;
    this.#last = this.#placeOf(event);
    for (const cell of cellsBetween(from, this.#last, this.#board.size)) this.#touch(cell);
  }

  #end(detail) {
    this.#last = null;
    this.dispatchEvent(new CustomEvent("dragged", { detail }));
  }

  #touch(cell) {
    const { picked } = this;
    this.#change(this.#line && cell === picked.at(-2) ? picked.slice(0, -1) : [...picked, cell]);
  }

  #placeOf({ clientX, clientY }) {
    const { left, top } = this.#element.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.#element;
    const n = this.#board.size;
    return [((clientX - left - clientLeft) / clientWidth) * n, ((clientY - top - clientTop) / clientHeight) * n];
  }

  #key(event) {
    if (event.key !== "Enter" || !this.#element.contains(event.target)) return;
    const { selected } = this.#board;
    const { picked } = this;
    this.#change(picked.includes(selected) ? picked.filter((cell) => cell !== selected) : [...picked, selected]);
    event.preventDefault();
    event.stopPropagation();
  }

  #change(cells) {
    this.picked = [...new Set(cells)];
    this.dispatchEvent(new Event("change"));
  }
}

/** The cells near whose centres the straight line from one place to another goes, in its order. */
function cellsBetween([fromX, fromY], [x, y], n) {
  const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) * 8);
  const places = Array.from({ length: steps }, (_, step) => (step + 1) / steps);
  const cells = places.map((part) => cellAt(fromX + (x - fromX) * part, fromY + (y - fromY) * part, n));
  return cells.filter((cell, index) => cell !== null && cell !== cells[index - 1]);
}

function cellAt(x, y, n) {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (Math.min(row, column) < 0 || Math.max(row, column) >= n) return null;
  return Math.hypot(x - column - 0.5, y - row - 0.5) > CENTRE ? null : row * n + column;
}

// --- the pad -------------------------------------------------------------------------------------

let notes = false;

/** What a digit does: "digit" or "pencil". While a puzzle is set, only digits can be typed. */
export const mode = () => (notes && !game.setting ? "pencil" : "digit");

/** Let digits be notes, or digits again. */
export function turnNotes() {
  notes = !notes;
}

/** Show the buttons of a grid of n rows, which call `press`; the `candidates` stand out. */
export function showPad(n, candidates, press) {
  $("notes").ariaPressed = mode() === "pencil";
  $("notes").disabled = game.setting;
  if ($("pad").children.length !== n) {
    $("pad").replaceChildren(...digitsTo(n).map((digit) => button(digit, () => press(digit)))); // only then, or a button would lose the focus
    for (const [columns, most] of [["--columns", 9], ["--narrow", 7]]) $("pad").style.setProperty(columns, Math.ceil(n / Math.ceil(n / most)));
  }
  [...$("pad").children].forEach((each, index) => each.classList.toggle("candidate", candidates.has(index + 1)));
}
