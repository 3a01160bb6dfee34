"""An exercise in a folder: its instances and solutions, its settings, and what goes with it.

`Exercise` makes instances and reference solutions from puzzles. The file ``exercise.toml`` says how
programs are graded, and the points. `write_exercise` adds what students get, and files for
platforms.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .._api import PuzzleLike, at_most
from .._saving import check_target, save
from ..engines import get
from ..errors import InvalidPuzzle
from ..formats import as_grid, as_puzzle
from ..formats._facts import ATOMS
from ..grid import Box, Grid
from ._answers import Reference, solved
from ._grading import Grader
from ._instances import VOCABULARIES, Vocabulary, find_instances, vocabulary_of
from ._process import BOUNDS, Bounds
from ._result import number_text
from ._typical import right_programs
from ._verdict import PARTS, Points, Way

__all__ = ["ATOM_OPTIONS", "LANGUAGES", "PUZZLES", "Exercise", "Settings", "check_new"]
__all__ += ["settings_in", "write_exercise"]

ENGINES = ("clingo", "prolog")
FILE = "exercise.toml"
ATOM_OPTIONS = ("vocabulary", "input_atom", "output_atom")
"""Names under which the file and the command line set the vocabulary."""
_KINDS = {
    "title": "a text",
    "against": "a text",
    "limit": "a whole number",
    "timeout": "a number",
    "total": "a number",
    "memory": "a whole number",
    "predicate": "a text",
    "vocabulary": "a text",
    "input_atom": "a text",
    "output_atom": "a text",
    "constants": "a list of texts",
}
"""What the file may set: no rights of the program, and nothing that belongs to one run."""
_TYPES: dict[str, Any] = {
    "a text": str,
    "a whole number": int,
    "a number": int | float,
    "a list of texts": list,
}
PUZZLES = {
    "one solution": (
        "......8....8.249.6.218...3..6...3..79.......3...6...4...91......8.96.3...35..2.8."
    ),
    "two solutions": (
        "....6..2.386......12...5.3.7....289.8..4.6......3.7.6...4..83......1......95....2"
    ),
    "no solution: two givens of a box clash": (
        "..2.8......3.....9.......7....4..3...........92..7..........63.8.7..............6"
    ),
    "65 solutions": (
        "74..398.....64.739.3927.451123......9.5......864........6.9...349..8....31....9.."
    ),
    "no solution": (
        ".62..95......1....4..26...1.....6.9.6.....71..2....4...4......88.7...95.3.684..27"
    ),
}
"""Puzzles that tell every typical wrong program from a right one, with a remark on each."""
LANGUAGES = {"asp": "sudoku.lp", "prolog": "sudoku.pl"}
_PARTS_OF_IT = (FILE, "README.md", "pack.sh", "gradescope", "coderunner", "reference", "student")
"""What an exercise has beside its instances and solutions."""
TEMPLATES = Path(__file__).with_name("templates")
_PARTS: dict[Way, str] = {
    "wrong": "an answer is wrong",
    "nothing": "there is no answer, but there are solutions",
    "missing": "solutions are missing",
    "symmetric": "these are your answers turned, mirrored or with other digits",
    "timeout": "the time is over",
    "error": "your program cannot run",
}
_REFERENCE = "| `reference/` | right programs, in ASP and in Prolog: keep them to yourself |\n"


class Exercise:
    """A folder with ``instances/*.lp`` and ``solutions/*.json``; `add` adds one of each.

    InvalidPuzzle if the folder already holds an exercise; OSError if it cannot be made.
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
        self._limit = at_most(limit) or 0
        self._timeout = timeout
        words = vocabulary_of(vocabulary) if isinstance(vocabulary, str) else vocabulary
        self._vocabulary = words
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

        Both engines search for `limit` solutions (0 for all). InvalidPuzzle for a puzzle that has
        regions or marks but no rules, Disagreement if the engines differ, FileExistsError if
        another program writes to the same folder. After an OSError neither file exists.
        """
        asked = as_puzzle(puzzle)
        grid = asked if asked.layout.rules else as_grid(asked)
        reference = solved(grid, ENGINES, self._limit, self._timeout)
        number = self._number + 1
        file = self.instances / f"ex{number:03}.lp"
        facts = re.sub(rf"\b{ATOMS[0]}\(", f"{self._vocabulary.given}(", grid.format("facts"))
        remark = "".join(f"% {line}\n" for line in comment.splitlines())
        self._write(
            file,
            f"{remark}{facts}\n",
            self._output(file, reference),
        )
        self._number = number
        return file

    def _write(self, file: Path, instance: str, solutions: str) -> None:
        reference = self.solutions / f"{file.stem}.json"
        try:
            reference.touch(exist_ok=False)
        except FileExistsError as error:
            why = "already exists; another program writes to this folder"
            raise FileExistsError(error.errno, why, str(reference)) from None
        try:
            # The reference first, so that an instance always has its solutions.
            save(reference, solutions)
            save(file, instance)
        except BaseException:
            file.unlink(missing_ok=True)
            reference.unlink(missing_ok=True)
            raise

    def _output(self, file: Path, reference: Reference) -> str:
        """Return the solutions as clingo writes answer sets with ``--outf=2``."""
        solutions = sorted(reference.solutions, key=lambda solution: solution.digits)
        witnesses = [{"Value": self._atoms(solution)} for solution in solutions]
        engines = ", ".join(f"{get(name).engine} {get(name).version()}" for name in ENGINES)
        return json.dumps(
            {
                "Solver": f"pylogic-sudoku {version('pylogic-sudoku')} ({engines})",
                "Input": [file.name],
                "Call": [{"Witnesses": witnesses} if witnesses else {}],
                "Result": "SATISFIABLE" if witnesses else "UNSATISFIABLE",
                "Models": {"Number": len(witnesses), "More": "no" if reference.complete else "yes"},
            },
            indent=1,
        )

    def _atoms(self, solution: Grid) -> list[str]:
        name = self._vocabulary.solution
        return [f"{name}({x},{y},{digit})" for x, y, digit in solution.givens]


# --- how it is graded: exercise.toml ---


@dataclass(frozen=True, slots=True)
class Settings:
    """An exercise in a folder."""

    instances: Path
    solutions: Path | None
    """None if engines solve the instances."""
    title: str
    options: dict[str, Any]
    """Fields of `Grader`."""
    points: Points
    bounds: Bounds


def settings_in(folder: Path) -> Settings | None:
    """Return the settings of the exercise in a folder; None if it has no ``exercise.toml``.

    InvalidPuzzle, which names the file, for a file that cannot be used.
    """
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        return _settings(folder, read)
    except (OSError, ValueError) as error:
        raise InvalidPuzzle(f"{file}: {error}") from None


def _settings(folder: Path, read: dict[str, Any]) -> Settings:
    points = _points(read.pop("points", {}), read.pop("instances", {}))
    bounds = Bounds(**_known_in(read.pop("bounds", {}), "bounds", BOUNDS))
    for name, value in read.items():
        if name not in _KINDS:
            known = ", ".join([*_KINDS, "points", "instances", "bounds"])
            raise ValueError(f"{name!r} is not known; the names are {known}")
        right = isinstance(value, _TYPES[_KINDS[name]]) and not isinstance(value, bool)
        if not right or (name == "constants" and not all(isinstance(each, str) for each in value)):
            raise ValueError(f"{name} = {value!r}: expected {_KINDS[name]}")
    title = read.pop("title", folder.resolve().name)
    atoms = {name: read.pop(name) for name in ATOM_OPTIONS if name in read}
    if atoms:
        names = (atoms.get(name) for name in ("input_atom", "output_atom"))
        read["vocabulary"] = vocabulary_of(atoms.get("vocabulary", "initial"), *names)
    Grader(**read)  # ValueError for values that no grader takes
    solutions = folder / "solutions"
    return Settings(
        folder / "instances",
        solutions if solutions.is_dir() and "against" not in read else None,
        title,
        read,
        points,
        bounds,
    )


def _points(table: Any, instances: Any) -> Points:
    _known_in(table, "points", ("instance", *PARTS))
    worth, hidden = {}, []
    for name, about in _table(instances, "instances").items():
        for key in _table(about, f"instances.{name}"):
            if key not in ("points", "hidden"):
                raise ValueError(f"instances.{name}: expected points or hidden, not {key!r}")
        if "points" in about:
            worth[name] = about["points"]
        if about.get("hidden", False) is True:
            hidden.append(name)
        elif about.get("hidden", False) is not False:
            raise ValueError(f"instances.{name}: hidden is true or false")
    return Points(**table, instances=worth, hidden=frozenset(hidden))


def _known_in(table: Any, name: str, known: Sequence[str]) -> dict[str, Any]:
    for key in _table(table, name):
        if key not in known:
            raise ValueError(f"{name}: {key!r} is not known; the names are {', '.join(known)}")
    return dict(table)


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} should be a table, [{name}]")
    return value


# --- what goes with it ---


def check_new(folder: Path) -> None:
    """InvalidPuzzle if the folder holds files that a new exercise would replace.

    OSError if it is there but nothing can be written to it.
    """
    for name in _PARTS_OF_IT:
        if os.path.lexists(folder / name):
            raise InvalidPuzzle(f"{folder} already holds {name}; give a new folder")
    if folder.exists():
        check_target(folder / FILE)


def write_exercise(made: Exercise, grader: Grader, language: str = "asp") -> list[Path]:
    """Write all files around the instances and solutions, and return them.

    Of three instances or more, the last two of each five are hidden. There is no reference program
    if puzzles have rules beyond plain sudoku.
    """
    folder = made.instances.parent
    found = list(find_instances(made.instances, grader.vocabulary))
    names = [each.name for each in found]
    hidden = names[len(names) - len(names) * 2 // 5 :] if len(names) > 2 else []
    puzzles = [each.puzzle(grader.vocabulary) for each in found]
    boxes = [puzzle.box for puzzle in puzzles]
    words = _words(folder, grader, language, boxes)
    plain = not any(puzzle.layout.rules for puzzle in puzzles)
    reference = _REFERENCE if plain else ""
    tables = "\n".join(f"[instances.{name}]\nhidden = true\n" for name in hidden)
    written = [
        _write(folder / FILE, _filled("exercise.toml", words, instances=tables)),
        _write(folder / "README.md", _filled("README.md", words, reference=reference)),
        _write(folder / "pack.sh", _filled("pack.sh", words)),
        _write(folder / "gradescope" / "setup.sh", _filled("setup.sh", words)),
        _write(folder / "gradescope" / "run_autograder", _filled("run_autograder", words)),
        _write(folder / "coderunner" / "template.py", _filled("coderunner.py.txt", words)),
    ]
    largest = max(boxes, key=lambda box: box[0] * box[1])
    for name, text in (right_programs(largest, grader) if plain else {}).items():
        written.append(_write(folder / "reference" / name, text))
    return written + _for_students(folder, words, names, hidden, language)


def _for_students(
    folder: Path, words: dict[str, str], names: Sequence[str], hidden: Sequence[str], language: str
) -> list[Path]:
    student = folder / "student"
    settings = settings_in(folder)
    points = settings.points if settings else Points()
    interface = _filled(f"{language}.md", words).strip()
    visible = [name for name in names if name not in hidden]
    counted = f"; {len(hidden)} more are hidden" if hidden else ""
    about = {"interface": interface, "visible": str(len(visible)), "hidden": counted}
    text = _filled("student.md", words, **about, points=_points_table(points))
    program = LANGUAGES[language]
    workflow = student / ".github" / "workflows" / "check.yml"
    written = [
        _write(student / "README.md", text),
        _write(student / program, _filled(f"start.{program[-2:]}", words)),
        _write(workflow, _filled("workflow.yml", words)),
        _write(student / "exercise" / FILE, _filled("exercise.toml", words, instances="")),
    ]
    for name in visible:
        copy = student / "exercise" / "instances" / f"{name}.lp"
        text = (folder / "instances" / copy.name).read_text(encoding="utf-8")
        written.append(_write(copy, text))
    return written


def _words(folder: Path, grader: Grader, language: str, boxes: Sequence[Box]) -> dict[str, str]:
    """Return what goes into the templates."""
    given, solution = grader.vocabulary
    chosen = ""
    if grader.vocabulary != VOCABULARIES["initial"]:
        chosen = f'input_atom = "{given}"\noutput_atom = "{solution}"\n'
    if grader.predicate != "sudoku":
        chosen += f'predicate = "{grader.predicate}"\n'
    number = len(boxes)
    install = "sudo apt-get update && sudo apt-get install -y swi-prolog-nox"
    return {
        "title": _title(folder),
        "timeout": number_text(grader.timeout),
        "total": number_text(grader.total or number * grader.timeout),
        "memory": str(grader.memory),
        "vocabulary": chosen,
        "given": given,
        "solution": solution,
        "predicate": grader.predicate,
        "language": {"asp": "ASP (clingo)", "prolog": "Prolog (SWI-Prolog)"}[language],
        "program": LANGUAGES[language],
        "size": str(max(rows * columns for rows, columns in boxes)),
        "swipl": f"      - name: Install SWI-Prolog\n        run: {install}\n"
        if language == "prolog"
        else "",
    }


def _title(folder: Path) -> str:
    """Return the name of the folder as a title: letters, digits and spaces."""
    name = "".join(c if c.isalnum() else " " for c in folder.resolve().name)
    return " ".join(name.split()).capitalize() or "Sudoku"


def _points_table(points: Points) -> str:
    full = points.instance
    rows = [("every solution and nothing else", full)]
    rows += [(words, full * getattr(points, name)) for name, words in _PARTS.items()]
    return "\n".join(f"| {words} | {number_text(number)} |" for words, number in rows)


def _filled(name: str, words: dict[str, str], **more: str) -> str:
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for key, value in {**words, **more}.items():
        text = text.replace(f"@{key}@", value)
    return text


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, text)
    if text.startswith("#!"):
        path.chmod(0o755)
    return path
