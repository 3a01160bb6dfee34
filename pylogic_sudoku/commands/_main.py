"""How the command line starts and ends.

Answers go to standard output, everything else to standard error. To import click takes as long as
to solve a puzzle, so the simplest call does without: puzzles to solve and no options.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from ..engines.signals import heed_stops, stopped
from ..errors import SudokuError
from ._output import PIPE_CLOSED, OutputLost, say, watch
from ._run import Run, exit_code, message_of


@heed_stops()
def main() -> NoReturn:
    """The entry point: every error becomes a message and an exit code."""
    watch()
    try:
        code = _run()
        sys.stdout.flush()
    except OutputLost as lost:
        number = stopped()
        code = 128 + number if number else lost.code  # a closed terminal takes no output
        if code == lost.code != PIPE_CLOSED:
            with suppress(OutputLost):
                say(f"Error: {lost}")
    if sys.argv[1:2] == ["solve"] and "multiprocessing" not in sys.modules:
        sys.stderr.flush()  # no process or file is left: the system frees the memory, and faster
        os._exit(code if isinstance(code, int) else 1)
    sys.exit(code)


def _run() -> int | str | None:
    """The exit code of the command that the arguments name."""
    try:
        if puzzles := _only_puzzles(sys.argv[1:]):
            from ._solving import solve

            solve(Run(puzzles, engines=("clingo",)))  # which ends in SystemExit
        from ._app import run

        result = run()
        return result if isinstance(result, int) else 0
    except SystemExit as ended:
        return ended.code
    except SudokuError as error:
        say(f"Error: {message_of(error)}")
        return exit_code(error)
    except KeyboardInterrupt:
        return _stopped()


def _only_puzzles(arguments: list[str]) -> tuple[str, ...]:
    """What is to be solved, if the arguments are ``solve`` and puzzles or files; else nothing."""
    command, *puzzles = arguments or [""]
    options = any(each.startswith("-") and each != "-" for each in puzzles)
    return tuple(puzzles) if command == "solve" and not options else ()


def _stopped() -> int:
    """The exit code after a signal: 128 plus its number."""
    number = stopped() or signal.SIGINT
    say("Interrupted." if number == signal.SIGINT else "Terminated.")
    return 128 + number
