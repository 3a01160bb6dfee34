// The engines, each in a worker of its own, and the texts of their programs.

import { Refusal } from "./limits.js";

const GRACE = 150; // milliseconds that a stopped question has to end before its worker is ended
const here = (name) => new URL(name, import.meta.url);

/** The files of `encodings/` and `prolog/` by name, what is known of each program, and the versions of the engines' packages. */
export const texts = fetch(here("../programs.json")).then((answer) => answer.json());

/** What is known of a program; the main one of an engine has its name. */
export async function programNamed(name) {
  const found = (await texts).programs.find((program) => program.name === name);
  if (!found) throw new Refusal(`There is no program ${name} here.`);
  return found;
}

/**
 * An engine answers one question at a time. Its worker says { ready } once it has loaded, then for each
 * question { id, item } for each thing that it finds, and { id, done } or { id, error } at the end. A
 * worker that fails or does not stop is ended, and the next question gets a new one.
 */
export class Engine {
  #url;
  #options;
  #worker = null;
  #turn = Promise.resolve(); // when the questions before have ended
  #last = 0; // the number of the last question
  #hear = null; // what to do with what the worker says
  #loaded;

  /** Fulfilled when the engine has loaded for the first time. */
  ready = new Promise((resolve) => (this.#loaded = resolve));

  constructor(file, options = {}) {
    this.#url = here(file);
    this.#options = options;
    this.#start();
  }

  /** Load the engine, if it is not here, so that the next question does not wait for it. */
  #start() {
    if (this.#worker) return;
    this.#worker = new Worker(this.#url, this.#options);
    this.#worker.onmessage = ({ data }) => (data.ready ? this.#loaded() : this.#hear?.(data));
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const error = `The engine could not run: ${event.message ?? "its files are missing"}`;
      this.end(); // it may be broken for good, so only a question starts it again
      this.#hear?.({ id: this.#last, error });
    };
  }

  /**
   * What the worker says when it is done; `each` gets what it finds until then. Throws the reason of
   * `signal` at once if that stops it, and an Error with what the worker says if it fails.
   */
  ask(request, { signal, each = () => {} }) {
    const run = this.#turn.then(() => (signal.aborted ? null : this.#run(request, signal, each)));
    this.#turn = run.catch(() => {});
    return Promise.race([run, stopped(signal)]);
  }

  async #run(request, signal, each) {
    this.#start();
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => {
      this.#hear = (said) => {
        if (said.id !== id) return;
        if ("done" in said) resolve(said.done);
        else if ("error" in said) reject(new Error(said.error));
        else if (!signal.aborted) each(said.item);
      };
    });
    this.#worker.postMessage({ id, ...request });
    try {
      return await Promise.race([answer, stopped(signal, GRACE)]);
    } catch (error) {
      const wanted = this.#worker && signal.aborted; // it is neither ended nor broken
      this.end();
      if (wanted) this.#start();
      throw error;
    }
  }

  /** End the worker, until there is another question. */
  end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** Rejects with the reason of the signal: at once, or some milliseconds after it. */
function stopped(signal, wait = 0) {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    const stop = () => (wait ? setTimeout(fail, wait) : fail());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

export const clingo = new Engine("clingo-worker.js", { type: "module" });
export const prolog = new Engine("prolog-worker.js");

// Once both run: fetching all files for later must not slow down the first answer. Some browsers
// refuse to keep them, as in private windows.
Promise.all([clingo.ready, prolog.ready])
  .then(() => navigator.serviceWorker?.register("offline.js"))
  .catch(() => {});
