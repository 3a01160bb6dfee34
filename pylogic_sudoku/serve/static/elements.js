// Making elements of the page.

export const SVG = "http://www.w3.org/2000/svg";

/** An element with these properties and children; text is never parsed as markup. */
export function part(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** An element of SVG with these attributes and children. */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A drawing that screen readers skip. */
export const drawing = (attributes, ...children) => drawn("svg", { "aria-hidden": "true", ...attributes }, ...children);
