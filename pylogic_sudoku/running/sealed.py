"""A process in which SWI-Prolog as WebAssembly runs one foreign program, as swipl would run it.

It runs this file as a script, which imports mini_racer alone. The program sees the files that it is
given, as copies in memory, and nothing else of this system: no folder, no network, no process, no
variable, no JavaScript. Its input is that of this process, its messages go to standard error, and
its results to a file. `runs` starts it. Its only argument is a file with a JSON object, a `Sealed`.
"""

import json
import os
import sys
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import sleep
from typing import IO, Any

RING = 1 << 18
"""Bytes of a ring, as in ``sealed.js``."""
ENDS = 8
LOOKS = 0.002
"""Seconds between two looks at what the program has written."""
OVERHEAD = 1024
"""Megabytes that Python and V8 may take for themselves."""


class _Ring:
    """One of the rings: how many bytes were read from it and written to it, ever, and the bytes."""

    def __init__(self, memory: Any, number: int) -> None:
        self._memory = memory
        self._at = number * (ENDS + RING)

    def _end(self, which: int) -> int:
        at = self._at + 4 * which
        return int.from_bytes(self._memory[at : at + 4], sys.byteorder)

    def _move(self, which: int, end: int) -> None:
        at = self._at + 4 * which
        self._memory[at : at + 4] = (end % (1 << 32)).to_bytes(4, sys.byteorder)

    def read(self) -> bytes:
        """Return what is there, at most as far as the end of the memory."""
        begin, end = self._end(0), self._end(1)
        place = self._at + ENDS + begin % RING
        number = min((end - begin) % (1 << 32), RING - begin % RING)
        data = bytes(self._memory[place : place + number])
        self._move(0, begin + number)
        return data

    def write(self, data: bytes) -> None:
        """Write all of it, as soon as there is room."""
        while data:
            begin, end = self._end(0), self._end(1)
            free = RING - (end - begin) % (1 << 32)
            part = data[: min(free, RING - end % RING)]
            if not part:
                sleep(LOOKS)
                continue
            place = self._at + ENDS + end % RING
            self._memory[place : place + len(part)] = part
            self._move(1, end + len(part))
            data = data[len(part) :]


class _Output:
    """The bytes of a ring on their way to a file of limited size."""

    def __init__(self, ring: _Ring, file: IO[bytes], most: int) -> None:
        self._ring, self._file, self._left = ring, file, most

    def pass_on(self) -> bool:
        """Pass on what is there; False if there is nothing. At the limit the process ends."""
        data = self._ring.read()
        if data:
            self._file.write(data[: self._left])
            self._file.flush()
            self._left -= len(data)
            if self._left <= 0:
                os._exit(1)
        return bool(data)


def _feed(ring: _Ring) -> None:
    while data := os.read(sys.stdin.fileno(), RING // 2):
        ring.write(data.replace(b"\0", b" "))
    ring.write(b"\0")  # the end


def _limit(megabytes: int) -> None:
    """Limit what this process writes to; the address space that V8 reserves has no limit."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = (megabytes + OVERHEAD) << 20
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    except (ImportError, OSError, ValueError):
        return


def _isolate() -> Any:
    """The module next to this one, which does not import the package either."""
    path = Path(__file__).with_name("isolate.py")
    spec = spec_from_file_location("isolate", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(job: str) -> None:
    """Run the program.

    The file has ``path`` for Python's modules, ``data``, the folder of SWI-Prolog's files,
    ``megabytes``, ``options`` of swipl, ``goal``, the ``files`` to load, ``argv``, ``copies``, what
    the program sees: paths there with paths here, the ``folder`` in which it runs, ``results``, and
    ``most``, the bytes of an output.
    """
    given = json.loads(Path(job).read_bytes())
    _limit(given["megabytes"])
    isolate = _isolate()
    js = isolate.engine(given["path"], Path(given["data"]), Path(__file__).with_suffix(".js"))
    options = json.dumps(given["options"])
    isolate.begin(js, f"startSealed({given['megabytes']}, {options})")
    for there, here in given["copies"]:
        text = Path(here).read_bytes().decode("latin-1")
        js.eval(f"copy({json.dumps(there)}, {json.dumps(text)})")
    js.eval(f"furnish({json.dumps(given['results'])}, {given['most']})")
    rings = js.eval("rings")
    file = os.fdopen(os.open(given["results"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb")
    results, errors = (
        _Output(_Ring(rings, number), stream, given["most"])
        for number, stream in ((1, file), (2, sys.stderr.buffer))
    )

    def pass_on() -> bool:
        return results.pass_on() | errors.pass_on()

    def look() -> None:
        while not ended.is_set():
            if not pass_on():
                sleep(LOOKS)

    ended = threading.Event()
    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    threading.Thread(target=_feed, args=(_Ring(rings, 0),), daemon=True).start()
    request = json.dumps({name: given[name] for name in ("goal", "argv", "files", "folder")})
    try:
        outcome = js.eval(f"run({json.dumps(request)})")
    except Exception as error:  # of V8: no memory
        outcome = f"out of memory: {error}".partition("\n")[0]
    ended.set()
    looking.join()
    while pass_on():
        pass
    if isinstance(outcome, str):
        sys.stderr.write(f"{outcome}\n")
        sys.stderr.flush()
    os._exit(1 if isinstance(outcome, str) else int(outcome))


if __name__ == "__main__":
    main(sys.argv[1])
