"""janus keeps every distinct text of a goal for ever.

Workaround: pylogic_sudoku/engines/prolog/__init__.py has constant goals; data are their inputs.
"""

import janus_swi
from probe import growth, report

report(growth(lambda number: janus_swi.query_once(f"X = {number}"), 10_000) > 3000)
