// One side, on a sudoku or on any problem: how far its answer is, and the answer in words.

import { clock, wasCancelled } from "./api.js";
import { fill, inFigures, part } from "./elements.js";
import { about } from "./page.js";
import { SIDES } from "./program.js";

/** `state` is idle, searching, answered, stopped or failed. */
export class Side {
  state = "idle";
  solutions = [];
  stopped = null; // why there may be more of them
  seconds = 0; // how long its answer took
  text = ""; // what went wrong
  message = ""; // what its engine printed
  warnings = []; // about its program
  messages = []; // what is wrong with it

  constructor(side) {
    this.side = side;
    this.name = SIDES[side].short;
  }

  /** Its question is being answered, and a clock shows for how long; the answer before is dropped. */
  begin() {
    const none = { solutions: [], stopped: null, seconds: 0, text: "", message: "", warnings: [], messages: [] };
    Object.assign(this, none, { state: "searching", clock: clock() });
  }

  /** Take what `ask` makes of the answer, unless its engine is missing, or it is stopped or goes wrong. */
  async answer(ask) {
    try {
      const missing = about.engines.find(({ name, available }) => name === this.side && !available);
      if (missing) throw new Error(`${missing.engine} is missing: ${missing.why} ${missing.fix ?? ""}`);
      Object.assign(this, { state: "answered" }, await ask());
    } catch (error) {
      const { message: text, messages = [], warnings = [] } = error;
      Object.assign(this, wasCancelled(error) ? { state: "stopped" } : { state: "failed", text, messages, warnings });
    }
  }

  /** Whether it is asked something. */
  get isBusy() {
    return this.state === "searching";
  }

  /** How long its answer took, in words. */
  get time() {
    return `${this.stopped === "time" ? "after" : "in"} ${inUnits(this.seconds)}`;
  }

  /** The lines of its program where something is wrong, each once. */
  get places() {
    const found = this.messages.filter(({ line }) => line);
    return [...new Map(found.map(({ file, line }) => [`${file} ${line}`, { file, line }])).values()];
  }

  /** Write into an element how far it is; at the end the answer in words, with its time. */
  write(element, answer) {
    const { state, clock: since, text } = this;
    if (state === "searching") fill(element, since.dataset.since, () => ["searching …", since]);
    else if (state === "answered") fill(element, `${answer} ${this.time}`, () => [answer, " ", part("span", { className: "time" }, this.time)]);
    else write(element, { idle: "", stopped: "stopped", failed: text }[state]);
  }
}

/** Write a text, unless it is there. */
export const write = (element, text) => fill(element, text, () => [text]);

/** 3.2 ms, 48 ms, 0.13 s. */
export function inUnits(seconds) {
  const time = seconds * 1000;
  if (time < 0.05) return "under 0.1 ms";
  if (time >= 99.5) return `${inFigures(Number(seconds.toPrecision(2)))} s`;
  return `${time < 9.95 ? time.toFixed(1) : Math.round(time)} ms`;
}
