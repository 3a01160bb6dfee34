// How much the playground answers, and how long it takes at most.

/** Most rows of a grid. */
export const SIZE = 16;
/** Seconds after which a question is given up. */
export const TIMEOUT = 60;
/** Most solutions in one answer. */
export const SOLUTIONS = 1000;

/**
 * What a search says in the end, and how many seconds it took, if the search does not say so itself;
 * `stopped` is "time" if it was ended by its time limit.
 */
export async function limited(signal, run, timeout = TIMEOUT) {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const late = AbortSignal.timeout(timeout * 1000);
  try {
    const answer = await run(AbortSignal.any([signal, late]));
    return { stopped: null, seconds: seconds(), ...answer };
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    return { stopped: "time", seconds: seconds() };
  }
}
