// Choosing cells on the board, by pointer or keyboard, for digits and marks or for a rule; and digits, on the pad.

import { isElsewhere } from "./board.js";
import { $, button } from "./elements.js";
import { game } from "./page.js";
import { digitsTo } from "./puzzle.js";

const ARROW = /^Arrow/;
const CENTRE = 0.47; // of a cell: dragging from corner to corner does not touch the cells beside

const addsTo = ({ shiftKey, ctrlKey, metaKey }) => shiftKey || ctrlKey || metaKey;

/**
 * Cells that are chosen: by dragging, or with Shift or Ctrl and a click or an arrow key. Fires "change", and
 * "dragged" (detail: the event) when the pointer leaves. They are for digits and marks, or for a rule; then
 * they stay when the keyboard moves on, Enter adds or removes the board's own cell, and a finger draws.
 */
export class Selection extends EventTarget {
  #element;
  #board;
  #chosen = []; // in their order
  #before = []; // the cells before the pointer came down
  #onCell = false; // whether it came down on a cell
  #removes = false; // whether dragging takes cells away
  #moves = false; // whether the board's cell moves without ending the selection
  #last = null; // the place of the pointer while it drags, in cells from the upper left corner
  line = false; // whether going back along the line shortens it

  constructor(element, board) {
    super();
    this.#element = element;
    this.#board = board;
    board.addEventListener("select", () => this.#moves || this.picking || this.clear());
    // First, as the board selects a cell next, and draws it again.
    element.addEventListener("pointerdown", ({ target }) => this.#remember(target), true);
    element.addEventListener("pointerdown", (event) => this.#onCell && this.#start(event));
    element.addEventListener("pointermove", (event) => this.#last && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, (event) => this.#last && this.#end(event));
    document.addEventListener("keydown", (event) => !isElsewhere(event) && this.#key(event), true);
  }

  /** Whether the cells are for a rule. */
  get picking() {
    return this.#element.classList.contains("picking");
  }

  set picking(on) {
    if (on === this.picking) return;
    this.#element.classList.toggle("picking", on);
    this.#chosen = [];
  }

  /** The cells for a digit; that of the board if none is chosen. */
  get cells() {
    const there = this.picking ? [] : this.#there;
    return there.length ? there : [this.#board.selected];
  }

  /** The cells for a rule. */
  get picked() {
    return this.picking ? this.#there : [];
  }

  set picked(cells) {
    this.#chosen = cells;
  }

  get #there() {
    return this.#chosen.filter((cell) => cell < this.#board.size ** 2);
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
    const { selected } = this.#board;
    if (event.button) return;
    const more = addsTo(event);
    this.#removes = more && !this.picking && this.#before.includes(selected) && this.#before.length > 1;
    this.#chosen = more ? this.#before : [];
    this.#touch(selected);
    if (event.pointerType === "touch" && !this.picking) return; // a finger scrolls the page
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
    const chosen = this.#chosen;
    if (this.picking && this.line && cell === chosen.at(-2)) this.#change(chosen.slice(0, -1));
    else if (this.#removes) this.#change(chosen.filter((each) => each !== cell));
    else if (!chosen.includes(cell)) this.#change([...chosen, cell]);
  }

  #placeOf({ clientX, clientY }) {
    const { left, top } = this.#element.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.#element;
    const n = this.#board.size;
    return [((clientX - left - clientLeft) / clientWidth) * n, ((clientY - top - clientTop) / clientHeight) * n];
  }

  #key(event) {
    const { key, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    const { selected, size } = this.#board;
    const chosen = this.#chosen;
    if (ARROW.test(key) && addsTo(event) && !event.altKey) {
      this.#moves = true;
      this.#board.move(key);
      this.#moves = false;
      const goesOn = !this.picking || chosen.at(-1) === selected;
      if (shiftKey) this.#change([...(goesOn ? chosen : []), selected, this.#board.selected]);
    } else if (this.picking ? key === "Enter" && this.#element.contains(event.target) : control && key === " ") {
      this.#removes = chosen.includes(selected);
      this.#touch(selected);
    } else if (control && key.toLowerCase() === "a" && !shiftKey && !this.picking) {
      this.#change([...Array(size ** 2).keys()]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #change(cells) {
    this.#chosen = [...new Set(cells)];
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

/**
 * Show the buttons of a grid of n rows, which call `press`: `left` says how often each digit is still to
 * come, and `candidates` are those to stand out.
 */
export function showPad(n, { left, candidates }, press) {
  $("notes").ariaPressed = mode() === "pencil";
  $("notes").disabled = game.setting;
  if ($("pad").children.length !== n) {
    $("pad").replaceChildren(...digitsTo(n).map((digit) => button(digit, () => press(digit)))); // only then, or a button would lose the focus
    $("pad").style.setProperty("--columns", Math.ceil(n / Math.ceil(n / 9)));
  }
  [...$("pad").children].forEach((each, index) => {
    const digit = index + 1;
    each.classList.toggle("done", left[digit] <= 0);
    each.classList.toggle("candidate", candidates.has(digit));
    each.title = left[digit] > 0 ? `${left[digit]} more` : "";
  });
}
