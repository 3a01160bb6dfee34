"""Submissions that attack the grader, at each level of the sandbox, as root and as another user."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest
from helpers import attacks
from helpers.attacks import HONEST, LEVELS, PARTS, USERS, graded, verdicts, write
from helpers.check_programs import RIGHT
from helpers.command_line import invoke
from helpers.processes import LINUX, MARK, PATIENCE, left_of
from helpers.programs import need_sandbox
from helpers.puzzles import SEVERAL
from helpers.serving import ask, served

from pylogic_sudoku.check import Report, grade
from pylogic_sudoku.check.reports import write as write_report
from pylogic_sudoku.check.results import mark
from pylogic_sudoku.errors import BackendUnavailable
from pylogic_sudoku.files import resource
from pylogic_sudoku.running import _limited, sandbox

pytestmark = LINUX


class Attacked:
    """The grader's verdicts on all attacks on an exercise at once."""

    def __init__(self, user: str, level: str, folder: Path, *options: str) -> None:
        week = attacks.exercise(folder)
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            files = {
                f"{name}/{name}.pl": attacks.after(attack)
                for name, attack in attacks.prolog_attacks(week, port).items()
            }
            asp = attacks.asp_attacks(week)
            files |= {f"{name}/main.lp": text for name, text in asp.items()}
            script = attacks.SCRIPT.format(path=str(week / "solutions/ex001.json"))
            files |= {"script/script.lp": script + attacks.programs.RIGHT}
            files |= {"helper.lp": "% nothing is wrong with it\na.\n"}
            files |= {"include from include/deep/in.lp": asp["include encoding"]}
            files |= {f"{name}/{name}": text for name, text in HONEST.items()}
            files |= {f"{main}/{name}": text for main in HONEST for name, text in PARTS.items()}
            write(folder / "class", files)
            links = {
                "include link/link.lp": resource("encodings/sudoku.lp"),
                "is link/sudoku.lp": week / "reference/sudoku.lp",
                "is link.pl/sudoku.pl": resource("prolog/programs/classic.pl"),
            }
            for name, target in links.items():
                (folder / "class" / name).parent.mkdir(exist_ok=True)
                (folder / "class" / name).symlink_to(target)
            attacks.give(folder, user)
            programs = sorted(
                each
                for each in (folder / "class").glob("*/*")
                if each.suffix in (".lp", ".pl") and each.name != "link.lp"
            )
            arguments = [part for each in programs for part in ("-e", each)]
            self.done = graded(
                *(user, level, folder, *arguments, "-i", week, "-f", "json", "--allow-scripts"),
                *options,
            )
            server.settimeout(0)
            try:
                server.accept()
                self.connected = True
            except BlockingIOError:
                self.connected = False
        self.verdicts = verdicts(self.done)
        self.temporary = Path(f"/tmp/{folder.name}-forged").exists()
        self.forged = sorted(
            str(each.relative_to(folder))
            for each in folder.rglob("*")
            if each.is_file() and each.read_text(errors="replace") == "forged"
        )

    def passed(self) -> set[str]:
        return {name for name, each in self.verdicts.items() if each["outcome"] == "success"}


QUICK = (USERS[-1], "namespaces")
CASES = [
    pytest.param(case, marks=[pytest.mark.slow] if case != QUICK else [])
    for case in product(USERS, LEVELS)
]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def attacked(request):
    user, level = request.param
    with attacks.place() as folder:
        yield user, level, Attacked(user, level, folder)


HELD = {"include encoding", "include reference", "include instance", "include neighbour"}
HELD |= {"include link", "include from include", "is link", "is link.pl", "token", "new root"}
HELD |= {"root"}
"""Rights that a program has at no level."""
SILENT = {"token", "new root", "root"}
"""Rights of `HELD` that are only missing: no message names a file outside the program's folder."""
OPEN = {"solver", "encoding", "solutions", "instance", "reference", "machine", "network"}
OPEN |= {"report", "neighbour", "temporary", "processes", "script"}
"""Rights of a Prolog program, or one with a script, without a sandbox."""
WRITING = {"report", "neighbour"}
"""Rights of `OPEN` to write to what belongs to the grader."""
THE_GRADERS = {"solutions", "instance", "reference", "script", "report", "neighbour"}
"""Rights of `OPEN` that a program of another user lacks, even without a sandbox."""


@pytest.mark.slow
def test_honest_programs_pass_and_attacks_do_what_the_documents_say(attacked):
    user, level, found = attacked
    assert set(found.verdicts) == HELD | OPEN | set(HONEST), found.done.stderr
    shown = {name: each["message"] for name, each in found.verdicts.items()}
    # Whoever root becomes may read as root does, but not write.
    theirs = OPEN - (WRITING if user == "root" else set())
    assert found.passed() == set(HONEST) | (theirs if level == "plain" else set()), shown
    assert found.connected is (level == "plain")
    assert found.temporary is (level == "plain")
    wrote = ["class/neighbour/neighbour.pl", "week/results.json"]
    assert found.forged == (wrote if level == "plain" and user != "root" else [])
    for name in HELD - SILENT:
        assert "outside" in found.verdicts[name]["message"], name


@pytest.mark.slow
@pytest.mark.skipif(USERS[0] != "root", reason="only root can run programs as another user")
@pytest.mark.parametrize("level", LEVELS)
def test_programs_that_root_runs_as_another_user(level):
    with attacks.place() as folder:
        found = Attacked("submitter", level, folder)
        shown = {name: each["message"] for name, each in found.verdicts.items()}
        open_now = OPEN - THE_GRADERS if level == "plain" else set()
        assert found.passed() == set(HONEST) | open_now, shown
        assert found.forged == []


# --- what a program leaves behind, and what it does to the grader's own files -----------------


def one(text: str, user: str, level: str, folder: Path, *options: object, **environment: str):
    """Grade a Prolog program on a whole exercise."""
    week = attacks.exercise(folder)
    write(folder, {"class/one/one.pl": text})
    attacks.give(folder, user)
    program = folder / "class/one/one.pl"
    arguments = ("-e", program, "-i", week, "-f", "json", "-t", 20, *options)
    return graded(user, level, folder, *arguments, **environment)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("user", USERS)
def test_a_child_that_leaves_the_session_ends_with_the_program(user, level):
    mark = uuid4().hex
    attack = attacks.after(
        "shell('PATH=/usr/bin:/bin; setsid sh -c \"(sleep 7777 &) ; exec sleep 8888\" &')"
    )
    with attacks.place() as folder:
        done = one(attack, user, level, folder, **{MARK: mark})
    assert verdicts(done)["one.pl"]["outcome"] == "success", done.stderr
    assert not left_of(mark)


CROWDED = """\
import os, resource
import _limited

def full():
    raise BlockingIOError(11, "Resource temporarily unavailable")

before = resource.getrlimit(resource.RLIMIT_NPROC)
if {full}:
    os.fork = full
_limited._limit_processes(5_000)  # far more than other tests have
print(resource.getrlimit(resource.RLIMIT_NPROC) == before, end="")
"""


@pytest.mark.skipif(not LINUX, reason="the limit is for Linux")
@pytest.mark.parametrize("full", [True, False])
def test_processes_of_other_containers_leave_room_for_the_program(full):
    """The kernel counts them, and they cannot be seen: then there is no limit of the kernel."""
    folder = Path(_limited.__file__).parent
    command = [sys.executable, "-c", CROWDED.format(full=full)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == str(full)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("user", USERS[::-1])
def test_processes_are_limited(user, level):
    """Each process starts another one in a session of its own, and stays."""
    if level == "plain" and os.geteuid() != 0:
        pytest.skip("the processes would be missing to other tests of the same user")
    mark = uuid4().hex
    loop = "i=0; while [ $i -lt 500 ]; do setsid sleep 9999 & i=$((i+1)); done; wait"
    bomb = f"PATH=/usr/bin:/bin; {loop}"
    with attacks.place() as folder:
        done = one(attacks.after(f"shell('{bomb}')"), user, level, folder, **{MARK: mark})
    verdict = verdicts(done)["one.pl"]
    assert verdict["outcome"] in ("error", "failure"), verdict
    assert "processes" in verdict["message"] or "fork" in verdict["message"]
    assert not left_of(mark)


FORKING = """\
import os, signal, sys
sys.path.insert(0, sys.argv[1])
import _namespaces

_namespaces.become(2_000_000_123, 5, _namespaces.DAC_READ_SEARCH)
children = []
try:
    while len(children) < 50:
        children.append(os.fork())
        if children[-1] == 0:
            signal.pause()
except BlockingIOError:
    pass
print(os.getuid(), len(children))
for each in children:
    os.kill(each, 9)
try:
    os.setuid(0)
except PermissionError:
    print("for good")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_kernel_counts_the_processes_of_whom_root_becomes():
    folder = Path(_limited.__file__).parent
    command = [sys.executable, "-c", FORKING, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["2000000123 4", "for good"]


OVERTAKEN = """
import _thread, sys
from types import SimpleNamespace
sys.path.insert(0, sys.argv[1])
import _limited

allocate, main, kill = _thread.allocate_lock, _thread.get_ident(), _limited.end_descendants
asked = allocate()
asked.acquire()

class Lock:
    def __init__(self):
        self.lock = allocate()

    def acquire(self):
        if _thread.get_ident() == main:
            asked.release()
        self.lock.acquire()

def end(process):
    kill(process)
    if _thread.get_ident() != main:
        asked.acquire()  # the main thread knows that the program has died

_limited._thread = SimpleNamespace(allocate_lock=Lock, start_new_thread=_thread.start_new_thread)
_limited.end_descendants = end
_limited._limit = lambda *_numbers: None  # the kernel's own limit comes first, except for root
_limited.main([0, 0, 0, 3], "", "", "", ["/bin/sh", "-c", "while :; do sleep 99 & done"])
"""


@pytest.mark.slow
def test_too_many_processes_are_the_reason_though_the_program_dies_of_it_first():
    folder = Path(_limited.__file__).parent
    with subprocess.Popen(
        [sys.executable, "-c", OVERTAKEN, folder],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        errors = process.stderr.read()
    assert (process.returncode, errors) == (_limited.TOO_MANY, b"over 3 processes\n")


RESULTS = "current_prolog_flag(argv, Argv), nth1(2, Argv, File), delete_file(File)"
REPLACED = {
    "link": "format(atom(Do), '/bin/ln -s {week}/solutions/ex001.json ~w', [File]), shell(Do)",
    "pipe": "format(atom(Do), '/usr/bin/mkfifo ~w', [File]), shell(Do)",
    "endless": "format(atom(Do), '/bin/ln -s /dev/zero ~w', [File]), shell(Do)",
}


@pytest.mark.one_in(8, 1)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", REPLACED)
def test_results_that_are_no_ordinary_file_are_not_read(name, level):
    with attacks.place() as folder:
        text = f":- {RESULTS}, {REPLACED[name].format(week=folder / 'week')}.\nsudoku(_) :- fail.\n"
        done = one(text, USERS[-1], level, folder)
    verdict = verdicts(done)["one.pl"]
    # The grader has opened the first file, unless the program was quicker.
    assert verdict["outcome"] in ("failure", "error"), verdict


REPLACED_ERRORS = {
    "link": "ln -sf {week}/solutions/ex001.json $TMPDIR/errors",
    "pipe": "rm $TMPDIR/errors; mkfifo $TMPDIR/errors",
    "gone": "rm $TMPDIR/errors",
}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", REPLACED_ERRORS)
def test_messages_are_read_from_no_file_that_a_program_puts_there(name, level):
    with attacks.place() as folder:
        week = folder / "week"
        text = f":- shell('{REPLACED_ERRORS[name].format(week=week)}').\n{attacks.RIGHT}"
        done = one(text + "sudoku(Rows) :- right(Rows).\n", USERS[-1], level, folder)
        solution = (week / "solutions" / "ex001.json").read_text()
    verdict = verdicts(done)["one.pl"]
    assert verdict["outcome"] == "success", verdict
    assert solution[:40] not in done.stdout


# --- what a program can say of a hidden instance ---

HIDDEN = 4711
"""The number of the hidden instance."""
LOOKS = {
    "arguments": """\
:- current_prolog_flag(argv, Argv),
   findall(Text, ( member(File, Argv), exists_file(File), \\+ atom_concat(_, '.pl', File),
                   read_file_to_string(File, Text, []) ), Texts),
   throw(found(Texts)).
""",
    "files": """\
:- getenv('TMPDIR', Folder), format(atom(Do), 'cat $(find ~w -type f)', [Folder]),
   setup_call_cleanup(open(pipe(Do), read, In), read_string(In, _, Text), close(In)),
   throw(found(Text)).
""",
    "frames": """\
value(Frame, Value) :- between(1, 8, N), prolog_frame_attribute(Frame, argument(N), Value).
value(Frame, Value) :- prolog_frame_attribute(Frame, parent, Above), value(Above, Value).
:- prolog_current_frame(Frame), findall(Value, value(Frame, Value), Values),
   format(string(Text), "~w", [Values]), throw(found(Text)).
""",
    "input": """\
:- current_prolog_flag(argv, Argv), member(Results, Argv), atom_concat(_, '/results', Results),
   setup_call_cleanup(open(Results, append, Out), writeln(Out, '["ready"]'), close(Out)),
   stream_property(In, file_no(0)), read(In, Term), throw(found(Term)).
""",
    "script": """\
#script (python)
import os, select, sys
found = [open(each).read() for each in sys.argv[1:] if os.path.isfile(each)]
for name in ("0", "3", "4", "5"):
    if select.select([int(name)], [], [], 1)[0]:
        found.append(os.read(int(name), 10000))
raise RuntimeError(str(found))
#end.
told(1).
""",
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("look", LOOKS)
def test_no_message_on_a_hidden_instance_tells_anything_of_it(look, tmp_path):
    folder = tmp_path / "exercise"
    text = "answer([told(N)]) :- hides(N)."
    files = {"exercise.pl": text, "problem.toml": 'output = ["told/1"]\ninput = ["hides/1"]'}
    write(folder, files | {"instances/hidden.lp": f"hides({HIDDEN})."})
    program = tmp_path / "own" / ("look.lp" if look == "script" else "look.pl")
    write(program.parent, {program.name: LOOKS[look]})
    settings = {"problem": folder, "sandbox": "off", "allow_scripts": look == "script"}
    (verdict,) = grade(program, "hidden", **settings)
    shown = mark("look", verdict, ["hidden"])
    assert (verdict.way, str(HIDDEN) in shown.text) == ("error", False), verdict.message
    assert verdict.flawed is (look in ("arguments", "files", "frames"))
    if verdict.flawed:
        assert "found(" in verdict.message, "it has looked"
    assert shown.message == (verdict.message if verdict.flawed else "")
    assert "ms" not in f"{write_report(Report((shown,)), 'text')}"


# --- files that are not programs --------------------------------------------------------------


def test_a_folder_may_hold_files_without_end(tmp_path, command, monkeypatch):
    (folder := tmp_path / "class").mkdir()
    (folder / "a_good.lp").write_text(RIGHT)
    os.mkfifo(folder / "b_pipe.lp")
    (folder / "c_link.lp").symlink_to("/dev/zero")
    (folder / "d_folder.lp").mkdir()
    monkeypatch.setattr("pylogic_sudoku.check.programs.PROGRAM_BYTES", 2 << 20)
    (folder / "e_large.lp").write_text(RIGHT + "%" * (2 << 20))
    (folder / "0_pipe.pl").symlink_to(folder / "b_pipe.lp")  # also the first one
    code, out, _ = command("check", "-e", folder, SEVERAL, "-f", "json")
    found = {each["program"]: each for each in map(json.loads, out.splitlines()[:-1])}
    messages = {name: each["message"].rpartition(": ")[2] for name, each in found.items()}
    assert code == 1
    assert messages == {
        "0_pipe.pl": "not a regular file",
        "a_good.lp": "",
        "b_pipe.lp": "not a regular file",
        "c_link.lp": "it is a link to a file outside its folder; --allow-read allows it",
        "d_folder.lp": "not a regular file",
        "e_large.lp": "over 2 MB",
    }
    assert {found[name]["outcome"] for name in messages if messages[name]} == {"error"}
    assert found["a_good.lp"]["outcome"] == "success"
    assert command("check", "-e", folder / "b_pipe.lp", SEVERAL)[0] == 2


def test_a_pattern_does_not_follow_links_out_of_its_folder(tmp_path, command):
    (folder := tmp_path / "class").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/theirs.lp").write_text(RIGHT)
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "own").mkdir()
    (folder / "own/mine.lp").write_text(RIGHT)
    code, out, err = command("check", "-e", f"{folder}/*/*.lp", SEVERAL)
    assert (code, out.splitlines()[-1]) == (0, "SUCCESS")
    assert "theirs.lp is not graded" in err
    assert "mine.lp" not in err


def test_a_teacher_may_let_programs_read_more(tmp_path):
    (folder := tmp_path / "class").mkdir()
    (shared := tmp_path / "shared").mkdir()
    (shared / "rules.lp").write_text(RIGHT)
    (shared / "rules.pl").write_text(attacks.RIGHT)
    programs = {
        "own.lp": '#include "../shared/rules.lp".\n',
        "own.pl": ":- include('../shared/rules').\nsudoku(Rows) :- right(Rows).\n",
    }
    write(folder, programs)
    (verdict,) = grade(folder / "own.lp", SEVERAL, sandbox="off")
    assert "outside the program's own folder" in verdict.message
    assert grade(folder / "own.lp", SEVERAL, sandbox="off", allow_read=str(shared / "rules.lp"))
    need_sandbox()
    for name in programs:
        (verdict,) = grade(folder / name, SEVERAL, sandbox="require")
        assert verdict.outcome == "error"
        assert grade(folder / name, SEVERAL, sandbox="require", allow_read=[shared])


# --- the choice of a sandbox ------------------------------------------------------------------


@pytest.fixture
def unavailable(monkeypatch):
    """Let neither bwrap nor namespaces work, as in some containers."""
    sandbox._best.cache_clear()
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    refused = {"bwrap": "Operation not permitted", "namespaces": "Operation not permitted"}
    monkeypatch.setattr(sandbox, "_failure", lambda level, user: refused.get(level, ""))
    yield
    sandbox._best.cache_clear()


def test_what_is_missing_is_said_once(unavailable, tmp_path, command):
    (tmp_path / "own.lp").write_text(RIGHT)
    asked = ("check", "-e", tmp_path / "own.lp", SEVERAL)
    done = invoke(*asked)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "SUCCESS")
    (said,) = done.stderr.splitlines()
    assert said.startswith("No sandbox: bwrap (the package bubblewrap) is not installed; ")
    assert "namespaces does not work (Operation not permitted)" in said
    code, out, err = command(*asked, "--sandbox", "require")
    assert (code, out) == (3, "")
    assert "there is no sandbox here" in err
    assert invoke(*asked, "--sandbox", "off").stderr == ""
    with pytest.raises(BackendUnavailable):
        grade(tmp_path / "own.lp", SEVERAL, sandbox="require")


def test_prolog_without_rights_is_not_warned_of(unavailable, monkeypatch):
    warnings = {}
    for native, installed in ((True, True), (False, False), (False, True)):
        monkeypatch.setattr(sandbox, "_swipl", lambda native=native: ["swipl"] * native)
        monkeypatch.setattr(sandbox.wasm, "is_installed", lambda installed=installed: installed)
        warnings[native, installed] = sandbox.describe(sandbox.sandbox())
    sealed = warnings.pop((False, True))
    assert sealed.endswith(
        "Scripts have all rights of their user; Prolog programs run as WebAssembly and have none."
    )
    for warning in warnings.values():
        assert warning.endswith(" Prolog programs and scripts have all rights of their user.")


def test_settings_that_cannot_be(tmp_path, command):
    (tmp_path / "own.lp").write_text(RIGHT)
    asked = ("check", "-e", tmp_path / "own.lp", SEVERAL)
    assert command(*asked, "--sandbox", "maybe")[0] == 2
    code, _, err = command(*asked, "--user", "there-is-nobody-of-this-name")
    assert code == 2
    assert "there is no user" in err
    (tmp_path / "exercise.toml").write_text('sandbox = "off"\n')
    code, _, err = command("check", "-e", tmp_path / "own.lp", "-i", tmp_path)
    assert (code, "only the command line" in err) == (2, True)


@pytest.mark.slow
def test_names_of_files_are_no_markup(tmp_path, command):
    names = ["[red]a.lp", "[link=b]b.lp", "c[bold].lp"]
    write(tmp_path, dict.fromkeys(names, RIGHT))
    code, out, err = command("check", "-e", tmp_path, SEVERAL)
    assert (code, err) == (0, "")
    assert all(name in out for name in names), out


@pytest.mark.slow
@LINUX
def test_a_changed_program_of_the_page_runs_in_the_sandbox(tmp_path):
    """It reads a file of this machine only without a sandbox."""
    need_sandbox()
    (secret := tmp_path / "secret").write_text("x")
    text = resource("prolog/programs/classic.pl").read_text()
    files = {
        "programs/classic.pl": f"{text}\n:- exists_file('{secret}') -> true ; throw(hidden).\n"
    }
    for options, outcome in ((["--sandbox", "off"], "success"), ([], "error")):
        with served("--run-programs", *options) as (address, _):
            asked = {"engine": "prolog:classic", "files": files, "timeout": PATIENCE}
            status, answer = ask(address, "run", puzzle=SEVERAL, **asked)
            assert (status, answer.get("outcome")) == (200, outcome), answer
