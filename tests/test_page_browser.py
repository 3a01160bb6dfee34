"""The page as people use it, in a real headless Chromium: the board, both answers, its looks."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from helpers.browsing import (
    SHIFTS,
    board,
    cell,
    described,
    fits,
    message,
    phone,
    reloaded,
    role_cells,
    sized,
    until,
    valued,
)
from helpers.doing import edited, keys, paste, press, typed
from helpers.panels import (
    TITLES,
    answered,
    choice,
    edit,
    editor,
    engine_says,
    hint,
    program,
    said,
    shown,
    solve,
    tab,
    verdict,
)
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED, TWO
from helpers.ruled import SMALL_KILLER
from playwright.sync_api import expect

from pylogic_sudoku import Puzzle
from pylogic_sudoku.page import schema

pytestmark = pytest.mark.slow

PUZZLE, SOLUTION = list(PRINTED.items())[-1]
MANY = next(puzzle for puzzle, number in COUNTS.items() if number == 125)
ONE = "Both agree: there is one solution."
REGIONS = "1112122233343444"
JIGSAW = schema.JIGSAW | {
    "marks": schema.JIGSAW["marks"] | {"r4c1": "odd"},
    "title": "Small, but hard",
    "author": "A. B.",
    "unread": ["2 drawn lines", "rules in words: no, and = yes"],
}
WRONG_PARTS = [("r4c1", "r5c1"), ("r2c3:14", "r2c3:15"), (REGIONS, "2" + REGIONS[1:])]
"""The wrong text and the text that it replaces in a link of this puzzle."""
CONTROLS = """[...document.querySelectorAll("button, select, input, textarea, summary, a, #board")]
    .filter(each => each.checkVisibility({ visibilityProperty: true }))
    .filter(each => !each.closest("dialog:not([open])"))"""


# --- the first screen ----------------------------------------------------------------------------


def test_the_first_screen_says_what_it_is_and_has_few_controls(visit):
    page = visit(viewport={"width": 1366, "height": 768})
    page.get_by_text("answer set programming (ASP) and Prolog. Do they agree?").wait_for()
    assert page.get_by_role("button", name="Your own two programs").is_visible()
    assert page.locator("button.primary:visible").all_inner_texts() == ["Solve with both"]
    controls = page.evaluate(f"{CONTROLS}.filter(each => !each.closest('#pad, #tabs')).length")
    assert controls == 18  # with Undo, as a link was opened; the digits and the tabs are groups
    assert page.locator("[role=status]").filter(has_text=re.compile(r"\S")).count() == 0
    for side in TITLES:
        expect(editor(page, side)).to_be_in_viewport()
        assert choice(page, side).count() == 1
    fits(page)


def test_both_answer_what_they_find_what_they_know_and_how_long_it_took(visit):
    page = visit()
    solve(page)
    answered(page, "1 solution")
    verdict(page, ONE)
    message(page, "Both know all 81 digits without a guess. Neither guessed.")
    assert board(page) == SOLUTION
    for side in TITLES:
        engine_says(page, side, "knows all 81 digits")
        shown(page, side, f"Details of {side}")
        engine_says(page, side, "First solution after", "no other is left after")
        engine_says(page, side, "From nothing to the first solution", "set-up", "search")
        engine_says(page, side, "A third opinion, CaDiCaL, agrees.")
        shown(page, side, f"Details of {side}")
        expect(said(page, side).locator(".details")).to_be_hidden()
    press(page, "Hide")
    assert board(page) == PUZZLE
    press(page, "Show", "Fill in")
    message(page, "Solved: every row, column and box holds every digit once.")
    engine_says(page, "ASP", "1 solution")  # it is still the same puzzle
    press(page, "Puzzles", "Hard")
    verdict(page, "")
    expect(said(page, "ASP")).to_have_text("")


def test_what_they_know_before_they_guess_and_where_they_differ(visit):
    page = visit()
    press(page, "Puzzles", "Hard")
    hard = board(page)
    solve(page)
    message(page, "Before a guess ASP knows 48 digits; Prolog knows the same and leaves 8 candi")
    for side, left in (("ASP", 145), ("Prolog", 137)):
        shown(page, side, f"knows 48 digits, {left} candidates left")
    message(page, "They differ in r2c9, r3c9, r4c9, r5c9 and r9c9.")
    assert role_cells(page, "difference") == 5
    legend = page.get_by_role("list", name="Legend").get_by_role("listitem")
    assert [each.split("only")[1] for each in legend.all_inner_texts()] == [" ASP has it left"]
    said(page, "Prolog").get_by_role("button", name=re.compile("^knows")).click()
    message(page, "ASP has")
    assert role_cells(page, "difference") == 0
    page.keyboard.press("Escape")
    assert board(page) == hard


def test_the_start_shows_what_differs_and_moves_nothing(browser, address):
    for width, height in ((1366, 768), (820, 1180), (390, 844)):
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("main:not([aria-busy])")
        solve(page)
        message(
            page, "Before a guess ASP knows 35 digits; Prolog knows 37 and leaves 17 candidates"
        )
        expect(page.locator("#verdict-work")).to_contain_text(re.compile(r"ASP guessed .*, Prolog"))
        assert page.evaluate(SHIFTS) < 0.1
        context.close()


def test_a_puzzle_that_is_being_read_is_solved_once_it_is_there(visit):
    page = visit()
    held = []
    page.route("**/api/read", lambda route: held.append(route))
    paste(page, MANY)
    until(page, lambda: held)
    solve(page)
    verdict(page, "Reading the puzzle first …")
    held.pop().continue_()
    answered(page, "more than 2 solutions")


def test_the_keyboard_alone_solves(visit):
    page = visit()
    cell(page, "r1c3").focus()
    keys(page, "4", "Control+Enter")
    verdict(page, ONE)
    page.locator("#verdict-actions").get_by_role("button", name="Fill in").focus()
    page.keyboard.press("Enter")
    assert board(page) == SOLUTION


# --- the engines ---------------------------------------------------------------------------------


def instead(page, engine, answer, path="solve"):
    """This engine gives this answer to the page; without one it never answers."""

    def handle(route):
        if not route.request.post_data_json["engine"].startswith(engine):
            route.fallback()
        elif answer is not None:
            status = 422 if "error" in answer else 200
            route.fulfill(status=status, json=answer)

    page.route(f"**/api/{path}", handle)


def found(*lines, stopped=None):
    grids = [[list(map(int, line[at : at + 9])) for at in range(0, 81, 9)] for line in lines]
    return {"solutions": grids, "stopped": stopped, "seconds": 7.164, "first": 0.1304}


def test_a_slow_side_is_stopped_while_the_answer_of_the_other_is_used(visit):
    page = visit()
    instead(page, "prolog", None)
    solve(page)
    engine_says(page, "ASP", "1 solution")
    engine_says(page, "Prolog", "searching …")
    assert board(page) == SOLUTION
    press(page, "Stop Prolog")
    engine_says(page, "Prolog", "stopped")
    engine_says(page, "ASP", "1 solution")
    press(page, "Fill in")
    message(page, "Solved: every row, column and box holds every digit once.")


def test_known_digits_are_large_and_many_cells_that_differ_are_tinted(visit):
    page = visit("1" + "." * 15, "2x2")
    everything, rest = [1, 2, 3, 4], [[1, 2]] * 4
    nothing = [everything] * 4
    asp = [[[1], [2], *nothing[2:]], nothing, nothing, nothing]
    prolog = [[[1], [2, 3], *nothing[2:]], rest, rest, nothing]
    instead(page, "clingo", {"candidates": asp}, "propagate")
    instead(page, "prolog", {"candidates": prolog}, "propagate")
    solve(page)
    shown(page, "ASP", "knows 2 digits")
    shown(page, "Prolog", "knows 1 digit")
    message(page, "They differ in 9 cells.")
    assert role_cells(page, "a") == 1
    expect(cell(page, "r1c2").locator(".digit")).to_have_text("2")
    assert role_cells(page, "difference") == 8
    assert page.locator(".cell > .shape:visible, .pencil .shape").count() == 0
    assert page.locator(".cell .pencil").count() == 8  # where all are left nothing is known
    legend = page.get_by_role("list", name="Legend").get_by_role("listitem")
    says = ["only ASP knows the digit", "they have other candidates left"]
    assert legend.all_inner_texts() == says


def test_a_wrong_answer_with_a_wrong_digit_everywhere_marks_those_of_one_house(visit):
    page = visit()
    ones = [[1] * 9 for _ in range(9)]
    ran = {"outcome": "failure", "rule": "", "missing": 0, "wrong": 1, "grids": [ones]}
    ran |= {"message": "", "messages": [], "places": [], "diagnosis": None, "seconds": 0.1}
    ran |= {"stopped": None, "wrong_grid": ones, "missing_grid": None}
    page.route("**/api/run", lambda route: route.fulfill(json=ran))
    page.route("**/api/diagnose", lambda route: route.fulfill(json={"diagnosis": None}))
    edit(page, "ASP", ":- initial(X,Y,N), not sudoku(X,Y,N).", "")
    solve(page)
    shown(page, "ASP", "Show the wrong answer")
    message(page, "27 houses hold a digit twice.")
    assert page.locator(".cell.wrong").count() == 9
    assert page.locator("#board .row").first.locator(".cell.wrong").count() == 9
    page.get_by_text("the digit is there twice, in row 1, the first such house").wait_for()


def test_one_time_a_side_and_its_parts_on_demand(visit):
    page = visit()
    work = {"setup": 0.048, "propagation": 0.002, "search": 0.08, "seconds": 0.14, "choices": 3}
    answers = {
        "clingo": ("ASP", found(SOLUTION), "1 solution in 7.2 s", "no other is left after"),
        "prolog": (
            *("Prolog", found(SOLUTION, PUZZLE.replace(".", "1"), stopped="limit")),
            *("more than 2 solutions in 7.2 s", "3 solutions after"),
        ),
    }
    for engine, (_, answer, _, _) in answers.items():
        instead(page, engine, answer)
        instead(page, engine, work, "measure")
    instead(page, "sat", {"error": "not asked"})
    page.route("**/api/confirm", lambda route: route.fulfill(json={"rejected": []}))
    solve(page)
    message(page, "Both guessed 3 times.")
    for side, _, text, end in answers.values():
        expect(said(page, side).get_by_role("status")).to_have_text(text)
        shown(page, side, f"Details of {side}")
        engine_says(page, side, f"First solution after 0.13 s; {end} 7.2 s.")
        parts = "0.14 s, with set-up 48 ms, propagation 2.0 ms and search 80 ms."
        engine_says(page, side, f"From nothing to the first solution: {parts}")
    instead(page, "clingo", found())
    instead(page, "prolog", found(SOLUTION, stopped="time"))
    solve(page)
    engine_says(page, "ASP", "no solutions in 7.2 s")
    engine_says(page, "Prolog", "1 solution when its time ran out after 7.2 s")
    engine_says(page, "Prolog", "First solution after 0.13 s; stopped after 7.2 s.")


def test_a_wrong_digit_is_named_by_the_verdict(visit):
    page = visit()
    typed(page, r1c3=1, r1c4=6)
    solve(page)
    verdict(page, f"{ONE} Your r1c3 = 1 is wrong.")
    page.keyboard.press("Escape")
    typed(page, r1c3=4)
    verdict(page, ONE)


def test_where_they_differ_is_listed_and_marked(visit):
    page = visit()
    other = SOLUTION.translate(str.maketrans("12", "21"))
    cells = [at for at in range(81) if SOLUTION[at] != other[at]]
    names = [f"r{at // 9 + 1}c{at % 9 + 1}" for at in cells]
    instead(page, "sat", found(SOLUTION))
    instead(page, "prolog", found(other))
    solve(page)
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    expect(page.locator("#verdict-text")).to_contain_text(f"differs in {listed} (")
    press(page, "Show where")
    assert role_cells(page, "difference") == len(cells)


def test_the_line_that_loses_the_solution_is_marked(visit):
    page = visit(PUZZLE)
    changes = {
        "ASP": ("sudoku", "} = 1 :- cell(X,Y)", "} = 2 :- cell(X,Y)"),
        "Prolog": ("first_fail", "ins 1..Size", "ins 2..Size"),
    }
    for side, (name, old, new) in changes.items():
        choice(page, side).select_option(label=name)
        edit(page, side, old, new)
    solve(page)
    for side, (_, _, new) in changes.items():
        expect(said(page, side)).to_contain_text(re.compile(r"missing.*line \d+"))
        marked = program(page, side).locator(".lines > .wrong").filter(has_text=new)
        expect(marked).to_have_count(1)
        number = re.search(r"line (\d+)", said(page, side).inner_text())[1]
        shown(page, side, f"Go to line {number}")
        chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert new in editor(page, side).evaluate(chosen)


def changed(page):
    """Change both programs, so that they run as a reader's own."""
    edit(page, "ASP", "#show sudoku/3.", "#show sudoku/3. % mine")
    edit(page, "Prolog", "maplist(label, Rows).", "maplist(label, Rows). % mine")


def judged(outcome, line=SOLUTION, **more):
    """The server's answer about a changed program with this answer."""
    grid = found(line)["solutions"][0]
    wrong = outcome == "failure"
    return {
        **{"outcome": outcome, "rule": "", "message": "", "missing": 0, "wrong": int(wrong)},
        **{"grids": [grid], "missing_grid": None, "wrong_grid": grid if wrong else None},
        **{"messages": [], "places": [], "seconds": 0.1, "stopped": None},
        **more,
    }


def test_the_verdict_waits_for_both_sides_and_not_for_the_reasons(visit):
    page = visit()
    changed(page)
    held = {}

    def hold(route):
        engine = route.request.post_data_json["engine"].partition(":")[0]
        held[route.request.url.rpartition("/")[2], engine] = route

    def release(question, engine, answer):
        until(page, lambda: (question, engine) in held)
        held.pop((question, engine)).fulfill(json=answer)

    for question in ("run", "diagnose"):
        page.route(f"**/api/{question}", hold)
    solve(page)
    release("run", "clingo", judged("failure", "1" * 81))
    engine_says(page, "ASP", "1 answer is not a solution.")
    verdict(page, "")
    release("run", "prolog", judged("failure", "2" * 81))
    verdict(page, "Neither program is right yet. The board shows an answer of ASP.")
    assert page.locator(".cell .digit").all_inner_texts() == ["1"] * 81
    engine_says(page, "ASP", "1 answer is not a solution. Looking for the line …")
    place = {"file": "sudoku.lp", "line": 30}
    reason = {"summary": "no test is about rows", "places": [place]}
    release("diagnose", "clingo", {"diagnosis": reason, "stopped": None})
    release("diagnose", "prolog", {"diagnosis": None, "stopped": "time"})
    engine_says(page, "ASP", "1 answer is not a solution. No test is about rows.")
    engine_says(page, "Prolog", "The line is not known: time ran out.")
    expect(program(page, "ASP").locator(".lines > .wrong")).to_have_count(1)


def test_a_side_without_an_answer_is_not_taken_for_one_that_denies(visit):
    page = visit()
    instead(page, "sat", {"error": "not asked"})
    for answer, text in (
        (found(), "They differ: Prolog rejects a solution of ASP (ASP has 1 and"),
        (found(stopped="time"), "Both agree so far: Prolog did not finish, ASP found 1 solution."),
        ({"error": "prolog broke"}, "Only ASP answered: one solution."),
    ):
        instead(page, "prolog", answer)
        solve(page)
        engine_says(page, "ASP", "1 solution")
        expect(page.locator("#verdict-text")).to_contain_text(text)
    engine_says(page, "Prolog", "prolog broke")


def test_many_solutions_one_by_one_and_counted(visit):
    page = visit(MANY)
    solve(page)
    answered(page, "more than 2 solutions")
    so_far = "Both agree so far: each accepts what the other lists. Solution 1 of at least"
    expect(page.locator("#verdict-text")).to_contain_text(so_far)
    seen = {board(page)}
    while "125" not in page.locator("#verdict-text").inner_text():
        press(page, "Next solution")
        page.locator("#board[aria-busy=false]").wait_for()
        assert board(page) not in seen
        seen.add(board(page))
    answered(page, "125 solutions")
    page = visit(MANY)
    solve(page)
    answered(page, "more than 2 solutions")
    press(page, "Count")
    answered(page, "125 solutions")
    verdict(page, "Both agree: there are 125 solutions. Solution 1 of 125.")
    for side in TITLES:  # though it was counted before they were known
        said(page, side).get_by_role("button", name=re.compile("^knows")).wait_for()
    expect(page.locator("#verdict-work")).to_contain_text(re.compile("Before a guess.*guessed"))


def test_to_solve_again_ends_neither_a_count_nor_what_is_being_found_out(visit):
    page = visit(MANY)
    held = []
    for path in ("count", "propagate"):
        page.route(f"**/api/{path}", lambda route: held.append(route))
    solve(page)
    answered(page, "more than 2 solutions")
    press(page, "Count")
    until(page, lambda: len(held) == 3)  # both counts, and what ASP knows
    answered(page, "counting …")
    solve(page)
    answered(page, "more than 2 solutions, counting …")
    for route in held:
        if route.request.url.endswith("count"):
            route.fulfill(json={"count": 125, "stopped": None, "seconds": 0.1})
    answered(page, "125 solutions")
    page.unroute("**/api/propagate")
    held[[each.request.url[-5:] for each in held].index("agate")].continue_()
    answered(page, "knows")
    assert len(held) == 3
    solve(page)
    answered(page, "125 solutions in")
    answered(page, "knows")


def test_a_count_that_is_stopped_or_fails_leaves_what_is_known(visit):
    page = visit(MANY)
    instead(page, "clingo", None, "count")
    instead(page, "prolog", {"error": "it cannot count"}, "count")
    solve(page)
    expect(page.locator("#verdict-work")).to_contain_text(re.compile("Before a guess.*guessed"))
    before = page.locator("#verdict-text").inner_text()
    press(page, "Count")
    engine_says(page, "ASP", "more than 2 solutions, counting …")
    engine_says(page, "Prolog", "more than 2 solutions; not counted: it cannot count")
    press(page, "Stop ASP")
    engine_says(page, "ASP", "more than 2 solutions in")
    verdict(page, before)
    for side in TITLES:
        said(page, side).get_by_role("button", name=re.compile("^knows")).wait_for()


def test_no_solution_and_a_missing_engine(visit):
    page = visit(IMPOSSIBLE)
    solve(page)
    answered(page, "no solutions")
    verdict(page, "Both agree: there is no solution.")
    page.get_by_role("button", name="Why none?").wait_for()

    def without_prolog(route):
        about = route.fetch().json()
        for engine in about["engines"]:
            if engine["name"] != "clingo":
                engine |= {"available": False, "why": "it is not here", "fix": "Install it."}
        route.fulfill(json=about)

    page.route("**/api", without_prolog)
    reloaded(page)
    solve(page)
    engine_says(page, "Prolog", "SWI-Prolog is missing: it is not here Install it.")
    engine_says(page, "ASP", "no solutions")


def listed(*lines, stopped=None):
    return {"solutions": [list(map(int, line)) for line in lines], "stopped": stopped}


def counts(count, stopped=None):
    return {"count": count, "stopped": stopped}


JUDGE = """async ([answers, path]) => {
    const { unlisted, verdict, verdictOnCounts } = await import("./agreement.js");
    const all = Object.entries(answers).map(([name, each]) => ({ name, ...each }));
    if (path === "count") return verdictOnCounts(all);
    const rejected = [...unlisted(all, String)].map(([each, grids]) =>
        [each, each.stopped ? [] : grids]);
    return verdict(all, new Map(rejected), 2);
}"""
THREE, ONLY, NONE = counts(3), listed("1221"), listed()
VERDICTS = [
    ([THREE], ""),
    ([counts(1200), counts(1200)], "Both agree: there are 1,200 solutions."),
    (
        [THREE, counts(4), counts(2, "time")],
        "They differ: a counts 3, b counts 4 and c at least 2.",
    ),
    ([THREE, counts(4, "time")], "They differ: a counts 3 and b at least 4."),
    (
        [counts(3, "time"), counts(4, "time")],
        "Both agree so far: each accepts what the other lists.",
    ),
    ([listed("1221", "2112"), listed("2112", "1221")], "Both agree: there are 2 solutions."),
    ([ONLY, listed("2112", stopped="limit")], "They differ: a rejects a solution of b"),
    (
        [ONLY, listed("1212")],
        "They differ: a rejects a solution of b, which differs in r2c1 and r2c2",
    ),
    ([ONLY, listed("1221", stopped="limit")], "They differ: a counts 1 and b at least 2."),
    ([NONE, listed(stopped="time")], "Both agree so far: b did not finish, a found no solutions."),
]


def test_verdicts(visit):
    page = visit()
    for answers, text in VERDICTS:
        path = "count" if "count" in answers[0] else "solve"
        found = page.evaluate(JUDGE, [dict(zip("abc", answers, strict=False)), path])
        assert found.get("agree") is {"Both": True, "They": False}.get(text[:4])
        assert found.get("text", "").startswith(text)


# --- the board -----------------------------------------------------------------------------------


def test_edit_undo_redo_by_keyboard(visit):
    page = visit()
    typed(page, r1c3=4)
    keys(page, "ArrowRight", "6")
    reloaded(page)  # which keeps everything
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4")
    keys(page, "Control+Shift+z", "Control+z", "Control+z")
    assert board(page) == PUZZLE
    page.keyboard.press("Control+y")
    assert board(page) == edited(PUZZLE, r1c3="4")
    cell(page, "r1c3").click()
    page.keyboard.press("Delete")
    assert board(page) == PUZZLE
    press(page, "Undo", "Puzzles", "Start over")
    assert board(page) == PUZZLE
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4")


def test_givens_stay_until_the_puzzle_is_changed(visit):
    page = visit()
    typed(page, r1c1=7)
    message(page, "r1c1 is a given.")
    assert board(page) == PUZZLE
    press(page, "Puzzles", "Change this puzzle")
    typed(page, r1c1=1)
    assert board(page) == edited(PUZZLE, r1c1="1")
    assert page.url.endswith(edited(PUZZLE, r1c1="1"))


def test_undo_leaves_an_empty_grid_as_it_was_entered(visit):
    page = visit()
    press(page, "Puzzles")
    page.get_by_label("Empty grid").select_option(label="9x9")
    page.get_by_text("You are setting the puzzle").wait_for()
    press(page, "Undo")
    assert board(page) == PUZZLE
    assert not page.get_by_text("You are setting the puzzle").is_visible()
    typed(page, r1c1=7)
    message(page, "r1c1 is a given.")


def test_mistakes_show_at_once_and_else_the_page_is_silent(visit):
    page = visit()
    typed(page, r1c3=5)
    message(page, "r1c1 and r1c3 both hold 5 (row 1, box 1).")
    assert page.locator("[aria-invalid=true]").count() == 2
    page.keyboard.press("Backspace")
    assert page.locator("[aria-invalid=true]").count() == 0
    assert not page.locator("#message").is_visible()


@pytest.mark.parametrize("text", [TWO, json.dumps(JIGSAW), SMALL_KILLER.format("json")])
def test_links_and_reloads_keep_the_puzzle(visit, text):
    page = visit()
    paste(page, text)
    sized(page, 4)
    empty = board(page)
    typed(page, r4c4=1)
    reloaded(page)
    assert board(page) == empty[:15] + "1"
    press(page, "Share")
    plain = text == TWO
    valued(page, "#write-format", "line" if plain else "json")
    valued(page, "#written", re.compile(r"\S"))
    assert Puzzle.parse(page.locator("#written").input_value()) == Puzzle.parse(text)
    link = page.locator("#link").input_value()
    assert link == page.url
    other = visit()
    other.goto(link)  # another puzzle in the same tab
    sized(other, 4)
    assert board(other) == empty
    expect(other.locator("#rule-list li")).to_have_count(text.count('"rule"'))
    for right, wrong in [("2x2", "3x3"), *([] if plain else WRONG_PARTS)]:
        if right in link:
            other.goto(link.replace(right, wrong).replace("1..4", "...."))  # not a puzzle
            assert board(other) == empty
    page.select_option("#write-format", "json")
    valued(page, "#written", re.compile(r"^{"))
    offered = page.locator("#write-format option").all_inner_texts()
    assert offered == ["a line", "facts", "Prolog", "JSON"]


def test_a_file_of_several(visit):
    page = visit()
    press(page, "Puzzles")
    content = f"{PUZZLE}\n{SOLUTION}\n{MANY}\n".encode()
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    page.get_by_role("alert").filter(has_text="holds 3 puzzles").wait_for()
    page.select_option("#which", label="puzzle 3")
    page.locator("#load").click()
    page.locator("#puzzles-dialog").wait_for(state="hidden")
    assert board(page) == MANY


def test_what_cannot_be_read_is_said_and_not_run(visit):
    page = visit()
    press(page, "Puzzles")
    assert not page.get_by_label("Format").is_visible()  # asked only now
    page.fill("#source", "<img src=x onerror=alert(1)>")
    with page.expect_response("**/api/read") as refused:
        page.locator("#load").click()
    assert refused.value.status == 422
    page.locator("#open-error").filter(has_text=re.compile(r"\w")).wait_for()
    assert page.locator("dialog[open] img").count() == 0
    assert page.get_by_label("Format").is_visible()


def test_a_clue_that_is_not_known_can_be_left_out(visit):
    page = visit("." * 16, "2x2")
    grid = [
        [
            {"value": int(digit), "given": True} if digit != "." else {}
            for digit in PUZZLE[at : at + 9]
        ]
        for at in range(0, 81, 9)
    ]
    paste(page, json.dumps({"size": 9, "grid": grid, "fogofwar": ["R1C1"]}))
    page.get_by_role("alert").filter(has_text="no rule 'fogofwar' here").wait_for()
    press(page, "Open without it")
    sized(page, 9)
    assert board(page) == PUZZLE


def test_every_card_and_a_new_puzzle_have_one_solution(visit):
    page = visit(TWO, "2x2")
    for card in ("16x16", "Hard", "Killer", "Thermometer", "Jigsaw", "New: easy"):
        before = page.url
        press(page, "Puzzles", card)
        page.wait_for_function("before => location.href !== before", arg=before)
        sized(page, 16 if card == "16x16" else 9)
        solve(page)
        verdict(page, ONE)
        press(page, "Fill in")
        message(page, "Solved: every row, column and ")


def test_a_jigsaw_with_marks(visit):
    page = visit()
    paste(page, json.dumps(JIGSAW))
    sized(page, 4)
    page.get_by_text("Small, but hard by A. B.").wait_for()
    page.get_by_text(
        "Not read, and perhaps rules: 2 drawn lines; rules in words: no, and = yes"
    ).wait_for()
    described(page, "row 1, column 1, region 1: 1, given")
    described(page, "row 1, column 2, region 1, even: empty")
    described(page, "row 4, column 1, region 3, odd: empty")
    described(page, "row 2, column 3, region 2, 1 or 4: empty")
    assert [page.locator(f".mark.{kind}").count() for kind in ("odd", "even", "digits")] == [1] * 3
    assert page.locator(".ends-right").count() + page.locator(".ends-below").count() == 12
    typed(page, r2c1=1)
    message(page, "r1c1 and r2c1 both hold 1 (column 1, region 1).")
    press(page, "Undo")
    typed(page, r1c2=3)
    message(page, "r1c2 holds 3, but must be even.")
    assert page.locator("[aria-invalid=true]").count() == 1
    press(page, "Undo")
    expect(choice(page, "Prolog")).not_to_have_value(re.compile("classic"))  # it takes 9x9 only
    solve(page)
    verdict(page, ONE)
    assert board(page) == "1234431221433421"


def test_set_a_puzzle_of_any_size(visit):
    page = visit("1" + "." * 80)
    for n in (4, 6, 12, 16):
        press(page, "Puzzles")
        page.get_by_label("Empty grid").select_option(label=f"{n}x{n}")
        sized(page, n)
        cell(page, "r1c1").click()
        page.keyboard.type("0123456789ABCDEFG"[n])
        typed(page, r1c2=3)
        assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == [str(n), "3"]
        press(page, "Play it")
        solve(page)
        until(page, lambda: "." not in board(page))
        digits = page.evaluate("[...document.querySelectorAll('.cell')].map(c => +c.textContent)")
        assert sorted(digits[:n]) == [*range(1, n + 1)]


@pytest.mark.parametrize("options", [{}, phone(390, 844)], ids=["desktop", "phone"])
def test_a_setter_is_answered_and_goes_on_setting(visit, options):
    page = visit(**options)
    tab(page, "Search")
    press(page, "Puzzles", "Change this puzzle")
    form = page.get_by_role("region", name="Setting the puzzle")
    expect(form).to_be_visible()
    for question in ("Steps", "Check"):
        press(page, question)
        page.locator("#actions").get_by_role("button", name="Close").wait_for()
        assert page.locator("#text").is_visible()
        expect(form).to_be_hidden()
        press(page, "Close")
        expect(form).to_be_visible()
        assert page.locator("#pad").is_visible()


def test_touch_at_phone_width(visit):
    page = visit(**phone(390, 844), color_scheme="dark")
    fits(page)
    sizes = page.evaluate(
        "[...document.querySelectorAll('button:enabled, .cell')].filter(e => e.offsetParent)"
        ".map(e => Math.min(e.offsetWidth, e.offsetHeight))"
    )
    assert min(sizes) >= 30
    cell(page, "r1c3").tap()
    four = page.locator("#pad").get_by_role("button", name="4", exact=True)
    four.tap()
    assert board(page) == edited(PUZZLE, r1c3="4")
    four.tap()  # the digit that is there goes
    assert board(page) == PUZZLE
    page.get_by_role("button", name="Solve with both").tap()
    answered(page, "1 solution")
    assert board(page) == SOLUTION
    for side in TITLES:
        tab(page, side)
        expect(editor(page, side)).to_be_visible()
        fits(page)
    tab(page, "Play")
    page.get_by_role("button", name="Check").tap()
    message(page, "You have filled in nothing yet.")  # in the tab for explanations
    page.get_by_role("button", name="Close").tap()
    expect(four).to_be_visible()


# --- a server that is slow, or away for a while ---------------------------------------------------


def test_a_page_that_is_on_its_way_does_not_say_that_it_has_not_started(browser, address):
    page = browser.new_page()
    page.route("**/main.js", lambda route: None)  # it does not come
    page.goto(address, wait_until="commit")
    page.locator("#dead").wait_for(state="attached")
    page.wait_for_function("document.getElementById('dead').getAnimations().length")  # the style
    seen = page.evaluate(
        """() => {
            const [later] = document.getElementById("dead").getAnimations();
            const seen = () => getComputedStyle(document.getElementById("dead")).visibility;
            later.pause();
            later.currentTime = 0;
            const first = seen();
            later.finish();
            return [first, seen()];
        }"""
    )
    assert seen == ["hidden", "visible"]
    page.close()


def test_rules_are_drawn_when_the_server_is_back(browser, address):
    page = browser.new_page()
    page.route("**/api/rules", lambda route: route.abort())
    page.goto(address)
    page.wait_for_selector("main:not([aria-busy])")
    paste(page, SMALL_KILLER.format("json"))
    message(page, "The server does not answer. Is it running?")
    assert page.locator("#board > .drawing:not(.links) > *").count() == 0
    page.unroute("**/api/rules")
    page.locator("#board > .drawing:not(.links) > *").first.wait_for(state="attached")
    page.get_by_text("The server does not answer.").wait_for(state="hidden")
    page.close()


# --- how it looks: paper, forced colours, small screens -----------------------------------------

PHONES = [(390, 844), (320, 568)]


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_rows_and_columns_have_numbers(visit):
    page = visit(viewport={"width": 320, "height": 700})
    for side, axis, names in (("rows", 1, "r{}c1"), ("columns", 0, "r1c{}")):
        numbers = page.locator(f".numbers.{side} span")
        assert numbers.all_inner_texts() == [str(number) for number in range(1, 10)]
        for at in range(9):
            named = cell(page, names.format(at + 1)).bounding_box()
            number = numbers.nth(at).bounding_box()
            assert abs(middle(number)[axis] - middle(named)[axis]) < 3
            assert number["x" if axis else "y"] < named["x" if axis else "y"]
    fits(page)


def test_dialogs_fit_a_small_phone(visit):
    page = visit(viewport={"width": 320, "height": 640})
    for name in ("Puzzles", "Share", "Help"):
        press(page, name)
        widths = "dialog => [dialog.scrollWidth, dialog.clientWidth]"
        wide, window = page.locator("dialog[open]").evaluate(widths)
        assert wide <= window
        page.keyboard.press("Escape")


def test_the_keyboard_is_at_the_answer(visit):
    page = visit()
    page.get_by_role("button", name="Hint", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("#actions button:focus").get_by_text("Show the cell").wait_for()
    page.keyboard.press("Enter")
    page.locator("#actions button:focus").get_by_text("Show the digit").wait_for()
    page.keyboard.press("Enter")
    next_step = page.locator("#actions button").get_by_text("Next step")
    next_step.wait_for()
    next_step.focus()
    next_step.wait_for()
    page.keyboard.press("Enter")
    message(page, "r5c2 is 2")
    next_step.wait_for()  # though it is the second button now, after "Back"
    page.keyboard.press("Escape")
    page.locator(".cell.selected:focus").wait_for()


SIZES = [(1366, 768, 450), (1920, 1080, 780), (820, 1180, 330), (390, 844, 330)]


def covers(one, other):
    """True if two boxes overlap."""
    return all(
        one[start] < other[start] + other[length] and other[start] < one[start] + one[length]
        for start, length in (("x", "width"), ("y", "height"))
    )


def test_every_size_shows_the_board_the_button_and_what_a_program_is(visit):
    page = visit()
    for width, height, wide in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        assert page.locator("#board").bounding_box()["width"] >= wide
        more = ["#tabs"] if width < 640 else ["#program-clingo", "#program-prolog"]
        boxes = ["#board", "#solve", "#pad", ".doing", *more]
        places = [page.locator(each).bounding_box() for each in boxes]
        assert all(box["y"] + box["height"] <= height for box in places)
        assert not any(covers(one, other) for one, other in combinations(places, 2))


def test_the_stage_holds_programs_explanation_and_search_and_nothing_begins_below_the_fold(visit):
    page = visit(viewport={"width": 1366, "height": 768})
    places = {"Programs": "#program-clingo, #program-prolog", "Search": "#trace"}
    places["Explain"] = "#message, #walk"
    solve(page)
    verdict(page, ONE)
    press(page, "Steps")
    page.locator("#walk-list li").first.wait_for()
    for name, parts in places.items():
        tab(page, name)
        pressed = page.locator("#tabs [aria-pressed=true]:visible")
        expect(pressed).to_have_text(name)
        seen = page.locator(", ".join(places.values())).filter(visible=True)
        assert seen.count() == len(parts.split(", "))
        for part in page.locator(f"{parts}, #verdict, #controls").filter(visible=True).all():
            assert part.bounding_box()["y"] + 40 < 768
    press(page, "Close")
    tab(page, "Programs")
    expect(editor(page, "ASP")).to_be_visible()


def test_the_verdict_and_the_button_stay_above_the_fold_in_every_state(visit):
    page = visit(viewport={"width": 1366, "height": 768})
    press(page, "Puzzles")
    page.get_by_role("dialog").get_by_role("button", name="Killer").click()
    page.locator("#rule-list li").first.wait_for()

    def above():
        for each in ("#solve", "#verdict", "#pad", ".doing", "#rules"):
            box = page.locator(each).bounding_box()
            assert box["y"] >= 0, each
            assert box["y"] + box["height"] <= 768, each
        assert page.evaluate("document.documentElement.scrollHeight") <= 768

    above()
    everything = [[[*range(1, 10)]] * 9] * 9
    for engine in ("clingo", "prolog"):
        instead(page, engine, found(SOLUTION))
        instead(page, engine, {"candidates": everything}, "propagate")
    work = {"setup": 0.048, "propagation": 0.002, "search": 0.08, "seconds": 0.14, "choices": 3}
    page.route("**/api/measure", lambda route: route.fulfill(json=work))
    instead(page, "sat", {"error": "not asked"})
    solve(page)
    message(page, "Both guessed 3 times.")
    above()
    for side in TITLES:
        shown(page, side, f"Details of {side}")
        engine_says(page, side, "From nothing to the first solution")
    above()


def test_nothing_moves_when_the_answers_come(visit):
    page = visit(viewport={"width": 1366, "height": 768})
    parts = ("#board", "#program-clingo", "#program-prolog", "#verdict")
    places = [page.locator(part).bounding_box() for part in parts]
    solve(page)
    message(page, "Neither guessed.")
    now = [page.locator(part).bounding_box() for part in parts]
    for before, after in zip(places, now, strict=True):
        assert (before["x"], before["y"]) == (after["x"], after["y"])
    assert places[:3] == now[:3]


def test_on_a_phone_the_pad_stays_targets_are_large_and_a_tab_is_brought_into_view(visit):
    page = visit(**phone(390, 844))
    kept = [page.locator(each) for each in ("#board", "#tabs", "#pad", ".doing", "#solve")]
    before = [each.bounding_box() for each in kept]
    assert all(box["y"] + box["height"] <= 844 for box in before)
    solve(page)
    message(page, "Neither guessed.")
    after = [each.bounding_box() for each in kept]
    assert after[:4] == before[:4]
    assert after[4]["y"] == before[4]["y"]  # buttons have come beside it
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#verdict")).to_be_in_viewport(ratio=1)
    small = f"{CONTROLS}.filter(e => !e.matches('#board, textarea'))"
    sizes = "e => { const {width, height} = e.getBoundingClientRect(); return [width, height]; }"
    shown = page.evaluate(f"{small}.map(e => [e.textContent, ...({sizes})(e)])")
    assert [each for each in shown if min(each[1:]) < 44] == []
    page.locator("#tabs").get_by_role("button", name="Prolog").tap()
    expect(program(page, "Prolog")).to_be_in_viewport(ratio=1)
    page.locator("#tabs").get_by_role("button", name="Play").tap()
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    expect(page.locator("#pad")).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_verdict_is_as_wide_as_the_page_before_it_has_words(visit):
    page = visit(**phone(390, 844))
    page.route("**/api/**", lambda _route: None)  # no answer comes
    solve(page)
    page.locator("#verdict").get_by_role("button", name="Stop", exact=True).wait_for()
    wide, verdict = (page.locator(each).bounding_box() for each in ("#tabs", "#verdict"))
    assert (verdict["x"], verdict["width"]) == (wide["x"], wide["width"])


def test_each_side_has_a_colour_and_a_name_at_every_size(visit):
    colour = "e => getComputedStyle(e).color"
    before = "(e, name) => getComputedStyle(e, '::before')[name]"
    for options in ({}, phone(390, 844)):
        page = visit(**options)
        page.get_by_text("answer set programming (ASP) and Prolog. Do they agree?").wait_for()
        asks = page.locator("#verdict-text").evaluate(before, "content")
        assert asks == '"Two programs, two logics. Do they agree?"'
        colours = []
        for side, key in (("ASP", "clingo"), ("Prolog", "prolog")):
            assert said(page, side).evaluate(before, "content") == f'"{side}"'
            assert said(page, side).is_visible()
            colours.append(said(page, side).evaluate(before, "color"))
            assert colours[-1] == page.locator(f"#title-{key}").evaluate(colour)
        assert len({*colours, page.locator("body").evaluate(colour)}) == 3
        fits(page)


def test_a_phone_shows_the_board_and_the_answer(visit):
    page = visit(**phone(390, 844))
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        cell(page, "r1c3").tap()
        page.get_by_role("button", name="Why?", exact=True).tap()
        page.locator(".cell.role-target").first.wait_for()
        target = page.locator(".cell.role-target").first.bounding_box()
        said = page.locator("#message").bounding_box()
        assert 0 <= target["y"] < target["y"] + target["height"] <= said["y"]
        fits(page)
        page.get_by_role("button", name="Close").tap()
        assert page.locator("#pad").is_visible()


def printed(page, tmp_path):
    """The first sheet of paper without background graphics: its text, and its pixels as rows."""
    import pypdfium2

    file = tmp_path / "page.pdf"
    page.pdf(path=str(file), format="A4", print_background=False)
    sheet = pypdfium2.PdfDocument(str(file))[0]
    text = sheet.get_textpage().get_text_bounded()
    return text, sheet.render(scale=2, grayscale=True).to_numpy()


def test_paper_has_the_digits_and_the_lines_without_background_graphics(visit, tmp_path):
    page = visit()
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        text, pixels = printed(page, tmp_path)
        digits = "".join(line for line in text.split() if line.isdigit())
        for number in "123456789":
            numbers = 2  # of a row and a column
            assert digits.count(number) - numbers >= PUZZLE.count(number)
        assert (pixels > 250).mean() > 0.8  # white, not a black or grey square
        for lines in (pixels, pixels.T):
            dark = [line for line in range(len(lines)) if (lines[line] < 110).mean() > 0.45]
            groups = [at for at in dark if at - 1 not in dark]
            assert len(groups) == 4  # around the boxes


def test_forced_colours_keep_the_boxes_and_the_highlights(visit):
    page = visit(forced_colors="active")
    style = "(e, name) => getComputedStyle(e)[name]"
    wide = [
        cell(page, name).evaluate(style, "borderRightWidth") for name in ("r1c2", "r1c3", "r1c4")
    ]
    assert wide == ["1px", "4px", "1px"]
    hint(page)
    shapes = page.locator(".cell.role-target .shape.target")
    assert shapes.first.evaluate(style, "stroke") != "none"
    ground = page.locator("#board").evaluate(style, "backgroundColor")
    assert shapes.first.evaluate(style, "stroke") != ground
