% Langford's problem: K copies of the numbers 1 to N in a row, with I others between copies of I.
%
%   swipl -l problems/langford/instances/4.lp problems/langford/langford.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [place(1)-2, place(2)-5, place(3)-3, place(4)-1],
%   Values = [2, 5, 3, 1] .
%
% Input:   size(N): the numbers are 1 to N; N may be 0; copies(K): each is there K times, at
%          least once.
% Output:  place(I)-P: the first copy of I is at position P.
%
% Teaches: All copies have different positions. Only first copies are labeled: each of the others is
%          a fixed distance after the one before it, so propagation finds it.
% Costs:   All 63 values of 7.lp remain before the first choice, as in langford.lp. Its 52 answers
%          take 4.0 million inferences.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).

model(Pairs) :-
    size(N),
    copies(K),
    K >= 1,
    findall(I, between(1, N, I), Numbers),
    Last is K * N,
    maplist(number_copies(K, Last), Numbers, Pairs, Copies),
    append(Copies, Positions),
    all_distinct(Positions).

number_copies(K, Last, Number, place(Number)-First, [First|Others]) :-
    length([First|Others], K),
    [First|Others] ins 1..Last,
    Distance is Number + 1,
    foldl(next_copy(Distance), Others, First, _).

next_copy(Distance, Copy, Before, Copy) :-
    Copy #= Before + Distance.
