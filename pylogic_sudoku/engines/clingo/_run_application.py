"""Runs clingo's application again and again: a script for a process of its own.

It reads the options of each run as a JSON list, one run a line, and answers with the exit code.
What clingo prints goes to the file ``output`` in the folder where the script was started. It ends
when its standard input is closed, even in the middle of a run, and removes that folder.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue

import clingo

__all__ = ["main"]

OUTPUT = 1
"""The file descriptor that clingo prints to."""

_CAUGHT = ("INT", "TERM", "USR1", "USR2", "QUIT", "HUP", "XCPU", "XFSZ")
"""Signals that the application catches with a handler that it leaves behind. Between two runs that
handler has no application, and crashes. A signal that is ignored gets no handler."""


class _Usual(clingo.Application):
    """The usual application; clingo 5.7 needs a `main` that says so."""

    def main(self, control: clingo.Control, files: Sequence[str]) -> None:
        for file in files:
            control.load(file)
        control.ground([("base", [])])
        control.solve()


def main() -> None:
    """Run what is asked for."""
    for name in _CAUGHT:
        if number := getattr(signal, f"SIG{name}", None):
            signal.signal(number, signal.SIG_IGN)
    replies = os.dup(OUTPUT)
    output = os.open("output", os.O_WRONLY | os.O_CREAT)
    os.dup2(output, OUTPUT)
    requests: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, os.getcwd()), daemon=True).start()
    while True:
        options = json.loads(requests.get())
        os.ftruncate(OUTPUT, 0)
        os.lseek(OUTPUT, 0, os.SEEK_SET)
        code = clingo.clingo_main(_Usual(), options)
        with suppress(BrokenPipeError):  # then `_listen` ends this process
            os.write(replies, b"%d\n" % code)


def _listen(requests: SimpleQueue[str], folder: str) -> None:
    """Read at any time, to notice that the process that asks has ended."""
    for line in sys.stdin:
        requests.put(line)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    main()
