"""Any problem on the page, in the place of the sudoku."""

from __future__ import annotations

import re
from random import Random
from string import ascii_letters

import pytest
from helpers.browsing import SHIFTS, board, faults, fits, phone
from helpers.doing import keys, paste, press
from helpers.panels import choice, edit, editor, engine_says, program, said, solve
from helpers.processes import soon
from helpers.puzzles import PRINTED, SMALL
from playwright.sync_api import expect

import pylogic_sudoku as pls
from pylogic_sudoku.problem.folder import bundled

pytestmark = pytest.mark.slow

QUEENS = {name: path.read_text() for name, path in pls.Problem("queens").paths.items()}
DIAGONAL = ("D = 1-N..N-1", "D = 0..N-1")
SQUARE = list(PRINTED)[-1]


def opened(page, name):
    press(page, "Problem")
    page.get_by_role("dialog").get_by_role("button", name=name).click()
    page.get_by_role("button", name="Back to sudoku").wait_for()


def verdict(page, text):
    expect(page.locator("#problem-verdict-text")).to_have_text(text)


def instance(page):
    return page.get_by_role("region", name="Instance").get_by_role("textbox")


def given(page):
    return page.get_by_role("region", name="Instance").get_by_role("combobox")


def answers(page):
    return page.get_by_role("listbox", name="Answers").get_by_role("option")


def picture(page):
    """The table of the answer that is chosen, row by row."""
    drawn = page.get_by_role("region", name="Picture").locator("tr")
    drawn.first.wait_for()
    rows = drawn.all()
    return [row.locator("td, th").all_inner_texts() for row in rows]


def again(page):
    """The page, loaded anew while a problem is open."""
    page.reload()
    page.get_by_role("button", name="Back to sudoku").wait_for()


def test_queens_are_solved_by_both_and_the_sudoku_comes_back(visit):
    page = visit()
    before, address = board(page), page.url
    opened(page, "N queens")
    assert not page.locator("#board").is_visible()
    given(page).select_option("6")
    expect(editor(page, "ASP")).to_have_value(QUEENS["clingo"])
    expect(editor(page, "Prolog")).to_have_value(QUEENS["prolog"])
    solve(page)
    verdict(page, "Both agree: there are 4 answers.")
    for side in ("ASP", "Prolog"):
        engine_says(page, side, "4 answers", re.compile(r"\d m?s\b"))
    assert answers(page).count() == 4
    first = answers(page).first.inner_text()
    queens = [tuple(map(int, pair)) for pair in re.findall(r"queen\((\d),(\d)\)", first)]
    rows = picture(page)[1:]
    assert [(row, rows[row - 1].index("♛")) for row in range(1, 7)] == sorted(queens)
    answers(page).nth(2).click()
    assert soon(lambda: picture(page)[1:] != rows)
    press(page, "Back to sudoku")
    assert (board(page), page.url) == (before, address)
    assert page.locator("#verdict-text").inner_text() == ""
    keys(page, "Control+Enter")
    expect(page.locator("#verdict-text")).to_have_text("Both agree: there is one solution.")


@pytest.mark.parametrize(
    ("name", "which", "says"),
    [
        ("Graph colouring", "triangle", "Both agree: there is no answer."),
        ("Futoshiki", "4", "Both agree: there is one answer."),
        ("Knapsack", "tea", "Both agree: there are 3 best answers, of cost -29."),
        ("Zebra", "zebra", "Both agree: there is one answer."),
    ],
)
def test_bundled_problems(visit, name, which, says):
    page = visit()
    opened(page, name)
    given(page).select_option(which)
    solve(page)
    verdict(page, says)


def test_every_problem_has_its_programs_and_instances(visit):
    page = visit(SMALL, "2x2")
    for problem in bundled():
        opened(page, problem.title.split(":")[0])
        names = given(page).locator("option").all_inner_texts()
        assert names == list(problem.instances)
        for side, engine in (("ASP", "clingo"), ("Prolog", "prolog")):
            expect(editor(page, side)).to_have_value(problem.path(engine).read_text())
        press(page, "Back to sudoku")


def test_a_fault_shows_the_first_answer_and_the_line(visit):
    page = visit()
    opened(page, "N queens")
    given(page).select_option("4")
    edit(page, "ASP", *DIAGONAL)
    solve(page)
    verdict(page, "They differ: ASP has 2 answers that Prolog lacks.")
    engine_says(page, "ASP", "4 answers")
    engine_says(page, "Prolog", "2 answers")
    expect(answers(page).first).to_contain_text("only ASP")
    assert picture(page)
    text = page.get_by_text(
        re.compile(r"Only ASP has answer 1\. Prolog refuses it: queens\.pl:\d+")
    )
    number = int(re.search(r"queens\.pl:(\d+)", text.inner_text())[1])
    expect(program(page, "Prolog").locator(".lines > .wrong")).to_have_count(1)
    page.get_by_role("button", name=f"Go to line {number} of Prolog").click()
    chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    line = QUEENS["prolog"].splitlines()[number - 1]
    assert editor(page, "Prolog").evaluate(chosen) == line
    program(page, "ASP").get_by_role("button", name="Undo changes").click()
    verdict(page, "")
    # An answer that is lost: its own line is named.
    edit(page, "ASP", "#show queen/2.", ":- queen(1,2).\n#show queen/2.")
    lost = editor(page, "ASP").input_value().splitlines().index(":- queen(1,2).") + 1
    solve(page)
    verdict(page, "They differ: Prolog has 1 answer that ASP lacks.")
    expect(page.get_by_text(f"ASP refuses it: queens.lp, line {lost} excludes it")).to_be_visible()
    page.get_by_role("button", name=f"Go to line {lost} of ASP").click()
    assert editor(page, "ASP").evaluate(chosen) == ":- queen(1,2)."
    # One that is too many: the line of the other program, as it stands there.
    program(page, "ASP").get_by_role("button", name="Undo changes").click()
    verdict(page, "")
    edit(page, "Prolog", "    all_distinct(Sums),\n", "")
    solve(page)
    refusal = page.get_by_text(
        re.compile(r"Only Prolog has answer 1\. ASP refuses it: queens\.lp:")
    )
    refusal.wait_for()
    assert refusal.inner_text().endswith(" } > 1.")
    # And the program that has it is diagnosed, as the grader does it.
    expect(page.get_by_text("The Prolog program: Sums occurs only once in its cl")).to_be_visible()
    expect(program(page, "Prolog").locator(".lines > .wrong").first).to_be_visible()
    # As is one that ends in an error.
    program(page, "Prolog").get_by_role("button", name="Undo changes").click()
    verdict(page, "")
    edit(page, "Prolog", "    maplist(diagonals, Pairs, Sums, Differences),\n", "")
    solve(page)
    engine_says(page, "Prolog", "Arguments are not sufficiently instantiated")
    expect(page.get_by_text("The Prolog program: Sums occurs only once in its cl")).to_be_visible()
    instance(page).fill("size(5).")
    expect(page.locator("#problem-picture")).to_be_empty()


def test_two_programs_of_your_own_are_one_press_away(visit):
    page = visit(SMALL, "2x2")
    assert page.title() == "Sudoku by logic"
    press(page, "Your own two programs")
    assert page.title() == "Your own two programs"
    for side, text in (("ASP", "#show number/2."), ("Prolog", "model(Pairs)")):
        assert text in editor(page, side).input_value()
    solve(page)
    verdict(page, "Both agree: there are 6 answers.")
    press(page, "Back to sudoku")
    opened(page, "Zebra")
    assert page.title() == "Zebra puzzle by logic"
    expect(given(page)).to_have_value("=zebra")


def test_a_bad_fact_is_said_at_the_instance(visit):
    page = visit()
    opened(page, "N queens")
    instance(page).fill("size(4).\n{ size(5) }.")
    solve(page)
    error = page.get_by_role("alert").filter(has_text="Line 2: { size(5) }. is not a fact")
    expect(error).to_be_visible()
    expect(page.locator("#instance .lines > .wrong")).to_have_count(1)
    verdict(page, "")
    expect(given(page).locator("option:checked")).to_have_text("your own facts")
    instance(page).fill("size(4).")
    expect(error).to_be_hidden()
    keys(page, "Control+Enter")
    verdict(page, "Both agree: there are 2 answers.")


def test_errors_are_said_at_the_side_that_they_concern(visit):
    page = visit()
    opened(page, "N queens")
    given(page).select_option("4")
    edit(page, "Prolog", "Columns ins 1..N,", "Columns ins 1..N,,")
    solve(page)
    verdict(page, "Only ASP answered: 2 answers.")
    expect(said(page, "Prolog")).to_contain_text(re.compile(r"queens\.pl:\d+.*[Ss]yntax error"))
    line = QUEENS["prolog"].splitlines().index("    Columns ins 1..N,") + 1
    said(page, "Prolog").get_by_role("button", name="Go to line").first.click()
    expect(editor(page, "Prolog")).to_be_focused()
    assert f"queens.pl:{line}" in said(page, "Prolog").inner_text()


def test_warnings_show_beside_the_editor_with_their_line(visit):
    page = visit()
    opened(page, "Queens")
    edit(page, "ASP", *DIAGONAL)
    solve(page)
    for side, more in (("ASP", ":- nosuch(X)."), ("Prolog", "p(X, Y) :- Y > 1.")):
        expect(program(page, side).locator(".warnings")).to_be_hidden()
        end = QUEENS["clingo" if side == "ASP" else "prolog"].splitlines()[-1]
        edit(page, side, end, f"{end}\n{more}")
        solve(page)
        lines = editor(page, side).input_value().splitlines()
        line = program(page, side).get_by_role("button", name=f"Line {len(lines)}")
        line.click()
        chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert editor(page, side).evaluate(chosen) == more
        program(page, side).get_by_role("button", name="Undo changes").click()
    expect(page.locator(".warnings li")).to_have_count(0)


def test_a_reload_keeps_the_problem_its_texts_and_the_instance(visit):
    page = visit()
    opened(page, "N queens")
    edit(page, "ASP", *DIAGONAL)
    choice(page, "Prolog").select_option("prolog:queens_dual")
    instance(page).fill("size(5).")
    again(page)
    assert DIAGONAL[1] in editor(page, "ASP").input_value()
    expect(choice(page, "ASP").locator("option:checked")).to_have_text("queens.lp (changed)")
    expect(editor(page, "Prolog")).to_have_value(QUEENS["prolog:queens_dual"])
    expect(instance(page)).to_have_value("size(5).")
    # A given instance can be chosen, and then the typed facts again.
    given(page).select_option("3")
    expect(instance(page)).to_have_value("size(3).\n")
    again(page)
    expect(instance(page)).to_have_value("size(3).\n")
    given(page).select_option(label="your own facts")
    expect(instance(page)).to_have_value("size(5).")
    # Another problem, and the first as it was left.
    press(page, "Back to sudoku")
    page.reload()
    page.wait_for_selector("main:not([aria-busy])")
    assert board(page) == SQUARE
    opened(page, "Zebra")
    press(page, "Back to sudoku")
    opened(page, "N queens")
    assert DIAGONAL[1] in editor(page, "ASP").input_value()


COPIED = {"permissions": ["clipboard-read", "clipboard-write"]}


def test_a_link_holds_a_problem_with_its_instance_and_changes(visit):
    page = visit(**COPIED)
    opened(page, "N queens")
    given(page).select_option("6")
    assert page.url.endswith("#problem=queens&instance=6")
    edit(page, "ASP", *DIAGONAL)
    press(page, "Copy link")
    page.get_by_text("Copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(page.url)
    other = visit()
    other.goto(link)
    other.get_by_role("button", name="Back to sudoku").wait_for()
    assert DIAGONAL[1] in editor(other, "ASP").input_value()
    expect(given(other)).to_have_value("=6")
    solve(other)
    expect(other.locator("#problem-verdict-text")).to_contain_text("They differ")
    press(other, "Back to sudoku")
    assert board(other) == SQUARE
    # A custom pair is in the link as well, unless it is too long.
    opened(page, "Your own")
    edit(page, "Prolog", "all_distinct(Numbers).", "true.")
    instance(page).fill("most(1). thing(a).")
    press(page, "Copy link")
    page.get_by_text("Copied.").wait_for()
    own = page.evaluate("navigator.clipboard.readText()")
    third = visit()
    third.goto(own)
    expect(instance(third)).to_have_value("most(1). thing(a).")
    assert "true." in editor(third, "Prolog").input_value()
    page.evaluate("navigator.clipboard.writeText('')")
    noise = "".join(Random(1).choices(ascii_letters, k=40_000))
    editor(page, "ASP").fill(f"% {noise}")
    press(page, "Copy link")
    page.get_by_text("Too long for a link").wait_for()


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("problem=quens", "There is no problem quens."),
        ("problem=queens&instance=7", "queens has no instance 7."),
        ("problem=queens&with=nonsense", "The link does not hold a problem"),
    ],
)
def test_a_link_that_holds_no_problem_is_said(visit, link, says):
    page = visit()
    page.evaluate("link => location.hash = link", link)
    page.get_by_role("alert").filter(has_text=says).wait_for()
    press(page, "Close")
    assert board(page) == SQUARE


def test_own_programs_and_what_they_know(visit):
    page = visit()
    opened(page, "Your own")
    solve(page)
    verdict(page, "Both agree: there are 6 answers.")
    page.get_by_text("Known before a guess").click()
    expect(page.locator("#problem-knows")).to_contain_text("ASP leaves 9 atoms and Prolog leaves")
    page.get_by_text("How both search").click()
    expect(page.get_by_role("list", name="The search of Prolog")).to_contain_text("An answer:")
    expect(page.get_by_role("list", name="The search of ASP")).to_contain_text("An answer:")
    # Another pair: without #show nothing says what answers consist of.
    edit(page, "ASP", "#show number/2.", "")
    solve(page)
    for side in ("ASP", "Prolog"):
        engine_says(page, side, "nothing says what answers consist of")


def test_what_is_certain_looks_different(visit):
    page = visit()
    opened(page, "Set cover")
    given(page).select_option("radio")
    page.get_by_text("Known before a guess").click()
    solve(page)
    known = page.locator("#problem-knows")
    expect(known).to_contain_text("ASP leaves 5 atoms (2 certain) and Prolog leaves 5 atoms (2 cer")
    expect(known).to_contain_text("Certain: in every answer. The others are only possible.")
    for column in (1, 2):
        values = known.locator("tr").nth(1).locator("td, th").nth(column)
        expect(values.locator(".certain")).to_have_text(["kfive (certain)", "kthree (certain)"])
        expect(values).to_have_text("kfive (certain) kfour kone kthree (certain) ktwo")
    assert faults(page) == []
    given(page).select_option("equal")
    solve(page)
    expect(known).to_contain_text("ASP leaves 3 atoms and Prolog leaves 3 atoms: exactly the same.")
    expect(known.locator(".certain")).to_have_count(0)


def test_what_both_know_and_how_they_search(visit):
    page = visit()
    opened(page, "Futoshiki")
    given(page).select_option("4")
    page.get_by_text("Known before a guess").click()
    page.get_by_text("How both search").click()
    solve(page)
    known = {
        engine: pls.propagate(pls.Problem("futoshiki").instances["4"], engine)
        for engine in ("clingo", "prolog")
    }
    text = (
        f"ASP leaves {len(known['clingo'])} atoms and Prolog leaves {len(known['prolog'])} atoms"
        f" ({len(known['prolog'].certain)} certain)"
    )
    expect(page.locator("#problem-knows")).to_contain_text(text)
    assert page.locator(".known .differs").count() > 0
    for side in ("ASP", "Prolog"):
        expect(page.get_by_role("list", name=f"The search of {side}")).to_contain_text("An answer:")
    given(page).select_option("3")
    expect(page.locator("#problem-knows")).to_contain_text("Solve with both first.")


def test_a_link_opens_a_problem_and_moves_nothing_then(browser, address):
    for width, height in ((1366, 768), (820, 1180), (390, 844)):
        context = browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        page.goto(f"{address}#problem=zebra")
        page.get_by_role("button", name="Back to sudoku").wait_for()
        solve(page)
        verdict(page, "Both agree: there is one answer.")
        assert picture(page)
        fits(page)
        assert page.evaluate(SHIFTS) < 0.1
        # An answer that is larger than the list is seen from its first atom on.
        listed = page.get_by_role("listbox", name="Answers")
        tops = "[list, list.firstChild].map(each => each.getBoundingClientRect().top)"
        of_list, of_answer = listed.evaluate(f"list => {tops}")
        assert of_answer >= of_list
        # All of the table is in view; it does not scroll.
        assert page.locator("#problem-picture").evaluate("it => it.scrollWidth <= it.clientWidth")
        context.close()


def test_back_leads_from_a_problem_to_the_sudoku(visit):
    page = visit()
    before = page.url
    opened(page, "N queens")
    assert "#problem=queens" in page.url
    page.go_back()
    page.locator("#board").wait_for()
    expect(page.locator("#problem-main")).to_be_hidden()
    assert page.url == before
    page.go_forward()
    expect(page.locator("#problem-main")).to_be_visible()


def test_the_list_of_answers_goes_by_keyboard(visit):
    page = visit()
    opened(page, "N queens")
    given(page).select_option("6")
    solve(page)
    verdict(page, "Both agree: there are 4 answers.")
    page.get_by_role("listbox", name="Answers").focus()
    for key, at in (("ArrowDown", 2), ("End", 4), ("ArrowUp", 3), ("Home", 1)):
        keys(page, key)
        expect(page.locator("#problem-list [aria-selected=true]")).to_have_id(f"answer-{at}")
        expect(page.get_by_text(f"Answer {at} of 4")).to_be_visible()


def test_the_sudoku_rests_while_a_problem_is_open(visit):
    page = visit()
    opened(page, "N queens")
    paste(page, "1" * 81)
    page.locator("body").press("x")
    page.locator("body").press("Control+z")
    press(page, "Back to sudoku")
    assert board(page) == SQUARE
    assert page.locator("#notes").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, phone(390, 844)])
def test_axe_finds_nothing_and_it_fits(visit, look):
    page = visit(**look)
    press(page, "Problem")
    assert faults(page) == []
    press(page, "Close")
    opened(page, "N queens")
    given(page).select_option("4")
    assert faults(page) == []
    edit(page, "ASP", *DIAGONAL)
    page.get_by_text("Known before a guess").click()
    page.get_by_text("How both search").click()
    solve(page)
    page.get_by_text("Only ASP has answer 1").wait_for()
    page.get_by_role("list", name="The search of Prolog").wait_for()
    assert faults(page) == []
    fits(page)
