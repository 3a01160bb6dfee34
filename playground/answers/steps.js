// The steps that a person would take, always the simplest there is.

import { limited } from "./limits.js";
import { Walk } from "./steps/walk.js";

let last = null; // the walk of the question before: the page asks for more of it

/** Steps up to `limit`; those found so far if time runs out. */
export async function steps({ limit, ...about }, signal) {
  const key = JSON.stringify({ ...about, puzzle: { ...about.puzzle, marks: [...about.puzzle.marks] } });
  if (last?.key !== key || last.walk.busy) last = { key, walk: new Walk(about) };
  const { walk } = last;
  const { stopped } = await limited(signal, async (within) => {
    await walk.upTo(limit, within);
    return {};
  });
  return walk.answer(limit, stopped);
}
