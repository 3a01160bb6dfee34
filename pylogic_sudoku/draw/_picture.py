"""What a picture shows, however it is drawn: a grid, pencil marks and highlights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isqrt
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, NamedTuple

from .._resources import install_command
from .._saving import save
from ..errors import BackendUnavailable, InvalidPuzzle
from ..grid import Candidates, Cell, Grid, Layout, Placement, candidate_rows
from ..puzzle import Mark, Puzzle

if TYPE_CHECKING:
    from os import PathLike


__all__ = [
    "PARTS",
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Link",
    "Look",
    "Picture",
    "difference",
    "mistakes",
    "pencil_marks",
]

PARTS = ("a", "b", "c", "d", "e", "f")
"""Parts of an argument, each with a look of its own."""

ROLES = ("target", "conflict", "removed", "difference", *PARTS, "reason", "house", "cover")
"""What a highlight can mean. If a cell has several, the first of these is drawn."""

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".txt")
"""The suffixes of the files that `Picture.save` writes."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Cells and candidates that stand out for one reason."""

    label: str
    """The line of the legend; none if it is empty."""
    role: str
    """One of `ROLES`: the cell or digit asked about, a clash, something removed, a difference
    between two grids, one of the parts of an argument, a reason of it, a whole house, a house that
    others cross."""
    cells: tuple[tuple[int, int], ...] = ()
    """Row and column, from 1."""
    candidates: tuple[tuple[int, int, int], ...] = ()
    """Row, column, digit. In a cell that holds another digit it is drawn beside that digit."""

    def __repr__(self) -> str:
        cells = shortened(tuple(_Plain(Cell(*cell)) for cell in self.cells))
        candidates = shortened(tuple(_Plain(Placement(*each)) for each in self.candidates))
        what = f"label={self.label!r}, role={self.role!r}"
        return f"Highlight({what}, cells={cells}, candidates={candidates})"


@dataclass(frozen=True, slots=True)
class Link:
    """A line from one candidate, or a group of them, to another."""

    start: tuple[tuple[int, int, int], ...]
    """Row, column and digit of each candidate; a group holds if one of them does."""
    end: tuple[tuple[int, int, int], ...]
    strong: bool
    """True if at least one of the two holds, a solid line; False if at most one does, dashed."""

    def __repr__(self) -> str:
        start, end = (
            shortened(tuple(_Plain(Placement(*each)) for each in node))
            for node in (self.start, self.end)
        )
        return f"Link(start={start}, end={end}, strong={self.strong})"


class _Plain:
    """A value whose repr is its text."""

    def __init__(self, value: object) -> None:
        self._text = str(value)

    def __repr__(self) -> str:
        return self._text


class Look(NamedTuple):
    """How one cell looks."""

    digit: int
    """0 if it is empty."""
    given: bool
    role: str | None
    """The first of its roles, in the order of `ROLES`."""
    marks: dict[int, str | None]
    """Small digits, ascending, each with its role: candidates of an empty cell, and highlighted
    digits that the cell does not hold."""
    parity: str
    """``"odd"`` or ``"even"`` if the puzzle marks the cell so, else an empty text."""


class Borders:
    """The lines between cells that separate two boxes or regions, and those at the edge."""

    def __init__(self, layout: Layout) -> None:
        self._n = layout.size
        houses = layout.houses[2 * self._n :]
        self._house: dict[tuple[int, int], int] = {
            cell: house.number for house in houses for cell in house.cells
        }

    def above(self, row: int, column: int) -> bool:
        """True if the line above this cell is one; rows and columns count from 0, n is the end."""
        if row in (0, self._n):
            return True
        return self._house[row, column + 1] != self._house[row + 1, column + 1]

    def left(self, row: int, column: int) -> bool:
        """True if the line on the left of this cell is one."""
        if column in (0, self._n):
            return True
        return self._house[row + 1, column] != self._house[row + 1, column + 1]


@dataclass(frozen=True, slots=True)
class Picture:
    """A grid to be drawn. InvalidPuzzle if its parts do not fit together."""

    grid: Grid
    puzzle: Grid | Puzzle | None = None
    """Which digits are givens, and the regions and marks; if None, the grid itself."""
    candidates: Candidates | None = None
    """Rows of sets of digits, drawn as pencil marks in empty cells. If None, these are the marks of
    the puzzle that are neither odd nor even."""
    highlights: tuple[Highlight, ...] = ()
    title: str = ""
    links: tuple[Link, ...] = ()
    """The links of chains, in order."""

    def __post_init__(self) -> None:
        n = self.grid.size
        if self.puzzle is not None:
            _same_shape(self.grid, self.puzzle)
        if self.candidates is not None:
            digits = set(range(1, n + 1))
            fit = (
                len(row) == n and all(digits.issuperset(cell) for cell in row)
                for row in self.candidates
            )
            if len(self.candidates) != n or not all(fit):
                raise InvalidPuzzle(f"candidates are {n} rows of {n} sets of digits from 1 to {n}")
        for highlight in self.highlights:
            if highlight.role not in ROLES:
                raise InvalidPuzzle(f"no role {highlight.role!r}; one of {', '.join(ROLES)}")
            _within(n, repr(highlight.label), highlight.cells, 2)
            _within(n, repr(highlight.label), highlight.candidates, 3)
        for link in self.links:
            if not (link.start and link.end):
                raise InvalidPuzzle("a link joins two candidates or groups; one of them is empty")
            _within(n, "a link", (*link.start, *link.end), 3)

    def __repr__(self) -> str:
        return f"<Picture {one_line(self.described)!r:.150}>"

    def to_svg(self) -> str:
        """An SVG image: small, without ids, and legible on any background."""
        from ._svg import draw

        return draw(self)

    def to_text(self, color: bool = False, rules: bool = True) -> str:
        """Box-drawing characters; with `color`, and givens bold, for a terminal.

        The rules beyond plain sudoku are below the grid in words, if `rules`.
        """
        from ._text import draw

        return draw(self, color, rules)

    def to_html(self) -> str:
        """A whole page with the SVG image on it."""
        from ._pages import pages

        return pages([("", self)])

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file of the kind that its suffix names: one of `SUFFIXES`.

        If that fails, an existing file is left unchanged. ValueError for any other suffix;
        BackendUnavailable if PNG or PDF lack CairoSVG; OSError.
        """
        name, suffix = Path(path).name, Path(path).suffix.lower()
        if suffix in (".png", ".pdf"):
            save(path, _converted(self.to_svg(), suffix))
            return
        if suffix not in SUFFIXES:
            raise ValueError(f"no picture can be written as {name!r}; {_CHOICES}")
        made = {".svg": self.to_svg, ".html": self.to_html, ".txt": self.to_text}[suffix]()
        save(path, made + "\n")

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @property
    def described(self) -> str:
        """The title, or a few words about the puzzle."""
        puzzle = self.puzzle or self.grid
        givens = len(puzzle.givens)
        solved = " and its solution" if puzzle.digits != self.grid.digits else ""
        n = self.grid.size
        return one_line(self.title) or f"Sudoku {n}x{n} with {givens} givens{solved}"

    @property
    def has_marks(self) -> bool:
        """True if some empty cell has several small digits, so cells must be large."""
        return any(len(look.marks) > 1 and not look.digit for look in self.looks())

    @property
    def named(self) -> bool:
        """True if a text has the numbers of rows and columns, as explanations mention r3c2.

        A puzzle alone has none, so that the text can be read as a puzzle again.
        """
        return bool(self.highlights or self.links or self.candidates)

    @property
    def layout(self) -> Layout:
        """The houses that are drawn."""
        return (self.puzzle or self.grid).layout

    def borders(self) -> Borders:
        """The lines to be drawn thick."""
        return Borders(self.layout)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the puzzle."""
        return self.puzzle.marks if isinstance(self.puzzle, Puzzle) else ()

    @property
    def linked(self) -> frozenset[tuple[int, int, int]]:
        """The candidates that links join."""
        return frozenset(each for link in self.links for each in (*link.start, *link.end))

    def looks(self) -> list[Look]:
        """How each cell looks, in the order of `Grid.digits`."""
        n = self.grid.size
        puzzle = self.puzzle or self.grid
        roles: dict[tuple[int, int], str] = {}
        for highlight in sorted(self.highlights, key=lambda each: -ROLES.index(each.role)):
            for row, column in highlight.cells:
                roles[Cell(row, column).offset(n), 0] = highlight.role
            for row, column, digit in highlight.candidates:
                at = Cell(row, column).offset(n)
                roles[at, 0 if digit == self.grid.digits[at] else digit] = highlight.role
        for row, column, digit in self.linked:
            at = Cell(row, column).offset(n)
            roles.setdefault((at, 0 if digit == self.grid.digits[at] else digit), "reason")
        parities = {
            frozenset(range(1, n + 1, 2)): "odd",
            frozenset(range(2, n + 1, 2)): "even",
        }
        allowed = {mark.cell.offset(n): mark.digits for mark in self.marks}
        looks = []
        for cell, digit in enumerate(self.grid.digits):
            marks = {d for d in range(1, n + 1) if (cell, d) in roles}
            digits = allowed.get(cell)
            parity = parities.get(digits, "") if digits is not None else ""
            if not digit and self.candidates is not None:
                marks |= self.candidates[cell // n][cell % n]
            elif not digit and not parity:
                marks |= digits or set()
            given = bool(digit) and digit == puzzle.digits[cell]
            small = {d: roles.get((cell, d)) for d in sorted(marks)}
            looks.append(Look(digit, given, roles.get((cell, 0)), small, parity))
        return looks


def one_line(text: str) -> str:
    """The text on one line, without control characters that could harm XML or a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def mark_columns(size: int) -> int:
    """The number of pencil marks in a row, so that all fit in a square."""
    return isqrt(size - 1) + 1


_CHOICES = f"choose one of {', '.join(SUFFIXES)}"


def require(suffix: str) -> None:
    """BackendUnavailable if pictures with this suffix need CairoSVG, and it is missing."""
    if suffix not in (".png", ".pdf"):
        return
    try:
        import cairosvg  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        needed = f"{suffix[1:].upper()} files need CairoSVG"
        raise BackendUnavailable(needed, f"Install it: {install_command('draw')}") from None
    except OSError as error:
        raise BackendUnavailable(
            f"{suffix[1:].upper()} files need the cairo library: {error}",
            "Install it with your system's packages: libcairo2 on Debian, elsewhere cairo.",
        ) from None


def _converted(svg: str, suffix: str) -> bytes:
    require(suffix)
    import cairosvg

    if suffix == ".png":
        return bytes(cairosvg.svg2png(svg.encode(), scale=2))
    return bytes(cairosvg.svg2pdf(svg.encode()))


def _within(n: int, what: str, about: Iterable[tuple[int, ...]], numbers: int) -> None:
    """InvalidPuzzle unless all are so many numbers from 1 to n."""
    expected = "(row, column)" if numbers == 2 else "(row, column, digit)"
    for each in about:
        if len(each) != numbers or not all(1 <= number <= n for number in each):
            raise InvalidPuzzle(
                f"{what} is about {tuple(each)}; expected {expected}, each from 1 to {n}"
            )


def _same_shape(grid: Grid, other: Grid | Puzzle) -> None:
    jigsaw = other.layout.regions is not None
    if grid.size != other.size or (grid.box != other.box and not jigsaw):
        shapes = [f"{r * c}x{r * c} with {r}x{c} boxes" for r, c in (grid.box, other.box)]
        raise InvalidPuzzle(f"the grids differ in shape: {' and '.join(shapes)}")


def difference(grid: Grid, other: Grid, label: str = "differs") -> Highlight:
    """The cells in which the grids differ, with the other's digits as candidates.

    >>> difference(Grid.parse("12..34......4321"), Grid.parse("12..34......4312"))
    Highlight(label='differs', role='difference', cells=(r4c3, r4c4), candidates=(r4c3=1, r4c4=2))
    """
    _same_shape(grid, other)
    cells = tuple(cell for cell in grid.cells if grid[cell] != other[cell])
    theirs = tuple(Placement(*cell, other[cell]) for cell in cells if other[cell])
    return Highlight(label, "difference", cells, theirs)


def mistakes(grid: Grid, puzzle: Grid | Puzzle) -> tuple[Highlight, ...]:
    """The givens that the grid does not keep, and its digits that break a rule.

    >>> mistakes(Grid.parse("2.2............."), Grid.parse("1..............."))[0].candidates
    (Placement(row=1, column=1, digit=1),)
    """
    found = []
    lost = tuple(given for given in puzzle.givens if grid[given.cell] not in (0, given.digit))
    if lost:
        label, places = "not the given digit, which is small", tuple(each.cell for each in lost)
        found.append(Highlight(label, "difference", places, lost))
    solution = replace(puzzle, grid=grid) if isinstance(puzzle, Puzzle) else grid
    twice = solution.duplicates()
    if twice:
        said = twice[0] if len(twice) == 1 else "a digit more than once in a house"
        cells = sorted({cell for each in twice for cell in each.cells})
        found.append(Highlight(str(said), "conflict", tuple(cells)))
    forbidden = tuple(each.cell for each in puzzle.excluded if grid[each.cell] == each.digit)
    if forbidden:
        found.append(Highlight("not a digit that the mark allows", "conflict", forbidden))
    if isinstance(solution, Puzzle) and solution.rules:
        from ..rules._broken import broken_rules

        for rule in broken_rules(solution):
            cells = list(dict.fromkeys(rule.cells_used()))
            found.append(Highlight(f"broken: {rule}", "conflict", tuple(cells)))
    return tuple(found)


def pencil_marks(grid: Grid | Puzzle) -> Candidates:
    """For every empty cell the digits that no house of it holds yet and no mark excludes.

    Cells that hold a digit have none.

    >>> [sorted(digits) for digits in pencil_marks(Grid.parse("1..4.....3......"))[0]]
    [[], [2], [2, 3], []]
    """
    n = grid.size
    free = [set() if digit else set(range(1, n + 1)) for digit in grid.digits]
    for house in grid.layout.offsets:
        for at in house:
            free[at] -= {grid.digits[other] for other in house}
    for row, column, digit in grid.excluded:
        free[Cell(row, column).offset(n)].discard(digit)
    return candidate_rows(free, n)
