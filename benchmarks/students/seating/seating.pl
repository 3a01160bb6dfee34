% seating(Guests, Row): Row has all guests in an order in which no two rivals sit side by side.

seating(Guests, Row) :-
    permuted(Guests, Row),
    peaceful(Row).

permuted([], []).
permuted(Guests, [Guest|Row]) :-
    take(Guest, Guests, Others),
    permuted(Others, Row).

% take(X, List, Rest): Rest is the list without X, which is one of its elements.

take(X, [X|Rest], Rest).
take(X, [Y|List], [Y|Rest]) :-
    take(X, List, Rest).

peaceful(Row) :-
    \+ ( neighbours(A, B, Row),
         quarrel(A, B) ).

neighbours(A, B, [A,B|_]).
neighbours(A, B, [_|Row]) :-
    neighbours(A, B, Row).

quarrel(A, B) :- rivals(A, B).
quarrel(A, B) :- rivals(B, A).

:- include(adapter).
