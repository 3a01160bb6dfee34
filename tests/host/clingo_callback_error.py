"""An exception in a callback for statistics, such as that of a signal, ends the process.

Workaround: pylogic_sudoku/engines/running.py handles signals after clingo has returned.
"""

from probe import ends_well, report

CODE = """
import clingo
def broken(step, accumulated):
    raise KeyboardInterrupt
control = clingo.Control()
control.ground()
try:
    control.solve(on_statistics=broken)
except BaseException:
    pass
"""

report(not ends_well(CODE))
