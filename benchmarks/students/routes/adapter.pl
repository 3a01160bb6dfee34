answer([route(Route)]) :-
    from(A),
    to(B),
    route(A, B, Route).
