ancestor(X, Z) :-
    parent(X, Z).
ancestor(X, Z) :-
    ancestor(X, Y),
    parent(Y, Z).

aunt(X, Z) :-
    parent(Y, Z),
    sister(X, Y).

sister(X, Y) :-
    woman(X),
    parent(P, X), parent(P, Y),
    dif(X, Y).
