:- module(sudoku_automata,
          [ accepted/4,         % ?Cells, +Moves, +Start, +Ends
            reachable/6,        % ?Cells, +Moves, +Start, +Ends, -Passed, -Last
            supported/4,        % +Passed, +Moves, +Last, -Kept
            move_table/3,       % :Move, +Size, -Moves
            ones/2,             % +Count, -Set
            repeated/4,         % +Block, +Width, +Count, -Set
            different/3,        % ?Cells, +Size, +Sum
            largest_exact/1,    % -Size
            subset_tables/3     % +Size, -Moves, -OfSum
          ]).
:- use_module('../sudoku/propagator').
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, numlist/3]).

/** <module> Automata along a line

A rule that one can check by going along a line and keeping a state in mind, such
as a sum so far, is an automaton. The states are numbers, and a set of states is an
integer with bit S for the state S. What a digit does is a list of moves From-Shift:
each state in the set From becomes the state that is Shift higher. A state from which
no move goes is a dead end.

Cells with different digits are an automaton, too, whose states are the sets of digits that
are used up so far. Such a set is a number from 0 to 2**n-1, with bit D-1 for digit D, and so
a set of these sets is an integer with up to 2**n bits: for n = 9, 512 bits. To add the digit D
to all of the sets that do not have it yet is one shift by 2**(D-1).
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  accepted(?Cells, +Moves, +Start, +Ends) is semidet.
%
%   Argument D of Moves are the moves for the digit D. They lead along Cells from one
%   of the states Start to one of Ends. The cells keep exactly the digits that are on
%   such a way.

accepted(Cells, Moves, Start, Ends) :-
    post_propagator(accepted(Cells, Moves, Start, Ends, put_off(no)), Cells).

:- multifile
    clpfd:run_propagator/2,
    sudoku_propagator:constraint_goal/3.

sudoku_propagator:constraint_goal(accepted(Cells, Moves, Start, Ends, _), Cells, sudoku_automata:Goal) :-
    (   functor(Moves, _, Size),
        largest_exact(Largest),
        Size =< Largest,
        subset_tables(Size, Moves, OfSum),
        (   Ends == -1
        ->  Sum = any
        ;   arg(At, OfSum, Ends),
            Sum is At - 1
        )
    ->  Goal = different(Cells, Size, Sum)
    ;   Goal = accepted(Cells, Moves, Start, Ends)
    ).

clpfd:run_propagator(accepted(Cells, Moves, Start, Ends, PutOff), State) :-
    turn(accepted(Cells, Moves, Start, Ends, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   reachable(Cells, Moves, Start, Ends, Passed, Last),
        supported(Passed, Moves, Last, Kept),
        at_once(State, maplist(restrict, Cells, Kept)),
        (   ground(Cells)
        ->  clpfd:kill(State),
            reachable(Cells, Moves, Start, Ends, _, _)
        ;   true
        )
    ).

%!  reachable(?Cells, +Moves, +Start, +Ends, -Passed, -Last) is semidet.
%
%   Last are those of Ends that the candidates of Cells lead to. Passed are pairs of the
%   candidates of a cell and the states before it, from the last cell to the first.

reachable(Cells, Moves, Start, Ends, Passed, Last) :-
    forward(Cells, Moves, Start, [], Passed, Reached),
    Last is Reached /\ Ends,
    Last =\= 0.

forward([], _, Here, Passed, Passed, Here).
forward([Cell|Cells], Moves, Here, Passed0, Passed, Last) :-
    digit_set(Cell, Set),
    step(Set, Moves, Here, 0, Next),
    Next =\= 0,
    forward(Cells, Moves, Next, [Set-Here|Passed0], Passed, Last).

step(Set, Moves, Here, Next0, Next) :-
    (   Set =:= 0
    ->  Next = Next0
    ;   Digit is lsb(Set),
        arg(Digit, Moves, DigitMoves),
        move_on(DigitMoves, Here, Next0, Next1),
        Others is Set /\ (Set-1),
        step(Others, Moves, Here, Next1, Next)
    ).

move_on([], _, Next, Next).
move_on([From-Shift|Moves], Here, Next0, Next) :-
    Next1 is Next0 \/ ((Here /\ From) << Shift),
    move_on(Moves, Here, Next1, Next).

%!  supported(+Passed, +Moves, +Last, -Kept) is semidet.
%
%   Kept are the candidates of each cell, from the first to the last, that are on a way
%   to one of Last.

supported(Passed, Moves, Last, Kept) :-
    backward(Passed, Moves, Last, [], Kept).

backward([], _, _, Kept, Kept).
backward([Set-Before|Passed], Moves, Last, Kept0, Kept) :-
    step_back(Set, Moves, Last, Before, 0, Here, 0, Keep),
    Keep =\= 0,
    backward(Passed, Moves, Here, [Keep|Kept0], Kept).

step_back(Set, Moves, Last, Before, Here0, Here, Keep0, Keep) :-
    (   Set =:= 0
    ->  Here = Here0,
        Keep = Keep0
    ;   Digit is lsb(Set),
        arg(Digit, Moves, DigitMoves),
        move_back(DigitMoves, Last, 0, From0),
        From is From0 /\ Before,
        (   From =:= 0
        ->  Keep1 = Keep0
        ;   Keep1 is Keep0 \/ (1 << Digit)
        ),
        Here1 is Here0 \/ From,
        Others is Set /\ (Set-1),
        step_back(Others, Moves, Last, Before, Here1, Here, Keep1, Keep)
    ).

move_back([], _, From, From).
move_back([Allowed-Shift|Moves], Last, From0, From) :-
    From1 is From0 \/ ((Last >> Shift) /\ Allowed),
    move_back(Moves, Last, From1, From).

%!  move_table(:Move, +Size, -Moves) is det.
%
%   Argument D of Moves is the list of all From-Shift for which call(Move, D, From,
%   Shift) is true, for each digit up to Size.

:- meta_predicate move_table(3, +, -).

move_table(Move, Size, Moves) :-
    numlist(1, Size, Digits),
    maplist(digit_moves(Move), Digits, Lists),
    Moves =.. [moves|Lists].

:- meta_predicate digit_moves(3, +, -).

digit_moves(Move, Digit, Moves) :-
    findall(From-Shift, ( call(Move, Digit, From, Shift), From =\= 0 ), Moves).

%!  ones(+Count, -Set) is det.
%
%   Set is 0..Count-1.

ones(Count, Set) :-
    (   Count =< 0
    ->  Set = 0
    ;   Set is (1 << Count) - 1
    ).

%!  repeated(+Block, +Width, +Count, -Set) is det.
%
%   Set is Count times Block, Width apart.

repeated(Block, Width, Count, Set) :-
    Set is Block * (((1 << (Width*Count)) - 1) // ((1 << Width) - 1)).

                /*******************************
                *       different digits       *
                *******************************/

%!  largest_exact(-Size) is det.
%
%   Up to this size of grids, sets of sets of digits are small enough: 2**12 bits.

largest_exact(12).

%!  subset_tables(+Size, -Moves, -OfSum) is det.
%
%   Moves are those of accepted/4: argument D adds the digit D to the sets of digits in
%   1..Size without it. Argument S+1 of OfSum are the sets with the sum S.

subset_tables(Size, Moves, OfSum) :-
    known_tables(Tables),
    arg(Size, Tables, Known),
    (   nonvar(Known)
    ->  Known = subsets(Moves, OfSum)
    ;   All is (1 << (1 << Size)) - 1,
        numlist(1, Size, Digits),
        maplist(adding(All), Digits, MovesOfDigits),
        Moves =.. [moves|MovesOfDigits],
        Most is Size * (Size + 1) // 2,
        findall(0, between(1, Most, _), None),
        foldl(add_digit, Digits, [1|None], Sums),
        OfSum =.. [of_sum|Sums],
        nb_setarg(Size, Tables, subsets(Moves, OfSum))
    ).

%   The tables of each size, once they are made. Propagators need them, to which nothing can be passed: so
%   they are the one global of this module.

known_tables(Tables) :-
    (   nb_current(sudoku_automata, Tables0)
    ->  Tables = Tables0
    ;   largest_exact(Largest),
        functor(Tables0, tables, Largest),
        nb_setval(sudoku_automata, Tables0),
        nb_getval(sudoku_automata, Tables)
    ).

adding(All, Digit, [Without-Shift]) :-
    Shift is 1 << (Digit-1),
    Without is All // ((1 << Shift) + 1).       % blocks of ones and zeros that take turns

%   The sets with a sum less Digit get Digit, too.

add_digit(Digit, Sums0, Sums) :-
    Shift is 1 << (Digit-1),
    length(Zeros, Digit),
    maplist(=(0), Zeros),
    append(Zeros, Sums0, Later),
    add_shifted(Sums0, Later, Shift, Sums).

add_shifted([], _, _, []).
add_shifted([Sum0|Sums0], [Later|Laters], Shift, [Sum|Sums]) :-
    Sum is Sum0 \/ (Later << Shift),
    add_shifted(Sums0, Laters, Shift, Sums).

%!  different(?Cells, +Size, +Sum) is semidet.
%
%   Cells, variables in 1..Size or digits, each named once, are different and have this
%   Sum, or any if it is `any`. They keep exactly the digits that they can have. Size is
%   at most the one of largest_exact/1.

different(Cells, Size, Sum) :-
    subset_tables(Size, Moves, OfSum),
    (   Sum == any
    ->  Ends = -1
    ;   At is Sum + 1,
        arg(At, OfSum, Ends)
    ),
    accepted(Cells, Moves, 1, Ends).
