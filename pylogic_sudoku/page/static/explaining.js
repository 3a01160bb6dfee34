// What the server explains: the next step as a hint, all steps as a list through which one can walk, and reasons.

import { ask, cancel, clock, wasCancelled } from "./api.js";
import { question } from "./checking.js";
import { $, button, counted, inFigures, listed, part } from "./elements.js";
import { listen, mark } from "./listing.js";
import { about, answers, game, puzzle, view } from "./page.js";
import { cellOf, cellsOf, clashes, digitsTo, houses, isBlock, nameOf, pencilMarks, rimOf } from "./puzzle.js";
import { explained } from "./roles.js";

const SOON = 1; // seconds after which the steps that are found are listed; the others follow
const MORE = 10; // steps that are asked for after a hint
const FEW = 3; // houses that a sentence names
const SHORT = 12; // houses and givens that a reader can go through
const NO_TECHNIQUE = "minimal set"; // the step where none helps

// --- steps: a walk has `steps` with their `outcome`, `stopped` and `rating`; whether they are `listed`; and
// --- for the steps to a digit the `head` of the list, and `start`, what shows until a step is chosen

/** Ask for the steps after those of a walk, and show what `then` makes of all of them. */
const further = (walk, body, then) =>
  question("/steps", { ...after(walk.steps), ...body }, (answer) => (answer.steps.length ? then(grown(walk, answer)) : { text: answer.outcome }));

const grown = (walk, answer) => ({ ...walk, ...answer, steps: [...walk.steps, ...answer.steps] });

/** The position after some steps, and what counts of them for the rating. */
function after(steps) {
  const { cells, removed, size } = game;
  const gone = [...removed];
  const taken = [];
  for (const { explanation } of steps) {
    const { placed, technique, weight } = explanation;
    if (placed) cells[cellOf(placed.cell, size)] = placed.digit;
    gone.push(...explanation.removed);
    taken.push([technique, weight]);
  }
  return { ...puzzle(cells), removed: gone.filter(({ cell }) => !cells[cellOf(cell, size)]), taken };
}

/** Show which technique helps next, and in which house; then, on request, in which cells; then the step. */
export const hint = () =>
  further({ steps: [] }, { limit: 1 }, (walk) => {
    const [step] = walk.steps;
    const { technique, placed, removed } = step.explanation;
    const names = placed ? [placed.cell] : [...new Set(removed.map(({ cell }) => cell))];
    if (technique === NO_TECHNIQUE) return { text: "No technique leads on.", actions: [["Show a cell", () => reveal(names[0])]] };
    const house = houseOf(step, game);
    const { shown } = explained(step, game.size);
    const title = headline(step);
    const whole = () => {
      const at = stepAt(walk, 0);
      return placed ? { ...at, shown: shown.with(cellOf(placed.cell, game.size), placed.digit) } : at;
    };
    const look = (at, label, next, cells, role) => ({
      text: `Look at ${at}.`,
      actions: [[label, () => view.show(next())]],
      title,
      shown,
      rims: [house],
      cellRoles: new Map(cells.map((cell) => [cell, [role]])),
    });
    const where = () => look(listed(names), placed ? "Show the digit" : "Show the step", whole, cellsOf(names, game.size), "target");
    return look(house.label, names.length === 1 ? "Show the cell" : "Show the cells", where, house.cells, "house");
  });

/** Show the digit of a cell, or of the first other one that is sure. */
const reveal = (name) =>
  view.question(
    () => ask("/candidates", puzzle(game.cells)),
    ({ candidates }) => {
      const { cells, size } = game;
      const sure = candidates.flat().map((digits, cell) => (!cells[cell] && digits.length === 1 ? digits[0] : 0));
      const cell = sure[cellOf(name, size)] ? cellOf(name, size) : sure.findIndex(Boolean);
      if (cell < 0) return { text: "No other digit is sure: the puzzle has several solutions." };
      const text = `${nameOf(cell, size)} is ${sure[cell]}: no other digit is in a solution.`;
      const shown = cells.with(cell, sure[cell]);
      return { text, actions: [["Do it", () => game.place([cell], sure[cell])]], shown, cellRoles: new Map([[cell, ["target"]]]) };
    },
  );

/** Show the list of all steps, and the first of them; the others follow as long as the list is shown. */
export async function allSteps() {
  await further({ steps: [], listed: true }, { limit: about.steps, soon: SOON }, (walk) => stepAt(walk, 0));
  let walk = focusList();
  while (walk?.stopped === "limit") {
    const answer = await ask("/steps", { ...after(walk.steps), limit: about.steps, soon: SOON }, "walk").catch((error) => ({
      steps: [],
      stopped: "error",
      outcome: wasCancelled(error) ? "Stopped." : error.message,
    }));
    const { now } = view;
    if (now?.walk !== walk) return;
    walk = grown(walk, answer);
    view.show(stepAt(walk, now.index)); // the page may show a later step than the first
  }
}

/** Show the steps that lead to the digit of a cell; first the reason, as before. */
async function stepsTo(cell, digit, start) {
  await question("/steps-to", { cell }, (answer) => {
    const number = answer.steps.length;
    const steps = counted(number, "step");
    const head = answer.stopped ? `${steps} so far; none fills ${cell} yet` : `${steps} ${number === 1 ? "leads" : "lead"} to ${cell} = ${digit}`;
    return stepAt({ ...answer, start, head, listed: true }, -1);
  });
  focusList();
}

/** What shows a step of a walk. */
function stepAt(walk, index) {
  const { steps, start, listed, stopped } = walk;
  const here = listed && { walk, index };
  const go = (to) => view.show(stepAt(walk, to));
  if (index < 0) return { ...start, ...here, actions: [["Next step", () => go(0)]] };
  const last = index + 1 === steps.length;
  const next = () => (last ? further(walk, { limit: MORE }, (more) => stepAt(more, index + 1)) : go(index + 1));
  const taken = steps.slice(0, index + 1).map(({ explanation }) => explanation);
  const back = steps.length > 1 ? [["Back", () => go(index - 1), index === (start ? -1 : 0)]] : [];
  const actions = [...back, ["Next step", next, last && (listed || !stopped)], ["Do it", () => game.take(taken)]];
  return { ...explained(steps[index], game.size), ...here, title: headline(steps[index]), actions };
}

// --- the list ----------------------------------------------------------------------------------

let shown = null; // the walk whose list is shown

/** The walk that is listed, where the keyboard then is. */
function focusList() {
  const { walk } = view.now ?? {};
  if (walk) $("walk-list").focus({ preventScroll: true });
  return walk;
}

/** Show the list that belongs to what the page shows now, if there is one. */
export function listSteps() {
  const { walk, index } = view.now ?? {};
  $("walk").hidden = !walk;
  if (!walk) return stopWalking();
  const list = $("walk-list");
  if (walk !== shown) {
    if (walk.steps[0] !== shown?.steps[0]) list.replaceChildren();
    const before = list.children.length;
    list.append(...walk.steps.slice(before).map((step, at) => lineOf(step, before + at)));
    $("walk-head").textContent = walk.head ?? headOf(walk);
    $("walk-rating").textContent = inNumbers(walk);
    $("walk-end").replaceChildren(...(walk.stopped === "limit" ? searching() : [walk.outcome]));
    shown = walk;
  }
  mark(list, index);
}

listen($("walk-list"), (index) => view.show(stepAt(view.now.walk, index)), () => (view.now.walk.start ? -1 : 0));

/** Stop looking for the steps of a list. */
const stopWalking = () => cancel("walk");

/** What stands below a list while its further steps are awaited. */
const searching = () => [part("span", {}, "Searching …", clock()), " ", button("Stop", stopWalking)];

function headOf({ steps, stopped, rating }) {
  const number = counted(steps.length, "step");
  if (rating) return `${number}: ${rating.level}`;
  return stopped ? `${number} so far` : number;
}

/** The rating of all steps in numbers, for those who unfold it. */
function inNumbers({ rating }) {
  const whole = rating ? [`Rating: ${inFigures(rating.number)}.`] : [];
  return [...whole, ...(rating?.hardest ? [`Hardest step: ${rating.hardest}.`] : []), "Each step has its weight beside it."].join(" ");
}

/** The technique of a step and how hard it is, such as "Naked single: easy". */
function headline({ explanation: { technique, level } }) {
  const name = technique[0].toUpperCase() + technique.slice(1);
  return `${name}: ${level}`;
}

/** A step in the list: its number, its technique and what it does; how hard it is shows on demand. */
function lineOf({ effect, explanation: { technique, level, weight } }, at) {
  const done = part("span", { className: "done" }, part("b", {}, technique), `: ${effect}`);
  return part(
    "li",
    { id: `step-${at + 1}`, role: "option" },
    part("span", { className: "number" }, `${at + 1}. `),
    done,
    part("span", { className: `weight ${level}` }, ` ${level} ${weight}`),
  );
}

// --- reasons -----------------------------------------------------------------------------------

/** Show why this cell has its digit: in a sentence, as a set of houses and givens, or as steps. */
export const why = (cell) =>
  question("/why", { cell }, (answer) => {
    const { explanation, reasons } = answer;
    const marked = explained(answer, game.size);
    const doubts = answers("why-not") ? [["Why not …?", () => doubt(cell)]] : [];
    if (explanation.answer !== "forced") return { ...marked, actions: explanation.answer === "given" ? [] : doubts };
    const start = { ...marked, text: inShort(explanation, game.givens.filter(Boolean).length), more: ["The whole reason", reasons.join("\n")] };
    const way = answers("steps-to") ? [["Steps to it", () => stepsTo(cell, explanation.digit, start)]] : [];
    return { ...start, actions: [...way, ...doubts] };
  });

/** Ask which digit the reader doubts in a cell; that may be typed, too. */
function doubt(cell) {
  const ask = (digit) => [String(digit), () => whyNot(cell, digit)];
  view.show({ text: `Which digit do you doubt in ${cell}?`, doubted: cell, actions: digitsTo(game.size).map(ask) });
}

/** Show why this cell cannot have a digit: the contradiction if it shows at once, and what would have to change. */
export const whyNot = (cell, digit) =>
  question("/why-not", { cell, digit }, (answer) => {
    const marked = explained(answer, game.size);
    const seen = contradiction(cellOf(cell, game.size), digit, game);
    return { ...marked, text: [...seen, marked.text].join("\n") };
  });

/** Why a cell is forced, in a sentence. */
function inShort({ digit, cell, rules, givens, excluded, smallest, least }, all) {
  const names = rules.map(nameOfRule);
  const kind = rules.every(isHouse) ? "house" : "rule";
  const marks = Object.keys(excluded).length;
  const because = listed([
    ...(rules.length > FEW ? [counted(rules.length, kind)] : []),
    ...(givens.length ? [givens.length === all ? `all ${all} givens` : counted(givens.length, "given")] : []),
    ...(marks ? [counted(marks, "mark")] : []),
    ...(rules.length > FEW ? [] : names),
  ]);
  const number = rules.length + givens.length + marks;
  if (number <= SHORT) return `${cell} is ${digit}, because of ${because}.`;
  const no = smallest || least > SHORT ? "; there is no short reason" : "";
  return `${cell} is ${digit}: this takes ${because}${no}.`;
}

/** A rule such as ["house", "row", 3]; a rule beyond plain sudoku is not a list. */
const isHouse = ({ rule }) => rule[0] === "house";

const nameOfRule = (each) => (isHouse(each) ? each.rule.slice(1).join(" ") : each.text);

/** What a digit in a cell contradicts at once, in at most one line. */
function contradiction(cell, digit, { puzzle, givens, size }) {
  const doubt = `${nameOf(cell, size)} cannot be ${digit}`;
  const cells = givens.with(cell, digit);
  const held = clashes(cells, puzzle).filter(({ twice }) => twice.includes(cell));
  if (held.length) {
    const other = held[0].twice.find((each) => each !== cell);
    return [`${doubt}: ${nameOf(other, size)} is ${digit}, in the same ${listed(held.filter(({ twice }) => twice.includes(other)).map(({ kind }) => kind))}.`];
  }
  if (puzzle.marks.get(cell)?.includes(digit) === false) return [`${doubt}: the mark of the cell excludes it.`];
  const empty = pencilMarks(cells, puzzle).findIndex((digits) => digits?.size === 0);
  return empty < 0 ? [] : [`${doubt}: no digit would then be left for ${nameOf(empty, size)}.`];
}

/** The house that a step is about, or else the box of its first cell, or its row if there are no boxes. */
function houseOf({ highlights, explanation: { placed, removed } }, { puzzle, size }) {
  const found = highlights.find(({ role, rim }) => role === "house" && rim);
  if (found) return { ...found, cells: cellsOf(found.cells, size) };
  const cell = cellOf((placed ?? removed[0]).cell, size);
  const around = houses(puzzle).filter((house) => house.cells.includes(cell));
  const { kind, number, cells } = around.find(isBlock) ?? around[0];
  return { label: `${kind} ${number}`, role: "house", cells, rim: rimOf(cells, size) };
}
