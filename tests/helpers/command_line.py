"""The command line, in this process (`run`, `invoke`) or in one of its own (`spawned`)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from helpers.programs import without_warning
from helpers.puzzles import FOUR, PRINTED
from pylogic_sudoku.__main__ import main
from pylogic_sudoku.cli.app import cli, loaded
from pylogic_sudoku.cli.options import CommandAndGroup
from pylogic_sudoku.running.workers import STOPS

__all__ = ["COMMANDS", "FOUR", "MODULE", "PUZZLE", "ROOT", "SOLUTION"]
__all__ += ["cli", "environment", "invoke", "run", "spawned", "started"]

ROOT = Path(__file__).resolve().parents[2]


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Yield each command by its words, also those that a group runs alone."""
    for name in cli.commands:
        command = loaded(name)
        if not isinstance(command, click.Group):
            yield name, command
            continue
        if isinstance(command, CommandAndGroup):
            yield name, command.alone
        for more, one in command.commands.items():
            yield f"{name} {more}", one


COMMANDS = dict(_commands())
MODULE = [sys.executable, "-m", "pylogic_sudoku"]

PUZZLE, SOLUTION = list(PRINTED.items())[-1]


def environment(*folders: Path, **settings: str) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return {**inherited, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **settings}


class Done(CompletedProcess[str]):
    printed = ""
    """Both streams, in the order of writing."""


def run(
    *arguments: object, stdin: str = "", env: dict[str, str] | None = None, cwd: Path = ROOT
) -> Done:
    """Run the command in this process; whatever happens, it must not show a traceback."""
    handlers = {number: signal.getsignal(number) for number in STOPS}
    line = ["pylogic-sudoku", *map(str, arguments)]
    with (
        CliRunner().isolation(stdin, env) as (out, err, both),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(sys, "argv", line)
        patch.setattr(os, "_exit", sys.exit)  # or the tests would end, too
        patch.chdir(cwd)
        patch.delenv("NO_COLOR", raising=False)
        try:
            with pytest.raises(SystemExit) as ended:
                main()
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)  # the command may have changed what Ctrl-C does
        sys.stdout.flush()
        sys.stderr.flush()
    output, errors, printed = (
        without_warning(stream.getvalue().decode()) for stream in (out, err, both)
    )
    assert "Traceback" not in errors
    assert isinstance(ended.value.code, int)
    done = Done(line, ended.value.code, output, errors)
    done.printed = printed
    return done


def spawned(
    *arguments: object, stdin: str = "", env: dict[str, str] | None = None, cwd: Path = ROOT
) -> CompletedProcess[str]:
    """The same in a process of its own, for what imports, engines and the system do there."""
    done = subprocess.run(
        [*MODULE, *map(str, arguments)],
        input=stdin,
        env=env or environment(),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr
    done.stderr = without_warning(done.stderr)
    return done


@contextmanager
def started(*arguments: object, **settings: Any) -> Iterator[subprocess.Popen[str]]:
    """The command at work in a process of its own; the settings are those of `subprocess.Popen`."""
    pipe = subprocess.PIPE
    settings = {"stdout": pipe, "stderr": pipe, "text": True, "env": environment(), **settings}
    with subprocess.Popen([*MODULE, *map(str, arguments)], **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def invoke(*arguments: object, stdin: str = "", env: dict[str, str] | None = None) -> Result:
    """Run the command as click calls it, without what `main` adds."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=stdin, env=env)
