"""A program graded on a folder of instances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..backends import get
from ..errors import BackendUnavailable, SudokuError
from .instances import Instance, Vocabulary, find_instances, vocabulary_of
from .programs import AspProgram, Limits, Program, PrologProgram
from .reference import Reference, engines, from_engines, from_file
from .verdict import Verdict, judge

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
) -> Iterator[Verdict]:
    """A verdict on the program for each instance, as soon as it is known.

    `program` is a file for clingo, or for SWI-Prolog if its name ends in ``.pl``, ``.pro`` or
    ``.prolog``. `instances` is a folder of ``*.lp`` files with givens as facts, or one such file;
    `reference` a folder with what ``clingo --outf=2`` writes for each, under the same name with
    ``.json``. Without it, `against` says whose solutions are right: an engine's, or ``"all"``.
    `limit` is the number of different answers that are compared, 0 for all. `timeout` is in
    seconds for each instance, `memory` in megabytes. `vocabulary` names the atoms of an ASP
    program, `predicate` that of a Prolog program. `constants` are for clingo: ``name=value``.

    A mistake in the arguments is told at the call; whatever goes wrong with one instance is its
    verdict. Each run has a process of its own, but is no sandbox: a Prolog program, or an ASP
    program with `allow_scripts`, may do all that its user may.
    """
    if limit < 0 or timeout <= 0 or memory <= 0:
        raise ValueError("limit must be 0 or more, timeout and memory over 0")
    if not re.fullmatch(r"[a-z]\w*", predicate):
        raise ValueError(f"{predicate!r} is no name of a predicate; expected one such as sudoku")
    words = vocabulary_of(vocabulary) if isinstance(vocabulary, str) else vocabulary
    path = Path(program)
    made: Program = AspProgram(path, words, tuple(constants), allow_scripts)
    if path.suffix.lower() in PROLOG_FILES:
        made = PrologProgram(path, words, predicate)
    made.check()
    if reference is None:
        for name in engines(against):
            get(name).version()
    found = find_instances(Path(instances))
    folder = None if reference is None else Path(reference)
    return _verdicts(made, found, folder, against, limit, Limits(timeout, memory))


def _verdicts(
    program: Program,
    instances: Iterator[Instance],
    folder: Path | None,
    against: str,
    limit: int,
    limits: Limits,
) -> Iterator[Verdict]:
    for instance in instances:
        try:
            if folder is None:
                right = from_engines(instance, program.vocabulary, against, limit, limits.seconds)
            else:
                file = folder / f"{instance.name}.json"
                right = from_file(instance, program.vocabulary, file, limit)
        except BackendUnavailable:
            raise
        except SudokuError as error:
            yield Verdict(instance.name, "error", 0, message=f"no reference: {error}")
        else:
            run = program.run(instance, right.puzzle, _most(right, limit), limits)
            yield judge(instance.name, run, right)


def _most(reference: Reference, limit: int) -> int:
    """How many answers to ask for: one more where only that shows that there are too many."""
    return limit + (reference.complete and 0 < limit == len(reference.solutions))
