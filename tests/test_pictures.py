"""Pictures of answers to the bundled problems: what each draw.lp shows, by an oracle in Python."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import clingo
import pytest
from helpers.programs import resource

import pylogic_sudoku as pls
from pylogic_sudoku.problem.atoms import from_symbol
from pylogic_sudoku.problem.drawing import DRAWS, Drawing
from pylogic_sudoku.problem.folder import bundled

PROBLEMS = [each.name for each in bundled()]
PAGE = resource("pylogic_sudoku/page/static/picture.js").read_text(encoding="utf-8")
Facts = dict[str, set[tuple[Any, ...]]]


def answers(text: str, *options: str) -> list[pls.Answer]:
    """The answers of a program, each with the atoms that it shows."""
    control = clingo.Control(["--eq=0", *options], logger=lambda *_: None)
    control.add("base", [], text)
    control.ground()
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.append(pls.Answer(map(from_symbol, model.symbols(shown=True))))
    return found


@cache
def drawn(problem: str, name: str) -> tuple[Facts, pls.Answer, pls.Answer]:
    """The facts of an instance with those of its answer, the answer, and its picture."""
    known = pls.Problem(problem)
    instance = known.instance(name).text
    best = answers(known.path("clingo").read_text("utf-8") + instance, "1", "--opt-mode=opt")
    answer = best[-1] if best else pls.Answer()
    facts: Facts = defaultdict(set)
    for atom in {*answers(instance)[0], *answer}:
        facts[atom.name].add(atom.arguments)
    text = (known.folder / DRAWS).read_text(encoding="utf-8")
    (picture,) = answers(f"{text}\n{instance}\n{answer}", "0")
    return facts, answer, picture


def values(picture: pls.Answer, kind: str, key: str) -> dict[Any, set[Any]]:
    """The values of an attribute, by the element that has it."""
    found = defaultdict(set)
    for element, name, which, value in picture.values("attr"):
        if (element, which) == (kind, key):
            found[name].add(value)
    return dict(found)


def nodes(picture: pls.Answer) -> set[Any]:
    return {name for (name,) in picture.values("node")}


def edges(picture: pls.Answer) -> set[Any]:
    return {name for (name,) in picture.values("edge")}


EVERY = [(each.name, name) for each in bundled() for name in each.instances]


@pytest.mark.parametrize(("problem", "name"), EVERY, ids="-".join)
def test_every_picture_is_in_the_words_of_the_page(problem, name):
    _, answer, picture = drawn(problem, name)
    known = {
        kind: set(re.findall(r"(\w+): (?:ANY|COLOURS|oneOf)", keys))
        for kind, keys in re.findall(r"^  (graph|node|edge): \{(.*)\},$", PAGE, re.MULTILINE)
    }
    there = {"node": nodes(picture), "edge": edges(picture), "graph": {"default"}}
    assert {atom.signature for atom in picture} <= {("node", 1), ("edge", 1), ("attr", 4)}
    assert {each for edge in edges(picture) for each in edge} <= nodes(picture)
    single = set()
    for kind, element, key, _ in picture.values("attr"):
        assert key in known[kind]
        assert element in there[kind]
        assert key in ("label", "xlabel") or (kind, element, key) not in single
        single.add((kind, element, key))
    assert nodes(picture) or not answer


# --- the label of each node, from the facts and the answer -------------------------------------


def cells(name: str) -> Callable[[Facts], dict[Any, set[Any]]]:
    return lambda facts: {(row, column): {value} for row, column, value in facts[name]}


def all_interval(facts: Facts) -> dict[Any, set[Any]]:
    notes = dict(facts["note"])
    numbers = {((1, "number"), at): {note} for at, note in notes.items()}
    steps = {((2, "step"), at): {abs(notes[at] - notes[at + 1])} for at in notes if at + 1 in notes}
    return numbers | steps


def magic_square(facts: Facts) -> dict[Any, set[Any]]:
    size = max(facts["size"])[0]
    total = {size * (size * size + 1) // 2}
    sums = {each: total for at in range(1, size + 1) for each in ((at, "sum"), ("sum", at))}
    return cells("square")(facts) | sums


def langford(facts: Facts) -> dict[Any, set[Any]]:
    (copies,) = max(facts["copies"])
    return {
        ("", first + (number + 1) * copy): {number}
        for number, first in facts["place"]
        for copy in range(copies)
    }


def nonogram(facts: Facts) -> dict[Any, set[Any]]:
    clues = {}
    for name in ("row_block", "column_block"):
        for line, index, length in facts[name]:
            last = max(other for same, other, _ in facts[name] if same == line)
            place = (line, ""), (index - last, "")
            clues[place if name == "row_block" else place[::-1]] = {length}
    return clues


def knapsack(facts: Facts) -> dict[Any, set[Any]]:
    items = {name: rest for name, *rest in facts["item"]}
    ((capacity,),) = facts["capacity"]
    found: dict[Any, set[Any]] = {}
    weight = value = 0
    for name, taken in facts["take"]:
        each, worth, most = items[name]
        found[(1, name), (1, "taken")] = {(taken, "of", most)}
        found[(1, name), (2, "weight")] = {taken * each}
        found[(1, name), (3, "value")] = {taken * worth}
        weight, value = weight + taken * each, value + taken * worth
    total = {((2, "total"), (2, "weight")): {(weight, "of", capacity)}}
    return found | total | {((2, "total"), (3, "value")): {value}}


def set_cover(facts: Facts) -> dict[Any, set[Any]]:
    costs = dict(facts["set"])
    found = {((1, name), (2, "cost")): {cost} for name, cost in costs.items()}
    found |= {((1, name), (1, "selected")): {"✓"} for (name,) in facts["select"]}
    for name in costs:
        if contained := {element for one, element in facts["contains"] if one == name}:
            found[(1, name), (3, "contains")] = contained
    return found | {((2, "total"), (2, "cost")): {sum(costs[n] for (n,) in facts["select"])}}


def send_more(facts: Facts) -> dict[Any, set[Any]]:
    digits = dict(facts["digit"])
    return {
        ((int((word,) in facts["total"]), word), (-place, "")): {digits[letter]}
        for word, place, letter in facts["letter"]
    }


def zebra(facts: Facts) -> dict[Any, set[Any]]:
    kinds = {thing: kind for kind, thing in facts["thing"]}
    return {(house, kinds[thing]): {thing} for thing, house in facts["house"]}


def job_shop(facts: Facts) -> dict[Any, set[Any]]:
    tasks = {(job, at): (machine, time) for job, at, machine, time in facts["task"]}
    return {
        (tasks[job, at][0], start, start + tasks[job, at][1]): {(job, at)}
        for job, at, start in facts["start"]
    }


LABELS: dict[str, Callable[[Facts], dict[Any, set[Any]]]] = {
    "all_interval": all_interval,
    "clique": lambda _: {},
    "colouring": lambda facts: {node: {(node, colour)} for node, colour in facts["colour"]},
    "futoshiki": cells("cell"),
    "hamilton": lambda _: {},
    "hitori": cells("number"),
    "job_shop": job_shop,
    "kenken": cells("cell"),
    "knapsack": knapsack,
    "langford": langford,
    "magic_square": magic_square,
    "nonogram": nonogram,
    "quasigroup": cells("cell"),
    "queens": lambda facts: {place: {"♛"} for place in facts["queen"]},
    "send_more": send_more,
    "set_cover": set_cover,
    "sudoku": cells("sudoku"),
    "zebra": zebra,
}
"""The labels of the picture of each problem, by node."""


@pytest.mark.parametrize(
    ("problem", "name"),
    [(problem, name) for problem, name in EVERY if drawn(problem, name)[1]],
    ids="-".join,
)
def test_each_node_has_the_label_of_the_answer(problem, name):
    facts, _, picture = drawn(problem, name)
    assert values(picture, "node", "label") == LABELS[problem](facts)


# --- what else the eye sees -------------------------------------------------------------------


def test_a_graph_has_its_edges_and_what_the_answer_selects():
    facts, _, picture = drawn("colouring", "australia")
    assert edges(picture) == facts["edge"]
    assert values(picture, "node", "fillcolor") == {v: {c} for v, c in facts["colour"]}
    facts, _, picture = drawn("clique", "octahedron")
    chosen = {name for (name,) in facts["clique"]}
    assert set(values(picture, "node", "fillcolor")) == chosen
    bold = set(values(picture, "edge", "style"))
    assert bold == {edge for edge in facts["edge"] if {*edge} <= chosen}
    assert len(bold) == 3
    facts, _, picture = drawn("hamilton", "dodecahedron")
    assert set(values(picture, "edge", "dir")) == facts["next"]
    assert {frozenset(each) for each in edges(picture)} == {
        frozenset(each) for each in facts["edge"]
    }


def test_a_table_has_its_black_cells_givens_signs_and_cages():
    for problem, name, black in (("hitori", "5", "black"), ("nonogram", "heart", "cell")):
        facts, _, picture = drawn(problem, name)
        dark = {place[:2] for place in facts[black] if place[2:] != (0,)}
        if problem == "nonogram":
            dark = {((row, ""), (column, "")) for row, column in dark}
        assert set(values(picture, "node", "fillcolor")) == dark
    for problem, given in (("quasigroup", "given"), ("sudoku", "initial"), ("futoshiki", "given")):
        facts, _, picture = drawn(problem, "5" if problem != "sudoku" else "tall")
        assert set(values(picture, "node", "style")) == {each[:2] for each in facts[given]}
    assert edges(picture) == {((a, b), (c, d)) for a, b, c, d in facts["less"]}
    facts, _, picture = drawn("kenken", "5")
    assert values(picture, "node", "group") == {(r, c): {k} for k, r, c in facts["in_cage"]}
    signs = {
        "add": "+",
        "subtract": "\N{MINUS SIGN}",
        "multiply": "\N{MULTIPLICATION SIGN}",
        "divide": "÷",
    }
    first = {
        cage: min((r, c) for k, r, c in facts["in_cage"] if k == cage) for cage, *_ in facts["cage"]
    }
    assert values(picture, "node", "xlabel") == {
        first[cage]: {(result, signs[kind])} for cage, kind, result in facts["cage"]
    }


def test_a_gantt_chart_has_a_colour_for_each_job():
    facts, _, picture = drawn("job_shop", "3")
    jobs = sorted({job for job, *_ in facts["task"]})
    colours = values(picture, "node", "fillcolor")
    labels = values(picture, "node", "label")
    assert len(colours) == len(facts["task"])
    for bar, (label,) in labels.items():
        assert colours[bar] == {jobs.index(label[0]) + 1}


# --- a draw.lp as a problem -------------------------------------------------------------------


def test_a_drawing_is_asked_as_any_problem_is():
    drawing = Drawing(pls.Problem("queens"))
    assert drawing != pls.Problem("queens") != drawing
    assert drawing == Drawing(pls.Problem("queens"))
    assert len({drawing, Drawing(pls.Problem("queens")), pls.Problem("queens")}) == 2
    instance = drawing.instance("size(4). queen(1,2). queen(2,4). queen(3,1). queen(4,3).")
    assert pls.solve(instance) == drawn_by_hand(instance)
    assert pls.count(instance) == 1
    assert not any(DRAWS in path.name for path in pls.Problem("queens").paths.values())


def drawn_by_hand(instance: pls.Instance) -> pls.Answer:
    """The picture by clingo alone."""
    (picture,) = answers(instance.problem.path("clingo").read_text("utf-8") + instance.text, "0")
    return picture


def test_without_a_file_there_is_no_drawing(tmp_path):
    (tmp_path / "odd.lp").write_text("#show on/1. on(1).")
    with pytest.raises(pls.InvalidProblem, match="has no program"):
        Drawing(pls.Problem(tmp_path))
