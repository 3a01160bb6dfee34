"""Text that is handed on gives the same puzzle again, without its format or its boxes."""

from __future__ import annotations

import json
import pickle
import random
import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.command_line import invoke
from helpers.format_texts import CLASSIC, FOUR, SIX
from helpers.jigsaws import jigsaw
from helpers.oracle import dig, full_grid
from helpers.puzzles import PRINTED
from helpers.rules import MAKERS
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats, read_puzzles
from pylogic_sudoku.check.cases import VOCABULARIES
from pylogic_sudoku.check.puzzles import find_instances, puzzle_of
from pylogic_sudoku.formats import (
    _ENDINGS,
    FORMATS,
    READ_ONLY,
    as_puzzle,
    parse,
    write,
    write_and_check,
)
from pylogic_sudoku.formats.fpuzzles import KEYS
from pylogic_sudoku.page.questions import read as read_on_the_page
from pylogic_sudoku.puzzle.cells import OpenShape
from pylogic_sudoku.rules import KillerCage, Negative, Rule, from_json
from pylogic_sudoku.rules.base import FIELDS

SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (2, 6), (4, 4), (1, 5), (5, 1)]


def pattern(box, part, seed=0):
    """A grid with this part of the digits of a solution."""
    grid = full_grid(box, seed)
    return dig(grid, round(part * len(grid.digits)), seed)


DETECTED = [format for format in FORMATS if format != "hex"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("format", DETECTED)
def test_every_format_comes_back_in_every_shape(format):
    for box, part in product(SHAPES, (1, 0.7, 0.4, 0.1)):
        grid = pattern(box, part)
        text, same = write_and_check(grid, format)
        assert (same, as_puzzle(parse(text))) == (True, grid)
        assert [as_puzzle(each) for each in read_puzzles(text.splitlines())] == [grid]


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_clear_gets_no_comment(format):
    assert write_and_check(FOUR, format) == (FOUR.format(format), format in DETECTED)


def test_a_drawing_is_not_said_to_come_back():
    assert not write_and_check(jigsaw(6, 6, 1), "pretty")[1]


def test_comments_above_the_puzzles_count_for_all_of_them():
    for text in (
        f"#C2x3 boxes\n{SIX}\n{SIX}",
        f"# by hand\n#C2x3 boxes\npuzzle\n{SIX}\n{SIX}",
        f"#C2x3 boxes\n{SIX.format('rows')}\n\n{SIX.format('rows')}\n",
    ):
        assert list(read_puzzles(text.splitlines())) == [SIX, SIX]
    assert Grid.parse(f"# by hand\n#C2x3 boxes\npuzzle\n{SIX}") == SIX


def test_an_open_shape_says_its_size():
    with pytest.raises(OpenShape) as caught:
        Puzzle.parse("." * 36)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.size, str(again)) == (6, str(caught.value))


# === One text is the same puzzle through every door, whatever stands above the puzzle in it =======

NINE = Grid.parse(CLASSIC)
CHARACTERS = "j<<<<<<<<" * 9
LABELS = CLASSIC + "AAABBBCCC" * 3 + "DDDEEEFFF" * 3 + "GGGHHHIII" * 3

# Each line of a comment is what some format would take for a puzzle, or for a sign of its own.
SIGNS = ["5 3 . .", "[[1,2],[3,4]]", "Answer: 1", "puzzle,solution", "[Puzzle]", "<game>", CLASSIC]
SIGNS += ["initial(1,1,9).", '"grid": [[{', "it's 50% off", 'an open " quote']
LINES = "".join(f"# {sign}\n" for sign in SIGNS * 12)
PERCENT = LINES.replace("# ", "% ") + "%" + "*" * 60 + "%\n"
SLASHES = "/*\n" + "\n".join(SIGNS * 12) + "\n*/\n"
XML = '<?xml version="1.0"?>\n<!--\n' + "\n".join(SIGNS * 12) + "\n-->\n"
BLOCK = SLASHES.replace("/*", "%*").replace("*/", "*%")

ABOVE = {
    "facts": [PERCENT, BLOCK, PERCENT + BLOCK + PERCENT, BLOCK.replace("\n*%", " *%")],
    "answer": [PERCENT.replace("% Answer", "% answer"), BLOCK],
    "json": [],
    "fpuzzles": [],
    "prolog": [PERCENT, SLASHES, "%" + "*" * 60 + "\n" + PERCENT + SLASHES],
    "opensudoku": [XML],
    "dzn": [PERCENT, SLASHES],
    "clingo": [],
    "scl": [],
}
"""Comments of the formats that have comments of their own, or none; the others have lines."""

ENDINGS = {"facts": "lp", "answer": "txt", "json": "json", "fpuzzles": "json"}
ENDINGS |= {
    "dzn": "dzn",
    "clingo": "json",
    "scl": "json",
    "ss": "ss",
    "prolog": "pl",
    "opensudoku": "opensudoku",
    "csv": "csv",
    "sdk": "sdk",
}

ROWS = "\n".join(next(iter(PRINTED.values()))[at : at + 9] for at in range(0, 81, 9))
TEXTS = {name: write(NINE, name) for name in FORMATS}


def game_id(grid: Grid) -> str:
    """The game ID of Solo: a letter for each run of empty cells."""
    cells = re.sub(r"(?<=\d)(?=\d)", "_", str(grid))
    return "3x3:" + re.sub(r"\.+", lambda run: chr(ord("a") + len(run[0]) - 1), cells)


PAD = {
    "cells": [[{"value": digit} if digit else {} for digit in row] for row in NINE.rows],
    "regions": [
        [[row + i, column + j] for i in range(3) for j in range(3)]
        for row in (0, 3, 6)
        for column in (0, 3, 6)
    ],
}
TEXTS |= {
    "opensudoku": f'<opensudoku><game data="{CLASSIC}"/></opensudoku>',
    "solo": game_id(NINE),
    "scl": json.dumps(PAD),
    "killer": CHARACTERS,
    "jigsaw": LABELS,
    "iss": ".Thermo~R1C1~R1C2",
}


def test_every_format_has_a_text():
    assert TEXTS.keys() == FORMATS.keys() | READ_ONLY.keys()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", TEXTS)
def test_every_door(name, tmp_path):
    form = name if name in ("pencil", "hex") else None
    puzzle = as_puzzle(Puzzle.parse(TEXTS[name], form))
    for above in ["", "\n" * 100, *ABOVE.get(name, [LINES])]:
        text = above + TEXTS[name] + "\n"
        for ending in {"txt", ENDINGS.get(name, "txt")}:
            file = tmp_path / f"puzzle.{ending}"
            file.write_text(text, encoding="utf-8")
            found = {door: of(text, file, form) for door, of in DOORS.items()}
            assert found == {door: [puzzle] for door in DOORS}, (above[:20], ending)


WIDE = "\n".join(
    "".join(word.ljust(9) for word in line.replace("|", " ").split())
    for line in TEXTS["pencil"].splitlines()
    if line.startswith("|")
)
"""Pencil marks whose rows are as long as a puzzle of 9x9 in one line."""
MARKS = {"pencil": TEXTS["pencil"], "wide": WIDE}
MARKS[".sdx"] = "\n".join(" ".join(row.split()) for row in WIDE.splitlines())
SECTIONS = f"[State]\n{ROWS}\n[Puzzle]\n{NINE.format('rows')}\n[Colors]\n{ROWS}"
SHAPES_OF_TEXT = (
    {name: text for name, text in TEXTS.items() if name != "hex"}
    | MARKS
    | {
        "sections": SECTIONS,
        "bands": re.sub(r"((?:.*\n){3})", r"\1\n", NINE.format("rows")),
        "double-spaced": NINE.format("rows").replace("\n", "\n\n"),
        "cells of a table": "\n".join(
            ",".join(row).replace(".", "") for row in NINE.format("rows").split()
        ),
    }
)


@given(
    st.sampled_from(sorted(SHAPES_OF_TEXT)),
    st.sampled_from(["\n", "\r\n", "\r", "\x85", "\u2028"]),
    st.sampled_from(["", "# mine", "\n\n", "% by hand", "\ufeff", "```", "\u200b"]),
    st.sampled_from(["", "\n", "\n\n", "\x1a", "\n\x1a", "\n```", "\u200b"]),
    st.sampled_from(["txt", *_ENDINGS]),
    st.booleans(),
)
def test_a_text_is_the_same_puzzle_whatever_is_around_it(name, end, above, below, ending, quoted):
    text = SHAPES_OF_TEXT[name]
    if '"' in text and end in "\x85\u2028":  # a title in quotes may hold them
        end = "\n"
    puzzle = as_puzzle(Puzzle.parse(text))
    text = f"{above}\n{text}" if above.isascii() else above + text
    text += below
    if quoted:
        text = "> " + text.replace("\n", "\n> ")
    text = text.replace("\n", end)
    fits = (
        above not in ("# mine", "% by hand")
        or name not in ABOVE
        or (above[0] == "%" and name != "opensudoku")
        or name in ("json", "fpuzzles", "clingo", "scl")
    )
    for door in (
        lambda: Puzzle.parse(text),
        lambda: formats.parse(text, name=f"p.{ending}"),
        lambda: one_of(text, ending),
    ):
        try:
            assert as_puzzle(door()) == puzzle
        except InvalidPuzzle:
            assert not fits


def one_of(text: str, ending: str) -> object:
    """The only puzzle of a file with this text and ending."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"puzzle.{ending}"
        file.write_bytes(text.encode())
        (puzzle,) = read_puzzles(file)
    return puzzle


def parsed(text: str, _file: Path, form: str | None) -> list[object]:
    return [as_puzzle(Puzzle.parse(text, form))]


def read(_text: str, file: Path, form: str | None) -> list[object]:
    return list(map(as_puzzle, read_puzzles(file, form)))


def read_as_lines(text: str, _file: Path, form: str | None) -> list[object]:
    return list(map(as_puzzle, read_puzzles(text.splitlines(keepends=True), form)))


def converted(_text: str, file: object, form: str | None, stdin: str = "") -> list[object]:
    options = ["--from", form] if form else []
    ran = invoke("convert", "-f", "json", *options, file, stdin=stdin)
    assert ran.exit_code == 0, ran.stderr
    return [as_puzzle(Puzzle.parse(line)) for line in ran.stdout.splitlines()]


def converted_literally(text: str, _file: Path, form: str | None) -> list[object]:
    return converted(text, text, form)


def converted_from_standard_input(text: str, _file: Path, form: str | None) -> list[object]:
    return converted(text, "-", form, stdin=text)


def as_an_instance(_text: str, file: Path, form: str | None) -> list[object]:
    words = VOCABULARIES["initial"]
    return [as_puzzle(puzzle_of(each, words)) for each in find_instances(file, words, form)]


def on_the_page(text: str, _file: Path, form: str | None) -> list[object]:
    return list(map(as_puzzle, read_on_the_page(0, text=text, format=form)["puzzles"]))


DOORS = {
    each.__name__: each
    for each in (
        *(parsed, read, read_as_lines, converted, converted_literally),
        *(converted_from_standard_input, as_an_instance, on_the_page),
    )
}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("given.lp", "cell(1,1).\ninitial(1,1,5) initial(2,2).", "line 2: initial"),
        ("rows.json", "{1", "this is not JSON"),
        ("rows.csv", "12", "expected"),
        ("rows.pl", "hello :- world.", "this is a program without a"),
    ],
)
def test_the_ending_of_a_file_says_what_was_meant(name, text, complaint, tmp_path):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        list(read_puzzles(file))
    ran = invoke("solve", file)
    assert ran.exit_code == 2
    assert complaint in ran.stderr


def test_a_prolog_file_whose_list_comes_late_is_known_by_its_ending(tmp_path):
    file = tmp_path / "problems.pl"
    file.write_text("helper(X) :- other(X).\n" * 70 + f"problem(1, {NINE.format('prolog')}).\n")
    assert list(read_puzzles(file)) == [NINE]
    assert invoke("count", file).stdout.strip().endswith("1")


# === Puzzles with rules in every format that holds them, written and read again ===================

FULL = Grid.parse(next(iter(PRINTED.values())))
NEARLY_EMPTY = "1" + "." * 80
HELD = {"thermometer", "whispers", "renban", "nabner", "palindrome", "between_line", "arrow"}
HELD |= {"lockout_line", "entropic_line", "modular_line", "region_sum_line", "zipper_line"}
HELD |= {"double_arrow", "difference", "ratio", "pair_sum", "negative", "clone", "minimum"}
HELD |= {"maximum", "killer_cage", "little_killer", "sandwich", "x_sum", "skyscraper"}
HELD |= {"different", "anti_knight", "anti_king", "contains", "index"}
"""Kinds of rules that f-puzzles can say."""
UNSAID = MAKERS.keys() - HELD


def unnamed(rules: tuple[Rule, ...]) -> set[Rule]:
    """The rules without their texts, which only JSON keeps: a name, or an expression."""
    return {
        replace(each, **{name: "" for name, field in each.types.items() if field is FIELDS[str]})
        for each in rules
    }


def rules_of(kind: str, number: int = 5) -> list[Rule]:
    return [MAKERS[kind](random.Random(seed), FULL) for seed in range(number)]


@pytest.mark.parametrize("kind", MAKERS)
def test_our_own_formats_hold_every_kind(kind):
    rules = rules_of(kind)
    puzzle = Puzzle(NEARLY_EMPTY, rules=rules)
    for form in ("json", "facts", "prolog"):
        text, same = write_and_check(puzzle, form)
        found = Puzzle.parse(text)
        assert found == Puzzle.parse(text, form)
        assert same is (found == puzzle)
        assert (found.grid, len(found.rules)) == (puzzle.grid, len(rules))
        assert unnamed(found.rules) == unnamed(puzzle.rules)
        assert form != "json" or found.rules == puzzle.rules
        assert list(formats.read_puzzles(text.splitlines())) == [found]


CHOSEN = [
    ("x_sum", {"cells": [f"r4c{column}" for column in range(9, 0, -1)], "sum": 9}),
    ("skyscraper", {"cells": [f"r{row}c9" for row in range(9, 0, -1)], "value": 3}),
    ("thermometer", {"cells": "r1c3 r2c2", "slow": True}),
    ("arrow", {"circle": "r5c5 r5c6", "arm": "r6c7 r7c8"}),
    ("lockout_line", {"cells": "r1c3 r2c2 r3c1", "difference": 4}),
    ("modular_line", {"cells": "r1c3 r2c2 r3c1", "modulus": 3}),
    ("pair_sum", {"cells": "r1c3 r1c4", "value": 5}),
    ("contains", {"cells": "r1c3 r1c4 r2c3 r2c4", "digits": [1, 1, 9]}),
    ("negative", {"differences": [1]}),
    ("negative", {"ratios": [2]}),
    ("negative", {"sums": [5, 10]}),
]
"""Rules that f-puzzles can express, but makers seldom make."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", sorted(HELD - {"index"}))
@pytest.mark.parametrize("form", ["fpuzzles", "fpuzzles-link"])
def test_f_puzzles_holds_what_it_can_say(kind, form):
    chosen = [from_json({"rule": each, **of}) for each, of in CHOSEN if each == kind]
    said = 0
    for rule in (*chosen, *rules_of(kind, 9)):
        puzzle = Puzzle(NEARLY_EMPTY, rules=[rule], title="Ein Rätsel 😀", author="Someone")
        try:
            text, same = write_and_check(puzzle, form)
        except InvalidPuzzle:  # such as a sandwich that is not a whole row or column
            assert rule not in chosen
            continue
        found = Puzzle.parse(text)
        assert (found.grid, unnamed(found.rules)) == (puzzle.grid, unnamed((rule,)))
        assert (found.title, found.author) == ("Ein Rätsel 😀", "Someone")
        assert same is (found == puzzle)
        said += 1
    assert said


@pytest.mark.parametrize("kind", sorted(UNSAID))
def test_a_rule_that_f_puzzles_cannot_say_is_named(kind):
    rule = rules_of(kind, 1)[0]
    with pytest.raises(InvalidPuzzle, match="f-puzzles has no way to say this rule: ") as caught:
        Puzzle(NEARLY_EMPTY, rules=[rule]).format("fpuzzles")
    assert str(caught.value).endswith(f": {rule}; 'json' can")


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


def test_regions_boxes_and_marks_come_back():
    jigsaw = Puzzle("." * 16, "1112122233343444", {"r1c1": "odd", "r2c2": {1, 2, 4}})
    for puzzle in (jigsaw, Puzzle(Grid((0,) * 36, (3, 2)))):
        for form in ("json", "facts", "fpuzzles", "fpuzzles-link"):
            text, same = write_and_check(puzzle, form)
            assert same
            assert as_puzzle(parse(text)) == as_puzzle(puzzle)


def test_links_and_ids_hold_the_same_document():
    puzzle = Puzzle(NEARLY_EMPTY, rules=[KillerCage("r1c1 r1c2", sum=3)])
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
    with pytest.raises(InvalidPuzzle, match=r"which 'prolog' cannot hold; 'json' can$"):
        Puzzle("." * 16, marks={"r1c1": "odd"}).format("prolog")


def test_f_puzzles_says_these_kinds():
    assert {key.kind.kind for key in KEYS.values() if key.kind} == HELD


GRID = "[[1,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], 2-2, "


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rule(1,fogofwar).", "rule 1: no rule 'fogofwar' here; `pylogic"),
        ("rule(1,killer_cage). on(1,cels,1,1,1).", "rule 1: killer cage: unknown field 'cels'"),
        ("rule(1,killer_cage). on(1,cells,2,1,1).", "cells is not numbered from 1 up"),
        ("rule(1,killer_cage). on(1,cells,1,x,1).", "x stands where a number from 1 up is"),
        ("rule(1,killer_cage). on(2,cells,1,1,1).", "rule 2 has no kind"),
        ("rule(1,killer_cage). rule(1,arrow).", r"but rule\(1,killer_cage\) is there, too"),
        ("rule(1,killer_cage). value(1,sum,1,3). value(1,sum,1,4).", "is there, too"),
        ("rule(1,any_of). option(1,1). option(1,1,1).", "rule 1 is an alternative of itself"),
        ("rule(1,any_of). option(1,1). option(1,1,7).", "rule 7 has no kind"),
        (GRID + "[fogofwar]", "no rule 'fogofwar' here"),
        (GRID + "[killer_cage(cells=[1-1)]", r"\[killer_cage\(cells=\[1-1\)\]' is not a list of"),
        (GRID + "[killer_cage(sum=3)]", "the field 'cells' is missing"),
        (GRID + "[killer_cage(cells=[9-1])]", "not a cell of a 4x4 grid"),
        (GRID + "[killer_cage(cells=[1-1],sum=12345678901)]", "too large a number"),
        (GRID + "[killer_cage(cells=" + "[" * 99 + "]", "is not a list of terms such as"),
    ],
)
def test_bad_facts_and_terms_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)
