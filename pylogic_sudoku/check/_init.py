"""A whole exercise in a folder: instances, what students get, and files for platforms."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .._saving import check_target, save
from ..errors import InvalidPuzzle
from ..grid import Box
from ._exercise import Exercise
from ._grading import Grader
from ._instances import VOCABULARIES, find_instances
from ._points import Points
from ._result import number_text
from ._settings import FILE, settings_in
from ._typical import right_programs

__all__ = ["LANGUAGES", "PUZZLES", "check_new", "write_exercise"]

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
_PARTS = {
    "wrong": "an answer is wrong",
    "nothing": "there is no answer, but there are solutions",
    "missing": "solutions are missing",
    "symmetric": "these are your answers turned, mirrored or with other digits",
    "timeout": "the time is over",
    "error": "your program cannot run",
}
_REFERENCE = "| `reference/` | right programs, in ASP and in Prolog: keep them to yourself |\n"


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
