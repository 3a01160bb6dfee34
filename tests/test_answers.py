"""Answers that the server and the playground have in common: one suite for both.

A question that is refused has an "error", and an answer says the same wherever it comes from.
"""

from __future__ import annotations

import json
from itertools import chain

import pytest
from helpers.jigsaws import REAL, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.playground import as_json, asked, unhurried
from helpers.programs import resource
from helpers.puzzles import CLASSIC, FOUR, PRINTED, REFUTED, SMALL, TWO
from test_formats_shared import pattern

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku.page.schema import JIGSAW
from pylogic_sudoku.questions import to_json

SOLUTION = PRINTED[CLASSIC]


class Server:
    """The JSON API in this process, which runs changed programs."""

    engines = ("clingo", "prolog", "sat")
    seen = ("clingo", "prolog", "prolog:classic")
    formats = tuple(formats.FORMATS)

    def __init__(self, client):
        self._client = client

    def __call__(self, path, puzzle=None, **body):
        about = {} if puzzle is None else {"puzzle": as_json(puzzle)}
        answer = self._client.post(f"/api/{path}", json=about | body)
        assert answer.status_code in (200, 422), answer.text
        return answer.json()


class Playground:
    """The playground in a tab, in which no clock stops a program."""

    engines = ("clingo", "prolog")
    seen = ("prolog", "prolog:classic")
    formats = ("line", "facts", "prolog", "json")

    def __init__(self, page):
        self._page = page
        unhurried(page)

    def __call__(self, path, puzzle=None, **body):
        return asked(self._page, path, puzzle, **body)


@pytest.fixture(
    scope="module", params=["server", pytest.param("playground", marks=pytest.mark.slow)]
)
def ask(request):
    """Asks a question; `ask.engines` and `ask.formats` are those that answer.

    The work of the engines `ask.seen` can be seen.
    """
    if request.param == "server":
        yield Server(request.getfixturevalue("strangers"))
        return
    page = request.getfixturevalue("browser").new_page()
    page.goto(request.getfixturevalue("playground_address"))
    yield Playground(page)
    page.close()


# --- solutions -----------------------------------------------------------------------------------

SEVERAL = Puzzle.parse(json.dumps(JIGSAW | {"grid": [[1, None, None, None], *JIGSAW["grid"][1:]]}))
CONTRADICTION = Puzzle(Grid.parse("1" + "." * 80), marks={"r1c2": [1]})
LARGE = [((2, 4), 28), ((3, 3), 28), ((2, 5), 50), ((3, 4), 80), ((4, 4), 150)]
PUZZLES = {
    "4x4": dig(full_grid((2, 2), 3), 5, 7),
    "6x6": dig(full_grid((2, 3), 3), 12, 7),
    "two": Grid.parse(TWO),
    "loose": Grid.parse("12.....3........"),
    "marks": SEVERAL,
    "jigsaw of 4": jigsaw(4, 3, 2, 2),
    "jigsaw of 5": jigsaw(5, 6, 2, 3),
    "jigsaw of 6": jigsaw(6, 9, 2, 4),
}
SLOW = {f"{box}": dig(full_grid(box, 3), keep, 7) for box, keep in LARGE}
SLOW["over a thousand"] = dig(full_grid((2, 3), 5), 6, 1)


@pytest.mark.parametrize(
    "puzzle",
    [
        *(pytest.param(each, id=name) for name, each in PUZZLES.items()),
        *(pytest.param(each, id=name, marks=pytest.mark.slow) for name, each in SLOW.items()),
    ],
)
def test_solutions_their_number_and_the_candidates(ask, puzzle):
    right = {grid.digits for grid in all_solutions(puzzle)}
    for engine in ask.engines:
        answer = ask("solve", puzzle, engine=engine, limit=500)
        found = [tuple(chain(*rows)) for rows in answer["solutions"]]
        assert len(found) == len(set(found)) == min(500, len(right)), engine
        assert set(found) <= right
        assert answer["stopped"] == ("limit" if len(right) > 500 else None)
        count = ask("count", puzzle, engine=engine, limit=10**9)
        assert (count["count"], count["stopped"]) == (len(right), None)
        assert min(answer["seconds"], count["seconds"]) > 0
        first = answer["first"]
        assert 0 < first <= answer["seconds"] if right else first is None
    candidates = ask("candidates", puzzle)["candidates"]
    union = [sorted({grid[at] for grid in right}) for at in range(puzzle.size**2)]
    assert list(chain(*candidates)) == union


@pytest.mark.parametrize(
    ("line", "limit", "number", "stopped"),
    [
        (REFUTED, 1, 0, None),
        (CLASSIC, 1, 1, None),
        (TWO, 1, 1, "limit"),
        (TWO, 2, 2, None),
        (TWO, 9, 2, None),
        ("." * 16, 100, 100, "limit"),
        ("." * 16, 288, 288, None),
        ("." * 16, 1000, 288, None),
    ],
)
def test_stops_at_the_limit_and_says_so(ask, line, limit, number, stopped):
    puzzle = Grid.parse(line)
    for engine in ask.engines:
        body = {"engine": engine, "limit": limit}
        answer = ask("solve", puzzle, **body)
        assert (len(answer["solutions"]), answer["stopped"]) == (number, stopped)
        count = ask("count", puzzle, **body)
        assert (count["count"], count["stopped"]) == (number, stopped)


def test_only_solutions_are_confirmed(ask):
    puzzle = Grid.parse(FOUR)
    right = [grid.to_json() for grid in all_solutions(puzzle)]
    other = [grid.to_json() for grid in all_solutions(Grid.parse(TWO))]  # not with these givens
    broken = [[1, 2, 3, 4]] * 4
    for engine in ask.engines:
        answer = ask("confirm", puzzle, engine=engine, solutions=[*right, *other, broken])
        assert answer == {"rejected": [*other, broken]}
        assert ask("confirm", puzzle, engine=engine, solutions=[]) == {"rejected": []}


def rows(line):
    return Grid.parse(line).to_json()


# --- an engine at work ---------------------------------------------------------------------------

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.slow
def test_what_an_engine_knows_and_how_it_searches(ask):
    hard = Grid.parse(HARD)
    for engine in ask.seen:
        left = ask("propagate", hard, engine=engine)["candidates"]
        assert left == [[sorted(digits) for digits in row] for row in pls.propagate(HARD, engine)]
        assert ask("propagate", CONTRADICTION, engine=engine)["candidates"] is None
        answer = ask("trace", hard, engine=engine)
        events = [to_json(event) for event in pls.trace(HARD, engine)]
        empty = {"placed": [], "excluded": [], "solution": None}
        assert answer["events"] == [empty | event for event in events]
        assert events[-1]["kind"] == "solution"
        assert (answer["number"], answer["stopped"]) == (len(events), None)
        first = ask("trace", hard, engine=engine, limit=3)
        assert first == answer | {"events": answer["events"][:3]}


def test_the_work_is_set_up_apart_from_search(ask):
    for engine in ask.engines:
        work, known = ask("measure", Grid.parse(HARD), engine=engine), pls.measure(HARD, engine)
        assert work["solved"]
        assert min(work["setup"], work["search"]) > 0
        if engine != "clingo" or "sat" in ask.engines:  # clingo of the playground is another one
            assert (work["choices"], work["conflicts"]) == (known.choices, known.conflicts)
        assert not ask("measure", Grid.parse(REFUTED), engine=engine)["solved"]


def test_what_cannot_be_seen_is_said(ask):
    for path in ("propagate", "trace"):
        error = ask(path, Grid.parse(SMALL), engine="prolog:bits")["error"]
        assert "does not search by labeling/2" in error
        if "clingo" not in ask.seen:
            error = ask(path, Grid.parse(SMALL), engine="clingo")["error"]
            assert "clingo shows its answers alone" in error


# --- text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "puzzle", [pattern((2, 3), 0.5), pattern((3, 3), 0.5), pattern((4, 4), 0.5), REAL], ids=str
)
def test_a_text_is_read_back_if_it_is_said_to_be(ask, puzzle):
    for form in ask.formats:
        written = ask("write", puzzle, format=form)
        if "error" not in written:
            read = ask("read", text=written["text"], box=None)
            assert written["same"] == (read.get("puzzles") == [as_json(puzzle)]), form
    assert ask("write", puzzle, format="json")["same"]


TEXTS = [
    CLASSIC,
    "\n".join(CLASSIC[at : at + 9].replace(".", "0") for at in range(0, 81, 9)),
    " ".join(CLASSIC.replace(".", "_")),
    ",".join(CLASSIC.replace(".", "0")),
    f"{Grid.parse(CLASSIC):pretty}",
    f"{Grid.parse(CLASSIC):facts}",
    f"{Grid.parse(CLASSIC):prolog}",
    json.dumps(Grid.parse(CLASSIC).to_json()),
]


def test_texts_are_recognized(ask):
    for text in TEXTS:
        assert ask("read", text=text, box=None)["puzzles"][0]["grid"] == rows(CLASSIC), text


@pytest.mark.parametrize(
    ("size", "boxes"),
    [(6, [[2, 3], [3, 2], [1, 6], [6, 1]]), (8, [[2, 4], [4, 2], [1, 8], [8, 1]])],
)
def test_the_boxes_that_fit_are_offered(ask, size, boxes):
    for text in ("." * size**2, "\n".join(["." * size] * size), "\n".join(["." * size**2] * 3)):
        assert ask("read", text=text, box=None)["boxes"] == boxes
        assert ask("read", text=text, box=boxes[0])["puzzles"][0]["box"] == boxes[0]
    assert not ask("read", text="12345", box=None).get("boxes")


# --- changed programs ----------------------------------------------------------------------------


def changed(engine, old, new):
    name, folder = {"clingo": ("sudoku.lp", "encodings"), "prolog": ("sudoku.pl", "prolog")}[engine]
    text = resource(f"{folder}/{name}").read_text()
    assert old in text
    return {name: text.replace(old, new, 1)}


SHOW, LABEL = "#show sudoku/3.", "weighted_labeling(Rows, Shape, Rules)"
HOUSES = resource("encodings/houses.lp").read_text().replace("row,  ", "(,")
CHANGES = {
    "nothing": ("clingo", SHOW, SHOW, "success 0 0"),
    "nothing in Prolog": ("prolog", LABEL, LABEL, "success 0 0"),
    "missing": ("clingo", SHOW, f"{SHOW}\n:- sudoku(3,3,3).", "failure 1 0"),
    "missing in Prolog": ("prolog", LABEL, f"{LABEL}, Rows = [_,_,[_,_,3,_],_]", "failure 1 0"),
    "none": ("clingo", SHOW, f"{SHOW}\n:- sudoku(1,1,1).", "failure 2 0"),
    "again": ("prolog", LABEL, f"{LABEL}, member(_, [a,b])", "success 0 0"),
    "other atoms": ("clingo", SHOW, f"{{ extra }}. {SHOW}", "success 0 0"),
    "hidden": ("clingo", SHOW, "#show digit/1.", "failure 2 1", "every cell is empty ("),
    "not numbers": (
        *("clingo", SHOW, "#show. #show sudoku(a,Y,N) : sudoku(_,Y,N).", "failure 2 1"),
        "expected row, column and digit to be 1 to 4",
    ),
    "two digits": ("clingo", " = 1 :- cell(X,Y).", " = 2 :- cell(X,Y).", "failure 2 0"),
    "open cells": (
        *("prolog", LABEL, "( true ; true )", "failure 2 1"),
        *("r1c3 and 3 more cells are empty (", "label/1 is missing"),
    ),
    "syntax": (
        *("clingo", "{ sudoku(X,Y,N) :", "{ sudoku(X,Y,N :", "error sudoku.lp:26"),
        "sudoku.lp:26:16-17: error: syntax error",
    ),
    "syntax in an included file": (
        *("clingo", SHOW, SHOW, "error houses.lp:21"),
        "houses.lp:21:11-12: error: syntax error",
    ),
    "syntax in Prolog": (
        *("prolog", "    append(Rows, Cells),\n", "    append(Rows Cells),\n"),
        *("error sudoku.pl:78", "sudoku.pl:78:17: Syntax error: Operator expected"),
    ),
    "syntax where the file begins": (
        *("prolog", ":- module(sudoku,", "a :- b(.\n:- module(sudoku,"),
        *("error sudoku.pl:35", "sudoku.pl:35:8: Syntax error: "),
    ),
    "unsafe": (
        *("clingo", SHOW, f"a(X,\nY) :- digit(X).\n{SHOW}", "error sudoku.lp:44"),
        *("unsafe variables in:", "'Y' is unsafe"),
    ),
    "a script": (
        *("clingo", SHOW, f"{SHOW}\n#script (lua) function f() end #end.", "error sudoku.lp:45"),
        "#script is not run",
    ),
    "an order": (
        *("clingo", SHOW, f"{SHOW}\n#minimize{{ N : sudoku(1,1,N) }}.", "error sudoku.lp:45"),
        "rank the answer sets; expected a program whose answer sets are the solutions",
    ),
    "thrown": ("prolog", LABEL, "throw(here)", "error", "throws here"),
}
"""By name: a change of an engine's program, its effect, and the message.

What comes of it is the outcome, with how many are missing and wrong, or with the line.
"""


@pytest.mark.one_in(5, 1)
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_program_is_judged(ask, name):
    engine, old, new, comes, *says = CHANGES[name]
    files = changed(engine, old, new) | ({"houses.lp": HOUSES} if "included" in name else {})
    answer = ask("run", Grid.parse(TWO), engine=engine, files=files)
    numbers = [answer["missing"], answer["wrong"]]
    lines = [f"{each['file']}:{each['line']}" for each in answer["places"][:1]]
    outcome = answer["outcome"]
    found = lines if outcome == "error" else numbers
    assert " ".join(map(str, [outcome, *found])).startswith(comes)
    said = f"{answer['rule']}\n{answer['message']}"
    assert all(each in said for each in says)
    assert "/tmp" not in said
    assert "/program" not in said
    assert (answer["missing_grid"] is None) == (answer["missing"] == 0)
    assert (answer["wrong_grid"] is None) == (answer["wrong"] == 0)


@pytest.mark.slow
def test_a_wrong_answer_is_named_with_what_it_breaks(ask):
    files = changed("prolog", "sudoku_houses(Rows, Shape, Houses),", "Houses = Rows,")
    answer = ask("run", Grid.parse(TWO), engine="prolog", files=files)
    assert (answer["outcome"], answer["stopped"]) == ("failure", None)
    assert answer["rule"] == "r1c1 and r3c1 both hold 1 (column 1)"
    assert len(answer["wrong_grid"]) == 4


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "puzzle", [Grid.parse(SMALL), Grid.parse("1" + "." * 35, box=(2, 3)), SEVERAL]
)
def test_our_own_programs_agree(ask, puzzle):
    for engine in ("clingo", "prolog"):
        answer = ask("run", puzzle, engine=engine)
        assert answer["outcome"] == "success", answer
        assert (answer["rule"], answer["missing"], answer["wrong"]) == ("", 0, 0)


@pytest.mark.parametrize("name", ["../evil.lp", "/tmp/evil.lp", "bridge.pl", "main.lp"])
def test_only_files_of_the_program_can_be_changed(ask, name):
    answer = ask("run", Grid.parse(SMALL), engine="clingo", files={name: "a."})
    said = f"there is no file {name}; expected sudoku.lp"
    assert said.lower() in answer["error"].lower()


def test_an_engine_without_a_program_is_refused(ask):
    assert "sat" in ask("run", Grid.parse(SMALL), engine="sat")["error"]
