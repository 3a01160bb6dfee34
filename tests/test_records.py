"""The log of compare: no record is ever lost, and no other file is mistaken for a log."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from helpers.command_line import FOUR, MODULE, environment
from helpers.processes import soon

PUZZLES = [FOUR, "12..34......4321", "11.............."]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text("".join(f"{puzzle}\n" for puzzle in PUZZLES))
    return tmp_path


def numbers(text: bytes) -> list[int]:
    """The numbers of the records; every line is a whole one."""
    assert text.endswith(b"\n")
    found = map(json.loads, text.splitlines())
    return [each["number"] for each in found if "summary" not in each]


@pytest.mark.parametrize("content", [b"My thesis\nis long\n", b"{", b"\0", b'{"number": 1}\n'])
def test_a_file_that_is_not_empty_is_refused_and_stays(command, content):
    Path("mine").write_bytes(content)
    assert command("compare", "--json", "mine", FOUR) == (
        2,
        "",
        "Error: mine: it exists and is not empty; give another name\n",
    )
    assert Path("mine").read_bytes() == content


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


@pytest.mark.one_in(3)
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
    assert printed[-1].startswith("worst for ")


# --- kill -9 ----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_that_is_killed_loses_no_record():
    Path("p.txt").write_text(f"{FOUR}\n" * 100_000)
    compare = [*MODULE, "compare", "--json", "log", "p.txt"]
    with subprocess.Popen(compare, env=environment(), stdout=subprocess.DEVNULL) as process:
        assert soon(lambda: Path("log").exists() and Path("log").read_bytes().count(b"\n") >= 100)
        process.kill()
    whole, end, _ = Path("log").read_bytes().rpartition(b"\n")
    found = numbers(whole + end)
    assert found == list(range(1, len(found) + 1))
    assert len(found) >= 100
