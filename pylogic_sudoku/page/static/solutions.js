// Both programs on the puzzle of the board: their solutions, their times, what they know, and what is wrong with a
// changed one.

import { said, verdict, verdictOnCounts } from "./agreement.js";
import { cancel, clock, LATE, wasCancelled } from "./api.js";
import { reason } from "./checking.js";
import { $, counted, fill, inFigures, listed } from "./elements.js";
import { about, answers, game, puzzle, reading, view } from "./page.js";
import { offerPrograms, programs } from "./program.js";
import { nameOf, rowsOf } from "./puzzle.js";
import { Race } from "./race.js";
import { atWork, compared, known, knownInShort, whatFailed, wrongAnswer } from "./roles.js";
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
  count = null; // how many solutions there are: { count, stopped }
  left = undefined; // the candidates that propagation leaves, null if it finds a contradiction
  first = null; // seconds until the first solution
  work = null; // a measurement of it: see `#measured`
  learning = null; // until its candidates and its work have come
  counting = null; // a clock, while its solutions are counted
  uncounted = ""; // why they are not
  ran = null; // the answer to `run`, of a changed program

  get isBusy() {
    return Boolean(this.counting) || super.isBusy;
  }

  begin() {
    super.begin();
    this.ran = null;
  }

  /** Count by `ask`; whatever happens, what is known stays. */
  async counted(ask) {
    this.counting = clock();
    this.uncounted = "";
    try {
      this.count = await ask();
    } catch (error) {
      if (!wasCancelled(error)) this.uncounted = error.message;
    } finally {
      this.counting = null;
    }
  }

  write(element, answer) {
    if (this.counting && this.state !== "searching") fill(element, this.counting.dataset.since, () => [`${answer}, counting …`, this.counting]);
    else if (this.uncounted) write(element, `${answer}; not counted: ${this.uncounted}`);
    else super.write(element, answer);
  }

  get isChanged() {
    return this.ran !== null;
  }

  get outcome() {
    return this.ran?.outcome;
  }

  /** The lines of a changed program that are to blame for what it does wrong. */
  get places() {
    if (!this.ran) return super.places;
    const { outcome, places, diagnosis } = this.ran;
    return outcome === "error" && places.length ? places : (diagnosis?.places ?? []);
  }
}

const flat = (grids) => grids.map((rows) => rows.flat());

/** The programs beside the board; going to a line of one opens its tab. */
const panels = Object.fromEntries(
  Object.entries(programs).map(([side, program]) => [
    side,
    {
      mark: (places) => program.mark(places),
      warn: (warnings) => program.warn(warnings),
      go: (place) => {
        tab(side);
        program.go(place);
      },
    },
  ]),
);

class OnBoard extends Race {
  panels = panels;
  #third = null; // the answer of a third engine
  #found = []; // all solutions, in the order in which they came
  #index = 0; // of the one that is shown
  #limit = FIRST;
  #asked = null; // the puzzle, as the link has it
  #shown = null; // what this made the page show

  constructor() {
    super("", ["solve", "diagnose", "count"]);
    $("solve").addEventListener("click", () => this.solve());
    view.addEventListener("change", () => this.render());
    this.forget();
  }

  side = (name) => new Solved(name);
  keyOf = String;
  toJson = (cells) => rowsOf(cells, game.size);
  fromJson = (rows) => rows.flat();
  body = (side) => ({ ...puzzle(), engine: programs[side]?.name ?? side });

  /** Whether somebody has found all solutions. */
  get #isAll() {
    return this.having("answered").some(({ stopped }) => !stopped);
  }

  halt(side) {
    super.halt(side);
    cancel(this.sort(side, "count"));
  }

  forget() {
    super.forget();
    this.#asked = null;
    this.#drop();
  }

  /** Drop the solutions, and keep what is known of the sides, or is being found out. */
  #drop() {
    cancel(this.sort(THIRD));
    this.#third = null;
    this.#found = [];
  }

  /** Say this in the place of a verdict, until there is one, with a button that ends it. */
  announce(text, [label, run]) {
    this.forget();
    const end = () => {
      this.verdict = {};
      this.render();
      run();
    };
    this.verdict = { text, actions: [[label, end]] };
    this.render();
  }

  /** Drop what belongs to another puzzle or program. */
  dropAnswers({ program = false } = {}) {
    if (this.#asked === null) return;
    if (!program && this.#asked === game.link) return this.render(); // other digits, which may be wrong
    this.forget();
    if (view.now === this.#shown) view.close();
    this.render();
  }

  // --- the questions -----------------------------------------------------------------------------

  /** Ask both programs, and show the first solution that comes; a text that is being read comes first. */
  async solve() {
    if (reading.now) {
      this.forget();
      this.verdict = { text: "Reading the puzzle first …" };
      this.render();
      await this.current(reading.now);
    }
    if (this.#asked === game.link) this.#drop(); // about the same puzzle, and the same programs
    else this.forget();
    await this.#more(FIRST, 0);
  }

  async #more(most, at) {
    this.#limit = most;
    this.#index = at;
    this.#asked = game.link;
    this.#put({ text: "", quiet: true, busy: true });
    await this.search();
  }

  /** Those in view may be for the puzzle before. */
  prepared() {
    return offerPrograms();
  }

  async answerOf(each) {
    const { changed } = programs[each.side];
    if (changed) return judged(await this.ask(each, "/run", { files: changed, soon: true }));
    const found = await this.ask(each, "/solve", { limit: this.#limit });
    const { stopped, seconds, first, warnings = [] } = found;
    return { solutions: flat(found.solutions), stopped, seconds, first, warnings };
  }

  came(each) {
    const before = new Set(this.#found.map(String));
    this.#found.push(...each.solutions.filter((solution) => !before.has(String(solution))));
    if (!this.#isShown) return;
    const wrong = this.sides.find(({ ran }) => ran?.wrong_grid);
    if (this.#found.length) this.#put(this.#solutionAt(Math.min(this.#index, this.#found.length - 1)));
    else if (!this.having("searching").length) wrong ? this.#put({ ...wrongAnswerOf(wrong), quiet: true, of: wrong.name }) : view.close();
  }

  async settled() {
    for (const each of this.sides) this.#diagnose(each);
    const able = this.having("answered").filter(({ isChanged }) => !isChanged);
    await this.current(this.#askThird());
    for (const each of able) await (each.learning ??= this.#work(each));
  }

  /** Ask why a changed program is not right, and at which line; the verdict does not wait for that. */
  async #diagnose(each) {
    const { ran } = each;
    if (!ran || ran.outcome === "success" || each.places.length || !answers("diagnose")) return;
    const say = (more) => {
      each.ran = { ...ran, ...more };
      each.text = whatFailed(each.ran);
      this.panels[each.side].mark(each.places);
      this.render();
    };
    say({ sought: "Looking for the line …" });
    const late = ({ status, message }) => ({ stopped: status === LATE ? "time" : null, message });
    const asked = this.ask(each, "/diagnose", { files: programs[each.side].changed }, "diagnose").catch(late);
    const { diagnosis, stopped, message } = await this.current(asked);
    say({ diagnosis, sought: diagnosis ? "" : stopped ? "The line is not known: time ran out." : (message ?? "") });
  }

  /** Ask the third engine, if it is here; it is quick. */
  async #askThird() {
    const info = about.engines.find(({ name, available }) => name === THIRD && available);
    if (!info || this.having("answered").length < this.sides.length) return;
    try {
      const { solutions, stopped } = await this.current(this.ask({ side: THIRD }, "/solve", { limit: this.#limit }));
      this.#third = { side: THIRD, name: info.engine, solutions: flat(solutions), stopped };
      await this.settle([this.#third]);
    } catch {
      // The two are the point.
    }
  }

  /** Ask what a side knows before it guesses, and measure its work from nothing to the first solution. */
  async #work(each) {
    const answer = async (path, run) => {
      if (!answers(path) || !this.sides.includes(each)) return;
      try {
        await run();
      } catch {
        each.learning = null; // the answer is there without it
      }
      this.#renew(each);
    };
    // Only the next question of this kind cancels one: the server ends the process of a cancelled question.
    if (each.left === undefined) await answer("propagate", async () => (each.left = (await this.ask(each, "/propagate", {}, "work")).candidates?.flat() ?? null));
    if (!each.work) await answer("measure", async () => (each.work = await this.#measured(each)));
  }

  /** Show what has come about a side, unless it is of another puzzle or program. */
  #renew(each) {
    if (this.sides.includes(each)) this.render();
  }

  /** The work of a side for the first solution; the median of five runs if they are short. */
  async #measured(each) {
    const runs = [];
    const isShort = () => runs.length < RUNS && runs[0].seconds < BRIEF && this.sides.includes(each);
    while (!runs.length || isShort()) runs.push(await this.ask(each, "/measure", {}, "work"));
    return runs.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(runs.length / 2)];
  }

  /** Ask both sides how many solutions there are. */
  async #countAll() {
    const counting = this.having("answered").filter(({ isChanged, counting }) => !isChanged && !counting);
    const asked = counting.map(async (each) => {
      await each.counted(() => this.ask(each, "/count", { limit: COUNTED }, "count"));
      if (this.sides.includes(each)) this.verdict = this.#onCounts ?? this.verdict;
      this.#renew(each);
    });
    this.render();
    await Promise.all(asked);
  }

  // --- do they agree? ----------------------------------------------------------------------------

  early() {
    const wrong = this.sides.filter(({ outcome }) => outcome === "failure");
    if (!wrong.length) return null;
    return { agree: false, text: wrong.length > 1 ? "Neither program is right yet." : `They differ: the ${wrong[0].name} program is not right yet.` };
  }

  compared(all, rejected) {
    const found = verdict(all, rejected, game.size);
    return (found.agree && this.#onCounts) || found;
  }

  /** The verdict on the numbers of solutions, once both are counted. */
  get #onCounts() {
    const counts = this.sides.flatMap(({ name, count }) => (count ? [{ name, ...count }] : []));
    return counts.length > 1 ? verdictOnCounts(counts) : null;
  }

  /** Those of the reader's digits that are not in the only solution. */
  #wrongDigits() {
    const found = this.#found;
    if (found.length !== 1 || !this.#isAll) return "";
    const { entries, size } = game;
    const wrong = [...entries.keys()].filter((cell) => entries[cell] && entries[cell] !== found[0][cell]);
    if (wrong.length > NAMED) return ` ${wrong.length} of your digits are wrong.`;
    const named = listed(wrong.map((cell) => `${nameOf(cell, size)} = ${entries[cell]}`));
    return wrong.length ? ` Your ${named} ${wrong.length === 1 ? "is" : "are"} wrong.` : "";
  }

  // --- the board ---------------------------------------------------------------------------------

  #put(next) {
    this.#shown = next;
    view.show(next);
  }

  #solutionAt(at) {
    this.#index = at;
    const solution = this.#found[at];
    return { text: "", quiet: true, solution, shown: solution, busy: this.having("searching").length > 0 };
  }

  /** Show the next solution, or ask for more. */
  #go(at) {
    return at < this.#found.length ? this.#put(this.#solutionAt(at)) : this.#more(Math.min(this.#limit * 10, about.solutions), at);
  }

  get #isShown() {
    return Boolean(this.#shown) && view.now === this.#shown;
  }

  actions() {
    const all = this.#isAll;
    const index = this.#index;
    const number = this.#found.length;
    const offered = all && !number ? reason("Why none?", "conflicts") : [];
    if (this.#isShown && number) {
      if (number > 1 || !all) {
        const more = !all && this.#limit < about.solutions;
        offered.push(["‹", () => this.#go(index - 1), index === 0, "Previous solution"]);
        offered.push(["›", () => this.#go(index + 1), index + 1 === number && !more, "Next solution"]);
      }
      if (!all && !this.sides.some(({ count }) => count)) offered.push(["Count", () => this.#countAll()]);
      offered.push(["Fill in", () => game.fill(this.#found[index])], ["Hide", view.close]);
    } else if (number) {
      offered.push(["Show", () => this.#put(this.#solutionAt(index))]);
    }
    if (number > 1) offered.push(...reason("Why several?", "ambiguity"));
    if (this.verdict.cells?.length) offered.push(["Show where", () => this.#showWhere()]);
    return offered;
  }

  /** Show on the board where the sides differ. */
  #showWhere() {
    const { text, cells, grid } = this.verdict;
    view.show({ text, shown: grid, cellRoles: new Map(cells.map((cell) => [cell, ["difference"]])) });
  }

  // --- the lines ---------------------------------------------------------------------------------

  render() {
    super.render();
    write($("verdict-work"), atWork(this.sides.map(({ name, left, work }) => ({ name, left, choices: work?.choices }))));
  }

  verdictText() {
    const number = this.#found.length;
    const of = this.#shown?.of;
    const which = !this.#isShown ? "" : of ? ` The board shows an answer of ${of}.` : number > 1 ? ` Solution ${this.#index + 1} of ${this.#numberKnown()}.` : "";
    return `${super.verdictText()}${which}${this.#wrongDigits()}`;
  }

  /** How many solutions there are, as far as anybody knows. */
  #numberKnown() {
    const counts = this.sides.flatMap(({ count }) => count ?? []);
    const total = counts.find(({ stopped }) => !stopped)?.count;
    if (total) return inFigures(total);
    if (this.#isAll) return inFigures(this.#found.length);
    return `at least ${inFigures(Math.max(this.#found.length, this.#limit + 1, ...counts.map(({ count }) => count)))}`;
  }

  /** When the first solution was there and when the search ended, and the parts of a run from nothing. */
  details({ solutions, stopped, seconds, first, work, isChanged, state }) {
    if (state !== "answered") return [];
    if (isChanged) return ["The time includes the start of a process for the changed program."];
    const third = this.verdict.agree && this.#third ? [`A third opinion, ${this.#third.name}, agrees.`] : [];
    return [...searched({ solutions, stopped, seconds, first }), ...(work ? [inParts(work)] : []), ...third];
  }

  /** How many solutions a side has. What it accepts of the other counts, too. */
  numberOf({ solutions, stopped, count }, one) {
    const least = Math.max(solutions.length, stopped === "limit" ? this.#limit : 0);
    return said(count ? { ...count, count: Math.max(count.count, least) } : { count: least, stopped }, this.word, one);
  }

  /** What can be shown of what a side knows, and of a changed program. */
  doings({ side, left, ran, name }) {
    const knows = left === undefined ? [] : [[knownInShort(left, game.size), () => this.#know(side), !left, known(left, game.size), isKnowing(side)]];
    if (!ran || ran.outcome === "error") return knows;
    const { wrong_grid, missing_grid } = ran;
    const wrong = () => view.show(wrongAnswerOf({ name, ran }));
    const missing = () => view.show({ text: "A solution that the program does not find.", shown: missing_grid.flat() });
    return [
      ...knows,
      ...(wrong_grid ? [["Show the wrong answer", wrong]] : []),
      ...(missing_grid ? [["Show the missing solution", missing]] : []),
    ];
  }

  /** Show the candidates that a side has left, or hide them. */
  #know(side) {
    const knowing = this.sides.filter((each) => each.left && (each.side === side) !== isKnowing(each.side));
    if (!knowing.length) return view.close();
    const left = Object.fromEntries(knowing.map((each) => [each.name, each.left]));
    view.show({ ...compared(left, game.size), knows: knowing.map((each) => each.side) });
  }
}

const isKnowing = (side) => Boolean(view.now?.knows?.includes(side));

/** What a side says of a changed program. */
function judged(ran) {
  const { outcome, grids, seconds, stopped, warnings = [] } = ran;
  const all = { ran, warnings, stopped: stopped || grids.length >= COMPARED ? "limit" : null };
  if (outcome === "success") return { ...all, solutions: flat(grids), seconds };
  return { ...all, state: "failed", text: whatFailed(ran), message: outcome === "failure" ? "" : ran.message };
}

/** What shows a wrong answer of a side. */
const wrongAnswerOf = ({ name, ran }) => ({
  title: `An answer of the ${name} program`,
  ...wrongAnswer(ran.wrong_grid.flat().map(Number), game.puzzle),
});

/** When the first solution was there, and when the search for others ended. */
function searched({ solutions: { length }, stopped, seconds, first }) {
  if (!length || first === null) return [];
  const ends = { limit: `${counted(length + 1, "solution")} after`, time: "stopped after" };
  const end = ends[stopped] ?? (length === 1 ? "no other is left after" : `all ${length} after`);
  return [`First solution after ${inUnits(first)}; ${end} ${inUnits(seconds)}.`];
}

/** A measurement in words: a run that prepares everything anew, up to its first solution, and its parts. */
function inParts({ seconds, setup, propagation, search }) {
  const parts = Object.entries({ "set-up": setup, propagation, search }).filter(([, part]) => Number.isFinite(part));
  const words = parts.map(([name, part]) => `${name} ${inUnits(part)}`);
  return `From nothing to the first solution: ${inUnits(seconds)}${words.length ? `, with ${listed(words)}` : ""}.`;
}

/** The race on the puzzle of the board. */
export const race = new OnBoard();
