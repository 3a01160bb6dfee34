:- module(sudoku,
          [ sudoku/1,           % ?Rows
            sudoku/2,           % ?Rows, +Shape
            sudoku/3            % ?Rows, +Shape, +Rules
          ]).
:- reexport(sudoku/rules, [sudoku_rules/1, sudoku_rules/2, sudoku_rules/3, sudoku_search/1,
                           sudoku_search/2]).
:- reexport(rules/rule, [cells/3, cells/4, get/3, get/4, grid_at/3, grid_shape/2, grid_size/2,
                         related/3]).
:- reexport(sudoku/grid, [sudoku_houses/3, print_grid/1, print_grid/2]).
:- reexport(sudoku/house, [every_digit/1]).
:- reexport(sudoku/problems, [problem/2, problem/3, problem/4]).
:- reexport(sudoku/explain, [explain/3, explain/4, explain/5,
                             candidates/2, candidates/3, candidates/4]).
:- reexport(sudoku/certificate, [check_certificate/1, check_certificate/2,
                                 check_certificate/3]).
:- reexport(library(clpfd)).            % #>/2, in/2, fd_dom/2, ... at the prompt too
:- use_module(sudoku/grid, [square_box/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Sudoku as a constraint problem

A grid is a list of n rows, each a list of n cells. A cell is a digit 1..n, or
a variable while it is empty. A _house_ is a row, a column, or a box or region: n
cells that hold every digit once. The shape of a grid is one of

  - R-C
    Boxes that are R rows high and C columns wide, with R*C = n.
  - regions(Labels)
    Regions of any form instead of boxes (a jigsaw): n rows of n labels, any atomic
    terms, where the n cells of a region have the same label.

    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    ?- problem(six, Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape).
    ?- problem(jigsaw, Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape).

Rules and search are apart. After the rules alone, fd_dom/2 gives what is left
for a cell, and more constraints can be added before the search:

    ?- problem(asplain, Rows), Rows = [[A|_]|_], sudoku_rules(Rows),
       fd_dom(A, Candidates).
    ?- problem(asplain, Rows), Rows = [[A,B|_]|_], sudoku_rules(Rows),
       A #> B, sudoku_search(Rows).

The search for a plain sudoku runs on sets of digits, and clpfd checks full grids; if there
are other constraints, clpfd takes part in each step (see sudoku/ahead.pl). The program that
is clpfd alone is classic_sudoku.pl.

Constraints can also come first. A cell that may hold only some digits, such as the
odd or even ones or pencil marks, is a variable with a domain; rules, search,
candidates/3 and explain/4 all respect it:

    ?- Rows = [[A,_,_,4],[_,_,_,_],[_,_,_,B],[2,_,_,_]], A in 1\/3, B in 2\/4,
       sudoku(Rows).
    ?- problem(even, Rows, Shape), candidates(Rows, Shape, Candidates).

Rules beyond plain sudoku, such as cages and thermometers, are a list of terms with
the fields that docs/rules.md lists; a cell is Row-Column (see rules/rule.pl):

    ?- problem(killer, Rows, Shape, Rules), sudoku(Rows, Shape, Rules),
       print_grid(Rows, Shape).
    ?- problem(thermometers, Rows, Shape, Rules), sudoku(Rows, Shape, Rules),
       print_grid(Rows, Shape).
    ?- length(Rows, 4), maplist([Row]>>length(Row, 4), Rows),
       sudoku(Rows, 2-2, [arrow(circle=[1-1], arm=[1-2,2-3]), anti_knight]).

A proof of how many solutions there are can be checked, such as the one in a file that
`pylogic-sudoku certify -o FILE.pl` has written (see sudoku/certificate.pl):

    ?- check_certificate('FILE.pl').
*/

%!  sudoku(?Rows) is nondet.
%!  sudoku(?Rows, +Shape) is nondet.
%!  sudoku(?Rows, +Shape, +Rules) is nondet.
%
%   True if Rows is a full sudoku grid of this Shape that obeys Rules; without Shape,
%   the boxes are square. Every solution comes exactly once on backtracking.
%
%   @error instantiation_error, type_error or domain_error if Rows is not a square
%   grid of variables and digits, or if Shape or Rules do not fit it; existence_error
%   if there is no such rule.

sudoku(Rows) :-
    square_box(Rows, Shape),
    sudoku(Rows, Shape).

sudoku(Rows, Shape) :-
    sudoku(Rows, Shape, []).

sudoku(Rows, Shape, Rules) :-
    sudoku_rules(Rows, Shape, Rules),
    term_variables(Rows, Cells),
    without_choice_point_if_unique(sudoku_search(Rows, Rules), Cells).

%   Most puzzles have one solution, which should leave no choice point behind. So
%   this looks for a second solution before it gives the first, but gives up if that
%   takes long.

without_choice_point_if_unique(Goal, Cells) :-
    call_with_inference_limit(findall(Cells, limit(2, Goal), Solutions), 10_000_000, _),
    (   Solutions \= [_,_]              % nor unbound, as it is over the limit
    ->  Solutions = [Cells]
    ;   call(Goal)
    ).
