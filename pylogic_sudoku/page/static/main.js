// Ties the game, the board, both programs and the server together.

import { cancel } from "./api.js";
import { Board, isElsewhere } from "./board.js";
import { check } from "./checking.js";
import { mode, Selection, showPad, turnNotes } from "./choosing.js";
import { $ } from "./elements.js";
import { allSteps, hint, listSteps, why, whyNot } from "./explaining.js";
import { opening } from "./opening.js";
import { about, answers, game, meet, view } from "./page.js";
import { offerProblems } from "./problem.js";
import { offerPrograms, programs, takePrograms } from "./program.js";
import { houses, isBlock, mistakes, nameOf, pencilMarks } from "./puzzle.js";
import { RuleForm, Rules } from "./rules.js";
import { sharing } from "./sharing.js";
import { race } from "./solutions.js";
import { traceAgain } from "./trace.js";
import { lightPlaces, seeAnswers, tab } from "./view.js";

$("dead").hidden = true;
const board = new Board($("board"));
const selection = new Selection($("board"), board);
const rules = new Rules();
const ruleForm = new RuleForm(selection);
const NOTHING = new Map();

let refused; // what the server said against the rules

// --- the view -----------------------------------------------------------------------------------

function render() {
  const { puzzle: { title, author, unread = [] }, givens, entries, cells } = game;
  const wrong = mistakes(cells, game.puzzle, rules.broken);
  const now = view.now ?? {};
  const { solution, shown = cells, pencil = ownNotes() } = now;
  board.show({
    puzzle: game.puzzle,
    shown,
    kind: shown.map((digit, cell) =>
      digit && givens[cell] === digit ? "given" : entries[cell] === digit ? "entry" : "found",
    ),
    pencil,
    wrong: now.wrong ?? (now.shown ? new Set() : wrong.cells),
    answered: Boolean(solution),
    different: new Set(solution && [...entries.keys()].filter((c) => entries[c] && entries[c] !== solution[c])),
    highlights: now.cellRoles ?? NOTHING,
    candidateRoles: now.candidateRoles ?? NOTHING,
    marked: now.cellRoles ? new Set() : rules.marked,
    picked: new Set(selection.picked),
  });
  board.draw(rules.shown);
  board.link(now.links ?? [], now.rims ?? [], now.flagged ?? []);
  listSteps();
  rules.list();
  ruleForm.update();
  $("board").setAttribute("aria-busy", Boolean(now.busy));
  $("title").textContent = [title, author && `by ${author}`].filter(Boolean).join(" ");
  $("unread").textContent = unread.length ? `Not read, and perhaps rules: ${unread.join("; ")}` : "";
  showPad(game.size, pencil[board.selected] ?? new Set(game.puzzle.marks.get(board.selected)), press);
  view.write(standing(cells, wrong.texts));
  if (game.setting && $("setting").hidden) tab("play"); // its form is there
  $("setting").hidden = !game.setting;
  $("undo").disabled = !game.canUndo;
  $("clear").disabled = game.untouched;
}

/** The message about the board alone: none, unless it is wrong or full. */
function standing(cells, wrong) {
  if (wrong.length) {
    const more = wrong.length - 3;
    return wrong.slice(0, 3).join("\n") + (more > 0 ? `\n… and ${more} more.` : "");
  }
  if (cells.some((digit) => !digit)) return "";
  const ruled = game.puzzle.rules.length > 0;
  if (ruled && rules.shown.error) return "The rules could not be checked.";
  if (ruled && !rules.isKnown) return "Checking the rules …";
  const [block] = houses(game.puzzle).filter(isBlock);
  const kinds = block ? `row, column and ${block.kind}` : "row and column";
  return `Solved: every ${kinds} holds every digit once${ruled ? ", and every rule holds" : ""}.`;
}

/** The notes of the board; if candidates are crossed out and there are no notes, what the rules leave of the others. */
function ownNotes() {
  const { cells, pencil, gone } = game;
  if (pencil.size || !gone.size) return cells.map((digit, cell) => (digit ? null : (pencil.get(cell) ?? null)));
  return pencilMarks(cells, game.puzzle).map((digits, cell) => digits?.difference(gone.get(cell) ?? new Set()) ?? null);
}

// --- moves -------------------------------------------------------------------------------------

function press(digit) {
  const isThere = game.cells[board.selected] === digit && mode() === "digit";
  enter(isThere && !view.now?.doubted ? 0 : digit);
  if (matchMedia("(pointer: fine)").matches) board.select(board.selected);
}

/** Do what a digit means in this mode, 0 for what Delete does. */
function enter(digit) {
  const { doubted } = view.now ?? {};
  if (doubted && digit) return whyNot(doubted, digit);
  const cell = board.selected;
  const notes = mode() === "pencil";
  const done = !digit ? game.erase(cell) : notes ? game.note(cell, digit) : game.place([cell], digit);
  if (done) return;
  const name = nameOf(cell, game.size);
  if (digit && notes) view.note(`${name} already holds a digit.`);
  else view.note(`${name} is a given. Choose “Change this puzzle” under Puzzles to change it.`);
}

function turn() {
  turnNotes();
  render();
}

board.addEventListener("digit", ({ detail }) => enter(detail));
for (const each of [board, selection, ruleForm, view]) {
  for (const type of ["select", "change"]) each.addEventListener(type, render);
}
game.addEventListener("change", () => {
  cancel();
  rules.refresh();
  race.dropAnswers();
  traceAgain();
  offerPrograms().then(traceAgain);
  if (view.now) view.close();
  else render();
});
game.addEventListener("badlink", () => view.tell(game.badLink));
game.addEventListener("packed", follow);
rules.addEventListener("change", () => {
  if (rules.shown.error && rules.shown.error !== refused) view.tell(rules.shown.error);
  else if (refused && !rules.shown.error && view.now?.text === refused) view.close(); // the server is back
  else render();
  refused = rules.shown.error;
});
rules.addEventListener("chosen", ({ detail: kind }) => {
  for (const program of Object.values(programs)) program.showRule(kind);
});
seeAnswers(view);
lightPlaces(board, () => game.puzzle);

// --- the programs ------------------------------------------------------------------------------

/** Show the programs of the link; they run as changed ones do, when they are solved with, and never before. */
async function follow() {
  try {
    race.announce("The programs are those of the link. They run when you solve.", ["Back to mine", await takePrograms(game.packed)]);
  } catch {
    view.tell("The programs of this link cannot be read. Copy the whole link, or ask for it again.");
  }
}

for (const program of Object.values(programs)) {
  program.addEventListener("change", () => {
    race.dropAnswers({ program: true });
    traceAgain();
  });
}

// --- buttons and keys --------------------------------------------------------------------------

const actions = {
  notes: turn,
  undo: () => game.undo(),
  play: () => game.set(false),
  check,
  hint,
  steps: allSteps,
  why: () => why(nameOf(board.selected, game.size)),
  help: () => $("help-dialog").showModal(),
};
for (const [id, run] of Object.entries(actions)) $(id).addEventListener("click", run);

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  if (control && key === "enter") return race.solve();
  if (event.target.matches?.("input, textarea")) return;
  if (key === "escape" && view.now) {
    cancel();
    view.close();
  } else if (control && (key === "z" || key === "y")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) game.redo();
    else game.undo();
  } else if (key === "x" && !control && !event.altKey && !isElsewhere(event)) {
    turn();
  }
});

opening((next) => {
  game.load(next);
  board.select(board.selected);
});
sharing();

// --- the start ---------------------------------------------------------------------------------

async function begin() {
  render();
  if (game.badLink) view.tell(game.badLink);
  if (game.packed) follow();
  rules.refresh();
  try {
    await meet();
  } catch (error) {
    view.tell(error.message);
    return;
  }
  for (const element of document.querySelectorAll("[data-asks]")) {
    element.toggleAttribute("data-absent", !answers(element.dataset.asks)); // nobody answers that here
  }
  await offerProblems().catch(({ message }) => view.tell(message));
  ruleForm.offer(about.kinds);
  $("help-note").textContent = about.note ?? "";
  if (about.documentation) Object.assign($("documentation"), { href: about.documentation, hidden: false });
  $("about").textContent = about.engines
    .filter(({ available }) => available)
    .map(({ engine: program, version }) => `${program} ${version}`)
    .join(" · ");
  await offerPrograms();
}

begin().finally(() => document.querySelector("main").removeAttribute("aria-busy"));
