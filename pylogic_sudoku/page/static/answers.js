// Both programs of a problem on one instance: what each answers, where they differ first, and which line
// refuses that; what they know before they guess, and how they search.

import { agreed, said, SO_FAR } from "./agreement.js";
import { ask, cancel, clock, REFUSED, wasCancelled } from "./api.js";
import { $, buttons, counted, fill, inFigures, listed, part } from "./elements.js";
import { eventLine, inWords, summary } from "./events.js";
import { listen, mark } from "./listing.js";
import { about } from "./page.js";
import { drawer } from "./picture.js";
import { SIDES } from "./program.js";
import { inUnits, Side, write } from "./side.js";

const SHOWN = 100; // answers in the list
const ROWS = 200; // of the table of what is known
const EVENTS = 300; // of a search

const FOLDS = [$("problem-knows"), $("problem-trace")];

const keyOf = ({ atoms }) => atoms.join(" ");

/** What one side says of a problem. */
class Answered extends Side {
  answers = [];
  seconds = 0;

  get other() {
    return sides.find((each) => each !== this);
  }

  /** The cost of the best answers, if something is minimized. */
  get cost() {
    return this.answers[0]?.cost.join(", ") ?? "";
  }
}

let asked = null; // the question: see `solve`
let run = 0; // counts the questions, so that a late answer to an old one is dropped
let sides = []; // what each side says
let facts = []; // of the instance
let only = new Map(); // by side, the answers that the other one refuses
let refusals = []; // the first of these, and why
let verdict = {};
let entries = []; // the answers in the list
let chosen = 0; // the one that is shown
let draw = null; // what draws an answer

const sortOf = (side) => `problem ${side}`;
const having = (wanted) => sides.filter(({ state }) => state === wanted);

function forget() {
  run++;
  for (const side of Object.keys(SIDES)) for (const sort of ["", " knows", " trace"]) cancel(sortOf(side) + sort);
  sides = Object.keys(SIDES).map((side) => new Answered(side));
  asked = draw = null;
  [facts, refusals, entries, only, verdict, chosen] = [[], [], [], new Map(), {}, 0];
}

/** Forget what belongs to another problem, instance or program. */
export function dropAnswers() {
  for (const fold of FOLDS) fold.lastElementChild.replaceChildren(part("p", {}, "Solve with both first."));
  for (const panel of Object.values(asked?.panels ?? {})) {
    panel.mark([]);
    panel.warn([]);
  }
  forget();
  render();
}

/** The question for a side. */
const bodyOf = (side) => ({ problem: asked.problem, instance: asked.instance, engine: asked.panels[side].name, texts: asked.texts[side] });

/** Null if nobody can ask it this, as a changed program. */
function unasked(error) {
  if (error.status === REFUSED) return null;
  throw error;
}

// --- the questions -------------------------------------------------------------------------------

/**
 * Ask both programs. A question has the name of the `problem`, the `instance` as text, for each side its `panel` and
 * the `texts` that the server has not, and `refuse`, which takes what is wrong with the instance.
 */
export async function solve(question) {
  dropAnswers();
  asked = question;
  const mine = run;
  for (const each of sides) each.begin();
  render();
  try {
    ({ facts } = await ask("/facts", { instance: question.instance }, "problem facts"));
  } catch (error) {
    if (mine !== run) return;
    dropAnswers();
    return question.refuse(error);
  }
  if (mine !== run) return;
  await Promise.all(sides.map((each) => answer(each, mine)));
  if (mine !== run) return;
  await compare(mine);
  if (mine !== run) return;
  FOLDS.forEach(look);
}

/** Ask one side for its answers. */
async function answer(each, mine) {
  const { side } = each;
  await each.answer(async () => {
    const { solutions, stopped, seconds, warnings = [] } = await ask("/solve", { ...bodyOf(side), limit: about.solutions }, sortOf(side));
    return { answers: solutions, stopped, seconds, warnings };
  });
  if (mine !== run) return;
  asked.panels[side].mark(each.lines);
  asked.panels[side].warn(each.warnings);
  list();
}

/** Find out whether the sides agree, and if not, why one refuses the first answer that only the other has. */
async function compare(mine) {
  const answered = having("answered");
  if (answered.length < 2) {
    verdict = { text: answered.map((each) => `Only ${each.name} answered: ${saidBy(each)}.`).join("") };
    return render();
  }
  const keys = sides.map(({ answers }) => new Set(answers.map(keyOf)));
  const unlisted = sides.map(({ answers }, at) => answers.filter((each) => !keys[1 - at].has(keyOf(each))));
  let known = true; // whether each unlisted answer is known to be refused or not
  try {
    for (const [at, each] of sides.entries()) {
      const { other } = each;
      let refused = unlisted[at];
      if (other.stopped && refused.length) {
        const said = await ask("/confirm", { ...bodyOf(other.side), solutions: refused }, sortOf(other.side)).catch(unasked);
        known &&= said !== null;
        refused = said?.rejected ?? [];
      }
      only.set(each.side, refused);
    }
    if (mine === run) verdict = agreement(known);
  } catch (error) {
    if (mine === run) verdict = { text: wasCancelled(error) ? "" : `Not compared: ${error.message}` };
  }
  if (mine !== run) return;
  list();
  await Promise.all(sides.filter(({ side }) => only.get(side)?.length).map((each) => explain(each, mine)));
}

/** Ask why the other side refuses the first answer that only this one has. */
async function explain({ side, name, other }, mine) {
  const [first] = only.get(side);
  const refusal = { name, other, first, text: `Asking why ${other.name} refuses it …`, places: [] };
  refusals = [...refusals, refusal];
  render();
  try {
    const { says, places } = await ask("/refusal", { ...bodyOf(other.side), answer: first }, sortOf(other.side));
    Object.assign(refusal, { text: `${other.name} ${says}`.replace(/\.?$/, "."), places }); // a line may end in a full stop
  } catch (error) {
    refusal.text = wasCancelled(error) ? "" : `It is not known why ${other.name} refuses it: ${error.message}`;
  }
  if (mine !== run) return;
  asked.panels[other.side].mark(refusal.places.slice(0, 1).map(({ line }) => line));
  render();
}

// --- in words ------------------------------------------------------------------------------------

/** The number of answers of a side, and what they cost. */
function saidBy({ answers, stopped, cost }) {
  const words = said({ count: answers.length, stopped }, "answer");
  return cost ? `${words}, cost ${cost}` : words;
}

/** Whether they agree, in words. */
function agreement(known) {
  const alone = sides.filter(({ side }) => only.get(side).length);
  if (alone.length) {
    const each = alone.map(({ side, name, other }) => `${name} has ${counted(only.get(side).length, "answer")} that ${other.name} lacks`);
    return { agree: false, text: `They differ: ${listed(each)}.` };
  }
  if (!known) return { text: `No difference among the first ${inFigures(about.solutions)} answers of each.` };
  if (sides.some(({ stopped }) => stopped)) return SO_FAR;
  const [{ answers, cost }] = sides;
  return agreed(answers.length, cost && answers.length > 1 ? "best answer" : "answer", cost && `, of cost ${cost}`);
}

// --- what shows ----------------------------------------------------------------------------------

/** List all answers, first those that only one side has. */
function list() {
  const both = having("answered");
  const alone = both.flatMap(({ side, name }) => (only.get(side) ?? []).map((each) => ({ ...each, who: `only ${name}` })));
  const listedAlready = new Set(alone.map(keyOf));
  const others = new Map(both.flatMap(({ answers }) => answers).map((each) => [keyOf(each), each]));
  entries = [...alone, ...[...others].filter(([key]) => !listedAlready.has(key)).map(([, each]) => ({ ...each, who: "" }))];
  draw = drawer(entries.map(({ atoms }) => atoms), facts);
  const longest = Math.max(...entries.slice(0, SHOWN).flatMap(({ atoms }) => atoms.map(({ length }) => length)), 1);
  $("problem-list").style.setProperty("--atom", `${longest}ch`);
  $("problem-list").replaceChildren(...entries.slice(0, SHOWN).map(lineOf));
  choose(0);
  render();
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

/** Show one of the answers as a picture. */
function choose(at) {
  chosen = at;
  mark($("problem-list"), at);
  const entry = entries[at];
  const table = draw && (entry || !entries.length) ? draw(entry?.atoms ?? []) : null;
  $("problem-picture").replaceChildren(...(table ? [table, part("p", {}, pictured(entry))] : []));
}

function pictured(entry) {
  if (!entry) return "The instance.";
  return `Answer ${chosen + 1} of ${inFigures(entries.length)}${entry.who && `: ${entry.who} has it`}.`;
}

listen($("problem-list"), choose);

function render() {
  for (const each of sides) renderSide(each);
  const { text = "", agree } = verdict;
  write($("problem-verdict-text"), text);
  const look = agree === undefined ? having("idle").length && "idle" : agree ? "agree" : "differ";
  $("problem-verdict").className = `verdict ${look || ""}`;
  $("problem-stop").hidden = !having("searching").length;
  renderRefusals();
  const more = entries.length - SHOWN;
  $("problem-list").hidden = !entries.length;
  $("problem-more").textContent = more > 0 ? `… and ${inFigures(more)} more.` : "";
}

function renderSide(each) {
  const { side, state, lines, seconds } = each;
  const element = $(`problem-said-${side}`);
  const [line, doing] = element.children;
  element.dataset.state = state;
  each.write(line, saidBy(each), inUnits(seconds));
  buttons(doing, lines.slice(0, 2).map((line) => goingTo(side, { line })), () => $("problem-solve"));
}

const goingTo = (side, { line }) => [`Go to line ${line}`, () => asked.panels[side].go(line), false, `Go to line ${line} of ${SIDES[side].short}`];

function renderRefusals() {
  const shown = JSON.stringify(refusals.map(({ name, first, text }) => [name, keyOf(first), text]));
  fill($("problem-refusals"), shown, () =>
    refusals.map(({ name, other, first, text, places }) => {
      const at = entries.findIndex((each) => keyOf(each) === keyOf(first));
      const doing = part("div", { className: "buttons" });
      const [place] = places.filter(({ file }) => file === asked.panels[other.side].file);
      buttons(doing, [...(place ? [goingTo(other.side, place)] : []), [`Show answer ${at + 1}`, () => choose(at)]]);
      return part("div", {}, part("p", {}, part("b", {}, `Only ${name} has answer ${at + 1}.`), ` ${text}`), doing);
    }),
  );
}

// --- an engine at work ---------------------------------------------------------------------------

/** Fill in what an open fold shows: what both know before they guess, or how they search. */
async function look(details) {
  if (!details.open || !having("answered").length) return;
  const inside = details.lastElementChild;
  const mine = run;
  const isTrace = details.id === "problem-trace";
  const [path, sort, most] = isTrace ? ["/trace", " trace", { limit: EVENTS }] : ["/propagate", " knows", {}];
  const watched = having("answered");
  inside.replaceChildren(part("p", {}, "Searching …", clock()));
  const found = await Promise.all(
    watched.map(({ side }) => ask(path, { ...bodyOf(side), ...most }, sortOf(side) + sort).catch((error) => ({ error: error.message }))),
  );
  if (mine !== run) return;
  const each = watched.map(({ name }, at) => ({ name, ...found[at] }));
  inside.replaceChildren(...(isTrace ? searches(each) : [...known(each)]));
}

for (const fold of FOLDS) fold.addEventListener("toggle", () => look(fold));

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
  event.kind === "solution" ? `An answer: ${event.solution}` : inWords({ ...event, excluded: event.excluded.map((atom) => `not ${atom}`) }, "answer");

$("problem-stop").addEventListener("click", () => sides.forEach(({ side }) => cancel(sortOf(side))));
dropAnswers();
