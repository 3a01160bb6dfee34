// The cells that a pointer crosses on the board.

const CENTRE = 0.47; // of a cell: dragging from corner to corner does not touch the cells beside

/** The place of a pointer on the board, in cells from its upper left corner. */
export function placeOn(element, n, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  return [((clientX - left - clientLeft) / clientWidth) * n, ((clientY - top - clientTop) / clientHeight) * n];
}

/** The cells near whose centres the straight line from one place to another goes, in its order. */
export function cellsBetween([fromX, fromY], [x, y], n) {
  const steps = Math.ceil(Math.hypot(x - fromX, y - fromY) * 8);
  const places = Array.from({ length: steps }, (_, step) => (step + 1) / steps);
  const cells = places.map((part) => cellAt(fromX + (x - fromX) * part, fromY + (y - fromY) * part, n));
  return cells.filter((cell, index) => cell !== null && cell !== cells[index - 1]);
}

function cellAt(x, y, n) {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (Math.min(row, column) < 0 || Math.max(row, column) >= n) return null;
  return Math.hypot(x - column - 0.5, y - row - 0.5) > CENTRE ? null : row * n + column;
}
