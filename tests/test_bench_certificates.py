"""The command that certifies collections: its records, how a run goes on, and what it reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.puzzles import PRINTED, SMALL, TWO
from test_certificate_tampered import PUZZLES

from benchmarks.certificates import __main__ as command
from benchmarks.certificates import checkers, run
from pylogic_sudoku.proofs import Certificate, certify

LINES = [SMALL, TWO, SMALL.replace(".", "4", 1), *PRINTED]
CLAIMS = ["unique", "several", "none", "unique", "unique", "unique", "unique"]


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{line}\n" for line in LINES))
    return path


@pytest.fixture
def log(tmp_path) -> Path:
    return tmp_path / "log.jsonl"


def records(log: Path) -> list[dict]:
    head, *lines = log.read_text().splitlines()
    assert "puzzles" in json.loads(head)
    return [json.loads(line) for line in lines]


def refused_usage(capsys, *arguments: object) -> str:
    with pytest.raises(SystemExit) as ended:
        command.main([str(each) for each in arguments])
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_each_puzzle_has_a_record_and_all_a_summary(file, log, capsys):
    code = command.main([str(file), "--check=python", "--check=dratify", f"--json={log}"])
    assert code == 0
    found = records(log)
    assert [each["claim"] for each in found] == CLAIMS
    assert [each["puzzle"] for each in found] == [f"puzzles.txt {n}" for n in range(1, 8)]
    for line, each in zip(LINES, found, strict=True):
        certificate = certify(line)
        assert (each["lemmas"], each["bytes"]) == (
            len(certificate.lemmas),
            len(certificate.drat()),
        )
        assert set(each["seconds"]) == {
            "made by clingo",
            "checked by python",
            "checked by dratify",
        }
        assert each["refused"] == {}
    summary = capsys.readouterr().out
    assert "7 certificates: 5 unique, 1 several, 1 none\nrefused: none;" in summary


def test_two_processes_find_the_same(file, log):
    assert command.main([str(file), "--jobs=2", f"--json={log}"]) == 0
    assert [each["claim"] for each in records(log)] == CLAIMS


@pytest.mark.parametrize("cut", [1, 20])
def test_a_run_goes_on_where_it_stopped(file, log, cut, monkeypatch):
    arguments = [str(file), f"--json={log}"]
    asked = []

    def interrupted(item, **options):
        if len(asked) == 3:
            raise KeyboardInterrupt
        asked.append(item.where)
        return run.record(item, **options)

    monkeypatch.setattr(command, "record", interrupted)
    assert command.main(arguments) == 130
    assert len(records(log)) == 3
    log.write_bytes(log.read_bytes()[:-cut])  # as if the machine had stopped
    asked = ["", ""]
    monkeypatch.setattr(command, "record", run.record)
    before = log.read_bytes()
    assert command.main(arguments) == 0
    assert [each["claim"] for each in records(log)] == CLAIMS
    assert log.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    whole = log.read_bytes()
    assert command.main(arguments) == 0
    assert log.read_bytes() == whole


def test_the_records_of_another_run_are_left_alone(file, log, capsys):
    for content in ("not ours", "not\nours\n"):
        log.write_text(content)
        assert "another run" in refused_usage(capsys, file, "--json", log)
        assert log.read_text() == content
    log.unlink()
    command.main([str(file), f"--json={log}"])
    whole = log.read_text()
    for other in ("--check=dratify", "--puzzles=3", "--seed=2"):
        assert "another run" in refused_usage(capsys, file, "--json", log, other)
        assert log.read_text() == whole


def test_a_sample_is_the_same_each_time_and_in_order(file, log):
    logs = [log.with_name(f"{number}.jsonl") for number in range(3)]
    for path, seed in zip(logs, (1, 1, 3), strict=True):
        command.main([str(file), "--puzzles=4", f"--seed={seed}", f"--json={path}"])
    one, again, other = ([each["puzzle"] for each in records(path)] for path in logs)
    assert one == again != other
    assert one == sorted(one)
    assert len(one) == 4


def test_what_is_refused_is_reported(file, log, capsys, monkeypatch):
    def without_last(*arguments) -> Certificate:
        made = certify(*arguments)
        return replace(made, lemmas=made.lemmas[:-1])

    monkeypatch.setattr(run, "certify", without_last)
    needed = [n for n, line in enumerate(LINES, 1) if certify(line).lemmas]
    assert command.main([str(file), "--check=python", "--check=dratify", f"--json={log}"]) == 1
    found = records(log)
    assert [n for n, each in enumerate(found, 1) if each["refused"]] == needed
    for each in found:
        assert set(each["refused"]) in (set(), {"python", "dratify"})
    said = capsys.readouterr().out
    assert f"refused: {len(needed)} python, {len(needed)} dratify" in said
    assert f"puzzles.txt {needed[0]}: " in said


def test_a_puzzle_without_a_certificate_is_reported(file, log, capsys):
    assert command.main([str(file), "--timeout=0.000001", f"--json={log}"]) == 1
    assert all("no answer within" in each["error"] for each in records(log))
    assert "without a certificate: 7" in capsys.readouterr().out


def test_the_checkers_judge_what_was_tampered_with(tmp_path, capsys, monkeypatch):
    file = tmp_path / "hard.txt"
    file.write_text("\n".join(PUZZLES[:2]))
    arguments = [str(file), "--tamper=10", "--check=python", "--check=dratify"]
    assert command.main(arguments) == 0
    *_, total = capsys.readouterr().out.splitlines()
    assert total.split()[:2] == ["all", "10"]
    assert total.split()[-2:] == ["0", "0"]
    monkeypatch.setitem(checkers.CHECKERS, "dratify", lambda *_: None)  # accepts anything
    assert command.main(arguments) == 1
    *_, total = capsys.readouterr().out.splitlines()
    differ, untrue = map(int, total.split()[-2:])
    assert differ >= 6
    assert untrue >= 2


def test_wrong_input_is_refused_before_anything_is_written(file, log, capsys, monkeypatch):
    monkeypatch.setattr(checkers, "which", lambda _name: None)
    for message, *arguments in (
        ("drat-trim is missing", file, "--check=drat-trim"),
        ("No such file or directory", file.with_name("nothing.txt")),
        ("is not a whole number over 0", file, "--jobs=0"),
        ("invalid choice", file, "--check=nobody"),
    ):
        assert message in refused_usage(capsys, *arguments, "--json", log)
    file.write_text(f"{SMALL}\n{TWO}\n")
    assert "expected different puzzles" in refused_usage(capsys, file, "--tamper=5")
    for content, message in (("", "text is empty"), (f"{SMALL}5\n", "17 characters")):
        file.write_text(content)
        assert message in refused_usage(capsys, file, "--json", log)
    assert not log.exists()


def test_the_figures_of_a_summary():
    made = {"claim": "unique", "refused": {}}
    some = [
        {**made, "lemmas": n, "bytes": 1000 * n, "seconds": {"made by clingo": n / 1000}}
        for n in range(1, 101)
    ]
    bad = [{"puzzle": "a 1", "error": "out of time"}]
    assert list(run.summary(some + bad)) == [
        "100 certificates: 100 unique",
        "refused: none; without a certificate: 1",
        "                            median      95 %      most",
        "lemmas                          50        95       100",
        "bytes                       50,000    95,000   100,000",
        "ms made by clingo             50.0      95.0     100.0",
    ]
    assert next(run.summary([])) == "0 certificates: none"
