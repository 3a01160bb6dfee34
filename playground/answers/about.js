// What the playground can do, and with which engines.

import { clingo, prolog } from "./engines.js";
import { FORMATS } from "./reading.js";
import { SIZE, SOLUTIONS, TIMEOUT } from "./limits.js";

/** The questions that are answered; `answerer.js` lists them. */
export const KNOWN = [];

export async function about() {
  return {
    engines: await Promise.all([clingo, prolog].map((engine) => engine.info())),
    formats: FORMATS,
    readable: [], // a text is recognized by its content alone
    timeout: TIMEOUT,
    solutions: SOLUTIONS,
    size: SIZE,
    rules: 0,
    kinds: [],
    programs: KNOWN.includes("run"),
    questions: KNOWN,
  };
}
