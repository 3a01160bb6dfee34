// The lessons: pairs of programs that grow line by line into sudoku, one for each side.

import { SIDES } from "./program.js";
import { $ } from "./elements.js";

const LESSONS = ["cells", "givens", "rows", "columns", "boxes"];
const ENDINGS = { clingo: "lp", prolog: "pl" };

export class Lessons {
  #page; // what it needs of the page: programs, solve
  #at = null; // the number of the lesson that is shown, from 0

  constructor(page) {
    this.#page = page;
    $("lessons").addEventListener("click", () => (this.#at === null ? this.#go(0) : this.#leave()));
    $("lesson-back").addEventListener("click", () => this.#go(this.#at - 1));
    $("lesson-next").addEventListener("click", () => this.#go(this.#at + 1));
    $("lesson-leave").addEventListener("click", () => this.#leave());
  }

  /** Set both programs to those of a lesson. */
  async #go(at) {
    this.#at = at;
    const texts = await Promise.all(Object.keys(SIDES).map((side) => this.#text(side, at)));
    if (this.#at !== at) return;
    Object.keys(SIDES).forEach((side, index) => this.#page.programs[side].teach(texts[index]));
    const [, title] = /^% \d\. (.*)/.exec(texts[0]);
    $("lesson-title").textContent = `Lesson ${at + 1} of ${LESSONS.length}: ${title}`;
    $("lesson-back").disabled = at === 0;
    $("lesson-next").disabled = at + 1 === LESSONS.length;
    this.#render();
  }

  async #text(side, at) {
    return (await fetch(`lessons/${at + 1}-${LESSONS[at]}.${ENDINGS[side]}`)).text();
  }

  #leave() {
    this.#at = null;
    for (const program of Object.values(this.#page.programs)) program.teach(null);
    this.#render();
    $("lessons").focus();
  }

  #render() {
    $("lesson").hidden = this.#at === null;
    $("lessons").setAttribute("aria-pressed", this.#at !== null);
  }
}
