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

from ._picture import ROLES, SUFFIXES, Highlight, Picture, difference, mistakes, pencil_marks
from ._svg import pages

__all__ = [
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Picture",
    "difference",
    "mistakes",
    "pages",
    "pencil_marks",
]
