"""Importing janus loads the user's own init.pl, which may change flags or end the process.

Workaround: pylogic_sudoku/engines/prolog/start.py starts Prolog with options of our own.
"""

import tempfile
from pathlib import Path

from probe import ended, report

with tempfile.TemporaryDirectory() as home:
    folder = Path(home, "swi-prolog")
    folder.mkdir()
    (folder / "init.pl").write_text(":- format('loaded~n').\n")
    done = ended("import janus_swi", HOME=home, XDG_CONFIG_HOME=home)
    report(b"loaded" in done.stdout)
