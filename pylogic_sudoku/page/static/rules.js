// The rules beyond plain sudoku: the list of those of the puzzle, and the form that adds one.

import { ask, wasCancelled } from "./api.js";
import { $, button, fill, option, part } from "./elements.js";
import { game } from "./page.js";
import { cellsOf, nameOf, toJson } from "./puzzle.js";

const asText = (rule) => JSON.stringify(rule);
const refuse = (text) => ($("rule-error").textContent = text);
const say = (text) => ($("picked").textContent = text);
/** Other usual names of kinds. */
const NAMES = {
  "kropki, white dot": "difference",
  "consecutive pair": "difference",
  "kropki, black dot": "ratio",
  "X": "pair_sum",
  "V": "pair_sum",
  "XV": "pair_sum",
  "quadruple": "contains",
  "German whispers": "whispers",
  "Dutch whispers": "whispers",
  "extra region": "different",
  "inequality, greater than": "greater",
  "numbered rooms": "index",
  "frame sum, outside sum": "total",
  "slow thermometer": "thermometer",
  "regular expression, regex": "automaton",
};
/** Rules for the whole grid that have another usual name, too. */
const SETS = { "windoku": "windoku, hyper sudoku", "X-sudoku": "X-sudoku, both diagonals" };
const WHOLE = " (whole grid)";
/** The letters, digits and diagonals of a name, all small. */
const plain = (name) => name.replace(WHOLE, "").toLowerCase().replace(/[^a-z\d\\/]/g, "");
/** The names of cells in a text, those of a range such as r1c1-r2c3 too. */
const cellsIn = (text) =>
  [...text.toLowerCase().matchAll(/r(\d+)c(\d+)(?:\s*-\s*r(\d+)c(\d+))?/g)].flatMap(([, ...found]) => {
    const [row, column, lastRow = row, lastColumn = column] = found.filter(Boolean).map(Number);
    return between(row, lastRow).flatMap((r) => between(column, lastColumn).map((c) => `r${r}c${c}`));
  });
const between = (one, other) => Array.from({ length: Math.min(Math.abs(other - one), 36) + 1 }, (_, at) => (one < other ? one + at : one - at));
const NONE = { of: [], rules: [], svg: "", room: {}, for: "" };
const PATIENCE = 2000; // milliseconds until a server that did not answer is asked again

/** What the server says of the rules, with their list. Fires "change", and "chosen" (detail: the kind) when one is chosen. */
export class Rules extends EventTarget {
  #asking = false;
  #chosen = null; // the text of the rule whose cells are marked
  shown = NONE; // as the server has it; `of` are the rules and `for` is the state that it is about

  constructor() {
    super();
    $("rule-list").addEventListener("click", ({ target }) => {
      const index = [...$("rule-list").children].indexOf(target.closest("li"));
      const { rules, of } = this.shown;
      if (target.matches(".remove")) game.rule(game.puzzle.rules.filter((each) => each !== of[index]));
      else if (target.matches("button")) {
        const { text } = rules[index];
        this.#chosen = this.#chosen === text ? null : text;
        this.dispatchEvent(new Event("change"));
        if (this.#chosen) this.dispatchEvent(new CustomEvent("chosen", { detail: of[index].rule }));
      }
    });
  }

  get #state() {
    return `${game.cells} ${game.link}`;
  }

  /** Whether what is shown is about the board as it is now. */
  get isKnown() {
    return this.shown.for === this.#state;
  }

  /** Ask about the rules as the board is now; never twice at a time. */
  async refresh() {
    const { puzzle, cells, size } = game;
    const isAny = puzzle.rules.length > 0;
    if (!isAny || this.shown.size !== size) this.shown = NONE; // it would not fit
    if (!isAny || this.#asking || this.isKnown) return;
    this.#asking = true;
    const about = { of: puzzle.rules, for: this.#state, size };
    let isAway = false;
    try {
      this.shown = { ...(await ask("/rules", { puzzle: toJson(puzzle, cells) }, "rules")), ...about };
    } catch (error) {
      const rules = puzzle.rules.map(({ rule }) => ({ text: rule.replaceAll("_", " "), cells: [], broken: false }));
      this.shown = { ...NONE, rules, ...about, error: error.message };
      isAway = !error.status;
    }
    this.dispatchEvent(new Event("change"));
    if (isAway) {
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      this.shown = { ...this.shown, for: "" };
    }
    this.#asking = false;
    this.refresh();
  }

  /** The cells of the rule that is chosen in the list. */
  get marked() {
    const rule = this.shown.rules.find(({ text }) => text === this.#chosen);
    return new Set(cellsOf(rule?.cells ?? [], game.size));
  }

  /** The rules that the digits break, in words and cells. */
  get broken() {
    return this.isKnown ? this.shown.rules.filter(({ broken }) => broken) : [];
  }

  /** List the rules. */
  list() {
    const { broken, shown } = this;
    const { setting } = game;
    $("rules").hidden = !shown.rules.length;
    const focused = buttonsIn().indexOf(document.activeElement);
    const pressed = this.#chosen;
    fill($("rule-list"), JSON.stringify([shown.rules, broken.length, setting, pressed]), () =>
      shown.rules.map((rule) => {
        const { text } = rule;
        const item = part("li", {}, button(text, null, { ariaPressed: pressed === text }));
        if (broken.includes(rule)) item.append(part("strong", { className: "broken" }, "broken"));
        if (setting) item.append(button("Remove", null, { className: "remove", ariaLabel: `Remove: ${text}` }));
        return item;
      }),
    );
    if (focused >= 0) (buttonsIn()[focused] ?? $("rules")).focus();
  }
}

const buttonsIn = () => [...$("rule-list").querySelectorAll("button")];

/** The form that adds a rule, to which the cells go that are chosen on the board. Fires "change". */
export class RuleForm extends EventTarget {
  #selection;
  #kinds = [];
  #kind = null;
  #field = null; // the name of the field that gets the cells chosen on the board
  #sets = []; // rules for the whole grid that this grid can have
  #names = new Map(); // what is chosen, by the name that is searched for
  #grid = null; // the boxes or regions that they fit

  constructor(selection) {
    super();
    this.#selection = selection;
    selection.addEventListener("change", () => {
      if (!selection.picking) return;
      const names = selection.picked.map((cell) => nameOf(cell, game.size));
      this.#input(this.#field).value = names.join(" ");
      say(`${this.#field}: ${names.join(", ") || "none"}`);
    });
    selection.addEventListener("dragged", ({ detail }) => selection.picking && this.#advance(detail));
    $("rule-kinds").addEventListener("click", ({ target }) => this.#choose(target.closest("button")?.dataset.kind));
    $("rule-search").addEventListener("input", ({ target, inputType }) => {
      const isChosen = !inputType || inputType === "insertReplacementText"; // in the list, and not typed
      if (isChosen && this.#names.has(target.value)) this.#search(target.value);
    });
    $("rule-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (document.activeElement === $("rule-search")) this.#search($("rule-search").value);
      else this.#submit();
    });
  }

  /** Offer these kinds: the usual ones as buttons, all by a search for their usual names. */
  offer(kinds) {
    this.#kinds = kinds.filter(({ settable, fields }) => settable && fields.length);
    this.#list();
  }

  /** What the search finds: kinds, and rules for the whole grid, by all of their names. */
  #list() {
    const known = new Set(this.#kinds.map(({ kind }) => kind));
    for (const each of $("rule-kinds").children) each.hidden = !known.has(each.dataset.kind);
    const named = [...this.#kinds.map(({ kind, title }) => [title, kind]), ...Object.entries(NAMES).filter(([, kind]) => known.has(kind))];
    const kinds = named.map(([name, kind]) => [name, () => this.#choose(kind)]);
    const sets = this.#sets.map(({ title, rules }) => [`${SETS[title] ?? title}${WHOLE}`, () => this.#toggle(rules, title)]);
    this.#names = new Map([...sets, ...kinds]);
    $("rule-names").replaceChildren(...[...this.#names.keys()].sort().map((name) => option(name, "")));
  }

  /** Take what has this name; offer the names that contain it if there are several. */
  #search(text) {
    const name = plain(text);
    if (!name) return;
    const names = [...this.#names.keys()].sort();
    const exact = names.filter((each) => plain(each) === name);
    const found = exact.length ? exact : names.filter((each) => plain(each).includes(name));
    if (!found.length) return this.#add({ rule: text.trim() }); // which is refused, with what a rule of this name is here
    $("rule-search").value = "";
    this.#choose(null);
    const take = (each) => {
      $("rule-search").focus(); // the button that was pressed goes
      $("rule-about").textContent = "";
      this.#names.get(each)();
    };
    if (found.length === 1) take(found[0]);
    else $("rule-about").replaceChildren(`${text.trim()}: `, ...found.map((each) => button(each, () => take(each))));
  }

  /** Fit the form to the puzzle and to what is being done. */
  update() {
    if (game.setting) this.#offerSets();
    else if (this.#kind) this.#choose(null);
  }

  /** Offer the rules for the whole grid that this grid can have. */
  async #offerSets() {
    const { box, regions } = game.puzzle;
    const grid = String([box, regions]);
    if (grid === this.#grid || !this.#kinds.length) return;
    this.#grid = grid;
    try {
      const { sets } = await ask("/rule-sets", { puzzle: toJson({ ...game.puzzle, rules: [] }) }, "sets");
      this.#sets = sets;
      this.#list();
    } catch (error) {
      this.#grid = null;
      if (!wasCancelled(error)) refuse(error.message);
    }
  }

  /** Let the form be for this kind of rule; for none if it was for that before. */
  #choose(kind) {
    this.#kind = this.#kinds.find((each) => each.kind === kind && each !== this.#kind) ?? null;
    for (const each of $("rule-kinds").children) each.ariaPressed = each.dataset.kind === this.#kind?.kind;
    $("rule-add").hidden = !this.#kind;
    $("rule-add").textContent = `Add: ${this.#kind?.title}`;
    $("rule-fields").replaceChildren(...(this.#kind?.fields ?? []).map((field) => this.#label(field)));
    $("rule-about").textContent = this.#kind?.text ?? "";
    refuse("");
    this.#aim(this.#first);
    say(this.#field ? `Drag over cells, or move by the arrow keys; Enter adds or removes one.` : "");
  }

  #label({ name, type, required, default: value }) {
    const flag = type === "flag";
    const input = part("input", { name, type: flag ? "checkbox" : "text", autocomplete: "off", spellcheck: false });
    if (flag) input.checked = Boolean(value);
    else input.defaultValue = value ?? "";
    if (type === "number") input.inputMode = "numeric";
    if (type === "cells") {
      input.placeholder = "r1c1 r1c2";
      input.onfocus = input.oninput = () => this.#aim(name);
    }
    const title = name.replaceAll("_", " ");
    return flag ? part("label", { className: "tick" }, input, title) : part("label", {}, required ? title : `${title} (optional)`, input);
  }

  #input(name) {
    return $("rule-form").elements.namedItem(name);
  }

  /** The first field for cells. */
  get #first() {
    return this.#kind?.fields.find(({ type }) => type === "cells")?.name ?? null;
  }

  /** Let the cells chosen on the board go to this field. */
  #aim(name) {
    this.#field = name;
    for (const input of $("rule-fields").querySelectorAll("input")) input.classList.toggle("aimed", input.name === name);
    const names = name === null ? null : cellsIn(this.#input(name).value);
    this.#selection.pick(names && cellsOf(names, game.size), this.#kind?.line);
    this.dispatchEvent(new Event("change"));
  }

  /** After a drag by mouse: to the first field that is empty, or else to the button. */
  #advance({ pointerType, ctrlKey, metaKey, shiftKey }) {
    if (pointerType !== "mouse" || ctrlKey || metaKey || shiftKey) return; // a finger scrolls; more are to be added
    const empty = [...$("rule-fields").querySelectorAll("[type=text]")].find(({ value }) => !value.trim());
    (empty ?? $("rule-add")).focus();
  }

  #rule() {
    const rule = { rule: this.#kind.kind };
    for (const { name, type } of this.#kind.fields) {
      const input = this.#input(name);
      const text = input.value.trim();
      if (type === "flag" && input.checked) rule[name] = true;
      if (type === "flag" || !text) continue;
      const words = text.replace(/(?<=\d)\s*-\s*(?=r)/gi, "-").split(/[\s,]+/);
      const cells = words.flatMap((word) => (/^r\d+c\d+-r\d+c\d+$/i.test(word) ? cellsIn(word) : word));
      const number = (word) => (/^-?\d+$/.test(word) ? Number(word) : word);
      rule[name] = { cells, numbers: words.map(number), number: number(text), text }[type];
    }
    return rule;
  }

  async #submit() {
    if (!this.#kind) return;
    const rule = this.#rule();
    if (game.puzzle.rules.some((each) => asText(each) === asText(rule))) return refuse("The puzzle has this rule already.");
    if (!(await this.#add(rule))) return;
    for (const input of $("rule-fields").querySelectorAll("[type=text]")) input.value = input.defaultValue;
    this.#aim(this.#first);
  }

  /** Add these rules for the whole grid, or offer to take them away if they are all there. */
  #toggle(rules, title) {
    const [of, there] = [rules, game.puzzle.rules].map((each) => new Set(each.map(asText)));
    const missing = rules.filter((rule) => !there.has(asText(rule)));
    if (missing.length) this.#add(...missing);
    else {
      const remove = () => {
        $("rule-search").focus(); // the button that was pressed goes
        $("rule-about").textContent = "";
        game.rule(game.puzzle.rules.filter((rule) => !of.has(asText(rule))));
      };
      $("rule-about").replaceChildren("The puzzle has this already. ", button(`Remove ${title}`, remove));
    }
  }

  /** Add rules; true if the server takes them. */
  async #add(...more) {
    const { puzzle } = game;
    const rules = [...puzzle.rules, ...more];
    refuse("");
    try {
      const answer = await ask("/rules", { puzzle: toJson({ ...puzzle, rules }), added: more.length }, "add");
      if (puzzle !== game.puzzle) return false;
      game.rule(rules);
      say(`Added: ${answer.rules.slice(-more.length).map(({ text }) => text).join("; ")}.`);
      return true;
    } catch (error) {
      if (!wasCancelled(error)) refuse(error.message);
      return false;
    }
  }
}
