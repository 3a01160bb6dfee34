// A picture of an answer to any problem: a table, if its atoms have two coordinates, and perhaps a value.

import { part } from "./elements.js";

const ATOM = /^([a-z]\w*)\(([^()"]*)\)$/; // one with plain arguments
const MOST = 24; // rows and columns
const SIGNS = { queen: "♛" };
const BLACK = ["black"]; // names of atoms that darken a cell

/** The name and the arguments of an atom; null if these are more than numbers and names. */
function plain(atom) {
  const [, name, inside] = ATOM.exec(atom) ?? [];
  return name ? { name, values: inside.split(",") } : null;
}

const isNumber = (value) => /^-?\d+$/.test(value);
const keyOf = (row, column) => `${row} ${column}`;

/** The values of one coordinate in order: all numbers from the least to the greatest, or the names. */
function axis(values) {
  const some = [...new Set(values)];
  if (!some.every(isNumber)) return some;
  const numbers = some.map(Number);
  const least = Math.min(1, ...numbers);
  const length = Math.max(...numbers) - least + 1;
  return length > MOST ? some : Array.from({ length }, (_, index) => String(least + index));
}

/**
 * What draws each of these answers, which are lists of atoms; null if they have no coordinates. `facts` are those of
 * the instance: some give values of the grid, or numbers below the atoms.
 */
export function drawer(answers, facts) {
  const atoms = answers.flat().map(plain);
  const placed = atoms.filter((atom) => atom?.values.length === 2 || atom?.values.length === 3);
  const kinds = Map.groupBy(placed, ({ name, values }) => `${name}/${values.length}`);
  const [most] = [...kinds.values()].sort((one, other) => other.length - one.length);
  const known = [...Map.groupBy(facts.map(plain).filter((fact) => fact?.values.length === 3), ({ name }) => name).values()];
  const number = most?.[0].values.length ?? 2;
  const below = number === 2 ? known.find((some) => isFull(some)) : null; // a number for each cell
  if (!most && !below) return null;
  const cells = [...(most ?? []), ...(below ?? [])];
  const rows = axis(cells.map(({ values }) => values[0]));
  const columns = axis(cells.map(({ values }) => values[1]));
  if (rows.length > MOST || columns.length > MOST) return null;
  const name = most?.[0].name ?? "";
  const shades = number === 3 && most.every(({ values }) => values[2] === "0" || values[2] === "1");
  return (answer) => {
    const own = answer.map(plain).filter((atom) => atom?.name === name && atom.values.length === number);
    const held = new Map(own.map(({ values }) => [keyOf(...values), values[2] ?? SIGNS[name] ?? "●"]));
    const under = new Map((below ?? []).map(({ values }) => [keyOf(...values), values[2]]));
    const dark = shades || BLACK.includes(name);
    const givens = new Set(known.filter((some) => some !== below && some.every(({ values }) => held.get(keyOf(...values)) === values[2]))
      .flatMap((some) => some.map(({ values }) => keyOf(...values))));
    const cell = (row, column) => {
      const key = keyOf(row, column);
      const value = held.get(key);
      const isDark = dark && value && value !== "0";
      const shown = dark ? (under.get(key) ?? "") : (value ?? under.get(key) ?? "");
      const className = [isDark && "dark", givens.has(key) && "given", !shown && value === undefined && "empty"].filter(Boolean).join(" ");
      const said = isDark ? [part("span", { className: "unseen" }, " black")] : [];
      return part("td", { className }, shown, ...said);
    };
    const head = part("tr", {}, part("td", {}), ...columns.map((column) => part("th", { scope: "col" }, column)));
    const lines = rows.map((row) => part("tr", {}, part("th", { scope: "row" }, row), ...columns.map((column) => cell(row, column))));
    const table = part("table", { className: "grid" }, part("caption", { className: "unseen" }, `The answer as a table of ${name || "the facts"}.`), head, ...lines);
    const longest = Math.max(...[...held.values(), ...under.values(), ...columns].map(({ length }) => length), 1);
    table.style.setProperty("--columns", columns.length + 1);
    table.style.setProperty("--rows", rows.length + 1);
    table.classList.toggle("wide", longest > 2);
    return table;
  };
}

/** Whether these atoms have a value for each cell of a rectangle of more than one cell. */
function isFull(atoms) {
  const [rows, columns] = [0, 1].map((at) => new Set(atoms.map(({ values }) => values[at])));
  const keys = new Set(atoms.map(({ values }) => keyOf(values[0], values[1])));
  const numbers = atoms.every(({ values }) => values.every(isNumber));
  return numbers && keys.size === atoms.length && keys.size === rows.size * columns.size;
}
