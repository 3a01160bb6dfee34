"""The commands that solve and count puzzles, those with regions and marks too, and all messages."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import pytest
from helpers.command_line import FOUR, PUZZLE, SOLUTION, invoke, run, started
from helpers.fakes import Planted
from helpers.kinds import PUZZLES, known
from helpers.processes import PATIENCE, ended
from helpers.programs import WASM
from helpers.puzzles import EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, SolveTimeout, formats, read_puzzles
from pylogic_sudoku import questions as api
from pylogic_sudoku.cli import _solve
from pylogic_sudoku.cli.output import ONE_EACH
from pylogic_sudoku.engines.sudoku import choice
from pylogic_sudoku.formats import as_puzzle
from pylogic_sudoku.rules import KillerCage

FOUR_SOLUTIONS = {"1234341223414123", "1234341243212143", "1234342143122143"}
NONE = "11.............."
SIX = "1....6" + "." * 24 + "6....1"


def test_all_engines_are_those_that_are_installed(monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.running.prolog._spec", lambda: None)
    monkeypatch.setattr("pylogic_sudoku.running.wasm.stands_in", lambda: False)
    ran = invoke("solve", "-b", "all", "-n", "1", "-f", "line", "4......3...13...")
    assert (ran.exit_code, ran.stdout) == (0, "4312124324313124\n")
    assert ran.stderr.startswith("prolog is not installed, so it is not asked; ")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nope", "`pylogic-sudoku programs` lists the programs"),
        ("classic", "did you mean prolog:classic?"),
        ("sat", "sat has no program: it solves clauses"),
    ],
)
def test_a_name_of_no_program_is_explained(name, complaint):
    ran = invoke("program", name)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert complaint in ran.stderr


def test_a_script_on_standard_input_has_worker_processes():
    script = (
        'import pylogic_sudoku as pls\nprint(*pls.solve_many(["4......3...13..."] * 3, jobs=2))\n'
    )
    done = ended(sys.executable, "-", input=script)
    assert (done.returncode, done.stdout) == (0, "4312124324313124 " * 2 + "4312124324313124\n")
    assert done.stderr == ""


def test_a_file_that_gzip_has_compressed_is_read(tmp_path):
    file = tmp_path / "many.csv.gz"
    with gzip.open(file, "wt") as text:
        text.write(f"puzzle,name\n{FOUR},a\n{FOUR},b\n")
    assert list(read_puzzles(file)) == [Grid.parse(FOUR)] * 2
    assert invoke("count", file).stdout == "3\n3\n"
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(InvalidPuzzle, match="compressed by gzip, and damaged"):
        list(read_puzzles(file))
    assert "compressed by gzip, and damaged" in invoke("count", file).stderr


@pytest.mark.parametrize("magic", [b"PK\3\4\x80", b"\x89PNG", b"\xff\xd8\xff", b"%PDF-\x80"])
def test_files_that_are_not_text_are_named(magic, tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_bytes(magic + b"\xff\xff")
    with pytest.raises(InvalidPuzzle, match=r"this is an? .*, which is not read"):
        list(read_puzzles(file))


def test_a_path_is_not_taken_for_a_puzzle(tmp_path):
    with pytest.raises(InvalidPuzzle, match=r"a path: read_puzzles\('p\.txt'\) yields"):
        pls.solve(Path("p.txt"))


# --- solve ------------------------------------------------------------------------------


def test_solve_a_file_of_many_with_bad_lines_among_them(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text(f"# puzzles\n{PUZZLE}\n{PUZZLE[:-1]}\n{SOLUTION}\n?{PUZZLE[1:]}\n{PUZZLE}\n")
    done = run("solve", "-f", "line", file)
    assert done.stdout.splitlines() == [SOLUTION, "", SOLUTION, "", SOLUTION]
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"{file}, line 3: the line has 80 characters; expected 81 for 9x9 (16 for 4x4,"
        " 256 for 16x16, or n * n with the box shape given)",
        f"{file}, line 5: unknown character '?' at position 1 (r1c1); expected 1 to 9,"
        " or one of .0_*xX- for an empty cell",
    ]


def test_solve_json_is_one_object_a_puzzle(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text(f"{FOUR}\nbad\n{NONE}\n")
    done = run("solve", "-n", "0", "-f", "json", "-b", "all", file)
    solved, bad, unsolvable = map(json.loads, done.stdout.splitlines())

    assert solved["where"] == f"{file}, line 1"
    assert Grid.parse(json.dumps(solved["puzzle"])) == Grid.parse(FOUR)
    assert [str(Grid.from_rows(rows)) for rows in solved["solutions"]] == sorted(FOUR_SOLUTIONS)
    assert set(solved["seconds"]) == {"clingo", "prolog", "sat", *WASM}
    assert bad["where"] == f"{file}, line 2"
    assert bad["error"].startswith("the line has 3 characters")
    assert (unsolvable["where"], unsolvable["solutions"]) == (f"{file}, line 3", [])
    assert done.returncode == 2


def test_solve_tells_versions_and_times():
    done = run("solve", "-b", "all", "--time", "-f", "line", PUZZLE)
    assert (done.returncode, done.stdout) == (0, f"{SOLUTION}\n")
    clingo, prolog, sat, *others, agree = done.stderr.splitlines()
    assert re.fullmatch(r"clingo \d+\.\d+\.\d+: \d+\.\d ms", clingo)
    assert re.fullmatch(r"prolog \(SWI-Prolog\) \d+\.\d+\.\d+: \d+\.\d ms", prolog)
    assert re.fullmatch(r"sat \(CaDiCaL\) 1\.9\.5 \(python-sat [\w.]+\): \d+\.\d ms", sat)
    assert [each.partition(" ")[0] for each in others] == WASM
    assert agree == f"All {3 + len(WASM)} engines agree."


# --- whether there are more solutions ----------------------------------------------------


NOTE = "there are more solutions; -n 0 finds all, -n 1 drops this note\n"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("backend", "jobs"), [("clingo", "1"), ("prolog", "1"), ("all", "1"), ("all", "2")]
)
def test_solve_says_that_there_are_more_solutions(backend, jobs):
    done = invoke("solve", "-b", backend, "-f", "line", "--jobs", jobs, FOUR, PUZZLE, EMPTY)
    assert (done.exit_code, done.stdout.count("\n")) == (0, 3)
    assert done.stderr == f"puzzle 1: {NOTE}puzzle 3: {NOTE}"


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
@pytest.mark.parametrize(
    "arguments",
    [["-n", "1"], ["-n", "2"], ["-f", "json"], ["--box", "2x5", "." * 100]],
)
def test_solve_says_nothing_if_nobody_wants_to_know(backend, arguments):
    done = invoke("solve", "-b", backend, *arguments, *([] if "--box" in arguments else [FOUR]))
    assert (done.exit_code, done.stderr) == (0, "")


def slow(error: type[Exception]) -> Planted:
    """Gives one solution and fails at the next."""

    def answers(puzzle, _right):
        yield pls.solve(puzzle)
        raise error("slow", 1)

    return Planted(answers, "slow")


@pytest.mark.parametrize("error", [pls.SolveTimeout, pls.BackendFailure])
def test_a_failed_look_for_more_leaves_the_answer_alone(error):
    first, end = _solve(pls.Grid.parse(FOUR), (slow(error),), 1, 1.0, look=True, threads=1)
    assert first == pls.solve(FOUR)
    assert end.more is False


@pytest.mark.parametrize(("puzzle", "look"), [(EMPTY, False), ("." * 256, True)])
def test_solve_looks_for_more_only_if_that_is_quick_and_wanted(puzzle, look):
    found = list(_solve(pls.Grid.parse(puzzle), (slow(AssertionError),), 1, None, look, 1))
    assert len(found) == 2


# --- count ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "backend"),
    [
        *(
            pytest.param(command, backend, marks=pytest.mark.slow)
            for command in ("solve -n 0 -f line", "solve -n 0 -f json", "count")
            for backend in ("clingo", "prolog", "all")
        ),
        ("certify -f json", "clingo"),
    ],
)
def test_jobs_change_neither_the_answers_nor_their_order(tmp_path, command, backend):
    times = 2 if "certify" in command else 15  # a proof takes a process
    lines = [FOUR, NONE, "foo", "12..34......4321", PUZZLE] * times
    (tmp_path / "puzzles.txt").write_text("\n".join(lines))
    arguments = [*command.split(), "-b", backend, "puzzles.txt"]
    alone, shared = run(*arguments, cwd=tmp_path), run(*arguments, "--jobs", "2", cwd=tmp_path)
    seconds = r'"seconds": {[^}]*}|^.*no solution.*\n|^.*the line has.*\n'
    assert re.sub(seconds, "", shared.stdout) == re.sub(seconds, "", alone.stdout)
    assert sorted(shared.stderr.splitlines()) == sorted(alone.stderr.splitlines())
    assert shared.returncode == alone.returncode == 2
    assert alone.stdout.count("\n") >= 4 * times


def test_count_says_why_a_puzzle_has_no_solution():
    done = run("count", FOUR, NONE, PUZZLE)
    assert done.stdout.split() == ["3", "0", "1"]
    assert done.stderr == "puzzle 2: no solution; r1c1 and r1c2 both hold 1 (row 1, box 1)\n"
    assert done.returncode == 1


def test_count_stops_at_a_limit():
    done = run("count", "--limit", "7", "-f", "json", "-b", "all", EMPTY, FOUR)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["count"] for answer in told] == [7, 3]
    assert [answer["where"] for answer in told] == ["puzzle 1", "puzzle 2"]
    assert done.returncode == 0


@pytest.mark.parametrize(
    "source", [PUZZLE, Grid.parse(PUZZLE).format("fpuzzles-link"), "xx..." * 3 + "x"]
)
def test_a_puzzle_is_not_taken_for_a_file(source):
    assert invoke("convert", "-f", "line", source).stdout.rstrip() in (PUZZLE, "." * 16)


def test_a_file_of_any_name_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("puzzles", "README", PUZZLE):
        (tmp_path / name).write_text(f"{PUZZLE}\n")
        assert invoke("count", "-f", "json", name).stdout.startswith(f'{{"where": "{name}, line 1"')


# === Puzzles with regions and marks, as our own JSON ==============================================

REGIONS = ["1112", "1222", "3343", "4344"]
GRID = Grid.of([(1, 1, 1), (3, 3, 4)], (2, 2))
JIGSAW = pls.Puzzle(GRID, REGIONS, {"r1c2": "odd", "r4c4": "even"}, title="A/jigsaw.txt")
ANSWER = Grid.parse("1324423121433412")
OPEN = pls.Puzzle(GRID, REGIONS)
NO_ANSWER = JIGSAW.with_(r1c2=4)
TEXT = json.dumps(JIGSAW.to_json())


def called(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    done = invoke(*arguments, stdin=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def lines(*puzzles: pls.Puzzle) -> str:
    return "".join(json.dumps(puzzle.to_json()) + "\n" for puzzle in puzzles)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
def test_every_kind_of_puzzle_is_solved_and_counted(backend):
    asked = [each.to_puzzle() for each in PUZZLES.values() if each.size < 7]
    stdin = lines(*asked)
    _, out, _ = called("solve", "-n", 0, "-f", "json", "-b", backend, "-", stdin=stdin)
    for puzzle, line in zip(asked, out.splitlines(), strict=True):
        told = json.loads(line)
        found = {tuple(chain(*rows)) for rows in told.pop("solutions")}
        assert found == {grid.digits for grid in known(puzzle)}
        assert pls.Puzzle.parse(json.dumps(told)) == puzzle
    _, out, _ = called("count", "-b", backend, "--from", "json", "-", stdin=stdin)
    assert [*map(int, out.split())] == [len(known(puzzle)) for puzzle in asked]


def test_solutions_are_drawn_with_their_regions():
    out = called("solve", "-n", 0, lines(OPEN), FOUR)[1].rstrip("\n").split("\n\n")
    drawn = {pls.Puzzle(grid, REGIONS).format("pretty") for grid in pls.solutions(OPEN)}
    plain = {grid.format("pretty") for grid in pls.solutions(FOUR)}
    assert set(out) == drawn | plain
    assert len(out) == len(drawn) + 3


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_count_and_compare_take_json_lines(tmp_path, jobs):
    many, log = tmp_path / "many.jsonl", tmp_path / "log.jsonl"
    many.write_text(lines(JIGSAW, OPEN, NO_ANSWER))
    number = pls.count(OPEN)
    assert number > 1
    code, out, err = called("count", "-b", "all", "--jobs", jobs, many)
    assert (code, out, err) == (1, f"1\n{number}\n0\n", f"{many}, line 3: no solution\n")
    code, out, err = called("compare", "--jobs", jobs, "--json", log, many)
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in log.read_text().splitlines()][:-1]
    assert [record["outcome"] for record in records] == ["unique", "several", "none"]
    found = [pls.Puzzle.parse(json.dumps(record["puzzle"])) for record in records]
    assert found == [JIGSAW, OPEN, NO_ANSWER]
    worst = out.partition("worst for clingo: ")[2].splitlines()[0]
    assert worst.startswith(f"{many}, line ") or Grid.parse(worst) in found


def test_a_title_alone_leaves_a_puzzle_a_line(tmp_path):
    titled, log = json.dumps(pls.Puzzle(FOUR, title="Plain").to_json()), tmp_path / "log"
    assert called("compare", "--json", log, titled)[0] == 0
    assert json.loads(log.read_text().splitlines()[0])["puzzle"] == FOUR
    code, out, _ = called("convert", "-f", "json", titled)
    assert (code, json.loads(out)["title"]) == (0, "Plain")
    assert called("show", titled)[1].startswith("Plain\n")


def test_disagreements_are_reported_with_the_puzzle(monkeypatch):
    liar = Planted(
        lambda _puzzle, _right: [
            Grid(tuple([2, 1, 4, 3][d - 1] for d in ANSWER.digits), ANSWER.box)
        ]
    )
    monkeypatch.setitem(choice._engines, "prolog", liar)
    code, out, _ = called("compare", TEXT)
    assert code == 5
    pasted = out.partition("solve -n 0 -b all '")[2].partition("'\n")[0]
    assert pls.Puzzle.parse(pasted) == JIGSAW
    assert "swipl" not in out


class Melted(pls.SudokuError):
    """The engine has melted."""

    exit_code = 9


def test_an_error_of_somebody_else_ends_the_command_with_its_own_exit_code(monkeypatch):
    def melt(_puzzle, _right):
        raise Melted("it has melted")

    monkeypatch.setitem(choice._engines, "prolog", Planted(melt))
    for command in ("solve", "count"):
        code, out, err = called(command, "-b", "prolog", TEXT)
        assert (code, out) == (9, ""), command
        assert err.endswith("it has melted\n")
    assert called("solve", "-b", "prolog", TEXT, "nonsense")[0] == 9


def test_a_jigsaw_is_converted():
    assert called("convert", "-f", "json", TEXT) == (0, f"{TEXT}\n", "")
    code, out, err = called("convert", "-f", "line", "-", stdin=lines(JIGSAW))
    assert (code, out) == (2, "")
    assert "standard input, line 1: this puzzle has regions and marks, which 'line' cannot" in err
    tiny = '{"box": [1, 1], "grid": [[1]]}'
    assert called("convert", "-f", "line", "-", stdin=f"{TEXT}\n{tiny}")[1] == "1\n"


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("question", ["why r1c2", "why-not r1c2 1", "steps", "rate", ""])
def test_a_jigsaw_is_explained(question, form):
    code, out, err = called("explain", *question.split(), "-f", form, TEXT)
    assert (code, err) == (0, "")
    assert all(
        json.loads(line)["where"] == "puzzle 1" for line in out.splitlines() * (form == "json")
    )


def test_prolog_gets_the_puzzle(monkeypatch):
    started = []
    monkeypatch.setattr("pylogic_sudoku.engines.sudoku.prompt.run", started.append)
    called("program", "prolog", "--open", TEXT)
    called("program", "prolog", "--open", "--from", "line", FOUR)
    assert started == [JIGSAW, Grid.parse(FOUR)]


# === The command convert: any format to any other, one puzzle or many, files written safely =======

NINES = list(map(Grid.parse, PRINTED))
SIXES = [Grid.parse(f"{digit}{'.' * 34}6", box=(2, 3)) for digit in "123"]
FORMATS = [name for name in formats.FORMATS if name != "pencil"]
"""Without pencil marks: a cell with one candidate is read as a given."""
HOLD_MANY = sorted(set(FORMATS) - set(ONE_EACH))


def convert(*arguments: object, stdin: str = ""):
    return invoke("convert", *arguments, stdin=stdin)


@pytest.fixture
def collection(tmp_path):
    file = tmp_path / "collection.txt"
    file.write_text("# a collection\n" + "".join(f"{grid}\n" for grid in NINES))
    return file


@pytest.mark.parametrize("source", FORMATS)
def test_any_format_becomes_any_other(source):
    for form, grid in product(formats.FORMATS, (NINES[0], SIXES[0])):
        box = "x".join(map(str, grid.box))
        done = convert("-f", form, "--from", source, "--box", box, grid.format(source))
        assert (done.exit_code, done.stdout, done.stderr) == (0, f"{grid.format(form)}\n", "")


@pytest.mark.parametrize("grids", [NINES, SIXES])
@pytest.mark.parametrize("form", HOLD_MANY)
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


def test_tables_have_one_head(collection):
    head, *rows = csv.reader(run("convert", "-f", "csv", collection).stdout.splitlines())
    assert (head, rows) == (["puzzle"], [[str(grid)] for grid in NINES])
    head, *rows = csv.reader(run("solve", "-f", "csv", collection).stdout.splitlines())
    assert head == ["puzzle", "solution"]
    assert rows == [[puzzle, PRINTED[puzzle]] for puzzle in map(str, NINES)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_lines_and_rows_of_a_table_pair_with_the_input(jobs, tmp_path):
    solved = Grid.parse("4......3...13...")
    caged = Puzzle(solved, rules=[KillerCage("r1c1 r1c2", sum=7)])
    source, table = tmp_path / "many.txt", tmp_path / "x.csv"
    source.write_text("\n".join([str(solved), NONE, "1.2", str(solved), caged.format("json")]))
    answer = "4312124324313124"
    ran = invoke("solve", "-f", "line", "--jobs", jobs, source)
    assert (ran.exit_code, ran.stdout.split("\n")) == (2, [answer, "", "", answer, answer, ""])
    assert invoke("solve", "--jobs", jobs, "-o", table, source).exit_code == 2
    assert list(csv.reader(table.read_text().splitlines())) == [
        ["puzzle", "solution"],
        [str(solved), answer],
        [NONE, ""],
        ["", ""],
        [str(solved), answer],
        [caged.format("json"), answer],
    ]
    source.write_text(f"{caged.format('json')}\n" * 2)
    assert invoke("solve", "-o", table, source).exit_code == 0
    assert [as_puzzle(each) for each in read_puzzles(table)] == [caged] * 2


def test_a_slip_in_the_input_leaves_the_output_as_it_was(tmp_path):
    """Nothing is printed if nothing can be read, and a file that is not there has no row."""
    table, source = tmp_path / "x.csv", tmp_path / "p.txt"
    table.write_text("precious\n")
    source.write_text(f"foo\n{FOUR}\n")
    for wrong in ("typo.txt", "foo"):
        assert invoke("solve", wrong, "-o", table).exit_code == 2
        assert table.read_text() == "precious\n"
    assert invoke("solve", "-n", 1, source, "typo.txt", "-o", table).exit_code == 2
    rows = list(csv.reader(table.read_text().splitlines()))
    assert [row[0] for row in rows] == ["puzzle", "", FOUR]


def test_standard_input_may_be_compressed():
    command = [sys.executable, "-m", "pylogic_sudoku", "solve", "-f", "line", "-n", "1", "-"]
    done = subprocess.run(command, input=gzip.compress(FOUR.encode()), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout) == 17


def test_a_line_is_empty_if_time_ran_out(monkeypatch):
    def late(*_arguments: object) -> Iterator[Grid]:
        raise SolveTimeout("clingo", 1.0)
        yield

    monkeypatch.setattr(api, "solutions", late)
    ran = invoke("solve", "-f", "line", FOUR, FOUR)
    assert (ran.exit_code, ran.stdout) == (4, "\n\n")


@pytest.mark.parametrize("ending", ["png", "svg", "html", "pdf", "csv", "xml", "json", "lp", "zip"])
def test_the_ending_of_a_file_decides_or_is_refused(ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = {
        "solve": {"png", "svg", "html", "pdf", "xml", "zip"},
        "convert": {"png", "svg", "html", "pdf", "xml", "zip"},
        "compare": set(ENDINGS_TRIED) - {"json"},
        "count": set(ENDINGS_TRIED) - {"json"},
        "propagate": set(ENDINGS_TRIED) - {"json"},
        "trace": set(ENDINGS_TRIED) - {"json"},
        "certify": set(ENDINGS_TRIED) - {"json"},
        "explain": set(ENDINGS_TRIED) - {"png", "svg", "html", "pdf", "json"},
        "show": set(ENDINGS_TRIED) - {"png", "svg", "html", "pdf"},
        "program asp": set(ENDINGS_TRIED) - {"lp"},
        "programs": set(ENDINGS_TRIED),
        "rules": set(ENDINGS_TRIED),
        "doctor": set(ENDINGS_TRIED),
    }
    for command, endings in refused.items():
        if ending in endings:
            puzzle = [] if command in ("programs", "rules", "doctor") else [FOUR]
            ran = invoke(*command.split(), *puzzle, "-o", f"a.{ending}")
            assert (ran.exit_code, ran.stdout) == (2, ""), command
            assert f"'a.{ending}' should end in one of " in ran.stderr
            assert not os.listdir(tmp_path)


ENDINGS_TRIED = ("png", "svg", "html", "pdf", "csv", "xml", "json", "lp", "zip")


@pytest.mark.parametrize("form", ONE_EACH)
def test_formats_with_one_puzzle_a_file_refuse_several(form, collection, tmp_path):
    target = tmp_path / "target"
    for command in (
        ["convert", collection],
        ["convert", "-o", target, collection],
        ["solve", collection],
        ["solve", "-n", 0, FOUR],
    ):
        done = invoke(*command, "-f", form)
        assert done.exit_code == 2
        assert f"a file of the format {form} holds one puzzle, but there are several" in done.stderr
    assert Grid.parse(target.read_text()) == NINES[0]
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


@pytest.mark.parametrize("place", [[], ["-o", "puzzle.txt2"], ["-o", "puzzle"]])
def test_a_format_must_be_named(place):
    done = convert(*place, FOUR)
    assert (done.exit_code, done.stdout) == (2, "")
    asks = "(give -f FORMAT, or -o FILE with|should end in) one of (the endings )?.ss, .sdk, .csv"
    assert re.search(asks, done.stderr)


def test_sources_are_files_standard_input_and_literals_in_their_order(collection):
    stdin = f"\ufeff{NINES[0].format('pretty')}\n"
    done = convert("-f", "line", FOUR, collection, "none.txt", "-", stdin=stdin)
    assert done.stdout.split() == [FOUR, *map(str, NINES), str(NINES[0])]
    assert (done.exit_code, done.stderr) == (2, "none.txt: there is no such file\n")


@pytest.mark.parametrize("command", ["convert", "solve"])
def test_puzzles_are_read_and_written_as_they_come(command):
    with started(command, "-f", "line", "-", stdin=subprocess.PIPE, bufsize=1) as process:
        for puzzle, answer in PRINTED.items():
            process.stdin.write(f"{puzzle}\n")
            assert (
                process.stdout.readline().strip() == {"convert": puzzle, "solve": answer}[command]
            )
        process.stdin.write("1.2\n")
        process.stdin.close()
        assert process.wait(PATIENCE) == 2


def test_more_solutions_are_not_mentioned_if_nobody_wants_to_know():
    loud, quiet = run("solve", "-f", "line", FOUR), run("solve", "-q", "-f", "line", FOUR)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, loud.stdout, "")
    assert "there are more solutions" in loud.stderr


def test_several_puzzles_are_drawn_on_a_sheet_and_one_alone(tmp_path):
    file = tmp_path / "x.svg"
    texts = [grid.format("json") for grid in SIXES]
    assert called("show", "-o", file, *texts) == (0, "", "")
    assert len(re.findall("<svg [^>]* x=", file.read_text())) == 3
    assert called("show", "--solve", "-o", file, texts[0], "nonsense", texts[1])[0] == 2
    assert len(re.findall("<svg [^>]* x=", file.read_text())) == 2
    assert called("show", "-o", file, texts[0]) == (0, "", "")
    assert file.read_text() == pls.draw.Picture(SIXES[0]).to_svg() + "\n"
