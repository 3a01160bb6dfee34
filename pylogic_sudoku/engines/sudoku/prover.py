"""Proofs by clingo: the lemmas that clasp learns while it shows that a claim is true.

Only clingo's application logs lemmas, not the `clingo.Control` of a library, and the log is
complete only when the application ends. So each proof is a process of its own. Its program is any
placements at all, and an integrity constraint for each clause of the claim.

A lemma must follow by unit propagation from these clauses and the lemmas before it. With clingo
5.8, on some of the hardest puzzles that we know:

- ``--otfs=0`` is needed. In all configurations except frumpy, clasp shortens clauses while it
  resolves a conflict and does not log that: of five to ten proofs, one had a lemma that does not
  follow.
- ``--eq=0`` is explained at `EXACT`. All lemmas followed without it too, and with any
  ``--sat-prepro`` and ``--lemma-out-dom``. There is no limit on lemmas unless one is set; they are
  counted all the same.
- With several threads, the log has lemmas of all threads, and no number to compare.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ...errors import BackendFailure, Disagreement
from ...rules.clauses import Claim, Clause, negated
from ...running.process import Limits, run
from ...running.workers import LONGEST, Unfinished
from ..clingo.session import EXACT
from .ground_once import OPTIONS

OUTPUT = ("--outf=2", "--stats", "--lemma-out=lemmas")
SEARCH = (*OPTIONS[:2], EXACT, "--otfs=0")


def prove(claim: Claim, stopped: Callable[[], bool]) -> tuple[Clause, ...]:
    """The lemmas that prove the claim; Unfinished soon after it is `stopped`.

    Disagreement if the claim is false.
    """
    command = [sys.executable, "-P", "-m", "clingo", *OUTPUT, *SEARCH, "program"]
    try:
        with TemporaryDirectory(prefix="pylogic_sudoku-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            (folder / "program").write_text("".join(_program(claim)), "utf-8")
            with (folder / "output").open("wb") as output:
                limits, errors = Limits(LONGEST, 0), folder / "errors"
                ended = run(command, limits, folder, errors, stopped, stdout=output)
            if ended.code is None:
                raise Unfinished
            try:
                answer = json.loads((folder / "output").read_text("utf-8"))
                lemmas = tuple(_lemmas((folder / "lemmas").read_text("utf-8")))
            except ValueError:
                why = _complaint(ended.errors) or f"its process ended with exit code {ended.code}"
                raise BackendFailure(f"clingo: {why}") from None
    except OSError as error:
        raise BackendFailure(f"clingo: its process does not run: {error}") from error
    if answer["Result"] == "SATISFIABLE":
        raise Disagreement(claim.puzzle, {"the claim": "no other solution", "clingo": "one more"})
    if len(lemmas) != answer["Stats"]["More"]["Lemma"]["Sum"]:
        raise BackendFailure("clingo: its log lacks a lemma")
    return lemmas


def _program(claim: Claim) -> Iterator[str]:
    """The claim as a ground program, in clingo's format aspif; its atoms are the variables."""
    atoms = range(1, claim.puzzle.size**3 + 1)
    yield f"asp 1 0 0\n1 1 {len(atoms)} {' '.join(map(str, atoms))} 0 0\n"
    for clause in claim.clauses():
        yield f"1 0 0 0 {len(clause)} {' '.join(map(str, negated(clause)))}\n"
    yield "0\n"


def _lemmas(log: str) -> Iterator[Clause]:
    """The clauses of a log, which has them as integrity constraints; not those cut short."""
    for line in log.splitlines()[1:-1]:
        numbers = [*map(int, line.split())]
        if numbers[:5] == [1, 0, 0, 0, len(numbers) - 5]:
            yield negated(numbers[5:])


def _complaint(errors: str) -> str:
    """clingo's first error, or the last line of what Python wrote; may be empty."""
    lines = errors.strip().splitlines()
    error_lines = [line for line in lines if "ERROR: " in line or " error: " in line]
    return (error_lines or lines[-1:] or [""])[0].removeprefix("*** ERROR: (pyclingo): ")
