"""What a picture shows, whatever it is drawn with: a grid, pencil marks and highlights."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, NamedTuple

from .._saving import save
from ..errors import BackendUnavailable, InvalidPuzzle
from ..grid import Grid, cell_name

if TYPE_CHECKING:
    from os import PathLike

    from ..engines.base import Candidates

__all__ = [
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Look",
    "Picture",
    "difference",
    "mistakes",
    "pencil_marks",
]

ROLES = ("target", "conflict", "removed", "difference", "reason", "house")
"""What a highlight can mean. Where a cell has several, the first of these is drawn."""

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".txt")
"""How the files end that `Picture.save` writes."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Cells and candidates that stand out for one reason, which the legend tells."""

    label: str
    """What the legend says; no line there if it is empty."""
    role: str
    """One of `ROLES`: the cell or digit asked about, a clash, what goes, what differs between two
    grids, what an argument rests on, a whole house."""
    cells: tuple[int, ...] = ()
    """Places in `Grid.cells`: 0 is r1c1."""
    candidates: tuple[tuple[int, int], ...] = ()
    """Cell and digit. In a cell that holds another digit it is drawn beside that one."""

    def __repr__(self) -> str:
        cells, candidates = shortened(self.cells), shortened(self.candidates)
        what = f"label={self.label!r}, role={self.role!r}"
        return f"Highlight({what}, cells={cells}, candidates={candidates})"


class Look(NamedTuple):
    """How one cell looks."""

    digit: int
    """0 where it is empty."""
    given: bool
    role: str | None
    """The first of its roles, in the order of `ROLES`."""
    marks: dict[int, str | None]
    """Small digits, ascending, each with its role: candidates of an empty cell, or what another
    digit than the cell's own is highlighted there."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A grid to be drawn. InvalidPuzzle where its parts do not fit together."""

    grid: Grid
    puzzle: Grid | None = None
    """Tells which digits are givens; the grid itself if there is none."""
    candidates: Candidates | None = None
    """Rows of sets of digits, drawn as pencil marks in empty cells."""
    highlights: tuple[Highlight, ...] = ()
    title: str = ""

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
            for cell, digit in (*((cell, 1) for cell in highlight.cells), *highlight.candidates):
                if not (0 <= cell < n * n and 1 <= digit <= n):
                    raise InvalidPuzzle(
                        f"{highlight.label!r} is about {digit} in cell {cell}, but a {n}x{n} grid"
                        f" has the cells 0 to {n * n - 1} and the digits 1 to {n}"
                    )

    def __repr__(self) -> str:
        return f"<Picture {one_line(self.described)!r:.150}>"

    def to_svg(self) -> str:
        """An SVG image: small, without ids, and legible on any ground."""
        from ._svg import draw

        return draw(self)

    def to_text(self, color: bool = False) -> str:
        """Box-drawing characters; with `color`, and givens bold, for a terminal."""
        from ._text import draw

        return draw(self, color)

    def to_html(self) -> str:
        """A whole page with the SVG image on it."""
        from ._svg import pages

        return pages([("", self)])

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file of the kind that its suffix says: one of `SUFFIXES`.

        If that fails, a file that was there before is unchanged. ValueError for any other suffix;
        BackendUnavailable where PNG or PDF need CairoSVG; OSError.
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
        """The title, or what it shows in a few words."""
        givens = len((self.puzzle or self.grid).givens)
        solved = " and its solution" if self.puzzle and self.puzzle != self.grid else ""
        n = self.grid.size
        return one_line(self.title) or f"Sudoku {n}x{n} with {givens} givens{solved}"

    @property
    def has_marks(self) -> bool:
        """True if cells must be large, as some empty one has more small digits than one."""
        return any(len(look.marks) > 1 and not look.digit for look in self.looks())

    def looks(self) -> list[Look]:
        """How each cell looks, in the order of `Grid.cells`."""
        n = self.grid.size
        puzzle = self.puzzle or self.grid
        roles: dict[tuple[int, int], str] = {}
        for highlight in sorted(self.highlights, key=lambda each: -ROLES.index(each.role)):
            for cell in highlight.cells:
                roles[cell, 0] = highlight.role
            for cell, digit in highlight.candidates:
                roles[cell, 0 if digit == self.grid.cells[cell] else digit] = highlight.role
        looks = []
        for cell, digit in enumerate(self.grid.cells):
            marks = {d for d in range(1, n + 1) if (cell, d) in roles}
            if self.candidates is not None and not digit:
                marks |= set(self.candidates[cell // n][cell % n])
            given = bool(digit) and digit == puzzle.cells[cell]
            small = {d: roles.get((cell, d)) for d in sorted(marks)}
            looks.append(Look(digit, given, roles.get((cell, 0)), small))
        return looks


def one_line(text: str) -> str:
    """The text on one line, without what neither XML nor a terminal should be given."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def mark_columns(size: int) -> int:
    """How many pencil marks stand side by side, so that all fit in a square."""
    return isqrt(size - 1) + 1


_CHOICES = f"choose one of {', '.join(SUFFIXES)}"


def _converted(svg: str, suffix: str) -> bytes:
    cure = 'pip install "pylogic-sudoku[draw]"'
    try:
        import cairosvg  # type: ignore[import-untyped]
    except ImportError:
        raise BackendUnavailable(f"{suffix[1:].upper()} files need CairoSVG", cure) from None
    except OSError as error:
        raise BackendUnavailable(
            f"{suffix[1:].upper()} files need the cairo library: {error}",
            "Install it with your system's packages: libcairo2 on Debian, elsewhere cairo.",
        ) from None
    if suffix == ".png":
        return bytes(cairosvg.svg2png(svg.encode(), scale=2))
    return bytes(cairosvg.svg2pdf(svg.encode()))


def _same_shape(grid: Grid, other: Grid) -> None:
    if grid.box != other.box:
        shapes = [f"{r * c}x{r * c} with {r}x{c} boxes" for r, c in (grid.box, other.box)]
        raise InvalidPuzzle(f"the grids differ in shape: {' and '.join(shapes)}")


def difference(grid: Grid, other: Grid, label: str = "differs") -> Highlight:
    """The cells in which the grids differ, with the other's digits as candidates.

    >>> difference(Grid.parse("12..34......4321"), Grid.parse("12..34......4312"))
    Highlight(label='differs', role='difference', cells=(14, 15), candidates=((14, 1), (15, 2)))
    """
    _same_shape(grid, other)
    pairs = list(enumerate(zip(grid.cells, other.cells, strict=True)))
    return Highlight(
        label,
        "difference",
        tuple(cell for cell, (mine, theirs) in pairs if mine != theirs),
        tuple((cell, theirs) for cell, (mine, theirs) in pairs if theirs and mine != theirs),
    )


def mistakes(grid: Grid, puzzle: Grid) -> tuple[Highlight, ...]:
    """The givens that the grid does not keep, and its digits that stand in a house twice.

    >>> mistakes(Grid.parse("2.2............."), Grid.parse("1..............."))[0].candidates
    ((0, 1),)
    """
    found = []
    pairs = enumerate(zip(puzzle.cells, grid.cells, strict=True))
    lost = tuple((cell, given) for cell, (given, digit) in pairs if given not in (0, digit))
    if lost:
        found.append(Highlight("not the given digit, which is small", "conflict", (), lost))
    conflicts = grid.conflicts()
    clashing = {name for conflict in conflicts for name in conflict.cells}
    if clashing:
        said = conflicts[0] if len(conflicts) == 1 else "a digit more than once in a house"
        every = range(len(grid.cells))
        cells = tuple(cell for cell in every if cell_name(cell, grid.size) in clashing)
        found.append(Highlight(str(said), "conflict", cells))
    return tuple(found)


def pencil_marks(grid: Grid) -> Candidates:
    """For every empty cell the digits that none of its houses holds yet; for others none.

    >>> [sorted(digits) for digits in pencil_marks(Grid.parse("1..4.....3......"))[0]]
    [[], [2], [2, 3], []]
    """
    n = grid.size
    free = [set() if digit else set(range(1, n + 1)) for digit in grid.cells]
    for house in grid.houses:
        for cell in house.cells:
            free[cell] -= {grid.cells[other] for other in house.cells}
    return tuple(
        tuple(frozenset(cell) for cell in free[start : start + n]) for start in range(0, n * n, n)
    )
