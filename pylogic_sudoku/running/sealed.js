// SWI-Prolog in V8 for one foreign program: what it reads and writes, and nothing else of this system.
//
// isolate.js comes first. Three rings in shared memory are the only way in and out: the standard input, the results
// and the standard error. sealed.py has their other ends.

"use strict";

const RING = 1 << 18; // bytes of a ring
const ENDS = 8; // bytes before it: how many were read from it and written to it, ever
const NODES = 10_000; // files and folders that a program may make

const rings = new SharedArrayBuffer(3 * (ENDS + RING));
const [input, results, errors] = [0, 1, 2].map((number) => ({
  ends: new Int32Array(rings, number * (ENDS + RING), 2),
  bytes: new Uint8Array(rings, number * (ENDS + RING) + ENDS, RING),
}));
const idle = new Int32Array(new SharedArrayBuffer(4));
let isOver = false; // no more input comes
let isPart = false; // a read has returned something, and may end

const size = ({ ends }) => (Atomics.load(ends, 1) - Atomics.load(ends, 0)) >>> 0;
const rest = () => Atomics.wait(idle, 0, 0, 1);

/** Start Prolog with these options, for a program that may use these megabytes. */
function startSealed(megabytes, options) {
  isSealed = true;
  start(megabytes, {
    arguments: options,
    on_output: undefined,
    stdin: nextByte,
    stdout() {},
    stderr: (byte) => void (byte !== null && put(errors, Uint8Array.of(byte))),
  });
}

/** The next byte of the input, which is waited for; null where a read, or the input, ends. */
function nextByte() {
  if (isPart && !size(input)) {
    isPart = false;
    return null;
  }
  while (!size(input)) {
    if (isOver) return null;
    rest();
  }
  const at = Atomics.load(input.ends, 0);
  const byte = input.bytes[(at >>> 0) % RING];
  Atomics.store(input.ends, 0, (at + 1) | 0);
  isPart = true;
  if (byte) return byte;
  isOver = true; // a byte that no text has
  return (isPart = false), null;
}

/** Write bytes to a ring, once there is room. */
function put(ring, data) {
  for (let at = 0; at < data.length; ) {
    const free = RING - size(ring);
    if (!free) {
      rest();
      continue;
    }
    const written = Atomics.load(ring.ends, 1);
    const begin = (written >>> 0) % RING;
    const part = data.subarray(at, at + Math.min(free, RING - begin));
    ring.bytes.set(part, begin);
    at += part.length;
    Atomics.store(ring.ends, 1, (written + part.length) | 0);
  }
}

/** Write a file, whose bytes are the characters of a text. */
function copy(path, text) {
  system.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  system.FS.writeFile(path, Uint8Array.from(text, (each) => each.charCodeAt(0)));
}

/** Make the file of the results, and let a program write this many bytes to others. */
function furnish(path, most) {
  const { FS } = system;
  const device = FS.makedev(64, 0);
  FS.registerDevice(device, {
    open() {},
    close() {},
    read: () => 0,
    write(stream, buffer, offset, length) {
      put(results, buffer.subarray(offset, offset + length));
      return length;
    },
  });
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  FS.mkdev(path, device);
  limit(FS, most);
}

/** Limit what files may hold: they are in V8's memory, not in that of WebAssembly. */
function limit(FS, most) {
  FS.writeFile("/tmp/limit", "");
  const stream = FS.open("/tmp/limit", "w");
  const operations = stream.stream_ops; // those of all files
  FS.close(stream);
  FS.unlink("/tmp/limit");
  const { write } = operations;
  const { ftruncate, truncate, createNode } = FS;
  const full = () => new FS.ErrnoError(51); // ENOSPC
  let left = most;
  let nodes = NODES;
  operations.write = function (stream, buffer, offset, length, position, ...more) {
    const end = (position ?? stream.position) + length;
    left -= Math.max(0, end - stream.node.usedBytes);
    if (left < 0) throw full();
    return write.call(this, stream, buffer, offset, length, position, ...more);
  };
  const truncated = (cut) =>
    function (file, length, ...more) {
      if (length > 0) throw full();
      return cut.call(this, file, length, ...more);
    };
  FS.truncate = truncated(truncate);
  FS.ftruncate = truncated(ftruncate);
  FS.createNode = function (...node) {
    if (nodes-- <= 0) throw full();
    return createNode.apply(this, node);
  };
}

/** Run a goal of these files as `swipl -g goal -t halt files` does; the exit code, or why there is none. */
function run(request) {
  const { goal, argv, files, folder } = JSON.parse(request);
  const whole =
    "working_directory(_, Folder), set_prolog_flag(argv, Argv), load_files(Files, [silent(true)]), term_to_atom(Goal, Text), " +
    "( catch(user:Goal, Error, ( print_message(error, unhandled_exception(Error)), halt(2) )) -> halt(0) ; halt(1) )";
  try {
    const inputs = { Argv: argv, Files: files, Text: goal, Folder: folder };
    const { message } = system.prolog.query(whole, inputs, { string: "atom" }).once();
    return message ?? "";
  } catch (error) {
    if (error.name === "ExitStatus") return error.status;
    return error instanceof RangeError ? "out of memory: the recursion in C is too deep" : `${error.message ?? error}`;
  }
}
