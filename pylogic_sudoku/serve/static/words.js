// Words for numbers and lists.

/** A number of things: 1 step, 2 steps. */
export const counted = (number, word) => `${inFigures(number)} ${word}${number === 1 ? "" : "s"}`;

/** 28,200,960. */
export const inFigures = (number) => number.toLocaleString("en");

/** The words as a list: a, b and c. */
export const listed = (words, word = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`;
