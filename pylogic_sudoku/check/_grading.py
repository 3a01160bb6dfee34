"""A program graded on a folder of instances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from .._api import at_most, seconds
from ..engines import get
from ..errors import BackendUnavailable, SudokuError
from ..grid import Box
from ._constants import checked_constants
from ._instances import Instance, Vocabulary, find_instances, vocabulary_of
from ._programs import AspProgram, Limits, Program, PrologProgram
from ._reference import Reference, check_folder, engines, from_engines, from_file
from ._verdict import Verdict, is_wrong, judge

__all__ = ["grade"]

PROLOG_FILES = (".pl", ".pro", ".prolog")


def grade(
    program: str | Path,
    instances: str | Path,
    reference: str | Path | None = None,
    *,
    against: str = "clingo",
    limit: int = 925,
    timeout: float = 100,
    memory: int = 2048,
    predicate: str = "sudoku",
    vocabulary: str | Vocabulary = "initial",
    constants: Sequence[str] = (),
    allow_scripts: bool = False,
    format: str | None = None,
    box: Box | None = None,
) -> Iterator[Verdict]:
    """A verdict on the program for each instance, as soon as it is known.

    `program` is a file for clingo, or for SWI-Prolog if its name ends in ``.pl``, ``.pro`` or
    ``.prolog``. `instances` is a folder of ``*.lp`` files with givens as facts, or one file of
    puzzles in any known format; `format` and `box` are as for `Grid.parse`. `reference` is a folder
    with what ``clingo --outf=2`` writes for each instance, under the same name with ``.json``.
    Without it, the solutions of an engine are right: `against` names it, or is ``"all"``.
    `limit` is the number of different answers that are compared, 0 for all. `timeout` is in
    seconds for each instance, `memory` in megabytes. `vocabulary` names the atoms of an ASP
    program, `predicate` the predicate of a Prolog program. `constants` are for clingo, each
    ``name=value``.

    Raises ValueError at the call for a mistake in the arguments, InvalidPuzzle if a file or folder
    cannot be used, BackendUnavailable if an engine is missing. What goes wrong with one instance is
    its verdict. Each run has a process of its own, but is not a sandbox: a Prolog program, or an
    ASP program with `allow_scripts`, may do all that its user may.
    """
    limit = at_most(limit) or 0
    seconds(timeout)
    if memory <= 0:
        raise ValueError(f"memory must be over 0 megabytes, not {memory}")
    if reference is not None and against != "clingo":
        raise ValueError("there is a folder of solutions and also an engine; expected one of them")
    path = Path(program)
    words = vocabulary_of(vocabulary) if isinstance(vocabulary, str) else vocabulary
    made: Program
    if path.suffix.lower() in PROLOG_FILES:
        if constants or allow_scripts:
            raise ValueError(f"{path} is a Prolog program; constants and scripts are for clingo")
        made = PrologProgram(path, words, _checked_predicate(predicate))
    else:
        if predicate != "sudoku":
            raise ValueError(f"{path} is an ASP program; a predicate is for Prolog programs (*.pl)")
        made = AspProgram(path, words, checked_constants(constants), allow_scripts)
    made.check()
    folder = None if reference is None else Path(reference)
    if folder:
        check_folder(folder)
    else:
        for name in engines(against):
            get(name).version()
    found = find_instances(Path(instances), words, format, box)
    return _verdicts(made, found, folder, against, limit, Limits(timeout, memory))


def _checked_predicate(name: str) -> str:
    if not re.fullmatch(r"[a-z]\w*", name):
        raise ValueError(f"{name!r} is not a name of a predicate; expected one such as sudoku")
    return name


def _verdicts(
    program: Program,
    instances: Iterator[Instance],
    folder: Path | None,
    against: str,
    limit: int,
    limits: Limits,
) -> Iterator[Verdict]:
    flawed = ""
    for instance in instances:
        if flawed:
            message = f"not run: the program itself is at fault, see {flawed}"
            yield Verdict(instance.name, "error", 0, message=message)
            continue
        try:
            if folder is None:
                right = from_engines(instance, program.vocabulary, against, limit, limits.seconds)
            else:
                file = folder / f"{instance.name}.json"
                right = from_file(instance, program.vocabulary, file, limit)
        except BackendUnavailable:
            raise
        except SudokuError as error:
            message = f"not graded: {error}"
            yield Verdict(instance.name, "error", 0, message=message, graded=False)
            continue
        wrong = partial(is_wrong, reference=right)
        run = program.run(instance, right.puzzle, _most(right, limit), limits, wrong)
        if run.flawed:
            flawed = instance.name
        yield judge(instance.name, run, right)


def _most(reference: Reference, limit: int) -> int:
    """How many answers to ask for: one more where only that shows that there are too many."""
    return limit + (reference.complete and 0 < limit == len(reference.solutions))
