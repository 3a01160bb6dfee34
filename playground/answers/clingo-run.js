// clingo on a changed program: sends each different answer as it is found, then is done.

import "./memory.js";
import clingo from "../clingo/clingo.js";
import { WitnessParser } from "../clingo/witnesses.js";

const MESSAGES = 20; // lines of messages that are sent
const EXHAUSTED = 20; // the exit code has this if there are no more answers
const OUT_OF_MEMORY = 33;
const FAILED = [OUT_OF_MEMORY, 65, 128];
const EXACT = "--eq=0"; // without it, some answers may be wrong
const OF_OUTPUTS = "--project=project --opt-mode=optN";
const ATOM = "\\(([^,()]+),([^,()]+),([^,()]+)\\)$";

/** An answer is the cells that atoms of the name `answer` fill; or else the atoms of the predicates `outputs`, of all if that is null, the best ones if these cost. */
onmessage = async ({ data: { id, program, answer, outputs, most } }) => {
  const read = answer ? ofCells(answer) : ofOutputs(outputs);
  const say = (what) => postMessage({ id, ...what });
  const said = [];
  const seen = new Set();
  const done = (exhausted) => {
    const seconds = (performance.now() - start) / 1000;
    say({ done: { exhausted, seconds, message: said.join("\n") } });
  };

  let best = []; // the costs of the best answer
  const parser = new WitnessParser(({ Value: atoms, Costs: cost = [] }) => {
    if (String(cost) !== String(best)) seen.clear();
    best = cost;
    const { key, item } = read(atoms, cost);
    if (seen.has(key)) return;
    if (seen.size === most) return done(false);
    seen.add(key);
    say({ item });
  });

  const engine = await clingo({
    print: (line) => parser.feed(line),
    printErr: (line) => said.length < MESSAGES && said.push(line.slice(0, 500)),
  });
  const start = performance.now();
  const code = engine.ccall("run", "number", ["string", "string"], [program, `--outf=2 0 ${EXACT} ${answer ? "" : OF_OUTPUTS}`]);
  if (code === OUT_OF_MEMORY) say({ error: `out of memory (the limit is ${MEMORY} MB)` });
  else if (FAILED.includes(code)) say({ error: said.join("\n") || `clingo ended with code ${code}` });
  else done((code & EXHAUSTED) === EXHAUSTED);
};

function ofCells(answer) {
  const pattern = new RegExp(`^${answer}${ATOM}`);
  return (atoms) => ({
    key: atoms.filter((atom) => pattern.test(atom)).sort().join(" "),
    item: { placements: placementsOf(atoms, pattern), note: noteOf(atoms, answer, pattern) },
  });
}

function ofOutputs(outputs) {
  return (all, cost) => {
    const atoms = all.filter((atom) => !outputs || outputs.includes(predicateOf(atom))).sort();
    return { key: atoms.join(" "), item: { atoms, cost } };
  };
}

/** The predicate of an atom, such as queen/2. */
function predicateOf(atom) {
  const bare = atom.replace(/"(?:\\.|[^"\\])*"/g, "_");
  let [depth, arity] = [0, bare.endsWith(")") ? 1 : 0];
  for (const each of bare) {
    depth += (each === "(") - (each === ")");
    if (depth === 1 && each === ",") arity++;
  }
  return `${bare.replace(/\(.*/s, "")}/${arity}`;
}

const placementsOf = (atoms, pattern) =>
  atoms.flatMap((atom) => {
    const found = pattern.exec(atom);
    return found ? [found.slice(1).map((part) => (/^\d+$/.test(part) ? Number(part) : part))] : [];
  });

/** Why an answer set has no digits. */
function noteOf(atoms, answer, pattern) {
  if (atoms.some((atom) => pattern.test(atom))) return "";
  const names = new Set(atoms.map((atom) => atom.replace(/\(.*/, "")));
  return `no ${answer}/3 is shown${names.size ? `, but ${[...names].slice(0, 3).join(" and ")}` : ""}`;
}
