% sorted(Numbers, Sorted): Sorted has the numbers of a list from small to large, each as often.

sorted([], []).
sorted([Number|Numbers], Sorted) :-
    sorted(Numbers, Rest),
    insert(Number, Rest, Sorted).

% insert(Number, Sorted, More): More is a sorted list with one more number in its place.

insert(Number, [], [Number]).
insert(Number, [First|Rest], [Number,First|Rest]) :-
    Number =< First.
insert(Number, [First|Rest], [First|More]) :-
    Number > First,
    insert(Number, Rest, More).

:- include(adapter).
