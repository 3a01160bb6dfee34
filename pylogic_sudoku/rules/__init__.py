"""Rules beyond plain sudoku: cages, thermometers, arrows, dots, clues outside the grid.

>>> from pylogic_sudoku import Puzzle
>>> from pylogic_sudoku.rules import KillerCage, Thermometer
>>> print(KillerCage("r1c1 r1c2", sum=3))
killer cage (sum 3) at r1c1 and r1c2
>>> puzzle = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")])
>>> puzzle.rules[1].to_json()
{'rule': 'thermometer', 'cells': ['r2c1', 'r2c2']}
"""

from typing import TYPE_CHECKING

from ..puzzle.cells import (
    column,
    diagonal_from,
    diagonals,
    disjoint_groups,
    edge_line,
    row,
    windoku,
)
from .base import (
    KINDS,
    Digits,
    Example,
    Rule,
    from_json,
    rule,
)
from .counts import *
from .lines import *
from .outside import *
from .own import define
from .pairs import *
from .pairs import nonconsecutive
from .sets import *
from .sums import *

if TYPE_CHECKING:  # as the types of fields, they let the constructor take text, names and lists
    from .base import CellsField as Cells
    from .base import GroupsField as Groups
    from .base import NumberGroupsField as NumberGroups
    from .base import NumbersField as Numbers
    from .base import OptionsField as Options
else:
    from ..puzzle.cells import Cells
    from .base import Groups, NumberGroups, Numbers, Options

__all__ = [
    "KINDS",
    "Cells",
    "Digits",
    "Example",
    "Groups",
    "NumberGroups",
    "Numbers",
    "Options",
    "Rule",
    "column",
    "define",
    "diagonal_from",
    "diagonals",
    "disjoint_groups",
    "edge_line",
    "from_json",
    "row",
    "rule",
    "windoku",
]
__all__ += ["nonconsecutive", *(rule_class.__name__ for rule_class in KINDS.values())]
