// Any problem in the place of the sudoku: its instance, both programs that state it, and the link that holds them.

import { OnInstance } from "./answers.js";
import { ask } from "./api.js";
import { $, button, option, part } from "./elements.js";
import { isProblem } from "./game.js";
import { keep, kept, LONGEST, packed, unpacked } from "./keeping.js";
import { answers, game } from "./page.js";
import { sectionOf, SIDES } from "./program.js";
import { Section } from "./section.js";

const KEY = "pylogic-sudoku-problem";
const BAD_LINK = "The link does not hold a problem: copy the whole link, or ask for it again.";
const OWN = "own"; // the name of a problem that is not bundled
const NOTES = {
  clingo: "Answers consist of the atoms that #show names; #defined names the facts that an instance need not have.",
  prolog: "model(Pairs) gives pairs Name(Arguments…)-Variable, or Atom #<==> Variable for an atom that is there if it is 1; answer(Atoms) is for a program without constraints.",
};

let offered = []; // the bundled problems, and your own
let open = null; // the one that is open
let changes = {}; // by problem: { chosen, texts, instance, facts }; see `fresh`

/** Nothing is changed: each side has its first program, and the instance is the last one given, if that has a name. */
const fresh = () => ({ chosen: {}, texts: {}, instance: null, facts: null, draws: null });

const state = () => (changes[open.name] ??= fresh());

// --- both programs -------------------------------------------------------------------------------

/** The program of one side. */
class Panel {
  #side;
  #section;
  #editor;

  constructor(side) {
    this.#side = side;
    this.#section = sectionOf(side, `problem-${side}`, { wrap: "off" });
    this.#editor = this.#section.editor;
    const { choice: select, restore } = this.#section;
    select.addEventListener("change", () => this.#change(() => (state().chosen[side] = select.value)));
    restore.addEventListener("click", () => {
      this.#change(() => delete state().texts[this.name]);
      this.#editor.focus();
    });
    this.#editor.addEventListener("change", () => {
      const { name, text } = this.#program;
      this.#change(() => (this.#editor.text === text ? delete state().texts[name] : (state().texts[name] = this.#editor.text)));
    });
  }

  get #programs() {
    return open.programs.filter(({ engine }) => engine === this.#side);
  }

  get #program() {
    const programs = this.#programs;
    return programs.find(({ name }) => name === state().chosen[this.#side]) ?? programs[0];
  }

  get name() {
    return this.#program.name;
  }

  get file() {
    return this.#program.file;
  }

  get text() {
    return state().texts[this.name] ?? this.#program.text;
  }

  /** Its text by its name, if that is changed. */
  get changed() {
    const { [this.name]: text } = state().texts;
    return text === undefined ? {} : { [this.name]: text };
  }

  #change(change) {
    change();
    this.show();
    changed();
  }

  show() {
    const { teaches, file } = this.#program;
    const words = ({ name, file: each }) => option(name, each + (state().texts[name] === undefined ? "" : " (changed)"));
    const { choice: select, restore, teaches: about } = this.#section;
    select.replaceChildren(...this.#programs.map(words));
    select.value = this.name;
    restore.hidden = state().texts[this.name] === undefined;
    about.textContent = teaches;
    this.#editor.open(this.text, `${file}, for ${SIDES[this.#side].short}`);
  }

  /** Mark the lines of these places. */
  mark(places) {
    this.#editor.mark(places.map(({ line }) => line));
  }

  /** Show the warnings about it, each with its line. */
  warn(warnings) {
    this.#section.warn(warnings, (place) => this.go(place));
  }

  go({ line }) {
    this.#editor.go(line);
  }
}

const panels = Object.fromEntries(Object.keys(SIDES).map((side) => [side, new Panel(side)]));
const race = new OnInstance(panels);

// --- the instance --------------------------------------------------------------------------------

const { editor: instance, choice } = new Section("instance", { title: "Instance", label: "Instance", language: "clingo", wrap: "off" });

/** The instance that is chosen; null for one of your own. */
function given() {
  const { instance: name, facts } = state();
  if (facts !== null && name === null) return null;
  const named = (wanted) => open.instances.find((each) => each.name === wanted);
  return named(name) ?? named(open.first) ?? null;
}

const facts = () => given()?.text ?? state().facts ?? "";

function showInstance() {
  const chosen = given();
  const own = state().facts === null ? [] : [option("", "your own facts")];
  choice.replaceChildren(...open.instances.map(({ name }) => option(`=${name}`, name)), ...own);
  choice.value = chosen ? `=${chosen.name}` : "";
  instance.open(facts(), "The instance: facts");
  refuse(null);
}

/** Say what is wrong with the instance, at its line; nothing without an error. */
function refuse(error) {
  const { text, line, cure } = error?.messages?.[0] ?? {};
  $("instance-error").textContent = line ? `Line ${line}: ${text}${cure ? `; ${cure}` : ""}` : (error?.message ?? "");
  instance.mark(line ? [line] : []);
}

choice.addEventListener("change", () => {
  state().instance = choice.value ? choice.value.slice(1) : null;
  showInstance();
  changed();
});
instance.addEventListener("change", () => {
  Object.assign(state(), { instance: null, facts: instance.text });
  showInstance();
  changed();
});

// --- the description of pictures -----------------------------------------------------------------

const { editor: drawing, choice: drawings, restore: undraw, teaches: drawingNote } = new Section("draw", { title: "draw.lp", label: "Description", language: "clingo", wrap: "off" });
drawings.hidden = true; // there is one
drawingNote.textContent = "A program for clingo, which reads the facts of the instance and the atoms of an answer, and shows node/1, edge/1 and attr/4. Without it, a list is shown.";

/** The text that draws answers, and whether it is changed. */
const draw = () => ({ text: state().draws ?? open.draws, isChanged: state().draws !== null, refuse: refuseDrawing });

function showDrawing() {
  drawing.open(draw().text, "draw.lp, which describes pictures");
  undraw.hidden = !draw().isChanged;
  refuseDrawing(null);
}

/** Mark the lines of draw.lp that an error is about. */
function refuseDrawing(error) {
  drawing.mark((error?.messages ?? []).flatMap(({ file, line }) => (file === "draw.lp" && line ? [line] : [])));
}

const PAUSE = 400; // milliseconds without a key: each question that is stopped costs the server a process
let pausing = 0;

function redraw(text) {
  state().draws = text === open.draws ? null : text;
  showDrawing();
  save();
  clearTimeout(pausing);
  pausing = setTimeout(() => open && race.redraw(draw()), PAUSE);
}

drawing.addEventListener("change", () => redraw(drawing.text));
undraw.addEventListener("click", () => {
  redraw(open.draws);
  drawing.focus();
});

// --- asking --------------------------------------------------------------------------------------

function solveBoth() {
  refuse(null);
  const bySide = (of) => Object.fromEntries(Object.entries(panels).map(([side, panel]) => [side, of(panel)]));
  const own = bySide(({ text }) => text);
  const texts = bySide(({ changed }) => (open.name === OWN ? own : changed));
  return race.solve({ problem: open.name === OWN ? "" : open.name, instance: facts(), texts, refuse, draw: draw() });
}

/** What was asked belongs to another instance or program. */
function changed() {
  race.dropAnswers();
  save();
}

// --- opening and leaving -------------------------------------------------------------------------

/** Show a problem in the place of the sudoku. */
function openProblem(name) {
  if (!open && !isProblem()) history.pushState(null, "", location.href); // Back leads to the sudoku
  open = offered.find((each) => each.name === name);
  enter(true);
  [$("problem-title").textContent, $("problem-about").textContent] = titleOf(open);
  $("problem-mine").hidden = !state().before;
  say("");
  for (const side of Object.keys(SIDES)) panels[side].show();
  showInstance();
  showDrawing();
  changed();
}

/** Let the problem be in the place of the sudoku, or not. */
function enter(isOpen) {
  document.querySelector("main").hidden = isOpen;
  $("problem-main").hidden = !isOpen;
  $("problem").ariaPressed = isOpen;
  $("name").textContent = document.title = !isOpen ? "Sudoku by logic" : open.name === OWN ? open.heading : `${open.heading} by logic`;
}

/** The name of a problem, and what it is about: a sentence, or the beginning of one. */
function titleOf({ heading, about }) {
  const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  return [heading, sentence.endsWith(".") ? sentence : `${sentence} …`];
}

/** Show the sudoku again, as it was. */
function leave() {
  open = null;
  race.dropAnswers();
  enter(false);
  save();
  history.replaceState(null, "", game.link);
  $("problem").focus();
}

/** Keep what is open and changed, for a reload; the address names the problem and its instance. */
function save() {
  keep(KEY, { open: open?.name ?? null, changes });
  if (open) history.replaceState(null, "", `#${shortLink()}`);
}

function restore() {
  const found = kept(KEY);
  changes = Object.fromEntries(Object.entries(found?.changes ?? {}).map(([name, each]) => [name, { ...fresh(), ...each }]));
  return found?.open;
}

// --- the link ------------------------------------------------------------------------------------

/** The problem and the name of its instance. */
function shortLink() {
  const chosen = given();
  return `problem=${open.name}${chosen ? `&instance=${encodeURIComponent(chosen.name)}` : ""}`;
}

/** The link with whatever is changed: programs, their texts, and the instance. */
async function wholeLink() {
  const { chosen, facts: own, draws } = state();
  const texts = Object.assign({}, ...Object.values(panels).map(({ changed }) => changed));
  const isPlain = given() && draws === null && !Object.keys({ ...chosen, ...texts }).length;
  const all = isPlain ? "" : `&with=${await packed({ chosen, texts, facts: given() ? null : own, draws })}`;
  return `${location.origin}${location.pathname}#${shortLink()}${all}`;
}

/** Open what a link holds; what it does not name stays as it is kept. */
async function follow(link) {
  const asked = new URLSearchParams(link);
  const problem = offered.find(({ name }) => name === asked.get("problem"));
  if (!problem) throw new Error(`There is no problem ${asked.get("problem")}.`);
  const name = asked.get("instance");
  if (name !== null && !problem.instances.some((each) => each.name === name)) throw new Error(`${problem.name} has no instance ${name}.`);
  const before = changes[problem.name] ?? fresh();
  const found = asked.get("with") ? read(await unpacked(asked.get("with"))) : {};
  const next = { ...before, instance: name ?? (found.facts ? null : before.instance), ...found };
  const loses = (found.texts && Object.keys(before.texts).some((each) => before.texts[each] !== found.texts[each])) || (found.facts && before.facts) || (found.draws && before.draws);
  changes[problem.name] = loses ? { ...next, before } : next;
  openProblem(problem.name);
}

/** Change what a link has brought for what was there before it. */
function exchange() {
  const { before, ...now } = state();
  changes[open.name] = { ...before, before: now };
  openProblem(open.name);
}

/** The parts of what a link holds that are texts, and nothing else. */
function read({ chosen = {}, texts = {}, facts: own = null, draws = null }) {
  const plain = (some) => Object.fromEntries(Object.entries(some).filter(([, text]) => typeof text === "string"));
  return { chosen: plain(chosen), texts: plain(texts), ...(typeof own === "string" ? { facts: own } : {}), ...(typeof draws === "string" ? { draws } : {}) };
}

async function followed() {
  try {
    await follow(location.hash.slice(1));
  } catch (error) {
    offer(error.constructor === Error ? error.message : BAD_LINK);
    history.replaceState(null, "", open ? `#${shortLink()}` : game.link);
  }
}

async function copy() {
  const link = await wholeLink();
  if (link.length > LONGEST) return say(`Too long for a link: ${link.length} characters, and only ${LONGEST} arrive everywhere.`);
  try {
    await navigator.clipboard.writeText(link);
    say("Copied.");
  } catch {
    history.replaceState(null, "", link); // copying needs https
    say("The address is the link now: copy it from there.");
  }
}

const say = (text) => ($("problem-said").textContent = text);

// --- the dialog, buttons and keys ----------------------------------------------------------------

const card = (each) => {
  const made = button("", () => {
    $("problems-dialog").close();
    openProblem(each.name);
  });
  const [short, about] = titleOf(each);
  made.append(part("b", {}, short), " ", part("span", {}, about));
  return made;
};

/** Offer the problems, and say what is wrong, if something is. */
function offer(error) {
  $("problem-error").textContent = error;
  $("problem-cards").replaceChildren(...offered.map(card));
  $("problems-dialog").showModal();
}

$("problem").addEventListener("click", () => offer(""));
$("own").addEventListener("click", () => openProblem(OWN));
$("problem-leave").addEventListener("click", leave);
$("problem-mine").addEventListener("click", exchange);
$("problem-copy").addEventListener("click", copy);
$("problem-solve").addEventListener("click", solveBoth);

// These come before those of the sudoku, which rests while a problem is open.
addEventListener("keydown", (event) => {
  if (!open) return;
  event.stopImmediatePropagation();
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !document.querySelector("dialog[open]")) solveBoth();
});
document.addEventListener("paste", (event) => open && event.stopImmediatePropagation());
addEventListener("hashchange", () => {
  if (isProblem()) followed();
  else if (open) leave();
});

/** Offer the problems, and open the one that was open, or that the address names. */
export async function offerProblems() {
  const linked = isProblem();
  if (!answers("problems")) {
    if (linked) history.replaceState(null, "", game.link);
    return;
  }
  const before = restore();
  const { problems } = await ask("/problems", {}, "problems");
  const [lp, pl] = await Promise.all(["own/mine.lp", "own/mine.pl"].map(async (file) => (await fetch(file)).text()));
  const own = [["clingo", "mine.lp", lp], ["prolog", "mine.pl", pl]];
  const programs = own.map(([name, file, text]) => ({ name, engine: name, file, text, teaches: NOTES[name] }));
  const instances = [{ name: "three", text: "most(3).\nthing(a). thing(b). thing(c).\n" }];
  offered = [{ name: OWN, heading: "Your own two programs", about: "one for ASP and one for Prolog, and an instance.", programs, instances, first: "three", draws: "" }, ...problems];
  if (linked) await followed();
  else if (offered.some(({ name }) => name === before)) openProblem(before);
}
