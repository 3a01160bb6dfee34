"""The engines by name: what each takes and can do, and where its classes are.

An `EngineSpec` is all that is known of an engine before it is imported. Ours are in `BUILT_IN`;
other packages add one by an entry point of the group ``pylogic_sudoku.backends``, which names an
`EngineSpec`, or a class of engines for sudokus alone.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple

from ..errors import BackendUnavailable, LogicError, listed
from ..problem.languages import DIALECTS, ENDINGS

__all__ = ["BUILT_IN", "EngineSpec", "able", "importing", "object_at"]
__all__ += ["others", "spec_of"]

_GROUP = "pylogic_sudoku.backends"


class EngineSpec(NamedTuple):
    """An engine, as it is known before it is imported. A place is ``"module:name"``."""

    name: str
    language: str = ""
    """The language of its programs, ``"asp"`` or ``"prolog"``; empty if it runs none."""
    sudoku: str = ""
    """The place of its class for sudokus, a `SudokuEngine`; empty if it takes none."""
    program: str = ""
    """The place of its class for other programs that state sudoku, made of a `Program`; empty if
    it takes none."""
    main: str = ""
    """The file of its program for sudoku in this package."""
    instances: str = ""
    """The place of its class for instances, a `ProblemEngine` made of the name that was asked for,
    the path of a program, and the predicates that answers consist of; empty if it takes none."""
    theory: bool = False
    """True if its programs have theory atoms, such as ``&sum``."""
    needs: str = ""
    """The modules without which it is not installed; empty if it always is."""
    in_all: bool = True
    """True if ``all`` means this engine, too, where it is installed."""
    can: frozenset[str] = frozenset()
    """Its abilities with instances beyond answers: ``"propagate"``, ``"measure"``, ``"trace"``,
    ``"optimum"``, and ``"refusal"``, for the reason why its program does not have an answer."""

    @property
    def runs_as(self) -> str:
        """The engine of ours whose programs it takes: itself, or that for its language."""
        dialect = self.language, self.theory
        return next((name for name, each in DIALECTS.items() if each == dialect), self.name)

    @property
    def ending(self) -> str:
        """The ending of its files, such as ``".lp"``; empty if it runs no programs."""
        return ENDINGS.get(self.language, "")

    @property
    def optional(self) -> bool:
        """True if an installation may be without it."""
        return bool(self.needs)

    @property
    def installed(self) -> bool:
        """True unless it lacks a module that it needs."""
        return all(map(find_spec, self.needs.split()))


def _runs(name: str) -> dict[str, Any]:
    """The fields of an engine that say what programs it takes."""
    return DIALECTS[name]._asdict()


_HERE = "pylogic_sudoku.engines"
_SHOWS = frozenset({"propagate", "measure", "trace"})
BUILT_IN = {
    each.name: each
    for each in (
        EngineSpec(
            "clingo",
            **_runs("clingo"),
            sudoku=f"{_HERE}.sudoku.clingo:ClingoBackend",
            program=f"{_HERE}.sudoku.clingo:ClingoProgramBackend",
            main="encodings/sudoku.lp",
            instances=f"{_HERE}.clingo.instances:ClingoInstances",
            can=_SHOWS | {"optimum", "refusal"},
        ),
        EngineSpec(
            "prolog",
            **_runs("prolog"),
            sudoku=f"{_HERE}.sudoku.prolog:PrologBackend",
            program=f"{_HERE}.sudoku.prolog:of_program",
            main="prolog/sudoku.pl",
            instances=f"{_HERE}.prolog.instances:PrologInstances",
            can=_SHOWS | {"optimum", "refusal"},
        ),
        EngineSpec("sat", sudoku=f"{_HERE}.sudoku.sat:SatBackend", needs="pysolvers"),
        EngineSpec(
            "clingcon",
            **_runs("clingcon"),
            sudoku=f"{_HERE}.sudoku.clingcon:ClingconBackend",
            instances=f"{_HERE}.clingo.clingcon:ClingconInstances",
            needs="clingcon",
            in_all=False,
            can=frozenset({"measure", "optimum"}),
        ),
        EngineSpec(
            "prolog-wasm",
            **_runs("prolog"),
            sudoku=f"{_HERE}.sudoku.prolog:WasmBackend",
            instances=f"{_HERE}.prolog.instances:PrologInstances",
            needs="py_mini_racer pylogic_sudoku._wasm",
            can=_SHOWS | {"optimum", "refusal"},
        ),
    )
}
"""The engines of this package, by name."""


def others() -> dict[str, Any]:
    """The entry points of other packages, by the name of the engine."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=_GROUP) if point.name not in BUILT_IN}


def names() -> tuple[str, ...]:
    """The engines that ``all`` means, built-in ones first; an optional one only if installed."""
    return (*built_in(), *filter(_takes_sudokus, others()))


def _takes_sudokus(name: str) -> bool:
    """True unless the engine of another package says that it does not, or is none of ``all``."""
    try:
        spec = spec_of(name)
    except BackendUnavailable:  # which is reported when it is asked
        return True
    return spec is not None and bool(spec.sudoku) and spec.in_all


def built_in() -> list[str]:
    """Our own engines that ``all`` means."""
    found = [name for name, each in BUILT_IN.items() if each.in_all and each.installed]
    if "prolog-wasm" in found:
        from ..running.wasm import stands_in  # which most installations do without

        if stands_in():  # then prolog is that engine, too
            found.remove("prolog-wasm")
    return found


def unknown(name: str) -> BackendUnavailable:
    """The error for an engine that there is not."""
    return BackendUnavailable(
        f"there is no backend {name!r}", f"Choose one of {', '.join(names())}."
    )


def spec_of(name: str) -> EngineSpec | None:
    """The engine of this name; None if there is none.

    What another package has registered is imported; BackendUnavailable if that fails.
    """
    if known := BUILT_IN.get(name):
        return known
    point = others().get(name)
    if point is None:
        return None
    with importing(name, point.value):
        found = point.load()
    return (
        found._replace(name=name)
        if isinstance(found, EngineSpec)
        else EngineSpec(name, sudoku=point.value)
    )


@contextmanager
def importing(name: str, place: str) -> Iterator[None]:
    """BackendUnavailable if the engine of this name, at this place, cannot be imported or made."""
    try:
        yield
    except LogicError:
        raise
    except Exception as error:  # somebody else's code may raise anything
        package = re.split("[:.]", place)[0]
        raise BackendUnavailable(
            f"the {name} backend cannot be imported: {error}",
            f"Install or repair the package that contains {package}.",
        ) from error


def object_at(place: str) -> Any:
    """The object at a place, which is imported."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def able(ability: str) -> str:
    """The names of our engines with this ability, as a choice; each language once.

    >>> able("trace")
    'clingo or prolog'
    """
    able = (name for name, each in BUILT_IN.items() if ability in each.can)
    return listed([name for name in able if BUILT_IN[name].runs_as == name], "or")
