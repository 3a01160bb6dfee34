// The words of both languages, as far as the editor colours them.

import { StreamLanguage } from "@codemirror/language";

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

/** The language by the name of its engine. */
export const LANGUAGES = { clingo: language(ASP), prolog: language(PROLOG) };

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
