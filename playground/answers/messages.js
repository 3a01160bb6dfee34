// What clingo and SWI-Prolog print about a program, with some of the fields of the server's answers.

const CLINGO = /^(?<file>[^\n]*?):(?<line>\d+):(?<column>\d+)[\d:-]*: (?<sort>info|warning|error): (?<said>.*(?:\n[^\S\n].*)*)/gm;
const PROLOG = /^(?<sort>Warning|ERROR): (?<file>\S[^\n]*?):(?<line>\d+):(?:(?<column>\d+):)?(?<said>.*(?:\n(?:Warning|ERROR): {2}.*)*)/gm;
const UNKNOWN = /Unknown procedure:? (?:\w+:)?(\S+\/\d+)/;
const KINDS = Object.entries({ "syntax error": "syntax", "lexer error": "syntax", "Syntax error": "syntax-error" });

/** The errors, as `messages`, and the `warnings` in what an engine has printed. */
export function printed(text) {
  const found = [CLINGO, PROLOG].flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups }) => groups));
  const isError = ({ sort }) => sort === "error" || sort === "ERROR";
  const messages = found.filter(isError).map(fieldsOf);
  const [, unknown] = UNKNOWN.exec(text) ?? [];
  if (unknown && !messages.length) messages.push({ text: `there is no predicate ${unknown}`, kind: "no-predicate" });
  return { messages, warnings: found.filter((each) => !isError(each)).map(fieldsOf) };
}

function fieldsOf({ file, line, said }) {
  const text = said.replace(/^(?:Warning|ERROR):/gm, "").split(/\s+/).filter(Boolean).join(" ");
  const [, kind = ""] = KINDS.find(([begins]) => text.startsWith(begins)) ?? [];
  return { text, kind, file, line: Number(line) };
}
