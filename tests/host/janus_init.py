"""Importing janus loads the user's own init.pl, which may change flags or end the process.

Workaround: pylogic_sudoku/engines/prolog/start.py starts Prolog with options of our own.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from probe import report

with tempfile.TemporaryDirectory() as home:
    folder = Path(home, "swi-prolog")
    folder.mkdir()
    (folder / "init.pl").write_text(":- format('loaded~n').\n")
    done = subprocess.run(
        [sys.executable, "-c", "import janus_swi"],
        env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home},
        capture_output=True,
        text=True,
    )
    report("loaded" in done.stdout)
