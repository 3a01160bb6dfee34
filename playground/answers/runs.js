// Changed programs: each run has a worker of its own, which ends with it.

import { puzzleFacts, whole } from "./asp.js";
import { clause } from "./goals.js";
import { answerOf, broken } from "./judging.js";
import { TIMEOUT } from "./limits.js";
import { sizeOf } from "../puzzle.js";

/** Most different answers that are compared. */
export const ANSWERS = 100;
const GRACE = 1000; // milliseconds that a program may run after a wrong answer: most end by then
const NOT_RUN = [
  [/^\s*#script\b/, "#script is not run here"],
  [/#(minimize|maximize)\b|:~/, "#minimize, #maximize and weak constraints rank the answer sets; expected a program whose answer sets are the solutions"],
];

/** By engine: run the program with these changed files on the puzzle. */
export const RUNS = {
  async clingo(puzzle, files, signal) {
    const { text, lines } = await whole(files);
    const refused = notRun(text);
    if (refused) return failure(named(refused, lines));
    const notes = noted(text);
    const program = `${text}\n${puzzleFacts(puzzle)}\n`;
    const ran = await followed(new Worker(here("clingo-run.js"), { type: "module" }), { program }, puzzle, signal);
    return { ...ran, notes, message: named(ran.message, lines) };
  },
  async prolog(puzzle, files, signal) {
    const main = `:- use_module(sudoku).\n\n${clause(puzzle)}`;
    const request = { files: { ...files, "main.pl": main }, cells: puzzle.givens.join(" "), size: sizeOf(puzzle.box) };
    return followed(new Worker(here("prolog-run.js")), request, puzzle, signal);
  },
};

const here = (name) => new URL(name, import.meta.url);
const failure = (message) => ({ answers: [], found: 0, exhausted: false, stopped: "error", seconds: 0, message });

/**
 * What a program has answered when it ends, or is stopped: `stopped` is then "decided" soon after a
 * wrong answer, "time", or "error". Throws the reason of `signal` at once if that stops it.
 */
async function followed(worker, request, puzzle, signal) {
  const late = AbortSignal.timeout(TIMEOUT * 1000);
  const decided = new AbortController();
  const ran = { ...failure(""), stopped: null };
  const start = performance.now();
  const each = ({ placements, note, found }) => {
    ran.found = found;
    if (!placements) return;
    const answer = answerOf(placements, sizeOf(puzzle.box), note);
    ran.answers.push(answer);
    if (answer.fault || broken(answer.cells, puzzle)) setTimeout(() => decided.abort(), GRACE);
  };
  try {
    const within = AbortSignal.any([signal, late, decided.signal]);
    return { ...ran, ...(await alone(worker, { ...request, most: ANSWERS }, each, within)) };
  } catch (error) {
    signal.throwIfAborted();
    const seconds = (performance.now() - start) / 1000;
    if (late.aborted || decided.signal.aborted) return { ...ran, seconds, stopped: late.aborted ? "time" : "decided" };
    return { ...ran, seconds, stopped: "error", message: error.message };
  }
}

/** What a new worker says when it is done; it is ended then, or as soon as the signal stops it. */
function alone(worker, request, each, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`The engine could not run: ${event.message ?? "its files are missing"}`));
    };
    worker.onmessage = ({ data: { item, error, done } }) => {
      if (item) each(item);
      else if (error === undefined) resolve(done);
      else reject(new Error(error));
    };
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

// --- what is special about clingo ----------------------------------------------------------------

/** The message with lines of the reader's files, in the place of lines of the one text that clingo got. */
function named(message, lines) {
  const place = (line) => lines[line - 1] ?? { file: "the puzzle", line: line - lines.length };
  return message
    .replace(/^-:(\d+):(\d+)(?:-(\d+):(\d+))?/gm, (_, line, column, lastLine, lastColumn) => {
      const { file, line: own } = place(Number(line));
      const end = lastLine ? `-${place(Number(lastLine)).line}:${lastColumn}` : "";
      return `${file}:${own}:${column}${end}`;
    })
    .replace(/^\*\*\*.*\n?/gm, "")
    .trim();
}

/** The program without comments and texts, line by line. */
const bare = (text) => text.replace(/%\*[^]*?\*%|%.*|"(?:\\.|[^"\\\n])*"/g, (part) => part.replace(/[^\n]/g, " ")).split("\n");

/** Why the program is not run, as clingo would say it; null if it is. */
function notRun(text) {
  for (const [index, line] of bare(text).entries()) {
    const why = NOT_RUN.find(([sign]) => sign.test(line))?.[1];
    if (why) return `-:${index + 1}:1: ${why}`;
  }
  return null;
}

/** What may explain why its answers do not keep the givens. */
const noted = (text) =>
  bare(text).some((line) => /\binitial\b(?!\/)/.test(line)) ? "" : "the program does not use initial/3, the atoms of the givens";
