// Prints the versions of both engines as JSON: node versions.mjs <folder with node_modules>

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.argv[2], "index.js"));

async function clingo() {
  const folder = dirname(require.resolve("clingo-wasm"));
  const { init } = await import(pathToFileURL(join(folder, "run.js")));
  const run = await init({ singleThreaded: true, wasmBinary: readFileSync(join(folder, "clingo.wasm")) });
  return run("", 1).Solver.split(" ").at(-1);
}

async function prolog() {
  const script = require.resolve("swipl-wasm/dist/swipl/swipl-web.js");
  const locateFile = (name) => join(dirname(script), name);
  const { prolog } = await require(script)({ arguments: ["-q"], locateFile });
  const { V } = prolog.query("current_prolog_flag(version, V)").once();
  return [V / 10000, (V / 100) % 100, V % 100].map(Math.floor).join(".");
}

console.log(JSON.stringify({ clingo: await clingo(), prolog: await prolog() }));
