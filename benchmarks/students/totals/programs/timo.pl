totals(List, Sum, Largest) :-
    add(Sum, List),
    List = [X|Xs],
    largest(Xs, X, Largest).

add(0, []).
add(Sum, [X|Xs]) :-
    add(Sum0, Xs),
    Sum is Sum0 + X.

largest([], L, L).
largest([X|Xs], L0, L) :-
    L1 is max(X, L0),
    largest([X|Xs], L1, L).
