"""A server for the Model Context Protocol, for agents that write logic programs.

It has five tools: `load` says what an engine finds wrong with a program, `solve` runs it on an
instance, `propagate` says what it knows before it guesses, `compare` runs two programs on
instances, and `check` grades a program for a problem. So a program that a language model wrote gets
a counterexample and a line. Programs run as in the grader: each in a process of its own, in a
sandbox, with limits on time, memory and answers. The resources ``guide://asp`` and
``guide://prolog`` say what a program must have, with the commonest mistakes.

``pylogic-sudoku mcp`` serves standard input and output. It needs the extra ``[mcp]``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .check import Grader, Report
from .check.problem_programs import Posed, ProblemProgram
from .check.problems import Answers
from .check.programs import Output
from .check.reports import TEMPLATES, record, total, write
from .check.results import mark
from .check.trial import Trial, failure, trial
from .errors import BackendUnavailable, InvalidProblem, LogicError, Message
from .problem import Answer, Signature
from .problem.atoms import signature_of
from .problem.folder import Problem, declared, read_instance
from .problem.languages import ENDINGS
from .running.sandbox import Choice

if TYPE_CHECKING:
    from mcp.server import MCPServer

Language = Literal["asp", "prolog"]
ANSWERS = 1_000
"""The most answers of a program that are compared or returned."""
INSTANCES = 50
SECONDS = 60.0
"""The longest time limit for one run."""
MEGABYTES = 1024
_INSTRUCTIONS = """\
Answer set programs (clingo) and Prolog programs (SWI-Prolog, library(clpfd)) on instances, which
are facts such as "size(8).". An ASP program shows atoms. A Prolog program defines model(Pairs), a
list of Name(Arguments...)-Variable, where the pair queen(3)-V with V = 5 is the atom queen(3,5), or
of Atom #<==> Variable, where the atom is there if the variable, 0 or 1, is 1; or answer(Atoms),
which is true once for each answer. Write a program, then `compare` it with another
one, or `check` it against a problem: the answer has a counterexample, and the line that is to
blame. The resources guide://asp and guide://prolog have examples and the commonest mistakes."""
_FIELDS = {
    "instance": 'Facts, such as "size(8)."; of a problem of the package, also a name such as "8".',
    "instances": "Instances, each facts or a name; at most 50.",
    "language": "The language of the program.",
    "limit": "The most answers that are returned or compared, at most 1000.",
    "outputs": 'The predicates that answers consist of, such as ["queen/2"]; those of the problem'
    " or of #show without any.",
    "problem": "The name of a problem of the package, such as queens, or a folder.",
    "program": "The text of a program; empty for the problem's own.",
    "programs": 'Two programs, each {"language": "asp" or "prolog", "text": ...}; without a text,'
    " it is the problem's own.",
    "timeout": "Seconds for each run, at most 60.",
}
"""Descriptions of the arguments of the tools."""
Told = Callable[[int, int], None]
"""Takes how much is done, and of how much."""


@dataclass(frozen=True)
class Tools:
    """The tools, with the rights of programs. Each returns plain data."""

    choice: Choice = "require"
    told: Told = lambda _done, _total: None

    def load(self, program: str, language: Language = "asp") -> dict[str, Any]:
        """Return what an engine finds wrong with a program that it loads, and asks nothing.

        `loads` is False if there is an error. `errors` and `warnings` have lines and cures.
        """
        if not program.strip():
            raise ValueError("there is no program to load; expected its text")
        with self._room("", ()) as room:
            seen = room.trial.loaded(room.program(program, language), SECONDS)
            errors = [each.to_json() for each in seen.messages]
            return {"loads": not errors, "errors": errors, **_warned(seen.warnings)}

    def solve(
        self,
        instance: str = "",
        program: str = "",
        language: Language = "asp",
        problem: str = "",
        outputs: Sequence[str] = (),
        limit: int = 10,
        timeout: float = 10,
    ) -> dict[str, Any]:
        """Return the answers of a program to an instance: sets of atoms, the best if it has costs.

        `instance` is facts, such as "size(8)."; of a problem of the package, also a name. `program`
        is the text of one; without it, the problem's own is asked. `outputs` are the predicates
        that answers consist of, such as ["queen/2"]: those of the problem, or of #show, unless
        given. `warnings`, if there are any, are what the engine finds strange in the program.
        """
        with self._room(problem, outputs) as room:
            submission = room.program(program, language)
            posed = room.posed(instance, submission)
            ran = room.run(submission, posed, _limited(limit), timeout)
            return {
                "answers": [each.value.to_json() for each in ran.answers],
                "complete": ran.exhausted,
                "error": failure(ran),
                **_warned(ran.warnings),
            }

    def propagate(
        self,
        instance: str = "",
        program: str = "",
        language: Language = "asp",
        problem: str = "",
        outputs: Sequence[str] = (),
        timeout: float = 10,
    ) -> dict[str, Any]:
        """Return the atoms that a program has left before it guesses, and those that are certain.

        The arguments are those of `solve`. `atoms` are those that may be in an answer, such as
        "queen(1,2)", and `certain` those of them that are in every answer; both are null if the
        program finds a contradiction. `error` is why they are not known.
        """
        with self._room(problem, outputs) as room:
            submission = room.program(program, language)
            posed = room.posed(instance, submission)
            known = room.trial.knows(submission, posed, _timeout(timeout))
            late = f"no answer within {timeout:g} s" if known.stopped == "time" else ""
            return {
                "atoms": known.atoms,
                "certain": known.certain,
                "error": known.error or late,
                **_warned(known.warnings),
            }

    def compare(
        self,
        programs: Sequence[dict[str, str]],
        instances: Sequence[str] = ("",),
        problem: str = "",
        outputs: Sequence[str] = (),
        limit: int = 100,
        timeout: float = 10,
    ) -> dict[str, Any]:
        """Return whether two programs have the same answers to instances, and if not, where.

        Each of `programs` is {"language": "asp" or "prolog", "text": ...}; without a text, it is
        the problem's own. Reports the first instance on which they differ, with the smallest
        answer that only one has, and why the other refuses it: its lines, the most likely first;
        or one with two costs.
        `agree` is null if that is not known, because of an error, the time limit or `limit`.
        """
        if len(programs) != 2:
            raise ValueError(f"there are {len(programs)} programs; expected two")
        if not 0 < len(instances) <= INSTANCES:
            raise ValueError(f"there are {len(instances)} instances; expected 1 to {INSTANCES}")
        with self._room(problem, outputs) as room:
            submissions = [
                room.program(each.get("text", ""), _language(each), f"program{number}")
                for number, each in enumerate(programs, 1)
            ]
            counts = {}
            for number, instance in enumerate(instances):
                self.told(number, len(instances))
                posed = room.posed(instance, *submissions)
                ran = [room.run(each, posed, _limited(limit), timeout) for each in submissions]
                difference = room.difference(submissions, posed, ran, timeout)
                warned = _warned([message for each in ran for message in each.warnings])
                if difference is not None:
                    return {"instance": instance, **difference, **warned}
                counts[instance] = len(ran[0].answers)
            return {"agree": True, "answers": counts, **warned}

    def check(
        self,
        problem: str,
        program: str,
        language: Language = "asp",
        instances: Sequence[str] = (),
        timeout: float = 10,
    ) -> dict[str, Any]:
        """Grade a program for a problem of the package, or a problem's folder.

        `instances` are up to 50, each facts or a name; all of the problem without any. For each
        there is the outcome, a missing and an extra answer, the diagnosis with lines, best first,
        and a message. `text` is the same in words.
        """
        if not program.strip():
            raise ValueError("there is no program to check; expected its text")
        if len(instances) > INSTANCES:
            raise ValueError(f"there are {len(instances)} instances; expected at most {INSTANCES}")
        with self._room(problem, ()) as room:
            submission = room.program(program, language)
            _timeout(timeout)
            grader = Grader(
                problem=room.problem, timeout=timeout, memory=MEGABYTES, sandbox=self.choice
            )
            instance_list = list(grader.instances(list(instances), None))
            graded = replace(grader.program(submission.path), unnamed=submission.path.parent)
            results = []
            for verdict in grader.verdicts(graded, instance_list, None):
                results.append(mark("program", verdict))
                self.told(len(results), len(instance_list))
            report = Report(tuple(results), room.problem.title)
            return {
                "results": [record(each) for each in report.results],
                "total": total(report),
                "text": write(report, "text"),
            }

    @contextmanager
    def _room(self, problem: str, outputs: Sequence[str]) -> Iterator[_Room]:
        signatures = frozenset(map(signature_of, outputs))
        known = Problem(problem) if problem else None
        with trial(known, signatures, choice=self.choice, megabytes=MEGABYTES) as opened:
            yield _Room(opened, signatures, known is not None)


@dataclass(frozen=True)
class _Room:
    """A trial of programs, and what is known of their problem."""

    trial: Trial
    outputs: frozenset[Signature]
    known: bool
    """True for a problem that was named."""

    @property
    def problem(self) -> Problem:
        return self.trial.problem

    def program(self, text: str, language: Language, name: str = "program") -> ProblemProgram:
        """The program with this text, or the problem's own."""
        if not text.strip():
            if not self.known:
                raise ValueError("expected the text of a program, or the name of a problem")
            engine = "clingo" if language == "asp" else "prolog"
            text = self.problem.path(engine).read_text(encoding="utf-8")
        return self.trial.program(text, f"{name}{ENDINGS[language]}")

    def posed(self, instance: str, *programs: ProblemProgram) -> Posed:
        """The instance, with the predicates that answers consist of."""
        if self.known:
            facts = self.problem.instance(instance)
        else:
            facts = read_instance(self.problem, instance, "instance")
        outputs = self.outputs or (self.problem.outputs if self.known else frozenset())
        for each in programs:
            if not outputs and each.path.suffix == ".lp":
                outputs = declared(each.path).shown
        if not outputs:
            raise InvalidProblem("nothing says what answers consist of; give outputs: queen/2")
        return Posed(facts, outputs)

    def run(
        self, program: ProblemProgram, posed: Posed, most: int, timeout: float
    ) -> Output[Answer]:
        """Run a program in the sandbox."""
        return self.trial.run(program, posed, most, _timeout(timeout))

    def difference(
        self,
        programs: Sequence[ProblemProgram],
        posed: Posed,
        ran: Sequence[Output[Answer]],
        timeout: float,
    ) -> dict[str, Any] | None:
        """An answer that distinguishes two programs; None if their answers are the same."""
        if errors := [failure(each) for each in ran if failure(each)]:
            return {"agree": None, "error": "; ".join(errors)}
        sets = [frozenset(each.value for each in run.answers) for run in ran]
        for has, lacks in ((0, 1), (1, 0)):
            only = sets[has] - sets[lacks]
            if only and ran[lacks].exhausted:
                right = Answers(posed, sets[has], ran[has].exhausted, "")
                answer = right.first(only)
                assert answer is not None
                why = self.trial.why(programs[lacks], posed, answer, _timeout(timeout))
                return {
                    "agree": False,
                    "answers": [len(each) for each in sets],
                    "answer": answer.to_json(),
                    "facts": str(answer),
                    "only_in": programs[has].path.stem,
                    "refused_by": programs[lacks].path.stem,
                    "why": why.to_json(),
                }
        costs = [{each.value: each.value.cost for each in run.answers} for run in ran]
        for answer in sorted(sets[0] & sets[1], key=sorted):
            first, second = (each[answer] for each in costs)
            if first and second and first != second:
                return {
                    "agree": False,
                    "answers": [len(each) for each in sets],
                    "answer": [atom.to_json() for atom in sorted(answer)],
                    "facts": str(answer),
                    "costs": [list(first), list(second)],
                }
        if not all(run.exhausted for run in ran):
            return {"agree": None, "error": "there may be more answers than the limit"}
        return None


def _warned(warnings: Iterable[Message]) -> dict[str, Any]:
    """The warnings about programs, as a field of an answer; none if there are none."""
    found = [each.to_json() for each in dict.fromkeys(warnings)]
    return {"warnings": found} if found else {}


def _language(program: dict[str, str]) -> Language:
    language = program.get("language", "asp")
    if language not in ENDINGS:
        raise ValueError(f"there is no language {language!r}; choose asp or prolog")
    return language  # type: ignore[return-value]


def _limited(limit: int) -> int:
    if not 0 < limit <= ANSWERS:
        raise ValueError(f"limit is {limit}; expected 1 to {ANSWERS}")
    return limit


def _timeout(seconds: float) -> float:
    if not 0 < seconds <= SECONDS:
        raise ValueError(f"timeout is {seconds:g}; expected more than 0, and at most {SECONDS:g}")
    return seconds


TOOLS = ("load", "solve", "propagate", "compare", "check")
"""The methods of `Tools` that agents may call."""


def server(choice: Choice = "require") -> MCPServer:
    """The server with its tools and guides.

    BackendUnavailable if the package ``mcp`` is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise BackendUnavailable(
            "there is no package mcp here", "Install this package with its extra [mcp]."
        ) from None

    class Server(MCPServer):
        """A server whose errors about arguments do not send agents to the pages of a library."""

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            try:
                return await super().call_tool(name, arguments, context)
            except ToolError as error:
                found: Any = error.__cause__
                if not hasattr(found, "errors"):
                    raise
                wrong = [
                    f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found.errors()
                ]
                raise ToolError(f"{name}: {'; '.join(wrong)}") from None

    made = Server("pylogic-sudoku", instructions=_INSTRUCTIONS, log_level="ERROR")
    for name in TOOLS:
        made.tool()(_called(name, choice))
    for language in ENDINGS:
        guide = TEMPLATES / "guides" / f"{language}.md"
        text = guide.read_text(encoding="utf-8")
        about = f"The contract of programs, and mistakes: {text.splitlines()[0].lstrip('# ')}"
        named: dict[str, Any] = {"name": f"{language} guide", "mime_type": "text/markdown"}
        made.resource(f"guide://{language}", description=about, **named)(_giving(text))
    return made


def _giving(text: str) -> Callable[[], str]:
    return lambda: text


def _called(name: str, choice: Choice) -> Callable[..., Any]:
    """A tool as the server takes it: with descriptions of its arguments, and with progress."""
    from anyio import from_thread
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field

    tool = getattr(Tools, name)

    def called(context: Any, **arguments: Any) -> Any:
        def told(done: int, total: int) -> None:
            from_thread.run(context.report_progress, done, total)

        try:
            return tool(Tools(choice, told), **arguments)
        except (LogicError, ValueError, TypeError) as error:
            raise ToolError(str(error)) from None

    signature = inspect.signature(tool, eval_str=True)
    own = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=Context)
    parameters = [
        each.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[each.annotation, Field(description=_FIELDS[each.name])],
        )
        for each in list(signature.parameters.values())[1:]
    ]
    called.__name__, called.__doc__ = name, tool.__doc__
    called.__annotations__ = {"context": Context}
    called.__signature__ = signature.replace(parameters=[*parameters, own])  # type: ignore[attr-defined]
    return called
