"""The log of compare: no record is ever lost, and no other file is mistaken for a log."""

from __future__ import annotations

import json
import os
import random
import subprocess
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from helpers.command_line import FOUR, MODULE, environment
from helpers.processes import soon

from pylogic_sudoku.commands._records import Log

PUZZLES = [FOUR, "12..34......4321", "11.............."]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text("".join(f"{puzzle}\n" for puzzle in PUZZLES))
    return tmp_path


def record(number: int, puzzle: str = FOUR, **more: object) -> dict[str, object]:
    return {
        "number": number,
        "where": f"p.txt, line {number}",
        "box": [2, 2],
        "puzzle": puzzle,
        "seconds": {"clingo": 0.001, "prolog": 0.002},
        "counts": {"clingo": 3, "prolog": 3},
        "outcome": "several",
        **more,
    }


def lines(*records: dict[str, object]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def numbers(text: bytes) -> list[int]:
    """The numbers of the records; every line is a whole one."""
    assert text.endswith(b"\n")
    found = map(json.loads, text.splitlines())
    return [each["number"] for each in found if "summary" not in each]


# --- one run after another --------------------------------------------------------------


def test_a_resumed_log_only_grows(command):
    everything = Path("p.txt").read_text()
    Path("p.txt").write_text(PUZZLES[0])
    assert command("compare", "--json", "log", "p.txt")[0] == 0
    for text, number in ((everything[:34], 2), (everything, 3), (everything, 3)):
        Path("p.txt").write_text(text)
        before = Path("log").read_bytes()
        assert command("compare", "--resume", "log", "p.txt")[0] == 0
        after = Path("log").read_bytes()
        assert after.startswith(before)
        assert numbers(after) == list(range(1, number + 1))
        assert json.loads(after.splitlines()[-1])["summary"]["puzzles"] == number
    assert after.count(b'{"summary": ') == 4


def test_resume_without_a_log_begins_one(command):
    assert command("compare", "--resume", "log", "p.txt")[0] == 0
    assert numbers(Path("log").read_bytes()) == [1, 2, 3]


def test_a_line_that_was_cut_off_anywhere_is_written_anew():
    kept = lines(record(1), {"summary": {"puzzles": 1}})
    for last in (record(2), {"summary": {"puzzles": 1}}):
        line = lines(last)
        for length in range(len(line) + 1):
            Path("log").write_bytes(kept + line[:length])
            whole = "number" in last and length >= len(line) - 1
            with Log("log", resume=True) as log:
                found = list(log.earlier())
                assert found == [record(1), record(2)][: 1 + whole]
                assert Path("log").read_bytes() == kept + line[:length], "nothing is written yet"
                log.write(record(9))
            parts = [record(1), {"summary": {"puzzles": 1}}]
            parts += [last] if length >= len(line) - 1 else []
            assert Path("log").read_bytes() == lines(*parts, record(9))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("--json log p.txt", "it exists and is not empty; --resume log continues that run, or"),
        ("--resume log --json other p.txt", "--resume FILE appends to FILE; it does not go with"),
        (f"--resume log {PUZZLES[0]}", "its number 2 is 12..34......4321 with 2x2 boxes, but here"),
        (f"--resume log {PUZZLES[0]} {PUZZLES[0]}", f"2x2 boxes, but here it is {PUZZLES[0]} with"),
        ("--resume log none.txt", "but here there are fewer puzzles"),
        ("--resume pipe p.txt", "pipe: --resume needs an ordinary file"),
    ],
)
def test_what_is_refused_changes_no_log(command, arguments, complaint):
    os.mkfifo("pipe")
    command("compare", "--json", "log", "p.txt")
    before = Path("log").read_bytes()
    code, out, err = command("compare", *arguments.split())
    assert (code, out) == (2, "")
    assert complaint in err
    assert Path("log").read_bytes() == before
    assert not Path("other").exists()


def test_a_log_of_other_box_shapes_is_refused(command):
    six = "1" + "." * 35
    command("compare", "-n", "2", "--json", "log", "--box", "2x3", six)
    before = Path("log").read_bytes()
    code, _, err = command("compare", "-n", "2", "--resume", "log", "--box", "3x2", six)
    assert (code, Path("log").read_bytes()) == (2, before)
    assert f"{six} with 2x3 boxes, but here it is {six} with 3x2 boxes" in err


@pytest.mark.parametrize(
    ("outcome", "code"),
    [("disagreement", 5), ("error", 3), ("timed out", 4), ("several", 0), ("none", 0)],
)
def test_earlier_records_count_for_the_exit_code(command, outcome, code):
    Path("log").write_bytes(lines(record(1, outcome=outcome), record(2)))
    assert command("compare", "--resume", "log", FOUR, FOUR, FOUR)[0] == code


def test_two_runs_do_not_write_to_one_log(command):
    with Log("log", resume=False) as log:
        log.write(record(1))
        for option in ("--resume", "--json"):
            code, _, err = command("compare", option, "log", "p.txt")
            assert (code, err) == (2, "Error: log: another run is writing to it\n")
    assert Path("log").read_bytes() == lines(record(1))


# --- files that are not a log ------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"My thesis\nis long\n", 1),
        (b"My thesis", 1),
        (b"{", None),
        (b'{"grid": [[1]]}\n', 1),
        (b'{"number": 1}\n', 1),
        (b"[1, 2]\n", 1),
        (b"\0\0\0", 1),
        (bytes(range(256)) * 1000, 1),
        (b'{"number": \xff\xfe}\n', 1),
        (b'{"number": ' + b"[" * 100_000 + b"\n", 1),
        (lines(record(1)) + b"My notes\n", 2),
        (lines(record(1)) + b"My notes", 2),
        (lines(record(1))[:50] + b"\n" + lines(record(1)), 1),
        (lines(record(1, seconds={"clingo": "1"})), 1),
        (lines(record(1, outcome="fine")), 1),
    ],
)
def test_a_file_that_is_not_a_log_is_refused_and_stays(command, content, line):
    Path("mine").write_bytes(content)
    if line:
        assert command("compare", "--resume", "mine", *[FOUR] * 3) == (
            2,
            "",
            f"Error: mine: line {line} is not a record that compare --json wrote\n",
        )
    code, out, err = command("compare", "--json", "mine", FOUR)
    assert (code, out) == (2, "")
    assert "mine: it exists and is not empty; " in err
    assert err.endswith("give another name\n")
    assert Path("mine").read_bytes() == content


def test_a_log_with_a_gap_is_refused(command):
    Path("log").write_bytes(content := lines(record(1), record(3)))
    code, _, err = command("compare", "--resume", "log", FOUR, FOUR, FOUR)
    assert (code, err) == (2, "Error: log: line 2 has number 3, but 2 was expected\n")
    assert Path("log").read_bytes() == content


def test_an_empty_file_is_a_new_log(command):
    Path("log").touch()
    assert command("compare", "--json", "log", "none.txt")[0] == 2
    assert Path("log").read_bytes() == b"", "no puzzle, no summary"
    assert command("compare", "--json", "log", "p.txt")[0] == 0
    assert numbers(Path("log").read_bytes()) == [1, 2, 3]


# --- full disks and devices -------------------------------------------------------------


def test_a_full_disk_is_one_line_after_the_table(command):
    code, out, err = command("compare", "--json", "/dev/full", "p.txt")
    assert (code, err) == (6, "Error: /dev/full: No space left on device\n")
    assert "puzzles" in out


def test_devices_and_pipes_take_records(command):
    assert command("compare", "--json", "/dev/null", "p.txt")[0] == 0
    assert Path("/dev/null").is_char_device()
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert command("compare", "--json", "pipe", "p.txt")[0] == 0
    assert numbers(os.read(reader, 100_000)) == [1, 2, 3]
    os.close(reader)


@pytest.mark.parametrize("redirection", ["> out", "| cat > out", ">> out"])
def test_records_and_table_both_reach_standard_output(redirection):
    Path("out").write_text("" if redirection != ">> out" else "earlier\n")
    compare = ["compare", "--json", "/dev/stdout", "p.txt"]
    subprocess.run(
        ["bash", "-c", f'"$@" {redirection}', "bash", *MODULE, *compare],
        env=environment(),
        check=True,
    )
    printed = Path("out").read_text().removeprefix("earlier\n").splitlines()
    assert [line[:12] for line in printed[:4]] == [
        *(f'{{"number": {n}' for n in (1, 2, 3)),
        '{"summary": ',
    ]
    assert "puzzles" in printed[5]
    assert printed[-1].startswith("worst for sat: ")


# --- interrupts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        ((), ["No record of this run is kept. With --json FILE it could be continued."]),
        (("--json", "log"), ["To continue this run: --resume log"]),
        (("--resume", "log"), ["To continue this run: --resume log"]),
        (("--json", "/dev/null"), []),
    ],
)
def test_an_interrupted_run_says_how_it_continues(command, monkeypatch, arguments, advice):
    from pylogic_sudoku.commands import compare

    def interrupted(*given, **named):
        yield from islice(whole(*given, **named), 2)
        raise KeyboardInterrupt

    whole = compare.Run.answers
    monkeypatch.setattr(compare.Run, "answers", interrupted)
    code, out, err = command("compare", *arguments, "p.txt")
    assert (code, err.split("\n")) == (130, [*advice, "", "Interrupted.", ""])
    assert "worst for clingo" in out
    if "log" in arguments:
        assert numbers(Path("log").read_bytes()) == [1, 2]


# --- kill -9 ----------------------------------------------------------------------------


def resumed_and_killed(times: int, earlier: int, more: int) -> None:
    """Kill a run that resumes a log, first when it begins to write, then later; then let it end."""
    Path("p.txt").write_text(f"{FOUR}\n" * (earlier + more))
    numbered = (lines(record(number)) for number in range(1, earlier + 1))
    Path("log").write_bytes(b"".join(numbered))
    compare = [*MODULE, "compare", "--resume", "log", "p.txt"]
    moments = random.Random(1)
    for number in range(times):
        before, unchanged = Path("log").read_bytes(), os.stat("log").st_mtime_ns
        with subprocess.Popen(compare, env=environment(), stdout=subprocess.DEVNULL) as process:
            written = partial(soon, lambda before=unchanged: os.stat("log").st_mtime_ns != before)
            assert written()
            if number:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(moments.uniform(0, 0.2))
            process.kill()
        after = Path("log").read_bytes()
        whole, end, cut = before.rpartition(b"\n")
        assert after.startswith(whole + end)
        whole, end, cut = after.rpartition(b"\n")
        assert numbers(whole + end) == list(range(1, len(numbers(whole + end)) + 1))
        assert b"}" not in cut[-1:]
    subprocess.run(compare, env=environment(), stdout=subprocess.DEVNULL, check=True)
    assert numbers(Path("log").read_bytes()) == list(range(1, earlier + more + 1))


def test_a_run_that_is_killed_loses_no_record():
    resumed_and_killed(times=2, earlier=2_000, more=100)


@pytest.mark.slow
def test_a_run_that_is_killed_loses_none_of_many_records():
    resumed_and_killed(times=2, earlier=200_000, more=500)
