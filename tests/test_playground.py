"""The playground: its folder, and both engines in the tab of a real headless Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import clingo
import pytest
from helpers.browsing import message
from helpers.doing import paste, press
from helpers.panels import answered, choice, editor, engine_says, program, solve, verdict
from helpers.playground import asked, hosted, unhurried
from helpers.programs import resource
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, LOOSE, PRINTED, SMALL, TWO
from playwright.sync_api import expect
from test_answers import LABEL, SHOW, changed

from pylogic_sudoku import Cell, Grid, Placement, Puzzle
from pylogic_sudoku.engines.sudoku.prompt import prolog_goal
from pylogic_sudoku.explain.answer import Mus
from pylogic_sudoku.formats import write
from pylogic_sudoku.page import questions
from pylogic_sudoku.page.schema import JIGSAW
from pylogic_sudoku.rules.demands import CELLS, SudokuRule
from pylogic_sudoku.running.prolog import command as swipl_command

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
    assert {"sudoku.lp", "houses.lp", "programs/pairwise.lp"} <= programs["encodings"].keys()
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


@pytest.mark.slow
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
    assert page.locator("#cards button").all_inner_texts() == [
        "Start",
        "Easy",
        "Hard",
        "Jigsaw",
        "16x16",
    ]
    assert page.locator("#levels:visible").count() == 0
    press(page, "Change this puzzle")
    assert not page.locator("#rule-setting").is_visible()


# --- reasons ------------------------------------------------------------------------------------

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "cell"), [(CLASSIC, "r1c3"), (CLASSIC, "r5c5"), (HARD, "r1c2")], ids=str
)
def test_a_reason_forces_the_digit_and_nothing_can_be_spared(visit, line, cell):
    answer = asked(visit(), "why", Grid.parse(line), cell=cell)
    about = answer["explanation"]
    houses = [rule["text"].split()[:2] for rule in about["rules"]]
    rules = [SudokuRule(("house", kind, int(number))) for kind, number in houses]
    givens = [Placement(*Cell.of(each["cell"], 9), each["digit"]) for each in about["givens"]]
    hard = (CELLS, ("excluded", *Cell.of(cell, 9), about["digit"]))
    Mus(hard, (), (*rules, *givens)).verify(Grid.parse(line))
    counts = f"{len(rules)} rules and {len(givens)} givens."
    assert answer["text"].endswith(f"None of these can be spared: {counts}")
    names = {*re.findall(r"r\dc\d", answer["text"])}
    assert names == {cell, *(each["cell"] for each in about["givens"])}


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
        engine_says(page, side, "counting …")
        press(page, f"Stop {side}")
    answered(page, "more than 2 solutions in ")
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


# === The programs of the playground: shown, changed, run in the tab, and the lessons =============

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
"""The files that a lesson replaces."""
TITLE = re.compile(r"% (\d)\. (.+)")


# --- what is shown -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_programs_are_those_that_the_server_shows(visit):
    page = visit()
    for name, puzzle in PUZZLES.items():
        found = asked(page, "programs", puzzle)["programs"]
        assert found == questions.programs(puzzle, 0)["programs"], name


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
    """It floods answers or messages, or only runs: the page answers meanwhile."""
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
        program(page, side).get_by_role("button", name="Undo changes").click()
        solve(page)
        verdict(page, "Both agree: there are 2 solutions. Solution 1 of 2.")


# === The playground and the network: without one, with another address, with a new version ========


@pytest.mark.slow
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


@pytest.mark.slow
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
