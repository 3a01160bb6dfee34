// The program of one side: the choice of it, its text in an editor, and what runs if that is changed; and the lessons.

import { ask, wasCancelled } from "./api.js";
import { $, option } from "./elements.js";
import { Editor } from "./editor.js";
import { answers, game, puzzle, view } from "./page.js";

/** For each side its language, the program that shows first, and the file of lessons. */
export const SIDES = {
  clingo: { short: "ASP", first: "clingo", file: "sudoku.lp" },
  prolog: { short: "Prolog", first: "prolog:classic", file: "sudoku.pl" },
};

/** Fires "change" when another program is in view, or its text is another. */
class Program extends EventTarget {
  #side;
  #offered = []; // the programs of this side for the puzzle
  #wanted; // the name of the program that was chosen; the puzzle may be beyond it
  #changed = new Map(); // the texts that are changed, by the program and the file
  #lesson = null; // a program in the place of all others
  #select;
  #restore;
  #teaches;
  #editor;

  constructor(side) {
    super();
    this.#side = side;
    this.#wanted = SIDES[side].first;
    const section = $(`program-${side}`);
    [this.#select, this.#restore, this.#teaches] = [".head select", ".head button", ".teaches"].map((each) => section.querySelector(each));
    this.#editor = new Editor(section.querySelector(".editor"), side);
    this.#select.addEventListener("change", () => this.#choose());
    this.#restore.addEventListener("click", () => this.#undo());
    this.#editor.addEventListener("change", () => this.#edit());
  }

  /** Offer the programs that the server has for the puzzle. */
  offer(programs) {
    this.#offered = programs.filter(({ engine }) => engine === this.#side);
    this.#open();
  }

  /** Show the text of a lesson, or the program again if there is none. */
  teach(number, text) {
    this.#lesson = text && { name: `lesson ${number}`, teaches: "", suits: true, files: [{ name: SIDES[this.#side].file, text }] };
    this.#open();
    this.dispatchEvent(new Event("change"));
  }

  /** The program in view: the one chosen, or the first that can solve the puzzle. */
  get #program() {
    const can = this.#offered.filter(({ suits }) => suits === true);
    const main = can.find(({ name }) => name === this.#side);
    return this.#lesson ?? can.find(({ name }) => name === this.#wanted) ?? main ?? can[0] ?? this.#offered[0] ?? null;
  }

  /** The name of the backend that runs it. */
  get name() {
    return this.#lesson ? this.#side : (this.#program?.name ?? this.#side);
  }

  /** The texts of its files that are changed, by name; null if none is. That of a lesson always is. */
  get changed() {
    const program = this.#program;
    const files = program?.files.filter(({ name }) => this.#lesson || this.#changed.has(keyOf(program, name))) ?? [];
    return files.length ? Object.fromEntries(files.map((file) => [file.name, this.#textOf(file)])) : null;
  }

  /** Mark the lines that a message is about. */
  mark(places) {
    this.#editor.mark(places.filter(({ file }) => file === this.#file?.name).map(({ line }) => line));
  }

  /** Select a line of a file. */
  go({ file, line }) {
    this.#select.value = keyOf(this.#program, file);
    this.#open();
    this.#editor.go(line);
  }

  /** The file in view. */
  get #file() {
    const program = this.#program;
    return program?.files.find(({ name }) => keyOf(program, name) === this.#select.value) ?? program?.files[0] ?? null;
  }

  #textOf({ name, text }) {
    return this.#changed.get(keyOf(this.#program, name)) ?? text;
  }

  #choose() {
    const key = this.#select.value;
    const before = this.#program;
    this.#wanted = this.#offered.find((program) => program.files.some(({ name }) => keyOf(program, name) === key)).name;
    this.#open();
    if (this.#program !== before) this.dispatchEvent(new Event("change"));
  }

  /** Show the text of the file in view, and list the programs. */
  #open() {
    const program = this.#program;
    if (!program) return;
    this.#list(program);
    const { name, text } = this.#file;
    this.#editor.open(this.#textOf(this.#file), `${name}, for ${SIDES[this.#side].short}`);
    this.#teaches.textContent = program.teaches;
    this.#restore.hidden = this.#textOf(this.#file) === text;
  }

  /** List the programs, and below the one in view its other files; while there is a lesson, that alone. */
  #list(program) {
    const before = this.#select.value;
    const options = (this.#lesson ? [program] : this.#offered).flatMap((each) => {
      const { name: own, suits, title } = each;
      const files = each === program ? each.files : [each.files[0]];
      return files.map(({ name }, index) => {
        const key = keyOf(each, name);
        const words = `${this.#lesson ? "lesson" : (own.split(":")[1] ?? "sudoku")}${index ? ` / ${name}` : ""}`;
        const changed = this.#changed.has(key) ? " (changed)" : "";
        return Object.assign(option(key, words + changed), index ? {} : { disabled: suits !== true, title: suits === true ? (title ?? "") : suits });
      });
    });
    this.#select.disabled = Boolean(this.#lesson);
    this.#select.replaceChildren(...options);
    const keys = program.files.map(({ name }) => keyOf(program, name));
    this.#select.value = keys.includes(before) ? before : keys[0];
  }

  #edit() {
    const { name, text } = this.#file;
    if (this.#editor.text === text) this.#changed.delete(keyOf(this.#program, name));
    else this.#changed.set(keyOf(this.#program, name), this.#editor.text);
    this.#open();
    this.dispatchEvent(new Event("change"));
  }

  #undo() {
    this.#changed.delete(keyOf(this.#program, this.#file.name));
    this.#open();
    this.#editor.focus();
    this.dispatchEvent(new Event("change"));
  }
}

/** A file of a program. */
const keyOf = (program, file) => `${program.name} ${file}`;

/** The program of each side. */
export const programs = Object.fromEntries(Object.keys(SIDES).map((side) => [side, new Program(side)]));

let offered = ""; // the puzzle without its digits whose programs are offered
let offering = Promise.resolve(); // until they are

/** Offer the programs that can solve the puzzle, which depend on its shape and rules; fulfilled when that is done. */
export function offerPrograms() {
  const { box, regions, marks, rules } = game.puzzle;
  const layout = JSON.stringify([box, regions, marks.size > 0, rules]);
  if (layout !== offered && answers("programs")) {
    offered = layout;
    offering = ask("/programs", puzzle(), "programs").then(
      (found) => Object.values(programs).forEach((program) => program.offer(found.programs)),
      (error) => {
        if (wasCancelled(error)) return; // by those of another puzzle
        offered = "";
        view.tell(error.message);
      },
    );
  }
  return offering;
}

// --- the lessons: pairs of programs that grow line by line into sudoku, one for each side -----------------

const LESSONS = ["cells", "givens", "rows", "columns", "boxes"];
let lesson = null; // the number of the one that is shown, from 0

/** Set both programs to those of a lesson; to their own again if there is none. */
async function teach(at) {
  lesson = at;
  $("lesson").hidden = at === null;
  $("lessons").ariaPressed = at !== null;
  const sides = Object.keys(SIDES);
  const texts = at === null ? [] : await Promise.all(sides.map((side) => textOf(side, at)));
  if (lesson !== at) return;
  sides.forEach((side, index) => programs[side].teach(at, texts[index] ?? null));
  if (at === null) return $("lessons").focus();
  const [, title] = /^% \d\. (.*)/.exec(texts[0]);
  $("lesson-title").textContent = `Lesson ${at + 1} of ${LESSONS.length}: ${title}`;
  $("lesson-back").disabled = at === 0;
  $("lesson-next").disabled = at + 1 === LESSONS.length;
}

const textOf = async (side, at) => (await fetch(`lessons/${at + 1}-${LESSONS[at]}${SIDES[side].file.slice(-3)}`)).text();

$("lessons").addEventListener("click", () => teach(lesson === null ? 0 : null));
$("lesson-back").addEventListener("click", () => teach(lesson - 1));
$("lesson-next").addEventListener("click", () => teach(lesson + 1));
$("lesson-leave").addEventListener("click", () => teach(null));
