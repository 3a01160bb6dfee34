% N queens: place a queen in each row of an N by N board so that no queen attacks another.
%
%   swipl -l problems/queens/instances/6.lp problems/queens/queens.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [queen(1)-2, queen(2)-4, queen(3)-6, queen(4)-1, queen(5)-3, queen(6)-5],
%   Values = [2, 4, 6, 1, 3, 5] .
%
% Input:   size(N): the board has N rows and N columns; N may be 0.
% Output:  queen(R)-C: the queen of row R is in column C.
%
% Teaches: One variable for each row. The queens are on different diagonals if their columns, moved
%          by the number of the row to one side and to the other, are different.
% Costs:   All 64 squares of a board of 8 remain before the first choice, as in queens.lp. Its 92
%          answers take 4.7 million inferences, those of queens_dual.pl 2.0 million: all_distinct/1
%          sees more after each choice, and works harder for it.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

model(Pairs) :-
    size(N),
    findall(queen(Row)-_, between(1, N, Row), Pairs),
    pairs_values(Pairs, Columns),
    Columns ins 1..N,
    maplist(diagonals, Pairs, Sums, Differences),
    all_distinct(Columns),
    all_distinct(Sums),
    all_distinct(Differences).

diagonals(queen(Row)-Column, Sum, Difference) :-
    Sum #= Column + Row,
    Difference #= Column - Row.
