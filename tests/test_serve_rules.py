"""The JSON API of the page with puzzles that have rules beyond plain sudoku."""

from __future__ import annotations

import json

import pytest
from helpers.ruled import (
    KILLER,
    SMALL_KILLER,
    SMALL_SOLUTION,
    SOLUTION,
    THERMOMETER_SOLUTION,
    THERMOMETERS,
)

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.draw._rules import DARK
from pylogic_sudoku.rules import KINDS, Different, KillerCage, Thermometer
from pylogic_sudoku.serve import _bounds as bounds

SMALL = {
    "killer": (SMALL_KILLER, SMALL_SOLUTION, "killer cage"),
    "thermometers": (THERMOMETERS, THERMOMETER_SOLUTION, "thermometer"),
}


@pytest.fixture(params=SMALL)
def small(request):
    return SMALL[request.param]


def asked(client, path, puzzle, status=200, **body):
    asked = puzzle.to_json() if isinstance(puzzle, Puzzle) else puzzle
    answer = client.post(f"/api/{path}", json={"puzzle": asked, **body})
    assert answer.status_code == status, answer.text
    return answer.json()


def rows(text):
    return Grid.parse(text).to_json()


def test_reads_and_writes_rules(client, small):
    puzzle = small[0]
    text = asked(client, "write", puzzle, format="json")["text"]
    assert Puzzle.parse(text) == puzzle
    found = client.post("/api/read", json={"text": text}).json()["puzzles"]
    assert found == [puzzle.to_json()]


def test_solves_and_counts(client, small, backend):
    puzzle, solution, _ = small
    answer = asked(client, "solve", puzzle, engine=backend)
    assert answer.pop("seconds") > 0
    assert answer == {"solutions": [rows(solution)], "stopped": None}
    assert asked(client, "count", puzzle, engine=backend)["count"] == 1
    wider = Puzzle(puzzle.grid, rules=puzzle.rules[:3])
    answer = asked(client, "solve", wider, engine=backend, limit=500)
    assert rows(solution) in answer["solutions"]
    assert len(answer["solutions"]) > 1
    counted = asked(client, "count", wider, engine=backend, limit=500)
    assert (counted["count"], counted["stopped"]) == (len(answer["solutions"]), None)


def test_a_killer_of_the_usual_size(client):
    assert asked(client, "solve", KILLER)["solutions"] == [rows(SOLUTION)]


def test_candidates(client, small, backend):
    puzzle, solution, _ = small
    expected = [[[digit] for digit in row] for row in rows(solution)]
    assert asked(client, "candidates", puzzle, engine=backend)["candidates"] == expected


def test_digits_that_break_a_rule_have_no_solution(client, small, backend):
    wrong = Puzzle("3" + "." * 15, rules=small[0].rules)
    assert asked(client, "solve", wrong, engine=backend)["solutions"] == []


def test_rules_in_words_with_their_cells(client):
    puzzle = Puzzle("." * 16, rules=[Thermometer("r1c1 r2c1"), KillerCage("r4c3 r4c4", sum=3)])
    found = asked(client, "rules", puzzle)["rules"]
    assert found == [
        {"text": "thermometer at r1c1 and r2c1", "cells": ["r1c1", "r2c1"], "broken": False},
        {
            "text": "killer cage (sum 3) at r4c3 and r4c4",
            "cells": ["r4c3", "r4c4"],
            "broken": False,
        },
    ]


def broken(client, puzzle):
    return [rule["broken"] for rule in asked(client, "rules", puzzle)["rules"]]


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
    assert broken(client, Puzzle(digits, rules=rules)) == expected


def test_a_solution_breaks_nothing(client, small):
    puzzle, solution, _ = small
    assert not any(broken(client, Puzzle(solution, rules=puzzle.rules)))


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
    drawn = asked(client, "rules", SMALL_KILLER)
    assert drawn["svg"].count('data-rule="killer_cage"') == len(SMALL_KILLER.rules)
    assert "var(--rule-" in drawn["svg"]
    assert drawn["labels"]
    assert not any(drawn["room"].values())
    clue = {"rule": "sandwich", "cells": ["r2c1", "r2c2", "r2c3", "r2c4"], "sum": 5}
    drawn = asked(client, "rules", {"grid": [[None] * 4] * 4, "rules": [clue]})
    assert [side for side, width in drawn["room"].items() if width] == ["left"]
    style = client.get("/style.css").text
    for name, colour in DARK.items():
        assert f"--rule-{name}: {colour};" in style


def test_rules_for_the_whole_grid(client):
    def found(puzzle):
        sets = asked(client, "rule-sets", puzzle)["sets"]
        return {each["title"]: len(each["rules"]) for each in sets}

    square = found("." * 81)
    assert square.items() >= {"diagonal /": 1, "windoku": 4, "disjoint groups": 9}.items()
    assert square.items() >= {"nonconsecutive": 1, "anti-knight": 1, "anti-king": 1}.items()
    assert "windoku" not in found({"box": [2, 3], "grid": [[None] * 6] * 6})
    regions = [[1, 1, 1, 2], [1, 2, 2, 2], [3, 3, 3, 4], [3, 4, 4, 4]]
    assert "disjoint groups" not in found({"grid": [[None] * 4] * 4, "regions": regions})
    for each in asked(client, "rule-sets", "." * 81)["sets"]:
        asked(client, "rules", {"grid": [[None] * 9] * 9, "rules": each["rules"]})


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ({"rule": "fogofwar"}, "no rule 'fogofwar' here"),
        ({"rule": "killer_cage"}, "the field 'cells' is missing"),
        ({"rule": "killer_cage", "cells": ["r1c1"], "sum": "x"}, "sum is 'x'; expected a whole"),
        ({"rule": "thermometer", "cells": ["r1c1", "r3c1"]}, "do not touch"),
        ({"rule": "thermometer", "cells": ["r1c1", "r1c5"]}, "do not touch"),
        ({"rule": "different", "cells": ["r9c9"]}, "r9c9 is not a cell of a 4x4 grid"),
        ("thermometer", "is not a rule"),
    ],
)
@pytest.mark.parametrize("path", ["rules", "solve"])
def test_a_wrong_rule_is_refused(client, path, rule, says):
    puzzle = {"grid": [[None] * 4] * 4, "rules": [rule]}
    assert says in asked(client, path, puzzle, 422)["error"]


def test_more_rules_than_the_page_takes(client):
    one = {"rule": "different", "cells": ["r1c1", "r2c2"]}
    grid = [[None] * 4] * 4
    many = {"grid": grid, "rules": [one] * (bounds.RULES + 1)}
    says = f"the page takes up to {bounds.RULES} rules, this puzzle has {bounds.RULES + 1}"
    assert asked(client, "solve", many, 422)["error"] == says
    assert asked(client, "rules", {**many, "rules": [one] * bounds.RULES})["rules"]
    assert client.get("/api").json()["rules"] == bounds.RULES
    wide = {"rule": "whispers", "cells": ["r1c1", "r1c2"] * (bounds.CELLS // 2 + 1)}
    answer = asked(client, "solve", {"grid": grid, "rules": [{**wide, "difference": 1}]}, 422)
    assert answer["error"].startswith(f"the page takes rules on up to {bounds.CELLS} cells")


@pytest.mark.parametrize("depth", [bounds.DEPTH, 100, 300])
def test_rules_too_deep_within_each_other(client, depth):
    rule = {"rule": "anti_knight"}
    for _ in range(depth):
        rule = {"rule": "any_of", "options": [[rule], [{"rule": "anti_king"}]]}
    answer = asked(client, "solve", {"grid": [[None] * 4] * 4, "rules": [rule]}, 422)
    assert "rules within rules" in answer["error"]


def test_the_reference_has_an_example_with_rules(client):
    examples = client.get("/openapi.json").json()["components"]["schemas"]["Puzzle"]
    assert any("rules" in each for each in examples["properties"]["puzzle"]["examples"])
    for each in examples["properties"]["puzzle"]["examples"]:
        asked(client, "rules", json.loads(json.dumps(each)))
