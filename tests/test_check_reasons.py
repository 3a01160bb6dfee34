"""Early reports of the grader about a program: at once, only once, and with the reason."""

from __future__ import annotations

import json
import re

import pytest
from helpers import check_programs as programs
from helpers.grading import one, set_grace, verdicts
from helpers.processes import PATIENCE, run

from pylogic_sudoku.check import grade

FREE = "{ more(1..40) }.\n"
HIDDEN = programs.RIGHT.replace("#show sudoku/3", "#show digit/1")
ONES = "fill(X) :- once(X = 1 ; true).\nsudoku(Rows) :- maplist(maplist(fill), Rows)"


@pytest.fixture
def hasty(monkeypatch) -> None:
    """A program is stopped the moment that a wrong answer is seen."""
    set_grace(monkeypatch, 0.0)


# --- wrong answers decide ---------------------------------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("my.lp", HIDDEN + FREE, "every cell is empty (#show hides sudoku/3)"),
        ("my.lp", "sudoku(1,1,2)." + FREE, "r1c2 and 79 more cells are empty"),
        ("my.pl", f"{ONES}.\nsudoku(_) :- repeat, fail.", "both hold 1 ("),
        ("my.pl", f"{ONES}, repeat.", "both hold 1 ("),
    ],
    ids=["nothing shown", "one cell", "then a loop", "the same for ever"],
)
def test_a_wrong_answer_is_a_failure_though_the_program_never_ends(
    write_program, exercise, name, text, rule
):
    verdict = one(write_program(text, name), exercise, 4, timeout=PATIENCE)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert (verdict.answers, verdict.extra, verdict.missing) == (1, 1, 0)
    assert not verdict.exhausted
    ending = "stopped after a wrong answer; missing ones are not counted"
    assert verdict.message.splitlines()[0] == ending


@pytest.mark.usefixtures("hasty")
def test_a_solution_that_a_complete_reference_lacks_decides_too(write_program, exercise, tmp_path):
    output = json.loads((exercise / "solutions" / "ex001.json").read_text())
    del output["Call"][-1]["Witnesses"][1:]
    file = tmp_path / "ex001.json"
    file.write_text(json.dumps(output))
    text = programs.PROLOG + "sudoku(_) :- repeat, fail.\n"
    instance = exercise / "instances" / "ex001.lp"
    (verdict,) = grade(write_program(text, "my.pl"), instance, tmp_path, timeout=PATIENCE)
    assert (verdict.outcome, verdict.answers, verdict.extra) == ("failure", 2, 1)
    assert verdict.rule == "", "it is a solution"
    assert (
        f"some of them violate no rule of sudoku, but {file} lacks them: is it complete?"
        in verdict.message
    )


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_a_program_that_ends_soon_after_a_wrong_answer_is_counted_out(write_program, exercise):
    text = programs.PROLOG + f"{ONES}.\n"
    verdict = one(write_program(f":- discontiguous sudoku/1.\n{text}", "my.pl"), exercise)
    assert (verdict.outcome, verdict.answers, verdict.extra) == ("failure", 3, 1)
    assert verdict.exhausted


@pytest.mark.one_in(3, 2)
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("halt(3)", "the program exited with code 3 before finishing"),
        ("throw(oops)", "the program throws oops"),
        ("length(L, 100 000 000), L = [_|_]", "out of memory (the limit is 256 MB)"),
    ],
)
def test_a_wrong_answer_counts_though_the_program_breaks_then(
    write_program, exercise, then, message
):
    text = f"{ONES}.\nsudoku(_) :- {then}."
    verdict = one(write_program(text, "my.pl"), exercise, timeout=PATIENCE, memory=256)
    assert (verdict.outcome, verdict.extra, verdict.exhausted) == ("failure", 1, False)
    assert "both hold 1 (" in verdict.rule
    assert message in verdict.message


# --- programs that find the same again ---------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "how"),
    [
        ("my.lp", programs.RIGHT + FREE, "answer sets with the same grid differ in other atoms"),
        (
            "my.pl",
            programs.PROLOG.replace("label(Cells)", "label(Cells), repeat"),
            "the same grid comes again on backtracking",
        ),
    ],
)
def test_repetition_until_the_time_is_over_is_reported(write_program, exercise, name, text, how):
    lines, limit = [], 0.5
    while len(lines) < 3:  # in time it finds an answer, and finds it again
        limit *= 2
        verdict = one(write_program(text, name), exercise, 4, timeout=limit)
        lines = verdict.message.splitlines()
    assert (verdict.outcome, verdict.answers) == ("timeout", 1)
    first, second, third = lines
    assert first == "stopped while searching"
    assert second == "it found all solutions, but did not stop"
    assert re.fullmatch(rf"\d+ answers, but only 1 grid: {how}", third)


# --- the report on a faulty program ------------------------------------------------


WITHOUT = programs.PROLOG.replace(":- use_module(library(clpfd)).\n", "")
CURE = "library(clpfd): put :- use_module(library(clpfd)). at the top of the program"


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WITHOUT, "the program uses operators of"),
        ("sudoku([[A|_]|_]) :- A in 1..9, label([A]).", "the program uses operators of"),
        (":- X #= 1, print(X).\nsudoku(_).", "the program uses operators of"),
        (f":- module(mine, [sudoku/1]).\n{WITHOUT}", "the program uses operators of"),
        ("sudoku(Rows) :- maplist(all_distinct, Rows).", "all_distinct/1 is in"),
        ("sudoku(Rows) :- append(Rows, Cells), label(Cells).", "label/1 is in"),
        ("sudoku([[A|_]|_]) :- #=(A, 1).", "#=/2 is in"),
        (":- module(mine, [sudoku/1]).\nsudoku(R) :- all_different(R).", "all_different/1 is in"),
        (":- all_distinct([_]).\nsudoku(_).", "all_distinct/1 is in"),
        # where it does not help
        (programs.PROLOG.replace("label(Cells)", "label(Cells) label(Cells)"), None),
        ("sudoku(R) :- foo(R).", None),
        ("sudoku(R :- .", None),
        (":- op(700, xfx, <=>).\na :- b <=> c.\nsudoku(_) :- a b.", None),
    ],
)
def test_a_program_that_does_not_load_clpfd_is_told_to(write_program, exercise, text, said):
    verdict = one(write_program(text, "my.pl"), exercise, 4)
    assert verdict.outcome == "error"
    if not said:
        assert "library(clpfd)" not in verdict.message
        return
    first, *rest = verdict.message.splitlines()
    assert first == f"{said} {CURE}"
    assert rest, "and what Prolog says"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WITHOUT, f"the program uses operators of {CURE}"),
        (f"{WITHOUT}\n:- use_module(library(clpfd)).\n", "before line"),
        (programs.PROLOG.replace("label(Cells)", "label(Cells) label(Cells)"), None),
        (WITHOUT.replace("append(", "append( ,"), None),
    ],
    ids=["missing", "late", "another error", "another error, and missing"],
)
def test_a_file_that_a_program_loads_is_judged_by_its_own_text(write_program, exercise, text, said):
    write_program(f":- module(other, [sudoku/1]).\n{text}", "other.pl")
    message = one(write_program(":- use_module(other).\n", "main.pl"), exercise, 4).message
    assert "other.pl:" in message
    if said:
        assert said in message.splitlines()[0]
    else:
        assert "library(clpfd)" not in message


def test_a_program_that_loads_clpfd_too_late_is_told_where(write_program, exercise):
    text = f"{WITHOUT}\n:- use_module(library(clpfd)).\n"
    message = one(write_program(text, "my.pl"), exercise, 4).message
    line = text.splitlines().index(":- use_module(library(clpfd)).") + 1
    assert message.splitlines()[0] == (
        f"the program uses operators of library(clpfd) before line {line}, which loads it: put that"
        " line at the top of the program"
    )


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ("helper(X) :- X = 1", ":1:11: Syntax error: Operator priority clash"),
        (":- module(mine, [sudoku/1]", ":2:30: Syntax error: Operator expected"),
    ],
)
def test_a_mistake_before_the_line_that_loads_clpfd_is_all_that_is_said(
    write_program, exercise, first, says
):
    file = write_program(f"{first}\n{programs.PROLOG.lstrip()}", "my.pl")
    assert one(file, exercise, 4).message == f"ERROR: {file}{says}"


def test_a_syntax_error_is_all_that_is_said(write_program, exercise):
    text = f":- initialization(main).\n{programs.PROLOG}main :- sudoku(_), print(x)\n"
    file = write_program(text, "main.pl")
    (said,) = one(file, exercise, 4).message.splitlines()
    assert said.endswith("Syntax error: Unexpected end of file")


PLACES = "{{ {0}(X,Y,N) : N = 1..4 }} = 1 :- X = 1..4, Y = 1..4. :- {0}(X,Y,N), {0}(X,Z,N), Y < Z."


@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    ("atom", "more", "settings", "advice"),
    [
        ("numberAt", "", {}, "if its atoms are numberAt/3, use --vocabulary numberAt"),
        ("sudoku", "", {}, "if its givens are sudoku/3, use --vocabulary sudoku"),
        (
            "place",
            ":- hint(X,Y,N), not place(X,Y,N).",
            {},
            "if its atoms are place/3, use --vocabulary hint,place",
        ),
        (
            "place",
            ":- initial(X,Y,N), not place(X,Y,N).",
            {},
            "if its atoms are place/3, use --vocabulary initial,place",
        ),
        (
            "sudoku",
            ":- initial(X,Y,N), not sudoku(X,Y,N).",
            {"vocabulary": "sudoku"},
            "if its givens are initial/3, use --vocabulary initial",
        ),
        ("sudoku", ":- initial(X,Y,N), not sudoku(X,Y,N).", {}, ""),
        ("sudoku", "", {"vocabulary": "sudoku"}, ""),
    ],
)
def test_a_program_with_other_atoms_gets_the_vocabulary(
    write_program, atom, more, settings, advice
):
    file = write_program(f"{PLACES.format(atom)}\n{more}\n#show {atom}/3.\n")
    (verdict,) = grade(file, "4......3...13...", **settings)
    assert verdict.way == "wrong"
    assert advice in verdict.message
    assert bool(advice) == ("--vocabulary" in verdict.message)
    if advice:
        words = advice.rpartition(" ")[2]
        (other,) = grade(file, "4......3...13...", vocabulary=words)
        assert "--vocabulary" not in other.message


@pytest.mark.slow
def test_no_answer_if_the_puzzle_has_some(write_program, exercise, tmp_path):
    file = write_program(programs.RIGHT + ":- sudoku(1,1,_).")
    messages = [verdict.message for verdict in verdicts(file, exercise)]
    said = "the program has no answer, but the puzzle has"
    assert messages[:4] == [
        f"{said} {number}"
        for number in ("2 solutions", "125 solutions", "176 solutions", "1 solution")
    ]
    assert messages[4] == ""
    (verdict,) = grade(file, exercise / "instances" / "ex002.lp", limit=7)
    assert verdict.message == f"{said} at least 7 solutions"


@pytest.mark.slow
def test_givens_that_the_program_does_not_use_or_has_itself(write_program, exercise):
    unused = one(write_program(programs.RIGHT.replace("initial", "given")), exercise, 4, limit=2)
    note, warning = unused.message.splitlines()[1:3]
    assert note == (
        "the program does not use initial/3, the atoms of the givens; if its givens are given/3,"
        " use --vocabulary given,sudoku"
    )
    assert "atom does not occur in any rule head" in warning
    file = write_program(programs.RIGHT + "initial(1,1,9).", "own.lp")
    own = one(file, exercise, 4)
    assert own.message.splitlines() == [
        "the program has no answer, but the puzzle has 1 solution",
        f"{file}:9:1: the program has initial/3 of its own, in addition to the instance",
    ]


@pytest.mark.slow
def test_warnings_are_reported_at_a_timeout_too(write_program, exercise):
    text = programs.RIGHT + "count(0). count(X+1) :- count(X).\na :- b.\n"
    message, limit = "", 0.5
    while "atom does not occur in any rule head" not in message:  # clingo comes to that
        limit *= 2
        verdict = one(write_program(text), exercise, timeout=limit)
        assert verdict.outcome == "timeout"
        message = verdict.message


def test_messages_without_end(write_program, exercise):
    text = (
        "sudoku(_) :- length(L, 1000), forall(between(1, 999, _),"
        " print_message(error, format('~w', [L]))), fail_here."
    )
    verdict = one(write_program(text, "my.pl"), exercise, max_output=1)
    assert verdict.outcome == "error"
    first, *shown = verdict.message.splitlines()
    assert first == "over 1 MB of messages; see max_output"
    assert len(shown) <= 21
    assert max(map(len, shown)) == 503


@pytest.mark.slow
def test_a_long_line_is_cut(write_program, exercise):
    text = "sudoku(_) :- numlist(1, 100 000, L), atomic_list_concat(L, A), throw(error(A, _))."
    verdict = one(write_program(text, "my.pl"), exercise)
    assert verdict.outcome == "error"
    assert len(verdict.message) < 1_000
    text = "sudoku([[A|_]|_]) :- numlist(1, 100 000, L), atomic_list_concat(L, A)."
    verdict = one(write_program(text, "my.pl"), exercise)
    assert (verdict.outcome, len(verdict.rule) < 200) == ("failure", True)


# --- said once --------------------------------------------------------------------------


def test_a_fault_that_comes_with_an_instance_is_its_own(write_program, exercise, tmp_path):
    (tmp_path / "new").mkdir()
    for name, head in (("a", "#const dim=3. "), ("b", "")):
        (tmp_path / "new" / f"{name}.lp").write_text(head + "initial(1,1,1).")
    first, second = grade(
        write_program("#const dim=3.\n" + programs.RIGHT), tmp_path / "new", limit=2
    )
    assert (first.outcome, second.outcome) == ("error", "success")
    assert "redefinition of constant" in first.message


# --- what is printed ----------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
def test_counts_of_a_program_that_is_stopped_are_least_numbers(command, write_program, exercise):
    instance = exercise / "instances" / "ex004.lp"
    solutions = exercise / "solutions"
    wrong = write_program(HIDDEN + FREE)
    code, output, _ = command("check", "-e", wrong, "-i", instance, "-s", solutions)
    lines = output.splitlines()
    assert code == 1
    assert lines[0].split()[:2] == ["ex004", "failure"]
    assert [line for line in lines[1:] if "but only 1 grid" not in line] == [
        "    extra: at least 1 (1 answer until then), such as",
        "        every cell is empty (#show hides sudoku/3)",
        "    the program loses the solution: no statement shows sudoku/3",
        "        my.lp, line 8: `#show digit/1.` does not show sudoku/3",
        "    stopped after a wrong answer; missing ones are not counted",
        "0 of 1 passed",
        "FAILURE",
    ]


def test_the_grader_is_there_without_an_import_of_its_own():
    ended = run("pls.check.grade; print('pylogic_sudoku.check' in sys.modules)")
    assert (ended.stdout, ended.stderr) == ("True\n", "")
    ended = run("print('pylogic_sudoku.check' in sys.modules)")
    assert ended.stdout == "False\n", "it costs only those who use it"
