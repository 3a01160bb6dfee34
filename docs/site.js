// What the theme makes on a page, for the keyboard and for screen readers: a table that is wider than the
// page scrolls in a box, as code does, and code has a toolbar.

addEventListener("load", () => {
  const watched = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const name = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .output")) {
      Object.assign(box, { role: "group", ariaLabel: box.className === "output" ? "Output" : "Table" });
      watched.observe(box);
    }
    for (const code of document.querySelectorAll("pre > code")) {
      watched.observe(code);
      // Where nothing hovers, as on a phone, the theme lets no keyboard reach code.
      if (code.scrollWidth > code.clientWidth && code.tabIndex < 0) code.tabIndex = 0;
    }
    document.querySelectorAll(".md-code__nav").forEach((bar, at) => (bar.ariaLabel = `Code ${at + 1}`));
  };
  name();
  const changes = { childList: true, subtree: true, attributeFilter: ["tabindex"] };
  new MutationObserver(name).observe(document.querySelector(".md-content"), changes);
});
