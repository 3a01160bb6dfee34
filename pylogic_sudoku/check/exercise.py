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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, get_type_hints

from ..engines import get
from ..engines.process import BOUNDS, Bounds
from ..errors import InvalidPuzzle, SudokuError
from ..files import check_target, save
from ..formats import PuzzleLike, as_grid, as_puzzle
from ..formats.facts import ATOMS
from ..puzzle import Grid
from ..puzzle.cells import Box
from ..questions import checked_limit
from .grading import Grader
from .instances import (
    VOCABULARIES,
    Instance,
    Vocabulary,
    find_instances,
    vocabulary_of,
)
from .reports import TEMPLATES, number_text
from .verdict import PARTS, WAYS, Points, Reference, solve_reference

ENGINES = ("clingo", "prolog")
FILE = "exercise.toml"
ATOM_OPTIONS = ("vocabulary", "input_atom", "output_atom")
"""Names under which the file and the command line set the vocabulary."""
_KINDS: dict[object, tuple[str, Any]] = {
    str: ("a text", str),
    int: ("a whole number", int),
    float: ("a number", int | float),
    float | None: ("a number", int | float),
    Sequence[str]: ("a list of texts", list),
}
"""What the file has for a setting of this type."""
_OF_ONE_RUN = ("deadline", "allow_scripts", "bounds", "hidden", "format", "box")
"""Settings of `Grader` that the file may not set: the rights of a program, and what belongs to one
run. The bounds and the instances have tables of their own."""
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
_FILES = {
    FILE: FILE,
    "README.md": "README.md",
    "pack.sh": "pack.sh",
    "gradescope/setup.sh": "setup.sh",
    "gradescope/run_autograder": "run_autograder",
    "coderunner/template.py": "coderunner.py.txt",
}
"""The files around the instances and solutions, and the template of each."""
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
        self._limit = checked_limit(limit) or 0
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
        reference = solve_reference(grid, ENGINES, self._limit, self._timeout)
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
        name = self._vocabulary.solution
        witnesses = [
            {"Value": [f"{name}({x},{y},{digit})" for x, y, digit in solution.givens]}
            for solution in solutions
        ]
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
    known = _settable()
    for name, value in read.items():
        if name not in known:
            names = ", ".join([*known, "points", "instances", "bounds"])
            raise ValueError(f"{name!r} is not known; the names are {names}")
        words, kind = known[name]
        right = isinstance(value, kind) and not isinstance(value, bool)
        if not right or (kind is list and not all(isinstance(each, str) for each in value)):
            raise ValueError(f"{name} = {value!r}: expected {words}")
    title = read.pop("title", folder.resolve().name)
    atoms = {name: read.pop(name) for name in ATOM_OPTIONS if name in read}
    if atoms:
        vocabulary, given, solution = map(atoms.get, ATOM_OPTIONS)
        read["vocabulary"] = vocabulary_of(vocabulary or "initial", given, solution)
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


def _settable() -> dict[str, tuple[str, Any]]:
    """Return what the file may set: a title, names of atoms, and fields of `Grader`."""
    types = {"title": str, **get_type_hints(Grader)}
    types |= dict.fromkeys(ATOM_OPTIONS, str)
    return {name: _KINDS[kind] for name, kind in types.items() if name not in _OF_ONE_RUN}


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
    words["reference"] = _REFERENCE if plain else ""
    words["instances"] = "\n".join(f"[instances.{name}]\nhidden = true\n" for name in hidden)
    texts = {name: _fill(template, words) for name, template in _FILES.items()}
    if plain:
        largest = max(boxes, key=lambda box: box[0] * box[1])
        programs = right_programs(largest, grader)
        texts |= {f"reference/{name}": text for name, text in programs.items()}
    written = _write(folder, texts)
    visible = [name for name in names if name not in hidden]
    return written + _write_for_students(folder, words, visible, len(hidden), language)


def _write_for_students(
    folder: Path, words: dict[str, str], visible: Sequence[str], hidden: int, language: str
) -> list[Path]:
    settings = settings_in(folder)
    words = words | {
        "instances": "",
        "interface": _fill(f"{language}.md", words).strip(),
        "visible": str(len(visible)),
        "hidden": f"; {hidden} more are hidden" if hidden else "",
        "points": _points_table(settings.points if settings else Points()),
    }
    program = LANGUAGES[language]
    templates = {
        "README.md": "student.md",
        program: f"start.{program[-2:]}",
        ".github/workflows/check.yml": "workflow.yml",
        f"exercise/{FILE}": FILE,
    }
    texts = {name: _fill(template, words) for name, template in templates.items()}
    for name in visible:
        text = (folder / "instances" / f"{name}.lp").read_text(encoding="utf-8")
        texts[f"exercise/instances/{name}.lp"] = text
    return _write(folder / "student", texts)


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
    rows += [(WAYS[way], full * getattr(points, way)) for way in PARTS]
    return "\n".join(f"| {words} | {number_text(number)} |" for words, number in rows)


def _fill(name: str, words: dict[str, str]) -> str:
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text


def _write(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Write files, each with its name in the folder; scripts can be run."""
    paths = [folder / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, text)
        if text.startswith("#!"):
            path.chmod(0o755)
    return paths


# --- typical wrong programs: an exercise should tell each from a right one ----------------

_PROGRAMS = tomllib.loads((TEMPLATES / "mistakes.toml").read_text(encoding="utf-8"))
"""Right programs in parts, and how wrong ones differ."""


def asp(box: Box, **changes: str) -> str:
    """Return a program for clingo; an empty part is left out."""
    rows, columns = box
    parts = {**_PROGRAMS["ASP"], **changes}
    text = "\n".join(
        f"% {_PROGRAMS['titles'][name]}\n{part}" for name, part in parts.items() if part
    )
    head = f"#const high={rows}. #const wide={columns}.\ndigit(1..high*wide).\n"
    return f"{head}\n{text}\n\n#show sudoku/3.\n"


def prolog(box: Box, **changes: str) -> str:
    """Return a program for SWI-Prolog; an empty part is left out."""
    rows, columns = box
    body = "\n".join(part for part in {**_PROGRAMS["Prolog"], **changes}.values() if part)
    body = body.format(size=rows * columns, high=rows)
    return str(_PROGRAMS["prolog"]).format(body=body, high=rows, wide=columns)


class Mistake(NamedTuple):
    """A typical wrong program; ``mistakes.toml`` has them all and says more of each field."""

    words: str
    language: str
    changes: dict[str, str]
    """The parts that differ from a right program; empty if it lacks one."""
    fix: str
    least: tuple[int, int] = (1, 1)
    oblong: bool = False
    one_size: bool = False

    def program(self, box: Box) -> str:
        """Return the program for boxes of this shape."""
        return (asp if self.language == "ASP" else prolog)(box, **self.changes)

    def wrong(self, box: Box) -> bool:
        """True for a box shape with which it is a mistake."""
        (rows, columns), (least_rows, least_columns) = box, self.least
        return (
            rows >= least_rows and columns >= least_columns and (not self.oblong or rows != columns)
        )

    def applies(self, shapes: set[Box]) -> bool:
        """True if it is a mistake in an exercise with boxes of these shapes."""
        return any(map(self.wrong, shapes)) and not (self.one_size and len(shapes) < 2)


MISTAKES = tuple(Mistake(**each) for each in _PROGRAMS["mistakes"])


class Caught(NamedTuple):
    """A typical wrong program, and the instances on which it fails."""

    mistake: str
    """What is wrong with it, such as ``columns are forgotten``."""
    language: str
    """``ASP`` or ``Prolog``."""
    instances: tuple[str, ...]
    """None if it passes as a right program."""
    fix: str
    """A kind of puzzle that would tell it from a right program."""

    def __str__(self) -> str:
        where = ", ".join(self.instances) or f"NOT CAUGHT; add {self.fix}"
        return f"{self.mistake} ({self.language}): {where}"


def try_mistakes(
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
            yield _try(mistake, found, shapes, solutions, grader, first)


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


def _try(
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
    return Caught(mistake.words, mistake.language, names, mistake.fix)


def _in_words_of(text: str, grader: Grader) -> str:
    """Return the program with the atoms or the predicate that the exercise wants."""
    if ":- use_module" in text:
        return re.sub(r"^sudoku\(", f"{grader.predicate}(", text, flags=re.MULTILINE)
    given, solution = grader.vocabulary
    names = {"initial": given, "sudoku": solution}
    text = re.sub(r"\b(initial|sudoku)(?=[(/])", lambda match: names[match[1]], text)
    if given == solution:  # then the givens are facts of the solution itself
        text = re.sub(r"^% givens\n.*\n", "", text, flags=re.MULTILINE)
    return text


def right_programs(box: Box, grader: Grader) -> dict[str, str]:
    """Return a right program in each language, by the name of its file."""
    return {
        "sudoku.lp": _in_words_of(asp(box), grader),
        "sudoku.pl": _in_words_of(prolog(box), grader),
    }
