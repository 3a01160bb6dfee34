totals(L, Sum, Max) :-
    L = [_|_],
    add(L, 0, Sum),
    larger(L, 0, Max).

add([], S, S).
add([X|Xs], S0, S) :- S1 is S0+X, add(Xs, S1, S).

% larger(List, SoFar, Max)
larger([], Max, Max).
larger([X|Xs], SoFar, Max) :- X > SoFar, larger(Xs, X, Max).
larger([X|Xs], SoFar, Max) :- X =< SoFar, larger(Xs, SoFar, Max).
