"""The engines side by side on the page."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import board, message, press, role_cells, until
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED
from playwright.sync_api import expect

PUZZLE, SOLUTION = list(PRINTED.items())[-1]
MANY = next(puzzle for puzzle, number in COUNTS.items() if number == 125)


def row(page, engine):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=engine))


def says(page, engine, *texts):
    for text in texts:
        expect(row(page, engine)).to_contain_text(text)


def verdict(page, text):
    expect(page.locator("#verdict-text")).to_have_text(text)


def instead(page, engine, answer, path="solve"):
    """This engine gives this answer to the page; without one it never answers."""

    def handle(route):
        if route.request.post_data_json["engine"] != engine:
            route.fallback()
        elif answer is not None:
            route.fulfill(json=answer)

    page.route(f"**/api/{path}", handle)


def found(*lines, stopped=None):
    grids = [[list(map(int, line[at : at + 9])) for at in range(0, 81, 9)] for line in lines]
    return {"solutions": grids, "stopped": stopped, "seconds": 0.25}


def test_every_engine_is_asked_at_once_and_they_agree(visit):
    page = visit()
    says(page, "SWI-Prolog", "ready")
    press(page, "Solve")
    for engine in ("clingo", "SWI-Prolog", "CaDiCaL"):
        says(page, engine, "1 solution", re.compile(r"\d ms"))
    verdict(page, "They agree: there is one solution.")
    assert board(page) == SOLUTION
    press(page, "Fill in")  # the puzzle is still the same
    says(page, "clingo", "1 solution")
    press(page, "Set the puzzle")
    page.locator("#board .cell").first.click()
    page.keyboard.press("Delete")
    says(page, "clingo", "ready")
    verdict(page, "")


def test_a_slow_engine_is_stopped_while_the_answer_of_another_is_used(visit):
    page = visit()
    instead(page, "prolog", None)
    press(page, "Solve")
    message(page, "The only solution.")
    assert board(page) == SOLUTION
    says(page, "clingo", "1 solution")
    says(page, "SWI-Prolog", "searching …")
    verdict(page, "They agree: there is one solution. SWI-Prolog is still searching.")
    press(page, "Stop SWI-Prolog")
    says(page, "SWI-Prolog", "stopped")
    verdict(page, "They agree: there is one solution.")
    says(page, "clingo", "1 solution")
    message(page, "The only solution.")
    press(page, "Fill in")
    message(page, "Solved: every row, column and box holds every digit once.")


@pytest.mark.slow
def test_all_are_stopped_together(visit):
    page = visit()
    for engine in ("clingo", "prolog", "sat"):
        instead(page, engine, None)
    press(page, "Solve")
    message(page, "Searching …")
    press(page, "Stop")
    for engine in ("clingo", "SWI-Prolog", "CaDiCaL"):
        says(page, engine, "stopped")
    message(page, "51 cells are empty.")


@pytest.mark.slow
def test_where_they_differ_is_listed_and_marked(visit):
    page = visit()
    other = SOLUTION.translate(str.maketrans("12", "21"))
    cells = [at for at in range(81) if SOLUTION[at] != other[at]]
    names = [f"r{at // 9 + 1}c{at % 9 + 1}" for at in cells]
    instead(page, "sat", found(SOLUTION))
    instead(page, "prolog", found(other))
    press(page, "Solve")
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    expect(page.locator("#verdict-text")).to_contain_text(f"differs in {listed}.")
    press(page, "Show where")
    assert role_cells(page, "difference") == len(cells)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (found(), "They differ: SWI-Prolog rejects a solution of clingo (clingo has 1,"),
        (found(stopped="time"), "They agree so far: SWI-Prolog did not finish, but accepts the"),
    ],
)
def test_an_engine_without_an_answer_is_not_taken_for_one_that_denies(visit, answer, text):
    page = visit()
    instead(page, "prolog", answer)
    press(page, "Solve")
    expect(page.locator("#verdict-text")).to_contain_text(text)


@pytest.mark.slow
def test_different_solutions_at_a_limit_are_no_difference(visit):
    page = visit(MANY)
    press(page, "Solve")
    verdict(page, "They agree so far: each accepts what the others list.")
    says(page, "SWI-Prolog", "more than 2 solutions")
    seen = {board(page)}
    while "125" not in page.locator("#text").inner_text():
        press(page, "Next")
        page.locator("#board[aria-busy=false]").wait_for()
        assert board(page) not in seen
        seen.add(board(page))
    message(page, "of 125.")
    verdict(page, "They agree: the same 125 solutions.")
    says(page, "clingo", "125 solutions")


@pytest.mark.slow
def test_every_engine_counts(visit):
    page = visit(MANY)
    press(page, "Solve")
    says(page, "SWI-Prolog", "more than 2 solutions")
    press(page, "Count")
    for engine in ("clingo", "SWI-Prolog", "CaDiCaL"):
        says(page, engine, "125 solutions", re.compile(r"\d ms"))
    verdict(page, "They agree: each counts 125 solutions.")
    message(page, "Solution 1 of 125.")
    assert not page.get_by_role("button", name="Count").is_visible()
    press(page, "Next")
    message(page, "Solution 2 of 125.")
    press(page, "Next")
    page.locator("#board[aria-busy=false]").wait_for()
    message(page, "Solution 3 of 125.")


@pytest.mark.slow
def test_an_engine_that_does_not_finish_its_count_is_stopped(visit):
    page = visit(MANY)
    press(page, "Solve")
    says(page, "clingo", "more than 2 solutions")
    instead(page, "prolog", None, path="count")
    late = {"count": 100, "stopped": "time", "seconds": 60}
    instead(page, "sat", late, path="count")
    press(page, "Count")
    says(page, "clingo", "125 solutions")
    says(page, "CaDiCaL", "100 solutions when its time ran out")
    says(page, "SWI-Prolog", "counting …")
    press(page, "Stop SWI-Prolog")
    says(page, "SWI-Prolog", "more than 2 solutions")
    verdict(page, "CaDiCaL did not finish, so the number is that of clingo.")
    message(page, "Solution 1 of 125.")


@pytest.mark.slow
def test_the_verdict_on_counts(visit):
    page = visit()

    def verdict_on(**counts):
        counts = {name: {"count": number, "stopped": why} for name, (number, why) in counts.items()}
        return page.evaluate(
            """async (counts) => {
                const { verdictOnCounts } = await import("./agreement.js");
                return verdictOnCounts(new Map(Object.entries(counts)));
            }""",
            counts,
        )

    both = verdict_on(a=(1200, None), b=(1200, None))
    assert both == {"agree": True, "text": "They agree: each counts 1,200 solutions."}
    differ = verdict_on(a=(3, None), b=(4, None), c=(2, "time"))
    assert differ["text"] == "They differ: a counts 3, b counts 4 and c at least 2."
    assert differ["agree"] is False
    assert verdict_on(a=(3, None), b=(4, "time"))["agree"] is False
    late = verdict_on(a=(3, "time"), b=(4, "time"))
    assert late == {"text": "a and b did not finish, so the number is not known."}
    assert verdict_on(a=(3, None)) == {}


@pytest.mark.slow
def test_they_agree_that_there_is_no_solution(visit):
    page = visit(IMPOSSIBLE)
    press(page, "Solve")
    message(page, "There is no solution.")
    verdict(page, "They agree: there is no solution.")
    says(page, "SWI-Prolog", "no solutions")


@pytest.mark.slow
def test_a_missing_engine_says_why_and_what_cures_it(visit):
    page = visit()

    def without_prolog(route):
        about = route.fetch().json()
        for engine in about["engines"]:
            if engine["name"] != "clingo":
                engine |= {"available": False, "why": "it is not here", "cure": "Install it."}
        route.fulfill(json=about)

    page.route("**/api", without_prolog)
    page.reload()
    says(page, "SWI-Prolog", "missing: it is not here", "Install it.")
    press(page, "Solve")
    message(page, "The only solution.")
    verdict(page, "There is no other engine to compare with.")


@pytest.mark.slow
def test_an_engine_that_breaks_says_so_and_the_other_answers(visit):
    page = visit()
    page.route(
        "**/api/solve",
        lambda route: (
            route.fulfill(status=422, json={"error": "prolog broke"})
            if route.request.post_data_json["engine"] == "prolog"
            else route.fallback()
        ),
    )
    press(page, "Solve")
    says(page, "SWI-Prolog", "prolog broke")
    message(page, "The only solution.")


@pytest.mark.slow
def test_marks_by_clingo_show_that_they_are_searched_for(visit):
    page = visit()
    held = []
    page.route("**/api/candidates", lambda route: held.append(route))
    page.select_option("#pencil", "exact")
    message(page, "clingo is searching …")
    expect(page.locator("#pencil-state")).to_have_text("clingo is searching …")
    until(page, lambda: held)
    assert json.loads(held[0].request.post_data).get("engine", "clingo") == "clingo"
    held[0].continue_()
    page.locator(".pencil").first.wait_for()
    expect(page.locator("#pencil-state")).to_have_text("")


@pytest.mark.slow
def test_the_verdict_on_lists_of_solutions(visit):
    page = visit()

    def verdict_on(**answers):
        return page.evaluate(
            """async (answers) => {
                const { unlisted, verdict } = await import("./agreement.js");
                const map = new Map(Object.entries(answers));
                const rejected = [...unlisted(map)].map(([name, grids]) =>
                    [name, map.get(name).stopped ? [] : grids]);
                return verdict(map, new Map(rejected), 2);
            }""",
            answers,
        )

    def listed(*lines, stopped=None):
        return {"solutions": [list(map(int, line)) for line in lines], "stopped": stopped}

    one, two = "1221", "2112"
    assert verdict_on(a=listed(one, two), b=listed(two, one))["text"] == (
        "They agree: the same 2 solutions."
    )
    assert verdict_on(a=listed(one), b=listed(two, stopped="limit"))["agree"] is False
    differ = verdict_on(a=listed(one), b=listed("1212"))
    assert (differ["agree"], differ["cells"]) == (False, [2, 3])
    assert "a rejects a solution of b, which differs in r2c1 and r2c2." in differ["text"]
    more = verdict_on(a=listed(one), b=listed(one, stopped="limit"))
    assert more["text"] == "They differ: a found 1 solution, b found more."
    none = verdict_on(a=listed(), b=listed(stopped="time"))
    assert none["text"] == "b did not finish, so only a can say that there is no solution."
