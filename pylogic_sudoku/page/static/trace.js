// Watch it search: the events of both programs at work, each on a board of its own with its tree of choices beside.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, drawn } from "./elements.js";
import { eventLine, inWords, summary } from "./events.js";
import { game, puzzle } from "./page.js";
import { programs, SIDES } from "./program.js";
import { digitsTo, SIDE, sizeOf, wallsOf } from "./puzzle.js";
import { isSearching, onTab } from "./view.js";

const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1500 : 400; // milliseconds from one event to the next

const bit = (digit) => 1 << digit;
const one = (set) => (set && !(set & (set - 1)) ? 31 - Math.clz32(set) : 0);

/** The search of one program: its board, its tree, and where the reader is. */
class Side {
  #side;
  #asked = ""; // for what the events are
  #loading = null; // until they have come
  #events = [];
  #sets = []; // after each event, for each cell the digits that are left, as bits
  #at; // the part of its section with this class
  at = 0;

  constructor(side) {
    const element = $("search").content.firstElementChild.cloneNode(true);
    const at = (name) => element.querySelector(`.${name}`);
    const { short } = SIDES[side];
    this.#side = side;
    this.#at = at;
    element.ariaLabel = short;
    element.querySelector("h3").prepend(`${short} `);
    at("slider").ariaLabel = `Event of ${short}`;
    at("tree").ariaLabel = `The tree of ${short}`;
    at("slider").addEventListener("input", ({ target }) => this.go(Number(target.value)));
    at("tree").addEventListener("click", ({ target }) => this.go(Number(target.closest("li")?.value ?? this.at)));
    $("searches").append(element);
  }

  get known() {
    return this.#events.length > 0;
  }

  get ended() {
    return this.at >= this.#events.length;
  }

  #body() {
    return { ...puzzle(), engine: programs[this.#side].name };
  }

  /** Drop what belongs to another puzzle, or to another program. */
  changed() {
    if (JSON.stringify(this.#body()) === this.#asked) return;
    cancel(`trace ${this.#side}`);
    this.#asked = "";
    this.#take({ events: [] });
    this.#at("searches-by").textContent = "";
  }

  /** Ask for the events, unless they are here, and show what went wrong. */
  load() {
    if (!this.#asked) this.#loading = this.#ask(this.#body());
    return this.#loading;
  }

  async #ask(body) {
    const asked = (this.#asked = JSON.stringify(body));
    this.#at("searches-by").textContent = body.engine;
    this.#tell("Searching …", clock());
    try {
      const answer = await ask("/trace", body, `trace ${this.#side}`);
      if (this.#asked === asked) this.#take(answer);
    } catch (error) {
      if (this.#asked === asked && !wasCancelled(error)) this.#tell(error.message);
    }
  }

  #take(answer) {
    this.#events = answer.events;
    this.#sets = replay(this.#events, game.puzzle);
    this.#at("slider").max = this.#events.length;
    this.#at("slider").disabled = !this.known;
    this.#at("tree").replaceChildren(...this.#events.map((event, index) => eventLine(event, index, wordsOf(event, true))));
    this.#at("count").textContent = this.known ? summary(answer) : "";
    this.#tell("");
    this.#show(0);
  }

  /** Show the search after this number of events. */
  go(to) {
    const at = Math.max(0, Math.min(to, this.#events.length));
    if (!this.known || (at === this.at && this.#at("told").textContent)) return;
    this.#show(at);
    const event = this.#events[at - 1];
    this.#tell(event ? `${at}. ${wordsOf(event)}` : "Before the search.");
    drive();
  }

  #tell(...text) {
    this.#at("told").replaceChildren(...text);
  }

  #show(at) {
    this.at = at;
    const event = this.#events[at - 1];
    const before = this.#sets[Math.max(0, at - 1)];
    const open = choices(this.#events.slice(0, at));
    draw(this.#at("searched"), game.puzzle, { sets: this.#sets[at], before, event, open, known: this.known });
    const [slider, tree] = [this.#at("slider"), this.#at("tree")];
    slider.value = at;
    slider.setAttribute("aria-valuetext", event ? `${at} of ${this.#events.length}: ${wordsOf(event)}` : "the beginning");
    tree.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = tree.children[at - 1];
    line?.setAttribute("aria-current", "step");
    tree.scrollTop = line ? line.offsetTop - tree.clientHeight / 2 : 0;
  }
}

// --- what drives both ---------------------------------------------------------------------------

const sides = Object.keys(SIDES).map((side) => new Side(side));
let timer = null;

/** Let the searches be those of what is in view, if they are looked at; a changed program cannot be watched. */
export function traceAgain() {
  pause();
  if (!isSearching()) return;
  const changed = Object.values(programs).some((each) => each.changed);
  $("trace-note").textContent = changed ? "This is the search of the programs without your changes." : "";
  for (const side of sides) side.changed();
  drive();
}

/** Ask what is not known yet; true if there is something to show. */
async function load() {
  await Promise.all(sides.map((side) => side.load()));
  return sides.some(({ known }) => known);
}

const ended = () => sides.every((side) => side.ended);

function goOn(by) {
  for (const side of sides) side.go(side.at + by);
}

async function play() {
  if (timer) return pause();
  if (!(await load())) return;
  if (ended()) for (const side of sides) side.go(0);
  timer = setInterval(goOn, PACE, 1);
  drive();
}

async function step(by) {
  pause();
  if (await load()) goOn(by);
}

function pause() {
  clearInterval(timer);
  timer = null;
  drive();
}

/** Let the buttons say what they can do now. */
function drive() {
  if (timer && ended()) return pause();
  $("trace-play").textContent = timer ? "Pause" : "Play";
  $("trace-back").disabled = !sides.some(({ at }) => at > 0);
  $("trace-next").disabled = ended() && sides.some(({ known }) => known);
}

$("trace-play").addEventListener("click", play);
$("trace-back").addEventListener("click", () => step(-1));
$("trace-next").addEventListener("click", () => step(1));
onTab(traceAgain);
drive();

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

const is = ([row, column, digit]) => `r${row}c${column} = ${digit}`;
const isNot = ([row, column, digit]) => `r${row}c${column} is not ${digit}`;
const wordsOf = (event, inTree) => inWords({ ...event, placed: event.placed.map(is), excluded: event.excluded.map(isNot) }, "solution", inTree);

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
