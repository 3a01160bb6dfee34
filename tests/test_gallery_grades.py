"""The grader on the gallery: right for every encoding, and wrong for every broken one."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.gallery import ENCODINGS, SMALL, Encoding, answers
from helpers.mutants import grounds, mutants_of_encoding
from helpers.oracle import all_solutions, dig, full_grid
from helpers.programs import resource
from helpers.puzzles import COUNTS, PRINTED

from pylogic_sudoku import Grid
from pylogic_sudoku.check import Exercise, Vocabulary, grade

CLASSIC = resource("prolog/programs/classic.pl")
NONE = [puzzle for puzzle, number in COUNTS.items() if number == 0]
NINE = [next(iter(PRINTED)), next(iter(COUNTS)), list(COUNTS)[4], NONE[0], "55" + "." * 79]
PUZZLES = {
    (3, 3): [Grid.parse(puzzle) for puzzle in NINE],
    SMALL: [Grid((0,) * 16, SMALL), Grid.parse("1.....1....2.2.."), full_grid(SMALL, 5)],
    (2, 3): [dig(full_grid((2, 3), 5), 12, 5)],
    (3, 2): [dig(full_grid((3, 2), 5), 12, 5)],
    (1, 4): [dig(full_grid((1, 4), 5), 6, 5)],
    (4, 4): [dig(full_grid((4, 4), 5), 150, 5)],
}
CLASHES = [
    Grid((3, 0, 0, 3, *[0] * 12), SMALL),
    Grid((3, *[0] * 11, 3, 0, 0, 0), SMALL),
    Grid((3, 0, 0, 0, 0, 3, *[0] * 10), SMALL),
]


def exercise(folder: Path, encoding: Encoding, puzzles: list[Grid]) -> Exercise:
    words = Vocabulary(encoding.given, encoding.answer)
    made = Exercise(folder, vocabulary=words)
    for puzzle in puzzles:
        made.add(puzzle)
    return made


def constants(encoding: Encoding, box: tuple[int, int]) -> list[str]:
    """The instances tell the box shape; but one encoding has a name of its own for it."""
    return encoding.options(box)[1::2] if encoding.square else []


@pytest.mark.parametrize(
    "box",
    [pytest.param(box, marks=pytest.mark.slow if box != (2, 2) else ()) for box in PUZZLES],
    ids=str,
)
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: encoding.name)
def test_every_encoding_is_a_success(encoding, box, tmp_path):
    if not encoding.claims(box):
        # What it does not claim it does not answer: nothing is graded as a success by chance.
        return
    made = exercise(tmp_path, encoding, PUZZLES[box])
    words = Vocabulary(encoding.given, encoding.answer)
    for reference, against in ((made.solutions, "clingo"), (None, "all")):
        verdicts = list(
            grade(
                encoding.path,
                made.instances,
                reference,
                against=against,
                vocabulary=words,
                constants=constants(encoding, box),
            )
        )
        assert [verdict.outcome for verdict in verdicts] == ["success"] * len(PUZZLES[box])


def test_the_short_prolog_program_is_a_success(tmp_path):
    made = exercise(tmp_path, ENCODINGS[0], PUZZLES[3, 3])
    verdicts = list(grade(CLASSIC, made.instances, made.solutions))
    assert [verdict.outcome for verdict in verdicts] == ["success"] * len(NINE)


MOST = 2_000


def differs(program: str, encoding: Encoding, puzzle: Grid) -> bool:
    """True if the program has another set of answers than the oracle, whatever else it shows."""
    expected = {encoding.shown(solution) for solution in all_solutions(puzzle)}
    options = encoding.options(puzzle.box)
    models, _ = answers(program, encoding.givens(puzzle), options, limit=MOST)
    name = f"{encoding.answer}("
    found = {frozenset(atom for atom in model if atom.startswith(name)) for model in models}
    return bool(found - expected) or (len(models) < MOST and found != expected)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: encoding.name)
def test_the_grader_notices_every_mutant_that_answers_otherwise(encoding, tmp_path):
    """But for givens that no puzzle has, such as in row 0, which no instance can hold."""
    puzzles = [*CLASHES, *PUZZLES[SMALL]]
    made = exercise(tmp_path, encoding, puzzles)
    words = Vocabulary(encoding.given, encoding.answer)
    program = tmp_path / "mutant.lp"
    noticed = []
    for mutant in mutants_of_encoding(encoding.program):
        if not grounds(mutant.program, encoding):
            continue
        wrong = any(differs(mutant.program, encoding, puzzle) for puzzle in puzzles)
        program.write_text(mutant.program, encoding="utf-8")
        failed = any(
            not verdict.passed
            for verdict in grade(
                program,
                made.instances,
                made.solutions,
                vocabulary=words,
                constants=constants(encoding, SMALL),
                limit=0 if not wrong else 925,
            )
        )
        assert failed == wrong, mutant.name
        noticed += [mutant.name] * wrong
    assert len(noticed) > 25
