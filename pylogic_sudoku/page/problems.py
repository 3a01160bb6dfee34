"""Questions of the page about any problem: a bundled one, or two programs of your own.

An instance is facts as text, and an atom is its text, such as ``queen(1,5)``. The programs of the
box answer as those of sudoku do. A text in the place of one is a stranger's program, and runs as
the grader runs it. Otherwise these are questions like those of `questions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from .. import questions as api
from ..check.problems import Posed, ProblemProgram
from ..check.trial import Trial, Watched, failure, trial
from ..engines import describe, engine_for
from ..engines.base import ProblemEngine
from ..errors import InvalidProblem, Message, SolveTimeout, choice
from ..problem import Answer as Atoms
from ..problem import Instance, Signature
from ..problem.atoms import from_symbol
from ..problem.facts import read_facts
from ..problem.folder import Declared, Problem, bundled, declared, read_instance
from ..questions.comparison import answer_of
from ..reasons.refusal import refusal
from ..running import notices
from . import COUNTED, EVENTS, MEMORY, SANDBOX, SOLUTIONS
from .questions import UNSAID, places_of, watched
from .schema import Answer

OWN = {"clingo": "mine.lp", "prolog": "mine.pl"}
"""The engines, and the files of your own programs for them."""
Name = Annotated[str, Field(max_length=100)]


class AnswerObject(BaseModel):
    """An answer: its atoms, and what it costs if something is minimized."""

    atoms: list[str] = Field(examples=[["queen(1,2)", "queen(2,4)"]])
    cost: list[int] = []


def problems(_timeout: float) -> Answer:
    """The `problems` that come with the package.

    Each has a name, a title, its `programs` with the name of the backend, the file, its text and
    what it teaches, its `instances` with their texts, and the predicates of its `outputs` and
    `inputs`, such as "queen/2".
    """
    return {"problems": [_shown(each) for each in bundled()]}


def _shown(problem: Problem) -> Answer:
    programs = [
        {
            "name": name,
            "engine": name.partition(":")[0],
            "file": path.name,
            "text": path.read_text(encoding="utf-8"),
            "teaches": describe(name, path).teaches,
        }
        for name, path in _programs(problem).items()
    ]
    folder = problem.folder / "instances"
    texts = {name: (folder / f"{name}.lp").read_text("utf-8") for name in problem.instances}
    instances = [{"name": name, "text": text} for name, text in texts.items()]
    return {
        "name": problem.name,
        "title": problem.title,
        "programs": programs,
        "instances": instances,
        "outputs": _texts(problem.outputs),
        "inputs": _texts(problem.inputs),
    }


def _texts(signatures: frozenset[Signature]) -> list[str]:
    return [f"{name}/{arity}" for name, arity in sorted(signatures)]


def _programs(problem: Problem) -> dict[str, Path]:
    """The programs for clingo and for Prolog, by name."""
    return {name: path for name, path in problem.paths.items() if name.partition(":")[0] in OWN}


def problem_facts(_timeout: float, *, instance: str = "") -> Answer:
    """The `facts` of an instance, which both programs get; each is an atom as text."""
    return {"facts": [fact.text for fact in read_facts(instance, "instance").facts]}


def problem_answers(
    timeout: float,
    *,
    problem: Name = "",
    instance: str = "",
    engine: Name = "clingo",
    texts: Mapping[str, str] = {},
    limit: Annotated[int, Field(ge=1, le=SOLUTIONS)] = SOLUTIONS,
    place: str,
) -> Answer:
    """Different `answers` of a program to an instance, the best if it has costs, up to a limit.

    `problem` is a bundled one, and `engine` the name of one of its programs. `texts` has, by such
    names, those that are changed; without a problem, it has both programs, and ``#show`` in that
    for clingo says what answers consist of.

    There may be more if it `stopped` at the "limit", or because of "time"; these are all if that is
    null. An `error` of a changed program has its `messages`, with the fields of those of a request
    that is refused, and their `places`.
    """
    if engine not in texts:
        question = _question(problem, instance, engine)
        # One more than requested shows whether these are all.
        result = answer_of(question.engine, question.instance, limit + 1, timeout)
        stopped = None if result.complete else "time" if result.timed_out else "limit"
        answers = _listed(result.solutions, limit)
        whole: Answer = {"stopped": stopped, "seconds": result.seconds, "error": None}
        return {"answers": answers, **whole, "messages": [], "places": []}
    start = perf_counter()
    with _tried(problem, instance, engine, texts, place) as tried:
        seconds_left = max(0.01, timeout - (perf_counter() - start))
        ran = tried.trial.run(tried.program, tried.posed, limit + 1, seconds_left)
        notices.report(ran.warnings)
        messages = list(map(_curable, ran.messages))
        messages += [Message(str(each.fault)) for each in ran.answers if each.fault][:1]
        error = failure(ran) or next(map(str, messages), None)
        timed_out = ran.stopped == "timeout"
        stopped = "time" if timed_out else None if ran.exhausted or ran.stopped else "limit"
        return {
            "answers": _listed((each.value for each in ran.answers), limit),
            "stopped": stopped,
            "seconds": ran.seconds,
            "error": None if timed_out else error,
            "messages": [] if timed_out else [each.to_json() for each in messages],
            "places": places_of(messages),
        }


def _listed(answers: Iterable[Atoms], limit: int) -> list[Answer]:
    """The answers in an order of their own, the smallest first."""
    first = sorted(answers, key=lambda answer: (len(answer), sorted(answer)))
    return [
        {"atoms": list(map(str, sorted(each))), "cost": list(each.cost)}
        for each in islice(first, limit)
    ]


def problem_confirm(
    timeout: float,
    *,
    problem: Name,
    instance: str = "",
    engine: Name = "clingo",
    answers: Annotated[list[AnswerObject], Field(max_length=SOLUTIONS)],
) -> Answer:
    """The answers of another program that a bundled program rejects, as `rejected`."""
    question = _question(problem, instance, engine)
    others = {_atoms(each): each for each in answers}
    rejected = question.engine.rejected(question.instance, others, timeout)
    return {"rejected": [others[each].model_dump() for each in others if each in rejected]}


def problem_refusal(
    timeout: float,
    *,
    problem: Name = "",
    instance: str = "",
    engine: Name = "clingo",
    texts: Mapping[str, str] = {},
    answer: AnswerObject,
    place: str,
) -> Answer:
    """Why a program does not have an answer that another one has.

    `text` says it, `says` is the same without its subject, the engine, and `places` are the lines
    to blame, the most likely first, with their text.
    """
    if engine not in texts:
        question = _question(problem, instance, engine)
        reason = refusal(question.instance, _atoms(answer), question.engine, timeout)
        places = [each.to_json() for each in reason.lines]
        says: Answer = {"text": str(reason), "says": reason.says}
        return {**says, "places": places, "stopped": None}
    start = perf_counter()
    with _tried(problem, instance, engine, texts, place) as tried:
        seconds_left = max(0.01, timeout - (perf_counter() - start))
        why = tried.trial.why(tried.program, tried.posed, _atoms(answer), seconds_left)
        words = f"refuses it: {why.reason or why.summary or 'it is not known why'}"
        return {
            "text": f"{engine} {words}",
            "says": words,
            "places": [{"file": p.file, "line": p.line, "text": p.text} for p in why.places],
            "stopped": "time" if why.kind == "stopped" else None,
        }


def problem_propagate(
    timeout: float,
    *,
    problem: Name = "",
    instance: str = "",
    engine: Name = "clingo",
    texts: Mapping[str, str] = {},
    place: str,
) -> Answer:
    """The `atoms` that a program has left before it guesses; null if it finds a contradiction.

    Those of them that are `certain` are known to be in every answer.
    """
    start = perf_counter()
    if engine not in texts:
        question = _question(problem, instance, engine)
        start = perf_counter()
        remaining = api.propagate(question.instance, question.engine, timeout)
        atoms, certain = (None, None) if remaining is None else remaining.texts()
    else:
        with _tried(problem, instance, engine, texts, place) as tried:
            known = tried.trial.knows(tried.program, tried.posed, timeout)
            _checked_search(known, tried.program, timeout)
            notices.report(known.warnings)
            atoms, certain = known.atoms, known.certain
    return {"atoms": atoms, "certain": certain, "seconds": perf_counter() - start}


def problem_trace(
    timeout: float,
    *,
    problem: Name = "",
    instance: str = "",
    engine: Name = "clingo",
    texts: Mapping[str, str] = {},
    limit: Annotated[int, Field(ge=1, le=EVENTS)] = EVENTS,
    place: str,
) -> Answer:
    """The search of a program for one answer, as `events`; they are those of `trace`.

    Instead of placements there are atoms.
    """
    if engine not in texts:
        question = _question(problem, instance, engine)
        return watched(api.trace(question.instance, question.engine, None, timeout), limit)
    with _tried(problem, instance, engine, texts, place) as tried:
        most = max(COUNTED, limit)
        search = tried.trial.search(tried.program, tried.posed, limit, most, timeout)
        if not search.events:
            _checked_search(search, tried.program, timeout)
        notices.report(search.warnings)
        events = [UNSAID | event for event in search.events]
        return {"events": events, "number": search.number, "stopped": search.stopped}


def _curable(message: Message) -> Message:
    """The message with a cure that the page has: it shows no problem.toml."""
    cure = "name it by #defined in the program for clingo"
    return message._replace(cure=message.cure.replace("name it under input in problem.toml", cure))


def _checked_search(search: Watched, program: ProblemProgram, timeout: float) -> Watched:
    """The same, unless there is nothing to see."""
    if search.messages:
        messages = list(map(_curable, search.messages))
        error = InvalidProblem("\n".join(map(str, messages)))
        error.messages = messages
        raise error
    if search.stopped == "time":
        raise SolveTimeout(program.path.name, timeout)
    return search


# --- a bundled program ---------------------------------------------------------------------------


class _Question(NamedTuple):
    """An instance, and the engine with a program of its problem."""

    instance: Instance
    engine: ProblemEngine


def _question(problem: str, instance: str, engine: str) -> _Question:
    """The engine has started, which does not count as time of the question."""
    known = _known(problem)
    _file_of(known, engine)
    question = read_instance(known, instance, "instance")
    engine_for(engine, question).version()
    return _Question(question, engine_for(engine, question))


def _known(name: str) -> Problem:
    """The bundled problem; no folder of this machine is one for those who reach the server."""
    problems = {each.name: each for each in bundled()}
    if name not in problems:
        raise InvalidProblem(f"there is no problem {name!r}; {choice(name, problems)}")
    return problems[name]


def _file_of(problem: Problem, engine: str) -> str:
    """The name of the file of a program; no other file is one, either."""
    programs = _programs(problem)
    if engine not in programs:
        known = ", ".join(programs)
        raise InvalidProblem(f"{problem.name} has no program {engine!r}; there is {known}")
    return programs[engine].name


def _atoms(answer: AnswerObject) -> Atoms:
    """The answer; clingo reads its atoms, so none of them is a piece of a program."""
    import clingo

    symbols = []
    for text in answer.atoms:
        try:
            symbols.append(from_symbol(clingo.parse_term(text, logger=lambda *_: None)))
        except (RuntimeError, ValueError, UnicodeError):
            raise InvalidProblem(f"{text!r} is not an atom; expected queen(1,5)") from None
    return Atoms(symbols, answer.cost)


# --- a changed program, or your own -------------------------------------------------------------


class _Tried(NamedTuple):
    """A program, and the instance that it is tried on."""

    trial: Trial
    program: ProblemProgram
    posed: Posed


@contextmanager
def _tried(
    problem: str, instance: str, engine: str, texts: Mapping[str, str], place: str
) -> Iterator[_Tried]:
    known = _known(problem) if problem else None
    if known:
        file, outputs, inputs = _file_of(known, engine), known.outputs, known.inputs
    else:
        if engine not in OWN:
            raise InvalidProblem(f"there is no engine {engine!r}; {choice(engine, OWN)}")
        file = OWN[engine]
        declarations = _declared(texts, engine, place)
        outputs, inputs = declarations.shown, declarations.inputs
    with trial(known, outputs, inputs, SANDBOX, place, MEMORY) as opened:
        facts = read_instance(opened.problem, instance, "instance")
        program = opened.program(texts[engine], file)
        yield _Tried(opened, program, Posed(facts, outputs))


def _declared(texts: Mapping[str, str], engine: str, place: str) -> Declared:
    """The declarations of your own program for clingo; InvalidProblem if it declares no output."""
    with TemporaryDirectory(prefix="pylogic-sudoku-", dir=place) as folder:
        path = Path(folder) / OWN["clingo"]
        path.write_text(texts.get("clingo", ""), encoding="utf-8")
        declarations = declared(path)
    readable = declarations.heads is not None
    # If clingo cannot read the program, it reports the error itself.
    if not declarations.shown and (readable or engine != "clingo"):
        why = "" if readable else ", which has an error"
        raise InvalidProblem(
            "nothing says what answers consist of; expected #show with a predicate in the program"
            f" for clingo{why}, such as #show queen/2."
        )
    return declarations
