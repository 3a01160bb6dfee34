"""The message about a constant that clingo cannot read may have bytes of clingo's memory.

Workaround: pylogic_sudoku/check/programs.py reads constants before clingo does.
"""

import subprocess
import sys

from probe import report

CODE = "import clingo; clingo.Control(['--const', 'x='])"

done = subprocess.run([sys.executable, "-c", CODE], capture_output=True)
# The constant ends in line 2, column 2: what follows is not part of it.
report(b"<x=>:2:2-3" in done.stderr)
