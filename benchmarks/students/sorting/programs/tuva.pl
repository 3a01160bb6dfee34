sorted(L, S) :-
    ordered(S),
    shuffled(L, S).

% all orders of a list
shuffled([], []).
shuffled([X|L], S) :- shuffled(L, S0), insert(X, S0, S).

% X anywhere in the list
insert(X, L, [X|L]).
insert(X, [Y|L], [Y|M]) :- insert(X, L, M).

ordered([]).
ordered([_]).
ordered([A,B|L]) :- A =< B, ordered([B|L]).
