// What all parts of the page share: the game, the answers about it, and the questions.

import { ask } from "./api.js";
import { FIRST } from "./cards.js";
import { Game } from "./game.js";
import { toJson } from "./puzzle.js";
import { View } from "./view.js";

export const game = new Game(FIRST);
export const view = new View();

/** Who answers, and what. */
export let about = { engines: [], formats: [], readable: [], questions: [], solutions: 1 };

export async function meet() {
  about = await ask("", null, "about");
}

/** Whether somebody answers this question here. */
export const answers = (question) => about.questions.includes(question);

/** `now` is fulfilled when the text that is being read has become the puzzle, or has not; null if there is none. */
export const reading = { now: null };

/** The puzzle for a question, with these cells instead of its givens. */
export const puzzle = (cells) => ({ puzzle: toJson(game.puzzle, cells) });
