// What the programs know before they guess: the candidates that propagation leaves, of one side or of both.

import { counted, listed } from "./elements.js";
import { nameOf } from "./puzzle.js";

const ROLES = ["a", "b"]; // of candidates that only one side has left, in the order of the sides

/** How much of the grid is known, in words; `left` has the digits of each cell, or is null. */
export function known(left, n) {
  if (!left) return "sees at once that there is no solution";
  const number = left.filter(({ length }) => length === 1).length;
  return `knows ${number} of ${n * n} without a guess`;
}

/** How the board shows what is left: `sides` has by name the digits of each cell. */
export function compared(sides, n) {
  const names = Object.keys(sides);
  const left = Object.values(sides).map((cells) => cells.map((digits) => new Set(digits)));
  const [first] = left;
  const cells = first.map((_, cell) => left.map((each) => each[cell]));
  const all = cells.map((sets) => sets.reduce((one, other) => one.union(other)));
  const differ = [...cells.keys()].filter((cell) => cells[cell].some((set) => set.size < all[cell].size));
  const candidateRoles = new Map();
  for (const cell of differ) {
    const only = [...all[cell]].filter((digit) => cells[cell].filter((set) => set.has(digit)).length === 1);
    candidateRoles.set(cell, new Map(only.map((digit) => [digit, ROLES[cells[cell].findIndex((set) => set.has(digit))]])));
  }
  return {
    text: inWords(names, left, differ, n),
    shown: all.map((digits, cell) => (digits.size === 1 && !differ.includes(cell) ? [...digits][0] : 0)),
    pencil: all.map((digits) => (digits.size > 1 ? digits : null)),
    cellRoles: new Map(differ.map((cell) => [cell, ["difference"]])),
    candidateRoles,
    legend: legend(names, candidateRoles),
  };
}

function inWords(names, left, differ, n) {
  const number = (cells) => cells.reduce((sum, digits) => sum + digits.size, 0);
  const each = names.map((name, side) => `${name} has ${counted(number(left[side]), "candidate")} left before it guesses`);
  if (names.length < 2) return `${each[0]}.`;
  if (!differ.length) return `Both know exactly as much before they guess: ${counted(number(left[0]), "candidate")} are left.`;
  const where = differ.length > 8 ? counted(differ.length, "cell") : listed(differ.map((cell) => nameOf(cell, n)));
  return `${each.join(", ").replace(" left before it guesses", "")}. They differ in ${where}.`;
}

/** Which candidates only one side has. */
function legend(names, candidateRoles) {
  const all = [...candidateRoles].flatMap(([, roles]) => [...roles]);
  return names.flatMap((name, side) => {
    const found = all.find(([, role]) => role === ROLES[side]);
    return found ? [{ role: ROLES[side], label: `only ${name} has it left`, cells: [], candidates: [["", found[0]]] }] : [];
  });
}
