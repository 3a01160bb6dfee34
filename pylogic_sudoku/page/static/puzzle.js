// A puzzle is { box, givens, regions, marks, rules, title, author, unread }. Cells are counted from 0, row by row.
// `box` is [rows, columns] of a box; `givens` has the digit of each cell, 0 if it is empty;
// `regions` has the number of the region of each cell, or is null for boxes; `marks` is a Map from
// a cell to the digits that it may hold; `rules` are those beyond plain sudoku, as the server has
// them in JSON.

const SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAX_ROWS = 16; // rows of a grid
const LINK = /^(?:https?:\/\/\S+#)?(\d+x\d+,\S*)$/; // to the page, with a puzzle behind its "#"

export const sizeOf = (box) => box[0] * box[1];

/** The side of a cell in drawings on the board. */
export const SIDE = 40;

const ascending = (one, other) => one - other;

const range = (length) => Array.from({ length }, (_, index) => index);

/** The number of the box or region of each cell; 0 if a box would be a row or column, so that there are none. */
export function blocksOf({ box: [boxRows, boxColumns], regions }) {
  const n = boxRows * boxColumns;
  if (!regions && Math.min(boxRows, boxColumns) === 1) return Array(n * n).fill(0);
  const boxAt = (row, column) =>
    Math.floor(row / boxRows) * (n / boxColumns) + Math.floor(column / boxColumns) + 1;
  return regions ?? range(n * n).map((cell) => boxAt(Math.floor(cell / n), cell % n));
}

export const isBlock = ({ kind }) => kind === "box" || kind === "region";

/** Every row, column, and box or region, if there are some: kind, number from 1, and cells. */
export function houses(puzzle) {
  const n = sizeOf(puzzle.box);
  const kinds = ["row", "column", puzzle.regions ? "region" : "box"];
  const all = kinds.map((kind) => range(n).map((index) => ({ kind, number: index + 1, cells: [] })));
  blocksOf(puzzle).forEach((block, cell) => {
    const places = [Math.floor(cell / n), cell % n, block - 1];
    places.forEach((place, kind) => all[kind][place]?.cells.push(cell));
  });
  return all.flat().filter(({ cells }) => cells.length);
}

export const nameOf = (cell, n) => `r${Math.floor(cell / n) + 1}c${(cell % n) + 1}`;

export function cellOf(name, n) {
  const [row, column] = name.slice(1).split("c").map(Number);
  return (row - 1) * n + column - 1;
}

export const cellsOf = (names, n) => names.map((name) => cellOf(name, n));

const PARITIES = ["even", "odd"];
/** The digits of a grid of n rows, which are also the numbers of its rows. */
export const digitsTo = (n) => range(n).map((index) => index + 1);
const ofParity = (word, n) => digitsTo(n).filter((digit) => digit % 2 === PARITIES.indexOf(word));

/** "odd" or "even" if these are the digits of that mark. */
export const parity = (digits, n) =>
  PARITIES.find((word) => String(ofParity(word, n)) === String(digits));

/** The mark in words: "odd", "even", or "1 or 3". */
export const inWords = (digits, n) => parity(digits, n) ?? (digits.join(" or ") || "no digit");

/** The houses that hold a digit twice: kind, number and cells, and `twice`, the cells of such digits. */
export function clashes(cells, puzzle) {
  return houses(puzzle).flatMap((house) => {
    const held = Map.groupBy(house.cells.filter((cell) => cells[cell]), (cell) => cells[cell]);
    const twice = [...held.values()].filter(({ length }) => length > 1).flat();
    return twice.length ? [{ ...house, twice }] : [];
  });
}

/** Digits that break a rule: in words, and their cells. `broken` are rules beyond plain sudoku. */
export function mistakes(cells, puzzle, broken = []) {
  const n = sizeOf(puzzle.box);
  const found = clashes(cells, puzzle);
  const pairs = found.flatMap(({ kind, number, twice }) =>
    [...Map.groupBy(twice, (cell) => cells[cell]).values()].flatMap(([first, ...others]) =>
      others.map((other) => [`${nameOf(first, n)} and ${nameOf(other, n)} both hold ${cells[other]}`, `${kind} ${number}`]),
    ),
  );
  const wrong = [...puzzle.marks].filter(([at, digits]) => cells[at] && !digits.includes(cells[at]));
  return {
    cells: new Set([
      ...found.flatMap(({ twice }) => twice),
      ...wrong.map(([cell]) => cell),
      ...broken.flatMap((rule) => cellsOf(rule.cells, n)),
    ]),
    texts: [
      ...[...Map.groupBy(pairs, ([pair]) => pair)].map(([pair, where]) => `${pair} (${where.map(([, house]) => house).join(", ")}).`),
      ...wrong.map(([at, digits]) => `${nameOf(at, n)} holds ${cells[at]}, but must be ${inWords(digits, n)}.`),
      ...broken.map(({ text }) => `Broken: ${text}.`),
    ],
  };
}

/** The rim of some cells as a path in which a cell is `side` wide. */
export function rimOf(cells, n, side = SIDE) {
  const inside = new Set(cells);
  const lines = cells.flatMap((cell) => {
    const [x, y] = [(cell % n) * side, Math.floor(cell / n) * side];
    const open = (other, edge) => !inside.has(other) || edge;
    return [
      ...(open(cell - n) ? [`M${x} ${y}h${side}`] : []),
      ...(open(cell + n) ? [`M${x} ${y + side}h${side}`] : []),
      ...(open(cell - 1, cell % n === 0) ? [`M${x} ${y}v${side}`] : []),
      ...(open(cell + 1, cell % n === n - 1) ? [`M${x + side} ${y}v${side}`] : []),
    ];
  });
  return lines.join("");
}

/** The rims of the grid and of all boxes or regions as one path. */
export function wallsOf(puzzle, side) {
  const n = sizeOf(puzzle.box);
  const blocks = houses(puzzle).filter(isBlock).map(({ cells }) => cells);
  const areas = blocks.length ? blocks : [range(n * n)];
  return areas.map((cells) => rimOf(cells, n, side)).join("");
}

/** For each empty cell the digits that its mark allows and no house of it holds; else null. */
export function pencilMarks(cells, puzzle) {
  const all = digitsTo(sizeOf(puzzle.box));
  const free = cells.map((digit, cell) => (digit ? null : new Set(puzzle.marks.get(cell) ?? all)));
  for (const house of houses(puzzle)) {
    for (const holder of house.cells) {
      for (const cell of house.cells) free[cell]?.delete(cells[holder]);
    }
  }
  return free;
}

/** The cells that share a house with this one. */
export const peers = (cell, puzzle) =>
  new Set(houses(puzzle).flatMap((house) => (house.cells.includes(cell) ? house.cells : [])));

// --- as JSON, which the server reads and writes ------------------------------------------------

/** The cells of a board of n rows as lists. */
export const rowsOf = (cells, n) => range(n).map((row) => cells.slice(row * n, (row + 1) * n));

/** The puzzle with these cells instead of its givens. */
export function toJson({ box, givens, regions, marks, rules, title, author, unread = [] }, cells = givens) {
  const n = sizeOf(box);
  const json = { box, grid: rowsOf(cells.map((digit) => digit || null), n) };
  if (regions) json.regions = rowsOf(regions, n);
  if (marks.size) {
    json.marks = Object.fromEntries([...marks].map(([cell, digits]) => [nameOf(cell, n), digits]));
  }
  if (rules.length) json.rules = rules;
  return { ...json, ...(title && { title }), ...(author && { author }), ...(unread.length && { unread }) };
}

export function fromJson({ box, grid, regions, marks = {}, rules = [], title = "", author = "", unread = [] }) {
  const pairs = Object.entries(marks).map(([name, digits]) => [cellOf(name, sizeOf(box)), digits]);
  const givens = grid.flat().map((digit) => digit ?? 0);
  return { box, givens, regions: regions?.flat() ?? null, marks: new Map(pairs), rules, title, author, unread };
}

// --- as text, for links, the history and the storage -------------------------------------------

/**
 * The text "2x3,givens,entries,regions=…,marks=r1c1:odd.r1c2:34,rules=…,title=…,pencil=r1c3:12,gone=…" of a
 * puzzle and what a person has added; most parts may be missing. A link may have packed programs behind them.
 */
export function toText({ box, givens, regions, marks, rules, title, author, unread = [] }, { entries, pencil = new Map(), gone = new Map() } = {}) {
  const n = sizeOf(box);
  const named = {
    regions: regions && toLine(regions),
    marks: digitsText(marks, n),
    rules: rules.length && encodeURIComponent(JSON.stringify(rules)),
    title: encodeURIComponent(title),
    author: encodeURIComponent(author),
    unread: encodeURIComponent(unread.join("\n")),
    pencil: digitsText(pencil, n),
    gone: digitsText(gone, n),
  };
  const parts = Object.entries(named).filter(([, text]) => text);
  return [box.join("x"), toLine(givens), ...(entries ? [toLine(entries)] : []), ...parts.map(([name, text]) => `${name}=${text}`)].join(",");
}

/** The text "r1c1:odd.r1c2:34" of a Map from cells to digits. */
const digitsText = (map, n) =>
  [...map]
    .map(([cell, digits]) => [cell, [...digits].sort(ascending)])
    .sort(([one], [other]) => ascending(one, other))
    .map(([cell, digits]) => `${nameOf(cell, n)}:${parity(digits, n) ?? toLine(digits)}`)
    .join(".");

/** The cells with their digits of such a text, null in the place of what does not fit. */
const digitsFrom = (text, n) =>
  (text ? text.split(".") : []).map((word) => {
    const [name, line = ""] = word.split(":");
    const [cell, digits] = [cellOf(name, n), PARITIES.includes(line) ? ofParity(line, n) : digitsOf(line)];
    return cell >= 0 && cell < n * n && digits.every((digit) => digit > 0 && digit <= n) ? [cell, digits] : null;
  });

/** The notes of such a text: those that fit, as sets. */
const notesFrom = (text, n) => new Map(digitsFrom(text, n).flatMap((note) => (note?.[1].length ? [[note[0], new Set(note[1])]] : [])));

/** The puzzle of such a text, the entries, the notes and the packed programs, or null if it is not one. */
export function fromText(text) {
  const [shape, givenLine = "", ...rest] = text.split(",");
  const box = shape.split("x").map(Number);
  const n = sizeOf(box);
  const givens = /^\d+x\d+$/.test(shape) && n >= 1 && n <= MAX_ROWS && fromLine(givenLine, n);
  if (!givens) return null;
  const entryLine = rest.find((part) => !part.includes("="));
  const entries = entryLine ? fromLine(entryLine, n) : givens.map(() => 0);
  const more = Object.fromEntries(rest.filter((part) => part !== entryLine).map((p) => p.split("=")));
  const regions = more.regions ? fromLine(more.regions, n) : null;
  const marks = digitsFrom(more.marks, n);
  const rules = rulesFrom(more.rules);
  if (!entries || marks.includes(null) || !rules || (more.regions && !divides(regions, n))) return null;
  const [title, author, unread] = [more.title, more.author, more.unread].map(decoded);
  const [pencil, gone] = [more.pencil, more.gone].map((notes) => notesFrom(notes, n));
  return { puzzle: { box, givens, regions, marks: new Map(marks), rules, title, author, unread: unread.split("\n").filter(Boolean) }, entries, pencil, gone, packed: more.programs ?? "" };
}

/** What is wrong with a link whose text is not that of a puzzle. */
export const BAD_LINK =
  "The link does not hold a puzzle: it needs the shape of the boxes, such as 3x3, a digit or a dot for each cell of at " +
  `most ${MAX_ROWS} rows, and regions, marks and rules that fit. Copy the whole link, or ask for it again.`;

export const toLine = (cells) => cells.map((digit) => SYMBOLS[digit - 1] ?? ".").join("");

/** The digits of a line; NaN for what is not a digit. */
export const digitsOf = (line) => [...line].map((symbol) => (symbol === "." ? 0 : SYMBOLS.indexOf(symbol) + 1 || NaN));

/** The cells of a line, or null if it does not fit. */
function fromLine(line, n) {
  const cells = digitsOf(line);
  return cells.length === n * n && cells.every((digit) => digit <= n) ? cells : null;
}

/** Whether there are n regions of n cells. */
function divides(regions, n) {
  const blocks = [...Map.groupBy(regions ?? [], (number) => number).values()];
  return blocks.length === n && blocks.every(({ length }) => length === n) && !regions.includes(0);
}

/** The rules of a text, or null if it has none; what they hold is for the server to read. */
function rulesFrom(text = "") {
  try {
    const rules = JSON.parse(decoded(text) || "[]");
    return Array.isArray(rules) && rules.every((each) => typeof each?.rule === "string") ? rules : null;
  } catch {
    return null;
  }
}

function decoded(text = "") {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The part of a text that is such a link, or null if it is something else. */
export const linkIn = (text) => LINK.exec(text.trim())?.[1] ?? null;
