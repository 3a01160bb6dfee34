// The dialog of puzzles: cards, a new one of a level, a text or a file; and pasting and dropping anywhere.

import { ask, cancel, wasCancelled } from "./api.js";
import { $, button, drawing, drawn, option, part } from "./elements.js";
import { EXAMPLES, SHAPES } from "./examples.js";
import { faultOf, fromJson, fromText, linkIn, sizeOf, wallsOf } from "./puzzle.js";

const LEVELS = ["easy", "medium", "hard", "unfair", "extreme"];
const boxOption = ([rows, columns]) => option(`${rows}x${columns}`, `${rows}x${columns} (${rows} high, ${columns} wide)`);
const empty = (box) => fromText(`${box.join("x")},${".".repeat(sizeOf(box) ** 2)}`).puzzle;

/** Make the button Puzzles work, and pasting and dropping anywhere; `load` takes the puzzle. */
export function opening({ load, game, about }) {
  const dialog = $("puzzles-dialog");
  let found = []; // puzzles of the text in the dialog
  let wanted = "source"; // the field that is to be filled in next

  /** Load a text that came without the dialog, which opens if something is wrong or missing. */
  async function take(text) {
    if (!text.trim()) return;
    prepare(text);
    if ((await opened()) !== false) return;
    if (!dialog.open) dialog.showModal();
    $(wanted).focus();
  }

  function prepare(text = "") {
    $("source").value = text;
    showCards();
    forget();
    hideMore();
  }

  function choose(puzzle) {
    load(puzzle);
    dialog.close();
  }

  /** Cards of puzzles; those with rules beyond plain sudoku only if somebody knows these. */
  function showCards() {
    const knows = about().questions.includes("rules");
    const all = Object.entries(EXAMPLES).filter(([, text]) => knows || !text.includes(",rules="));
    const cards = all.map(([name, text]) => {
      const { puzzle } = fromText(text);
      const card = button(name, () => choose(puzzle), { className: "puzzle" });
      card.prepend(thumbnail(puzzle));
      return card;
    });
    const shapes = part("select", { ariaLabel: "Empty grid" }, option("", "Empty …"));
    shapes.append(...SHAPES.map((box) => option(box.join("x"), `${sizeOf(box)}x${sizeOf(box)}`)));
    shapes.onchange = () => choose(empty(shapes.value.split("x").map(Number)));
    $("cards").replaceChildren(...cards, shapes);
    const made = (level) => button(level, () => generate(level), { ariaLabel: `New: ${level}` });
    if (!$("levels").children.length) $("levels").append(part("span", {}, "New:"), ...LEVELS.map(made));
  }

  async function generate(level) {
    $("open-error").textContent = `Making a puzzle: ${level} …`;
    try {
      choose(fromJson((await ask("/generate", { level }, "generate")).puzzle));
    } catch (error) {
      if (!wasCancelled(error)) $("open-error").textContent = error.message;
    }
  }

  function forget() {
    found = [];
    wanted = "source";
    $("which-label").hidden = true;
    $("without").hidden = true;
    $("open-error").textContent = "";
  }

  /** Format and boxes are asked for only if the text does not tell. */
  function hideMore() {
    $("open-more").hidden = true;
    $("format").replaceChildren(option("", "detect"), ...about().readable.map((form) => option(form)));
    $("format").parentElement.hidden = !about().readable.length;
    $("box").replaceChildren(option("", "detect"), ...SHAPES.map(boxOption));
  }

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
    $("which").value = "0";
    if (found.length === 1) return true;
    wanted = "which";
    $("which-label").hidden = false;
    const number = more ? `more than ${found.length}` : found.length;
    $("open-error").textContent = `The text holds ${number} puzzles. Choose one, then Open.`;
    return false;
  }

  function followed(link) {
    const fault = faultOf(link);
    if (fault) throw new Error(fault);
    location.hash = link; // with the digits and the marks that it may hold
    return true;
  }

  function refused({ message, boxes, without }) {
    $("open-error").textContent = message;
    $("open-more").hidden = false;
    $("without").hidden = !without;
    $("without").onclick = () => {
      $("source").value = without;
      forget();
      open();
    };
    if (boxes) {
      const n = boxes[0][0] * boxes[0][1];
      $("open-error").textContent = `The text does not say which boxes this ${n}x${n} grid has. Choose their shape, then Open.`;
      $("box").replaceChildren(...boxes.map(boxOption));
      wanted = "box";
    }
    return false;
  }

  /** Open what the text has; the dialog stays if something is wrong or missing. */
  async function open() {
    const done = await opened();
    if (done) dialog.close();
    if (done === false) $(wanted).focus();
  }

  $("puzzles").addEventListener("click", () => {
    prepare();
    dialog.showModal();
  });
  dialog.addEventListener("close", () => cancel("generate"));
  $("load").addEventListener("click", (event) => {
    event.preventDefault();
    open();
  });
  for (const id of ["source", "format", "box"]) $(id).addEventListener("input", forget);
  $("source").addEventListener("input", hideMore);
  $("choose-file").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) {
      prepare(await textOf(file));
      await open();
    }
    $("file").value = "";
  });
  for (const [id, run] of [["set", () => game.set(true)], ["clear", () => game.restart()]]) {
    $(id).addEventListener("click", () => {
      run();
      dialog.close();
    });
  }

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

/** The beginning of a file; a text that was cut off ends with a whole line. */
async function textOf(file) {
  const most = 500_000;
  const text = await file.slice(0, most).text();
  return file.size > most ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
}
