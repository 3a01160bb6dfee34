// The buttons for digits, and what they do at the moment: the mode.

import { isElsewhere } from "./board.js";
import { $, button } from "./elements.js";

const MODES = { z: "digit", x: "pencil", r: "gone" };

/** Fires "press" (detail: the digit) and "mode". */
export class Pad extends EventTarget {
  #mode = "digit";
  #size = 0;
  setting = false; // then only digits can be typed

  constructor() {
    super();
    for (const mode of Object.values(MODES)) $(`mode-${mode}`).addEventListener("click", () => this.choose(mode));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get mode() {
    return this.setting ? "digit" : this.#mode;
  }

  choose(mode) {
    this.#mode = mode;
    this.dispatchEvent(new Event("mode"));
  }

  /**
   * Show the buttons of a grid of n rows: `left` says how often each digit is still to come, and
   * `candidates` are those to stand out.
   */
  show(n, { left, candidates }) {
    for (const mode of Object.values(MODES)) {
      $(`mode-${mode}`).setAttribute("aria-pressed", mode === this.mode);
      $(`mode-${mode}`).disabled = this.setting && mode !== "digit";
    }
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
    const digit = (_, index) => button(index + 1, press(index + 1));
    $("pad").replaceChildren(...Array.from({ length: n }, digit));
    $("pad").style.setProperty("--columns", Math.ceil(n / Math.ceil(n / 9)));
  }

  #key(event) {
    const mode = MODES[event.key.toLowerCase()];
    if (!mode || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isElsewhere(event)) return;
    if (!this.setting) this.choose(mode);
  }
}
