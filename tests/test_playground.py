"""The playground: its folder, and both engines in the tab of a real headless Chromium."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from helpers.browsing import message
from helpers.doing import paste, press
from helpers.panels import answered, engine_says, solve, verdict
from helpers.playground import asked, hosted
from helpers.programs import resource
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, LOOSE, SMALL, TWO
from playwright.sync_api import expect

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines import get
from pylogic_sudoku.page.schema import JIGSAW

STATIC = resource("pylogic_sudoku/page/static")
SOURCE = resource("playground")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def texts(name, pattern):
    folder = resource(name)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob(pattern)}


def test_the_programs_are_those_of_the_repository(playground):
    programs = json.loads((playground / "programs.json").read_text())
    encodings = texts("encodings", "*.lp")
    assert {"sudoku.lp", "houses.lp", "pairwise.lp"} <= programs["encodings"].keys()
    assert programs["encodings"].items() <= encodings.items()
    assert programs["prolog"] == texts("prolog", "*.pl")
    for version in programs["versions"].values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)


def test_the_page_is_that_of_the_server(playground):
    theirs = files(STATIC) - {"index.html"}
    assert theirs <= files(playground)
    for name in theirs - {"answerer.js"}:  # which the playground has in its own way
        assert (playground / name).read_bytes() == (STATIC / name).read_bytes(), name
    page = (playground / "index.html").read_text().splitlines()
    lines = (STATIC / "index.html").read_text().splitlines()
    other = [line for line in lines if line not in page]
    assert len(other) == 1  # the link to the API
    added = [line.strip() for line in page if line not in lines]
    scripts = [line for line in added if "modulepreload" in line or "<script" in line]
    policy = [line for line in added if "Content-Security-Policy" in line]
    assert len(added) == len(scripts) + len(policy) + len(other)


def test_every_script_is_fetched_at_once(playground):
    page = (playground / "index.html").read_text()
    fetched = set(re.findall(r'modulepreload" href="([^"]+)"', page))
    assert {"main.js", "answerer.js", "answers/engines.js", "puzzle.js"} <= fetched
    assert fetched <= files(playground)


def test_the_page_works_offline_with_all_files_of_the_folder(playground):
    worker = (playground / "offline.js").read_text()
    names = json.loads(re.search(r"FILES = (\[.*\]);", worker)[1])
    assert len(names) == len(set(names))
    assert {*names, "index.html", "offline.js"} == files(playground) | {"./"}


def test_the_folder_is_small_and_has_all_licences(playground, playground_script):
    assert playground_script.compressed(playground) < 4_000_000
    page = (playground / "licences.html").read_text()
    wanted = json.loads((SOURCE / "package.json").read_text())["dependencies"]
    for name in wanted:
        assert f"<h2>{name} {wanted[name]}: " in page
    for part in ("clasp", "Lua", "LibBF", "zlib", "PCRE2"):
        assert part in page


def test_without_npm_the_reason_is_said(playground_script, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(playground_script, "PACKAGES", tmp_path / "packages")
    monkeypatch.setattr(playground_script, "LOG", tmp_path / "log")
    monkeypatch.setattr(playground_script.shutil, "which", lambda name: None)
    assert playground_script.main([str(tmp_path / "out")]) == 1
    assert "npm, which is not here: install Node.js" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


# === The playground in a real headless Chromium: both engines answer in the tab ===================

KILLER = {"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 4}


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


# --- answers ----------------------------------------------------------------------------------


def test_what_needs_python_is_refused_and_not_offered(visit):
    page = visit(SMALL, "2x2")
    start = page.url.split("#")[0]
    for question in ("steps", "steps-to", "why-not", "conflicts", "ambiguity"):
        assert page.locator(f"[data-asks={question}]:visible").count() == 0
        error = asked(page, question, Grid.parse(SMALL))["error"]
        assert error == f"The playground cannot answer {question}."
    press(page, "Help")
    assert "clingo-wasm 0." in page.inner_text("#about")
    assert "grounds its program anew" in page.inner_text("#help-note")
    press(page, "Close")
    for link, text in (
        (f"3x3,{IMPOSSIBLE}", "there is no solution."),
        (f"2x2,{TWO}", "Solution 1 of 2."),
    ):
        page.goto(f"{start}#{link}")
        solve(page)
        message(page, text)
        assert page.locator("#verdict-actions").get_by_role("button", name="Why").count() == 0
    rules = json.dumps([KILLER], separators=(",", ":")).replace(",", "%2C").replace("=", "%3D")
    page.goto(f"{start}#3x3,{EMPTY},rules={rules}")
    why = "The playground knows the rules of plain sudoku, regions and marks."
    message(page, why)
    assert page.inner_text("#rule-list") == "killer cage"
    solve(page)
    answered(page, why)
    press(page, "Puzzles")
    assert page.locator("#cards button").all_inner_texts() == ["Easy", "Hard", "Jigsaw", "16x16"]
    assert page.locator("#levels:visible").count() == 0
    press(page, "Change this puzzle")
    assert not page.locator("#rule-setting").is_visible()


# --- reasons ------------------------------------------------------------------------------------

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def placement(cell, digit):
    row, column = map(int, cell[1:].split("c"))
    return row, column, digit


def parts_of(about):
    """The houses and givens of a reason, as an engine checks them."""
    houses = (rule["text"].split() for rule in about["rules"])
    givens = [placement(each["cell"], each["digit"]) for each in about["givens"]]
    return [("house", kind, int(number)) for kind, number, *_ in houses], givens


def forced(layout, about, houses, givens):
    gone = ("excluded", *placement(about["cell"], about["digit"]))
    return not get("clingo").consistent(layout, [("cells",), *houses, *givens, gone])


@pytest.mark.slow
def test_a_reason_forces_the_digit_and_nothing_can_be_spared(visit):
    page = visit()
    for line, cell in ((CLASSIC, "r1c3"), (CLASSIC, "r5c5"), (HARD, "r1c2")):
        puzzle = Grid.parse(line)
        can_spare_nothing(puzzle, cell, asked(page, "why", puzzle, cell=cell))


def can_spare_nothing(puzzle, cell, answer):
    about, layout = answer["explanation"], puzzle.layout
    houses, givens = parts_of(about)
    assert forced(layout, about, houses, givens)
    for part in houses:
        assert not forced(layout, about, [each for each in houses if each != part], givens), part
    for part in givens:
        assert not forced(layout, about, houses, [each for each in givens if each != part]), part
    counts = f"{len(houses)} rules and {len(givens)} givens."
    assert answer["text"].endswith(f"None of these can be spared: {counts}")
    names = set(re.findall(r"r\dc\d", answer["text"]))
    assert names == {cell, *(each["cell"] for each in answer["explanation"]["givens"])}


@pytest.mark.slow
def test_other_answers_to_why(visit):
    page = visit()
    grid = Grid.parse(TWO)
    assert asked(page, "why", grid, cell="r1c1")["text"] == "r1c1 is 1 because it is given."
    assert asked(page, "why", grid, cell="r3c3")["text"].startswith("r3c3 is not forced: it is ")
    assert "no solution" in asked(page, "why", Grid.parse(IMPOSSIBLE), cell="r1c3")["error"]
    jigsaw = Puzzle.from_json(JIGSAW)
    text = asked(page, "why", jigsaw, cell="r1c2")["text"]
    assert text.startswith("r1c2 is 2, because:\n")
    assert "r1c2 is even, as its mark says" in text


# --- stopping ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_endless_search_is_stopped_and_the_next_question_answered(visit):
    page = visit(LOOSE)
    solve(page)
    answered(page, "more than 2 solutions")
    press(page, "Count")
    for side in ("ASP", "Prolog"):
        engine_says(page, side, "searching …")
        press(page, f"Stop {side}")
    answered(page, "stopped")
    paste(page, CLASSIC)
    solve(page)
    verdict(page, "Both agree: there is one solution.")


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
            const next = [];
            const each = ({ X }) => next.push(X);
            await prolog.ask({ goal: "member(X, [1, 2])" }, { signal, each });
            return [late.stopped, late.seconds > 0, found, next];
        }"""
    )
    assert answer == ["time", True, 2, [1, 2]]


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


UNREADABLE = {
    "hello": "it has 5 cells",
    CLASSIC.replace("5", "x", 1): "Cell 1 of the text does not hold a digit from 1 to 9",
    "." * 36: "Choose their shape, then Open.",
    "{1}": "This JSON is not a puzzle",
    "0." * 128: "0 and another mark for empty cells are both here",
    json.dumps({"box": [3, 3], "grid": [[1]]}): "This JSON is not a puzzle",
}


@pytest.mark.slow
def test_what_cannot_be_read_stays_in_the_dialog(visit):
    page = visit()
    for text, error in UNREADABLE.items():
        paste(page, text)
        expect(page.locator("#open-error")).to_contain_text(error)


# === The playground and the network: without one, with another address, with a new version ========


def test_it_works_without_a_network_after_the_first_visit(browser, playground):
    context = browser.new_context()
    page = context.new_page()
    with hosted(playground) as (address, _):
        page.goto(f"{address}#3x3,{CLASSIC}")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # Nothing answers there any more.
    page.goto(f"{address}?again#3x3,{CLASSIC}")
    solve(page)
    answered(page, "1 solution")
    press(page, "Help")
    page.get_by_role("link", name="Licences").click()
    page.get_by_role("heading", name="swipl-wasm").first.wait_for()
    context.close()


def test_opened_from_a_file_the_page_says_what_to_do(browser, playground):
    page = browser.new_page()
    page.goto(f"{playground.as_uri()}/index.html")
    page.get_by_role("alert").filter(has_text="python -m http.server").wait_for()
    page.close()


@pytest.mark.slow
def test_nothing_is_asked_of_another_address(browser, playground):
    """The server is the browser's proxy, so it sees all requests, those of workers included."""
    with hosted(playground) as (address, asked):
        proxy = {"server": address, "bypass": "<-loopback>"}
        context = browser.new_context(proxy=proxy)
        page = context.new_page()
        page.goto(f"{address}#3x3,{CLASSIC}")
        solve(page)
        answered(page, "1 solution")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        context.close()
    assert f"{address}swipl/swipl-web.wasm" in asked
    assert [each for each in asked if not each.startswith(address)] == []


@pytest.mark.slow
def test_a_new_version_takes_over_when_the_page_is_opened_again(
    browser, playground, playground_script, tmp_path
):
    folder = tmp_path / "site"
    shutil.copytree(playground, folder)
    context = browser.new_context()
    with hosted(folder) as (address, _):
        page = context.new_page()
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        before = page.evaluate("caches.keys()")
        changed = (folder / "index.html").read_text().replace("Sudoku by logic", "Another version")
        (folder / "index.html").write_text(changed)
        shutil.copy(playground_script.SOURCE / "offline.js", folder)
        playground_script.keep_offline(folder)
        page.reload()
        assert page.title() == "Sudoku by logic"  # the old version, as a whole
        page.evaluate(
            """async () => {
                const known = await navigator.serviceWorker.getRegistration();
                await known.update();
                while (!known.waiting) await new Promise((later) => setTimeout(later, 50));
            }"""
        )
        page.goto("about:blank")  # nobody has the old version open now
        page.evaluate("new Promise((later) => setTimeout(later, 500))")
        page.goto(address)
        expect(page).to_have_title("Another version")
        keys = page.evaluate(
            """async () => {
                const soon = () => new Promise((later) => setTimeout(later, 50));
                while ((await caches.keys()).length > 1) await soon();
                return caches.keys();
            }"""
        )
        assert len(before) == len(keys) == 1
        assert before != keys
    context.close()
