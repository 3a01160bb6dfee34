"""Rules beyond plain sudoku: cages, thermometers, arrows, dots, clues outside the grid.

>>> from pylogic_sudoku import Puzzle
>>> from pylogic_sudoku.rules import KillerCage, Thermometer
>>> print(KillerCage("r1c1 r1c2", sum=3))
killer cage (sum 3) at r1c1 and r1c2
>>> puzzle = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")])
>>> puzzle.rules[1].to_json()
{'rule': 'thermometer', 'cells': ['r2c1', 'r2c2']}
"""

from ..puzzle.cells import (
    Cells,
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
    Groups,
    NumberGroups,
    Numbers,
    Options,
    Rule,
    from_json,
    rule,
)
from .counts import (
    AnyOf,
    Contains,
    CountDifferent,
    CountingCircles,
    Index,
    LookAndSay,
)
from .lines import (
    BetweenLine,
    EntropicLine,
    LockoutLine,
    ModularLine,
    Nabner,
    Palindrome,
    Renban,
    Thermometer,
    Whispers,
)
from .outside import HiddenSkyscraper, Lunchbox, Sandwich, Skyscraper, XSum
from .own import define
from .pairs import (
    Clone,
    Difference,
    Greater,
    Maximum,
    Minimum,
    Negative,
    PairSum,
    PairTable,
    Ratio,
    nonconsecutive,
)
from .sets import (
    AntiKing,
    AntiKnight,
    AntiTaxicab,
    Different,
    GlobalEntropy,
    SameValues,
)
from .sums import (
    Arrow,
    DoubleArrow,
    KillerCage,
    LittleKiller,
    RegionSumLine,
    RellikCage,
    SumLine,
    Total,
    ZipperLine,
)

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
    "from_json",
    "rule",
]
__all__ += ["AnyOf", "Contains", "CountDifferent", "CountingCircles", "Index", "LookAndSay"]
__all__ += [
    "column",
    "diagonal_from",
    "diagonals",
    "disjoint_groups",
    "edge_line",
    "nonconsecutive",
    "row",
    "windoku",
]
__all__ += [
    "BetweenLine",
    "EntropicLine",
    "LockoutLine",
    "ModularLine",
    "Nabner",
    "Palindrome",
    "Renban",
    "Thermometer",
    "Whispers",
]
__all__ += ["HiddenSkyscraper", "Lunchbox", "Sandwich", "Skyscraper", "XSum"]
__all__ += ["define"]
__all__ += [
    "Clone",
    "Difference",
    "Greater",
    "Maximum",
    "Minimum",
    "Negative",
    "PairSum",
    "PairTable",
    "Ratio",
]
__all__ += ["AntiKing", "AntiKnight", "AntiTaxicab", "Different", "GlobalEntropy", "SameValues"]
__all__ += [
    "Arrow",
    "DoubleArrow",
    "KillerCage",
    "LittleKiller",
    "RegionSumLine",
    "RellikCage",
    "SumLine",
    "Total",
    "ZipperLine",
]
