"""The JSON API of the page: puzzles with rules, and what is marked, drawn and checked."""

from __future__ import annotations

import pytest
from helpers.puzzles import LOOSE
from helpers.ruled import SMALL_KILLER, SMALL_SOLUTION, THERMOMETER_SOLUTION, THERMOMETERS
from helpers.serving import asked

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku import page as bounds
from pylogic_sudoku.rules import KINDS, Different, KillerCage, Thermometer

SMALL = {
    "killer": (SMALL_KILLER, SMALL_SOLUTION),
    "thermometers": (THERMOMETERS, THERMOMETER_SOLUTION),
}


@pytest.fixture(params=SMALL)
def small(request):
    return SMALL[request.param]


def rows(text):
    return Grid.parse(text).to_json()


def test_reads_and_writes_rules(client, small):
    puzzle = small[0]
    text = asked(client, "write", puzzle=puzzle, format="json")["text"]
    assert Puzzle.parse(text) == puzzle
    found = asked(client, "read", text=text)["puzzles"]
    assert found == [puzzle.to_json()]


def test_solves_counts_and_finds_candidates(client, small, backend):
    puzzle, solution = small
    answer = asked(client, "solve", puzzle=puzzle, engine=backend)
    assert answer.pop("seconds") > 0
    assert answer == {"solutions": [rows(solution)], "stopped": None}
    assert asked(client, "count", puzzle=puzzle, engine=backend)["count"] == 1
    each = [[[digit] for digit in row] for row in rows(solution)]
    assert asked(client, "candidates", puzzle=puzzle, engine=backend)["candidates"] == each
    assert not any(broken(client, Puzzle(solution, rules=puzzle.rules)))


def broken(client, puzzle):
    return [rule["broken"] for rule in asked(client, "rules", puzzle=puzzle)["rules"]]


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        ("." * 16, [False, False, False]),
        ("2...1" + "." * 11, [True, False, False]),
        ("1...2" + "." * 11, [False, False, False]),
        ("." * 14 + "24", [False, True, False]),
        ("." * 14 + "2.", [False, False, False]),
        ("1....1" + "." * 10, [False, False, True]),
        ("1....2....3....3", [False, False, True]),
    ],
)
def test_the_rules_that_the_digits_break(client, digits, expected):
    rules = [
        Thermometer("r1c1 r2c1"),
        KillerCage("r4c3 r4c4", sum=3),
        Different("r1c1 r2c2 r3c3 r4c4"),
    ]
    puzzle = Puzzle(digits, rules=rules)
    assert broken(client, puzzle) == expected
    found = asked(client, "rules", puzzle=puzzle)["rules"]
    assert [each["text"] for each in found] == list(map(str, rules))
    assert found[1]["cells"] == ["r4c3", "r4c4"]


def test_the_kinds_that_the_page_can_set(client):
    kinds = {kind["kind"]: kind for kind in client.get("/api").json()["kinds"]}
    assert set(kinds) == set(KINDS)
    killer = kinds["killer_cage"]
    assert (killer["title"], killer["settable"], killer["line"]) == ("killer cage", True, False)
    assert killer["text"].startswith("The digits are all different")
    assert killer["fields"] == [
        {"name": "cells", "type": "cells", "required": True, "default": None},
        {"name": "sum", "type": "number", "required": False, "default": None},
    ]
    assert kinds["thermometer"]["fields"][1]["type"] == "flag"
    assert kinds["thermometer"]["line"]
    assert all(kind["text"] for kind in kinds.values())


def test_the_drawing_and_its_colours(client):
    drawn = asked(client, "rules", puzzle=SMALL_KILLER)
    assert drawn["svg"].count('data-rule="killer_cage"') == len(SMALL_KILLER.rules)
    assert "var(--rule-" in drawn["svg"]
    assert drawn["labels"]
    assert not any(drawn["room"].values())
    clue = {"rule": "sandwich", "cells": ["r2c1", "r2c2", "r2c3", "r2c4"], "sum": 5}
    drawn = asked(client, "rules", puzzle={"grid": [[None] * 4] * 4, "rules": [clue]})
    assert [side for side, width in drawn["room"].items() if width] == ["left"]


def test_rules_for_the_whole_grid(client):
    def found(puzzle):
        sets = asked(client, "rule-sets", puzzle=puzzle)["sets"]
        return {each["title"]: len(each["rules"]) for each in sets}

    square = found("." * 81)
    assert square.items() >= {"diagonal /": 1, "windoku": 4, "disjoint groups": 9}.items()
    assert square.items() >= {"nonconsecutive": 1, "anti-knight": 1, "anti-king": 1}.items()
    assert "windoku" not in found({"box": [2, 3], "grid": [[None] * 6] * 6})
    regions = [[1, 1, 1, 2], [1, 2, 2, 2], [3, 3, 3, 4], [3, 4, 4, 4]]
    assert "disjoint groups" not in found({"grid": [[None] * 4] * 4, "regions": regions})
    for each in asked(client, "rule-sets", puzzle="." * 81)["sets"]:
        asked(client, "rules", puzzle={"grid": [[None] * 9] * 9, "rules": each["rules"]})


def test_more_rules_than_the_page_takes(client):
    one = {"rule": "different", "cells": ["r1c1", "r2c2"]}
    grid = [[None] * 4] * 4
    many = {"grid": grid, "rules": [one] * (bounds.RULES + 1)}
    says = f"the page takes up to {bounds.RULES} rules, this puzzle has {bounds.RULES + 1}"
    assert asked(client, "solve", 422, puzzle=many)["error"] == says
    assert asked(client, "rules", puzzle={**many, "rules": [one] * bounds.RULES})["rules"]
    assert client.get("/api").json()["rules"] == bounds.RULES
    wide = {"rule": "whispers", "cells": ["r1c1", "r1c2"] * (bounds.CELLS // 2 + 1)}
    answer = asked(client, "solve", 422, puzzle={"grid": grid, "rules": [wide | {"difference": 1}]})
    assert answer["error"].startswith(f"the page takes rules on up to {bounds.CELLS} cells")


@pytest.mark.parametrize("depth", [bounds.DEPTH, 100, 300])
def test_rules_too_deep_within_each_other(client, depth):
    rule = {"rule": "anti_knight"}
    for _ in range(depth):
        rule = {"rule": "any_of", "options": [[rule], [{"rule": "anti_king"}]]}
    answer = asked(client, "solve", 422, puzzle={"grid": [[None] * 4] * 4, "rules": [rule]})
    assert "rules within rules" in answer["error"]


# === Questions of the page about candidates, pictures, digits that are filled in, and text ========


def explanations(answer):
    return [step["explanation"] for step in answer["steps"]]


def test_steps_go_on_without_what_is_removed(client):
    first, second = explanations(asked(client, "steps", puzzle=LOOSE, limit=2))
    (again,) = explanations(asked(client, "steps", puzzle=LOOSE, removed=first["removed"]))
    assert again == second
