// The programs that run on a puzzle, and changed ones, each in a worker of its own.

import { named, notRun, puzzleFacts, whole } from "./asp.js";
import { Engine, programNamed, texts } from "./engines.js";
import { clause } from "./goals.js";
import { answerOf, broken, judged } from "./judging.js";
import { Refusal, TIMEOUT } from "./limits.js";
import { solve } from "./solving.js";
import { sizeOf } from "../puzzle.js";

const ANSWERS = 100; // most different ones that are compared
const GRACE = 1000; // milliseconds that a program may run after a wrong answer: most end by then

/** Each program: its files, and whether it can solve the puzzle. */
export async function programs({ puzzle }) {
  const { programs: all, encodings, prolog: clauses } = await texts;
  const shown = (program) => {
    const { name, engine, title, teaches } = program;
    const folder = engine === "clingo" ? encodings : clauses;
    const files = program.files.map((file) => ({ name: file, text: folder[file] }));
    return { name, engine, title, teaches, files, suits: suits(program, puzzle) };
  };
  return { programs: all.map(shown) };
}

/** The puzzle as a program gets it. */
function stated(program, text, puzzle) {
  if (program.engine === "prolog") return clause(puzzle, Math.max(...[...text.matchAll(/\bsudoku\/([1-3])\b/g)].map(([, arity]) => arity)));
  const size = text.includes("#const subgrid_size") ? `#const subgrid_size=${puzzle.box[0]}. [override]\n` : "";
  return size + puzzleFacts(program, puzzle);
}

/** true, or why a program cannot solve the puzzle. */
function suits({ name, shapes, knows }, { box: [rows, columns], regions, marks }) {
  const missing = [
    ...(shapes.startsWith("9x9") && (rows !== 3 || columns !== 3) ? [`boxes of ${rows} x ${columns} cells`] : []),
    ...(shapes.startsWith("square") && rows !== columns ? ["boxes that are not square"] : []),
    ...(regions && !knows.includes("regions") ? ["regions"] : []),
    ...(marks.size && !knows.includes("marks") ? ["marks"] : []),
  ];
  return !missing.length || `${name} cannot solve puzzles with ${missing.join(" and ")}.`;
}

/** What a program with these changed files answers, compared with the solutions of the other engine. */
export async function run({ puzzle, engine, files = {} }, signal) {
  const program = await programNamed(engine);
  const names = program.files;
  const strange = Object.keys(files).find((name) => !names.includes(name));
  if (strange) throw new Refusal(`There is no file ${strange}; expected ${names.join(", ")}.`);
  const ran = await RUNS[program.engine](program, puzzle, files, signal);
  const other = program.engine === "clingo" ? "prolog" : "clingo";
  const { solutions, stopped } =
    ran.stopped === "error"
      ? { solutions: [], stopped: "time" } // it needs none
      : await solve({ puzzle, engine: other, limit: ANSWERS }, signal);
  return judged(ran, { solutions, complete: !stopped }, puzzle, names);
}

// --- a changed program --------------------------------------------------------------------------

/** By engine: run the program with these changed files on the puzzle. */
const RUNS = {
  async clingo(chosen, puzzle, files, signal) {
    const { text, lines } = await whole(chosen, files);
    const refused = notRun(text);
    if (refused) return failure(named(refused, lines));
    const program = `${text}\n${stated(chosen, text, puzzle)}\n`;
    const ran = await followed(new Engine("clingo-run.js", { type: "module" }), { program, answer: chosen.answer }, puzzle, signal);
    return { ...ran, message: named(ran.message, lines) };
  },
  async prolog(chosen, puzzle, files, signal) {
    const [first] = chosen.files;
    const main = `:- use_module('${first}').\n\n${stated(chosen, (await texts).prolog[first], puzzle)}`;
    const request = { files: { ...files, "main.pl": main }, cells: puzzle.givens.join(" "), size: sizeOf(puzzle.box) };
    return followed(new Engine("prolog-run.js"), request, puzzle, signal);
  },
};

const failure = (message) => ({ answers: [], exhausted: false, stopped: "error", seconds: 0, message });

/**
 * What a program has answered when it ends, or is stopped: `stopped` is then "decided" soon after a
 * wrong answer, "time", or "error". Throws the reason of `signal` at once if that stops it.
 */
async function followed(engine, request, puzzle, signal) {
  const late = AbortSignal.timeout(TIMEOUT * 1000);
  const decided = new AbortController();
  const ran = { ...failure(""), stopped: null };
  const start = performance.now();
  const each = ({ placements, note }) => {
    const answer = answerOf(placements, sizeOf(puzzle.box), note);
    ran.answers.push(answer);
    if (answer.fault || broken(answer.cells, puzzle)) setTimeout(() => decided.abort(), GRACE);
  };
  try {
    const within = AbortSignal.any([signal, late, decided.signal]);
    return { ...ran, ...(await engine.ask({ ...request, most: ANSWERS }, { signal: within, each })) };
  } catch (error) {
    signal.throwIfAborted();
    const seconds = (performance.now() - start) / 1000;
    if (late.aborted || decided.signal.aborted) return { ...ran, seconds, stopped: late.aborted ? "time" : "decided" };
    return { ...ran, seconds, stopped: "error", message: error.message };
  } finally {
    engine.end();
  }
}
