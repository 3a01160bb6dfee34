:- module(sudoku_runs,
          [ run_of_digits/2     % ?Cells, +Size
          ]).
:- use_module(bits, [at_once/2, post_propagator/2, restrict_all/2, turn/3]).
:- use_module(subsets, [backward/6, forward/6, sets_of_digits/2, subset_tables/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [reverse/2]).

/** <module> Cells that hold a run of digits, as a propagator

It is like that of a cage: the cells use up sets of digits one by one, and the last
set is a run, such as 3, 4 and 5.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- multifile clpfd:run_propagator/2.

%!  run_of_digits(?Cells, +Size) is semidet.
%
%   Cells, variables in 1..Size or digits, each named once, hold consecutive digits
%   that are all different. Size is at most the one of largest_exact/1.

run_of_digits(Cells, Size) :-
    length(Cells, Length),
    Length =< Size,
    Run is (1 << Length) - 1,
    Last is Size - Length,
    runs(Last, Run, 0, Runs),
    subset_tables(Size, Without, _),
    post_propagator(run_of_digits(Cells, Without, Runs, put_off(no)), Cells).

%   A set of digits is a number, and a set of these is an integer with a bit for each.

runs(Shift, Run, Runs0, Runs) :-
    (   Shift < 0
    ->  Runs = Runs0
    ;   Runs1 is Runs0 \/ (1 << (Run << Shift)),
        Next is Shift - 1,
        runs(Next, Run, Runs1, Runs)
    ).

clpfd:run_propagator(run_of_digits(Cells, Without, Runs, PutOff), State) :-
    turn(run_of_digits(Cells, Without, Runs, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   sets_of_digits(Cells, Sets),
        forward(Sets, Without, 1, [], Befores, Reached),
        Last is Reached /\ Runs,
        Last =\= 0,
        (   ground(Cells)
        ->  clpfd:kill(State)
        ;   reverse(Sets, BackSets),
            backward(BackSets, Without, Last, Befores, [], Kept),
            at_once(State, restrict_all(Cells, Kept)),
            (   ground(Cells)
            ->  clpfd:kill(State),
                sets_of_digits(Cells, Digits),
                forward(Digits, Without, 1, [], _, Held),
                Held /\ Runs =\= 0
            ;   true
            )
        )
    ).
