// What the page says at the moment: an answer with its text, legend and buttons, or nothing; and where to look then.

import { cancel, clock, REFUSED, wasCancelled } from "./api.js";
import { $, buttons, fill, part } from "./elements.js";
import { cellOf, houses, sizeOf } from "./puzzle.js";
import { swatch } from "./roles.js";

const PLACES = /(\br\d+c\d+\b|\b(?:row|column|box|region)(?:e?s)? \d+(?:(?:, | and )\d+)*)/i; // that texts name
const NARROW = matchMedia("(max-width: 40rem)");
const QUESTIONS = ["hint", "steps", "check", "why"];

/**
 * Fires "change". What is shown has any of: `title` and `text`; `more`, which is [a heading, a text] to
 * be unfolded, with the `seconds` that it took; `legend`; `actions`, which are [label, what it does, whether it is
 * disabled], beside "Close"; `busy`; `quiet` if no tab opens for it; `brief` for a note below the board; and what the board
 * marks: `shown`, `solution`, `pencil`, `wrong`, `cellRoles`, `candidateRoles`, `links`.
 */
export class View extends EventTarget {
  now = null;

  show(next) {
    this.now = next;
    this.dispatchEvent(new Event("change"));
  }

  close = () => this.show(null);

  tell(text) {
    this.show({ text });
  }

  /** Say something about a move, below the board. */
  note(text) {
    this.show({ text, quiet: true, brief: true });
  }

  /** Ask, and show what `then` makes of the answer; `refused` may take an error of the server. */
  async question(ask, then, refused = null) {
    const mine = { ...this.now, text: "Searching …", more: null, seconds: 0, actions: [["Stop", () => cancel()]], busy: true };
    this.show(mine);
    const start = performance.now();
    try {
      const answer = await ask();
      if (this.now === mine) this.show({ ...then(answer), seconds: (performance.now() - start) / 1000 });
    } catch (error) {
      if (this.now !== mine) return;
      if (wasCancelled(error)) this.close();
      else if (refused && error.status === REFUSED) await refused(error);
      else this.tell(error.message);
    }
  }

  /** Write the message, if there is one; else below the board the one about that alone. */
  write(otherwise) {
    const { title = "", text = "", more, seconds, legend = [], actions = [], quiet } = this.now?.brief ? {} : (this.now ?? {});
    const standing = text ? "" : (this.now?.text || otherwise);
    fill($("standing"), standing, () => linesOf(standing));
    const busy = Boolean(this.now?.busy) && !quiet;
    const isEmpty = !text && !title;
    $("message").hidden = isEmpty;
    fill($("text"), `${title}\n${text}\n${more}\n${busy}`, () => {
      const lines = linesOf(text);
      if (busy) lines.at(-1).append(clock());
      if (title) lines.unshift(part("h2", {}, title));
      const time = seconds ? [part("div", { className: "seconds" }, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`)] : [];
      if (more) lines.push(part("details", {}, part("summary", {}, more[0]), ...linesOf(more[1]), ...time));
      return lines;
    });
    $("legend").replaceChildren(...legend.map((mark) => part("li", {}, swatch(mark), mark.label)));
    buttons($("actions"), isEmpty || this.now.busy ? actions : [...actions, ["Close", this.close]], () => $("board").querySelector("[tabindex='0']"));
  }
}

/** The lines of a text as elements, in which cells and houses are marked as places. */
const linesOf = (text) =>
  text.split("\n").map((line) => part("div", { className: line.startsWith("  ") ? "indented" : "" }, ...withPlaces(line.trim())));

const withPlaces = (line) =>
  line.split(PLACES).map((piece, at) => (at % 2 ? part("span", { className: "place" }, piece) : piece));

/** The cells of a place that a text names, such as "r1c3" or "rows 1, 3 and 7". */
function cellsAt(place, puzzle) {
  if (/^r\d/i.test(place)) return [cellOf(place, sizeOf(puzzle.box))];
  const numbers = place.match(/\d+/g).map(Number);
  const named = ({ kind, number }) => place.toLowerCase().startsWith(kind) && numbers.includes(number);
  return houses(puzzle).filter(named).flatMap(({ cells }) => cells);
}

/** Let the cells that the text below the pointer names light up on the board. */
export function lightPlaces(board, puzzle) {
  const light = ({ target, type }) => {
    const place = type === "pointerleave" ? null : target.closest(".place");
    board.light(place ? cellsAt(place.textContent, puzzle()) : []);
  };
  for (const type of ["pointerover", "pointerleave", "click"]) for (const id of ["text", "standing"]) $(id).addEventListener(type, light);
}

// --- where to look, and where the keyboard is, when an answer has come ---------------------------

const stage = document.querySelector("main");

/** Whether the searches are in view. */
export const isSearching = () => stage.dataset.tab === "search";

/** Show this part: on a phone below the board, else beside it, where both programs are one part. Fires "tab". */
export function tab(shows) {
  stage.dataset.tab = shows;
  for (const each of $("tabs").children) {
    each.ariaPressed = each.dataset.shows === shows || (each.matches(".wide") && ["clingo", "prolog"].includes(shows));
  }
  stage.dispatchEvent(new Event("tab"));
}

/** Call this when another part is shown. */
export const onTab = (run) => stage.addEventListener("tab", run);

/** Let each answer of the view be seen, in its tab, and its buttons be near; call it after the view is drawn. */
export function seeAnswers(view) {
  let before = null; // the tab that was left for the answer
  let asked = null; // the button of a question that was asked by keyboard
  for (const each of QUESTIONS.map($)) each.addEventListener("click", ({ detail }) => (asked = detail ? null : each));
  $("tabs").addEventListener("click", ({ target }) => {
    if (!target.dataset.shows) return;
    before = null; // the reader has left it
    tab(target.dataset.shows);
    if (!NARROW.matches) return;
    if (target.dataset.shows === "play") $("board").parentElement.scrollIntoView({ block: "nearest" });
    else $("tabs").scrollIntoView({ block: "start" }); // the board is above them
  });
  view.addEventListener("change", () => {
    const { now } = view;
    if (now?.text && !now.quiet && stage.dataset.tab !== "explain") {
      before = stage.dataset.tab;
      tab("explain");
    } else if (!now && before) {
      tab(before);
      before = null;
    }
    if (!now || now.busy) return;
    if (asked && document.activeElement === asked) $("actions").querySelector(":enabled")?.focus();
    asked = null;
    const { top } = $("board").parentElement.getBoundingClientRect();
    if (NARROW.matches && now.shown && top < 0) scrollBy(0, top);
  });
}
