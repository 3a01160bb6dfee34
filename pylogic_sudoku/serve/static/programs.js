// The programs that run on this puzzle: to read, to copy, and to change and run.

import { ask, wasCancelled } from "./api.js";
import { part } from "./elements.js";
import { Changed } from "./running.js";

const $ = (id) => document.getElementById(id);
const TITLES = {
  clingo: "Answer set programming, for clingo",
  prolog: "Constraint logic programming, for SWI-Prolog",
};
const HEARTS = { clingo: /^% Generate/, prolog: /^sudoku_rules\(Rows, Shape, Rules\)/ }; // below the comments
const GIVEN = { clingo: "This puzzle as facts", prolog: "This puzzle as a goal" };

export class Programs {
  #game;
  #page; // what it needs of the page: view, puzzle, about
  #shown = null; // the puzzle whose programs are shown, as the link has it
  #cards = new Map(); // by the name of the engine

  constructor(game, page) {
    this.#game = game;
    this.#page = page;
    $("programs").addEventListener("toggle", () => this.changed());
  }

  /** Show the programs of another puzzle, if they are looked at. */
  async changed() {
    const { link } = this.#game;
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
      if (!this.#cards.has(engine)) this.#cards.set(engine, new Card(new Editor(engine), engine, this.#game, this.#page));
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
  #changed; // the files that are changed, and how to run them
  #select = part("select", { ariaLabel: "File" });
  #editor;
  #lessons = part("select", { ariaLabel: "Load a tutorial step" });
  #restore = part("button", { type: "button", onclick: () => this.#undo() }, "Undo changes");
  #puzzle = part("pre", { tabIndex: 0, role: "group" });
  #command = part("pre", { tabIndex: 0, role: "group" });

  constructor(editor, engine, game, page) {
    this.#editor = editor;
    this.#engine = engine;
    this.#changed = new Changed(engine, game, page, (place) => this.#go(place), () => this.#mark());
    this.#select.addEventListener("change", () => this.#begin());
    editor.addEventListener("change", () => this.#edit());
    // The arrow keys scroll these rather than move on the board.
    for (const text of [this.#puzzle, this.#command]) text.dataset.scrolls = "";
    this.#puzzle.ariaLabel = GIVEN[engine];
    this.#command.ariaLabel = "Command";
    const copied = part("span", { className: "copied", role: "status" });
    const copying = (label, text) => part("button", { type: "button", onclick: () => copy(text(), copied) }, label);
    const title = part("h3", { id: `program-${engine}`, textContent: TITLES[engine] });
    this.element = part(
      "section",
      { className: "program" },
      title,
      part("div", { className: "files" }, this.#select, this.#lessons),
      editor.element,
      part("p", { className: "keys", textContent: editor.help }),
      part("div", { className: "buttons" }, ...this.#changed.buttons, this.#restore, copying("Copy file", () => editor.text)),
      this.#changed.element,
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
    this.#changed.forget(files.map(({ name }) => name));
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
    const options = lessons.map(({ title }, index) => part("option", { value: index, textContent: title }));
    this.#lessons.replaceChildren(part("option", { value: "", textContent: "Load a tutorial step …" }), ...options);
    this.#lessons.hidden = !lessons.length;
    this.#lessons.onchange = () => this.#load(lessons[this.#lessons.value]);
  }

  #load({ file, text }) {
    this.#lessons.value = "";
    this.#changed.change(file, text);
    this.#list(file);
    this.#begin();
    this.#changed.run();
  }

  /** Drop what belongs to the old puzzle. */
  forget() {
    this.#changed.stop();
  }

  get #file() {
    return this.#files.find(({ name }) => name === this.#select.value);
  }

  /** List the files; those that are changed say so. */
  #list(chosen = this.#select.value) {
    const options = this.#files.map(({ name }) =>
      part("option", { value: name, textContent: this.#changed.has(name) ? `${name} (changed)` : name }),
    );
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
    this.#editor.open(this.#changed.text(name) ?? text, `${name}, for ${this.#engine}`);
    this.#restore.disabled = !this.#changed.has(name);
    this.#mark();
  }

  #edit() {
    const { name, text } = this.#file;
    const before = this.#changed.has(name);
    this.#changed.change(name, this.#editor.text === text ? null : this.#editor.text);
    if (before !== this.#changed.has(name)) this.#list();
    this.#restore.disabled = !this.#changed.has(name);
  }

  #undo() {
    this.#changed.change(this.#select.value, null);
    this.#list();
    this.#open();
    this.#editor.focus();
  }

  /** Mark the lines that the messages are about. */
  #mark() {
    this.#editor.mark(this.#changed.places.filter(({ file }) => file === this.#select.value).map(({ line }) => line));
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
