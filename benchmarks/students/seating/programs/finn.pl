seating(Guests, Row) :- perm(Guests, Row), fine(Row).

perm(nil, nil).
perm(L, [X|P]) :- pick(L, X, R), perm(R, P).

pick([X|R], X, R).
pick([Y|L], X, [Y|R]) :- pick(L, X, R).

fine([]).
fine([A|L]) :- fine_after(A, L).

fine_after(_, []).
fine_after(A, [B|L]) :-
    \+ enemies(A, B),
    fine_after(B, L).

enemies(A, B) :- rivals(A, B) ; rivals(B, A).
