"""The questions of the page: plain functions, each with its answer as JSON.

They run in processes of their own (see `Lanes`), so arguments and answers are pickled. A question
gets its subject, the time limit in seconds, and by name the fields of the request. The subject is
the program that is `asked` about a puzzle or an instance, or a puzzle alone, or nothing. In the
answers, cells are named ``r1c1`` and grids are rows with None for an empty cell.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any, Literal, NamedTuple, cast

from pydantic import AliasChoices, Field

from .. import explain, formats, making, techniques
from .. import questions as api
from ..check.cases import VOCABULARIES, Case, Vocabulary
from ..check.diagnosis import Diagnosis
from ..check.grading import reason, run_and_judge
from ..check.programs import Output
from ..check.sudoku import AspProgram, PrologProgram, Solutions, SudokuProgram, solve_reference
from ..check.verdict import Verdict
from ..engines import Program, engine_for, program_named
from ..engines import programs as all_programs
from ..engines.sudoku import backends, texts
from ..engines.sudoku.puzzles import vocabulary
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    InvalidPuzzle,
    Message,
    NotGenerated,
    SolveTimeout,
)
from ..files import resource
from ..formats import as_puzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Placement
from ..rules.demands import as_cell
from ..running import notices
from ..running.process import Limits
from ..running.sandbox import sandbox
from ..techniques.table import Level
from ..techniques.way import rating_of
from . import ANSWERS, EVENTS, MEMORY, PUZZLES, SANDBOX, SOLUTIONS, STEPS, schema
from .asked import Asked, PuzzleSource, Source, started
from .board import describe, parse
from .endless import must_end
from .plain import MAIN, plain, plain_message
from .schema import Answer

FIRST = ("clingo", "prolog", "prolog:classic")
"""The programs that the page shows first, with which a process begins."""
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
"""A puzzle that all of them solve at once."""


def ask_about(
    question: Callable[..., Answer],
    source: Source,
    engine: str,
    place: str,
    arguments: dict[str, Any],
    timeout: float,
) -> Answer:
    """The answer of a program to a question, with its arguments by name."""
    with source.put_to(engine, place) as asked:
        return question(asked, timeout, **arguments)


def ask_about_puzzle(
    question: Callable[..., Answer], source: PuzzleSource, arguments: dict[str, Any], timeout: float
) -> Answer:
    """The answer to a question that only puzzles have."""
    puzzle = source.read()
    if engine := arguments.get("engine"):
        started(engine, puzzle)
    return question(puzzle, timeout, **arguments)


def start() -> None:
    """Start every engine that is here, and load the programs that the page shows first.

    So the first question waits for neither, and its time has neither.
    """
    engines(0)
    for engine in FIRST:
        with suppress(BackendUnavailable):
            api.solve(EASY, engine)


def engines(_timeout: float) -> list[Answer]:
    """Every engine, and why one cannot be used."""
    return [info._asdict() for info in backends()]


def read(
    _timeout: float, *, text: str, format: schema.Readable | None = None, box: Box | None = None
) -> Answer:
    """The `puzzles` of a text in any format; the first ones, and `more` is true, if it has many."""
    try:
        puzzles = [parse(text, format, box)]
        more = False
    except InvalidPuzzle as error:
        try:
            with closing(formats.split(text, box, format)) as pieces:  # type: ignore[type-var]
                texts = [piece for _, piece in islice(pieces, PUZZLES + 1)]
        except InvalidPuzzle:
            raise error from None
        if len(texts) < 2:
            raise
        puzzles = [parse(piece, format, box) for piece in texts[:PUZZLES]]
        more = len(texts) > PUZZLES
    return {"puzzles": [puzzle.to_json() for puzzle in puzzles], "more": more}


def write(puzzle: Puzzle, _timeout: float, *, format: schema.Format = schema.LINE) -> Answer:
    """A puzzle as `text` in a format, and whether reading the text gives the `same` puzzle.

    A comment in it gives the box shape or the format if that would be unclear.
    """
    # Only json has a title; in other formats a plain puzzle is what its grid is.
    text, same = formats.write_and_check(puzzle if format == "json" else as_puzzle(puzzle), format)
    return {"text": text, "same": same}


def generate(timeout: float, *, level: schema.Level = schema.EASY) -> Answer:
    """A new 9x9 `puzzle` of a level, with one solution."""
    start = perf_counter()
    try:
        (new_puzzle,) = making.generate(level=cast(Level, str(level)), timeout=timeout)
    except NotGenerated:
        if perf_counter() - start < timeout:
            raise
        # Lanes try again, with more time.
        raise SolveTimeout("the search for a new puzzle", timeout) from None
    return {"puzzle": Puzzle.parse(str(new_puzzle)).to_json()}


# --- questions to the program `asked` ----------------------------------------------------------


def solve(
    asked: Asked, timeout: float, *, limit: Annotated[int, Field(ge=1, le=SOLUTIONS)] = 1
) -> Answer:
    """Distinct `solutions`, up to a limit.

    Those of a puzzle are rows, in no particular order. Those of an instance are sets of `atoms`
    with their `cost`, the smallest first; if there are costs, only the best.

    There may be more if it `stopped` at the "limit", or because of "time"; these are all if that
    is null. The engine searched for `seconds` in all, and found the first solution after `first`
    seconds; null if there is none, or it is not known.
    """
    found = asked.solve(limit, timeout)
    return {
        "solutions": asked.source.answers(found.answers, limit),
        "stopped": found.stopped,
        "seconds": found.seconds,
        "first": found.first,
    }


def confirm(
    asked: Asked,
    timeout: float,
    *,
    solutions: Annotated[
        list[schema.Rows | schema.AtomSet],
        Field(max_length=SOLUTIONS, validation_alias=AliasChoices("solutions", "grids")),
    ],
) -> Answer:
    """Return the solutions of another engine that this one `rejected`.

    Given a full grid as a puzzle, it must find that very grid, as in `compare`; of an instance, it
    must have the answer.
    """
    return {"rejected": asked.ours().rejected(solutions, timeout)}


def refusal(asked: Asked, timeout: float, *, answer: schema.AtomSet) -> Answer:
    """Why a program does not have an `answer` to an instance that another one has.

    `text` says it, `says` is the same without its subject, the engine, and `places` are the lines
    to blame, the most likely first, with their text.
    """
    return asked.refusal(answer, timeout)


def blame(asked: Asked, timeout: float) -> Answer:
    """The `diagnosis` of a changed program of a problem: why it is not right, and at which lines.

    It has a `summary`, as the grader words it, and `places`, each a file and a line. It is null if
    the program is right, or if nothing more is known; it may have `stopped` for "time".
    """
    return asked.blame(timeout)


def count(
    asked: Asked, timeout: float, *, limit: Annotated[int, Field(ge=1, le=10**9)] = 2
) -> Answer:
    """The `count` of solutions, up to a limit; of those found so far if it `stopped` for "time"."""
    ours = asked.ours()
    start = perf_counter()
    stopped = None
    try:
        number = api.count(ours.question, ours.engine, limit + 1, timeout)
        if number > limit:
            number, stopped = limit, "limit"
    except SolveTimeout as error:
        number, stopped = error.found or 0, "time"
    return {"count": number, "stopped": stopped, "seconds": perf_counter() - start}


def candidates(asked: Asked, timeout: float) -> Answer:
    """The `candidates`: for every cell the digits that it has in at least one solution.

    Of an instance, the atoms of all answers.
    """
    ours = asked.ours()
    known = api.candidates(ours.question, ours.engine, timeout)
    return {"candidates": ours.source.candidates(known)}


def candidate_counts(
    asked: Asked, timeout: float, *, limit: Annotated[int, Field(ge=1, le=SOLUTIONS)] = api.COUNTED
) -> Answer:
    """The `counts`: for each candidate, the number of solutions that have it, up to a limit.

    A candidate is a cell and a digit, or an atom.
    """
    ours = asked.ours()
    by_candidate = api.candidate_counts(ours.question, ours.engine, limit, timeout)
    counts = [
        {**ours.source.candidate(each), "count": number} for each, number in by_candidate.items()
    ]
    return {"counts": counts, "limit": limit}


def propagate(asked: Asked, timeout: float) -> Answer:
    """The `candidates` that propagation leaves each cell; null if it finds a contradiction.

    Of an instance, the `atoms` that may be in an answer; the `certain` ones are known to be in
    every answer. The `seconds` are those of the set-up and of propagation, without
    the start of the engine.
    """
    start = perf_counter()
    return {**asked.propagate(timeout), "seconds": perf_counter() - start}


def measure(asked: Asked, timeout: float) -> Answer:
    """The work for the first solution, and whether it `solved` the puzzle or the instance.

    The `seconds` of all, with those of `setup`, `propagation` and `search`, and the numbers of
    `choices`, `conflicts` and `inferences`; null if the engine does not say. The program is ground
    or posted anew.
    """
    ours = asked.ours()
    start = perf_counter()
    measured: NamedTuple = api.measure(ours.question, ours.engine, timeout)
    seconds = perf_counter() - start
    work = measured._asdict()
    return {"solved": work.pop("solution") is not None, "seconds": seconds, **work}


def trace(
    asked: Asked, timeout: float, *, limit: Annotated[int, Field(ge=1, le=EVENTS)] = EVENTS
) -> Answer:
    """The search for one solution as `events`, up to a limit, and the `number` of all.

    An event has a kind, a level (how many choices are open; after `back`, all above are undone),
    and what it `placed` and `excluded`: placements, each a row, a column and a digit, or atoms.
    There are more if it `stopped` for "time", or has watched more than it counts ("limit").
    """
    return asked.trace(limit, timeout)


# --- explanations -----------------------------------------------------------------------------

MOMENT = 1.0
"""Seconds for a short reason."""


def why(puzzle: Puzzle, timeout: float, *, cell: schema.CellName) -> Answer:
    """Why a cell has its digit: by as few houses and givens as are found in a moment."""
    start = perf_counter()
    explanation = explain.why(puzzle, cell, False, "house", timeout)
    seconds_left = min(MOMENT, timeout - (perf_counter() - start))
    with suppress(SolveTimeout):
        if not explanation.smallest and seconds_left > 0:
            explanation = explain.why(puzzle, cell, True, "house", seconds_left)
    answer = describe(explanation)
    # Lanes try again, with more time.
    return answer | {"stopped": None if explanation.smallest or seconds_left == MOMENT else "time"}


def why_not(
    puzzle: Puzzle, timeout: float, *, cell: schema.CellName, digit: schema.Digit
) -> Answer:
    """Why a digit is impossible in a cell."""
    return describe(explain.why_not(puzzle, cell, digit, timeout=timeout))


def conflicts(puzzle: Puzzle, timeout: float) -> Answer:
    """Why there is no solution."""
    return describe(explain.conflicts(puzzle, timeout=timeout))


def ambiguity(puzzle: Puzzle, timeout: float) -> Answer:
    """Where solutions differ."""
    return describe(explain.ambiguity(puzzle, timeout=timeout))


def redundant(puzzle: Puzzle, timeout: float) -> Answer:
    """The givens, marks and rules that are not needed, or where several solutions differ.

    The answer has a puzzle in which nothing is redundant, too.
    """
    return describe(explain.redundant(puzzle, True, timeout))


def steps(
    puzzle: Puzzle,
    timeout: float,
    *,
    limit: Annotated[int, Field(ge=1, le=STEPS)] = 1,
    soon: schema.Soon = None,
    taken: schema.Taken = (),
    removed: schema.Removed = (),
) -> Answer:
    """The next `steps` that a person would take, up to a limit, and their `outcome` in a sentence.

    Each is an explanation, and the first is a hint. It `stopped` after `soon` seconds, if there
    was a step by then, or for "time". No step removes a candidate that is `removed` before. The
    `rating`, if they solve the puzzle, is that of the steps `taken` before, each a technique and
    its weight, and of these.
    """
    start = perf_counter()
    next_steps: list[techniques.Step] = []
    stopped = None
    solved = False
    try:
        excluded = tuple(Placement(*as_cell(each.cell, puzzle), each.digit) for each in removed)
        way = techniques.steps(puzzle, timeout, excluded)
        for step in way:
            next_steps.append(step)
            if len(next_steps) == limit or (soon is not None and perf_counter() - start >= soon):
                stopped = "limit"
                break
        outcome = way.outcome()
        solved = 0 not in way.grid.digits
    except SolveTimeout as error:
        stopped, outcome = "time", f"{error}."
    rating = rating_of([*taken, *(step.weighed for step in next_steps)]) if solved else None
    return {
        "steps": [describe(step) for step in next_steps],
        "outcome": outcome,
        "stopped": None if solved else stopped,
        "rating": asdict(rating) if rating else None,
    }


def steps_to(puzzle: Puzzle, timeout: float, *, cell: schema.CellName) -> Answer:
    """The `steps` that lead to the digit of a cell, each in the position after those before it.

    There are none if it is given, or not forced. If it `stopped` for "time", they are those that
    were found until then, whether the digit needs them or not.
    """
    where = as_cell(cell, puzzle)
    path: Sequence[techniques.Step]
    stopped = None
    try:
        way = techniques.steps_to(puzzle, where, timeout)
        path = way or ()
        outcome = way.outcome if way else f"No step leads to {where}: it is given, or not forced."
    except SolveTimeout as error:
        if not error.steps:
            raise
        path, outcome, stopped = error.steps, f"{error}.", "time"
    steps = [describe(step) for step in path[:STEPS]]
    return {"steps": steps, "outcome": outcome, "stopped": stopped, "rating": None}


# --- the programs that run on a puzzle, and changed ones in the grader's processes -------------


def programs(puzzle: Puzzle, _timeout: float) -> Answer:
    """All `programs` that come with the package, the shortest first.

    Each has a name, to be passed as `engine`, and its files, the most important first. `suits` is
    true if it can solve the puzzle, and otherwise a sentence that says why not.
    """
    ordered = sorted(all_programs(), key=lambda program: (program.engine, _length(program)))
    return {"programs": [_shown(program, as_puzzle(puzzle)) for program in ordered]}


def _shown(program: Program, puzzle: Grid | Puzzle) -> Answer:
    text = texts.program_text(program, puzzle)
    suits: bool | str = True
    try:
        engine_for(program.name, puzzle)
    except BackendFailure as error:
        suits = f"{error.messages[0].text}." if error.messages else str(error)
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
    puzzle: Puzzle,
    timeout: float,
    *,
    engine: schema.EngineName = "clingo",
    files: Mapping[str, str] = {},
    soon: bool = False,
    place: str,
) -> Answer:
    """Run a program with changed files, and compare its answers with the solutions of clingo.

    `files` are the texts of those that differ from ours, by name. It runs like a program that is
    graded: in a process of its own, with limits on time and memory. The server's folder `place`
    holds its files while it runs.

    The `outcome` is that of a verdict, such as success. `grids` are its different answers: `wrong`
    is the number of wrong ones, the first of which is `wrong_grid`, because of a `rule`; `missing`
    is the number of solutions that it lacks, such as `missing_grid`. `message` has errors and
    warnings as text, `messages` the errors with their fields, and `places` their lines. `diagnosis`
    explains why the program is not right, if that is known; null for an answer `soon`.
    """
    end = perf_counter() + timeout
    with _judged(puzzle, timeout, engine, files, place) as judged:
        _, _, ran, verdict, _, _, _ = judged
        cause = None if soon else _diagnosis(judged, end)
        diagnosis = _as_page(cause, judged.folder) if cause else None
    missing, wrong = verdict.missing_answer, verdict.extra_answer
    notices.report(each for each in ran.warnings if each.file not in MAIN.values())
    return {
        "outcome": verdict.outcome.value,
        "rule": verdict.rule,
        "message": plain(_OUR_WARNINGS.sub("", verdict.message)).strip(),
        "messages": [plain_message(each).to_json() for each in ran.messages],
        "missing": verdict.missing,
        "wrong": verdict.extra,
        "grids": [answer.value.to_json() for answer in ran.answers],
        "missing_grid": missing.to_json() if missing else None,
        "wrong_grid": wrong.to_json() if wrong else None,
        "places": places_of(ran.messages),
        "diagnosis": diagnosis,
        "seconds": ran.seconds,
        "stopped": judged.stopped(cause),
    }


_OUR_WARNINGS = re.compile(
    rf"^Warning: (?:\S*/)?(?:{'|'.join(MAIN.values())}):.*\n?(?:^Warning:    .*\n?)*",
    re.MULTILINE,
)
"""Warnings of Prolog about the main file, which its reader does not see."""


def diagnose(
    puzzle: Puzzle,
    timeout: float,
    *,
    engine: schema.EngineName = "clingo",
    files: Mapping[str, str] = {},
    place: str,
) -> Answer:
    """The `diagnosis`: why a program with changed files is not right, and which lines are to blame.

    It is null if that is not known; it may have `stopped` for "time". The program runs as for
    `run`, which is answered sooner.
    """
    end = perf_counter() + timeout
    with _judged(puzzle, timeout / 2, engine, files, place) as judged:
        cause = _diagnosis(judged, end)
        diagnosis = _as_page(cause, judged.folder) if cause else None
    return {"diagnosis": diagnosis, "stopped": judged.stopped(cause)}


class _Judged(NamedTuple):
    """A changed program that has run, with the verdict on it."""

    program: SudokuProgram
    instance: Case
    ran: Output[Grid]
    verdict: Verdict
    reference: Solutions
    limits: Limits
    folder: Path
    """The folder of its files."""

    def stopped(self, diagnosis: Diagnosis | None) -> Literal["time"] | None:
        """Return "time" if it was too short for the solutions, the run or the diagnosis.

        Lanes ask such a question again, with more time.
        """
        late = [
            not self.reference.source,
            self.ran.stopped is not None and self.ran.seconds >= self.limits.seconds,
            diagnosis is not None and diagnosis.kind == "stopped",
        ]
        return "time" if any(late) else None


@contextmanager
def _judged(
    puzzle: Puzzle, timeout: float, engine: str, files: Mapping[str, str], place: str
) -> Iterator[_Judged]:
    """Run a program with changed files, and judge its answers."""
    question = as_puzzle(puzzle)
    start = perf_counter()
    reference = _reference(question, timeout / 2)
    with TemporaryDirectory(dir=place) as name:
        folder = Path(name).resolve()
        program = _write_program(question, engine, files, folder)
        program = replace(program, sandbox=sandbox(SANDBOX), unnamed=folder)
        program.check()
        instance = Case("puzzle", folder / "puzzle.lp", question.format("facts"), question)
        seconds = max(0.01, timeout - (perf_counter() - start))
        if isinstance(program, AspProgram):

            def run(seconds: float) -> Output[Grid]:
                return program.run(instance, question, 1, Limits(seconds, MEMORY, place))

            must_end(files, seconds, run)
        limits = Limits(max(0.01, timeout - (perf_counter() - start)), MEMORY, place)
        ran, verdict = run_and_judge(program, instance, reference, ANSWERS, limits)
        yield _Judged(program, instance, ran, verdict, reference, limits, folder)


def _diagnosis(judged: _Judged, end: float) -> Diagnosis | None:
    """The diagnosis of a wrong program, as far as it is known by then."""
    program, instance, ran, verdict, reference, limits, _ = judged
    if not reference.source:
        return None
    remaining = replace(limits, seconds=max(0.01, end - perf_counter()))
    return reason(program, instance, ran, verdict, reference, remaining)


def _reference(puzzle: Grid | Puzzle, timeout: float) -> Solutions:
    """The solutions that clingo finds; none, without a source, if its time runs out."""
    try:
        return solve_reference(puzzle, ["clingo"], ANSWERS, timeout)
    except SolveTimeout:
        return Solutions(puzzle, frozenset(), False, "")


def _write_program(
    puzzle: Grid | Puzzle, engine: str, changed: Mapping[str, str], folder: Path
) -> SudokuProgram:
    """The program in this folder: our files with those that are changed, and a main file."""
    if engine.partition(":")[0] not in MAIN:
        raise InvalidPuzzle(f"{engine} has no program to change; choose clingo or prolog")
    engine_for(engine, puzzle)
    chosen = program_named(engine)
    # The givens come with each question; in the main file they would exclude all other grids.
    text = texts.program_text(chosen, puzzle.without(*puzzle.cells))
    if strange := sorted(changed.keys() - text.files.keys()):
        raise InvalidPuzzle(f"there is no file {strange[0]}; expected {', '.join(text.files)}")
    name, *others = text.files
    if chosen.engine == "clingo":
        sections = [name, *(other for other in others if other.startswith("rules/"))]
        main = "".join(f'#include "{section}".\n' for section in sections)
        shape = re.findall(r"subgrid_size=\d+", text.puzzle)  # some take it as a constant
        words = Vocabulary(*vocabulary(chosen))
        program: SudokuProgram = AspProgram(folder / MAIN["clingo"], words, tuple(shape))
    else:
        shutil.copytree(resource("prolog"), folder, dirs_exist_ok=True)
        main = f":- use_module('{name}').\n\n{text.puzzle}"
        program = PrologProgram(folder / MAIN["prolog"], VOCABULARIES["initial"], "solution")
    for file, content in {**text.files, **changed, MAIN[chosen.engine]: main}.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    return program


def _as_page(diagnosis: Diagnosis, folder: Path) -> Answer:
    """The diagnosis of a program, with its files named as on the page."""
    files = {path.name: str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    places = ((files.get(each.file, each.file), each.line) for each in diagnosis.places)
    summary = plain(diagnosis.summary.replace(f"{folder}/", ""))
    return {"summary": summary, "places": _places(places)}


def places_of(messages: Iterable[Message]) -> list[Answer]:
    """The lines that messages are about, each once."""
    return _places((each.file, each.line) for each in messages if each.line)


def _places(lines: Iterable[tuple[str, str | int]]) -> list[Answer]:
    """These lines of files, each once, without those of the main file."""
    places = dict.fromkeys((file, int(line)) for file, line in lines)
    return [{"file": file, "line": line} for file, line in places if file not in MAIN.values()]
