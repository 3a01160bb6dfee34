// The verdict on a changed program: its answers compared with the solutions of an engine.

import { printed } from "./messages.js";
import { counted } from "../elements.js";
import { mistakes, nameOf, rowsOf, sizeOf } from "../puzzle.js";

const PLACE = /(?:^|[\s:])([\w/]+\.(?:lp|pl)):(\d+)/g;

/** The cells of an answer with these placements, 0 for an empty one, and why it is not a full grid. */
export function answerOf(placements, n, note = "") {
  const cells = Array(n * n).fill(0);
  let fault = "";
  for (const [row, column, digit] of placements) {
    if (![row, column, digit].every((part) => Number.isInteger(part) && part >= 1 && part <= n)) {
      fault ||= `${digit} in row ${row}, column ${column}: expected row, column and digit to be 1 to ${n}`;
      continue;
    }
    const cell = (row - 1) * n + column - 1;
    if (cells[cell] && cells[cell] !== digit) fault ||= `${nameOf(cell, n)} holds both ${cells[cell]} and ${digit}`;
    cells[cell] ||= digit;
  }
  return { cells, fault: fault || empty(cells, n, note) };
}

function empty(cells, n, note) {
  const number = cells.filter((digit) => !digit).length;
  if (!number) return "";
  const first = nameOf(cells.indexOf(0), n);
  const which = number === 1 ? `${first} is empty` : `${first} and ${counted(number - 1, "more cell")} are empty`;
  return `${number === cells.length ? "every cell is empty" : which}${note && ` (${note})`}`;
}

/** The first rule that the cells break, or the first given that they change; empty if none. */
export function broken(cells, puzzle) {
  const changed = puzzle.givens.findIndex((given, cell) => given && given !== cells[cell]);
  if (changed >= 0) return `${nameOf(changed, sizeOf(puzzle.box))} holds ${cells[changed]}, but ${puzzle.givens[changed]} is given there`;
  return (mistakes(cells, puzzle).texts[0] ?? "").replace(/\.$/, "");
}

/** What the page shows of a run; `files` are those whose lines it can go to. */
export function judged(ran, reference, puzzle, files) {
  const { answers, exhausted, stopped, seconds, message } = ran;
  const right = new Set(reference.solutions.map((rows) => String(rows.flat())));
  const isRight = ({ cells, fault }) =>
    !fault && (right.has(String(cells)) || (!reference.complete && !broken(cells, puzzle)));
  const wrong = answers.filter((answer) => !isRight(answer));
  const given = new Set(answers.filter(({ fault }) => !fault).map(({ cells }) => String(cells)));
  const missing = exhausted ? reference.solutions.filter((rows) => !given.has(String(rows.flat()))) : [];
  const outcome = wrong.length + missing.length ? "failure" : ({ error: "error", time: "timeout" }[stopped] ?? "success");
  const { messages, warnings } = printed(message);
  const own = warnings.filter(({ file }) => files.includes(file));
  const n = sizeOf(puzzle.box);
  const grid = (cells) => rowsOf(cells, n).map((row) => row.map((digit) => digit || null));
  return {
    outcome,
    rule: wrong.length ? wrong[0].fault || broken(wrong[0].cells, puzzle) : "",
    message,
    messages,
    ...(own.length && { warnings: own }),
    missing: missing.length,
    wrong: wrong.length,
    grids: answers.map(({ cells }) => grid(cells)),
    missing_grid: missing[0] ?? null,
    wrong_grid: wrong.length ? grid(wrong[0].cells) : null,
    places: places(message, files),
    seconds,
    stopped: stopped === "time" ? "time" : null,
  };
}

/** The lines that the message is about, each once. */
function places(message, files) {
  const found = [...message.matchAll(PLACE)].filter(([, file]) => files.includes(file));
  return [...new Map(found.map(([, file, line]) => [`${file}:${line}`, { file, line: Number(line) }])).values()];
}
