"""Folders with programs and instances as tests, without any Python: ``pytest --logic FOLDER``.

A folder is collected as the file of its first program. Below it is each instance, and below that a
test for each other program, which must agree with the first one: ``talks/talks.lp::three::clingo =
prolog``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from ..errors import LogicError
from ..problem.folder import INSTANCES, RESERVED, Problem
from .agreement import Agreement, agreement_of, reference
from .marks import diff_of, option_limits, skip_if_missing, start

__all__ = ["InstanceNode", "PairItem", "ProgramFile", "collected", "nothing_found"]

CURE = "expected FOLDER/NAME.lp, FOLDER/NAME.pl and FOLDER/instances/*.lp"


class Differs(Exception):
    """Programs do not agree."""

    def __init__(self, agreement: Agreement) -> None:
        super().__init__(repr(agreement))
        self.agreement = agreement


def collected(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The node of a program's file: of the first one of a folder, or of one that is named."""
    folder = path.parent
    if path.name in RESERVED or not has_instances(folder):
        return None
    if path != first_program(folder) and not parent.session.isinitpath(path):
        return None
    start(parent.config)
    return ProgramFile.from_parent(parent, path=path)


def has_instances(folder: Path) -> bool:
    """True if there is an instance in the folder's own folder ``instances``."""
    return any(any(folder.glob(f"instances/*{ending}")) for ending in INSTANCES)


def first_program(folder: Path) -> Path | None:
    """The file that stands for a folder; None if it has no program. No file is read."""
    files = [*sorted(folder.glob("*.lp")), *sorted(folder.glob("*.pl"))]
    files = [each for each in files if each.name not in RESERVED]
    named = [each for each in files if each.stem == folder.resolve().name]
    return next(iter((*named, *files)), None)


class ProgramFile(pytest.File):
    """A folder, or one of its programs if that is not the first one."""

    problem: Problem

    def collect(self) -> Iterator[pytest.Collector]:
        try:
            self.problem = Problem(self.path.parent)
            paths = self.problem.paths
        except LogicError as error:
            raise self.CollectError(str(error)) from None
        first = reference(paths)
        others = [name for name in paths if name != first]
        own = [name for name, path in paths.items() if path == self.path.resolve()]
        if self.path != first_program(self.path.parent) and own != [first]:
            others = [name for name in others if name in own]
            if not others:
                raise self.CollectError(
                    f"{self.path} is part of another program; the folder has {', '.join(paths)}"
                )
        pairs: list[tuple[str, ...]] = [(first, name) for name in others] or [(first,)]
        for name, file in self.problem.instance_paths.items():
            yield InstanceNode.from_parent(self, name=name, file=file, pairs=pairs)


class InstanceNode(pytest.Collector):
    """An instance of a folder."""

    parent: ProgramFile

    def __init__(self, file: Path, pairs: list[tuple[str, ...]], **named: object) -> None:
        super().__init__(**named)  # type: ignore[arg-type]
        self.file = file
        self._pairs = pairs

    def collect(self) -> Iterator[pytest.Item]:
        for programs in self._pairs:
            yield PairItem.from_parent(self, name=" = ".join(programs), programs=programs)


class PairItem(pytest.Item):
    """Two programs, which must agree on an instance; a single one must answer."""

    parent: InstanceNode

    def __init__(self, programs: tuple[str, ...], **named: object) -> None:
        super().__init__(**named)  # type: ignore[arg-type]
        self._programs = programs
        self.add_marker("logic")

    def runtest(self) -> None:
        problem = self.parent.parent.problem
        instance = problem._of_file(self.parent.file)
        try:
            agreement = agreement_of(instance, self._programs, option_limits(self.config))
        except LogicError as error:
            skip_if_missing(self, error)
            raise
        if not agreement:
            raise Differs(agreement)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> object:  # type: ignore[override]
        """The details of a difference, or the message of an error, without a traceback."""
        error = excinfo.value
        if isinstance(error, Differs):
            return "\n".join(error.agreement.lines(diff_of(self)))
        if isinstance(error, LogicError):
            where = f"{self.parent.parent.problem.name}, {self.parent.name}"
            return "\n".join((f"{where}: {error}", *getattr(error, "__notes__", ())))
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return self.path, None, f"{self.parent.name}: {self.name}"


def nothing_found(config: pytest.Config) -> Iterator[str]:
    """Lines that say why ``--logic`` has found nothing."""
    given = [Path(each.partition("::")[0]) for each in config.args]
    yield f"--logic: no folder has programs and instances; {CURE}"
    for folder in _below(given):
        if first_program(folder) and not has_instances(folder) and folder.name != "instances":
            yield f"--logic: {folder} has no instances; write {folder / 'instances'}/NAME.lp"
        elif has_instances(folder) and not first_program(folder):
            yield f"--logic: {folder} has instances and no program; write {_program_of(folder)}"


def _program_of(folder: Path) -> Path:
    return folder / f"{folder.resolve().name}.lp"


def _below(given: Iterable[Path], most: int = 2_000) -> Iterator[Path]:
    """The folders in those given, up to a number of them."""
    number = 0
    for top in given:
        for name, folders, _ in os.walk(top):
            folders[:] = [each for each in folders if each[:1] not in (".", "_")]
            yield Path(name)
            number += 1
            if number == most:
                return
