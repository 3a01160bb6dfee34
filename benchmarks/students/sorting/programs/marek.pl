% Merge sort: cut the list in two halves, sort both, merge them again.
sorted([], []).
sorted([X], [X]).
sorted(List, Sorted) :-
    halves(List, Left, Right),
    sorted(Left, L),
    sorted(Right, R),
    merge2(L, R, Sorted).

halves([], [], []).
halves([X], [X], []).
halves([X,Y|Rest], [X|Xs], [Y|Ys]) :- halves(Rest, Xs, Ys).

merge2([], L, L).
merge2([X|Xs], [], [X|Xs]).
merge2([X|Xs], [Y|Ys], [X|Zs]) :- X =< Y, merge2(Xs, [Y|Ys], Zs).
merge2([X|Xs], [Y|Ys], [Y|Zs]) :- X > Y, merge2([X|Xs], Ys, Zs).
