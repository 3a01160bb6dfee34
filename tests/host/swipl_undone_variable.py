"""A global variable that was first set and then undone by backtracking is never made on demand.

Workaround: prolog/sudoku/propagator.pl has clpfd read its variables before it sets one.
"""

import janus_swi
from probe import report

janus_swi.consult(
    "variables",
    """
    :- multifile user:exception/3.
    user:exception(undefined_global_variable, Name, retry) :- nb_setval(Name, made).
    """,
)
BACK = "( b_setval({0}, changed), fail ; catch(nb_getval({0}, made), _, fail) )"

assert janus_swi.query_once("nb_getval(first_read, made)")["truth"]
assert janus_swi.query_once(BACK.format("first_read"))["truth"]
report(not janus_swi.query_once(BACK.format("first_set"))["truth"])
