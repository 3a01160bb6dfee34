// Creating puzzles; pasting and dropping anywhere.

import { part } from "./elements.js";
import { SHAPES } from "./examples.js";
import { opener, textOf } from "./opening.js";
import { fromText, sizeOf } from "./puzzle.js";

const $ = (id) => document.getElementById(id);
const title = ([rows, columns]) => `${rows * columns}x${rows * columns}`;
const option = (value, textContent = value) => part("option", { value, textContent });

/** Make the buttons Open and New work, and pasting and dropping anywhere. */
export function openers({ load, about }) {
  const { take } = opener({ load, about });

  $("shapes").append(
    ...SHAPES.map((box) =>
      part("button", { type: "submit", value: box.join("x"), textContent: title(box) }),
    ),
  );
  $("new").addEventListener("click", () => {
    $("new-dialog").returnValue = "";
    $("new-dialog").showModal();
  });
  $("new-dialog").addEventListener("close", () => {
    const shape = $("new-dialog").returnValue;
    if (shape) load(fromText(`${shape},${".".repeat(sizeOf(shape.split("x")) ** 2)}`).puzzle);
  });

  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, dialog")) return;
    event.preventDefault();
    take(event.clipboardData.getData("text"));
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    take(file ? await textOf(file) : event.dataTransfer.getData("text"));
  });
}
