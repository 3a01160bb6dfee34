"""Who is asked: an engine of some version, with some options, in a process of its own."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pylogic_sudoku.engines.clingo.instances import OPTIONS
from pylogic_sudoku.running.prolog import swipl

from .conjunctions import Conjunction
from .programs import Program

__all__ = ["KINDS", "Case", "Contestant", "Workers", "contestants", "verdict"]

HERE = Path(__file__).resolve().parent
KINDS = ("asp", "clpfd")
Case = Program | Conjunction
GRACE = 3
"""Seconds after the limit until a process that says nothing is ended."""

ASP: tuple[tuple[str, ...], ...] = (
    OPTIONS,
    (),
    *((f"--configuration={name}",) for name in ("frumpy", "jumpy", "tweety", "handy", "crafty")),
    ("--configuration=trendy",),
    ("--trans-ext=card",),
    ("--sat-prepro=2",),
    ("--eq=0", "--enum-mode=record"),
    ("--eq=0", "--opt-strategy=usc"),
)
"""Options of clingo; the first are those with which this package asks.

``--trans-ext=choice`` and ``all`` are left out: they take all memory on ``{ a } :- not a.``
"""

CLPFD: tuple[tuple[str, ...], ...] = (
    ("leftmost",),
    ("ffc", "bisect"),
    ("ff", "down"),
    ("leftmost", "domains last"),
)
"""Options of ``labeling/2``, and the order of the goals."""


class Contestant(NamedTuple):
    """An engine with options."""

    kind: str
    command: str
    """The Python that has clingo, or the SWI-Prolog."""
    options: tuple[str, ...]
    ours: bool
    """True if this package asks so. It asks Prolog with `tuples_in/2` mended, which is not here."""

    def request(self, case: Case, seconds: float) -> str:
        """The line that asks for all answers to a case."""
        if isinstance(case, Program):
            chosen = dict.fromkeys(("--opt-mode=optN", *self.options))
            return json.dumps([case.text, [*chosen], seconds])
        goals = list(case.goals)
        if "domains last" in self.options:  # but cumulative/2 wants finite domains
            goals.sort(key=lambda goal: (goal.startswith("cumulative"), goal[1:5] == " in "))
        options = ", ".join(each for each in self.options if " " not in each)
        return f"ask({seconds}, [{options}], {case.variables}-({', '.join(goals)}))."


def contestants(kind: str, commands: Sequence[str], options: Sequence[str]) -> list[Contestant]:
    """All of a kind: the engine of this package and other commands, with several options each.

    Args:
        kind: ``"asp"`` or ``"clpfd"``.
        commands: Pythons with another clingo, or other SWI-Prologs.
        options: In place of the usual ones; options of one contestant are parted by blanks.
    """
    usual = ASP if kind == "asp" else CLPFD
    chosen = [tuple(each.split()) for each in options] or usual
    own = sys.executable if kind == "asp" else str(swipl() or "swipl")
    return [
        Contestant(kind, command, each, kind == "asp" and (command, each) == (own, ASP[0]))
        for command in dict.fromkeys((own, *commands))
        for each in chosen
    ]


class Worker:
    """A process that answers a line with a line."""

    def __init__(self, kind: str, command: str) -> None:
        script = HERE / ("asp_worker.py" if kind == "asp" else "clpfd_worker.pl")
        self._process = subprocess.Popen(
            [command, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        version = self._read(60)
        if version is None or version == "no end":
            raise SystemExit(f"{command} does not run {script.name}")
        self.version = str(version)

    def ask(self, line: str, seconds: float) -> Any:
        """The reply; ``"no end"`` if it is late, and None if the process has ended by itself."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        return self._read(seconds)

    def _read(self, seconds: float) -> Any:
        output = self._process.stdout
        assert output
        if not select.select([output], [], [], seconds)[0]:
            return "no end"
        line = output.readline()
        return json.loads(line) if line.endswith("\n") else None

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Workers:
    """A process for each engine that is asked, started when it is needed."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Worker] = {}

    def _worker(self, contestant: Contestant) -> Worker:
        key = contestant.kind, contestant.command
        if key not in self._open:
            self._open[key] = Worker(*key)
        return self._open[key]

    def name(self, contestant: Contestant) -> str:
        """Such as ``clingo 5.8.3 --eq=0``."""
        engine = "clingo" if contestant.kind == "asp" else "SWI-Prolog"
        return " ".join((engine, self._worker(contestant).version, *contestant.options))

    def ask(self, contestant: Contestant, case: Case, seconds: float) -> Any:
        """The reply of a contestant; a process that is late or has ended is replaced."""
        reply = self._worker(contestant).ask(contestant.request(case, seconds), seconds + GRACE)
        if reply is None or reply == "no end":
            self._open.pop((contestant.kind, contestant.command)).close()
        return reply

    def close(self) -> None:
        for worker in self._open.values():
            worker.close()
        self._open.clear()


def verdict(reply: Any, right: frozenset[tuple[Any, ...]]) -> str:
    """The difference of a reply from the right answers; empty if there is none."""
    if reply is None:
        return "ends by itself"
    if reply == "no end":
        return "no end"
    if isinstance(reply, dict):
        return "an error"
    given = Counter(map(tuple, reply))
    found = {
        "a wrong answer": bool(given.keys() - right),
        "a lost answer": bool(right - given.keys()),
        "an answer twice": max(given.values(), default=0) > 1,
    }
    return ", ".join(name for name, so in found.items() if so)
