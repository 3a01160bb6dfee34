:- module(classic_sudoku, [sudoku/1]).
:- use_module(library(clpfd)).

/** <module> Sudoku in sixteen lines

The program that tutorials show: each cell in 1..9, all_distinct/1 for every
row, column and box, then label/1. 9x9 grids only.

    $ swipl prolog/classic_sudoku.pl
    ?- Rows = [[2,_,_,_,9,_,_,_,1],
               [3,_,9,_,_,7,_,_,_],
               [_,_,1,_,4,_,_,7,_],
               [_,6,_,_,_,_,_,_,_],
               [_,_,_,_,_,3,_,_,_],
               [_,_,8,6,_,_,7,9,_],
               [6,_,_,7,_,_,8,_,_],
               [1,2,3,_,_,8,_,_,_],
               [_,8,7,_,_,4,3,_,_]],
       sudoku(Rows), maplist(portray_clause, Rows).

It teaches that the rules are said once, as relations, and that the search is
one word. It takes 15 to 20 times as long as sudoku.pl for an ordinary puzzle:
all_distinct/1 looks at a whole house whenever one of its cells changes, and
the cells are labelled in reading order, however many digits they still have.
All of its time is clpfd's, while sudoku.pl searches on sets of digits
(sudoku/ahead.pl). So this is the program to compare clpfd with other solvers.
*/

%!  sudoku(?Rows) is nondet.
%
%   True if Rows is a full 9x9 sudoku grid.

sudoku(Rows) :-
    length(Rows, 9),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..9,
    transpose(Rows, Columns),
    phrase(boxes(Rows), Boxes),
    maplist(maplist(all_distinct), [Rows, Columns, Boxes]),
    maplist(label, Rows).

boxes([]) --> [].
boxes([Top,Middle,Bottom|Rows]) -->
    band(Top, Middle, Bottom), boxes(Rows).

band([], [], []) --> [].
band([A,B,C|Top], [D,E,F|Middle], [G,H,I|Bottom]) -->
    [[A,B,C,D,E,F,G,H,I]],
    band(Top, Middle, Bottom).
