"""The page that ui.lp makes of what clinguin tells it: plain clingo, no clinguin."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations

import clingo
import pytest
from helpers.gallery import Encoding
from helpers.jigsaws import REAL, jigsaw
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.clingo.program import encoding

SMALL = Grid.parse("4......3...13...")


def atoms(programs: list[str], *options: str) -> list[clingo.Symbol]:
    """The atoms of the first answer."""
    control = clingo.Control(list(options))
    for program in programs:
        control.add("base", [], program)
    control.ground()
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None
        return list(model.symbols(atoms=True))


@cache
def state(puzzle: Grid | Puzzle) -> str:
    """What clinguin passes on of the puzzle: all atoms of an answer, as facts."""
    givens = Encoding("sudoku").givens(puzzle)
    options = Encoding("sudoku").options(puzzle.box)
    return " ".join(f"{atom}." for atom in atoms([encoding("sudoku"), givens], *options))


class Page:
    """What is shown of a puzzle, after what the player did."""

    def __init__(self, puzzle: Grid | Puzzle, *done: str) -> None:
        found = atoms([encoding("ui"), state(puzzle), *(f"{fact}." for fact in done)])
        self.elements = self._rows(found, "elem", 3)
        self.attributes = self._rows(found, "attr", 3)
        self.clicks = {name: act for name, *_, act in self._rows(found, "when", 4)}

    @staticmethod
    def _rows(found: list[clingo.Symbol], name: str, arity: int) -> list[list[str]]:
        return [[str(part) for part in a.arguments] for a in found if a.match(name, arity)]

    def kinds(self) -> Counter[str]:
        return Counter(kind for _, kind, _ in self.elements)

    def of(self, key: str) -> dict[str, str]:
        """The attribute of every element that has it; each has it once."""
        rows = [(name, value) for name, attribute, value in self.attributes if attribute == key]
        assert len(dict(rows)) == len(rows)
        return dict(rows)

    def having(self, style: str) -> set[str]:
        return {name for name, key, value in self.attributes if (key, value) == ("class", style)}

    def says(self) -> str:
        return self.of("label")["say"].strip('"')


def chosen(x: int, y: int, n: int) -> str:
    return f"_clinguin_assume(sudoku({x},{y},{n}),true)"


def places(kind: str, grid: Grid) -> dict[str, str]:
    return {f"{kind}({x},{y})": str(n) for x, y, n in grid.givens}


@pytest.mark.parametrize(
    "puzzle",
    [SMALL, Grid.parse(next(iter(PRINTED))), Grid((1, *[0] * 35), (2, 3))],
    ids=lambda puzzle: f"{puzzle.size}",
)
def test_givens_and_a_menu_for_each_other_cell(puzzle):
    page = Page(puzzle)
    n, givens = puzzle.size, len(puzzle.givens)
    assert page.kinds() == {
        "window": 1,
        "menu_bar": 1,
        "label": 1,
        "container": 1,
        "button": 2 + givens,
        "dropdown_menu": n * n - givens,
        "dropdown_menu_item": n * (n * n - givens),
    }
    names = {name for name, *_ in page.elements}
    assert {parent for *_, parent in page.elements} <= names | {"root"}
    assert places("given", puzzle).items() <= page.of("label").items()
    assert page.of("selected") == {}
    rows, columns = page.of("grid_row"), page.of("grid_column")
    assert len({(rows[place], columns[place]) for place in rows}) == n * n
    assert not any(place in page.clicks for place in places("given", puzzle))
    assert page.says() == "Choose a digit for each cell."


def test_different_boxes_are_distinguished():
    page = Page(Grid((0,) * 36, (2, 3)))
    light = page.having('"bg-light"')
    assert light | page.having('"bg-white"') == set(page.of("grid_row"))
    for x in range(1, 7):
        for y in range(1, 7):
            assert (f"menu({x},{y})" in light) == (((x - 1) // 2 + (y - 1) // 3) % 2 == 1)


def test_regions_differ_from_their_neighbours():
    page = Page(REAL)
    styles = {}
    for name, key, value in page.attributes:
        if key == "class" and value.startswith('"bg-'):
            styles.setdefault(name, set()).add(value)
    region = {cell: number for number, cells in enumerate(REAL.regions) for cell in cells}
    shade = {}
    for cell in REAL.cells:
        place = f"{'given' if REAL[cell] else 'menu'}({cell.row},{cell.column})"
        shade.setdefault(region[cell], styles[place])
        assert styles[place] == shade[region[cell]]
    for row, column in REAL.cells:
        for other in ((row + 1, column), (row, column + 1)):
            if other in region and region[other] != region[row, column]:
                assert shade[region[other]] != shade[region[row, column]]


def test_a_clash_in_a_region_is_described():
    puzzle = jigsaw(4, 2, 1)
    one, other = next(
        (one, other)
        for region in puzzle.regions
        for one, other in permutations(region, 2)
        if one.row != other.row and one.column != other.column and not puzzle[one] + puzzle[other]
    )
    page = Page(puzzle, chosen(*one, 3), chosen(*other, 3), "_clinguin_unsat")
    places = {f"menu({row},{column})" for row, column in (one, other)}
    assert places <= page.having('"bg-danger"')
    assert page.says() == "A digit is twice in a row, column or region."


def test_a_choice_is_shown_can_be_changed_and_taken_back():
    page = Page(SMALL, chosen(1, 2, 3))
    assert page.of("selected") == {"menu(1,2)": "3"}
    assert page.having('"text-primary"') == {"menu(1,2)"}
    assert page.clicks["digit(1,2,4)"] == (
        "(remove_assumption_signature(sudoku(1,2,any)),add_assumption(sudoku(1,2,4),true))"
    )
    assert page.clicks["empty(1,2)"] == "remove_assumption_signature(sudoku(1,2,any))"
    assert "empty(1,3)" not in page.clicks
    assert page.having('"bg-danger"') == set()


@pytest.mark.parametrize(
    ("choice", "red"),
    [
        ((1, 3, 4), {"given(1,1)", "menu(1,3)"}),  # in a row
        ((3, 1, 4), {"given(1,1)", "menu(3,1)"}),  # in a column
        ((2, 2, 4), {"given(1,1)", "menu(2,2)"}),  # in a box
        ((2, 1, 3), {"menu(2,1)", "given(2,4)", "given(4,1)"}),
    ],
)
def test_a_clash_is_red_and_described(choice, red):
    page = Page(SMALL, chosen(*choice), "_clinguin_unsat")
    assert page.having('"bg-danger"') == red
    assert page.having('"bg-white"') | page.having('"bg-light"') == set(page.of("width")) - red
    assert page.says() == "A digit is twice in a row, column or box."


def test_a_dead_end_without_a_clash_is_described():
    page = Page(SMALL, chosen(1, 2, 1), "_clinguin_unsat")
    assert page.having('"bg-danger"') == set()
    assert page.says() == "No solution has these digits."


def test_solutions_can_be_looked_at_kept_and_hidden():
    solution = Grid.parse("4312124324313124")
    page = Page(SMALL, chosen(1, 2, 3), "_clinguin_browsing")
    shown = {**places("given", SMALL), **page.of("selected")}
    kept = {place.replace("given", "menu"): digit for place, digit in shown.items()}
    assert kept == places("menu", solution)
    assert page.having('"text-primary"') == {"menu(1,2)"}
    assert len(page.having('"text-secondary"')) == 11
    assert page.clicks["keep"] == 'select("#show sudoku/3.")'
    assert (page.clicks["next"], page.clicks["hide"]) == ("next_solution", "stop_browsing")
    assert page.says() == "This is a solution."
    assert {"keep", "hide"}.isdisjoint(Page(SMALL).clicks)


def test_the_end_is_announced():
    page = Page(SMALL, *(chosen(*place) for place in Grid.parse("4312124324313124").givens))
    assert page.says() == "Solved!"
    assert page.having('"text-primary"') == set(page.of("selected"))
    assert len(page.of("selected")) == 12
