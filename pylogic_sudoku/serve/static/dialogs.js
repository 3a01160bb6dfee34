// Opening and creating puzzles.

import { ask, wasCancelled } from "./api.js";
import { part } from "./board.js";
import { EXAMPLES, SHAPES } from "./examples.js";
import { fromJson, fromText, sizeOf } from "./puzzle.js";

const $ = (id) => document.getElementById(id);
const title = ([rows, columns]) => `${rows * columns}x${rows * columns}`;
const option = (value, textContent = value) => part("option", { value, textContent });

/** Make the buttons Open and New work, and pasting and dropping anywhere. */
export function openers({ load, tell, about }) {
  let found = []; // puzzles of the text in the dialog

  async function read(text, options = {}) {
    const { puzzles, more } = await ask("/read", { text, ...options }, "read");
    return { puzzles, more };
  }

  /** Load a text that came without the dialog; the dialog asks which puzzle if it holds several. */
  async function take(text) {
    if (!text.trim()) return;
    try {
      const { puzzles } = await read(text);
      if (puzzles.length === 1) return load(fromJson(puzzles[0]));
    } catch (error) {
      return wasCancelled(error) || tell(error.message);
    }
    openDialog(text);
    await choose();
  }

  function openDialog(text = "") {
    $("source").value = text;
    forget();
    if (!$("open-dialog").open) $("open-dialog").showModal();
  }

  function forget() {
    found = [];
    $("which-label").hidden = true;
    $("open-error").textContent = "";
  }

  /** Read the text in the dialog; true if one puzzle is chosen. */
  async function choose() {
    if (!found.length) {
      const box = $("box").value && $("box").value.split("x").map(Number);
      const { puzzles, more } = await read($("source").value, {
        format: $("format").value || null,
        box: box || null,
      });
      found = puzzles;
      $("which").replaceChildren(...puzzles.map(({ title }, index) => option(index, title ?? `puzzle ${index + 1}`)));
      $("which-label").hidden = puzzles.length === 1;
      if (puzzles.length > 1) {
        const first = more ? `the first ${puzzles.length} of its` : `${puzzles.length}`;
        $("open-error").textContent = `The text holds ${first} puzzles. Which one?`;
        $("which").focus();
        return false;
      }
    }
    load(fromJson(found[Number($("which").value)]));
    return true;
  }

  $("open").addEventListener("click", () => {
    $("format").replaceChildren(option("", "detect"), ...about().formats.map((f) => option(f)));
    openDialog();
  });
  $("load").addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      if (await choose()) $("open-dialog").close();
    } catch (error) {
      if (!wasCancelled(error)) $("open-error").textContent = error.message;
    }
  });
  for (const id of ["source", "format", "box"]) $(id).addEventListener("input", forget);
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) openDialog(await textOf(file));
    $("file").value = "";
  });
  $("examples").append(...Object.keys(EXAMPLES).map((name) => option(name)));
  $("examples").addEventListener("change", () => {
    load(fromText(EXAMPLES[$("examples").value]).puzzle);
    $("examples").value = "";
    $("open-dialog").close();
  });
  $("box").append(...SHAPES.map((box) => option(box.join("x"), box.join("x"))));

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

  /** The beginning of a file; a text that was cut off ends with a whole line. */
  async function textOf(file) {
    const most = 500_000;
    const text = await file.slice(0, most).text();
    return file.size > most ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  }
}
