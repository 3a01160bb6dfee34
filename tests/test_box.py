"""Every program of the box: its answers to every instance are those of a plain-Python oracle."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import clingo
import pytest
from helpers.box import ORACLES

BOX = Path(__file__).parents[1] / "problems"
SWIPL = Path(sys.prefix, "bin", "swipl")
PROBLEMS = sorted(each.name for each in BOX.iterdir() if each.is_dir())
FACT = re.compile(r"(-?[a-z]\w*)(?:\(([^()]*)\))?")
EXACT = "--eq=0"
"""With its own simplifications, clingo 5.8 would take some sums for equal that are not."""

DRIVER = """
main :-
    current_prolog_flag(argv, [Program, Input|Files]),
    term_to_atom(Predicates, Input),
    consult(user:Program),
    forall(member(Name, Predicates), dynamic(user:Name)),
    forall(member(File, Files), read_facts(File)),
    (   current_predicate(user:answer/1)
    ->  forall(user:answer(Atoms), show(Atoms))
    ;   current_predicate(user:model/2)
    ->  (   once(cheapest(Cost))
        ->  format("cost ~d~n", [Cost]),
            forall(labeled(Cost, Pairs), show_pairs(Pairs))
        ;   true
        )
    ;   forall(labeled(Pairs), show_pairs(Pairs))
    ).

read_facts(File) :-
    setup_call_cleanup(open(File, read, In), read_facts_from(In), close(In)).

read_facts_from(In) :-
    repeat,
    read_term(In, Fact, []),
    (   Fact == end_of_file -> ! ; assertz(user:Fact), fail ).

cheapest(Cost) :-
    user:model(Pairs, Cost),
    pairs_values(Pairs, Values),
    labeling([ff, min(Cost)], Values).

labeled(Cost, Pairs) :-
    user:model(Pairs, Cost),
    pairs_values(Pairs, Values),
    labeling([ff], Values).

labeled(Pairs) :-
    user:model(Pairs),
    pairs_values(Pairs, Values),
    labeling([ff], Values).

show_pairs(Pairs) :-
    maplist(pair_atom, Pairs, Atoms),
    show(Atoms).

pair_atom(Term-Value, Atom) :-
    Term =.. List,
    append(List, [Value], Longer),
    Atom =.. Longer.

show(Atoms) :-
    write(answer),
    forall(member(Atom, Atoms), (write(' '), writeq(Atom))),
    nl.

:- use_module(library(clpfd)).
:- initialization(main, main).
"""

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


def atom_of(text: str) -> Atom:
    name, arguments = FACT.fullmatch(text).groups()  # type: ignore[union-attr]
    return (name, *map(value, arguments.split(","))) if arguments else (name,)


def answers(problem: str, program: str, instance: Path) -> tuple[int | None, Answers]:
    """The answers of a program, of which those with the lowest cost, if it has any; that cost."""
    file = BOX / problem / program
    if file.suffix == ".pl":
        return prolog_answers(file, instance)
    return clingo_answers(file, instance, "_clingcon" in file.stem)


def clingo_answers(file: Path, instance: Path, integers: bool) -> tuple[int | None, Answers]:
    control = clingo.Control(["0", "--opt-mode=optN", EXACT])
    theory = None
    if integers:
        theory = pytest.importorskip("clingcon").ClingconTheory()
        theory.register(control)
        with clingo.ast.ProgramBuilder(control) as builder:
            for path in (file, instance):
                clingo.ast.parse_files(
                    [str(path)], lambda tree: theory.rewrite_ast(tree, builder.add)
                )
    else:
        control.load(str(file))
        control.load(str(instance))
    control.ground()
    if theory:
        theory.prepare(control)
    found: Answers = []
    cost: list[int] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            if model.cost and not model.optimality_proven:
                continue
            cost = model.cost
            if theory:
                pairs = theory.assignment(model.thread_id)
                atoms = [(*atom_of(str(name)), number) for name, number in pairs]
            else:
                atoms = [atom_of(str(symbol)) for symbol in model.symbols(shown=True)]
            found.append(frozenset(atoms))
    return cost[0] if cost else None, found


@cache
def driver(folder: Path) -> Path:
    (folder / "driver.pl").write_text(DRIVER)
    return folder / "driver.pl"


@pytest.fixture(scope="module", autouse=True)
def _driver(tmp_path_factory: pytest.TempPathFactory) -> None:
    global DRIVER_FILE
    DRIVER_FILE = driver(tmp_path_factory.mktemp("box"))


def prolog_answers(file: Path, instance: Path) -> tuple[int | None, Answers]:
    run = subprocess.run(
        [SWIPL, DRIVER_FILE, "--", file, inputs(file.parent), instance],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    cost = None
    found: Answers = []
    for line in run.stdout.splitlines():
        first, *rest = line.split()
        if first == "cost":
            cost = int(rest[0])
        else:
            found.append(frozenset(map(atom_of, rest)))
    return cost, found


@cache
def inputs(folder: Path) -> str:
    """The predicates of the instances, as a list in Prolog."""
    found = {
        f"{name}/{len(row)}"
        for file in (folder / "instances").iterdir()
        for name, rows in facts_of(file.read_text()).items()
        for row in rows
    }
    return f"[{','.join(sorted(found))}]"


def programs(problem: str) -> list[str]:
    folder = BOX / problem
    return sorted(
        each.name
        for each in folder.iterdir()
        if each.suffix in (".lp", ".pl") and each.name != "instances.lp"
    )


def instances(problem: str) -> list[Path]:
    return sorted((BOX / problem / "instances").iterdir())


def cases() -> Iterator[tuple[str, str, Path]]:
    for problem in PROBLEMS:
        for instance in instances(problem):
            for program in programs(problem):
                yield problem, program, instance


@cache
def expected(problem: str, instance: Path) -> tuple[int | None, set[frozenset[Atom]]]:
    found: Any = ORACLES[problem](facts_of(instance.read_text()))
    return found if isinstance(found, tuple) else (None, found)


@pytest.mark.parametrize(
    ("problem", "program", "instance"),
    [pytest.param(*case, id=f"{case[1]}-{case[2].stem}") for case in cases()],
)
def test_a_program_has_the_answers_of_the_oracle(problem, program, instance):
    cost, found = answers(problem, program, instance)
    assert len(found) == len(set(found))
    assert (cost, set(found)) == expected(problem, instance)
