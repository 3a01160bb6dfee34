"""Proofs by clingo: the lemmas that clasp learns while it shows that a solution is the only one.

Only clingo's application logs lemmas, not the `clingo.Control` of a library, and the log is
complete only when the application ends. So each proof is a run of its own: of
``encodings/sudoku.lp``, ground once for each layout, with integrity constraints for the givens
and against the solution. A puzzle with 17 givens takes 4 ms; grounding would add 7. For an
explanation the program is any placements at all, and the clauses of the demands.

A lemma must follow by unit propagation from the clauses of the puzzle and the lemmas before it.
With clingo 5.8, on some of the hardest puzzles that we know:

- ``--otfs=0`` is needed. In all configurations except frumpy, clasp shortens clauses while it
  resolves a conflict and does not log that: of five to ten proofs, one had a lemma that does not
  follow.
- ``--trans-ext=no`` is needed. clasp can turn "exactly one" into rules with new atoms. Without
  them a lemma says less than clasp learned; or it cannot be said at all, and is left out of the
  log.
- Therefore lemmas are counted. If one is missing, the clauses of the puzzle are the program.
- ``--eq=0`` is explained at `EXACT`. All lemmas followed without it too, and with any
  ``--sat-prepro`` and ``--lemma-out-dom``. There is no limit on lemmas unless one is set.
- With several threads, the log has lemmas of all threads, and no number to compare.

`prove` makes a proof. An `Application` is the process that runs clingo for it, and stays for later
runs. It does not hear Ctrl-C, ends when this one ends in whatever way, and imports nothing from the
folder where the user happens to be.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...errors import BackendFailure, Disagreement
from ...files import encoding
from ...puzzle import Grid
from ...puzzle.cells import Layout, Placement
from ...rules.clauses import Claim, Clause, literal
from ..base import Proof
from ..running import Shelf, undisturbed
from .program import EXACT, OPTIONS, constants, regions

OUTPUT = ("--outf=2", "--stats", "--lemma-out=lemmas")
SEARCH = (*OPTIONS[:2], EXACT, "--otfs=0", "--trans-ext=no")
MAX_LAYOUTS = 8
"""Layouts whose ground programs are kept; one of 36x36 takes 20 MB."""

_PLACEMENT = re.compile(r"sudoku\((\d+),(\d+),(\d+)\)")
_SHOWN = re.compile(rf"^4 \d+ {_PLACEMENT.pattern} 1 (\d+)$", re.MULTILINE)


class _Ground(NamedTuple):
    """A ground program in clingo's format aspif, without the line that ends it."""

    text: str
    body: Mapping[int, int]
    """For a literal of a clause, that of an integrity constraint: its negation, of an atom."""
    clause: Mapping[int, int]
    """The other way round."""


_grounds: Shelf[list[_Ground]] = Shelf(list, MAX_LAYOUTS)


def stated(claim: Claim) -> tuple[Clause, ...]:
    """The clauses of the rules that our encoding lacks; of demands, those of all rules.

    BackendFailure if a rule cannot be said in clauses.
    """
    if claim.demands is None:
        claim = claim._replace(demands=tuple(("rule", rule) for rule in claim.puzzle.layout.rules))
    return claim.rules()


def prove(application: Application, claim: Claim) -> Proof:
    """Another solution, or the lemmas that prove that there is none.

    Disagreement if the claim names no solution, but there is one.
    """
    for ground, clauses in _programs(application, claim):
        program = "".join((ground.text, *_constraints(ground, clauses), "0\n"))
        answer = json.loads(application.run((*OUTPUT, *SEARCH), program))
        if answer["Result"] == "SATISFIABLE":
            return Proof(_both(claim, answer["Call"][0]["Witnesses"][0]["Value"]), ())
        lemmas = _lemmas(ground, application.read("lemmas"))
        complete = len(lemmas) == answer["Stats"]["More"]["Lemma"]["Sum"]
        if answer["Result"] == "UNSATISFIABLE" and complete:
            return Proof((claim.solution,) if claim.solution else (), lemmas)
    raise BackendFailure("clingo: its log lacks a lemma")


def _programs(application: Application, claim: Claim) -> Iterator[tuple[_Ground, Iterable[Clause]]]:
    """Programs that may prove the claim: our encoding, and as a last resort the clauses alone."""
    layout = claim.puzzle.layout
    if claim.demands is None:
        ground = _sudoku(application, Layout(layout.box, layout.regions))
        yield ground, (*stated(claim), *claim.facts(), *claim.another())
    yield _anything(layout.size), claim.clauses()


def _sudoku(application: Application, layout: Layout) -> _Ground:
    """Our encoding, ground for a layout without givens."""
    kept = _grounds[layout]
    if not kept:
        program = "\n".join((encoding("sudoku"), *regions(layout)))
        text = application.run(("--mode=gringo", *constants(layout)), program)
        shown = _SHOWN.findall(text)
        atoms = {literal(layout.size, map(int, cell)): int(atom) for *cell, atom in shown}
        kept.append(_ground(text.removesuffix("0\n"), atoms))
    return kept[0]


@lru_cache(MAX_LAYOUTS)
def _anything(size: int) -> _Ground:
    """Any placements at all; none is shown."""
    atoms = range(1, size**3 + 1)
    text = f"asp 1 0 0\n1 1 {len(atoms)} {' '.join(map(str, atoms))} 0 0\n"
    return _ground(text, dict(zip(atoms, atoms, strict=True)))


def _ground(text: str, atoms: Mapping[int, int]) -> _Ground:
    """The ground program with these atoms for the variables of clauses."""
    body = {sign * variable: -sign * atom for variable, atom in atoms.items() for sign in (1, -1)}
    return _Ground(text, body, {there: here for here, there in body.items()})


def _constraints(ground: _Ground, clauses: Iterable[Clause]) -> Iterator[str]:
    """An integrity constraint for each clause."""
    for clause in clauses:
        yield f"1 0 0 0 {' '.join(map(str, (len(clause), *(ground.body[e] for e in clause))))}\n"


def _lemmas(ground: _Ground, log: str) -> tuple[Clause, ...]:
    """The clauses of a log, which has them as integrity constraints; not those cut short."""
    lemmas = []
    for line in log.splitlines()[1:-1]:
        numbers = [*map(int, line.split())]
        if numbers[:5] == [1, 0, 0, 0, len(numbers) - 5]:
            with suppress(KeyError):  # about an atom that is not a placement
                lemmas.append(tuple(ground.clause[each] for each in numbers[5:]))
    return tuple(lemmas)


def _both(claim: Claim, shown: Iterable[str]) -> tuple[Grid, Grid]:
    """The solution of the claim and the one of an answer set; Disagreement unless there are two."""
    cells = [
        Placement(*map(int, found.groups())) for found in map(_PLACEMENT.fullmatch, shown) if found
    ]
    if claim.solution is None or not cells:
        raise Disagreement(claim.puzzle, {"the claim": "no other solution", "clingo": "one more"})
    return claim.solution, Grid.of(cells, claim.puzzle.box)


# --- the process ---

_RUNNER = Path(__file__).with_name("_run_application.py")
_DONE = (0, 10, 20, 30)
"""Exit codes for a ground program, a model, no model, and all models; others are errors."""

MAX_WAITING = os.cpu_count() or 1
"""Processes that are kept when there is no work."""

_waiting: list[Application] = []
_started: weakref.WeakSet[Application] = weakref.WeakSet()


class Application:
    """A process that runs clingo's application again and again, in a folder of its own."""

    def __init__(self) -> None:
        self._folder = ""
        try:
            self._folder = tempfile.mkdtemp(prefix="pylogic_sudoku-")
            with Path(self._folder, "errors").open("wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", str(_RUNNER)],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    cwd=self._folder,
                    start_new_session=True,  # Ctrl-C is for this process
                )
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BackendFailure(f"clingo: its process does not start: {error}") from None
        self.end = weakref.finalize(self, _end, os.getpid(), self._process, self._folder)
        _started.add(self)

    def run(self, options: Sequence[str], program: str) -> str:
        """What clingo prints about a program, with options such as ``--mode=clasp``.

        BackendFailure with clingo's message if it breaks; then this process has ended.
        """
        try:
            Path(self._folder, "program").write_text(program, "utf-8")
            code = self._ask(f"{json.dumps([*options, 'program'])}\n".encode())
            if code in _DONE:
                return self.read("output")
            error = f"it ended with exit code {code}"
        except (OSError, ValueError) as problem:
            error = str(problem)
        error = self._complaint() or error
        self.end()
        raise BackendFailure(f"clingo: {error}")

    def read(self, name: str) -> str:
        """A file that clingo has written to the folder where it runs."""
        return Path(self._folder, name).read_text("utf-8")

    def interrupt(self) -> None:
        """Make the running call of `run` fail at once."""
        self._process.kill()

    def alive(self) -> bool:
        """False once the process has ended."""
        return self._process.poll() is None

    def leave(self) -> None:
        """Close the pipes: the process belongs to the one that this one was forked from."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _ask(self, request: bytes) -> int:
        """The exit code of a run; ValueError if the process has ended."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(request)
        reply = self._process.stdout.readline()
        if not reply:
            raise ValueError(f"its process ended with exit code {self._process.wait()}")
        return int(reply)

    def _complaint(self) -> str:
        """clingo's first error, or the last line of what Python wrote; may be empty."""
        try:
            lines = self.read("errors").strip().splitlines()
        except (OSError, ValueError):
            return ""
        errors = [line for line in lines if "ERROR: " in line or " error: " in line]
        return (errors or lines[-1:] or [""])[0].removeprefix("*** ERROR: (clingo): ")


def waiting() -> list[Application]:
    """The processes that wait for work, to be taken and given back; surplus ones end."""
    for number, each in enumerate(list(_waiting)):
        if number >= MAX_WAITING or not each.alive():
            with suppress(ValueError):  # another thread did the same
                _waiting.remove(each)
    return _waiting


def _end(owner: int, process: subprocess.Popen[bytes], folder: str) -> None:
    def end() -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        shutil.rmtree(folder, ignore_errors=True)

    if os.getpid() == owner:
        undisturbed(end, delay=0.01)  # the caller may be the garbage collector


def _leave_to_parent() -> None:
    _waiting.clear()
    for each in list(_started):
        each.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
