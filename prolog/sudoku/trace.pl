:- module(sudoku_trace,
          [ trace_sudoku/1,     % ?Rows
            trace_sudoku/2,     % ?Rows, +Shape
            trace_sudoku/3,     % ?Rows, +Shape, +Rules
            left/3,             % ?Rows, :Goal, -RowsOfSets
            traced/2,           % ?Rows, :Goal
            work/3              % ?Rows, :Goal, -Work
          ]).
:- use_module('../sudoku', [sudoku/3]).
:- use_module(grid, [grid_cell/4, must_be_grid/3, print_grid/2, square_box/2]).
:- use_module(propagator, [digit_set/2]).
:- use_module(search, []).
:- use_module(library(apply), [exclude/3, foldl/4, include/3, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, member/2, memberchk/2, nth0/3]).
:- autoload(library(prolog_wrap), [wrap_predicate/4]).  % when a search is first watched

/** <module> Watching a search

The search of a program is seen where it calls labeling/2 or label/1 of library(clpfd), or our own
search (see search.pl): these are wrapped, and take the same choices in the same order. What follows
from a choice is the difference between the domains before and after it.

Level is the number of choices that are open. An event is one of

  - choice(Level, Place, Digit)
    At this level, Digit is tried at Place, Row-Column.
  - implied(Level, Placed, Excluded)
    What follows: lists [Row,Column,Digit] of cells that now have one digit, and of digits that a
    cell has lost.
  - conflict(Level)
    A cell has no digit left.
  - back(Level)
    All choices above this level are undone.
  - solution(Level, Digits)
*/

:- meta_predicate
    left(?, 0, -),
    watched(?, +, 0),
    traced(?, 0),
    searched(?, 0),
    work(?, 0, -).

%!  left(?Rows, :Goal, -RowsOfSets) is semidet.
%
%   RowsOfSets are the sets of digits that Goal, a program that fills in Rows, leaves the cells when
%   it begins to search, each an integer with bit D for digit D. Fails if it fails before that.

left(Rows, Goal, RowsOfSets) :-
    watched(Rows, left, catch(( once(Goal), must_be_seen ), sudoku_left(RowsOfSets), true)).

%   However Goal ends, the next search in this thread is not watched.

watched(Rows, How, Goal) :-
    setup_call_cleanup(setup_trace(Rows, How), once(Goal), nb_setval(sudoku_trace, none)).

%!  traced(?Rows, :Goal) is nondet.
%
%   Runs Goal, a program that fills in Rows, whose events go to the engine that runs this (see
%   engine_yield/1).

traced(Rows, Goal) :-
    setup_trace(Rows, yield),
    searched(Rows, Goal).

searched(Rows, Goal) :-
    (   call(Goal)
    *-> must_be_seen,
        append(Rows, Digits),
        b_getval(sudoku_level, Level),
        report(solution(Level, Digits))
    ;   nb_getval(sudoku_posted, none)
    ->  report(conflict(0)),
        fail
    ).

must_be_seen :-
    nb_getval(sudoku_posted, Posted),
    (   Posted == none
    ->  throw(error(existence_error(procedure, labeling/2),
                    context(_, 'only a search by labeling/2 or label/1 can be watched')))
    ;   true
    ).

%!  work(?Rows, :Goal, -Work) is semidet.
%
%   Work is work(Posting, Search, Inferences, Choices, DeadEnds) for the first solution of Goal, a
%   program that fills in Rows, or for finding out that it has none; Rows are bound if there is one.
%   Times are in microseconds. If the search cannot be seen, all of the time is the search's, and
%   Posting, Choices and DeadEnds are -1.

work(Rows, Goal, Work) :-
    watched(Rows, counts(0, 0), work_of(Goal, Work)).

:- meta_predicate work_of(0, -).

work_of(Goal, work(Posting, Search, Inferences, Choices, DeadEnds)) :-
    now(Start),
    statistics(inferences, Inferences0),
    (   call(Goal)
    ->  true
    ;   true
    ),
    statistics(inferences, Inferences1),
    now(End),
    Inferences is Inferences1 - Inferences0,
    nb_getval(sudoku_posted, Posted),
    (   Posted == none
    ->  Search is End - Start,
        [Posting,Choices,DeadEnds] = [-1,-1,-1]
    ;   Posting is Posted - Start,
        Search is End - Posted,
        nb_getval(sudoku_trace, counts(Choices, DeadEnds))
    ).

now(Microseconds) :-
    statistics(cputime, Seconds),
    Microseconds is round(1_000_000 * Seconds).

setup_trace(Rows, How) :-
    wrapped,
    nb_setval(sudoku_trace, How),
    nb_setval(sudoku_posted, none),
    b_setval(sudoku_level, 0),
    b_setval(sudoku_rows, Rows),
    length(Rows, Size),
    append(Rows, Cells),
    maplist(first_set(Size), Cells, Sets),
    b_setval(sudoku_sets, Sets).

%   The search begins: everything is posted.

begin :-
    (   nb_getval(sudoku_posted, none)
    ->  now(Microseconds),
        nb_setval(sudoku_posted, Microseconds),
        (   nb_getval(sudoku_trace, left)
        ->  b_getval(sudoku_rows, Rows),
            maplist(maplist(digit_set), Rows, RowsOfSets),
            throw(sudoku_left(RowsOfSets))
        ;   follow(0)
        )
    ;   true
    ).

first_set(Size, Cell, Set) :-
    (   integer(Cell)
    ->  Set is 1 << Cell
    ;   Set is (2 << Size) - 2
    ).

report(Event) :-
    nb_getval(sudoku_trace, How),
    report(How, Event).

report(yield, Event) =>
    engine_yield(Event).
report(print, Event) =>
    print_event(Event).
report(_, choice(_, _, _)) =>
    count(1).
report(_, conflict(_)) =>
    count(2).
report(_, _) =>
    true.

count(Place) :-
    nb_getval(sudoku_trace, Counts),
    arg(Place, Counts, Count0),
    Count is Count0 + 1,
    nb_setarg(Place, Counts, Count).

%   What has changed since the last look. The sets are kept for backtracking to undo.

follow(Level) :-
    nb_getval(sudoku_trace, How),
    memberchk(How, [yield,print]),
    !,
    b_getval(sudoku_rows, Rows),
    append(Rows, Cells),
    maplist(digit_set, Cells, Sets),
    b_getval(sudoku_sets, Before),
    length(Rows, Size),
    findall(Placement, change(Before, Sets, Size, placed(Placement)), Placed),
    findall(Placement, change(Before, Sets, Size, excluded(Placement)), Excluded),
    b_setval(sudoku_sets, Sets),
    (   Placed-Excluded == []-[]
    ->  true
    ;   report(implied(Level, Placed, Excluded))
    ).
follow(_).

change(Old, Sets, Size, Change) :-
    nth0(Index, Old, Set0),
    nth0(Index, Sets, Set),
    Set =\= Set0,
    Row is Index // Size + 1,
    Column is Index mod Size + 1,
    (   Set /\ (Set - 1) =:= 0
    ->  Digit is lsb(Set),
        Change = placed([Row,Column,Digit])
    ;   Gone is Set0 /\ \Set,
        between(1, Size, Digit),
        Gone /\ (1 << Digit) =\= 0,
        Change = excluded([Row,Column,Digit])
    ).

                /*******************************
                *       the same search        *
                *******************************/

:- dynamic
    is_wrapped/0.

wrapped :-
    with_mutex(sudoku_trace, wrapped_once).

wrapped_once :-
    is_wrapped,
    !.
wrapped_once :-
    wrap_predicate(clpfd:labeling(Options, Cells), sudoku_trace, Labeling,
                   sudoku_trace:seen_labeling(Options, Cells, Labeling)),
    wrap_predicate(sudoku_search:weighted_labeling(_, _), sudoku_trace, Search,
                   sudoku_trace:seen_search(Search)),
    wrap_predicate(sudoku_search:possible(_), sudoku_trace, Look,
                   sudoku_trace:seen_look(Look)),
    wrap_predicate(sudoku_search:try(Which, Goal, _), sudoku_trace, Try,
                   sudoku_trace:seen_try(Which, Goal, Try)),
    assertz(is_wrapped).

watching :-
    nb_current(sudoku_trace, How),
    How \== none.

:- public seen_labeling/3, seen_search/1, seen_look/1, seen_try/3.

seen_labeling(Options, Cells, Labeling) :-
    (   watching,
        order(Options, Order)
    ->  begin,
        label_in(Order, Cells)
    ;   call(Labeling)
    ).

order([], leftmost).
order([Order], Order) :-
    memberchk(Order, [leftmost,ff]).

%   As labeling/2 does it: a cell is its smallest digit, or it is not.

label_in(Order, Cells0) :-
    include(var, Cells0, Cells),
    (   next_cell(Order, Cells, Cell)
    ->  fd_inf(Cell, Digit),
        (   guess(Cell = Digit, Cell = Digit)
        ;   b_getval(sudoku_level, Level),
            report(back(Level)),
            take(Cell #\= Digit, Level)
        ),
        label_in(Order, Cells)
    ;   true
    ).

next_cell(leftmost, [Cell|_], Cell).
next_cell(ff, [Cell|Cells], Smallest) :-
    fd_size(Cell, Size),
    foldl(smaller, Cells, Size-Cell, _-Smallest).

smaller(Cell, Size0-Cell0, Next) :-
    fd_size(Cell, Size),
    (   Size < Size0
    ->  Next = Size-Cell
    ;   Next = Size0-Cell0
    ).

%   Call does what Cell = Digit says.

guess(Cell = Digit, Call) :-
    b_getval(sudoku_level, Level0),
    Level is Level0 + 1,
    b_setval(sudoku_level, Level),
    place(Cell, Place),
    report(choice(Level, Place, Digit)),
    take(Call, Level).

:- meta_predicate take(0, +).

take(Goal, Level) :-
    (   call(Goal)
    *-> follow(Level)
    ;   report(conflict(Level)),
        fail
    ).

seen_search(Search) :-
    (   watching
    ->  begin,
        nb_setval(sudoku_impossible, false),
        (   call(Search)
        *-> true
        ;   nb_getval(sudoku_impossible, true)
        ->  report(conflict(0)),
            fail
        )
    ;   call(Search)
    ).

%   The look at the grid before the search. If that is impossible, all choices are undone, and then
%   there is a conflict without any.

seen_look(Look) :-
    (   call(Look)
    ->  true
    ;   nb_setval(sudoku_impossible, true),
        fail
    ).

%   In our own search, the next digit of the cell comes after this one failed. The last one is not a
%   choice, just as labeling/2 has none where one digit is left.

seen_try(Which, Goal, Try) :-
    (   watching
    ->  seen(Which, Goal, Try)
    ;   call(Try)
    ).

seen(last, _, Try) :-
    b_getval(sudoku_level, Level),
    take(Try, Level).
seen(choice, Goal, Try) :-
    (   guess(Goal, Try)
    ;   b_getval(sudoku_level, Level),
        report(back(Level)),
        fail
    ).

place(Cell, Row-Column) :-
    b_getval(sudoku_rows, Rows),
    once(( grid_cell(Rows, Row, Column, Other), Other == Cell )).

                /*******************************
                *        at the prompt         *
                *******************************/

%!  trace_sudoku(?Rows) is semidet.
%!  trace_sudoku(?Rows, +Shape) is semidet.
%!  trace_sudoku(?Rows, +Shape, +Rules) is semidet.
%
%   Prints how sudoku/3 finds its first solution, to which Rows are bound: each choice, what follows
%   from it, dead ends, and in the end the grid. Fails if there is no solution.

trace_sudoku(Rows) :-
    square_box(Rows, Shape),
    trace_sudoku(Rows, Shape).

trace_sudoku(Rows, Shape) :-
    trace_sudoku(Rows, Shape, []).

trace_sudoku(Rows, Shape, Rules) :-
    must_be_grid(Rows, Shape, _),
    watched(Rows, print, searched(Rows, sudoku(Rows, Shape, Rules))),
    print_grid(Rows, Shape).

print_event(choice(Level, Row-Column, Digit)) =>
    indented(Level, "r~dc~d = ~d?", [Row, Column, Digit]).
print_event(implied(Level, Placed, Excluded)) =>
    length(Excluded, Number),
    findall(Text,
            ( member([Row,Column,Digit], Placed),
              format(atom(Text), "r~dc~d = ~d", [Row, Column, Digit]) ),
            Texts),
    atomic_list_concat(Texts, ', ', Line),
    go(Number, Gone),
    exclude(==(''), [Line,Gone], Parts),
    atomic_list_concat(Parts, ', and ', Text),
    indented(Level + 1, "follows: ~w", [Text]).
print_event(conflict(Level)) =>
    indented(Level + 1, "conflict", []).
print_event(back(Level)) =>
    indented(Level, "back to level ~d", [Level]).
print_event(solution(_, _)) =>
    true.

go(0, '') :- !.
go(1, '1 candidate goes') :- !.
go(Number, Text) :-
    format(atom(Text), "~d candidates go", [Number]).

indented(Level, Format, Arguments) :-
    Columns is 2 * Level,
    format("~*c", [Columns, 0' ]),
    format(Format, Arguments),
    nl.
