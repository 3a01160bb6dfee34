// The dialog of puzzles: cards, a new one of a level, a text or a file; and pasting and dropping anywhere.

import { ask, cancel, wasCancelled } from "./api.js";
import { $, button, drawing, drawn, option, part } from "./elements.js";
import { faultOf, fromJson, fromText, linkIn, nameOf, sizeOf, wallsOf } from "./puzzle.js";

const SHAPES = [[2, 2], [2, 3], [2, 4], [3, 3], [3, 4], [4, 4]];

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
