// The editor of the playground, CodeMirror: scripts/playground.py bundles it in the place of the
// page's own. It lives in a shadow root, as only there it needs no style element, which the policy
// of the page forbids.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COMMON = [
  [/%.*/, "comment"],
  [/"(?:\\.|[^"\\])*"?/, "string"],
];
const ASP = {
  block: { open: /%\*/, close: "*%" },
  words: [
    ...COMMON,
    [/_*[A-Z]\w*|_\b/, "variableName"],
    [/#[a-z]+\b/, "keyword"],
    [/not\b/, "keyword"],
    [/:[-~]/, "keyword"],
    [/\d+/, "number"],
    [/_*[a-z]\w*/, null],
  ],
};
const PROLOG = {
  block: { open: /\/\*/, close: "*/" },
  words: [
    ...COMMON,
    [/[A-Z_]\w*/, "variableName"],
    [/'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?/, "string"],
    [/0'(?:\\?.)/, "number"],
    [/0[xob][\da-fA-F]+|\d[\d_]*(?:\.\d+)?/, "number"],
    [/:-|\?-|-->|->|\\\+/, "keyword"],
    [/(?:module|use_module|reexport|dynamic|discontiguous|multifile|table|initialization)(?=[\s(])/, "keyword"],
    [/[a-z]\w*/, null],
  ],
};

/** The language by the name of its engine, as far as the editor colours it. */
const LANGUAGES = { clingo: language(ASP), prolog: language(PROLOG) };

function language({ block: { open, close }, words }) {
  return StreamLanguage.define({
    startState: () => ({ inBlock: false }),
    token(stream, state) {
      if (stream.eatSpace()) return null;
      if (!state.inBlock && !stream.match(open)) return word(stream, words);
      state.inBlock = !stream.skipTo(close);
      if (state.inBlock) stream.skipToEnd();
      else stream.match(close);
      return "comment";
    },
    languageData: { commentTokens: { line: "%" } },
  });
}

function word(stream, words) {
  const found = words.find(([form]) => stream.match(form));
  if (!found) stream.next();
  return found?.[1] ?? null;
}

const wrong = Decoration.line({ class: "wrong", attributes: { title: "A message is about this line." } });
const marking = StateEffect.define();

/** The lines that are marked as wrong; a change unmarks them. */
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, { state, docChanged, effects }) {
    const asked = effects.find((effect) => effect.is(marking));
    if (!asked) return docChanged ? Decoration.none : value;
    const lines = [...new Set(asked.value)].filter((line) => line >= 1 && line <= state.doc.lines).sort((a, b) => a - b);
    return Decoration.set(lines.map((line) => wrong.range(state.doc.line(line).from)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

const classes = HighlightStyle.define(
  ["comment", "string", "number", "variableName", "keyword"].map((name) => ({ tag: tags[name], class: name })),
);

const theme = EditorView.theme({
  "&": { height: "27rem", background: "var(--card)", color: "var(--ink)", fontSize: ".9rem" },
  "&.cm-focused": { outline: "3px solid var(--ring)", outlineOffset: "2px" },
  ".cm-scroller": { overflow: "auto", lineHeight: "1.4", fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace' },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--given)", color: "var(--soft)", border: "none" },
  ".cm-matchingBracket": { background: "var(--same)" },
  ".comment": { color: "var(--soft)", fontStyle: "italic" },
  ".string": { color: "var(--found)" },
  ".number": { color: "var(--b)" },
  ".variableName": { color: "var(--entry)" },
  ".keyword": { color: "var(--difference)", fontWeight: "600" },
  ".wrong": { background: "var(--wrong-back)", boxShadow: "inset 3px 0 var(--wrong)" },
});

/** Fires "change" when the reader changes the text; `element` is what the page shows. */
export class Editor extends EventTarget {
  element = Object.assign(document.createElement("div"), { className: "editor" });
  help = "Tab indents; to leave the editor by keyboard, press Escape, then Tab.";
  #view;
  #language;

  constructor(engine) {
    super();
    this.#language = LANGUAGES[engine];
    const root = this.element.attachShadow({ mode: "open", delegatesFocus: true });
    this.#view = new EditorView({ root, parent: root });
    // What is typed, pasted or dropped here is not meant for the board; with data-scrolls, Ctrl+A isn't.
    this.element.dataset.scrolls = "";
    for (const type of ["keydown", "paste", "drop"]) this.element.addEventListener(type, (event) => event.stopPropagation());
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  /** Show another text; `label` names it for screen readers. */
  open(doc, label) {
    const changed = EditorView.updateListener.of(({ docChanged }) => docChanged && this.dispatchEvent(new Event("change")));
    const attributes = { tabindex: "0", "aria-label": label, "aria-description": this.help, spellcheck: "false", autocapitalize: "off", autocorrect: "off" };
    const extensions = [
      this.#language,
      syntaxHighlighting(classes),
      bracketMatching(),
      lineNumbers(),
      history(),
      indentUnit.of("    "),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of(attributes),
      marks,
      theme,
      changed,
    ];
    this.#view.setState(EditorState.create({ doc, extensions }));
  }

  focus() {
    this.#view.focus();
  }

  /** Scroll to a line, numbered from 1. */
  reveal(line) {
    this.#view.dispatch({ effects: EditorView.scrollIntoView(this.#at(line).from, { y: "start" }) });
  }

  /** Select a line, and show it. */
  go(line) {
    const { from, to } = this.#at(line);
    const effects = EditorView.scrollIntoView(from, { y: "center" });
    this.#view.dispatch({ selection: { anchor: from, head: to }, effects });
    this.focus();
  }

  /** Mark these lines as wrong until the text changes. */
  mark(lines) {
    this.#view.dispatch({ effects: marking.of(lines) });
  }

  #at(line) {
    const { doc } = this.#view.state;
    return doc.line(Math.max(1, Math.min(line, doc.lines)));
  }
}
