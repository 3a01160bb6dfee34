"""Instances and references that the grader is given: as people have them, and broken ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers.small_programs import FOUR, PROLOG, RIGHT, UNIQUE, WRONG

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, rules
from pylogic_sudoku.check import VOCABULARIES, Exercise, Verdicts, Vocabulary, grade
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.sudoku import AspProgram, PrologProgram
from pylogic_sudoku.formats import as_grid
from pylogic_sudoku.rules import Contains, KillerCage, define
from pylogic_sudoku.running.process import Limits

ENCODINGS = Path(__file__).parent.parent / "encodings"


def test_folder_with_other_files_and_in_the_order_of_numbers(write_program, tmp_path):
    folder = tmp_path / "instances"
    folder.mkdir()
    for name in ("ex10.lp", "ex9.lp", "ex1.lp"):
        (folder / name).write_text("% puzzle\r\ninitial(1,1,5). initial(1,2,3).\r\n")
    for name in ("README.md", ".hidden.lp", "ex2.lp~", "ex2.txt"):
        (folder / name).write_text("not for you")
    (folder / "sub.lp").mkdir()
    (folder / "marked.lp").write_bytes(b"\xef\xbb\xbf% caf\xe9\r\ninitial(1,1,5).\r\n")
    (folder / "none.lp").write_text("% nothing is given\n")
    found = list(grade(write_program(programs.RIGHT), folder, limit=5))
    assert [(verdict.instance, verdict.outcome) for verdict in found] == [
        (name, "success") for name in ("ex1", "ex9", "ex10", "marked", "none")
    ]


@pytest.mark.slow
def test_a_teachers_own_files_may_have_any_size(write_program, tmp_path):
    """An instance of 3 MB with facts of another kind, and a solution of 30 MB with other atoms."""
    (folder := tmp_path / "instances").mkdir()
    facts = "\n".join(f'name({number},"{number:0500}").' for number in range(6_000))
    (folder / "big.lp").write_text(f"{as_grid(UNIQUE).format('facts')}\n{facts}\n")
    (solutions := tmp_path / "solutions").mkdir()
    atoms = [f"sudoku({x},{y},{digit})" for x, y, digit in pls.solve(UNIQUE).givens]
    value = atoms + [f'name({number},"{number:01000}")' for number in range(30_000)]
    (solutions / "big.json").write_text(
        json.dumps({"Call": [{"Witnesses": [{"Value": value}]}], "Result": "SATISFIABLE"})
    )
    assert (folder / "big.lp").stat().st_size > 3e6
    assert (solutions / "big.json").stat().st_size > 30e6
    assert grade(write_program(RIGHT), folder, solutions)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such file"),
        ("{", "this is not JSON"),
        ("[]", 'expected what clingo --outf=2 writes, with "Result"'),
        ('{"Result": "UNKNOWN"}', "not 'UNKNOWN'"),
        ('{"Result": "SATISFIABLE"}', 'expected "Call", whose last element has "Witnesses"'),
        ('{"Result": "SATISFIABLE", "Call": [{"Witnesses": []}]}', '"Witnesses" is empty'),
        (
            '{"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["sudoku(1,1,2)"]}]}]}',
            "witness 1 is not a solution of ex001.lp",
        ),
        ("ex004.json", "witness 1 is not a solution of ex001.lp: r1c"),
    ],
)
def test_broken_references(write_program, exercise, tmp_path, text, message):
    name = "another.json" if text is None else "ex001.json"
    if text == "ex004.json":  # the reference of another instance
        text = (exercise / "solutions" / text).read_text()
    (tmp_path / name).write_text(text or "{}")
    (verdict,) = grade(write_program(programs.RIGHT), exercise / "instances" / "ex001.lp", tmp_path)
    assert verdict.outcome == "not graded"
    assert str(tmp_path / "ex001.json") in verdict.message
    assert message in verdict.message


JIGSAW = pls.Puzzle(pls.Grid.parse("." * 16), "1112122233434344", title="jigsaw")
REFUSED = "this puzzle has regions, which a grid alone cannot hold"


def test_regions_are_refused(write_program, tmp_path):
    facts, file = tmp_path / "jigsaw.lp", tmp_path / "jigsaw.json"
    facts.write_text(JIGSAW.format("facts"))
    file.write_text(JIGSAW.format("json"))
    (verdict,) = grade(write_program(programs.RIGHT), facts)
    assert (verdict.outcome, verdict.graded) == ("not graded", False)
    assert f"not graded: {facts}: {REFUSED}" in verdict.message
    with pytest.raises(InvalidPuzzle, match=f"{file}.*{REFUSED}"):
        grade(write_program(programs.RIGHT), file)
    with pytest.raises(InvalidPuzzle, match=REFUSED):
        Exercise(tmp_path / "exercise").add(JIGSAW)


# --- facts in other words -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "more"),
    [("initial(1,1,3). %* hint(1,1,4). *%", ""), ("hint(1,1,3). more(1).", ":- not more(1).")],
    ids=["the puzzle anew", "as it is"],
)
def test_givens_in_other_words(write_program, tmp_path, facts, more):
    """A program gets the file as it is if that has the atoms of its vocabulary."""
    (instance := tmp_path / "a.lp").write_text(f"{facts} #const box_rows=2. #const box_columns=2.")
    text = RIGHT.replace("initial", "hint") + more
    assert grade(write_program(text), instance, vocabulary="hint,sudoku", limit=3)


def test_a_program_gets_megabytes_of_facts_as_clingo_reads_them(write_program, tmp_path):
    """Constants of both files are read together, wherever a file overrides the other."""
    file, large = tmp_path / 'right "mine".lp', tmp_path / "large.lp"
    file.write_text(RIGHT.replace("1..4", "1..size+1"))
    large.write_text("#const size=3. [override]\n" + f"initial(1,1,1). % {'x' * 80}\n" * 9000)
    puzzle = Grid.parse("1" + "." * 15)
    asked = Case("large", large, large.read_text())
    run = AspProgram(file, VOCABULARIES["initial"]).run(asked, puzzle, 3, Limits(60, 2048))
    assert (len(run.answers), run.message, run.stopped) == (3, "", None)


# --- instances in other formats ---------------------------------------------------------

ONE, TWO = "1.....1....2.2..", "12..34......4321"


def test_a_file_of_one_puzzle_has_its_name(write_program, tmp_path):
    words = {"vocabulary": Vocabulary("hint", "place")}
    file = write_program(RIGHT.replace("initial", "hint").replace("sudoku", "place"))
    for name, text in {
        "line.txt": TWO,
        "facts.txt": Grid.parse(TWO).format("facts").replace("initial", "hint"),
        "answer.txt": Grid.parse(TWO).format("answer"),
    }.items():
        (tmp_path / name).write_text(text)
        (verdict,) = grade(file, tmp_path / name, **words)
        assert (verdict.instance, verdict.outcome) == (name.partition(".")[0], "success")


def test_references_of_a_file_of_puzzles(write_program, tmp_path):
    (tmp_path / "mine.txt").write_text(f"{TWO}\n{ONE}\n")
    made = Exercise(tmp_path / "made")
    for puzzle in (TWO, ONE):
        made.add(puzzle)
    for number in (1, 2):
        (made.solutions / f"ex00{number}.json").rename(made.solutions / f"mine-{number}.json")
    file = write_program(RIGHT + ":- initial(1,2,2).")
    first, second = grade(file, tmp_path / "mine.txt", made.solutions)
    assert (first.outcome, second.outcome) == ("failure", "success")
    assert first.missing == 2


def test_a_puzzle_that_cannot_be_read_among_others(write_program, tmp_path):
    (tmp_path / "mine.txt").write_text(f"{ONE}\n1..\n{TWO}\n")
    found = list(grade(write_program(RIGHT), tmp_path / "mine.txt"))
    assert [(v.instance, v.outcome, v.graded) for v in found] == [
        ("mine-1", "success", True),
        ("mine-2", "not graded", False),
        ("mine-3", "success", True),
    ]
    said = f"not graded: {tmp_path / 'mine.txt'}, line 2: the line has 3 characters"
    assert found[1].message.startswith(said)


@pytest.mark.slow
def test_box_shapes_that_the_text_leaves_open(write_program, tmp_path):
    six = Grid.parse("...562..........1..26...3....5.4....", box=(2, 3))
    text = RIGHT.replace("1..4", "1..6").replace("(Y-1)/2", "(Y-1)/3").replace("(B-1)/2", "(B-1)/3")
    file = write_program(text)
    (tmp_path / "six.txt").write_text(str(six))
    (verdict,) = grade(file, tmp_path / "six.txt", box=(2, 3))
    assert verdict.passed
    with pytest.raises(InvalidPuzzle, match=r"six\.txt, line 1: .* leaves its box shape open"):
        grade(file, tmp_path / "six.txt")
    facts = " ".join(f"initial({x},{y},{n})." for x, y, n in six.givens)
    made = Exercise(tmp_path / "made")
    made.add(six)
    for shape in ("", "box_rows(2). box_columns(3). ", "#const box_rows=2. #const box_columns=3. "):
        (made.instances / "ex001.lp").write_text(shape + facts)
        box = None if shape else (2, 3)
        (verdict,) = grade(file, made.instances, made.solutions, box=box)
        assert (verdict.message, verdict.passed) == ("", True)


@pytest.mark.parametrize(("text", "said"), [("read me\n", "line 1: "), ("\n", "the text is empty")])
def test_a_file_that_holds_no_puzzles(write_program, tmp_path, text, said):
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(InvalidPuzzle, match=rf"a\.txt[,:] {said}"):
        grade(write_program(RIGHT), tmp_path / "a.txt")


def test_an_instance_in_a_folder_that_cannot_be_read_is_its_own_error(write_program, tmp_path):
    for name in ("a.lp", "b.lp", "c.lp"):
        (tmp_path / name).write_text("initial(1,1,1).\n")
    found = grade(write_program(programs.RIGHT, "my.asp"), tmp_path, limit=1)
    first = next(found)
    (tmp_path / "b.lp").unlink()
    second, third = found
    assert (first.passed, third.passed) == (True, True)
    assert (
        second.message
        == f"not graded: {tmp_path / 'b.lp'}: cannot be read: No such file or directory"
    )


# === Programs graded on instances with rules beyond plain sudoku ==================================

CAGE = "kind(killer_cage). different(R,cells) :- rule(R,killer_cage).\n"
SUM = "violated(R) :- value(R,sum,1,S), not S = #sum { N,I : holds(R,cells,I,N) }.\n"


KILLER = Puzzle("1" + "." * 15, rules=[KillerCage("r1c2 r1c3", sum=5)])


@pytest.fixture
def encoding(write_program):
    """A file with files of our encoding and a module of somebody else."""

    def write(module: str, *files: str) -> Path:
        files = files or ("sudoku", "rules", "shared/different")
        return write_program(
            "".join(f'#include "{ENCODINGS}/{name}.lp".\n' for name in files) + module
        )

    return write


@pytest.fixture
def instance(tmp_path):
    path = tmp_path / "instance.lp"
    path.write_text(KILLER.format("facts"))
    return path


@pytest.mark.parametrize("form", ["facts", "json"])
def test_a_section_is_graded_beside_our_encoding(encoding, instance, form):
    instance = instance.rename(instance.with_suffix(".json" if form == "json" else ".lp"))
    instance.write_text(KILLER.format(form))
    (verdict,) = grade(encoding(CAGE + SUM), instance, allow_read=[ENCODINGS])
    assert verdict.passed, verdict


def test_contains_is_known_by_its_facts(encoding, instance):
    puzzle = Puzzle("." * 16, rules=[Contains("r2c2 r2c3 r3c2 r3c3", [4, 4])])
    instance.write_text(puzzle.format("facts"))
    program = encoding("", "sudoku", "rules/counts")
    (verdict,) = grade(program, instance, allow_read=ENCODINGS)
    assert verdict.passed


@pytest.mark.one_in(2)
@pytest.mark.parametrize("limit", [0, 2])
def test_the_rule_that_an_answer_breaks_is_named(encoding, instance, limit):
    (verdict,) = grade(encoding(CAGE), instance, limit=limit, allow_read=ENCODINGS)
    assert verdict.outcome == "failure"
    assert verdict.rule == "killer cage (sum 5) at r1c2 and r1c3 is violated"


def test_a_program_without_answers_may_not_know_the_rules(instance):
    (verdict,) = grade(ENCODINGS / "sudoku.lp", instance)
    assert verdict.message.startswith("the program has no answer, but the puzzle has ")
    assert "; it has the rules killer_cage: does the program know them?" in verdict.message


@pytest.mark.slow
def test_an_engine_checks_a_rule_that_python_cannot(encoding, instance):
    module = "kind(low). violated(R) :- rule(R,low), holds(R,cells,_,N), N > 2.\n"
    made = define("low", module)
    instance.write_text(Puzzle("." * 16, rules=[made("r1c1")]).format("facts"))
    try:
        (right,) = grade(encoding(module), instance, limit=3, allow_read=ENCODINGS)
        (wrong,) = grade(encoding("kind(low).\n"), instance, allow_read=ENCODINGS)
    finally:
        del rules.KINDS["low"]
    assert (right.outcome, wrong.outcome) == ("success", "failure")


OURS_IN = ENCODINGS.parent / "prolog"
OURS = f":- use_module('{OURS_IN}/sudoku').\n"


@pytest.mark.slow
def test_a_prolog_program_gets_the_box_shape_and_the_rules(instance, write_program):
    (verdict,) = grade(write_program(OURS, "my.pl"), instance, allow_read=OURS_IN)
    assert (verdict.outcome, verdict.message) == ("success", "")
    failing = write_program("solve(Rows, 2-2, [_|_]) :- fail.\n", "my.pl")
    (verdict,) = grade(failing, instance, predicate="solve")
    assert verdict.way == "nothing"


def test_a_prolog_program_gets_any_number_of_rules(write_program):
    path = write_program("sudoku(_, 2-2, Rules) :- length(Rules, N), throw(N).\n", "my.pl")
    puzzle = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2 r1c3 r1c4", sum=10)] * 5000)
    asked = Case("many", path.with_name("many.lp"), "", puzzle)
    run = PrologProgram(path, VOCABULARIES["initial"]).run(asked, puzzle, 0, Limits(60, 2048))
    assert run.message == f"the program throws {len(puzzle.rules)}"


@pytest.mark.slow
def test_a_prolog_program_with_one_argument_does_not_see_the_rules(instance, write_program):
    path = write_program(OURS + "solve(Rows) :- sudoku(Rows).\n", "my.pl")
    (verdict,) = grade(path, instance, predicate="solve", allow_read=OURS_IN)
    assert verdict.way == "wrong"
    assert verdict.rule == "killer cage (sum 5) at r1c2 and r1c3 is violated"
    assert "there is no solve/3, so the program does not get the rules" in verdict.message


# === The grader in a cell of a notebook, as nbgrader and Otter run it: one assertion ==============


@pytest.mark.slow
def test_an_assertion_is_the_whole_test():
    assert grade(RIGHT, [UNIQUE, FOUR])
    assert not grade(WRONG, [UNIQUE, FOUR])
    assert grade(PROLOG, UNIQUE), "a text is a Prolog program if it says so"


def test_a_failing_assertion_tells_what_is_wrong():
    verdicts = grade(WRONG, FOUR)
    with pytest.raises(AssertionError) as failed:
        assert verdicts, verdicts
    text = str(failed.value)
    assert re.search(r"^puzzle-1 +failure", text, re.MULTILINE)
    assert re.search(r"r\dc\d and r\dc\d both hold \d \(box \d\)", text)
    assert str(verdicts).endswith("0 of 1 passed\nFAILURE\n")
    assert repr(verdicts) == str(verdicts)
    assert "<td" in verdicts._repr_html_()


def test_verdicts_can_be_read_before_and_after_their_truth_is_asked(write_program):
    verdicts = grade(write_program(RIGHT), [UNIQUE, FOUR])
    assert isinstance(verdicts, Verdicts)
    assert next(verdicts).instance == "puzzle-1"
    assert verdicts
    assert [verdict.instance for verdict in verdicts] == ["puzzle-2"]
    assert [verdict.instance for verdict in verdicts.all] == ["puzzle-1", "puzzle-2"]
    assert list(verdicts) == []


@pytest.mark.slow
def test_puzzles_may_be_values_files_or_text(write_program, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(f"{UNIQUE}\n{FOUR}\n")
    many = grade(
        write_program(RIGHT), [Grid.parse(UNIQUE), str(file), FOUR, [[0] * 4] * 4], limit=5
    )
    names = ["puzzle-1", "mine-1", "mine-2", "puzzle-3", "puzzle-4"]
    assert [verdict.instance for verdict in many] == names
    rows = [[4, 0, 0, 0], [0, 0, 3, 0], [0, 0, 1, 3], [0, 0, 0, 0]]
    assert grade(write_program(RIGHT), rows)
    facts = "initial(1,1,4). initial(2,3,3). initial(3,3,1). initial(3,4,3). #const dim=2."
    assert grade(write_program(RIGHT), facts)


@pytest.mark.parametrize("name", ["puzzles.txt", "week-3", "a/b.lp", "no_such.sdk"])
def test_a_file_that_is_not_there_is_told(name):
    with pytest.raises(InvalidPuzzle, match=f"{name}: there is no such file or folder"):
        grade(RIGHT, name)


def test_names_that_come_again_get_a_number(write_program, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.txt").write_text(UNIQUE)
    found = grade(write_program(RIGHT), [tmp_path / "a" / "one.txt", tmp_path / "b" / "one.txt"])
    assert [verdict.instance for verdict in found] == ["one", "one (2)"]
