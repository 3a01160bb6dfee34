"""Output streams that are full or closed, and files: never incomplete, nor over what is needed."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shlex
import signal
import subprocess
import sys
from functools import partial
from io import BufferedWriter, FileIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from helpers.command_line import FOUR, MODULE, environment
from helpers.processes import PATIENCE, ended, soon, terminal
from helpers.puzzles import DIABOLICAL, EMPTY, SMALL
from helpers.small_programs import RIGHT

from pylogic_sudoku import Grid
from pylogic_sudoku.cli import output as _waiting
from pylogic_sudoku.draw import Picture
from pylogic_sudoku.running.workers import Budget

FULL = "Error: standard output cannot be written: No space left on device\n"
CLOSED = "Error: standard output cannot be written: Bad file descriptor\n"

COMMANDS = [
    f"solve {FOUR}",
    "solve --jobs 2 -n 0 -f line ................",
    f"count {FOUR}",
    f"certify {SMALL}",
    f"explain rate {SMALL}",
    f"compare {FOUR}",
    "doctor",
    "--help",
    "--version",
]


def shell(arguments: str, redirections: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command with its streams redirected like this."""
    command = ["bash", "-c", f'"$@" {redirections}', "bash", *MODULE, *arguments.split()]
    return ended(*command, env=environment(**settings))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_full_disk_is_one_line_and_exit_code_6(arguments):
    done = shell(arguments, "> /dev/full")
    assert (done.returncode, done.stderr) == (6, FULL)


@pytest.mark.parametrize("arguments", [COMMANDS[0], f"show {FOUR}", "--help"])
def test_a_standard_output_that_was_closed_is_the_same(arguments):
    done = shell(arguments, ">&-")
    assert (done.returncode, done.stderr) == (6, CLOSED)


@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code", "answer"), [(f"count 12 {FOUR}", 2, "3\n"), ("--nonsense", 2, "")]
)
def test_messages_that_cannot_be_written_change_nothing(arguments, code, answer, redirection):
    done = shell(arguments, redirection)
    assert (done.returncode, done.stdout, done.stderr) == (code, answer, "")


def test_all_streams_closed():
    assert shell(f"solve {FOUR}", "<&- >&- 2>&-").returncode == 6
    done = shell("count -", "<&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be read: Bad file descriptor\n" in done.stderr


def test_no_message_ends_in_a_file_that_took_the_place_of_a_closed_stream(tmp_path):
    log = tmp_path / "log.jsonl"
    done = shell(f"compare --json {log} 12 {FOUR}", "<&- >&- 2>&-")
    assert done.returncode == 6
    lines = log.read_text().splitlines()
    assert [line[:12] for line in lines] == ['{"number": 1', '{"summary": ']


@pytest.mark.parametrize("arguments", ["--help", "doctor", f"solve {FOUR}"])
def test_a_reader_that_has_gone_is_not_an_error(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [*MODULE, *arguments.split()], env=environment(), stdout=pipe, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_slow_reader_of_a_pipe_that_does_not_block_gets_everything():
    code = "import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])"
    solve = ["solve", "-n", "3000", "-f", "json", "--box", "2x3", "." * 36]
    with subprocess.Popen(
        [MODULE[0], "-c", code, *MODULE, *solve],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err, out.count(b"[[")) == (0, b"", 3001)
    assert len(out) > 2**18, "more than a pipe holds"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_says_what_takes_long_until_it_has_ended(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(_waiting, "QUIET", 1e6)
    assert list(_waiting.patient(iter("ab"), "puzzle 1")) == ["a", "b"]
    assert screen.getvalue() == ""
    monkeypatch.setattr(_waiting, "QUIET", 0)
    budget = Budget("clingo", None)
    budget.turn_to("looking for pairs")
    with _waiting.waiting("puzzle 2"), budget:
        assert soon(lambda: "puzzle 2: looking for pairs … " in screen.getvalue())
    assert screen.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("seconds", "left"),
    [
        (0.5, ""),
        (10, ", about 30 s left"),
        (60, ", about 3 min left"),
        (4000, ", about 3 h 20 min left"),
    ],
)
def test_a_long_run_tells_how_much_is_done_and_how_long_the_rest_takes(monkeypatch, seconds, left):
    now = 100.0
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(_waiting, "monotonic", lambda: now)
    pace = _waiting.Pace(lambda: 20_000)
    assert pace.at(0) == "1 of 20,000: "
    now += seconds
    assert pace.at(5_000) == f"5,001 of 20,000{left}: "
    assert _waiting.Pace(lambda: 1).at(0) == ""
    assert _waiting.Pace(lambda: None).at(7) == ""


def test_a_run_is_not_counted_where_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", StringIO())
    assert _waiting.Pace(pytest.fail).at(3) == ""


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("generate 3", "3/3|/s|0:00:0"),
        (f"certify -o a.jsonl {SMALL} {FOUR}", "2/2"),
    ],
)
def test_a_terminal_shows_how_far_it_is_if_the_answers_go_elsewhere(command, shown):
    line = f"{shlex.join(MODULE)} {command} > /dev/null"
    child = terminal("bash", "-c", line, env=environment(TERM="xterm"), encoding="utf-8")
    assert re.search(shown, child.read())


def test_a_command_that_takes_long_says_so_and_ctrl_c_ends_it():
    code = "from pylogic_sudoku import cli; cli.output.QUIET = 0.2; cli.main()"
    shown = terminal(sys.executable, "-c", code, "count", EMPTY, env=environment(TERM="xterm"))
    shown.expect("puzzle 1: clingo is searching .* s")
    shown.sendintr()
    assert shown.read().decode().endswith("Interrupted.\r\n")
    shown.wait()
    assert shown.exitstatus == 130


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("solve -o x.txt many.txt", "of 3,000"),
        ("convert -o x.csv many.txt", "of 3,000"),
        ("count -o x.txt many.txt", "of 3,000"),
        ("propagate -o x.txt many.txt", "of 3,000"),
        (f"explain steps -o x.html {DIABOLICAL}", "puzzle 1"),
        (f"explain rate -o x.json {DIABOLICAL} {DIABOLICAL}", "puzzle 1"),
        ("explain rate -o x.json many.txt", "many.txt, line"),
        ("check -e my.lp many.txt -o x.txt --no-times", "my.lp"),
        ("exercise new week3", "trying typical wrong programs"),
    ],
)
def test_a_terminal_is_never_silent_for_long_wherever_the_answers_go(command, shown):
    # Each answer takes no time, and none of them appears on the terminal.
    Path("many.txt").write_text(f"{FOUR}\n" * 3_000)
    Path("my.lp").write_text(RIGHT)
    code = "from pylogic_sudoku.cli import main, output as o; o.QUIET, o.ATTENTION = 0, 0; main()"
    arguments = shlex.split(command)
    child = terminal(sys.executable, "-c", code, *arguments, env=environment(TERM="xterm"))
    child.expect(rf"\x1b\[2K[^\r]*{re.escape(shown)}")
    child.kill(signal.SIGKILL)


def test_what_is_printed_replaces_the_line():
    code = (
        "import sys; from threading import Event; from pylogic_sudoku.cli import output as o\n"
        "o.QUIET, o.ATTENTION = 0, 0.001; o.watch()\n"
        "with o.waiting('work'):\n"
        "    for _ in range(200):\n"
        "        Event().wait(0.002)\n"
        "        print('answer', flush=True)\n"
    )
    child = terminal(sys.executable, "-c", code, env=environment(TERM="xterm"), encoding="utf-8")
    lines = child.read().split("\r\n")
    assert len(lines) == 201
    assert all(line.rpartition("\x1b[2K")[2] == "answer" for line in lines[:-1])
    assert lines[-1] == "" or lines[-1].endswith("\r\x1b[2K")
    assert any("work … 0 s" in line for line in lines)


# === Files that commands write: never incomplete, and never over something that is needed =========

PICTURE = Picture(Grid.parse(FOUR))
DRAWN = PICTURE.to_svg() + "\n"


def failing(error: BaseException):
    def fail(*_arguments: object) -> None:
        raise error

    return fail


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names() -> set[str]:
    return {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_failure_half_way_leaves_the_old_file(monkeypatch, step, error):
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, step, failing(error))
    with pytest.raises(type(error)) as caught:
        PICTURE.save("x.svg")
    if isinstance(error, OSError):
        assert caught.value.filename == "x.svg"
    assert names() == {"x.svg"}
    assert Path("x.svg").read_text() == "old"
    with pytest.raises(type(error)):
        PICTURE.save("new.svg")
    assert names() == {"x.svg"}


def test_a_file_keeps_its_mode_and_a_link_its_target():
    Path("real.svg").write_text("old")
    Path("real.svg").chmod(0o640)
    Path("link.svg").symlink_to("real.svg")
    Path("dangling.svg").symlink_to("made.svg")
    PICTURE.save("link.svg")
    PICTURE.save("dangling.svg")
    assert Path("link.svg").is_symlink()
    assert Path("real.svg").stat().st_mode & 0o777 == 0o640
    assert [Path(f"{name}.svg").read_text() for name in ("real", "made")] == [DRAWN] * 2
    umask = os.umask(0)
    os.umask(umask)
    assert Path("made.svg").stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EACCES])
def test_a_file_that_cannot_be_replaced_is_written_in_its_place(monkeypatch, number):
    """The file is a mount of its own, or its folder is closed to us."""
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, "replace", failing(OSError(number, "no")))
    PICTURE.save("x.svg")
    assert names() == {"x.svg"}
    assert Path("x.svg").read_text() == DRAWN


def test_a_file_that_is_read_only_stays(monkeypatch):
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    with pytest.raises(PermissionError, match=r"x\.svg"):
        PICTURE.save("x.svg")
    assert Path("x.svg").read_text() == "old"


def test_devices_and_pipes_are_written_to_and_not_replaced(command):
    Path("null.svg").symlink_to("/dev/null")
    PICTURE.save("null.svg")
    assert Path("null.svg").is_char_device()
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert command("convert", "-f", "line", "-o", "pipe", FOUR) == (0, "", "")
    assert os.read(reader, 100) == f"{FOUR}\n".encode()
    os.close(reader)
    assert Path("pipe").is_fifo()
    Path("full.svg").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        PICTURE.save("full.svg")
    assert caught.value.filename == "full.svg"


# --- the commands -----------------------------------------------------------------------

READ = "is read as input; give the output another name"


@pytest.mark.parametrize("target", ["p.txt", "soft.txt", "hard.txt"])
@pytest.mark.parametrize(
    "arguments",
    [
        "show p.txt -o",
        f"show {FOUR} --solution p.txt -o",
        "explain p.txt -o",
        f"explain {FOUR} p.txt -o",
        "compare p.txt --json",
        f"convert -f line {FOUR} p.txt -o",
    ],
)
def test_no_command_writes_over_what_it_reads(command, arguments, target):
    Path("p.txt").write_text(FOUR)
    Path("soft.txt").symlink_to("p.txt")
    os.link("p.txt", "hard.txt")
    code, out, err = command(*arguments.split(), target)
    assert (code, out) == (2, "")
    assert err.endswith(f"Error: {target} {READ}\n")
    assert Path("p.txt").read_text() == FOUR
    assert names() == {"p.txt", "soft.txt", "hard.txt"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("source", ["-", "/dev/stdin"])
@pytest.mark.parametrize("arguments", ["show -o", "convert -f line -o", "compare --json"])
def test_nor_over_its_standard_input(arguments, source):
    Path("p.txt").write_text(FOUR)
    with open("p.txt") as file:
        done = ended(*MODULE, *arguments.split(), "p.txt", source, env=environment(), stdin=file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: p.txt {READ}\n")
    assert Path("p.txt").read_text() == FOUR


# --- exercises --------------------------------------------------------------------------


def exercises() -> list[str]:
    return sorted(str(path) for path in Path("ex").glob("*/*"))


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_an_exercise_that_cannot_be_written_leaves_no_half(command, monkeypatch, written):
    replace, room = os.replace, iter(range(written))

    def until_full(*paths: object) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(*paths)

    monkeypatch.setattr(os, "replace", until_full)
    code, out, err = command("exercise", "solutions", "ex", FOUR, FOUR)
    whole = written // 2
    files = [f"ex/instances/ex00{n + 1}.lp" for n in range(whole)]
    assert (code, out.splitlines()) == (6, files)
    assert err.count("\n") == 1
    assert err.endswith("No space left on device\n")
    assert exercises() == files + [f"ex/solutions/ex00{n + 1}.json" for n in range(whole)]


def interrupted(monkeypatch, write):
    write()
    monkeypatch.undo()
    raise KeyboardInterrupt


def test_what_was_written_as_ctrl_c_came_is_not_written_again(tmp_path, monkeypatch):
    monkeypatch.setattr(_waiting._status, "make_way", partial(interrupted, monkeypatch))
    file = tmp_path / "a.txt"
    raw = _waiting._Stream(lambda: FileIO(file, "wb"), "", terminal=True)
    stream = TextIOWrapper(BufferedWriter(raw), "utf-8")
    stream.write("one\n")
    with pytest.raises(KeyboardInterrupt):
        stream.flush()
    stream.write("two\n")
    stream.close()
    assert file.read_text() == "one\ntwo\n"


def test_a_text_that_passes_the_buffer_by_is_not_taken_for_the_one_before(tmp_path, monkeypatch):
    text = b"x" * 10_000
    file = tmp_path / "a.txt"
    stream = BufferedWriter(
        _waiting._Stream(lambda: FileIO(file, "wb"), "", terminal=True)  # type: ignore[arg-type]
    )
    monkeypatch.setattr(_waiting._status, "make_way", partial(interrupted, monkeypatch))
    with pytest.raises(KeyboardInterrupt):
        stream.write(text)
    stream.write(text)
    stream.close()
    assert file.read_bytes() == text + text


def test_ctrl_c_at_any_moment_of_a_write_leaves_room_for_the_words_about_it(tmp_path):
    watched = {_waiting.__file__, contextlib.__file__}

    def trace(frame, event, _value):
        nonlocal left
        if frame.f_code.co_filename not in watched:
            return None
        left -= event != "line"  # Python handles signals as calls begin and end
        if not left and event != "line":
            raise KeyboardInterrupt
        return trace

    errors = []  # what they hold is not freed, as in the command that reports one of them
    for moment in range(1, 1000):
        left = moment
        raw = _waiting._Stream(lambda: FileIO(tmp_path / "a.txt", "wb"), "", terminal=True)
        sys.settrace(trace)
        try:
            raw.write(b"one\n")
        except KeyboardInterrupt as error:
            errors.append(error)
        finally:
            sys.settrace(None)
        assert not _waiting._status._lock.locked(), moment
        if left > 0:
            break
    assert len(errors) == moment - 1 > 3
