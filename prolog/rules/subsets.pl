:- module(sudoku_subsets,
          [ different_sum/4,    % ?Cells, +Sum, +Size, ?Outside
            all_ways/3,         % ?Cells, +Sums, +Size
            largest_exact/1,    % -Size
            subset_tables/3,    % +Size, -Without, -OfSum
            sets_of_digits/2,   % ?Cells, -Sets
            forward/6,          % +Sets, +Without, +Here, +Before0, -Before, -Last
            backward/6          % +Sets, +Without, +Last, +Befores, +Kept0, -Kept
          ]).
:- use_module('../sudoku/propagator').
:- use_module(library(clpfd)).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, numlist/3, reverse/2]).

/** <module> Different digits and their sums, as propagators

A cage goes through its cells one by one and keeps the sets of digits that can be
used up so far. A set of digits is a number from 0 to 2**n-1, with bit D-1 for
digit D, and so a set of these sets is an integer too, with up to 2**n bits: for
n = 9, 512 bits. To add the digit D to all of the sets that do not have it yet is
one shift by 2**(D-1). A second pass from the end finds which digits of which
cells are part of a solution, so the cells keep exactly the digits that they can
have.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- multifile clpfd:run_propagator/2.

%!  largest_exact(-Size) is det.
%
%   Up to this size of grids, sets of sets of digits are small enough: 2**12 bits.

largest_exact(12).

%!  subset_tables(+Size, -Without, -OfSum) is det.
%
%   Argument D of Without are the sets of digits in 1..Size without the digit D.
%   Argument S+1 of OfSum are those with the sum S.

subset_tables(Size, Without, OfSum) :-
    atom_concat(sudoku_subsets_, Size, Key),
    (   nb_current(Key, subsets(Without, OfSum))
    ->  true
    ;   All is (1 << (1 << Size)) - 1,
        numlist(1, Size, Digits),
        maplist(without(All), Digits, Sets),
        Without =.. [without|Sets],
        Most is Size * (Size + 1) // 2,
        findall(0, between(1, Most, _), None),
        add_digits(Digits, [1|None], Sums),
        OfSum =.. [of_sum|Sums],
        nb_setval(Key, subsets(Without, OfSum))
    ).

without(All, Digit, Set) :-             % blocks of ones and zeros that take turns
    Set is All // ((1 << (1 << (Digit-1))) + 1).

add_digits([], Sums, Sums).
add_digits([Digit|Digits], Sums0, Sums) :-
    Shift is 1 << (Digit-1),
    length(Zeros, Digit),
    maplist(=(0), Zeros),
    append(Zeros, Sums0, Later),
    add_shifted(Sums0, Later, Shift, Sums1),
    add_digits(Digits, Sums1, Sums).

add_shifted([], _, _, []).
add_shifted([Sum0|Sums0], [Later|Laters], Shift, [Sum|Sums]) :-
    Sum is Sum0 \/ (Later << Shift),
    add_shifted(Sums0, Laters, Shift, Sums).

%   The sets after each cell, from the last back to the first: those that Sets, the
%   candidates of the cells, allow.

sets_of_digits([], []).
sets_of_digits([Cell|Cells], [Set|Sets]) :-
    digit_set(Cell, Set),
    sets_of_digits(Cells, Sets).

forward([], _, Here, Before, Before, Here).
forward([Set|Sets], Without, Here, Before0, Before, Last) :-
    add_one(Set, Without, Here, 0, Next),
    Next =\= 0,
    forward(Sets, Without, Next, [Here|Before0], Before, Last).

add_one(Set, Without, Here, Next0, Next) :-
    (   Set =:= 0
    ->  Next = Next0
    ;   Digit is lsb(Set),
        arg(Digit, Without, Free),
        Next1 is Next0 \/ ((Here /\ Free) << (1 << (Digit-1))),
        Others is Set /\ (Set-1),
        add_one(Others, Without, Here, Next1, Next)
    ).

%   Keeps of each cell, from the last to the first, the digits on a way to Last.

backward([], _, _, _, Kept, Kept).
backward([Set|Sets], Without, Last, [Before|Befores], Kept0, Kept) :-
    take_one(Set, Without, Last, Before, 0, Here, 0, Keep),
    Keep =\= 0,
    backward(Sets, Without, Here, Befores, [Keep|Kept0], Kept).

take_one(Set, Without, Last, Before, Here0, Here, Keep0, Keep) :-
    (   Set =:= 0
    ->  Here = Here0,
        Keep = Keep0
    ;   Digit is lsb(Set),
        arg(Digit, Without, Free),
        From is (Last >> (1 << (Digit-1))) /\ Before /\ Free,
        Others is Set /\ (Set-1),
        (   From =:= 0
        ->  take_one(Others, Without, Last, Before, Here0, Here, Keep0, Keep)
        ;   Here1 is Here0 \/ From,
            Keep1 is Keep0 \/ (1 << Digit),
            take_one(Others, Without, Last, Before, Here1, Here, Keep1, Keep)
        )
    ).

%!  different_sum(?Cells, +Sum, +Size, ?Outside) is semidet.
%
%   Cells, variables in 1..Size or digits, each named once, are different and have
%   this Sum. Outside are cells that differ from all Cells: they do not hold a digit
%   that Cells need. Size is at most the one of largest_exact/1.

different_sum(Cells, Sum, Size, Outside) :-
    term_variables(Outside, Others),
    post_propagator(different_sum(Cells, Sum, Size, Others, put_off(no)), Cells).

clpfd:run_propagator(different_sum(Cells, Sum, Size, Outside, PutOff), State) :-
    turn(different_sum(Cells, Sum, Size, Outside, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   subset_tables(Size, Without, OfSum),
        At is Sum + 1,
        arg(At, OfSum, Good),
        sets_of_digits(Cells, Sets),
        forward(Sets, Without, 1, [], Befores, Reached),
        Last is Reached /\ Good,
        Last =\= 0,
        reverse(Sets, BackSets),
        backward(BackSets, Without, Last, Befores, [], Kept),
        (   Outside == []
        ->  Free = -1
        ;   union_of_sets(Kept, Union),
            needed(Union, Without, Last, 0, Needed),
            Free is \Needed
        ),
        at_once(State, ( restrict_all(Cells, Kept), exclude_digits(Outside, Free) )),
        (   ground(Cells)
        ->  clpfd:kill(State),
            sets_of_digits(Cells, Digits),
            forward(Digits, Without, 1, [], _, Held),
            Held /\ Good =\= 0
        ;   true
        )
    ).

needed(Set, Without, Last, Needed0, Needed) :-
    (   Set =:= 0
    ->  Needed = Needed0
    ;   Digit is lsb(Set),
        arg(Digit, Without, Free),
        (   Last /\ Free =:= 0
        ->  Needed1 is Needed0 \/ (1 << Digit)
        ;   Needed1 = Needed0
        ),
        Others is Set /\ (Set-1),
        needed(Others, Without, Last, Needed1, Needed)
    ).

%!  all_ways(?Cells, +Sums, +Size) is semidet.
%
%   Cells, each named once, are different. Sums has for each cell the sum up to there,
%   or none if it is not known. The cells keep exactly the digits that they can have.
%   Size is at most the one of largest_exact/1.

all_ways(Cells, Sums, Size) :-
    post_propagator(all_ways(Cells, Sums, Size, put_off(no)), Cells).

clpfd:run_propagator(all_ways(Cells, Sums, Size, PutOff), State) :-
    turn(all_ways(Cells, Sums, Size, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   subset_tables(Size, Without, OfSum),
        sets_of_digits(Cells, Sets),
        forward_sums(Sets, Sums, OfSum, Without, 1, [], Befores, Last),
        reverse(Sets, BackSets),
        backward(BackSets, Without, Last, Befores, [], Kept),
        at_once(State, restrict_all(Cells, Kept)),
        (   ground(Cells)
        ->  clpfd:kill(State),
            sets_of_digits(Cells, Digits),
            forward_sums(Digits, Sums, OfSum, Without, 1, [], _, _)
        ;   true
        )
    ).

forward_sums([], [], _, _, Here, Before, Before, Here).
forward_sums([Set|Sets], [Sum|Sums], OfSum, Without, Here, Before0, Before, Last) :-
    add_one(Set, Without, Here, 0, Next0),
    (   Sum == none
    ->  Next = Next0
    ;   At is Sum + 1,
        arg(At, OfSum, Good),
        Next is Next0 /\ Good
    ),
    Next =\= 0,
    forward_sums(Sets, Sums, OfSum, Without, Next, [Here|Before0], Before, Last).
