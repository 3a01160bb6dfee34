"""clingo's application leaves a signal handler behind, which ends the process afterwards.

Workaround: pylogic_sudoku/engines/clingo/_run_application.py ignores those signals.
"""

import signal

from probe import ends_well, report

# Python's own handler would only note the signal.
CODE = """
import os, signal, clingo
class Empty(clingo.Application):
    def main(self, control, files):
        control.ground()
        control.solve()
signal.signal(signal.SIGUSR1, lambda number, frame: None)
clingo.clingo_main(Empty(), ["--outf=3"])
os.kill(os.getpid(), signal.SIGUSR1)
"""

report(hasattr(signal, "SIGUSR1") and not ends_well(CODE))
