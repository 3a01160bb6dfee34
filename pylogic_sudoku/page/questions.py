"""What the page can ask: plain functions from plain data to plain data.

They run in processes of their own (see `Lanes`), so arguments and answers are pickled. A question
about a puzzle gets its text, the time limit in seconds, and by name the fields of the request. In
the answers, cells are named ``r1c1`` and grids are rows with None for an empty cell.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from .. import explain, formats, making, techniques
from .. import questions as api
from ..check.diagnosis import Diagnosis
from ..check.grading import reason
from ..check.instances import VOCABULARIES, Instance, Vocabulary
from ..check.programs import AspProgram, PrologProgram, Submission
from ..check.verdict import Reference, Verdict, is_wrong, judge
from ..engines import Program, able, backends, program_named, texts
from ..engines import programs as all_programs
from ..engines.base import Measurement
from ..engines.clingo.program import vocabulary
from ..engines.process import Limits
from ..engines.running import Budget
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    InvalidPuzzle,
    NotGenerated,
    SolveTimeout,
    counted,
)
from ..files import resource
from ..formats import as_puzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Cell, Placement
from ..rules.demands import as_cell
from ..techniques.way import rating_of
from . import ANSWERS, COUNTED, MEMORY, PUZZLES
from .board import Answer, Source, describe, placements


def start() -> None:
    """Start every engine that is here, so that the first question does not wait for it."""
    engines(0)
    api.solve("." * 81)


def engines(_timeout: float) -> list[Answer]:
    """Every engine, and why one cannot be used."""
    return [info._asdict() for info in backends()]


def read(text: str, form: str | None, box: Box | None, _timeout: float) -> Answer:
    """The first puzzles of a text of one or many."""
    try:
        found = [Source(text, form, box).parse()]
        more = False
    except InvalidPuzzle as error:
        try:
            with closing(formats.split(text, box, form)) as pieces:  # type: ignore[type-var]
                texts = [piece for _, piece in islice(pieces, PUZZLES + 1)]
        except InvalidPuzzle:
            raise error from None
        if len(texts) < 2:
            raise
        found = [Source(piece, form, box).parse() for piece in texts[:PUZZLES]]
        more = len(texts) > PUZZLES
    return {"puzzles": [puzzle.to_json() for puzzle in found], "more": more}


def write(source: Source, _timeout: float, *, format: str) -> Answer:
    """A puzzle as text in a format, and whether reading the text gives the same puzzle."""
    puzzle = source.parse()
    # Only json has a title; in other formats a plain puzzle is what its grid is.
    text, same = formats.write_and_check(puzzle if format == "json" else as_puzzle(puzzle), format)
    return {"text": text, "same": same}


def generate(level: str, timeout: float) -> Answer:
    """A new 9x9 puzzle of this level, with one solution."""
    start = perf_counter()
    try:
        (made,) = making.generate(level=level, timeout=timeout)
    except NotGenerated:
        if perf_counter() - start < timeout:
            raise
        # Lanes try again, with more time.
        raise SolveTimeout("the search for a new puzzle", timeout) from None
    return {"puzzle": Puzzle.parse(str(made)).to_json()}


def solve(source: Source, timeout: float, *, engine: str, limit: int) -> Answer:
    """Solutions, up to a limit; those found so far if time runs out."""
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, which does not count as the puzzle's time
    start = perf_counter()
    found: list[Grid] = []
    stopped = None
    try:
        # One more than asked for shows whether these are all.
        for solution in api.solutions(puzzle, engine, limit + 1, timeout):
            if len(found) == limit:
                stopped = "limit"
            else:
                found.append(solution)
    except SolveTimeout:
        stopped = "time"
    seconds = perf_counter() - start
    solutions = [solution.to_json() for solution in found]
    return {"solutions": solutions, "stopped": stopped, "seconds": seconds}


def confirm(source: Source, timeout: float, *, engine: str, grids: list[Any]) -> Answer:
    """Which of these solutions of another engine this engine rejects.

    Given a full grid as a puzzle, it must find that very grid, as in `compare`.
    """
    puzzle = source.parse()
    judge = able(engine, puzzle)
    budget = Budget(engine, timeout)

    def accepts(grid: Grid) -> bool:
        kept = all(
            given in (0, digit) for given, digit in zip(puzzle.digits, grid.digits, strict=True)
        )
        full = puzzle.with_(*grid.givens)
        return kept and budget.spend(lambda left: judge.solve(full, left)) == grid

    others = [Grid.from_rows(rows, puzzle.box) for rows in grids]
    return {"rejected": [other.to_json() for other in others if not accepts(other)]}


def count(source: Source, timeout: float, *, engine: str, limit: int) -> Answer:
    """The number of solutions, up to a limit; of those found so far if time runs out."""
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, as in `solve`
    start = perf_counter()
    stopped = None
    try:
        found = api.count(puzzle, engine, limit + 1, timeout)
        if found > limit:
            found, stopped = limit, "limit"
    except SolveTimeout as error:
        found, stopped = error.found or 0, "time"
    return {"count": found, "stopped": stopped, "seconds": perf_counter() - start}


def candidates(source: Source, timeout: float, *, engine: str) -> Answer:
    """For every cell the digits that it has in at least one solution."""
    rows = api.candidates(source.parse(), engine, timeout)
    return {"candidates": [[sorted(digits) for digits in row] for row in rows]}


# --- an engine at work ------------------------------------------------------------------------

BRIEF = 0.05
"""Seconds; one run that takes less says little about the next."""
RUNS = 5


def propagate(source: Source, timeout: float, *, engine: str) -> Answer:
    """For every cell the digits that propagation leaves; null if it finds a contradiction."""
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, as in `solve`
    start = perf_counter()
    with _seen():
        left = api.propagate(puzzle, engine, timeout)
    seconds = perf_counter() - start
    rows = left and [[sorted(digits) for digits in row] for row in left]
    return {"candidates": rows, "seconds": seconds}


def measure(source: Source, timeout: float, *, engine: str) -> Answer:
    """The work for the first solution, set-up apart from search.

    If a run is short, it is the median of five.
    """
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, as in `solve`
    budget = Budget(engine, timeout)
    runs: list[Measurement] = []
    while not runs or (len(runs) < RUNS and _seconds(runs[0]) < BRIEF):
        runs.append(budget.spend(lambda left: api.measure(puzzle, engine, left)))
    median = sorted(runs, key=_seconds)[len(runs) // 2]
    return {"solved": median.solution is not None, "runs": len(runs), **median.stats}


@contextmanager
def _seen() -> Iterator[None]:
    """The engine is here; so it is the question that is wrong if its work cannot be seen."""
    try:
        yield
    except BackendUnavailable as error:
        raise InvalidPuzzle(error.why) from None


def _seconds(run: Measurement) -> float:
    return (run.setup or 0) + (run.propagation or 0) + (run.search or 0)


def trace(source: Source, timeout: float, *, engine: str, limit: int) -> Answer:
    """The search for one solution as events, up to a limit, and how many there are.

    Those found so far if time runs out.
    """
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, as in `solve`
    events: list[Answer] = []
    number, stopped = 0, None
    with _seen():
        search = api.trace(puzzle, engine, None, timeout)
    with closing(search) as found:
        try:
            for event in found:
                if number == max(COUNTED, limit):
                    stopped = "limit"
                    break
                number += 1
                if number <= limit:
                    events.append(api.to_json(event))
        except SolveTimeout:
            stopped = "time"
    return {"events": events, "number": number, "stopped": stopped}


# --- explanations -----------------------------------------------------------------------------

MOMENT = 1.0
"""Seconds for a short reason."""


def why(source: Source, timeout: float, *, cell: str) -> Answer:
    """Why a cell has its digit: by as few houses and givens as are found in a moment."""
    puzzle = source.parse()
    start = perf_counter()
    found = explain.why(puzzle, cell, False, "house", timeout)
    left = min(MOMENT, timeout - (perf_counter() - start))
    with suppress(SolveTimeout):
        if not found.smallest and left > 0:
            found = explain.why(puzzle, cell, True, "house", left)
    # Lanes try again, with more time.
    return describe(found) | {"stopped": None if found.smallest or left == MOMENT else "time"}


def why_not(source: Source, timeout: float, *, cell: str, digit: int) -> Answer:
    """Why a digit is impossible in a cell."""
    return describe(explain.why_not(source.parse(), cell, digit, timeout=timeout))


def conflicts(source: Source, timeout: float) -> Answer:
    """Why there is no solution."""
    return describe(explain.conflicts(source.parse(), timeout=timeout))


def ambiguity(source: Source, timeout: float) -> Answer:
    """Where solutions differ."""
    return describe(explain.ambiguity(source.parse(), timeout=timeout))


def steps(
    source: Source,
    timeout: float,
    *,
    limit: int,
    removed: list[Answer],
    soon: float | None,
    taken: list[tuple[str, int]],
) -> Answer:
    """The next steps that a person would take, up to a limit; the first is a hint.

    Those so far after `soon` seconds, or if time runs out. The rating, if they solve the puzzle, is
    that of the steps `taken` before and of these.
    """
    start = perf_counter()
    found: list[techniques.Step] = []
    stopped = None
    solved = False
    try:
        puzzle = source.parse()
        gone = _placements(removed, puzzle)
        way = techniques.steps(puzzle, timeout, gone)
        for step in way:
            found.append(step)
            if len(found) == limit or (soon is not None and perf_counter() - start >= soon):
                stopped = "limit"
                break
        outcome = way.outcome()
        solved = 0 not in way.grid.digits
    except SolveTimeout as error:
        stopped, outcome = "time", f"{error}."
    rating = rating_of([*taken, *(step.weighed for step in found)])
    return {
        "steps": [describe(step) for step in found],
        "outcome": outcome,
        "stopped": None if solved else stopped,
        "rating": asdict(rating) if solved else None,
    }


def steps_to(source: Source, timeout: float, *, cell: str) -> Answer:
    """The steps that lead to the digit of a cell, each in the position after those before it.

    There are none if it is given, or not forced.
    """
    puzzle = source.parse()
    where = as_cell(cell, puzzle)
    way = techniques.steps_to(puzzle, where, timeout)
    outcome = way.outcome if way else f"No step leads to {where}: it is given, or not forced."
    found = [describe(step) for step in way or ()]
    return {"steps": found, "outcome": outcome, "stopped": None, "rating": None}


def _placements(candidates: list[Answer], puzzle: Puzzle) -> tuple[Placement, ...]:
    return placements(((each["cell"], each["digit"]) for each in candidates), puzzle)


# --- whether the digits that a person has filled in are right ---------------------------------


def check(
    source: Source, timeout: float, *, entries: list[list[int | None]], removed: list[Answer]
) -> Answer:
    """Whether the digits that a person has filled in lead to a solution, and which do not.

    clingo is asked. Nothing is called wrong that is in some solution.
    """
    puzzle = source.parse()
    gone = _placements(removed, puzzle)
    # The digits in cells without a given.
    grid = Grid.from_rows(entries, puzzle.box)
    filled = [entry for entry in grid.givens if not puzzle.grid[entry.cell]]
    asked = _Check(puzzle, filled, gone, Budget("clingo", timeout))
    stopped = None
    try:
        asked.run()
    except SolveTimeout:
        stopped = "time"
    return {
        "verdict": asked.verdict,
        "wrong": [str(entry.cell) for entry in asked.wrong],
        "clash": [str(entry.cell) for entry in asked.clash],
        "needed": [{"cell": str(each.cell), "digit": each.digit} for each in asked.needed],
        "stopped": stopped,
    }


class _Check:
    """One check; all of its questions share a time limit, and what is found before it counts."""

    def __init__(
        self,
        puzzle: Puzzle,
        filled: list[Placement],
        gone: tuple[Placement, ...],
        budget: Budget,
    ) -> None:
        self._puzzle = puzzle
        self._filled = filled
        self._gone = gone
        self._budget = budget
        self.verdict = "unknown"
        self.wrong: list[Placement] = []
        self.clash: list[Placement] = []
        self.needed: list[Placement] = []

    def run(self) -> None:
        """Find out as much as can be; SolveTimeout if that takes too long."""
        if self._stand(self._filled):
            whole = 0 not in self._puzzle.with_(*self._filled).digits
            self.verdict = "solved" if whole else "right"
            if self._gone:
                # The candidates that are gone, though every solution has them.
                possible = self._possible()
                self.needed = [each for each in self._gone if possible[each.cell] == {each.digit}]
            return
        self.verdict = "impossible"
        number = self._budget.spend(lambda left: api.count(self._puzzle, "clingo", 2, left))
        self.verdict = ("none", "wrong", "several")[number]
        if number:
            possible = self._possible()
            self.wrong = [
                entry for entry in self._filled if entry.digit not in possible[entry.cell]
            ]
            self.clash = [] if self.wrong else self._least_clash()

    def _stand(self, entries: list[Placement]) -> bool:
        """True if some solution has all of these."""
        whole = self._puzzle.with_(*entries)
        return self._budget.spend(lambda left: api.solve(whole, "clingo", left)) is not None

    def _possible(self) -> dict[Cell, frozenset[int] | set[int]]:
        """For each cell the digits that it has in some solution."""
        rows = self._budget.spend(lambda left: api.candidates(self._puzzle, "clingo", left))
        digits = (digits for row in rows for digits in row)
        return dict(zip(self._puzzle.cells, digits, strict=True))

    def _least_clash(self) -> list[Placement]:
        """Entries that no solution has together, none of which is redundant."""
        kept = self._filled
        for entry in self._filled:
            fewer = [other for other in kept if other != entry]
            if not self._stand(fewer):
                kept = fewer
        return kept


# --- the programs that run on a puzzle, and changed ones in the grader's processes -------------

MAIN = {"clingo": "main.lp", "prolog": "main.pl"}
"""The file that loads the others and has the puzzle."""
_PLACE = re.compile(r"(?:^|[\s:])([\w/]+\.(?:lp|pl)):(\d+)(?::(\d+))?")


def programs(source: Source, _timeout: float) -> Answer:
    """Every program that comes with the package, the shortest first.

    Each has its files, and whether it can solve the puzzle, or why not.
    """
    puzzle = as_puzzle(source.parse())
    found = sorted(all_programs(), key=lambda program: (program.engine, _length(program)))
    return {"programs": [_shown(program, puzzle) for program in found]}


def _shown(program: Program, puzzle: Grid | Puzzle) -> Answer:
    text = texts.program_text(program, puzzle)
    suits: bool | str = True
    try:
        able(program.name, puzzle)
    except BackendFailure as error:
        suits = f"{str(error).partition(';')[0]}."
    return {
        "name": program.name,
        "engine": program.engine,
        "title": program.title,
        "teaches": program.teaches,
        "files": [{"name": name, "text": text} for name, text in text.files.items()],
        "suits": suits,
    }


@cache
def _length(program: Program) -> int:
    """The lines of code that solve a plain sudoku."""
    files = texts.program_text(program, Grid((0,) * 81, (3, 3))).files.values()
    code = (re.sub(r"/\*.*?\*/|%[^\n]*", "", text, flags=re.DOTALL) for text in files)
    return sum(1 for text in code for line in text.splitlines() if line.strip())


def run(
    source: Source, timeout: float, *, engine: str, files: Mapping[str, str], place: str
) -> Answer:
    """What a program with these changed files answers, compared with the solutions of clingo.

    It runs like a program that is graded: in a process of its own, with limits on time and memory.
    The folder `place` holds its files while it runs.
    """
    question = as_puzzle(source.parse())
    start = perf_counter()
    reference = _reference(question, timeout / 2)
    with TemporaryDirectory(dir=place) as name:
        folder = Path(name).resolve()
        program = _write_program(question, engine, files, folder)
        program.check()
        instance = Instance("puzzle", folder / "puzzle.lp", question.format("facts"), question)
        limits = Limits(max(0.01, timeout - (perf_counter() - start)), MEMORY, place)
        most = ANSWERS + (reference.complete and len(reference.solutions) == ANSWERS)
        wrong = partial(is_wrong, reference=reference)
        ran = program.run(instance, question, most, limits, wrong)
        verdict = judge("puzzle", ran, reference)
        found = None
        if reference.source:
            left = replace(limits, seconds=max(0.01, timeout - (perf_counter() - start)))
            found = reason(program, instance, ran, verdict, reference, left)
        diagnosis = found and _as_page(found, folder)
    message = verdict.message.replace(f"{folder}/", "")  # the files as the page names them
    timed_out = (
        not reference.source
        or (ran.stopped is not None and ran.seconds >= limits.seconds)
        or (found is not None and found.kind == "stopped")
    )
    return {
        "outcome": verdict.outcome.value,
        "text": _summarize(verdict, reference),
        "message": message,
        "answers": verdict.answers,
        "missing": verdict.missing,
        "wrong": verdict.extra,
        "duplicates": max(0, ran.found - verdict.answers),
        "grids": [answer.grid.to_json() for answer in ran.answers],
        "missing_grid": verdict.missing_grid and verdict.missing_grid.to_json(),
        "wrong_grid": verdict.extra_grid and verdict.extra_grid.to_json(),
        "places": _places(message),
        "diagnosis": diagnosis,
        "seconds": ran.seconds,
        # Lanes try again, with more time, what stopped for lack of it.
        "stopped": "time" if timed_out else None,
    }


def _reference(puzzle: Grid | Puzzle, timeout: float) -> Reference:
    """The solutions that clingo finds; its source is empty if its time ran out."""
    found: list[Grid] = []
    source = "clingo"
    try:
        for solution in api.solutions(puzzle, "clingo", ANSWERS + 1, timeout):
            found.append(solution)
    except SolveTimeout:
        source = ""
    complete = bool(source) and len(found) <= ANSWERS
    return Reference(puzzle, frozenset(found[:ANSWERS]), complete, source)


def _write_program(
    puzzle: Grid | Puzzle, engine: str, changed: Mapping[str, str], folder: Path
) -> Submission:
    """The program in this folder: our files with those that are changed, and a main file."""
    if engine.partition(":")[0] not in MAIN:
        raise InvalidPuzzle(f"{engine} has no program to change; choose clingo or prolog")
    able(engine, puzzle)
    chosen = program_named(engine)
    text = texts.program_text(chosen, puzzle)
    if strange := sorted(changed.keys() - text.files.keys()):
        raise InvalidPuzzle(f"there is no file {strange[0]}; expected {', '.join(text.files)}")
    name, *others = text.files
    if chosen.engine == "clingo":
        sections = [name, *(other for other in others if other.startswith("rules/"))]
        main = "".join(f'#include "{section}".\n' for section in sections)
        program: Submission = AspProgram(
            folder / MAIN[chosen.engine], Vocabulary(*vocabulary(chosen)), _constants(text.puzzle)
        )
    else:
        shutil.copytree(resource("prolog"), folder, dirs_exist_ok=True)
        main = f":- use_module('{name}').\n\n{text.puzzle}"
        words = VOCABULARIES["initial"]
        program = PrologProgram(folder / MAIN[chosen.engine], words, "solution")
    for file, content in {**text.files, **changed, MAIN[chosen.engine]: main}.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    return program


def _constants(facts: str) -> tuple[str, ...]:
    """The size that a program takes as a constant, if the facts give one."""
    return tuple(re.findall(r"subgrid_size=\d+", facts))


def _as_page(diagnosis: Diagnosis, folder: Path) -> Answer:
    """Why a program fails; its files are named as on the page, and the main file is left out."""
    files = {path.name: str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    found = diagnosis.to_json()
    found["summary"] = found["summary"].replace(f"{folder}/", "")
    found["places"] = [
        {**each, "file": files.get(each["file"], each["file"])}
        for each in found["places"]
        if each["file"] not in MAIN.values()
    ]
    return found


def _places(message: str) -> list[dict[str, Any]]:
    """The lines that the message is about, each once."""
    found = {(name, int(line)): None for name, line, _ in _PLACE.findall(message)}
    return [{"file": name, "line": line} for name, line in found if name not in MAIN.values()]


def _summarize(verdict: Verdict, reference: Reference) -> str:
    """The verdict in sentences."""
    if verdict.outcome == "error":
        return "The program does not run to its end."
    if verdict.outcome == "timeout":
        found = counted(verdict.answers, "answer") if verdict.answers else "no answer"
        return f"Its time ran out; it gave {found} until then."
    parts = []
    if verdict.extra:
        broken = f": {verdict.rule}" if verdict.rule else ""
        are = "is not a solution" if verdict.extra == 1 else "are not solutions"
        parts.append(f"{counted(verdict.extra, 'answer')} {are}{broken}.")
    if verdict.missing:
        are = "is" if verdict.missing == 1 else "are"
        number = counted(verdict.missing, "solution")
        parts.append(f"{number} that clingo finds {are} missing.")
    return " ".join(parts) or _right(verdict, reference)


def _right(verdict: Verdict, reference: Reference) -> str:
    number = verdict.answers
    if not (verdict.exhausted and reference.complete):
        return f"No mistake in {counted(number, 'answer')}; the comparison ends there."
    if not number:
        return "It agrees with clingo: there is no solution."
    if number == 1:
        return "It agrees with clingo: both find the only solution."
    return f"It agrees with clingo: both find the same {number} solutions."
