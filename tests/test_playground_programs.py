"""The programs of the playground: shown, changed, run in the tab, and the steps of the tutorial."""

from __future__ import annotations

import json
import re
import subprocess

import clingo
import pytest
from helpers.doing import press
from helpers.panels import choice, editor, engine_says, solve, verdict
from helpers.panels import program as panel
from helpers.playground import asked, unhurried
from helpers.programs import resource
from helpers.puzzles import EMPTY, PRINTED, SMALL, TWO
from test_answers import LABEL, SHOW, changed

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.prolog.swipl import command as swipl_command
from pylogic_sudoku.engines.texts import prolog_goal
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
LESSONS = {"clingo": [1000, 256, 4, 2, 1], "prolog": [256, 256, 4, 2, 1]}
"""The number of answers of each lesson to the puzzle above, up to a thousand."""
FILES = {"clingo": "sudoku.lp", "prolog": "sudoku.pl"}
"""What a lesson replaces."""
TITLE = re.compile(r"% (\d)\. (.+)")


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


def programs(puzzle: Puzzle) -> dict:
    """What the server answers."""
    return questions.programs(puzzle, 0)


# --- what is shown -------------------------------------------------------------------------------


def test_the_programs_are_those_that_the_server_shows(visit):
    page = visit()
    for name, puzzle in PUZZLES.items():
        found = asked(page, "programs", puzzle)["programs"]
        assert found == programs(puzzle)["programs"], name


# --- the lessons ---------------------------------------------------------------------------------


def lessons(engine):
    """The texts of the lessons for this engine."""
    folder = resource("pylogic_sudoku/page/static/lessons")
    return [path.read_text() for path in sorted(folder.glob(f"*{FILES[engine][-3:]}"))]


def test_the_lessons_of_both_languages_are_pairs():
    titles = [[TITLE.match(text).groups() for text in lessons(engine)] for engine in ENGINES]
    assert titles[0] == titles[1]
    assert [int(number) for number, _ in titles[0]] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("index", range(5))
def test_lessons_for_clingo_have_the_answers_that_they_say(index):
    control = clingo.Control(["1000"], logger=lambda *_: None)
    control.add(f"{lessons('clingo')[index]}\n{write(SQUARE, 'facts')}")
    control.ground()
    with control.solve(yield_=True) as found:
        assert sum(1 for _ in found) == LESSONS["clingo"][index]


@pytest.mark.slow
@pytest.mark.parametrize("index", range(5))
def test_lessons_for_prolog_have_the_answers_that_they_say(tmp_path, index):
    (tmp_path / "sudoku.pl").write_text(lessons("prolog")[index])
    goal = prolog_goal(SQUARE)
    (tmp_path / "main.pl").write_text(f":- use_module(sudoku).\n\n{goal}")
    counting = "aggregate_all(count, solution(_), N), print(N)"
    command = [*swipl_command(), "-f", "none", "-g", counting, "-t", "halt", tmp_path / "main.pl"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (str(LESSONS["prolog"][index]), "")


COUNTED = """async ([engine, request]) => {
    const name = engine === "clingo" ? "clingo-run" : "prolog-run";
    const worker = new Worker(`answers/${name}.js`, engine === "clingo" ? { type: "module" } : {});
    worker.postMessage({ ...request, most: 1000 });
    let found = 0;
    return new Promise((resolve, reject) => {
        worker.onmessage = ({ data: { done, error } }) => {
            if (error) reject(new Error(error));
            else if (done) resolve(found);
            else found++;
        };
    }).finally(() => worker.terminate());
}"""


@pytest.mark.slow
def test_lessons_have_the_same_answers_in_the_tab(visit):
    page = visit()
    for text, number in zip(lessons("clingo"), LESSONS["clingo"], strict=True):
        request = {"program": f"{text}\n{write(SQUARE, 'facts')}\n", "answer": "sudoku"}
        assert page.evaluate(COUNTED, ["clingo", request]) == number, text
    main = f":- use_module(sudoku).\n\n{prolog_goal(SQUARE)}"
    cells = " ".join(map(str, SQUARE.digits))
    for text, number in zip(lessons("prolog"), LESSONS["prolog"], strict=True):
        request = {"files": {"sudoku.pl": text, "main.pl": main}, "cells": cells, "size": 4}
        assert page.evaluate(COUNTED, ["prolog", request]) == number, text


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


TOO_MUCH = [
    (("clingo", SHOW, f"{SHOW}\nn(1..100000000)."), "out of memory (the limit is 512 MB)"),
    (("prolog", LABEL, "deep(0, _)"), "out of memory (the limit is 256 MB for the stacks)"),
    (("prolog", LABEL, "halt"), "the program ended Prolog"),
]


@pytest.mark.slow
def test_a_program_that_takes_too_much_ends_with_a_reason(visit):
    page = visit()
    unhurried(page)
    for (engine, *change), says in TOO_MUCH:
        files = changed(engine, *change)
        if engine == "prolog":
            files["sudoku.pl"] += "\ndeep(N, T) :- M is N + 1, deep(M, s(T)), M > 0.\n"
        answer = asked(page, "run", SQUARE, engine=engine, files=files)
        assert (answer["outcome"], answer["grids"]) == ("error", [])
        assert says in answer["message"]
        assert asked(page, "solve", SQUARE, engine=engine, limit=2)["stopped"] is None


WITHOUT_END = [
    ("ASP", "clingo", SHOW, "{ extra(1..60) }. #show."),
    ("ASP", "clingo", SHOW, f"{{ extra(1..60) }}. {SHOW}"),
    ("ASP", "clingo", SHOW, f"{SHOW}\nn(0). n(N+1) :- n(N)."),
    ("Prolog", "prolog", LABEL, f"{LABEL}, repeat"),
    ("Prolog", "prolog", LABEL, "repeat, print(here), nl, fail"),
    ("Prolog", "prolog", LABEL, "repeat, fail"),
]


@pytest.mark.slow
def test_a_program_without_end_is_stopped_and_disturbs_nobody(visit):
    """Whether it floods answers or messages, or only runs: the page answers meanwhile."""
    page = visit(TWO, "2x2")
    unhurried(page)
    for side, *change in WITHOUT_END:
        (text,) = changed(*change).values()
        choice(page, side).select_option(label="sudoku")
        editor(page, side).fill(text)
        solve(page)
        engine_says(page, "ASP" if side == "Prolog" else "Prolog", "2 solutions")
        press(page, f"Stop {side}")
        engine_says(page, side, "stopped")
        panel(page, side).get_by_role("button", name="Undo changes").click()
        solve(page)
        verdict(page, "Both agree: there are 2 solutions. Solution 1 of 2.")
