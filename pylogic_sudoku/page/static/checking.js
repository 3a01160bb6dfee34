// Whether the digits of the board are right: for Check, and where no hint can be given.

import { ask } from "./api.js";
import { listed } from "./elements.js";
import { reason } from "./explaining.js";
import { about, game, puzzle, says, view } from "./page.js";
import { cellOf, nameOf } from "./puzzle.js";

const MANY = 8; // cells that a sentence names
const LATE = 504; // the status of an error: time ran out

/** Say whether the digits lead to a solution, and mark those that do not. */
export const check = () => view.question(judge, seen);

/** Say why there is no step or reason: wrong digits, no solution, or else what the server said. */
export const instead = (error) =>
  view.question(judge, (found) => {
    const isFine = ["right", "solved", "unknown"].includes(found.verdict) && !found.needed.length;
    if (isFine) return says(error.message);
    const shown = seen(found);
    if (found.verdict === "none") return shown;
    return { ...shown, title: "No step leads on from here", text: `${shown.text}${advice(found)}` };
  });

// --- what is known, by a few questions to clingo ----------------------------------------------------

/**
 * What is known of the digits that are filled in: the `verdict` (those that lead to a solution are "right", or
 * "solved" if the grid is full; else it says how many solutions the puzzle has: "none", "several", or "wrong" for
 * one; "impossible" and "unknown" if time ran out), the cells that are `wrong` or `clash`, and the candidates that are
 * `needed` though they are crossed out. A digit of some solution is never called wrong.
 */
async function judge() {
  const found = { verdict: "unknown", wrong: [], clash: [], needed: [] };
  try {
    await judgeInto(found);
  } catch (error) {
    if (error.status !== LATE) throw error;
  }
  return found;
}

/** Write each result into `found` as soon as it is known, so that it is there if time runs out. */
async function judgeInto(found) {
  const { cells, givens, removed, size } = game;
  const filled = [...cells.keys()].filter((cell) => cells[cell] && !givens[cell]);
  const withDigitsOf = (some) => givens.map((given, cell) => (some.includes(cell) ? cells[cell] : given));
  const stands = async (some) => (await solutions(withDigitsOf(some), 1)) > 0;
  const possible = async () => (await ask("/candidates", puzzle(givens))).candidates.flat();
  if (await stands(filled)) {
    found.verdict = cells.every(Boolean) ? "solved" : "right";
    if (!removed.length) return;
    const digits = await possible();
    found.needed = removed.filter(({ cell, digit }) => String(digits[cellOf(cell, size)]) === String(digit)); // no other is
    return;
  }
  found.verdict = "impossible";
  found.verdict = ["none", "wrong", "several"][await solutions(givens, 2)];
  if (found.verdict === "none") return;
  const digits = await possible();
  found.wrong = filled.filter((cell) => !digits[cell].includes(cells[cell]));
  if (found.wrong.length) return;
  let clash = filled; // then without any digit that can be spared
  for (const cell of filled) {
    const fewer = clash.filter((other) => other !== cell);
    if (!(await stands(fewer))) clash = fewer;
  }
  found.clash = clash;
}

/** How many solutions there are with these givens, up to a limit. */
async function solutions(givens, limit) {
  const { solutions: { length }, stopped } = await ask("/solve", { ...puzzle(givens), limit, engine: "clingo" });
  if (stopped === "time" && length < limit) throw Object.assign(new Error("Time ran out."), { status: LATE });
  return length;
}

// --- in words -------------------------------------------------------------------------------------

/** What the page shows of it. With `wrong` the board shows the digits as they are, so a small screen shows the board. */
function seen(found) {
  const { verdict, wrong, clash, needed } = found;
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
      const erase = wrong.length ? [[`Erase ${them(wrong)}`, () => game.place(wrong, 0)]] : [];
      return { ...says(inWords(found), erase), shown: game.cells, wrong: new Set([...wrong, ...clash]) };
    }
  }
}

function restoring(candidates) {
  const cells = [...new Set(candidates.map(({ cell }) => cellOf(cell, game.size)))];
  const restore = () => {
    for (const { cell, digit } of candidates) game.note("gone", [cellOf(cell, game.size)], digit);
  };
  const cellRoles = new Map(cells.map((cell) => [cell, ["target"]]));
  const text = `In ${some(cells)} you have crossed out the only digit that fits.`;
  return { ...says(text, [["Take that back", restore]]), shown: game.cells, cellRoles };
}

function advice({ wrong, needed }) {
  if (needed.length) return "\nTake that back, then ask for a step again.";
  return `\n${wrong.length ? `Erase ${them(wrong)}` : "Change one of them"}, then ask for a step again.`;
}

function some(cells) {
  const names = cells.map((cell) => nameOf(cell, game.size));
  return listed(names.length > MANY ? [...names.slice(0, MANY), `${names.length - MANY} more`] : names);
}

const them = ({ length }) => (length === 1 ? "it" : "them");

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
