// Ties the game, the board and the server together.

import { ask, cancel, wasCancelled } from "./api.js";
import { Board, part } from "./board.js";
import { openers } from "./dialogs.js";
import { Engines } from "./engines.js";
import { FIRST } from "./examples.js";
import { explained } from "./explained.js";
import { Game } from "./game.js";
import { mistakes, nameOf, pencilMarks, toJson } from "./puzzle.js";
import { Programs } from "./programs.js";
import { RuleForm, Rules } from "./rules.js";
import { Solving } from "./solving.js";
import { Steps, stopWalking } from "./steps.js";
import { View } from "./view.js";

const $ = (id) => document.getElementById(id);
const game = new Game(FIRST);
const board = new Board($("board"));
const rules = new Rules(game);
const ruleForm = new RuleForm(game, board);
const NOTHING = new Map();

let about = { engines: [], formats: [], solutions: 1 };
const view = new View();
const tell = (text) => view.tell(text);
let exact = null; // pencil marks by the engine
let refused; // what the server said against the rules
let doubting = false; // the next digit is for "why not"

// --- the view -----------------------------------------------------------------------------------

function render() {
  const { puzzle, givens, entries, cells, size } = game;
  const broken = rules.broken(state());
  const wrong = mistakes(cells, puzzle, broken);
  const solution = view.now?.solution;
  const shown = view.now?.shown ?? cells;
  board.show({
    puzzle,
    shown,
    kind: shown.map((digit, cell) =>
      givens[cell] ? "given" : entries[cell] === digit ? "entry" : "found",
    ),
    pencil: view.now?.pencil ?? ownPencilMarks(),
    wrong: view.now?.shown ? new Set() : wrong.cells,
    different: new Set(
      solution ? [...entries.keys()].filter((c) => entries[c] && entries[c] !== solution[c]) : [],
    ),
    highlights: view.now?.cellRoles ?? NOTHING,
    candidateRoles: view.now?.candidateRoles ?? NOTHING,
    marked: view.now?.cellRoles ? new Set() : rules.marked,
    picked: ruleForm.cells,
  });
  board.draw(rules.shown);
  board.link(view.now?.links ?? []);
  steps.render();
  rules.list(broken);
  ruleForm.update();
  $("board").setAttribute("aria-busy", Boolean(view.now?.busy));
  $("title").textContent = [puzzle.title, puzzle.author && `by ${puzzle.author}`].filter(Boolean).join(" ");
  showPad(size, cells);
  view.write(standing(cells, wrong.texts));
  for (const [id, on] of [["play", !game.setting], ["set", game.setting]]) {
    $(id).setAttribute("aria-pressed", on);
  }
  $("undo").disabled = !game.canUndo;
  $("redo").disabled = !game.canRedo;
  $("clear").disabled = entries.every((digit) => !digit);
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

function ownPencilMarks() {
  if ($("pencil").value === "rules") return pencilMarks(game.cells, game.puzzle);
  if ($("pencil").value === "exact" && exact?.for === state()) return exact.pencil;
  return [];
}

function showPad(size, cells) {
  const pad = $("pad");
  if (pad.children.length !== size) {
    pad.replaceChildren(
      ...Array.from({ length: size }, (_, index) =>
        part("button", { type: "button", textContent: index + 1, onclick: () => press(index + 1) }),
      ),
    );
    pad.style.setProperty("--columns", Math.ceil(size / Math.ceil(size / 9)));
  }
  const allowed = new Set(game.puzzle.marks.get(board.selected));
  const pencil = (view.now?.pencil ?? ownPencilMarks())[board.selected] ?? allowed;
  const used = Map.groupBy(cells, (digit) => digit);
  [...pad.children].forEach((button, index) => {
    const digit = index + 1;
    const left = size - (used.get(digit)?.length ?? 0);
    button.classList.toggle("done", left <= 0);
    button.classList.toggle("candidate", pencil.has(digit));
    button.title = left > 0 ? `${left} more` : "";
  });
}

view.addEventListener("change", () => {
  doubting = false;
  render();
});

// --- moves -------------------------------------------------------------------------------------

function press(digit) {
  enter(digit);
  if (matchMedia("(pointer: fine)").matches) board.select(board.selected);
}

function enter(digit, replaces = false) {
  if (doubting && digit) return explainNot(digit);
  if (replaces) game.undo();
  if (!game.place(board.selected, digit)) {
    tell(`${selectedName()} is a given. Choose “Set the puzzle” to change it.`);
  }
}

const selectedName = () => nameOf(board.selected, game.size);

board.addEventListener("digit", ({ detail }) => enter(detail.digit, detail.second));
board.addEventListener("select", render);
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
rules.addEventListener("change", () => {
  if (rules.shown.error && rules.shown.error !== refused) tell(rules.shown.error);
  else render();
  refused = rules.shown.error;
});
ruleForm.addEventListener("change", render);

// --- questions ---------------------------------------------------------------------------------

const puzzle = (cells) => ({ puzzle: toJson(game.puzzle, cells) });
const page = { view, puzzle, explain, about: () => about };
const steps = new Steps(game, page);
const solving = new Solving(game, page);
const engines = new Engines(game, page);
const programs = new Programs(game, page);

function explain(path, more = {}) {
  return view.question(`/${path}`, { ...puzzle(), ...more }, (answer) => ({
    ...explained(answer, game.size),
    actions: [view.closing],
  }));
}

function explainNot(digit) {
  explain("why-not", { cell: selectedName(), digit });
}

async function refreshExact() {
  const { cells } = game;
  const asked = state();
  cancel("pencil");
  $("pencil-state").textContent = "";
  if ($("pencil").value !== "exact" || exact?.for === asked) return;
  $("pencil-state").textContent = "clingo is searching …";
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
  clear: () => game.fill(game.entries.map(() => 0)),
  play: () => game.set(false),
  set: () => game.set(true),
  solve: () => engines.solve(),
  check: () => solving.check(),
  hint: () => steps.hint(),
  steps: () => steps.all(),
  why: () => explain("why", { cell: selectedName() }),
  "why-not": () => {
    view.show({ text: `Which digit do you doubt in ${selectedName()}?`, actions: [["Stop", view.close]] });
    doubting = true;
  },
};
for (const [id, run] of Object.entries(does)) $(id).addEventListener("click", run);

$("pencil").addEventListener("change", () => {
  localStorage.setItem("pencil", $("pencil").value);
  render();
  refreshExact();
});

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.target.matches?.("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "escape" && view.now) {
    cancel();
    view.close();
  } else if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) game.redo();
    else game.undo();
  }
});

const load = (puzzle) => {
  view.now = null; // the game draws the board anew
  game.load(puzzle);
  board.select(board.selected);
};
openers({ game, load, tell, about: () => about });

// --- the start ---------------------------------------------------------------------------------

async function begin() {
  $("pencil").value = localStorage.getItem("pencil") ?? "none";
  render();
  refreshExact();
  rules.refresh(state);
  try {
    about = await ask("", null, "about");
  } catch (error) {
    tell(error.message);
    return;
  }
  engines.offer(about.engines);
  ruleForm.offer(about.kinds);
  $("about").textContent = about.engines
    .filter(({ available }) => available)
    .map(({ engine: program, version }) => `${program} ${version}`)
    .join(" · ");
}

begin();
