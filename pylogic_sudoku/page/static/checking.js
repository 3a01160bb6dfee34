// Whether the digits of the board are right: for Check, and where a question is refused because they are not.

import { ask, LATE } from "./api.js";
import { listed } from "./elements.js";
import { about, answers, game, puzzle, view } from "./page.js";
import { cellOf, nameOf } from "./puzzle.js";
import { explained } from "./roles.js";

/** Say whether the digits lead to a solution, and mark those that do not. */
export const check = () => view.question(judge, seen);

/** Ask about the puzzle, and show what `then` makes of the answer; if it is refused, say why. */
export const question = (path, body, then) => view.question(() => ask(path, { ...puzzle(), ...body }), then, explainRefusal);

/** A button that asks for a reason, if somebody answers that. */
export function reason(label, path) {
  const then = (answer) => explained(answer, game.size);
  return answers(path) ? [[label, () => question(`/${path}`, {}, then)]] : [];
}

/** Say why there is no step or reason: wrong digits, no solution, or else what the server said. */
const explainRefusal = (error) =>
  view.question(judge, (found) => {
    if (["right", "solved", "unknown"].includes(found.verdict)) return { text: error.message };
    const shown = seen(found);
    if (found.verdict === "none") return shown;
    const advice = found.wrong.length ? `Erase ${them(found.wrong)}` : "Change one of them";
    return { ...shown, title: "No step leads on from here", text: `${shown.text}\n${advice}, then ask for a step again.` };
  });

// --- what is known, by a few questions to clingo ----------------------------------------------------

/**
 * What is known of the digits that are filled in. If they lead to a solution, the `verdict` is "right", or "solved"
 * if the grid is full; else it says how many solutions the puzzle has: "none", "several", or "wrong" for one, with
 * the cells that are `wrong`. A digit of some solution is never called wrong. It is "unknown" if time ran out.
 */
async function judge() {
  const { cells, givens, entries } = game;
  try {
    if (await solutions(cells, 1)) return { verdict: cells.every(Boolean) ? "solved" : "right" };
    const verdict = ["none", "wrong", "several"][await solutions(givens, 2)];
    if (verdict === "none") return { verdict };
    const possible = (await ask("/candidates", puzzle(givens))).candidates.flat();
    return { verdict, wrong: [...cells.keys()].filter((cell) => entries[cell] && !possible[cell].includes(cells[cell])) };
  } catch (error) {
    if (error.status !== LATE) throw error;
    return { verdict: "unknown" };
  }
}

/** How many solutions there are with these givens, up to a limit. */
async function solutions(givens, limit) {
  const { solutions: { length }, stopped } = await ask("/solve", { ...puzzle(givens), limit, engine: "clingo" });
  if (stopped === "time" && length < limit) throw Object.assign(new Error("Time ran out."), { status: LATE });
  return length;
}

// --- what setters ask -------------------------------------------------------------------------------

/** Buttons for what is redundant and for the number of solutions with each digit, where these can be asked. */
const forSetters = () => [
  ...reason("Redundant?", "redundant"),
  ...(answers("candidate-counts") ? [["Count by digit", () => view.question(() => ask("/candidate-counts", puzzle(game.cells)), numbered)]] : []),
];

/** The candidates on the board, and a line for each open cell with their numbers of solutions. */
function numbered({ counts, limit }) {
  const open = Map.groupBy(
    counts.filter(({ cell }) => !game.cells[cellOf(cell, game.size)]),
    ({ cell }) => cell,
  );
  const pencil = game.cells.map(() => new Set());
  for (const [cell, found] of open) pencil[cellOf(cell, game.size)] = new Set(found.map(({ digit }) => digit));
  const number = ({ digit, count }) => `${digit} (${count < limit ? count : `${limit} or more`})`;
  const lines = [...open].map(([cell, found]) => `${cell}: ${listed(found.map(number))}`);
  const text = "The small digits are those that a solution has in the cell.";
  return { text, more: [`Solutions with each digit, up to ${limit}`, lines.join("\n")], pencil };
}

// --- in words -------------------------------------------------------------------------------------

/** What the page shows of it. With `wrong` the board shows the digits as they are, so a small screen shows the board. */
function seen({ verdict, wrong = [] }) {
  const filled = game.entries.some(Boolean);
  switch (verdict) {
    case "solved":
      return { text: filled ? "Solved: every digit is right." : "The grid is full, and obeys every rule.", actions: forSetters() };
    case "right":
      return {
        text: filled ? "So far so good: your digits lead to a solution." : "You have filled in nothing yet. The puzzle has a solution.",
        actions: forSetters(),
      };
    case "none":
      return { text: "The puzzle has no solution, whatever you fill in.", actions: reason("Why none?", "conflicts") };
    case "unknown":
      return { text: `Not known: time ran out after ${about.timeout} s.` };
    default: {
      const actions = wrong.length ? [[`Erase ${them(wrong)}`, () => game.place(wrong, 0)]] : [];
      return { text: inWords(verdict, wrong), actions, shown: game.cells, wrong: new Set(wrong) };
    }
  }
}

const them = ({ length }) => (length === 1 ? "it" : "them");

/** What is wrong, without a claim that does not hold for every solution. */
function inWords(verdict, wrong) {
  const some = listed(wrong.map((cell) => nameOf(cell, game.size)));
  if (!wrong.length) {
    return "Your digits do not go together: no solution has them all.\nThe puzzle has several solutions, so any digit may be the wrong one.";
  }
  const one = wrong.length === 1;
  if (verdict === "wrong") return `${some} ${one ? "is wrong: it differs" : "are wrong: they differ"} from the only solution.`;
  return `${some} ${one ? "is wrong: no solution has this digit" : "are wrong: no solution has these digits"} there.`;
}
