"""Runs another program in namespaces of its own, where it sees some files and nothing else.

Like bubblewrap, but by calls of the kernel alone. There is no network, and processes that the
program leaves behind end with it. `_limited.py` imports it, which does not import the package.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from typing import Any, NoReturn

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_NEW_OTHERS = 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000  # processes, network, IPC, names
_BIND, _RECURSIVE, _PRIVATE, _NOSUID, _NODEV, _NOEXEC = 4096, 16384, 1 << 18, 2, 4, 8
_DETACH = 2
_MOUNT_SETATTR = 442  # the same number on all processors since Linux 5.12
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_DIES_WITH_PARENT, _DUMPABLE, _DROP, _SECURE_BITS, _NO_NEW_PRIVILEGES = 1, 4, 24, 28, 38
_KEPT_FOR_GOOD = 4 | 8
"""Another user keeps the capabilities, and access(2), which SWI-Prolog asks, heeds them."""
_AMBIENT, _RAISE = 47, 2
_CAPABILITIES_VERSION = 0x20080522
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
"""The right to read and write, or only to read, the files of other users."""
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SIGKILL = 9

libc: Any = ctypes.CDLL(None, use_errno=True)


def enter(plan: str, command: list[str], user: int | None, processes: int) -> NoReturn:
    """Run the command according to the plan, and end as it ends.

    A `user` is one that root has chosen for this command, with `processes` at most.

    `plan` is a file. Its parts, with a null character after each, are an empty folder that becomes
    the root, the folder to run in, and for each mount its target, its source (none for an empty
    folder), and ``w`` if it is writable.
    """
    with open(plan, "rb") as file:
        root, folder, *parts = map(os.fsdecode, file.read().split(b"\0")[:-1])
    mounts = [(parts[at], parts[at + 1], parts[at + 2] == "w") for at in range(0, len(parts), 3)]
    is_root = _unshare(user, processes)
    init = os.fork()
    if init == 0:
        _check(libc.prctl(_DIES_WITH_PARENT, _SIGKILL, 0, 0, 0))
        _build(root, mounts)
        os.chdir(folder)
        program = os.fork()
        if program == 0:
            if is_root and user is not None:
                become(user, processes, DAC_OVERRIDE)
            else:
                _drop_rights()
            os.execv(command[0], command)
        _drop_rights()
        while True:  # the first process of all: it also buries those whose parents have died
            process, status = os.wait()
            if process == program:
                os._exit(_code(status))
    os._exit(_code(os.waitpid(init, 0)[1]))


def _code(status: int) -> int:
    """Return an exit code; for a signal, as a shell does."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def become(user: int, processes: int, kept: int | None = None) -> None:
    """Turn root into another user for good, who keeps one of the capabilities.

    Nobody else is this user, so the kernel counts the processes of this command alone. It does not
    count those of root.
    """
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    for number in range(64):
        if number != kept:
            libc.prctl(_DROP, number, 0, 0, 0)
    os.setgroups([])
    os.setresgid(user, user, user)
    _check(libc.prctl(_SECURE_BITS, _KEPT_FOR_GOOD, 0, 0, 0))
    os.setresuid(user, user, user)
    mask = 0 if kept is None else 1 << kept
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    # Those that are effective, permitted and inheritable: the lower 32 of each, then the upper.
    _check(libc.capset(header, (ctypes.c_uint32 * 6)(mask, mask, mask, 0, 0, 0)))
    if kept is not None:
        _check(libc.prctl(_AMBIENT, _RAISE, kept, 0, 0))
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


def _unshare(user: int | None, processes: int) -> bool:
    """Enter new namespaces; True if root did so, who needs no new users, and is root still."""
    if os.geteuid() == 0 and libc.unshare(_NEW_OTHERS) == 0:
        return True
    if user is not None:
        become(user, processes)
    own, group = os.geteuid(), os.getegid()
    # Without this, a process that has changed its user may not write its own files in /proc.
    _check(libc.prctl(_DUMPABLE, 1, 0, 0, 0))
    _check(libc.unshare(_NEW_USER | _NEW_OTHERS))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{own} {own} 1")):
        _write(f"/proc/self/{name}", text)
    _write("/proc/self/gid_map", f"{group} {group} 1")
    return False


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    arguments = map(os.fsencode, (source, target, kind))
    _check(libc.mount(*arguments, ctypes.c_ulong(flags), data.encode()))


def _restrict(target: str, attributes: int, flags: int = _AT_RECURSIVE) -> None:
    """Set attributes of a mount, and of those below it."""
    wanted = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    path = ctypes.c_char_p(os.fsencode(target))
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    _check(libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, path, flags, ctypes.byref(wanted), size))


def _build(root: str, mounts: list[tuple[str, str, bool]]) -> None:
    """Make a new root that holds the mounts alone, and leave the old one."""
    _check(libc.unshare(_NEW_MOUNTS))
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    devices = [(f"/dev/{name}", f"/dev/{name}", True) for name in _DEVICES]
    for target, source, writable in (*mounts, *devices):
        place = f"{root}{target}"
        if not source:
            os.makedirs(place, exist_ok=True)
            _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
            continue
        if os.path.isdir(source):
            os.makedirs(place, exist_ok=True)
        elif not os.path.exists(place):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "xb"):
                pass
        # The scratch folder holds the root itself: a recursive copy of it would show all that is
        # mounted so far, without what later mounts hide.
        _mount(source, place, "", _BIND if writable else _BIND | _RECURSIVE)
        if not target.startswith("/dev/"):
            _restrict(place, _ATTR_NOSUID | _ATTR_NODEV | (0 if writable else _READ_ONLY))
    os.makedirs(f"{root}/proc", exist_ok=True)
    try:  # containers forbid it; the engines do without
        _mount("proc", f"{root}/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
        _restrict(f"{root}/proc", _READ_ONLY)
    except OSError:
        pass
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{root}/dev/{name}")
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    os.chdir(root)
    _check(libc.pivot_root(b".", b"."))
    _check(libc.umount2(b".", _DETACH))
    os.chdir("/")
    for place in ("/", *(target for target, source, _ in mounts if not source)):
        _restrict(place, _READ_ONLY, 0)


def _drop_rights() -> None:
    """Give up all that root, or the owner of a namespace, may do beyond others.

    Real root keeps the right to read other users' files that are visible.
    """
    with open("/proc/self/uid_map", encoding="ascii") as file:
        is_root = os.geteuid() == 0 and file.read().split()[2] != "1"
    for number in range(64):
        if not (is_root and number == DAC_OVERRIDE):
            libc.prctl(_DROP, number, 0, 0, 0)
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))


if __name__ == "__main__":  # within bubblewrap, if root has started it
    become(int(sys.argv[1]), int(sys.argv[2]), DAC_OVERRIDE)
    os.execv(sys.argv[3], sys.argv[3:])
