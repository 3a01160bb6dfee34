"""The JSON API and the command that serves it."""

from __future__ import annotations

import functools
import json
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from urllib.request import urlopen
from uuid import uuid4

import pytest
from helpers.command_line import run
from helpers.processes import LINUX, MARK, PATIENCE, left_of
from helpers.puzzles import EMPTY, IMPOSSIBLE, PRINTED, SMALL, TWO
from helpers.serving import ask, asked, served

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku import page as bounds
from pylogic_sudoku.files import install_command
from pylogic_sudoku.page import questions as page_questions
from pylogic_sudoku.page.board import parse
from pylogic_sudoku.page.schema import JIGSAW

PUZZLE, SOLUTION = next(iter(PRINTED.items()))
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEVERAL = JIGSAW | {"grid": [[1, None, None, None], *JIGSAW["grid"][1:]]}
"""A jigsaw with marks that has four solutions."""


def grids(answer, puzzle):
    found = [Grid.from_rows(rows, puzzle.box) for rows in answer["solutions"]]
    assert all(grid.is_solution_of(puzzle) for grid in found)
    return found


def named(**cells):
    return [{"cell": cell, "digit": digit} for cell, digit in cells.items()]


def test_about(client):
    about = client.get("/api").json()
    engines = {engine["name"]: engine for engine in about["engines"]}
    assert engines["clingo"]["available"]
    optional = {name: engine["optional"] for name, engine in engines.items()}
    assert optional == {"clingo": False, "prolog": False, "sat": True}
    assert about["formats"] == list(formats.FORMATS)
    assert (about["timeout"], about["size"]) == (PATIENCE, bounds.SIZE)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (3, 4), (4, 4), (2, 8)])
def test_rows_of_any_shape(client, box):
    n = box[0] * box[1]
    rows = [[None] * n for _ in range(n)]
    rows[0] = [*range(n, 0, -1)]
    answer = asked(client, "solve", puzzle=rows, box=box)
    assert len(grids(answer, Grid.from_rows(rows, box))) == 1


def test_reads_texts_of_many(client):
    text = "\n".join([PUZZLE, SOLUTION] * bounds.PUZZLES)
    answer = asked(client, "read", text=text)
    assert len(answer["puzzles"]) == bounds.PUZZLES
    assert answer["more"]


TWO_ROWS, EMPTY_ROWS = Grid.parse(TWO).to_json(), [[None] * 4] * 4
NESTED = functools.reduce(lambda inner, _: [inner], range(900), [])
REFUSED = [
    ("solve", {"puzzle": "12"}, "2 characters"),
    ("solve", {"puzzle": "." * 625}, "up to 16x16"),
    ("read", {"text": "." * 625}, "up to 16x16"),
    ("read", {"text": ""}, "empty"),
    ("solve", {"puzzle": [[1, 2], [3]]}, "row 2"),
    ("solve", {"puzzle": TWO, "box": [3, 3]}, "16"),
    ("solve", {"puzzle": TWO, "box": [0, 3]}, "box"),
    ("solve", {"puzzle": TWO, "limit": 0}, "limit"),
    ("solve", {"puzzle": TWO, "limit": bounds.SOLUTIONS + 1}, "limit"),
    ("solve", {"puzzle": TWO, "timeout": 0}, "timeout"),
    ("solve", {"puzzle": TWO, "lmit": 1}, "lmit"),
    ("solve", {}, "puzzle"),
    ("write", {"puzzle": TWO, "format": "latin"}, "format"),
    ("confirm", {"puzzle": PUZZLE, "grids": [TWO_ROWS]}, "has 4"),
    # regions and marks
    ("solve", {"puzzle": JIGSAW | {"regions": [[1, 1, 1, 1]] * 4}}, "expected 4"),
    ("solve", {"puzzle": JIGSAW | {"marks": {"r5c1": "odd"}}}, "r5c1"),
    ("solve", {"puzzle": JIGSAW | {"marks": {"r1c1": "prime"}}}, "'odd', 'even' or digits"),
    ("solve", {"puzzle": {"regions": JIGSAW["regions"]}}, "grid"),
    ("solve", {"puzzle": 5}, "puzzle"),
    ("solve", {"puzzle": NESTED}, "["),
    # questions
    ("why", {"puzzle": PUZZLE, "cell": "r9c10"}, ""),
    ("why", {"puzzle": PUZZLE, "cell": "x"}, ""),
    ("why-not", {"puzzle": PUZZLE, "cell": "r1c2", "digit": 17}, ""),
    ("steps", {"puzzle": PUZZLE, "removed": named(r3c2=5)}, "r3c2 can only be 5, so this can"),
    ("steps", {"puzzle": PUZZLE, "removed": named(r10c1=4)}, "'r10c1' is not a cell of a 9x9 grid"),
    ("steps", {"puzzle": PUZZLE, "removed": named(r1c3=12)}, "a removed candidate is (1, 3, 12)"),
    ("solve", {"puzzle": TWO, "engine": "prolog:/tmp/mine.pl"}, "no program"),
    ("count", {"puzzle": TWO, "engine": "clingo:mine.lp"}, "no program"),
    ("write", {"puzzle": JIGSAW, "format": "line"}, "marks, which 'line' cannot hold; 'json' can"),
    ("generate", {"level": "simple"}, "level"),
]
WRONG_RULES = [
    ({"rule": "fogofwar"}, "no rule 'fogofwar' here"),
    ({"rule": "killer_cage"}, "the field 'cells' is missing"),
    ({"rule": "killer_cage", "cells": ["r1c1"], "sum": "x"}, "sum is 'x'; expected a whole"),
    ({"rule": "thermometer", "cells": ["r1c1", "r3c1"]}, "do not touch"),
    ({"rule": "different", "cells": ["r9c9"]}, "r9c9 is not a cell of a 4x4 grid"),
    ("thermometer", "is not a rule"),
]
REFUSED += [
    (path, {"puzzle": {"grid": EMPTY_ROWS, "rules": [rule]}}, says)
    for path in ("rules", "solve")
    for rule, says in WRONG_RULES
]


@pytest.mark.parametrize(("path", "body", "says"), REFUSED)
def test_bad_input_is_refused(client, path, body, says):
    error = asked(client, path, 422, **body)["error"]
    assert error
    assert says in error


def test_events_are_counted_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(page_questions, "COUNTED", 5)
    answer = page_questions.trace(parse(HARD), 20, engine="clingo", limit=2)
    assert (len(answer["events"]), answer["number"], answer["stopped"]) == (2, 5, "limit")


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_makes_a_puzzle(client, level):
    puzzle = Puzzle.parse(json.dumps(asked(client, "generate", level=level)["puzzle"]))
    assert pls.is_unique(puzzle)
    assert pls.rate(puzzle).level == level
    with pytest.raises(pls.SolveTimeout):
        page_questions.generate(1e-9, level=level)


def test_time_runs_out(client, backend):
    number, limit = 0, 0.2
    while not number:  # a busy machine has not even started an engine in a short time
        short = {"engine": backend, "timeout": limit}
        answer = asked(client, "count", puzzle=EMPTY, limit=10**9, **short)
        number = answer["count"]
        assert (answer["stopped"], answer["seconds"] >= limit) == ("time", True)
        limit *= 2


def test_solutions_that_were_found_in_time_are_kept(client):
    puzzle, stopped, limit = "." * 256, "", 0.8
    while stopped != "time":  # a fast machine has found all of them
        limit /= 2
        answer = asked(client, "solve", puzzle=puzzle, engine="prolog", limit=1000, timeout=limit)
        stopped = answer["stopped"]
    assert len(grids(answer, Grid.parse(puzzle))) < 1000


@pytest.mark.slow
def test_sixty_at_once_many_run_out_of_time(client):
    """A time limit comes at any moment, also while clingo runs Python of its own."""

    def ask(number):
        body = {"puzzle": EMPTY, "timeout": 0.05 + number / 120}
        return client.post("/api/ambiguity", json=body if number % 4 else {"puzzle": TWO})

    with ThreadPoolExecutor(60) as clients:
        answers = list(clients.map(ask, range(60)))
    assert {answer.status_code for answer in answers} <= {200, 504}
    for answer in answers:
        key, says = ("text", "differ") if answer.status_code == 200 else ("error", "gave no answer")
        assert says in answer.json()[key]


def refused(client, **request):
    """The status and the error of a request that is not answered."""
    request = {"headers": {"Content-Type": "application/json"}} | request
    answer = client.post("/api/solve", **request)
    return answer.status_code, answer.json()["error"]


def test_strange_requests_are_refused(client):
    chunk = b" " * 1000
    chunks = [chunk] * (bounds.BYTES // 1000 + 2)
    too_long = 413, f"the request is longer than {bounds.BYTES} bytes"
    assert refused(client, content=b"".join(chunks)) == too_long
    assert refused(client, content=iter(chunks)) == too_long
    assert refused(client, content="{") == (422, "the request is not JSON")
    status, error = refused(client, json={"puzzle": TWO, "engine": "minizinc"})
    assert (status, "Choose one of clingo, prolog" in error) == (503, True)
    other, ours = ({"Origin": f"http://{host}"} for host in ("a.example", "127.0.0.1:8000"))
    assert refused(client, json={"puzzle": TWO}, headers=other)[0] == 403
    assert client.post("/api/solve", json={"puzzle": TWO}, headers=ours).status_code == 200
    assert client.get("/api", headers={"Host": "rebound.example"}).status_code == 400


@pytest.mark.parametrize("path", ["/", "/main.js", "/openapi.json", "/api", "/nothing"])
def test_every_answer_keeps_other_sites_out(client, path):
    answer = client.get(path)
    assert answer.status_code == (404 if path == "/nothing" else 200)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


def test_openapi_documents_every_question(client):
    document = client.get("/openapi.json").json()
    assert {"/api", "/api/solve", "/api/read", "/api/steps", "/api/why"} <= set(document["paths"])
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["description"]
    solve = document["components"]["schemas"]["AskSolve"]["properties"]["puzzle"]
    assert {"regions", "marks"} < set(solve["anyOf"][2]["properties"])
    for example, number in zip(solve["examples"], (1, 1, 2), strict=True):
        assert len(asked(client, "solve", puzzle=example, limit=2)["solutions"]) == number
    assert client.get("/docs").status_code == 404  # it would load from other sites


def test_steps(client):
    answer = asked(client, "steps", puzzle=PUZZLE, limit=bounds.STEPS)
    assert (answer["stopped"], answer["outcome"]) == (None, "The puzzle is solved.")
    rows = Grid.parse(PUZZLE).to_json()
    for step in answer["steps"]:
        assert step["grid"] == rows
        assert {"target", "removed"} & {mark["role"] for mark in step["highlights"]}
        if placed := step["explanation"]["placed"]:
            row, column = map(int, placed["cell"][1:].split("c"))
            rows[row - 1][column - 1] = placed["digit"]
    assert Grid.from_rows(rows) == Grid.parse(SOLUTION)
    jigsaw = asked(client, "steps", puzzle=JIGSAW, limit=99)
    assert jigsaw["outcome"] == "The puzzle is solved."
    regions = [each["explanation"]["puzzle"]["regions"] for each in jigsaw["steps"]]
    assert regions == [JIGSAW["regions"]] * len(regions)
    first = asked(client, "steps", puzzle=PUZZLE)
    assert (first["steps"], first["stopped"]) == (answer["steps"][:1], "limit")


@pytest.mark.parametrize(
    ("path", "puzzle", "about", "says"),
    [
        ("why", PUZZLE, {"cell": "r1c2"}, "r1c2 is 7"),
        ("why", PUZZLE, {"cell": "r1c1"}, "given"),
        ("why", TWO, {"cell": "r1c3"}, "not forced"),
        ("why-not", PUZZLE, {"cell": "r1c2", "digit": 8}, "8"),
        ("conflicts", IMPOSSIBLE, {}, "r"),
        ("ambiguity", TWO, {}, "r"),
        ("why", JIGSAW, {"cell": "r1c2"}, "r1c2 is 2"),
        ("why-not", JIGSAW, {"cell": "r1c2", "digit": 4}, "r1c2 can be 4"),
        ("conflicts", JIGSAW | {"marks": {"r1c1": "even"}}, {}, "r1c1"),
        ("ambiguity", SEVERAL, {}, "4 solutions"),
    ],
)
def test_explanations(client, path, puzzle, about, says):
    answer = asked(client, path, puzzle=puzzle, **about)
    assert says in answer["text"]
    about = answer["explanation"]["puzzle"]
    if isinstance(puzzle, str):
        assert about == Puzzle(Grid.parse(puzzle)).to_json()
    else:
        assert about["regions"] == puzzle["regions"]
    assert answer["highlights"]
    for mark in answer["highlights"]:
        names = [*mark["cells"], *(cell for cell, _ in mark["candidates"])]
        assert all(re.fullmatch(r"r\d+c\d+", name) for name in names)


def test_steps_are_rated_if_they_solve_the_puzzle(client):
    answer = asked(client, "steps", puzzle=SMALL, limit=bounds.STEPS)
    rating = pls.rate(SMALL)
    assert answer["rating"] == asdict(rating)
    exactly = asked(client, "steps", puzzle=SMALL, limit=len(answer["steps"]))
    assert exactly == answer
    first = asked(client, "steps", puzzle=SMALL, limit=99, soon=0)
    assert (len(first["steps"]), first["stopped"], first["rating"]) == (1, "limit", None)
    (step,) = first["steps"]
    grid = pls.Grid.parse(SMALL).with_(next(pls.steps(SMALL)).placed)
    taken = [[step["explanation"]["technique"], step["explanation"]["weight"]]]
    after = asked(client, "steps", puzzle=str(grid), limit=99, taken=taken)
    assert (1 + len(after["steps"]), after["rating"]) == (len(answer["steps"]), answer["rating"])
    assert asked(client, "steps", puzzle=TWO, limit=99)["rating"] is None
    titles = [step["title"] for step in answer["steps"]]
    assert titles == [
        line.split(". ")[1] for line in str(pls.steps(SMALL).walk()).splitlines()[1:-1]
    ]


# === ``pylogic-sudoku serve``, as people start and end it =========================================


def solve(address, engine="clingo"):
    status, answer = ask(address, "solve", puzzle=PUZZLE, engine=engine)
    assert status == 200, answer
    return "".join(str(digit) for row in answer["solutions"][0] for digit in row)


def test_the_page_and_its_questions_are_at_the_address(address, backend):
    assert address.startswith("http://127.0.0.1:")
    assert b"<title>" in urlopen(address).read()
    assert solve(address, backend) == SOLUTION


@pytest.mark.slow
def test_endless_puzzles_are_cut_off_while_others_are_served():
    """Ctrl-C ends it quietly, even during a search."""
    endless = {"puzzle": EMPTY, "limit": 10**9}
    with (
        ThreadPoolExecutor() as askers,
        served("--host", "0.0.0.0", "--timeout", "600") as (address, process),
    ):
        address = address.replace("0.0.0.0", "127.0.0.1")
        for_ever = askers.submit(ask, address, "count", **endless)
        too_long = askers.submit(ask, address, "count", **endless, timeout=2, engine="prolog")
        solved = [askers.submit(solve, address) for _ in range(20)]
        assert [each.result() for each in solved] == [SOLUTION] * 20
        code, answer = too_long.result()
        assert code == 200
        assert answer["stopped"] == "time"
        assert solve(address, "prolog") == SOLUTION
        assert not for_ever.done()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert for_ever.exception() or for_ever.result()[0] >= 499
        assert process.stdout.read() == ""
        said = ["Everyone who can reach this machine can use it.", "Interrupted."]
        assert process.stderr.read().split("\n\n") == [said[0], said[1] + "\n"]


@LINUX
@pytest.mark.parametrize(
    "sent",
    [pytest.param(signal.SIGHUP, marks=pytest.mark.slow), signal.SIGKILL],
    ids=lambda sent: sent.name,
)
def test_its_engines_end_with_it(monkeypatch, sent):
    mark = str(uuid4())
    monkeypatch.setenv(MARK, mark)
    with ThreadPoolExecutor() as askers, served("--timeout", "600") as (address, process):
        askers.submit(ask, address, "count", puzzle=EMPTY, limit=10**9)
        assert solve(address) == SOLUTION
        process.send_signal(sent)
        process.wait(PATIENCE)
        monkeypatch.delenv(MARK)
        assert left_of(mark) == {}
        if sent == signal.SIGHUP:
            assert (process.returncode, process.stderr.read()) == (129, "\nTerminated.\n")


def test_what_serve_cannot_do_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, complaint in (
            (["--port", port], f"cannot listen at 127.0.0.1, port {port}: Address already in use"),
            (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
            (["--bound", "size"], "--bound size: expected NAME=NUMBER, such as size=25"),
            (["--bound", "size=0"], "--bound size=0: expected NAME=N"),
            (["--bound", f"size={'9' * 5000}"], "expected NAME=N"),
            (["--bound", "seconds=3"], "--bound seconds: choose one of size, bytes, puzzles, "),
        ):
            ended = run("serve", *options)
            assert (ended.returncode, ended.stdout) == (2, "")
            assert complaint in ended.stderr


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_without_the_extra_it_says_how_to_install_it(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['serve']\n"
        "from pylogic_sudoku.cli import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 3
    assert f"needs {missing}" in ended.stderr
    assert f"Install it: {install_command('serve')}\n" in ended.stderr


def test_the_command_alone_loads_nothing_of_it():
    code = (
        "import sys, pylogic_sudoku.cli.programs; print({'fastapi', 'uvicorn'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stdout == "set()\n"


def test_each_limit_can_be_set_and_is_kept_by_the_processes_that_answer():
    with served("--bound", "size=25", "--bound", "solutions=2") as (address, _):
        with urlopen(f"{address}api") as about:
            assert {"size": 25, "solutions": 2}.items() <= json.load(about).items()
        status, answer = ask(address, "read", text="." * 625)
        assert (status, len(answer["puzzles"][0]["grid"])) == (200, 25)
        assert ask(address, "solve", puzzle="." * 16, limit=3)[0] == 422
