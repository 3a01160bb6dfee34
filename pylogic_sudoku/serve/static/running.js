// Changed files of a program: they run on the puzzle, and the answer says whether that is right.

import { ask, cancel, wasCancelled } from "./api.js";
import { clock } from "./clock.js";
import { part } from "./elements.js";
import { mistakes } from "./puzzle.js";
import { counted } from "./words.js";

export class Changed {
  #engine;
  #game;
  #page; // what it needs of the page: view, puzzle, about
  #go; // selects a line of a file
  #mark; // marks the lines of `places`
  #texts = new Map(); // of changed files, by name
  #names = []; // of the files that this puzzle needs
  places = []; // the lines that the last answer is about
  #run = part("button", { type: "button", className: "primary", onclick: () => this.run() }, "Run on this puzzle");
  #halt = part("button", { type: "button", hidden: true, onclick: () => this.stop() }, "Stop");
  #said = part("p", { role: "status" });
  #message = part("pre", { tabIndex: 0, role: "group", ariaLabel: "Messages", hidden: true });
  #actions = part("div", { className: "buttons" });

  constructor(engine, game, page, go, mark) {
    this.#engine = engine;
    this.#game = game;
    this.#page = page;
    this.#go = go;
    this.#mark = mark;
    this.#message.dataset.scrolls = ""; // the arrow keys scroll it
    this.element = part("div", { className: "ran" }, this.#said, this.#message, this.#actions);
    this.buttons = [this.#run, this.#halt];
  }

  has(name) {
    return this.#texts.has(name);
  }

  text(name) {
    return this.#texts.get(name);
  }

  /** Make this the text of a file; null for the text that it had. */
  change(name, text) {
    if (text === null) this.#texts.delete(name);
    else this.#texts.set(name, text);
  }

  /** Forget the answer; the puzzle needs these files. */
  forget(names) {
    this.#names = names;
    this.#run.hidden = !this.#page.about().programs;
    this.#say("");
  }

  stop() {
    cancel(this.#sort);
  }

  async run() {
    const files = Object.fromEntries([...this.#texts].filter(([name]) => this.#names.includes(name)));
    this.#say("Running …");
    this.#said.append(clock());
    delete this.element.dataset.outcome;
    this.#halt.hidden = false;
    try {
      const body = { ...this.#page.puzzle(), engine: this.#engine, files };
      this.#show(await ask("/run", body, this.#sort));
    } catch (error) {
      this.#say(wasCancelled(error) ? "Stopped." : error.message);
    }
    this.#halt.hidden = true;
  }

  get #sort() {
    return `run ${this.#engine}`;
  }

  #say(text, message = "", actions = [], places = []) {
    this.#said.textContent = text;
    this.places = places;
    this.#mark();
    this.#message.textContent = message;
    this.#message.hidden = !message;
    this.#actions.replaceChildren(
      ...actions.map(([label, run]) => part("button", { type: "button", onclick: run }, label)),
    );
  }

  #show(answer) {
    const { outcome, text, message, places, duplicates, seconds } = answer;
    const again = duplicates ? ` ${counted(duplicates, "answer")} came again.` : "";
    const actions = places
      .filter(({ file }) => this.#names.includes(file))
      .slice(0, 3)
      .map((place) => [`Go to ${place.file}, line ${place.line}`, () => this.#go(place)]);
    const shows = [
      [answer.grids, answer.grids.length === 1 ? "Show its answer" : "Show its answers"],
      [answer.wrong_grid && [answer.wrong_grid], "Show the wrong answer"],
      [answer.missing_grid && [answer.missing_grid], "Show the missing solution"],
    ];
    for (const [grids, label] of shows) {
      if (grids?.length) actions.push([label, () => this.#board(grids, 0, text)]);
    }
    this.#say(`${text}${again} (${Math.round(seconds * 1000)} ms)`, message, actions, places);
    this.element.dataset.outcome = outcome;
  }

  /** Show one of several grids on the board, with its mistakes. */
  #board(grids, index, text) {
    const shown = grids[index].flat().map((digit) => digit ?? 0);
    const { view } = this.#page;
    const to = (next) => [() => this.#board(grids, next, text), !grids[next]];
    const turning = [["Previous", ...to(index - 1)], ["Next", ...to(index + 1)]];
    const wrong = mistakes(shown, this.#game.puzzle);
    const several = grids.length > 1;
    view.show({
      text: several ? [`Answer ${index + 1} of ${grids.length}.`, ...wrong.texts.slice(0, 3)].join("\n") : text,
      shown,
      wrong: wrong.cells,
      actions: [...(several ? turning : []), view.closing],
    });
    document.getElementById("board").scrollIntoView({ block: "nearest" });
  }
}
