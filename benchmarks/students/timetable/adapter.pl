answer(Atoms) :-
    findall(Talk, talk(Talk), Talks),
    slots(Number),
    timetable(Talks, Number, Plan),
    findall(at(Talk, Slot), member(Talk-Slot, Plan), Atoms).
