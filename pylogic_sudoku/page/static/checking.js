// Whether the digits of the board are right: for Check, and where no hint can be given.

import { listed } from "./elements.js";
import { cellOf, cellsOf, toJson } from "./puzzle.js";

const MANY = 8; // cells that a sentence names

export class Checking {
  #page; // what it needs of the page: game, view, puzzle, about, reason

  constructor(page) {
    this.#page = page;
  }

  /** Say whether the digits lead to a solution, and mark those that do not. */
  check() {
    return this.#ask((answer) => this.#verdict(answer));
  }

  /** Say why there is no step or reason: wrong digits, no solution, or else what the server said. */
  instead(error) {
    return this.#ask((answer) => {
      const isFine = ["right", "solved", "unknown"].includes(answer.verdict) && !answer.needed.length;
      if (isFine) return this.#said(error.message);
      const view = this.#verdict(answer);
      if (answer.verdict === "none") return view;
      return { ...view, title: "No step leads on from here", text: `${view.text}${advice(answer)}` };
    });
  }

  #ask(then) {
    const { puzzle, entries, removed } = this.#page.game;
    const { grid } = toJson(puzzle, entries);
    return this.#page.view.question("/check", { ...this.#page.puzzle(), entries: grid, removed }, then);
  }

  #verdict(answer) {
    if (answer.needed.length) return this.#needed(answer.needed);
    const filled = this.#page.game.entries.some(Boolean);
    switch (answer.verdict) {
      case "solved":
        return this.#said(filled ? "Solved: every digit is right." : "The grid is full, and obeys every rule.");
      case "right":
        return this.#said(
          filled ? "So far so good: your digits lead to a solution." : "You have filled in nothing yet. The puzzle has a solution.",
        );
      case "none":
        return this.#said("The puzzle has no solution, whatever you fill in.", this.#page.reason("Why none?", "conflicts"));
      case "unknown":
        return this.#said(`Not known: time ran out after ${this.#page.about().timeout} s.`);
      default:
        return this.#wrong(answer);
    }
  }

  /** What the page shows. With `marks` the board shows the digits as they are, so a small screen shows the board. */
  #said(text, actions = [], marks = null) {
    const { game, view } = this.#page;
    return { text, ...(marks && { shown: game.cells, ...marks }), actions: [...actions, view.closing] };
  }

  #needed(candidates) {
    const names = [...new Set(candidates.map(({ cell }) => cell))];
    const { game } = this.#page;
    const restore = () => {
      for (const { cell, digit } of candidates) game.note("gone", [cellOf(cell, game.size)], digit);
    };
    const cellRoles = new Map(cellsOf(names, game.size).map((cell) => [cell, ["target"]]));
    return this.#said(`In ${some(names)} you have crossed out the only digit that fits.`, [["Take that back", restore]], { cellRoles });
  }

  #wrong(answer) {
    const { wrong, clash } = answer;
    const { size } = this.#page.game;
    const erase = wrong.length ? [[`Erase ${them(wrong)}`, () => this.#erase(wrong)]] : [];
    return this.#said(inWords(answer), erase, { wrong: new Set(cellsOf([...wrong, ...clash], size)) });
  }

  #erase(names) {
    const { game } = this.#page;
    const wrong = new Set(cellsOf(names, game.size));
    game.fill(game.entries.map((digit, cell) => (wrong.has(cell) ? 0 : digit)));
  }
}

function advice({ wrong, needed }) {
  if (needed.length) return "\nTake that back, then ask for a step again.";
  return `\n${wrong.length ? `Erase ${them(wrong)}` : "Change one of them"}, then ask for a step again.`;
}

const some = (names) =>
  listed(names.length > MANY ? [...names.slice(0, MANY), `${names.length - MANY} more`] : names);
const them = (names) => (names.length === 1 ? "it" : "them");

/** What is wrong, without a claim that does not hold for every solution. */
function inWords({ verdict, wrong, clash }) {
  const one = wrong.length === 1;
  if (wrong.length && verdict === "wrong") {
    return `${some(wrong)} ${one ? "is wrong: it differs" : "are wrong: they differ"} from the only solution.`;
  }
  if (wrong.length) {
    return `${some(wrong)} ${one ? "is wrong: no solution has this digit" : "are wrong: no solution has these digits"} there.`;
  }
  if (clash.length) {
    return (
      `The digits in ${some(clash)} do not go together: no solution has them all.\n` +
      "The puzzle has several solutions, so any of these digits may be the wrong one."
    );
  }
  return "No solution has all of your digits. Time ran out before it was clear which of them are wrong.";
}
