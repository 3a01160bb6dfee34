timetable(Talks, N, Plan) :-
    place(Talks, N, Plan),
    \+ same_slot(Plan),
    \+ wrong_order(Plan).

% place(Talks, N, Plan): any slots from 1 to N
place([], _, []).
place([T|Ts], N, [T-S|Plan]) :-
    between(1, N, S),
    place(Ts, N, Plan).

same_slot(Plan) :-
    member(A-S, Plan),
    member(B-S, Plan).

wrong_order(Plan) :-
    before(A, B),
    member(A-S, Plan),
    member(B-R, Plan),
    S >= R.
