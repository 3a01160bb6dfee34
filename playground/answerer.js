// Answers the questions of the page here, in the browser: both engines run in workers.

import { texts } from "./answers/engines.js";
import { Refusal, SOLUTIONS, TIMEOUT } from "./answers/limits.js";
import * as problems from "./answers/problems.js";
import * as programs from "./answers/programs.js";
import { FORMATS, read, write } from "./answers/reading.js";
import * as solving from "./answers/solving.js";
import { why } from "./answers/why.js";
import { fromJson } from "./puzzle.js";

/** The functions of a module by the paths of their questions; each takes the body of the question and a signal. */
const byPath = (module, as = (run) => run) => Object.fromEntries(Object.entries(module).map(([name, run]) => [`/${name}`, as(run)]));

/** What is answered about an instance of a problem, or about nothing, and what about a puzzle. */
const answers = { "": about, ...byPath({ read, write, ...problems }) };
const aboutPuzzles = byPath({ ...solving, ...programs, why }, (run) => (body, signal) => run({ ...body, puzzle: known(body.puzzle) }, signal));

/** What the playground can do, and with which engines. */
async function about() {
  const { versions } = await texts;
  return {
    engines: Object.entries(versions).map(([name, version]) => ({ name, engine: name, version, available: true })),
    formats: FORMATS,
    readable: [], // a text is recognized by its content alone
    timeout: TIMEOUT,
    solutions: SOLUTIONS,
    kinds: [],
    note: "In the browser clingo grounds its program anew for every question, so its times include the set-up.",
    questions: Object.keys({ ...answers, ...aboutPuzzles }).map((path) => path.slice(1)).filter(Boolean),
  };
}

/** The puzzle of this JSON, if the playground knows its rules. */
function known(json) {
  const puzzle = fromJson(json);
  if (!puzzle.rules.length) return puzzle;
  throw new Refusal("The playground knows the rules of plain sudoku, regions and marks. This puzzle has others; to solve it, install pylogic-sudoku.");
}

/**
 * The answer to a question, as JSON. Throws an Error with a message for the reader, or an AbortError
 * if `signal` stopped it. If the question was refused, the Error has its `status`, `messages` with fields
 * if it is about lines of a text, and `boxes` if these are all that is missing.
 */
export async function answer(path, body, signal) {
  const run = (body?.puzzle && aboutPuzzles[path]) || answers[path];
  if (!run && body?.puzzle) known(body.puzzle); // which says more, if rules are the reason
  if (!run) throw new Refusal(`The playground cannot answer ${path.slice(1)}.`);
  signal.throwIfAborted();
  return run(body, signal);
}
