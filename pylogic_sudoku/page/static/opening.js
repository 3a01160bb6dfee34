// The dialog of puzzles: cards, a new one of a level, a text or a file; and pasting anywhere.

import { ask, cancel, wasCancelled } from "./api.js";
import { cards } from "./cards.js";
import { $, option } from "./elements.js";
import { about, answers, game, reading } from "./page.js";
import { BAD_LINK, fromJson, fromText, linkIn, sizeOf } from "./puzzle.js";

const SHAPES = [[2, 2], [2, 3], [2, 4], [3, 3], [3, 4], [4, 4]];

const boxOption = ([rows, columns]) => option(`${rows}x${columns}`, `${rows}x${columns} (${rows} high, ${columns} wide)`);
const boxOf = (text) => text.split("x").map(Number);
const empty = (box) => fromText(`${box},${".".repeat(sizeOf(boxOf(box)) ** 2)}`).puzzle;
const say = (text) => ($("open-error").textContent = text);

/** Make the button Puzzles work, and pasting anywhere; `load` takes the puzzle. */
export function opening(load) {
  const dialog = $("puzzles-dialog");
  let found = []; // puzzles of the text in the dialog
  let wanted = "source"; // the field that is to be filled in next

  function prepare(text = "") {
    $("source").value = text;
    $("empty").value = "";
    $("cards").replaceChildren(...cards(answers("rules"), choose), $("empty"));
    forget();
    hideMore();
  }

  function choose(puzzle) {
    load(puzzle);
    dialog.close();
  }

  async function generate(level) {
    say(`Making a puzzle: ${level} …`);
    try {
      choose(fromJson((await ask("/generate", { level }, "generate")).puzzle));
    } catch (error) {
      if (!wasCancelled(error)) say(error.message);
    }
  }

  function forget() {
    found = [];
    wanted = "source";
    $("which-label").hidden = $("without").hidden = true;
    say("");
  }

  /** Format and boxes are asked for only if the text does not tell. */
  function hideMore() {
    $("open-more").hidden = true;
    $("format").replaceChildren(option("", "detect"), ...about.readable.map((form) => option(form)));
    $("format").parentElement.hidden = !about.readable.length;
    $("box").replaceChildren(option("", "detect"), ...SHAPES.map(boxOption));
  }

  /** Load the puzzle of the text; otherwise the dialog opens, and says what is wrong or missing. */
  function open() {
    const mine = (reading.now = opened().finally(() => reading.now === mine && (reading.now = null)));
    return mine;
  }

  async function opened() {
    try {
      if (!found.length && !(await readAll())) return missing();
    } catch (error) {
      return wasCancelled(error) ? null : refused(error); // cancelled by a newer text
    }
    if (found.length) load(found[Number($("which").value)]);
    dialog.close();
  }

  /** Read the text; true if it holds one puzzle, or a link of this page, which is followed. */
  async function readAll() {
    const text = $("source").value;
    const link = linkIn(text);
    if (link) return followed(link);
    const box = $("box").value ? boxOf($("box").value) : null;
    const { puzzles, more } = await ask("/read", { text, format: $("format").value || null, box }, "read");
    found = puzzles.map(fromJson);
    $("which").replaceChildren(...found.map(({ title }, index) => option(index, title || `puzzle ${index + 1}`)));
    if (found.length === 1) return true;
    wanted = "which";
    $("which-label").hidden = false;
    say(`The text holds ${more ? `more than ${found.length}` : found.length} puzzles. Choose one, then Open.`);
    return false;
  }

  function followed(link) {
    if (!fromText(link)) throw new Error(BAD_LINK);
    location.hash = link; // with the digits and the marks that it may hold
    return true;
  }

  function refused({ message, boxes, without }) {
    say(message);
    $("open-more").hidden = false;
    $("without").hidden = !without;
    $("without").onclick = () => {
      $("source").value = without;
      forget();
      open();
    };
    if (boxes) {
      const n = sizeOf(boxes[0]);
      say(`The text does not say which boxes this ${n}x${n} grid has. Choose their shape, then Open.`);
      $("box").replaceChildren(...boxes.map(boxOption));
      wanted = "box";
    }
    missing();
  }

  function missing() {
    if (!dialog.open) dialog.showModal();
    $(wanted).focus();
  }

  /** Load a text that came without the dialog. */
  function take(text) {
    if (!text.trim()) return;
    prepare(text);
    open();
  }

  $("puzzles").addEventListener("click", () => {
    prepare();
    dialog.showModal();
  });
  dialog.addEventListener("close", () => cancel("generate"));
  $("levels").addEventListener("click", ({ target }) => target.matches("button") && generate(target.textContent));
  $("empty").addEventListener("change", ({ target }) => choose(empty(target.value)));
  $("load").addEventListener("click", (event) => {
    event.preventDefault();
    open();
  });
  for (const id of ["source", "format", "box"]) $(id).addEventListener("input", forget);
  $("source").addEventListener("input", hideMore);
  $("choose-file").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", async ({ target }) => {
    if (target.files[0]) take(await target.files[0].text());
    target.value = "";
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
}
