"""Any problem in the playground: both engines in the tab answer as the server does."""

from __future__ import annotations

import re

import pytest
from helpers.panels import edit, engine_says, program, solve
from helpers.playground import asked
from helpers.puzzles import SMALL
from test_page_problems import FAULT, OWN, QUEENS, answered, posed
from test_page_problems_browser import given, opened, verdict

import pylogic_sudoku as pls
from pylogic_sudoku.page import problems as server
from pylogic_sudoku.page import questions
from pylogic_sudoku.page.schema import AtomSet
from pylogic_sudoku.problem.folder import bundled

pytestmark = pytest.mark.slow

ENGINES = ("clingo", "prolog")
INSTANCES = {
    "job_shop": "1",
    "kenken": "3",
    "langford": "3",
    "magic_square": "3",
    "quasigroup": "3",
    "send_more": "ill",
    "sudoku": "4",
    "zebra": "three",
}


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


@pytest.fixture
def page(visit):
    return visit(SMALL, "2x2")


def whole(found):
    return sorted((sorted(each["atoms"]), each["cost"]) for each in found["solutions"])


@pytest.mark.parametrize("problem", [each.name for each in bundled()])
def test_the_answers_are_those_of_the_server(page, problem):
    known = pls.Problem(problem)
    name = INSTANCES.get(problem, list(known.instances)[1])
    for engine in ENGINES:
        body = {**posed(problem, name), "engine": engine}
        here = asked(page, "solve", **body, limit=1000, texts={})
        there = answered(questions.solve, 60, **body, limit=1000)
        assert here["stopped"] is None
        assert whole(here) == whole(there)


def test_the_problems_are_those_of_the_server(page):
    assert asked(page, "problems") == server.problems(0)


def test_changed_programs_and_own_ones_run(page):
    about = posed("queens", "4")
    wrong = {"clingo": QUEENS.replace(*FAULT)}
    found = asked(page, "solve", **about, engine="clingo", texts=wrong, limit=99)
    assert len(found["solutions"]) == 4
    for engine in ENGINES:
        body = {"problem": "", "instance": "n(3). odd(1;3).", "engine": engine, "texts": OWN}
        found = asked(page, "solve", **body, limit=9)
        assert [each["atoms"] for each in found["solutions"]] == [["q(2)"]]
    few = asked(page, "solve", **about, engine="prolog", texts={}, limit=1)
    assert (len(few["solutions"]), few["stopped"]) == (1, "limit")


def test_prolog_says_what_it_knows_how_it_searches_and_what_it_refuses(page):
    for problem, name in (("futoshiki", "4"), ("queens", "4"), ("set_cover", "radio")):
        body = {**posed(problem, name), "engine": "prolog"}
        known = answered(questions.propagate, 60, **body)
        here = asked(page, "propagate", **body)
        assert {name: sorted(here[name]) for name in here} == {
            name: sorted(known[name]) for name in ("atoms", "certain")
        }
        here = asked(page, "trace", **body, limit=300)
        there = answered(questions.trace, 60, **body)
        assert here["number"] == there["number"]
        assert [each["kind"] for each in here["events"]] == [
            each["kind"] for each in there["events"]
        ]
    wrong = ["queen(1,1)", "queen(2,2)", "queen(3,3)", "queen(4,4)"]
    body = {**posed("queens", "4"), "engine": "prolog"}
    here = asked(page, "refusal", **body, answer={"atoms": wrong, "cost": []})
    there = answered(questions.refusal, 60, **body, answer=AtomSet(atoms=wrong))
    assert all(here[name] == there[name] for name in ("text", "says", "places"))
    body["engine"] = "clingo"
    error = asked(page, "refusal", **body, answer={"atoms": wrong, "cost": []})["error"]
    assert "in a browser clingo shows its answers alone" in error


def test_errors_name_the_line(page):
    about = posed("queens", "4")
    for engine, text, line in (
        ("clingo", QUEENS + "a(.", QUEENS.count("\n") + 1),
        ("clingo", QUEENS + "#script (lua)\n#end.", QUEENS.count("\n") + 1),
        ("prolog", "model(P) :- sise(P).\n", 1),
        ("prolog", "\nmodel(P) :- size(P),, a.\n", 2),
    ):
        found = asked(page, "solve", **about, engine=engine, texts={engine: text}, limit=9)
        file = f"queens.{'lp' if engine == 'clingo' else 'pl'}"
        places = [(each["file"], each["line"]) for each in found["messages"]]
        assert places[:1] == [(file, line)], found
    for instance, says in (
        ("a.\n{ b }.", "instance:2: { b }. is not a fact"),
        ("a(", "instance:1: "),
        (":- a.", "is not a fact"),
    ):
        assert says in asked(page, "facts", instance=instance)["error"]
    body = {"problem": "", "instance": "", "engine": "prolog", "texts": {"prolog": "answer([])."}}
    assert "expected #show" in asked(page, "solve", **body, limit=9)["error"]


def test_the_page_shows_the_first_answer_that_only_one_side_has(page):
    opened(page, "N queens")
    given(page).select_option("4")
    solve(page)
    verdict(page, "Both agree: there are 2 answers.")
    edit(page, "ASP", *FAULT)
    page.get_by_text("Known before a guess").click()
    solve(page)
    verdict(page, "They differ: ASP has 2 answers that Prolog lacks.")
    page.get_by_text("Only ASP has answer 1. Prolog refuses it: queens.pl:").wait_for()
    program(page, "Prolog").locator(".lines > .wrong").wait_for()
    known = page.locator("#problem-knows")
    known.get_by_text("Before the first guess Prolog leaves 16 atoms").wait_for()
    known.get_by_text("in a browser clingo shows its answers alone").wait_for()
    opened(page, "Your own")
    solve(page)
    verdict(page, "Both agree: there are 6 answers.")
    engine_says(page, "ASP", "6 answers", re.compile(r"\d m?s\b"))


@pytest.mark.parametrize("problem", ["colouring", "kenken", "nonogram"])
def test_pictures_are_those_of_the_server(page, problem):
    known = pls.Problem(problem)
    answer = pls.solve(known.instance(known.first))
    text = f"{posed(problem, known.first)['instance']}\n{answer}"
    body = {"problem": problem, "instance": text, "engine": "draw"}
    here = asked(page, "solve", **body, limit=2, texts={})
    there = answered(questions.solve, 60, **body, limit=2)
    assert whole(here) == whole(there)
    changed = {"problem": "", "instance": "node(a).", "engine": "draw", "limit": 2}
    found = asked(page, "solve", **changed, texts={"draw": "#show node/1. node(b)."})
    assert [each["atoms"] for each in found["solutions"]] == [["node(a)", "node(b)"]]
