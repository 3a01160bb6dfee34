// The numbers of rows and columns beside the board, and the edges of its boxes and regions.

import { part } from "./elements.js";

/** Number the rows and columns of the frame around a board of n rows; the cells have names anyway. */
export function number(frame, n) {
  frame.style.setProperty("--n", n);
  frame.dataset.size = n > 9 ? "large" : "small";
  for (const each of frame.querySelectorAll(".numbers")) each.remove();
  for (const side of ["rows", "columns"]) {
    const numbers = Array.from({ length: n }, (_, at) => part("span", {}, String(at + 1)));
    frame.append(part("div", { className: `numbers ${side}`, ariaHidden: "true" }, ...numbers));
  }
}

/** The classes of each cell that ends a box or region on the right or below. */
export function edges(blocks, n) {
  return blocks.map((block, cell) => [
    ...((cell + 1) % n && blocks[cell + 1] !== block ? ["ends-right"] : []),
    ...(cell + n < n * n && blocks[cell + n] !== block ? ["ends-below"] : []),
  ]);
}
