// What the playground knows of itself.

import { clingo, prolog } from "./engines.js";
import { FORMATS, READABLE } from "./reading.js";
import { SOLUTIONS, TIMEOUT } from "./limits.js";
import { SHAPES } from "../examples.js";
import { sizeOf } from "../puzzle.js";

/** The questions that are answered; `answerer.js` lists them. */
export const KNOWN = [];

export async function about() {
  return {
    engines: await Promise.all([clingo, prolog].map((engine) => engine.info())),
    formats: FORMATS,
    readable: READABLE,
    timeout: TIMEOUT,
    solutions: SOLUTIONS,
    steps: 300,
    size: Math.max(...SHAPES.map(sizeOf)),
    rules: 0,
    kinds: [],
    programs: KNOWN.includes("run"),
    questions: KNOWN,
  };
}
