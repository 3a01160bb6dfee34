"""The start of Prolog through janus, with options of our own.

A Prolog that does not find its library folder ends the whole process, so another process tries
to start it first. The user's ``init.pl`` and packs are not loaded.
"""

from __future__ import annotations

import importlib.util
import locale
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

from ...errors import BackendUnavailable

__all__ = ["FITTING", "INSTALL", "REPAIR", "import_janus"]

OPTIONS = ("-f", "none", "--no-packs", "-q")

INSTALL = """\
In a checkout of pylogic-sudoku, "make setup" builds SWI-Prolog into .venv and installs the rest.
Elsewhere install SWI-Prolog 9.1.12 or newer, then: pip install "pylogic-sudoku[prolog]"
"pylogic-sudoku doctor" shows what is missing. The clingo engine works without SWI-Prolog."""

REPAIR = """\
Check that "swipl --version" works and that SWI_HOME_DIR, if set, is its library folder. After
SWI-Prolog was moved or updated: pip install --force-reinstall --no-cache-dir janus-swi"""

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


def import_janus() -> Any:
    """The module janus_swi, with Prolog running; BackendUnavailable, with the cure, if it fails."""
    if "janus_swi" in sys.modules:
        return sys.modules["janus_swi"]
    spec = importlib.util.find_spec("janus_swi")
    if spec is None or spec.loader is None:
        raise BackendUnavailable(
            "the prolog engine needs janus-swi, which is not installed", INSTALL
        )
    library = PathFinder.find_spec("_swipl", spec.submodule_search_locations)
    try:
        if library and library.origin:
            _try(library.origin)
        return _started(spec)
    except Exception as error:
        raise BackendUnavailable(f"SWI-Prolog does not start: {error}", REPAIR) from None


def _try(library: str) -> None:
    """Start the Prolog of this library in another process; RuntimeError if that process fails."""
    trial = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TRIAL, library, *OPTIONS],
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


def _started(spec: ModuleSpec) -> Any:
    """The module of this specification, which starts Prolog.

    janus starts Prolog while it is imported, without options. So its start function is wrapped
    before the rest of janus runs.
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
        swipl.initialize = lambda name, *options: start(name, *OPTIONS, *options)
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
