value(Tokens, Value) :-
    expression(Value, Tokens, []).

expression(V) -->
    term(V0),
    more_terms(V0, V).

more_terms(V0, V) -->
    [plus],
    term(V1),
    { V2 is V0 + V1 },
    more_terms(V2, V).
more_terms(V0, V) -->
    [minus],
    term(V1),
    { V2 is V0 - V1 },
    more_terms(V2, V).

term(V) -->
    factor(V).
term(V) -->
    factor(V0),
    [times],
    term(V1),
    { V is V0 * V1 }.

factor(V) -->
    [V],
    { integer(V) }.
factor(V) -->
    [open],
    expression(V),
    [close].
