route(A, B, R) :- walk([A], A, B, R).

% walk(Visited, From, To, Route)
walk(_, A, A, [A]).
walk(Visited, A, B, [A|R]) :-
    A \= B,
    step(A, C),
    \+ member(C, Visited),
    walk(Visited, C, B, R).

step(A, B) :- road(A, B) ; road(B, A).
