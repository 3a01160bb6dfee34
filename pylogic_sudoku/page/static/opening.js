// Opening a puzzle: a text, a file or an example, by a dialog that asks for what the text leaves open, by
// pasting, or by dropping; and making an empty one.

import { ask, wasCancelled } from "./api.js";
import { $, option, part } from "./elements.js";
import { EXAMPLES, SHAPES } from "./examples.js";
import { faultOf, fromJson, fromText, linkIn, sizeOf } from "./puzzle.js";

const title = ([rows, columns]) => `${rows * columns}x${rows * columns}`;
const boxOption = ([rows, columns]) => option(`${rows}x${columns}`, `${rows}x${columns} (${rows} high, ${columns} wide)`);

/** Make the buttons Open and New work, and pasting and dropping anywhere; `load` takes the puzzle. */
export function opening({ load, about }) {
  let found = []; // puzzles of the text in the dialog
  let wanted = "source"; // the field that is to be filled in next

  /** Load a text that came without the dialog, which opens if something is wrong or missing. */
  async function take(text) {
    if (!text.trim()) return;
    prepare(text);
    if ((await opened()) !== false) return;
    if (!$("open-dialog").open) $("open-dialog").showModal();
    $(wanted).focus();
  }

  function prepare(text = "") {
    $("source").value = text;
    $("format").replaceChildren(option("", "detect"), ...about().readable.map((form) => option(form)));
    $("format").parentElement.hidden = !about().readable.length;
    $("examples").replaceChildren(option("", "choose …"), ...examples().map((name) => option(name)));
    offerAllBoxes();
    forget();
  }

  /** Those with rules beyond plain sudoku only if somebody knows these. */
  const examples = () =>
    Object.keys(EXAMPLES).filter((name) => about().questions.includes("rules") || !EXAMPLES[name].includes(",rules="));

  function forget() {
    found = [];
    wanted = "source";
    $("which-label").hidden = true;
    $("open-error").textContent = "";
  }

  const offerAllBoxes = () => $("box").replaceChildren(option("", "detect"), ...SHAPES.map(boxOption));

  /** Load the puzzle of the dialog; false if the dialog says what is wrong or missing, null if a newer question came. */
  async function opened() {
    try {
      if (!found.length && !(await readAll())) return false;
    } catch (error) {
      return wasCancelled(error) ? null : refused(error);
    }
    if (found.length) load(found[Number($("which").value)]);
    return true;
  }

  /** Read the text; true if it holds one puzzle, or a link of this page, which is followed. */
  async function readAll() {
    const text = $("source").value;
    const link = linkIn(text);
    if (link) return followed(link);
    const box = $("box").value ? $("box").value.split("x").map(Number) : null;
    const { puzzles, more } = await ask("/read", { text, format: $("format").value || null, box }, "read");
    found = puzzles.map(fromJson);
    $("which").replaceChildren(...found.map(({ title }, index) => option(index, title || `puzzle ${index + 1}`)));
    $("which-label").hidden = found.length === 1;
    if (found.length === 1) return true;
    const number = more ? `the first ${found.length} of its` : found.length;
    $("open-error").textContent = `The text holds ${number} puzzles. Which one?`;
    wanted = "which";
    return false;
  }

  function followed(link) {
    const fault = faultOf(link);
    if (fault) throw new Error(fault);
    location.hash = link; // with the digits and the marks that it may hold
    return true;
  }

  function refused({ message, boxes }) {
    $("open-error").textContent = message;
    if (boxes) {
      const n = boxes[0][0] * boxes[0][1];
      $("open-error").textContent = `The text does not say which boxes this ${n}x${n} grid has. Choose their shape, then Open.`;
      $("box").replaceChildren(...boxes.map(boxOption));
      wanted = "box";
    }
    return false;
  }

  $("open").addEventListener("click", () => {
    prepare();
    $("open-dialog").showModal();
  });
  $("load").addEventListener("click", async (event) => {
    event.preventDefault();
    const done = await opened();
    if (done) $("open-dialog").close();
    if (done === false) $(wanted).focus();
  });
  for (const id of ["source", "format", "box"]) $(id).addEventListener("input", forget);
  $("source").addEventListener("input", offerAllBoxes);
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) prepare(await textOf(file));
    $("file").value = "";
  });
  $("examples").addEventListener("change", () => {
    load(fromText(EXAMPLES[$("examples").value]).puzzle);
    $("examples").value = "";
    $("open-dialog").close();
  });
  offerAllBoxes();

  $("shapes").append(...SHAPES.map((box) => part("button", { type: "submit", value: box.join("x") }, title(box))));
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

/** The beginning of a file; a text that was cut off ends with a whole line. */
async function textOf(file) {
  const most = 500_000;
  const text = await file.slice(0, most).text();
  return file.size > most ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
}
