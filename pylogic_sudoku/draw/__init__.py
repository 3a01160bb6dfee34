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

from ._pages import pages
from ._picture import (
    PARTS,
    ROLES,
    SUFFIXES,
    Highlight,
    Link,
    Picture,
    difference,
    mistakes,
    pencil_marks,
)

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
