% I keep the route backwards and turn it around at the end.
route(A, B, Route) :- go(A, B, [A], Back), reverse(Back, Route).

go(A, A, Back, Back).
go(A, B, Back, Route) :-
    A \== B,
    next(A, C),
    \+ member(C, Back),
    go(C, B, [C|Back], Route).

next(A, B) :- road(A, B), !.
next(A, B) :- road(B, A).
