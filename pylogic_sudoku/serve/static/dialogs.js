// Creating and sharing puzzles; pasting and dropping anywhere.

import { ask, wasCancelled } from "./api.js";
import { part } from "./board.js";
import { SHAPES } from "./examples.js";
import { opener, textOf } from "./opening.js";
import { fromText, sizeOf, toJson } from "./puzzle.js";

const $ = (id) => document.getElementById(id);
const title = ([rows, columns]) => `${rows * columns}x${rows * columns}`;
const option = (value, textContent = value) => part("option", { value, textContent });

/** Make the buttons Open, New and Share work, and pasting and dropping anywhere. */
export function openers({ game, load, about }) {
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

  async function write() {
    const body = { puzzle: toJson(game.puzzle), format: $("write-format").value };
    try {
      const { text, same } = await ask("/write", body, "write");
      $("written").value = text;
      $("share-state").textContent = same ? "" : "This text is for reading: it does not open as the same puzzle.";
    } catch (error) {
      if (wasCancelled(error)) return;
      $("written").value = "";
      $("share-state").textContent = error.message;
    }
  }
  async function copy(field) {
    try {
      await navigator.clipboard.writeText(field.value);
      $("share-state").textContent = "Copied.";
    } catch {
      field.select(); // copying needs https
      $("share-state").textContent = "Press Ctrl+C to copy.";
    }
  }
  $("share").addEventListener("click", () => {
    $("link").value = game.link;
    $("share-state").textContent = "";
    if (!$("write-format").length) $("write-format").append(...about().formats.map((f) => option(f)));
    const { regions, marks, rules } = game.puzzle; // few formats have them
    if (regions || marks.size || rules.length) $("write-format").value = "json";
    $("share-dialog").showModal();
    write();
  });
  $("write-format").addEventListener("change", write);
  $("copy-link").addEventListener("click", () => copy($("link")));
  $("copy-text").addEventListener("click", () => copy($("written")));

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
