// Whether the digits of the board are right: for Check, and where no hint can be given.

import { listed } from "./elements.js";
import { reason } from "./explaining.js";
import { about, game, puzzle, says, view } from "./page.js";
import { cellOf, cellsOf, toJson } from "./puzzle.js";

const MANY = 8; // cells that a sentence names

/** Say whether the digits lead to a solution, and mark those that do not. */
export const check = () => ask(seen);

/** Say why there is no step or reason: wrong digits, no solution, or else what the server said. */
export const instead = (error) =>
  ask((answer) => {
    const isFine = ["right", "solved", "unknown"].includes(answer.verdict) && !answer.needed.length;
    if (isFine) return says(error.message);
    const shown = seen(answer);
    if (answer.verdict === "none") return shown;
    return { ...shown, title: "No step leads on from here", text: `${shown.text}${advice(answer)}` };
  });

function ask(then) {
  const { entries, removed } = game;
  return view.question("/check", { ...puzzle(), entries: toJson(game.puzzle, entries).grid, removed }, then);
}

/** What the page shows of an answer. With `wrong` the board shows the digits as they are, so a small screen shows the board. */
function seen(answer) {
  const { verdict, wrong, clash, needed } = answer;
  const filled = game.entries.some(Boolean);
  if (needed.length) return restoring(needed);
  switch (verdict) {
    case "solved":
      return says(filled ? "Solved: every digit is right." : "The grid is full, and obeys every rule.");
    case "right":
      return says(filled ? "So far so good: your digits lead to a solution." : "You have filled in nothing yet. The puzzle has a solution.");
    case "none":
      return says("The puzzle has no solution, whatever you fill in.", reason("Why none?", "conflicts"));
    case "unknown":
      return says(`Not known: time ran out after ${about.timeout} s.`);
    default: {
      const erase = wrong.length ? [[`Erase ${them(wrong)}`, () => game.place(cellsOf(wrong, game.size), 0)]] : [];
      return { ...says(inWords(answer), erase), shown: game.cells, wrong: new Set(cellsOf([...wrong, ...clash], game.size)) };
    }
  }
}

function restoring(candidates) {
  const names = [...new Set(candidates.map(({ cell }) => cell))];
  const restore = () => {
    for (const { cell, digit } of candidates) game.note("gone", [cellOf(cell, game.size)], digit);
  };
  const cellRoles = new Map(cellsOf(names, game.size).map((cell) => [cell, ["target"]]));
  const text = `In ${some(names)} you have crossed out the only digit that fits.`;
  return { ...says(text, [["Take that back", restore]]), shown: game.cells, cellRoles };
}

function advice({ wrong, needed }) {
  if (needed.length) return "\nTake that back, then ask for a step again.";
  return `\n${wrong.length ? `Erase ${them(wrong)}` : "Change one of them"}, then ask for a step again.`;
}

const some = (names) => listed(names.length > MANY ? [...names.slice(0, MANY), `${names.length - MANY} more`] : names);
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
