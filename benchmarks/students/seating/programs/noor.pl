seating(Guests, Row) :-
    permuted(Guests, Row),
    peaceful(Row).

permuted(Guests, [G|Row]) :-
    take(G, Guests, Others),
    permuted(Others, Row).

take(G, [G|Gs], Gs).
take(G, [H|Gs], [H|Rest]) :- take(G, Gs, Rest).

peaceful([]).
peaceful([_]).
peaceful([A,B|Row]) :-
    \+ rivals(A, B),
    \+ rivals(B, A),
    peaceful([B|Row]).
