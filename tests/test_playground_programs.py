"""The programs of the playground: shown, changed, run in the tab, and the steps of the tutorial."""

from __future__ import annotations

import json
import re
import subprocess

import clingo
import pytest
from helpers.browsing import board
from helpers.doing import keys, press
from helpers.panels import answered, programs_shown, ran
from helpers.playground import asked, unhurried
from helpers.programs import resource
from helpers.puzzles import EMPTY, PRINTED, SMALL, TWO
from playwright.sync_api import expect
from test_answers import LABEL, SHOW, changed

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.prolog.swipl import command as swipl_command
from pylogic_sudoku.formats import write
from pylogic_sudoku.page import questions
from pylogic_sudoku.page.schema import JIGSAW

ENGINES = ("clingo", "prolog")
SQUARE = Puzzle(Grid.parse(".23.34122143.32."))
"""One solution; 2 without boxes, 4 with rows only, and 256 with nothing but the givens."""
MARKED = Puzzle(Grid.parse(EMPTY), marks={"r2c3": [1, 4], "r1c2": [2, 4, 6, 8]})
PUZZLES = {
    "4x4": Puzzle(Grid.parse(SMALL)),
    "two": Puzzle(Grid.parse(TWO)),
    "full": Puzzle(Grid.parse("4312124324313124")),
    "6x6": Puzzle(Grid.parse("1" + "." * 35, box=(2, 3))),
    "9x9": Puzzle(Grid.parse(next(iter(PRINTED)))),
    "9x9 full": Puzzle(Grid.parse(next(iter(PRINTED.values())))),
    "16x16": Puzzle(Grid.parse("G" + "." * 254 + "9")),
    "jigsaw": Puzzle.parse(json.dumps(JIGSAW)),
    "marks": MARKED,
}
LESSONS = {"clingo": [1000, 256, 4, 2, 1, 1, 1, 1, 1], "prolog": [256, 4, 2, 1, 1, 1, 1]}
"""The number of answers of each step to the puzzle above, up to a thousand."""
STEPS = [(engine, index) for engine in ENGINES for index in range(len(LESSONS[engine]))]


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


def programs(puzzle: Puzzle) -> dict:
    """What the server answers."""
    return questions.programs(questions.Source(json.dumps(puzzle.to_json()), "json"), 0)


# --- what is shown -------------------------------------------------------------------------------


def test_the_programs_are_those_that_the_server_shows(visit):
    page = visit()
    for name, puzzle in PUZZLES.items():
        found = asked(page, "programs", puzzle)["programs"]
        for program in found:
            assert len(program.pop("lessons")) == len(LESSONS[program["engine"]])
        assert found == programs(puzzle)["programs"], name


# --- the tutorial --------------------------------------------------------------------------------


def test_every_step_has_a_number_a_title_and_its_program(playground_script):
    for engine, numbers in LESSONS.items():
        found = playground_script.lessons(engine)
        assert [int(each["title"].split(". ")[0]) for each in found] == [
            number for number, _ in enumerate(numbers, 1)
        ]
        assert not any("#include" in each["text"] for each in found)
    last = playground_script.lessons("clingo")[-1]["text"]
    assert resource("encodings/subgrid_labels.lp").read_text() in last


@pytest.mark.parametrize("index", range(len(LESSONS["clingo"])))
def test_steps_for_clingo_have_the_answers_that_they_say(playground_script, index):
    control = clingo.Control(["1000"], logger=lambda *_: None)
    lesson = playground_script.lessons("clingo")[index]
    control.add(f"{lesson['text']}\n{write(SQUARE, 'facts')}")
    control.ground()
    with control.solve(yield_=True) as found:
        assert sum(1 for _ in found) == LESSONS["clingo"][index]


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(LESSONS["prolog"])))
def test_steps_for_prolog_have_the_answers_that_they_say(playground_script, tmp_path, index):
    lesson = playground_script.lessons("prolog")[index]
    (tmp_path / "sudoku.pl").write_text(lesson["text"])
    goal = programs(SQUARE)["programs"][1]["puzzle"]
    (tmp_path / "main.pl").write_text(f":- use_module(sudoku).\n\n{goal}")
    counting = "aggregate_all(count, solution(_), N), print(N)"
    command = [*swipl_command(), "-f", "none", "-g", counting, "-t", "halt", tmp_path / "main.pl"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (str(LESSONS["prolog"][index]), "")


COUNTED = """async ([engine, request]) => {
    const name = engine === "clingo" ? "clingo-run" : "prolog-run";
    const worker = new Worker(`answers/${name}.js`, engine === "clingo" ? { type: "module" } : {});
    worker.postMessage({ ...request, most: 1000 });
    return new Promise((resolve, reject) => {
        worker.onmessage = ({ data: { done, error } }) => {
            if (error) reject(new Error(error));
            else if (done) resolve(done.found);
        };
    }).finally(() => worker.terminate());
}"""


@pytest.mark.slow
def test_steps_have_the_same_answers_in_the_tab(visit, playground_script):
    page = visit()
    goal = programs(SQUARE)["programs"][1]["puzzle"]
    for engine, index in STEPS:
        lesson = playground_script.lessons(engine)[index]
        asp = {"program": f"{lesson['text']}\n{write(SQUARE, 'facts')}\n"}
        files = {lesson["file"]: lesson["text"], "main.pl": f":- use_module(sudoku).\n\n{goal}"}
        prolog = {"files": files, "cells": " ".join(map(str, SQUARE.digits)), "size": 4}
        request = asp if engine == "clingo" else prolog
        assert page.evaluate(COUNTED, [engine, request]) == LESSONS[engine][index], lesson["title"]


# --- changed programs -----------------------------------------------------------------------------


@pytest.mark.slow
def test_what_does_not_exist_is_shown_where_it_is_called(visit):
    page = visit()
    files = changed("prolog", "maplist(all_different, Houses)", "maplist(all_diff, Houses)")
    answer = asked(page, "run", SQUARE, engine="prolog", files=files)
    assert answer["outcome"] == "error"
    assert "Unknown procedure: sudoku:all_diff/1" in answer["message"]
    text = files["sudoku.pl"].splitlines()
    assert [text[each["line"] - 1].strip() for each in answer["places"]] == [
        "maplist(all_diff, Houses),     % no digit twice"
    ]
    assert "/program" not in answer["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("clingo", SHOW, f"{SHOW}\nn(1..100000000)."), "out of memory (the limit is 512 MB)"),
        (("prolog", LABEL, "deep(0, _)"), "out of memory (the limit is 256 MB for the stacks)"),
        (("prolog", LABEL, "halt"), "the program ended Prolog"),
    ],
)
def test_a_program_that_takes_too_much_ends_with_a_reason(visit, change, says):
    page = visit()
    unhurried(page)
    files = changed(*change)
    if change[0] == "prolog":
        files["sudoku.pl"] += "\ndeep(N, T) :- M is N + 1, deep(M, s(T)), M > 0.\n"
    answer = asked(page, "run", SQUARE, engine=change[0], files=files)
    assert (answer["outcome"], answer["answers"]) == ("error", 0)
    assert says in answer["message"]
    assert asked(page, "solve", SQUARE, engine=change[0], limit=2)["stopped"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        ("clingo", SHOW, "{ extra(1..60) }. #show."),
        ("clingo", SHOW, f"{{ extra(1..60) }}. {SHOW}"),
        ("clingo", SHOW, f"{SHOW}\nn(0). n(N+1) :- n(N)."),
        ("prolog", LABEL, f"{LABEL}, repeat"),
        ("prolog", LABEL, "repeat, print(here), nl, fail"),
        ("prolog", LABEL, "repeat, fail"),
    ],
)
def test_a_program_without_end_is_stopped_and_disturbs_nobody(visit, change):
    """Whether it floods answers or messages, or only runs: the page answers meanwhile."""
    page = visit(TWO, "2x2", permissions=["clipboard-read", "clipboard-write"])
    unhurried(page)
    card = programs_shown(page)[ENGINES.index(change[0])]
    (text,) = changed(*change).values()
    pasted(page, card, text)
    ran(card, "Running …")
    press(page, "Solve")
    answered(page, "2 solutions")
    ran(card, "Stopped.", "Stop")
    card.get_by_role("button", name="Undo changes").click()
    ran(card, "It agrees with")


@pytest.mark.slow
def test_a_program_that_found_everything_but_did_not_stop_is_told_so(visit):
    page = visit()
    answer = page.evaluate(
        """async (grid) => {
            const { judged } = await import("./answers/judging.js");
            const { fromJson } = await import("./puzzle.js");
            const answers = [{ cells: grid.flat(), fault: "" }];
            const ran = { answers, found: 8, exhausted: false, stopped: "time", seconds: 60 };
            const reference = { title: "clingo", solutions: [grid], complete: true };
            return judged(ran, reference, fromJson({ box: [2, 2], grid }), []);
        }""",
        PUZZLES["full"].grid.to_json(),
    )
    assert (answer["outcome"], answer["stopped"]) == ("timeout", "time")
    assert answer["text"] == "Its time ran out; it gave 1 answer until then."
    assert answer["message"].splitlines() == [
        "it found all solutions, but did not stop",
        "at least 8 answers, but only 1 grid",
    ]


# --- the panel -----------------------------------------------------------------------------------


def pasted(page, card, text):
    """Replace the file."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    card.get_by_role("textbox").click()
    keys(page, "Control+a", "Control+v")


def typed(page, card, text):
    """Type at the beginning of the file."""
    card.get_by_role("textbox").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(text)


def test_another_file_is_shown_from_its_first_line(visit):
    _, prolog = programs_shown(visit(SMALL, "2x2"))
    first = prolog.locator(".cm-lineNumbers").get_by_text("1", exact=True)
    expect(prolog.locator(".cm-line").filter(has_text="must_be_grid").first).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()
    prolog.get_by_role("combobox", name="File").select_option("sudoku/house.pl")
    expect(first).to_be_in_viewport()


def test_a_step_of_the_tutorial_runs_and_its_mistakes_are_on_the_board(visit):
    page = visit(f"{SQUARE.grid:line}", "2x2")
    unhurried(page)
    asp, _ = programs_shown(page)
    asp.get_by_role("combobox", name="Load a tutorial step").select_option(
        label="3. No digit twice in a row"
    )
    expect(asp.get_by_role("status").filter(has_text="3 answers are not solutions")).to_be_visible()
    expect(asp.locator(".variableName").first).to_be_visible()
    press(page, "Show its answers")
    for _ in range(3):
        press(page, "Next")
    expect(page.locator("#text")).to_contain_text("Answer 4 of 4.")
    press(page, "Show the wrong answer")
    assert page.locator(".cell.wrong").count() >= 2
    assert re.fullmatch("[1-4]{16}", board(page))


@pytest.mark.slow
def test_a_mistake_is_marked_at_its_line(visit):
    page = visit(SMALL, "2x2")
    asp, prolog = programs_shown(page)
    for card, file in ((asp, "sudoku.lp"), (prolog, "sudoku.pl")):
        typed(page, card, "a :- b(.\n")
        ran(card, "The program does not run to its end.")
        expect(card.locator(".wrong")).to_have_text("a :- b(.")
        card.get_by_role("combobox", name="File").select_option(index=1)
        expect(card.locator(".wrong")).to_have_count(0)
        card.get_by_role("button", name=f"Go to {file}, line 1").click()
        keys(page, "Delete", "Delete")
        expect(card.locator(".wrong")).to_have_count(0)
        ran(card, "It agrees with")


@pytest.mark.slow
def test_the_keyboard_gets_into_the_editor_and_out(visit):
    page = visit(SMALL, "2x2")
    asp, _ = programs_shown(page)
    before = board(page)
    asp.get_by_role("combobox", name="Load a tutorial step").focus()
    page.keyboard.press("Tab")
    editor = asp.get_by_role("textbox", name="sudoku.lp, for clingo")
    expect(editor).to_be_focused()
    keys(page, "Control+Home", "Tab", "1")
    line = asp.locator(".cm-line").first
    expect(line).to_have_text(re.compile(r"^    1% Sudoku"))
    keys(page, "Control+z", "Control+z")
    expect(line).to_have_text(re.compile(r"^% Sudoku"))
    keys(page, "Escape", "Tab")
    expect(asp.get_by_role("button", name="Run on this puzzle")).to_be_focused()
    assert board(page) == before


@pytest.mark.slow
def test_what_is_pasted_into_the_editor_is_no_puzzle(visit):
    page = visit(SMALL, "2x2", permissions=["clipboard-read", "clipboard-write"])
    asp, _ = programs_shown(page)
    pasted(page, asp, "1" * 81)
    expect(asp.locator(".cm-content")).to_have_text("1" * 81)
    assert board(page) == SMALL
