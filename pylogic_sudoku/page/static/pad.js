// The buttons for digits, and whether they set digits or notes.

import { isElsewhere } from "./board.js";
import { $, button } from "./elements.js";
import { digitsTo } from "./puzzle.js";

/** Fires "press" (detail: the digit) and "mode". */
export class Pad extends EventTarget {
  #notes = false;
  #size = 0;
  setting = false; // then only digits can be typed

  constructor() {
    super();
    $("notes").addEventListener("click", () => this.#turn());
    document.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() === "x" && !ctrlKey && !metaKey && !altKey && !isElsewhere(event)) this.#turn();
    });
  }

  /** What a digit does: "digit" or "pencil". */
  get mode() {
    return this.#notes && !this.setting ? "pencil" : "digit";
  }

  #turn() {
    this.#notes = !this.#notes;
    this.dispatchEvent(new Event("mode"));
  }

  /**
   * Show the buttons of a grid of n rows: `left` says how often each digit is still to come, and
   * `candidates` are those to stand out.
   */
  show(n, { left, candidates }) {
    $("notes").setAttribute("aria-pressed", this.mode === "pencil");
    $("notes").disabled = this.setting;
    if (n !== this.#size) this.#build(n); // or a button would lose the focus
    [...$("pad").children].forEach((button, index) => {
      const digit = index + 1;
      button.classList.toggle("done", left[digit] <= 0);
      button.classList.toggle("candidate", candidates.has(digit));
      button.title = left[digit] > 0 ? `${left[digit]} more` : "";
    });
  }

  #build(n) {
    this.#size = n;
    const press = (detail) => () => this.dispatchEvent(new CustomEvent("press", { detail }));
    $("pad").replaceChildren(...digitsTo(n).map((digit) => button(digit, press(digit))));
    $("pad").style.setProperty("--columns", Math.ceil(n / Math.ceil(n / 9)));
  }
}
