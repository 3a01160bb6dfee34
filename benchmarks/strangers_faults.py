r"""Plant faults in programs that nobody here wrote, and count how often the grader names the line.

    python -m benchmarks.strangers_faults [--seed N] [--faults 20] [-v] \
        ~/src/hakank@ca4a0af7513f:answer_set_programming ~/src/hakank@ca4a0af7513f:swi_prolog \\
        ~/src/guide@26fba894654e:examples

Checkouts are those of `strangers`, and nothing of them is kept. Each program is a problem of its
own, and the one with a fault is graded like a submission. What a program for Prolog is asked is in
``strangers_faults.toml``; one for clingo is taken if it has a choice, and few answers soon.

A line that is named is right if some edit of that line alone gives all right answers: undoing the
fault, adding what was dropped, or another change of a token, an argument, a goal or a clause, of
which there are more kinds than are planted. It misleads if none does. Faults that change no answer
are left out, and so are those with which the program does not run at all. Of those that count, at
most half are of the kinds that the grader itself tries to undo (`SMALL`).
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.check.changes import changes
from pylogic_sudoku.problem.folder import Problem

from .grader_faults import graded, lines
from .pair_faults import Token, in_turn, parts, statements
from .strangers import (
    ASP,
    Case,
    Checkout,
    Limits,
    as_problem,
    cases,
    checkout,
    extract,
    plain_clingo,
    quiet,
)
from .students_lines import OUTCOMES, Found, answers

LIMITS = Limits(100, 1.0)
"""Programs for clingo with more answers, or slower ones, are left out."""
SECONDS = 2.0
"""Time for all answers to an instance."""
EDITS = 300
"""Edits of a line that are tried, kinds in turn."""
NAMED = 3
"""Lines named that are judged."""
RULES = 3
"""Rules and constraints of a program for clingo, at least."""
EACH = 3
"""Instances of a program for clingo, at most."""

SMALL = ("comparison", "number", "variable", "arguments")
"""The kinds of faults that an edit of ``check/changes.py`` or ``prolog/host/repair.pl`` undoes."""
LARGE = ("goal", "clause", "negation", "far number", "name", "order", "list", "cut", "choice")

_COMPARISONS = {
    ".lp": (("=", "!=", "<", "<=", ">", ">="), ("+", "-", "*")),
    ".pl": (
        ("#=", r"#\=", "#<", "#=<", "#>", "#>="),
        ("=:=", r"=\=", "<", "=<", ">", ">="),
        ("==", r"\==", "=", r"\="),
        ("+", "-", "*"),
    ),
}


# --- programs ---------------------------------------------------------------------------------


class Graded(NamedTuple):
    """The report of the grader on a program with a fault."""

    lines: list[int]
    """The lines that it names."""
    seconds: float
    """The time that the explanation took."""
    words: str


@dataclass(frozen=True)
class Subject:
    """A program of a stranger, as a problem with its right answers."""

    problem: Problem
    program: Path
    """The program as it is, without what asks it."""
    right: tuple[Found, ...]
    """The answers to each instance."""

    @property
    def engine(self) -> str:
        return "clingo" if self.program.suffix == ".lp" else "prolog"

    @property
    def text(self) -> str:
        return self.program.read_text(encoding="utf-8")

    def answers(self, text: str) -> tuple[Found, ...]:
        """The answers of another text; none to an instance after one that differs."""
        copy = self.program.parent.parent / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.problem.folder, copy)
        (copy / self.program.name).unlink()
        adapter = copy / "adapter.pl"
        asked = adapter.read_text(encoding="utf-8") if adapter.exists() else ""
        (copy / f"changed{self.program.suffix}").write_text(f"{text}\n{asked}", encoding="utf-8")
        found: list[Found] = []
        for instance, right in zip(_texts(self.problem), self.right, strict=True):
            with quiet():
                try:
                    asked_of = Problem(copy).instance(instance)
                except pls.LogicError as error:
                    found.append(type(error).__name__)
                else:
                    found.append(answers(asked_of, self.engine, SECONDS, len(right) + 1))
            if found[-1] != right:
                break
        return tuple(found)

    def graded(self, text: str) -> Graded | None:
        """The report of the grader on another text; None if it runs on no instance."""
        place = self.program.parent.parent / "submitted"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for beside in self.program.parent.iterdir():
            shutil.copyfile(beside, place / beside.name)
        program = place / self.program.name
        program.write_text(text, encoding="utf-8")
        with quiet():
            verdicts = graded(program, self.problem)
        ways = {each.way for each in verdicts if not each.passed}
        if all(each.flawed for each in verdicts) or (self.engine == "clingo" and ways == {"error"}):
            return None
        explained = [each.diagnosis for each in verdicts if each.diagnosis]
        words = [each.summary for each in explained] + [each.message for each in verdicts]
        seconds = max((each.seconds for each in explained), default=0.0)
        return Graded(lines(verdicts), seconds, next(filter(None, words), "").partition("\n")[0])


def _texts(problem: Problem) -> list[str]:
    """The texts of the instances, in order."""
    paths = sorted((problem.folder / "instances").glob("*.lp"))
    return [path.read_text(encoding="utf-8") for path in paths]


def subjects(source: Checkout, place: Path) -> Iterator[Subject]:
    """The programs of a checkout that faults can be planted in."""
    folder = place / "checkout"
    extract(source, folder)
    known = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for each in known["prolog"]:
        if (program := folder / each["file"]).is_file():
            found = _subject(program, each["instances"], each["answer"], place)
            yield from filter(None, [found])
    pairs = [[each["file"], other] for each in known["asp"] for other in each["with"]]
    by_program: dict[Path, list[Case]] = {}
    for case in cases(folder, pairs):
        if case.program.suffix in ASP:
            by_program.setdefault(case.program, []).append(case)
    for program, many in by_program.items():
        text = program.read_text(encoding="utf-8", errors="replace")
        data = [case for case in many if case.instance] or many
        plain = [plain_clingo(case, LIMITS) for case in data[:EACH]]
        rules = len(re.findall(r"(?m)^[^%\n]*:-", text))
        if (
            rules < RULES
            or not _chooses(text)
            or not all(one.answers and not one.trouble for one in plain)
        ):
            continue
        files = [case.instance for case in data[:EACH]]
        own = [each.read_text(encoding="utf-8") if each else "" for each in files]
        consts = re.findall(r"^#const\s+(\w+)\s*=\s*(\d+)\s*\.", text, re.MULTILINE)
        more = [f"#const {name}={int(value) + 1}." for name, value in consts[:2]]
        found = _subject(program, own + (more if own == [""] else []), "", place)
        yield from filter(None, [found])
    shutil.rmtree(folder)


def _chooses(text: str) -> bool:
    """True if there is a choice or a disjunction, and no script or part."""
    plain = re.sub(r"%\*.*?\*%|%[^\n]*", "", text, flags=re.DOTALL)
    return "{" in plain and not re.search(r"#script|#program|#include|#external|&", plain)


def _subject(program: Path, instances: list[str], answer: str, place: Path) -> Subject | None:
    """The problem of a program; None if it has too many answers, or none with an atom."""
    home = place / f"{program.name}.work"
    problem = as_problem(Case(program), home / "problems")
    name = f"{problem.name}{program.suffix[:3]}"
    original = problem.folder / name
    try:
        text = original.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
    (home / "original").mkdir()
    for beside in problem.folder.iterdir():
        shutil.copyfile(beside, home / "original" / beside.name)
    (problem.folder / "instances").mkdir()
    if answer:
        if re.search(r" ins? ", answer):
            answer = f":- use_module(library(clpfd)).\n{answer}"
        (problem.folder / "adapter.pl").write_text(f"{answer}\n", encoding="utf-8")
        original.write_text(f"{text}\n{answer}\n", encoding="utf-8")
        names = sorted(set(re.findall(r"answer\(\[(.+?)\]\) :-", answer)))
        output = {f"{n}/{a}" for each in names for n, a in _signatures(each)}
        inputs = {f"{n}/{a}" for each in instances for n, a in _signatures(each)}
        settings = f"output = {sorted(output)}\ninput = {sorted(inputs)}\n".replace("'", '"')
        (problem.folder / "problem.toml").write_text(settings, encoding="utf-8")
    engine = "prolog" if answer else "clingo"
    right: list[Found] = []
    for number, facts in enumerate(instances):
        with quiet():
            try:
                asked = Problem(problem.folder).instance(facts)
                found = answers(asked, engine, SECONDS, LIMITS.answers)
            except pls.LogicError as error:
                found = type(error).__name__
        if isinstance(found, str) or len(found) > LIMITS.answers:
            if answer:
                print(f"{program.name}: {facts}: {found if isinstance(found, str) else len(found)}")
            continue
        path = problem.folder / "instances" / f"i{number}.lp"
        path.write_text(f"{facts}\n", encoding="utf-8")
        right.append(found)
    if not any(answer for found in right for answer in found):
        return None
    return Subject(Problem(problem.folder), home / "original" / name, tuple(right))


def _signatures(text: str) -> Iterator[tuple[str, int]]:
    """The names and arities of the terms of a text such as ``a(X), b([Y,Z])``."""
    depth, name, arity = 0, "", 0
    for token in re.findall(r"[A-Za-z]\w*|\d+|\S", text):
        if token in "([":
            depth += 1
            arity = 1 if depth == 1 else arity
        elif token in ")]":
            depth -= 1
            if depth == 0:
                yield name, arity
        elif token == "," and depth == 1:
            arity += 1
        elif depth == 0:
            name = token


# --- edits ------------------------------------------------------------------------------------


class Edit(NamedTuple):
    """A change of one place of a text."""

    kind: str
    start: int
    end: int
    new: str

    def of(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.new + text[self.end :]


class Fault(NamedTuple):
    """An edit that was planted."""

    edit: Edit
    before: str

    @property
    def text(self) -> str:
        """The text with the fault."""
        return self.edit.of(self.before)

    @property
    def lines(self) -> range:
        """The lines of the change, in the text with the fault."""
        first = self.before.count("\n", 0, self.edit.start) + 1
        return range(first, first + self.edit.new.count("\n") + 1)

    @property
    def lost(self) -> str:
        """The text that the fault took away."""
        return self.before[self.edit.start : self.edit.end]

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.lost, self.edit.new))
        return f"line {self.lines[0]}: {self.edit.kind}: {old!r} becomes {new!r}"


def edits(path: Path, wide: bool = False) -> Iterator[Edit]:
    """The edits of a program: those that are planted, or more of the same kinds and others."""
    every, text = list(statements(path)), path.read_text(encoding="utf-8")
    tokens = list(chain.from_iterable(every))
    names: dict[int, set[str]] = {}
    for statement in every:
        for at, token in enumerate(statement):
            if _is_name(token):
                names.setdefault(_arity(statement, at), set()).add(token.text)
    numbers = sorted({int(each.text) for each in tokens if each.kind == "number"})
    for statement in every:
        if not wide and path.suffix == ".lp" and _is_data(statement):
            continue
        yield from _of_tokens(statement, text, path.suffix, names, numbers, wide)
        yield from _of_arguments(statement, text, wide)
        yield from _of_goals(statement, text, path.suffix, wide)


def _is_data(statement: Sequence[Token]) -> bool:
    """True if a statement is a fact without variables."""
    return not any(each.text in (":-", "{", "|", ":~") or _is_variable(each) for each in statement)


def _is_name(token: Token) -> bool:
    return token.kind == "name" and token.text[0].islower() and token.text not in ("not", "is")


def _is_variable(token: Token) -> bool:
    return token.kind == "name" and (token.text[0].isupper() or token.text[0] == "_")


def _arity(statement: Sequence[Token], at: int) -> int:
    """The number of arguments of a name."""
    if statement[at + 1 : at + 2] and statement[at + 1].text == "(":
        return len(_arguments(statement, at + 1))
    return 0


def _arguments(statement: Sequence[Token], at: int) -> list[list[Token]]:
    """The arguments between the bracket at a place and the one that closes it."""
    depth, found = 0, [list[Token]()]
    for token in statement[at:]:
        depth -= token.text in (")", "]", "}")
        if depth == 0 and token.text in (")", "]", "}"):
            break
        if depth == 1 and token.text in (",", ";"):
            found.append([])
        elif depth > 0:
            found[-1].append(token)
        depth += token.text in ("(", "[", "{")
    return found


def _of_tokens(
    statement: Sequence[Token],
    text: str,
    suffix: str,
    names: dict[int, set[str]],
    numbers: Sequence[int],
    wide: bool,
) -> Iterator[Edit]:
    variables = [each.text for each in statement if _is_variable(each) and each.text != "_"]
    for at, token in enumerate(statement):
        where = token.start, token.end
        if token.kind == "number":
            number = int(token.text)
            for other in (number + 1, number - 1):
                if other >= 0:
                    yield Edit("number", *where, str(other))
            for other in (number + 3, *((number + 2, number - 2, 0, *numbers) if wide else ())):
                if other >= 0 and other != number:
                    yield Edit("far number", *where, str(other))
        elif _is_variable(token):
            for other_name in dict.fromkeys(variables):
                # what is undone by a search for variables still has its own one elsewhere
                if other_name != token.text and (wide or variables.count(token.text) > 1):
                    yield Edit("variable", *where, other_name)
            if wide:
                yield from (Edit("number", *where, f"({token.text}{by})") for by in ("+1", "-1"))
        elif _is_name(token):
            for other_name in sorted(names[_arity(statement, at)] - {token.text}):
                yield Edit("name", *where, other_name)
            if token.text == "nil":
                yield Edit("list", *where, "[]")
        elif token.text == ("not" if suffix == ".lp" else r"\+"):
            yield Edit("negation", *where, "")
        for group in _COMPARISONS[suffix]:
            if token.text in group and at and statement[at - 1].text not in ("(", "[", ","):
                yield from (
                    Edit("comparison", *where, other) for other in group if other != token.text
                )
        if suffix == ".pl":
            if token.text == "[" and statement[at + 1].text == "]":
                yield Edit("list", token.start, statement[at + 1].end, "nil")
            if token.text == "|":
                yield Edit("list", *where, ",")
            if token.text == "!" and wide:
                yield Edit("cut", *where, "true")
        elif token.text == "{" and statement[0] is token and not wide:
            close = next((each for each in statement if each.text == "}"), token)
            if not any(each.text == ":" for each in statement[: statement.index(close)]):
                yield Edit("choice", token.start, close.end, text[token.end : close.start])


def _of_arguments(statement: Sequence[Token], text: str, wide: bool) -> Iterator[Edit]:
    """Exchange two arguments."""
    for at, (before, token) in enumerate(pairwise(statement)):
        if token.text not in ("(", "[") or not (_is_name(before) or token.text == "["):
            continue
        found = [each for each in _arguments(statement, at + 1) if each]
        for one, two in combinations(found, 2) if wide else pairwise(found):
            first, second = (text[each[0].start : each[-1].end] for each in (one, two))
            if first != second and (wide or len(one) == len(two) == 1):
                new = f"{second}{text[one[-1].end : two[0].start]}{first}"
                yield Edit("arguments", one[0].start, two[-1].end, new)


def _of_goals(statement: Sequence[Token], text: str, suffix: str, wide: bool) -> Iterator[Edit]:
    """Drop or negate a goal, exchange two, add a cut; drop a clause."""
    goals = [each for each in parts(list(statement), suffix) if each]
    start, end = statement[0].start, statement[-1].end
    yield Edit("clause", start, end, re.sub(r"[^\n]", " ", text[start:end]))
    for goal in goals:
        where = goal[0].start, goal[-1].end
        words = text[slice(*where)]
        if len(goals) > 1 or wide:
            yield Edit("goal", *where, "true" if suffix == ".pl" else "#true")
        if suffix == ".pl" and goal[0].text not in (r"\+", "!", "("):
            yield Edit("negation", *where, rf"\+ {words}")
            if goal is not goals[-1]:
                yield Edit("cut", *where, f"{words}, !")
        elif suffix == ".lp" and goal[0].text != "not" and _is_name(goal[0]):
            yield Edit("negation", *where, f"not {words}")
    if suffix == ".pl":
        for one, two in pairwise(goals):
            gap = text[one[-1].end : two[0].start]
            if gap.strip() == ",":
                first, second = (text[each[0].start : each[-1].end] for each in (one, two))
                new = f"{second}{gap}{first}"
                yield Edit("order", one[0].start, two[-1].end, new)
    if wide and goals:
        variables = sorted({each.text for each in statement if _is_variable(each)} - {"_"})
        differs = r"\==" if suffix == ".pl" else "!="
        for one_name, two_name in combinations(variables[:6], 2):
            for sign in (differs, "<"):
                new = f", {one_name} {sign} {two_name}"
                yield Edit("added", goals[-1][-1].end, goals[-1][-1].end, new)


def added(fault: Fault, path: Path, line: int) -> Iterator[str]:
    """Texts with what a fault has taken away put back into a line: a goal, or a clause."""
    text = fault.text
    begin, end = bounds(text, line)
    if fault.edit.kind == "clause":
        lost = " ".join(re.sub(r"%[^\n]*", "", fault.lost).split())
        for home in homes(fault, path):
            if begin <= home[0].start < end:
                yield f"{text[: home[0].start]}{lost} {text[home[0].start :]}"
            if begin <= home[-1].start < end:
                yield f"{text[: home[-1].end]} {lost}{text[home[-1].end :]}"
    elif fault.edit.kind == "goal":
        for statement in statements(path):
            if statement[0].start <= fault.edit.start <= statement[-1].end:
                for goal in filter(None, parts(statement, path.suffix)):
                    if begin <= goal[0].start < end:
                        yield f"{text[: goal[0].start]}{fault.lost}, {text[goal[0].start :]}"
                    if begin <= goal[-1].start < end:
                        yield f"{text[: goal[-1].end]}, {fault.lost}{text[goal[-1].end :]}"


def bounds(text: str, line: int) -> tuple[int, int]:
    """The offsets of the beginning and the end of a line."""
    begin = sum(map(len, text.splitlines(keepends=True)[: line - 1]))
    end = text.find("\n", begin)
    return begin, len(text) if end < 0 else end


def homes(fault: Fault, path: Path) -> list[list[Token]]:
    """The other statements about what a dropped one was about.

    These have the same predicate as their head. A constraint has no head, and they have all of its
    predicates.
    """
    every = list(statements(path))
    own = [each for each in every if fault.edit.start <= each[0].start < fault.edit.end]
    if not own:  # the text has the fault already
        path = path.with_name(f"lost{path.suffix}")
        path.write_text(fault.lost, encoding="utf-8")
        own = list(statements(path))
    (head, names), *_ = map(_about, own)
    about = {id(each): _about(each) for each in every if each not in own}
    return [
        each
        for each in every
        if id(each) in about
        and (about[id(each)][0] == head if head else names <= about[id(each)][1])
    ]


def _about(statement: Sequence[Token]) -> tuple[str, set[str]]:
    """The predicate of the head, empty if there is none, and all predicates."""
    neck = next((at for at, each in enumerate(statement) if each.text in (":-", "-->")), None)
    found = [
        (at, f"{each.text}/{_arity(statement, at)}")
        for at, each in enumerate(statement)
        if _is_name(each) and statement[at + 1].text == "("
    ]
    if _is_name(statement[0]):
        found.insert(0, (0, f"{statement[0].text}/{_arity(statement, 0)}"))
    head = next((name for at, name in found if neck is None or at < neck), "")
    return head, {name for _, name in found}


# --- planting ---------------------------------------------------------------------------------


def planted(subject: Subject, chance: random.Random) -> Iterator[Fault]:
    """The faults of a program, kinds in turn, those that are not small first."""
    by_kind: dict[str, list[Edit]] = {}
    used = _used(subject)
    for edit in edits(subject.program):
        if not any(first <= edit.start < end for first, end in used):
            continue
        by_kind.setdefault(edit.kind, []).append(edit)
    for each in by_kind.values():
        chance.shuffle(each)
    orders = []
    for kinds in (LARGE, SMALL):
        some = [by_kind[kind] for kind in kinds if kind in by_kind]
        chance.shuffle(some)
        orders.append(list(chain.from_iterable(in_turn(some))))
    for fault in (Fault(edit, subject.text) for pair in in_turn(orders) for edit in pair):
        if fault.edit.kind != "clause" or homes(fault, subject.program):
            yield fault


def _used(subject: Subject) -> list[tuple[int, int]]:
    """The offsets of the statements on which an answer may depend; in Prolog, by their names."""
    found = [(each, {one.text for one in each}) for each in statements(subject.program)]
    if subject.engine == "prolog":
        adapter = (subject.problem.folder / "adapter.pl").read_text(encoding="utf-8")
        names, before = set(re.findall(r"\w+", adapter)), 0
        while len(names) > before:
            before = len(names)
            names |= {n for each, own in found if each[0].text in names for n in own}
        found = [(each, own) for each, own in found if each[0].text in names]
    return [(each[0].start, each[-1].end) for each, _ in found]


def undone(fault: Fault, suffix: str) -> bool:
    """True if an edit of the grader undoes a fault."""
    if fault.edit.kind in SMALL:
        return True
    whole = _bare(fault.before)
    if fault.edit.kind in ("clause", "choice"):
        return False
    text = fault.text
    return any(
        _bare(text[: each.start] + each.new + text[each.end :]) == whole
        for each in changes(text, suffix)
    )


def _bare(text: str) -> str:
    return re.sub(r"[\s()]", "", text)


# --- judging ----------------------------------------------------------------------------------


@dataclass
class Judge:
    """A judge of lines, with a folder for texts."""

    place: Path

    def is_right(self, subject: Subject, fault: Fault, line: int) -> bool:
        """True if an edit of the line alone makes the program right."""
        if line in fault.lines:
            return True
        path = self.place / f"faulty{subject.program.suffix}"
        path.write_text(fault.text, encoding="utf-8")
        text = fault.text
        begin, end = bounds(text, line)
        tried = {text}
        by_kind: dict[str, list[str]] = {}
        for each in edits(path, wide=True):
            if begin <= each.start and each.end <= end and "\n" not in each.new:
                by_kind.setdefault(each.kind, []).append(each.of(text))
        own = chain.from_iterable(in_turn(list(by_kind.values())))
        for new in chain(added(fault, path, line), own):
            if new not in tried:
                tried.add(new)
                if subject.answers(new) == subject.right:
                    return True
            if len(tried) > EDITS:
                break
        return False

    def outcome(self, subject: Subject, fault: Fault, named: Sequence[int]) -> str:
        """One of the outcomes."""
        if not named:
            return "none"
        for at, line in enumerate(named[:NAMED]):
            if self.is_right(subject, fault, line):
                return "among" if at else "first"
        return "misleading"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT", type=checkout)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=20, help="faults that count, per language")
    parser.add_argument("--engine", choices=("clingo", "prolog"), help="programs of one language")
    parser.add_argument("-v", action="store_true", help="print each outcome")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", pls.ProgramWarning)
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        found = [
            subject
            for number, source in enumerate(asked.checkouts)
            for subject in subjects(source, place / str(number))
        ]
        for engine in ("clingo", "prolog"):
            if asked.engine in (None, engine):
                chosen = [each for each in found if each.engine == engine]
                measure(engine, chosen, asked.faults, random.Random(asked.seed), place, asked.v)


def measure(
    engine: str,
    chosen: Sequence[Subject],
    wanted: int,
    chance: random.Random,
    place: Path,
    talk: bool,
) -> None:
    """Plant, grade and judge faults in programs of one language, and print the outcomes."""
    judge = Judge(place)
    waiting = [
        (each, planted(each, chance)) for each in sorted(chosen, key=lambda s: s.problem.name)
    ]
    chance.shuffle(waiting)
    counts: dict[str, Counter[str]] = {}
    left, small, seconds = Counter[str](), 0, list[float]()
    number = 0
    while waiting and number < wanted:
        subject, coming = waiting.pop(0)
        for fault in coming:
            is_small = undone(fault, subject.program.suffix)
            if is_small and 2 * (small + 1) > wanted:
                continue
            if subject.answers(fault.text) == subject.right:
                left["change nothing"] += 1
                continue
            report = subject.graded(fault.text)
            if report is None:
                left["do not run"] += 1
                continue
            result = judge.outcome(subject, fault, report.lines)
            number += 1
            small += is_small
            seconds.append(report.seconds)
            counts.setdefault(fault.edit.kind, Counter())[result] += 1
            if talk or result != "first":
                print(f"{subject.program.name}: {fault}: {result}: lines {report.lines[:8]}")
                print(f"    {report.seconds:.2f} s: {report.words}")
                sys.stdout.flush()
            waiting.append((subject, coming))
            break
    total = sum(counts.values(), Counter[str]())
    print(
        f"\n{engine}: {len(chosen)} programs, {number} faults, {small} of small kinds; left out:",
        end="",
    )
    print(f" {left['change nothing']} that change nothing, {left['do not run']} that do not run")
    print(f"{'':12} {' '.join(f'{word:>10}' for word in OUTCOMES)}")
    for kind, count in [*sorted(counts.items()), ("all", total)]:
        print(f"{kind:12} {' '.join(f'{count[word]:10}' for word in OUTCOMES)}")
    if seconds:
        print(f"explaining: median {median(seconds):.2f} s, longest {max(seconds):.2f} s")
    without = sorted(kind for kind, count in counts.items() if not count["first"] + count["among"])
    print(f"kinds without a right line: {', '.join(without) or 'none'}\n", flush=True)


if __name__ == "__main__":
    main()
