"""Puzzles with rules in every format that holds them, written and read again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from helpers.puzzles import PRINTED
from helpers.rules import MAKERS

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats
from pylogic_sudoku.formats._fpuzzles import KEYS
from pylogic_sudoku.rules import KINDS, Different, KillerCage, Negative, Rule, from_json

NINE = Grid.parse(next(iter(PRINTED.values())))
EMPTY = "1" + "." * 80
UNSAID = {"total", "rellik_cage", "sum_line", "hidden_skyscraper", "lunchbox", "greater"}
UNSAID |= {"pair_table", "anti_taxicab", "same_values", "global_entropy", "counting_circles"}
UNSAID |= {"look_and_say", "count_different", "any_of"}
"""Kinds of rules that f-puzzles has no way to say."""


def unnamed(rules: tuple[Rule, ...]) -> set[Rule]:
    """The rules without what people call a set of cells, which only JSON keeps."""
    return {replace(each, name="") if isinstance(each, Different) else each for each in rules}


def rules_of(kind: str, number: int = 5) -> list[Rule]:
    return [MAKERS[kind](random.Random(seed), NINE) for seed in range(number)]


@pytest.mark.parametrize("kind", MAKERS)
def test_our_own_formats_hold_every_kind(kind):
    rules = rules_of(kind)
    puzzle = Puzzle(EMPTY, rules=rules)
    for form in ("json", "facts", "prolog"):
        text = puzzle.format(form)
        found = Puzzle.parse(text)
        assert found == Puzzle.parse(text, form)
        assert (found.grid, len(found.rules)) == (puzzle.grid, len(rules))
        assert unnamed(found.rules) == unnamed(puzzle.rules)
        assert form != "json" or found.rules == puzzle.rules
        assert list(formats.read_puzzles(text.splitlines())) == [found]


@pytest.mark.parametrize("kind", sorted(MAKERS.keys() - UNSAID))
@pytest.mark.parametrize("form", ["fpuzzles", "fpuzzles-link"])
def test_f_puzzles_holds_what_it_can_say(kind, form):
    for rule in rules_of(kind):
        puzzle = Puzzle(EMPTY, rules=[rule], title="A title", author="Someone")
        try:
            text = puzzle.format(form)
        except InvalidPuzzle:  # such as a sandwich that is no row and no column
            continue
        found = Puzzle.parse(text)
        assert (found.grid, unnamed(found.rules)) == (puzzle.grid, unnamed((rule,)))
        assert (found.title, found.author) == ("A title", "Someone")


@pytest.mark.parametrize("kind", sorted(UNSAID))
def test_a_rule_that_f_puzzles_cannot_say_is_named(kind):
    rule = rules_of(kind, 1)[0]
    with pytest.raises(InvalidPuzzle, match="f-puzzles has no way to say this rule: ") as caught:
        Puzzle(EMPTY, rules=[rule]).format("fpuzzles")
    assert str(caught.value).endswith(f": {rule}; 'json', 'facts' and 'prolog' can")


SAID = [
    ("sandwich", {"cells": [f"r{row}c3" for row in range(1, 10)], "sum": 9}),
    ("x_sum", {"cells": [f"r4c{column}" for column in range(9, 0, -1)], "sum": 9}),
    ("skyscraper", {"cells": [f"r{row}c9" for row in range(9, 0, -1)], "value": 3}),
    ("little_killer", {"cells": "r1c3 r2c2 r3c1", "sum": 20}),
    ("lockout_line", {"cells": "r1c3 r2c2 r3c1", "difference": 4}),
    ("modular_line", {"cells": "r1c3 r2c2 r3c1", "modulus": 3}),
    ("pair_sum", {"cells": "r1c3 r1c4", "value": 5}),
    ("ratio", {"cells": "r1c3 r1c4", "value": 3}),
    ("difference", {"cells": "r1c3 r2c3", "value": 4}),
    ("contains", {"cells": "r1c3 r1c4 r2c3 r2c4", "digits": [1, 1, 9]}),
    ("minimum", {"cells": "r1c3 r1c4"}),
    ("clone", {"cells": "r1c3 r1c4", "copies": "r5c3 r5c4"}),
    ("negative", {"differences": [1]}),
    ("negative", {"ratios": [2]}),
    ("negative", {"sums": [5, 10]}),
    ("arrow", {"circle": "r5c5 r5c6", "arm": "r6c7 r7c8"}),
    ("thermometer", {"cells": "r1c3 r2c2", "slow": True}),
]


@pytest.mark.parametrize(("kind", "fields"), SAID)
def test_rules_in_the_form_that_f_puzzles_has(kind, fields):
    puzzle = Puzzle("." * 81, rules=[{"rule": kind, **fields}])
    assert Puzzle.parse(puzzle.format("fpuzzles")) == puzzle


def test_every_indexer_and_set_of_f_puzzles_comes_back():
    document = {"size": 9, "grid": [[{}] * 9] * 9, "diagonal+": True, "disjointgroups": True}
    document |= {f"{what}indexer": [{"cells": ["R2C5"]}] for what in ("row", "column", "box")}
    puzzle = Puzzle.parse(str(document).replace("'", '"').replace("True", "true"))
    kinds = [rule.kind for rule in puzzle.rules]
    assert (kinds.count("different"), kinds.count("index")) == (10, 3)
    assert Puzzle.parse(puzzle.format("fpuzzles")) == puzzle


def test_marked_pairs_are_exempt_from_a_negative_rule():
    dots = [from_json({"rule": kind, "cells": cells}) for kind, cells in (
        ("difference", "r1c1 r1c2"), ("ratio", "r3c3 r4c3"))]  # fmt: skip
    exempt = [rule.cells for rule in dots]
    puzzle = Puzzle("." * 81, rules=[*dots, Negative(ratios=[2], exempt=exempt)])
    found = Puzzle.parse(puzzle.format("fpuzzles"))
    assert set(found.rules) == set(puzzle.rules)
    with pytest.raises(InvalidPuzzle, match="no way to say this rule: negative"):
        Puzzle("." * 81, rules=[*dots, Negative(ratios=[2])]).format("fpuzzles")


def test_regions_boxes_and_marks_in_f_puzzles():
    jigsaw = Puzzle("." * 16, "1112122233343444", {"r1c1": "odd", "r2c2": {1, 2, 4}})
    boxes = Puzzle(Grid((0,) * 36, (3, 2)))
    for puzzle in (jigsaw, boxes):
        for form in ("fpuzzles", "fpuzzles-link"):
            assert Puzzle.parse(puzzle.format(form)) == puzzle


def test_links_and_ids_hold_the_same_document():
    puzzle = Puzzle(EMPTY, rules=[KillerCage("r1c1 r1c2", sum=3)])
    link = puzzle.format("fpuzzles-link")
    data = link.partition("load=")[2]
    assert link.startswith("https://www.f-puzzles.com/?load=N4Ig")
    for text in (
        link.replace("www.", ""),
        link.replace("%2B", "+"),
        link.replace("%2B", " "),
        data,
        f"fpuz{data}",
        f"fpuzzles{data}",
        f"https://sudokupad.app/fpuz{data}",
        f"https://sudokupad.app/fpuzzles{data}?setting-nogrid=1",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{data}",
    ):
        assert Puzzle.parse(text) == puzzle
    assert list(formats.read_puzzles([f"{link}\n", "# another\n", f"{link}\n"])) == [puzzle] * 2


def test_a_puzzle_with_rules_at_the_prompt_of_prolog():
    puzzle = Puzzle("1..4" + "." * 12, rules=[KillerCage("r1c2 r1c3", sum=5)])
    assert puzzle.format("prolog").splitlines()[-1] == (
        " [_,_,_,_]], 2-2, [killer_cage(cells=[1-2,1-3],sum=5)]"
    )
    jigsaw = Puzzle("." * 16, "1112122233343444")
    assert "regions([[1,1,1,2]," in jigsaw.format("prolog")
    assert Puzzle.parse(jigsaw.format("prolog")) == jigsaw
    assert Puzzle.parse(f"?- sudoku({puzzle.format('prolog')}).") == puzzle
    others = "'json', 'facts', 'fpuzzles' and 'fpuzzles-link' can"
    with pytest.raises(InvalidPuzzle, match=f"marks, which 'prolog' cannot hold; {others}$"):
        Puzzle("." * 16, marks={"r1c1": "odd"}).format("prolog")


def test_every_kind_is_said_by_f_puzzles_or_known_not_to_be():
    assert KINDS.keys() >= UNSAID
    assert {key.kind.kind for key in KEYS.values() if key.kind} == MAKERS.keys() - UNSAID


GRID = "[[1,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], 2-2, "


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rule(1,fogofwar).", "rule 1: no rule 'fogofwar' here; `pylogic"),
        ("rule(1,killer_cage). on(1,cels,1,1,1).", "rule 1: killer_cage has no cels"),
        ("rule(1,killer_cage). on(1,cells,2,1,1).", "cells is not numbered from 1 to 1"),
        ("rule(1,killer_cage). on(1,cells,1,x,1).", "x stands where a number is expected"),
        ("rule(1,killer_cage). on(2,cells,1,1,1).", "rule 2 has no kind"),
        ("rule(1,killer_cage). rule(1,arrow).", "but rule 1 is killer_cage"),
        ("rule(1,killer_cage). value(1,sum,1,3). value(1,sum,1,4).", "another such fact"),
        ("rule(1,any_of). option(1,1). option(1,1,1).", "rule 1 is an alternative of itself"),
        ("rule(1,any_of). option(1,1). option(1,1,7).", "rule 7 has no kind"),
        (GRID + "[fogofwar]", "no rule 'fogofwar' here"),
        (GRID + "[killer_cage(cells=[1-1)]", "'\\)' stands where '\\]' is expected"),
        (GRID + "[killer_cage(sum=3)]", "the field 'cells' is missing"),
        (GRID + "[killer_cage(cells=[9-1])]", "not a cell of a 4x4 grid"),
        (GRID + "[killer_cage(cells=[1-1],sum=12345678901)]", "too large a number"),
        (GRID + "[killer_cage(cells=" + "[" * 99 + "]", "too many lists|stands where"),
    ],
)
def test_bad_facts_and_terms_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)
