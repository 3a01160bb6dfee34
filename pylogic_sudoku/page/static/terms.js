// Atoms and terms of ASP: their parts, their order, and words for them.

const TOKEN = /"(?:\\.|[^"\\])*"|-?\d+|_*[a-z][\w']*|#inf|#sup|[(),-]/gy;
const CONSTANT = /^_*[a-z][\w']*$/;
const ORDER = new Intl.Collator("en", { numeric: true });

/**
 * An atom or a term of this text: a `number`, or a `word`, or with a `name` (empty for a tuple) and `parts`. Its own
 * `text` is the same for equal terms: without quotes that are not needed.
 */
export function parsed(text) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const list = () => {
    const parts = [];
    at++; // the opening bracket
    while (at < tokens.length && tokens[at] !== ")") {
      parts.push(term());
      if (tokens[at] === ",") at++;
    }
    at++;
    return parts;
  };
  const term = () => {
    const token = tokens[at];
    if (token === "(") return compound("", list());
    at++;
    if (token === "-") return compound("-", [term()]);
    if (/^-?\d/.test(token)) return { number: Number(token), text: token };
    if (tokens[at] === "(") return compound(token, list());
    const word = token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each)) : token;
    return { word, text: CONSTANT.test(word) ? word : token };
  };
  return term();
}

const compound = (name, parts) => ({ name, parts, text: `${name}(${parts.map(({ text }) => text).join(",")}${name || parts.length > 1 ? "" : ","})` });

/** The term in words: the parts of a tuple, with spaces between them. */
export const wordOf = (term) => term.word ?? (term.name === "" ? term.parts.map(wordOf).join(" ") : term.text);

const rank = ({ number, word, name }) => (number !== undefined ? 0 : word !== undefined ? 1 : name === "" ? 2 : 3);

/** The order of two terms: numbers, words, tuples from the short ones on, others. */
export function compared(one, other) {
  const by = rank(one) - rank(other);
  if (by) return by;
  if (one.number !== undefined) return one.number - other.number;
  if (one.word !== undefined) return ORDER.compare(one.word, other.word);
  const first = ORDER.compare(one.name, other.name) || one.parts.length - other.parts.length;
  return one.parts.reduce((found, each, at) => found || compared(each, other.parts[at]), first);
}
