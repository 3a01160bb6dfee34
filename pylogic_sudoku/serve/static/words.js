// Words for numbers and lists.

/** A number of things: 1 step, 2 steps. */
export const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** The words as a list: a, b and c; after the first `most` it says how many more there are. */
export function listed(words, most = Infinity) {
  if (words.length > most) return `${words.slice(0, most).join(", ")} and ${words.length - most} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
