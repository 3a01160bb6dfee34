"""A pair that a goal returns is never freed.

Workaround: prolog/bridge.pl answers with integers, lists and texts only.
"""

import janus_swi
from probe import growth, report

NUMBERS = {"List": list(range(81))}

report(growth(lambda _: janus_swi.query_once("X = List-List", dict(NUMBERS)), 3000) > 1500)
