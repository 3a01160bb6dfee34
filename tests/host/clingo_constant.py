"""The message about a constant that clingo cannot read may have bytes of clingo's memory.

Workaround: pylogic_sudoku/check/programs.py reads constants before clingo does.
"""

from probe import ended, report

CODE = "import clingo; clingo.Control(['--const', 'x='])"

# The constant ends in line 2, column 2: what follows is not part of it.
report(b"<x=>:2:2-3" in ended(CODE).stderr)
