"""What the page asks each engine, and how it finds out whether they agree."""

from __future__ import annotations

from helpers.puzzles import COUNTS, EMPTY, PRINTED, TWO
from helpers.serving import asked

from pylogic_sudoku import Grid, solutions

PUZZLE, SOLUTION = next(iter(PRINTED.items()))
MANY = next(puzzle for puzzle, number in COUNTS.items() if number == 125)


def rows(line):
    return Grid.parse(line).to_json()


def test_an_answer_says_how_long_the_engine_searched(client, backend):
    answer = asked(client, "solve", puzzle=PUZZLE, engine=backend)
    assert answer["seconds"] > 0


def test_at_its_time_limit_an_engine_has_searched_as_long_as_that(client, backend):
    answer = asked(client, "count", puzzle=EMPTY, engine=backend, timeout=1, limit=10**9)
    assert answer["stopped"] == "time"
    assert answer["seconds"] >= 1


def test_an_engine_confirms_what_another_one_lists(client, backend):
    grids = [each.to_json() for each in solutions(MANY, "clingo", 9)]
    answer = asked(client, "confirm", puzzle=MANY, engine=backend, grids=grids)
    assert answer == {"rejected": []}


def test_an_engine_rejects_what_is_not_a_solution(client, backend):
    right = [each.to_json() for each in solutions(TWO)]
    twice = [[2, 1, *right[0][0][2:]], *right[0][1:]]
    other = rows("4312124324313124")  # obeys the rules, but not the givens
    answer = asked(client, "confirm", puzzle=TWO, engine=backend, grids=[*right, twice, other])
    assert answer == {"rejected": [twice, other]}


def test_a_grid_of_another_size_cannot_be_confirmed(client):
    assert asked(client, "confirm", 422, puzzle=PUZZLE, grids=[rows(TWO)])["error"]


def test_the_page_learns_which_engines_are_optional(client):
    engines = client.get("/api").json()["engines"]
    optional = {engine["name"]: engine["optional"] for engine in engines}
    assert (optional["clingo"], optional["prolog"], optional["sat"]) == (False, False, True)
