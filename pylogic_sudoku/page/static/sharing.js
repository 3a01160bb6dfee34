// Sharing a puzzle, and the programs for it: a link or a file, text, another site that can open it, and paper.

import { ask, wasCancelled } from "./api.js";
import { $, part } from "./elements.js";
import { LONGEST } from "./keeping.js";
import { about, game, puzzle } from "./page.js";
import { isOwn, linkOf, packedPrograms, SIDES } from "./program.js";

const PAD = "https://sudokupad.app/?puzzleid=fpuzzles";

/** Make the button Share work, and what is in its dialog. */
export function sharing() {
  const say = (text) => ($("share-state").textContent = text);
  const written = (format, sort = "write") => ask("/write", { ...puzzle(), format }, sort);

  async function write() {
    try {
      const { text, same } = await written($("write-format").value);
      $("written").value = text;
      say(same ? "" : "This text is for reading: it does not open as the same puzzle.");
    } catch (error) {
      if (wasCancelled(error)) return;
      $("written").value = "";
      say(error.message);
    }
  }

  /** A link that opens the puzzle at SudokuPad, if that can hold it. */
  async function site() {
    $("site").replaceChildren();
    if (!about.formats.includes("fpuzzles-link")) return;
    try {
      const { text } = await written("fpuzzles-link", "site");
      const href = PAD + text.slice(text.indexOf("=") + 1);
      $("site").append(part("a", { href, target: "_blank", rel: "noreferrer" }, "Open at SudokuPad"));
    } catch (error) {
      if (!wasCancelled(error)) $("site").textContent = `SudokuPad cannot hold this puzzle: ${error.message}.`;
    }
  }

  /** Write the link; with the programs, if it does not get too long. */
  async function showLink() {
    const link = $("link-notes").checked ? game.linkWithNotes : game.link;
    const whole = $("link-programs").checked ? `${link},programs=${await packedPrograms()}` : link;
    const isLong = whole.length > LONGEST;
    $("link").value = isLong ? link : whole;
    $("link-long").hidden = !isLong;
    $("save-link").onclick = () => {
      part("a", { href: URL.createObjectURL(new Blob([whole])), download: "sudoku-link.txt" }).click();
    };
  }

  /** Link to the programs in view, each on its own and both. */
  async function showPrograms() {
    const all = Object.keys(SIDES);
    const choices = [...all.map((side) => [SIDES[side].short, [side]]), ["both", all]];
    const links = choices.map(async ([name, sides]) => part("a", { href: await linkOf(sides) }, name));
    $("link-alone").replaceChildren("The programs alone: ", ...(await Promise.all(links)).flatMap((link) => [link, " "]));
  }

  async function copy(field) {
    try {
      await navigator.clipboard.writeText(field.value);
      say("Copied.");
    } catch {
      field.select(); // copying needs https
      say("Press Ctrl+C to copy.");
    }
  }

  $("share").addEventListener("click", () => {
    say("");
    $("link-notes").checked = false;
    $("link-notes").disabled = game.untouched;
    $("link-programs").checked = isOwn();
    $("link-programs").disabled = !isOwn();
    showLink();
    showPrograms();
    const { regions, marks, rules } = game.puzzle; // few formats have them
    if (regions || marks.size || rules.length) $("write-format").value = "json";
    $("share-dialog").showModal();
    write();
    site();
  });
  for (const id of ["link-notes", "link-programs"]) $(id).addEventListener("change", showLink);
  $("write-format").addEventListener("change", write);
  $("copy-link").addEventListener("click", () => copy($("link")));
  $("copy-text").addEventListener("click", () => copy($("written")));
  $("print").addEventListener("click", () => {
    $("share-dialog").close(); // or it would be printed too
    print();
  });
}
