// Both engines on one puzzle: each answers by itself, and the panel shows whether they agree.

import { unlisted, verdict, verdictOnCounts } from "./agreement.js";
import { ask, cancel, wasCancelled } from "./api.js";
import { $, button, counted, inFigures, listed, part } from "./elements.js";
import { rowsOf } from "./puzzle.js";

const FIRST = 2; // solutions at first: enough to see whether there is one only
const COUNTED = 10 ** 9; // most solutions that are counted

/** What one engine says: `state` is ready, searching, comparing, answered, stopped, failed or missing. */
class Row {
  solutions = [];
  stopped = null;
  seconds = null;
  counting = false;
  count = null; // how many solutions there are: { count, stopped }
  error = "";

  constructor(info) {
    this.info = info;
    this.sort = `solve ${info.name}`; // of its questions
    this.state = info.available ? "ready" : "missing";
  }

  /** Its question had no answer: it was stopped, or went wrong. */
  fail(error) {
    const stopped = wasCancelled(error);
    Object.assign(this, stopped ? { state: "stopped" } : { state: "failed", error: error.message });
  }
}

export class Engines {
  #page; // what it needs of the page: game, view, puzzle, about, reason
  #rows = []; // one for each engine
  #found = []; // all solutions, in the order in which they came
  #index = 0; // of the one that is shown
  #limit = FIRST;
  #asked = null; // the puzzle, as the link has it
  #run = 0; // counts the questions, so that a late answer to an old one is dropped
  #comparison = 0; // counts the comparisons in the same way
  #verdict = null;
  #shown = null; // what this made the page show

  constructor(page) {
    this.#page = page;
  }

  /** Show the engines of this server. */
  offer(infos) {
    this.#rows = infos.map((info) => new Row(info));
    this.#render();
  }

  /** Drop what belongs to the old puzzle, if there is a new one. */
  changed() {
    if (this.#asked === null || this.#asked === this.#page.game.link) return;
    this.#forget();
    this.#render();
  }

  /** Ask every engine, and show the first solution that comes. */
  solve() {
    this.#forget();
    return this.#search(FIRST, 0);
  }

  #forget() {
    this.#run++;
    this.#comparison++;
    for (const { sort } of this.#rows) cancel(sort);
    this.#rows = this.#rows.map(({ info }) => new Row(info));
    this.#found = [];
    this.#asked = this.#verdict = null;
  }

  /** Search for solutions up to a limit; the one with this index shows when it is there. */
  async #search(limit, index) {
    this.#limit = limit;
    this.#index = index;
    this.#asked = this.#page.game.link;
    if (!this.#here.length) return this.#page.view.tell("No engine is here. See below what each one needs.");
    for (const row of this.#here) Object.assign(row, { state: "searching", counting: false, error: "" });
    await this.#ask("/solve", limit, "Searching …", (row, { error, solutions, stopped, seconds }) => {
      if (error) row.fail(error);
      else {
        const grids = solutions.map((rows) => rows.flat());
        Object.assign(row, { state: "answered", solutions: grids, stopped, seconds });
        const known = new Set(this.#found.map(String));
        this.#found.push(...grids.filter((each) => !known.has(String(each))));
      }
      this.#show();
      return this.#compare();
    });
  }

  /** Ask every engine how many solutions there are; one that is still searching counts instead. */
  async #countAll() {
    for (const row of this.#here) {
      Object.assign(row, { state: row.state === "answered" ? "answered" : "stopped", counting: true, error: "" });
    }
    await this.#ask("/count", COUNTED, "Counting …", (row, { error, count, stopped, seconds }) => {
      if (!error) Object.assign(row, { count: { count, stopped }, seconds });
      else if (!wasCancelled(error)) row.fail(error);
      row.counting = false;
      this.#show();
      this.#verdict = verdictOnCounts(this.#counts);
      this.#render();
    });
  }

  /** Ask every engine; `take` gets its row and the answer or the `error`, unless there is a newer question. */
  async #ask(path, limit, text, take) {
    const run = ++this.#run;
    this.#comparison++;
    this.#verdict = null;
    this.#wait(text);
    this.#render();
    const question = async (row) => {
      const body = { ...this.#page.puzzle(), engine: row.info.name, limit };
      const said = await ask(path, body, row.sort).catch((error) => ({ error }));
      if (run === this.#run) await take(row, said);
    };
    await Promise.all(this.#here.map(question));
  }

  // --- do they agree? ----------------------------------------------------------------------------

  /** The engines that can be asked. */
  get #here() {
    return this.#rows.filter(({ state }) => state !== "missing");
  }

  /** The numbers of solutions that are known, by engine. */
  get #counts() {
    return new Map(this.#rows.filter(({ count }) => count).map(({ info, count }) => [info.engine, count]));
  }

  /** The rows of those that have answered, by engine. */
  get #answers() {
    return new Map(this.#rows.filter(({ state }) => state === "answered").map((row) => [row.info.engine, row]));
  }

  /** Compare the answers that have come. */
  async #compare() {
    const comparison = ++this.#comparison;
    const mine = () => comparison === this.#comparison;
    const answers = this.#answers;
    if (this.#here.length === 1) this.#verdict = { text: "There is no other engine to compare with." };
    if (answers.size < 2) return this.#render();
    this.#verdict = { text: "Comparing …" };
    this.#render();
    try {
      const others = [...unlisted(answers)];
      const rejected = await Promise.all(others.map(async ([name, grids]) => [name, await this.#rejected(answers.get(name), grids)]));
      if (!mine()) return;
      const found = verdict(answers, new Map(rejected), this.#page.game.size);
      this.#verdict = { ...found, text: `${found.text}${this.#pending()}` };
    } catch (error) {
      if (!mine()) return;
      this.#verdict = { text: wasCancelled(error) ? "" : `Not compared: ${error.message}` };
    }
    this.#render();
  }

  /** Who is still searching, in a sentence. */
  #pending() {
    const names = this.#rows.filter(({ state }) => state === "searching").map(({ info }) => info.engine);
    return names.length ? ` ${listed(names)} ${names.length === 1 ? "is" : "are"} still searching.` : "";
  }

  /** The solutions of others that an engine rejects; those that it has not listed, if it has all. */
  async #rejected({ info, sort, stopped }, grids) {
    if (!stopped || !grids.length) return grids;
    const rows = grids.map((cells) => rowsOf(cells, this.#page.game.size));
    const { rejected } = await ask("/confirm", { ...this.#page.puzzle(), engine: info.name, grids: rows }, sort);
    return rejected.map((each) => each.flat());
  }

  // --- the message and the board -----------------------------------------------------------------

  get #searching() {
    return this.#rows.some(({ state }) => state === "searching");
  }

  #wait(text) {
    const stop = () => this.#rows.forEach(({ sort }) => cancel(sort));
    const { now } = this.#page.view;
    const before = now && now === this.#shown ? now : null;
    this.#put({ ...before, text, actions: [["Stop", stop]], busy: true });
  }

  #put(view) {
    this.#shown = view;
    this.#page.view.show(view);
  }

  /** Show what is known so far, if the page still shows the answer of the engines. */
  #show() {
    const { view } = this.#page;
    if (!this.#shown || view.now !== this.#shown) return;
    if (this.#found.length > this.#index || (this.#found.length && !this.#searching)) {
      return this.#put(this.#solution(Math.min(this.#index, this.#found.length - 1)));
    }
    const rows = [...this.#answers.values()];
    if (rows.some(({ stopped }) => !stopped)) return this.#put(this.#none());
    if (this.#searching) return;
    if (rows.length) return view.tell(`No engine found a solution in ${this.#page.about().timeout} s.`);
    const errors = this.#rows.map(({ error }) => error).filter(Boolean);
    if (errors.length) view.tell(errors[0]);
    else view.close();
  }

  #none() {
    const { view, reason } = this.#page;
    return { text: "There is no solution.", actions: [...reason("Why none?", "conflicts"), view.closing] };
  }

  #solution(index) {
    this.#index = index;
    const rows = [...this.#answers.values()];
    const all = rows.some(({ stopped }) => !stopped); // somebody knows that there are no more
    const most = this.#page.about().solutions;
    const more = !all && rows.some(({ stopped }) => stopped === "limit") && this.#limit < most;
    const number = this.#found.length;
    const actions = [["Fill in", () => this.#page.game.fill(this.#found[index])], this.#page.view.closing];
    if (number > 1 || !all) {
      actions.unshift(
        ["Previous", () => this.#go(index - 1), index === 0],
        ["Next", () => this.#go(index + 1), index + 1 === number && !more],
      );
    }
    const counting = this.#rows.some((row) => row.counting || row.count);
    if (!all && !counting) actions.splice(2, 0, ["Count", () => this.#countAll()]);
    if (number > 1) actions.push(...this.#page.reason("Why several?", "ambiguity"));
    const solution = this.#found[index];
    return { text: this.#count(index, rows, all), solution, shown: solution, actions };
  }

  #count(index, rows, all) {
    const number = this.#found.length;
    const counts = [...this.#counts.values()];
    const total = all ? number : counts.find(({ stopped }) => !stopped)?.count;
    if (total) return total === 1 ? "The only solution." : `Solution ${index + 1} of ${inFigures(total)}.`;
    const listed = rows.some(({ stopped }) => stopped === "limit") ? this.#limit + 1 : 0;
    const least = Math.max(number, listed, ...counts.map(({ count }) => count));
    return `Solution ${index + 1} of at least ${inFigures(least)}.`;
  }

  #go(index) {
    if (index < this.#found.length) return this.#put(this.#solution(index));
    return this.#search(Math.min(this.#limit * 10, this.#page.about().solutions), index);
  }

  // --- the panel -----------------------------------------------------------------------------------

  #render() {
    const focused = $("engine-rows").contains(document.activeElement) && document.activeElement.dataset.engine;
    $("engine-rows").replaceChildren(...this.#rows.map((row) => this.#line(row)));
    const again = focused && $("engine-rows").querySelector(`[data-engine="${focused}"]`);
    if (focused) (again ?? $("solve")).focus();
    const { text = "", agree, cells = [] } = this.#verdict ?? {};
    if ($("verdict-text").textContent !== text) $("verdict-text").textContent = text;
    $("verdict").className = agree === undefined ? "" : agree ? "agree" : "differ";
    $("verdict-show").hidden = !cells.length;
    $("verdict-show").onclick = () => this.#mark();
  }

  #line(row) {
    const { engine, version } = row.info;
    const busy = row.counting || row.state === "searching";
    const time = row.seconds === null || row.state === "failed" ? "" : milliseconds(row.seconds);
    return part(
      "tr",
      { className: row.state },
      part("th", { scope: "row", title: version ? `${engine} ${version}` : "" }, engine),
      part("td", {}, this.#says(row)),
      part("td", { className: "time" }, busy ? this.#stop(row) : time),
    );
  }

  #says(row) {
    const { info, state, error, counting, count } = row;
    if (counting) return "counting …";
    if (count && state !== "failed") return solutions(count.count, count.stopped);
    if (state === "missing") return `is missing: ${info.why} ${info.fix ?? ""}`.trim();
    const found = solutions(row.solutions.length, row.stopped);
    return { ready: "ready", searching: "searching …", stopped: "stopped", failed: error, answered: found }[state];
  }

  #stop({ info, sort }) {
    const stop = button("Stop", () => cancel(sort), { ariaLabel: `Stop ${info.engine}` });
    stop.dataset.engine = info.name;
    return stop;
  }

  /** Show on the board where the engines differ. */
  #mark() {
    const { text, cells, grid } = this.#verdict;
    const cellRoles = new Map(cells.map((cell) => [cell, ["difference"]]));
    this.#page.view.show({ text, shown: grid, cellRoles, actions: [this.#page.view.closing] });
  }
}

/** A number of solutions in words: all that there are, unless something stopped the engine. */
function solutions(number, stopped) {
  if (stopped === "limit") return `more than ${counted(number, "solution")}`;
  const words = counted(number || "no", "solution");
  return stopped ? `${words} when its time ran out` : words;
}

function milliseconds(seconds) {
  const time = seconds * 1000;
  return `${time < 9.95 ? time.toFixed(1) : Math.round(time)} ms`;
}
