:- module(sudoku_trace,
          [ trace_sudoku/1,     % ?Rows
            trace_sudoku/2,     % ?Rows, +Shape
            trace_sudoku/3,     % ?Rows, +Shape, +Rules
            cells/3             % ?Rows, -Pairs, -Before
          ]).
:- use_module('../sudoku', [sudoku/3]).
:- use_module('../host/watch', [shown/5]).
:- use_module(grid, [must_be_grid/3, print_grid/2, square_box/2]).
:- use_module(search, []).
:- use_module(library(apply), [exclude/3, foldl/6, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, member/2]).

/** <module> Watching the search for a sudoku

host/watch.pl watches it, the cells of a grid as pairs (Row-Column)-Cell. Here it learns to see our own
search (see search.pl).
*/

:- multifile
    pls_watch:seen_by/3.

pls_watch:seen_by(sudoku_search:weighted_labeling(_, _, _), Call, seen_search(Call)).
pls_watch:seen_by(sudoku_search:possible(_), Call, seen_look(Call)).
pls_watch:seen_by(sudoku_search:try(Which, Goal, _), Call, seen_try(Which, Goal, Call)).

%!  cells(?Rows, -Pairs, -Before) is det.
%
%   The cells of a grid as pairs Row-Column-Cell, and their domains before anything is posted.

cells(Rows, Pairs, Before) :-
    length(Rows, Size),
    foldl(row_pairs, Rows, PairsOfRows, 1, _),
    append(PairsOfRows, Pairs),
    Any in 1..Size,
    fd_set(Any, All),
    maplist(before(All), Pairs, Before).

row_pairs(Row, Pairs, Y0, Y) :-
    Y is Y0 + 1,
    foldl(cell_pair(Y0), Row, Pairs, 1, _).

cell_pair(Y, Cell, (Y-X0)-Cell, X0, X) :-
    X is X0 + 1.

before(All, _-Cell, Before) :-
    (   var(Cell)
    ->  Before = All
    ;   Before = Cell
    ).

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
    cells(Rows, Pairs, Before),
    shown(Pairs, Before, print_event, sudoku(Rows, Shape, Rules), Rows),
    print_grid(Rows, Shape).

print_event(choice(Level, Row-Column, Digit)) =>
    indented(Level, "r~dc~d = ~d?", [Row, Column, Digit]).
print_event(implied(Level, Placed, Excluded)) =>
    length(Excluded, Number),
    findall(Text,
            ( member((Row-Column)-Digit, Placed),
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
