// The seconds that a question has taken, beside the text that says so.

import { part } from "./elements.js";

const SOON = 2; // seconds until it shows

/** The seconds since this call, from 2 up; screen readers skip them. */
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
