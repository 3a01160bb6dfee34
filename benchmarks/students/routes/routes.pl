% route(A, B, Route): Route is a list of towns from A to B, with none twice. Roads lead both ways.

route(A, B, Route) :-
    walk(A, B, [A], Route).

% walk(A, B, Seen, Route): the same, and Route avoids the towns of Seen from its second one on.

walk(B, B, _, [B]).
walk(A, B, Seen, [A|Route]) :-
    A \== B,
    next(A, C),
    \+ memberchk(C, Seen),
    walk(C, B, [C|Seen], Route).

next(A, B) :- road(A, B).
next(A, B) :- road(B, A).

:- include(adapter).
