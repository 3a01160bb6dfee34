// SWI-Prolog in V8 without a browser: what its module asks of one, and the calls of isolate.py.
//
// A question begins with the memory as it was when a program had been loaded, whatever the question before
// has left behind: the memory of WebAssembly is one array of bytes, and a copy of it is kept for each program.

"use strict";

const FIRST = ""; // the key of the memory before any program
const PROGRAMS = 3; // programs whose memory is kept
const STOP = 0; // places in `shared`: 1 once the question is to end,
const LENGTH = 1; // and the length of a text that nobody has read yet
const TEXT = 8; // where that text begins, in bytes
const PRINTED = 20_000; // characters of printed text that are kept

const shared = new SharedArrayBuffer(1 << 16);
const cells = new Int32Array(shared, 0, 2);
const bytes = new Uint8Array(shared, TEXT);
const kept = new Map(); // copies of the memory, by key
const printed = [];
const told = []; // what the search has found on its way, and nobody has read yet
let memory = null;
let system = null; // the module of Emscripten
let isSealed = false; // true if programs may call no JavaScript at all: see sealed.js

// --- what a browser has -------------------------------------------------------------------------

globalThis.self = globalThis.window = globalThis;
globalThis.location = { pathname: "/", href: "file:///" };
BigInt.prototype.toJSON = function () {
  return JSON.rawJSON(`${this}`);
};
globalThis.console = { log() {}, warn() {}, error() {}, info() {}, debug() {} };
globalThis.performance ??= { now: () => Date.now(), timeOrigin: 0 };
globalThis.crypto ??= {
  getRandomValues: (array) => array.map((_, at) => (array[at] = Math.floor(Math.random() * 256))),
};
globalThis.URL ??= class {
  constructor(path) {
    this.href = path;
  }
};
globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text.toWellFormed())), (each) => each.charCodeAt(0));
  }
};
globalThis.TextDecoder ??= class {
  decode(data = new Uint8Array()) {
    const octets = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
    let text = "";
    for (let at = 0; at < octets.length; at += 8192) text += String.fromCharCode(...octets.subarray(at, at + 8192));
    try {
      return decodeURIComponent(escape(text));
    } catch {
      return text; // not UTF-8
    }
  }
};

// --- Prolog -------------------------------------------------------------------------------------

/** Start Prolog, which may use these megabytes, with other options; `started` then has the outcome. */
function start(megabytes, others = {}) {
  self.MEMORY = megabytes; // see memory.js
  const options = {
    arguments: ["-q", "-f", "none", "--no-packs"],
    locateFile: (name) => name,
    on_output: (text) => void (printed.length < PRINTED && printed.push(text)),
    getPreloadedPackage: () => libraries,
    instantiateWasm(imports, done) {
      for (const each of Object.values(imports)) closed(each);
      const module = new WebAssembly.Module(code);
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
      done(instance, module);
      return instance.exports;
    },
    ...others,
  };
  SWIPL(options).then(
    (made) => {
      system = made;
      guard(system.prolog);
      globalThis.started = "yes";
    },
    (error) => (globalThis.started = `${error}`),
  );
}

/** Close the way to JavaScript that runs a text of Prolog's. */
function closed(functions) {
  for (const [name, each] of Object.entries(functions)) {
    if (typeof each === "function" && /\beval\(/.test(each)) functions[name] = () => {};
  }
}

/** Refuse calls of JavaScript but those of isolate.pl: what a program changed here, later questions would find. */
function guard(prolog) {
  const { toJSON } = prolog;
  prolog.toJSON = function (term, options) {
    const call = toJSON.call(this, term, options);
    if (options?.string === "string" && (isSealed || !isOurs(call))) throw new Error("programs cannot call JavaScript here");
    return call;
  };
}

/** True for a call of isolate.pl, as library(wasm) passes it: values are records with a `v`. */
function isOurs(call) {
  const [{ f, args }, ...more] = Array.isArray(call) && call.length ? call : [{}];
  const areValues = args?.every((each) => each.length === 1 && "v" in each[0]);
  return !more.length && ["isStopped", "tell"].includes(f) && areValues;
}

/** Write files, which are texts by path. */
function write(files) {
  for (const [path, text] of Object.entries(files)) {
    system.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
    system.FS.writeFile(path, text);
  }
}

/** Keep the memory as it is now. */
function keep(key) {
  kept.delete(key);
  kept.set(key, new Uint8Array(memory.buffer).slice());
  const [oldest] = [...kept.keys()].filter((each) => each !== FIRST);
  if (kept.size > PROGRAMS + 1) kept.delete(oldest);
}

/** Go back to the memory that was kept; true if there is one. */
function restore(key) {
  const copy = kept.get(key);
  if (!copy) return false;
  const now = new Uint8Array(memory.buffer);
  now.set(copy);
  now.fill(0, copy.length); // memory never shrinks
  system.FS.chdir("/");
  return true;
}

/** The outcome of a goal as JSON, with what was printed. It has no `answer` if the goal fails. */
function ask(request) {
  const { goal, inputs } = JSON.parse(request, exactly);
  const outcome = {};
  try {
    const { success, error, message, Answer } = system.prolog.query(goal, inputs, { string: "atom" }).once();
    if (error) outcome.error = message;
    else if (success) outcome.answer = Answer ?? null;
  } catch (error) {
    outcome.broken = error.name === "ExitStatus" ? "halt" : `${error.message ?? error}`;
  }
  if (told.length) outcome.told = told.splice(0);
  const said = printed.splice(0).join("");
  if (said) outcome.printed = said.slice(0, PRINTED);
  return JSON.stringify(outcome);
}

/** True if the question is to end; Prolog asks at each heartbeat. What the search has found is passed on. */
function isStopped() {
  tellNow();
  return cells[STOP] === 1;
}

/** Tell the process outside what the search has found, now or at a heartbeat. A better answer replaces the one before. */
function tell(number, what, data) {
  if (what === "better" && told.at(-1)?.[1] === "better") told.pop();
  told.push([number, what, data]);
  tellNow();
  return true;
}

function tellNow() {
  if (!told.length || Atomics.load(cells, LENGTH)) return;
  const text = escaped(JSON.stringify(told));
  if (text.length > bytes.length) return; // it goes with the answer
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  told.length = 0;
  Atomics.store(cells, LENGTH, text.length);
}

const escaped = (text) => text.replace(/[^\x00-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A reviver that keeps large integers, and makes a term of {"pair": [A,B]}. */
function exactly(key, value, { source } = {}) {
  if (typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)) return BigInt(source);
  return value?.pair ? new system.prolog.Compound("-", ...value.pair) : value;
}
