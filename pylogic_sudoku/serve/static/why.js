// Why a cell has its digit: a set of rules and givens, and on request the steps that lead there, as a list.

import { explained } from "./explained.js";
import { counted } from "./words.js";

const $ = (id) => document.getElementById(id);

export class Why {
  #game;
  #page; // what it needs of the page: view, puzzle, instead
  #steps; // the list

  constructor(game, page, steps) {
    this.#game = game;
    this.#page = page;
    this.#steps = steps;
  }

  /** Ask why this cell has its digit, and show the answer. */
  ask(cell) {
    return this.#question("/why", cell, (answer) => this.#shown(answer, cell));
  }

  #question(path, cell, shown) {
    const { view, puzzle, instead } = this.#page;
    return view.question(path, { ...puzzle(), cell }, shown, instead);
  }

  #shown(answer, cell) {
    const { view } = this.#page;
    const shown = explained(answer, this.#game.size);
    const forced = answer.explanation.answer === "forced";
    const more = forced ? [["Steps to it", () => this.#way(cell, shown, answer.explanation.digit)]] : [];
    return { ...shown, actions: [...more, view.closing] };
  }

  /** Show the steps that lead to the digit of a cell; until one is chosen, the board shows the set. */
  async #way(cell, start, digit) {
    await this.#question("/steps-to", cell, ({ steps, outcome }) => {
      const head = `${counted(steps.length, "step")} ${steps.length === 1 ? "leads" : "lead"} to ${cell} = ${digit}`;
      return this.#steps.list({ steps, outcome, start, head, stopped: null });
    });
    if (this.#page.view.now?.walk) $("walk-list").focus({ preventScroll: true });
  }
}
