// Asking Prolog: puzzles as prolog/host/bridge.pl takes them and as clauses, and questions about them.

import { digitsTo, nameOf, rowsOf, sizeOf, toLine } from "../puzzle.js";
import { cellAt, excluded } from "./asp.js";
import { prolog, texts } from "./engines.js";
import { Refusal } from "./limits.js";

/** The shape of the grid as a term. */
const shape = ({ box, regions }) =>
  regions ? `[${rowsOf(regions, sizeOf(box)).map((row) => `[${row}]`)}]` : box.join("-");

/** The candidates that marks exclude. */
const gone = (puzzle) => excluded(puzzle).map(([cell, digit]) => [...cellAt(cell, sizeOf(puzzle.box)), digit]);

export const KINDS = ["choice", "implied", "conflict", "back", "solution"]; // of events, as the bridge numbers them
const COUNTED = 20_000; // events that are counted

/** A puzzle as the bridge takes it; D are its givens, E what its marks exclude. */
const term = (own, puzzle) => `puzzle(${own}, D, ${shape(puzzle)}, "[]", E)`;

/**
 * Ask the bridge a question about a puzzle, with `more` arguments. `each` gets the answers; the last one,
 * or undefined, is returned too.
 */
async function askBridge(program, puzzle, question, more, signal, { models = 0, each = () => {}, input = { D: puzzle.givens }, before = "true" } = {}) {
  let answer;
  const own = await loaded(program, signal);
  const whole = `${before}, pls_bridge:question(${question}(${[term(own, puzzle), ...more]}), A)`;
  const heard = ({ A }) => each((answer = A));
  const { seconds } = await prolog.ask({ goal: whole, input: { E: gone(puzzle), ...input }, models }, { signal, each: heard });
  return { answer, seconds };
}

/** The module of a program, which is loaded into it if it is not there. */
async function loaded({ name, files: [file] }, signal) {
  if (name === "prolog") return "sudoku";
  const own = name.replace(":", "_");
  const goal = `pls_bridge:loaded(${own}, '/prolog/${file}', Text, sudoku, [E,_]), maplist(pls_loading:placed, E, A)`;
  const complain = ({ A }) => {
    if (A.length) throw new Error(A.join("\n"));
  };
  await prolog.ask({ goal, input: { Text: (await texts).prolog[file] } }, { signal, each: complain });
  return own;
}

/** Refuse a program whose search cannot be seen. */
async function mustBeSeen({ name, files: [file] }) {
  if (!(await texts).prolog[file].includes("label")) throw new Refusal(`${name} does not search by labeling/2, and so shows nothing of its work.`);
}

/** What Prolog finds: `each` gets the digits of each grid, and `count` is the number of solutions up to a limit. */
export const byProlog = {
  solve: (program, puzzle, models, signal, each) => askBridge(program, puzzle, "solution", [], signal, { models, each }),

  count: async (program, puzzle, models, signal) =>
    (await askBridge(program, puzzle, "count", [models], signal)).answer,

  /** Those of the full grids that are solutions. */
  confirm: (program, puzzle, grids, signal, each) =>
    askBridge(program, puzzle, "solution", [], signal, { each, input: { Grids: grids }, before: "member(D, Grids)" }),

  /** The work for the first solution, in which posting the constraints propagates. */
  async measure(program, puzzle, signal) {
    const { answer } = await askBridge(program, puzzle, "measure", [], signal, { models: 1 });
    const [setup, search, inferences, choices, conflicts, ...cells] = answer;
    const seen = setup >= 0 ? { setup: setup / 1e6, choices, conflicts } : {};
    return { solved: cells.length > 0, search: search / 1e6, inferences, ...seen };
  },

  /** For each cell the digits that are left before the search; null if it does not come to that. */
  async propagate(program, puzzle, signal) {
    await mustBeSeen(program);
    const { answer: sets } = await askBridge(program, puzzle, "left", [], signal, { models: 1 });
    const digits = digitsTo(sizeOf(puzzle.box));
    return sets ? sets.map((set) => digits.filter((digit) => (set >> digit) & 1)) : null;
  },

  /** The first events of the search for one solution, and how many there are. */
  async trace(program, puzzle, limit, signal) {
    await mustBeSeen(program);
    const own = await loaded(program, signal);
    return watched(prolog, term(own, puzzle), { D: puzzle.givens, E: gone(puzzle) }, limit, eventOf, signal);
  },
};

/** The events of a search by this Prolog, which has no engines to yield them; `read` makes one of what the bridge gives. */
export async function watched(engine, posed, input, limit, read, signal) {
  const most = Math.max(COUNTED, limit);
  const goal = `
    nb_setval(told, 0), retractall(pls_bridge:told(_)), retractall(pls_watch:engine_yield(_)),
    assertz((pls_watch:engine_yield(Event) :-
      nb_getval(told, N0), N is N0 + 1, nb_setval(told, N), ( N > ${most} -> throw(enough) ; true ),
      ( N > ${limit} -> true ; pls_bridge:event_list(Event, List), assertz(pls_bridge:told(List)) ))),
    catch(ignore(pls_bridge:question(trace(${posed}), _)), enough, true),
    findall(List, pls_bridge:told(List), Events), nb_getval(told, Number)`;
  let told;
  await engine.ask({ goal, input, models: 1 }, { signal, each: (found) => (told = found) });
  const events = told.Events.map(read);
  return { events, number: Math.min(told.Number, most), stopped: told.Number > most ? "limit" : null };
}

/** An event as the server has it in JSON. */
function eventOf([kind, level, ...lists]) {
  const [placed, excluded] = KINDS[kind - 1] === "solution" ? [[], []] : lists;
  const solution = KINDS[kind - 1] === "solution" ? toLine(lists[0]) : null;
  return { kind: KINDS[kind - 1], level, placed: placed ?? [], excluded: excluded ?? [], solution };
}

/** A clause of solution/1, which solves the puzzle by a sudoku of this arity. */
export function clause({ box, givens, regions, marks }, arity = 3) {
  const n = sizeOf(box);
  const name = (cell) => givens[cell] || (marks.has(cell) ? nameOf(cell, n).toUpperCase() : "_");
  const rows = (cells) => `[${rowsOf(cells, n).map((row) => `[${row}]`)}]`;
  const goals = [
    `Rows = ${rows(givens.map((_, cell) => name(cell)))}`,
    ...[...marks].map(([cell, digits]) => (digits.length ? `${name(cell)} in ${digits.join(" \\/ ")}` : "fail")),
    `sudoku(${["Rows", regions ? `regions(${rows(regions)})` : box.join("-"), "[]"].slice(0, arity)})`,
  ];
  return `solution(Rows) :- ${goals.join(", ")}.`;
}
