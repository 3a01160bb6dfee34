"""The page as people use it, and the engines beside the board, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import board, cell, described, message, role_cells, sized, until, valued
from helpers.doing import edited, keys, paste, press, typed
from helpers.panels import engine_says, verdict
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED, SMALL, TWO
from helpers.screens import fits, phone, reloaded
from playwright.sync_api import expect

PUZZLE, SOLUTION = list(PRINTED.items())[-1]
MANY = next(puzzle for puzzle, number in COUNTS.items() if number == 125)


def test_edit_undo_redo_by_keyboard(visit):
    page = visit()
    typed(page, r1c3=4)
    keys(page, "ArrowRight", "6")
    reloaded(page)  # which keeps everything
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4")
    press(page, "Redo")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    cell(page, "r1c4").click()
    page.keyboard.press("Delete")
    assert board(page) == edited(PUZZLE, r1c3="4")
    keys(page, "Control+z", "Control+z")
    assert board(page) == edited(PUZZLE, r1c3="4")
    page.keyboard.press("Control+Shift+z")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    press(page, "Restart")
    assert board(page) == PUZZLE
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")


@pytest.mark.slow
def test_givens_stay_until_the_puzzle_is_set(visit):
    page = visit()
    typed(page, r1c1=7)
    message(page, "r1c1 is a given.")
    assert board(page) == PUZZLE
    press(page, "Set the puzzle")
    typed(page, r1c1=1)
    assert board(page) == edited(PUZZLE, r1c1="1")
    assert page.url.endswith(edited(PUZZLE, r1c1="1"))


def test_mistakes_show_at_once(visit):
    page = visit()
    typed(page, r1c3=5)
    message(page, "r1c1 and r1c3 both hold 5 (row 1, box 1).")
    assert page.locator("[aria-invalid=true]").count() == 2
    page.keyboard.press("Backspace")
    assert page.locator("[aria-invalid=true]").count() == 0
    message(page, "51 cells are empty.")


@pytest.mark.slow
def test_pencil_marks(visit):
    page = visit()
    page.select_option("#pencil", "rules")
    assert cell(page, "r1c3").inner_text().split() == ["1", "2", "4"]
    typed(page, r1c4=2)
    assert cell(page, "r1c3").inner_text().split() == ["1", "4"]
    press(page, "Undo")
    page.select_option("#pencil", "exact")
    page.locator(".pencil").first.wait_for()
    assert cell(page, "r1c3").inner_text().split() == ["4"]


@pytest.mark.slow
def test_a_link_carries_the_puzzle(visit):
    page = visit(TWO, "2x2")
    press(page, "Share")
    link = page.locator("#link").input_value()
    assert link == page.url
    valued(page, "#written", TWO)
    page.select_option("#write-format", "prolog")
    valued(page, "#written", re.compile(r"^\[\[1,2,_,_\]"))
    other = visit()
    other.goto(link)  # another puzzle in the same tab
    sized(other, 4)
    assert board(other) == TWO
    other.goto(link.replace("2x2", "3x3"))  # no puzzle of that shape
    assert board(other) == TWO


@pytest.mark.slow
def test_open_a_file_of_several(visit):
    page = visit()
    press(page, "Open…")
    content = f"{PUZZLE}\n{SOLUTION}\n{MANY}\n".encode()
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    valued(page, "#source", re.compile(r"\d"))
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="holds 3 puzzles").wait_for()
    page.select_option("#which", label="puzzle 3")
    page.locator("#load").click()
    page.locator("dialog").first.wait_for(state="hidden")
    assert board(page) == MANY


def test_open_says_what_is_wrong(visit):
    page = visit()
    press(page, "Open…")
    page.fill("#source", "<img src=x onerror=alert(1)>")
    with page.expect_response("**/api/read") as refused:
        page.locator("#load").click()
    assert refused.value.status == 422
    page.get_by_role("alert").filter(has_text=re.compile(r"\w")).wait_for()
    assert page.locator("dialog[open] img").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "block"),
    [
        ("9x9, jigsaw", "region holds every digit once."),
        ("9x9, odd and even", "box holds every digit once."),
        ("9x9, killer", "box holds every digit once, and every rule holds."),
        ("9x9, thermometers", "box holds every digit once, and every rule holds."),
    ],
)
def test_examples_have_one_solution(visit, example, block):
    page = visit("." * 16, "2x2")
    press(page, "Open…")
    page.select_option("#examples", example)
    sized(page, 9)
    press(page, "Solve")
    message(page, "The only solution.", "They agree: there is one solution.")
    assert sorted(board(page)) == sorted("123456789" * 9)
    press(page, "Fill in")
    message(page, f"Solved: every row, column and {block}")


REGIONS = "1112122233343444"
JIGSAW = {
    "box": [2, 2],
    "grid": [[1, None, None, 4], [None] * 4, [None, None, None, 3], [None] * 4],
    "regions": [[int(label) for label in REGIONS[at : at + 4]] for at in range(0, 16, 4)],
    "marks": {"r1c2": [2, 4], "r2c3": [1, 4], "r4c1": [1, 3]},
    "title": "Small, but hard",
    "author": "A. B.",
}


def test_a_jigsaw_with_marks(visit):
    page = visit()
    paste(page, json.dumps(JIGSAW))
    sized(page, 4)
    page.get_by_text("Small, but hard by A. B.").wait_for()
    described(page, "row 1, column 1, region 1: 1, given")
    described(page, "row 1, column 2, region 1, even: empty")
    described(page, "row 4, column 1, region 3, odd: empty")
    described(page, "row 2, column 3, region 2, 1 or 4: empty")
    assert [page.locator(f".mark.{kind}").count() for kind in ("odd", "even", "digits")] == [1] * 3
    assert page.locator(".ends-right").count() + page.locator(".ends-below").count() == 12
    classes = [cell(page, name).get_attribute("class").split() for name in ("r1c3", "r1c2")]
    assert ["ends-right" in each for each in classes] == [True, False]
    page.select_option("#pencil", "rules")
    described(page, "row 4, column 1, region 3, odd: empty, may be 3")
    typed(page, r2c1=1)
    message(page, "r1c1 and r2c1 both hold 1 (column 1, region 1).")
    press(page, "Undo")
    typed(page, r1c2=3)
    message(page, "r1c2 holds 3, but must be even.")
    assert page.locator("[aria-invalid=true]").count() == 1
    press(page, "Undo", "Solve")
    message(page, "The only solution.")
    assert board(page) == "1234431221433421"


@pytest.mark.slow
def test_links_and_reloads_keep_regions_and_marks(visit):
    page = visit()
    paste(page, json.dumps(JIGSAW))
    sized(page, 4)
    typed(page, r4c4=1)
    reloaded(page)
    assert board(page) == "1..4.......3...1"
    described(page, "row 2, column 3, region 2, 1 or 4: empty")
    press(page, "Share")
    valued(page, "#write-format", "json")
    valued(page, "#written", re.compile("regions"))
    assert json.loads(page.locator("#written").input_value()) == JIGSAW
    link = page.locator("#link").input_value()
    other = visit()
    other.goto(link)
    sized(other, 4)
    described(other, "row 1, column 2, region 1, even: empty")
    described(other, "row 2, column 3, region 2, 1 or 4: empty")
    other.get_by_text("Small, but hard by A. B.").wait_for()
    for right, wrong in [(REGIONS, "2" + REGIONS[1:]), ("r4c1", "r5c1"), ("r2c3:14", "r2c3:15")]:
        assert right in link
        other.goto(link.replace(right, wrong).replace("1..4", "...."))  # not a puzzle
        assert board(other) == "1..4.......3...."


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["4x4", "6x6", "9x9", "12x12", "16x16"])
def test_set_a_puzzle_of_any_size(visit, shape):
    n = int(shape.split("x")[0])
    page = visit("1" + "." * 15)
    press(page, "New")
    press(page, shape)
    sized(page, n)
    cell(page, "r1c1").filter(has_not_text="1").wait_for()  # the new grid, if it is 4x4 too
    page.keyboard.type(str(n))
    typed(page, r1c2=3)
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == [str(n), "3"]
    press(page, "Play", "Solve")
    message(page, "Solution 1 of")
    digits = page.evaluate("[...document.querySelectorAll('.cell')].map(c => +c.textContent)")
    assert sorted(digits[:n]) == [*range(1, n + 1)]


@pytest.mark.slow
def test_digits_over_nine(visit):
    page = visit("." * 256, "4x4")
    typed(page, r1c1=1)
    keys(page, "6", "ArrowRight", "C")
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == ["16", "12"]
    press(page, "Undo", "Undo")
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == ["", ""]


def test_touch_at_phone_width(visit):
    page = visit(**phone(390, 844), color_scheme="dark")
    fits(page)
    sizes = page.evaluate(
        "[...document.querySelectorAll('button:enabled, .cell')].filter(e => e.offsetParent)"
        ".map(e => Math.min(e.offsetWidth, e.offsetHeight))"
    )
    assert min(sizes) >= 32
    cell(page, "r1c3").tap()
    page.locator("#pad").get_by_role("button", name="4", exact=True).tap()
    assert board(page) == edited(PUZZLE, r1c3="4")
    page.get_by_role("button", name="Erase").tap()
    assert board(page) == PUZZLE
    page.get_by_role("button", name="Solve").tap()
    message(page, "The only solution")
    assert board(page) == SOLUTION


def test_cells_and_controls_have_names(visit):
    page = visit()
    assert page.get_by_role("gridcell").count() == 81
    page.get_by_role("gridcell", name="row 1, column 1: 5, given", exact=True).wait_for()
    page.get_by_role("gridcell", name="row 1, column 3: empty", exact=True).wait_for()
    assert page.locator("[tabindex='0']:visible").count() == 1
    for role in ("button", "combobox"):
        for control in page.get_by_role(role).all():
            name = control.evaluate("e => e.textContent || e.labels?.[0]?.textContent || ''")
            assert name.strip()


@pytest.mark.slow
def test_hints_to_the_end(visit):
    page = visit(SMALL, "2x2")
    press(page, "Hint")
    page.get_by_role("list", name="Legend").get_by_text("goes here").wait_for()
    assert role_cells(page, "target") == 1
    press(page, "Do it")
    assert board(page).count(".") == SMALL.count(".") - 1
    press(page, "Hint")
    for _ in range(SMALL.count(".") - 2):
        press(page, "Next step")
        page.locator("#board[aria-busy=false]").wait_for()
    press(page, "Do it")
    assert board(page) == "4312124324313124"
    press(page, "Hint")
    message(page, "The puzzle is solved.")


# === The engines side by side on the page =========================================================

ENGINES = ("clingo", "SWI-Prolog", "CaDiCaL")


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
    engine_says(page, "SWI-Prolog", "ready")
    press(page, "Solve")
    for engine in ENGINES:
        engine_says(page, engine, "1 solution", re.compile(r"\d ms"))
    verdict(page, "They agree: there is one solution.")
    message(page, "The only solution.")
    assert board(page) == SOLUTION
    press(page, "Close")
    assert board(page) == PUZZLE
    press(page, "Solve")
    press(page, "Fill in")  # the puzzle is still the same
    engine_says(page, "clingo", "1 solution")
    press(page, "Set the puzzle")
    page.locator("#board .cell").first.click()
    page.keyboard.press("Delete")
    engine_says(page, "clingo", "ready")
    verdict(page, "")


def test_a_slow_engine_is_stopped_while_the_answer_of_another_is_used(visit):
    page = visit()
    instead(page, "prolog", None)
    press(page, "Solve")
    message(page, "The only solution.")
    assert board(page) == SOLUTION
    engine_says(page, "clingo", "1 solution")
    engine_says(page, "SWI-Prolog", "searching …")
    verdict(page, "They agree: there is one solution. SWI-Prolog is still searching.")
    press(page, "Stop SWI-Prolog")
    engine_says(page, "SWI-Prolog", "stopped")
    verdict(page, "They agree: there is one solution.")
    engine_says(page, "clingo", "1 solution")
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
    for engine in ENGINES:
        engine_says(page, engine, "stopped")
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
    engine_says(page, "SWI-Prolog", "more than 2 solutions")
    seen = {board(page)}
    while "125" not in page.locator("#text").inner_text():
        press(page, "Next")
        page.locator("#board[aria-busy=false]").wait_for()
        assert board(page) not in seen
        seen.add(board(page))
    message(page, "of 125.")
    verdict(page, "They agree: the same 125 solutions.")
    engine_says(page, "clingo", "125 solutions")
    press(page, "Previous")
    message(page, f"Solution {len(seen) - 1} of 125.")


@pytest.mark.slow
def test_every_engine_counts(visit):
    page = visit(MANY)
    press(page, "Solve")
    engine_says(page, "SWI-Prolog", "more than 2 solutions")
    press(page, "Count")
    for engine in ENGINES:
        engine_says(page, engine, "125 solutions", re.compile(r"\d ms"))
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
    for engine in ENGINES:  # or its first search would be stopped
        engine_says(page, engine, "more than 2 solutions")
    instead(page, "prolog", None, path="count")
    late = {"count": 100, "stopped": "time", "seconds": 60}
    instead(page, "sat", late, path="count")
    press(page, "Count")
    engine_says(page, "clingo", "125 solutions")
    engine_says(page, "CaDiCaL", "100 solutions when its time ran out")
    engine_says(page, "SWI-Prolog", "counting …")
    press(page, "Stop SWI-Prolog")
    engine_says(page, "SWI-Prolog", "more than 2 solutions")
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
    engine_says(page, "SWI-Prolog", "no solutions")


@pytest.mark.slow
def test_a_missing_engine_says_why_and_what_fixes_it(visit):
    page = visit()

    def without_prolog(route):
        about = route.fetch().json()
        for engine in about["engines"]:
            if engine["name"] != "clingo":
                engine |= {"available": False, "why": "it is not here", "fix": "Install it."}
        route.fulfill(json=about)

    page.route("**/api", without_prolog)
    page.reload()
    engine_says(page, "SWI-Prolog", "missing: it is not here", "Install it.")
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
    engine_says(page, "SWI-Prolog", "prolog broke")
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
