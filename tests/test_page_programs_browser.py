"""Both programs beside the board, on the page of the server and on the playground alike."""

from __future__ import annotations

import re
from random import Random

import pytest
from helpers.browsing import board, message, reloaded, role_cells, until, valued
from helpers.doing import keys, press
from helpers.panels import (
    choice,
    edit,
    editor,
    engine_says,
    program,
    said,
    solve,
    verdict,
)
from helpers.panels import shown as show
from helpers.programs import resource
from helpers.puzzles import PRINTED, SMALL
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

PUZZLE, SOLUTION = list(PRINTED.items())[-1]
ONE = "Both agree: there is one solution."
NEITHER = "Neither program is right yet. The board shows an answer of ASP."
GENERATE = "{ sudoku(X,Y,N) : digit(N) } = 1 :- cell(X,Y)."
HOUSES = "maplist(maplist(all_distinct), [Rows, Columns, Boxes])"


@pytest.fixture(scope="module", params=["server", "playground"])
def address(request, address):
    """The address of the server, or of the playground."""
    playground = request.param == "playground"
    return request.getfixturevalue("playground_address") if playground else address


def test_both_solve_and_say_what_they_know(visit):
    page = visit()
    solve(page)
    verdict(page, ONE)
    assert board(page) == SOLUTION
    for side in ("ASP", "Prolog"):
        engine_says(page, side, "1 solution in")
    show(page, "Prolog", "knows all 81 digits without a guess")
    message(page, "Prolog has 81 candidates left before it guesses.")


def test_every_program_can_be_chosen_and_its_files_read(visit):
    page = visit()
    names = {
        side: {
            name
            for name in choice(page, side).locator("option").all_inner_texts()
            if "/" not in name
        }
        for side in ("ASP", "Prolog")
    }
    asp = {"sudoku", "pairwise", "numbered_box", "subgrid_labels", "cardinality", "one_puzzle"}
    prolog = {"sudoku", "classic", "first_fail", "different", "cardinality", "dual", "bits"}
    assert names == {"ASP": asp, "Prolog": prolog | {"backtracking"}}
    assert editor(page, "ASP").input_value() == resource("encodings/sudoku.lp").read_text()
    classic = resource("prolog/programs/classic.pl").read_text()
    assert editor(page, "Prolog").input_value() == classic
    choice(page, "ASP").select_option(label="sudoku / houses.lp")
    expect(editor(page, "ASP")).to_have_value(resource("encodings/houses.lp").read_text())
    choice(page, "ASP").select_option(label="pairwise")
    choice(page, "Prolog").select_option(label="bits")
    solve(page)
    verdict(page, ONE)


def test_a_syntax_error_is_said_at_its_line(visit):
    page = visit(SMALL, "2x2")
    for side, file, old, new in (
        ("ASP", "encodings/sudoku.lp", GENERATE, GENERATE.replace(" :", "", 1)),
        ("Prolog", "prolog/programs/first_fail.pl", "Cells ins 1..Size,", "Cells ins 1..Size,,"),
    ):
        if side == "Prolog":
            choice(page, side).select_option(label="first_fail")
        edit(page, side, old, new)
        lines = editor(page, side).input_value().splitlines()
        solve(page)
        expect(said(page, side)).to_contain_text(re.compile(r"Syntax error in line \d+\."))
        number = int(re.search(r"line (\d+)", said(page, side).inner_text())[1])
        ours = resource(file).read_text().splitlines()[number - 1]
        assert ours != lines[number - 1] or side == "Prolog"
        expect(program(page, side).locator(".lines > .wrong")).to_have_count(1)
        show(page, side, f"Go to line {number}")
        chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert editor(page, side).evaluate(chosen) == lines[number - 1]
        program(page, side).get_by_role("button", name="Undo changes").click()
        expect(program(page, side).locator(".lines > .wrong")).to_have_count(0)
    solve(page)
    verdict(page, ONE)


def test_what_does_not_exist_is_named(visit):
    page = visit()
    edit(page, "Prolog", "all_distinct", "all_distinkt")
    solve(page)
    engine_says(page, "Prolog", "There is no predicate all_distinkt/1, which ")


def test_warnings_show_beside_the_editor_with_their_line(visit):
    page = visit()
    for side, more, says in (
        ("ASP", ":- nosuch(X).", "atom does not occur in any rule head: nosuch(X)"),
        ("Prolog", "p(X, Y) :- Y > 1.", "Singleton variables: [X]"),
    ):
        end = editor(page, side).input_value().splitlines()[-1]
        edit(page, side, end, f"{end}\n{more}")
        lines = editor(page, side).input_value().splitlines()
        solve(page)
        verdict(page, ONE)
        expect(program(page, side).locator(".warnings li")).to_contain_text(says)
        program(page, side).get_by_role("button", name=f"Line {len(lines)}").click()
        chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert editor(page, side).evaluate(chosen) == more
        program(page, side).get_by_role("button", name="Undo changes").click()
        expect(program(page, side).locator(".warnings")).to_be_hidden()


def test_a_wrong_answer_marks_the_givens_and_the_houses(visit):
    page = visit()
    edit(page, "ASP", ":- initial(X,Y,N), not sudoku(X,Y,N).", "")
    edit(page, "Prolog", HOUSES, "maplist(maplist(all_distinct), [Rows])")
    solve(page)
    verdict(page, NEITHER)
    engine_says(page, "Prolog", "not solutions")
    show(page, "Prolog", "Show the wrong answer")
    message(page, "houses hold a digit twice")
    flagged = page.locator(".numbers.columns .flagged").count()
    boxes = page.locator(".rim.role-house").count()
    digits = board(page)
    columns = [digits[at::9] for at in range(9)]
    assert flagged == sum(len(set(column)) < 9 for column in columns) > 0
    starts = [27 * down + 3 * right for down in range(3) for right in range(3)]
    grouped = [
        "".join(digits[at + 9 * row : at + 9 * row + 3] for row in range(3)) for at in starts
    ]
    assert boxes == sum(len(set(box)) < 9 for box in grouped) > 0
    assert page.locator(".numbers.rows .flagged").count() == 0
    show(page, "ASP", "Show the wrong answer")
    message(page, "overwritten")
    # A given that is overwritten stands beside the digit in its cell.
    assert role_cells(page, "target") == page.locator(".cell .beside.mark-target").count() > 0
    page.keyboard.press("Escape")
    assert board(page) == PUZZLE


def test_a_changed_program_that_is_right_agrees_with_the_other_side(visit):
    page = visit()
    edit(page, "Prolog", "maplist(label, Rows)", "labeling([ff], Cells)")
    expect(choice(page, "Prolog").locator("option:checked")).to_have_text("classic (changed)")
    solve(page)
    verdict(page, ONE)
    edit(page, "ASP", "#show sudoku/3.", "#show sudoku/3.\n:- sudoku(1,3,4).")
    verdict(page, "")  # the answer was that of another program
    solve(page)
    verdict(page, "They differ: the ASP program is not right yet.")
    show(page, "ASP", "Show the missing solution")
    assert board(page) == SOLUTION


def test_the_lessons_set_both_sides_and_lead_to_sudoku(visit):
    page = visit()
    press(page, "Lessons")
    titles = ["A digit in each cell", "Keep the givens", "No digit twice in a row"]
    for number, title in enumerate([*titles, "No digit twice in a column"], 1):
        page.get_by_text(f"Lesson {number} of 5: {title}").wait_for()
        expect(editor(page, "ASP")).to_have_value(re.compile(f"^% {number}. {title}"))
        expect(editor(page, "Prolog")).to_have_value(re.compile(f"^% {number}. {title}"))
        if number in (1, 4):
            solve(page)
            verdict(page, NEITHER)
        press(page, "The next lesson")
    page.get_by_text("Lesson 5 of 5: No digit twice in a box").wait_for()
    solve(page)
    verdict(page, ONE)
    press(page, "End")
    expect(editor(page, "Prolog")).to_have_value(re.compile("module\\(classic"))


def marked(page, side, kind):
    """The lines of a program that are marked as new, or as wrong."""
    lines = program(page, side).locator(f".lines > .{kind}").all_inner_texts()
    return [line.rstrip("\n") for line in lines]


def test_a_lesson_says_what_it_teaches_marks_what_is_new_and_shows_its_answer(visit):
    page = visit()
    press(page, "Lessons")
    page.get_by_text("ASP: A choice, and nothing more: clingo guesses a digit").wait_for()
    page.get_by_text("Prolog: Every cell is a variable with a domain").wait_for()
    assert marked(page, "ASP", "new") == []
    solve(page)
    verdict(page, NEITHER)
    assert board(page).count(".") == 0
    press(page, "The next lesson")
    page.get_by_text("ASP: A rule without a head forbids what its body says.").wait_for()
    rule = ["% Test: the givens are kept.", ":- initial(X,Y,N), not sudoku(X,Y,N)."]
    assert marked(page, "ASP", "new") == rule
    assert marked(page, "Prolog", "new") == []


def chosen_is(page, side, label):
    expect(choice(page, side).locator("option:checked")).to_have_text(label)


def has(page, side, text):
    expect(editor(page, side)).to_have_value(re.compile(re.escape(text)))


def test_changes_and_choices_survive_a_reload_and_changes_are_undone_and_redone(visit):
    page = visit()
    choice(page, "ASP").select_option(label="pairwise")
    edit(page, "Prolog", "maplist(label, Rows)", "labeling([ff], Cells)")
    reloaded(page)
    chosen_is(page, "ASP", "pairwise")
    chosen_is(page, "Prolog", "classic (changed)")
    has(page, "Prolog", "labeling([ff], Cells)")
    program(page, "Prolog").get_by_role("button", name="Undo changes").click()
    has(page, "Prolog", "maplist(label, Rows)")
    reloaded(page)
    program(page, "Prolog").get_by_role("button", name="Redo changes").click()
    has(page, "Prolog", "labeling([ff], Cells)")
    press(page, "Lessons", "The next lesson")
    page.get_by_text("Lesson 2 of 5").wait_for()
    edit(page, "ASP", "#show sudoku/3.", "#show sudoku/3. % mine")
    reloaded(page)
    page.get_by_text("Lesson 2 of 5").wait_for()
    has(page, "ASP", "% mine")


def test_a_link_holds_the_programs_and_runs_none(visit):
    page = visit()
    edit(page, "ASP", "#show sudoku/3.", "#show sudoku/3.\n:- sudoku(1,3,4).")
    choice(page, "Prolog").select_option(label="bits")
    press(page, "Share")
    valued(page, "#link", re.compile("programs="))
    link = page.locator("#link").input_value()
    other = visit()
    edit(other, "ASP", "#show sudoku/3.", "#show sudoku/3. % mine")
    asked = []
    other.on("request", lambda request: asked.append(request.url))
    for end in (True, False):
        other.goto(link)
        verdict(other, "The programs are those of the link. They run when you solve.")
        has(other, "ASP", ":- sudoku(1,3,4).")
        chosen_is(other, "Prolog", "bits")
        if end:
            press(other, "Back to mine")
            has(other, "ASP", "% mine")
            verdict(other, "")
    expect(said(other, "ASP")).to_have_text("")
    assert not any(url.endswith(("/run", "/solve")) for url in asked)
    solve(other)
    verdict(other, "They differ: the ASP program is not right yet.")
    other.goto(link.replace("programs=", "programs=x"))
    message(other, "The programs of this link cannot be read.")
    press(other, "Close")
    has(other, "ASP", ":- sudoku(1,3,4).")


def test_a_link_opens_one_program_or_both_on_the_puzzle_that_is_there(visit):
    page = visit()
    choice(page, "ASP").select_option(label="pairwise")
    choice(page, "Prolog").select_option(label="bits")
    edit(page, "Prolog", "sudoku(", "% mine\nsudoku(")
    press(page, "Share")
    links = page.locator("#link-alone a")
    expect(links).to_have_text(["ASP", "Prolog", "both"])
    asp, prolog, both = (link.evaluate("e => e.href") for link in links.all())
    assert asp.endswith("#programs=clingo:pairwise")
    for link, chosen in (
        (asp, ("pairwise", "classic")),
        (prolog, ("sudoku", "bits (changed)")),
        (both, ("pairwise", "bits (changed)")),
        (f"{asp},prolog:bits", ("pairwise", "bits")),
    ):
        other = visit(next(iter(PRINTED)))
        before = board(other)
        other.goto(link)
        verdict(other, "The programs are those of the link. They run when you solve.")
        for side, label in zip(("ASP", "Prolog"), chosen, strict=True):
            chosen_is(other, side, label)
        assert board(other) == before
        press(other, "Back to mine")
        chosen_is(other, "ASP", "sudoku")
    other.goto(f"{asp},nosuch:one")
    message(other, "The programs of this link cannot be read.")


def test_programs_that_are_too_long_for_a_link_go_into_a_file(visit):
    page = visit()
    noise = f"% {Random(1).randbytes(8000).hex()}"
    edit(page, "ASP", "#show sudoku/3.", f"#show sudoku/3.\n{noise}")
    press(page, "Share")
    page.get_by_text("With your programs the link is too long to be sent.").wait_for()
    assert page.locator("#link").input_value() == page.url
    with page.expect_download() as saved:
        press(page, "Save a file")
    other = visit(SMALL, "2x2")
    press(other, "Puzzles")
    other.set_input_files("#file", saved.value.path())
    has(other, "ASP", noise)
    assert board(other) == PUZZLE


def test_the_keyboard_edits_and_leaves_the_editor(visit):
    page = visit(SMALL, "2x2")
    before = board(page)
    choice(page, "ASP").focus()
    page.keyboard.press("Tab")
    expect(editor(page, "ASP")).to_be_focused()
    keys(page, "Control+Home")
    page.keyboard.type("  1")
    expect(editor(page, "ASP")).to_have_value(re.compile("^  1%"))
    expect(program(page, "ASP").locator(".lines .number").first).to_have_text("1")
    keys(page, "Control+z", "Control+Enter")
    keys(page, "Tab")
    expect(editor(page, "ASP")).not_to_be_focused()
    assert board(page) in (before, "4312124324313124")


def test_a_running_program_is_stopped(visit):
    page = visit()
    edit(page, "Prolog", "maplist(label, Rows)", "repeat, fail")
    solve(page)
    engine_says(page, "ASP", "1 solution")
    press(page, "Stop Prolog")
    engine_says(page, "Prolog", "stopped")
    program(page, "Prolog").get_by_role("button", name="Undo changes").click()
    solve(page)
    verdict(page, ONE)


def test_what_is_pasted_into_an_editor_is_no_puzzle(visit):
    page = visit(SMALL, "2x2", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('1'.repeat(81))")
    editor(page, "ASP").click()
    keys(page, "Control+a", "Control+v")
    expect(editor(page, "ASP")).to_have_value("1" * 81)
    assert board(page) == SMALL


def test_lines_are_wrapped_alike_and_the_program_begins_at_its_heart(visit):
    page = visit(viewport={"width": 1366, "height": 768})
    heights = """e => {
        const [lines, field] = e.children;
        return [field.scrollHeight, lines.offsetHeight, field.scrollWidth - field.clientWidth];
    }"""
    first = """e => [...e.querySelectorAll(".lines > div")].find(line =>
        line.getBoundingClientRect().bottom >
            e.querySelector(".folded").getBoundingClientRect().bottom + 10).textContent"""
    includes = "comments, #include, #defined"
    for side, name, heart, head in (
        ("ASP", "sudoku", "% Generate: every cell holds one digit.", includes),
        ("ASP", "one_puzzle", "% Define: a given rules out its digit in its houses.", includes),
        ("Prolog", "classic", "sudoku(Rows) :-", "comments, module, use_module"),
        ("Prolog", "sudoku", "sudoku(Rows) :-", "comments, module, reexport, use_module"),
    ):
        choice(page, side).select_option(label=name)
        field = program(page, side).locator(".editor")
        text, lines, over = field.evaluate(heights)
        assert (abs(text - lines) < 2, over) == (True, 0), name
        until(page, lambda field=field, heart=heart: field.evaluate(first).startswith(heart))
        folded = field.locator(".folded")
        expect(folded).to_have_text(re.compile(rf"▸ lines 1 to \d+: {head}"))
        folded.click()
        expect(folded).to_be_hidden()
        expect(editor(page, side)).to_be_focused()
        until(page, lambda field=field: field.evaluate("e => e.children[1].scrollTop") == 0)


def test_colours_and_numbers_are_those_of_the_text(visit):
    page = visit()
    for side in ("ASP", "Prolog"):
        lines = program(page, side).locator(".lines > div").all_inner_texts()
        assert [line.rstrip("\n") for line in lines] == editor(page, side).input_value().split("\n")
        for kind in ("comment", "variable", "word", "number"):
            assert program(page, side).locator(f".lines .{kind}").count() > 0, kind
