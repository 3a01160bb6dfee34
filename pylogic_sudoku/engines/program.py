"""Programs that state sudoku, by name, with the descriptions in their first lines.

The main program of an engine has the engine's name. Others are called ``"prolog:classic"`` or
``"clingo:pairwise"``; ``"prolog:my.pl"`` or ``"clingo:my.lp"`` is a file of your own. All that is
known about a program is in its first lines, ``% Label: text``, and nowhere else.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BackendUnavailable, InvalidProblem
from ..files import resource
from .registry import BUILT_IN

if TYPE_CHECKING:
    from pathlib import Path

_RUN_BY = {name: each for name, each in BUILT_IN.items() if each.program}
"""The engines that run programs by name."""
_LABEL = re.compile(r"% ([A-Z]\w+):\s+(.*)")
_KINDS_OF_RULES = frozenset({"regions", "marks", "rules"})


class Program(NamedTuple):
    """A file that states sudoku for an engine, with the description in its first lines."""

    name: str
    """The name of the backend that runs it, such as ``"prolog:classic"``."""
    path: Path
    title: str
    paradigm: str
    """Such as ``"constraint logic programming"``; empty if the file does not say."""
    shapes: str
    """The grids that it takes: ``"9x9"``, ``"square boxes"``, or ``"boxes of any size"``."""
    knows: frozenset[str]
    """Its features beyond boxes: ``"regions"``, ``"marks"`` and ``"rules"``."""
    teaches: str
    costs: str

    @property
    def engine(self) -> str:
        """The name of the engine that runs it."""
        return self.name.partition(":")[0]

    @property
    def is_ours(self) -> bool:
        """True for a program that comes with the package."""
        return _of(self.engine).get(self.name) == self

    @property
    def text(self) -> str:
        """The text of the file."""
        from ..problem.text import read_text

        return read_text(self.path)


def programs() -> tuple[Program, ...]:
    """Every program that comes with the package, the main one of each engine first.

    >>> [program.name for program in programs()][:3]
    ['clingo', 'clingo:cardinality', 'clingo:numbered_box']
    """
    return tuple(program for engine in _RUN_BY for program in _of(engine).values())


def program_names(engine: str) -> list[str]:
    """The names of the programs of an engine that come with the package."""
    return list(_of(engine))


@cache
def _of(engine: str) -> dict[str, Program]:
    """The programs of an engine, by name."""
    spec = _RUN_BY[engine]
    main = resource(spec.main)
    folders = main.parent, main.parent / "programs"
    files = (path for folder in folders for path in folder.glob(f"*{spec.ending}"))
    others = sorted(files, key=lambda path: path.stem)
    in_order = [describe(engine, main)]
    in_order += [describe(f"{engine}:{path.stem}", path) for path in others if path != main]
    return {program.name: program for program in in_order if program.teaches}


def program_named(name: str) -> Program:
    """The program with this name, or in this file; BackendUnavailable if there is none.

    An engine that runs the programs of another one knows them by the same names.
    """
    engine, _, which = name.partition(":")
    if (spec := BUILT_IN.get(engine)) and spec.runs_as != engine and which:
        return program_named(f"{spec.runs_as}:{which}")
    if engine not in _RUN_BY:
        raise BackendUnavailable(
            f"{engine} does not run programs by name", f"Choose {' or '.join(_RUN_BY)}."
        )
    ending = _RUN_BY[engine].ending
    if program := _of(engine).get(name):
        return program
    from pathlib import Path  # a short run of the command line does without

    path = Path(which)
    if not (which.endswith(ending) or path.parent != Path()):
        raise BackendUnavailable(
            f"there is no program {name!r}",
            f"Choose one of {', '.join(_of(engine))}, or a file: {engine}:my{ending}.",
        )
    if not path.is_file():
        raise BackendUnavailable(f"there is no file {which}", "")
    try:
        return describe(name, path)
    except InvalidProblem as error:
        raise BackendUnavailable(str(error)) from error


def is_pattern(name: str) -> bool:
    """True for ``"prolog:*"`` and the like, which stand for several programs."""
    engine, colon, which = name.partition(":")
    return bool(colon) and engine in _RUN_BY and not set("*?[").isdisjoint(which)


def matching(pattern: str) -> list[str]:
    """The names of the programs that a pattern stands for; the main one is sudoku."""
    return [name for name in _of(pattern.partition(":")[0]) if matches(name, pattern)]


def matches(name: str, pattern: str, main: str = "sudoku") -> bool:
    """True if the pattern stands for this program; the engine's main one is called `main` there."""
    engine, _, which = name.partition(":")
    wanted, _, others = pattern.partition(":")
    return engine == wanted and fnmatchcase(which or main, others)


def describe(name: str, path: Path) -> Program:
    """Read the head of a file as the description of the program of this name."""
    from ..problem.text import read_text

    text = read_text(path)
    title, labels = head(text)
    language = BUILT_IN[name.partition(":")[0]].language
    shapes = labels.get("Shape", "").partition(";")[0] or _shapes(language, text)
    marks = {"marks"} if language == "prolog" else set()  # domains are posted before any program
    knows = set(re.findall(r"\w+", labels.get("Knows", ""))) & _KINDS_OF_RULES
    return Program(
        name,
        path,
        title,
        labels.get("Paradigm", "answer set programming" if language == "asp" else ""),
        shapes,
        frozenset(knows | marks),
        labels.get("Teaches", ""),
        labels.get("Costs", ""),
    )


def head(text: str) -> tuple[str, dict[str, str]]:
    """The first line of the comment at the head of a program, and its labelled paragraphs."""
    title, labels, label = "", dict[str, str](), ""
    for line in text.splitlines():
        if not line.startswith("%"):
            break
        content = line.lstrip("%").strip()
        if match := _LABEL.match(line):
            label = match[1]
            labels[label] = match[2].strip()
        elif not content:
            label = ""
        elif label:
            labels[label] += f" {content}"
        title = title or content
    return title, labels


def _shapes(language: str, text: str) -> str:
    """The grids that a program without a head seems to accept: anything it leaves open is tried."""
    one_number = "#const subgrid_size" in text or (
        language == "prolog" and not re.search(r"\bsudoku/2\b|\bsudoku\([^()]*,", text)
    )
    return "square boxes" if one_number else "boxes of any size"
