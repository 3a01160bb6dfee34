"""Engines that are not to be trusted."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pylogic_sudoku as pls
from helpers.command_line import environment
from helpers.oracle import all_solutions


def installed(folder: Path, name: str, code: str) -> dict[str, str]:
    """The environment in which an engine is there, as another package would bring it.

    The engine is the class in this code with the name in capitals.
    """
    about = folder / "an_engine-1.0.dist-info"
    about.mkdir()
    (folder / "an_engine.py").write_text(textwrap.dedent(code))
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: an-engine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        f"[pylogic_sudoku.backends]\n{name} = an_engine:{name.capitalize()}\n"
    )
    return environment(folder)


def without_prolog(folder: Path) -> dict[str, str]:
    """The environment in which janus is there, but cannot start Prolog."""
    (folder / "janus_swi").mkdir()
    (folder / "janus_swi" / "__init__.py").touch()
    return environment(folder)


class Liar(pls.SudokuEngine):
    """Says what it is told to."""

    name = "liar"
    engine = "liar"

    def __init__(self, answers: list[str]) -> None:
        self.answers = [pls.Grid.parse(answer) for answer in answers]

    def version(self) -> str:
        return "1"

    def solutions(self, puzzle, timeout=None):
        for answer in self.answers:
            if puzzle.digits.count(0) or puzzle == answer:
                yield answer


class Slow(Liar):
    """Finds no time for a search: some grids perhaps, and then its time is over.

    It confirms a full grid if that is one of `accepted`; with ``stuck``, not even that in time.
    """

    name = "slow"
    engine = "slow"
    knows = frozenset({"regions", "marks", "rules"})

    def __init__(self, accepted: list[str], finds: int = 0, stuck: bool = False) -> None:
        super().__init__(accepted)
        self.finds = finds
        self.stuck = stuck

    def solutions(self, puzzle, timeout=None):
        if self.stuck or puzzle.digits.count(0):
            yield from self.answers[: self.finds]
            raise pls.SolveTimeout(self.name, timeout)
        yield from (answer for answer in self.answers if answer.digits == puzzle.digits)


class Planted(pls.SudokuEngine):
    """Right but for what `wrong` makes of its solutions, given the puzzle and all of them."""

    engine = "planted"
    knows = frozenset({"regions", "marks"})

    def __init__(self, wrong, name: str = "planted") -> None:
        self.name = name
        self._wrong = wrong

    def version(self) -> str:
        return "1"

    def solutions(self, puzzle, timeout=None):
        yield from self._wrong(puzzle, all_solutions(puzzle))
