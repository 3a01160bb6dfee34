"""A thread that Prolog did not start allows only small integers.

Workaround: prolog/bridge.pl sets the flag max_integer_size before each search.
"""

import threading

import janus_swi
from probe import report


def attached() -> None:
    janus_swi.attach_engine()
    try:
        janus_swi.query_once("_X is 2**40_000")
        failed.append(False)
    except janus_swi.PrologError:
        failed.append(True)
    janus_swi.detach_engine()


failed: list[bool] = []
janus_swi.query_once("_X is 2**40_000")  # the main thread allows it
thread = threading.Thread(target=attached)
thread.start()
thread.join()
report(failed[0])
