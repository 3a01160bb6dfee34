seating(Gs, Row) :-
    permuted(Gs, Row),
    \+ bad(Row).

permuted([], []).
permuted([G|Gs], Row) :-
    permuted(Gs, Row0),
    take(G, Row, Row0).

take(X, [X|Xs], Xs) :- !.
take(X, [Y|Xs], [Y|Ys]) :-
    take(X, Xs, Ys).

bad(Row) :- neighbours(A, B, Row), rivals(A, B).
bad(Row) :- neighbours(A, B, Row), rivals(B, A).

% B sits to the right of A
neighbours(A, B, Row) :- append(_, [A,B|_], Row).
