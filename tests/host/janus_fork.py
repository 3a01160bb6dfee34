"""A forked process has no thread that collects the garbage of Prolog, so its memory only grows,
and it waits for ever for a lock that this thread had.

Workaround: pylogic_sudoku/questions/many.py spawns its processes, and an engine refuses to run
after a fork.
"""

import os
import signal

import janus_swi
from probe import report

COLLECTIONS = "statistics(agc, Number)"
ATOMS = "forall(between(1, 300_000, _N), atom_concat({0}, _N, _))"


def collects(prefix: str) -> bool:
    """Whether many new atoms, which nothing keeps, make Prolog collect some."""
    before = janus_swi.query_once(COLLECTIONS)["Number"]
    for part in range(5):
        janus_swi.query_once(ATOMS.format(f"{prefix}{part}_"))
    return janus_swi.query_once(COLLECTIONS)["Number"] > before


assert collects("parent")  # the thread starts here
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(not collects("child"))
report(os.waitpid(child, 0)[1] != 0)
