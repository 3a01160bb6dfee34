"""The programs that run on a puzzle, and changed ones in the grader's processes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from .. import _api as api
from .. import _programs
from .._resources import resource
from ..check._answers import Reference
from ..check._instances import VOCABULARIES, Instance
from ..check._process import Limits
from ..check._programs import AspProgram, Program, PrologProgram
from ..check._verdict import Verdict, is_wrong, judge
from ..errors import InvalidPuzzle, SolveTimeout, counted
from ..formats import as_puzzle, write
from ..grid import Grid
from ..puzzle import Puzzle
from ._bounds import ANSWERS, MEMORY

__all__ = ["programs", "run"]

MAIN = {"clingo": "main.lp", "prolog": "main.pl"}
_PLACE = re.compile(r"(?:^|[\s:])([\w/]+\.(?:lp|pl)):(\d+)(?::(\d+))?")


def programs(puzzle: Puzzle) -> dict[str, Any]:
    """Each program: its files, the puzzle as it gets it, and a command for a terminal."""
    return {
        "programs": [
            {
                "engine": program.engine,
                "files": [{"name": name, "text": text} for name, text in program.files.items()],
                "puzzle": program.puzzle,
                "command": program.command,
            }
            for program in _programs.programs(as_puzzle(puzzle))
        ]
    }


def run(
    puzzle: Puzzle, engine: str, changed: Mapping[str, str], place: str, timeout: float
) -> dict[str, Any]:
    """What a program with these changed files answers, compared with the solutions of clingo.

    It runs like a program that is graded: in a process of its own, with limits on time and memory.
    """
    start = perf_counter()
    question = as_puzzle(puzzle)
    reference = _reference(question, timeout / 2)
    with TemporaryDirectory(dir=place) as name:
        folder = Path(name).resolve()
        program = _written(question, engine, changed, folder)
        program.check()
        instance = Instance("puzzle", folder / "puzzle.lp", write(question, "facts"), question)
        limits = Limits(max(0.01, timeout - (perf_counter() - start)), MEMORY, place)
        most = ANSWERS + (reference.complete and len(reference.solutions) == ANSWERS)
        wrong = partial(is_wrong, reference=reference)
        ran = program.run(instance, question, most, limits, wrong)
    verdict = judge("puzzle", ran, reference)
    message = verdict.message.replace(f"{folder}/", "")  # the files as the page names them
    late = ran.stopped is not None and ran.seconds >= limits.seconds
    return {
        "outcome": verdict.outcome,
        "text": _summary(verdict, reference),
        "message": message,
        "answers": verdict.answers,
        "missing": verdict.missing,
        "wrong": verdict.extra,
        "duplicates": max(0, ran.found - verdict.answers),
        "grids": [answer.grid.to_json() for answer in ran.answers],
        "missing_grid": verdict.missing_grid and verdict.missing_grid.to_json(),
        "wrong_grid": verdict.extra_grid and verdict.extra_grid.to_json(),
        "places": _places(message),
        "seconds": ran.seconds,
        # Lanes try again, with more time, what stopped for lack of it.
        "stopped": "time" if late or not reference.source else None,
    }


def _reference(puzzle: Grid | Puzzle, timeout: float) -> Reference:
    """The solutions that clingo finds; its source is empty if its time ran out."""
    found: list[Grid] = []
    source = "clingo"
    try:
        for solution in api.solutions(puzzle, "clingo", ANSWERS + 1, timeout):
            found.append(solution)
    except SolveTimeout:
        source = ""
    complete = bool(source) and len(found) <= ANSWERS
    return Reference(puzzle, frozenset(found[:ANSWERS]), complete, source)


def _written(
    puzzle: Grid | Puzzle, engine: str, changed: Mapping[str, str], folder: Path
) -> Program:
    """The program in this folder: our files with those that are changed, and a main file."""
    files = _files(puzzle, engine)
    if strange := sorted(changed.keys() - files.keys()):
        raise InvalidPuzzle(f"there is no file {strange[0]}; expected {', '.join(files)}")
    words = VOCABULARIES["initial"]
    if engine == "clingo":
        sections = [name for name in files if name == "sudoku.lp" or name.startswith("rules/")]
        main = "".join(f'#include "{name}".\n' for name in sections)
        program: Program = AspProgram(folder / MAIN[engine], words)
    else:
        shutil.copytree(resource("prolog"), folder, dirs_exist_ok=True)
        main = f":- use_module(sudoku).\n\n{_programs.prolog_goal(puzzle)}"
        program = PrologProgram(folder / MAIN[engine], words, "solution")
    for name, text in {**files, **changed, MAIN[engine]: main}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return program


def _files(puzzle: Grid | Puzzle, engine: str) -> dict[str, str]:
    if engine == "clingo":
        return _programs.asp_files(puzzle.layout)
    if engine == "prolog":
        return _programs.prolog_files(puzzle.layout)
    raise InvalidPuzzle(f"{engine} has no program to change; choose clingo or prolog")


def _places(message: str) -> list[dict[str, Any]]:
    """The lines that the message is about, each once."""
    found = {(name, int(line)): None for name, line, _ in _PLACE.findall(message)}
    return [{"file": name, "line": line} for name, line in found if name not in MAIN.values()]


def _summary(verdict: Verdict, reference: Reference) -> str:
    """The verdict in sentences."""
    if verdict.outcome == "error":
        return "The program does not run to its end."
    if verdict.outcome == "timeout":
        found = counted(verdict.answers, "answer") if verdict.answers else "no answer"
        return f"Its time ran out; it gave {found} until then."
    parts = []
    if verdict.extra:
        broken = f": {verdict.rule}" if verdict.rule else ""
        are = "is not a solution" if verdict.extra == 1 else "are not solutions"
        parts.append(f"{counted(verdict.extra, 'answer')} {are}{broken}.")
    if verdict.missing:
        are = "is" if verdict.missing == 1 else "are"
        number = counted(verdict.missing, "solution")
        parts.append(f"{number} that clingo finds {are} missing.")
    return " ".join(parts) or _right(verdict, reference)


def _right(verdict: Verdict, reference: Reference) -> str:
    number = verdict.answers
    if not (verdict.exhausted and reference.complete):
        return f"No mistake in {counted(number, 'answer')}; the comparison ends there."
    if not number:
        return "It agrees with clingo: there is no solution."
    if number == 1:
        return "It agrees with clingo: both find the only solution."
    return f"It agrees with clingo: both find the same {number} solutions."
