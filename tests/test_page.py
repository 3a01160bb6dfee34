"""The JSON API and the command that serves it."""

from __future__ import annotations

import functools
import json
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from graphlib import TopologicalSorter
from pathlib import Path
from urllib.request import urlopen
from uuid import uuid4

import pytest
from helpers.command_line import run
from helpers.processes import LINUX, MARK, PATIENCE, left_of
from helpers.processes import run as run_python
from helpers.puzzles import EMPTY, IMPOSSIBLE, LOOSE, PRINTED, SMALL, TWO
from helpers.ruled import SMALL_KILLER, SMALL_SOLUTION, THERMOMETER_SOLUTION, THERMOMETERS
from helpers.serving import ask, asked, served

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku import page as bounds
from pylogic_sudoku.files import install_command
from pylogic_sudoku.page import asked as page_asked
from pylogic_sudoku.page import questions as page_questions
from pylogic_sudoku.page.app import STATUS, Door, Server, make_app
from pylogic_sudoku.page.asked import PuzzleSource
from pylogic_sudoku.page.board import describe, parse
from pylogic_sudoku.page.schema import JIGSAW
from pylogic_sudoku.rules import KINDS, Different, KillerCage, Thermometer

ROOT = Path(__file__).parents[1]
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEVERAL = JIGSAW | {"grid": [[1, None, None, None], *JIGSAW["grid"][1:]]}
"""A jigsaw with marks that has four solutions."""


def grids(answer, puzzle):
    found = [Grid.from_rows(rows, puzzle.box) for rows in answer["solutions"]]
    assert all(grid.is_solution_of(puzzle) for grid in found)
    return found


def named(**cells):
    return [{"cell": cell, "digit": digit} for cell, digit in cells.items()]


def test_about(client):
    about = client.get("/api").json()
    engines = {engine["name"]: engine for engine in about["engines"]}
    assert engines["clingo"]["available"]
    optional = {name: engine["optional"] for name, engine in engines.items()}
    assert optional == {
        **{"clingo": False, "prolog": False},
        **dict.fromkeys(("sat", "clingcon", "prolog-wasm"), True),
    }
    assert about["formats"] == list(formats.FORMATS)
    assert (about["timeout"], about["size"]) == (PATIENCE, bounds.SIZE)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (3, 4), (4, 4), (2, 8)])
def test_rows_of_any_shape(client, box):
    n = box[0] * box[1]
    rows = [[None] * n for _ in range(n)]
    rows[0] = [*range(n, 0, -1)]
    answer = asked(client, "solve", puzzle=rows, box=box)
    assert len(grids(answer, Grid.from_rows(rows, box))) == 1


def test_reads_texts_of_many(client):
    text = "\n".join([PUZZLE, SOLUTION] * bounds.PUZZLES)
    answer = asked(client, "read", text=text)
    assert len(answer["puzzles"]) == bounds.PUZZLES
    assert answer["more"]


def test_reads_what_a_document_has_beyond_its_rules(client):
    document = {"size": 4, "grid": [[{}] * 4] * 4, "ruleset": "Lines are odd.", "line": [{}, {}]}
    (puzzle,) = asked(client, "read", text=json.dumps(document))["puzzles"]
    assert puzzle["unread"] == ["2 drawn lines", "rules in words: Lines are odd."]
    assert asked(client, "solve", puzzle=puzzle)["solutions"]


TWO_ROWS, EMPTY_ROWS = Grid.parse(TWO).to_json(), [[None] * 4] * 4
NESTED = functools.reduce(lambda inner, _: [inner], range(900), [])
REFUSED = [
    ("solve", {"puzzle": "12"}, "2 characters"),
    ("solve", {"puzzle": "." * 625}, "up to 16x16"),
    ("read", {"text": "." * 625}, "up to 16x16"),
    ("read", {"text": ""}, "empty"),
    ("solve", {"puzzle": [[1, 2], [3]]}, "row 2"),
    ("solve", {"puzzle": TWO, "box": [3, 3]}, "16"),
    ("solve", {"puzzle": TWO, "box": [0, 3]}, "box"),
    ("solve", {"puzzle": TWO, "limit": 0}, "limit"),
    ("solve", {"puzzle": TWO, "limit": bounds.SOLUTIONS + 1}, "limit"),
    ("solve", {"puzzle": TWO, "timeout": 0}, "timeout"),
    ("solve", {"puzzle": TWO, "lmit": 1}, "lmit"),
    ("solve", {}, "puzzle"),
    ("write", {"puzzle": TWO, "format": "latin"}, "format"),
    ("confirm", {"puzzle": PUZZLE, "grids": [TWO_ROWS]}, "has 4"),
    # regions and marks
    ("solve", {"puzzle": JIGSAW | {"regions": [[1, 1, 1, 1]] * 4}}, "expected 4"),
    ("solve", {"puzzle": JIGSAW | {"marks": {"r5c1": "odd"}}}, "r5c1"),
    ("solve", {"puzzle": JIGSAW | {"marks": {"r1c1": "prime"}}}, "'odd', 'even' or digits"),
    ("solve", {"puzzle": {"regions": JIGSAW["regions"]}}, "grid"),
    ("solve", {"puzzle": 5}, "puzzle"),
    ("solve", {"puzzle": NESTED}, "["),
    # questions
    ("why", {"puzzle": PUZZLE, "cell": "r9c10"}, ""),
    ("why", {"puzzle": PUZZLE, "cell": "x"}, ""),
    ("why-not", {"puzzle": PUZZLE, "cell": "r1c2", "digit": 17}, ""),
    ("steps", {"puzzle": PUZZLE, "removed": named(r3c2=5)}, "r3c2 can only be 5, so this can"),
    ("steps", {"puzzle": PUZZLE, "removed": named(r10c1=4)}, "'r10c1' is not a cell of a 9x9 grid"),
    ("steps", {"puzzle": PUZZLE, "removed": named(r1c3=12)}, "a removed candidate is (1, 3, 12)"),
    ("solve", {"puzzle": TWO, "engine": "prolog:/tmp/mine.pl"}, "no program"),
    ("count", {"puzzle": TWO, "engine": "clingo:mine.lp"}, "no program"),
    ("write", {"puzzle": JIGSAW, "format": "line"}, "marks, which 'line' cannot hold; 'json' can"),
    ("generate", {"level": "simple"}, "level"),
]
WRONG_RULES = [
    ({"rule": "fogofwar"}, "no rule 'fogofwar' here"),
    ({"rule": "killer_cage"}, "the field 'cells' is missing"),
    ({"rule": "killer_cage", "cells": ["r1c1"], "sum": "x"}, "sum is 'x'; expected a whole"),
    ({"rule": "thermometer", "cells": []}, "expected 1 or more"),
    ({"rule": "different", "cells": ["r9c9"]}, "r9c9 is not a cell of a 4x4 grid"),
    ("thermometer", "is not a rule"),
]
REFUSED += [
    (path, {"puzzle": {"grid": EMPTY_ROWS, "rules": [rule]}}, says)
    for path in ("rules", "solve")
    for rule, says in WRONG_RULES
]


@pytest.mark.parametrize(("path", "body", "says"), REFUSED)
def test_bad_input_is_refused(client, path, body, says):
    error = asked(client, path, 422, **body)["error"]
    assert error
    assert says in error


def test_events_are_counted_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(page_asked, "COUNTED", 5)
    with PuzzleSource(HARD).put_to("clingo", "") as asked:
        answer = page_questions.trace(asked, 20, limit=2)
    assert (len(answer["events"]), answer["number"], answer["stopped"]) == (2, 5, "limit")


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_makes_a_puzzle(client, level):
    puzzle = Puzzle.parse(json.dumps(asked(client, "generate", level=level)["puzzle"]))
    assert pls.is_unique(puzzle)
    assert pls.rate(puzzle).level == level
    with pytest.raises(pls.SolveTimeout):
        page_questions.generate(1e-9, level=level)


def test_time_runs_out(client, backend):
    number, limit = 0, 0.2
    while not number:  # a busy machine has not even started an engine in a short time
        short = {"engine": backend, "timeout": limit}
        answer = asked(client, "count", puzzle=EMPTY, limit=10**9, **short)
        number = answer["count"]
        assert (answer["stopped"], answer["seconds"] >= limit) == ("time", True)
        limit *= 2


def test_solutions_that_were_found_in_time_are_kept(client):
    puzzle, stopped, limit = "." * 256, "", 0.8
    while stopped != "time":  # a fast machine has found all of them
        limit /= 2
        answer = asked(client, "solve", puzzle=puzzle, engine="prolog", limit=1000, timeout=limit)
        stopped = answer["stopped"]
    assert len(grids(answer, Grid.parse(puzzle))) < 1000


@pytest.mark.slow
def test_sixty_at_once_many_run_out_of_time(client):
    """A time limit comes at any moment, also while clingo runs Python of its own."""

    def ask(number):
        body = {"puzzle": EMPTY, "timeout": 0.05 + number / 120}
        return client.post("/api/ambiguity", json=body if number % 4 else {"puzzle": TWO})

    with ThreadPoolExecutor(60) as clients:
        answers = list(clients.map(ask, range(60)))
    assert {answer.status_code for answer in answers} <= {200, 504}
    for answer in answers:
        key, says = ("text", "differ") if answer.status_code == 200 else ("error", "gave no answer")
        assert says in answer.json()[key]


def refused(client, **request):
    """The status and the error of a request that is not answered."""
    request = {"headers": {"Content-Type": "application/json"}} | request
    answer = client.post("/api/solve", **request)
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("solve", {"problem": "queens", "instance": "size(\ud800).", "engine": "clingo"}),
        ("solve", {"puzzle": "\ud800"}),
        ("run", {"puzzle": TWO, "engine": "clingo", "files": {"own.lp": "% \udc00"}}),
    ],
)
def test_half_a_character_is_refused(client, path, body):
    answer = client.post(
        f"/api/{path}", content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert "half a character" in answer.json()["error"]


def test_strange_requests_are_refused(client):
    chunk = b" " * 1000
    chunks = [chunk] * (bounds.BYTES // 1000 + 2)
    too_long = 413, f"the request is longer than {bounds.BYTES} bytes"
    assert refused(client, content=b"".join(chunks)) == too_long
    assert refused(client, content=iter(chunks)) == too_long
    assert refused(client, content="{") == (422, "the request is not JSON")
    status, error = refused(client, json={"puzzle": TWO, "engine": "minizinc"})
    assert (status, "Choose one of clingo, prolog" in error) == (422, True)
    other, ours = ({"Origin": f"http://{host}"} for host in ("a.example", "127.0.0.1:8000"))
    assert refused(client, json={"puzzle": TWO}, headers=other)[0] == 403
    assert client.post("/api/solve", json={"puzzle": TWO}, headers=ours).status_code == 200
    for site, status in (
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
        ("none", 200),
    ):
        fetched = {"Sec-Fetch-Site": site}  # without an origin
        asked = client.post("/api/solve", json={"puzzle": TWO}, headers=fetched)
        assert asked.status_code == status, site
        assert client.get("/api", headers=fetched).status_code == 200  # as by a link
    assert client.get("/api", headers={"Host": "rebound.example"}).status_code == 400


ROUTES = """ambiguity blame candidate-counts candidates confirm conflicts count diagnose facts
generate measure problems programs propagate read redundant refusal rule-sets rules run solve steps
steps-to trace why why-not write"""


def test_a_question_has_one_route_whatever_it_is_about(client):
    assert client.get("/api").json()["questions"] == ROUTES.split()
    documented = (ROOT / "docs/page.md").read_text("utf-8").partition("## The JSON API")[2]
    names = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", documented, re.MULTILINE)
    assert {name for each in names for name in re.findall(r"[a-z-]+", each)} == set(ROUTES.split())
    rows = re.findall(r"^\| (\d+) \|", documented, re.MULTILINE)
    assert [int(row) for row in rows] == sorted(STATUS)


QUEENS = {"problem": "queens", "instance": "size(4)."}
RULED_PUZZLE = {"grid": EMPTY_ROWS, "rules": [{"rule": "thermometer", "cells": ["r1c1", "r1c2"]}]}
KINDS_OF_ERRORS = {
    "no such engine, puzzle": ("solve", {"puzzle": TWO, "engine": "minizinc"}, 422),
    "no such engine, instance": ("solve", {**QUEENS, "engine": "minizinc"}, 422),
    "no such program, puzzle": ("solve", {"puzzle": TWO, "engine": "prolog:nosuch"}, 422),
    "no such program, instance": ("solve", {**QUEENS, "engine": "prolog:nosuch"}, 422),
    "an engine for others, puzzle": (
        "solve",
        {"puzzle": RULED_PUZZLE, "engine": "prolog:bits"},
        422,
    ),
    "an engine for others, instance": ("solve", {**QUEENS, "engine": "sat"}, 422),
    "programs are not run, puzzle": ("run", {"puzzle": TWO}, 403),
    "programs are not run, instance": ("solve", {**QUEENS, "texts": {"clingo": "a."}}, 403),
}


@pytest.mark.parametrize(("path", "body", "status"), KINDS_OF_ERRORS.values(), ids=KINDS_OF_ERRORS)
def test_a_kind_of_error_has_one_status_whatever_is_asked(client, path, body, status):
    assert asked(client, path, status, **body)["error"]


def test_each_class_of_errors_has_one_status():
    classes = [each for _, kinds in STATUS.values() for each in kinds]
    assert len(classes) == len(set(classes))
    statuses = {
        error: next(code for code, (_, kinds) in STATUS.items() if issubclass(error, kinds))
        for error in map(functools.partial(getattr, pls), pls.errors.__all__)
        if issubclass(error, pls.LogicError)
    }
    assert {error.__name__: code for error, code in statuses.items() if code != 500} == {
        "InvalidProblem": 422,
        "InvalidPuzzle": 422,
        "NoSolution": 422,
        "BackendUnavailable": 503,
        "SolveTimeout": 504,
        "NotGenerated": 504,
    }


@pytest.mark.parametrize("path", ["/", "/main.js", "/openapi.json", "/api", "/nothing"])
def test_every_answer_keeps_other_sites_out(client, path):
    answer = client.get(path)
    assert answer.status_code == (404 if path == "/nothing" else 200)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


def test_openapi_documents_every_question(client):
    document = client.get("/openapi.json").json()
    assert {"/api", "/api/solve", "/api/read", "/api/steps", "/api/why"} <= set(document["paths"])
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["description"]
    solve = document["components"]["schemas"]["AskSolve"]["properties"]["puzzle"]
    assert {"regions", "marks"} < set(solve["anyOf"][2]["properties"])
    for example, number in zip(solve["examples"], (1, 1, 2), strict=True):
        assert len(asked(client, "solve", puzzle=example, limit=2)["solutions"]) == number
    assert client.get("/docs").status_code == 404  # it would load from other sites


@pytest.mark.parametrize(
    "puzzle", [pytest.param(PUZZLE, marks=pytest.mark.slow), SMALL, TWO, json.dumps(JIGSAW)]
)
def test_steps_are_those_of_python_and_rated_if_they_solve_the_puzzle(client, puzzle):
    start = parse(puzzle)
    way = pls.steps(start).walk()
    steps = json.loads(json.dumps([*map(describe, way)]))
    rating = asdict(way.rating) if way.rating else None
    answer = asked(client, "steps", puzzle=start, limit=bounds.STEPS)
    assert answer == {"steps": steps, "outcome": way.outcome, "stopped": None, "rating": rating}
    titles = [line.split(". ")[1] for line in str(way).splitlines()[1:-1]]
    assert [step["title"] for step in steps] == titles
    for more in ({}, {"limit": 99, "soon": 0}):
        first = asked(client, "steps", puzzle=start, **more)
        assert (first["steps"], first["stopped"], first["rating"]) == (steps[:1], "limit", None)
    if rating:
        assert asked(client, "steps", puzzle=start, limit=len(steps)) == answer
        taken = [[way[0].technique, way[0].weight]]
        start = start.with_(way[0].placed)
        after = asked(client, "steps", puzzle=start, limit=bounds.STEPS, taken=taken)
        assert (1 + len(after["steps"]), after["rating"]) == (len(steps), rating)


@pytest.mark.parametrize(
    ("path", "puzzle", "about", "says"),
    [
        ("why", PUZZLE, {"cell": "r1c2"}, "r1c2 is 7"),
        ("why", PUZZLE, {"cell": "r1c1"}, "given"),
        ("why", TWO, {"cell": "r1c3"}, "not forced"),
        ("why-not", PUZZLE, {"cell": "r1c2", "digit": 8}, "8"),
        ("conflicts", IMPOSSIBLE, {}, "r"),
        ("ambiguity", TWO, {}, "r"),
        ("redundant", TWO, {}, "2 solutions"),
        ("redundant", "4......3.4.13...", {}, "without this:"),
        ("why", JIGSAW, {"cell": "r1c2"}, "r1c2 is 2"),
        ("why-not", JIGSAW, {"cell": "r1c2", "digit": 4}, "r1c2 can be 4"),
        ("conflicts", JIGSAW | {"marks": {"r1c1": "even"}}, {}, "r1c1"),
        ("ambiguity", SEVERAL, {}, "4 solutions"),
    ],
)
def test_explanations(client, path, puzzle, about, says):
    answer = asked(client, path, puzzle=puzzle, **about)
    assert says in answer["text"]
    about = answer["explanation"]["puzzle"]
    if isinstance(puzzle, str):
        assert about == Puzzle(Grid.parse(puzzle)).to_json()
    else:
        assert about["regions"] == puzzle["regions"]
    assert answer["highlights"]
    for mark in answer["highlights"]:
        names = [*mark["cells"], *(cell for cell, _ in mark["candidates"])]
        assert all(re.fullmatch(r"r\d+c\d+", name) for name in names)


def test_steps_to_a_digit_that_take_too_long_are_those_found_in_time(monkeypatch):
    puzzle, known = Puzzle.parse(PUZZLE), pls.steps(PUZZLE).walk()
    real = pls.techniques.Steps.__next__

    def out_of_time(self):
        if self._step_count == 2:
            raise pls.SolveTimeout("clingo", 10)
        return real(self)

    monkeypatch.setattr(pls.techniques.Steps, "__next__", out_of_time)
    answer = page_questions.steps_to(puzzle, 10, cell=str(known[-1].placed.cell))
    assert [step["title"] for step in answer["steps"]] == [
        describe(step)["title"] for step in known[:2]
    ]
    assert (answer["stopped"], answer["outcome"]) == ("time", "clingo gave no answer within 10 s.")


def test_steps_go_on_without_what_is_removed(client):
    answer = asked(client, "steps", puzzle=LOOSE, limit=2)
    first, second = (step["explanation"] for step in answer["steps"])
    answer = asked(client, "steps", puzzle=LOOSE, removed=first["removed"])
    assert [step["explanation"] for step in answer["steps"]] == [second]


# === Puzzles with rules, and what is marked, drawn and checked ====================================

RULED = {
    "killer": (SMALL_KILLER, SMALL_SOLUTION),
    "thermometers": (THERMOMETERS, THERMOMETER_SOLUTION),
}


@pytest.fixture(params=RULED)
def small(request):
    return RULED[request.param]


def test_reads_and_writes_rules(client, small):
    puzzle = small[0]
    text = asked(client, "write", puzzle=puzzle, format="json")["text"]
    assert Puzzle.parse(text) == puzzle
    found = asked(client, "read", text=text)["puzzles"]
    assert found == [puzzle.to_json()]


def test_solves_counts_and_finds_candidates(client, small, backend):
    puzzle, solution = small
    grid = Grid.parse(solution).to_json()
    answer = asked(client, "solve", puzzle=puzzle, engine=backend)
    assert 0 < answer.pop("first") <= answer.pop("seconds")
    assert answer == {"solutions": [grid], "stopped": None}
    assert asked(client, "count", puzzle=puzzle, engine=backend)["count"] == 1
    counted = asked(client, "candidate-counts", puzzle=puzzle, engine=backend, limit=3)
    given = [(cell, digit) for *cell, digit in Grid.parse(solution).givens]
    assert counted["limit"] == 3
    assert counted["counts"] == [
        {"cell": f"r{row}c{column}", "digit": digit, "count": 1} for (row, column), digit in given
    ]
    each = [[[digit] for digit in row] for row in grid]
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
    drawn = asked(client, "rules", puzzle={"grid": EMPTY_ROWS, "rules": [clue]})
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
    assert found({"grid": EMPTY_ROWS, "regions": regions})["disjoint groups"] == 4
    alone = {"box": [1, 5], "grid": [[None] * 5] * 5}
    assert not {"disjoint groups", "windoku"} & found(alone).keys()
    for each in asked(client, "rule-sets", puzzle="." * 81)["sets"]:
        asked(client, "rules", puzzle={"grid": [[None] * 9] * 9, "rules": each["rules"]})


def test_more_rules_than_the_page_takes(client):
    one = {"rule": "different", "cells": ["r1c1", "r2c2"]}
    many = {"grid": EMPTY_ROWS, "rules": [one] * (bounds.RULES + 1)}
    says = f"the page takes up to {bounds.RULES} rules, this puzzle has {bounds.RULES + 1}"
    assert asked(client, "solve", 422, puzzle=many)["error"] == says
    assert asked(client, "rules", puzzle={**many, "rules": [one] * bounds.RULES})["rules"]
    assert client.get("/api").json()["rules"] == bounds.RULES
    cells = ["r1c1", "r1c2"] * (bounds.CELLS // 2 + 1)
    wide = {"rule": "whispers", "cells": cells, "difference": 1}
    answer = asked(client, "solve", 422, puzzle={"grid": EMPTY_ROWS, "rules": [wide]})
    assert answer["error"].startswith(f"the page takes rules on up to {bounds.CELLS} cells")


@pytest.mark.parametrize("depth", [bounds.DEPTH, 100, 300])
def test_rules_too_deep_within_each_other(client, depth):
    rule = {"rule": "anti_knight"}
    for _ in range(depth):
        rule = {"rule": "any_of", "options": [[rule], [{"rule": "anti_king"}]]}
    answer = asked(client, "solve", 422, puzzle={"grid": EMPTY_ROWS, "rules": [rule]})
    assert "rules within rules" in answer["error"]


# === ``pylogic-sudoku serve``, as people start and end it =========================================


def solve(address, engine="clingo"):
    status, answer = ask(address, "solve", puzzle=PUZZLE, engine=engine)
    assert status == 200, answer
    return "".join(str(digit) for row in answer["solutions"][0] for digit in row)


def test_the_page_and_its_questions_are_at_the_address(address, backend):
    assert address.startswith("http://127.0.0.1:")
    assert b"<title>" in urlopen(address).read()
    assert solve(address, backend) == SOLUTION


@pytest.mark.slow
def test_endless_puzzles_are_cut_off_while_others_are_served():
    """Ctrl-C ends it quietly, even during a search."""
    endless = {"puzzle": EMPTY, "limit": 10**9}
    with (
        ThreadPoolExecutor() as askers,
        served("--host", "0.0.0.0", "--timeout", "600") as (address, process),
    ):
        address = address.replace("0.0.0.0", "127.0.0.1")
        for_ever = askers.submit(ask, address, "count", **endless)
        too_long = askers.submit(ask, address, "count", **endless, timeout=2, engine="prolog")
        solved = [askers.submit(solve, address) for _ in range(20)]
        assert [each.result() for each in solved] == [SOLUTION] * 20
        code, answer = too_long.result()
        assert code == 200
        assert answer["stopped"] == "time"
        assert solve(address, "prolog") == SOLUTION
        assert not for_ever.done()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert for_ever.exception() or for_ever.result()[0] >= 499
        assert process.stdout.read() == ""
        said = ["Everyone with this address can use it.", "Interrupted."]
        assert process.stderr.read().split("\n\n") == [said[0], said[1] + "\n"]


@pytest.mark.slow
@LINUX
@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGKILL], ids=lambda sent: sent.name)
def test_its_engines_end_with_it(monkeypatch, sent):
    mark = str(uuid4())
    monkeypatch.setenv(MARK, mark)
    with ThreadPoolExecutor() as askers, served("--timeout", "600") as (address, process):
        askers.submit(ask, address, "count", puzzle=EMPTY, limit=10**9)
        assert solve(address) == SOLUTION
        process.send_signal(sent)
        process.wait(PATIENCE)
        monkeypatch.delenv(MARK)
        assert left_of(mark) == {}
        if sent == signal.SIGHUP:
            assert (process.returncode, process.stderr.read()) == (129, "\nTerminated.\n")


def test_what_serve_cannot_do_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, complaint in (
            (["--port", port], f"cannot listen at 127.0.0.1, port {port}: Address already in use"),
            (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
            (["--bound", "size"], "--bound size: expected NAME=NUMBER, such as size=25"),
            (["--bound", "size=0"], "--bound size=0: expected NAME=N"),
            (["--bound", f"size={'9' * 5000}"], "expected NAME=N"),
            (["--bound", "seconds=3"], "--bound seconds: choose one of size, bytes, puzzles, "),
        ):
            ended = run("serve", *options)
            assert (ended.returncode, ended.stdout) == (2, "")
            assert complaint in ended.stderr


@pytest.mark.one_in(2)
@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_without_the_extra_it_says_how_to_install_it(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['serve']\n"
        "from pylogic_sudoku.cli import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 3
    assert f"needs {missing}" in ended.stderr
    assert f"Install it: {install_command('serve')}\n" in ended.stderr


def test_the_command_alone_loads_nothing_of_it():
    code = (
        "import sys, pylogic_sudoku.cli.programs; print({'fastapi', 'uvicorn'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stdout == "set()\n"


@pytest.mark.slow
def test_each_limit_can_be_set_and_is_kept_by_the_processes_that_answer():
    with served("--bound", "size=25", "--bound", "solutions=2") as (address, _):
        with urlopen(f"{address}api") as about:
            assert {"size": 25, "solutions": 2}.items() <= json.load(about).items()
        status, answer = ask(address, "read", text="." * 625)
        assert (status, len(answer["puzzles"][0]["grid"])) == (200, 25)
        assert ask(address, "solve", puzzle="." * 16, limit=3)[0] == 422


# --- who may ask ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def network():
    """A page for a network, with a token."""
    from starlette.testclient import TestClient

    door = Door(frozenset({"localhost", "classroom"}), addresses=True, token="secret-1")
    with TestClient(make_app(door=door), base_url="http://classroom:8000") as client:
        yield client


@pytest.fixture
def guarded(network):
    """The same to somebody new."""
    network.cookies.clear()
    return network


def test_without_the_token_nothing_is_answered(guarded):
    for path in ("/", "/main.js", "/api", "/openapi.json", "/?token=wrong", "/api?token="):
        answer = guarded.get(path, follow_redirects=False)
        assert (answer.status_code, "token is missing" in answer.text) == (403, True), path
        assert "set-cookie" not in answer.headers
    assert guarded.post("/api/solve", json={"puzzle": TWO}).status_code == 403
    wrong = {"Authorization": "Bearer secret-2"}
    assert guarded.post("/api/solve", json={"puzzle": TWO}, headers=wrong).status_code == 403


def test_the_address_with_the_token_lets_a_browser_in(guarded):
    answer = guarded.get("/?token=secret-1&puzzle=1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?puzzle=1")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert guarded.get("/").status_code == 200
    assert guarded.post("/api/solve", json={"puzzle": TWO}).status_code == 200
    other = {"Origin": "http://a.example"}
    assert guarded.post("/api/solve", json={"puzzle": TWO}, headers=other).status_code == 403


@pytest.mark.slow
def test_the_page_links_to_the_documentation_that_the_server_has(tmp_path):
    """Its scripts run there, and nowhere else; the token guards it, too."""
    from starlette.testclient import TestClient

    (tmp_path / "index.html").write_text("<h1>One problem, two logics</h1>")
    door = Door(frozenset({"classroom"}), token="secret-1")
    app = make_app(door=door, documentation=str(tmp_path))
    with TestClient(app, base_url="http://classroom:8000") as client:
        assert client.get("/docs/").status_code == 403
        client.headers["Authorization"] = "Bearer secret-1"
        assert client.get("/api").json()["documentation"] == "/docs/"
        answer = client.get("/docs/")
        assert "two logics" in answer.text
        assert "script-src 'self' 'unsafe-inline'" in answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        for path in ("/", "/main.js", "/docs/../"):
            policy = client.get(path).headers["content-security-policy"]
            assert "script-src 'self';" in policy, path
        assert client.get("/docs/none.html").status_code == 404


def test_without_documentation_the_page_has_no_link(client):
    assert client.get("/api").json()["documentation"] == ""
    assert client.get("/docs/").status_code == 404


def test_a_program_gives_the_token_in_a_header_or_the_address(guarded):
    header = {"Authorization": "Bearer secret-1"}
    assert guarded.post("/api/solve", json={"puzzle": TWO}, headers=header).status_code == 200
    assert guarded.post("/api/solve?token=secret-1", json={"puzzle": TWO}).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((host, 403) for host in ("classroom", "localhost:1", "192.168.0.7:8000", "[fe80::1]:80")),
        *((host, 400) for host in ("rebound.example", "192.168.0.7.rebound.example", "[", "")),
        *((host, 400) for host in ("classroom.rebound.example:8000", "user@a.example")),
    ],
)
def test_a_page_for_a_network_goes_by_known_names_and_addresses(guarded, host, status):
    """No site can make an address its own name, so an address is safe from DNS rebinding."""
    assert guarded.get("/", headers={"Host": host}).status_code == status


def test_each_server_knows_its_names_and_makes_a_token_where_it_needs_one():
    def door(host, **settings):
        made = Server(host, 0, 10, **settings)
        made._socket.close()
        (guard,) = made._server.config.app.user_middleware
        return guard.kwargs["door"], made.address

    own, address = door("127.0.0.1")
    assert (own.token, own.addresses, "token" in address) == ("", False, False)
    assert own.knows("localhost:8000")
    assert not own.knows("192.168.0.7")
    assert not own.knows("rebound.example")
    network, address = door("0.0.0.0", hosts=["Lab.example"])
    assert address.endswith(f"/?token={network.token}")
    assert len(network.token) >= 32
    assert network.knows("lab.example:80")
    assert network.knows(socket.gethostname())
    assert network.knows("192.168.0.7")
    assert not network.knows("rebound.example")
    assert door("0.0.0.0")[0].token != network.token
    assert door("127.0.0.1", run_programs=True)[0].token
    assert door("0.0.0.0", token="")[0].token == ""
    assert door("127.0.0.1", token="mine")[1].endswith("/?token=mine")


@pytest.mark.slow
@LINUX
def test_the_memory_of_a_question_is_limited():
    with served("--bound", "question=600") as (address, _):
        assert ask(address, "solve", puzzle=TWO)[0] == 200
        status, answer = ask(address, "count", puzzle="." * 256, limit=10**6, box=[4, 4])
        assert (status, "stopped" in answer) in ((500, False), (200, True)), answer
        assert ask(address, "solve", puzzle=TWO, engine="prolog")[0] == 200
    limits = "from pylogic_sudoku.running.process import limit_memory\nlimit_memory(300)\n"
    done = run_python(f"{limits}bytearray(400 << 20)")
    assert "MemoryError" in done.stderr


STATIC = Path(bounds.__file__).with_name("static")


def test_one_race_is_run_on_the_board_and_on_a_problem():
    texts = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
    assert re.findall(r"^export .*", texts["race.js"], re.MULTILINE) == ["export class Race {"]
    races = {name for name, text in texts.items() if " extends Race " in text}
    assert races == {"solutions.js", "answers.js"}
    for name in {"race.js", *races}:  # it holds its state itself
        assert not re.findall(r"^let .*", texts[name], re.MULTILINE)
    asked = {name for text in texts.values() for name in re.findall(r'"/([a-z-]+)"', text)}
    assert asked <= set(ROUTES.split())


WORDS = ["race", "solutions", "answers", "side", "agreement", "events"]
WORDS += ["explaining", "roles", "trace", "checking"]


@pytest.mark.parametrize("name", WORDS)
def test_the_page_takes_no_sentence_apart(name):
    text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
    assert not re.findall(r"\.(?:replace|match|matchAll|exec|test|split)\(", text)


def test_a_step_has_its_effect_and_a_digit_its_reasons(client):
    (step,) = asked(client, "steps", puzzle=PUZZLE)["steps"]
    assert step["title"] == f"{step['explanation']['technique']}: {step['effect']}"
    why = asked(client, "why", puzzle=PUZZLE, cell="r1c2")
    assert why["short"].splitlines() == ["r1c2 is 7, because:", *why["reasons"]]


def test_what_is_in_several_places_is_written_once():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    for once in ('class="editor"', 'class="verdict idle"', "Solve with both", 'class="warnings"'):
        assert page.count(once) == 1


def test_the_modules_of_the_page_import_each_other_in_no_circle():
    imports = re.compile(r'^(?:import|export)[^;]*? from "\./([\w.]+)"', re.MULTILINE)
    graph = {
        path.name: set(imports.findall(path.read_text(encoding="utf-8")))
        for path in STATIC.glob("*.js")
    }
    assert "checking.js" in graph["explaining.js"]
    assert {*TopologicalSorter(graph).static_order()} >= graph.keys()
