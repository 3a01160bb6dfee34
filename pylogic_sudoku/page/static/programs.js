// The programs that run on this puzzle: to read, to copy, and to change and run.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, button, counted, option, part } from "./elements.js";
import { mistakes } from "./puzzle.js";

const TITLES = {
  clingo: "Answer set programming, for clingo",
  prolog: "Constraint logic programming, for SWI-Prolog",
};
const HEARTS = { clingo: /^% Generate/, prolog: /^sudoku_rules\(Rows, Shape, Rules\)/ }; // below the comments
const GIVEN = { clingo: "This puzzle as facts", prolog: "This puzzle as a goal" };

export class Programs {
  #page; // what it needs of the page: game, view, puzzle, about
  #shown = null; // the puzzle whose programs are shown, as the link has it
  #cards = new Map(); // by the name of the engine

  constructor(page) {
    this.#page = page;
    $("programs").addEventListener("toggle", () => this.changed());
  }

  /** Show the programs of another puzzle, if they are looked at. */
  async changed() {
    const { link } = this.#page.game;
    if (!$("programs").open || this.#shown === link) return;
    for (const card of this.#cards.values()) card.forget();
    try {
      // The editor is loaded when it is wanted: in the playground it is large.
      const [{ programs }, { Editor }] = await Promise.all([
        ask("/programs", this.#page.puzzle(), "programs"),
        import("./editor.js"),
      ]);
      this.#shown = link;
      this.#show(programs, Editor);
    } catch (error) {
      if (!wasCancelled(error)) $("programs-about").textContent = error.message;
    }
  }

  #show(programs, Editor) {
    $("programs-about").textContent = this.#page.about().programs
      ? "Change a file and run it: it runs by itself, with limits on time and memory, and its answers are compared with those of an engine."
      : "This server does not run changed programs.";
    for (const program of programs) {
      const { engine } = program;
      if (!this.#cards.has(engine)) this.#cards.set(engine, new Card(new Editor(engine), engine, this.#page));
      this.#cards.get(engine).show(program);
    }
    const cards = programs.map(({ engine }) => this.#cards.get(engine).element);
    if (!$("program-list").contains(cards[0])) $("program-list").replaceChildren(...cards);
  }
}

/** One program: its files in an editor, the puzzle, and a command. */
class Card {
  #engine;
  #files = []; // { name, text }, as they are without changes
  #changed = new Map(); // the texts of files that are changed, by name
  #run;
  #select = part("select", { ariaLabel: "File" });
  #editor;
  #lessons = part("select", { ariaLabel: "Load a tutorial step" });
  #restore = button("Undo changes", () => this.#undo());
  #puzzle = part("pre", { tabIndex: 0, role: "group" });
  #command = part("pre", { tabIndex: 0, role: "group" });

  constructor(editor, engine, page) {
    this.#editor = editor;
    this.#engine = engine;
    this.#run = new Run(engine, page, this.#changed, { go: (place) => this.#go(place), mark: () => this.#mark() });
    this.#select.addEventListener("change", () => this.#begin());
    editor.addEventListener("change", () => this.#edit());
    // The arrow keys scroll these rather than move on the board.
    for (const text of [this.#puzzle, this.#command]) text.dataset.scrolls = "";
    this.#puzzle.ariaLabel = GIVEN[engine];
    this.#command.ariaLabel = "Command";
    const copied = part("span", { className: "copied", role: "status" });
    const copying = (label, text) => button(label, () => copy(text(), copied));
    const title = part("h3", { id: `program-${engine}`, textContent: TITLES[engine] });
    this.element = part(
      "section",
      { className: "program" },
      title,
      part("div", { className: "files" }, this.#select, this.#lessons),
      editor.element,
      part("p", { className: "keys", textContent: editor.help }),
      part("div", { className: "buttons" }, ...this.#run.buttons, this.#restore, copying("Copy file", () => editor.text)),
      this.#run.element,
      part("h4", {}, GIVEN[engine]),
      this.#puzzle,
      part("h4", {}, "At a terminal"),
      this.#command,
      part(
        "div",
        { className: "buttons" },
        copying("Copy puzzle", () => this.#puzzle.textContent),
        copying("Copy command", () => this.#command.textContent),
        copied,
      ),
    );
    this.element.setAttribute("aria-labelledby", title.id);
  }

  show({ files, puzzle, command, lessons = [] }) {
    const before = this.#select.value;
    const first = !this.#files.length;
    this.#files = files;
    this.#run.forget(files.map(({ name }) => name));
    this.#puzzle.textContent = puzzle;
    this.#command.textContent = command;
    this.#offer(lessons);
    this.#list(files.some(({ name }) => name === before) ? before : files[0].name);
    this.#open();
    if (first) requestAnimationFrame(() => this.#reveal());
  }

  /** Scroll the editor to where the rules of sudoku begin. */
  #reveal() {
    const lines = this.#editor.text.split("\n");
    this.#editor.reveal(lines.findIndex((each) => HEARTS[this.#engine].test(each)) + 1);
  }

  /** List the programs of the tutorial; each replaces the file that it names. */
  #offer(lessons) {
    const options = lessons.map(({ title }, index) => option(index, title));
    this.#lessons.replaceChildren(option("", "Load a tutorial step …"), ...options);
    this.#lessons.hidden = !lessons.length;
    this.#lessons.onchange = () => this.#load(lessons[this.#lessons.value]);
  }

  #load({ file, text }) {
    this.#lessons.value = "";
    this.#changed.set(file, text);
    this.#list(file);
    this.#begin();
    this.#run.run();
  }

  /** Drop what belongs to the old puzzle. */
  forget() {
    this.#run.stop();
  }

  get #file() {
    return this.#files.find(({ name }) => name === this.#select.value);
  }

  /** List the files; those that are changed say so. */
  #list(chosen = this.#select.value) {
    const options = this.#files.map(({ name }) => option(name, this.#changed.has(name) ? `${name} (changed)` : name));
    this.#select.replaceChildren(...options);
    this.#select.value = chosen;
  }

  /** Show the chosen file from its first line. */
  #begin() {
    this.#open();
    this.#editor.reveal(1);
  }

  #open() {
    const { name, text } = this.#file;
    this.#editor.open(this.#changed.get(name) ?? text, `${name}, for ${this.#engine}`);
    this.#restore.disabled = !this.#changed.has(name);
    this.#mark();
  }

  #edit() {
    const { name, text } = this.#file;
    const before = this.#changed.has(name);
    if (this.#editor.text === text) this.#changed.delete(name);
    else this.#changed.set(name, this.#editor.text);
    if (before !== this.#changed.has(name)) this.#list();
    this.#restore.disabled = !this.#changed.has(name);
  }

  #undo() {
    this.#changed.delete(this.#select.value);
    this.#list();
    this.#open();
    this.#editor.focus();
  }

  /** Mark the lines that the messages are about. */
  #mark() {
    this.#editor.mark(this.#run.places.filter(({ file }) => file === this.#select.value).map(({ line }) => line));
  }

  /** Select a line of a file. */
  #go({ file, line }) {
    this.#select.value = file;
    this.#open();
    this.#editor.go(line);
  }
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "This browser does not allow copying here: select the text, then press Ctrl+C.";
  }
}

/** Runs a changed program on the puzzle; the answer says whether it is right. */
class Run {
  #engine;
  #page;
  #changed; // the texts of changed files, by name
  #go; // selects a line of a file
  #mark; // marks the lines of `places`
  #names = []; // of the files that this puzzle needs
  places = []; // the lines that the last answer is about
  #start = button("Run on this puzzle", () => this.run(), { className: "primary" });
  #halt = button("Stop", () => this.stop(), { hidden: true });
  #said = part("p", { role: "status" });
  #message = part("pre", { tabIndex: 0, role: "group", ariaLabel: "Messages", hidden: true });
  #actions = part("div", { className: "buttons" });

  constructor(engine, page, changed, { go, mark }) {
    this.#engine = engine;
    this.#page = page;
    this.#changed = changed;
    this.#go = go;
    this.#mark = mark;
    this.#message.dataset.scrolls = ""; // the arrow keys scroll it
    this.element = part("div", { className: "ran" }, this.#said, this.#message, this.#actions);
    this.buttons = [this.#start, this.#halt];
  }

  /** Forget the answer; the puzzle needs these files. */
  forget(names) {
    this.#names = names;
    this.#start.hidden = !this.#page.about().programs;
    this.#say("");
  }

  stop() {
    cancel(this.#sort);
  }

  async run() {
    const files = Object.fromEntries([...this.#changed].filter(([name]) => this.#names.includes(name)));
    this.#say("Running …");
    this.#said.append(clock());
    delete this.element.dataset.outcome;
    this.#halt.hidden = false;
    try {
      const body = { ...this.#page.puzzle(), engine: this.#engine, files };
      this.#show(await ask("/run", body, this.#sort));
    } catch (error) {
      this.#say(wasCancelled(error) ? "Stopped." : error.message);
    }
    this.#halt.hidden = true;
  }

  get #sort() {
    return `run ${this.#engine}`;
  }

  #say(text, message = "", actions = [], places = []) {
    this.#said.textContent = text;
    this.places = places;
    this.#mark();
    this.#message.textContent = message;
    this.#message.hidden = !message;
    this.#actions.replaceChildren(...actions.map(([label, run]) => button(label, run)));
  }

  #show(answer) {
    const { outcome, text, message, places, duplicates, seconds } = answer;
    const again = duplicates ? ` ${counted(duplicates, "answer")} came again.` : "";
    const actions = places
      .filter(({ file }) => this.#names.includes(file))
      .slice(0, 3)
      .map((place) => [`Go to ${place.file}, line ${place.line}`, () => this.#go(place)]);
    const shows = [
      [answer.grids, answer.grids.length === 1 ? "Show its answer" : "Show its answers"],
      [answer.wrong_grid && [answer.wrong_grid], "Show the wrong answer"],
      [answer.missing_grid && [answer.missing_grid], "Show the missing solution"],
    ];
    for (const [grids, label] of shows) {
      if (grids?.length) actions.push([label, () => this.#board(grids, 0, text)]);
    }
    this.#say(`${text}${again} (${Math.round(seconds * 1000)} ms)`, message, actions, places);
    this.element.dataset.outcome = outcome;
  }

  /** Show one of several grids on the board, with its mistakes. */
  #board(grids, index, text) {
    const shown = grids[index].flat().map((digit) => digit ?? 0);
    const { view } = this.#page;
    const to = (next) => [() => this.#board(grids, next, text), !grids[next]];
    const turning = [["Previous", ...to(index - 1)], ["Next", ...to(index + 1)]];
    const wrong = mistakes(shown, this.#page.game.puzzle);
    const several = grids.length > 1;
    view.show({
      text: several ? [`Answer ${index + 1} of ${grids.length}.`, ...wrong.texts.slice(0, 3)].join("\n") : text,
      shown,
      wrong: wrong.cells,
      actions: [...(several ? turning : []), view.closing],
    });
    $("board").scrollIntoView({ block: "nearest" });
  }
}
