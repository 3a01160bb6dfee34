// What the server explains: the next step as a hint, all steps as a list through which one can walk, and reasons.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, button, counted, listed, part } from "./elements.js";
import { cellOf, clashes, houses, isBlock, nameOf, pencilMarks, rimOf } from "./puzzle.js";
import { explained } from "./roles.js";

const SOON = 1; // seconds after which the steps that are found are listed; the others follow
const FEW = 3; // houses that a sentence names
const SHORT = 12; // houses and givens that a reader can go through

export class Explanations {
  #page; // what it needs of the page: game, view, puzzle, about, take, instead
  #walk = null; // whose list is shown
  #revealed = null; // the line that was last scrolled into view

  constructor(page) {
    this.#page = page;
    $("walk-list").addEventListener("click", ({ target }) => {
      const index = [...$("walk-list").children].indexOf(target.closest("li"));
      if (index >= 0) this.#go(index);
    });
    $("walk-list").addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show which technique helps next, and in which house; then, on request, the step. */
  hint() {
    return this.#ask(1, (answer) => this.#where(answer));
  }

  /** Show this step, or more of them. */
  #further(limit, index) {
    return this.#ask(limit, (answer) => this.#hintView(answer, index, limit));
  }

  #where(answer) {
    const { view, game } = this.#page;
    const [step] = answer.steps;
    const { shown } = explained(step, game.size);
    const house = houseOf(step, game);
    return {
      title: headline(step),
      text: `Look at ${house.label}.`,
      shown,
      rims: [house],
      cellRoles: new Map(house.cells.map((cell) => [cell, ["house"]])),
      actions: [["Show the cell", () => view.show(this.#hintView(answer, 0, 1))], view.closing],
    };
  }

  /** Show the list of all steps, and the first of them. */
  async all() {
    await this.#ask(this.#page.about().steps, (answer) => this.#walkView(answer, 0), SOON);
    const walk = this.#focusList();
    if (walk?.stopped === "limit") await this.#others(walk);
  }

  /** The list that is shown, where the keyboard then is. */
  #focusList() {
    const { walk } = this.#page.view.now ?? {};
    if (walk) $("walk-list").focus({ preventScroll: true });
    return walk;
  }

  /** Show the list that belongs to what the page shows now, if there is one. */
  render() {
    const view = this.#page.view.now;
    const walk = view?.walk;
    $("walk").hidden = !walk;
    if (!walk) return stopWalking();
    if (walk !== this.#walk) {
      const longer = this.#walk?.steps.length && walk.steps[0] === this.#walk.steps[0];
      if (!longer) $("walk-list").replaceChildren();
      const listed = $("walk-list").children.length;
      $("walk-list").append(...walk.steps.slice(listed).map((step, at) => lineOf(step, listed + at)));
      $("walk-head").textContent = walk.head ?? headOf(walk);
      $("walk-end").replaceChildren(...(walk.stopped === "limit" ? searching() : [walk.outcome]));
      this.#walk = walk;
    }
    const lines = [...$("walk-list").children];
    lines.forEach((line, at) => line.setAttribute("aria-selected", at === view.index));
    const chosen = lines[view.index];
    if (chosen) $("walk-list").setAttribute("aria-activedescendant", chosen.id);
    else $("walk-list").removeAttribute("aria-activedescendant");
    const line = chosen ?? lines[0];
    if (line !== this.#revealed) reveal(line); // a longer list stays where the reader has scrolled
    this.#revealed = line;
  }

  #ask(limit, then, soon) {
    const { closing } = this.#page.view;
    const shown = (answer) => (answer.steps.length ? then(answer) : { text: answer.outcome, actions: [closing] });
    return this.#question("/steps", { ...this.#body([]), limit, soon }, shown);
  }

  /** The position after some steps, and what counts of them for the rating. */
  #body(steps) {
    const { cells, removed, size } = this.#page.game;
    const [after, gone] = [[...cells], [...removed]];
    const taken = [];
    for (const { explanation } of steps) {
      const { placed, technique, weight } = explanation;
      if (placed) after[cellOf(placed.cell, size)] = placed.digit;
      gone.push(...explanation.removed);
      taken.push([technique, weight]);
    }
    const open = gone.filter(({ cell }) => !after[cellOf(cell, size)]);
    return { ...this.#page.puzzle(after), removed: open, taken };
  }

  /** Ask for the steps that follow, as long as the list is shown. */
  async #others(walk) {
    try {
      const limit = this.#page.about().steps;
      while (walk.stopped === "limit") {
        const answer = await ask("/steps", { ...this.#body(walk.steps), limit, soon: SOON }, "walk");
        const view = this.#page.view.now;
        if (view?.walk !== walk) return;
        walk = { ...answer, steps: [...walk.steps, ...answer.steps] };
        // What the page shows may already be a later step than the first.
        this.#page.view.show(this.#walkView(walk, view.index));
      }
    } catch (error) {
      const view = this.#page.view.now;
      if (view?.walk !== walk) return;
      const outcome = wasCancelled(error) ? "Stopped." : error.message;
      this.#page.view.show(this.#walkView({ ...walk, stopped: "error", outcome }, view.index));
    }
  }

  #hintView(answer, index, limit) {
    const { steps, stopped } = answer;
    if (index >= steps.length) return { text: answer.outcome, actions: [this.#page.view.closing] };
    const most = this.#page.about().steps;
    const go = (to) =>
      to < steps.length
        ? this.#page.view.show(this.#hintView(answer, to, limit))
        : this.#further(Math.min(limit * 10, most), to);
    const last = index + 1 === steps.length && (!stopped || limit === most);
    return this.#stepView(steps, index, go, last);
  }

  /** What shows a step of a list; `walk.start` is what shows until one is chosen. */
  #walkView(walk, index) {
    const go = (to) => this.#page.view.show(this.#walkView(walk, to));
    if (index < 0) return { ...walk.start, walk, index, actions: [["Next step", () => go(0)], this.#page.view.closing] };
    const view = this.#stepView(walk.steps, index, go, index + 1 === walk.steps.length, walk.start ? -1 : 0);
    return { ...view, walk, index };
  }

  #stepView(steps, index, go, last, first = 0) {
    const taken = steps.slice(0, index + 1).map(({ explanation }) => explanation);
    const actions = [
      ["Next step", () => go(index + 1), last],
      ["Do it", () => this.#page.take(taken)],
      this.#page.view.closing,
    ];
    if (steps.length > 1) actions.unshift(["Back", () => go(index - 1), index === first]);
    return { ...explained(steps[index], this.#page.game.size), title: headline(steps[index]), actions };
  }

  #go(index) {
    const { walk } = this.#page.view.now ?? {};
    if (walk) this.#page.view.show(this.#walkView(walk, index));
  }

  #key(event) {
    const { walk, index } = this.#page.view.now ?? {};
    if (!walk || event.ctrlKey || event.metaKey || event.altKey) return;
    const [first, last] = [walk.start ? -1 : 0, walk.steps.length - 1];
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + 10, PageUp: index - 10, Home: 0, End: last };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.#go(Math.max(first, Math.min(last, to[event.key])));
  }

  // --- reasons -----------------------------------------------------------------------------------

  /** Show why this cell has its digit: in a sentence, as a set of houses and givens, or as steps. */
  why(cell) {
    return this.#question("/why", { cell }, (answer) => {
      const { view, game, about } = this.#page;
      const { explanation, short } = answer;
      const marked = explained(answer, game.size);
      if (explanation.answer !== "forced") return { ...marked, actions: [...(explanation.answer === "given" ? [] : this.#doubt()), view.closing] };
      const [, ...set] = short.split("\n");
      const start = { ...marked, text: inShort(explanation, game.givens.filter(Boolean).length), more: ["The whole reason", set.join("\n")] };
      const way = about().questions.includes("steps-to") ? [["Steps to it", () => this.#way(cell, explanation.digit, start)]] : [];
      return { ...start, actions: [...way, ...this.#doubt(), view.closing] };
    });
  }

  /** A button that asks which digit the reader doubts. */
  #doubt() {
    return this.#page.about().questions.includes("why-not") ? [["Why not …?", this.#page.doubt]] : [];
  }

  /** Show why this cell cannot have a digit: the contradiction if it shows at once, and what would have to change. */
  whyNot(cell, digit) {
    return this.#question("/why-not", { cell, digit }, (answer) => {
      const { view, game } = this.#page;
      const marked = explained(answer, game.size);
      const seen = contradiction(cellOf(cell, game.size), digit, game);
      return { ...marked, text: [...seen, marked.text].join("\n"), actions: [view.closing] };
    });
  }

  /** A button that asks for a reason, if somebody answers that. */
  reason(label, question) {
    const { view, game, about } = this.#page;
    const shown = (answer) => ({ ...explained(answer, game.size), actions: [view.closing] });
    return about().questions.includes(question) ? [[label, () => this.#question(`/${question}`, {}, shown)]] : [];
  }

  /** Show the steps that lead to the digit of a cell. */
  async #way(cell, digit, start) {
    await this.#question("/steps-to", { cell }, ({ steps, outcome }) => {
      const head = `${counted(steps.length, "step")} ${steps.length === 1 ? "leads" : "lead"} to ${cell} = ${digit}`;
      return this.#walkView({ steps, outcome, start, head, stopped: null }, -1);
    });
    this.#focusList();
  }

  #question(path, about, shown) {
    const { view, puzzle, instead } = this.#page;
    return view.question(path, { ...puzzle(), ...about }, shown, instead);
  }
}

/** Why a cell is forced, in a sentence. */
function inShort({ digit, cell, rules, givens, excluded, smallest, least }, all) {
  const names = rules.map(({ text }) => text.split(" holds ")[0]);
  const kind = rules.every(({ text }) => text.includes(" holds every digit")) ? "house" : "rule";
  const marks = Object.keys(excluded).length;
  const because = listed([
    ...(rules.length > FEW ? [counted(rules.length, kind)] : []),
    ...(givens.length ? [givens.length === all ? `all ${all} givens` : counted(givens.length, "given")] : []),
    ...(marks ? [counted(marks, "mark")] : []),
    ...(rules.length > FEW ? [] : names),
  ]);
  const number = rules.length + givens.length + marks;
  if (number <= SHORT) return `${cell} is ${digit}, because of ${because}.`;
  const no = smallest || least > SHORT ? "; there is no short reason" : "";
  return `${cell} is ${digit}: this takes ${because}${no}.`;
}

/** What a digit in a cell contradicts at once, in at most one line. */
function contradiction(cell, digit, { puzzle, givens, size }) {
  const doubt = `${nameOf(cell, size)} cannot be ${digit}`;
  const cells = givens.with(cell, digit);
  const held = clashes(cells, puzzle).filter(({ twice }) => twice.includes(cell));
  if (held.length) {
    const other = held[0].twice.find((each) => each !== cell);
    return [`${doubt}: ${nameOf(other, size)} is ${digit}, in the same ${listed(held.filter(({ twice }) => twice.includes(other)).map(({ kind }) => kind))}.`];
  }
  if (puzzle.marks.get(cell)?.includes(digit) === false) return [`${doubt}: the mark of the cell excludes it.`];
  const empty = pencilMarks(cells, puzzle).findIndex((digits) => digits?.size === 0);
  return empty < 0 ? [] : [`${doubt}: no digit would then be left for ${nameOf(empty, size)}.`];
}

/** The house that a step is about, or else the box of its first cell. */
function houseOf({ highlights, explanation: { placed, removed } }, { puzzle, size }) {
  const found = highlights.find(({ role, rim }) => role === "house" && rim);
  if (found) return { ...found, cells: found.cells.map((name) => cellOf(name, size)) };
  const cell = cellOf((placed ?? removed[0]).cell, size);
  const { kind, number, cells } = houses(puzzle).filter(isBlock).find((block) => block.cells.includes(cell));
  return { label: `${kind} ${number}`, role: "house", cells, rim: rimOf(cells, size) };
}

/** Stop looking for the steps of a list. */
const stopWalking = () => cancel("walk");

/** What stands below a list while its further steps are awaited. */
const searching = () => [
  part("span", {}, "Searching …", clock()),
  " ",
  button("Stop", stopWalking),
];

function headOf({ steps, stopped, rating }) {
  const number = counted(steps.length, "step");
  if (rating) return `${number}: ${rating.level} (${[rating.number, rating.hardest].filter(Boolean).join(", ")})`;
  return stopped ? `${number} so far` : number;
}

/** The technique of a step and how hard it is, such as "Naked single: easy, weight 4". */
function headline({ explanation: { technique, level, weight } }) {
  const name = technique[0].toUpperCase() + technique.slice(1);
  return `${name}: ${level}, weight ${weight}`;
}

/** A step in the list: its number, its technique, what it does, and how hard it is. */
function lineOf({ title, explanation: { technique, level, weight } }, at) {
  const done = part("span", { className: "done" }, part("b", {}, technique), title.slice(technique.length));
  return part(
    "li",
    { id: `step-${at + 1}`, role: "option" },
    part("span", { className: "number" }, `${at + 1}. `),
    done,
    part("span", { className: `weight ${level}` }, ` ${level} ${weight}`),
  );
}

/** Scroll the list, and nothing else, so that the line shows. */
function reveal(line) {
  const list = line.parentElement;
  const above = line.offsetTop; // from the top of the list, which is positioned
  if (above < list.scrollTop) list.scrollTop = above;
  const below = above + line.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}
