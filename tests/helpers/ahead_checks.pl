:- module(ahead_checks, [check/1]).
:- discontiguous check/1.
:- use_module('../../prolog/sudoku').
:- use_module('../../prolog/sudoku/ahead').
:- use_module('../../prolog/sudoku/board').
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/2, member/2, nth1/3, same_length/2]).
:- use_module(library(prolog_wrap), [unwrap_predicate/2, wrap_predicate/4]).

/** <module> What the search that looks ahead has to do

Used by test_mutation_prolog.py: for each mutant of ahead.pl, one of these checks must fail.
*/

%!  check(?Name) is nondet.
%
%   True of the programs as they are.

check(label_finds_what_labeling_finds) :-
    forall(posted(Cells, Count), same_solutions(Cells, Count)).
check(label_finds_the_solutions_of_a_part) :-
    grid(4, Rows),
    sudoku_rules(Rows),
    Rows = [Row|Others],
    term_variables(Others, OtherCells),
    aggregate_all(count, ( label_ahead(Row), maplist(var, OtherCells) ), 24).
check(label_needs_no_house) :-
    A in -2 .. 1,
    findall(A, label_ahead([A]), [-2, -1, 0, 1]).
check(label_labels_cells_of_no_house) :-
    every_digit([A,B]),
    [C,D] ins 1..2,
    findall(C-D, label_ahead([C,A,B,D]), [_,_,_,_,_,_,_,_]).
check(label_needs_no_open_cell) :-
    sudoku_rules([[A]]),
    A == 1,
    label_ahead([]).
check(label_leaves_no_choice_point) :-
    one_way(Rows),
    sudoku_rules(Rows),
    term_variables(Rows, Cells),
    Cells = [_|_],
    call_cleanup(label_ahead(Cells), End = true),
    ( End == true -> Left = none ; Left = some ),
    !,                                  % which would bind End in any case
    Left == none.
check(other_constraints_hear_of_each_choice) :-
    forall(other(A, Goal),
           \+ ( grid(9, [[A|Row]|Rows]),
                sudoku_rules([[A|Row]|Rows]),
                call(Goal),
                term_variables([[A|Row]|Rows], Cells),
                label_ahead(Cells) )).
check(clpfd_hears_only_of_full_grids) :-
    grid(4, Rows),
    Rows = [[1,2,3,4]|_],
    sudoku_rules(Rows),
    term_variables(Rows, Cells),
    calls(sudoku_bits:restrict_together(_, _), aggregate_all(count, label_ahead(Cells), 12), 12).
check(houses_are_found_once) :-
    grid(4, Rows),
    sudoku_rules(Rows),
    term_variables(Rows, Cells),
    sudoku_ahead:posted_houses(Cells, Posted),
    sudoku_houses(Rows, 2-2, Houses),
    msort(Posted, Sorted),
    msort(Houses, Sorted).
check(nothing_but_houses_is_seen) :-
    grid(4, Rows),
    Rows = [[A|_]|_],
    A in 1 \/ 3..4,
    sudoku_rules(Rows),
    only_houses(Rows).
check(other_constraints_are_seen) :-
    forall(other(A, Goal),
           ( grid(4, [[A|Row]|Rows]),
             sudoku_rules([[A|Row]|Rows]),
             call(Goal),
             \+ only_houses([[A|Row]|Rows]) )),
    forall(( member(Row, [1,2]), member(Constraint, [all_different, all_distinct, in_order]) ),
           ( grid(4, Rows),
             sudoku_rules(Rows),
             nth1(Row, Rows, [A|_]),
             Rows = [_,_,_,[_,B|_]],
             call(Constraint, [A,B]),
             \+ only_houses(Rows) )).
check(houses_are_seen_soon) :-
    grid(9, Rows),
    sudoku_rules(Rows),
    soon(only_houses(Rows), 10_000).
%   It takes 130_000 inferences; with another choice of cells, or with passes in another order,
%   160_000 or more.
check(a_hard_puzzle_takes_few_tries) :-
    problem(hard, Rows),
    sudoku_rules(Rows),
    term_variables(Rows, Cells),
    soon(aggregate_all(count, label_ahead(Cells), 1), 150_000).
%   It takes 350_000 inferences; if the board does not hear, 480_000.
check(the_board_hears_what_follows_from_other_constraints) :-
    grid(6, Rows),
    sudoku_rules(Rows, 2-3),
    Rows = [[A,_,B,_,C,_], [_,D,_,E,_,F], [G,_,H,_,I,_],
            [_,J,_,K,_,L], [M,_,N,_,O,_], [_,P,_,Q,_,R]],
    maplist(next, [A,B,C,G,H,I,M,N,O], [D,E,F,J,K,L,P,Q,R]),
    term_variables(Rows, Cells),
    soon(\+ label_ahead(Cells), 420_000).

next(Cell, Next) :-
    Next #= Cell + 1.

only_houses(Rows) :-
    term_variables(Rows, Cells),
    sudoku_ahead:posted_houses(Cells, Houses),
    board(Cells, Houses, Board),
    sudoku_ahead:only_houses(Cells, Board),
    \+ ( member(Cell, Cells), cell_number(Cell, _) ).

%   True if that takes at most so many inferences.

:- meta_predicate soon(0, +).

soon(Goal, Most) :-
    call_with_inference_limit(once(Goal), Most, Result),
    Result \== inference_limit_exceeded.

in_order(Cells) :-
    tuples_in([Cells], [[1,2], [2,3], [3,4]]).

%   Constraints on A that no grid meets.

other(A, freeze(A, fail)).
other(A, ( X #= A + 1, freeze(X, fail) )).
other(A, ( A #\= X, freeze(X, fail), X in 1..9, A #= X + 1 )).
other(A, ( all_different([A,_]), when(ground(A), fail) )).
other(A, ( all_distinct([A,X]), X in 1..9, freeze(X, fail), A #= X )).

%   True if Cells have that many solutions, and each is found once.

same_solutions(Cells, Count) :-
    findall(Cells, labeling([ff], Cells), Expected0),
    findall(Cells, label_ahead(Cells), Found0),
    msort(Expected0, Expected),
    msort(Found0, Expected),
    length(Expected, Count).

%   Cells that constraints have, and how many solutions these have.

posted(Cells, Count) :-
    grid(4, Rows),
    posted(Rows, Goal, Count),
    call(Goal),
    term_variables(Rows, Cells).
posted(Cells, Count) :-
    apart(Cells, Goal, Count),
    call(Goal).                         % binds none of Cells, which are variables

posted([[1,2,3,4]|Rows], sudoku_rules([[1,2,3,4]|Rows]), 12).
posted([[A,B,3,4]|Rows], ( B in 1..3, sudoku_rules([[A,B,3,4]|Rows]) ), 24).
posted([[1,2,3,4]|Rows], sudoku_rules([[1,2,3,4]|Rows], regions(Labels)), 6) :-
    Labels = [[a,a,a,b], [a,b,b,b], [c,c,c,d], [c,d,d,d]].
posted([[1,A|Row]|Rows],
       ( sudoku_rules([[1,A|Row]|Rows]), Rows = [[_,_,B|_], [_,C|_]|_], A + B + C #= 9 ), 6).
posted([[1,A|Row]|Rows],
       ( Rows = [[_,_,B|_], [_,C|_]|_], A + B + C #= 9, sudoku_rules([[1,A|Row]|Rows]) ), 6).
posted([[1,A,B,C]|Rows], ( sudoku_rules([[1,A,B,C]|Rows]), A #< B, B #< C ), 12).
posted([[A|R1], [B,C|R2], [D,E,F|R3], [1,2,3,4]],
       ( sudoku_rules([[A|R1], [B,C|R2], [D,E,F|R3], [1,2,3,4]]), all_different([A,C,F,4]) ), 2).
posted([[1,2,3,4]|Rows],
       sudoku_rules([[1,2,3,4]|Rows], 2-2, [total(cells=[2-1,3-2,4-3], sum=8)]), 2).
posted([[A,B,3,4], [C,D,A|Row]|Rows], sudoku_rules([[A,B,3,4], [C,D,A|Row]|Rows]), 12).

%   The same for houses that do not make a grid.

apart([A,B,C,D], every_digit([A,B,C,D]), 24).
apart([A,B,C], every_digit([A,B,C,A]), 0).
apart([A,B,C,D,E],
      ( every_digit([1,A,B,C]), every_digit([D,A,B,E]), D in 1..2 ), 8).
apart([A,B,C], ( A in 1..2, every_digit([A,B,C]) ), 4).
apart([A,B,C,D,E,F,G],
      ( every_digit([A,B,C,D]), every_digit([D,E,F,G]), A #< B, B #< C, E #< F ), 12).
apart([A,B,C,D], ( every_digit([A,B,C]), D in 1..3, all_different([A,B,D]) ), 6).

%   One solution, which the rules do not find, and the lower digit of each choice is wrong.

one_way(Rows) :-
    grid(4, Rows),
    append(Rows, Cells),
    maplist(in, Cells, [ 1\/2,  1..4,    1\/4,    2\/4,
                         1..4,  1..4,    1..4,    2\/3,
                         1\/2,  2..4,    1..4,    1\/2\/4,
                         1..3,  1..4,    1\/2\/4, 1..2 ]).

grid(Size, Rows) :-
    length(Rows, Size),
    maplist(same_length(Rows), Rows).

%   Goal is true and calls Predicate that often. To wrap a predicate of a file that is loaded
%   again crashes SWI-Prolog 9.2.9, so this is not for those of mutants.

:- meta_predicate calls(:, 0, ?).

calls(Predicate, Goal, Number) :-
    flag(calls, _, 0),
    Predicate = Module:Head,
    functor(Head, Name, Arity),
    setup_call_cleanup(
        wrap_predicate(Predicate, counting, Call, ( flag(calls, N, N + 1), Call )),
        once(Goal),
        unwrap_predicate(Module:Name/Arity, counting)),
    flag(calls, Number, Number).
