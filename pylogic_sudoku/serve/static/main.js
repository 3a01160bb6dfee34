// Ties the game, the board and the server together.

import { ask, cancel, wasCancelled } from "./api.js";
import { Board, part } from "./board.js";
import { openers } from "./dialogs.js";
import { FIRST } from "./examples.js";
import { explained } from "./explained.js";
import { Game } from "./game.js";
import { mistakes, nameOf, pencilMarks, toJson } from "./puzzle.js";
import { RuleForm, Rules } from "./rules.js";
import { Steps, stopWalking } from "./steps.js";

const $ = (id) => document.getElementById(id);
const game = new Game(FIRST);
const board = new Board($("board"));
const rules = new Rules(game);
const ruleForm = new RuleForm(game, board);
const NOTHING = new Map();

let about = { engines: [], formats: [], solutions: 1 };
let view = null; // the answer of the server: text, solution, highlights, pencil marks, actions
let exact = null; // pencil marks by the engine
let refused; // what the server said against the rules
let doubting = false; // the next digit is for "why not"

// --- the view -----------------------------------------------------------------------------------

function render() {
  const { puzzle, givens, entries, cells, size } = game;
  const broken = rules.broken(state());
  const wrong = mistakes(cells, puzzle, broken);
  const solution = view?.solution;
  const shown = view?.shown ?? cells;
  board.show({
    puzzle,
    shown,
    kind: shown.map((digit, cell) =>
      givens[cell] ? "given" : entries[cell] === digit ? "entry" : "found",
    ),
    pencil: view?.pencil ?? ownPencilMarks(),
    wrong: view?.shown ? new Set() : wrong.cells,
    different: new Set(
      solution ? [...entries.keys()].filter((c) => entries[c] && entries[c] !== solution[c]) : [],
    ),
    highlights: view?.cellRoles ?? NOTHING,
    candidateRoles: view?.candidateRoles ?? NOTHING,
    marked: view?.cellRoles ? new Set() : rules.marked,
    picked: ruleForm.cells,
  });
  board.draw(rules.shown);
  board.link(view?.links ?? []);
  steps.render(view);
  rules.list(broken);
  ruleForm.update();
  $("board").setAttribute("aria-busy", Boolean(view?.busy));
  $("title").textContent = [puzzle.title, puzzle.author && `by ${puzzle.author}`].filter(Boolean).join(" ");
  showPad(size, cells);
  showMessage(view?.text ?? standing(cells, wrong.texts), view ?? {});
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

function showMessage(text, { legend = [], actions = [] } = {}) {
  if ($("text").dataset.said !== text) {
    $("text").dataset.said = text; // or a screen reader would read it out again
    $("text").replaceChildren(...text.split("\n").map(line));
  }
  $("legend").replaceChildren(
    ...legend.map((mark) => part("li", {}, mark.link ? linkSwatch(mark) : swatch(mark), mark.label)),
  );
  const focused = [...$("actions").children].findIndex((each) => each === document.activeElement);
  $("actions").replaceChildren(
    ...actions.map(([label, run, disabled = false]) =>
      part("button", { type: "button", textContent: label, onclick: run, disabled }),
    ),
  );
  if (focused >= 0) ($("actions").children[focused] ?? $("board")).focus();
}

function swatch({ role, cells, candidates: [first] }) {
  const look = cells.length ? `role-${role}` : `mark-${role}`;
  const digit = cells.length ? "" : String(first[1]);
  return part("span", { className: `swatch ${look}`, ariaHidden: "true" }, digit);
}

const linkSwatch = ({ link }) => part("span", { className: `swatch link ${link}`, ariaHidden: "true" });

const line = (text) =>
  part("div", { className: text.startsWith("  ") ? "indented" : "" }, text.trim());

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
  const pencil = (view?.pencil ?? ownPencilMarks())[board.selected] ?? allowed;
  const used = Map.groupBy(cells, (digit) => digit);
  [...pad.children].forEach((button, index) => {
    const digit = index + 1;
    const left = size - (used.get(digit)?.length ?? 0);
    button.classList.toggle("done", left <= 0);
    button.classList.toggle("candidate", pencil.has(digit));
    button.title = left > 0 ? `${left} more` : "";
  });
}

function show(next) {
  view = next;
  doubting = false;
  render();
}

function tell(text) {
  show({ text, actions: [["Close", () => show(null)]] });
}

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
  if (view?.text !== undefined && !view.stays) view = null;
  doubting = false;
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
const engine = () => $("engine").value || "clingo";

/** Ask, and show what `then` makes of the answer. */
async function question(path, body, then) {
  const mine = { ...view, text: "Searching …", actions: [["Stop", () => cancel()]], busy: true };
  show(mine);
  try {
    const answer = await ask(path, body);
    if (view === mine) show(then(answer));
  } catch (error) {
    if (view === mine) wasCancelled(error) ? show(null) : tell(error.message);
  }
}

const steps = new Steps(game, { view: () => view, show, question, puzzle, limit: () => about.steps });

function solve(limit = 2, known = [], index = 0) {
  const body = { ...puzzle(), engine: engine(), limit };
  return question("/solve", body, ({ solutions, stopped }) => {
    const seen = new Set(known.map(String));
    const fresh = solutions.map((rows) => rows.flat()).filter((each) => !seen.has(String(each)));
    const all = [...known, ...fresh];
    if (!all.length) return none(stopped);
    return solutionView(all, Math.min(index, all.length - 1), stopped, limit);
  });
}

function none(stopped) {
  const close = ["Close", () => show(null)];
  if (stopped) return { text: `${engine()} found no solution in ${about.timeout} s.`, actions: [close] };
  return { text: "There is no solution.", actions: [["Why none?", () => explain("conflicts")], close] };
}

function solutionView(all, index, stopped, limit) {
  const step = (by) => {
    if (index + by < all.length) return show(solutionView(all, index + by, stopped, limit));
    return solve(Math.min(limit * 10, about.solutions), all, index + by);
  };
  const more = stopped === "limit" && limit < about.solutions;
  const known = { limit: more ? `at least ${all.length + 1}` : `more than ${all.length}` };
  known.time = `at least ${all.length} (out of time)`;
  const total = known[stopped] ?? all.length;
  const actions = [
    ["Fill in", () => game.fill(all[index])],
    ["Close", () => show(null)],
  ];
  if (all.length > 1 || stopped) {
    actions.unshift(
      ["Previous", () => step(-1), index === 0],
      ["Next", () => step(1), index + 1 === all.length && !more],
    );
  }
  const text =
    all.length === 1 && !stopped
      ? `The only solution (${engine()}).`
      : `Solution ${index + 1} of ${total} (${engine()}).`;
  if (all.length > 1) actions.push(["Why several?", () => explain("ambiguity")]);
  return { text, solution: all[index], shown: all[index], actions };
}

function check() {
  const body = { ...puzzle(game.cells), engine: engine() };
  return question("/solve", body, ({ solutions, stopped }) => {
    const found = solutions.length ? "So far so good: your digits lead to a solution." : null;
    const text = found ?? (stopped ? "Not known: out of time." : "With these digits there is no solution.");
    return { text, actions: [["Close", () => show(null)]] };
  });
}

function explain(path, more = {}) {
  return question(`/${path}`, { ...puzzle(), ...more }, (answer) => ({
    ...explained(answer, game.size),
    actions: [["Close", () => show(null)]],
  }));
}

function explainNot(digit) {
  explain("why-not", { cell: selectedName(), digit });
}

async function refreshExact() {
  const { cells } = game;
  const asked = state();
  if ($("pencil").value !== "exact" || exact?.for === asked) return;
  try {
    const body = { ...puzzle(cells), engine: engine() };
    const { candidates: rows } = await ask("/candidates", body, "pencil");
    const pencil = rows.flat().map((digits, cell) => (cells[cell] ? null : new Set(digits)));
    exact = { for: asked, pencil };
    render();
  } catch (error) {
    if (!wasCancelled(error)) tell(error.message);
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
  solve: () => solve(),
  hint: () => steps.hint(),
  steps: () => steps.all(),
  check,
  why: () => explain("why", { cell: selectedName() }),
  "why-not": () => {
    show({ text: `Which digit do you doubt in ${selectedName()}?`, actions: [["Stop", () => show(null)]] });
    doubting = true;
  },
};
for (const [id, run] of Object.entries(does)) $(id).addEventListener("click", run);

$("pencil").addEventListener("change", () => {
  localStorage.setItem("pencil", $("pencil").value);
  render();
  refreshExact();
});
$("engine").addEventListener("change", () => localStorage.setItem("engine", $("engine").value));

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.target.matches?.("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "escape" && view) {
    cancel();
    show(null);
  } else if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
    event.preventDefault();
    if (key === "y" || event.shiftKey) game.redo();
    else game.undo();
  }
});

const load = (puzzle) => {
  view = null;
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
  $("engine").replaceChildren(
    ...about.engines.map(({ name, engine: program, available, why }) =>
      part("option", {
        value: name,
        textContent: available ? `${name}${name === program ? "" : ` (${program})`}` : `${name}: missing`,
        title: why ?? "",
        disabled: !available,
      }),
    ),
  );
  ruleForm.offer(about.kinds);
  const wanted = localStorage.getItem("engine");
  if (about.engines.some(({ name, available }) => available && name === wanted)) $("engine").value = wanted;
  $("about").textContent = about.engines
    .filter(({ available }) => available)
    .map(({ engine: program, version }) => `${program} ${version}`)
    .join(" · ");
}

begin();
