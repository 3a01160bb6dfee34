"""Every bundled program: its answers to every instance are those of a plain-Python oracle."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import clingo
import pytest
from helpers.bundled import EDGES, ORACLES

import pylogic_sudoku as pls
from pylogic_sudoku.coverage import cover
from pylogic_sudoku.problem.folder import RESERVED, Problem
from pylogic_sudoku.questions.comparison import instances_by_size

BOX = Path(__file__).parents[1] / "problems"
SWIPL = Path(sys.prefix, "bin", "swipl")
PROBLEMS = sorted(each.name for each in BOX.iterdir() if each.is_dir())
FACT = re.compile(r"([a-z]\w*)(?:\(([^()]*)\))?")

Atom = tuple[Any, ...]
Answers = list[frozenset[Atom]]
Facts = dict[str, list[Atom]]


def facts_of(text: str) -> Facts:
    """The facts in the text of an instance: the arguments for each name."""
    found: Facts = {}
    for name, arguments in FACT.findall(re.sub("%.*", "", text)):
        found.setdefault(name, []).append(tuple(map(value, arguments.split(","))))
    return found


def value(text: str) -> int | str:
    text = text.strip()
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def answers_by(instance: pls.Instance, backend: str) -> tuple[int | None, Answers]:
    solutions = list(pls.solutions(instance, backend))
    costs = {answer.cost for answer in solutions} or {()}
    (cost,) = costs
    atoms = [frozenset((atom.name, *atom.arguments) for atom in answer) for answer in solutions]
    return cost[0] if cost else None, atoms


def programs(problem: str) -> list[str]:
    folder = BOX / problem
    return sorted(
        each.name
        for each in folder.iterdir()
        if each.suffix in (".lp", ".pl") and each.name not in RESERVED
    )


def instances(problem: str) -> list[Path]:
    return sorted((BOX / problem / "instances").iterdir())


SLOW_ORACLES = {"send_more/money", "sudoku/6", "sudoku/tall", "zebra/fewer_clues"}
"""Instances for which the oracle takes a second or more."""


def is_slow(problem: str, instance: Path) -> bool:
    return f"{problem}/{instance.stem}" in SLOW_ORACLES


@cache
def expected(problem: str, instance: Path) -> tuple[int | None, set[frozenset[Atom]]]:
    return right(problem, facts_of(instance.read_text()))


def right(problem: str, facts: Facts) -> tuple[int | None, set[frozenset[Atom]]]:
    found: Any = ORACLES[problem](facts)
    return found if isinstance(found, tuple) else (None, found)


def of_the_oracle(problem: str, names: list[str]) -> Callable[..., None]:
    """A test of each program on each of these instances."""

    @pytest.mark.one_in(4)
    @pytest.mark.logic(BOX / problem, instances=names)
    def test(instance, program):
        cost, found = answers_by(instance, program)
        assert len(found) == len(set(found))
        assert (cost, set(found)) == expected(
            problem, BOX / problem / "instances" / f"{instance.name}.lp"
        )

    return test


# Each problem has a test of its own, since the mark names its folder.
for _problem in PROBLEMS:
    _quick, _late = (
        [each.stem for each in instances(_problem) if is_slow(_problem, each) is late]
        for late in (False, True)
    )
    _name = f"test_programs_of_{_problem}_have_the_answers_of_the_oracle"
    globals()[_name] = of_the_oracle(_problem, _quick)
    if _late:
        globals()[f"{_name}_in_seconds"] = pytest.mark.slow(of_the_oracle(_problem, _late))


def test_each_program_is_tested_on_each_instance():
    """A name that the plugin does not find would leave out its tests without a word."""
    wanted = {
        (problem, each.stem, program)
        for problem in PROBLEMS
        for each in instances(problem)
        for program in Problem(BOX / problem).paths
    }
    assert len(wanted) == sum(len(instances(p)) * len(programs(p)) for p in PROBLEMS)
    tests = [
        value.pytestmark
        for name, value in globals().items()
        if name.startswith("test_programs_of_") and hasattr(value, "pytestmark")
    ]
    marks = [mark for each in tests for mark in each if mark.name == "logic"]
    covered = {
        (mark.args[0].name, name, program)
        for mark in marks
        for name in mark.kwargs["instances"]
        for program in Problem(mark.args[0]).paths
    }
    assert covered == wanted


def assert_all_right(instance: pls.Instance) -> None:
    """Every program has the answers of the oracle, each once."""
    facts = facts_of(" ".join(fact.text for fact in instance.facts))
    cost, atoms = right(instance.problem.name, facts)
    for backend in instance.problem.paths:
        found_cost, found = answers_by(instance, backend)
        assert len(found) == len(set(found)), (backend, facts)
        assert (found_cost, set(found)) == (cost, atoms), (backend, facts)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_programs_agree_at_the_edges(problem):
    for text in ("", *EDGES[problem]):
        assert_all_right(Problem(BOX / problem).instance(text))


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_programs_agree_on_small_instances(problem):
    every = list(instances_by_size(Problem(BOX / problem)))
    for instance in random.Random(1).sample(every, min(300, len(every))):
        assert_all_right(instance)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_some_instance_has_answers_and_some_program_is_in_each_language(problem):
    assert {f"{problem}.lp", f"{problem}.pl"} <= set(programs(problem))
    assert 3 <= len(instances(problem)) <= 11
    quick = (each for each in instances(problem) if not is_slow(problem, each))
    assert any(expected(problem, each)[1] for each in quick)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_small_instances_have_the_predicates_of_the_others(problem):
    control = clingo.Control(["50", "--project=show"])
    control.load(str(BOX / problem / "instances.lp"))
    control.ground()
    found: set[frozenset[tuple[str, int]]] = set()
    count = 0
    with control.solve(yield_=True) as handle:
        for model in handle:
            symbols = model.symbols(shown=True)
            found.add(frozenset((each.name, len(each.arguments)) for each in symbols))
            count += 1
    assert count >= SMALL.get(problem, 50)
    read = {
        (name, len(row))
        for instance in instances(problem)
        for name, rows in facts_of(instance.read_text()).items()
        for row in rows
    }
    assert frozenset().union(*found) <= read


SMALL = {"queens": 9, "langford": 28}
"""Problems with few small instances, and how many they have."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("file", sorted(BOX.glob("*/*.pl")), ids=lambda file: file.stem)
def test_the_head_of_a_prolog_program_shows_what_the_toplevel_prints(file):
    command, query, printed = re.search(
        r"\n%   swipl (.*)\n%   \?- (.*)\n((?:%   .*\n)+)", file.read_text()
    ).groups()
    assert str(file.relative_to(BOX.parent)) in command.split()
    # A line after the query ends it, as the key Enter does where there may be more answers.
    run = subprocess.run(
        [SWIPL, "-q", *command.split()],
        input=f"{query}\n\n",
        cwd=BOX.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    answer = [line.removeprefix("%   ") for line in printed.splitlines()]
    found = [line.rstrip(" .") for line in run.stdout.rstrip().splitlines()]
    assert found == [line.rstrip(" .") for line in answer]


@pytest.mark.parametrize(
    "file",
    sorted(each for each in BOX.glob("*/*.lp") if each.name not in RESERVED),
    ids=lambda file: file.stem,
)
def test_the_head_of_an_asp_program_names_it_and_an_instance(file):
    command = re.search(r"\n%   cling(?:o|con) (\S+) (\S+)", file.read_text())
    assert command
    assert BOX.parent / command[1] == file
    assert (BOX.parent / command[2]).is_file()
    assert (BOX.parent / command[2]).parent == file.parent / "instances"


@pytest.mark.parametrize(
    "file", sorted([*BOX.glob("*/*.pl"), *BOX.glob("*/*.lp")]), ids=lambda file: file.name
)
def test_a_head_says_what_goes_in_and_out_and_what_it_teaches(file):
    if file.name == "draw.lp":
        assert file.read_text().startswith("% Picture: ")
        return
    if file.name == "instances.lp":
        assert file.read_text().startswith(f"% Instances of {file.parent.name}: ")
        return
    labels = re.findall(r"^% (Input|Output|Teaches|Costs|Unseen):", file.read_text(), re.MULTILINE)
    assert labels in ([*HEAD], [*HEAD, "Unseen"])


HEAD = ["Input", "Output", "Teaches", "Costs"]


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_instances_notice_each_part_of_a_program_but_those_that_its_head_explains(problem):
    for program in cover(problem).programs:
        missed, late = ([each.edit.shown for each in program.of(x)] for x in ("missed", "late"))
        explained = "\n% Unseen: " in program.path.read_text()
        assert explained or not missed, missed
        assert missed or late or not explained
        assert not program.of("unknown")


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", sorted(BOX.glob("*/*.pl")), ids=lambda file: file.stem)
def test_a_prolog_program_answers_every_instance_by_hand(file, most):
    goal = "current_predicate(Name/Arity), memberchk(Name/Arity, [model/1, model/2, answer/1])"
    goal = f"once(({goal})), functor(Goal, Name, Arity), (call(Goal) -> true ; true)"
    for instance in instances(file.parent.name)[:most]:
        command = [SWIPL, "-q", "-l", instance, "-g", goal, "-t", "halt", file]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), instance.name


def ground_rules(*files: Path) -> int:
    """The rules of the ground program, as ``--stats`` has them, except what is minimized."""
    control = clingo.Control()
    for file in files:
        control.load(str(file))
    control.ground([("base", [])])
    control.solve()
    found = control.statistics["problem"]["lp"]
    return int(found["rules"] - found.get("rules_minimize", 0))


COUNTED = [
    (file, int(number[1].replace(",", "")))
    for file in sorted(BOX.glob("*/*.lp"))
    if "clingcon" not in file.name
    and (number := re.search(r"Costs: +([\d,]+) ground rules", file.read_text()))
]


def test_ground_rules_are_what_asp_programs_cost():
    assert len(COUNTED) > len(PROBLEMS)


@pytest.mark.parametrize(("file", "number"), COUNTED, ids=[file.stem for file, _ in COUNTED])
def test_a_head_has_the_ground_rules_of_an_instance(file, number):
    instances = (file.parent / "instances").glob("*.lp")
    assert number in {ground_rules(file, each) for each in instances}
