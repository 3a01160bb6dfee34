% take one guest after the other, and look at who sits to the left
seating(Guests, Row) :-
    row(Guests, nobody, Row).

row([], _, []).
row(Guests, Left, [G|Row]) :-
    take(Guests, G, Others),
    ( quarrel(Left, G) -> fail ),
    row(Others, G, Row).

% take(List, Element, Rest)
take([X|Xs], X, Xs).
take([X|Xs], Y, [X|Ys]) :-
    take(Xs, Y, Ys).

quarrel(A, B) :- rivals(A, B).
quarrel(A, B) :- rivals(B, A).
