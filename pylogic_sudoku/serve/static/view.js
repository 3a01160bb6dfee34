// What the page says at the moment: an answer with its text, legend and buttons, or nothing.

import { ask, cancel, wasCancelled } from "./api.js";
import { clock } from "./clock.js";
import { part } from "./elements.js";
import { shape } from "./shapes.js";

const $ = (id) => document.getElementById(id);

/**
 * Fires "change". What is shown has any of: `title` and `text`; `legend`; `actions`, which are [label,
 * what it does, whether it is disabled]; `busy`; and what the board marks: `shown`, `solution`,
 * `pencil`, `wrong`, `cellRoles`, `candidateRoles`, `links`.
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
    const mine = { ...this.now, text: "Searching …", actions: [["Stop", () => cancel()]], busy: true };
    this.show(mine);
    try {
      const answer = await ask(path, body);
      if (this.now === mine) this.show(then(answer));
    } catch (error) {
      if (this.now !== mine) return;
      if (wasCancelled(error)) this.close();
      else if (refused && error.status === 422) await refused(error);
      else this.tell(error.message);
    }
  }

  /** Write the message, or this text if there is none. */
  write(otherwise) {
    const { title = "", text = otherwise, legend = [], actions = [] } = this.now ?? {};
    const busy = Boolean(this.now?.busy);
    const said = `${title}\n${text}\n${busy}`;
    if ($("text").dataset.said !== said) {
      $("text").dataset.said = said; // or a screen reader would read it out again
      const head = title ? [part("h2", {}, title)] : [];
      $("text").replaceChildren(...head, ...linesOf(text));
      if (busy) $("text").lastChild.append(clock());
    }
    $("legend").replaceChildren(
      ...legend.map((mark) => part("li", {}, mark.link ? linkSwatch(mark) : swatch(mark), mark.label)),
    );
    const { activeElement } = document;
    const focused = $("actions").contains(activeElement);
    if (!this.#busy) this.#pressed = focused ? activeElement.textContent : "";
    this.#busy = busy;
    $("actions").replaceChildren(
      ...actions.map(([label, run, disabled = false]) =>
        part("button", { type: "button", textContent: label, onclick: run, disabled }),
      ),
    );
    if (focused) focusAgain(this.#pressed);
  }
}

/** Focus the button with this label; if it cannot be pressed, the first that can, or else the board. */
function focusAgain(label) {
  const buttons = [...$("actions").children].filter(({ disabled }) => !disabled);
  const same = buttons.find(({ textContent }) => textContent === label);
  (same ?? buttons[0] ?? $("board").querySelector("[tabindex='0']")).focus();
}

function swatch({ role, cells, candidates: [first] }) {
  const look = cells.length ? `role-${role}` : `mark-${role}`;
  const digit = cells.length ? "" : String(first[1]);
  return part("span", { className: `swatch ${look}`, ariaHidden: "true" }, digit, shape(role, true));
}

const linkSwatch = ({ link }) => part("span", { className: `swatch link ${link}`, ariaHidden: "true" });

/** The lines of a text as elements. */
const linesOf = (text) => text.split("\n").map(line);

const line = (text) =>
  part("div", { className: text.startsWith("  ") ? "indented" : "" }, text.trim());
