// Seconds beside whatever says that something goes on.

import { part } from "./elements.js";

const SOON = 2; // seconds that nobody counts

/** The seconds since now, from the second one on; screen readers skip them. */
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
