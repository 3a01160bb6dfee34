// The program of one side: the choice of it, its text in an editor, and what runs if that is changed; and the lessons.

import { $, button, option, part } from "./elements.js";
import { Editor } from "./editor.js";

/** For each side its language and engine, the program that shows first, and the file of lessons. */
export const SIDES = {
  clingo: { title: "ASP, clingo", short: "ASP", first: "clingo", file: "sudoku.lp" },
  prolog: { title: "Prolog, clpfd", short: "Prolog", first: "prolog:classic", file: "sudoku.pl" },
};

/** Fires "change" when another program is in view, or its text is another. */
export class Program extends EventTarget {
  #side;
  #offered = []; // the programs of this side for the puzzle
  #wanted; // the name of the program that was chosen; the puzzle may be beyond it
  #changed = new Map(); // the texts that are changed, by the program and the file
  #lesson = null; // the text of a lesson, in the place of all programs
  #select = part("select");
  #editor;
  #restore = button("Undo changes", () => this.#undo(), { hidden: true });
  #teaches = part("p", { className: "teaches" });

  constructor(side) {
    super();
    this.#side = side;
    this.#wanted = SIDES[side].first;
    this.#editor = new Editor(side);
    this.#select.ariaLabel = `${SIDES[side].short} program`;
    this.#select.addEventListener("change", () => this.#choose());
    this.#editor.addEventListener("change", () => this.#edit());
    const title = part("h2", { id: `title-${side}` }, SIDES[side].title);
    const head = part("div", { className: "head" }, title, this.#select, this.#restore);
    $(`program-${side}`).append(head, this.#teaches, this.#editor.element);
    $(`program-${side}`).setAttribute("aria-labelledby", title.id);
  }

  /** Offer the programs that the server has for the puzzle. */
  offer(programs) {
    this.#offered = programs.filter(({ engine }) => engine === this.#side);
    this.#list();
    this.#open();
  }

  /** The program in view: the one chosen, or the first that can solve the puzzle. */
  get #program() {
    const can = this.#offered.filter(({ suits }) => suits === true);
    const main = can.find(({ name }) => name === this.#side);
    return can.find(({ name }) => name === this.#wanted) ?? main ?? can[0] ?? this.#offered[0] ?? null;
  }

  /** The name of the backend that runs it. */
  get name() {
    return this.#lesson ? this.#side : (this.#program?.name ?? this.#side);
  }

  /** The texts of its files that are changed, by name; null if none is. */
  get changed() {
    if (this.#lesson) return { [this.#file.name]: this.#editor.text };
    const files = this.#program?.files.filter(({ name }) => this.#changed.has(this.#key(name))) ?? [];
    return files.length ? Object.fromEntries(files.map(({ name }) => [name, this.#changed.get(this.#key(name))])) : null;
  }

  /** Show the text of a lesson, or the program again if there is none. */
  teach(lesson) {
    this.#lesson = lesson;
    this.#list();
    this.#open();
    this.dispatchEvent(new Event("change"));
  }

  /** Mark the lines that a message is about. */
  mark(places) {
    this.#editor.mark(places.filter(({ file }) => file === this.#file?.name).map(({ line }) => line));
  }

  /** Select a line of a file. */
  go({ file, line }) {
    if (!this.#lesson) this.#select.value = this.#key(file);
    this.#open();
    this.#editor.go(line);
  }

  // --- the choice ----------------------------------------------------------------------------------

  #key = (file) => `${this.#program.name} ${file}`;

  /** The file in view. */
  get #file() {
    if (this.#lesson) return { name: SIDES[this.#side].file, text: this.#lesson };
    const files = this.#program?.files ?? [];
    return files.find(({ name }) => this.#key(name) === this.#select.value) ?? files[0] ?? null;
  }

  /** List the programs, and below the one in view its other files. */
  #list() {
    this.#select.disabled = Boolean(this.#lesson);
    if (this.#lesson) return this.#select.replaceChildren(option("", "lesson"));
    const program = this.#program;
    if (!program) return;
    const before = this.#select.value;
    const options = this.#offered.flatMap((each) => {
      const [first, ...others] = each === program ? each.files : [each.files[0]];
      const whole = option(`${each.name} ${first.name}`, this.#label(each, first));
      whole.disabled = each.suits !== true;
      whole.title = each.suits === true ? each.title : each.suits;
      return [whole, ...others.map((file) => option(this.#key(file.name), this.#label(each, file)))];
    });
    this.#select.replaceChildren(...options);
    const keys = program.files.map(({ name }) => this.#key(name));
    this.#select.value = keys.includes(before) ? before : keys[0];
  }

  #label({ name, files }, file) {
    const own = name.split(":")[1] ?? "sudoku";
    const changed = this.#changed.has(`${name} ${file.name}`) ? " (changed)" : "";
    return `${file === files[0] ? own : `${own} / ${file.name}`}${changed}`;
  }

  #choose() {
    const key = this.#select.value;
    const program = this.#offered.find(({ name, files }) => files.some((file) => `${name} ${file.name}` === key));
    const other = program !== this.#program;
    this.#wanted = program.name;
    this.#list();
    this.#open();
    if (other) this.dispatchEvent(new Event("change"));
  }

  // --- the text ------------------------------------------------------------------------------------

  #open() {
    const file = this.#file;
    if (!file) return;
    const text = this.#lesson ?? this.#changed.get(this.#key(file.name)) ?? file.text;
    this.#editor.open(text, `${file.name}, for ${SIDES[this.#side].title}`);
    this.#teaches.textContent = this.#lesson ? "" : this.#program.teaches;
    this.#restore.hidden = Boolean(this.#lesson) || !this.#changed.has(this.#key(file.name));
  }

  #edit() {
    if (!this.#lesson) {
      const { name, text } = this.#file;
      const key = this.#key(name);
      const before = this.#changed.has(key);
      if (this.#editor.text === text) this.#changed.delete(key);
      else this.#changed.set(key, this.#editor.text);
      if (before !== this.#changed.has(key)) this.#list();
      this.#restore.hidden = !this.#changed.has(key);
    }
    this.dispatchEvent(new Event("change"));
  }

  #undo() {
    this.#changed.delete(this.#key(this.#file.name));
    this.#list();
    this.#open();
    this.#editor.focus();
    this.dispatchEvent(new Event("change"));
  }
}

// --- the lessons -----------------------------------------------------------------------------------

const LESSONS = ["cells", "givens", "rows", "columns", "boxes"];

/** The lessons: pairs of programs that grow line by line into sudoku, one for each side. */
export class Lessons {
  #programs; // by side
  #at = null; // the number of the lesson that is shown, from 0

  constructor(programs) {
    this.#programs = programs;
    $("lessons").addEventListener("click", () => (this.#at === null ? this.#go(0) : this.#leave()));
    $("lesson-back").addEventListener("click", () => this.#go(this.#at - 1));
    $("lesson-next").addEventListener("click", () => this.#go(this.#at + 1));
    $("lesson-leave").addEventListener("click", () => this.#leave());
  }

  /** Set both programs to those of a lesson. */
  async #go(at) {
    this.#at = at;
    const texts = await Promise.all(Object.keys(SIDES).map((side) => this.#text(side, at)));
    if (this.#at !== at) return;
    Object.keys(SIDES).forEach((side, index) => this.#programs[side].teach(texts[index]));
    const [, title] = /^% \d\. (.*)/.exec(texts[0]);
    $("lesson-title").textContent = `Lesson ${at + 1} of ${LESSONS.length}: ${title}`;
    $("lesson-back").disabled = at === 0;
    $("lesson-next").disabled = at + 1 === LESSONS.length;
    this.#render();
  }

  async #text(side, at) {
    return (await fetch(`lessons/${at + 1}-${LESSONS[at]}${SIDES[side].file.slice(-3)}`)).text();
  }

  #leave() {
    this.#at = null;
    for (const program of Object.values(this.#programs)) program.teach(null);
    this.#render();
    $("lessons").focus();
  }

  #render() {
    $("lesson").hidden = this.#at === null;
    $("lessons").setAttribute("aria-pressed", this.#at !== null);
  }
}
