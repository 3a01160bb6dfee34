// Why a cell has its digit: the steps that lead there as a list, and the set of rules and givens behind
// a fold. If the set is small, it is the answer, and there is no list.

import { explained } from "./explained.js";
import { linesOf } from "./view.js";
import { counted, listed } from "./words.js";

const $ = (id) => document.getElementById(id);

export class Why {
  #game;
  #page; // what it needs of the page: view, puzzle, instead
  #steps; // the list
  #walk = null; // whose set is behind the fold

  constructor(game, page, steps) {
    this.#game = game;
    this.#page = page;
    this.#steps = steps;
    $("why-set").addEventListener("toggle", () => this.#fold());
  }

  /** Ask why this cell has its digit, and show the answer. */
  async ask(cell) {
    const { view, puzzle, instead } = this.#page;
    const shown = (answer) => (answer.steps ? this.#listed(answer) : this.#alone(answer));
    await view.question("/why", { ...puzzle(), cell }, shown, instead);
    if (view.now?.walk) $("walk-list").focus({ preventScroll: true });
  }

  /** Show the fold that belongs to what the page shows now, if there is one. */
  render() {
    const walk = this.#page.view.now?.walk;
    $("why-set").hidden = !walk?.set;
    if (!walk?.set || walk === this.#walk) return;
    this.#walk = walk;
    $("why-set").open = false;
    $("why-size").textContent = sizeOf(walk.set);
    $("why-text").replaceChildren(...linesOf(walk.set.short));
  }

  /** The answer without a list; it may be a large set because time ran out. */
  #alone(answer) {
    const shown = this.#shown(answer);
    const more = answer.stopped ? "\nThere was no time to find the steps that lead there." : "";
    return { ...shown, text: shown.text + more, actions: [this.#page.view.closing] };
  }

  #listed({ steps, set, ...answer }) {
    const number = `${steps.length} ${steps.length === 1 ? "step leads" : "steps lead"}`;
    const { cell, digit } = answer.explanation;
    const walk = { steps, set, start: this.#shown(answer), head: `${number} to ${cell} = ${digit}` };
    return this.#steps.list({ ...walk, stopped: null, outcome: "" });
  }

  /** The board shows the set while the fold is open, until a step is chosen. */
  #fold() {
    const { walk } = this.#page.view.now ?? {};
    if (!walk?.set) return;
    const list = this.#steps.list(walk);
    const { text } = list;
    this.#page.view.show($("why-set").open ? { ...list, ...this.#shown(walk.set), text } : list);
  }

  #shown(answer) {
    return explained(answer, this.#game.size);
  }
}

/** How many rules, givens and marks there are, such as "29 rules and 18 givens". */
function sizeOf({ explanation: { rules, givens, excluded } }) {
  const marks = Object.values(excluded).flat();
  const kinds = [[rules, "rule"], [givens, "given"], [marks, "excluded digit"]];
  const counts = kinds.filter(([{ length }]) => length).map(([{ length }, name]) => counted(length, name));
  return `The set behind it: ${listed(counts)}`;
}
