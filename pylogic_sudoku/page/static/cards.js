// The cards of puzzles: their puzzles, and a small picture of each.

import { button, drawing, drawn } from "./elements.js";
import { fromText, nameOf, sizeOf, wallsOf } from "./puzzle.js";

const withRules = (rules) => `,rules=${encodeURIComponent(JSON.stringify(rules))}`;

/** The cages of a 9x9 killer: a letter for each cell, and the sums in the order of the letters. */
function cages(letters, sums) {
  const cells = Map.groupBy([...letters].keys(), (cell) => letters[cell]);
  return [...cells.values()].map((each, index) => ({
    rule: "killer_cage",
    cells: each.map((cell) => nameOf(cell, 9)),
    sum: sums[index],
  }));
}

const thermometers = (...lines) => lines.map((line) => ({ rule: "thermometer", cells: line.split(" ") }));

/** The puzzles of the cards, as links have them. Each has one solution. */
const EXAMPLES = {
  Easy: "3x3,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
  Hard: "3x3,2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..",
  Killer:
    `3x3,${".".repeat(81)}` +
    withRules(
      cages(
        "ABBCCCDEEAAFCGDDHHIIFJGKKHHLLFJMMKKNOLPPQQQNNOOPPRRQSNOTTUURSSVWWTUXXXSVWYYZZZaaV",
        [16, 11, 20, 17, 6, 11, 13, 17, 14, 15, 21, 11, 9, 14, 18, 22, 24, 12, 15, 17, 16, 22, 17, 17, 5, 13, 12],
      ),
    ),
  Thermometer:
    `3x3,${".".repeat(14)}5${".".repeat(66)}` +
    withRules(
      thermometers(
        "r9c4 r8c5 r8c6 r7c6 r6c7 r6c8",
        "r3c6 r4c6 r3c5 r4c4 r4c3 r4c2",
        "r3c4 r4c5 r5c6 r5c5 r5c4",
        "r4c9 r4c8 r5c9 r5c8 r6c9",
        "r9c1 r9c2 r8c1 r8c2 r7c1",
        "r1c1 r1c2 r1c3 r2c4 r1c5",
        "r5c1 r6c1 r5c2 r6c3 r6c2",
        "r2c7 r2c8 r2c9 r1c9 r1c8",
        "r8c9 r8c8 r7c9 r7c8 r8c7",
      ),
    ),
  Jigsaw:
    "3x3,8.63.1.......8..3...7......2..4..5.7.........5.1..3..2......2...6..4.......1.74.9,regions=" +
    "111122333111222333142252363142555366444455666447555866477799886779799888779999888",
  "16x16":
    "4x4,.G...9CE.7.....BA..B7..6FGD..98.9.E.GD....AB6....7...AB..8.CF..2......7..5..94..EC1..F...B48D." +
    "5G6.DG.48.1C.7.F.3.B.8..GDA.F.1E.7..G.9B..7.C.3.A4C1.6A24389B.G5D..A.41C.........E.9..D.FG.A2." +
    "7C1.3.B96...2.G....1..C1F.A2B.395....6....9.C....GFA..2AE8...6..B.4.",
};

export const FIRST = EXAMPLES.Easy;

/** A card for each puzzle, which calls `choose`; those with rules beyond plain sudoku only if somebody knows these. */
export function cards(knowsRules, choose) {
  const puzzles = Object.entries(EXAMPLES).map(([name, text]) => [name, fromText(text).puzzle]);
  return puzzles
    .filter(([, { rules }]) => knowsRules || !rules.length)
    .map(([name, puzzle]) => {
      const card = button(name, () => choose(puzzle), { className: "puzzle" });
      card.prepend(thumbnail(puzzle));
      return card;
    });
}

/** A small picture of a puzzle: its boxes or regions, and a square for each given. */
function thumbnail(puzzle) {
  const n = sizeOf(puzzle.box);
  const given = ([cell, digit]) => (digit ? [`M${(cell % n) + 0.2} ${Math.floor(cell / n) + 0.2}h.6v.6h-.6z`] : []);
  const ruled = puzzle.rules.map(({ cells }) => cells.map((name) => name.slice(1).split("c").map((at) => at - 0.5)));
  const line = (cells) => `M${cells.map(([row, column]) => `${column} ${row}`).join("L")}`;
  return drawing(
    { class: "thumbnail", viewBox: `-.2 -.2 ${n + 0.4} ${n + 0.4}` },
    drawn("path", { class: "lines", d: wallsOf(puzzle, 1) }),
    drawn("path", { class: "rules", d: ruled.map(line).join("") }),
    drawn("path", { class: "givens", d: [...puzzle.givens.entries()].flatMap(given).join("") }),
  );
}
