"""Nothing of a text is dropped in silence: candidates, regions, titles, box shapes, names."""

from __future__ import annotations

import json
import re

import pytest
from helpers.command_line import run
from helpers.format_texts import CLASSIC, FOUR, message
from helpers.jigsaws import jigsaw
from helpers.oracle import full_grid
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, count, rules
from pylogic_sudoku.formats import FORMATS, READ_ONLY, parse, read_puzzles, write_and_check

NINE = Grid.parse(CLASSIC)
LABELS = "1112122233343444"


def both(text: str, **options: object) -> Grid | Puzzle:
    """The puzzle of a text, which is the same if the text is a file."""
    puzzle = parse(text, **options)
    assert [*read_puzzles(text.splitlines(), **options)] == [puzzle]
    return puzzle


# --- candidates -------------------------------------------------------------------------


def all_candidates(changed: dict[int, str], empty: str = ".") -> str:
    cells = ["123456789"] * 81
    for at, digits in changed.items():
        cells[at] = "".join(d if d in digits else empty for d in "123456789")
    return "".join(cells)


@pytest.mark.parametrize("empty", [".", "0"])
def test_all_candidates_in_a_line_are_the_puzzle(empty):
    text = all_candidates({3: "146", 80: "5"}, empty)
    puzzle = both(text)
    assert puzzle == Puzzle("." * 80 + "5", marks={"r1c4": [1, 4, 6]})
    assert [*read_puzzles([text, text], box=(3, 3))] == [puzzle, puzzle]


def test_a_cell_without_candidates_is_empty_only_among_single_ones():
    digits = all_candidates({at: CLASSIC[at].strip(".") for at in range(81)})
    assert both(digits) == NINE
    assert message(all_candidates({2: ""})).startswith("r1c3 has no candidate, though others have")


def test_pencil_marks_that_exclude_more_than_the_givens_are_kept():
    text = FOUR.format("pencil")
    assert both(text) == FOUR
    less = text.replace("1234", "124 ")
    assert both(less) == Puzzle(FOUR, marks={"r4c3": [1, 2, 4]})
    assert [*read_puzzles(f"{less}\n\n{text}\n".splitlines())] == [parse(less), FOUR]
    assert both(" ".join(["123456789"] * 80 + ["12"])) == Puzzle("." * 81, marks={"r9c9": [1, 2]})


def test_marks_of_open_cells_are_recognized_whatever_their_number():
    almost = Grid.parse("123434122143432.")
    assert "+1 |" in almost.format("pencil")
    assert parse(almost.format("pencil")) == almost
    clash = Grid.parse("0123320003041432")  # with few marks, and a digit twice in a box
    assert parse(clash.format("pencil")) == clash
    large = Grid((1, 2, *[0] * 254), (4, 4))
    assert parse(large.format("pencil")) == large


# --- the rest of a line -------------------------------------------------------------------


@pytest.mark.parametrize("between", [" ", "   ", "\t"])
def test_labels_behind_a_grid_are_regions(between):
    puzzle = both(f"{FOUR}{between}{LABELS}")
    assert puzzle == Puzzle(FOUR, LABELS)
    assert both(f"{FOUR}{between}{LABELS} by hand").title == "by hand"
    assert [*read_puzzles([f"{FOUR} {LABELS}", str(FOUR)])] == [puzzle, FOUR]


def test_labels_in_a_table_without_headings_are_regions():
    assert both(f"{FOUR},{LABELS}") == Puzzle(FOUR, LABELS)
    assert both(f"7;{FOUR};{LABELS};hard").title == "hard"


def test_a_jigsaw_without_a_square_box():
    labels = "AABBBAABBCACCCCDDDEEDDEEE"
    assert both(f"{'.' * 25} {labels}") == Puzzle("." * 25, labels)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        (f"{CLASSIC} # easy, by hand", "easy, by hand"),
        (f"0000183b305c {CLASSIC}  1.2", "0000183b305c 1.2"),
        (f"12) {CLASSIC} by hand", "by hand"),
        (f"{CLASSIC}\t7.1", "7.1"),
        (f"# a comment\n{FOUR} one; two", "one; two"),
    ],
)
def test_a_title_on_the_line_is_kept(line, title):
    puzzle = both(line)
    assert (puzzle.title, puzzle.is_plain) == (title, True)
    assert Grid.parse(line) == puzzle.grid


def test_a_solution_behind_a_grid_must_be_one():
    solution = "1234341221434321"
    assert both(f"1..4............ {solution}") == Grid.parse("1..4............")
    assert both(f"1..4............ {solution} easy").title == "easy"
    for wrong in ("1243341221434321", "1..4............", "1122112233443345"):
        refused = message(f"1..4............ {wrong}")
        assert refused.startswith("behind the grid are 16 characters that are neither a solution")


# --- rows that are too short --------------------------------------------------------------

ROWS = [CLASSIC[at : at + 9] for at in range(0, 81, 9)]


@pytest.mark.parametrize("empty", "0._*-x")
@pytest.mark.parametrize("between", [",", ";", "\t", "|", ""])
def test_a_row_that_has_lost_a_cell_is_refused(between, empty):
    full = [between.join(row.replace(".", empty)) for row in ROWS]
    assert Grid.parse("\n".join(full)) == NINE
    for cut in (lambda row: row[:-1], lambda row: f"{row[:-1]} ", lambda row: row[1:]):
        rows = [*full[:4], cut(full[4]), *full[5:]]
        for text in ("\n".join(rows), "\n".join([*full[:8], cut(full[8])])):
            at = 5 if text == "\n".join(rows) else 9
            assert message(text).startswith(f"row {at} has 8 cells, but the grid has 9 rows")
    eight = "\n".join(row[: len(row) - 1 - len(between)] for row in full)
    assert message(eight).startswith("row 1 has 8 cells, but the grid has 9 rows")


def test_a_line_that_has_lost_a_cell_is_refused():
    assert message(CLASSIC[:-1] + " ").startswith("the line has 80 characters; expected 81")
    assert message(",".join(CLASSIC[:-1]) + ",").startswith("the line has ")


@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
def test_blanks_are_cells_where_no_character_marks_empty_ones(between):
    rows = [between.join(cell.replace(".", "") for cell in row) for row in ROWS]
    assert Grid.parse("\n".join(rows)) == NINE
    if between == "\t":  # which editors take away
        assert Grid.parse("\n".join(map(str.rstrip, rows))) == NINE


def test_cells_between_bars_need_no_outer_bars():
    rows = [[f" {cell} ".replace(".", " ") for cell in row] for row in ROWS]
    rule = "\n" + "+".join(["---"] * 9) + "\n"
    text = rule.join("|".join(row) for row in rows)
    assert both(text) == NINE
    assert both(rule.join("|".join(row).rstrip() for row in rows)) == NINE
    assert both("\n".join("|".join(row) for row in rows)) == NINE


# --- box shapes ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5, 7, 9, 16])
@pytest.mark.parametrize("format", ["pretty", "ss", "pencil"])
def test_a_rule_below_every_row_says_that_there_are_no_boxes(n, format):
    grid = full_grid((1, n), n).without("r1c1", "r2c2")
    text = grid.format(format)
    assert parse(text) == parse(text, "pencil" if format == "pencil" else format) == grid


def test_a_table_with_a_line_at_every_place_says_nothing_about_boxes():
    rule = "-" * 17 + "\n"
    table = rule + "".join(f"{' '.join(row)}\n{rule}" for row in ROWS)
    assert both(table) == NINE


def test_a_grid_without_boxes_goes_through_a_pipe():
    puzzle = ".Shape~5x5.~R1C1_1.~R1C3_3.~R1C5_5"
    solved = run("solve", "-n", "1", puzzle).stdout
    assert Grid.parse(solved).box == (1, 5)
    assert run("solve", "-", stdin=solved).stdout == solved


@pytest.mark.parametrize("form", ["line", "csv"])
def test_a_box_shape_that_is_not_printed_is_on_standard_error(form):
    latin = "[[1,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], 1-4"
    done = run("convert", "-f", form, latin, latin)
    hint = f"{form} has no place for 1x4 boxes: read it again with --box 1x4\n"
    assert (done.returncode, done.stderr) == (0, hint)
    assert "#" not in done.stdout


def test_counts_survive_each_format():
    latin = Grid.parse("1" + "." * 15, box=(1, 4))
    for format in FORMATS:
        if format != "hex":
            assert count(Puzzle.parse(latin.format(format))) == 144, format


def test_a_picture_shows_its_boxes_or_is_refused():
    from pylogic_sudoku.draw import Picture

    for box in ((2, 3), (2, 2), (2, 8), (1, 4), (1, 9)):
        grid = full_grid(box, 1).without("r1c1")
        assert parse(Picture(grid).to_text()) == Grid(grid.digits, box), box
    refused = "this is a picture of a puzzle with regions or marks, which are not read from it"
    for puzzle in (jigsaw(6, 36, 1), Puzzle("." * 16, marks={"r1c1": [1, 2]})):
        assert message(puzzle.format("pretty")).startswith(refused)


# --- a property: every format of every puzzle comes back equal, or is refused -------------

SHAPES = [(r, c) for r in range(1, 13) for c in range(1, 13) if r * c <= 12]
RULES = [
    rules.Different("r1c1 r2c2 r3c3", "diagonal"),
    rules.Different("r1c1 r2c2"),
    rules.Different("r1c2 r2c1", 'a "b" [c), 50% \\ d'),
    rules.Automaton("r1c1 r1c2", regex="[12]+", name="x y"),
    rules.AnyOf([[rules.AntiKing()], [rules.Different("r1c1 r1c2", "in an option")]]),
    rules.KillerCage("r1c1 r1c2", 3),
    rules.Thermometer("r1c1 r1c2", slow=True),
    rules.Total("r1c1 r2c2", -1, weights=[1, -1]),
]


@st.composite
def puzzles(draw: st.DrawFn) -> Grid | Puzzle:
    box = draw(st.sampled_from(SHAPES))
    n = box[0] * box[1]
    some = full_grid(box, draw(st.integers(0, 9)))
    if draw(st.booleans()):  # digits that break the rules, too
        some = Grid(tuple(draw(st.lists(st.integers(0, n), min_size=n * n, max_size=n * n))), box)
    keep = draw(st.sets(st.integers(0, n * n - 1)))
    grid = Grid(tuple(digit if at in keep else 0 for at, digit in enumerate(some.digits)), box)
    if n < 3 or draw(st.booleans()):
        return grid
    empty = [cell for cell, digit in zip(grid.cells, grid.digits, strict=True) if not digit]
    marked = draw(st.lists(st.sampled_from(empty), max_size=2)) if empty else []
    regions = LABELS if n == 4 and draw(st.booleans()) else None
    chosen = draw(st.lists(st.sampled_from(RULES), max_size=3, unique=True))
    return Puzzle(grid, regions, [(cell, [1, 2]) for cell in marked], chosen)


def parts(puzzle: Grid | Puzzle) -> tuple[object, ...]:
    """The parts of a puzzle; f-puzzles has its rules in an order of its own."""
    return puzzle.grid, puzzle.regions, puzzle.marks, {*puzzle.rules}


@given(puzzles())
def test_every_format_of_every_puzzle_comes_back_equal_or_is_refused(puzzle):
    for format in FORMATS:
        try:
            text = puzzle.format(format)
            read = parse(text, "hex" if format == "hex" else None)
        except InvalidPuzzle:
            assert format not in ("json", "facts") or puzzle.size < 3
        else:
            assert parts(read) == parts(puzzle), format
        assert format not in ("answer", "dzn", "sdk", "opensudoku", "prolog") or (
            not puzzle.is_plain or write_and_check(puzzle, format)[1] or puzzle.size < 3
        )


def test_names_of_rules_are_in_facts_terms_and_links():
    puzzle = Puzzle("." * 16, rules=RULES[:3])
    for format in ("facts", "prolog", "fpuzzles", "fpuzzles-link"):
        assert [str(each) for each in Puzzle.parse(puzzle.format(format)).rules] == [
            str(each) for each in puzzle.rules
        ]
    assert 'text(1,name,"diagonal").' in puzzle.format("facts")
    assert count(puzzle, "prolog") == count(puzzle)


def test_read_only_formats_write_nothing():
    assert not {*READ_ONLY} & {*FORMATS}


# --- forms of other programs: read, or refused by name ------------------------------------


def bordered(areas: list[list[int]], n: int) -> str:
    """The borders of areas of cells as Solo writes them."""
    at = {cell: number for number, area in enumerate(areas) for cell in area}
    pairs = [(n * r + c, n * r + c + 1) for r in range(n) for c in range(n - 1)]
    pairs += [(n * r + c, n * r + c + n) for c in range(n) for r in range(n - 1)]
    text, run = "", 0
    for border in [*(at[one] != at[other] for one, other in pairs), True]:
        if not border:
            run += 1
            continue
        text += "z" * max(0, (run - 1) // 25)
        run -= 25 * max(0, (run - 1) // 25)
        text += chr(ord("a") - 1 + run) if run else "_"
        run = 0
    return text


def areas_of(labels: str) -> list[list[int]]:
    return [[at for at, each in enumerate(labels) if each == label] for label in sorted({*labels})]


def test_game_ids_of_solo_with_regions():
    borders = bordered(areas_of(LABELS), 4)
    game = f"4j:1b4e3f,{borders}"
    assert both(game) == Puzzle("1..4.....3......", LABELS)
    assert both(f"4jx:p,{borders}") == Puzzle(
        "." * 16,
        LABELS,
        rules=[rules.Different(each, "diagonal") for each in rules.diagonals(4)],
    )
    assert both(f"4jdh:p,{borders}") == Puzzle("." * 16, LABELS)
    assert [*read_puzzles([game, "2x2:1o"])] == [
        both(game),
        Grid.parse("1" + "." * 15),
    ]


def test_game_ids_of_solo_with_cages():
    cages = "AABBCCBDEEDDFFFD"  # 3, ... in the first cell of each
    sums = {0: 5, 2: 7, 4: 3, 7: 9, 8: 6, 12: 6}
    numbers = (
        "".join(f"_{sums[at]}" if at in sums else "a" for at in range(16))
        .replace("a_", "a")
        .lstrip("_")
    )
    game = f"2x2k:p,{bordered(areas_of(cages), 4)},{numbers}"
    puzzle = both(game)
    cells = Grid.parse("." * 16).cells
    assert puzzle == Puzzle(
        "." * 16,
        rules=[
            rules.KillerCage([cells[at] for at in area], sums[area[0]]) for area in areas_of(cages)
        ],
    )


def test_runs_of_borders_may_be_long():
    rows = "".join(str(row) * 7 for row in range(1, 8))  # no border in 42 places
    game = f"7j:zw,{bordered(areas_of(rows), 7)}"
    assert "z" in game.split(",")[1]
    assert both(game) == Puzzle("." * 49, rows)


@pytest.mark.parametrize(
    ("game", "refused"),
    [
        ("9j:zzzc", "this game ID of Solo has 0 parts behind its cells; expected 1 for 9j"),
        ("2x2k:p,___", "this game ID of Solo has 1 part behind its cells; expected 2 for 2x2k"),
        ("2x2:p,_", "this game ID of Solo has 1 part behind its cells; expected 0 for 2x2"),
        ("4j:p,___", "the borders '___' in this game ID of Solo do not fit 4x4"),
        ("4j:o,___", "this game ID of Solo has 15 cells; expected 16 for 4x4"),
    ],
)
def test_what_is_wrong_in_a_game_id(game, refused):
    assert message(game) == refused


def test_classic_puzzles_of_sudokupad_in_its_older_form():
    known = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
    packed = "".join(
        known[int(run[0]) + 10 * (len(run) - 1)]
        for run in re.findall(r"[1-9]0{0,5}|0{1,6}", CLASSIC.replace(".", "0"))
    )
    for text in (f"scf{packed}", f"https://sudokupad.app/scf{packed}"):
        assert both(text) == NINE
    more = both(f"https://sudokupad.app/scf{packed}*wxaA*tfive%20**%20stars")
    assert (more.grid, more.title, more.author) == (NINE, "five * stars", "A")
    assert [each.name for each in more.rules] == ["windoku"] * 4 + ["diagonal"] * 2
    assert message(f"scf{packed[:-1]}").startswith("behind scf are ")
    assert message(f"scf{packed}*q").endswith(
        "expected 81, and w, x, a title or an author behind a star"
    )


@pytest.mark.parametrize(
    ("link", "site"),
    [
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVPb5tA", "penpa-edit"),
        ("https://puzz.link/p?sudoku/4/4/g1h2i3j4", "puzz.link"),
        ("http://pzv.jp/p.html?sudoku/9/9/g1h2", "puzz.link"),
    ],
)
def test_links_of_other_sites_are_refused_by_name(link, site):
    assert message(link).startswith(f"{site} is not read: this link holds the puzzle in a form of")
    with pytest.raises(InvalidPuzzle, match=site):
        [*read_puzzles([link])]


@pytest.mark.parametrize("around", ["[a puzzle]({})", "<{}>", "- [a]({})", "[a](<{}>)", "* <{}>"])
def test_a_link_in_markdown_is_taken(around):
    puzzle = Puzzle("1..4.....3......", rules=[rules.AntiKing()])
    assert both(around.format(puzzle.format("fpuzzles-link"))) == puzzle


def test_a_killer_drawn_with_letters_is_refused_by_every_door():
    text = "AABB\nCCBD\nEEDD\nFFFD\n\nA = 5  B = 7\nC = 3  D = 9\nE = 6  F = 6\n"
    refused = "this is a killer drawn with letters, which is not read: write its cages as JSON"
    assert message(text).startswith(refused)
    with pytest.raises(InvalidPuzzle, match=refused):
        [*read_puzzles(text.splitlines())]


def test_a_sign_that_marks_givens_is_named():
    text = "1:1[2.3],2!,3,4;3,4!,1[1.2.3],2;2!,1,4,3;4,3,2,1!"
    for each in (text, text.replace("[2.3]", "").replace("[1.2.3]", "")):
        assert message(each).startswith("the sign ! behind a digit, which marks a given in some")


# --- what a document draws or says beyond its rules ----------------------------------------


def document(**more: object) -> dict[str, object]:
    cells: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    return {"size": 4, "grid": cells, **more}


def test_what_f_puzzles_draw_and_say_is_a_field_of_the_puzzle():
    content = document(
        ruleset="Normal sudoku rules apply.\n\nGrey cells are  odd.",
        line=[{"lines": [["R1C1", "R1C2"]]}],
        circle=[{"cells": ["R1C1"]}, {"cells": ["R2C2"]}],
        text=[],
    )
    first, second, third, fourth = content["grid"][0]
    first["c"], second["value"], third["cornerPencilMarks"] = "#ccc", 3, [1, 2]
    fourth["centerPencilMarks"] = [" "]
    puzzle = Puzzle.parse(json.dumps(content))
    assert puzzle.unread == (
        "1 drawn line",
        "2 drawn circles",
        "colours in 1 cell",
        "player's marks in 1 cell",
        "player's digits in 1 cell",
        "rules in words: Normal sudoku rules apply. Grey cells are odd.",
    )
    assert puzzle.is_plain
    assert Puzzle.from_json(puzzle.to_json()).unread == puzzle.unread
    assert puzzle.with_grid("1" + "." * 15).unread == puzzle.unread


def test_documents_of_sudokupad_too():
    cells = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"pencilMarks": [1]}
    cells[0][1] = {"pencilMarks": [" "], "c": "2"}
    cells[0][2] = {"centremarks": [1, 2]}
    boxes = [[[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]
    content = {"cells": cells, "regions": boxes, "metadata": {"rules": "Shaded cells are even."}}
    puzzle = Puzzle.parse(json.dumps(content))
    assert puzzle == Puzzle("." * 16)
    assert (puzzle.is_plain, count(puzzle)) == (True, 288)
    assert puzzle.unread == (
        "colours in 1 cell",
        "player's marks in 2 cells",
        "rules in words: Shaded cells are even.",
    )


@pytest.mark.parametrize(
    "text", ["", "Normal sudoku rules apply.", "- Standard Sudoku rules", None]
)
def test_rules_in_words_that_say_nothing_are_not_named(text):
    assert parse(json.dumps(document(ruleset=text))) == Grid.parse("." * 16)


def test_it_is_said_once_on_standard_error(tmp_path):
    file = tmp_path / "two.jsonl"
    file.write_text("".join(f"{json.dumps(document(ruleset=each))}\n" for each in ("X" * 200, "")))
    done = run("count", file)
    assert done.stdout.split() == ["288", "288"]
    assert done.stderr == (f"{file}, line 1: not read, and perhaps rules: rules in words: ...\n")
    assert json.loads(run("solve", "-f", "json", file).stdout.split("\n")[0])["puzzle"]["unread"]


@pytest.mark.parametrize("wrong", ["text", 5, [5]])
def test_wrong_notes_are_refused(wrong):
    with pytest.raises(InvalidPuzzle, match=r"^unread is .*; expected a list of texts"):
        Puzzle("." * 16, unread=wrong)


def test_deleted_candidates_of_a_library_are_named():
    puzzle = both(f":0100:12:{CLASSIC}:315 412::")
    assert (puzzle.grid, puzzle.unread) == (NINE, ("deleted candidates 315 412",))
    assert both(f":0000:x:{CLASSIC}:::") == NINE
