% Everything on the way back from the recursion.

totals([X], X, X).
totals([X|Xs], Sum, Max) :-
    totals(Xs, S, M),
    Sum = S + X,
    larger(X, M, Max).

larger(A, B, B) :- A =< B.
larger(A, B, A) :- A > B.
