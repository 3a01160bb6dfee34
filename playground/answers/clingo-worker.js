// clingo: runs a program, and sends the atoms of each answer set as it is found.

import { init } from "../clingo/run.js";

const run = init({ singleThreaded: true });

onmessage = async ({ data: { id, program, models = 1, options = [] } }) => {
  const solve = await run;
  const start = performance.now();
  const { Result, Error: error, Models, Warnings } = solve(program, models, options, ({ Value, Consequences }) =>
    postMessage({ id, item: Value ?? Consequences?.True ?? [] }),
  );
  const seconds = (performance.now() - start) / 1000;
  if (Result === "ERROR") postMessage({ id, error });
  else postMessage({ id, done: { seconds, all: Models.More === "no", warnings: Warnings } });
};
