// What the page says at the moment: an answer with its text, legend and buttons, or nothing; and where to look then.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { $, button, part } from "./elements.js";
import { cellOf, houses, sizeOf } from "./puzzle.js";
import { swatch } from "./roles.js";

const PLACES = /\br\d+c\d+\b|\b(row|column|box|region)(?:e?s)? \d+(?:(?:, | and )\d+)*/gi; // that texts name
const NARROW = matchMedia("(max-width: 40rem)");
const QUESTIONS = ["hint", "steps", "check", "why"];

/**
 * Fires "change". What is shown has any of: `title` and `text`; `more`, which is [a heading, a text] to
 * be unfolded; `seconds` that it took; `legend`; `actions`, which are [label, what it does, whether it is
 * disabled]; `busy`; and what the board marks: `shown`, `solution`, `pencil`, `wrong`, `cellRoles`,
 * `candidateRoles`, `links`.
 */
export class View extends EventTarget {
  now = null;
  #busy = false; // whether the buttons are those of a search
  #pressed = ""; // the label of the button that had the focus before

  show(next) {
    this.now = next;
    this.dispatchEvent(new Event("change"));
  }

  close = () => this.show(null);

  /** The button that every answer ends with. */
  closing = ["Close", this.close];

  tell(text) {
    this.show({ text, actions: [this.closing] });
  }

  /** Ask, and show what `then` makes of the answer; `refused` may take an error of the server. */
  async question(path, body, then, refused = null) {
    const mine = { ...this.now, text: "Searching …", more: null, seconds: 0, actions: [["Stop", () => cancel()]], busy: true };
    this.show(mine);
    const start = performance.now();
    try {
      const answer = await ask(path, body);
      if (this.now === mine) this.show({ ...then(answer), seconds: (performance.now() - start) / 1000 });
    } catch (error) {
      if (this.now !== mine) return;
      if (wasCancelled(error)) this.close();
      else if (refused && error.status === 422) await refused(error);
      else this.tell(error.message);
    }
  }

  /** Write the message, or this text if there is none; without a text nothing shows. */
  write(otherwise) {
    const { title = "", text = otherwise, more, seconds, legend = [], actions = [] } = this.now ?? {};
    const busy = Boolean(this.now?.busy) && !this.now.quiet;
    $("message").hidden = !text && !title;
    const said = `${title}\n${text}\n${more}\n${busy}`;
    if ($("text").dataset.said !== said) {
      $("text").dataset.said = said; // or a screen reader would read it out again
      const head = title ? [part("h2", {}, title)] : [];
      const fold = more ? [part("details", {}, part("summary", {}, more[0]), ...linesOf(more[1]))] : [];
      $("text").replaceChildren(...head, ...linesOf(text), ...fold);
      if (busy) $("text").lastChild.append(clock());
      else if (seconds) $("text").append(part("div", { className: "seconds" }, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`));
    }
    $("legend").replaceChildren(...legend.map((mark) => part("li", {}, swatch(mark), mark.label)));
    const { activeElement } = document;
    const focused = $("actions").contains(activeElement);
    if (!this.#busy) this.#pressed = focused ? activeElement.textContent : "";
    this.#busy = busy;
    $("actions").replaceChildren(...actions.map(([label, run, disabled = false]) => button(label, run, { disabled })));
    if (focused) focusAgain(this.#pressed);
  }
}

/** Focus the button with this label; if it cannot be pressed, the first that can, or else the board. */
function focusAgain(label) {
  const buttons = [...$("actions").children].filter(({ disabled }) => !disabled);
  const same = buttons.find(({ textContent }) => textContent === label);
  (same ?? buttons[0] ?? $("board").querySelector("[tabindex='0']")).focus();
}

/** The lines of a text as elements, in which cells and houses are marked as places. */
const linesOf = (text) =>
  text.split("\n").map((line) => part("div", { className: line.startsWith("  ") ? "indented" : "" }, ...withPlaces(line.trim())));

function withPlaces(line) {
  const places = [...line.matchAll(PLACES)];
  const ends = [0, ...places.map(({ index, 0: place }) => index + place.length)];
  return [...places.flatMap(({ index, 0: place }, at) => [line.slice(ends[at], index), part("span", { className: "place" }, place)]), line.slice(ends.at(-1))];
}

/** The cells of a place that a text names, such as "r1c3" or "rows 1, 3 and 7". */
function cellsAt(place, puzzle) {
  if (/^r\d/i.test(place)) return [cellOf(place, sizeOf(puzzle.box))];
  const numbers = place.match(/\d+/g).map(Number);
  const named = ({ kind, number }) => place.toLowerCase().startsWith(kind) && numbers.includes(number);
  return houses(puzzle).filter(named).flatMap(({ cells }) => cells);
}

/** Let the cells that the text below the pointer names light up on the board. */
export function lightPlaces(board, puzzle) {
  let lit = [];
  const light = ({ target, type }) => {
    for (const cell of lit) board.cell(cell)?.classList.remove("lit");
    const place = type === "pointerleave" ? null : target.closest(".place");
    lit = place ? cellsAt(place.textContent, puzzle()) : [];
    for (const cell of lit) board.cell(cell)?.classList.add("lit");
  };
  for (const type of ["pointerover", "pointerleave", "click"]) $("text").addEventListener(type, light);
}

// --- where to look, and where the keyboard is, when an answer has come ---------------------------

/** Let each answer of the view be seen, on a phone in its tab, and its buttons be near; call it after the view is drawn. */
export function seeAnswers(view, board, tab) {
  const toAnswer = followKeyboard(QUESTIONS.map($), $("actions"));
  scrollable($("text"), $("legend"));
  let before = null; // the tab that was left for the answer
  view.addEventListener("change", () => {
    const { now } = view;
    const main = document.querySelector("main");
    if (now?.text && !now.quiet && main.dataset.tab !== "explain") {
      before = main.dataset.tab;
      tab("explain");
    } else if (!now && before) {
      tab(before);
      before = null;
    }
    if (!now || now.busy) return;
    toAnswer();
    if (NARROW.matches && now.shown) showBoard($("board").parentElement);
  });
}

/** Scroll so that the board shows, if it does not. */
function showBoard(frame) {
  const { top } = frame.getBoundingClientRect();
  if (top < 0) scrollBy(0, top);
}

/**
 * After a question that was asked by keyboard, move to the first button of the answer: call the
 * function that this returns when the answer shows.
 */
function followKeyboard(buttons, actions) {
  let asked = null;
  for (const each of buttons) each.addEventListener("click", ({ detail }) => (asked = detail ? null : each));
  return () => {
    const first = [...actions.children].find((each) => !each.disabled);
    if (asked && document.activeElement === asked && first) first.focus();
    asked = null;
  };
}

/** Let these elements have the focus while they scroll, so that the arrow keys scroll them. */
function scrollable(...elements) {
  for (const element of elements) {
    const check = () => {
      const scrolls = element.scrollHeight > element.clientHeight + 1;
      element.toggleAttribute("data-scrolls", scrolls);
      if (scrolls) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    };
    new ResizeObserver(check).observe(element);
    new MutationObserver(check).observe(element, { childList: true, subtree: true });
  }
}
