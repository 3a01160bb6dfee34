"""Importing janus changes the locale of the process, for numbers and times too.

Workaround: pylogic_sudoku/engines/prolog/start.py sets it back.
"""

import os
import subprocess
import sys

from probe import report

CODE = """
import locale
before = locale.setlocale(locale.LC_ALL)
import janus_swi
print(locale.setlocale(locale.LC_ALL) == before)
"""

done = subprocess.run(
    [sys.executable, "-c", CODE],
    env={**os.environ, "LC_ALL": "C.UTF-8"},
    capture_output=True,
    text=True,
    check=True,
)
report(done.stdout.strip() == "False")
