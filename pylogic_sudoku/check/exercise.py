"""An exercise on sudoku: its instances, its solutions, and the files for students.

`Exercise` makes instances and reference solutions from puzzles. `write_exercise` adds the files for
students and for platforms.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..engines.sudoku import get
from ..errors import InvalidPuzzle, LogicError
from ..files import check_target, save
from ..formats import PuzzleLike, as_grid, as_puzzle
from ..problem.written import recorded
from ..puzzle.cells import Box
from ..questions import checked_limit
from .cases import Case, Vocabulary, vocabulary_of
from .folder import FILE, LANGUAGES, fill, more_hidden, templates, write_all
from .grading import Grader, Known
from .puzzles import facts_of, find_instances, puzzle_of
from .reports import TEMPLATES
from .sudoku import Solutions, solve_reference

ENGINES = ("clingo", "prolog")
_PROGRAMS = tomllib.loads((TEMPLATES / "mistakes.toml").read_text(encoding="utf-8"))
"""Puzzles, right programs in parts, and how wrong ones differ."""
PUZZLES: dict[str, str] = _PROGRAMS["puzzles"]
"""Puzzles that distinguish every typical wrong program from a right one, by a remark on each."""


class Exercise:
    """A folder with ``instances/*.lp`` and ``solutions/*.json``; `add` adds one of each.

    Args:
        folder: The folder, which is made if it is not there.
        limit: The most solutions of an instance that engines search for; 0 for all.
        timeout: In seconds, over 0, for each instance; None means no limit.
        vocabulary: The atoms of the instances, as for `Grader`.

    Raises:
        InvalidPuzzle: If the folder already holds an exercise.
        OSError: If it cannot be made.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        limit: int = 925,
        timeout: float | None = None,
        vocabulary: str | Vocabulary = "initial",
    ) -> None:
        self.instances = Path(folder) / "instances"
        self.solutions = Path(folder) / "solutions"
        self._limit = checked_limit(limit) or 0
        self._timeout = timeout
        self._vocabulary = vocabulary_of(vocabulary)
        self._number = 0
        for place, ending in ((self.instances, "lp"), (self.solutions, "json")):
            if any(place.glob(f"*.{ending}")):
                raise InvalidPuzzle(f"{place} already holds *.{ending} files; give a new folder")
        for place in (self.instances, self.solutions):
            place.mkdir(parents=True, exist_ok=True)
        check_target(self.instances / "ex000.lp")
        check_target(self.solutions / "ex000.json")

    def add(self, puzzle: PuzzleLike, comment: str = "") -> Path:
        """Write one instance and its solutions, and return the file of the instance.

        Both engines search for `limit` solutions (0 for all). After an OSError neither file exists.

        Args:
            puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
            comment: A text for the beginning of the file of the instance.

        Raises:
            InvalidPuzzle: If the puzzle has regions or marks but no rules.
            Disagreement: If the engines differ.
            OSError: If a file cannot be written.
        """
        question = as_puzzle(puzzle)
        grid = question if question.layout.rules else as_grid(question)
        right = solve_reference(grid, ENGINES, self._limit, self._timeout)
        number = self._number + 1
        file = self.instances / f"ex{number:03}.lp"
        reference = self.solutions / f"ex{number:03}.json"
        remark = "".join(f"% {line}\n" for line in comment.splitlines())
        # The reference first, so that an instance always has its solutions.
        save(reference, self._output(file, right))
        try:
            save(file, f"{remark}{facts_of(grid, self._vocabulary)}\n")
        except BaseException:
            reference.unlink()
            raise
        self._number = number
        return file

    def _output(self, file: Path, reference: Solutions) -> str:
        solutions = sorted(reference.solutions, key=lambda solution: solution.digits)
        name = self._vocabulary.solution
        witnesses = [
            {"Value": [f"{name}({x},{y},{digit})" for x, y, digit in solution.givens]}
            for solution in solutions
        ]
        engines = [f"{get(name).engine} {get(name).version()}" for name in ENGINES]
        return recorded(file.name, witnesses, reference.complete, engines)


# --- its other files: those filled in from templates, and programs ---


def write_exercise(exercise: Exercise, grader: Grader, language: str = "asp") -> list[Path]:
    """Write all files around the instances and solutions, and return them.

    Of three instances or more, the last two fifths are hidden. There is no reference program
    if puzzles have rules beyond plain sudoku.
    """
    folder = exercise.instances.parent
    instances = {each.name: each for each in find_instances(exercise.instances, grader.vocabulary)}
    names = list(instances)
    hidden = names[len(names) - len(names) * 2 // 5 :] if len(names) > 2 else []
    puzzles = [puzzle_of(each, grader.vocabulary) for each in instances.values()]
    largest = max((puzzle.box for puzzle in puzzles), key=prod)
    plain = not any(puzzle.layout.rules for puzzle in puzzles)
    reference = "| `reference/` | right programs, in ASP and in Prolog: keep them to yourself |\n"
    about = _PROGRAMS[LANGUAGES[language]]
    words = _words_of(largest, grader) | {
        "title": _title(folder),
        "contents": "| `instances/`, `solutions/` | the puzzles, and all their solutions |\n",
        "instances": "instances",
        "todo": "",
        "packed": "exercise.toml instances solutions",
        "timeout": f"{grader.timeout:g}",
        "total": f"{grader.total or len(names) * grader.timeout:g}",
        "memory": str(grader.memory),
        "settings": _settings_of(grader),
        "language": about["title"],
        "program": about["file"],
        "ending": Path(about["file"]).suffix,
        "swipl": about["install"],
        "reference": reference if plain else "",
        "hide": json.dumps(hidden),
        "visible": str(len(names) - len(hidden)),
        "hidden": more_hidden(len(hidden)),
    }
    words["interface"] = fill(about["interface"], words)
    parts = templates(about["file"])
    texts = {name: fill(part, words) for name, part in parts.items()}
    texts[f"student/exercise/{FILE}"] = fill(parts[FILE], words | {"hide": "[]"})
    for name in names[: len(names) - len(hidden)]:
        texts[f"student/exercise/instances/{name}.lp"] = instances[name].text
    for each in LANGUAGES.values() if plain else ():
        texts[f"reference/{_PROGRAMS[each]['file']}"] = program_text(each, largest, grader)
    return write_all(folder, texts)


def _words_of(box: Box, grader: Grader) -> dict[str, str]:
    """Return the words to fill in programs for boxes of this shape."""
    high, wide = box
    given, solution = grader.vocabulary
    names = {"given": given, "solution": solution, "predicate": grader.predicate}
    return {"high": str(high), "wide": str(wide), "size": str(high * wide), **names}


def _settings_of(grader: Grader) -> str:
    """Return the lines of ``exercise.toml`` for the names that are not the usual ones."""
    usual, lines = Grader(), ""
    if grader.vocabulary != usual.vocabulary:
        lines += f'vocabulary = "{",".join(grader.vocabulary)}"\n'
    if grader.predicate != usual.predicate:
        lines += f'predicate = "{grader.predicate}"\n'
    return lines


def _title(folder: Path) -> str:
    """Return the name of the folder as a title: letters, digits and spaces."""
    name = "".join(c if c.isalnum() else " " for c in folder.resolve().name)
    return " ".join(name.split()).capitalize() or "Sudoku"


# --- programs, right and typically wrong: an exercise should distinguish these ------------


def program_text(language: str, box: Box, grader: Grader, **changes: str) -> str:
    """Return a program in ``ASP`` or ``Prolog``, right unless parts of it are changed.

    An empty part is left out.
    """
    parts = {**_PROGRAMS[language]["parts"], **changes}
    if grader.vocabulary.given == grader.vocabulary.solution:
        parts["givens"] = ""  # they are facts of the solution itself
    body = "\n".join(filter(None, parts.values()))
    return fill(_PROGRAMS[language]["text"], {"body": body, **_words_of(box, grader)})


class Mistake(NamedTuple):
    """A typical wrong program; ``mistakes.toml`` has them all and explains each field."""

    words: str
    language: str
    changes: dict[str, str]
    """The parts that differ from a right program; empty if it lacks one."""
    fix: str
    least: tuple[int, int] = (1, 1)

    def __str__(self) -> str:
        return f"{self.words} ({self.language})"

    def wrong(self, box: Box) -> bool:
        """True for a box shape with which it is a mistake."""
        return all(side >= least for side, least in zip(box, self.least, strict=True))


MISTAKES = tuple(Mistake(**each) for each in _PROGRAMS["mistakes"])


def uncaught(instances: Path, solutions: Path, grader: Grader) -> Iterator[Mistake]:
    """Yield the typical wrong programs that pass every instance of plain sudoku."""
    by_shape: dict[Box, list[Case]] = {}
    known: Known = {}
    most = 0
    for instance in grader.instances(instances, solutions):
        with suppress(LogicError):
            right = known[instance.name] = grader.reference(instance, solutions)
            if not right.question.layout.rules:
                by_shape.setdefault(right.question.box, []).append(instance)
                most = max(most, len(right.solutions))
    grader = replace(grader, limit=1 + most)
    for mistake in MISTAKES:
        if any(map(mistake.wrong, by_shape)) and not _is_caught(mistake, by_shape, known, grader):
            yield mistake


def _is_caught(
    mistake: Mistake, by_shape: dict[Box, list[Case]], known: Known, grader: Grader
) -> bool:
    """True if the wrong program fails on an instance."""
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        for box, own in by_shape.items():
            path = Path(folder, _PROGRAMS[mistake.language]["file"])
            path.write_text(program_text(mistake.language, box, grader, **mistake.changes))
            submission = grader.program(path, alone=False)
            with closing(grader.verdicts(submission, own, None, known)) as verdicts:
                if not all(verdict.passed for verdict in verdicts):
                    return True
    return False
