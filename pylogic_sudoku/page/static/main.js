// Ties the game, the board and the server together.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { Board } from "./board.js";
import { Checking } from "./checking.js";
import { Selection } from "./choosing.js";
import { $ } from "./elements.js";
import { Engines } from "./engines.js";
import { FIRST } from "./examples.js";
import { Explanations, stopWalking } from "./explaining.js";
import { Game } from "./game.js";
import { opening } from "./opening.js";
import { Pad } from "./pad.js";
import { Programs } from "./programs.js";
import { mistakes, nameOf, pencilMarks, toJson } from "./puzzle.js";
import { RuleForm, Rules } from "./rules.js";
import { sharing } from "./sharing.js";
import { seeAnswers, View } from "./view.js";

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
let exact = null; // pencil marks by the engine
let refused; // what the server said against the rules
let doubting = false; // the next digit is for "why not"
let placed = false; // whether the last digit changed something
let drawn; // what the board shows

// --- the view -----------------------------------------------------------------------------------

function render() {
  const { puzzle, givens, entries, cells, size } = game;
  const broken = rules.broken(state());
  const wrong = mistakes(cells, puzzle, broken);
  const now = view.now ?? {};
  const { solution, shown = cells } = now;
  selection.enabled = !ruleForm.picking;
  drawn = {
    puzzle,
    shown,
    kind: shown.map((digit, cell) =>
      digit && givens[cell] === digit ? "given" : entries[cell] === digit ? "entry" : "found",
    ),
    pencil: now.pencil ?? ownPencilMarks(),
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
  board.link(now.links ?? [], now.rims ?? []);
  explanations.render();
  rules.list(broken);
  ruleForm.update();
  $("board").setAttribute("aria-busy", Boolean(now.busy));
  $("title").textContent = [puzzle.title, puzzle.author && `by ${puzzle.author}`].filter(Boolean).join(" ");
  showPad(size, cells);
  view.write(standing(cells, wrong.texts));
  $("play").setAttribute("aria-pressed", !game.setting);
  $("set").setAttribute("aria-pressed", game.setting);
  $("undo").disabled = !game.canUndo;
  $("redo").disabled = !game.canRedo;
  $("clear").disabled = game.untouched;
  $("several").setAttribute("aria-pressed", selection.several);
  $("large-help").hidden = size < 10;
}

function standing(cells, wrong) {
  const empty = cells.filter((digit) => !digit).length;
  if (wrong.length) {
    const more = wrong.length - 3;
    return wrong.slice(0, 3).join("\n") + (more > 0 ? `\n… and ${more} more.` : "");
  }
  const block = game.puzzle.regions ? "region" : "box";
  const ruled = game.puzzle.rules.length > 0;
  if (!empty && ruled && rules.shown.error) return "The rules could not be checked.";
  if (!empty && ruled && rules.shown.for !== state()) return "Checking the rules …";
  const also = ruled ? ", and every rule holds" : "";
  if (!empty) return `Solved: every row, column and ${block} holds every digit once${also}.`;
  if (game.setting) return "Type the givens of your puzzle, then choose Play.";
  return `${empty} ${empty === 1 ? "cell is" : "cells are"} empty.`;
}

const state = () => `${game.cells} ${game.link}`;

const pencilKind = () => $("pencil").value;

/** The pencil marks of the whole board that the menu asks for; those crossed out are not among them. */
function ownPencilMarks() {
  if (pencilKind() === "rules") return withoutGone(pencilMarks(game.cells, game.puzzle));
  if (pencilKind() === "none") return game.cells.map((digit, cell) => (!digit && ownMarks(cell)) || null);
  return exact?.for === state() ? withoutGone(exact.pencil) : [];
}

const ownMarks = (cell) => game.notes.has("pencil", [cell]) && game.notes.at("pencil", cell);

const withoutGone = (pencil) => pencil.map((digits, cell) => digits?.difference(game.notes.at("gone", cell)) ?? null);

function showPencil(kind) {
  $("pencil").value = kind;
  localStorage.setItem("pencil", kind);
  render();
  refreshExact();
}

function showPad(size, cells) {
  const cell = board.selected;
  const allowed = new Set(game.puzzle.marks.get(cell));
  const used = Map.groupBy(cells, (digit) => digit);
  pad.setting = game.setting;
  pad.show(size, {
    left: Array.from({ length: size + 1 }, (_, digit) => size - (used.get(digit)?.length ?? 0)),
    candidates: (view.now?.pencil ?? ownPencilMarks())[cell] ?? allowed,
  });
}

view.addEventListener("change", () => {
  doubting = false;
  render();
});

seeAnswers(view, board);

// --- moves -------------------------------------------------------------------------------------

function press(digit) {
  enter(digit);
  if (matchMedia("(pointer: fine)").matches) board.focus();
}

/** Do what a digit means in this mode, 0 for what Delete does; it may replace the digit before. */
function enter(digit, replaces = false, mode = pad.mode) {
  if (doubting && digit) return explanations.explain("/why-not", { cell: selectedName(), digit });
  if (replaces && placed) game.undo();
  if (!digit) placed = game.erase(selection.cells, mode);
  else if (mode === "digit") placed = game.place(selection.cells, digit);
  else placed = note(mode, digit);
  if (!placed) tell(refusal(mode));
}

function note(kind, digit) {
  if (kind === "gone" && pencilKind() === "none") showPencil("rules");
  if (kind === "pencil" && pencilKind() !== "none") showPencil("none");
  const held = pencilMarks(game.cells, game.puzzle);
  const canGo = (cell) => kind !== "gone" || held[cell]?.has(digit);
  return game.note(kind, selection.cells.filter(canGo), digit);
}

function refusal(mode) {
  const several = selection.cells.length > 1;
  const these = several ? "These cells" : nameOf(selection.cells[0], game.size);
  if (mode === "gone") return `${these} ${several ? "have" : "has"} no such pencil mark to be crossed out.`;
  if (mode !== "digit" && game.cells[selection.cells[0]]) return `${these} already ${several ? "hold digits" : "holds a digit"}.`;
  return `${these} ${several ? "are givens" : "is a given"}. Choose “Set the puzzle” to change ${several ? "them" : "it"}.`;
}

/** Do what steps of the server do; the pencil marks then show which candidates are left. */
function take(steps) {
  const gone = steps.some(({ removed }) => removed.length);
  const marked = game.notes.all("pencil").length > 0;
  game.take(steps);
  if (gone && !marked && pencilKind() === "none") showPencil("rules");
}

const selectedName = () => nameOf(board.selected, game.size);

board.addEventListener("digit", ({ detail: { digit, second, mark } }) => {
  enter(digit, second, mark && !game.setting ? "pencil" : pad.mode);
});
board.addEventListener("select", render);
selection.addEventListener("change", render);
pad.addEventListener("press", ({ detail }) => press(detail));
pad.addEventListener("mode", () => {
  if (pad.mode === "gone" && pencilKind() === "none") showPencil("rules");
  else render();
});
game.addEventListener("change", () => {
  cancel();
  stopWalking();
  view.now = null;
  doubting = false;
  engines.changed();
  programs.changed();
  rules.refresh(state);
  render();
  refreshExact();
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
const page = { game, view, puzzle, take, about: () => about };
const checking = new Checking(page);
const explanations = new Explanations(page);
page.instead = (error) => checking.instead(error);
page.reason = (label, question) => explanations.reason(label, question);
const engines = new Engines(page);
const programs = new Programs(page);

async function refreshExact() {
  const { cells } = game;
  const asked = state();
  cancel("pencil");
  $("pencil-state").textContent = "";
  if ($("pencil").value !== "exact" || exact?.for === asked) return;
  $("pencil-state").replaceChildren("clingo is searching …", clock());
  try {
    const { candidates: rows } = await ask("/candidates", puzzle(cells), "pencil");
    const pencil = rows.flat().map((digits, cell) => (cells[cell] ? null : new Set(digits)));
    exact = { for: asked, pencil };
    $("pencil-state").textContent = "";
    render();
  } catch (error) {
    if (!wasCancelled(error)) $("pencil-state").textContent = error.message;
  }
}

// --- buttons and keys --------------------------------------------------------------------------

const does = {
  undo: () => game.undo(),
  redo: () => game.redo(),
  erase: () => press(0),
  several: () => (selection.several = !selection.several),
  clear: () => game.restart(),
  play: () => game.set(false),
  set: () => game.set(true),
  solve: () => engines.solve(),
  check: () => checking.check(),
  hint: () => explanations.hint(),
  steps: () => explanations.all(),
  why: () => explanations.why(selectedName()),
  "why-not": () => {
    view.show({ text: `Which digit do you doubt in ${selectedName()}?`, actions: [["Stop", view.close]] });
    doubting = true;
  },
};
for (const [id, run] of Object.entries(does)) $(id).addEventListener("click", run);

$("pencil").addEventListener("change", () => showPencil(pencilKind()));

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.target.matches?.("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "escape" && view.now) {
    cancel();
    view.close();
  } else if (key === "escape") {
    selection.clear();
  } else if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
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
opening({ load, about: () => about });
sharing({ game, shown: () => ({ ...drawn, answer: view.now }), about: () => about });

// --- the start ---------------------------------------------------------------------------------

async function begin() {
  $("pencil").value = localStorage.getItem("pencil") ?? "none";
  render();
  if (game.badLink) tell(game.badLink);
  refreshExact();
  rules.refresh(state);
  try {
    about = await ask("", null, "about");
  } catch (error) {
    tell(error.message);
    return;
  }
  for (const element of document.querySelectorAll("[data-asks]")) {
    element.toggleAttribute("data-absent", !about.questions.includes(element.dataset.asks)); // nobody answers that here
  }
  engines.offer(about.engines);
  ruleForm.offer(about.kinds);
  $("about").textContent = about.engines
    .filter(({ available }) => available)
    .map(({ engine: program, version }) => `${program} ${version}`)
    .join(" · ");
}

begin();
