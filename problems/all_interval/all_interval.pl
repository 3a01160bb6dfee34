% All-interval series: the numbers 0 to N-1 in a row so that no two steps are equally wide.
%
%   swipl -l problems/all_interval/instances/given.lp problems/all_interval/all_interval.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [note(1)-5, note(2)-4, note(3)-7, note(4)-0, note(5)-8, note(6)-2, note(7)-6, note(...)-1, ... - ...],
%   Values = [5, 4, 7, 0, 8, 2, 6, 1, 3] .
%
% Input:   size(N): there are N numbers; N may be 0.
%          Optional: given(I,V): the I-th number is V.
% Output:  note(I)-V: the I-th number is V.
%
% Teaches: A second list of variables, for the steps: it has a domain and a constraint of its own.
% Costs:   Before the first choice all 49 values of 7.lp remain, and 51 of 81 in given.lp, as in
%          all_interval.lp. All 32 answers to 7.lp take 2.0 million inferences.
% Unseen:  No instance notices the domain of the steps, which follows from that of the notes.
%          Without it, the search has over three times as many conflicts.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic given/2.

model(Pairs) :-
    size(N),
    findall(note(I)-_, between(1, N, I), Pairs),
    findall(note(I)-V, given(I, V), Given),
    maplist(kept(Pairs), Given),
    pairs_values(Pairs, Notes),
    Last is N - 1,
    Notes ins 0..Last,
    all_distinct(Notes),
    steps(Notes, Steps),
    Steps ins 1..Last,
    all_distinct(Steps).

kept(Pairs, Given) :-
    memberchk(Given, Pairs).

steps([], []).
steps([_], []).
steps([V,W|Notes], [Step|Steps]) :-
    Step #= abs(V - W),
    steps([W|Notes], Steps).
