// Asks a checkout of the Interactive Sudoku Solver, in one warm process, for `benchmarks/variants.py`.
//
//   node iss.mjs CHECKOUT
//
// First line out: its published puzzles, [{name, input, solution}]. Then, for each line in, a puzzle
// as JSON, a line out: {"found": 0, 1 or 2, "seconds": …}, the least processor time of several runs.

import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.self = globalThis;
globalThis.VERSION_PARAM = '';

const from = (path) => import(pathToFileURL(resolve(process.argv[2], path)));
const { SimpleSolver } = await from('js/sandbox/simple_solver.js');
const { PUZZLE_INDEX, resolvePuzzleConfig } = await from('data/example_puzzles.js');
const collections = Object.entries(await from('data/collections.js'));
const puzzles = new Map();
const publish = ({ name, input, solution }) => {
  if (!puzzles.has(input)) puzzles.set(input, { name, input, solution });
};
for (const name of PUZZLE_INDEX.keys()) publish(resolvePuzzleConfig(name));
for (const [title, list] of collections) {
  if (!list.configFor) continue; // not a list of puzzles
  list.forEach((entry, number) => {
    const named = typeof entry !== 'string' || PUZZLE_INDEX.has(entry);
    publish({ ...list.configFor(entry), ...(!named && { name: `${title} ${number}` }) });
  });
}
console.log(JSON.stringify([...puzzles.values()]));

const RUNS = 5;
const ENOUGH = 5; // seconds
const solver = new SimpleSolver();
for await (const line of createInterface({ input: process.stdin })) {
  const input = JSON.parse(line);
  let found = null, seconds = Infinity, spent = 0, refused = null;
  for (let run = 0; run < RUNS && spent < ENOUGH; run++) {
    const start = process.cpuUsage();
    try {
      found = solver.countSolutions(input, 2);
    } catch (error) {
      refused = String(error.message ?? error);
      break;
    }
    const { user, system } = process.cpuUsage(start);
    seconds = Math.min(seconds, (user + system) / 1e6);
    spent += (user + system) / 1e6;
  }
  console.log(JSON.stringify(refused === null ? { found, seconds } : { error: refused }));
}
