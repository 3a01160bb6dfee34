// Both programs on one puzzle: each answers by itself, and the line between them says whether they agree.

import { said, unlisted, verdict, verdictOnCounts } from "./agreement.js";
import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, button, inFigures, part } from "./elements.js";
import { SIDES } from "./program.js";
import { rowsOf } from "./puzzle.js";
import { compared, known, whatFailed, wrongAnswer } from "./roles.js";

const FIRST = 2; // solutions at first: enough to see whether there is one only
const COUNTED = 10 ** 9; // most solutions that are counted
const THIRD = "sat"; // asked when both have answered

/** What one side says: `state` is idle, searching, answered, stopped or failed. */
class Said {
  state = "idle";
  solutions = [];
  stopped = null;
  count = null; // how many solutions there are: { count, stopped }
  left = undefined; // the candidates that propagation leaves, null if it finds a contradiction
  time = ""; // how long it took, in words
  text = ""; // what went wrong
  message = ""; // what its engine printed
  ran = null; // the answer to `run`, of a changed program

  /** Its question had no answer: it was stopped, or went wrong. */
  fail(error) {
    const stopped = wasCancelled(error);
    Object.assign(this, stopped ? { state: "stopped" } : { state: "failed", text: error.message });
  }
}

export class Race {
  #page; // what it needs of the page: game, view, puzzle, about, programs, reason
  #sides = {}; // what each side says
  #third = null; // the answer of a third engine
  #found = []; // all solutions, in the order in which they came
  #index = 0; // of the one that is shown
  #limit = FIRST;
  #asked = null; // the puzzle, as the link has it
  #run = 0; // counts the questions, so that a late answer to an old one is dropped
  #verdict = null;
  #shown = null; // what this made the page show

  constructor(page) {
    this.#page = page;
    $("solve").addEventListener("click", () => this.solve());
    page.view.addEventListener("change", () => this.#render());
    this.#forget();
  }

  /** Drop what belongs to another puzzle or program. */
  changed({ program = false } = {}) {
    if (this.#asked === null || (!program && this.#asked === this.#page.game.link)) return;
    this.#forget();
    if (this.#page.view.now === this.#shown) this.#page.view.close();
    this.#render();
  }

  #forget() {
    this.#run++;
    for (const side in SIDES) cancel(sortOf(side));
    cancel(sortOf(THIRD));
    this.#sides = Object.fromEntries(Object.keys(SIDES).map((side) => [side, new Said()]));
    this.#third = this.#asked = this.#verdict = null;
    this.#found = [];
    for (const program of Object.values(this.#page.programs)) program.mark([]);
  }

  // --- the questions -------------------------------------------------------------------------------

  /** Ask both programs, and show the first solution that comes. */
  async solve() {
    this.#forget();
    await this.#search(FIRST, 0);
  }

  async #search(limit, index) {
    this.#limit = limit;
    this.#index = index;
    this.#asked = this.#page.game.link;
    const mine = ++this.#run;
    this.#verdict = null;
    for (const said of Object.values(this.#sides)) said.state = "searching";
    this.#put({ text: "", quiet: true, busy: true });
    await Promise.all(Object.keys(SIDES).map((side) => this.#answer(side, limit, mine)));
    if (mine !== this.#run) return;
    await this.#askThird(limit, mine);
    for (const side in SIDES) await this.#work(side, mine);
  }

  /** Ask one side for solutions. */
  async #answer(side, limit, mine) {
    const said = this.#sides[side];
    const { changed } = this.#page.programs[side];
    const missing = this.#page.about().engines.find(({ name, available }) => name === side && !available);
    try {
      if (missing) throw new Error(`${missing.engine} is missing: ${missing.why} ${missing.fix ?? ""}`);
      if (changed) this.#ran(side, await this.#ask(side, "/run", { files: changed }));
      else {
        const { solutions, stopped, seconds } = await this.#ask(side, "/solve", { limit });
        Object.assign(said, { state: "answered", solutions: solutions.map((rows) => rows.flat()), stopped });
        said.time = `${inMilliseconds(seconds)} with set-up`;
      }
    } catch (error) {
      said.fail(error);
    }
    if (mine !== this.#run) return;
    this.#gather(said.solutions);
    this.#show();
    await this.#compare(mine);
  }

  #ask(side, path, about = {}, sort = sortOf(side)) {
    const engine = this.#page.programs[side]?.name ?? side;
    return ask(path, { ...this.#page.puzzle(), engine, ...about }, sort);
  }

  #gather(solutions) {
    const known = new Set(this.#found.map(String));
    this.#found.push(...solutions.filter((each) => !known.has(String(each))));
  }

  /** Keep what a changed program answered. */
  #ran(side, answer) {
    const said = this.#sides[side];
    const { outcome, grids, seconds } = answer;
    const right = outcome === "success";
    const more = answer.stopped || grids.length >= MOST_COMPARED ? "limit" : null;
    Object.assign(said, { ran: answer, state: right ? "answered" : "failed", stopped: more });
    said.solutions = right ? grids.map((rows) => rows.flat()) : [];
    said.text = right ? "" : whatFailed(answer);
    said.message = right ? "" : answer.message;
    said.time = right ? inMilliseconds(seconds) : "";
    this.#page.programs[side].mark(blamed(answer));
  }

  /** Ask the third engine, if it is here; it is quick. */
  async #askThird(limit, mine) {
    const { engines } = this.#page.about();
    const info = engines.find(({ name, available }) => name === THIRD && available);
    if (!info || Object.values(this.#sides).some(({ state }) => state !== "answered")) return;
    try {
      const { solutions, stopped } = await this.#ask(THIRD, "/solve", { limit });
      if (mine !== this.#run) return;
      this.#third = { title: info.engine, solutions: solutions.map((rows) => rows.flat()), stopped };
      await this.#compare(mine);
    } catch {
      // The two are the point.
    }
  }

  /** Ask what a side knows before it guesses, and how long it takes when all is warm. */
  async #work(side, mine) {
    const said = this.#sides[side];
    const sort = `work ${side}`; // only the next one cancels it: the server ends the process of a cancelled question
    const { questions } = this.#page.about();
    if (said.state !== "answered" || this.#page.programs[side].changed) return;
    try {
      if (questions.includes("propagate")) said.left = (await this.#ask(side, "/propagate", {}, sort)).candidates?.flat() ?? null;
      if (mine !== this.#run) return;
      this.#render();
      if (questions.includes("measure")) said.time = inTimes(await this.#ask(side, "/measure", {}, sort));
    } catch {
      // The answer is there without it.
    }
    if (mine === this.#run) this.#render();
  }

  /** Ask both sides how many solutions there are. */
  async #countAll() {
    const mine = ++this.#run;
    const answered = Object.entries(this.#sides).filter(([, { state, ran }]) => state === "answered" && !ran);
    for (const [, said] of answered) said.state = "searching";
    this.#render();
    await Promise.all(
      answered.map(async ([side, said]) => {
        try {
          said.count = await this.#ask(side, "/count", { limit: COUNTED });
          said.state = "answered";
        } catch (error) {
          said.fail(error);
        }
        if (mine !== this.#run) return;
        this.#verdict = verdictOnCounts(new Map(answered.filter(([, { count }]) => count).map(([each, { count }]) => [SIDES[each].short, count])));
        this.#render();
      }),
    );
  }

  // --- do they agree? ------------------------------------------------------------------------------

  /** Compare the answers that have come. */
  async #compare(mine) {
    const { clingo, prolog } = this.#sides;
    const wrong = Object.keys(SIDES).filter((side) => this.#sides[side].ran?.outcome === "failure");
    if (wrong.length) {
      const text = wrong.length > 1 ? "Neither program is right yet." : `They differ: the ${SIDES[wrong[0]].short} program is not right yet.`;
      this.#verdict = { agree: false, text };
    } else if (clingo.state === "answered" && prolog.state === "answered") {
      const answers = new Map(Object.entries(this.#sides).map(([side, said]) => [SIDES[side].short, said]));
      if (this.#third) answers.set(this.#third.title, this.#third);
      try {
        const rejected = await Promise.all([...unlisted(answers)].map(async ([name, grids]) => [name, await this.#rejected(name, answers.get(name), grids)]));
        if (mine !== this.#run) return;
        this.#verdict = verdict(answers, new Map(rejected), this.#page.game.size);
      } catch (error) {
        if (mine !== this.#run) return;
        this.#verdict = { text: wasCancelled(error) ? "" : `Not compared: ${error.message}` };
      }
    }
    this.#render();
  }

  /** The solutions of others that a side rejects; those that it has not listed, if it has all. */
  async #rejected(name, { stopped, ran }, grids) {
    if (!stopped || !grids.length) return grids;
    if (ran) return []; // nobody can ask it
    const side = Object.keys(SIDES).find((each) => SIDES[each].short === name) ?? THIRD;
    const rows = grids.map((cells) => rowsOf(cells, this.#page.game.size));
    const { rejected } = await this.#ask(side, "/confirm", { grids: rows });
    return rejected.map((each) => each.flat());
  }

  // --- the board -----------------------------------------------------------------------------------

  get #searching() {
    return Object.values(this.#sides).some(({ state }) => state === "searching");
  }

  #put(view) {
    this.#shown = view;
    this.#page.view.show(view);
  }

  /** Show what is known so far, if the page still shows the answer of the race. */
  #show() {
    const { view } = this.#page;
    if (!this.#shown || view.now !== this.#shown) return;
    if (this.#found.length) this.#put(this.#solution(Math.min(this.#index, this.#found.length - 1)));
    else if (!this.#searching) view.close();
  }

  #solution(index) {
    this.#index = index;
    const solution = this.#found[index];
    return { text: "", quiet: true, solution, shown: solution, busy: this.#searching };
  }

  /** Show the next solution, or ask for more. */
  #go(index) {
    if (index < this.#found.length) return this.#put(this.#solution(index));
    return this.#search(Math.min(this.#limit * 10, this.#page.about().solutions), index);
  }

  /** The buttons beside the verdict. */
  get #actions() {
    const { view, game, reason } = this.#page;
    const sides = Object.values(this.#sides);
    if (this.#searching) return [["Stop", () => this.#stop()]];
    if (sides.every(({ state }) => state === "idle")) return [];
    const answered = sides.filter(({ state }) => state === "answered");
    const all = answered.some(({ stopped }) => !stopped); // somebody knows that there are no more
    const number = this.#found.length;
    const actions = [];
    if (answered.length && all && !number) actions.push(...reason("Why none?", "conflicts"));
    if (view.now && view.now === this.#shown && number) {
      if (number > 1 || !all) {
        const more = !all && this.#limit < this.#page.about().solutions;
        actions.push(["‹", () => this.#go(this.#index - 1), this.#index === 0, "Previous solution"]);
        actions.push(["›", () => this.#go(this.#index + 1), this.#index + 1 === number && !more, "Next solution"]);
      }
      if (!all && !sides.some(({ count }) => count)) actions.push(["Count", () => this.#countAll()]);
      actions.push(["Fill in", () => game.fill(this.#found[this.#index])], ["Hide", view.close]);
    } else if (number) {
      actions.push(["Show", () => this.#put(this.#solution(this.#index))]);
    }
    if (number > 1) actions.push(...reason("Why several?", "ambiguity"));
    if (this.#verdict?.cells?.length) actions.push(["Show where", () => this.#differ()]);
    return actions;
  }

  #stop() {
    for (const side in SIDES) cancel(sortOf(side));
  }

  /** Show on the board where the sides differ. */
  #differ() {
    const { text, cells, grid } = this.#verdict;
    const { view } = this.#page;
    view.show({ text, shown: grid, cellRoles: new Map(cells.map((cell) => [cell, ["difference"]])), actions: [view.closing] });
  }

  // --- the lines -----------------------------------------------------------------------------------

  #render() {
    for (const side in SIDES) this.#line(side);
    const { text = "", agree } = this.#verdict ?? {};
    const number = this.#found.length;
    const which = this.#shown && this.#page.view.now === this.#shown && number > 1 ? ` Solution ${this.#index + 1} of ${this.#known}.` : "";
    write($("verdict-text"), `${text}${which}`);
    $("third").textContent = agree && this.#third ? `A third opinion, ${this.#third.title}, agrees.` : "";
    $("verdict").className = agree === undefined ? "" : agree ? "agree" : "differ";
    buttons($("verdict-actions"), this.#actions, $("solve"));
  }

  /** How many solutions there are, as far as anybody knows. */
  get #known() {
    const sides = Object.values(this.#sides);
    const counts = sides.map(({ count }) => count).filter(Boolean);
    const total = counts.find(({ stopped }) => !stopped)?.count;
    if (total) return inFigures(total);
    if (sides.some(({ state, stopped }) => state === "answered" && !stopped)) return inFigures(this.#found.length);
    return `at least ${inFigures(Math.max(this.#found.length, this.#limit + 1, ...counts.map(({ count }) => count)))}`;
  }

  #line(side) {
    const each = this.#sides[side];
    const { state, solutions, stopped, count, time, left, text, message, ran } = each;
    const element = $(`said-${side}`);
    const [line, printed, actions] = element.children;
    element.dataset.state = ran?.outcome ?? state;
    const number = count ?? { count: this.#number(solutions, stopped), stopped };
    const words = { idle: "", stopped: "stopped", searching: "searching …", failed: text }[state];
    if (words === undefined) writeTimed(line, said(number), time);
    else write(line, words);
    if (state === "searching") line.append(clock());
    printed.textContent = message;
    printed.hidden = !message || ran?.outcome === "failure";
    const doing = [];
    if (state === "searching") doing.push(["Stop", () => cancel(sortOf(side)), false, `Stop ${SIDES[side].short}`]);
    if (left !== undefined) doing.push([known(left, this.#page.game.size), () => this.#know(side), !left, "", this.#knows(side)]);
    if (ran) doing.push(...this.#shows(side, ran));
    buttons(actions, doing, $("solve"));
  }

  /** The number of solutions that a side knows of: what it accepts of the other counts, too. */
  #number(solutions, stopped) {
    return stopped === "limit" ? Math.max(solutions.length, this.#limit) : solutions.length;
  }

  /** What can be shown of a changed program. */
  #shows(side, answer) {
    const { view, game } = this.#page;
    const { wrong_grid, missing_grid } = answer;
    const show = blamed(answer).slice(0, 2).map((place) => [`Go to line ${place.line}`, () => this.#goTo(side, place)]);
    if (answer.outcome === "error") return show;
    if (wrong_grid) show.push(["Show the wrong answer", () => view.show(wrongAnswer(wrong_grid.flat().map(Number), game.puzzle, view.closing))]);
    if (missing_grid) show.push(["Show the missing solution", () => view.show({ text: "A solution that the program does not find.", shown: missing_grid.flat(), actions: [view.closing] })]);
    return show;
  }

  #goTo(side, place) {
    this.#page.tab(side);
    this.#page.programs[side].go(place);
  }

  // --- what they know before they guess ------------------------------------------------------------

  #knows = (side) => Boolean(this.#page.view.now?.knows?.includes(side));

  /** Show the candidates that a side has left, or hide them. */
  #know(side) {
    const { view, game } = this.#page;
    const before = view.now?.knows ?? [];
    const sides = Object.keys(SIDES).filter((each) => (each === side) !== before.includes(each) && this.#sides[each].left);
    if (!sides.length) return view.close();
    const left = Object.fromEntries(sides.map((each) => [SIDES[each].short, this.#sides[each].left]));
    view.show({ ...compared(left, game.size), knows: sides, actions: [view.closing] });
  }
}

/** The lines of a changed program that are to blame for what it does wrong. */
const blamed = ({ outcome, places, diagnosis }) => (outcome === "error" ? places : diagnosis?.places ?? []);

const MOST_COMPARED = 100; // answers of a changed program

const sortOf = (side) => `solve ${side}`;

/** Write a text, unless it is there; a screen reader would read it out again. */
function write(element, text) {
  if (element.firstChild?.data !== text || element.childNodes.length > 1) element.textContent = text;
}

/** Write a text, and a time beside it. */
function writeTimed(element, text, time) {
  if (element.textContent !== `${text} ${time}`) element.replaceChildren(`${text} `, part("span", { className: "time" }, time));
}

/** Replace the buttons of an element, [label, what it does, whether it is disabled, name, whether it is pressed]. */
function buttons(element, actions, otherwise) {
  const labels = JSON.stringify(actions.map(([label, , disabled, name, pressed]) => [label, disabled, name, pressed]));
  if (element.dataset.labels === labels) {
    [...element.children].forEach((each, index) => (each.onclick = actions[index][1]));
    return;
  }
  element.dataset.labels = labels;
  const focused = [...element.children].indexOf(document.activeElement);
  const made = actions.map(([label, run, disabled = false, name = "", pressed]) => {
    const each = button(label, run, { disabled, ...(name && { ariaLabel: name }) });
    if (pressed !== undefined) each.setAttribute("aria-pressed", pressed);
    return each;
  });
  element.replaceChildren(...made);
  if (focused >= 0) (made.filter(({ disabled }) => !disabled)[focused] ?? made.find(({ disabled }) => !disabled) ?? otherwise).focus();
}

function inMilliseconds(seconds) {
  const time = seconds * 1000;
  if (time < 0.05) return "under 0.1 ms";
  return `${time < 9.95 ? time.toFixed(1) : inFigures(Math.round(time))} ms`;
}

/** The times of a measurement in words, those that the engine reports. */
function inTimes({ setup, propagation, search, runs }) {
  const parts = Object.entries({ "set-up": setup, propagation, search }).filter(([, seconds]) => seconds !== null && seconds !== undefined);
  const words = parts.map(([name, seconds]) => `${name} ${inMilliseconds(seconds)}`);
  return `${words.join(", ")}${runs > 1 ? ` (median of ${runs})` : ""}`;
}
