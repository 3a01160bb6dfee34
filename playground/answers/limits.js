// What the playground refuses, and its limits.

/** Most rows of a grid. */
export const SIZE = 16;
/** Seconds after which a question is given up. */
export const TIMEOUT = 60;
/** Most solutions in one answer. */
export const SOLUTIONS = 1000;
/** Most events of a search in one answer. */
export const EVENTS = 2000;

/**
 * The result of a search, with the seconds that it took unless the result has them. `stopped` is
 * "time" if the time limit ended the search.
 */
export async function limited(signal, run) {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const late = AbortSignal.timeout(TIMEOUT * 1000);
  try {
    const answer = await run(AbortSignal.any([signal, late]));
    return { stopped: null, seconds: seconds(), ...answer };
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    return { stopped: "time", seconds: seconds() };
  }
}

/** What `run` returns; an Error if it takes too long, which names the engine that was asked. */
export async function inTime(signal, run, engine = "clingo") {
  const { stopped, answer } = await limited(signal, async (within) => ({ answer: await run(within) }));
  if (stopped) throw Object.assign(new Error(`${engine} gave no answer within ${TIMEOUT} s.`), { status: 504 });
  return answer;
}

/** A question that cannot be answered as it is asked, with a message for the reader. */
export class Refusal extends Error {
  status = 422;

  /** `boxes` are the box shapes that fit, if these are all that is missing. */
  constructor(message, boxes = null) {
    super(message);
    this.boxes = boxes;
  }
}
