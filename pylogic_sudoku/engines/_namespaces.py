"""Runs another program in namespaces of its own, where it sees some files and nothing else.

Like bubblewrap, but by calls of the kernel alone. There is no network, and processes that the
program leaves behind end with it. `_limited.py` imports it, which does not import the package.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, NoReturn

_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_NEW_OTHERS = 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000  # processes, network, IPC, names
_BIND, _RECURSIVE, _PRIVATE, _NOSUID, _NODEV, _NOEXEC = 4096, 16384, 1 << 18, 2, 4, 8
_DETACH = 2
_MOUNT_SETATTR = 442  # the same number on all processors since Linux 5.12
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_DIES_WITH_PARENT, _DUMPABLE, _DROP, _NO_NEW_PRIVILEGES = 1, 4, 24, 38
_DAC_OVERRIDE = 1
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SIGKILL = 9

libc: Any = ctypes.CDLL(None, use_errno=True)


def enter(plan: str, command: list[str]) -> NoReturn:
    """Run the command according to the plan, and end as it ends.

    `plan` is a file. Its parts, with a null character after each, are an empty folder that becomes
    the root, the folder to run in, and for each mount its target, its source (none for an empty
    folder), and ``w`` if it is writable.
    """
    with open(plan, "rb") as file:
        root, folder, *parts = map(os.fsdecode, file.read().split(b"\0")[:-1])
    mounts = [(parts[at], parts[at + 1], parts[at + 2] == "w") for at in range(0, len(parts), 3)]
    _unshare()
    init = os.fork()
    if init == 0:
        _check(libc.prctl(_DIES_WITH_PARENT, _SIGKILL, 0, 0, 0))
        _build(root, mounts)
        os.chdir(folder)
        _drop_rights()
        program = os.fork()
        if program == 0:
            os.execv(command[0], command)
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


def _unshare() -> None:
    """Enter new namespaces; root needs no new users, and then reads files as before."""
    user, group = os.geteuid(), os.getegid()
    if user == 0 and libc.unshare(_NEW_OTHERS) == 0:
        return
    # Without this, a process that has changed its user may not write its own files in /proc.
    _check(libc.prctl(_DUMPABLE, 1, 0, 0, 0))
    _check(libc.unshare(_NEW_USER | _NEW_OTHERS))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1")):
        _write(f"/proc/self/{name}", text)
    _write("/proc/self/gid_map", f"{group} {group} 1")


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
        if not (is_root and number == _DAC_OVERRIDE):
            libc.prctl(_DROP, number, 0, 0, 0)
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
