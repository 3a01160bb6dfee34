value(Ts, V) :- phrase(expression(V), Ts).

expression(V) --> product(P), tail(P, V).

tail(V, V) --> [].
tail(A, V) -->
    [plus],
    product(B),
    { C is A + B },
    tail(C, V).
tail(A, V) -->
    [minus],
    product(B),
    { C is B - A },
    tail(C, V).

product(V) --> factor(V).
product(V) --> factor(A), [times], product(B), { V is A * B }.

factor(V) --> [open], expression(V), [close].
factor(V) --> number(V).

number(V) --> [V], { integer(V) }.
