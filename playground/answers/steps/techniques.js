// The questions that steps ask clingo: which techniques apply in a position.
//
// Nothing stays ground from one question to the next, so a program is asked for all of its
// techniques at once if that is quick, and its answers are kept for the position.

import { housesOf } from "./position.js";
import { facts, whole } from "../asp.js";
import { inOrder, placementsIn } from "../cells.js";
import { texts } from "../engines.js";
import { answers } from "../explainer.js";

const FEW = 9; // with more digits than that, a program of sets is asked for one technique at a time

/** An atom as nested lists: `must(once(row,3,5))` is ["must", ["once", "row", 3, 5]]. */
export function term(text) {
  const parts = text.match(/\w+\(|\w+|[(),]/g).map((part) => {
    if (/^\d+$|^,$/.test(part)) return part;
    if (part === ")") return "]";
    return part.endsWith("(") ? `["${part.slice(0, -1)}",` : `"${part}"`;
  });
  return JSON.parse(parts.join(""));
}

/** Every single and all locked candidates. */
export async function atOnce(position, signal) {
  const [answer] = await kept(position, "singles", () => ask(position, "singles", {}, signal));
  const found = [];
  const removing = new Map();
  for (const atom of answer.map(term)) {
    const [technique, must, ...rest] = atom.slice(1);
    const placement = rest.slice(-3);
    if (atom[0] === "place") found.push(step(technique, { must: [must], placed: placement }));
    else {
      const key = JSON.stringify([technique, must, rest[0]]);
      if (!removing.has(key)) removing.set(key, step(technique, { must: [must], most: [rest[0]] }));
      removing.get(key).removed.push(placement);
    }
  }
  for (const each of removing.values()) each.removed.sort(inOrder);
  return [...found, ...removing.values()];
}

/** Every step by a technique; of chains, only those that are as short as any by this technique. */
export async function by(technique, position, signal) {
  const { program, family, size } = (await texts).techniques.table[technique];
  if (family && fewest(family, position) > size) return [];
  const outside = program === "fish" ? await outsideTemplates(position, signal) : [];
  if (program === "fish" && !outside.length) return [];
  const sets = program === "templates" ? await common(technique, position, signal) : await shown();
  const found = sets.flatMap((atoms) => steps(technique, atoms.map(term)));
  return withoutRepetition(program, found);

  function shown() {
    if (family) {
      const wanted = position.size > FEW ? technique : family;
      return kept(position, wanted, () => ask(position, program, { options: [`-c technique=${wanted}`] }, signal)).then(ours);
    }
    return askFor(technique, program, position, outside, signal).then(ours);
  }

  function ours(several) {
    const mine = several.filter((atoms) => atoms.includes(`technique(${technique})`));
    const length = (atoms) => Number(/^length\((\d+)\)$/m.exec(atoms.join("\n"))?.[1] ?? 0);
    const least = Math.min(...mine.map(length));
    return mine.filter((atoms) => length(atoms) === least);
  }
}

/** A program that projects is asked for one technique; if its chains have lengths, for the shortest. */
async function askFor(technique, program, position, outside, signal) {
  const { text } = await whole([`techniques/${program}.lp`]);
  if (!text.includes("#project")) return kept(position, program, () => ask(position, program, {}, signal));
  const options = (await texts).techniques.projected;
  const lines = [`:- not technique(${technique}).`, ...outside.map((each) => `outside(${each}).`)];
  if (!/^[^%]*\blength\(/m.test(text)) return ask(position, program, { more: lines.join("\n"), options }, signal);
  // To ask for the shortest chain of each technique is slow if there is no chain at all.
  const [any] = await kept(position, program, () => ask(position, program, { options, models: 1 }, signal));
  lines.push("#show length/1.", ":~ length(K). [K]");
  return any ? ask(position, program, { more: lines.join("\n"), options: [...options, "--opt-mode=optN"] }, signal) : [];
}

/** What the templates of each digit have in common. */
async function common(technique, position, signal) {
  const found = [];
  for (let digit = 1; digit <= position.size; digit++) {
    const more = `:- not technique(${technique}).\n:- not part(${digit}).`;
    const last = (await ask(position, "templates", { more, options: ["--enum-mode=cautious"] }, signal)).at(-1);
    if (last) found.push(last);
  }
  return found;
}

/** The candidates in no template of their digit: no fish removes any other. */
function outsideTemplates(position, signal) {
  return kept(position, "outside", async () => {
    const more = ":- not technique(template_delete).\n#show chosen(X,Y,N) : chosen(X,Y), part(N).";
    const union = (await ask(position, "templates", { more, options: ["--enum-mode=brave"] }, signal)).at(-1) ?? [];
    const inside = new Set(union);
    return [...position.left].filter((each) => !inside.has(`chosen(${each})`));
  });
}

function ask(position, program, { more = "", options = [], models = 0 }, signal) {
  const given = facts({ ...position.puzzle, marks: new Map() });
  const filled = placementsIn(position.cells, position.size).map((each) => `sudoku(${each}).`);
  const open = [...position.left].map((each) => `candidate(${each}).`);
  return answers(position.puzzle, [`techniques/${program}.lp`], { more: [given, ...filled, ...open, more].join("\n"), options, models }, signal);
}

/** What is known of the position under this name, else what `find` finds. */
async function kept(position, name, find) {
  if (!position.known.has(name)) position.known.set(name, await find());
  return position.known.get(name);
}

/** The fewest candidates that a cell has, or a digit in a house. */
function fewest(family, position) {
  const numbers = new Map();
  const add = (key) => numbers.set(key, (numbers.get(key) ?? 0) + 1);
  const ofCells = family === "naked" || family === "locked";
  for (const each of ofCells ? position.left : []) add(each.slice(0, each.lastIndexOf(",")));
  for (const { kind, number, cells } of ofCells ? [] : housesOf(position.puzzle)) {
    for (const cell of cells) for (const digit of position.digits(cell)) add(`${kind} ${number} ${digit}`);
  }
  return Math.min(...numbers.values());
}

/** The steps that an answer set shows: one for each placement, or one that removes. */
function steps(technique, atoms) {
  const of = (name) => atoms.filter((atom) => atom[0] === name).map((atom) => atom.slice(1)).sort(inOrder);
  const grouped = (several) => Map.groupBy(several, ([first]) => named(first));
  const chain = [...grouped(of("node"))].sort(([one], [other]) => one - other).map(([, node]) => node.map((each) => each.slice(1)));
  const roles = [...grouped(of("role"))].sort(([one], [other]) => (one < other ? -1 : 1));
  const rest = {
    must: of("must").map(([rule]) => rule),
    most: of("most").map(([rule]) => rule),
    removed: of("remove"),
    chain,
    roles: Object.fromEntries(roles.map(([role, several]) => [role, several.map((each) => each.slice(1))])),
  };
  const placed = of("place");
  if (placed.length) return placed.map((each) => step(technique, { ...rest, placed: each }));
  return rest.removed.length ? [step(technique, rest)] : [];
}

const step = (technique, { must = [], most = [], placed = null, removed = [], chain = [], roles = {} }) =>
  ({ technique, must, most, placed, removed, chain, roles });

/** The name of a part, such as "fin" or "set A". */
const named = (part) => String(part).replaceAll("_", " ");

function withoutRepetition(program, found) {
  const chains = ["chains", "grouped_chains", "remote_pair"].includes(program);
  if (chains) found.sort((one, other) => one.must.length - other.must.length);
  const seen = new Map();
  for (const each of found) {
    const key = JSON.stringify(chains ? [each.placed, each.removed] : [each.must, each.most, each.placed, each.removed]);
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}
