// The grid on the screen: cells, the selected one, pencil marks and highlights.

import { nameOf, peers, sizeOf } from "./puzzle.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NONE = new Set();
const PATIENCE = 1000; // milliseconds in which a second figure belongs to the first

/** Fires "digit" (detail: digit, and whether it replaces the one before) and "select". */
export class Board extends EventTarget {
  #element;
  #cells = [];
  #box = [0, 0];
  #typed = { digit: 0, at: 0 };
  selected = 0;

  constructor(element) {
    super();
    this.#element = element;
    document.addEventListener("keydown", (event) => {
      const { target, key } = event;
      const elsewhere = target.closest?.("input, textarea, select, dialog");
      if (!elsewhere && !(key === " " && target.matches("button, a"))) this.#key(event);
    });
    element.addEventListener("pointerdown", (event) => {
      const cell = this.#cells.indexOf(event.target.closest(".cell"));
      if (cell >= 0) this.select(cell);
    });
    element.addEventListener("focusin", (event) => {
      const cell = this.#cells.indexOf(event.target);
      if (cell >= 0 && cell !== this.selected) this.select(cell);
    });
  }

  get size() {
    return sizeOf(this.#box);
  }

  select(cell) {
    this.selected = cell;
    this.#typed.at = 0;
    this.#cells[cell].focus();
    this.dispatchEvent(new Event("select"));
  }

  /**
   * Shows the grid. `givens` and `shown` are digits; `kind` says of each cell "given", "entry" or
   * "found"; `marks` has the pencil marks of each cell; `conflicts` is a set of cells, `different`
   * too; `highlights` maps cells to roles, `struck` cells and digits to roles.
   */
  show({ box, shown, kind, marks, conflicts, different, highlights, candidateRoles }) {
    if (box.join() !== this.#box.join()) this.#build(box);
    const n = this.size;
    const explains = highlights.size > 0;
    const near = explains ? NONE : peers(this.selected, box);
    const digit = explains ? 0 : shown[this.selected];
    this.#cells.forEach((element, cell) => {
      const classes = ["cell", kind[cell]];
      if (near.has(cell)) classes.push("near");
      if (digit && shown[cell] === digit) classes.push("same");
      if (cell === this.selected) classes.push("selected");
      if (conflicts.has(cell)) classes.push("conflict");
      if (different.has(cell)) classes.push("difference");
      for (const role of highlights.get(cell) ?? []) classes.push(`role-${role}`);
      element.className = classes.join(" ");
      element.tabIndex = cell === this.selected ? 0 : -1;
      element.setAttribute("aria-selected", cell === this.selected);
      element.setAttribute("aria-readonly", kind[cell] === "given");
      element.setAttribute("aria-invalid", conflicts.has(cell));
      const roles = candidateRoles.get(cell);
      element.setAttribute("aria-label", describe(cell, n, shown[cell], kind[cell], marks[cell]));
      if (shown[cell]) element.replaceChildren(String(shown[cell]), ...beside(roles, shown[cell]));
      else if (marks[cell] || roles) element.replaceChildren(pencil(box, marks[cell] ?? NONE, roles));
      else element.replaceChildren();
    });
  }

  #build(box) {
    this.#box = box;
    const n = sizeOf(box);
    this.selected = Math.min(this.selected, n * n - 1);
    const sides = { "--n": n, "--box-rows": box[0], "--box-columns": box[1] };
    for (const [name, side] of Object.entries(sides)) this.#element.style.setProperty(name, side);
    this.#element.dataset.size = n > 9 ? "large" : "small";
    this.#element.setAttribute("aria-rowcount", n);
    this.#element.setAttribute("aria-colcount", n);
    const rows = Array.from({ length: n }, (_, row) => {
      const line = part("div", { className: "row", role: "row" });
      for (let column = 0; column < n; column++) {
        line.append(part("div", { role: "gridcell" }));
      }
      return line;
    });
    this.#element.replaceChildren(...rows);
    this.#cells = rows.flatMap((row) => [...row.children]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const n = this.size;
    const row = Math.floor(this.selected / n);
    const column = this.selected % n;
    if (event.key in MOVES) {
      const [down, right] = MOVES[event.key];
      this.select(((row + down + n) % n) * n + ((column + right + n) % n));
    } else if (event.key === "Home") {
      this.select(row * n);
    } else if (event.key === "End") {
      this.select(row * n + n - 1);
    } else if (["Backspace", "Delete", "0", ".", " "].includes(event.key) && !this.#isSecond("0")) {
      this.#type(0, false);
    } else if (/^[0-9]$/.test(event.key)) {
      const second = this.#isSecond(event.key);
      this.#type(second ? this.#typed.digit * 10 + Number(event.key) : Number(event.key), second);
    } else if (n > 9 && /^[a-z]$/i.test(event.key) && parseInt(event.key, 36) <= n) {
      this.#type(parseInt(event.key, 36), false);
    } else {
      return;
    }
    event.preventDefault();
  }

  #isSecond(figure) {
    const { digit, at } = this.#typed;
    const soon = digit > 0 && performance.now() - at < PATIENCE;
    return soon && /^\d$/.test(figure) && digit * 10 + Number(figure) <= this.size;
  }

  #type(digit, second) {
    if (digit > this.size) return;
    this.#typed = { digit: second ? 0 : digit, at: performance.now() };
    this.dispatchEvent(new CustomEvent("digit", { detail: { digit, second } }));
  }
}

function pencil(box, digits, roles) {
  const marks = part("span", { className: "marks", ariaHidden: "true" });
  marks.style.setProperty("--columns", box[1]);
  for (let digit = 1; digit <= sizeOf(box); digit++) {
    const mark = part("span", {}, digits.has(digit) || roles?.has(digit) ? String(digit) : "");
    if (roles?.has(digit)) mark.className = `mark-${roles.get(digit)}`;
    marks.append(mark);
  }
  return marks;
}

/** What else is to be said of digits in a cell that holds another. */
const beside = (roles, digit) =>
  [...(roles ?? [])]
    .filter(([other]) => other !== digit)
    .map(([other, role]) => part("span", { className: `beside mark-${role}` }, String(other)));

function describe(cell, n, digit, kind, marks) {
  const place = nameOf(cell, n).replace("r", "row ").replace("c", ", column ");
  if (digit) return `${place}: ${digit}${kind === "given" ? ", given" : ""}`;
  return marks ? `${place}: empty, may be ${[...marks].join(", ")}` : `${place}: empty`;
}

/** An element with these properties and children; text is never taken for markup. */
export function part(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
