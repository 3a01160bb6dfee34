// The rules beyond plain sudoku: the list of those of the puzzle, and the form that adds one.

import { ask, wasCancelled } from "./api.js";
import { Picker } from "./choosing.js";
import { $, button, option, part } from "./elements.js";
import { cellsOf, nameOf, toJson } from "./puzzle.js";

const asText = (rule) => JSON.stringify(rule);
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

  /** Ask about the rules as the board is now; never twice at a time. */
  async refresh(state) {
    const isAny = this.#game.puzzle.rules.length > 0;
    if (!isAny || this.shown.size !== this.#game.size) this.shown = NONE; // it would not fit
    if (!isAny || this.#asking || this.shown.for === state()) return;
    this.#asking = true;
    const { puzzle, cells } = this.#game;
    const about = { of: puzzle.rules, for: state(), size: this.#game.size };
    try {
      this.shown = { ...(await ask("/rules", { puzzle: toJson(puzzle, cells) }, "rules")), ...about };
    } catch (error) {
      const rules = puzzle.rules.map(({ rule }) => ({ text: rule.replaceAll("_", " "), cells: [], broken: false }));
      this.shown = { ...NONE, rules, ...about, error: error.message };
    }
    this.#asking = false;
    this.dispatchEvent(new Event("change"));
    this.refresh(state);
  }

  /** The cells of the rule that is chosen in the list. */
  get marked() {
    const rule = this.shown.rules.find(({ text }) => text === this.#chosen);
    return new Set(cellsOf(rule?.cells ?? [], this.#game.size));
  }

  /** The rules that the digits break, in words and cells. */
  broken(state) {
    return this.shown.for === state ? this.shown.rules.filter(({ broken }) => broken) : [];
  }

  /** List the rules. */
  list(broken) {
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
  #ticks = []; // a box to tick for each set of rules on the whole grid, and these rules
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
    $("rule-kind").addEventListener("change", () => this.#choose());
    $("rule-setting").addEventListener("toggle", () => this.#changed());
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

  /** Offer these kinds. */
  offer(kinds) {
    this.#kinds = kinds.filter(({ settable, fields }) => settable && fields.length);
    $("rule-kind").replaceChildren(option("", "choose …"), ...this.#kinds.map(({ kind, title }) => option(kind, title)));
    const others = kinds.filter(({ settable }) => !settable).map(({ title }) => title);
    if (others.length) $("rule-others").textContent = `For ${others.join(", ")}: paste the puzzle as JSON.`;
  }

  /** Fit the form to the puzzle and to what is being done. */
  update() {
    const { puzzle, setting } = this.#game;
    $("rule-setting").hidden = !setting;
    if (setting && $("rule-setting").open) this.#offerSets();
    const there = new Set(puzzle.rules.map(asText));
    for (const [box, rules] of this.#ticks) box.checked = rules.every((rule) => there.has(asText(rule)));
    this.#picker.active = this.#game.setting && $("rule-setting").open && this.#field !== null;
  }

  /** Offer the rules for the whole grid that this grid can have. */
  async #offerSets() {
    const { box, regions } = this.#game.puzzle;
    const grid = String([box, regions]);
    if (grid === this.#grid) return;
    this.#grid = grid;
    try {
      const { sets } = await ask("/rule-sets", { puzzle: toJson({ ...this.#game.puzzle, rules: [] }) }, "sets");
      this.#ticks = sets.map(({ title, rules }) => {
        const tick = part("input", { type: "checkbox" });
        tick.onchange = () => this.#tick(tick, rules);
        return [tick, rules, title];
      });
      const labels = this.#ticks.map(([tick, , title]) => part("label", { className: "tick" }, tick, title));
      $("ticks").replaceChildren($("ticks").firstElementChild, ...labels);
      $("ticks").hidden = !labels.length;
      this.update();
    } catch (error) {
      this.#grid = null;
      if (!wasCancelled(error)) $("rule-error").textContent = error.message;
    }
  }

  #choose() {
    this.#kind = this.#kinds.find(({ kind }) => kind === $("rule-kind").value) ?? null;
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
    if (!this.#kind) return $("rule-kind").focus();
    if (!(await this.#add(this.#rule()))) return;
    for (const { name, default: value } of this.#fieldsOf("cells", "number", "numbers", "text")) {
      this.#inputs.get(name).value = value ?? "";
    }
    this.#aim(this.#fieldsOf("cells")[0]?.name ?? null);
  }

  async #tick(tick, rules) {
    const of = new Set(rules.map(asText));
    const others = this.#game.puzzle.rules.filter((rule) => !of.has(asText(rule)));
    if (!tick.checked) this.#game.rule(others);
    else await this.#add(...rules);
    this.update();
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
