// The way from a puzzle to its solution, step by step.

import { facts } from "../asp.js";
import { texts } from "../engines.js";
import { inOrder, placementsOf } from "../cells.js";
import { possible } from "../explainer.js";
import { Refusal } from "../refusal.js";
import { Position } from "./position.js";
import { rated, scaleOf } from "./scales.js";
import { shown } from "./shown.js";
import { atOnce, by } from "./techniques.js";
import { counted } from "../../words.js";

const KINDS = { box: 1, region: 1, row: 2, column: 3 }; // the order in which people look at houses

/** The steps from a puzzle on, found as they are asked for. */
export class Walk {
  steps = [];
  busy = false;
  #about;
  #possible = null; // the candidates of all solutions
  #end = null; // why there is no further step: "sure" or "stuck"
  #techniques;
  #scale;

  constructor({ puzzle, removed = [] }) {
    this.#about = { removed: placementsOf(removed) };
    this.position = Position.of(puzzle, this.#about.removed);
  }

  /** Find steps until there are `limit` of them. */
  async upTo(limit, signal) {
    this.busy = true;
    try {
      await this.#start(signal);
      while (this.steps.length < limit && this.position.empty && !this.#end) {
        const found = await this.#simplest(signal);
        if (found) this.#take(found);
      }
    } finally {
      this.busy = false;
    }
  }

  answer(limit, stopped) {
    const solved = !this.position.empty && this.steps.length <= limit;
    const ended = solved || (this.#end && this.steps.length <= limit);
    return {
      steps: this.steps.slice(0, limit),
      outcome: stopped ? "Time ran out." : this.#outcome(),
      stopped: ended ? null : (stopped ?? "limit"),
      rating: solved ? rated(this.steps, this.#scale) : null,
    };
  }

  #outcome() {
    const empty = `${counted(this.position.empty, "empty cell")} left`;
    if (!this.position.empty) return "The puzzle is solved.";
    if (this.#end === "sure") return `Nothing more is sure: ${empty}, as there are several solutions.`;
    if (!this.#end) return `${empty}.`;
    return (
      `The playground knows no technique that leads on: ${empty}.\n` +
      "The next step would be a minimal set of rules. For these, install pylogic-sudoku. " +
      "Here, Solve shows the solution, and Why? gives the reason for a digit."
    );
  }

  async #start(signal) {
    if (this.#possible) return;
    this.#techniques = (await texts).techniques;
    this.#scale = scaleOf(this.#techniques);
    const allowed = await allowedBy(this.position.puzzle, this.#about.removed, signal);
    this.#possible = new Set(allowed.map(String));
  }

  /** A step by the easiest technique; of several, the one that does most. */
  async #simplest(signal) {
    const { position } = this;
    const found = await atOnce(position, signal);
    if (!found.length && [...position.left].every((each) => this.#possible.has(each))) {
      this.#end = "sure";
      return null;
    }
    const rank = ({ technique }) => this.#scale.order.indexOf(technique);
    let easiest = Math.min(...found.map(rank));
    for (const technique of this.#inTurn()) {
      if (easiest <= rank({ technique })) break;
      const more = await by(technique, position, signal);
      found.push(...more);
      easiest = Math.min(easiest, ...more.map(rank));
    }
    if (!found.length) this.#end = "stuck";
    const preferred = found.map((each) => ({ each, by: this.#preference(each) }));
    return preferred.sort((one, other) => inOrder(one.by, other.by))[0]?.each;
  }

  /** The techniques beyond singles and locked candidates that are asked for, the easiest first. */
  #inTurn() {
    const { table } = this.#techniques;
    const keys = this.#scale.order;
    return keys.filter((key) => table[key].program && table[key].program !== "singles");
  }

  /** The least is the step to take: the easiest, then the one that does most. */
  #preference(found) {
    const { technique, must, most, chain, removed } = found;
    const order = this.#scale.order.indexOf(technique);
    const kinds = must.map((rule) => KINDS[rule[1]] ?? 0);
    return [order, chain.length, -removed.length, must.length + most.length, kinds, must, most];
  }

  #take(found) {
    this.steps.push(shown(found, this.position, this.#scale, this.#techniques.table));
    this.position = this.position.after(found);
  }
}

/** The placements of all solutions without the removed candidates. */
async function allowedBy(puzzle, removed, signal) {
  const given = facts(puzzle);
  const without = [given, ...removed.map((each) => `excluded(${each}).`)].join("\n");
  const found = await possible(puzzle, without, signal);
  if (found.length) return found;
  const before = removed.length ? await possible(puzzle, given, signal) : [];
  if (!before.length) {
    throw new Refusal("The puzzle has no solution, so no step leads to one; ask for its conflicts to see what clashes.");
  }
  throw new Refusal("Every solution needs some of the removed candidates.");
}
