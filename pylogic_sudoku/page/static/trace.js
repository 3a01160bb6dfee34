// Watch it search: the events of both programs at work, each on a board of its own with its tree of choices beside.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { button, counted, drawing, drawn, inFigures, listed, option, part } from "./elements.js";
import { SIDES } from "./program.js";
import { digitsTo, SIDE, sizeOf, wallsOf } from "./puzzle.js";

const SPEEDS = { slow: 1500, steady: 600, fast: 120 }; // milliseconds from one event to the next
const NAMED = 6; // placements that a line of the tree names

const bit = (digit) => 1 << digit;
const one = (set) => (set && !(set & (set - 1)) ? 31 - Math.clz32(set) : 0);

/** The section of the page: what drives both sides, and the sides. */
export class Trace {
  #sides;
  #timer = null;
  #play = button("Play", () => this.#toggle(), { className: "primary" });
  #back = button("Back", () => this.#step(-1));
  #next = button("Step", () => this.#step(1));
  #speed = part("select", {}, ...Object.keys(SPEEDS).map((name) => option(name)));

  /** It needs of the page: puzzle, game, program. */
  constructor(page) {
    this.#sides = Object.entries(SIDES).map(([name, { short }]) => new Side(page, name, short, () => this.#drive()));
    this.#speed.value = matchMedia("(prefers-reduced-motion: reduce)").matches ? "slow" : "steady";
    this.#speed.addEventListener("change", () => this.#timer && this.#run());
    const buttons = part("div", { className: "buttons" }, this.#play, this.#back, this.#next);
    this.element = part(
      "div",
      { className: "trace card" },
      part("div", { className: "driving" }, buttons, part("label", {}, "Speed ", this.#speed)),
      part("div", { className: "searches" }, ...this.#sides.map(({ element }) => element)),
    );
    this.#drive();
  }

  /** Drop what belongs to another puzzle, or to another program. */
  changed() {
    this.#stop();
    for (const side of this.#sides) side.changed();
    this.#drive();
  }

  /** Ask what is not known yet; true if there is something to show. */
  async #load() {
    await Promise.all(this.#sides.map((side) => side.load()));
    return this.#sides.some(({ known }) => known);
  }

  async #toggle() {
    if (this.#timer) return this.#stop();
    if (!(await this.#load())) return;
    if (this.#sides.every(({ ended }) => ended)) for (const side of this.#sides) side.go(0);
    this.#run();
  }

  async #step(by) {
    this.#stop();
    if (await this.#load()) for (const side of this.#sides) side.go(side.at + by);
  }

  #run() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      for (const side of this.#sides) side.go(side.at + 1);
    }, SPEEDS[this.#speed.value]);
    this.#drive();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#drive();
  }

  /** Let the buttons say what they can do now. */
  #drive() {
    if (this.#timer && this.#sides.every(({ ended }) => ended)) return this.#stop();
    const known = this.#sides.some((side) => side.known);
    this.#play.textContent = this.#timer ? "Pause" : "Play";
    this.#back.disabled = !this.#sides.some(({ at }) => at > 0);
    this.#next.disabled = known && this.#sides.every(({ ended }) => ended);
  }
}

/** The search of one program: its board, its tree, and where the reader is. */
class Side {
  #page;
  #name;
  #moved; // called when something has changed
  #asked = ""; // for what the events are
  #loading = null; // until they have come
  #events = [];
  #sets = []; // after each event, for each cell the digits that are left, as bits
  #board;
  #told = part("p", { className: "told", role: "status" });
  #count = part("p", { className: "count" });
  #slider = part("input", { type: "range", min: 0, max: 0, value: 0 });
  #tree = part("ol", { className: "tree", tabIndex: 0 });
  #program = part("span");
  at = 0;

  constructor(page, name, title, moved) {
    this.#page = page;
    this.#name = name;
    this.#moved = moved;
    this.#board = drawing({ class: "searched" });
    this.#slider.ariaLabel = `Event of ${title}`;
    this.#slider.addEventListener("input", () => this.go(Number(this.#slider.value)));
    this.#tree.addEventListener("click", ({ target }) => {
      const line = target.closest("li");
      if (line) this.go(Number(line.value));
    });
    this.#tree.ariaLabel = `The tree of ${title}`;
    this.#tree.dataset.scrolls = ""; // by the arrow keys, which then do not move on the board
    this.element = part(
      "section",
      { className: "search", ariaLabel: title },
      part("h3", {}, `${title} `, this.#program),
      part("div", { className: "beside-tree" }, this.#board, this.#tree),
      this.#told,
      this.#slider,
      this.#count,
    );
    this.changed();
  }

  get known() {
    return this.#events.length > 0;
  }

  get ended() {
    return this.at >= this.#events.length;
  }

  #body() {
    return { ...this.#page.puzzle(), engine: this.#page.program(this.#name) };
  }

  changed() {
    if (JSON.stringify(this.#body()) === this.#asked) return;
    cancel(`trace ${this.#name}`);
    this.#asked = "";
    this.#loading = null;
    this.#take([]);
    this.#tell("");
    this.#count.textContent = this.#program.textContent = "";
  }

  /** Ask for the events, unless they are here; what went wrong is said here. */
  load() {
    if (this.#asked) return this.#loading;
    const body = this.#body();
    this.#asked = JSON.stringify(body);
    this.#program.textContent = body.engine;
    this.#tell("Searching …", clock());
    return (this.#loading = this.#ask(body, this.#asked));
  }

  async #ask(body, asked) {
    try {
      const answer = await ask("/trace", body, `trace ${this.#name}`);
      if (this.#asked !== asked) return;
      this.#take(answer.events);
      this.#count.textContent = summary(answer);
      this.#tell("");
    } catch (error) {
      if (this.#asked === asked && !wasCancelled(error)) this.#tell(error.message);
    }
  }

  #take(events) {
    const { puzzle } = this.#page.game;
    this.#events = events;
    this.#sets = replay(events, puzzle);
    this.#slider.max = events.length;
    this.#slider.disabled = !events.length;
    this.#tree.replaceChildren(...events.map((event, index) => lineOf(event, index + 1)));
    this.at = 0;
    this.#show();
  }

  /** Show the search after so many events. */
  go(to) {
    const at = Math.max(0, Math.min(to, this.#events.length));
    if (!this.known || (at === this.at && this.#told.textContent)) return;
    this.at = at;
    this.#show();
    const event = this.#events[at - 1];
    this.#tell(event ? `${at}. ${inWords(event)}` : "Before the search.");
    this.#moved();
  }

  #tell(...text) {
    this.#told.replaceChildren(...text);
  }

  #show() {
    const { puzzle } = this.#page.game;
    const open = choices(this.#events.slice(0, this.at));
    const event = this.#events[this.at - 1];
    const before = this.#sets[Math.max(0, this.at - 1)];
    draw(this.#board, puzzle, { sets: this.#sets[this.at], before, event, open, known: this.known });
    this.#slider.value = this.at;
    this.#slider.setAttribute("aria-valuetext", event ? `${this.at} of ${this.#events.length}: ${inWords(event)}` : "the beginning");
    this.#tree.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = this.#tree.children[this.at - 1];
    line?.setAttribute("aria-current", "step");
    this.#tree.scrollTop = line ? line.offsetTop - this.#tree.clientHeight / 2 : 0;
  }
}

/** What is left in each cell before the first event, and after each. */
function replay(events, { box, givens }) {
  const n = sizeOf(box);
  const all = bit(n + 1) - 2;
  const states = [Uint32Array.from(givens, (digit) => (digit ? bit(digit) : all))];
  const kept = []; // by level, the state before the next choice
  for (const { kind, level, placed, excluded } of events) {
    let sets = states.at(-1);
    if (kind === "choice") kept[level - 1] = sets;
    if (kind === "back") sets = kept[level];
    if (placed.length || excluded.length) sets = sets.slice();
    for (const [row, column, digit] of placed) sets[(row - 1) * n + column - 1] = bit(digit);
    for (const [row, column, digit] of excluded) sets[(row - 1) * n + column - 1] &= ~bit(digit);
    states.push(sets);
  }
  return states;
}

/** The choices that are open after these events. */
function choices(events) {
  const open = [];
  for (const event of events) {
    if (event.kind === "choice") open.splice(event.level - 1, Infinity, event);
    if (event.kind === "back") open.splice(event.level);
  }
  return open;
}

// --- in words -----------------------------------------------------------------------------------

const is = ([row, column, digit]) => `r${row}c${column} = ${digit}`;
const isNot = ([row, column, digit]) => `r${row}c${column} is not ${digit}`;

function inWords({ kind, level, placed, excluded }) {
  switch (kind) {
    case "choice": {
      const tried = [...placed.map(is), ...excluded.map(isNot)];
      return `Choice ${level}: ${listed(tried) || "something else that the program speaks of"}?`;
    }
    case "implied": {
      const more = placed.length - NAMED;
      const set = [...placed.slice(0, NAMED).map(is), ...(more > 0 ? [`${more} more`] : [])];
      const gone = excluded.length ? [`${counted(excluded.length, "candidate")} ${excluded.length === 1 ? "goes" : "go"}`] : [];
      return `Follows${level ? "" : " without a guess"}: ${listed([...set, ...gone])}.`;
    }
    case "conflict":
      return level ? "Conflict: this cannot be." : "Conflict before any choice: there is no solution.";
    case "back":
      return level ? `Back to choice ${level}.` : "Back to the beginning, before any choice.";
    default:
      return "A solution.";
  }
}

/** An event in the tree. */
function lineOf(event, number) {
  const line = part("li", { className: event.kind, value: number }, inWords(event).replace(/^Choice \d+: /, ""));
  line.style.setProperty("--level", event.level);
  return line;
}

/** How many events there are, and of which kinds. */
function summary({ events, number, stopped }) {
  const kinds = Map.groupBy(events, ({ kind }) => kind);
  const some = ["choice", "conflict"].map((kind) => counted(kinds.get(kind)?.length ?? 0, kind));
  const all = `${stopped ? "more than " : ""}${counted(number, "event")}`;
  return `${number > events.length || stopped ? `The first ${inFigures(events.length)} of ${all}` : all}: ${listed(some)}.`;
}

// --- on the board -------------------------------------------------------------------------------

/** Draw the state of a search: what holds, what is left, and what the last event did. */
function draw(svg, puzzle, { sets, before, event, open, known }) {
  const { box, givens } = puzzle;
  const n = sizeOf(box);
  const columns = Math.ceil(Math.sqrt(n));
  const cells = (events) => events.flatMap(({ placed, excluded }) => [...placed, ...excluded]).map(([row, column]) => (row - 1) * n + column - 1);
  const tried = new Set(cells(open));
  const now = new Set(event?.kind === "choice" ? cells([event]) : []);
  const parts = [...sets].flatMap((set, cell) => {
    const [x, y] = [(cell % n) * SIDE, Math.floor(cell / n) * SIDE];
    const digit = one(set);
    const kind = givens[cell] ? "given" : "found";
    const fresh = digit && digit !== one(before[cell]) ? "role-reason" : kind;
    const look = !set ? "role-conflict" : now.has(cell) ? "role-target" : tried.has(cell) ? "tried" : fresh;
    const square = drawn("rect", { class: look, x, y, width: SIDE, height: SIDE });
    if (digit) return [square, text(digit, x + SIDE / 2, y + SIDE / 2, SIDE * 0.58, kind)];
    const small = digitsTo(n).filter((each) => known && (set | before[cell]) & bit(each));
    const marks = small.map((each) => {
      const [down, right] = [Math.floor((each - 1) / columns), (each - 1) % columns];
      const name = set & bit(each) ? "left" : "gone";
      return text(each, x + ((right + 0.5) * SIDE) / columns, y + ((down + 0.5) * SIDE) / Math.ceil(n / columns), (SIDE * 0.8) / columns, name);
    });
    return [square, ...marks];
  });
  svg.setAttribute("viewBox", `-1 -1 ${n * SIDE + 2} ${n * SIDE + 2}`);
  svg.classList.toggle("in-conflict", event?.kind === "conflict");
  svg.classList.toggle("solved", event?.kind === "solution");
  svg.replaceChildren(...parts, drawn("path", { class: "walls", d: wallsOf(puzzle, SIDE) }));
}

const text = (digit, x, y, size, name) => drawn("text", { x, y, "font-size": size, class: name }, String(digit));
