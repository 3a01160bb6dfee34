:- module(plain, [plain/2]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/2]).
:- use_module('../prolog/classic_sudoku').

/** <module> The yardstick: the short program that tutorials show
*/

%!  plain(+Digits, -Solution) is semidet.
%
%   Solution is the first solution of a 9x9 puzzle, both as 81 integers.

plain(Digits, Solution) :-
    maplist(cell, Digits, Solution),
    length(Rows, 9),
    maplist(nine, Rows),
    append(Rows, Solution),
    once(sudoku(Rows)).

cell(0, _) :- !.
cell(Digit, Digit).

nine(Row) :-
    length(Row, 9).
