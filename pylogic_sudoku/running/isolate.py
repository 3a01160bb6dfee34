"""A process with V8, in which SWI-Prolog runs as WebAssembly. It runs this file as a script.

It knows nothing of the package, and imports mini_racer alone, from the path that it is given.
`wasm` starts it. Both write lines of JSON. The first one has what it needs (`main`); then each is a
list:

    [number, function, arguments...]    call a function of ``isolate.js``
    ["stop", number]                    end that call soon

and the answers are ``[number, outcome]``, with ``[number, "told", ...]`` before them for what a
search has found on its way. Prolog asks at each heartbeat whether it is to stop. What does not ask,
such as a computation with huge integers, ends with the whole process, and so does all of it once
nobody holds the other end of its input.
"""

import json
import os
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from typing import Any

GRACE = 0.5
"""Seconds that a call has to end after it was stopped."""
LOOKS = 0.02
"""Seconds between two looks for what a search has found."""
TEXT = 8
"""The beginning of such a text in the memory that is shared; its length stands before it."""
STOPPED = 3
"""The exit code after a call that did not end."""


def engine(path: list[str], data: Path, *scripts: Path) -> Any:
    """V8 with the files of SWI-Prolog, of ``isolate.js`` and of other scripts; nothing runs yet."""
    sys.path[:] = path
    from py_mini_racer import MiniRacer, init_mini_racer

    init_mini_racer(flags=())  # by itself it has V8 do without threads, and never optimize
    js = MiniRacer()
    for name, file in (("libraries", "swipl-web.data"), ("code", "swipl-web.wasm")):
        content = (data / file).read_bytes()
        room: Any = js.eval(f"globalThis.{name} = new ArrayBuffer({len(content)}); {name}")
        room[:] = content
    ours = Path(__file__).with_suffix(".js")
    for script in (ours, *scripts, data / "memory.js", data / "swipl-web.js"):
        js.eval(script.read_text(encoding="utf-8"))
    return js


def begin(js: Any, start: str) -> None:
    """Start Prolog by this call; RuntimeError if it does not start."""
    js.eval(start)
    while not (outcome := js.eval("globalThis.started ?? ''")):
        sleep(0.001)
    if outcome != "yes":
        raise RuntimeError(outcome)


class _Isolate:
    """The calls; one runs at a time, in the main thread."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[tuple[int, list[Any]]] = SimpleQueue()
        self.running = 0
        self.stopped = 0
        self._lock = threading.Lock()
        self._work = threading.Event()
        self._shared: Any = None
        self._js: Any = None

    def read(self) -> None:
        """Take what the other process writes, until it ends."""
        for line in sys.stdin.buffer:
            number, *call = json.loads(line)
            if number == "stop":
                self.stop(*call)
            else:
                self.calls.put((number, call))
        os._exit(0)

    def stop(self, number: int) -> None:
        """End this call soon, even if it has not begun."""
        with self._lock:
            self.stopped = number
            if self.running == number:
                self._shared[0] = 1
        ending = threading.Timer(GRACE, self._end, (number,))
        ending.daemon = True
        ending.start()

    def _end(self, number: int) -> None:
        if self.running == number:
            os._exit(STOPPED)

    def start(self, given: dict[str, Any]) -> None:
        """Load V8 and Prolog, and the files of ``prolog/``."""
        self._js = engine(given["path"], Path(given["data"]))
        self._shared = self._js.eval("shared")
        begin(self._js, f"start({int(given['megabytes'])})")
        prolog = Path(given["prolog"])
        files = {
            f"/prolog/{file.relative_to(prolog).as_posix()}": file.read_text(encoding="utf-8")
            for file in prolog.rglob("*.pl")
        }
        self.call("write", files)

    def call(self, function: str, *arguments: object) -> Any:
        """The result of a function of ``isolate.js``, which is a text, a number or nothing."""
        passed = ", ".join(map(json.dumps, arguments))
        return self._js.eval(f"{function}({passed})")

    def answer(self, number: int, function: str, *arguments: object) -> None:
        with self._lock:
            self.running = number
            self._shared[0] = int(self.stopped == number)
        self._work.set()
        try:
            result = self.call(function, *arguments)
            outcome = json.loads(result) if isinstance(result, str) else result is True
        except Exception as error:  # of V8: no memory, or too deep a recursion
            outcome = {"broken": f"{error}".strip().partition("\n")[0]}
        self._work.clear()
        with self._lock:
            self.running = 0
        self._pass_on(number)
        send([number, outcome])

    def tell(self) -> None:
        """Pass on what the search has found on its way, as long as it runs."""
        while self._work.wait():
            self._pass_on(self.running)
            sleep(LOOKS)

    def _pass_on(self, number: int) -> None:
        length = int.from_bytes(self._shared[4:TEXT], sys.byteorder)
        if length and number:
            text = bytes(self._shared[TEXT : TEXT + length])
            self._shared[4:TEXT] = bytes(4)
            send([number, "told", json.loads(text)])


_sending = threading.Lock()


def send(message: object) -> None:
    line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
    with _sending:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def main() -> None:
    """Answer calls.

    The first line of the input has ``path`` for Python's modules, ``data``, the folder of
    SWI-Prolog's files, ``prolog``, that of ours, and ``megabytes``, the most that Prolog may use.
    """
    isolate = _Isolate()
    given = json.loads(sys.stdin.buffer.readline())
    try:
        isolate.start(given)
    except BaseException as error:
        send([0, {"broken": f"{type(error).__name__}: {error}".partition("\n")[0]}])
        os._exit(1)
    send([0, {}])
    for work in (isolate.read, isolate.tell):
        threading.Thread(target=work, daemon=True).start()
    while True:
        number, call = isolate.calls.get()
        isolate.answer(number, *call)


if __name__ == "__main__":
    main()
