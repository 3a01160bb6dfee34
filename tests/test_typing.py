"""Types are exact: what the documents do with answers passes mypy, and a wrong name does not."""

from __future__ import annotations

import doctest
import re
from inspect import signature
from pathlib import Path

import pytest
from helpers.documents import ROOT, blocks
from mypy import api

from pylogic_sudoku.rules import KINDS

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]

WRONG = """\
import pylogic_sudoku as pls
pls.solv("1")
pls.why("1", "r1c1").rule
answer = pls.conflicts("1")
answer.solution.rows
assert isinstance(answer, pls.Solvable)
answer.solution.rows
"""

# Each line is one wrong use, and the comment says what mypy calls it.
USES = """\
from collections.abc import Mapping
import numpy
import pylogic_sudoku as pls
from pylogic_sudoku import draw, rules
cage = rules.KillerCage("r1c1 r1c2", total=8)  # call-arg
cage = rules.KillerCage("r1c1 r1c2", sum="8")  # arg-type
cage = rules.KillerCage(sum=8)  # call-arg
cage = rules.KillerCage(5)  # arg-type
cage = rules.KillerCage("r1c1 r1c2", 8, 9)  # call-arg
cage.sum = 5  # misc
cage.cells.append("r1c1")  # attr-defined
rules.Thermometer("r1c1 r1c2", slow="yes")  # arg-type
rules.Negative(differences="1")  # arg-type
rules.AnyOf([rules.AntiKnight()])  # list-item
rules.AntiKnight("r1c1")  # call-arg
pls.solve(5)  # call-overload
pls.solve([1, 2])  # list-item
pls.solve("1", timeout="5")  # call-overload
pls.generate(level="evil")  # arg-type
pls.generate(symmetry="turned")  # arg-type
pls.rate("1").level == "evil"  # comparison-overlap
pls.why("1", "r1c1", detail="box")  # arg-type
draw.Picture(5)  # arg-type
pls.Problem(5)  # arg-type
board = pls.Problem("queens").instance("size=8")
pls.Problem("queens").instance(8)  # arg-type
board.facts = ()  # misc
pls.solve(board).rows  # union-attr
pls.propagate(board, timeout="5")  # call-overload
pls.certify(board)  # arg-type
pls.hint(board)  # arg-type
pls.solve("1").values("queen")  # union-attr
pls.Answer([("queen", 1, 2)])  # list-item
pls.Grid.parse(["1"])  # arg-type
"""

# What is right, and passes.
RIGHT = """\
from typing import assert_type
import numpy
import pylogic_sudoku as pls
from pylogic_sudoku import draw, rules
from pylogic_sudoku.rules import Cells, Digits, Rule, rule

puzzle = pls.Puzzle("." * 16, rules=[rules.KillerCage("r1c1 r1c2", 3)])
for each in (puzzle, puzzle.grid):
    pls.solve(each.to_json())
pls.solve(numpy.zeros((4, 4)))
pls.solve(["1...", "....", "....", "...."])
pls.solve([[1, None], [None, 2]])
draw.Picture("1" + "." * 15, puzzle.to_json())
puzzle.grid.is_solution_of("." * 16)
rules.KillerCage([(1, 1), "r1c2", pls.Cell(1, 3)])
rules.Total("r1c1", 5, weights=[1])
rules.AnyOf([[rules.KillerCage("r1c1", 3), {"rule": "anti_knight"}], [rules.AntiKnight()]])
rules.PairTable(["r1c1 r1c2", [(1, 1), (2, 1)]], [[1, 2]])
assert_type(rules.KillerCage("r1c1").cells, tuple[pls.Cell, ...])
assert_type(rules.KillerCage("r1c1").sum, int | None)
pls.generate(level="easy", symmetry="rotation")

board = pls.Problem("queens").instance("size=8")
assert_type(pls.solve(board), pls.Answer | None)
assert_type(pls.solve("." * 16), pls.Grid | None)
assert_type(list(pls.solutions(board, "prolog")), list[pls.Answer])
assert_type(pls.count(board), int)
assert_type(pls.candidates(board), frozenset[pls.Atom])
assert_type(pls.propagate(board), pls.Remaining | None)
assert_type(pls.measure(board).solution, pls.Answer | None)
for event in pls.trace(board):
    assert_type(event, pls.Event[pls.Atom, pls.Answer])
for event_of_puzzle in pls.trace("." * 16):
    assert_type(event_of_puzzle.placed, tuple[pls.Placement, ...])
comparison = pls.compare(board, limit=None)
assert_type(comparison, pls.Comparison[pls.Instance, pls.Answer])
assert_type(comparison.solutions, frozenset[pls.Answer])
assert_type(comparison.answers, dict[str, pls.EngineResult[pls.Answer]])
assert_type(pls.Problem("queens").instances["8"], pls.Instance)
answer = pls.Answer([pls.Atom("queen", (1, 2))])
assert answer == frozenset([pls.Atom("queen", (1, 2))])
assert_type([name for name, _ in pls.Problem("queens").outputs], list[str])
puzzle_or_board: pls.Instance | pls.Puzzle = board
pls.count(puzzle_or_board)
list(pls.cross_check([board]))

@rule
class Low(Rule):
    cells: Cells
    most: int = 2

    def holds(self, digits: Digits) -> bool:
        return all(digits[cell] <= self.most for cell in self.cells)

Low("r1c1 r1c2", most=3)
Own = rules.define("own", prolog="rule(own, Fields, Grid) :- true.")
Own("r1c1 r1c2", values=[3])
"""

pytestmark = pytest.mark.slow  # mypy reads the whole package, and numpy's types


def program(page: Path) -> str:
    """All Python of a page, sessions and programs, as one program."""
    return "\n".join(
        doctest.script_from_examples(block) if block.startswith(">>> ") else block
        for block in blocks(page, "python")
    )


@pytest.fixture(scope="module")
def complaints(tmp_path_factory) -> list[str]:
    """The complaints of mypy about the documents and the wrong program."""
    folder = tmp_path_factory.mktemp("programs")
    texts = {page.stem.lower(): program(page) for page in PAGES} | {
        "wrong": WRONG,
        "uses": USES,
        "right": RIGHT,
    }
    files = [folder / f"{name}_program.py" for name, text in texts.items() if text]
    assert len(files) > 8
    for file in files:
        file.write_text(texts[file.stem.removesuffix("_program")], encoding="utf-8")
    said, errors, _ = api.run(
        [
            "--strict",
            "--no-pretty",
            "--allow-redefinition",  # at a prompt, names are bound again
            "--disable-error-code=import-untyped",
            "--untyped-calls-exclude=distributed",
            f"--cache-dir={folder / 'cache'}",
            *map(str, files),
        ]
    )
    assert not errors
    return [line.replace(f"{folder}/", "") for line in said.splitlines()[:-1]]


def test_the_python_of_the_documents_passes_mypy(complaints):
    wrong = ("wrong_program.py", "uses_program.py", "right_program.py")
    said = [line for line in complaints if not line.startswith(wrong)]
    # Tests are written without types.
    untyped = ("testing_program.py", "[no-untyped-def]")
    assert [x for x in said if not (x.startswith(untyped[0]) and x.endswith(untyped[1]))] == []


def test_a_wrong_name_does_not_pass(complaints):
    wrong = [line for line in complaints if line.startswith("wrong_program.py")]
    found = {(int(line.split(":")[1]), line.rpartition("  ")[2]) for line in wrong}
    assert found == {(2, "[attr-defined]"), (3, "[union-attr]"), (5, "[union-attr]")}
    assert wrong[0].endswith(
        'error: Module has no attribute "solv"; maybe "solve"?  [attr-defined]'
    )


def test_a_wrong_use_does_not_pass(complaints):
    errors = [line for line in complaints if re.match(r"uses_program.py:\d+: error", line)]
    found = {(int(line.split(":")[1]), line.rpartition("  ")[2].strip("[]")) for line in errors}
    lines = enumerate(USES.splitlines(), 1)
    assert found == {(at, line.partition("  # ")[2]) for at, line in lines if "  # " in line}


def test_a_right_use_passes(complaints):
    assert [line for line in complaints if line.startswith("right_program.py")] == []


def test_editors_see_the_fields_of_a_rule():
    for made in KINDS.values():
        assert list(signature(made).parameters) == list(made.types)
