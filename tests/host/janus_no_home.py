"""If Prolog does not find its library, importing janus ends the process.

Workaround: pylogic_sudoku/engines/prolog/start.py starts Prolog in another process first.
"""

import tempfile

from probe import ends_well, report

CODE = """
try:
    import janus_swi
except Exception:
    pass
"""

with tempfile.TemporaryDirectory() as empty:
    report(not ends_well(CODE, SWI_HOME_DIR=empty))
