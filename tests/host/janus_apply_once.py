"""apply_once in a thread that is not attached to Prolog ends the process.

Workaround: pylogic_sudoku/engines/prolog/__init__.py attaches its threads and calls query_once.
"""

from probe import ends_well, report

CODE = """
import threading
import janus_swi
thread = threading.Thread(target=lambda: janus_swi.apply_once("user", "succ", 1))
thread.start()
thread.join()
"""

report(not ends_well(CODE))
