// The rules beyond plain sudoku: the list of those of the puzzle, and the form that adds one.

import { ask, wasCancelled } from "./api.js";
import { Picker } from "./choosing.js";
import { $, button, drawing, drawn, option, part } from "./elements.js";
import { cellsOf, nameOf, toJson } from "./puzzle.js";

const asText = (rule) => JSON.stringify(rule);
/** The kinds that people use most: each with its usual name, and its icon in a square of 20 by 20. */
const USUAL = [
  ["killer_cage", "Cage", "M3 3h3M9 3h3M15 3h2v2M17 8v3M17 14v3h-3M11 17h-3M6 17h-3v-3M3 11v-3"],
  ["thermometer", "Thermometer", "M5 12a3 3 0 1 0 .01 0M7 13L16 4"],
  ["arrow", "Arrow", "M6 11a3.5 3.5 0 1 0 .01 0M9 12L16 4M11 4h5v5"],
  ["difference", "Dots", "M10 7a3 3 0 1 0 .01 0M10 1v6M10 13v6"],
  ["pair_sum", "XV", "M2 5l6 10M8 5l-6 10M11 5l3.5 10L18 5"],
  ["palindrome", "Palindrome", "M3 15c0 -14 14 -14 14 0"],
  ["whispers", "Whispers", "M2 14l4 -9l4 9l4 -9l4 9"],
  ["sandwich", "Sandwich", "M3 7q7 -7 14 0zM3 10h14M3 13h14v3h-14z"],
];
/** Other usual names of kinds. */
const NAMES = {
  "kropki, white dot": "difference",
  "kropki, black dot": "ratio",
  "X": "pair_sum",
  "V": "pair_sum",
  "quadruple": "contains",
  "German whispers": "whispers",
  "Dutch whispers": "whispers",
  "extra region": "different",
  "inequality, greater than": "greater",
  "numbered rooms": "index",
  "frame sum, outside sum": "total",
  "slow thermometer": "thermometer",
};
const NONE = { of: [], rules: [], svg: "", room: {}, for: "" };

/** What the server says of the rules, with their list. Fires "change". */
export class Rules extends EventTarget {
  #game;
  #asking = false;
  #chosen = null; // the text of the rule whose cells are marked
  #listed = "";
  shown = NONE; // as the server has it; `of` are the rules and `for` is the state that it is about

  constructor(game) {
    super();
    this.#game = game;
  }

  get #state() {
    return `${this.#game.cells} ${this.#game.link}`;
  }

  /** Whether what is shown is about the board as it is now. */
  get isKnown() {
    return this.shown.for === this.#state;
  }

  /** Ask about the rules as the board is now; never twice at a time. */
  async refresh() {
    const isAny = this.#game.puzzle.rules.length > 0;
    if (!isAny || this.shown.size !== this.#game.size) this.shown = NONE; // it would not fit
    if (!isAny || this.#asking || this.isKnown) return;
    this.#asking = true;
    const { puzzle, cells } = this.#game;
    const about = { of: puzzle.rules, for: this.#state, size: this.#game.size };
    try {
      this.shown = { ...(await ask("/rules", { puzzle: toJson(puzzle, cells) }, "rules")), ...about };
    } catch (error) {
      const rules = puzzle.rules.map(({ rule }) => ({ text: rule.replaceAll("_", " "), cells: [], broken: false }));
      this.shown = { ...NONE, rules, ...about, error: error.message };
    }
    this.#asking = false;
    this.dispatchEvent(new Event("change"));
    this.refresh();
  }

  /** The cells of the rule that is chosen in the list. */
  get marked() {
    const rule = this.shown.rules.find(({ text }) => text === this.#chosen);
    return new Set(cellsOf(rule?.cells ?? [], this.#game.size));
  }

  /** The rules that the digits break, in words and cells. */
  get broken() {
    return this.isKnown ? this.shown.rules.filter(({ broken }) => broken) : [];
  }

  /** List the rules. */
  list() {
    const { broken } = this;
    const { rules, of } = this.shown;
    $("rules").hidden = !rules.length;
    const { setting } = this.#game;
    const listed = JSON.stringify([rules, broken.length, setting, this.#chosen]);
    if (this.#listed === listed) return; // or a button would lose the focus
    this.#listed = listed;
    const focused = [...$("rule-list").querySelectorAll("button")].indexOf(document.activeElement);
    $("rule-list").replaceChildren(
      ...rules.map((rule, index) => {
        const { text } = rule;
        const show = () => {
          this.#chosen = this.#chosen === text ? null : text;
          this.dispatchEvent(new Event("change"));
        };
        const choose = button(text, show);
        choose.setAttribute("aria-pressed", this.#chosen === text);
        const item = part("li", {}, choose);
        if (broken.includes(rule)) item.append(part("strong", { className: "broken" }, "broken"));
        if (setting) {
          const remove = () => this.#game.rule(this.#game.puzzle.rules.filter((each) => each !== of[index]));
          item.append(button("Remove", remove, { ariaLabel: `Remove: ${text}` }));
        }
        return item;
      }),
    );
    if (focused >= 0) ([...$("rule-list").querySelectorAll("button")][focused] ?? $("rules")).focus();
  }
}

/** The form that adds a rule; `cells` are those chosen on the board. Fires "change". */
export class RuleForm extends EventTarget {
  #game;
  #kinds = [];
  #kind = null;
  #inputs = new Map(); // by the name of the field
  #field = null; // the name of the field that gets the cells chosen on the board
  #sets = []; // rules for the whole grid that this grid can have
  #names = new Map(); // what is chosen, by the name that is searched for
  #grid = null; // the boxes or regions that they fit
  #picker;

  constructor(game, board) {
    super();
    this.#game = game;
    this.#picker = new Picker($("board"), board);
    this.#picker.addEventListener("pick", () => {
      const names = this.#picker.cells.map((cell) => nameOf(cell, game.size));
      this.#inputs.get(this.#field).value = names.join(" ");
      this.#say(names.length ? `${this.#field}: ${names.join(", ")}` : `${this.#field}: none`);
      this.#changed();
    });
    this.#picker.addEventListener("dragged", ({ detail }) => this.#advance(detail));
    $("rule-search").addEventListener("input", () => {
      const run = this.#names.get($("rule-search").value);
      if (!run) return;
      $("rule-search").value = "";
      run();
    });
    $("rule-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Whether cells that are chosen on the board go to the rule. */
  get picking() {
    return this.#picker.active;
  }

  get cells() {
    return this.#picker.active ? new Set(this.#cellsOf(this.#field)) : new Set();
  }

  /** Offer these kinds: the usual ones as buttons, all by a search for their usual names. */
  offer(kinds) {
    this.#kinds = kinds.filter(({ settable, fields }) => settable && fields.length);
    const usual = USUAL.filter(([kind]) => this.#kinds.some((each) => each.kind === kind));
    $("rule-kinds").replaceChildren(...usual.map(([kind, title, path]) => this.#usual(kind, title, path)));
    this.#list();
  }

  #usual(kind, title, path) {
    const made = button(title, () => this.#choose(kind));
    made.dataset.kind = kind;
    made.prepend(drawing({ viewBox: "0 0 20 20" }, drawn("path", { d: path })));
    return made;
  }

  /** What the search finds: kinds, and rules for the whole grid, by all of their names. */
  #list() {
    const kinds = this.#kinds.map(({ kind, title }) => [title, () => this.#choose(kind)]);
    const also = Object.entries(NAMES).flatMap(([name, kind]) => (this.#kinds.some((each) => each.kind === kind) ? [[name, () => this.#choose(kind)]] : []));
    const sets = this.#sets.map(({ title, rules }) => [`${title} (whole grid)`, () => this.#toggle(rules)]);
    this.#names = new Map([...sets, ...kinds, ...also]);
    $("rule-names").replaceChildren(...[...this.#names.keys()].sort().map((name) => option(name, "")));
  }

  /** Fit the form to the puzzle and to what is being done. */
  update() {
    const { setting } = this.#game;
    if (setting) this.#offerSets();
    else if (this.#kind) this.#choose(null);
    this.#picker.active = setting && this.#field !== null;
  }

  /** Offer the rules for the whole grid that this grid can have. */
  async #offerSets() {
    const { box, regions } = this.#game.puzzle;
    const grid = String([box, regions]);
    if (grid === this.#grid || !this.#kinds.length) return;
    this.#grid = grid;
    try {
      const { sets } = await ask("/rule-sets", { puzzle: toJson({ ...this.#game.puzzle, rules: [] }) }, "sets");
      this.#sets = sets;
      this.#list();
    } catch (error) {
      this.#grid = null;
      if (!wasCancelled(error)) $("rule-error").textContent = error.message;
    }
  }

  /** Let the form be for this kind of rule; for none if it was for that before. */
  #choose(kind) {
    this.#kind = this.#kinds.find((each) => each.kind === kind && each !== this.#kind) ?? null;
    for (const each of $("rule-kinds").children) each.setAttribute("aria-pressed", each.dataset.kind === this.#kind?.kind);
    $("rule-add").hidden = !this.#kind;
    if (this.#kind) $("rule-add").textContent = `Add: ${this.#kind.title}`;
    this.#inputs.clear();
    const labels = (this.#kind?.fields ?? []).map((field) => this.#label(field));
    $("rule-fields").replaceChildren(...labels);
    $("rule-about").textContent = this.#kind?.text ?? "";
    $("rule-error").textContent = "";
    this.#aim(this.#fieldsOf("cells")[0]?.name ?? null);
    this.#say(this.#field ? `Drag over cells, or move with Shift and the arrow keys; Enter adds or removes one.` : "");
  }

  #label({ name, type, required, default: value }) {
    const input = part("input", { type: type === "flag" ? "checkbox" : "text", autocomplete: "off", spellcheck: false });
    if (type === "flag") input.checked = Boolean(value);
    else input.value = value ?? "";
    if (type === "number") input.inputMode = "numeric";
    if (type === "cells") {
      input.placeholder = "r1c1 r1c2";
      input.onfocus = () => this.#aim(name);
      input.oninput = () => this.#aim(name);
    }
    this.#inputs.set(name, input);
    const title = name.replaceAll("_", " ");
    return type === "flag"
      ? part("label", { className: "tick" }, input, title)
      : part("label", {}, required ? title : `${title} (optional)`, input);
  }

  #fieldsOf(...types) {
    return (this.#kind?.fields ?? []).filter(({ type }) => types.includes(type));
  }

  /** Let the cells chosen on the board go to this field. */
  #aim(name) {
    this.#field = name;
    for (const [each, input] of this.#inputs) input.classList.toggle("aimed", each === name);
    if (name) this.#picker.cells = this.#cellsOf(name);
    this.#picker.line = Boolean(this.#kind?.line);
    this.#changed();
  }

  #cellsOf(name) {
    const n = this.#game.size;
    const names = this.#inputs.get(name).value.toLowerCase().match(/r\d+c\d+/g) ?? [];
    return cellsOf(names, n).filter((cell) => cell >= 0 && cell < n * n);
  }

  /** After a drag: to the next field of cells, or else to what is left to do. */
  #advance({ pointerType, ctrlKey, metaKey, shiftKey }) {
    if (ctrlKey || metaKey || shiftKey) return; // more are to be added
    const next = this.#fieldsOf("cells").find(({ name }) => !this.#inputs.get(name).value.trim());
    if (next) {
      this.#say(`${$("picked").textContent}; now ${next.name}`);
      return this.#aim(next.name);
    }
    const [number] = this.#fieldsOf("number", "numbers");
    if (pointerType !== "mouse" || this.#picker.cells.length < 2) return;
    if (number) this.#inputs.get(number.name).select();
    else $("rule-add").focus();
  }

  #rule() {
    const rule = { rule: this.#kind.kind };
    for (const { name, type } of this.#kind.fields) {
      const input = this.#inputs.get(name);
      const text = input.value.trim();
      if (type === "flag" && input.checked) rule[name] = true;
      if (type === "flag" || !text) continue;
      const words = text.split(/[\s,]+/);
      const number = (word) => (/^-?\d+$/.test(word) ? Number(word) : word);
      rule[name] = { cells: words, numbers: words.map(number), number: number(text), text }[type];
    }
    return rule;
  }

  async #submit() {
    if (!this.#kind) return;
    if (!(await this.#add(this.#rule()))) return;
    for (const { name, default: value } of this.#fieldsOf("cells", "number", "numbers", "text")) {
      this.#inputs.get(name).value = value ?? "";
    }
    this.#aim(this.#fieldsOf("cells")[0]?.name ?? null);
  }

  /** Add these rules for the whole grid, or take them away if they are all there. */
  #toggle(rules) {
    const [of, there] = [rules, this.#game.puzzle.rules].map((each) => new Set(each.map(asText)));
    const missing = rules.filter((rule) => !there.has(asText(rule)));
    if (missing.length) this.#add(...missing);
    else this.#game.rule(this.#game.puzzle.rules.filter((rule) => !of.has(asText(rule))));
  }

  /** Add rules; true if the server takes them. */
  async #add(...more) {
    const { puzzle } = this.#game;
    const rules = [...puzzle.rules, ...more];
    $("rule-error").textContent = "";
    try {
      const answer = await ask("/rules", { puzzle: toJson({ ...puzzle, rules }) }, "add");
      if (puzzle !== this.#game.puzzle) return false;
      this.#game.rule(rules);
      this.#say(`Added: ${answer.rules.slice(-more.length).map(({ text }) => text).join("; ")}.`);
      return true;
    } catch (error) {
      if (!wasCancelled(error)) $("rule-error").textContent = error.message;
      return false;
    }
  }

  #say(text) {
    $("picked").textContent = text;
  }

  #changed() {
    this.update();
    this.dispatchEvent(new Event("change"));
  }
}
