// Reasons: why a cell has its digit, why not another, why there is no solution, and what is open.

import { argumentsOf, excluded, facts, gridOf } from "./asp.js";
import { cellAt, cellName, inOrder, placementsIn, placementsOf } from "./cells.js";
import { prolog } from "./engines.js";
import { answers, possible, solution } from "./explainer.js";
import { forcing } from "./goals.js";
import { inTime, limited } from "./limits.js";
import { minimal } from "./minimal.js";
import { Refusal } from "./refusal.js";
import { housesOf } from "./steps/position.js";
import { clash, differing, forced, given, noClash, open, openCells, removal } from "./why-shown.js";
import { sizeOf } from "../puzzle.js";

const PATIENCE = 3; // seconds for Prolog, before clingo looks for the reason
const MANY = 100; // above this number of solutions the extra givens are irredundant, but perhaps not the fewest
const SAMPLE = 10; // solutions that are compared to choose the next extra given

/** Why a cell has its digit: houses and givens that force it. */
export async function why({ puzzle, cell }, signal) {
  const [where] = placementsOf([{ cell }]);
  const digit = puzzle.givens[(where[0] - 1) * sizeOf(puzzle.box) + where[1] - 1];
  if (digit) return given(puzzle, where, digit);
  const [name, ...about] = (await byProlog(puzzle, where, signal)) ?? (await inTime(signal, (left) => byClingo(puzzle, where, left)));
  if (name === "not_forced") return open(puzzle, where, about.map((rows) => rows.flat()));
  return forced(puzzle, where, ...about);
}

/** The reason by `explain/5`; null if that takes long, as it may if propagation alone does not show it. */
async function byProlog(puzzle, cell, signal) {
  let reason = null;
  const { stopped } = await limited(
    signal,
    (left) => prolog.ask(forcing(puzzle, cell), { signal: left, each: (found) => (reason = found.A) }),
    PATIENCE,
  );
  if (!reason && !stopped) throw without("nothing follows from it");
  return reason;
}

/** The reason by `demands.lp`, in the same form: a house or a given is left out for as long as the rest suffices. */
async function byClingo(puzzle, [row, column], signal) {
  const n = sizeOf(puzzle.box);
  const cells = await solution(puzzle, facts(puzzle), signal);
  if (!cells) throw without("nothing follows from it");
  const digit = cells[(row - 1) * n + column - 1];
  const another = `excluded(${row},${column},${digit}).`;
  const other = await solution(puzzle, `${facts(puzzle)}\n${another}`, signal);
  if (other) return ["not_forced", cells, other];
  const givens = placementsIn(puzzle.givens, n).map((each) => ["given", ...each]);
  const elements = [...housesOf(puzzle).map(({ kind, number }) => [kind, number]), ...givens];
  const fact = ([name, ...about]) => (name === "given" ? `initial(${about}).` : `demand(house(${name},${about})).`);
  const granted = [facts(puzzle, []), another, "demand(cells)."];
  const forces = async (some) => {
    const more = [...granted, ...some.map(fact)].join("\n");
    return !(await answers(puzzle, ["demands.lp"], { more, models: 1 }, signal)).length;
  };
  return ["because", digit, await minimal(elements, forces)];
}

/** The fewest givens that must go so that the cell can hold the digit, by `why_not.lp`. */
export async function whyNot({ puzzle, cell, digit }, signal) {
  const [[row, column]] = placementsOf([{ cell }]);
  const more = `${facts(puzzle, puzzle.givens, "removable")}\nquery(${row},${column},${digit}).`;
  const found = await inTime(signal, (left) => answers(puzzle, ["sudoku.lp", "why_not.lp"], { more, models: 0 }, left));
  if (found.length) return removal(puzzle, [row, column, digit], atoms(found.at(-1), "removed"), gridOf(found.at(-1), sizeOf(puzzle.box)));
  const reason = excluded(puzzle).length || puzzle.regions ? "its marks or regions exclude it" : "no grid has it there";
  throw new Refusal(`${cell} cannot be ${digit} whichever givens go: ${reason}.`);
}

/** Givens and marks that no solution has together, none of which is redundant; or a solution. */
export async function conflicts({ puzzle }, signal) {
  const n = sizeOf(puzzle.box);
  const plain = { ...puzzle, marks: new Map() };
  const regions = facts(plain, []);
  const members = [
    ...placementsIn(puzzle.givens, n).map((placed) => ({ placed })),
    ...excluded(puzzle).map(([cell, digit]) => ({ gone: [...cellAt(cell, n), digit] })),
  ];
  const fact = ({ placed, gone }) => (placed ? `initial(${placed}).` : `excluded(${gone}).`);
  return inTime(signal, async (left) => {
    const stands = (some) => solution(puzzle, [regions, ...some.map(fact)].join("\n"), left);
    const cells = await stands(members);
    if (cells) return noClash(puzzle, cells);
    const kept = await minimal(members, async (some) => !(await stands(some)));
    return clash(puzzle, kept.flatMap(({ placed }) => (placed ? [placed] : [])), kept.flatMap(({ gone }) => (gone ? [gone] : [])));
  });
}

/** The cells that differ between solutions, and extra givens that leave only one. */
export async function ambiguity({ puzzle }, signal) {
  return inTime(signal, async (left) => {
    const found = await solutions(puzzle, [], MANY + 1, left);
    if (!found.length) throw without("nothing is open");
    if (found.length > MANY) {
      const extra = await irredundant(puzzle, left);
      return differing(puzzle, await possible(puzzle, facts(puzzle), left), extra, null);
    }
    const different = openCells(found);
    const grids = found.flatMap((grid, number) => grid.filter((each) => different.has(cellName(each))).map((each) => `solution(${number},${each}).`));
    const singled = found.length > 1 ? await answers(puzzle, ["tell_apart.lp"], { more: grids.join("\n"), models: 0 }, left) : [[]];
    return differing(puzzle, found.flat(), atoms(singled.at(-1), "given"), found.length);
  });
}

/** Up to `models` solutions with these placements, each as its placements. */
async function solutions(puzzle, extra, models, signal) {
  const more = [facts(puzzle), ...extra.map((each) => `initial(${each}).`)].join("\n");
  const found = await answers(puzzle, ["sudoku.lp"], { more, models }, signal);
  return found.map((each) => atoms(each, "sudoku"));
}

/** Extra givens that leave one solution, none of them redundant. */
async function irredundant(puzzle, signal) {
  const extra = [];
  for (;;) {
    const [first, ...rest] = (await solutions(puzzle, extra, SAMPLE, signal)).map((grid) => grid.map(String));
    if (!rest.length) break;
    // A cell in which many solutions differ from the first settles most.
    const differ = (each) => rest.filter((other) => !other.includes(each)).length;
    extra.push(first.reduce((best, each) => (differ(each) > differ(best) ? each : best)).split(",").map(Number));
  }
  const needed = await minimal(extra, async (some) => (await solutions(puzzle, some, 2, signal)).length === 1);
  return needed.sort(inOrder);
}

const atoms = (found, name) => argumentsOf(found, name).sort(inOrder);

const without = (consequence) =>
  new Refusal(`The puzzle has no solution, so ${consequence}; ask for its conflicts to see what clashes.`);
