"""The SWI-Prolog of this machine: its place, and its start through janus, with our own options.

A Prolog that starts with the library folder of another one, or with none, ends the whole process.
Left alone, it looks for that folder through ``SWI_HOME_DIR`` and through the `swipl` on the path,
which may both belong to another Prolog. So it is given the folder of the very library that janus is
linked with. The user's ``init.pl`` and packs are not loaded. If a SWI-Prolog is inside the package,
it is used, whatever else is installed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import locale
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, NoReturn

from ..errors import BackendUnavailable
from ..files import checkout, install_command, pip_install

OPTIONS = ("-f", "none", "--no-packs", "-q")
INSIDE = Path(__file__).resolve().parents[1] / "_swipl"
"""Where a wheel that has a SWI-Prolog holds it; `make wheel` builds such wheels."""

FITTING = """\
The program works with SWI-Prolog 9.1.12 to 10.1.12, perhaps with newer ones; "pylogic-sudoku
doctor" shows which one is here. The clingo engine works without SWI-Prolog."""

TRIAL = """\
import sys
from ctypes import CDLL, RTLD_GLOBAL, c_char_p
prolog = CDLL(sys.argv[1], RTLD_GLOBAL)
options = [option.encode() for option in sys.argv[2:]]
prolog.PL_initialise(len(options), (c_char_p * (len(options) + 1))(*options))
prolog.PL_toplevel()
"""
"""Python code that runs Prolog's top level: 25 ms, where janus takes 140."""


def installing() -> str:
    """Instructions for installing Prolog and the bridge to it."""
    how = f"Install SWI-Prolog 9.1.12 or newer, then: {install_command('prolog')}"
    if folder := checkout():
        how = f'Run "make demo" in {folder}, which builds SWI-Prolog into .venv. Or:\n{how}'
    return f"""\
{how}
Without a compiler: docs/install.md has SWI-Prolog as WebAssembly.
"pylogic-sudoku doctor" shows what is missing. The clingo engine works without SWI-Prolog."""


def repairing() -> str:
    """Advice for a Prolog that does not start."""
    if inside():
        return f"Install the package again: {pip_install('--force-reinstall')} and the wheel."
    again = pip_install("--force-reinstall", "--no-cache-dir", "janus-swi")
    how = f"After SWI-Prolog was moved or updated, build the bridge to it again: {again}"
    if folder := checkout():
        how = f'Run "make clean demo" in {folder}, which sets up .venv anew. Or:\n{how}'
    return f"""\
{how}
The clingo engine works without SWI-Prolog."""


def inside() -> Path | None:
    """The folder of the SWI-Prolog inside the package; None if there is none."""
    folder = INSIDE / "home"
    return folder if folder.is_dir() else None


def home() -> Path | None:
    """The folder of the SWI-Prolog that janus runs; None without janus, or if it does not run."""
    try:
        return _home(_spec())
    except (OSError, RuntimeError):
        return None


def swipl() -> Path | None:
    """The swipl of the Prolog that janus runs, or else the one next to this Python, of $SWIPL, or
    on the path.
    """
    if (folder := home()) and (program := next(folder.glob("bin/*/swipl"), None)):
        return program
    import shutil  # which the engine does without

    beside = Path(sys.executable).parent / "swipl"
    path = shutil.which(str(beside)) or shutil.which(os.environ.get("SWIPL") or "swipl")
    return Path(path) if path else None


def command() -> list[str]:
    """The program swipl, with its home if we know it: SWI_HOME_DIR may name another Prolog's."""
    program = swipl()
    if program is None:
        raise BackendUnavailable("there is no swipl", installing())
    folder = home()
    return [str(program), f"--home={folder}"] if folder in program.parents else [str(program)]


def is_installed() -> bool:
    """True if janus is here, whether it works or not."""
    return _spec() is not None


def import_janus() -> Any:
    """The module janus_swi, with Prolog running; BackendUnavailable, with the fix, if it fails."""
    if "janus_swi" in sys.modules:
        return sys.modules["janus_swi"]
    spec = _spec()
    if spec is None or spec.loader is None:
        raise BackendUnavailable(
            "the prolog engine needs janus-swi, which is not installed", installing()
        )
    try:
        options = (*OPTIONS, f"--home={folder}") if (folder := _home(spec)) else OPTIONS
        return _started(spec, lambda *usual: (*options, *usual))
    except Exception as error:
        raise BackendUnavailable(f"SWI-Prolog does not start: {error}", repairing()) from None


def prompt(*arguments: str) -> NoReturn:
    """Run the SWI-Prolog inside the package as the program swipl does, with these arguments.

    It runs in this process, so that library(janus) works there.
    """
    spec = _spec()
    assert spec is not None
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            # Signals are Prolog's now; what Python handles, `defer_signals` puts back.
            signal.signal(number, signal.SIG_DFL)
    # The bridge finds its Prolog part there.
    library = f"library={INSIDE / 'janus_swi'}"
    try:
        _started(spec, lambda *usual: (f"--home={inside()}", "-p", library, *arguments))
        prolog = ctypes.CDLL(_library(spec), os.RTLD_GLOBAL)
    except (ImportError, OSError) as error:
        raise BackendUnavailable(f"SWI-Prolog does not start: {error}", repairing()) from None
    prolog.PL_halt(0 if prolog.PL_toplevel() else 1)
    raise SystemExit(1)  # a hook in Prolog has cancelled the halt


def _spec() -> ModuleSpec | None:
    """The place of janus: inside the package, or else where Python finds it."""
    if inside() is None:
        return importlib.util.find_spec("janus_swi")
    folder = INSIDE / "janus_swi"
    return importlib.util.spec_from_file_location(
        "janus_swi", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )


def _library(spec: ModuleSpec) -> str | None:
    """The shared library of janus, through which that of Prolog is reached."""
    library = PathFinder.find_spec("_swipl", spec.submodule_search_locations)
    return library.origin if library else None


def _home(spec: ModuleSpec | None) -> Path | None:
    """The folder of the Prolog that this janus runs; OSError or RuntimeError if it does not run."""
    if folder := inside():
        return folder
    library = _library(spec) if spec else None
    return _home_of(library) if library else None


@cache
def _home_of(library: str) -> Path:
    """The folder that belongs to the Prolog behind janus's library.

    A Prolog in a place of its own keeps its library below that folder. Distributions move the
    library to the others of the system; such a Prolog is asked, in another process, since one that
    does not find its folder ends the process that asks.
    """
    prolog = _library_of_prolog(library)
    for folder in prolog.parents if prolog else ():
        if (folder / "boot.prc").is_file():
            return folder
    # Its own path as the name of the program leads to no other Prolog.
    name = str(prolog or "libswipl")
    goal = ("-g", "current_prolog_flag(home, Home), write(Home)", "-t", "halt")
    environment = {k: v for k, v in os.environ.items() if k not in ("SWI_HOME_DIR", "SWIPL")}
    trial = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TRIAL, library, name, *OPTIONS, *goal],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environment,
        start_new_session=True,  # Ctrl-C is for this process
    )
    if trial.returncode != 0:
        lines = [line.strip() for line in trial.stderr.splitlines() if line.strip()]
        raise RuntimeError(lines[-1] if "Traceback" in trial.stderr else " ".join(lines[:2]))
    return Path(trial.stdout)


class _Symbol(ctypes.Structure):
    """The place of a function: the answer of dladdr, in the order of <dlfcn.h>."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def _library_of_prolog(library: str) -> Path | None:
    """The libswipl that janus's library loads; None if the system does not reveal it."""
    start = ctypes.CDLL(library, getattr(os, "RTLD_GLOBAL", 0)).PL_initialise
    symbol = _Symbol()
    try:
        dladdr = ctypes.CDLL(None).dladdr
    except (AttributeError, TypeError):  # not there on Windows
        return None
    dladdr(ctypes.cast(start, ctypes.c_void_p), ctypes.byref(symbol))
    return Path(os.fsdecode(symbol.file)).resolve() if symbol.file else None


def _started(spec: ModuleSpec, options: Callable[..., tuple[str, ...]]) -> Any:
    """The module of this specification, which starts Prolog.

    `options` makes the options that Prolog gets from those that janus would give it. janus starts
    Prolog while it is imported. So its start function is wrapped before the rest of janus runs.
    """
    janus = importlib.util.module_from_spec(spec)
    sys.modules["janus_swi"] = janus
    flags = sys.getdlopenflags() if hasattr(sys, "getdlopenflags") else None
    saved = locale.setlocale(locale.LC_ALL)
    try:
        if flags is not None:
            # Prolog's own libraries search the whole process for its symbols.
            sys.setdlopenflags(flags | os.RTLD_GLOBAL)
        swipl: Any = importlib.import_module("janus_swi._swipl")
        start = swipl.initialize
        swipl.initialize = lambda name, *usual: start(name, *options(*usual))
        spec.loader.exec_module(janus)  # type: ignore[union-attr]
        swipl.initialize = start
    except BaseException:
        sys.modules.pop("janus_swi", None)
        raise
    finally:
        if flags is not None:
            sys.setdlopenflags(flags)
        # Prolog takes number and time formats from the environment; the host keeps its own.
        locale.setlocale(locale.LC_ALL, saved)
    return janus
