:- module(sudoku_search,
          [ weighted_labeling/3,        % ?Rows, +Shape, +Rules
            search/1,           % +Choices
            digits_left/2       % ?Cell, -Digits
          ]).
:- use_module(grid, [sudoku_houses/3]).
:- use_module(library(apply), [convlist/3, maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [member/2, min_member/2]).
:- use_module(library(pairs), [pairs_values/2]).

/** <module> A search that weighs dead ends

clpfd's labeling in another order, and with choices that are not digits, which explanations
need: they take some rules alone.

On most puzzles this is as fast as labeling([ff], Cells), on hard ones a tenth slower. But a puzzle
without a solution that takes that search over two minutes takes this one a tenth of a second.
*/

%!  weighted_labeling(?Rows, +Shape, +Rules) is nondet.
%
%   Has the solutions of labeling([ff], Cells) for the cells of Rows, in which the houses of Shape hold
%   different digits, in another order. If there are Rules, a cell that many constraints are about
%   comes early, as if it had met as many dead ends.
%
%   A search that has met many dead ends may look for a solution that does not exist, and all_distinct/1
%   on all houses together sometimes sees that at once. It takes as long as dozens of choices, so this is
%   done once, when there have been 200 dead ends. It looks at the grid as it was before the search: a
%   copy with the same candidates, without other constraints, and without goals that wait. If that is
%   impossible, all that is left to try fails. If not, the search goes on where it is. So no solution is
%   lost, or found again.

weighted_labeling(Rows, Shape, Rules) :-
    term_variables(Rows, Cells),
    maplist(fd_set, Cells, Sets),
    copy_term_nat(Rows-Cells, Rows0-Cells0),
    Look = look(0, later, before(Rows0, Shape, Cells0, Sets)),
    (   Rules == []
    ->  search(Cells, Look)
    ;   maplist(weighed(Look), Cells, Weighed),
        settle(Weighed)
    ).

weighed(Look, Cell, ends(Weight,Look)-Cell) :-
    fd_degree(Cell, Degree),
    Weight is Degree + 1.

%!  search(+Choices) is nondet.
%
%   Makes every one of Choices, which are
%
%     - a cell
%     its digit;
%     - some(Places)
%     1 for at least one of Places, which are variables in 0..1.
%
%   Without some of the rules, a grid falls into parts that have little to do with
%   each other. Taking the choice with the fewest alternatives first then goes
%   through all that one part allows before it finds out that another allows
%   nothing. So this counts for each choice the alternatives that turned out to be
%   dead ends at once, and prefers choices with many: a simple form of what
%   Boussemart and others (2004) call weighted degrees.

search(Choices) :-
    search(Choices, look(0, never, none)).

search(Choices, Look) :-
    maplist(counted(Look), Choices, Counted),
    settle(Counted).

%   All choices share Look: the number of dead ends, and what the look at the grid has shown.

counted(Look, Choice, ends(1,Look)-Choice).

settle(Counted) :-
    convlist(promise, Counted, Promised),
    (   min_member(_-(Ends-Choice), Promised)
    ->  choose(Choice, Ends),
        pairs_values(Promised, Open),
        settle(Open)
    ;   true
    ).

%   The less, the better; fails if the choice is made.

promise(Ends-Choice, Promise-(Ends-Choice)) :-
    alternatives(Choice, Number),
    arg(1, Ends, Count),
    Promise is Number / Count.

%   Number is how many alternatives are left.

alternatives(Cell, Number) :-
    var(Cell),
    !,
    fd_size(Cell, Number).
alternatives(some(Places), Number) :-
    \+ ( member(Place, Places), Place == 1 ),
    term_variables(Places, Open),
    length(Open, Number).

choose(Cell, Ends) :-
    var(Cell),
    !,
    digits_left(Cell, Digits),
    one_of(Digits, Cell, Ends).
choose(some(Places), Ends) :-
    term_variables(Places, Open),
    first(Open, Ends).

one_of([Digit|Digits], Cell, Ends) :-
    (   Digits == []
    ->  try(last, Cell = Digit, Ends)
    ;   try(choice, Cell = Digit, Ends)
    ;   hopeful(Ends),
        one_of(Digits, Cell, Ends)
    ).

first([Place|Places], Ends) :-
    (   Places == []
    ->  try(last, Place = 1, Ends)
    ;   try(choice, Place = 1, Ends)
    ;   Place = 0,
        first(Places, Ends)
    ).

%   Goal is a choice, or the last alternative, which follows once all others have failed. A goal that
%   waits for the cell may have several answers, so this must not commit to the first of them.

try(_, Goal, Ends) :-
    (   call(Goal)
    *-> true
    ;   count_one(Ends),
        arg(2, Ends, Look),
        count_one(Look),
        fail
    ).

count_one(Counter) :-
    arg(1, Counter, Count0),
    Count is Count0 + 1,
    nb_setarg(1, Counter, Count).

%   Fails if the grid before the search turns out to be impossible.

hopeful(ends(_, Look)) :-
    Look = look(DeadEnds, Found, Before),
    (   Found == later,
        DeadEnds >= 200
    ->  (   \+ possible(Before)
        ->  nb_setarg(2, Look, impossible),
            fail
        ;   nb_setarg(2, Look, possible)
        )
    ;   Found \== impossible
    ).

possible(before(Rows, Shape, Cells, Sets)) :-
    maplist(in_set, Cells, Sets),
    sudoku_houses(Rows, Shape, Houses),
    maplist(all_distinct, Houses).

%!  digits_left(?Cell, -Digits) is det.
%
%   Digits are what is left in the domain of Cell, in order.

digits_left(Cell, Digits) :-
    fd_set(Cell, Set),
    fdset_to_list(Set, Digits).
