"""Any problem on the page: a bundled one, or two programs of your own.

An instance is facts as text, and an atom is its text, such as ``queen(1,5)``. The programs of the
box answer as those of sudoku do. A text in the place of one is a stranger's program, and runs as
the grader runs it. `questions` has the questions to either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from ..check.cases import Case
from ..check.diagnosis import Diagnosis
from ..check.grading import reason, run_and_judge
from ..check.problem_programs import Posed, ProblemProgram
from ..check.problems import ProblemTask
from ..check.trial import Trial, Watched, failure, trial
from ..engines import describe, engine_for
from ..errors import InvalidProblem, Message, SolveTimeout, choice
from ..problem import Answer as Atoms
from ..problem import Signature
from ..problem.atoms import from_symbol
from ..problem.drawing import DRAWS, Drawing
from ..problem.facts import read_facts
from ..problem.folder import Declared, Problem, bundled, declared, read_instance
from ..running import notices
from ..running.process import Limits
from . import ANSWERS, COUNTED, MEMORY, SANDBOX
from .asked import UNSAID, Asked, Found, Ours, Source, Stopped
from .endless import must_end
from .plain import plain
from .schema import Answer, AtomSet

OWN = {"clingo": "mine.lp", "prolog": "mine.pl"}
"""The engines, and the files of your own programs for them."""
DRAW = "draw"
"""The name by which a problem's `Drawing` is asked for a picture."""


def problems(_timeout: float) -> Answer:
    """The `problems` that come with the package.

    Each has a name, a title, which is a `heading` and what it is `about`, its `programs` with the
    name of the backend, the file, its text and what it teaches, the text of the program that
    `draws` its answers, its `instances` with their texts, the name of the `first` one to show, and
    the predicates of its `outputs` and `inputs`, such as "queen/2".
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
    drawn = problem.folder / DRAWS
    texts = {name: (folder / f"{name}.lp").read_text("utf-8") for name in problem.instances}
    instances = [{"name": name, "text": text} for name, text in texts.items()]
    heading, _, about = problem.title.partition(": ")
    return {
        "name": problem.name,
        "title": problem.title,
        "heading": heading,
        "about": about,
        "programs": programs,
        "draws": drawn.read_text(encoding="utf-8") if drawn.is_file() else "",
        "instances": instances,
        "first": problem.first,
        "outputs": _texts(problem.outputs),
        "inputs": _texts(problem.inputs),
    }


def _texts(signatures: frozenset[Signature]) -> list[str]:
    return [f"{name}/{arity}" for name, arity in sorted(signatures)]


def _programs(problem: Problem) -> dict[str, Path]:
    """The programs for clingo and for Prolog, by name."""
    return {name: path for name, path in problem.paths.items() if name.partition(":")[0] in OWN}


def facts(_timeout: float, *, instance: str = "") -> Answer:
    """The `facts` of an instance, which both programs get; each is an atom as text."""
    return {"facts": [fact.text for fact in read_facts(instance, "instance").facts]}


# --- an instance, and who is asked about it -----------------------------------------------------


@dataclass(frozen=True)
class InstanceSource(Source):
    """An instance as text, the name of its problem if that is bundled, and changed programs."""

    problem: str
    instance: str
    texts: Mapping[str, str]
    """The changed programs by their names; both programs, by engine, if there is no problem."""

    @contextmanager
    def put_to(self, engine: str, place: str) -> Iterator[Asked]:
        if engine in self.texts:
            start = perf_counter()
            with _tried(self.problem, self.instance, engine, self.texts, place) as tried:
                yield Changed(self, engine, tried, start)
        else:
            known = _known(self.problem)
            if engine == DRAW:
                known, engine = Drawing(known), "clingo"
            else:
                _file_of(known, engine)
            question = read_instance(known, self.instance, "instance")
            engine_for(engine, question).version()  # starts it, which does not count as time
            yield Ours(self, question, engine_for(engine, question))

    def answers(self, found: Iterable[Atoms], limit: int) -> list[Any]:
        first = sorted(found, key=lambda answer: (len(answer), sorted(answer)))
        return [
            {"atoms": list(map(str, sorted(each))), "cost": list(each.cost)}
            for each in first[:limit]
        ]

    def answer(self, shown: Any, question: Any = None) -> Atoms:
        if not isinstance(shown, AtomSet):
            raise InvalidProblem('an answer to an instance is its atoms: {"atoms": ["queen(1,5)"]}')
        return _atoms(shown)

    def left(self, remaining: Any) -> Answer:
        atoms, certain = (None, None) if remaining is None else remaining.texts()
        return {"atoms": atoms, "certain": certain}

    def candidates(self, known: Any) -> Any:
        return list(map(str, sorted(known)))

    def candidate(self, each: Any) -> Answer:
        return {"atom": str(each)}


@dataclass(frozen=True)
class Changed(Asked):
    """A changed program, or one of your own: it runs as the grader runs a stranger's."""

    source: InstanceSource
    engine: str
    tried: _Tried
    start: float
    """The time when it was asked."""

    def ours(self) -> Ours:
        raise InvalidProblem("a changed program is not asked this; leave its text out")

    def _left(self, timeout: float) -> float:
        return max(0.01, timeout - (perf_counter() - self.start))

    def solve(self, limit: int, timeout: float) -> Found:
        trial, program, posed = self.tried
        text = {program.path.name: self.source.texts[self.engine]}
        if program.path.suffix == ".lp":
            must_end(text, self._left(timeout), lambda most: trial.run(program, posed, 1, most))
        ran = trial.run(program, posed, limit + 1, self._left(timeout))
        notices.report(ran.warnings)
        messages = [*ran.messages, *[Message(str(e.fault)) for e in ran.answers if e.fault][:1]]
        timed_out = ran.stopped == "timeout"
        if not timed_out and (error := failure(ran) or next(map(str, messages), "")):
            raise _wrong(messages, error)
        stopped: Stopped
        stopped = "time" if timed_out else None if ran.exhausted or ran.stopped else "limit"
        return Found([each.value for each in ran.answers], stopped, ran.seconds, None)

    def refusal(self, answer: Any, timeout: float) -> Answer:
        trial, program, posed = self.tried
        why = trial.why(program, posed, self.source.answer(answer), self._left(timeout))
        words = f"refuses it: {why.reason or why.summary or 'it is not known why'}"
        return {
            "text": f"{self.engine} {words}",
            "says": words,
            "places": [{"file": p.file, "line": p.line, "text": p.text} for p in why.places],
            "stopped": "time" if why.kind == "stopped" else None,
        }

    def blame(self, timeout: float) -> Answer:
        trial, program, _ = self.tried
        if not self.source.problem:
            raise InvalidProblem("nothing says what is right; name a problem of the package")
        case = Case("instance", Path("instance.lp"), self.source.instance)
        half = self._left(timeout) / 2
        reference = ProblemTask(trial.problem).solve(case, "clingo", ANSWERS, half)
        limits = Limits(self._left(timeout) / 2, MEMORY, str(trial.folder))
        ran, verdict = run_and_judge(program, case, reference, ANSWERS, limits)
        cause = reason(
            program, case, ran, verdict, reference, replace(limits, seconds=self._left(timeout))
        )
        return {
            "diagnosis": cause and _as_page(cause, program),
            "stopped": "time" if cause and cause.kind == "stopped" else None,
        }

    def propagate(self, timeout: float) -> Answer:
        trial, program, posed = self.tried
        known = _checked(trial.knows(program, posed, timeout), program, timeout)
        notices.report(known.warnings)
        return {"atoms": known.atoms, "certain": known.certain}

    def trace(self, limit: int, timeout: float) -> Answer:
        trial, program, posed = self.tried
        search = trial.search(program, posed, limit, max(COUNTED, limit), timeout)
        if not search.events:
            _checked(search, program, timeout)
        notices.report(search.warnings)
        events = [UNSAID | event for event in search.events]
        return {"events": events, "number": search.number, "stopped": search.stopped}


def _as_page(diagnosis: Diagnosis, program: ProblemProgram) -> Answer:
    """The diagnosis with its lines in the program, each once."""
    name = program.path.name
    lines = dict.fromkeys(int(each.line) for each in diagnosis.places if each.file == name)
    summary = plain(diagnosis.summary.replace(f"{program.path.parent}/", ""))
    return {"summary": summary, "places": [{"file": name, "line": line} for line in lines]}


def _checked(search: Watched, program: ProblemProgram, timeout: float) -> Watched:
    """The same, unless there is nothing to see."""
    if search.messages:
        raise _wrong(search.messages)
    if search.stopped == "time":
        raise SolveTimeout(program.path.name, timeout)
    return search


def _wrong(found: Iterable[Message], words: str = "") -> InvalidProblem:
    """The error for what is wrong with a changed program."""
    messages = list(map(_curable, found))
    error = InvalidProblem(words or "\n".join(map(str, messages)))
    error.messages = messages
    return error


def _curable(message: Message) -> Message:
    """The message with a cure that the page has: it shows no problem.toml."""
    if message.kind == "no-predicate" and message.cure:
        return message._replace(cure=_DECLARE)
    return message


_DECLARE = (
    "correct its name or its arguments, or name it by #defined in the program for clingo if"
    " instances have facts of it"
)


# --- a bundled program ---------------------------------------------------------------------------


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


def _atoms(answer: AtomSet) -> Atoms:
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
    if engine == DRAW:
        known, file, text = None, DRAWS, texts[DRAW]
        outputs, inputs, more = _picture_predicates(text, instance, place)
        text += more
    elif problem:
        known, text = _known(problem), texts[engine]
        file, outputs, inputs = _file_of(known, engine), known.outputs, known.inputs
    else:
        if engine not in OWN:
            raise InvalidProblem(f"there is no engine {engine!r}; {choice(engine, OWN)}")
        known, file, text = None, OWN[engine], texts[engine]
        outputs, inputs = _own_predicates(texts, engine, place)
    with trial(known, outputs, inputs, SANDBOX, place, MEMORY) as opened:
        facts = read_instance(opened.problem, instance, "instance")
        program = opened.program(text, file)
        yield _Tried(opened, program, Posed(facts, outputs))


def _picture_predicates(
    text: str, instance: str, place: str
) -> tuple[frozenset[Signature], frozenset[Signature], str]:
    """The outputs and inputs of a changed program for pictures, and the rules to add to it.

    A program may show what only facts state, such as the nodes of a graph; the grader wants a rule
    for each output. InvalidProblem if it shows nothing.
    """
    declarations = _declared(text, place)
    inputs = declarations.inputs | {fact.signature for fact in read_facts(instance, "").facts}
    if declarations.heads is None:  # clingo reports the error
        return declarations.shown, inputs, ""
    if not declarations.shown:
        raise InvalidProblem(
            f"{DRAWS} shows nothing; expected #show with a predicate of pictures, such as #show"
            " node/1."
        )
    stated = sorted((declarations.shown & inputs) - declarations.heads)
    variables = ((name, [f"X{at}" for at in range(arity)]) for name, arity in stated)
    atoms = (f"{name}({','.join(some)})" if some else name for name, some in variables)
    more = "".join(f"\n{atom} :- {atom}." for atom in atoms)
    return declarations.shown & (declarations.heads | inputs), inputs, more


def _own_predicates(
    texts: Mapping[str, str], engine: str, place: str
) -> tuple[frozenset[Signature], frozenset[Signature]]:
    """The outputs and inputs of your own programs; InvalidProblem if nothing names an output."""
    declarations = _declared(texts.get("clingo", ""), place)
    readable = declarations.heads is not None
    # If clingo cannot read the program, it reports the error itself.
    if not declarations.shown and (readable or engine != "clingo"):
        why = "" if readable else ", which has an error"
        raise InvalidProblem(
            "nothing says what answers consist of; expected #show with a predicate in the program"
            f" for clingo{why}, such as #show queen/2."
        )
    return declarations.shown, declarations.inputs


def _declared(text: str, place: str) -> Declared:
    """The declarations of an ASP program."""
    with TemporaryDirectory(prefix="pylogic-sudoku-", dir=place) as folder:
        path = Path(folder) / OWN["clingo"]
        path.write_text(text, encoding="utf-8")
        return declared(path)
