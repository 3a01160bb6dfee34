"""Count how often the grader names the right line of programs about lists and relations.

    python -m benchmarks.students_lines [--labels] [-v] [NAME ...]

The programs are in the folders of ``students/``, each of which is a problem with its reference, and
the labels in ``students/lines.toml``: the mistake, and the lines in which it can be mended. Each
program is graded on all instances. The line of the first diagnosis that names one is right first,
among the lines that are named, or not there, which misleads; or no line is named.

With --labels no program is graded. They are run, and so is each with each right line mended: the
reference must have the answers that plain Python finds, the program must not have them on every
instance, and the mended program must.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku.problem import Answer, Instance
from pylogic_sudoku.problem.folder import Problem

from .grader_faults import graded, lines

STUDENTS = Path(__file__).parent / "students"
SECONDS = 2.0
"""Time for all answers to an instance; the right programs need a hundredth of it."""
OUTCOMES = ("first", "among", "misleading", "none")
"""The right line is named first, or after others; others alone are named; no line is."""

Found = frozenset[Answer] | str
"""All answers, or the kind of error."""


# --- programs and labels ----------------------------------------------------------------------


@dataclass(frozen=True)
class Labelled:
    """A program with a mistake, and what is known of it."""

    file: str
    mistake: str
    helpers: str
    mends: list[tuple[int, str]]
    """Right lines, each with a text that mends the program."""
    named: str = ""
    """A predicate that has a name of the reference's, and another meaning."""
    ends: bool = True
    """False if time runs out on some instance."""

    @property
    def problem(self) -> Problem:
        """Its exercise."""
        return Problem(STUDENTS / self.file.partition("/")[0])

    @property
    def path(self) -> Path:
        return self.problem.folder / "programs" / f"{self.file.partition('/')[2]}.pl"

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def right(self) -> list[int]:
        """The right lines."""
        return [line for line, _ in self.mends]

    def mended(self) -> Iterator[str]:
        """The texts of the program with each right line mended."""
        for line, text in self.mends:
            yield with_line(self.text, line, text)


def with_line(text: str, line: int, new: str) -> str:
    """The text with another line in place of one, which is counted from 1."""
    before = text.split("\n")
    return "\n".join([*before[: line - 1], new, *before[line:]])


def labels() -> list[Labelled]:
    """All programs with their labels."""
    known = tomllib.loads((STUDENTS / "lines.toml").read_text(encoding="utf-8"))["program"]
    return [Labelled(**each) for each in known]


def defined(text: str) -> set[str]:
    """The predicates that a program in this style defines: a clause begins in the first column."""
    found = set()
    for clause in re.finditer(r"^([a-z]\w*)\(", text, re.MULTILINE):
        arity, depth, at = 1, 1, clause.end()
        while depth:
            depth += (text[at] in "([{") - (text[at] in ")]}")
            arity += depth == 1 and text[at] == ","
            at += 1
        arity += 2 * bool(re.match(r"\s*-->", text[at:]))
        found.add(f"{clause[1]}/{arity}")
    return found


def shared(each: Labelled) -> set[str]:
    """The helpers of a program that have the names of the reference's."""
    adapter = (each.problem.folder / "adapter.pl").read_text(encoding="utf-8")
    both = defined(each.text) & defined(each.problem.path("prolog").read_text(encoding="utf-8"))
    return {name for name in both if f"{name.partition('/')[0]}(" not in adapter}


# --- running ----------------------------------------------------------------------------------


def answers(instance: Instance, engine: str, seconds: float, most: int = 500) -> Found:
    """All answers, without a diagnosis."""
    try:
        return frozenset(pls.solutions(instance, engine, most + 1, seconds))
    except pls.LogicError as error:
        return type(error).__name__


def run(problem: Problem, text: str, place: Path) -> list[Found]:
    """The answers of a program to all instances of an exercise."""
    folder = place / "run"
    folder.mkdir(exist_ok=True)
    adapter = (problem.folder / "adapter.pl").read_text(encoding="utf-8")
    (folder / "run.pl").write_text(f"{text}\n{adapter}", encoding="utf-8")
    toml = (problem.folder / "problem.toml").read_text(encoding="utf-8")
    (folder / "problem.toml").write_text(toml, encoding="utf-8")
    copy = Problem(folder)
    texts = [each.text for each in problem.instances.values()]
    return [answers(copy.instance(each), "prolog", SECONDS) for each in texts]


def complaints(each: Labelled, right: list[Found], place: Path) -> Iterator[str]:
    """Yield in words each fault of the label of a program."""
    if each.helpers != ("other" if each.named else "same" if shared(each) else "none"):
        yield f"its helpers are not {each.helpers!r}"
    if not {each.named} - {""} <= shared(each):
        yield f"{each.named} is not in the reference"
    found = run(each.problem, each.text, place)
    if found == right:
        yield "the program is right"
    if each.ends == ("SolveTimeout" in found):
        yield f"it ends: {not each.ends}"
    for (line, _), text in zip(each.mends, each.mended(), strict=True):
        if run(each.problem, text, place) != right:
            yield f"it is not right with line {line} mended"


# --- the answers of plain Python --------------------------------------------------------------

Facts = dict[str, list[tuple[Any, ...]]]


def _list(facts: Facts, name: str) -> list[Any]:
    return [value for _, value in facts.get(name, [])]


def _sorting(facts: Facts) -> set[str]:
    return {f"sorted({_text(sorted(_list(facts, 'item')))})"}


def _routes(facts: Facts) -> set[str]:
    roads = {pair for a, b in facts["road"] for pair in ((a, b), (b, a))}
    ((start,),), ((end,),) = facts["from"], facts["to"]
    towns = {a for a, _ in roads} - {start, end}
    between = (
        list(some) for number in range(len(towns) + 1) for some in permutations(towns, number)
    )
    ways = [[start]] if start == end else [[start, *some, end] for some in between]
    good = (way for way in ways if all(pair in roads for pair in pairwise(way)))
    return {f"route({_text(way)})" for way in good}


def _seating(facts: Facts) -> set[str]:
    foes = {pair for a, b in facts.get("rivals", []) for pair in ((a, b), (b, a))}
    rows = permutations(guest for (guest,) in facts.get("guest", []))
    good = (row for row in rows if not foes & {*pairwise(row)})
    return {f"row({_text(row)})" for row in good}


def _relatives(facts: Facts) -> set[str]:
    parents, women = {*facts["parent"]}, {name for (name,) in facts.get("woman", [])}
    people = {name for pair in parents for name in pair}
    sisters = {
        (a, b)
        for parent, a in parents
        for other, b in parents
        if parent == other and a != b and a in women
    }
    aunts = {(a, child) for a, b in sisters for parent, child in parents if parent == b}
    older = parents
    for _ in people:
        older = older | {(a, d) for a, b in older for c, d in parents if b == c}
    return {f"aunt({a},{b})" for a, b in aunts} | {f"ancestor({a},{b})" for a, b in older}


def _totals(facts: Facts) -> set[str]:
    numbers = _list(facts, "item")
    return {f"totals({sum(numbers)},{max(numbers)})"} if numbers else set()


def _trees(facts: Facts) -> set[str]:
    children = {key: pair for key, *pair in facts.get("node", [])}

    def walk(key: Any) -> tuple[list[Any], int]:
        if key == "none":
            return [], 0
        (left, a), (right, b) = map(walk, children[key])
        return [*left, key, *right], 1 + max(a, b)

    ((root,),) = facts["root"]
    keys, height = walk(root)
    return {f"height({height}) keys({_text(keys)})"}


def _sums(facts: Facts) -> set[str]:
    signs = {"plus": "+", "minus": "-", "times": "*", "open": "(", "close": ")"}
    text = "".join(signs.get(token, str(token)) for token in _list(facts, "token"))
    try:
        return {f"value({eval(text)})"}  # of our own instances
    except SyntaxError:
        return set()


def _timetable(facts: Facts) -> set[str]:
    talks, ((slots,),) = [talk for (talk,) in facts["talk"]], facts["slots"]
    found = set()
    for chosen in permutations(range(1, slots + 1), len(talks)):
        plan = dict(zip(talks, chosen, strict=True))
        if all(plan[a] < plan[b] for a, b in facts.get("before", [])):
            found.add(" ".join(sorted(f"at({talk},{slot})" for talk, slot in plan.items())))
    return found


def _text(items: Iterable[Any]) -> str:
    return f"[{','.join(map(str, items))}]"


ORACLES: dict[str, Callable[[Facts], set[str]]] = {
    "sorting": _sorting,
    "routes": _routes,
    "seating": _seating,
    "relatives": _relatives,
    "totals": _totals,
    "trees": _trees,
    "sums": _sums,
    "timetable": _timetable,
}
"""The answers to each exercise, each as its atoms in order."""


def expected(problem: Problem) -> list[set[str]]:
    """The answers of plain Python to all instances of an exercise."""
    found = []
    for instance in problem.instances.values():
        facts: Facts = {}
        for fact in instance.facts:
            symbol = clingo.parse_term(fact.text)
            facts.setdefault(symbol.name, []).append(tuple(map(_value, symbol.arguments)))
        for rows in facts.values():
            rows.sort(key=lambda row: row[0] if isinstance(row[0], int) else 0)
        found.append(ORACLES[problem.name](facts))
    return found


def _value(symbol: clingo.Symbol) -> int | str:
    return symbol.number if symbol.type is clingo.SymbolType.Number else str(symbol)


def as_texts(found: Found) -> Any:
    """Answers as their atoms in order."""
    if isinstance(found, str):
        return found
    return {" ".join(sorted(map(str, answer))) for answer in found}


def check_labels(chosen: list[Labelled]) -> int:
    """Print the faults of references and labels; return their number."""
    number, known = 0, dict[str, list[Found]]()
    with TemporaryDirectory() as place:
        for each in chosen:
            problem = each.problem
            if problem.name not in known:
                reference = problem.path("prolog").read_text(encoding="utf-8")
                text = reference.replace(":- include(adapter).", "")
                known[problem.name] = run(problem, text, Path(place))
                if [*map(as_texts, known[problem.name])] != expected(problem):
                    print(f"{problem.name}: the reference is not right")
                    number += 1
            for words in complaints(each, known[problem.name], Path(place)):
                print(f"{each.file}: {words}", flush=True)
                number += 1
    return number


# --- grading ----------------------------------------------------------------------------------


def outcome(named: list[int], right: Iterable[int]) -> str:
    """One of the outcomes."""
    if not named:
        return "none"
    if named[0] in right:
        return "first"
    return "among" if {*named} & {*right} else "misleading"


def measure(chosen: list[Labelled], talk: bool) -> None:
    """Grade the programs, and print the outcomes."""
    counts, seconds = dict[str, Counter[str]](), list[float]()
    helpers: dict[str, Counter[str]] = {}
    for each in chosen:
        verdicts = graded(each.path, each.problem)
        named = lines(verdicts)
        result = outcome(named, each.right)
        counts.setdefault(each.mistake, Counter())[result] += 1
        helpers.setdefault(each.helpers, Counter())[result] += 1
        seconds.append(max((v.diagnosis.seconds for v in verdicts if v.diagnosis), default=0.0))
        if talk or result != "first":
            print(f"{each.file}: {each.mistake}: {result}: lines {named}, right {each.right}")
            for summary in dict.fromkeys(v.diagnosis.summary for v in verdicts if v.diagnosis):
                print(f"    {summary}")
        sys.stdout.flush()
    wide = max(map(len, counts))
    print(f"\n{'':{wide}} {' '.join(f'{word:>10}' for word in OUTCOMES)}")
    for title, rows in (("mistake", counts), ("helpers", helpers)):
        for name, count in sorted(rows.items()):
            label = name if title == "mistake" else f"helpers: {name}"
            print(f"{label:{wide}} {' '.join(f'{count[word]:10}' for word in OUTCOMES)}")
        print()
    total = sum(counts.values(), Counter[str]())
    print(f"{'all':{wide}} {' '.join(f'{total[word]:10}' for word in OUTCOMES)}")
    print(f"explaining: median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labels", action="store_true", help="check the labels, by running")
    parser.add_argument("-v", action="store_true", help="print each outcome")
    parser.add_argument("names", nargs="*", metavar="NAME", help="words in names, else all")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", pls.ProgramWarning)
    chosen = [
        each for each in labels() if not asked.names or any(n in each.file for n in asked.names)
    ]
    if not chosen:
        parser.error("no program has such a name")
    if asked.labels:
        wrong = check_labels(chosen)
        number = sum(len(each.mends) for each in chosen)
        print(f"{len(chosen)} programs, {number} right lines, {wrong} complaints")
        return 1 if wrong else 0
    start = perf_counter()
    measure(chosen, asked.v)
    print(f"in {perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
