// The grid on the screen: cells, the selected one, pencil marks and highlights.

import { drawing, drawn, part, SVG } from "./elements.js";
import { blocksOf, digitsTo, inWords, nameOf, parity, peers, SIDE, sizeOf } from "./puzzle.js";
import { firstRole, shape } from "./roles.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NONE = new Set();

/** Whether a key is for something else than the board. */
export function isElsewhere({ target, key }) {
  const field = target.closest?.("input, textarea, select, dialog, [role=listbox], [data-scrolls]");
  return Boolean(field) || (key === " " && target.matches("button, a, summary"));
}

/** Fires "digit" (detail: the digit, 0 for none) and "select". */
export class Board extends EventTarget {
  #element;
  #cells = [];
  #blocks = []; // the box or region of each cell
  #edges = []; // the classes of the cells at their edges
  #layer = drawing({ class: "drawing" }); // of the rules
  #links = drawing({ class: "drawing links" }); // of a chain
  #drawn = "";
  selected = 0;

  constructor(element) {
    super();
    this.#element = element;
    document.addEventListener("keydown", (event) => {
      if (!isElsewhere(event)) this.#key(event);
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
    return Math.sqrt(this.#blocks.length);
  }

  /** Let these cells light up. */
  light(cells) {
    this.#cells.forEach((element, cell) => element.classList.toggle("lit", cells.includes(cell)));
  }

  /** Select a cell, and let the keyboard be there. */
  select(cell) {
    this.selected = cell;
    this.#cells[cell].focus();
    this.dispatchEvent(new Event("select"));
  }

  /**
   * Show a puzzle. `shown` has the digits; `kind` says of each cell "given", "entry" or "found";
   * `pencil` has the pencil marks of each cell; `wrong` and `different` are sets of cells; if a
   * solution shows, it is `answered`; `highlights` maps cells to roles, `candidateRoles` cells to digits to roles; `marked` are the
   * cells of a rule, and `picked` those chosen for one.
   */
  show({ puzzle, shown, kind, pencil, wrong, answered, different, highlights, candidateRoles, marked, picked }) {
    const blocks = blocksOf(puzzle);
    if (String(blocks) !== String(this.#blocks)) this.#build(blocks);
    const n = this.size;
    const explains = answered || highlights.size > 0;
    const [first] = picked;
    const near = explains || marked.size ? NONE : peers(this.selected, puzzle);
    const digit = explains ? 0 : shown[this.selected];
    this.#cells.forEach((element, cell) => {
      const roles = highlights.get(cell) ?? [];
      const looks = {
        near: near.has(cell),
        same: digit && shown[cell] === digit,
        selected: cell === this.selected,
        wrong: wrong.has(cell),
        difference: different.has(cell),
        "marked role-house": marked.has(cell),
        picked: picked.has(cell),
        first: cell === first,
      };
      const candidates = candidateRoles.get(cell);
      const small = !shown[cell] && (pencil[cell] || candidates);
      const also = looks.picked ? ", chosen" : looks["marked role-house"] ? ", in the rule" : "";
      const shownAs = Object.keys(looks).filter((look) => looks[look]);
      Object.assign(element, {
        className: ["cell", kind[cell], ...this.#edges[cell], ...roles.map((role) => `role-${role}`), ...shownAs].join(" "),
        tabIndex: looks.selected ? 0 : -1,
        ariaSelected: looks.selected,
        ariaReadOnly: kind[cell] === "given",
        ariaInvalid: looks.wrong,
        ariaLabel: describe(cell, puzzle, shown[cell], kind[cell], pencil[cell], candidates) + also,
      });
      element.replaceChildren(...markOf(puzzle.marks.get(cell), n, small));
      if (small) element.append(smallDigits(n, pencil[cell] ?? NONE, candidates));
      else if (shown[cell]) element.append(part("span", { className: "digit" }, String(shown[cell])), ...beside(candidates, shown[cell]));
      element.append(...shaped([...roles, ...(looks.wrong ? ["conflict"] : []), ...(looks.difference ? ["difference"] : [])]));
      if (looks.difference) element.append(part("span", { className: "unlike", ariaHidden: "true" }));
      if (looks.picked) element.append(part("span", { className: "pick", ariaHidden: "true" }));
    });
    // A wall of frames would hide the digits in them; the tints are enough.
    this.#element.classList.toggle("crowded", this.#element.querySelectorAll(".cell > .shape:is(.conflict, .difference, .a, .b)").length > n);
  }

  #build(blocks) {
    this.#blocks = blocks;
    const n = this.size;
    this.selected = Math.min(this.selected, n * n - 1);
    this.#element.setAttribute("aria-rowcount", n);
    this.#element.setAttribute("aria-colcount", n);
    const rows = Array.from({ length: n }, () => {
      const cells = Array.from({ length: n }, () => part("div", { role: "gridcell" }));
      return part("div", { className: "row", role: "row" }, ...cells);
    });
    this.#element.replaceChildren(...rows, this.#layer, this.#links);
    this.#edges = edges(blocks, n);
    number(this.#element.parentElement, n);
    this.#cells = rows.flatMap((row) => [...row.children]);
  }

  /**
   * Draw the rules behind the digits; `room` is that for clues outside, in cells; `labels` says
   * whether they have labels in the corners of cells.
   */
  draw({ svg: markup, room, labels }) {
    const n = this.size;
    const wanted = JSON.stringify([n, markup]);
    if (this.#drawn === wanted) return;
    this.#drawn = wanted;
    const svg = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
    this.#layer.replaceChildren(...svg.documentElement.childNodes);
    this.#layer.setAttribute("viewBox", `${[0, 0, n * SIDE, n * SIDE]}`);
    const frame = this.#element.parentElement;
    for (const side of ["left", "top", "right", "bottom"]) frame.style.setProperty(`--${side}`, room[side] ?? 0);
    frame.classList.toggle("labelled", Boolean(labels));
    frame.classList.toggle("roomy", Object.values(room).some(Boolean));
  }

  /** Draw the links of a chain and the rims of houses, behind the digits, and flag the numbers of rows and columns. */
  link(links, rims, flagged) {
    this.#links.setAttribute("viewBox", `${[0, 0, this.size * SIDE, this.size * SIDE]}`);
    const line = (path, name) => drawn("path", { d: path, class: name });
    this.#links.replaceChildren(
      ...rims.map(({ rim, role }) => line(rim, `rim role-${role}`)),
      ...links.map(({ path, strong }) => line(path, strong ? "strong" : "weak")),
    );
    for (const kind of ["row", "column"]) {
      const numbers = this.#element.parentElement.querySelectorAll(`.${kind}s > span`);
      numbers.forEach((each, index) => each.classList.toggle("flagged", flagged.includes(`${kind} ${index + 1}`)));
    }
  }

  #key(event) {
    const n = this.size;
    const row = Math.floor(this.selected / n);
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key in MOVES) {
      this.move(event.key);
    } else if (event.key === "Home") {
      this.select(row * n);
    } else if (event.key === "End") {
      this.select(row * n + n - 1);
    } else if (["Backspace", "Delete", "0", ".", " "].includes(event.key)) {
      this.#type(0);
    } else if (/^[1-9a-z]$/i.test(event.key) && parseInt(event.key, 36) <= n) {
      this.#type(parseInt(event.key, 36)); // A for 10, B for 11
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Select the next cell in the direction of this key. */
  move(key) {
    const n = this.size;
    const [down, right] = MOVES[key];
    const [row, column] = [Math.floor(this.selected / n), this.selected % n];
    this.select(((row + down + n) % n) * n + ((column + right + n) % n));
  }

  #type(digit) {
    this.dispatchEvent(new CustomEvent("digit", { detail: digit }));
  }
}

/** The shape of the first of these roles; a house has a rim around all of its cells instead. */
function shaped(roles) {
  const role = firstRole(roles);
  return !role || role === "house" || role === "cover" ? [] : [shape(role)];
}

/** The mark of a cell: a circle for odd, a square for even, otherwise its digits. */
function markOf(digits, n, covered) {
  if (!digits) return [];
  const shape = parity(digits, n);
  if (covered && !shape) return [];
  const mark = part("span", { className: `mark ${shape ?? "digits"}`, ariaHidden: "true" });
  mark.dataset.digits = digits.join(" ") || "–";
  return [mark];
}

function smallDigits(n, digits, roles) {
  const small = part("span", { className: "pencil", ariaHidden: "true" });
  small.style.setProperty("--columns", Math.ceil(Math.sqrt(n)));
  for (const digit of digitsTo(n)) {
    const each = part("span", {}, digits.has(digit) || roles?.has(digit) ? String(digit) : "");
    if (roles?.has(digit)) {
      each.className = `mark-${roles.get(digit)}`;
      each.append(shape(roles.get(digit), true));
    }
    small.append(each, " ");
  }
  return small;
}

/** Highlighted digits beside another digit in the cell. */
const beside = (roles, digit) =>
  [...(roles ?? [])]
    .filter(([other]) => other !== digit)
    .sort(([one], [other]) => one - other)
    .flatMap(([other, role]) => [" ", part("span", { className: `beside mark-${role}` }, String(other), shape(role, true))]);

/** The name of a cell, which has what it shows, in this order. */
function describe(cell, { box, regions, marks }, digit, kind, pencil, roles = new Map()) {
  const n = sizeOf(box);
  const place = [nameOf(cell, n).replace("r", "row ").replace("c", ", column ")];
  if (regions) place.push(`region ${regions[cell]}`);
  if (marks.has(cell)) place.push(inWords(marks.get(cell), n));
  const small = [...new Set([...(digit ? [] : (pencil ?? [])), ...roles.keys()])].filter((each) => each !== digit);
  const others = small.sort((one, other) => one - other).join(", ");
  if (!digit) return `${place.join(", ")}: empty${others && `, may be ${others}`}`;
  return `${place.join(", ")}: ${digit}${others && `, ${others} beside it`}${kind === "given" ? ", given" : ""}`;
}

/** Number the rows and columns of the frame around a board of n rows; the cells have names anyway. */
function number(frame, n) {
  frame.style.setProperty("--n", n);
  frame.dataset.size = n > 9 ? "large" : "small";
  for (const each of frame.querySelectorAll(".numbers")) each.remove();
  for (const side of ["rows", "columns"]) {
    const numbers = digitsTo(n).map((at) => part("span", {}, String(at)));
    frame.append(part("div", { className: `numbers ${side}`, ariaHidden: "true" }, ...numbers));
  }
}

/** The classes of each cell that ends a box or region on the right or below. */
function edges(blocks, n) {
  return blocks.map((block, cell) => [
    ...((cell + 1) % n && blocks[cell + 1] !== block ? ["ends-right"] : []),
    ...(cell + n < n * n && blocks[cell + n] !== block ? ["ends-below"] : []),
  ]);
}
