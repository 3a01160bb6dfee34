:- module(sudoku_subsets,
          [ different/4,        % ?Cells, +Size, +Sum, ?Outside
            largest_exact/1,    % -Size
            subset_tables/3     % +Size, -Moves, -OfSum
          ]).
:- use_module('../sudoku/propagator').
:- use_module(walks, [kept/4, leads/6]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/3, numlist/3]).

/** <module> Sets of different digits, as states

Cells with different digits are an automaton (see walks.pl) whose states are the sets of
digits that are used up so far. A set of digits is a number from 0 to 2**n-1, with bit
D-1 for digit D, and so a set of these sets is an integer too, with up to 2**n bits: for
n = 9, 512 bits. To add the digit D to all of the sets that do not have it yet is one
shift by 2**(D-1).
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- multifile clpfd:run_propagator/2.

%!  largest_exact(-Size) is det.
%
%   Up to this size of grids, sets of sets of digits are small enough: 2**12 bits.

largest_exact(12).

%!  subset_tables(+Size, -Moves, -OfSum) is det.
%
%   Moves are those of walk/4: argument D adds the digit D to the sets of digits in
%   1..Size without it. Argument S+1 of OfSum are the sets with the sum S.

subset_tables(Size, Moves, OfSum) :-
    atom_concat(sudoku_subsets_, Size, Key),
    (   nb_current(Key, subsets(Moves, OfSum))
    ->  true
    ;   All is (1 << (1 << Size)) - 1,
        numlist(1, Size, Digits),
        maplist(adding(All), Digits, MovesOfDigits),
        Moves =.. [moves|MovesOfDigits],
        Most is Size * (Size + 1) // 2,
        findall(0, between(1, Most, _), None),
        add_digits(Digits, [1|None], Sums),
        OfSum =.. [of_sum|Sums],
        nb_setval(Key, subsets(Moves, OfSum))
    ).

adding(All, Digit, [Without-Shift]) :-
    Shift is 1 << (Digit-1),
    Without is All // ((1 << Shift) + 1).       % blocks of ones and zeros that take turns

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

%!  different(?Cells, +Size, +Sum, ?Outside) is semidet.
%
%   Cells, variables in 1..Size or digits, each named once, are different and have this
%   Sum, or any if it is `any`. They keep exactly the digits that they can have. Outside
%   are cells that differ from all Cells: they do not hold a digit that Cells need. Size
%   is at most the one of largest_exact/1.

different(Cells, Size, Sum, Outside) :-
    (   Sum == any
    ->  Ends = -1
    ;   subset_tables(Size, _, OfSum),
        At is Sum + 1,
        arg(At, OfSum, Ends)
    ),
    term_variables(Outside, Others),
    post_propagator(different(Cells, Size, Ends, Others, put_off(no)), Cells).

clpfd:run_propagator(different(Cells, Size, Ends, Outside, PutOff), State) :-
    turn(different(Cells, Size, Ends, Outside, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   subset_tables(Size, Moves, _),
        leads(Cells, Moves, 1, Ends, Passed, Last),
        kept(Passed, Moves, Last, Kept),
        needed(Outside, Kept, Moves, Last, Needed),
        Free is \Needed,
        at_once(State, ( restrict_all(Cells, Kept), exclude_digits(Outside, Free) )),
        (   ground(Cells)
        ->  clpfd:kill(State),
            leads(Cells, Moves, 1, Ends, _, _)
        ;   true
        )
    ).

%   Needed are the digits that are in each of the sets Last.

needed([], _, _, _, 0).
needed([_|_], Kept, Moves, Last, Needed) :-
    union_of_sets(Kept, Union),
    needed_of(Union, Moves, Last, 0, Needed).

needed_of(Set, Moves, Last, Needed0, Needed) :-
    (   Set =:= 0
    ->  Needed = Needed0
    ;   Digit is lsb(Set),
        arg(Digit, Moves, [Without-_]),
        (   Last /\ Without =:= 0
        ->  Needed1 is Needed0 \/ (1 << Digit)
        ;   Needed1 = Needed0
        ),
        Others is Set /\ (Set-1),
        needed_of(Others, Moves, Last, Needed1, Needed)
    ).
