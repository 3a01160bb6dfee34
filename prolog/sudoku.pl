:- module(sudoku,
          [ sudoku/1,           % ?Rows
            sudoku/2,           % ?Rows, +Box
            sudoku_rules/1,     % ?Rows
            sudoku_rules/2,     % ?Rows, +Box
            sudoku_search/1     % ?Rows
          ]).
:- reexport(sudoku/grid, [sudoku_houses/3, print_grid/1, print_grid/2]).
:- reexport(sudoku/house, [every_digit/1]).
:- reexport(sudoku/problems, [problem/2, problem/3]).
:- reexport(sudoku/explain, [explain/3, explain/4, candidates/2, candidates/3]).
:- reexport(library(clpfd)).            % #>/2, fd_dom/2, ... at the prompt too
:- use_module(sudoku/grid, [must_be_grid/3, square_box/2]).
:- use_module(sudoku/house, [look_far/1, watch_digits/1]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Sudoku as a constraint problem

A grid is a list of n rows, each a list of n cells. A cell is a digit 1..n, or
a variable while it is empty. A _house_ is a row, a column or a box: n cells
that hold every digit once. A box of the shape R-C is R rows high and C columns
wide, with R*C = n.

    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    ?- problem(six, Rows, Box), sudoku(Rows, Box), print_grid(Rows, Box).

Rules and search are apart. After the rules alone, fd_dom/2 tells what is left
for a cell, and more constraints can be added before the search:

    ?- problem(asplain, Rows), Rows = [[A|_]|_], sudoku_rules(Rows),
       fd_dom(A, Candidates).
    ?- problem(asplain, Rows), Rows = [[A,B|_]|_], sudoku_rules(Rows),
       A #> B, sudoku_search(Rows).
*/

%!  sudoku(?Rows) is nondet.
%!  sudoku(?Rows, +Box) is nondet.
%
%   True if Rows is a full sudoku grid with boxes of the shape Box, which is
%   square if not given. Every solution comes exactly once on backtracking.
%
%   @error instantiation_error, type_error or domain_error if Rows is no square
%   grid of variables and digits, or if Box does not fit it.

sudoku(Rows) :-
    square_box(Rows, Box),
    sudoku(Rows, Box).

sudoku(Rows, Box) :-
    sudoku_rules(Rows, Box),
    term_variables(Rows, Cells),
    without_choice_point_if_unique(sudoku_search(Rows), Cells).

%   Most puzzles have one solution, and then no choice point should be left
%   behind. So this looks for a second solution before it gives the first, but
%   gives that up where it would take long.

without_choice_point_if_unique(Goal, Cells) :-
    call_with_inference_limit(findall(Cells, limit(2, Goal), Solutions), 10_000_000, _),
    (   Solutions \= [_,_]              % nor unbound, as it is over the limit
    ->  Solutions = [Cells]
    ;   call(Goal)
    ).

%!  sudoku_rules(?Rows) is semidet.
%!  sudoku_rules(?Rows, +Box) is semidet.
%
%   Constrains Rows to be a sudoku grid, without any search. What is left in the
%   domains are the candidates that no house is seen to exclude; a cell with one
%   candidate is filled in.

sudoku_rules(Rows) :-
    square_box(Rows, Box),
    sudoku_rules(Rows, Box).

sudoku_rules(Rows, Box) :-
    must_be_grid(Rows, Box, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Box, Houses),
    maplist(all_different, Houses),
    maplist(watch_digits, Houses),
    maplist(look_far, Houses).

%!  sudoku_search(?Rows) is nondet.
%
%   Labels the variables of Rows, those with the fewest candidates first.

sudoku_search(Rows) :-
    term_variables(Rows, Cells),
    labeling([ff], Cells).
