// An editor of a program: a text area. The playground has another file of this name, with colours.

import { part } from "./elements.js";

/** Fires "change" when the reader changes the text; `element` is what the page shows. */
export class Editor extends EventTarget {
  element = part("textarea", { rows: 18, wrap: "off", spellcheck: false, autocapitalize: "off", autocomplete: "off" });
  help = ""; // what the reader should know of the keys

  constructor() {
    super();
    this.element.addEventListener("input", () => this.dispatchEvent(new Event("change")));
  }

  get text() {
    return this.element.value;
  }

  /** Show another text; `label` names it for screen readers. */
  open(text, label) {
    this.element.value = text;
    this.element.ariaLabel = label;
  }

  focus() {
    this.element.focus();
  }

  /** Scroll to a line, numbered from 1. */
  reveal(line) {
    this.element.scrollTop = ((line - 1) * this.element.scrollHeight) / this.#lines.length;
  }

  /** Select a line, and show it with some lines above. */
  go(line) {
    const lines = this.#lines;
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1);
    this.focus();
    this.element.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.reveal(line - 4);
  }

  /** Mark these lines as wrong until the text changes; a text area cannot. */
  mark() {}

  get #lines() {
    return this.text.split("\n");
  }
}
