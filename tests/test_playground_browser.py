"""The playground in a real headless Chromium: both engines answer in the tab."""

from __future__ import annotations

import json
from itertools import chain

import pytest
from helpers.browsing import board, cell, message, paste, press
from helpers.jigsaws import REAL, REAL_ANSWER
from helpers.playground import asked
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, LOOSE, PRINTED, SMALL, TWO
from playwright.sync_api import expect
from test_serve_engines_browser import says, verdict
from test_serve_look_browser import LOOKS, faults

from pylogic_sudoku import Grid, Puzzle

SOLUTION = PRINTED[CLASSIC]
KILLER = {"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 4}


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


def link(puzzle):
    """The puzzle as the page has it in its address, without the shape of the boxes."""
    parts = [f"{puzzle.grid:line}"]
    if puzzle.regions:
        parts.append("regions=" + "".join(map(str, chain(*puzzle.to_json()["regions"]))))
    return ",".join(parts)


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


@pytest.mark.slow
def test_a_real_jigsaw(visit):
    page = visit(link(REAL))
    press(page, "Solve")
    answered(page, "1 solution")
    assert board(page) == REAL_ANSWER


def test_what_is_not_answered_is_refused_and_not_offered(visit):
    page = visit(SMALL, "2x2")
    for question in ("steps", "steps-to", "why", "why-not", "conflicts", "ambiguity", "picture"):
        assert page.locator(f"[data-asks={question}]:visible").count() == 0
        error = asked(page, question, Grid.parse(SMALL))["error"]
        assert error == f"The playground cannot answer {question}."


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
            const over = new AbortController();
            AbortSignal.timeout = () => over.signal;
            const late = await limited(signal, (within) => {
                const asked = prolog.ask(endless, { signal: within });
                over.abort();
                return asked;
            });
            const { found } = await clingo.ask({ program: "{a}.", models: 0 }, { signal });
            const next = await prolog.ask({ goal: "member(X, [1, 2])" }, { signal });
            return [late.stopped, late.seconds > 0, found, next.all];
        }"""
    )
    assert answer == ["time", True, 2, True]


@pytest.mark.slow
def test_what_an_engine_says_against_a_question_reaches_the_reader(visit):
    page = visit()
    said = page.evaluate(
        """async () => {
            const { clingo, Engine, prolog } = await import("./answers/engines.js");
            const { signal } = new AbortController();
            const said = async (engine, request) => {
                const answer = engine.ask(request, { signal });
                return answer.then(() => "nothing", (error) => error.message);
            };
            return [
                await said(clingo, { program: "a :- b c." }),
                await said(prolog, { goal: "no_such_predicate_here" }),
                await said(new Engine("missing.js"), {}),
                await said(prolog, { goal: "true" }),
            ];
        }"""
    )
    assert "syntax error" in said[0]
    assert "no_such_predicate_here" in said[1]
    assert "The engine could not run" in said[2]
    assert said[3] == "nothing"


# --- text ----------------------------------------------------------------------------------------


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
