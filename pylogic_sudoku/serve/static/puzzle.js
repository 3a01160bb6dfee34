// Grids as flat arrays of digits, 0 for an empty cell; a box shape is [rows, columns].

const SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const known = new Map();

export const sizeOf = (box) => box[0] * box[1];

/** Every row, column and box: kind, number from 1, and cells. */
export function houses(box) {
  const key = box.join("x");
  if (!known.has(key)) known.set(key, makeHouses(box));
  return known.get(key);
}

function makeHouses([boxRows, boxColumns]) {
  const n = boxRows * boxColumns;
  const all = ["row", "column", "box"].map((kind) =>
    Array.from({ length: n }, (_, index) => ({ kind, number: index + 1, cells: [] })),
  );
  for (let cell = 0; cell < n * n; cell++) {
    const row = Math.floor(cell / n);
    const column = cell % n;
    const box = Math.floor(row / boxRows) * (n / boxColumns) + Math.floor(column / boxColumns);
    [row, column, box].forEach((place, kind) => all[kind][place].cells.push(cell));
  }
  return all.flat();
}

export const nameOf = (cell, n) => `r${Math.floor(cell / n) + 1}c${(cell % n) + 1}`;

export function cellOf(name, n) {
  const [row, column] = name.slice(1).split("c").map(Number);
  return (row - 1) * n + column - 1;
}

/** What is wrong with the grid, in words, and the cells that it is about. */
export function conflicts(cells, box) {
  const n = sizeOf(box);
  const clashes = new Map();
  for (const house of houses(box)) {
    const holder = new Map();
    for (const cell of house.cells) {
      const digit = cells[cell];
      if (!digit) continue;
      if (holder.has(digit)) {
        const first = holder.get(digit);
        const pair = `${nameOf(first, n)} and ${nameOf(cell, n)} both hold ${digit}`;
        const clash = clashes.get(pair) ?? { pair, cells: [first, cell], houses: [] };
        clash.houses.push(`${house.kind} ${house.number}`);
        clashes.set(pair, clash);
      } else {
        holder.set(digit, cell);
      }
    }
  }
  const found = [...clashes.values()];
  return {
    cells: new Set(found.flatMap((clash) => clash.cells)),
    texts: found.map((clash) => `${clash.pair} (${clash.houses.join(", ")}).`),
  };
}

/** For each empty cell the digits that no cell of its houses holds; null for a full cell. */
export function candidates(cells, box) {
  const n = sizeOf(box);
  const free = cells.map((digit) =>
    digit ? null : new Set(Array.from({ length: n }, (_, index) => index + 1)),
  );
  for (const house of houses(box)) {
    for (const holder of house.cells) {
      for (const cell of house.cells) free[cell]?.delete(cells[holder]);
    }
  }
  return free;
}

/** The cells that share a house with this one. */
export const peers = (cell, box) =>
  new Set(houses(box).flatMap((house) => (house.cells.includes(cell) ? house.cells : [])));

export const rowsOf = (cells, box) => {
  const n = sizeOf(box);
  return Array.from({ length: n }, (_, row) => cells.slice(row * n, (row + 1) * n));
};

export const toLine = (cells) => cells.map((digit) => SYMBOLS[digit - 1] ?? ".").join("");

/** The cells of a line, or null where it is none for this box shape. */
export function fromLine(line, box) {
  const n = sizeOf(box);
  const cells = [...line].map((symbol) => (symbol === "." ? 0 : SYMBOLS.indexOf(symbol) + 1));
  const right = cells.length === n * n && [...line].every((s, i) => s === "." || cells[i]);
  return right && cells.every((digit) => digit <= n) ? cells : null;
}
