// clingo: runs a program, and sends the atoms of each answer set as it is found.

import { init } from "../clingo/run.js";

const clingo = init({ singleThreaded: true });
clingo.then(() => postMessage({ ready: true }), reportError);

/** `done.found` is the number of answer sets. */
onmessage = async ({ data: { id, program, models = 1, options = [] } }) => {
  const run = await clingo;
  const start = performance.now();
  const { Result, Error: error, Models, Time: time, Stats: stats } = run(program, models, options, ({ Value, Consequences }) =>
    postMessage({ id, item: Value ?? Consequences?.True ?? [] }),
  );
  const seconds = (performance.now() - start) / 1000;
  if (Result === "ERROR") postMessage({ id, error });
  else postMessage({ id, done: { seconds, found: Models.Number, time, stats } });
};
