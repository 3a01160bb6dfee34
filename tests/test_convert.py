"""The command `convert`: any format to any other, one puzzle or many, files written safely."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from itertools import product
from xml.etree import ElementTree

import pytest
from helpers.command_line import FOUR, MODULE, environment, invoke, run
from helpers.fakes import Planted
from helpers.processes import PATIENCE
from helpers.puzzles import PRINTED

from pylogic_sudoku import BackendUnavailable, Grid, engines, formats, read_puzzles
from pylogic_sudoku.commands._output import ONE_EACH

NINES = list(map(Grid.parse, PRINTED))
SIXES = [Grid.parse(f"{digit}{'.' * 34}6", box=(2, 3)) for digit in "123"]
FORMATS = [name for name in formats.FORMATS if name != "pencil"]
"""Without pencil marks: a cell with one candidate is read as a given."""
MANY = sorted(set(FORMATS) - set(ONE_EACH))


def convert(*arguments: object, stdin: str = ""):
    return invoke("convert", *arguments, stdin=stdin)


@pytest.fixture
def lines(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("# a collection\n" + "".join(f"{grid}\n" for grid in NINES))
    return file


@pytest.mark.parametrize("source", FORMATS)
def test_any_format_becomes_any_other(source):
    for form, grid in product(formats.FORMATS, (NINES[0], SIXES[0])):
        box = "x".join(map(str, grid.box))
        done = convert("-f", form, "--from", source, "--box", box, grid.format(source))
        assert (done.exit_code, done.stdout, done.stderr) == (0, f"{grid.format(form)}\n", "")


@pytest.mark.parametrize("grids", [NINES, SIXES])
@pytest.mark.parametrize("form", MANY)
def test_many_puzzles_can_be_read_again(form, grids, tmp_path):
    box = grids[0].box
    there, back = tmp_path / "there.txt", tmp_path / "back.txt"
    there.write_text("".join(f"{grid}\n" for grid in grids))
    shape = ["--box", "x".join(map(str, box))]
    assert convert("-f", form, "-o", back, *shape, there).exit_code == 0
    assert list(read_puzzles(back, form, box)) == grids
    done = convert("-f", form, *shape, there)
    assert done.stdout == back.read_text()
    assert convert("-f", "line", "--from", form, *shape, back).stdout == there.read_text()


@pytest.mark.parametrize("command", ["convert", "solve"])
def test_tables_and_files_of_xml_have_one_head(command, lines):
    head, *rows = csv.reader(run(command, "-f", "csv", lines).stdout.splitlines())
    assert (head, len(rows)) == (["puzzle"], len(NINES))
    xml = ElementTree.fromstring(run(command, "-f", "opensudoku", lines).stdout)
    assert [len(game.get("data")) for game in xml.findall("game")] == [81] * len(NINES)


def test_json_is_one_object_a_line(lines):
    objects = map(json.loads, convert("-f", "json", lines).stdout.splitlines())
    assert [Grid.from_rows(each["grid"]) for each in objects] == NINES


@pytest.mark.parametrize("form", ONE_EACH)
def test_formats_with_one_puzzle_a_file_refuse_several(form, lines, tmp_path):
    target = tmp_path / "target"
    for command in (
        ["convert", lines],
        ["convert", "-o", target, lines],
        ["solve", lines],
        ["solve", "-n", 0, FOUR],
    ):
        done = invoke(*command, "-f", form)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"a file of the format {form} holds one puzzle, but there are several" in done.stderr
    assert not target.exists()
    assert convert("-f", form, "-o", target, FOUR).exit_code == 0
    assert Grid.parse(target.read_text()) == Grid.parse(FOUR)


@pytest.mark.parametrize(
    ("ending", "form"),
    [("csv", "csv"), ("LP", "facts"), ("pl", "prolog"), ("jsonl", "json"), ("txt", "line")],
)
def test_the_ending_of_the_file_names_the_format(ending, form, tmp_path):
    target, grid = tmp_path / f"a.{ending}", Grid.parse(FOUR)
    done = convert("-o", target, FOUR)
    assert (done.exit_code, done.output) == (0, "")
    assert target.read_text() == grid.format(form) + "\n"
    convert("-f", "rows", "-o", target, FOUR)
    assert target.read_text() == grid.format("rows") + "\n"


@pytest.mark.parametrize("place", [[], ["-o", "puzzle.sudoku"], ["-o", "puzzle"]])
def test_a_format_must_be_named(place):
    done = convert(*place, FOUR)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give -f FORMAT, or -o FILE with one of the endings .ss, .sdk, .csv" in done.stderr


def test_sources_are_files_standard_input_and_literals_in_their_order(lines):
    done = convert("-f", "line", FOUR, lines, "-", stdin=NINES[0].format("pretty"))
    assert done.stdout.split() == [FOUR, *map(str, NINES), str(NINES[0])]
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_puzzle_that_cannot_be_read_costs_only_itself(lines, tmp_path):
    lines.write_text(f"{NINES[0]}\n{NINES[0]}.\n{NINES[1]}\n")
    target = tmp_path / "a.csv"
    done = convert("-o", target, lines)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{lines}, line 2: the line has 82 characters")
    assert list(read_puzzles(target)) == NINES[:2]


def test_without_a_puzzle_to_write_a_file_stays_as_it_was(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("mine")
    assert convert("-o", target, "no puzzle").exit_code == 2
    assert target.read_text() == "mine"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_a_source_is_not_overwritten(lines, tmp_path):
    text = lines.read_text()
    other = tmp_path / "other.csv"
    other.symlink_to(lines)
    for target in (lines, other, tmp_path / "." / "lines.txt"):
        done = convert("-o", target, FOUR, lines)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{target} is read as input; give the output another name" in done.stderr
    command = [*MODULE, "convert", "-o", str(lines), "-"]
    with lines.open() as stdin:
        done = subprocess.run(command, stdin=stdin, capture_output=True, env=environment())
    assert (done.returncode, done.stdout) == (2, b"")
    assert lines.read_text() == text


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    target = tmp_path / "no-folder" / "a.csv"
    done = run("convert", "-o", target, FOUR)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{target}: No such file or directory" in done.stderr


def test_facts_for_asplain():
    done = convert("-f", "facts", "--removable", FOUR)
    assert done.stdout.rstrip() == Grid.parse(FOUR).format("facts", removable=True)
    assert done.stdout.count("% @removable\ninitial(") == 3


@pytest.mark.parametrize("command", ["convert", "solve"])
def test_puzzles_are_read_and_written_as_they_come(command):
    line, pipe = [*MODULE, command, "-f", "line", "-"], subprocess.PIPE
    with subprocess.Popen(
        line, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1, env=environment()
    ) as process:
        for puzzle, answer in PRINTED.items():
            process.stdin.write(f"{puzzle}\n")
            assert (
                process.stdout.readline().strip() == {"convert": puzzle, "solve": answer}[command]
            )
        process.stdin.write("1.2\n")
        process.stdin.close()
        assert process.wait(PATIENCE) == 2


def test_a_file_of_solutions_is_closed_even_if_the_engine_goes_missing(command, monkeypatch):
    def gone(puzzle, _right):
        if puzzle != NINES[0]:
            raise BackendUnavailable("it has gone")
        yield puzzle

    monkeypatch.setitem(engines._made, "prolog", Planted(gone))
    code, out, err = command("solve", "-b", "prolog", "-f", "opensudoku", *map(str, NINES[:2]))
    assert (code, err) == (3, "Error: it has gone\n")
    assert len(ElementTree.fromstring(out).findall("game")) == 1
