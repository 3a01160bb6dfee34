// Solutions by the engines, one by one.

const $ = (id) => document.getElementById(id);
const engine = () => $("engine").value || "clingo";

export class Solving {
  #game;
  #page; // what it needs of the page: view, puzzle, about, explain

  constructor(game, page) {
    this.#game = game;
    this.#page = page;
  }

  /** Show a solution; `known` are those found before. */
  solve(limit = 2, known = [], index = 0) {
    const body = { ...this.#page.puzzle(), engine: engine(), limit };
    return this.#page.view.question("/solve", body, ({ solutions, stopped }) => {
      const seen = new Set(known.map(String));
      const fresh = solutions.map((rows) => rows.flat()).filter((each) => !seen.has(String(each)));
      const all = [...known, ...fresh];
      if (!all.length) return this.#none(stopped);
      return this.#found(all, Math.min(index, all.length - 1), stopped, limit);
    });
  }

  #none(stopped) {
    const { closing } = this.#page.view;
    const { timeout } = this.#page.about();
    if (stopped) return { text: `${engine()} found no solution in ${timeout} s.`, actions: [closing] };
    return { text: "There is no solution.", actions: [["Why none?", () => this.#page.explain("conflicts")], closing] };
  }

  #found(all, index, stopped, limit) {
    const { view } = this.#page;
    const most = this.#page.about().solutions;
    const step = (by) => {
      if (index + by < all.length) return view.show(this.#found(all, index + by, stopped, limit));
      return this.solve(Math.min(limit * 10, most), all, index + by);
    };
    const more = stopped === "limit" && limit < most;
    const known = { limit: more ? `at least ${all.length + 1}` : `more than ${all.length}` };
    known.time = `at least ${all.length} (out of time)`;
    const total = known[stopped] ?? all.length;
    const actions = [["Fill in", () => this.#game.fill(all[index])], view.closing];
    if (all.length > 1 || stopped) {
      actions.unshift(
        ["Previous", () => step(-1), index === 0],
        ["Next", () => step(1), index + 1 === all.length && !more],
      );
    }
    const text =
      all.length === 1 && !stopped
        ? `The only solution (${engine()}).`
        : `Solution ${index + 1} of ${total} (${engine()}).`;
    if (all.length > 1) actions.push(["Why several?", () => this.#page.explain("ambiguity")]);
    return { text, solution: all[index], shown: all[index], actions };
  }
}
