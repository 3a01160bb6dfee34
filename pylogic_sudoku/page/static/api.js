// Questions about puzzles, and how long they take. Of each sort, a new one cancels the one before.

import { answer } from "./answerer.js";
import { part } from "./elements.js";

/** The status of an error: time ran out, or what is asked is wrong. */
export const LATE = 504;
export const REFUSED = 422;
const SOON = 2; // seconds until a clock shows
const running = new Map(); // what can abort the last question of each sort

/** The answer to a question; see `answer` for the errors. */
export function ask(path, body, sort = "question") {
  cancel(sort);
  const mine = new AbortController();
  running.set(sort, mine);
  return answer(path, body, mine.signal);
}

export const cancel = (sort = "question") => running.get(sort)?.abort();

export const wasCancelled = (error) => error.name === "AbortError";

/** The seconds since this call, from 2 up, beside the text that says so; screen readers skip them. */
export function clock() {
  const element = part("span", { className: "clock", ariaHidden: "true" });
  element.dataset.since = performance.now();
  return element;
}

setInterval(() => {
  for (const element of document.querySelectorAll("[data-since]")) {
    const seconds = Math.floor((performance.now() - Number(element.dataset.since)) / 1000);
    if (seconds >= SOON) element.textContent = ` ${seconds} s`;
  }
}, 1000);
