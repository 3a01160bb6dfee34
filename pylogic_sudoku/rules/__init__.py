"""Rules beyond plain sudoku: cages, thermometers, arrows, dots, clues outside the grid.

>>> from pylogic_sudoku import Puzzle
>>> from pylogic_sudoku.rules import KillerCage, Thermometer
>>> print(KillerCage("r1c1 r1c2", sum=3))
killer cage (sum 3) at r1c1 and r1c2
>>> puzzle = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")])
>>> puzzle.rules[1].to_json()
{'rule': 'thermometer', 'cells': ['r2c1', 'r2c2']}
"""

from ._counts import AnyOf, Contains, CountDifferent, CountingCircles, Index, LookAndSay
from ._fields import Cells, Groups, NumberGroups, Numbers
from ._lines import Thermometer
from ._rule import KINDS, Digits, Example, Options, Rule, everything, facts, from_json, rule, term
from ._sets import AntiKing, AntiKnight, AntiTaxicab, Different, GlobalEntropy, SameValues
from ._sums import KillerCage

__all__ = ["KINDS", "Cells", "Different", "Digits", "Example", "Groups", "KillerCage"]
__all__ += ["NumberGroups", "Numbers", "Options", "Rule", "Thermometer"]
__all__ += ["AntiKing", "AntiKnight", "AntiTaxicab", "AnyOf", "Contains", "CountDifferent"]
__all__ += ["CountingCircles", "GlobalEntropy", "Index", "LookAndSay", "SameValues"]
__all__ += ["everything", "facts", "from_json", "rule", "term"]
