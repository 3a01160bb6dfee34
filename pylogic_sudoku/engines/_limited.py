"""Runs another program with limits, and ends it together with the process that started it.

This script starts before the foreign program, in a session of its own. Its standard input is a
pipe that nobody writes to. When the other end is closed, for example because that process died,
it kills all processes of its group. It does not import the package, so it starts in about ten
milliseconds.
"""

from __future__ import annotations

import _thread
import os
import sys

SIGKILL = 9  # the module signal takes milliseconds to import


def main(seconds: int, megabytes: int, output: int, command: list[str]) -> None:
    """Run the command with these limits, 0 megabytes of memory for none, and end as it ends.

    `output` is the most megabytes of a file that it writes.
    """
    program = os.fork()
    if program == 0:
        if megabytes:
            _limit(seconds, megabytes, output)
        os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
        os.execv(command[0], command)
    _thread.start_new_thread(_watch, ())
    code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    if code < 0:
        _die_of(-code)
    os._exit(code)


def _limit(seconds: int, megabytes: int, output: int) -> None:
    """Limit the memory, file size and time of this process and its children."""
    import resource

    limits = {
        resource.RLIMIT_AS: megabytes << 20,
        resource.RLIMIT_FSIZE: output << 20,
        resource.RLIMIT_CORE: 0,
        # The grader limits the time; this is for a process that has left the group.
        resource.RLIMIT_CPU: seconds * (os.cpu_count() or 1),
    }
    for kind, wanted in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS does not support all limits
            continue


def _watch() -> None:
    """Kill the group, including this process, when standard input is closed at the other end."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.killpg(os.getpid(), SIGKILL)


def _die_of(number: int) -> None:
    """End this process by the signal that ended the program."""
    import signal

    try:
        signal.signal(number, signal.SIG_DFL)
    except OSError:  # SIGKILL
        pass
    signal.raise_signal(number)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
