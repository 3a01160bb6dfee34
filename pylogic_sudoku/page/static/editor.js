// An editor of a program: a text area, and behind it the same text in colours, with line numbers.

import { button, part } from "./elements.js";

const COMMON = [
  ["comment", /%.*/],
  ["string", /"(?:\\.|[^"\\\n])*"?/],
];
const CLINGO = [
  ["comment", /%\*[^]*?(?:\*%|$)/],
  ...COMMON,
  ["variable", /_*[A-Z]\w*|_\b/],
  ["word", /#[a-z]+\b|\bnot\b|:[-~]/],
  ["number", /\b\d+/],
  ["", /_*[a-z]\w*/],
];
const PROLOG = [
  ["comment", /\/\*[^]*?(?:\*\/|$)/],
  ...COMMON,
  ["number", /0'\\?.|0[xob][\da-fA-F]+|\b\d[\d_]*(?:\.\d+)?/],
  ["string", /'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\\n])*`?/],
  ["variable", /\b[A-Z_]\w*/],
  ["word", /:-|\?-|-->|->|\\\+|\b(?:module|use_module|reexport|dynamic|discontiguous|multifile|table|initialization)(?=[\s(])/],
  ["", /[a-z]\w*/],
];

/** For each language a pattern with one group for each kind of word, and these kinds. */
const LANGUAGES = Object.fromEntries(
  Object.entries({ clingo: CLINGO, prolog: PROLOG }).map(([name, words]) => [
    name,
    { pattern: new RegExp(words.map(([, { source }]) => `(${source})`).join("|")), kinds: ["", ...words.map(([kind]) => kind)] },
  ]),
);

/** The lines of a text, each as a list of [kind, piece]; the kind is empty if the piece has no colour. */
function coloured(text, { pattern, kinds }) {
  const lines = [[]];
  text.split(pattern).forEach((piece, at) => {
    piece?.split("\n").forEach((each, index) => {
      if (index) lines.push([]);
      if (each) lines.at(-1).push([kinds[at % kinds.length], each]);
    });
  });
  return lines;
}

const ABOVE = 2; // pixels above the first line in view

/** The words for what begins a line of a head. */
const SORTS = { "%": "comments", ":- module": "module", ":- use_module": "use_module", ":- reexport": "reexport" };

/** Fires "change" when the reader changes the text of its element. */
export class Editor extends EventTarget {
  #language;
  #wanted = 1; // the line that is to be seen first
  #head = 1; // the first line behind the head
  #lines;
  #field;
  #folded = part("div", { className: "folded", ariaHidden: "true", title: "Show these lines", onclick: () => this.#unfold() });

  constructor(element, language) {
    super();
    this.#language = LANGUAGES[language];
    [this.#lines, this.#field] = element.children;
    element.append(this.#folded); // in the place of a head that is out of view
    this.#field.addEventListener("input", () => {
      this.#draw();
      this.dispatchEvent(new Event("change"));
    });
    this.#field.addEventListener("scroll", () => this.#follow());
    for (const type of ["wheel", "touchmove", "keydown"]) this.#field.addEventListener(type, () => (this.#wanted = 0), { passive: true });
    new ResizeObserver(() => this.#fit()).observe(this.#field); // it may be hidden first
  }

  get text() {
    return this.#field.value;
  }

  /** Show another text, from its first line of code on; `label` names it for screen readers. */
  open(text, label) {
    this.#field.ariaLabel = label;
    if (text === this.text) return;
    this.#field.value = text;
    this.#draw();
    this.#wanted = headOf(text);
    this.#fit(); // before it is seen, so that nothing moves
  }

  focus() {
    this.#field.focus();
  }

  /** Select a line, numbered from 1, and show it with some lines above. */
  go(line) {
    const lines = this.text.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1);
    this.focus();
    this.#field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.#approach(line);
  }

  /** Mark these lines as wrong, or as new, until the text changes. */
  mark(lines, as = "wrong") {
    [...this.#lines.children].forEach((each, index) => each.classList.toggle(as, lines.includes(index + 1)));
  }

  /** Mark these lines as new, and show the first. */
  present(lines) {
    this.mark(lines, "new");
    if (lines.length) this.#approach(lines[0]);
  }

  #draw() {
    const piece = ([kind, text]) => (kind ? part("span", { className: kind }, text) : text);
    this.#head = headOf(this.text);
    const head = this.text.split("\n").slice(0, this.#head - 1);
    const sorts = new Set(head.join("\n").match(/^(?:%|#\w+|:- \w+)/gm));
    this.#folded.textContent = `▸ lines 1 to ${head.length}: ${[...sorts].map((each) => SORTS[each] ?? each).join(", ")}`;
    this.#lines.replaceChildren(...coloured(this.text, this.#language).map((line) => part("div", {}, ...line.map(piece))));
    this.#follow();
  }

  /** Let the coloured text be as wide as the text area, which has a scroll bar, so that both wrap alike. */
  #fit() {
    for (const each of [this.#lines, this.#folded]) each.style.width = `${this.#field.clientWidth}px`;
    this.#reveal(this.#wanted);
  }

  /** Let the coloured text be where the text area has scrolled to, below one line for a head out of view. */
  #follow() {
    this.#lines.style.translate = `0 ${-this.#field.scrollTop}px`;
    this.#folded.hidden = this.#head < 2 || this.#field.scrollTop < this.#topOf(this.#head);
  }

  /** Where to scroll to for a line. */
  #topOf(line) {
    const hidden = line < this.#head || this.#head < 2 ? ABOVE : ABOVE + parseFloat(getComputedStyle(this.#field).lineHeight);
    return Math.max(0, Math.floor((this.#lines.children[line - 1]?.offsetTop ?? 0) - hidden));
  }

  #unfold() {
    this.focus();
    this.#wanted = 0;
    this.#field.scrollTo(0, 0);
  }

  /** Show a line with some lines above. */
  #approach(line) {
    this.#reveal(Math.max(1, line - 3));
  }

  /** Scroll to a line; until the reader scrolls, it stays in sight. */
  #reveal(line) {
    if (!line) return;
    this.#wanted = line;
    this.#field.scrollTo(0, line > 1 ? this.#topOf(line) : 0);
    this.#follow();
  }
}

/** List warnings about a program in an element beside its editor; `go` leads to the place of one. */
export function showWarnings(list, warnings, go) {
  const shown = JSON.stringify(warnings);
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(
    ...warnings.map(({ text, cure, file, line }) => {
      const place = line ? [button(`Line ${line}`, () => go({ file, line })), ": "] : [];
      return part("li", {}, ...place, cure ? `${text}; ${cure}` : text);
    }),
  );
}

/** Comments, empty lines, and what only loads, declares or names constants, at the head of a text. */
const HEAD = /^(?:[ \t]*(?:%.*|#(?:include|defined|const)\b.*|:- (?:module|use_module|reexport)\([^]*?\)\.(?=\s).*)?\n)*/;

/** The number of the first line behind the head, with the comment right above it, such as "% Generate: …". */
export function headOf(text) {
  const lines = HEAD.exec(text)[0].split("\n").slice(0, -1);
  return lines.findLastIndex((line) => !line.startsWith("%")) + 2;
}
