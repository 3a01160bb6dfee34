// Where to look, and where the keyboard is, when an answer has come.

const $ = (id) => document.getElementById(id);
const NARROW = matchMedia("(max-width: 52rem)");
const QUESTIONS = ["solve", "hint", "check", "why"];

/** Let each answer of the view be seen on the board, and its buttons be near; call it after the view is drawn. */
export function seeAnswers(view, board) {
  const toAnswer = followKeyboard(QUESTIONS.map($), $("actions"));
  scrollable($("text"), $("legend"));
  view.addEventListener("change", () => {
    if (!view.now || view.now.busy) return;
    toAnswer();
    const roles = view.now.cellRoles ?? new Map();
    const asked = [...roles].find(([, each]) => each.includes("target"))?.[0] ?? board.selected;
    if (view.now.shown) showBoard($("board").parentElement, board.cell(asked), $("message"));
  });
}

/** Scroll a small screen so that the board shows above the message, or else this cell. */
function showBoard(frame, cell, message) {
  if (!NARROW.matches) return;
  const sheet = [message, message.parentElement].find((each) => getComputedStyle(each).position === "sticky");
  const free = innerHeight - (sheet?.offsetHeight ?? 0);
  const { top, bottom, height } = frame.getBoundingClientRect();
  if (top >= 0 && bottom <= free) return;
  const asked = cell.getBoundingClientRect();
  const hidden = height > free ? Math.max(0, asked.bottom - top - free) : 0;
  scrollBy(0, top + hidden);
}

/**
 * After a question that was asked by keyboard, move to the first button of the answer: call the
 * function that this returns when the answer shows.
 */
function followKeyboard(buttons, actions) {
  let asked = null;
  for (const button of buttons) {
    button.addEventListener("click", ({ detail }) => (asked = detail ? null : button));
  }
  return () => {
    const first = [...actions.children].find((each) => !each.disabled);
    if (asked && document.activeElement === asked && first) first.focus();
    asked = null;
  };
}

/** Let these elements have the focus while they scroll, so that the arrow keys scroll them. */
function scrollable(...elements) {
  for (const element of elements) {
    const check = () => {
      const scrolls = element.scrollHeight > element.clientHeight + 1;
      element.toggleAttribute("data-scrolls", scrolls);
      if (scrolls) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    };
    new ResizeObserver(check).observe(element);
    new MutationObserver(check).observe(element, { childList: true, subtree: true });
  }
}
