// Whether the digits of the board are right: for Check, and where no hint can be given.

import { cellOf, toJson } from "./puzzle.js";

const MANY = 8; // cells that a sentence names

export class Checking {
  #game;
  #page; // what it needs of the page: view, puzzle, about, explain

  constructor(game, page) {
    this.#game = game;
    this.#page = page;
  }

  /** Say whether the digits lead to a solution, and mark those that do not. */
  check() {
    return this.#ask((answer) => this.#verdict(answer));
  }

  /** Say why there is no step from here: wrong digits, or else what the server said. */
  instead(error) {
    return this.#ask((answer) => {
      if (["right", "solved", "unknown"].includes(answer.verdict)) return this.#said(error.message);
      const view = this.#verdict(answer);
      return { ...view, title: "No step leads on from here", text: `${view.text}${advice(answer)}` };
    });
  }

  #ask(then) {
    const { puzzle, entries } = this.#game;
    const { grid } = toJson(puzzle, entries);
    return this.#page.view.question("/check", { ...this.#page.puzzle(), entries: grid }, then);
  }

  #verdict(answer) {
    const filled = this.#game.entries.some(Boolean);
    switch (answer.verdict) {
      case "solved":
        return this.#said(filled ? "Solved: every digit is right." : "The grid is full, and obeys every rule.");
      case "right":
        return this.#said(
          filled ? "So far so good: your digits lead to a solution." : "You have filled in nothing yet. The puzzle has a solution.",
        );
      case "none":
        return this.#none();
      case "unknown":
        return this.#said(`Not known: time ran out after ${this.#page.about().timeout} s.`);
      default:
        return this.#wrong(answer);
    }
  }

  #said(text) {
    return { text, actions: [this.#page.view.closing] };
  }

  #none() {
    const text = "The puzzle has no solution, whatever you fill in.";
    return { text, actions: [["Why none?", () => this.#page.explain("conflicts")], this.#page.view.closing] };
  }

  #wrong(answer) {
    const { wrong, clash } = answer;
    const marked = [...wrong, ...clash];
    const actions = [this.#page.view.closing];
    if (wrong.length) actions.unshift([`Erase ${them(wrong)}`, () => this.#erase(wrong)]);
    return {
      text: inWords(answer),
      wrong: new Set(marked.map((name) => cellOf(name, this.#game.size))),
      actions,
    };
  }

  #erase(names) {
    const { entries, size } = this.#game;
    const wrong = new Set(names.map((name) => cellOf(name, size)));
    this.#game.fill(entries.map((digit, cell) => (wrong.has(cell) ? 0 : digit)));
  }
}

function advice({ verdict, wrong }) {
  if (verdict === "none") return "";
  return `\n${wrong.length ? `Erase ${them(wrong)}` : "Change one of them"}, then ask for a step again.`;
}

const them = (names) => (names.length === 1 ? "it" : "them");

/** What is wrong, without a claim that does not hold for every solution. */
function inWords({ verdict, wrong, clash }) {
  const one = wrong.length === 1;
  if (wrong.length && verdict === "wrong") {
    return `${listed(wrong)} ${one ? "is wrong: it differs" : "are wrong: they differ"} from the only solution.`;
  }
  if (wrong.length) {
    return `${listed(wrong)} ${one ? "is wrong: no solution has this digit" : "are wrong: no solution has these digits"} there.`;
  }
  if (clash.length) {
    return (
      `The digits in ${listed(clash)} do not go together: no solution has them all.\n` +
      "The puzzle has several solutions, so any of these digits may be the wrong one."
    );
  }
  return "No solution has all of your digits. Time ran out before it was clear which of them are wrong.";
}

function listed(names) {
  if (names.length > MANY) return `${names.slice(0, MANY).join(", ")} and ${names.length - MANY} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}
