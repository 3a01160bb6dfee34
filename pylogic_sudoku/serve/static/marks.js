// A person's own marks as a cell shows them and as a screen reader says them.

import { part } from "./elements.js";
import { COLOURS } from "./notes.js";

const CORNERS = 8; // marks that have a place of their own at the edge of a cell

/** What a cell shows of its notes; nothing if it has no marks. */
export function ownMarks(notes, cell) {
  const [corner, centre] = ["corner", "centre"].map((kind) => [...notes.at(kind, cell)]);
  if (!corner.length && !centre.length) return [];
  const all = part("span", { className: "notes", ariaHidden: "true" });
  if (isLong(corner)) all.append(lineOf("line", corner));
  else all.append(...corner.map((digit) => drawn("corner", String(digit))));
  if (centre.length) all.append(lineOf("centre", centre));
  return [all];
}

const isLong = (digits) => digits.length > CORNERS || digits.some((digit) => digit > 9);

/** Digits on one line, which become smaller if they are many. */
function lineOf(className, digits) {
  const text = digits.join(isLong(digits) && digits.at(-1) > 9 ? " " : "");
  const line = drawn(className, text);
  line.style.setProperty("--length", text.length);
  return line;
}

/** The style sheet writes the text, as the name of the cell says it in other words. */
function drawn(className, text) {
  const element = part("span", { className });
  element.dataset.text = text;
  return element;
}

/** The notes of a cell in words, each after a comma; `withMarks` if its marks are shown. */
export function notesInWords(notes, cell, withMarks) {
  const words = withMarks
    ? ["corner", "centre"].map((kind) => {
        const digits = [...notes.at(kind, cell)];
        return digits.length ? `, ${kind} ${digits.length > 1 ? "marks" : "mark"} ${digits.join(", ")}` : "";
      })
    : [];
  const colour = notes.colour(cell);
  return [...words, colour ? `, ${COLOURS[colour - 1]}` : ""].join("");
}
