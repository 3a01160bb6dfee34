"""The share of planted faults that a comparison of two programs finds, and whose line it names.

    python -m benchmarks.pair_faults [--seed N] [--faults 50] [--box FOLDER] [-v] [NAME ...]

Each fault is one change in one program of a problem: a comparison is flipped, a goal dropped, a
bound or another number changed, a sign or a negation turned. The changed program is compared with
the right one of the other engine: on the instances of the folder, then on those of
``instances.lp``, the smallest first, until the two differ. Some faults only add answers, and it is
the other program that refuses these; they are counted apart, as are those that raise an error.
A fault that no instance shows is listed with the reason in ``pair_faults.toml`` why it changes no
answer. The exit code is 1 if there is none: then it may be that the instances are too few.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import clingo

from pylogic_sudoku.engines import engine_for
from pylogic_sudoku.errors import LogicError, SolveTimeout
from pylogic_sudoku.problem import Answer, Instance
from pylogic_sudoku.problem.folder import Problem, bundled
from pylogic_sudoku.reasons.refusal import Refusal, refusal

TIMEOUT = 3.0
"""Seconds for all answers to an instance."""
EXPLAINING = 30.0
"""Seconds for an explanation."""
PATIENCE = 2
"""Instances on which a program may come to no end in this time."""
ANSWERS = 500
"""Instances with more answers are left out."""
SMALL = 60
"""Instances of ``instances.lp`` that are tried."""
ENGINES = {".lp": "clingo", ".pl": "prolog"}

T = TypeVar("T")

KINDS = ("lost", "extra", "cost", "error", "equal")
"""The kinds of outcomes."""

_TOKENS = {
    ".lp": re.compile(
        r"(?P<skip>%\*.*?\*%|%[^\n]*|\s+)|(?P<text>\"(?:\\.|[^\"\\])*\")|(?P<number>\d+)"
        r"|(?P<name>[#_a-zA-Z][\w']*)|(?P<sign>:-|:~|\.\.|!=|<=|>=|\*\*|.)",
        re.DOTALL,
    ),
    ".pl": re.compile(
        r"(?P<skip>/\*.*?\*/|%[^\n]*|\s+)|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
        r"|(?P<number>\d+)|(?P<name>[_a-zA-Z]\w*)|(?P<sign>[-+*/\\^<>=~:.?@#&$]+|.)",
        re.DOTALL,
    ),
}
_OTHERS = {
    ".lp": {
        "=": ("!=", "<="),
        "!=": ("=", "<"),
        "<": ("<=", ">"),
        ">": (">=", "<"),
        "<=": ("<", ">="),
        ">=": (">", "<="),
        "+": ("-",),
        "-": ("+",),
    },
    ".pl": {
        "#=": (r"#\=", "#=<"),
        r"#\=": ("#=", "#<"),
        "#<": ("#=<", "#>"),
        "#>": ("#>=", "#<"),
        "#=<": ("#<", "#>="),
        "#>=": ("#>", "#=<"),
        "=:=": (r"=\=",),
        r"=\=": ("=:=",),
        "<": ("=<", ">"),
        ">": (">=", "<"),
        "=<": ("<", ">="),
        ">=": (">", "=<"),
        "+": ("-",),
        "-": ("+",),
    },
}


@dataclass(frozen=True)
class Token:
    """A token of a program, and where it stands."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Fault:
    """One change in one program."""

    problem: str
    path: Path
    kind: str
    start: int
    end: int
    new: str
    first: int
    """The character at which the statement begins, or the goal."""

    @property
    def text(self) -> str:
        """The text of the changed program."""
        text = self.path.read_text(encoding="utf-8")
        return text[: self.start] + self.new + text[self.end :]

    @property
    def lines(self) -> range:
        """The lines from the beginning of the statement, or the goal, to the change."""
        text = self.path.read_text(encoding="utf-8")
        return range(text.count("\n", 0, self.first) + 1, text.count("\n", 0, self.start) + 2)

    @property
    def reason(self) -> str | None:
        """The reason why it changes no answer, if one is known."""
        return reasons().get(re.sub(r":\d+", "", str(self), count=1))

    def __str__(self) -> str:
        text = self.path.read_text(encoding="utf-8")
        line = text.splitlines()[self.lines[-1] - 1].strip()
        old = " ".join(text[self.start : self.end].split())
        where = f"{self.path.name}:{self.lines[-1]}"
        return f"{where}: {self.kind}: {old!r} becomes {self.new!r} in {line}"


@cache
def reasons() -> dict[str, str]:
    """By fault, without its line, the reason why it changes no answer."""
    known = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {fault: each["reason"] for each in known["equal"] for fault in each["faults"]}


# --- planting ---------------------------------------------------------------------------------


def statements(path: Path) -> Iterator[list[Token]]:
    """The statements of a program, each as its tokens, without directives."""
    found: list[Token] = []
    text = path.read_text(encoding="utf-8")
    for match in _TOKENS[path.suffix].finditer(text):
        if match.lastgroup == "skip":
            continue
        found.append(Token(str(match.lastgroup), match[0], match.start()))
        if match[0] == "." and not text[match.end() : match.end() + 1].strip():
            if not (
                found[0].text.startswith("#") or (found[0].text == ":-" and path.suffix == ".pl")
            ):
                yield found
            found = []


def parts(tokens: list[Token], suffix: str) -> Iterator[list[Token]]:
    """The literals or goals of a body."""
    depth, part, inside = 0, list[Token](), False
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if not inside:
            inside = token.text == ":-"
        elif depth == 0 and token.text in (",", ";", "->", "."):
            yield part
            part = []
        else:
            part.append(token)


def faults(problem: str, path: Path) -> Iterator[Fault]:
    """The faults that can be planted in a program."""
    suffix = path.suffix
    for statement in statements(path):
        goals = list(parts(statement, suffix))

        def first(
            token: Token, goals: list[list[Token]] = goals, whole: Token = statement[0]
        ) -> int:
            if suffix == ".lp":
                return whole.start
            return next((goal[0].start for goal in goals if token in goal), token.start)

        def fault(kind: str, token: Token, new: str, end: int | None = None) -> Fault:
            stop = token.end if end is None else end
            return Fault(problem, path, kind, token.start, stop, new, first(token))

        for before, token in zip([statement[0], *statement], statement, strict=False):
            after = _OTHERS[suffix].get(token.text, ())
            if token.kind == "sign" and token.text in "+-":
                if before.kind in ("number", "name") or before.text in ")]":
                    yield from (fault("sign", token, new) for new in after)
            elif token.kind == "sign":
                yield from (fault("comparison", token, new) for new in after)
            elif token.kind == "number":
                kind = "bound" if before.text in ("..", "=", "<", ">", "{") else "constant"
                yield fault(kind, token, str(int(token.text) + 1))
            elif token.text == "not" and suffix == ".lp":
                yield fault("negation", token, "")
            if before.text == "..":
                yield fault("bound", token, f"{token.text}-1")
        for goal in goals:
            if goal and suffix == ".lp" and goal[0].text != "not" and goal[0].text[0].islower():
                yield fault("negation", goal[0], f"not {goal[0].text}")
            if goal and len(goals) > 1:
                yield fault(
                    "dropped", goal[0], "true" if suffix == ".pl" else "#true", goal[-1].end
                )


def planted(problems: Iterable[Problem], engines: Iterable[str], seed: int) -> list[Fault]:
    """All faults, as evenly among the programs as they can be."""
    chance = random.Random(seed)
    kept: list[list[Fault]] = []
    for problem in problems:
        for engine in engines:
            if path := problem.paths.get(engine):
                found = list(faults(problem.name, path))
                chance.shuffle(found)
                kept.append(found)
    chance.shuffle(kept)
    return [fault for every in in_turn(kept) for fault in every]


def in_turn(lists: list[list[T]]) -> Iterator[list[T]]:
    """The first of each list, then the second of each, and so on."""
    for at in range(max(map(len, lists), default=0)):
        yield [each[at] for each in lists if at < len(each)]


# --- comparing --------------------------------------------------------------------------------


@cache
def small(problem: Problem) -> tuple[Instance, ...]:
    """The instances of ``instances.lp``, the smallest first."""
    file = problem.folder / "instances.lp"
    if not file.is_file():
        return ()
    control = clingo.Control(["0", "--project"], logger=lambda *_: None)
    control.load(str(file))
    control.ground()
    found: list[str] = []
    with control.solve(yield_=True) as handle:
        for model in islice(handle, 20_000):
            found.append(" ".join(f"{atom}." for atom in sorted(model.symbols(shown=True))))
    found.sort(key=lambda text: (text.count(". "), len(text), text))
    return tuple(problem.instance(text) for text in found[:SMALL])


@cache
def right(problem: Problem, instance: Instance) -> frozenset[Answer] | None:
    """All answers; None if they are too many, or take too long, or the right programs differ."""
    try:
        found = answers(instance, "clingo")
        if len(found) > ANSWERS:
            return None
        if found != (other := answers(instance, "prolog")):
            print(f"{problem.name}: {instance.label}: {len(found)} answers, and {len(other)}")
            return None
    except LogicError as error:
        print(f"{problem.name}: {instance.label}: {error}")
        return None
    return found


def answers(instance: Instance, backend: str, most: int = ANSWERS) -> frozenset[Answer]:
    """All answers, or one more than the most."""
    return frozenset(islice(engine_for(backend, instance).solutions(instance, TIMEOUT), most + 1))


@dataclass(frozen=True)
class Outcome:
    """The result of a comparison: whether the programs differ, and the explanation."""

    kind: str
    """``"lost"``, ``"extra"``, ``"cost"``, ``"error"``, or ``"equal"``."""
    words: str
    refusal: Refusal | None = None


def compared(fault: Fault, problem: Problem, folder: Path) -> Outcome:
    """Compare the changed program with what is right, on instance after instance."""
    mutant = Path(folder, problem.name)
    shutil.rmtree(mutant, ignore_errors=True)
    shutil.copytree(problem.folder, mutant)
    (mutant / fault.path.name).write_text(fault.text, encoding="utf-8")
    changed = Problem(mutant)
    backend = ENGINES[fault.path.suffix]
    extra: Outcome | None = None
    endless = 0
    for instance in (*problem.instances.values(), *small(problem)):
        known = right(problem, instance)
        if known is None:
            continue
        same = replace(instance, problem=changed)
        try:
            found = answers(same, backend, len(known))
        except SolveTimeout:
            endless += 1
            if endless == PATIENCE:
                return extra or Outcome("error", f"{instance.label}: no end")
            continue
        except LogicError as error:
            return Outcome("error", f"{instance.label}: {error}")
        complete = len(found) <= len(known)
        if complete and known - found:
            lost = min(known - found, key=lambda answer: (len(answer), str(answer)))
            outcome = Outcome("lost", instance.label, explained(same, lost, backend))
            if not (outcome.refusal and outcome.refusal.kind == "cost"):  # a better one is extra
                return outcome
        if found - known and extra is None:
            one = min(found - known, key=lambda answer: (len(answer), str(answer)))
            other = "prolog" if backend == "clingo" else "clingo"
            extra = Outcome("extra", instance.label, explained(same, one, other))
        if found == known and _costs(found) != _costs(known) and extra is None:
            extra = Outcome("cost", instance.label)
    return extra or Outcome("equal", "")


def _costs(answers: Iterable[Answer]) -> set[tuple[int, ...] | None]:
    return {answer.cost for answer in answers}


def explained(instance: Instance, answer: Answer, backend: str) -> Refusal | None:
    """Why a program refuses the answer; None if that takes too long."""
    try:
        return refusal(instance, answer, backend, EXPLAINING)
    except LogicError as error:
        return Refusal(backend, "error", why=str(error))


class Children:
    """A process in which programs are compared: a faulty one may bring SWI-Prolog down."""

    def __enter__(self) -> Children:
        self._pool = self._new()
        return self

    def __exit__(self, *_error: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"))

    def compared(self, fault: Fault, problem: Problem, folder: Path) -> Outcome:
        """Compare as `compared` does."""
        try:
            return self._pool.submit(compared, fault, problem, folder).result()
        except BrokenProcessPool:
            self._pool = self._new()
            return Outcome("error", "the process ended")


# --- the report -------------------------------------------------------------------------------


def place_of(fault: Fault, refused: Refusal | None) -> int | None:
    """The number of lines named before the fault's, from 0; None if it is not named."""
    lines = dict.fromkeys(each.number for each in refused.lines) if refused else {}
    return next((at for at, line in enumerate(lines) if line in fault.lines), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--problems", type=Path, help="a folder of problems (default: ours)")
    parser.add_argument("--engine", action="append", choices=ENGINES.values())
    parser.add_argument("-v", action="store_true", help="print each explanation")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems, else all")
    asked = parser.parse_args()
    ours = (each.folder for each in bundled())
    folders = sorted(asked.problems.iterdir() if asked.problems else ours)
    problems = [Problem(each) for each in folders if not asked.names or each.name in asked.names]
    by_name = {problem.name: problem for problem in problems}
    counts: dict[str, Counter[str]] = {engine: Counter() for engine in ENGINES.values()}
    equal: list[Fault] = []
    left = asked.faults
    with TemporaryDirectory() as folder, Children() as children:
        for fault in planted(problems, asked.engine or ENGINES.values(), asked.seed):
            if not left:
                break
            outcome = children.compared(fault, by_name[fault.problem], Path(folder))
            left -= outcome.kind != "error"
            count = counts[ENGINES[fault.path.suffix]]
            count[outcome.kind] += 1
            at = place_of(fault, outcome.refusal) if outcome.kind == "lost" else None
            count["first"] += at == 0
            count["anywhere"] += at is not None
            if outcome.kind == "equal":
                equal.append(fault)
            if asked.v or (outcome.kind == "lost" and at != 0):
                rank = "" if outcome.kind != "lost" else f" at {at}" if at is not None else " NOT"
                print(f"{fault}\n  {outcome.kind}{rank} on {outcome.words}")
                if outcome.refusal:
                    lines = [each.number for each in outcome.refusal.lines]
                    print(f"  {outcome.refusal} {lines}")
            sys.stdout.flush()
    print()
    for engine, count in counts.items():
        print(
            f"{engine}: {sum(count[kind] for kind in KINDS)} faults;"
            f" {count['lost']} lose answers, the line is named first in {count['first']},"
            f" anywhere in {count['anywhere']}; {count['extra']} only add answers;"
            f" {count['cost']} change the cost alone; {count['error']} end in an error, or not at"
            f" all; {count['equal']} change no answer"
        )
    for fault in (each for each in equal if each.reason):
        print(f"\n{fault}\n  equal: {fault.reason}")
    unknown = [each for each in equal if not each.reason]
    if unknown:
        print("\nNot found:")
        for fault in unknown:
            print(f"  {fault.problem}: {fault}")
    sys.exit(bool(unknown))


if __name__ == "__main__":
    main()
