timetable(Talks, N, Plan) :-
    numlist(1, N, Slots),
    place(Talks, Slots, Plan),
    good(Plan).

place([], _, []).
place([T|Ts], Slots, [T-S|Plan]) :-
    select(S, Slots, Rest),
    place(Ts, Rest, Plan).

good(Plan) :-
    \+ ( before(A, B),
         SA >= SB,
         member(A-SA, Plan),
         member(B-SB, Plan) ).
