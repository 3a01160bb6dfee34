"""``encodings/sudoku.lp`` as a person runs it: by clingo alone, on files of facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clingo.ast import AST, ASTSequence, ASTType, Sign, parse_files
from helpers.programs import clingo
from helpers.puzzles import CLASSIC, LOOSE_ANSWER, PRINTED

from pylogic_sudoku import Grid

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

ROOT = ENCODING.parent.parent
PROGRAMS = [*ROOT.glob("encodings/**/*.lp"), *ROOT.glob("pylogic_sudoku/page/**/*.lp")]

# The example run of a blog post, whose program takes the givens as sudoku/3, and what it printed.
BLOG = """
sudoku(2,3,8). sudoku(3,3,9). sudoku(5,4,1). sudoku(6,4,2). sudoku(4,4,3). sudoku(1,4,4).
sudoku(8,4,5). sudoku(7,4,6). sudoku(3,4,7). sudoku(9,4,8). sudoku(2,4,9). sudoku(1,5,1).
sudoku(2,5,2). sudoku(3,5,3). sudoku(7,5,4).
"""


@pytest.fixture
def found(tmp_path):
    """All that clingo finds with the encoding and a file of these facts; it must not complain."""

    def grids(facts: str, box: tuple[int, int] = (3, 3), facts_first: bool = False) -> list[Grid]:
        given = tmp_path / "given.lp"
        given.write_text(facts)
        done = clingo(*((given, ENCODING) if facts_first else (ENCODING, given)), "0", "-V0")
        assert done.stderr == ""
        return [Grid.parse(line, "facts", box) for line in done.stdout.splitlines()[:-1]]

    return grids


def test_the_answer_that_the_blog_printed_is_one(found):
    answer = Grid.parse(LOOSE_ANSWER)
    assert answer.is_solution_of(Grid.parse(BLOG))
    facts = answer.format("facts").replace("initial", "sudoku")
    assert found(BLOG + facts) == [answer]


def test_both_kinds_of_givens_together(found):
    first, rest = Grid.parse(CLASSIC).format("facts").split("\n", 1)
    given = first.replace("initial", "sudoku") + rest
    assert found(given) == [Grid.parse(PRINTED[CLASSIC])]


@pytest.mark.parametrize("facts_first", [True, False])
def test_the_facts_may_say_the_shape(found, facts_first):
    shape = "#const box_rows=2. [override] #const box_columns=2. [override]"
    assert len({*found(shape, (2, 2), facts_first)}) == 288


@pytest.mark.parametrize(
    "encoding",
    ["sudoku", "explaining/demands", "techniques/singles", "techniques/sets", "techniques/wings"],
)
def test_includes_are_found_from_any_folder(tmp_path, monkeypatch, encoding):
    monkeypatch.chdir(tmp_path)
    done = clingo(ENCODING.parent / f"{encoding}.lp", "-q", "-cbox_rows=2")
    assert (done.stderr, "SATISFIABLE" in done.stdout) == ("", True)


def parts(node: Any) -> Iterator[AST]:
    """A node of a program and all within it."""
    if isinstance(node, AST):
        yield node
        for key in node.child_keys:
            yield from parts(getattr(node, key))
    elif isinstance(node, ASTSequence):
        for each in node:
            yield from parts(each)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_no_negated_atom_has_a_variable_without_a_name(path):
    """clingo 6 will call it unsafe, where clingo 5 asks if there is any such atom."""
    statements: list[AST] = []
    parse_files([str(path)], statements.append)
    negated = [
        node
        for statement in statements
        for node in parts(statement)
        if node.ast_type == ASTType.Literal
        and node.sign != Sign.NoSign
        and node.atom.ast_type == ASTType.SymbolicAtom
    ]
    unsafe = [
        str(literal)
        for literal in negated
        for part in parts(literal)
        if part.ast_type == ASTType.Variable and part.name == "_"
    ]
    assert unsafe == []
