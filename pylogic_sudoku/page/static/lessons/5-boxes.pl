% 5. No digit twice in a box
%
% A box is a list of cells like a row, so the same constraint holds for it. This is a whole sudoku program.

:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

sudoku(Rows, Height-Width, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    transpose(Rows, Columns),
    boxes(Rows, Height, Width, Boxes),
    maplist(maplist(all_different), [Rows,Columns,Boxes]),
    label(Cells).

% Each band of rows is transposed, and its columns are grouped into boxes.
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
