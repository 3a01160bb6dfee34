// The program of one side: the choice of it, its text in an editor, and what runs if that is changed; the lessons;
// and how both programs survive a reload, and come in a link.

import { ask, wasCancelled } from "./api.js";
import { $, option, part } from "./elements.js";
import { headOf } from "./editor.js";
import { keep, kept, packed, unpacked } from "./keeping.js";
import { answers, game, puzzle, view } from "./page.js";
import { Section } from "./section.js";
import { tab } from "./view.js";

/** For each side its language, the title of its program, the one that shows first, and the file of lessons. */
export const SIDES = {
  clingo: { short: "ASP", title: "ASP, clingo", first: "clingo", file: "sudoku.lp" },
  prolog: { short: "Prolog", title: "Prolog, clpfd", first: "prolog:classic", file: "sudoku.pl" },
};

/** The section of the page for a program of a side. */
export function sectionOf(side, id, more = {}) {
  const { short, title } = SIDES[side];
  return new Section(id, { title, label: `${short} program`, language: side, ...more });
}

/** Fires "change" when another program is in view, or its text is another. */
class Program extends EventTarget {
  #side;
  #offered = []; // the programs of this side for the puzzle
  #wanted; // the name of the program that was chosen; the puzzle may be beyond it
  #changed = new Map(); // the texts that are changed, by the program and the file
  #undone = new Map(); // those whose changes were undone
  #lesson = null; // a program in the place of all others
  #section;
  #select;
  #editor;

  constructor(side) {
    super();
    this.#side = side;
    this.#wanted = SIDES[side].first;
    this.#section = sectionOf(side, `program-${side}`, { heading: `title-${side}` });
    ({ choice: this.#select, editor: this.#editor } = this.#section);
    this.#select.addEventListener("change", () => this.#choose());
    this.#section.restore.addEventListener("click", () => this.#undo());
    this.#editor.addEventListener("change", () => this.#edit());
  }

  /** Offer the programs that the server has for the puzzle; with rules, the file of the first opens. */
  offer(programs) {
    this.#offered = programs.filter(({ engine }) => engine === this.#side);
    this.#open();
    const [first] = game.puzzle.rules;
    if (first && !this.changed) this.showRule(first.rule);
  }

  /** Show the text of a lesson, and mark what is new after the one `before`; the program again if there is none. */
  teach(number, text, before) {
    this.#lesson = text && { name: `lesson ${number}`, teaches: "", suits: true, files: [{ name: SIDES[this.#side].file, text }] };
    this.#open();
    this.#editor.present(before ? newLines(text, before) : []);
    this.dispatchEvent(new Event("change"));
  }

  /** Show the lines that state a kind of rule, if the program in view has them. */
  showRule(kind) {
    const starts = [`kind(${kind})`, `rule(${kind},`];
    for (const file of this.#program?.files ?? []) {
      const lines = this.#textOf(file).split("\n");
      const first = lines.findIndex((line) => starts.some((start) => line.startsWith(start)));
      if (first < 0) continue;
      this.#select.value = keyOf(this.#program, file.name);
      this.#open();
      const end = lines.findIndex((line, at) => at > first && !line.trim());
      this.#editor.present([...lines.keys()].slice(first, end < 0 ? lines.length : end).map((at) => at + 1));
      return;
    }
  }

  /** What is chosen and changed, as it is kept; or that of the program in view alone, as a link has it. */
  get state() {
    return { wanted: this.#wanted, changed: [...this.#changed], undone: [...this.#undone] };
  }

  get shared() {
    const own = this.#program?.name ?? this.#wanted;
    return { wanted: this.#lesson ? this.#wanted : own, changed: [...this.#changed].filter(([key]) => key.startsWith(`${own} `)) };
  }

  set state({ wanted, changed, undone }) {
    this.#wanted = String(wanted);
    [this.#changed, this.#undone] = [changed, undone].map(textsFrom);
    this.#open();
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

  /** Show the warnings about it, each with its line. */
  warn(warnings) {
    this.#section.warn(warnings, (place) => this.go(place));
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

  /** What its text is kept by, if that is changed. */
  get #key() {
    return keyOf(this.#program, this.#file.name);
  }

  /** Whether its text, or the choice of it, is the reader's own. */
  get isOwn() {
    return this.#wanted !== SIDES[this.#side].first || this.shared.changed.length > 0;
  }

  #textOf({ name, text }) {
    return this.#changed.get(keyOf(this.#program, name)) ?? text;
  }

  #choose() {
    const before = this.#program;
    [this.#wanted] = this.#select.value.split(" ");
    this.#open();
    if (this.#program !== before) this.dispatchEvent(new Event("change"));
  }

  /** Show the text of the file in view, and list the programs. */
  #open() {
    const program = this.#program;
    if (!program) return;
    this.#list(program);
    this.#editor.open(this.#textOf(this.#file), `${this.#file.name}, for ${SIDES[this.#side].short}`);
    const { teaches, restore } = this.#section;
    teaches.textContent = this.#refusal + program.teaches;
    const isChanged = this.#changed.has(this.#key);
    restore.textContent = isChanged ? "Undo changes" : "Redo changes";
    restore.hidden = !isChanged && !this.#undone.has(this.#key);
  }

  /** Why another program than the one that was chosen is in view. */
  get #refusal() {
    const wanted = this.#offered.find(({ name }) => name === this.#wanted);
    if (this.#lesson || !wanted || wanted.suits === true) return "";
    return `${wanted.suits} This is ${shortOf(this.#program)}. `;
  }

  /** List the programs, and below the one in view its other files; while there is a lesson, that alone. */
  #list(program) {
    const before = this.#select.value;
    const options = (this.#lesson ? [program] : this.#offered).flatMap((each) => {
      const { suits, title } = each;
      const files = each === program ? each.files : [each.files[0]];
      return files.map(({ name }, index) => {
        const key = keyOf(each, name);
        const words = `${this.#lesson ? "lesson" : shortOf(each)}${index ? ` / ${name}` : ""}`;
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
    if (this.#editor.text === this.#file.text) this.#changed.delete(this.#key);
    else this.#changed.set(this.#key, this.#editor.text);
    this.#open();
    this.dispatchEvent(new Event("change"));
  }

  /** Undo the changes of the file in view, or bring them back. */
  #undo() {
    const key = this.#key;
    const [from, to] = this.#changed.has(key) ? [this.#changed, this.#undone] : [this.#undone, this.#changed];
    to.set(key, from.get(key));
    from.delete(key);
    this.#open();
    this.#editor.focus();
    this.dispatchEvent(new Event("change"));
  }
}

/** A file of a program. */
const keyOf = (program, file) => `${program.name} ${file}`;

/** The name of a program without that of its engine. */
const shortOf = ({ name }) => name.split(":")[1] ?? "sudoku";

/** Texts by their keys, from what was kept or came in a link; an Error if it is something else. */
function textsFrom(pairs = []) {
  if (pairs.flat().every((each) => typeof each === "string")) return new Map(pairs);
  throw new TypeError("expected texts");
}

/** The lines of code, numbered from 1, that are not in the text before. */
function newLines(text, before) {
  const old = new Set(before.split("\n"));
  const head = headOf(text);
  return text.split("\n").flatMap((line, index) => (index + 1 >= head && line.trim() && !old.has(line) ? [index + 1] : []));
}

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
  const textsAt = (at) => Promise.all(sides.map((side) => textOf(side, at)));
  const [texts, before] = at === null ? [[], []] : [await textsAt(at), at ? await textsAt(at - 1) : []];
  if (lesson !== at) return;
  sides.forEach((side, index) => programs[side].teach(at, texts[index] ?? null, before[index]));
  if (at === null) return;
  const heads = texts.map((text) => /^% \d\. (.*)\n%\n((?:%.*\n)*)/.exec(text));
  $("lesson-title").textContent = `Lesson ${at + 1} of ${LESSONS.length}: ${heads[0][1]}`;
  sides.forEach((side, index) => {
    $(`lesson-${side}`).replaceChildren(part("b", {}, `${SIDES[side].short}: `), heads[index][2].replace(/%\s*/g, " ").trim());
  });
  $("lesson-back").disabled = at === 0;
  $("lesson-next").disabled = at + 1 === LESSONS.length;
}

const textOf = async (side, at) => (await fetch(`lessons/${at + 1}-${LESSONS[at]}${SIDES[side].file.slice(-3)}`)).text();

/** End the lessons. */
const leave = () => teach(null).then(() => $("lessons").focus());

$("lessons").addEventListener("click", () => {
  if (lesson !== null) return leave();
  tab("clingo");
  teach(0);
});
$("lesson-back").addEventListener("click", () => teach(lesson - 1));
$("lesson-next").addEventListener("click", () => teach(lesson + 1));
$("lesson-leave").addEventListener("click", leave);

// --- what survives a reload, and comes in a link --------------------------------------------------------

const KEY = "pylogic-sudoku programs";

/** The lesson, and for each side what `of` returns of its program. */
const stateOf = (of) => ({ lesson, ...Object.fromEntries(Object.entries(programs).map(([side, program]) => [side, of(program)])) });

/** Let the programs and the lesson be those of a state; an Error if it is not one. */
function restore({ lesson: at, ...sides }) {
  for (const [side, program] of Object.entries(programs)) program.state = sides[side];
  return teach(Number.isInteger(at) && LESSONS[at] ? at : null);
}

/** Whether a link can hold programs: something is changed, or chosen. */
export const isOwn = () => lesson !== null || Object.values(programs).some((program) => program.isOwn);

/** What a link has of the programs. */
export const packedPrograms = () => packed(stateOf((program) => program.shared));

/** The link of the programs of these sides alone: their names, and whatever is changed in them. */
export async function linkOf(sides) {
  const shared = Object.fromEntries(sides.map((side) => [side, programs[side].shared]));
  const isChanged = Object.values(shared).some(({ changed }) => changed.length);
  const names = Object.values(shared).map(({ wanted }) => wanted);
  return `#${ALONE}${names.join(",")}${isChanged ? `&with=${await packed(shared)}` : ""}`;
}

const ALONE = "programs=";

/** What a link has of each side: of all, or only of those whose programs it names. */
async function linkedIn(text) {
  if (!text.startsWith(ALONE)) return unpacked(text);
  const [names, changes] = text.slice(ALONE.length).split("&with=");
  const more = changes ? await unpacked(changes) : {};
  const named = names.split(",").map((name) => [name.split(":")[0], name]);
  if (!named.every(([side]) => side in SIDES)) throw new TypeError("expected names of programs");
  return Object.fromEntries(named.map(([side, wanted]) => [side, more[side] ?? { wanted, changed: [] }]));
}

/** Show the programs of a link, and return what brings those before back; an Error if it cannot be read. None of them runs. */
export async function takePrograms(text) {
  const before = stateOf((program) => program.state);
  const linked = await linkedIn(text);
  const [first] = Object.keys(programs).filter((side) => linked[side]);
  for (const side of Object.keys(programs)) {
    if (!linked[side]) {
      linked[side] = before[side];
      continue;
    }
    const { wanted, changed } = linked[side];
    const own = before[side].changed.filter(([key]) => !key.startsWith(`${wanted} `)); // the texts of other programs stay
    linked[side] = { ...before[side], wanted, changed: [...own, ...changed] };
  }
  await restore(linked);
  tab(first);
  return () => restore(before);
}

try {
  restore(kept(KEY));
} catch {
  // Nothing is kept.
}
for (const program of Object.values(programs)) program.addEventListener("change", () => keep(KEY, stateOf((each) => each.state)));
