// Questions about puzzles. Of each sort, a new one cancels the one before.

import { answer } from "./answerer.js";

const running = new Map();

/** The answer to a question; see `answer` for the errors. */
export async function ask(path, body, sort = "question") {
  cancel(sort);
  const mine = new AbortController();
  running.set(sort, mine);
  try {
    return await answer(path, body, mine.signal);
  } finally {
    if (running.get(sort) === mine) running.delete(sort);
  }
}

export const cancel = (sort = "question") => running.get(sort)?.abort();

export const wasCancelled = (error) => error.name === "AbortError";
