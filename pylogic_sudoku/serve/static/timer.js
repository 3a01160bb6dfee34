// How long the puzzle has taken: it counts while the page is seen, and until the puzzle is solved.

import { keep, kept } from "./storage.js";

const KEY = "pylogic-sudoku timer";
const LONGEST = 5; // seconds between two ticks; after more the computer was asleep

const $ = (id) => document.getElementById(id);

export class Timer {
  #of = ""; // the puzzle, as text
  #seconds = 0;
  #hidden = false;
  #paused = false;
  #done = false;
  #at = performance.now(); // when the last tick was

  constructor() {
    try {
      const { of, seconds, hidden, paused } = kept(KEY);
      this.#of = String(of);
      this.#seconds = Number(seconds) || 0;
      this.#hidden = Boolean(hidden);
      this.#paused = Boolean(paused);
    } catch {
      // Nothing is stored.
    }
    $("timer-hide").addEventListener("click", () => this.#set({ hidden: !this.#hidden }));
    $("timer-pause").addEventListener("click", () => this.#set({ paused: !this.#paused }));
    document.addEventListener("visibilitychange", () => this.#tick(document.hidden));
    setInterval(() => this.#tick(), 1000);
    this.#show();
  }

  /** Be the timer of this puzzle; `done` says whether it need not go on. */
  follow(puzzle, done) {
    if (puzzle !== this.#of) this.restart(puzzle);
    else this.#tick();
    this.#done = done;
    this.#show();
  }

  /** Start from zero. */
  restart(puzzle = this.#of) {
    this.#tick();
    this.#of = puzzle;
    this.#seconds = 0;
    this.#set({ paused: false });
  }

  #set({ hidden = this.#hidden, paused = this.#paused }) {
    this.#tick();
    this.#hidden = hidden;
    this.#paused = paused;
    this.#keep();
    this.#show();
  }

  /** Count the time since the last tick, if the page was seen. */
  #tick(seen = !document.hidden) {
    const now = performance.now();
    const passed = (now - this.#at) / 1000;
    this.#at = now;
    if (this.#paused || this.#done || !seen) return;
    this.#seconds += Math.max(0, Math.min(passed, LONGEST));
    this.#keep();
    this.#show();
  }

  #keep() {
    keep(KEY, { of: this.#of, seconds: this.#seconds, hidden: this.#hidden, paused: this.#paused });
  }

  #show() {
    $("timer").hidden = this.#hidden;
    $("timer").textContent = inFigures(this.#seconds) + (this.#paused ? " (paused)" : "");
    $("timer-pause").hidden = this.#hidden || this.#done;
    $("timer-pause").textContent = this.#paused ? "Resume" : "Pause";
    $("timer-hide").textContent = this.#hidden ? "Show time" : "Hide time";
  }
}

/** Seconds as "7:05", or "1:00:00". */
function inFigures(seconds) {
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
