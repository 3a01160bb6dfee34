// Both programs on one puzzle: each answers by itself, and the line between them says whether they agree.

import { said, unlisted, verdict, verdictOnCounts } from "./agreement.js";
import { ask, cancel, LATE, wasCancelled } from "./api.js";
import { reason } from "./checking.js";
import { $, buttons, counted, inFigures, listed } from "./elements.js";
import { about, answers, game, puzzle, view } from "./page.js";
import { offerPrograms, programs, SIDES } from "./program.js";
import { nameOf, rowsOf } from "./puzzle.js";
import { compared, known, whatFailed, wrongAnswer } from "./roles.js";
import { inUnits, Side, write } from "./side.js";
import { tab } from "./view.js";

const FIRST = 2; // solutions at first: enough to see whether there is one only
const COUNTED = 10 ** 9; // most solutions that are counted
const COMPARED = 100; // most answers of a changed program
const BRIEF = 0.05; // seconds; one run that takes less says little about the next
const RUNS = 5;
const NAMED = 4; // wrong digits that the verdict names
const THIRD = "sat"; // asked when both have answered

/** What one side says of a sudoku. */
class Solved extends Side {
  solutions = [];
  count = null; // how many solutions there are: { count, stopped }
  left = undefined; // the candidates that propagation leaves, null if it finds a contradiction
  time = ""; // how long it took, in words
  warm = ""; // how long the first solution takes when all is warm
  message = ""; // what its engine printed
  ran = null; // the answer to `run`, of a changed program
}

let sides = []; // what each side says
let third = null; // the answer of a third engine
let found = []; // all solutions, in the order in which they came
let index = 0; // of the one that is shown
let limit = FIRST;
let asked = null; // the puzzle, as the link has it
let run = 0; // counts the questions, so that a late answer to an old one is dropped
let agreed = {}; // the verdict
let shown = null; // what this made the page show

const sortOf = (side) => `solve ${side}`;
const reasonOf = (side) => `diagnose ${side}`;
const flat = (grids) => grids.map((rows) => rows.flat());
const having = (wanted) => sides.filter(({ state }) => state === wanted);
/** Whether somebody has found all solutions. */
const isAll = () => having("answered").some(({ stopped }) => !stopped);

function forget() {
  run++;
  for (const side of [...Object.keys(SIDES), THIRD]) [sortOf, reasonOf].forEach((sort) => cancel(sort(side)));
  sides = Object.keys(SIDES).map((side) => new Solved(side));
  third = asked = null;
  agreed = {};
  found = [];
  for (const program of Object.values(programs)) {
    program.mark([]);
    program.warn([]);
  }
}

/** Say this in the place of a verdict, until there is one, with a button that ends it. */
export function announce(text, [label, run]) {
  forget();
  const end = () => {
    agreed = {};
    render();
    run();
  };
  agreed = { text, actions: [[label, end]] };
  render();
}

/** Drop what belongs to another puzzle or program. */
export function dropAnswers({ program = false } = {}) {
  if (asked === null) return;
  if (!program && asked === game.link) return render(); // other digits, which may be wrong
  forget();
  if (view.now === shown) view.close();
  render();
}

// --- the questions -------------------------------------------------------------------------------

/** Ask both programs, and show the first solution that comes. */
export async function solve() {
  forget();
  await search(FIRST, 0);
}

async function search(most, at) {
  limit = most;
  index = at;
  asked = game.link;
  agreed = {};
  const mine = ++run;
  for (const each of sides) each.begin();
  put({ text: "", quiet: true, busy: true });
  await offerPrograms(); // those in view may be for the puzzle before
  if (mine !== run) return;
  await Promise.all(sides.map((each) => answer(each, mine)));
  if (mine !== run) return;
  for (const each of sides) diagnose(each, mine);
  await askThird(mine);
  for (const each of sides) await work(each, mine);
}

/** Ask the program of a side, or another engine. */
const askSide = (side, path, more = {}, sort = sortOf(side)) => ask(path, { ...puzzle(), engine: programs[side]?.name ?? side, ...more }, sort);

/** Ask one side for solutions. */
async function answer(each, mine) {
  const { side } = each;
  const { changed } = programs[side];
  await each.answer(async () => {
    if (changed) return judged(side, await askSide(side, "/run", { files: changed, soon: true }));
    const found = await askSide(side, "/solve", { limit });
    return { solutions: flat(found.solutions), stopped: found.stopped, time: took(found), warnings: found.warnings ?? [] };
  });
  if (mine !== run) return;
  programs[side].warn(each.warnings);
  const before = new Set(found.map(String));
  found.push(...each.solutions.filter((solution) => !before.has(String(solution))));
  if (shown && view.now === shown) {
    const wrong = sides.find(({ ran }) => ran?.wrong_grid);
    if (found.length) put(solutionAt(Math.min(index, found.length - 1)));
    else if (!having("searching").length) wrong ? put({ ...wrongAnswerOf(wrong), quiet: true, of: wrong.name }) : view.close();
  }
  await compare(mine);
}

/** What a side says of a changed program. */
function judged(side, ran) {
  const { outcome, grids, seconds, stopped, warnings = [] } = ran;
  programs[side].mark(blamed(ran));
  const all = { ran, warnings, stopped: stopped || grids.length >= COMPARED ? "limit" : null };
  if (outcome === "success") return { ...all, solutions: flat(grids), time: inUnits(seconds) };
  return { ...all, state: "failed", text: whatFailed(ran), message: outcome === "failure" ? "" : ran.message };
}

/** Ask why a changed program is not right, and at which line; the verdict does not wait for that. */
async function diagnose(each, mine) {
  const { side, ran } = each;
  if (!ran || ran.outcome === "success" || blamed(ran).length || !answers("diagnose")) return;
  const say = (more) => {
    each.ran = { ...ran, ...more };
    each.text = whatFailed(each.ran);
    programs[side].mark(blamed(each.ran));
    render();
  };
  say({ sought: "Looking for the line …" });
  const late = ({ status, message }) => ({ stopped: status === LATE ? "time" : null, message });
  const { diagnosis, stopped, message } = await askSide(side, "/diagnose", { files: programs[side].changed }, reasonOf(side)).catch(late);
  if (mine !== run) return;
  say({ diagnosis, sought: diagnosis ? "" : stopped ? "The line is not known: time ran out." : (message ?? "") });
}

/** Ask the third engine, if it is here; it is quick. */
async function askThird(mine) {
  const info = about.engines.find(({ name, available }) => name === THIRD && available);
  if (!info || having("answered").length < sides.length) return;
  try {
    const { solutions, stopped } = await askSide(THIRD, "/solve", { limit });
    if (mine !== run) return;
    third = { side: THIRD, name: info.engine, solutions: flat(solutions), stopped };
    await compare(mine);
  } catch {
    // The two are the point.
  }
}

/** Ask what a side knows before it guesses, and how long it takes when all is warm. */
async function work(each, mine) {
  const { side, state } = each;
  const sort = `work ${side}`; // only the next one cancels it: the server ends the process of a cancelled question
  if (mine !== run || state !== "answered" || programs[side].changed) return;
  try {
    if (answers("propagate")) each.left = (await askSide(side, "/propagate", {}, sort)).candidates?.flat() ?? null;
    render();
    if (mine === run && answers("measure")) each.warm = inTimes(await measured(side, sort));
  } catch {
    // The answer is there without it.
  }
  render();
}

/** The work of a side for the first solution; the median of five runs if they are short. */
async function measured(side, sort) {
  const total = ({ setup = 0, propagation = 0, search: searched = 0 }) => setup + propagation + searched;
  const runs = [];
  while (!runs.length || (runs.length < RUNS && total(runs[0]) < BRIEF)) runs.push(await askSide(side, "/measure", {}, sort));
  return runs.toSorted((one, other) => total(one) - total(other))[Math.floor(runs.length / 2)];
}

/** Ask both sides how many solutions there are. */
async function countAll() {
  const mine = ++run;
  const counting = having("answered").filter(({ ran }) => !ran);
  for (const each of counting) each.begin();
  render();
  await Promise.all(
    counting.map(async (each) => {
      await each.answer(async () => ({ count: await askSide(each.side, "/count", { limit: COUNTED }) }));
      if (mine !== run) return;
      agreed = verdictOnCounts(new Map(counting.filter(({ count }) => count).map(({ name, count }) => [name, count])));
      if (!agreed.text && !having("searching").length) agreed = { text: alone() };
      render();
    }),
  );
}

// --- do they agree? ------------------------------------------------------------------------------

/** Compare the answers when both have come. */
async function compare(mine) {
  if (!having("searching").length) {
    const failed = (error) => ({ text: wasCancelled(error) ? "" : `Not compared: ${error.message}` });
    const result = await judgement().catch(failed);
    if (mine !== run) return;
    agreed = result;
  }
  render();
}

/** The verdict on the answers. */
async function judgement() {
  const wrong = sides.filter(({ ran }) => ran?.outcome === "failure");
  if (wrong.length > 1) return { agree: false, text: "Neither program is right yet." };
  if (wrong.length) return { agree: false, text: `They differ: the ${wrong[0].name} program is not right yet.` };
  if (having("answered").length < sides.length) return { text: alone() };
  const all = new Map([...sides, ...(third ? [third] : [])].map((each) => [each.name, each]));
  const rejected = await Promise.all([...unlisted(all)].map(async ([name, grids]) => [name, await rejectedBy(all.get(name), grids)]));
  return verdict(all, new Map(rejected), game.size);
}

/** What is known if not both have answered. */
function alone() {
  const [one] = having("answered");
  return one ? `Only ${one.name} answered: ${said(numberOf(one)).replace(/^1 /, "one ")}.` : "Neither program answered.";
}

/** Those of the reader's digits that are not in the only solution. */
function wrongDigits() {
  if (found.length !== 1 || !isAll()) return "";
  const { entries, size } = game;
  const wrong = [...entries.keys()].filter((cell) => entries[cell] && entries[cell] !== found[0][cell]);
  if (wrong.length > NAMED) return ` ${wrong.length} of your digits are wrong.`;
  const named = listed(wrong.map((cell) => `${nameOf(cell, size)} = ${entries[cell]}`));
  return wrong.length ? ` Your ${named} ${wrong.length === 1 ? "is" : "are"} wrong.` : "";
}

/** The solutions of others that a side rejects; those that it has not listed, if it has all. */
async function rejectedBy({ side, stopped, ran }, grids) {
  if (!stopped || !grids.length) return grids;
  if (ran) return []; // nobody can ask it
  const rows = grids.map((cells) => rowsOf(cells, game.size));
  return flat((await askSide(side, "/confirm", { solutions: rows })).rejected);
}

// --- the board -----------------------------------------------------------------------------------

function put(next) {
  shown = next;
  view.show(next);
}

function solutionAt(at) {
  index = at;
  return { text: "", quiet: true, solution: found[at], shown: found[at], busy: having("searching").length > 0 };
}

/** Show the next solution, or ask for more. */
const go = (at) => (at < found.length ? put(solutionAt(at)) : search(Math.min(limit * 10, about.solutions), at));

const isShown = () => Boolean(shown) && view.now === shown;

/** The buttons beside the verdict. */
function actions() {
  if (having("searching").length) return [["Stop", () => sides.forEach(({ side }) => cancel(sortOf(side)))]];
  if (having("idle").length === sides.length) return agreed.actions ?? [];
  const all = isAll();
  const number = found.length;
  const offered = all && !number ? reason("Why none?", "conflicts") : [];
  if (isShown() && number) {
    if (number > 1 || !all) {
      const more = !all && limit < about.solutions;
      offered.push(["‹", () => go(index - 1), index === 0, "Previous solution"]);
      offered.push(["›", () => go(index + 1), index + 1 === number && !more, "Next solution"]);
    }
    if (!all && !sides.some(({ count }) => count)) offered.push(["Count", countAll]);
    offered.push(["Fill in", () => game.fill(found[index])], ["Hide", view.close]);
  } else if (number) {
    offered.push(["Show", () => put(solutionAt(index))]);
  }
  if (number > 1) offered.push(...reason("Why several?", "ambiguity"));
  if (agreed.cells?.length) offered.push(["Show where", showWhere]);
  return offered;
}

/** Show on the board where the sides differ. */
function showWhere() {
  const { text, cells, grid } = agreed;
  view.show({ text, shown: grid, cellRoles: new Map(cells.map((cell) => [cell, ["difference"]])) });
}

// --- the lines -----------------------------------------------------------------------------------

function render() {
  for (const each of sides) renderSide(each);
  const { text = "", agree } = agreed;
  const number = found.length;
  const which = !isShown() ? "" : shown.of ? ` The board shows an answer of ${shown.of}.` : number > 1 ? ` Solution ${index + 1} of ${numberKnown()}.` : "";
  write($("verdict-text"), `${text}${which}${wrongDigits()}`);
  $("third").textContent = agree && third ? `A third opinion, ${third.name}, agrees.` : "";
  const resting = having("idle").length === sides.length ? "idle" : "";
  $("verdict").className = agree === undefined ? resting : agree ? "agree" : "differ";
  buttons($("verdict-actions"), actions(), () => $("solve"));
}

/** How many solutions there are, as far as anybody knows. */
function numberKnown() {
  const counts = sides.flatMap(({ count }) => count ?? []);
  const total = counts.find(({ stopped }) => !stopped)?.count;
  if (total) return inFigures(total);
  if (isAll()) return inFigures(found.length);
  return `at least ${inFigures(Math.max(found.length, limit + 1, ...counts.map(({ count }) => count)))}`;
}

function renderSide(each) {
  const { side, name, state, time, warm, left, message, ran } = each;
  const element = $(`said-${side}`);
  const [line, printed, doing] = element.children;
  element.dataset.state = ran?.outcome ?? state;
  each.write(line, said(numberOf(each)), time, warm);
  printed.textContent = message;
  printed.hidden = !message;
  const stop = state === "searching" ? [["Stop", () => cancel(sortOf(side)), false, `Stop ${name}`]] : [];
  const knows = left === undefined ? [] : [[known(left, game.size), () => know(side), !left, null, isKnowing(side)]];
  buttons(doing, [...stop, ...knows, ...(ran ? faults(side, ran) : [])], () => $("solve"));
}

/** How many solutions a side has: { count, stopped }. What it accepts of the other counts, too. */
function numberOf({ solutions, stopped, count }) {
  const least = Math.max(solutions.length, stopped === "limit" ? limit : 0);
  return count ? { ...count, count: Math.max(count.count, least) } : { count: least, stopped };
}

/** What can be shown of a changed program. */
function faults(side, ran) {
  const { outcome, wrong_grid, missing_grid } = ran;
  const places = blamed(ran).slice(0, 2).map((place) => [`Go to line ${place.line}`, () => goTo(side, place)]);
  if (outcome === "error") return places;
  const wrong = () => view.show(wrongAnswerOf({ side, ran }));
  const missing = () => view.show({ text: "A solution that the program does not find.", shown: missing_grid.flat() });
  return [
    ...places,
    ...(wrong_grid ? [["Show the wrong answer", wrong]] : []),
    ...(missing_grid ? [["Show the missing solution", missing]] : []),
  ];
}

/** What shows a wrong answer of a side. */
const wrongAnswerOf = ({ side, ran }) => ({
  title: `An answer of the ${SIDES[side].short} program`,
  ...wrongAnswer(ran.wrong_grid.flat().map(Number), game.puzzle),
});

/** The lines of a changed program that are to blame for what it does wrong. */
const blamed = ({ outcome, places, diagnosis }) => (outcome === "error" && places.length ? places : (diagnosis?.places ?? []));

function goTo(side, place) {
  tab(side);
  programs[side].go(place);
}

// --- what they know before they guess ------------------------------------------------------------

const isKnowing = (side) => Boolean(view.now?.knows?.includes(side));

/** Show the candidates that a side has left, or hide them. */
function know(side) {
  const knowing = sides.filter((each) => each.left && (each.side === side) !== isKnowing(each.side));
  if (!knowing.length) return view.close();
  const left = Object.fromEntries(knowing.map((each) => [each.name, each.left]));
  view.show({ ...compared(left, game.size), knows: knowing.map((each) => each.side) });
}

/** The time until the first solution, and that of the proof that there are no more, or of the search for more. */
function took({ solutions: { length }, stopped, seconds, first }) {
  const all = stopped === "limit" ? counted(length + 1, "solution") : length === 1 ? "no other" : `all ${length}`;
  const end = stopped === "time" ? `stopped after ${inUnits(seconds)}` : `${all}: ${inUnits(seconds)}`;
  return length ? `first solution ${inUnits(first)}, ${end}` : stopped ? end : inUnits(seconds);
}

/** The times of a measurement in words, those that the engine reports for the first solution. */
function inTimes({ setup, propagation, search: searched }) {
  const parts = Object.entries({ "set-up": setup, propagation, search: searched }).filter(([, seconds]) => seconds !== null && seconds !== undefined);
  const words = parts.map(([name, seconds]) => `${name} ${inUnits(seconds)}`);
  return `warm: ${words.join(", ")}`;
}

$("solve").addEventListener("click", solve);
view.addEventListener("change", render);
forget();
