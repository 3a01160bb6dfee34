"""Typical wrong programs: an exercise should tell each of them from a right one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import SudokuError
from ..grid import Box, Grid
from ._grading import Grader
from ._instances import Instance, Vocabulary
from ._mistakes import MISTAKES, Mistake, asp, prolog

__all__ = ["Caught", "right_programs", "typical"]


class Caught(NamedTuple):
    """A typical wrong program, and the instances on which it fails."""

    mistake: str
    """What is wrong with it, such as ``columns are forgotten``."""
    language: str
    """``ASP`` or ``Prolog``."""
    instances: tuple[str, ...]
    """None if it passes as a right program."""
    cure: str
    """A kind of puzzle that would tell it from a right program."""

    def __str__(self) -> str:
        where = ", ".join(self.instances) or f"NOT CAUGHT; add {self.cure}"
        return f"{self.mistake} ({self.language}): {where}"


def typical(
    instances: Path, solutions: Path, grader: Grader, first: bool = False
) -> Iterator[Caught]:
    """Yield each typical wrong program with the instances that catch it.

    With `first`, it is run only until an instance catches it. Instances with rules beyond plain
    sudoku take no part.
    """
    found = [each for each in grader.instances(instances, solutions) if _is_plain(each, grader)]
    most = max(map(len, _solutions(found, solutions, grader)), default=0)
    grader = replace(grader, limit=1 + most)
    shapes = {each.name: each.puzzle(grader.vocabulary).box for each in found}
    for mistake in MISTAKES:
        if mistake.applies(set(shapes.values())):
            yield _tried(mistake, found, shapes, solutions, grader, first)


def _is_plain(instance: Instance, grader: Grader) -> bool:
    try:
        puzzle = instance.puzzle(grader.vocabulary)
    except SudokuError:
        return False
    return not getattr(puzzle, "rules", ())


def _solutions(
    instances: list[Instance], folder: Path, grader: Grader
) -> Iterator[frozenset[Grid]]:
    for instance in instances:
        with suppress(SudokuError):
            yield grader.reference(instance, folder).solutions


def _tried(
    mistake: Mistake,
    found: list[Instance],
    shapes: dict[str, Box],
    solutions: Path,
    grader: Grader,
    first: bool,
) -> Caught:
    failed: list[str] = []
    largest = max(shapes.values(), key=lambda box: box[0] * box[1])
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        for box in dict.fromkeys(shapes.values()):
            file = Path(folder) / f"{box[0]}x{box[1]}.{'lp' if mistake.language == 'ASP' else 'pl'}"
            file.write_text(
                _in_words_of(mistake.program(largest if mistake.one_size else box), grader)
            )
            own = [each for each in found if shapes[each.name] == box]
            program = grader.program(file, alone=False)
            for verdict in grader.verdicts(program, own, solutions):
                if not verdict.passed:
                    failed.append(verdict.instance)
                    if first:
                        break
    order = {name: number for number, name in enumerate(shapes)}
    names = tuple(sorted(failed, key=lambda name: order[name]))
    return Caught(mistake.words, mistake.language, names, mistake.cure)


def _in_words_of(text: str, grader: Grader) -> str:
    """Return the program with the atoms or the predicate that the exercise wants."""
    if ":- use_module" in text:
        return re.sub(r"^sudoku\(", f"{grader.predicate}(", text, flags=re.MULTILINE)
    return _renamed(text, grader.vocabulary)


def _renamed(text: str, vocabulary: Vocabulary) -> str:
    names = {"initial": vocabulary.given, "sudoku": vocabulary.solution}
    text = re.sub(r"\b(initial|sudoku)(?=[(/])", lambda match: names[match[1]], text)
    if vocabulary.given == vocabulary.solution:  # then the givens are facts of the solution itself
        text = re.sub(r"^% givens\n.*\n", "", text, flags=re.MULTILINE)
    return text


def right_programs(box: Box, grader: Grader) -> dict[str, str]:
    """Return a right program in each language, by the name of its file."""
    return {
        "sudoku.lp": _in_words_of(asp(box), grader),
        "sudoku.pl": _in_words_of(prolog(box), grader),
    }
