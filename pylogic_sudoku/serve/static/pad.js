// The buttons for digits, marks and colours, and what they do at the moment: the mode.

import { isElsewhere } from "./board.js";
import { part } from "./elements.js";
import { COLOURS } from "./notes.js";

const $ = (id) => document.getElementById(id);
const MODES = { z: "digit", x: "corner", c: "centre", v: "colour", r: "gone" };
const range = (length) => Array.from({ length }, (_, index) => index + 1);

/** Fires "press" (detail: the number that was pressed) and "mode". */
export class Pad extends EventTarget {
  #mode = "digit";
  #shown = "";
  #size = 9;
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
   * Show the buttons of a grid of n rows: `left` says how often each digit is still to come,
   * `candidates` are those to stand out, and `colour` is that of the cell.
   */
  show(n, { left, candidates, colour }) {
    const { mode } = this;
    this.#size = n;
    for (const each of Object.values(MODES)) {
      $(`mode-${each}`).setAttribute("aria-pressed", each === mode);
      $(`mode-${each}`).disabled = this.setting && each !== "digit";
    }
    this.#build(n, mode === "colour");
    [...$("pad").children].forEach((button, index) => {
      const number = index + 1;
      if (mode === "colour") return button.setAttribute("aria-pressed", colour === number);
      button.classList.toggle("done", left[number] <= 0);
      button.classList.toggle("candidate", candidates.has(number));
      button.title = left[number] > 0 ? `${left[number]} more` : "";
    });
  }

  #build(n, colours) {
    const shown = `${n} ${colours}`;
    if (shown === this.#shown) return; // or a button would lose the focus
    this.#shown = shown;
    const count = colours ? COLOURS.length : n;
    const press = (number) => () => this.dispatchEvent(new CustomEvent("press", { detail: number }));
    const button = (number) => {
      const onclick = press(number);
      if (!colours) return part("button", { type: "button", textContent: number, onclick });
      const name = COLOURS[number - 1];
      const more = { className: `coloured colour-${number}`, ariaLabel: `${name}, ${number}`, title: name };
      return part("button", { type: "button", textContent: number, onclick, ...more });
    };
    $("pad").replaceChildren(...range(count).map(button));
    $("pad").setAttribute("aria-label", colours ? "Colours" : "Digits");
    $("pad").style.setProperty("--columns", Math.ceil(count / Math.ceil(count / 9)));
  }

  #key(event) {
    const mode = MODES[event.key.toLowerCase()];
    if (!mode || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isElsewhere(event)) return;
    if (parseInt(event.key, 36) <= this.#size) return; // C is 12
    if (!this.setting) this.choose(mode);
  }
}
