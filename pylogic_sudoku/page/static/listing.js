// Lists in which one line is chosen, by a click or by the keyboard.

/** Let `choose` get the index of the line that the reader chooses; by the keyboard from `first()` on. */
export function listen(list, choose, first = () => 0) {
  const indexOf = (line) => [...list.children].indexOf(line);
  list.addEventListener("click", ({ target }) => {
    const index = indexOf(target.closest("li"));
    if (index >= 0) choose(index);
  });
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [index, last] = [indexOf(chosenIn(list)), list.children.length - 1];
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + 10, PageUp: index - 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(Math.max(first(), Math.min(last, to)));
  });
}

const chosenIn = (list) => [...list.children].find(({ ariaSelected }) => ariaSelected === "true");

/** Let the line with this index be the chosen one. If it is another one, the list, and nothing else, scrolls to it. */
export function mark(list, index) {
  const line = list.children[index];
  const isNew = line !== chosenIn(list);
  [...list.children].forEach((each) => (each.ariaSelected = each === line));
  if (line) list.setAttribute("aria-activedescendant", line.id);
  else list.removeAttribute("aria-activedescendant");
  if (!isNew) return;
  const { offsetTop: above, offsetHeight } = line ?? list.firstChild; // from the top of the list, which is positioned
  list.scrollTop = Math.min(above, Math.max(list.scrollTop, above + offsetHeight - list.clientHeight)); // or its first part
}
