// An engine in a worker of its own: it answers one question at a time.

const GRACE = 150; // milliseconds that a stopped question has to end before its worker is ended

/**
 * A worker says { id, item } for each thing that it finds, then { id, done } or { id, error }; a
 * question that was stopped may end with its worker, and the next one gets a new worker.
 */
export class Engine {
  #url;
  #options;
  #worker = null;
  #turn = Promise.resolve(); // when the questions before have ended
  #last = 0; // the number of the last question
  #waiting = null; // what to do with what the worker says

  constructor(url, options = {}) {
    this.#url = url;
    this.#options = options;
    this.start();
  }

  /** Load the engine, if it is not here, so that the next question does not wait for it. */
  start() {
    if (this.#worker) return;
    const worker = new Worker(this.#url, this.#options);
    worker.onmessage = ({ data }) => this.#waiting?.(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#waiting?.({ id: this.#last, error: `The engine could not run: ${event.message ?? "its files are missing"}` });
      this.#end();
    };
    this.#worker = worker;
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

  #run(request, signal, each) {
    this.start();
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => {
      this.#waiting = (said) => {
        if (said.id !== id) return;
        if ("item" in said) {
          if (!signal.aborted) each(said.item);
        } else if ("error" in said) reject(new Error(said.error));
        else resolve(said.done);
      };
      this.#worker.postMessage({ id, ...request });
    });
    return Promise.race([answer, stopped(signal, GRACE)]).catch((error) => {
      if (signal.aborted) this.#end();
      throw error;
    });
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.start();
  }
}

/** Rejects with the reason of the signal, some milliseconds after it. */
function stopped(signal, wait = 0) {
  return new Promise((_, reject) => {
    const stop = () => (wait ? setTimeout(() => reject(signal.reason), wait) : reject(signal.reason));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
