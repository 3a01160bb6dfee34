:- module(plain, [plain/2]).
:- use_module(library(clpfd)).

/** <module> The yardstick: a short sudoku/1 as tutorials write it

All cells in 1..9, 27 times all_distinct/1, labelled row by row.
*/

%!  plain(+Digits, -Solution) is semidet.
%
%   Solution is the first solution of a 9x9 puzzle, both as 81 integers.

plain(Digits, Solution) :-
    maplist(cell, Digits, Solution),
    length(Rows, 9),
    maplist(nine, Rows),
    append(Rows, Solution),
    Solution ins 1..9,
    transpose(Rows, Columns),
    boxes(Rows, Boxes),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns),
    maplist(all_distinct, Boxes),
    maplist(label, Rows),
    !.

cell(0, _) :- !.
cell(Digit, Digit).

nine(Row) :-
    length(Row, 9).

boxes([], []).
boxes([R1,R2,R3|Rows], Boxes) :-
    band(R1, R2, R3, Boxes, Rest),
    boxes(Rows, Rest).

band([], [], [], Boxes, Boxes).
band([A,B,C|R1], [D,E,F|R2], [G,H,I|R3], [[A,B,C,D,E,F,G,H,I]|Boxes], Rest) :-
    band(R1, R2, R3, Boxes, Rest).
