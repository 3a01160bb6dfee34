"""The grader's verdicts, asked from Python."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import check_programs as programs
import pytest
from puzzles import COUNTS, IMPOSSIBLE, PRINTED, SEVERAL

from pylogic_sudoku import Grid
from pylogic_sudoku.check import Exercise, Verdict, Vocabulary, grade
from pylogic_sudoku.resources import resource
from pylogic_sudoku.toplevel import swipl

MANY = [puzzle for puzzle, number in COUNTS.items() if number > 100]
UNIQUE, UNIQUE_SOLUTION = next(iter(PRINTED.items()))
PUZZLES = [SEVERAL, *MANY, UNIQUE, IMPOSSIBLE]
NUMBERS = [2, 125, 176, 1, 0]
LINUX = pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(),
    reason="Linux alone tells by /proc which processes are left behind",
)


@pytest.fixture(scope="module")
def exercise(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("exercise")
    made = Exercise(folder)
    for puzzle in PUZZLES:
        made.add(puzzle, f"a puzzle with {COUNTS.get(puzzle, 1)} solutions")
    return folder


@pytest.fixture
def program(tmp_path):
    def write(text: str, name: str = "my.lp") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def verdicts(program: Path, exercise: Path, **options: object) -> list[Verdict]:
    return list(grade(program, exercise / "instances", exercise / "solutions", **options))


def one(program: Path, exercise: Path, number: int = 1, **options: object) -> Verdict:
    """The verdict on the instance with two solutions, or on another one."""
    instance = exercise / "instances" / f"ex{number:03}.lp"
    (verdict,) = grade(program, instance, exercise / "solutions", **options)
    return verdict


def running(word: str) -> list[str]:
    """The commands of all processes that have this word in theirs."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if word in command and process.name != str(os.getpid()):
            found.append(command)
    return found


def ends(word: str) -> bool:
    """True if no process has this word in its command, at the latest when a kill has worked."""
    for _ in range(200):
        if not running(word):
            return True
        time.sleep(0.05)
    return False


# --- right programs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (programs.RIGHT, {}),
        (programs.PAIRWISE, {"vocabulary": "sudoku"}),
        (programs.PAIRWISE.replace("sudoku", "numberAt"), {"vocabulary": "numberAt"}),
        ("\ufeff" + programs.RIGHT.replace("\n", "\r\n"), {}),
        (programs.RIGHT.replace("1..9", "1..size"), {"constants": ["size=9"]}),
        (programs.RIGHT + "#show initial/3. #show digit/1. #show seven : digit(7).", {}),
    ],
    ids=["initial", "sudoku", "numberAt", "mark and CRLF", "constant", "more shown"],
)
def test_right_asp(program, exercise, text, options):
    found = verdicts(program(text), exercise, **options)
    assert [verdict.instance for verdict in found] == ["ex001", "ex002", "ex003", "ex004", "ex005"]
    assert [(v.outcome, v.answers, v.message) for v in found] == [
        ("success", number, "") for number in NUMBERS
    ]


@pytest.mark.parametrize("name", ["sudoku", "solve"])
def test_right_prolog(program, exercise, name):
    text = programs.PROLOG.replace("sudoku(", f"{name}(")
    found = verdicts(program(text, "my.pl"), exercise, predicate=name)
    assert [(v.outcome, v.answers, v.message) for v in found] == [
        ("success", number, "") for number in NUMBERS
    ]


@pytest.mark.parametrize("against", ["clingo", "prolog", "all"])
def test_our_own_engines_are_the_reference(program, exercise, against):
    file = program(programs.RIGHT)
    found = list(grade(file, exercise / "instances", against=against))
    assert [(v.outcome, v.answers) for v in found] == [("success", number) for number in NUMBERS]


def test_a_program_that_includes_another_and_names_that_clash(program, exercise, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rules.lp").write_text(programs.RIGHT)
    (tmp_path / "clingo.py").write_text("raise SystemExit('not what the grader imports')")
    assert one(program('#include "parts/rules.lp".'), exercise).passed
    assert one(program('\ufeff#include "parts/rules.lp".', "marked.lp"), exercise).passed


def test_other_names_of_atoms(program, exercise, tmp_path):
    file = program(programs.RIGHT.replace("initial", "hint").replace("sudoku", "place"))
    words = {"vocabulary": Vocabulary("hint", "place")}
    assert one(file, exercise, **words).passed, "the instance is renamed"
    instance = tmp_path / "ex001.lp"
    instance.write_text(
        (exercise / "instances" / "ex001.lp").read_text().replace("initial", "hint")
    )
    (verdict,) = grade(file, instance, exercise / "solutions", **words)
    assert verdict.passed, "the instance is as the program wants it"


# --- wrong ones -------------------------------------------------------------------------


def test_missing_boxes(program, exercise):
    text = programs.CHOICE + programs.GIVENS + programs.ROWS + programs.COLUMNS + programs.SHOW
    verdict = one(program(text), exercise, 4)
    assert (verdict.outcome, verdict.answers) == ("failure", 925)
    assert verdict.message == "stopped after 925 answers, so that missing ones are not counted"
    assert verdict.extra in (924, 925)
    assert verdict.missing == 0, "not known, as the answers were cut off"
    assert verdict.extra_grid is not None
    first = verdict.extra_grid.conflicts()[0]
    assert verdict.rule == str(first)
    assert [house.split()[0] for house in first.houses] == ["box"]


@pytest.mark.parametrize(
    ("parts", "kinds"),
    [
        ([programs.GIVENS, programs.COLUMNS, programs.BOXES], {"row"}),
        ([programs.GIVENS, programs.ROWS, programs.BOXES], {"column"}),
    ],
)
def test_missing_rows_or_columns(program, exercise, parts, kinds):
    verdict = one(program(programs.CHOICE + "".join(parts) + programs.SHOW), exercise, 4)
    assert verdict.outcome == "failure"
    assert verdict.extra_grid is not None
    houses = {house for conflict in verdict.extra_grid.conflicts() for house in conflict.houses}
    assert {house.split()[0] for house in houses} == kinds


def test_lost_solutions(program, exercise):
    text = programs.RIGHT + ":- sudoku(1,1,N), sudoku(1,2,M), N > M.\n"
    right = [Grid.parse(line) for line in solutions_of(exercise, 2)]
    kept = [grid for grid in right if grid.rows[0][0] < grid.rows[0][1]]
    assert 0 < len(kept) < 125
    verdict = one(program(text), exercise, 2)
    assert (verdict.outcome, verdict.answers) == ("failure", len(kept))
    assert (verdict.missing, verdict.extra) == (125 - len(kept), 0)
    assert verdict.missing_grid == min(set(right) - set(kept), key=lambda grid: grid.cells)
    assert (verdict.extra_grid, verdict.rule) == (None, "")


def solutions_of(exercise: Path, number: int) -> list[str]:
    output = json.loads((exercise / "solutions" / f"ex{number:03}.json").read_text())
    return ["".join(atom[-2] for atom in w["Value"]) for w in output["Call"][-1]["Witnesses"]]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (programs.RIGHT.replace(programs.GIVENS, ""), "is given there"),
        ("sudoku(1,1,five).", "sudoku(1,1,five): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,0,5).", "sudoku(1,0,5): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,1,(1..2)).", "r1c1 holds both 1 and 2"),
        ("sudoku(1,1,2).", "r1c2 and 79 more cells are empty"),
        ("sudoku(1,1).", "every cell is empty (no sudoku/3 is shown, but sudoku/2)"),
        ("place(1,1,2).", "every cell is empty (no sudoku/3 is shown)"),
        (programs.RIGHT.replace("show sudoku/3", "show digit/1"), "(#show hides sudoku/3)"),
    ],
)
def test_what_is_wrong_with_an_answer(program, exercise, text, rule):
    verdict = one(program(text), exercise, 4)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert verdict.extra > 0
    if verdict.answers < 925:
        assert (verdict.missing, str(verdict.missing_grid)) == (1, UNIQUE_SOLUTION)


@pytest.mark.parametrize("kind", ["my.lp", "my.pl"])
def test_solutions_that_come_twice_are_told(program, exercise, kind):
    twice = {
        "my.lp": programs.RIGHT + "{ more }.",
        "my.pl": programs.PROLOG.replace("label(Cells)", "label(Cells), member(_, [a,b])"),
    }
    verdict = one(program(twice[kind], kind), exercise)
    assert verdict.outcome == "success"
    assert verdict.message == "4 answers, but only 2 different ones"


def test_warnings_are_told_where_a_program_fails(program, exercise):
    verdict = one(program(programs.RIGHT.replace("1..9", "1..size")), exercise)
    assert (verdict.outcome, verdict.answers, verdict.missing) == ("failure", 0, 2)
    assert "my.lp:1:7-14: info: interval undefined:" in verdict.message


# --- the limit --------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "answers"), [(10, 10), (124, 124), (125, 125), (0, 125)])
@pytest.mark.parametrize("from_engines", [False, True])
def test_limit(program, exercise, limit, answers, from_engines):
    file = program(programs.RIGHT)
    solutions = None if from_engines else exercise / "solutions"
    (verdict,) = grade(file, exercise / "instances" / "ex002.lp", solutions, limit=limit)
    assert (verdict.outcome, verdict.answers) == ("success", answers)


def test_one_more_answer_than_there_are_solutions_is_seen(program, exercise):
    instance = exercise / "instances" / "ex004.lp"
    (verdict,) = grade(program(programs.RIGHT), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("success", 1)
    (verdict,) = grade(program(programs.RIGHT.replace(programs.BOXES, "")), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("failure", 2)


def test_reference_cut_off_at_a_limit(program, exercise, tmp_path):
    output = json.loads((exercise / "solutions" / "ex002.json").read_text())
    del output["Call"][-1]["Witnesses"][10:]
    output["Models"] = {"Number": 10, "More": "yes"}
    (tmp_path / "ex002.json").write_text(json.dumps(output))
    instance = exercise / "instances" / "ex002.lp"
    (verdict,) = grade(program(programs.RIGHT), instance, tmp_path)
    assert (verdict.outcome, verdict.answers) == ("success", 125)
    (verdict,) = grade(program(programs.RIGHT.replace(programs.BOXES, "")), instance, tmp_path)
    assert verdict.outcome == "failure"
    assert "(box " in verdict.rule
    (verdict,) = grade(program(programs.RIGHT + "a. :- a."), instance, tmp_path)
    assert (verdict.outcome, verdict.missing) == ("failure", 10)


# --- errors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b\nc.", ":10:1-2: error: syntax error, unexpected <IDENTIFIER>"),
        ("a(X) :- not b.", ":9:1-15: error: unsafe variables in:\n  a(X)"),
        ('#include "nowhere.lp".', "error: file could not be opened:\n  nowhere.lp"),
        ("#script(python)\nx = 1\n#end.", ":9:1: #script is not run; --allow-scripts lets it"),
        ('#include "script.lp".', "script.lp:1:1: #script is not run"),
        ("#minimize { N : sudoku(1,1,N) }.", ":9:13: #minimize, #maximize and weak constraints"),
        (":~ sudoku(1,1,N). [N]", ":9:1: #minimize, #maximize and weak constraints"),
    ],
)
def test_errors_of_asp_programs(program, exercise, tmp_path, text, message):
    (tmp_path / "script.lp").write_text("#script(python)\nx = 1\n#end.\n")
    file = program(programs.RIGHT + text)
    verdict = one(file, exercise)
    assert (verdict.outcome, verdict.answers) == ("error", 0)
    assert message in verdict.message
    if message[0] == ":":
        assert verdict.message.startswith(f"{file}{message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (programs.PROLOG + "foo(X :- .\n", ":21:9: Syntax error: Unexpected end of clause"),
        (":- use_module(library(nowhere)).", "`library(nowhere)' does not exist"),
        ("solve(_).", "there is no sudoku/1"),
        (programs.PROLOG.replace("label(", "lable("), "Unknown procedure: lable/1"),
        ("sudoku(_) :- _ is foo + 1.", "`foo/0' is not a function"),
        ("sudoku(_) :- throw(oops).", "it throws oops"),
        ("sudoku(_) :- halt(0).", "it has left by itself, with exit code 0"),
        (":- halt(3).", "it has left by itself, with exit code 3"),
    ],
)
def test_errors_of_prolog_programs(program, exercise, text, message):
    verdict = one(program(text, "my.pl"), exercise)
    assert (verdict.outcome, verdict.answers) == ("error", 0)
    assert message in verdict.message


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (programs.PROLOG.replace("    maplist(all_distinct, Boxes),\n", ""), "(box "),
        (programs.PROLOG.replace(",\n    label(Cells)", ""), "label/1 is missing)"),
        ("sudoku(_).", "(the program leaves a variable there)"),
        ("sudoku([[a-b|_]|_]).", "a-b in row 1, column 1: expected row, column and digit"),
        ("sudoku([[X|_]|_]) :- X = f(X).", "in row 1, column 1: expected row, column and digit"),
    ],
)
def test_wrong_answers_of_prolog_programs(program, exercise, text, rule):
    verdict = one(program(text, "my.pl"), exercise, 2)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert verdict.extra == verdict.answers > 0


# --- time, memory, and what a program may not do ----------------------------------------

ENDLESS = programs.RIGHT + "count(0). count(X+1) :- count(X).\n"
HOG = programs.RIGHT + "n(1..5000). { q(X,Y,Z) } :- n(X), n(Y), n(Z).\n"
PROLOG_HOG = "sudoku(_) :- more([]). more(List) :- more([a,b,c|List])."
PROLOG_HEAP = (
    ":- dynamic f/2.\nsudoku(_) :- more(1).\n"
    "more(N) :- length(L, 1000), assertz(f(N, L)), M is N+1, more(M).\n"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("my.lp", ENDLESS),
        ("my.lp", programs.RIGHT + "{ more(1..40) }."),
        ("my.pl", programs.PROLOG.replace("label(Cells)", "label(Cells), repeat, fail")),
        ("my.pl", ":- repeat, fail."),
    ],
    ids=["grounding", "enumeration", "search", "loading"],
)
def test_time_is_limited(program, exercise, name, text):
    start = time.monotonic()
    verdict = one(program(text, name), exercise, timeout=1)
    assert (verdict.outcome, verdict.missing, verdict.extra) == ("timeout", 0, 0)
    assert verdict.message.startswith("stopped; ")
    assert verdict.milliseconds >= 1000
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    ("name", "text"),
    [("my.lp", HOG), ("my.lp", ENDLESS), ("my.pl", PROLOG_HOG), ("my.pl", PROLOG_HEAP)],
    ids=["choices", "endless", "stack", "clauses"],
)
def test_memory_is_limited(program, exercise, name, text):
    verdict = one(program(text, name), exercise, timeout=60, memory=256)
    assert (verdict.outcome, verdict.message) == ("error", "out of memory")


def test_scripts_run_where_allowed(program, exercise):
    text = "#script(python)\nimport clingo\ndef top(): return clingo.Number(9)\n#end.\n"
    text += programs.RIGHT.replace("1..9", "1..@top()")
    assert one(program(text), exercise, allow_scripts=True).passed
    text = f"#script(python)\ndef main(control): pass\n#end.\n{programs.RIGHT}"
    verdict = one(program(text), exercise, allow_scripts=True)
    assert (verdict.outcome, verdict.message) == (
        "error",
        "a #script defines main(), but here the grader itself grounds and solves",
    )


@pytest.mark.parametrize(
    "line", ["[]", "7", '["answer"]', '["answer", [[1]], ""]', '["failed", 1, 2]', '["end"]', "{}"]
)
def test_results_that_a_program_has_spoilt(program, exercise, line):
    text = f"""
        sudoku(_) :-
            current_prolog_flag(argv, Argv),
            append(_, [_, Results, _, _, _, _], Argv),
            open(Results, append, Out), format(Out, '~w~n', ['{line}']), close(Out), halt.
    """
    verdict = one(program(text, "my.pl"), exercise)
    assert (verdict.outcome, verdict.message) == ("error", "it has written to its own results")


def test_too_little_memory_to_start(program, exercise):
    for name in ("my.lp", "my.pl"):
        text = programs.RIGHT if name == "my.lp" else programs.PROLOG
        verdict = one(program(text, name), exercise, memory=8, timeout=30)
        assert (verdict.outcome, verdict.message) == ("error", "out of memory")


def test_our_part_in_prolog_has_no_undefined_predicate():
    command = [str(swipl()), "--on-error=status", "--on-warning=status", "-g", "check"]
    file = str(resource("prolog/grader.pl"))
    ended = subprocess.run([*command, "-t", "halt", file], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_wrong_constant(program, exercise):
    verdict = one(program(programs.RIGHT), exercise, constants=["=9"])
    assert verdict.outcome == "error"
    assert verdict.message


@LINUX
def test_nothing_is_left_running(program, exercise):
    start = "import subprocess\nsubprocess.Popen(['sleep', '86.4321'])\n"
    text = f"#script(python)\n{start}#end.\n{ENDLESS}"
    assert one(program(text), exercise, timeout=1, allow_scripts=True).outcome == "timeout"
    text = f"#script(python)\n{start}#end.\n{programs.RIGHT}"
    assert one(program(text), exercise, allow_scripts=True).outcome == "success"
    assert ends("sleep 86.4321")


@LINUX
def test_verdicts_that_are_not_read_to_the_end_leave_nothing(program, exercise):
    file = program(programs.RIGHT, "unique-name-of-a-program.lp")
    found = grade(file, exercise / "instances", exercise / "solutions")
    assert next(found).passed
    found.close()
    assert ends("unique-name-of-a-program")


# --- instances and references -----------------------------------------------------------


def test_folder_with_other_files_and_in_the_order_of_numbers(program, tmp_path):
    folder = tmp_path / "instances"
    folder.mkdir()
    for name in ("ex10.lp", "ex9.lp", "ex1.lp"):
        (folder / name).write_text("% puzzle\r\ninitial(1,1,5). initial(1,2,3).\r\n")
    for name in ("README.md", ".hidden.lp", "ex2.lp~", "ex2.txt"):
        (folder / name).write_text("not for you")
    (folder / "sub.lp").mkdir()
    (folder / "marked.lp").write_bytes(b"\xef\xbb\xbf% caf\xe9\r\ninitial(1,1,5).\r\n")
    (folder / "none.lp").write_text("% nothing is given\n")
    found = list(grade(program(programs.RIGHT), folder, limit=5))
    assert [(verdict.instance, verdict.outcome) for verdict in found] == [
        (name, "success") for name in ("ex1", "ex9", "ex10", "marked", "none")
    ]


def test_small_grids_and_boxes_that_are_not_square(program, tmp_path):
    folder = tmp_path / "instances"
    folder.mkdir()
    (folder / "four.lp").write_text(
        "#const box_rows=2. [override] #const box_columns=2. [override] initial(1,1,1)."
    )
    (folder / "six.lp").write_text(
        "#const box_rows=2. [override] initial(1,1,1). initial(3,3,6). initial(6,6,1)."
    )
    text = """
        #const box_rows=3.
        #const box_columns=3.
        #const size=box_rows*box_columns.
        digit(1..size).
        { sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).
        :- initial(X,Y,N), not sudoku(X,Y,N).
        :- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.
        :- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.
        :- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B),
           (X-1)/box_rows = (A-1)/box_rows, (Y-1)/box_columns = (B-1)/box_columns.
    """
    found = list(grade(program(text), folder))
    assert [(v.instance, v.outcome) for v in found] == [("four", "success"), ("six", "success")]
    assert found[0].answers > 1


def test_size_that_only_the_reference_tells(program, tmp_path):
    (tmp_path / "four.lp").write_text("initial(1,1,1). initial(2,3,1).\n")
    cells = Grid.parse("1234341221434321").givens
    value = [f"sudoku({x},{y},{n})" for x, y, n in cells]
    output = {"Call": [{"Witnesses": [{"Value": value}]}], "Result": "SATISFIABLE"}
    (tmp_path / "four.json").write_text(json.dumps(output))
    text = programs.PAIRWISE.replace("9", "4").replace("/3", "/2").replace("3", "2")
    file = program(
        text.replace("sudoku(X,Y,N) : value(N)", "sudoku(X,Y,N) : value(N)")
        + (":- initial(X,Y,N), not sudoku(X,Y,N).")
    )
    (verdict,) = grade(file, tmp_path / "four.lp", tmp_path)
    assert verdict.outcome == "failure"
    assert verdict.extra_grid is not None
    assert verdict.extra_grid.size == 4
    assert (verdict.missing, verdict.rule) == (0, ""), "it is right, and the reference is not"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such file"),
        ("{", "this is no JSON that can be read"),
        ("[]", 'expected what clingo --outf=2 writes, with "Result"'),
        ('{"Result": "UNKNOWN"}', "not 'UNKNOWN'"),
        ('{"Result": "SATISFIABLE"}', 'expected "Call", whose last element has "Witnesses"'),
        ('{"Result": "SATISFIABLE", "Call": [{"Witnesses": []}]}', '"Witnesses" is empty'),
        (
            '{"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["sudoku(1,1,2)"]}]}]}',
            "witness 1 is no solution of ex001.lp",
        ),
    ],
)
def test_broken_references(program, exercise, tmp_path, text, message):
    if text is not None:
        (tmp_path / "ex001.json").write_text(text)
    (verdict,) = grade(program(programs.RIGHT), exercise / "instances" / "ex001.lp", tmp_path)
    assert verdict.outcome == "error"
    assert str(tmp_path / "ex001.json") in verdict.message
    assert message in verdict.message


def test_reference_of_another_instance(program, exercise, tmp_path):
    (tmp_path / "ex001.json").write_text((exercise / "solutions" / "ex004.json").read_text())
    (verdict,) = grade(program(programs.RIGHT), exercise / "instances" / "ex001.lp", tmp_path)
    assert verdict.outcome == "error"
    assert "witness 1 is no solution of ex001.lp: r1c" in verdict.message
    assert "is given there" in verdict.message


def test_broken_instance(program, tmp_path):
    (tmp_path / "ex.lp").write_text("initial(1,1,5).\ninitial(1,1,6).\n")
    (verdict,) = grade(program(programs.RIGHT), tmp_path / "ex.lp")
    assert verdict.outcome == "error"
    assert f"{tmp_path / 'ex.lp'}: line 2" in verdict.message


@pytest.mark.parametrize(
    "options",
    [{"limit": -1}, {"timeout": 0}, {"memory": 0}, {"predicate": "a, halt"}, {"vocabulary": "x"}],
)
def test_wrong_arguments_are_told_at_the_call(program, exercise, options):
    with pytest.raises(ValueError, match=r"limit|predicate|vocabulary"):
        grade(program(programs.RIGHT), exercise / "instances", **options)
