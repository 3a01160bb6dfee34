% Job shop: start the tasks of all jobs so that the last one ends as early as possible.
%
%   swipl -l problems/job_shop/instances/2.lp problems/job_shop/job_shop.pl
%   ?- model(Pairs, End), pairs_values(Pairs, Values), labeling([min(End)], Values).
%   Pairs = [start(a, 1)-0, start(a, 2)-2, start(b, 1)-0, start(b, 2)-2],
%   End = 5,
%   Values = [0, 2, 0, 2] .
%
% Input:   task(J,I,M,D): the I-th task of job J takes the time D, 1 or more, on machine M;
%          horizon(H): all tasks end at time H or before.
% Output:  start(J,I)-T: the I-th task of job J starts at time T. Best is the earliest end of all.
%
% Teaches: cumulative/2: each task of a machine uses all of its capacity, 1. The end of all is the
%          greatest of the ends, a term max(A,max(B,C)) that foldl/4 builds.
% Costs:   48 values remain for 3.lp before the first choice (job_shop.lp: 83): the order of a job
%          moves the bounds of all its starts. A best answer takes 270,000 inferences.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

model(Pairs, End) :-
    horizon(Horizon),
    findall(task(J,I,M,D), task(J, I, M, D), Tasks),
    maplist(start(Horizon), Tasks, Pairs),
    foldl(later(Pairs), Tasks, 0, Latest),
    End #= Latest,
    maplist(in_order(Pairs, Tasks), Tasks),
    findall(M, task(_, _, M, _), Machines),
    sort(Machines, Sorted),
    maplist(one_at_a_time(Pairs, Tasks), Sorted).

start(Horizon, task(J,I,_,D), start(J,I)-Start) :-
    Start #>= 0,
    Start + D #=< Horizon.

later(Pairs, task(J,I,_,D), Latest, max(Start + D, Latest)) :-
    memberchk(start(J,I)-Start, Pairs).

in_order(Pairs, Tasks, task(J,I,_,D)) :-
    Next is I + 1,
    memberchk(start(J,I)-Start, Pairs),
    (   memberchk(task(J,Next,_,_), Tasks)
    ->  memberchk(start(J,Next)-Later, Pairs),
        Start + D #=< Later
    ;   true
    ).

one_at_a_time(Pairs, Tasks, Machine) :-
    findall(J-I-D, member(task(J,I,Machine,D), Tasks), OnMachine),
    maplist(machine_task(Pairs), OnMachine, MachineTasks),
    cumulative(MachineTasks, [limit(1)]).

machine_task(Pairs, J-I-D, task(Start,D,_,1,_)) :-
    memberchk(start(J,I)-Start, Pairs).
