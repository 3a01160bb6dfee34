route(Start, Goal, Route) :-
    walk(Start, Goal, [Start], Route).

walk(Goal, Goal, _, [Goal]).
walk(Here, Goal, Seen, [Here|Route]) :-
    Here \= Goal,
    \+ member(There, Seen),
    next(Here, There),
    walk(There, Goal, [There|Seen], Route).

next(X, Y) :- road(X, Y).
next(X, Y) :- road(Y, X).
