"""The choice of an engine, and of a program for it, by name.

`get("prolog")` is an engine, which is imported when it is first used; `able` is the same if it
can solve a puzzle, and `asked` makes a list of names and patterns into names. `backends` tries all
of them out. Other packages add an engine by an entry point of the group
``pylogic_sudoku.backends`` that names a subclass of `Backend`.

A *program* is a file that states sudoku for clingo or for Prolog. The main program of an engine
has the engine's name. Others are called ``"prolog:classic"`` or ``"clingo:pairwise"``;
``"prolog:my.pl"`` or ``"clingo:my.lp"`` is a file of your own. What is known of a program stands
in its first lines, ``% Label: text``, and nowhere else. `texts` is about running one by hand.
"""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..errors import BackendFailure, BackendUnavailable, SudokuError
from ..files import resource
from ..puzzle import Grid, Puzzle
from .base import Backend, Proof

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BUILT_IN", "Backend", "BackendInfo", "Program", "Proof", "able", "asked", "backends"]
__all__ += ["get", "is_pattern", "matching", "names", "portable", "program_named", "programs"]

BUILT_IN = {
    "clingo": "pylogic_sudoku.engines.clingo:ClingoBackend",
    "prolog": "pylogic_sudoku.engines.prolog:PrologBackend",
    "sat": "pylogic_sudoku.engines.sat:SatBackend",
}
OPTIONAL = {"sat": "pysolvers"}
"""Engines that a full installation may lack, and the module that each of them needs."""
ENTRY_POINTS = "pylogic_sudoku.backends"

EngineT = TypeVar("EngineT", bound=str | Backend)

_made: dict[str, Backend] = {}
_lock = threading.Lock()


def names() -> tuple[str, ...]:
    """The engines that ``all`` means, built-in ones first; an optional one only if installed."""
    return (*_built_in(), *(name for name in _others() if name not in BUILT_IN))


def _built_in() -> list[str]:
    return [name for name in BUILT_IN if name not in OPTIONAL or find_spec(OPTIONAL[name])]


def get(backend: str | Backend) -> Backend:
    """The engine with this name, always the same object; a backend object is returned as it is.

    ``"prolog:classic"`` is the engine with another program, and ``"prolog:my.pl"`` with a file of
    your own, which is read anew by each call.

    BackendUnavailable if there is no such engine or it cannot be imported. Whether it starts is
    known only when it is used.
    """
    if isinstance(backend, Backend):
        return backend
    if ":" in backend:
        return _of_program(backend)
    made = _made.get(backend)
    if made is None:
        with _lock:
            made = _made.get(backend) or _made.setdefault(backend, _make(backend))
    return made


def portable(engine: Backend) -> str | Backend:
    """Return the name of the engine if `get` makes the same of it, since names can be pickled."""
    with suppress(BackendUnavailable):
        if type(get(engine.name)) is type(engine):
            return engine.name
    return engine


def _of_program(name: str) -> Backend:
    found = program_named(name)
    if found.engine == "clingo":
        from .clingo import ClingoProgramBackend

        return ClingoProgramBackend(found)
    from .prolog import PrologBackend

    return PrologBackend(program=found)


def able(backend: str | Backend, puzzle: Grid | Puzzle) -> Backend:
    """The engine, if it knows all that the puzzle needs; BackendFailure otherwise."""
    engine = get(backend)
    if missing := _missing(engine, puzzle):
        others = [name for name in _built_in() if name != engine.name]
        raise BackendFailure(
            f"{engine.name} cannot solve puzzles with {' and '.join(missing)};"
            f" choose another backend, such as {' or '.join(others)}"
        )
    return engine


def asked(engines: Sequence[EngineT], puzzle: Grid | Puzzle) -> tuple[EngineT, ...]:
    """The engines to compare on a puzzle, each once.

    ``"prolog:*"`` stands for all programs of Prolog that can solve it; BackendFailure if none can,
    BackendUnavailable if there are none. An optional engine that cannot is left out, unless fewer
    than two would remain.
    """
    found: dict[Any, bool] = {}
    for each in engines:
        if isinstance(each, str) and is_pattern(each):
            if not (meant := matching(each)):
                known = ", ".join(_of(each.partition(":")[0]))
                raise BackendUnavailable(f"no program is called {each!r}", f"There are {known}.")
            able = [name for name in meant if not _missing(get(name), puzzle)]
            if not able:
                raise BackendFailure(f"no program {each!r} can solve such a puzzle")
            found |= dict.fromkeys(able, True)
        else:
            found[each] = each not in OPTIONAL or not _missing(get(each), puzzle)
    can = tuple(each for each, asked in found.items() if asked)
    return can if len(can) > 1 else tuple(found)


def _missing(engine: Backend, puzzle: Grid | Puzzle) -> list[str]:
    """What the puzzle needs and the engine does not know."""
    rows, columns = puzzle.box
    missing = []
    if engine.shapes.startswith("9x9") and puzzle.box != (3, 3):
        missing.append(f"boxes of {rows} x {columns} cells")
    elif engine.shapes.startswith("square") and rows != columns:
        missing.append("boxes that are not square")
    needs = {"regions": puzzle.regions is not None, "marks": bool(puzzle.marks)}
    needs["rules"] = bool(puzzle.rules)
    missing += [need for need, used in needs.items() if used and need not in engine.knows]
    if puzzle.rules and "programs" not in engine.knows:
        from ..rules.own import is_program

        missing += ["rules that are not written in Python"] * any(map(is_program, puzzle.rules))
    return missing


# --- all engines ---


class BackendInfo(NamedTuple):
    """An engine, and whether it can be used."""

    name: str
    engine: str
    """The program behind it; the backend's name again if it cannot be imported."""
    available: bool
    version: str | None
    why: str | None
    """Why it cannot be used; None if it can."""
    fix: str | None
    """What to do about that."""
    optional: bool = False
    """True if ``-b all`` does without it when it is not installed."""


def backends() -> tuple[BackendInfo, ...]:
    """Every engine, tried out: its version, or why it cannot be used and the fix."""
    return tuple(map(_info, dict.fromkeys((*BUILT_IN, *names()))))


def _info(name: str) -> BackendInfo:
    engine, optional = name, name in OPTIONAL
    try:
        backend = get(name)
        engine = backend.engine
        return BackendInfo(name, engine, True, backend.version(), None, None, optional)
    except BackendUnavailable as error:
        return BackendInfo(name, engine, False, None, error.why, error.fix, optional)
    except BackendFailure as error:
        return BackendInfo(name, engine, False, None, str(error), "", optional)


def _make(name: str) -> Backend:
    try:
        where = BUILT_IN.get(name) or _others()[name]
    except KeyError:
        raise BackendUnavailable(
            f"there is no backend {name!r}", f"Choose one of {', '.join(names())}."
        ) from None
    module, _, attribute = where.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)()
    except SudokuError:
        raise
    except Exception as error:  # somebody else's code may raise anything
        raise BackendUnavailable(
            f"the {name} backend cannot be imported: {error}",
            f"Install or repair the package that contains {module.partition('.')[0]}.",
        ) from error
    if not isinstance(made, Backend):
        raise BackendUnavailable(f"{where} is not a pylogic_sudoku.Backend")
    return made


def _others() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}


# --- programs ---

_MAIN = {"clingo": "sudoku.lp", "prolog": "sudoku.pl"}
_ENDINGS = {"clingo": ".lp", "prolog": ".pl"}
_LABEL = re.compile(r"% ([A-Z]\w+):\s+(.*)")
_KINDS_OF_RULES = frozenset({"regions", "marks", "rules"})


class Program(NamedTuple):
    """A file that states sudoku for an engine, and what its first lines say about it."""

    name: str
    """The name of the backend that runs it, such as ``"prolog:classic"``."""
    path: Path
    title: str
    paradigm: str
    """Such as ``"constraint logic programming"``; empty if the file does not say."""
    shapes: str
    """The grids that it takes: ``"9x9"``, ``"square boxes"``, or ``"boxes of any size"``."""
    knows: frozenset[str]
    """What it knows beyond boxes, of ``"regions"``, ``"marks"`` and ``"rules"``."""
    teaches: str
    costs: str

    @property
    def engine(self) -> str:
        """The name of the engine that runs it."""
        return self.name.partition(":")[0]

    @property
    def text(self) -> str:
        """What is in the file."""
        return self.path.read_text(encoding="utf-8")


def programs() -> tuple[Program, ...]:
    """Every program that comes with the package, the main one of each engine first.

    >>> [program.name for program in programs()][:3]
    ['clingo', 'clingo:cardinality', 'clingo:numbered_box']
    """
    return tuple(found for engine in _MAIN for found in _of(engine).values())


@cache
def _of(engine: str) -> dict[str, Program]:
    """The programs of an engine, by name."""
    main = resource(f"{'encodings' if engine == 'clingo' else 'prolog'}/{_MAIN[engine]}")
    folder = main.parent / "programs" if engine == "prolog" else main.parent
    others = sorted(folder.glob(f"*{_ENDINGS[engine]}"))
    found = [_read(engine, main)]
    found += [_read(f"{engine}:{path.stem}", path) for path in others if path != main]
    return {program.name: program for program in found if program.teaches}


def program_named(name: str) -> Program:
    """The program with this name, or in this file; BackendUnavailable if there is none."""
    engine, _, which = name.partition(":")
    if engine not in _MAIN:
        raise BackendUnavailable(
            f"{engine} does not run programs by name", f"Choose {' or '.join(_MAIN)}."
        )
    if found := _of(engine).get(name):
        return found
    from pathlib import Path  # a short run of the command line does without

    path = Path(which)
    if not (which.endswith(_ENDINGS[engine]) or path.parent != Path()):
        raise BackendUnavailable(
            f"there is no program {name!r}",
            f"Choose one of {', '.join(_of(engine))}, or a file: {engine}:my{_ENDINGS[engine]}.",
        )
    if not path.is_file():
        raise BackendUnavailable(f"there is no file {which}", "")
    try:
        return _read(name, path)
    except (OSError, UnicodeDecodeError) as error:
        raise BackendUnavailable(f"{which} cannot be read: {error}", "") from error


def is_pattern(name: str) -> bool:
    """True for ``"prolog:*"`` and the like, which stand for several programs."""
    engine, colon, which = name.partition(":")
    return bool(colon) and engine in _MAIN and not set("*?[").isdisjoint(which)


def matching(pattern: str) -> list[str]:
    """The names of the programs that a pattern stands for; the main one is sudoku."""
    engine, _, which = pattern.partition(":")
    return [name for name in _of(engine) if fnmatchcase(name.partition(":")[2] or "sudoku", which)]


def _read(name: str, path: Path) -> Program:
    text = path.read_text(encoding="utf-8")
    title, labels = head(text)
    engine = name.partition(":")[0]
    shapes = labels.get("Shape", "").partition(";")[0] or _shapes(engine, text)
    marks = {"marks"} if engine == "prolog" else set()  # domains are posted before any program
    knows = set(re.findall(r"\w+", labels.get("Knows", ""))) & _KINDS_OF_RULES
    return Program(
        name,
        path,
        title,
        labels.get("Paradigm", "answer set programming" if engine == "clingo" else ""),
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
        if found := _LABEL.match(line):
            label = found[1]
            labels[label] = found[2].strip()
        elif not content:
            label = ""
        elif label:
            labels[label] += f" {content}"
        title = title or content
    return title, labels


def _shapes(engine: str, text: str) -> str:
    """The grids that a program without a head seems to take: what it does not say is tried."""
    one_number = "#const subgrid_size" in text or (
        engine == "prolog" and not re.search(r"\bsudoku/2\b|\bsudoku\([^()]*,", text)
    )
    return "square boxes" if one_number else "boxes of any size"
