"""If Prolog does not find its library, importing janus ends the process.

Workaround: pylogic_sudoku/engines/prolog/start.py starts Prolog in another process first.
"""

import os
import subprocess
import sys
import tempfile

from probe import report

CODE = """
try:
    import janus_swi
except Exception:
    pass
"""

with tempfile.TemporaryDirectory() as empty:
    environ = {**os.environ, "SWI_HOME_DIR": empty}
    done = subprocess.run([sys.executable, "-c", CODE], env=environ, capture_output=True)
    report(done.returncode != 0)
