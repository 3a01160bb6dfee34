% A student's sudoku that picks cells by their numbers.
:- use_module(library(clpfd)).

sudoku(Rows) :-
    append(Rows, Cells),
    domain(Cells, 1, 9),
    Last is 9 - 1,
    numlist(0, Last, Indices),
    forall_houses(row_cells, Indices, Cells),
    forall_houses(column_cells, Indices, Cells),
    forall_houses(box_cells, Indices, Cells),
    labeling([ff], Cells).

domain(Cells, Low, High) :-
    Cells ins Low..High.

forall_houses(_, [], _).
forall_houses(Kind, [Index|Indices], Cells) :-
    call(Kind, Index, Numbers),
    pick(Numbers, Cells, House),
    length(House, 9),
    all_different(House),
    sum(House, #=, 45),
    forall_houses(Kind, Indices, Cells).

row_cells(Row, Numbers) :-
    findall(N, ( between(0, 8, Column), N is Row*9 + Column ), Numbers).

column_cells(Column, Numbers) :-
    findall(N, ( between(0, 8, Row), N is Row*9 + Column ), Numbers).

box_cells(Box, Numbers) :-
    Top is Box // 3 * 3,
    Left is Box mod 3 * 3,
    findall(N,
            ( between(0, 2, Down), between(0, 2, Right),
              N is (Top + Down)*9 + Left + Right ),
            Numbers).

pick([], _, []).
pick([Number|Numbers], Cells, [Cell|House]) :-
    Place is Number + 1,
    nth1(Place, Cells, Cell),
    pick(Numbers, Cells, House).
