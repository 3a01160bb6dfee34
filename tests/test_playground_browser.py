"""The playground in a real headless Chromium: both engines answer in the tab."""

from __future__ import annotations

import json
from itertools import chain

import pytest
from helpers.browsing import board, cell, message, paste, press, sized
from helpers.jigsaws import REAL, REAL_ANSWER, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import CLASSIC, EMPTY, FOUR, IMPOSSIBLE, LOOSE, PRINTED, SMALL, TWO
from playwright.sync_api import expect
from test_serve_engines_browser import says, verdict
from test_serve_look_browser import LOOKS, faults

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.serve._checking import check
from pylogic_sudoku.serve._questions import Source

SOLUTION = PRINTED[CLASSIC]
KILLER = {"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 4}


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


@pytest.fixture(scope="module")
def tab(browser, address):
    """One page for many questions."""
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("#about:not(:empty)")
    yield page
    page.close()


def as_puzzle(puzzle):
    return Puzzle(puzzle) if isinstance(puzzle, Grid) else puzzle


def link(puzzle):
    """The puzzle as the page has it in its address, without the shape of the boxes."""
    parts = [f"{puzzle.grid:line}"]
    if puzzle.regions:
        parts.append("regions=" + "".join(map(str, chain(*puzzle.to_json()["regions"]))))
    return ",".join(parts)


def asked(page, path, puzzle, **body):
    """The answer of the playground to a question, as the page asks it."""
    return page.evaluate(
        """async ([path, body]) => {
            const { answer } = await import("./answerer.js");
            return answer(path, body, new AbortController().signal);
        }""",
        [f"/{path}", {"puzzle": as_puzzle(puzzle).to_json(), **body}],
    )


def answered(page, *says_of):
    for engine in ("clingo", "SWI-Prolog"):
        says(page, engine, *says_of)


def test_both_engines_answer_in_the_tab(visit):
    page = visit()
    press(page, "Solve")
    answered(page, "1 solution")
    verdict(page, "They agree: there is one solution.")
    assert board(page) == SOLUTION
    assert "clingo 5." in page.inner_text("#about")


def test_rules_beyond_plain_sudoku_are_refused_and_not_offered(visit):
    rules = json.dumps([KILLER], separators=(",", ":")).replace(",", "%2C").replace("=", "%3D")
    page = visit(f"{EMPTY},rules={rules}")
    why = "The playground knows the rules of plain sudoku, regions and marks."
    message(page, why)
    assert page.inner_text("#rule-list") == "killer cage"
    press(page, "Solve")
    for engine in ("clingo", "SWI-Prolog"):
        says(page, engine, why)
    assert not page.locator("#rule-setting").is_visible()
    press(page, "Open…")
    offered = page.locator("#examples option").all_inner_texts()
    assert "9x9, odd and even" in offered
    assert not {"9x9, killer", "9x9, thermometers"}.intersection(offered)
    assert not page.get_by_label("Format").is_visible()


# --- answers -------------------------------------------------------------------------------------

PLAIN = [((2, 2), 5), ((2, 3), 12), ((2, 4), 28), ((3, 3), 28), ((2, 5), 50), ((3, 4), 80)]
PLAIN += [((4, 4), 150)]


@pytest.mark.slow
def test_all_solutions_of_puzzles_of_all_sizes(visit):
    page = visit()
    puzzles = [dig(full_grid(box, 3), keep, 7) for box, keep in PLAIN]
    puzzles += [
        jigsaw(size, keep, 2, marked) for size, keep, marked in ((4, 3, 2), (5, 6, 3), (6, 9, 4))
    ]
    puzzles += [Puzzle.parse("12.....3........"), Puzzle.parse(TWO)]
    for puzzle in puzzles:
        right = {grid.digits for grid in all_solutions(puzzle)}
        for engine in ("clingo", "prolog"):
            answer = asked(page, "solve", puzzle, engine=engine, limit=500)
            found = [tuple(chain(*rows)) for rows in answer["solutions"]]
            assert len(found) == len(set(found)) == min(500, len(right)), (puzzle, engine)
            assert set(found) <= right
            assert answer["stopped"] == ("limit" if len(right) > 500 else None)
            count = asked(page, "count", puzzle, engine=engine, limit=10**9)
            assert (count["count"], count["stopped"]) == (len(right), None)
        candidates = asked(page, "candidates", puzzle)["candidates"]
        union = [sorted({grid[at] for grid in right}) for at in range(puzzle.size**2)]
        assert list(chain(*candidates)) == union


def test_candidates_keep_no_solution_waiting(visit):
    large, small = (Puzzle(Grid.parse("." * cells)).to_json() for cells in (256, 16))
    first = visit().evaluate(
        """async ([large, small]) => {
            const { answer } = await import("./answerer.js");
            const { signal } = new AbortController();
            const candidates = answer("/candidates", { puzzle: large }, signal);
            const solve = { puzzle: small, engine: "clingo", limit: 1 };
            return Promise.race([candidates, answer("/solve", solve, signal)]);
        }""",
        [large, small],
    )
    assert "solutions" in first


@pytest.mark.slow
def test_counting_goes_beyond_what_is_listed(visit):
    page = visit("." * 16, "2x2")
    press(page, "Solve")
    answered(page, "more than 2 solutions")
    press(page, "Count")
    answered(page, "288 solutions")
    verdict(page, "They agree: each counts 288 solutions.")
    message(page, "Solution 1 of 288.")
    press(page, "Next")
    message(page, "Solution 2 of 288.")
    limits = [(100, (100, "limit")), (288, (288, None)), (2000, (288, None))]
    for limit, right in limits:
        for engine in ("clingo", "prolog"):
            answer = asked(page, "count", Grid.parse("." * 16), engine=engine, limit=limit)
            assert (answer["count"], answer["stopped"]) == right


@pytest.mark.slow
def test_a_count_in_several_runs_is_right(visit):
    """Over a thousand solutions: a second run counts on."""
    page = visit()
    puzzle = dig(full_grid((2, 3), 5), 6, 1)
    right = sum(1 for _ in all_solutions(puzzle))
    assert 1000 < right < 10_000
    for engine in ("clingo", "prolog"):
        answer = asked(page, "count", puzzle, engine=engine, limit=10**9)
        assert (answer["count"], answer["stopped"]) == (right, None)


@pytest.mark.slow
def test_only_solutions_are_confirmed(visit):
    page = visit()
    puzzle = Puzzle.parse(FOUR)
    right = [grid.to_json() for grid in all_solutions(puzzle)]
    other = [grid.to_json() for grid in all_solutions(Puzzle.parse(TWO))]
    broken = [[1, 2, 3, 4]] * 4
    for engine in ("clingo", "prolog"):
        answer = asked(page, "confirm", puzzle, engine=engine, grids=[*right, *other, broken])
        assert answer["rejected"] == [*other, broken]
        assert asked(page, "confirm", puzzle, engine=engine, grids=[])["rejected"] == []


@pytest.mark.slow
def test_many_grids_are_confirmed_at_once(visit):
    page = visit(LOOSE)
    puzzle = Puzzle.parse(LOOSE)
    found = asked(page, "solve", puzzle, engine="clingo", limit=300)["solutions"]
    wrong = [[row[::-1] for row in rows] for rows in found[:5]]
    for engine in ("clingo", "prolog"):
        answer = asked(page, "confirm", puzzle, engine=engine, grids=[*found, *wrong])
        assert answer["rejected"] == wrong


@pytest.mark.slow
def test_a_real_jigsaw(visit):
    page = visit(link(REAL))
    press(page, "Solve")
    answered(page, "1 solution")
    assert board(page) == REAL_ANSWER


def entered(puzzle, digits):
    """The rows of the puzzle with these digits, by the names of their cells."""
    rows = puzzle.to_json()
    for name, digit in digits.items():
        row, column = map(int, name[1:].split("c"))
        rows[row - 1][column - 1] = digit
    return rows


@pytest.mark.parametrize(
    ("line", "digits", "removed"),
    [
        (SMALL, {}, []),
        (SMALL, {"r1c4": 2}, []),
        (SMALL, {"r1c4": 1, "r1c2": 3}, []),
        (SMALL, {"r1c4": 2}, [("r1c3", 1), ("r1c2", 1)]),
        (TWO, {"r1c3": 3}, []),
        (TWO, {"r1c3": 1}, []),
        (TWO, {"r1c3": 3, "r1c4": 3}, []),
        ("................", {"r1c1": 1, "r2c2": 1, "r4c4": 2}, []),
        ("1.....1....2.2.3", {"r1c2": 2}, []),
    ],
)
def test_digits_are_checked_as_by_the_server(tab, line, digits, removed):
    puzzle = Grid.parse(line)
    entries = entered(puzzle, digits)
    marks = [{"cell": cell, "digit": digit} for cell, digit in removed]
    mine = asked(tab, "check", puzzle, entries=entries, removed=marks)
    assert mine == check(Source(line), entries, removed, 60)


@pytest.mark.parametrize(
    "question",
    ["steps", "steps-to", "why", "why-not", "conflicts", "ambiguity", "picture", "nothing"],
)
def test_what_is_not_answered_is_refused_and_not_offered(tab, question):
    assert tab.locator(f"[data-asks={question}]:visible").count() == 0
    with pytest.raises(Exception, match=f"The playground cannot answer {question}"):
        asked(tab, question, Grid.parse(SMALL))


def test_no_reason_is_offered(visit):
    for line, text in (
        (IMPOSSIBLE, "There is no solution."),
        (TWO, "Solution 1 of 2."),
    ):
        page = visit(line, "2x2" if line == TWO else "3x3")
        press(page, "Solve")
        message(page, text)
        assert page.get_by_role("button", name="Why").count() == 0


# --- stopping ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_endless_search_is_stopped_and_the_next_question_answered(visit):
    page = visit(LOOSE)
    press(page, "Solve")
    answered(page, "more than 2 solutions")
    press(page, "Count")
    for engine in ("clingo", "SWI-Prolog"):
        says(page, engine, "counting …")
        press(page, f"Stop {engine}")
    expect(page.locator("#engine-rows button")).to_have_count(0)
    paste(page, CLASSIC)
    press(page, "Solve")
    answered(page, "1 solution")
    verdict(page, "They agree: there is one solution.")


@pytest.mark.slow
def test_time_runs_out(visit):
    page = visit()
    answer = page.evaluate(
        """async (puzzle) => {
            const { limited } = await import("./answers/limits.js");
            const { prolog, clingo } = await import("./answers/engines.js");
            const endless = { goal: "repeat, fail" };
            const { signal } = new AbortController();
            const ask = (within) => prolog.ask(endless, { signal: within });
            const late = await limited(signal, ask, 0.3);
            const { found } = await clingo.ask({ program: "{a}.", models: 0 }, { signal });
            const next = await prolog.ask({ goal: "member(X, [1, 2])" }, { signal });
            return [late.stopped, late.seconds >= 0.3, found, next.all];
        }"""
    )
    assert answer == ["time", True, 2, True]


@pytest.mark.slow
def test_what_an_engine_says_against_a_question_reaches_the_reader(visit):
    page = visit()
    said = page.evaluate(
        """async () => {
            const { clingo, prolog } = await import("./answers/engines.js");
            const { Engine } = await import("./answers/engine.js");
            const { signal } = new AbortController();
            const said = async (engine, request) => {
                const answer = engine.ask(request, { signal });
                return answer.then(() => "nothing", (error) => error.message);
            };
            return [
                await said(clingo, { program: "a :- b c." }),
                await said(prolog, { goal: "no_such_predicate_here" }),
                await said(new Engine("answers/missing.js"), {}),
                await said(prolog, { goal: "true" }),
            ];
        }"""
    )
    assert "syntax error" in said[0]
    assert "no_such_predicate_here" in said[1]
    assert "The engine could not run" in said[2]
    assert said[3] == "nothing"


# --- text ----------------------------------------------------------------------------------------

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


@pytest.mark.slow
def test_texts_are_read_as_by_python(visit):
    page = visit(TWO, "2x2")
    for text in TEXTS:
        [puzzle] = asked(page, "read", Puzzle.parse(TWO), text=text, box=None)["puzzles"]
        assert Puzzle.parse(json.dumps(puzzle)) == Puzzle.parse(CLASSIC), text
    paste(page, TEXTS[0])
    sized(page, 9)
    assert board(page) == CLASSIC


@pytest.mark.slow
@pytest.mark.parametrize("name", ["line", "rows", "facts", "prolog", "json"])
def test_what_is_written_opens_as_the_same_puzzle(visit, name):
    page = visit()
    large = dig(full_grid((4, 4), 4), 120, 3)
    for puzzle in (Puzzle.parse(CLASSIC), Puzzle(large), Puzzle.parse(TWO), REAL):
        answer = asked(page, "write", puzzle, format=name)
        if answer["same"]:
            assert Puzzle.parse(answer["text"]) == puzzle
        else:
            assert puzzle is REAL


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hello", "it has 5 cells"),
        (CLASSIC.replace("5", "x", 1), "Cell 1 of the text does not hold a digit from 1 to 9"),
        ("." * 36, "Choose their shape, then Open."),
        ("{1}", "This JSON is not a puzzle"),
        ("0." * 128, "0 and another mark for empty cells are both here"),
        (
            json.dumps({**Puzzle.parse(CLASSIC).to_json(), "grid": [[1]]}),
            "This JSON is not a puzzle",
        ),
    ],
)
def test_what_cannot_be_read_stays_in_the_dialog(visit, text, error):
    page = visit()
    paste(page, text)
    expect(page.locator("#open-error")).to_contain_text(error)


@pytest.mark.slow
def test_a_link_is_shared(visit):
    page = visit(link(REAL))
    press(page, "Share")
    url = page.input_value("#link")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    other = visit()
    other.goto(url)
    assert board(other) == link(REAL).split(",")[0]
    press(other, "Solve")
    answered(other, "1 solution")


# --- everybody -----------------------------------------------------------------------------------


def solved(page):
    press(page, "Solve")
    answered(page, "1 solution")


def programs(page):
    page.get_by_text("The programs that run on this puzzle").click()
    page.get_by_role("textbox").first.wait_for()


DOINGS = {
    "start": lambda page: None,
    "solved": solved,
    "programs": programs,
    "open": lambda page: press(page, "Open…"),
    "share": lambda page: press(page, "Share"),
}


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("doing", DOINGS)
def test_axe_finds_nothing(visit, doing, look):
    page = visit(**LOOKS[look])
    DOINGS[doing](page)
    assert faults(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_the_page_of_licences(visit, address, look):
    page = visit(**LOOKS[look])
    page.goto(f"{address}licences.html")
    page.get_by_role("heading", name="Inside").wait_for()
    assert faults(page) == []


@pytest.mark.slow
def test_the_keyboard_is_enough(visit):
    page = visit(TWO, "2x2")
    cell(page, "r1c3").focus()
    page.get_by_role("button", name="Solve", exact=True).focus()
    page.keyboard.press("Enter")
    answered(page, "2 solutions")
    focused = page.locator("#actions button:focus")
    focused.wait_for()
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    message(page, "Solution 2 of 2.")
    page.keyboard.press("Escape")
    page.locator(".cell.selected:focus").wait_for()
    page.keyboard.press("3")
    assert board(page).count(".") == TWO.count(".") - 1
