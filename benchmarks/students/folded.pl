% A student's sudoku that folds over the rows and passes on what it has seen.
:- use_module(library(clpfd)).

sudoku(Rows) :-
    size(Rows, Size, Side),
    foldl(row(Size), Rows, 0, Count),
    Count =:= Size,
    empty_columns(Size, Empty),
    foldl(add_row, Rows, Empty, Reversed),
    maplist(reverse, Reversed, Columns),
    maplist(all_distinct, Columns),
    bands(Side, Rows, Bands),
    maplist(band_boxes(Side), Bands),
    append(Rows, Cells),
    label(Cells).

size(Rows, Size, Side) :-
    length(Rows, Size),
    between(1, Size, Side),
    Size =:= Side*Side.

row(Size, Row, Count0, Count) :-
    length(Row, Size),
    Row ins 1..Size,
    all_distinct(Row),
    Count is Count0 + 1.

empty_columns(Size, Empty) :-
    length(Empty, Size),
    maplist(=([]), Empty).

add_row(Row, Columns0, Columns) :-
    maplist(push, Row, Columns0, Columns).

push(Cell, Column, [Cell|Column]).

bands(_, [], []).
bands(Side, Rows, [Band|Bands]) :-
    split(Side, Rows, Band, Below),
    bands(Side, Below, Bands).

split(Number, List, Front, Back) :-
    length(Front, Number),
    append(Front, Back, List).

band_boxes(_, [[]|_]).
band_boxes(Side, Band) :-
    maplist(split(Side), Band, Parts, Rests),
    append(Parts, Box),
    all_distinct(Box),
    band_boxes(Side, Rests).
