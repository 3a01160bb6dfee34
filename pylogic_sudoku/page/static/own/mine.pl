% Your own problem: give each thing a number of its own.

:- use_module(library(clpfd)).

model(Pairs) :-
    most(N),
    findall(number(T)-_, thing(T), Pairs),
    pairs_values(Pairs, Numbers),
    Numbers ins 1..N,
    all_distinct(Numbers).
