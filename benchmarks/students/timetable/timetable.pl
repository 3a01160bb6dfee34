% timetable(Talks, Number, Plan): Plan has a pair Talk-Slot for each talk. A slot is one of 1..Number,
% and has one talk; before(A, B) says that the slot of A is less than that of B.

timetable(Talks, Number, Plan) :-
    numlist(1, Number, Slots),
    place(Talks, Slots, Plan),
    good(Plan).

% place(Talks, Slots, Plan): each talk gets another one of the slots.

place([], _, []).
place([Talk|Talks], Slots, [Talk-Slot|Plan]) :-
    select(Slot, Slots, Others),
    place(Talks, Others, Plan).

good(Plan) :-
    forall(before(A, B), in_order(A, B, Plan)).

in_order(A, B, Plan) :-
    memberchk(A-Slot, Plan),
    memberchk(B-Later, Plan),
    Slot < Later.

:- include(adapter).
