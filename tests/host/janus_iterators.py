"""Of two open queries of janus, only the one that was opened last can be asked.

Workaround: prolog/bridge.pl searches with engines of Prolog.
"""

import janus_swi
from probe import report

first = janus_swi.query("member(X, [1, 2])")
next(first)
second = janus_swi.query("member(X, [1, 2])")
next(second)
try:
    next(first)
    report(False)
except janus_swi.PrologError:
    report(True)
second.close()
first.close()
