// The part of the page with a program, or an instance: the choice of it, what it teaches, and its text in an editor.

import { $ } from "./elements.js";
import { Editor, showWarnings } from "./editor.js";

export class Section {
  #warnings;

  /** Fill the section with this id. `label` names the choice; lines of the editor wrap unless `wrap` is "off". */
  constructor(id, { title, label, language, wrap = "soft" }) {
    const section = $(id);
    section.prepend($("section").content.cloneNode(true));
    const [heading, choice, restore, teaches, warnings, editor] = ["h2", "select", ".head button", ".teaches", ".warnings", ".editor"].map((each) => section.querySelector(each));
    Object.assign(heading, { textContent: title, id: `title-${id}` });
    section.setAttribute("aria-labelledby", heading.id);
    choice.ariaLabel = label;
    editor.querySelector("textarea").wrap = wrap;
    Object.assign(this, { choice, restore, teaches, editor: new Editor(editor, language) });
    this.#warnings = warnings;
  }

  /** Show warnings about the text, each with its line, to which `go` leads. */
  warn(warnings, go) {
    showWarnings(this.#warnings, warnings, go);
  }
}
