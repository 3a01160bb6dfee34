// What is wrong with an answer of a changed program: in words, and marked on the board.

import { counted, listed } from "./elements.js";
import { clashes, nameOf, rimOf, sizeOf } from "./puzzle.js";

const MANY = 4; // things that a sentence names
const SYNTAX = /syntax error|operator expected|unexpected|illegal|end of (?:file|clause)/i;
const UNKNOWN = /unknown procedure:?\s*(?:\w+:)?([\w]+\/\d+)/i;

/** Why a changed program did not answer, or what is wrong with its answers. */
export function inWords({ outcome, text, message, places, diagnosis }) {
  if (outcome !== "error") return diagnosis ? `${text} ${sentence(diagnosis.summary)}` : text;
  const where = places.length ? ` in line ${places[0].line}` : "";
  const [, missing] = UNKNOWN.exec(message) ?? [];
  if (missing) return `The program calls ${missing}${where}, which does not exist.`;
  if (SYNTAX.test(message)) return `Syntax error${where}.`;
  return where ? `The program stops with an error${where}.` : text;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

/** How the board shows a wrong answer: every given that is overwritten, and every house that holds a digit twice. */
export function wrongAnswer(cells, puzzle, closing) {
  const n = sizeOf(puzzle.box);
  const { givens } = puzzle;
  const overwritten = [...cells.keys()].filter((cell) => givens[cell] && givens[cell] !== cells[cell]);
  const houses = clashes(cells, puzzle);
  const wrong = new Set(houses.flatMap(({ twice }) => twice));
  const legend = [];
  if (overwritten.length) legend.push({ role: "target", label: "a given that is overwritten; small, what it was", cells: ["given"] });
  if (houses.length) legend.push({ role: "house", label: "a house that holds a digit twice; rows and columns by their numbers", cells: ["house"] });
  if (wrong.size) legend.push({ role: "conflict", label: "the digit is there twice", cells: ["wrong"] });
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
    actions: [closing],
  };
}

const isBlock = ({ kind }) => kind === "box" || kind === "region";

function counting(one, several, names) {
  if (!names.length) return "";
  const named = names.length > MANY ? "" : `: ${listed(names)}`;
  return names.length === 1 ? `1 ${one}${named}.` : `${names.length} ${several}${named}.`;
}
