// Whether the digits so far lead to a solution.

export class Solving {
  #game;
  #page; // what it needs of the page: view, puzzle

  constructor(game, page) {
    this.#game = game;
    this.#page = page;
  }

  /** Say whether the digits of the board lead to a solution. */
  check() {
    const body = { ...this.#page.puzzle(this.#game.cells), engine: "clingo" };
    return this.#page.view.question("/solve", body, ({ solutions, stopped }) => {
      const found = solutions.length ? "So far so good: your digits lead to a solution." : null;
      const text = found ?? (stopped ? "Not known: out of time." : "With these digits there is no solution.");
      return { text, actions: [this.#page.view.closing] };
    });
  }
}
