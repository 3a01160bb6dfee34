"""Pictures of grids: SVG, PNG, PDF, HTML, and boxes drawn in a terminal.

>>> from pylogic_sudoku import Grid
>>> print(Picture(Grid.parse("1..4.....3......")).to_text())
┏━━━┯━━━┳━━━┯━━━┓
┃ 1 │   ┃   │ 4 ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┣━━━┿━━━╋━━━┿━━━┫
┃   │ 3 ┃   │   ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┗━━━┷━━━┻━━━┷━━━┛
"""

from ..puzzle import pencil_marks
from .picture import (
    PARTS,
    ROLES,
    SUFFIXES,
    Highlight,
    Link,
    Picture,
    difference,
    mistakes,
)
from .svg import pages

__all__ = [
    "PARTS",
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Link",
    "Picture",
    "difference",
    "mistakes",
    "pages",
    "pencil_marks",
]
