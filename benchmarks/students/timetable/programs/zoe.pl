timetable(Talks, N, Plan) :-
    findall(S, between(1, N, S), Slots),
    assign(Talks, Slots, Plan),
    check(Plan, Plan).

assign([], _, []).
assign([T|Ts], Slots, [T-S|Plan]) :-
    place(S, Slots, _Rest),
    assign(Ts, Slots, Plan).

% place(S, Slots, Rest): take one place out of the list
place(S, [S|Rest], Rest).
place(S, [X|Slots], [X|Rest]) :- place(S, Slots, Rest).

check([], _).
check([T-S|More], Plan) :-
    forall(before(T, U), ( member(U-R, Plan), S < R )),
    check(More, Plan).
