// What all of the page is made of: elements, and words for numbers and lists.

export const SVG = "http://www.w3.org/2000/svg";

/** The element of the page with this id. */
export const $ = (id) => document.getElementById(id);

/** An element with these properties and children; text is never parsed as markup. */
export function part(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A button with this label. */
export const button = (label, onclick, properties = {}) => part("button", { type: "button", onclick, ...properties }, label);

/**
 * Let an element have these buttons: [label, what it does, whether it is disabled, name, whether it is
 * pressed]. The keyboard stays at the label where it was, though a "Stop" was there in between; else near
 * it, or where `otherwise` leads.
 */
export function buttons(element, actions, otherwise) {
  const before = [...element.children];
  const at = before.indexOf(document.activeElement);
  if (at >= 0 && before[at].textContent !== "Stop") element.dataset.focused = before[at].textContent;
  const made = actions.map(([label, onclick, disabled = false, ariaLabel = null, ariaPressed = null]) =>
    button(label, onclick, { disabled, ariaLabel, ariaPressed }),
  );
  if (made.length === before.length && made.every((each, index) => each.isEqualNode(before[index]))) {
    before.forEach((each, index) => (each.onclick = made[index].onclick));
    return;
  }
  element.replaceChildren(...made);
  if (at < 0) return;
  const able = made.filter(({ disabled }) => !disabled);
  const same = able.find(({ textContent }) => textContent === element.dataset.focused);
  (same ?? able[at] ?? able[0] ?? otherwise()).focus();
}

/** Fill an element with what `make` makes, unless it says this already: a screen reader would read it out again. */
export function fill(element, said, make) {
  if (element.dataset.said === said) return;
  element.dataset.said = said;
  element.replaceChildren(...make());
}

/** A choice of a menu. */
export const option = (value, textContent = value) => part("option", { value, textContent });

/** An element of SVG with these attributes and children. */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A drawing that screen readers skip. */
export const drawing = (attributes, ...children) => drawn("svg", { "aria-hidden": "true", ...attributes }, ...children);

/** A number of things: 1 step, 2 steps. */
export const counted = (number, word) => `${inFigures(number)} ${word}${number === 1 ? "" : "s"}`;

/** 28,200,960. */
export const inFigures = (number) => number.toLocaleString("en");

/** The words as a list: a, b and c. */
export const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
