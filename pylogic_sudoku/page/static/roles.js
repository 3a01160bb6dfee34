// How the board shows an answer: the roles of cells and candidates, their shapes, and the legend; for an
// explanation, for the candidates that propagation leaves, and for a wrong answer of a changed program.

import { counted, drawing, drawn, inFigures, listed, part } from "./elements.js";
import { cellOf, clashes, isBlock, nameOf, rimOf, sizeOf } from "./puzzle.js";

/**
 * The lines of each role in a square of 14 by 14; the first roles come before the others. They are those
 * of pictures, in draw/scene.py; a test compares them.
 */
const SHAPES = {
  target: "M1 1h12v12h-12z",
  conflict: "M1 1h12v12h-12zM2.4 2.4h9.2v9.2h-9.2z",
  removed: "M2.02 11.98l9.96 -9.96",
  difference: "M1 1h12v12h-12z",
  a: "M-0.2 7l7.2 -7.2l7.2 7.2l-7.2 7.2z",
  b: "M1 7l3 -6h6l3 6l-3 6h-6z",
  c: "M4 1h-3v12h3M10 1h3v12h-3",
  d: "M1 1h12M1 13h12",
  e: "M1 4v-3h3M1 10v3h3M13 4v-3h-3M13 10v3h-3",
  f: "M1 11.5h12M1 13.6h12",
  reason: "M1.6 7a5.4 5.4 0 0 1 10.8 0a5.4 5.4 0 0 1 -10.8 0z",
  house: "M0 3.5h14v7h-14z",
  cover: "M0 3.5h14v7h-14z",
};

const LINKS = [
  { link: "strong", label: "at least one of the two holds" },
  { link: "weak", label: "at most one of the two holds" },
];

/** The role whose shape a cell shows, if it has several. */
export const firstRole = (roles) => Object.keys(SHAPES).find((role) => roles.includes(role));

/** The shape of a role, on its ground if that is wanted. */
export function shape(role, grounded = false) {
  const ground = grounded ? [drawn("rect", { width: 14, height: 14 })] : [];
  return drawing({ class: `shape ${role}`, viewBox: "0 0 14 14" }, ...ground, drawn("path", { d: SHAPES[role] }));
}

/** How a board of n rows shows an explanation of the server. */
export function explained({ short, grid, highlights, candidates: pencil, links }, n) {
  const cellRoles = new Map();
  const candidateRoles = new Map();
  for (const { role, cells, candidates: digits } of highlights) {
    for (const name of cells) {
      const cell = cellOf(name, n);
      cellRoles.set(cell, [...(cellRoles.get(cell) ?? []), role]);
    }
    for (const [name, digit] of digits) {
      const cell = cellOf(name, n);
      const roles = candidateRoles.get(cell) ?? new Map();
      if (!roles.has(digit)) candidateRoles.set(cell, roles.set(digit, role));
    }
  }
  return {
    text: short, // the board shows the rest
    legend: [
      ...highlights.filter(({ label, cells, candidates: marked }) => label && (cells.length || marked.length)),
      ...LINKS.filter(({ link }) => links.some(({ strong }) => strong === (link === "strong"))),
    ],
    links,
    rims: highlights.filter(({ rim }) => rim),
    cellRoles,
    candidateRoles,
    shown: grid.flat().map((digit) => digit ?? 0),
    pencil: pencil?.flat().map((digits) => new Set(digits)),
  };
}

/** The look of a mark in the legend. */
export function swatch({ link, role, cells, candidates }) {
  const inCells = cells?.length > 0;
  const look = link ? `link ${link}` : `${inCells ? "role" : "mark"}-${role}`;
  const held = link ? [] : [inCells ? "" : String(candidates[0][1]), shape(role, true)];
  return part("span", { className: `swatch ${look}`, ariaHidden: "true" }, ...held);
}

// --- what the programs know before they guess ------------------------------------------------------

const SIDE_ROLES = ["a", "b"]; // of candidates that only one side has left, in the order of the sides

const certain = (left) => left.filter(({ length }) => length === 1).length;

/** How many digits are known, in words; `left` has the digits of each cell, or is null. */
export function knownInShort(left, n) {
  if (!left) return "sees at once that there is no solution";
  const number = certain(left);
  return number === n * n ? `knows all ${number} digits` : `knows ${counted(number, "digit")}`;
}

/** The same with the candidates that are left. */
export function known(left, n) {
  const short = knownInShort(left, n);
  if (!left) return short;
  return certain(left) === n * n ? `${short} without a guess` : `${short}, ${inFigures(candidates(left))} candidates left`;
}

const candidates = (cells) => cells.reduce((sum, { length }) => sum + length, 0);

/**
 * The difference between two sides at work in words, as far as it is known. Each is { name, left, choices }: the digits
 * that it leaves each cell before it guesses, null if it finds a contradiction, and its guesses up to a solution.
 */
export function atWork(sides) {
  return [knowing(sides), guessing(sides)].filter(Boolean).join(" ");
}

function knowing(sides) {
  if (sides.length < 2 || sides.some(({ left }) => left === undefined)) return "";
  const blind = sides.filter(({ left }) => !left);
  if (blind.length) return `${blind.length > 1 ? "Both see" : `Only ${blind[0].name} sees`} at once that there is no solution.`;
  const [one, other] = sides;
  const digits = sides.map(({ left }) => certain(left));
  const digitsOf = ({ left }) => String(left.map((each) => (each.length === 1 ? each[0] : 0)));
  if (digits[0] === one.left.length && digitsOf(one) === digitsOf(other)) return `Both know all ${digits[0]} digits without a guess.`;
  const before = `Before a guess ${one.name} knows ${counted(digits[0], "digit")}`;
  const same = digitsOf(one) === digitsOf(other);
  const fewer = candidates(one.left) - candidates(other.left);
  if (same && String(one.left) === String(other.left)) return `${before}, and ${other.name} exactly the same.`;
  const more = fewer ? `and leaves ${counted(Math.abs(fewer), "candidate")} ${fewer > 0 ? "fewer" : "more"}` : "but leaves other candidates";
  return `${before}; ${other.name} knows ${same ? "the same" : inFigures(digits[1])} ${more}.`;
}

const times = (number) => (number > 1 ? `${inFigures(number)} times` : number ? "once" : "never");

function guessing(sides) {
  const guesses = sides.map(({ choices }) => choices);
  if (sides.length < 2 || !guesses.every(Number.isInteger)) return "";
  const [one, other] = sides;
  if (guesses[0] === guesses[1]) return guesses[0] ? `Both guessed ${times(guesses[0])}.` : "Neither guessed.";
  const [first, second] = guesses;
  const short = Math.min(first, second) > 1 ? inFigures(second) : times(second);
  return `${one.name} guessed ${times(first)}, ${other.name} ${short}.`;
}

/**
 * How the board shows what is left: `sides` has by name the digits of each cell. A digit that any side knows is large.
 * Candidates that only one side has left are marked where few cells differ; many such cells are tinted, and nothing more.
 */
export function compared(sides, n) {
  const names = Object.keys(sides);
  const numbers = Object.values(sides).map((cells) => counted(candidates(cells), "candidate"));
  const left = Object.values(sides).map((cells) => cells.map((digits) => new Set(digits)));
  const [first] = left;
  const cells = first.map((_, cell) => left.map((each) => each[cell]));
  const all = cells.map((sets) => sets.reduce((one, other) => one.union(other)));
  const differ = [...cells.keys()].filter((cell) => cells[cell].some((set) => set.size < all[cell].size));
  const knows = cells.map((sets) => sets.findIndex(({ size }) => size === 1));
  const isMarked = (cell) => differ.length <= n && knows[cell] < 0;
  const candidateRoles = new Map();
  for (const cell of differ.filter(isMarked)) {
    const only = [...all[cell]].filter((digit) => cells[cell].filter((set) => set.has(digit)).length === 1);
    candidateRoles.set(cell, new Map(only.map((digit) => [digit, SIDE_ROLES[cells[cell].findIndex((set) => set.has(digit))]])));
  }
  const cellRoles = new Map(differ.map((cell) => [cell, [knows[cell] < 0 ? "difference" : SIDE_ROLES[knows[cell]]]]));
  return {
    text: differences(names, numbers, differ, n),
    shown: cells.map((sets, cell) => [...(sets[knows[cell]] ?? [])][0] ?? 0),
    pencil: all.map((digits, cell) => (cells[cell].some(({ size }) => size < n) ? digits : null)), // else nothing is known
    cellRoles,
    candidateRoles,
    legend: [...onlyOne(names, candidateRoles), ...tints(names, cellRoles, candidateRoles)],
  };
}

/** What the tints of cells mean that have no marks. */
function tints(names, cellRoles, candidateRoles) {
  const plain = [...cellRoles].filter(([cell]) => !candidateRoles.has(cell)).map(([, [role]]) => role);
  const labels = { a: `only ${names[0]} knows the digit`, b: `only ${names[1]} knows the digit`, difference: "they have other candidates left" };
  return Object.entries(labels).flatMap(([role, label]) => (plain.includes(role) ? [{ role, label, cells: ["any"] }] : []));
}

function differences(names, numbers, differ, n) {
  const each = names.map((name, side) => `${name} has ${numbers[side]}`);
  if (names.length < 2) return `${each[0]} left before it guesses.`;
  if (!differ.length) return `Both know exactly as much before they guess: ${numbers[0]} are left.`;
  const where = differ.length > 8 ? counted(differ.length, "cell") : listed(differ.map((cell) => nameOf(cell, n)));
  return `${each.join(", ")} left before it guesses. They differ in ${where}.`;
}

/** Which candidates only one side has. */
function onlyOne(names, candidateRoles) {
  const all = [...candidateRoles].flatMap(([, roles]) => [...roles]);
  return names.flatMap((name, side) => {
    const found = all.find(([, role]) => role === SIDE_ROLES[side]);
    return found ? [{ role: SIDE_ROLES[side], label: `only ${name} has it left`, cells: [], candidates: [["", found[0]]] }] : [];
  });
}

// --- what is wrong with a changed program ----------------------------------------------------------

const MANY = 4; // things that a sentence names

/** Why a changed program did not answer, or what is wrong with its answers. */
export function whatFailed({ outcome, rule, missing, wrong, grids, message, messages, places, diagnosis, sought = "" }) {
  const said = outcome === "error" ? [errorIn(messages, places)] : [];
  if (outcome === "not graded") said.push(sentence(message));
  if (outcome === "timeout") said.push(`Its time ran out; it gave ${counted(grids.length || "no", "answer")} until then.`);
  if (wrong) said.push(`${counted(wrong, "answer")} ${wrong === 1 ? "is not a solution" : "are not solutions"}${rule && `: ${rule}`}.`);
  if (missing) said.push(`${counted(missing, "solution")} ${missing === 1 ? "is" : "are"} missing.`);
  return [...said, ...(diagnosis ? [sentence(diagnosis.summary)] : []), sought].filter(Boolean).join(" ");
}

function errorIn([first], places) {
  const where = places.length ? ` in line ${places[0].line}` : "";
  if (first?.kind === "no-predicate") return sentence(`${first.text}, which ${where ? `is called${where}` : "the program calls"}`);
  if (first?.kind?.startsWith("syntax")) return `Syntax error${where}.`;
  return where ? `The program stops with an error${where}.` : "The program does not run to its end.";
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

/**
 * How the board shows a wrong answer: every given that is overwritten, and every house that holds a digit twice. If that
 * is most of the board, only the digits of the first such house are marked.
 */
export function wrongAnswer(cells, puzzle) {
  const n = sizeOf(puzzle.box);
  const { givens } = puzzle;
  const overwritten = [...cells.keys()].filter((cell) => givens[cell] && givens[cell] !== cells[cell]);
  const houses = clashes(cells, puzzle);
  const all = new Set(houses.flatMap(({ twice }) => twice));
  const isCrowded = all.size > n;
  const wrong = isCrowded ? new Set(houses[0].twice) : all;
  const where = isCrowded ? `, in ${houses[0].kind} ${houses[0].number}, the first such house` : "";
  const legend = [];
  if (overwritten.length) legend.push({ role: "target", label: "a given that is overwritten; small, what it was", cells: ["given"] });
  if (houses.length) legend.push({ role: "house", label: "a house that holds a digit twice; rows and columns by their numbers", cells: ["house"] });
  if (wrong.size) legend.push({ role: "conflict", label: `the digit is there twice${where}`, cells: ["wrong"] });
  return {
    text: [
      counting("given is overwritten", "givens are overwritten", overwritten.map((cell) => nameOf(cell, n))),
      counting("house holds a digit twice", "houses hold a digit twice", houses.map(({ kind, number }) => `${kind} ${number}`)),
    ]
      .filter(Boolean)
      .join("\n"),
    shown: cells,
    wrong,
    cellRoles: new Map(overwritten.map((cell) => [cell, ["target"]])),
    candidateRoles: new Map(overwritten.map((cell) => [cell, new Map([[givens[cell], "target"]])])),
    rims: houses.filter(isBlock).map((house) => ({ rim: rimOf(house.cells, n), role: "house" })),
    flagged: houses.map(({ kind, number }) => `${kind} ${number}`),
    legend,
  };
}

function counting(one, several, names) {
  if (!names.length) return "";
  const named = names.length > MANY ? "" : `: ${listed(names)}`;
  return names.length === 1 ? `1 ${one}${named}.` : `${names.length} ${several}${named}.`;
}
