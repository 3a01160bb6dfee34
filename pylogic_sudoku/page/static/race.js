// Two programs on one question: each answers by itself, and the line between them says whether they agree.

import { said, unlisted } from "./agreement.js";
import { ask, cancel, REFUSED, wasCancelled } from "./api.js";
import { $, buttons, fill, part } from "./elements.js";
import { SIDES } from "./program.js";
import { write } from "./side.js";

const NAMED = 2; // lines of a program to which buttons lead
const NEVER = new Promise(() => {});

/**
 * A race of both programs on a sudoku, or on an instance of a problem. A subclass says what is asked and how it shows:
 *
 * - `side(name)` makes a side, and `panels` has by its name the part of the page with its program;
 * - `body(side)` has the fields of a question to a side, and `keyOf(solution)` the text by which solutions are told apart;
 * - `prepared()` is awaited before the sides are asked, `answerOf(each)` is what a side answers, `came(each)` shows that,
 *   and `settled()` does what follows the verdict;
 * - `compared(all, rejected)` is the verdict if all have answered.
 */
export class Race {
  #prefix; // of the ids of its elements
  #kinds; // of the questions that another one cancels
  #number = 0; // of the question: late answers to an old one are dropped
  sides = []; // what each side says
  #detailed = new Set(); // the sides whose details show
  verdict = {}; // whether they agree, and in words; `actions` if there is none yet

  constructor(prefix, kinds) {
    this.#prefix = prefix;
    this.#kinds = kinds;
    const both = $("both").content.cloneNode(true);
    for (const each of both.querySelectorAll("[data-id]")) each.id = `${prefix}${each.dataset.id}`;
    this.element("race").prepend(both);
  }

  // --- what differs ------------------------------------------------------------------------------

  word = "solution";
  toJson = (solution) => solution;
  fromJson = (solution) => solution;

  async prepared() {}

  /** The verdict before any comparison, if there is one. */
  early() {
    return null;
  }

  /** The buttons beside the verdict when all have answered, and those of a side. */
  actions() {
    return [];
  }

  doings() {
    return [];
  }

  /** More about a side, line by line, for those who ask. */
  details() {
    return [];
  }

  /** The number of its solutions in words; `one` stands for 1. */
  numberOf({ solutions, stopped }, one) {
    return said({ count: solutions.length, stopped }, this.word, one);
  }

  verdictText() {
    return this.verdict.text ?? "";
  }

  // --- the questions -----------------------------------------------------------------------------

  element(name) {
    return $(`${this.#prefix}${name}`);
  }

  having(wanted) {
    return this.sides.filter(({ state }) => state === wanted);
  }

  /** Whether somebody is asked. */
  get isBusy() {
    return this.sides.some(({ isBusy }) => isBusy);
  }

  /** Whether nothing has been asked. */
  get isIdle() {
    return this.having("idle").length === this.sides.length;
  }

  sort(side, kind = "solve") {
    return `${this.#prefix}${kind} ${side}`;
  }

  /** Ask the program of a side. */
  ask({ side }, path, more = {}, kind = "solve") {
    return ask(path, { ...this.body(side), ...more }, this.sort(side, kind));
  }

  /** What a promise brings; if something else is asked meanwhile, nothing that waits for it goes on. */
  async current(promise) {
    const mine = this.#number;
    try {
      return await promise;
    } finally {
      if (mine !== this.#number) await NEVER;
    }
  }

  /** What comes from now on belongs to another question. */
  next() {
    this.#number++;
  }

  forget() {
    this.next();
    for (const side of Object.keys(SIDES)) for (const kind of this.#kinds) cancel(this.sort(side, kind));
    this.sides = Object.keys(SIDES).map((side) => this.side(side));
    this.verdict = {};
    this.#clear();
  }

  /** Take the marks and the warnings out of the programs. */
  #clear() {
    for (const panel of Object.values(this.panels)) {
      panel.mark([]);
      panel.warn([]);
    }
  }

  /** Stop what a side is asked. */
  halt(side) {
    cancel(this.sort(side));
  }

  stop() {
    for (const { side } of this.sides) this.halt(side);
  }

  /** Ask both sides, and compare what they answer. */
  async search() {
    this.next();
    this.verdict = {};
    for (const each of this.sides) each.begin();
    this.#clear();
    this.render();
    await this.current(this.prepared());
    await this.current(Promise.all(this.sides.map((each) => this.#answer(each))));
    await this.current(this.settle());
    await this.settled();
  }

  async #answer(each) {
    await this.current(each.answer(() => this.answerOf(each)));
    this.panels[each.side].mark(each.places);
    this.panels[each.side].warn(each.warnings);
    this.came(each);
    this.render();
  }

  // --- do they agree? ----------------------------------------------------------------------------

  /** Find the verdict on the answers of the sides, and of others. */
  async settle(others = []) {
    const failed = (error) => ({ text: wasCancelled(error) ? "" : `Not compared: ${error.message}` });
    this.verdict = await this.current(this.#judgement([...this.sides, ...others]).catch(failed));
    this.render();
  }

  async #judgement(all) {
    const early = this.early();
    if (early) return early;
    if (this.having("answered").length < this.sides.length) return { text: this.alone() };
    const lacking = unlisted(all, this.keyOf);
    const rejected = await Promise.all(all.map(async (each) => [each, await this.#rejected(each, lacking.get(each))]));
    return this.compared(all, new Map(rejected));
  }

  /** Those solutions of others that one rejects: all that it has not listed, if it has all. Null if nobody can ask it. */
  async #rejected(each, solutions) {
    if (!each.stopped || !solutions.length) return solutions;
    if (each.isChanged) return null;
    try {
      return (await this.ask(each, "/confirm", { solutions: solutions.map(this.toJson) })).rejected.map(this.fromJson);
    } catch (error) {
      if (error.status === REFUSED) return null;
      throw error;
    }
  }

  /** What is known if not both have answered. */
  alone() {
    const [one] = this.having("answered");
    return one ? `Only ${one.name} answered: ${this.numberOf(one, "one")}.` : "Neither program answered.";
  }

  // --- what shows --------------------------------------------------------------------------------

  render() {
    for (const each of this.sides) this.#renderSide(each);
    const { agree } = this.verdict;
    const look = agree === undefined ? (this.isIdle ? "idle" : "") : agree ? "agree" : "differ";
    write(this.element("verdict-text"), this.verdictText());
    for (const each of ["idle", "agree", "differ"]) this.element("verdict").classList.toggle(each, each === look);
    buttons(this.element("verdict-actions"), this.#actions(), () => this.element("solve"));
  }

  #actions() {
    if (this.isBusy) return [["Stop", () => this.stop()]];
    return this.isIdle ? (this.verdict.actions ?? []) : this.actions();
  }

  #renderSide(each) {
    const { side, name, state, message } = each;
    const element = this.element(`said-${side}`);
    const [line, printed, doing, more] = element.children;
    element.dataset.state = each.outcome ?? state;
    each.write(line, this.numberOf(each));
    printed.textContent = message;
    printed.hidden = !message;
    const stop = each.isBusy ? [["Stop", () => this.halt(side), false, `Stop ${name}`]] : [];
    const places = each.places.slice(0, NAMED).map((place) => this.going(each, place));
    const details = this.details(each);
    const isDetailed = this.#detailed.has(side);
    const switched = details.length ? [["Details", () => this.#detail(side), false, `Details of ${name}`, isDetailed]] : [];
    buttons(doing, [...stop, ...places, ...this.doings(each), ...switched], () => this.element("solve"));
    more.hidden = !isDetailed || !details.length;
    fill(more, details.join(" "), () => details.map((text) => part("div", {}, text)));
  }

  /** Show the details of a side, or hide them. */
  #detail(side) {
    this.#detailed = this.#detailed.symmetricDifference(new Set([side]));
    this.render();
  }

  /** The button that leads to a line of a program. */
  going({ side, name }, place) {
    return [`Go to line ${place.line}`, () => this.panels[side].go(place), false, `Go to line ${place.line} of ${name}`];
  }
}
