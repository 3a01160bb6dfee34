"""A deeply nested list as an input ends the process.

Workaround: pylogic_sudoku/engines/prolog/__init__.py passes flat lists of integers.
"""

from probe import ends_well, report

CODE = """
import janus_swi
nested = []
for _ in range(200_000):
    nested = [nested]
try:
    janus_swi.query_once("_X = Nested", {"Nested": nested})
except Exception:
    pass
"""

report(not ends_well(CODE))
