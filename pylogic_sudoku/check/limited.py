"""Becomes another program, with limits on it; run as a script, before anything foreign starts.

It imports nothing of ours, so that it starts in some ten milliseconds.
"""

from __future__ import annotations

import os
import sys

LARGEST_FILE = 256 << 20
"""Bytes of results or messages: enough for 200,000 answers."""


def main(seconds: int, megabytes: int, command: list[str]) -> None:
    """Limits memory, file size and time, then runs the command in place of itself."""
    try:
        import resource
        import signal
    except ImportError:  # Windows, where the grader limits the time only
        import subprocess

        sys.exit(subprocess.run(command, check=False).returncode)
    limits = {
        resource.RLIMIT_AS: megabytes << 20,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
        resource.RLIMIT_CORE: 0,
        # For the case that the grader itself is killed and cannot stop us any more.
        resource.RLIMIT_CPU: seconds * (os.cpu_count() or 1),
    }
    for kind, wanted in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS knows some limits by name only
            continue
    signal.alarm(seconds)  # the same for one that sleeps; survives the next line
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
