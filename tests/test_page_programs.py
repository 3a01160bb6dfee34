"""The programs that the page shows, their text for clingo, and changed ones."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import clingo
import pytest
from helpers.command_line import invoke
from helpers.processes import LINUX, MARK, PATIENCE, left_of, marked, soon
from helpers.puzzles import TWO
from helpers.serving import ask, asked, served
from starlette.testclient import TestClient
from test_answers import LABEL, changed

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.check import Diagnosis
from pylogic_sudoku.engines import program_named, programs
from pylogic_sudoku.engines.sudoku.texts import asp_text
from pylogic_sudoku.files import resource
from pylogic_sudoku.page import app as server
from pylogic_sudoku.page import questions
from pylogic_sudoku.page.app import make_app
from pylogic_sudoku.page.schema import JIGSAW, KILLER

pytestmark = pytest.mark.usefixtures("unhurried")

SMALL = "4......3...13..."
SIX = {"box": [2, 3], "grid": [[1, *[None] * 5], *[[None] * 6] * 5]}
PUZZLES = {
    "plain": Puzzle(Grid.parse(SMALL)),
    "two": Puzzle(Grid.parse(TWO)),
    "six": Puzzle.parse(json.dumps(SIX)),
    "jigsaw": Puzzle.parse(json.dumps(JIGSAW)),
    "killer": Puzzle.parse(json.dumps(KILLER | {"title": "What's this?"})),
}
ENGINES = ("clingo", "prolog")


@pytest.fixture
def client(strangers):
    return strangers


# --- what is shown ---------------------------------------------------------------------------


FOLDERS = {"clingo": "encodings", "prolog": "prolog"}


def programs_for(client, puzzle):
    answer = asked(client, "programs", puzzle=puzzle)["programs"]
    return {each["name"]: each for each in answer}


def test_the_programs_are_the_real_files(client):
    found = programs_for(client, KILLER)
    assert {name: each["teaches"] for name, each in found.items()} == {
        program.name: program.teaches for program in programs()
    }
    for program in found.values():
        for file in program["files"]:
            text = resource(f"{FOLDERS[program['engine']]}/{file['name']}").read_text("utf-8")
            assert file["text"] == text
    names = {name: {file["name"] for file in program["files"]} for name, program in found.items()}
    assert {"sudoku.lp", "houses.lp", "rules.lp", "rules/sums.lp"} <= names["clingo"]
    assert {"sudoku/house.pl", "sudoku.pl", "rules/sums.pl"} <= names["prolog"]
    assert {name for name, each in found.items() if each["suits"] is True} == {
        "clingo",
        "clingo:one_puzzle",
        "prolog",
    }
    assert found["prolog:bits"]["suits"] == "prolog:bits cannot solve puzzles with rules."
    for program in programs_for(client, SMALL).values():
        assert not any(file["name"].startswith("rules") for file in program["files"])
    for engine in ENGINES:
        answer = asked(client, "run", puzzle=KILLER, engine=engine)
        assert (answer["outcome"], len(answer["grids"]), answer["rule"]) == ("success", 48, "")


def test_the_shortest_program_of_each_engine_comes_first(client):
    names = list(programs_for(client, TWO))
    for engine in ENGINES:
        first, *others = (name for name in names if name.partition(":")[0] == engine)
        assert others.index(engine) > 2
        assert len(program_named(first).text) < len(program_named(engine).text)
    assert "prolog:classic" in names[:7]


@pytest.mark.parametrize("name", PUZZLES)
def test_the_text_for_clingo_has_the_solutions(name):
    puzzle = PUZZLES[name]
    control = clingo.Control(["2", "--eq=0"], logger=lambda *_: None)
    control.add(asp_text(puzzle))
    control.ground()
    with control.solve(yield_=True) as found:
        grids = [Grid.parse(str(model), box=puzzle.box) for model in found]
    assert len(set(grids)) == len(grids) == {"plain": 1, "jigsaw": 1}.get(name, 2)
    assert all(grid.is_solution_of(puzzle) for grid in grids)


def test_asp_prints_the_whole_program():
    done = invoke("program", "asp", json.dumps(KILLER))
    assert (done.exit_code, done.stdout) == (0, asp_text(PUZZLES["killer"]))
    assert "#include" not in done.stdout
    assert done.stdout.count("value(1,sum,1,3).") == 1
    assert invoke("program", "asp", "nonsense").exit_code == 2


# --- changed programs ------------------------------------------------------------------------


@pytest.mark.slow
def test_every_program_runs_as_it_is_shown(client):
    for name, shown in programs_for(client, SIX).items():
        answer = asked(
            client, "run", 200 if shown["suits"] is True else 422, puzzle=SIX, engine=name
        )
        if shown["suits"] is True:
            assert (answer["outcome"], len(answer["grids"])) == ("success", 100), name
            assert (answer["wrong"], answer["message"]) == (0, ""), name
        else:
            assert answer["error"].startswith(shown["suits"].removesuffix("."))


def test_another_program_can_be_changed(client):
    (file,) = programs_for(client, TWO)["clingo:pairwise"]["files"]
    files = {file["name"]: file["text"].replace(":- sudoku(X,Y,N), sudoku(A,Y,N), X != A.", "")}
    answer = asked(client, "run", puzzle=TWO, engine="clingo:pairwise", files=files)
    assert (answer["outcome"], answer["wrong"]) == ("failure", len(answer["grids"]) - 2)
    error = asked(client, "run", 422, puzzle=TWO, engine="clingo:pairwise", files={"sudoku.lp": ""})
    assert error["error"] == "there is no file sudoku.lp; expected programs/pairwise.lp"
    assert "has no program" in asked(client, "run", 422, puzzle=TWO, engine="sat")["error"]


CHANGES = {
    "syntax error": ("clingo", "programs/pairwise.lp", "a(.\n", "messages", "syntax"),
    "unknown atom": ("clingo", "programs/pairwise.lp", ":- b(X).\n", "warnings", "atom-undefined"),
    "syntax": ("prolog", "programs/bits.pl", "a(.\n", "messages", "syntax-error"),
    "single": ("prolog", "programs/bits.pl", "a(X, Y) :- Y = 1.\n", "warnings", "singletons"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_what_engines_say_of_a_program_has_its_fields(client, case):
    engine, file, more, where, kind = CHANGES[case]
    name = f"{engine}:{Path(file).stem}"
    text = resource(f"{FOLDERS[engine]}/{file}").read_text("utf-8")
    ran = asked(client, "run", puzzle=TWO, engine=name, files={file: text + more}, soon=True)
    (said,) = ran[where]
    line = text.count("\n") + 1
    assert (said["kind"], said["file"], said["line"]) == (kind, file, line)
    assert ran["outcome"] == ("success" if where == "warnings" else "error")
    assert ran["places"] == ([] if where == "warnings" else [{"file": file, "line": line}])
    assert ("warnings" in ran) == (where == "warnings")


def test_a_predicate_that_is_missing_is_named(client):
    file = "programs/first_fail.pl"
    text = resource(f"prolog/{file}").read_text("utf-8").replace("all_distinct", "all_distinkt")
    ran = asked(
        client, "run", puzzle=TWO, engine="prolog:first_fail", files={file: text}, soon=True
    )
    (said,) = ran["messages"]
    assert (said["kind"], said["text"]) == (
        "no-predicate",
        "there is no predicate all_distinkt/1",
    )


def test_no_message_is_about_a_file_that_the_reader_does_not_see(client):
    easy = questions.EASY
    file, *_ = programs_for(client, easy)["prolog:classic"]["files"]
    files = {file["name"]: file["text"].replace("maplist(label, ", "maplist(lable, ")}
    ran = asked(client, "run", puzzle=easy, engine="prolog:classic", files=files, soon=True)
    assert ran["outcome"] == "error"
    assert "lable/1" in ran["message"]
    assert "main.pl" not in ran["message"]
    assert "import" not in ran["message"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("engine", "file", "old", "new", "line"),
    [
        ("clingo", "sudoku.lp", "} = 1 :- cell(X,Y)", "} = 2 :- cell(X,Y)", "} = 2 :- cell"),
        pytest.param(
            *(
                "prolog:first_fail",
                "programs/first_fail.pl",
                "ins 1..Size",
                "ins 2..Size",
                "ins 2..",
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_lost_solution_names_the_line_that_excludes_it(client, engine, file, old, new, line):
    shown = {each["name"]: each["text"] for each in programs_for(client, TWO)[engine]["files"]}
    files = {file: shown[file].replace(old, new)}
    ran = asked(client, "run", puzzle=TWO, engine=engine, files=files)
    sooner = asked(client, "run", puzzle=TWO, engine=engine, files=files, soon=True)
    answer = asked(client, "diagnose", puzzle=TWO, engine=engine, files=files)
    assert (ran["outcome"], ran["diagnosis"]) == ("failure", answer["diagnosis"])
    assert (sooner["outcome"], sooner["diagnosis"]) == ("failure", None)
    (place, *_) = answer["diagnosis"]["places"]
    assert (place["file"], answer["stopped"]) == (file, None)
    assert line in files[file].splitlines()[place["line"] - 1]
    right = asked(client, "diagnose", puzzle=TWO, engine=engine)
    assert right == {"diagnosis": None, "stopped": None}


@pytest.mark.slow
def test_a_run_that_was_too_short_is_asked_again(client, tmp_path, monkeypatch):
    file = "programs/first_fail.pl"
    named = programs_for(client, TWO)["prolog:first_fail"]["files"]
    shown = {each["name"]: each["text"] for each in named}
    files = {file: f"{shown[file]}\n:- repeat, fail.\n"}
    # On a busy machine a program loads slowly, and its explanation may be quick all the same.
    why = Diagnosis("slow", "it excludes nothing, but is slow")
    monkeypatch.setattr(questions, "reason", lambda *_: why)
    puzzle = Puzzle(Grid.parse(TWO))
    asks = {"engine": "prolog:first_fail", "files": files, "place": str(tmp_path)}
    answer = questions.diagnose(puzzle, 6, **asks)
    assert answer == {"diagnosis": {"summary": why.summary, "places": []}, "stopped": "time"}


@pytest.mark.slow
def test_a_program_without_end_is_stopped(client):
    files = changed("prolog", LABEL, "repeat, fail")
    answer = asked(client, "run", puzzle=TWO, engine="prolog", timeout=2, files=files)
    assert (answer["outcome"], answer["stopped"]) == ("timeout", "time")


# --- who may run them --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    app = make_app(PATIENCE, programs_of="everybody")
    with TestClient(app) as client:
        assert asked(client, "run", puzzle=SMALL, engine="clingo", files={})["outcome"]
        (folder,) = tmp_path.iterdir()
        assert [*folder.iterdir()] == []
        (folder / "of a process that was killed").touch()
    assert [*tmp_path.iterdir()] == []


def test_a_server_runs_changed_programs_only_if_it_is_told_to():
    with TestClient(make_app(20)) as client:
        assert client.get("/api").json()["programs"] is False
        for question in ("run", "diagnose"):
            assert "--run-programs" in asked(client, question, 403, puzzle=SMALL)["error"]
        assert asked(client, "programs", puzzle=SMALL)["programs"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 200),
        (["--no-run-programs"], 403),
        (["--host", "0.0.0.0"], 403),
        (["--host", "0.0.0.0", "--run-programs"], 200),
    ],
)
def test_it_runs_them_by_default_if_only_this_machine_can_reach_it(options, status):
    with served(*options) as (address, process):
        address = address.replace("0.0.0.0", "127.0.0.1")
        assert ask(address, "run", puzzle=SMALL)[0] == status
        process.terminate()
        said = process.communicate(timeout=PATIENCE)[1]
    assert ("Everyone with this address" in said) == ("0.0.0.0" in options)
    assert ("token=" in address) == ("0.0.0.0" in options or "--run-programs" in options)


@LINUX
@pytest.mark.slow
def test_a_program_ends_with_the_server(monkeypatch):
    mark = str(uuid4())
    monkeypatch.setenv(MARK, mark)
    files = changed("prolog", LABEL, "repeat, fail")
    with ThreadPoolExecutor() as askers, served("--timeout", "600") as (address, process):
        asking = askers.submit(ask, address, "run", puzzle=TWO, engine="prolog", files=files)
        assert soon(lambda: any("grading.pl" in each for each in marked(mark).values()))
        assert not asking.done(), asking.result()
        process.kill()
        process.wait(PATIENCE)
        monkeypatch.delenv(MARK)
        assert left_of(mark) == {}


TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
   2: 0100007F:C351 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
   3: 0100007F:C352 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 3
"""


def test_whose_connection_it_is(tmp_path, monkeypatch):
    table = tmp_path / "tcp"
    table.write_text(TABLE)
    monkeypatch.setattr(server, "TABLES", (table, tmp_path / "missing"))
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    found = [server.is_somebody_else(port, 8080) for port in (50000, 50001, 50002, 50003)]
    assert found == [False, True, True, True]  # the third is closed, the last not there
    assert not server.is_somebody_else(50001, 8081)  # the table does not list this server


@pytest.mark.slow
@LINUX
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can ask as another user")
def test_another_user_of_this_machine_runs_no_programs(address):
    code = """
import json, sys, urllib.error, urllib.request
body = json.dumps({"puzzle": "4......3...13..."}).encode()
request = urllib.request.Request(sys.argv[1], body, {"Content-Type": "application/json"})
try:
    print(urllib.request.urlopen(request).status)
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)["error"])
"""
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("needs /usr/bin/python3, since the Python of this environment may be private")
    for path, said in (("solve", "200"), ("run", "403 this server runs changed programs only")):
        asking = [str(python), "-c", code, f"{address}api/{path}"]
        done = subprocess.run(asking, capture_output=True, text=True, user=65534)
        assert done.stdout.startswith(said), done.stderr
    assert ask(address, "run", puzzle=SMALL)[0] == 200
