// Both programs of a problem on one instance: what each answers, where they differ first, and which line refuses that;
// what they know before they guess, and how they search.

import { verdictOnCounts } from "./agreement.js";
import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, buttons, counted, fill, inFigures, listed, part } from "./elements.js";
import { eventLine, inWords, summary } from "./events.js";
import { listen, mark } from "./listing.js";
import { about, answers } from "./page.js";
import { pictureOf, plainPicture } from "./picture.js";
import { Race } from "./race.js";
import { Side } from "./side.js";

const SHOWN = 100; // answers in the list
const ROWS = 200; // of the table of what is known
const EVENTS = 300; // of a search

/** The folds, each with its question, the kind of that, and what fills it with the answers. */
const FOLDS = [
  ["problem-knows", "/propagate", "knows", {}, known],
  ["problem-trace", "/trace", "trace", { limit: EVENTS }, searches],
];

/** What one side says of an instance. */
class Answered extends Side {
  /** The cost of the best answers, if something is minimized. */
  get cost() {
    return this.solutions[0]?.cost.join(", ") ?? "";
  }
}

/** The answers to an instance. `panels` has by side the part of the page with its program. */
export class OnInstance extends Race {
  word = "answer";
  #asked = null; // the question: see `solve`
  #only = new Map(); // by side, the answers that the other one refuses
  #refusals = []; // the first of these, and why
  #blamed = []; // the diagnoses of the sides
  #entries = []; // the answers in the list
  #chosen = 0; // the one that is shown
  #described = new Map(); // by answer, the promised atoms of its picture

  constructor(panels) {
    super("problem-", ["solve", "facts", "knows", "trace", "blame", "picture"]);
    this.panels = panels;
    for (const [id] of FOLDS) $(id).addEventListener("toggle", () => this.#look(id));
    listen($("problem-list"), (at) => this.#choose(at));
    this.dropAnswers();
  }

  side = (name) => new Answered(name);
  keyOf = ({ atoms }) => atoms.join(" ");
  body = (side) => ({ problem: this.#asked.problem, instance: this.#asked.instance, engine: this.panels[side].name, texts: this.#asked.texts[side] });

  #otherOf(side) {
    return this.sides.find((each) => each.side !== side);
  }

  forget() {
    super.forget();
    this.#asked = null;
    [this.#refusals, this.#blamed, this.#entries, this.#only, this.#described, this.#chosen] = [[], [], [], new Map(), new Map(), 0];
  }

  /** Forget what belongs to another problem, instance or program. */
  dropAnswers() {
    for (const [id] of FOLDS) $(id).lastElementChild.replaceChildren(part("p", {}, "Solve with both first."));
    this.forget();
    $("problem-picture").replaceChildren();
    this.render();
  }

  // --- the questions -----------------------------------------------------------------------------

  /**
   * Ask both programs. A question has the name of the `problem`, the `instance` as text, for each side the `texts` that
   * the server has not, `refuse`, which takes what is wrong with the instance, and how to `draw` answers: by this `text`,
   * which the server has unless it `isChanged`; another `refuse` takes what is wrong with that.
   */
  async solve(question) {
    this.dropAnswers();
    this.#asked = question;
    await this.search();
  }

  async prepared() {
    const { instance, refuse } = this.#asked;
    try {
      await this.current(ask("/facts", { instance }, this.sort("clingo", "facts")));
    } catch (error) {
      this.dropAnswers();
      if (!wasCancelled(error)) refuse(error);
    }
  }

  stop() {
    cancel(this.sort("clingo", "facts"));
    super.stop();
  }

  async answerOf(each) {
    const { solutions, stopped, seconds, warnings = [] } = await this.ask(each, "/solve", { limit: about.solutions });
    return { solutions, stopped, seconds, warnings };
  }

  came() {
    this.#list();
  }

  /** Ask why the other side refuses the first answer that only one has; then fill in what is open. */
  async settled() {
    this.#list();
    await this.current(Promise.all(this.sides.filter(({ side }) => this.#only.get(side)?.length).map((each) => this.#explain(each))));
    for (const [id] of FOLDS) this.#look(id);
    await this.current(Promise.all(this.sides.filter((each) => this.#isDoubted(each)).map((each) => this.#blame(each))));
  }

  /** Whether a side may be wrong: its program is a changed one of a bundled problem, and it fails or the sides differ. */
  #isDoubted({ side, state }) {
    const { problem, texts } = this.#asked;
    const isChanged = problem && this.panels[side].name in texts[side];
    return isChanged && (this.verdict.agree === false || state === "failed") && answers("blame");
  }

  /** Ask which line of a changed program is to blame, as the grader says it. */
  async #blame(each) {
    try {
      const { diagnosis } = await this.current(this.ask(each, "/blame", {}, "blame"));
      if (!diagnosis) return;
      this.#blamed = [...this.#blamed, { each, ...diagnosis }];
      if (diagnosis.places.length) this.panels[each.side].mark(diagnosis.places);
      this.render();
    } catch {
      // The answers are there without it.
    }
  }

  async #explain({ side, name }) {
    const other = this.#otherOf(side);
    const [first] = this.#only.get(side);
    const refusal = { name, other, first, text: `Asking why ${other.name} refuses it …`, places: [] };
    this.#refusals = [...this.#refusals, refusal];
    this.render();
    try {
      const { says, places } = await this.current(this.ask(other, "/refusal", { answer: first }));
      Object.assign(refusal, { text: `${other.name} ${says}`, places });
    } catch (error) {
      refusal.text = wasCancelled(error) ? "" : `It is not known why ${other.name} refuses it: ${error.message}`;
    }
    this.panels[other.side].mark(refusal.places.slice(0, 1));
    this.render();
  }

  // --- in words ----------------------------------------------------------------------------------

  /** The number of answers of a side, and what they cost. */
  numberOf(each, one) {
    const words = super.numberOf(each, one);
    return each.cost ? `${words}, cost ${each.cost}` : words;
  }

  compared(all, rejected) {
    this.#only = new Map(all.map(({ side }) => [side, rejected.get(this.#otherOf(side)) ?? []]));
    const alone = all.filter(({ side }) => this.#only.get(side).length);
    if (alone.length) {
      const each = alone.map(({ side, name }) => `${name} has ${counted(this.#only.get(side).length, "answer")} that ${this.#otherOf(side).name} lacks`);
      return { agree: false, text: `They differ: ${listed(each)}.` };
    }
    if ([...rejected.values()].includes(null)) return { text: `No difference among the first ${inFigures(about.solutions)} answers of each.` };
    const { cost } = all[0];
    const counts = all.map(({ name, solutions, stopped }) => ({ name, count: solutions.length, stopped }));
    return verdictOnCounts(counts, cost && all[0].solutions.length > 1 ? "best answer" : "answer", cost && `, of cost ${cost}`);
  }

  // --- what shows --------------------------------------------------------------------------------

  /** List all answers, first those that only one side has. */
  #list() {
    const both = this.having("answered");
    const alone = both.flatMap(({ side, name }) => (this.#only.get(side) ?? []).map((each) => ({ ...each, who: `only ${name}` })));
    const listedAlready = new Set(alone.map(this.keyOf));
    const others = new Map(both.flatMap(({ solutions }) => solutions).map((each) => [this.keyOf(each), each]));
    const entries = [...alone, ...[...others].filter(([key]) => !listedAlready.has(key)).map(([, each]) => ({ ...each, who: "" }))];
    this.#entries = entries;
    const longest = Math.max(...entries.slice(0, SHOWN).flatMap(({ atoms }) => atoms.map(({ length }) => length)), 1);
    $("problem-list").style.setProperty("--atom", `${longest}ch`);
    $("problem-list").replaceChildren(...entries.slice(0, SHOWN).map(lineOf));
    this.#choose(0);
    this.render();
  }

  /** Show one of the answers as a picture. */
  async #choose(at) {
    this.#chosen = at;
    mark($("problem-list"), at);
    const entry = this.#entries[at];
    const { refuse } = this.#asked.draw;
    try {
      const picture = await this.current(this.#picture(entry?.atoms ?? []));
      refuse(null);
      $("problem-picture").replaceChildren(...(picture ? [picture, part("p", {}, this.#pictured(entry))] : []));
    } catch (error) {
      if (wasCancelled(error)) return; // another answer is chosen
      refuse(error);
      $("problem-picture").replaceChildren(part("p", { className: "error" }, `There is no picture: ${error.message}`));
    }
  }

  /** Show the answer that is chosen by another description. */
  redraw(draw) {
    if (!this.#asked) return;
    this.#asked = { ...this.#asked, draw };
    this.#described.clear();
    this.#choose(this.#chosen);
  }

  /** The picture of an answer, or of the instance if it has no atoms; null if there is none. */
  async #picture(atoms) {
    const { draw } = this.#asked;
    if (!draw.text.trim()) return plainPicture(atoms);
    const key = atoms.join(" ");
    if (!this.#described.has(key)) {
      this.#described.clear(); // a new question stops the one before
      this.#described.set(key, this.#describe(atoms));
    }
    return pictureOf(await this.#described.get(key));
  }

  /** The atoms of the picture of an answer. */
  async #describe(atoms) {
    const { problem, instance, draw } = this.#asked;
    const facts = atoms.map((atom) => `\n${atom}.`).join("");
    const body = { problem, instance: instance + facts, engine: "draw", texts: draw.isChanged ? { draw: draw.text } : {}, limit: 2 };
    const { solutions } = await ask("/solve", body, this.sort("clingo", "picture"));
    if (!solutions.length) throw new Error("draw.lp has no answer: remove the constraint that excludes it");
    if (solutions.length > 1) throw new Error("draw.lp has several answers, and a picture is one: remove its choices");
    return solutions[0].atoms;
  }

  #pictured(entry) {
    if (!entry) return "The instance.";
    return `Answer ${this.#chosen + 1} of ${inFigures(this.#entries.length)}${entry.who && `: ${entry.who} has it`}.`;
  }

  render() {
    super.render();
    this.#renderRefusals();
    const more = this.#entries.length - SHOWN;
    $("problem-list").hidden = !this.#entries.length;
    $("problem-more").textContent = more > 0 ? `… and ${inFigures(more)} more.` : "";
  }

  #renderRefusals() {
    const shown = JSON.stringify([this.#refusals.map(({ name, first, text }) => [name, this.keyOf(first), text]), this.#blamed.map(({ summary }) => summary)]);
    fill($("problem-refusals"), shown, () => [
      ...this.#blamed.map(({ each, summary, places }) => {
        const doing = part("div", { className: "buttons" });
        buttons(doing, places.slice(0, 2).map((place) => this.going(each, place)));
        return part("div", {}, part("p", {}, part("b", {}, `The ${each.name} program: `), `${summary}.`), doing);
      }),
      ...this.#refusals.map(({ name, other, first, text, places }) => {
        const at = this.#entries.findIndex((each) => this.keyOf(each) === this.keyOf(first));
        const doing = part("div", { className: "buttons" });
        const [place] = places.filter(({ file }) => file === this.panels[other.side].file);
        buttons(doing, [...(place ? [this.going(other, place)] : []), [`Show answer ${at + 1}`, () => this.#choose(at)]]);
        return part("div", {}, part("p", {}, part("b", {}, `Only ${name} has answer ${at + 1}.`), ` ${text}`), doing);
      }),
    ]);
  }

  // --- an engine at work -------------------------------------------------------------------------

  /** Fill in what an open fold shows: what both know before they guess, or how they search. */
  async #look(id) {
    const watched = this.having("answered");
    if (!$(id).open || !watched.length) return;
    const [, path, kind, more, shown] = FOLDS.find(([each]) => each === id);
    const inside = $(id).lastElementChild;
    inside.replaceChildren(part("p", {}, "Searching …", clock()));
    const asked = watched.map((each) => this.ask(each, path, more, kind).catch((error) => ({ error: error.message })));
    const found = await this.current(Promise.all(asked));
    inside.replaceChildren(...shown(watched.map(({ name }, at) => ({ name, ...found[at] }))));
  }
}

function lineOf({ atoms, cost, who }, at) {
  const words = atoms.length ? atoms.map((atom) => part("span", {}, atom)) : ["no atom"];
  const line = part(
    "li",
    { id: `answer-${at + 1}`, role: "option", ariaSelected: "false" },
    part("span", { className: "number" }, `${at + 1}. `),
    part("span", { className: "who" }, who, cost.length ? ` cost ${cost.join(", ")} ` : " "),
    part("span", { className: "atoms" }, ...words.flatMap((word) => [word, " "])),
  );
  line.classList.toggle("alone", Boolean(who));
  return line;
}

// --- what the folds show -------------------------------------------------------------------------

/**
 * What is left before the first guess: a line for each atom without its last argument, those that differ first. What
 * is certain looks different.
 */
function* known(each) {
  const able = each.filter(({ atoms }) => atoms);
  for (const { name, error, atoms } of each) {
    if (error) yield part("p", { className: "error" }, `${name}: ${error}`);
    else if (!atoms) yield part("p", {}, `${name} sees at once that there is no answer.`);
  }
  if (!able.length) return;
  const left = able.map(({ atoms, certain }) => {
    const sure = new Set(certain);
    return Map.groupBy(atoms.map((atom) => [...lastApart(atom), sure.has(atom)]), ([head]) => head);
  });
  const heads = [...new Set(left.flatMap((groups) => [...groups.keys()]))];
  const rows = heads.map((head) => [head, ...left.map((groups) => (groups.get(head) ?? []).map(([, ...value]) => value))]);
  const differs = ([, one, other]) => able.length > 1 && String(one) !== String(other);
  const sorted = [...rows.filter(differs), ...rows.filter((row) => !differs(row))];
  const numbers = able.map(({ name, atoms, certain }) => `${name} leaves ${counted(atoms.length, "atom")}${certain.length ? ` (${inFigures(certain.length)} certain)` : ""}`);
  const number = rows.filter(differs).length;
  const more = able.length < 2 ? "" : number ? `; they differ in ${counted(number, "line")}` : ": exactly the same";
  yield part("p", {}, `Before the first guess ${listed(numbers)}${more}.`);
  if (able.some(({ certain }) => certain.length)) yield part("p", {}, sureOf("Certain"), ": in every answer. The others are only possible.");
  const cells = ([atom, ...values]) => [part("th", { scope: "row" }, atom), ...values.map((each) => part("td", {}, ...valuesIn(each)))];
  const head = ["Atom", ...able.map(({ name }) => name)].map((text) => part("th", { scope: "col" }, text));
  const lines = sorted.slice(0, ROWS).map((row) => part("tr", { className: differs(row) ? "differs" : "" }, ...cells(row)));
  yield part("div", { className: "scrolls", tabIndex: 0, role: "region", ariaLabel: "What is known before a guess" }, part("table", { className: "known" }, part("tr", {}, ...head), ...lines));
  if (sorted.length > ROWS) yield part("p", {}, `… and ${inFigures(sorted.length - ROWS)} more lines.`);
}

/** The values in a cell of what is known, each with whether it is certain. */
function valuesIn(values) {
  if (!values.length) return ["—"];
  return values.flatMap(([value, sure], at) => [at ? " " : "", sure ? sureOf(value, part("span", { className: "unseen" }, " (certain)")) : value]);
}

const sureOf = (...inside) => part("b", { className: "certain", title: "certain: in every answer" }, ...inside);

/** An atom in two: with a gap for its last argument, and that argument. */
function lastApart(atom) {
  let [depth, at] = [0, -1];
  [...atom].forEach((each, index) => {
    depth += (each === "(") - (each === ")");
    if (depth === 1 && (each === "," || (each === "(" && at < 0))) at = index;
  });
  return at < 0 ? [atom, "holds"] : [`${atom.slice(0, at + 1)}_)`, atom.slice(at + 1, -1)];
}

/** The searches as lists of events. */
function searches(each) {
  const sections = each.map(({ name, error, ...search }) => {
    const lines = error ? [] : search.events.map((event, index) => eventLine(event, index, wordsOf(event)));
    const tree = part("ol", { className: "events", tabIndex: 0, ariaLabel: `The search of ${name}` }, ...lines);
    const inside = error ? [part("p", { className: "error" }, error)] : [part("p", {}, summary(search)), tree];
    return part("section", { ariaLabel: name }, part("h3", {}, name), ...inside);
  });
  return [part("div", { className: "two" }, ...sections)];
}

const wordsOf = (event) =>
  event.kind === "solution" ? `An answer: ${event.solution}` : inWords({ ...event, excluded: event.excluded.map((atom) => `not ${atom}`) }, "answer", true);

