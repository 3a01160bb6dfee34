// Choosing cells on the board, by pointer or keyboard, for digits and marks or for a rule; and digits, on the pad.

import { isElsewhere } from "./board.js";
import { $, button } from "./elements.js";
import { digitsTo } from "./puzzle.js";

const ARROW = /^Arrow/;
const CENTRE = 0.47; // of a cell: dragging from corner to corner does not touch the cells beside

const addsTo = ({ shiftKey, ctrlKey, metaKey }) => shiftKey || ctrlKey || metaKey;

/** Calls `touch` with each cell that a pointer drags over, and fires "dragged" (detail: the event) when it leaves. */
class Dragging extends EventTarget {
  #last = null; // the place of the pointer while it drags, in cells from the upper left corner

  constructor(element, board) {
    super();
    this.board = board;
    this.element = element;
    element.addEventListener("pointermove", (event) => this.#last && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, (event) => this.#last && this.#end(event));
  }

  /** Drag from the place of this event on. */
  follow(event) {
    this.#last = this.#placeOf(event);
    this.element.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const from = this.#last;
    this.#last = this.#placeOf(event);
    for (const cell of cellsBetween(from, this.#last, this.board.size)) this.touch(cell);
  }

  #end(detail) {
    this.#last = null;
    this.dispatchEvent(new CustomEvent("dragged", { detail }));
  }

  #placeOf({ clientX, clientY }) {
    const { left, top } = this.element.getBoundingClientRect();
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.element;
    const n = this.board.size;
    return [((clientX - left - clientLeft) / clientWidth) * n, ((clientY - top - clientTop) / clientHeight) * n];
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

/**
 * Several cells for digits and marks: by dragging, or with Shift or Ctrl and a click or an arrow key.
 * Fires "change". The board's own cell is where the keyboard is; it need not be among these.
 */
export class Selection extends Dragging {
  #chosen = new Set();
  #before = new Set(); // the cells before the pointer came down
  #onCell = false; // whether it came down on a cell
  #removes = false; // whether dragging takes cells away
  #moves = false; // whether the board's cell moves without ending the selection
  enabled = true;

  constructor(element, board) {
    super(element, board);
    board.addEventListener("select", () => this.#moves || this.clear());
    // First, as the board selects a cell next, and draws it again.
    element.addEventListener("pointerdown", ({ target }) => this.#remember(target), true);
    element.addEventListener("pointerdown", (event) => this.enabled && this.#onCell && this.#start(event));
    document.addEventListener("keydown", (event) => this.enabled && !isElsewhere(event) && this.#key(event), true);
  }

  /** The cells; that of the board if none is chosen. */
  get cells() {
    const there = [...this.#chosen].filter((cell) => cell < this.board.size ** 2);
    return there.length ? there : [this.board.selected];
  }

  /** Choose the board's own cell only. */
  clear() {
    this.#change([this.board.selected]);
  }

  #remember(target) {
    this.#before = this.#chosen;
    this.#onCell = Boolean(target.closest(".cell"));
  }

  #start(event) {
    const { selected } = this.board;
    if (event.button) return;
    const more = addsTo(event);
    this.#removes = more && this.#before.has(selected) && this.#before.size > 1;
    this.#change(more ? this.#before : []);
    this.touch(selected);
    if (event.pointerType !== "touch") this.follow(event); // a finger scrolls the page
  }

  touch(cell) {
    const chosen = new Set(this.#chosen);
    if (this.#removes) chosen.delete(cell);
    else chosen.add(cell);
    if (chosen.size !== this.#chosen.size) this.#change(chosen);
  }

  #key(event) {
    const { key, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    const { selected, size } = this.board;
    if (ARROW.test(key) && addsTo(event) && !event.altKey) {
      const chosen = this.#chosen;
      this.#move(key);
      if (shiftKey) this.#change([...chosen, selected, this.board.selected]);
    } else if (control && key === " ") {
      this.#removes = this.#chosen.has(selected);
      this.touch(selected);
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
    this.board.move(key);
    this.#moves = false;
  }

  #change(cells) {
    this.#chosen = new Set(cells);
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Cells for a rule: by dragging, with Shift and the arrow keys, or with Enter. Fires "pick" when
 * `cells` have changed.
 */
export class Picker extends Dragging {
  cells = []; // in the order in which they were chosen
  line = false; // whether going back along the line shortens it

  constructor(element, board) {
    super(element, board);
    element.addEventListener("pointerdown", (event) => this.active && this.#start(event));
    element.addEventListener("keydown", (event) => this.active && this.#key(event), true);
  }

  get active() {
    return this.element.classList.contains("picking");
  }

  set active(on) {
    this.element.classList.toggle("picking", on);
  }

  #start(event) {
    if (event.button) return;
    this.follow(event);
    this.#change([...new Set([...(addsTo(event) ? this.cells : []), this.board.selected])]);
  }

  touch(cell) {
    if (this.line && cell === this.cells.at(-2)) this.#change(this.cells.slice(0, -1));
    else if (!this.cells.includes(cell)) this.#change([...this.cells, cell]);
  }

  #key(event) {
    const { selected } = this.board;
    if (event.key === "Enter") {
      const rest = this.cells.filter((cell) => cell !== selected);
      this.#change(rest.length < this.cells.length ? rest : [...rest, selected]);
    } else if (event.shiftKey && ARROW.test(event.key)) {
      const before = this.cells.at(-1) === selected ? this.cells : [selected];
      this.board.move(event.key);
      this.#change([...new Set([...before, this.board.selected])]);
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

/** The buttons for digits, and whether they set digits or notes. Fires "press" (detail: the digit) and "mode". */
export class Pad extends EventTarget {
  #notes = false;
  #size = 0;
  setting = false; // then only digits can be typed

  constructor() {
    super();
    $("notes").addEventListener("click", () => this.#turn());
    document.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() === "x" && !ctrlKey && !metaKey && !altKey && !isElsewhere(event)) this.#turn();
    });
  }

  /** What a digit does: "digit" or "pencil". */
  get mode() {
    return this.#notes && !this.setting ? "pencil" : "digit";
  }

  #turn() {
    this.#notes = !this.#notes;
    this.dispatchEvent(new Event("mode"));
  }

  /**
   * Show the buttons of a grid of n rows: `left` says how often each digit is still to come, and
   * `candidates` are those to stand out.
   */
  show(n, { left, candidates }) {
    $("notes").setAttribute("aria-pressed", this.mode === "pencil");
    $("notes").disabled = this.setting;
    if (n !== this.#size) this.#build(n); // or a button would lose the focus
    [...$("pad").children].forEach((button, index) => {
      const digit = index + 1;
      button.classList.toggle("done", left[digit] <= 0);
      button.classList.toggle("candidate", candidates.has(digit));
      button.title = left[digit] > 0 ? `${left[digit]} more` : "";
    });
  }

  #build(n) {
    this.#size = n;
    const press = (detail) => () => this.dispatchEvent(new CustomEvent("press", { detail }));
    $("pad").replaceChildren(...digitsTo(n).map((digit) => button(digit, press(digit))));
    $("pad").style.setProperty("--columns", Math.ceil(n / Math.ceil(n / 9)));
  }
}
