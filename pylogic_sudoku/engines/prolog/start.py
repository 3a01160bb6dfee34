"""The start of Prolog through janus, with options of our own.

A Prolog that does not find its library folder ends the whole process, so another process tries
to start it first. The user's ``init.pl`` and packs are not loaded. If a SWI-Prolog is inside the
package, it is used, whatever else is installed.
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
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, NoReturn

from ...errors import BackendUnavailable
from ...files import checkout, install_command, pip_install

OPTIONS = ("-f", "none", "--no-packs", "-q")
INSIDE = Path(__file__).resolve().parents[2] / "_swipl"
"""Where a wheel that has a SWI-Prolog holds it; `make wheel` builds such wheels."""

FITTING = """\
The program works with SWI-Prolog 9.1.12 to 10.1.12, perhaps with newer ones; "pylogic-sudoku
doctor" shows which one is here. The clingo engine works without SWI-Prolog."""

# Prolog without janus takes 25 ms instead of 140, and only Prolog's own start can end a process.
TRIAL = """\
import sys
from ctypes import CDLL, RTLD_GLOBAL, c_char_p
prolog = CDLL(sys.argv[1], RTLD_GLOBAL)
options = [option.encode() for option in ("swipl", *sys.argv[2:])]
prolog.PL_initialise(len(options), (c_char_p * (len(options) + 1))(*options))
"""


def installing() -> str:
    """How to get Prolog and the bridge to it."""
    how = f"Install SWI-Prolog 9.1.12 or newer, then: {install_command('prolog')}"
    if folder := checkout():
        how = f'Run "make demo" in {folder}, which builds SWI-Prolog into .venv. Or:\n{how}'
    return f"""\
{how}
"pylogic-sudoku doctor" shows what is missing. The clingo engine works without SWI-Prolog."""


def repairing() -> str:
    """What to do about a Prolog that does not start."""
    if INSIDE.is_dir():
        return f"Install the package again: {pip_install('--force-reinstall')} and the wheel."
    again = pip_install("--force-reinstall", "--no-cache-dir", "janus-swi")
    return f"""\
Check that "swipl --version" works and that SWI_HOME_DIR, if set, is its library folder. After
SWI-Prolog was moved or updated: {again}"""


def home() -> Path | None:
    """The folder of the SWI-Prolog inside the package; None if there is none."""
    folder = INSIDE / "home"
    return folder if folder.is_dir() else None


def is_installed() -> bool:
    """True if janus is here, whether it works or not."""
    return _found() is not None


def import_janus() -> Any:
    """The module janus_swi, with Prolog running; BackendUnavailable, with the fix, if it fails."""
    if "janus_swi" in sys.modules:
        return sys.modules["janus_swi"]
    spec = _found()
    if spec is None or spec.loader is None:
        raise BackendUnavailable(
            "the prolog engine needs janus-swi, which is not installed", installing()
        )
    try:
        if library := _library(spec):
            _try(library)
        return _started(spec, lambda *usual: (*_options(), *usual))
    except Exception as error:
        raise BackendUnavailable(f"SWI-Prolog does not start: {error}", repairing()) from None


def prompt(*arguments: str) -> NoReturn:
    """Run the SWI-Prolog inside the package as the program swipl does, with these arguments.

    It runs in this process, so that library(janus) works there.
    """
    spec = _found()
    assert spec is not None
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            # Signals are Prolog's now; what Python handles, `undisturbed` puts back.
            signal.signal(number, signal.SIG_DFL)
    # The bridge finds its Prolog part there.
    library = f"library={INSIDE / 'janus_swi'}"
    try:
        _started(spec, lambda *usual: (f"--home={home()}", "-p", library, *arguments))
        prolog = ctypes.CDLL(_library(spec), os.RTLD_GLOBAL)
    except (ImportError, OSError) as error:
        raise BackendUnavailable(f"SWI-Prolog does not start: {error}", repairing()) from None
    prolog.PL_halt(0 if prolog.PL_toplevel() else 1)
    raise SystemExit(1)  # a hook in Prolog has cancelled the halt


def _found() -> ModuleSpec | None:
    """Where janus is: inside the package, else where Python finds it."""
    if home() is None:
        return importlib.util.find_spec("janus_swi")
    folder = INSIDE / "janus_swi"
    return importlib.util.spec_from_file_location(
        "janus_swi", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )


def _library(spec: ModuleSpec) -> str | None:
    """The shared library of janus, through which that of Prolog is reached."""
    library = PathFinder.find_spec("_swipl", spec.submodule_search_locations)
    return library.origin if library else None


def _options() -> tuple[str, ...]:
    inside = home()
    # It comes before SWI_HOME_DIR, which may be the folder of another Prolog.
    return (*OPTIONS, f"--home={inside}") if inside else OPTIONS


def _try(library: str) -> None:
    """Start the Prolog of this library in another process; RuntimeError if that process fails."""
    trial = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TRIAL, library, *_options()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        start_new_session=True,  # Ctrl-C is for this process
    )
    if trial.returncode != 0:
        lines = [line.strip() for line in trial.stderr.splitlines() if line.strip()]
        raise RuntimeError(lines[-1] if "Traceback" in trial.stderr else " ".join(lines[:2]))


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
