// The programs that run on a puzzle, and changed ones, each in a worker of its own.

import { puzzleFacts } from "./asp.js";
import { clingo, prolog, texts } from "./engines.js";
import { clause } from "./goals.js";
import { judged } from "./judging.js";
import { Refusal } from "./refusal.js";
import { ANSWERS, RUNS } from "./runs.js";
import { solve } from "./solving.js";
import { toJson, toLine } from "../puzzle.js";

const PRINTED = "forall(limit(2, (puzzle(Rows, Shape), sudoku(Rows, Shape))), (print_grid(Rows, Shape), nl)).";

/** Each program: its files, the puzzle as it gets it, a command for a terminal, and lessons to load. */
export async function programs({ puzzle }) {
  const argument = argumentOf(puzzle);
  const asp = `pylogic-sudoku asp ${argument} | python -m clingo - 2`;
  const goal = `echo '${PRINTED}' | pylogic-sudoku prolog ${argument}`;
  return {
    programs: [
      await program("clingo", puzzleFacts(puzzle), asp),
      await program("prolog", clause(puzzle), goal),
    ],
  };
}

async function program(engine, puzzle, command) {
  const { parts, lessons, encodings, prolog: clauses } = await texts;
  const folder = { clingo: encodings, prolog: clauses }[engine];
  const files = parts[engine].map((name) => ({ name, text: folder[name] }));
  return { engine, files, puzzle, command, lessons: lessons[engine] };
}

/** What a program with these changed files answers, compared with the solutions of the other engine. */
export async function run({ puzzle, engine, files = {} }, signal) {
  const { [engine]: names } = (await texts).parts;
  if (!names) throw new Refusal(`There is no engine ${engine} here; choose clingo or prolog.`);
  const strange = Object.keys(files).find((name) => !names.includes(name));
  if (strange) throw new Refusal(`There is no file ${strange}; expected ${names.join(", ")}.`);
  const ran = await RUNS[engine](puzzle, files, signal);
  const other = engine === "clingo" ? prolog : clingo;
  const { solutions, stopped } =
    ran.stopped === "error"
      ? { solutions: [], stopped: "time" } // it needs none
      : await solve({ puzzle, engine: other.name, limit: ANSWERS }, signal);
  return judged(ran, { title: other.title, solutions, complete: !stopped }, puzzle, names);
}

/** The puzzle as an argument of our commands, quoted for a shell. */
function argumentOf(puzzle) {
  const { box, regions, marks, givens } = puzzle;
  if (regions || marks.size) return quoted(JSON.stringify(toJson({ ...puzzle, title: "", author: "" })));
  const shape = box[0] === box[1] ? "" : `--box ${box.join("x")} `;
  return shape + quoted(toLine(givens));
}

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);
