% 7. Without constraints: guess, then check
:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).         % only transpose/2 is used here

/** <module> Guess, then check

The same relation in plain Prolog: member/2 guesses every empty cell, and only then the houses are
checked. It is right, but it takes as many guesses as there are grids. Try it on 4x4, and stop it
on 9x9.
*/

sudoku(Rows, Height-Width, _) :-
    length(Rows, Size),
    numlist(1, Size, Digits),
    append(Rows, Cells),
    maplist([Cell]>>member(Cell, Digits), Cells),
    transpose(Rows, Columns),
    boxes(Rows, Height, Width, Boxes),
    maplist(maplist(is_house(Digits)), [Rows,Columns,Boxes]).

is_house(Digits, Cells) :-
    msort(Cells, Digits).

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
