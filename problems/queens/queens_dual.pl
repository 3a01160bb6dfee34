% N queens from both sides: the column of a row's queen, the row of a column's queen.
%
%   swipl -l problems/queens/instances/6.lp problems/queens/queens_dual.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [queen(1)-2, queen(2)-4, queen(3)-6, queen(4)-1, queen(5)-3, queen(6)-5],
%   Values = [2, 4, 6, 1, 3, 5] .
%
% Input:   size(N): the board has N rows and N columns; N may be 0.
% Output:  queen(R)-C: the queen of row R is in column C.
%
% Teaches: A second model beside the first. The queen of row R is in column C exactly if the queen of
%          column C is in row R; a column that has one row left then gets its queen there.
% Costs:   64 reified constraints for 8 queens. To state them takes 39,000 inferences (queens.pl:
%          21,000), but all 92 answers take 2.0 million and not 4.7.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

model(Pairs) :-
    size(N),
    findall(Number, between(1, N, Number), Numbers),
    maplist(queen, Numbers, Pairs),
    pairs_values(Pairs, Columns),
    same_length(Columns, Rows),
    append(Columns, Rows, Both),
    Both ins 1..N,
    maplist(channel(Rows, Numbers), Numbers, Columns),
    diagonals(Columns).

queen(Row, queen(Row)-_).

channel(Rows, Numbers, Number, Column) :-
    maplist(channel_at(Number, Column), Rows, Numbers).

channel_at(RowNumber, Column, Row, ColumnNumber) :-
    Column #= ColumnNumber #<==> Row #= RowNumber.

% No queen is on a diagonal with one of a later row.
diagonals([]).
diagonals([Column|Columns]) :-
    foldl(apart(Column), Columns, 1, _),
    diagonals(Columns).

apart(Column, Later, Distance, Next) :-
    abs(Column - Later) #\= Distance,
    Next is Distance + 1.
