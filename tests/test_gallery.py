"""The encodings of the gallery by hand and graded, the short Prolog program, unique_by_rule.lp."""

from __future__ import annotations

import re
from itertools import combinations, islice
from pathlib import Path

import pytest
from helpers.gallery import ENCODINGS, EXPLAIN, SMALL, WRONG, Encoding, answers
from helpers.mutants import grounds, mutants_of_encoding
from helpers.oracle import all_solutions, dig, full_grid
from helpers.programs import clingo, prolog, resource
from helpers.puzzles import COUNTS, LOOSE, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.check import Exercise, Vocabulary, grade
from pylogic_sudoku.engines.sudoku.ground_once import encoding as text_of

CLASSIC = resource("prolog/programs/classic.pl")


@pytest.fixture(params=ENCODINGS, ids=lambda encoding: encoding.name)
def encoding(request: pytest.FixtureRequest) -> Encoding:
    return request.param


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("encoding", [*ENCODINGS, EXPLAIN], ids=lambda encoding: encoding.name)
def test_wrong_givens_have_no_answer(encoding, wrong):
    for given in filter(None, (encoding.given, encoding.also_given)):
        facts = WRONG[wrong].format(given)
        assert answers(encoding.program, facts, encoding.options(SMALL)) == ([], [])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("facts_first", [True, False])
@pytest.mark.parametrize("puzzle", [LOOSE, next(iter(PRINTED))], ids=["loose", "1"])
def test_command_line(encoding, tmp_path, facts_first, puzzle):
    """As the first lines of each file say, in either order, and without a word on stderr."""
    given = tmp_path / "given.lp"
    given.write_text(encoding.givens(Grid.parse(puzzle)))
    files = [given, encoding.path] if facts_first else [encoding.path, given]
    limit = "0" if puzzle in PRINTED else "3"
    done = clingo(*files, limit, "-V0")
    assert done.stderr == ""
    *lines, verdict = done.stdout.splitlines()
    assert verdict == "SATISFIABLE"
    assert len(set(lines)) == len(lines) == (1 if limit == "0" else 3)
    for line in lines:
        assert Grid.parse(line).is_solution_of(Grid.parse(puzzle))
        assert line.count(f"{encoding.answer}(") == len(line.split()) == 81


def test_every_encoding_is_graded_and_every_file_described():
    folder = resource("encodings/sudoku.lp").parent
    files = (path.relative_to(folder) for path in folder.rglob("*.lp"))
    names = {
        path.as_posix() for path in files if path.parent.name in ("", "programs", "explaining")
    }
    for each in ENCODINGS:
        text = each.path.read_text(encoding="utf-8")
        assert f"\n%   clingo encodings/{each.file}.lp given.lp 0\n" in text
    readme = folder / "README.md"
    if readme.exists():  # people who installed a wheel have no use for it
        text = readme.read_text(encoding="utf-8")
        encodings, _ = text.split("\n## For other questions\n")
        rows = {n for n in names if f"\n| [{n.rpartition('/')[2]}]({n}) |" in encodings}
        assert {*(f"{e.file}.lp" for e in ENCODINGS), "one_puzzle.lp"} == rows
        assert names == {n for n in names if f"[{n.rpartition('/')[2]}]({n})" in text}


# --- the short Prolog program ------------------------------------------------------------


def ask(*goals: str) -> list[str]:
    """The output of these goals, in one swipl that must not grumble."""
    asked = [argument for goal in goals for argument in ("-g", goal)]
    done = prolog("--on-error=status", "--on-warning=status", *asked, CLASSIC)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_classic_makes_its_own_rows_takes_no_other_size_and_has_sixteen_lines():
    assert ask(
        r"(once(sudoku(Rows)), length(Rows, N), writeln(N))",
        r"(length(Four, 4), maplist(same_length(Four), Four), \+ sudoku(Four), writeln(no))",
        r"(list_undefined, writeln(done))",
    ) == ["9", "no", "done"]
    text = CLASSIC.read_text(encoding="utf-8")
    program = text[text.index("\nsudoku(Rows) :-") :]
    assert len([line for line in program.splitlines() if line.strip()]) == 16


# === The grader on the gallery: right for every encoding, and wrong for every broken one ==========

WITHOUT = [puzzle for puzzle, number in COUNTS.items() if number == 0]
NINE = [next(iter(PRINTED)), next(iter(COUNTS)), list(COUNTS)[4], WITHOUT[0], "55" + "." * 79]
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
    made = Exercise(folder, vocabulary=Vocabulary(encoding.given, encoding.answer))
    for puzzle in puzzles:
        made.add(puzzle)
    return made


def outcomes(made, encoding, program, box=SMALL, reference=True, **options):
    """The outcome of this program on each puzzle, in the words of the encoding."""
    if encoding.square:  # it has a name of its own for the shape, which the instances tell else
        options["constants"] = encoding.options(box)[1::2]
    solutions = made.solutions if reference else None
    words = Vocabulary(encoding.given, encoding.answer)
    found = grade(program, made.instances, solutions, vocabulary=words, **options)
    return [verdict.outcome for verdict in found]


OWN_WORDS = {"numbered_box", "subgrid_labels"}
"""Encodings with names of their own, for what is given and for the size."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("encoding", "box"),
    [
        pytest.param(
            encoding,
            box,
            marks=() if box == SMALL and encoding.name in OWN_WORDS else pytest.mark.slow,
            id=f"{encoding.name} {box}",
        )
        for encoding in ENCODINGS
        for box in PUZZLES
        if encoding.claims(box)
    ],
)
def test_every_encoding_is_a_success(encoding, box, tmp_path):
    made = exercise(tmp_path, encoding, PUZZLES[box])
    for reference, against in ((True, "clingo"), (False, "all")):
        found = outcomes(made, encoding, encoding.path, box, reference, against=against)
        assert found == ["success"] * len(PUZZLES[box])


@pytest.mark.slow
def test_the_short_prolog_program_is_a_success(tmp_path):
    made = exercise(tmp_path, ENCODINGS[0], PUZZLES[3, 3])
    assert outcomes(made, ENCODINGS[0], CLASSIC, (3, 3)) == ["success"] * len(NINE)


MAX_MODELS = 2_000
SHARES = 3


def differs(program: str, encoding: Encoding, puzzle: Grid) -> bool:
    """True if the program has another set of answers than the oracle, whatever else it shows."""
    expected = {encoding.shown(solution) for solution in all_solutions(puzzle)}
    options = encoding.options(puzzle.box)
    models, _ = answers(program, encoding.givens(puzzle), options, limit=MAX_MODELS)
    name = f"{encoding.answer}("
    found = {frozenset(atom for atom in model if atom.startswith(name)) for model in models}
    return bool(found - expected) or (len(models) < MAX_MODELS and found != expected)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: encoding.name)
def test_the_grader_notices_every_mutant_that_answers_otherwise(encoding, share, tmp_path):
    """But for givens that no puzzle has, such as in row 0, which no instance can hold."""
    puzzles = [*CLASHES, *PUZZLES[SMALL]]
    made = exercise(tmp_path, encoding, puzzles)
    program = tmp_path / "mutant.lp"
    noticed = []
    for mutant in islice(mutants_of_encoding(encoding.program), share, None, SHARES):
        if not grounds(mutant.program, encoding):
            continue
        wrong = any(differs(mutant.program, encoding, puzzle) for puzzle in puzzles)
        program.write_text(mutant.program, encoding="utf-8")
        found = outcomes(made, encoding, program, limit=925 if wrong else 0)
        assert (set(found) != {"success"}) == wrong, mutant.name
        noticed += [mutant.name] * wrong
    assert len(noticed) > 6


# === Puzzles with one solution are the answers of an encoding, beside a count in plain Python =====

NO_GIVENS = Grid.parse("." * 16)


def made_by_rule(
    givens: int, facts: str = "", limit: int = 0, *options: str
) -> list[tuple[Grid, Grid]]:
    """Puzzles with their solutions."""
    options = ("-cbox_rows=2", "-cbox_columns=2", f"-cgivens={givens}", *options)
    found, grumbles = answers(text_of("unique_by_rule"), facts, options, limit)
    assert grumbles == []
    return [(grid_of("initial", atoms), grid_of("sudoku", atoms)) for atoms in found]


def grid_of(name: str, atoms: frozenset[str], box: tuple[int, int] = (2, 2)) -> Grid:
    found = (re.fullmatch(rf"{name}\((\d),(\d),(\d)\)", atom) for atom in atoms)
    return Grid.of([tuple(map(int, each.groups())) for each in found if each], box)


def unique_puzzles(givens: int, *with_cells: int) -> set[Grid]:
    """All 4x4 puzzles with one solution, which no other solution has; with these cells given."""
    seen: dict[tuple, int] = {}
    solutions = [*all_solutions(NO_GIVENS)]
    for chosen in combinations({*range(16)} - {*with_cells}, givens - len(with_cells)):
        cells = (*with_cells, *chosen)
        for grid in solutions:
            puzzle = (cells, tuple(grid.digits[cell] for cell in cells))
            seen[puzzle] = seen.get(puzzle, 0) + 1
    found = (dict(zip(*puzzle, strict=True)) for puzzle, number in seen.items() if number == 1)
    return {Grid(tuple(digits.get(cell, 0) for cell in range(16)), (2, 2)) for digits in found}


@pytest.mark.parametrize("givens", [4, 5, 8, 15, 16])
def test_its_answers_have_one_solution(givens):
    for seed in range(3):
        random = ("--rand-freq=1", "--sign-def=rnd", f"--seed={seed}")
        for puzzle, solution in made_by_rule(givens, "", 20, *random):
            assert len(puzzle.givens) == givens
            assert [*all_solutions(puzzle)] == [solution]


def test_the_givens_that_are_asked_for_are_there():
    """Every puzzle of 4 givens with these two."""
    found = [puzzle for puzzle, _ in made_by_rule(4, "initial(1,1,1). initial(2,3,2).")]
    assert len(found) == len({*found})
    assert {*found} == {
        puzzle for puzzle in unique_puzzles(4, 0, 6) if puzzle[1, 1] == 1 and puzzle[2, 3] == 2
    }


def test_givens_that_clash_and_fewer_than_4_givens_have_no_answer():
    assert made_by_rule(4, "initial(1,1,1). initial(1,2,1).") == []
    # As good as all: another cell and digit are the same by symmetry.
    assert made_by_rule(3, "initial(1,1,1).") == []


@pytest.mark.slow
def test_it_finds_every_puzzle_of_4_givens():
    found = [puzzle for puzzle, _ in made_by_rule(4)]
    assert len(found) == len({*found}) == 25_728
    assert {*found} == unique_puzzles(4)


@pytest.mark.slow
def test_it_makes_9x9_puzzles():
    (atoms,), _ = answers(text_of("unique_by_rule"), "", ["-cgivens=36"], 1)
    puzzle, solution = (grid_of(name, atoms, (3, 3)) for name in ("initial", "sudoku"))
    assert len(puzzle.givens) == 36
    assert [*pls.solutions(puzzle, "prolog", limit=2)] == [solution]
