% 6. Begin where least is left: labeling/2
:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

/** <module> Begin where least is left: labeling/2

With the option ff, the search takes the cell with the fewest digits first, so a wrong guess
shows soon.
*/

sudoku(Rows, Height-Width, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    transpose(Rows, Columns),
    boxes(Rows, Height, Width, Boxes),
    maplist(maplist(all_different), [Rows,Columns,Boxes]),
    labeling([ff], Cells).

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
