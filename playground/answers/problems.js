// Answers about any problem, with programs of bundled problems, changed ones, or your own. clingo runs on one text,
// in a worker of its own; Prolog by its bridge, a changed program also in a worker of its own.

import { bare, named, notRun, SCRIPT } from "./asp.js";
import { Engine, prolog, texts } from "./engines.js";
import { KINDS, watched } from "./goals.js";
import { EVENTS, inTime, limited, Refusal, SOLUTIONS } from "./limits.js";

const SHOWN = 120; // characters of a line that a sentence shows
const DRAWS = "draw.lp"; // what draws answers, if the engine is called "draw"
const OWN = { clingo: "mine.lp", prolog: "mine.pl" };
const NO_OUTPUT = "nothing says what answers consist of; expected #show with a predicate in the program for clingo, such as #show queen/2.";
const NO_PICTURE = `${DRAWS} shows nothing; expected #show with a predicate of pictures, such as #show node/1.`;
const CONSTANT = /#const\s+(\w+)\s*=\s*([^.[]+?)\s*\.(?:\s*\[\w+\])?/g;

/** The problems of the package. */
export const problems = async () => ({ problems: (await texts).problems });

/** The facts of an instance, which both programs get. */
export const facts = async ({ instance }, signal) => ({ facts: await factsOf(instance, signal) });

/** Different answers of a program, up to a limit. */
export async function solve(body, signal) {
  const posed = await pose(body, signal);
  const most = Math.min(body.limit, SOLUTIONS);
  const start = performance.now();
  let first = null;
  let found = [];
  try {
    const { stopped, seconds, exhausted } = await limited(signal, (within) =>
      // One more than asked for shows whether these are all.
      BY[posed.engine].answers(posed, most + 1, within, (answer) => {
        first ??= (performance.now() - start) / 1000;
        if (found.length && String(found[0].cost) !== String(answer.cost)) found = [];
        found.push(answer);
      }),
    );
    const all = found.sort((one, other) => one.atoms.length - other.atoms.length || ORDER.compare(one.atoms.join(), other.atoms.join()));
    // The engine may have had to load, which is not among its seconds.
    return { solutions: all.slice(0, most), stopped: stopped ?? (exhausted && all.length <= most ? null : "limit"), seconds, first: first && Math.min(first, seconds) };
  } catch (error) {
    signal.throwIfAborted();
    throw Object.assign(new Refusal(error.message), { messages: messagesIn(error.message, posed.file) });
  }
}

/** Ask the engine of a program by `run`, which gets that, what is posed, and a signal. */
async function inEngine(body, signal, run) {
  const posed = await pose(body, signal);
  return inTime(signal, (within) => run(BY[posed.engine], posed, within), posed.engine);
}

/** Why a program does not have an answer: clingo's programs are relaxed by Python, which is not here. */
export const refusal = (body, signal) => inEngine(body, signal, (own, posed, within) => own.refusal(posed, body.answer, within));

/** The atoms that a program has left before it guesses, and those that are certain; nulls if it finds a contradiction. */
export const propagate = (body, signal) => inEngine(body, signal, (own, posed, within) => own.left(posed, within));

/** The search for one answer as events. */
export const trace = (body, signal) => inEngine(body, signal, (own, posed, within) => own.trace(posed, body.limit ?? EVENTS, within));

// --- what is asked ------------------------------------------------------------------------------

/** The text of a program with its instance, and the predicates of both. */
async function pose({ problem, instance, engine, texts: changed = {} }, signal) {
  const known = (await texts).problems.find(({ name }) => name === problem);
  if (problem && !known) throw new Refusal(`There is no problem ${problem}.`);
  const isDrawing = engine === "draw";
  const program = isDrawing ? { file: DRAWS, text: known?.draws } : known?.programs.find(({ name }) => name === engine);
  const text = changed[engine] ?? program?.text;
  if (text === undefined) throw new Refusal(`There is no program ${engine}.`);
  const outputs = isDrawing ? predicates(text, "show") : (known?.outputs ?? predicates(changed.clingo, "show"));
  if (!outputs.length) throw new Refusal(isDrawing ? NO_PICTURE : NO_OUTPUT);
  const inputs = known?.inputs ?? predicates(changed.clingo, "defined");
  const facts = await factsOf(instance, signal);
  const constants = [...instance.matchAll(CONSTANT)].map(([, name, value]) => `constant(${name},${value})`);
  const kind = isDrawing ? "clingo" : engine.split(":")[0];
  return { engine: kind, file: program?.file ?? OWN[kind], text, isChanged: engine in changed, instance, facts: [...constants, ...facts], outputs, inputs };
}

/** The predicates that #show or #defined name in a program for clingo. */
function predicates(text = "", word) {
  const code = bare(text).join("\n");
  return [...code.matchAll(new RegExp(`#${word}\\s+(-?\\w+/\\d+)\\s*\\.`, "g"))].map(([, found]) => found);
}

/** The facts in a text, as clingo works them out. */
async function factsOf(instance, signal) {
  const refuse = (text, line) => {
    const cure = "expected facts such as size(8).";
    const place = line ? `instance:${line}` : "instance";
    const messages = [{ text, file: "instance", ...(line && { line }), cure }];
    throw Object.assign(new Refusal(`${place}: ${text}; ${cure}`), { messages });
  };
  const line = instance.split("\n").findIndex((each) => /^\s*(?:\{|:-|:~|#(?!const))/.test(each)) + 1;
  if (line) refuse(`${instance.split("\n")[line - 1].trim()} is not a fact`, line);
  const found = [];
  try {
    await asked("clingo-run.js", { program: instance, outputs: ALL, most: 2 }, signal, ({ atoms }) => found.push(atoms));
  } catch (error) {
    signal.throwIfAborted();
    const [, at, said] = /^-:(\d+):[\d:-]+ (?:error|info): ([^]*)/.exec(error.message) ?? [];
    const last = instance.trimEnd().split("\n").length; // the end is a line too far
    refuse(at ? said.split("\n")[0] : error.message, at ? Math.min(at, last) : 1);
  }
  if (found.length !== 1) refuse("these are not facts alone", 1);
  return found[0];
}

const ALL = null; // every predicate
const ORDER = new Intl.Collator("en", { numeric: true });

/** Ask a worker of its own, which then ends. */
async function asked(file, request, signal, each) {
  const engine = new Engine(file, file.startsWith("clingo") ? { type: "module" } : {});
  try {
    return await engine.ask(request, { signal, each });
  } finally {
    engine.end();
  }
}

/** What an engine says about lines of a program, one for each line. */
function messagesIn(message, file) {
  const lines = [...message.matchAll(/(?<![\w/])([\w.]+\.(?:lp|pl)):(\d+)/g)].filter(([, name]) => name === file).map(([, , line]) => Number(line));
  return [...new Set(lines)].map((line) => ({ text: message, file, line }));
}

// --- clingo --------------------------------------------------------------------------------------

const unseen = () => {
  throw new Refusal("in a browser clingo shows its answers alone; the page of pylogic-sudoku serve shows what it knows, how it searches, and which line refuses an answer");
};

const byClingo = {
  async answers({ text, instance, outputs, file }, most, signal, each) {
    const more = outputs.map((name) => `#project ${name}. #defined ${name}.`).join(" ");
    const program = `${text}\n${instance.replace(CONSTANT, "#const $1=$2. [override]")}\n${more}\n#show.\n${outputs.map((name) => `#show ${name}.`).join(" ")}\n`;
    const refused = notRun(text, [SCRIPT]);
    const lines = text.split("\n").map((_, index) => ({ file, line: index + 1 }));
    const error = (message) => new Error(named(message, lines, "instance"));
    if (refused) throw error(refused);
    try {
      return await asked("clingo-run.js", { program, outputs, most }, signal, ({ atoms, cost }) => each({ atoms: atoms.sort(ORDER.compare), cost }));
    } catch ({ message }) {
      signal.throwIfAborted();
      throw error(message);
    }
  },
  refusal: unseen,
  left: unseen,
  trace: unseen,
};

// --- Prolog --------------------------------------------------------------------------------------

const modules = new Map(); // by file and text

/** Ask the bridge `question`, a goal that binds A, about what is posed; `each` gets A. */
async function askBridge(posed, goal, input, models, signal, each) {
  const { file, text, facts, inputs, outputs, isChanged } = posed;
  const key = `${file}\n${text}`;
  if (!modules.has(key)) modules.set(key, `problem_${modules.size}`);
  const module = modules.get(key);
  const quoted = (name) => name.replace(/^(.*)\/(\d+)$/, "'$1'/$2");
  const known = new Set([...inputs, ...facts.map(predicateOf)]);
  const all = {
    Module: module,
    File: `/prolog/${file}#${module}`,
    Text: text,
    Facts: `facts([${facts.join(",")}],[${[...known].map(quoted).join(",")}])`,
    Outputs: `[${outputs.map(quoted).join(",")}]`,
    ...input,
  };
  const loading = `pls_bridge:load('host/questions', C0), ( C0 == [] -> pls_bridge:loaded(Module, File, Text, problem, [E,_]), maplist(pls_loading:placed, E, C) ; C = C0 )`;
  const whole = `${loading}, ( C == [] -> ${goal} ; A = wrong(C) )`;
  let failure = "";
  const heard = (found) => {
    failure ||= [found.C].flat().map(textOf).join("\n"); // what is wrong with the program, or nothing
    if (!failure) each(found);
  };
  try {
    const request = { goal: whole, input: all, models };
    const ran = isChanged ? await asked("prolog-worker.js", request, signal, heard) : await prolog.ask(request, { signal, each: heard });
    if (failure) throw new Error(failure);
    return ran;
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(plain(error.message));
  }
}

const POSED = "instance(Module, Facts, Outputs, [])"; // by the usual search

const byProlog = {
  async answers(posed, most, signal, each) {
    let number = 0;
    const { seconds } = await askBridge(posed, `pls_bridge:question(solution(${POSED}), A)`, {}, most, signal, ({ A: [cost, atoms] }) => {
      number++;
      each({ cost, atoms: atoms.map(atomOf).sort(ORDER.compare) });
    });
    return { seconds, exhausted: number < most };
  },

  async left(posed, signal) {
    const found = { atoms: null, certain: null };
    await askBridge(posed, `pls_bridge:load('host/watch', _), pls_bridge:question(left(${POSED}), A)`, {}, 1, signal, ({ A }) => {
      [found.atoms, found.certain] = A.map((atoms) => atoms.map(atomOf).sort(ORDER.compare));
    });
    return found;
  },

  async trace(posed, limit, signal) {
    const engine = { ask: (request, { signal: within, each }) => askBridge(posed, `( ${request.goal}, A = [] )`, request.input, 1, within, each) };
    return watched(engine, POSED, {}, limit, eventOf, signal);
  },

  async refusal(posed, { atoms }, signal) {
    let found = null;
    const wanted = `[${atoms.map(listOf).join(",")}]`;
    const goal = `pls_bridge:load('host/refusal', _), atom_concat(Module, '_switched', Copy), atom_concat(File, '_switched', Other),
      pls_switched:prepared(Copy, Other, Text, _), term_to_atom(Wanted, WantedText),
      pls_bridge:question(refusal(instance(Copy, Facts, Outputs, []), Wanted), A)`;
    await askBridge(posed, goal, { WantedText: wanted }, 1, signal, ({ A }) => (found = A));
    const [kind, together, why, rows] = found ?? ["unknown", 1, "it is not known why", []];
    const places = rows.map(([, line, , text]) => ({ file: posed.file, line, text: textOf(text) }));
    const says = refused(textOf(kind), together, textOf(why), places);
    return { text: `prolog ${says}`, says, places };
  },
};

const BY = { clingo: byClingo, prolog: byProlog };

/** Why Prolog refuses an answer, as reasons/lines.py words it, without the subject. */
function refused(kind, together, why, places) {
  const [first, ...others] = places;
  const shown = first && `${first.file}:${first.line}: ${first.text.length > SHOWN ? `${first.text.slice(0, SHOWN - 3)}...` : first.text}`;
  if (kind === "accepted") return "has it";
  if (kind === "unfound") return `accepts it in full, but does not find it when it searches${first ? `; look at ${shown}` : ""}`;
  if (kind === "excluded" && !why) {
    const more = others.slice(0, together - 1).map(({ file, line }) => `${file}:${line}`);
    const how = more.length ? `excludes it together with ${more.join(", ")}` : "fails";
    return `refuses it: ${first.file}:${first.line} ${how}: ${shown.slice(shown.indexOf(": ") + 2)}`;
  }
  return `refuses it: ${why}${first ? `; look at ${shown}` : ""}`;
}

const plain = (message) => message.replace(/#problem_\d+(?:_switched)?|\bproblem_\d+(?:_switched)?:/g, "").replaceAll("/prolog/", "");

// --- terms ---------------------------------------------------------------------------------------

/** A text of Prolog. */
const textOf = (value) => String(value?.v ?? value);

const isConstant = (text) => /^_*[a-z][\w']*$/.test(text);

/** The text of a value, which is a number, a text, or a list of a name and arguments. */
function valueOf(value) {
  if (Array.isArray(value)) return atomOf(value);
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = textOf(value);
  return isConstant(text) ? text : `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** The text of an atom, which Prolog gives as a list of its name and its arguments. */
function atomOf([name, ...values]) {
  const inside = values.map(valueOf);
  return values.length || !textOf(name) ? `${textOf(name)}(${inside.join(",")})` : textOf(name);
}

function eventOf([kind, level, ...lists]) {
  const solved = KINDS[kind - 1] === "solution";
  const [placed = [], excluded = []] = solved ? [] : lists.map((atoms) => atoms.map(atomOf).sort(ORDER.compare));
  const solution = solved ? lists[0][1].map(atomOf).sort(ORDER.compare).map((atom) => `${atom}.`).join(" ") : null;
  return { kind: KINDS[kind - 1], level, placed, excluded, solution };
}

/** The predicate of an atom, and its name and arguments; an argument is a text. */
function partsOf(atom) {
  const inside = /^(-?\w+)\(([^]*)\)$/.exec(atom);
  if (!inside) return [atom, []];
  const values = [""];
  let [depth, quoted] = [0, false];
  for (const [at, each] of [...inside[2]].entries()) {
    if (each === '"' && inside[2][at - 1] !== "\\") quoted = !quoted;
    if (!quoted) depth += (each === "(") - (each === ")");
    if (!quoted && !depth && each === ",") values.push("");
    else values[values.length - 1] += each;
  }
  return [inside[1], values];
}

function predicateOf(atom) {
  const [name, values] = partsOf(atom);
  return `${name}/${values.length}`;
}

/** An atom as Prolog takes it: a list of its name and its arguments, where texts are in quotes. */
function listOf(atom) {
  const [name, values] = partsOf(atom);
  const value = (text) => (/^-?\d+$/.test(text) ? text : text.startsWith('"') ? text : text.includes("(") ? listOf(text) : `"${text}"`);
  return `["${name}"${values.map((each) => `,${value(each)}`).join("")}]`;
}
