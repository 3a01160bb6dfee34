% 5. See more: all_distinct/1
:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

/** <module> See more: all_distinct/1

all_distinct/1 looks at all cells of a house together: it sees that three cells with the digits 1, 2
and 3 leave none of them to the others. Most newspaper puzzles are solved before label/1 begins.
*/

sudoku(Rows, Height-Width, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    transpose(Rows, Columns),
    boxes(Rows, Height, Width, Boxes),
    maplist(maplist(all_distinct), [Rows,Columns,Boxes]),
    label(Cells).

%   Each band of rows is cut into boxes, by which its columns are grouped.

boxes([], _, _, []).
boxes([Row|Rows], Height, Width, Boxes) :-
    length(Band, Height),
    append(Band, Below, [Row|Rows]),
    transpose(Band, Columns),
    grouped(Columns, Width, Boxes, Others),
    boxes(Below, Height, Width, Others).

grouped([], _, Boxes, Boxes).
grouped([Column|Columns], Width, [Box|Boxes], Others) :-
    length(Group, Width),
    append(Group, Right, [Column|Columns]),
    append(Group, Box),
    grouped(Right, Width, Boxes, Others).
