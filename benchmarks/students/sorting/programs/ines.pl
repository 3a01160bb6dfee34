% quicksort

sorted([], []).
sorted([P|Rest], S) :-
    split(P, Rest, Small, Big),
    sorted(Small, SmallS),
    sorted(Big, BigS),
    append(SmallS, BigS, S).

split(_, [], [], []).
split(P, [X|Xs], [X|Small], Big) :- X =< P, split(P, Xs, Small, Big).
split(P, [X|Xs], Small, [X|Big]) :- X > P, split(P, Xs, Small, Big).
