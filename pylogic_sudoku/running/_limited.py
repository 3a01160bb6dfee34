"""Runs another program with limits, and ends it together with the process that started it.

This script starts before the foreign program, in a session of its own. Its standard input is a
pipe that no process writes to. When the other end is closed, for example because that process died,
it kills all that the program has started. It does not import the package, so it starts in about
ten milliseconds.
"""

from __future__ import annotations

import _thread
import os
import select
import sys

SIGKILL, SIGSTOP = 9, 19  # the module signal takes milliseconds to import
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER of Linux
COUNTED_EACH = 100
"""Milliseconds between two counts of the processes."""
TOO_MANY = 125
"""The exit code if the program starts too many processes."""
NO_NAMESPACES = 126
NOT_STARTED = 127
"""The exit code of a shell, too, if there is no such program."""


def main(numbers: list[int], user: str, plan: str, feed: str, command: list[str]) -> None:
    """Run the command with limits, and end as it ends.

    The numbers are seconds of processor time, megabytes of memory and of a file, and processes.

    If the memory is 0, only processes are limited; if the number of processes is 0, they are not.
    With a `user`, the command runs as that user, with a `plan` in namespaces. A number is a user
    whom nobody else is, so that the kernel counts the processes of this command alone. `feed` is
    the number of the pipe that is its input, empty for no input.
    """
    seconds, megabytes, output, processes = numbers
    adopts = bool(processes) and _adopt_orphans()
    program = os.fork()
    if program == 0:
        fresh = int(user) if user.isdigit() else None
        if user and fresh is None:
            _become(user)
        _limit(seconds, megabytes, output, processes if fresh is None else 0)
        given = int(feed) if feed else os.open(os.devnull, os.O_RDONLY)
        os.dup2(given, sys.stdin.fileno())
        os.close(given)
        _start(plan, command, fresh, processes)
    if feed:
        os.close(int(feed))
    ending = _thread.allocate_lock()  # held by the thread that decides how all of this ends
    _thread.start_new_thread(_watch, (processes if adopts else 0, ending))
    while True:  # orphans of the program are buried here
        process, status = os.wait()
        if process == program:
            break
    ending.acquire()
    if adopts:
        end_descendants(os.getpid())
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        _die_of(-code)
    os._exit(code)


def _start(plan: str, command: list[str], user: int | None, processes: int) -> None:
    if not plan and user is None:
        try:
            os.execv(command[0], command)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode(errors="replace"))
            os._exit(NOT_STARTED)
    sys.path.insert(0, os.path.dirname(__file__))
    import _namespaces  # type: ignore[import-not-found]

    try:
        if plan:
            _namespaces.enter(plan, command, user, processes)
        _namespaces.become(user, processes, _namespaces.DAC_READ_SEARCH)
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"no namespaces: {error}\n".encode())
        os._exit(NO_NAMESPACES)


def _adopt_orphans() -> bool:
    """Become the parent of processes whose own has died, even of those in other sessions."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    return bool(ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0) == 0)


def _become(user: str) -> None:
    import pwd

    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def _limit(seconds: int, megabytes: int, output: int, processes: int) -> None:
    """Limit what this process and its children may use."""
    import resource

    limits = {}
    if megabytes:
        limits = {
            resource.RLIMIT_AS: megabytes << 20,
            resource.RLIMIT_FSIZE: output << 20,
            resource.RLIMIT_CORE: 0,
            # The grader limits the time; this is for a process that has got away.
            resource.RLIMIT_CPU: seconds * (os.cpu_count() or 1),
        }
    if processes:
        try:
            _limit_processes(processes + _tasks_of(os.getuid()))
        except (OSError, ValueError):
            pass
    for kind, wanted in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError):  # macOS does not support all limits
            continue


def _limit_processes(wanted: int) -> None:
    """Limit the processes and threads of the user: the kernel counts all of them; root has none.

    There is no limit if that many exist by now: the kernel counts those in other containers, too,
    which cannot be seen here. `_watch` counts the program's own in any case.
    """
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, hard))
    try:
        child = os.fork()
    except BlockingIOError:
        resource.setrlimit(resource.RLIMIT_NPROC, (before, hard))
        return
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _tasks_of(user: int) -> int:
    """Return the processes and threads that this user has now."""
    number = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self/task") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                number += os.stat(f"/proc/{name}/task").st_nlink - 2
        except OSError:  # it has ended
            continue
    return number


def _watch(processes: int, ending: _thread.LockType) -> None:
    """End everything when standard input is closed at the other end, or there are too many."""
    own = os.getpid()
    end = select.poll()
    end.register(sys.stdin.fileno(), select.POLLIN)
    while not end.poll(COUNTED_EACH if processes else None):
        if processes and len(descendants(own)) > processes:
            ending.acquire()
            end_descendants(own)
            os.write(2, f"over {processes} processes\n".encode())
            os._exit(TOO_MANY)
    end_descendants(own)
    os.killpg(own, SIGKILL)


def descendants(process: int) -> list[int]:
    """Return the processes that this one has started, and those that they have, on Linux."""
    processes: list[int] = []
    waiting = [process]
    while waiting:
        folder = f"/proc/{waiting.pop()}/task"
        try:
            for thread in os.listdir(folder):
                with open(f"{folder}/{thread}/children", encoding="ascii") as file:
                    children = [int(each) for each in file.read().split()]
                processes += children
                waiting += children
        except OSError:  # it has ended, or there is no such file
            continue
    return processes


def end_descendants(process: int) -> None:
    """Kill all processes that this one has started, and those that they have.

    They are stopped first, so that none of them starts another unseen.
    """
    for number in (SIGSTOP, SIGKILL):
        signalled_processes: set[int] = set()
        while new := {each for each in descendants(process) if _lives(each)} - signalled_processes:
            for each in new:
                try:
                    os.kill(each, number)
                except (ProcessLookupError, PermissionError):
                    continue
            signalled_processes |= new


def _lives(process: int) -> bool:
    """True unless it has ended, and only its parent does not know yet."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _die_of(number: int) -> None:
    """End this process by the signal that ended the program."""
    import signal

    try:
        signal.signal(number, signal.SIG_DFL)
    except OSError:  # SIGKILL
        pass
    signal.raise_signal(number)


if __name__ == "__main__":
    main([*map(int, sys.argv[1:5])], sys.argv[5], sys.argv[6], sys.argv[7], sys.argv[8:])
