// Both engines, and the texts of their programs.

import { Engine } from "./engine.js";

const here = (name) => new URL(name, import.meta.url);

/** The files of `encodings/` and `prolog/` by name, the lessons, and versions. */
export const texts = fetch(here("../programs.json")).then((answer) => answer.json());

class Named extends Engine {
  constructor(name, title, ...rest) {
    super(...rest);
    this.name = name;
    this.title = title;
  }

  /** The engine as the page lists it. */
  async info() {
    const version = (await texts).versions[this.name];
    return { name: this.name, engine: this.title, available: true, version, why: null, cure: null, optional: false };
  }
}

export const clingo = new Named("clingo", "clingo", here("clingo-worker.js"), { type: "module" });
export const prolog = new Named("prolog", "SWI-Prolog", here("prolog-worker.js"));

// Once both run: fetching all files for later must not slow down the first answer. Some browsers
// refuse to keep them, as in private windows.
Promise.all([clingo.ready, prolog.ready])
  .then(() => navigator.serviceWorker?.register("offline.js"))
  .catch(() => {});
