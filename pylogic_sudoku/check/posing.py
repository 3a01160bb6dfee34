"""A goal as an instance of a problem, so that lines are named as for any program for Prolog.

The answers are atoms ``solution(…)`` of the values that the variables of the goal have. It needs
solutions without variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..problem import Answer
from ..problem.folder import Problem, whole_text
from ..running.process import Limits
from ..running.sandbox import TRUSTED, Sandbox
from .cases import Case
from .problem_programs import Posed, PrologProblemProgram, adapter_of

MOST_SOLUTIONS = 50
"""Solutions of a goal that the search for a line knows, at most."""
_QUOTED = re.compile(r"'(?:\\.|''|[^'\\])*'|\"(?:\\.|\"\"|[^\"\\])*\"", re.DOTALL)
_OF_CLPFD = re.compile(r"#|\bins?\b")


class Posing(NamedTuple):
    """A program with a goal as its question."""

    program: PrologProblemProgram
    question: Posed
    answers: dict[str, Answer]
    """The answers by the texts of the solutions."""


@contextmanager
def posed(
    path: Path,
    sandbox: Sandbox,
    problem: Problem,
    goal: str,
    right: Sequence[str] | None,
    others: Sequence[str],
    limits: Limits,
) -> Iterator[Posing | None]:
    """The program in a file with the question of a goal, until the end of the ``with`` block.

    Args:
        path: The file of the program.
        sandbox: The sandbox in which it runs.
        problem: The folder of the cases; its reference for Prolog is asked about calls.
        goal: The goal, as Prolog reads it.
        right: The texts of all right solutions; None if they are not known.
        others: The texts of more solutions, which may be wrong.
        limits: The limits of the search for a line.

    None if a solution has variables, or there are too many.
    """
    texts = list(dict.fromkeys([*(right or ()), *others]))
    if not texts or len(texts) > MOST_SOLUTIONS:
        yield None
        return
    variables = _variables(goal)
    solution = f"solution({','.join(variables)})" if variables else "solution"
    with TemporaryDirectory() as name:
        written = _problem(Path(name) / "written", len(variables))
        clauses = "".join(f"answer([{solution}]) :- {text}.\n" for text in texts)
        program = _with_clpfd(clauses)
        (written.folder / "written.pl").write_text(program, encoding="utf-8")
        answers = _answers(Problem(written.folder), limits)
        if len(answers) != len(texts):
            yield None
            return
        asked = _problem(Path(name) / "asked", len(variables))
        own = adapter_of(problem)
        above = own.read_text(encoding="utf-8") if own else ""
        adapter = f"{above}\n{_with_clpfd(f'answer([{solution}]) :- {goal}.')}\n"
        (asked.folder / "adapter.pl").write_text(adapter, encoding="utf-8")
        if reference := problem.references.get("prolog"):
            (asked.folder / "asked.pl").write_text(whole_text(reference), encoding="utf-8")
        of_text = dict(zip(texts, answers, strict=True))
        known = None if right is None else frozenset(of_text[each] for each in right)
        instance = Problem(asked.folder).instance("")
        question = Posed(instance, instance.problem.outputs, known)
        yield Posing(PrologProblemProgram(path, sandbox=sandbox), question, of_text)


def _variables(goal: str) -> list[str]:
    """The variables that solutions are about, as in ``named_in/3`` of goals.pl."""
    words = re.findall(r"(?<!\w)[^\W\d_]\w*", _QUOTED.sub("", goal))
    return list(dict.fromkeys(each for each in words if not each[0].islower()))


def _with_clpfd(text: str) -> str:
    return f":- use_module(library(clpfd)).\n{text}" if _OF_CLPFD.search(text) else text


def _problem(folder: Path, arity: int) -> Problem:
    """A new folder of a problem whose answers are solutions."""
    folder.mkdir()
    (folder / "problem.toml").write_text(f'output = ["solution/{arity}"]\n', encoding="utf-8")
    return Problem(folder)


def _answers(problem: Problem, limits: Limits) -> list[Answer]:
    """The answers of the problem's own program; none if one is no value."""
    instance = problem.instance("")
    program = PrologProblemProgram(problem.paths["prolog"], sandbox=TRUSTED)
    question = Posed(instance, problem.outputs)
    run = program.run(Case("", Path("instance.lp"), "", question), question, 0, limits)
    if run.stopped or any(each.fault for each in run.answers):
        return []
    return [each.value for each in run.answers]
