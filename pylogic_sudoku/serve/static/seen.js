// Where to look, and where the keyboard is, when an answer has come.

const NARROW = matchMedia("(max-width: 52rem)");

/** Scroll a small screen so that the board shows above the message, or else this cell. */
export function showBoard(frame, cell, message) {
  if (!NARROW.matches) return;
  const covered = getComputedStyle(message).position === "sticky" ? message.offsetHeight : 0;
  const free = innerHeight - covered;
  const { top, bottom, height } = frame.getBoundingClientRect();
  if (top >= 0 && bottom <= free) return;
  const asked = cell.getBoundingClientRect();
  const hidden = height > free ? Math.max(0, asked.bottom - top - free) : 0;
  scrollBy(0, top + hidden);
}

/**
 * After a question that was asked by keyboard, move to the first button of the answer. It is called
 * with the button that asked and returns a function to call when the answer shows.
 */
export function followKeyboard(buttons, actions) {
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
export function scrollable(...elements) {
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
