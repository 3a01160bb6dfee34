"""The machine for set-up: running programs, a lock, and advice about what is missing."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

# What may be missing, and the packages that provide it.
NEEDS = {
    "venv": "Python's venv module",
    "compiler": "a C compiler",
    "c++": "a C++ compiler",
    "python": "the headers of Python",
    "zlib": "the headers of zlib",
    "cmake": "cmake",
}
# README.md has these commands with all their packages.
REMEDIES = {
    "Debian, Ubuntu": (
        "sudo apt install",
        {
            **{"compiler": "build-essential", "c++": "build-essential"},
            **{"python": "python3-dev", "venv": "python3-venv", "zlib": "zlib1g-dev"},
        },
    ),
    "Fedora": (
        "sudo dnf install",
        {
            **{"compiler": "gcc", "c++": "gcc-c++", "python": "python3-devel", "venv": "python3"},
            **{"zlib": "zlib-devel"},
        },
    ),
    "Arch": (
        "sudo pacman -S",
        {"compiler": "gcc", "c++": "gcc", "python": "python", "venv": "python", "zlib": "zlib"},
    ),
    "macOS": (
        "brew install",
        {"compiler": "gcc", "c++": "gcc", "python": "python", "venv": "python", "zlib": "zlib"},
    ),
}
WINDOWS_REMEDY = "Windows: run this inside WSL (wsl --install)"

# Environment variables that would mislead a build or pip.
UNWANTED = {
    *("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DESTDIR", "SWI_HOME_DIR", "PYTHONHOME", "PYTHONPATH"),
    *("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_NO_DEPS", "PIP_REQUIRE_VIRTUALENV"),
}


class SetupError(Exception):
    """An error that the user can fix; the message says how."""


class StepFailed(SetupError):
    """A program failed; the log has its output."""


# Ctrl-C, kill, and a closed terminal (which Windows lacks).
STOPS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}

# ninja begins a line with [12/345], make with [ 34%].
DONE = re.compile(rb"^\[(\d+)/(\d+)\]|^\[ *(\d+)%\]", re.MULTILINE)


def say(text: str) -> None:
    print(text, flush=True)


# Open while we hold the lock. Our child processes inherit it: if we are killed, the lock holds
# until they have ended.
locks: list[int] = []


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of this folder; wait while another set-up has it."""
    import fcntl  # not there on Windows

    fd = os.open(folder, os.O_RDONLY)
    locks.append(fd)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another set-up of this folder to end ...")
            fcntl.flock(fd, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        locks.remove(fd)
        os.close(fd)


def run(command: list[str | Path], log: Path, **settings: str) -> None:
    """Run a program with its output in the log; if we are stopped, stop it and its children."""
    environ = {k: v for k, v in os.environ.items() if k not in UNWANTED} | settings
    log.parent.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with log.open("ab") as out:
        out.write(f"\n$ {shlex.join(map(str, command))}\n".encode())
        out.flush()
        # A signal during the start would raise before we know the process: block it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environ,
                start_new_session=True,
                pass_fds=locks,
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask),
            )
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                code = wait(process, log, begin)
            except BaseException:
                for number in (signal.SIGTERM, signal.SIGKILL):
                    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                        os.killpg(process.pid, number)
                        process.wait(timeout=5)
                raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        out.write(f"# {time.monotonic() - begin:.1f} seconds, exit code {code}\n".encode())
    if code != 0:
        raise StepFailed(f"This failed: {shlex.join(map(str, command))}")


def wait(process: subprocess.Popen[bytes], log: Path, begin: float) -> int:
    """Wait for the exit code and show the progress.

    A terminal shows it in place; elsewhere a build prints a line for every ten per cent.
    """
    shown, printed = "", 0
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=0.5)
            percent = percent_done(log)
            if sys.stdout.isatty():
                share = f"{percent} %, " if percent is not None else ""
                shown = f"  {share}{time.monotonic() - begin:.0f} seconds".ljust(len(shown))
                print(f"\r{shown}", end="", flush=True)
            elif percent is not None and percent // 10 > printed:
                printed = percent // 10
                say(f"  {printed}0 %")
    finally:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", flush=True)


def percent_done(log: Path) -> int | None:
    """Return the progress of the build that writes to the log; None before the first report."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 10_000))
        found = DONE.findall(file.read().rpartition(b"\n$ ")[2])
    if not found:
        return None
    steps, of, percent = found[-1]
    return int(percent) if percent else 100 * int(steps) // int(of)


def last_output(log: Path, lines: int = 20) -> str:
    """Return the last lines that the last program printed."""
    text = log.read_text(encoding="utf-8", errors="replace")
    return "\n".join(text.rpartition("\n$ ")[2].splitlines()[1:][-lines:])


def output_of(command: list[str | Path]) -> str:
    """Return the output of a program; empty if it cannot be run."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def missing_needs(build: bool) -> list[str]:
    """Return the keys of NEEDS that this machine lacks; `build` is for SWI-Prolog."""
    lacks = []
    try:
        import ensurepip  # noqa: F401  (a package of its own on Debian)
        import venv  # noqa: F401
    except ImportError:
        lacks.append("venv")
    compiler = first_program(os.environ.get("CC", "cc"), "gcc", "clang")
    # Debian's gcc comes without the headers of C.
    if compiler is None or not finds_header(compiler, "stdlib.h"):
        lacks.append("compiler")
    if build:  # cmake tries it, though little is in C++
        other = first_program(os.environ.get("CXX", "c++"), "g++", "clang++")
        if other is None or not finds_header(other, "cstdlib", "c++"):
            lacks.append("c++")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        lacks.append("python")
    if build and not (compiler and finds_header(compiler, "zlib.h")):
        lacks.append("zlib")
    return lacks


def first_program(*names: str) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def finds_header(compiler: str, header: str, language: str = "c") -> bool:
    command = [compiler, "-x", language, "-E", "-"]
    source = f"#include <{header}>\n"
    return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0


def system_name(platform: str, os_release: str) -> str | None:
    """Return the key of REMEDIES for a sys.platform and the text of /etc/os-release."""
    if platform == "darwin":
        return "macOS"
    lines = re.findall(r"^ID(?:_LIKE)?=(.*)$", os_release, re.MULTILINE)
    ids = set(re.findall(r"[a-z]+", " ".join(lines)))
    for name in REMEDIES:
        if ids & set(name.lower().split(", ")):
            return name
    return None


def this_system() -> str | None:
    try:
        os_release = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        os_release = ""
    return system_name(sys.platform, os_release)


def advice(lacks: list[str], system: str | None) -> str:
    """Return what is missing and how to get it on this system, or on all if it is unknown."""
    lines = [f"Missing on this machine: {', '.join(NEEDS[need] for need in lacks)}."]
    for name in [system] if system else REMEDIES:
        command, packages = REMEDIES[name]
        wanted = sorted({packages.get(need, need) for need in lacks})
        lines.append(f"  {name}: {command} {' '.join(wanted)}")
    if system is None:
        lines.append(f"  {WINDOWS_REMEDY}")
    return "\n".join([*lines, "Then run the same command again."])
