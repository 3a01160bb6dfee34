// Ties the game, the board, both programs and the server together.

import { ask, cancel, wasCancelled } from "./api.js";
import { Board } from "./board.js";
import { Checking } from "./checking.js";
import { Pad, Selection } from "./choosing.js";
import { $ } from "./elements.js";
import { Explanations } from "./explaining.js";
import { Game } from "./game.js";
import { FIRST, opening } from "./opening.js";
import { Lessons, Program, SIDES } from "./program.js";
import { digitsTo, mistakes, nameOf, pencilMarks, toJson } from "./puzzle.js";
import { Race } from "./race.js";
import { RuleForm, Rules } from "./rules.js";
import { sharing } from "./sharing.js";
import { Trace } from "./trace.js";
import { lightPlaces, seeAnswers, View } from "./view.js";

$("dead").hidden = true;
const game = new Game(FIRST);
const board = new Board($("board"));
const selection = new Selection($("board"), board);
const pad = new Pad();
const rules = new Rules(game);
const ruleForm = new RuleForm(game, board);
const NOTHING = new Map();

let about = { engines: [], formats: [], readable: [], questions: [], solutions: 1 };
const view = new View();
const tell = (text) => view.tell(text);
let refused; // what the server said against the rules
let doubting = false; // the next digit is for "why not"
let placed = false; // whether the last digit changed something
let drawn; // what the board shows

// --- the view -----------------------------------------------------------------------------------

function render() {
  const { puzzle, givens, entries, cells, size } = game;
  const wrong = mistakes(cells, puzzle, rules.broken);
  const now = view.now ?? {};
  const { solution, shown = cells } = now;
  selection.enabled = !ruleForm.picking;
  drawn = {
    puzzle,
    shown,
    kind: shown.map((digit, cell) =>
      digit && givens[cell] === digit ? "given" : entries[cell] === digit ? "entry" : "found",
    ),
    pencil: now.pencil ?? ownNotes(),
    wrong: now.wrong ?? (now.shown ? new Set() : wrong.cells),
    different: new Set(solution && [...entries.keys()].filter((c) => entries[c] && entries[c] !== solution[c])),
    highlights: now.cellRoles ?? NOTHING,
    candidateRoles: now.candidateRoles ?? NOTHING,
    marked: now.cellRoles ? new Set() : rules.marked,
    picked: ruleForm.cells,
    chosen: new Set(selection.cells.length > 1 ? selection.cells : []),
  };
  board.show(drawn);
  board.draw(rules.shown);
  board.link(now.links ?? [], now.rims ?? [], now.flagged ?? []);
  explanations.render();
  rules.list();
  ruleForm.update();
  $("board").setAttribute("aria-busy", Boolean(now.busy));
  $("title").textContent = [puzzle.title, puzzle.author && `by ${puzzle.author}`].filter(Boolean).join(" ");
  showPad(size, cells);
  view.write(standing(cells, wrong.texts));
  $("setting").hidden = !game.setting;
  $("undo").disabled = !game.canUndo;
  $("clear").disabled = game.untouched;
}

/** What is to be said of the board by itself: nothing, unless it is wrong or full. */
function standing(cells, wrong) {
  if (wrong.length) {
    const more = wrong.length - 3;
    return wrong.slice(0, 3).join("\n") + (more > 0 ? `\n… and ${more} more.` : "");
  }
  if (cells.some((digit) => !digit)) return "";
  const ruled = game.puzzle.rules.length > 0;
  if (ruled && rules.shown.error) return "The rules could not be checked.";
  if (ruled && !rules.isKnown) return "Checking the rules …";
  const block = game.puzzle.regions ? "region" : "box";
  return `Solved: every row, column and ${block} holds every digit once${ruled ? ", and every rule holds" : ""}.`;
}

/** The notes of the board; if candidates are crossed out and there are no notes, what the rules leave of the others. */
function ownNotes() {
  const { cells, notes } = game;
  if (notes.all("pencil").length || !notes.all("gone").length) {
    return cells.map((digit, cell) => (!digit && notes.has("pencil", [cell]) ? notes.at("pencil", cell) : null));
  }
  return pencilMarks(cells, game.puzzle).map((digits, cell) => digits?.difference(notes.at("gone", cell)) ?? null);
}

function showPad(size, cells) {
  const cell = board.selected;
  const used = Map.groupBy(cells, (digit) => digit);
  pad.setting = game.setting;
  pad.show(size, {
    left: Array.from({ length: size + 1 }, (_, digit) => size - (used.get(digit)?.length ?? 0)),
    candidates: (view.now?.pencil ?? ownNotes())[cell] ?? new Set(game.puzzle.marks.get(cell)),
  });
}

view.addEventListener("change", () => {
  doubting = false;
  render();
});

// --- below the board on a phone: one part at a time ----------------------------------------------

function tab(shows) {
  document.querySelector("main").dataset.tab = shows;
  for (const each of $("tabs").children) each.setAttribute("aria-pressed", each.dataset.shows === shows);
}

$("tabs").addEventListener("click", ({ target }) => target.dataset.shows && tab(target.dataset.shows));
seeAnswers(view, board, tab);
lightPlaces(board, () => game.puzzle);

// --- moves -------------------------------------------------------------------------------------

function press(digit) {
  const isThere = game.cells[board.selected] === digit && pad.mode === "digit" && selection.cells.length === 1;
  enter(isThere && !doubting ? 0 : digit);
  if (matchMedia("(pointer: fine)").matches) board.focus();
}

/** Do what a digit means in this mode, 0 for what Delete does; it may replace the digit before. */
function enter(digit, replaces = false, mode = pad.mode) {
  if (doubting && digit) return explanations.whyNot(selectedName(), digit);
  if (replaces && placed) game.undo();
  if (!digit) placed = game.erase(selection.cells, mode);
  else if (mode === "digit") placed = game.place(selection.cells, digit);
  else placed = game.note("pencil", selection.cells, digit);
  if (!placed) tell(refusal(mode));
}

function refusal(mode) {
  const several = selection.cells.length > 1;
  const these = several ? "These cells" : nameOf(selection.cells[0], game.size);
  if (mode !== "digit" && game.cells[selection.cells[0]]) return `${these} already ${several ? "hold digits" : "holds a digit"}.`;
  return `${these} ${several ? "are givens" : "is a given"}. Choose “Change this puzzle” under Puzzles to change ${several ? "them" : "it"}.`;
}

const selectedName = () => nameOf(board.selected, game.size);

board.addEventListener("digit", ({ detail: { digit, second, mark } }) => {
  enter(digit, second, mark && !game.setting ? "pencil" : pad.mode);
});
board.addEventListener("select", render);
selection.addEventListener("change", render);
pad.addEventListener("press", ({ detail }) => press(detail));
pad.addEventListener("mode", render);
game.addEventListener("change", () => {
  cancel();
  view.now = null;
  doubting = false;
  race.changed();
  traceAgain();
  offer();
  rules.refresh();
  render();
});
game.addEventListener("badlink", () => tell(game.badLink));
rules.addEventListener("change", () => {
  if (rules.shown.error && rules.shown.error !== refused) tell(rules.shown.error);
  else render();
  refused = rules.shown.error;
});
ruleForm.addEventListener("change", render);

// --- questions ---------------------------------------------------------------------------------

const puzzle = (cells) => ({ puzzle: toJson(game.puzzle, cells) });
const programs = Object.fromEntries(Object.keys(SIDES).map((side) => [side, new Program(side)]));
const page = {
  game,
  view,
  puzzle,
  programs,
  tab,
  take: (steps) => game.take(steps),
  about: () => about,
  /** The name of the backend that runs the program in view on a side, "clingo" or "prolog". */
  program: (side) => programs[side].name,
  /** The texts of the files of that program that are changed, by name; null if none is. */
  changed: (side) => programs[side].changed,
  /** Let the next digit be asked about: why not? */
  doubt() {
    const ask = (digit) => [String(digit), () => explanations.whyNot(selectedName(), digit)];
    view.show({ text: `Which digit do you doubt in ${selectedName()}?`, actions: [...digitsTo(game.size).map(ask), ["Stop", view.close]] });
    doubting = true;
  },
};
const checking = new Checking(page);
const explanations = new Explanations(page);
page.instead = (error) => checking.instead(error);
page.reason = (label, question) => explanations.reason(label, question);
const race = new Race(page);
new Lessons(programs);
const trace = new Trace(page);
$("trace").append(trace.element);
for (const program of Object.values(programs)) {
  program.addEventListener("change", () => {
    race.changed({ program: true });
    traceAgain();
  });
}

$("trace").addEventListener("toggle", traceAgain);

/** Let the search be that of what is in view, if it is looked at; a changed program cannot be watched. */
function traceAgain() {
  if (!$("trace").open) return;
  const changed = Object.values(programs).some((each) => each.changed);
  $("trace-note").textContent = changed ? "This is the search of the programs without your changes." : "";
  trace.changed();
}

let offered = ""; // the puzzle without its digits whose programs are offered

/** Offer the programs that can solve the puzzle; they depend on its shape and rules. */
async function offer() {
  const { box, regions, marks, rules } = game.puzzle;
  const layout = JSON.stringify([box, regions, marks.size > 0, rules]);
  if (layout === offered || !about.questions.includes("programs")) return;
  offered = layout;
  try {
    const found = await ask("/programs", puzzle(), "programs");
    for (const program of Object.values(programs)) program.offer(found.programs);
    traceAgain();
  } catch (error) {
    offered = "";
    if (!wasCancelled(error)) tell(error.message);
  }
}

// --- buttons and keys --------------------------------------------------------------------------

const does = {
  undo: () => game.undo(),
  play: () => game.set(false),
  check: () => checking.check(),
  hint: () => explanations.hint(),
  steps: () => explanations.all(),
  why: () => explanations.why(selectedName()),
  help: () => $("help-dialog").showModal(),
};
for (const [id, run] of Object.entries(does)) $(id).addEventListener("click", run);

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  if (control && key === "enter") return race.solve();
  if (event.target.matches?.("input, textarea")) return;
  if (key === "escape" && view.now) {
    cancel();
    view.close();
  } else if (key === "escape") {
    selection.clear();
  } else if (control && (key === "z" || key === "y")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) game.redo();
    else game.undo();
  }
});

const load = (puzzle) => {
  view.now = null; // the game draws the board again
  game.load(puzzle);
  board.select(board.selected);
};
opening({ load, game, about: () => about });
sharing({ game, shown: () => ({ ...drawn, answer: view.now }), about: () => about });

// --- the start ---------------------------------------------------------------------------------

async function begin() {
  render();
  if (game.badLink) tell(game.badLink);
  rules.refresh();
  try {
    about = await ask("", null, "about");
  } catch (error) {
    tell(error.message);
    return;
  }
  for (const element of document.querySelectorAll("[data-asks]")) {
    element.toggleAttribute("data-absent", !about.questions.includes(element.dataset.asks)); // nobody answers that here
  }
  ruleForm.offer(about.kinds);
  $("help-note").textContent = about.note ?? "";
  $("about").textContent = about.engines
    .filter(({ available }) => available)
    .map(({ engine: program, version }) => `${program} ${version}`)
    .join(" · ");
  await offer();
}

begin().finally(() => document.querySelector("main").removeAttribute("aria-busy"));
