"""A thread that ends while it is attached to Prolog leaves its engine behind.

Workaround: pylogic_sudoku/engines/running.py keeps the threads that have called an engine.
"""

import threading

import janus_swi
from probe import report

COUNT = "aggregate_all(count, thread_property(_, status(_)), Number)"


def number() -> int:
    return janus_swi.query_once(COUNT)["Number"]


before = number()
for _ in range(5):
    thread = threading.Thread(target=janus_swi.attach_engine)
    thread.start()
    thread.join()
report(number() > before)
