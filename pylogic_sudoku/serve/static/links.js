// Links to the page, which hold a puzzle behind their "#": reading one, and what is wrong with it.

import { fromText, nameOf, sizeOf } from "./puzzle.js";

const SYMBOLS = "123456789ABCDEFG";
const MOST = SYMBOLS.length; // rows of a grid
const LINK = /^(?:https?:\/\/\S+#)?(\d+x\d+,\S*)$/;

/** The part of a text that is such a link, or null if it is something else. */
export const linkIn = (text) => LINK.exec(text.trim())?.[1] ?? null;

/** In a sentence, why the text of a link holds no puzzle; empty if it holds one. */
export function faultOf(text) {
  if (fromText(text)) return "";
  return `The link does not hold a puzzle: ${reason(text)}. Copy the whole link, or ask for it again.`;
}

function reason(text) {
  const [shape, givens = ""] = text.split(",");
  if (!/^\d+x\d+$/.test(shape)) return "it does not begin with the shape of the boxes, such as 3x3";
  const n = sizeOf(shape.split("x").map(Number));
  if (n < 1 || n > MOST) return `grids have 1 to ${MOST} rows here, and this one has ${n}`;
  const cells = [...givens];
  if (cells.length !== n * n) return `${shape} boxes make ${n * n} cells, and it has ${cells.length}`;
  const known = `.${SYMBOLS.slice(0, n)}`;
  const wrong = cells.findIndex((symbol) => !known.includes(symbol));
  if (wrong >= 0) return `${nameOf(wrong, n)} holds “${cells[wrong]}”`;
  return "its regions, marks or rules do not fit the grid";
}
