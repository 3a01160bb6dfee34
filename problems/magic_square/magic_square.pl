% Magic square: the numbers 1 to N*N in a square whose rows, columns and diagonals have equal sums.
%
%   swipl -l problems/magic_square/instances/durer.lp problems/magic_square/magic_square.pl
%   ?- findall(Values, (model(Pairs), pairs_values(Pairs, Values), label(Values)), Answers).
%   Answers = [[16, 3, 2, 13, 5, 10, 11, 8|...]].
%
% Input:   size(N): the square has N rows and N columns.
%          Optional: given(R,C,V): row R, column C holds V. A given outside the square leaves no answer.
% Output:  square(R,C)-V for every cell.
%
% Teaches: Rows of variables, of which transpose/2 makes columns; a sum for each line.
% Costs:   With Duerer's numbers 30 of 256 values remain before the first choice (magic_square.lp:
%          90), since all_distinct/1 looks at all cells at once. It sees without search that 1 is
%          in no corner of order three; magic_square.lp takes 79 conflicts.
% Unseen:  No instance notices what the total is, since lines with equal sums have it anyway. With
%          it known, the search is far shorter.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic given/3.

model(Pairs) :-
    size(N),
    findall(square(R,C)-_, (between(1, N, R), between(1, N, C)), Pairs),
    findall(square(R,C)-V, given(R, C, V), Given),
    maplist(kept(Pairs), Given),
    pairs_values(Pairs, Cells),
    Last is N * N,
    Cells ins 1..Last,
    all_distinct(Cells),
    rows(Cells, N, Rows),
    transpose(Rows, Columns),
    reverse(Rows, Upwards),
    foldl(diagonal_cell, Rows, Down, 1, _),
    foldl(diagonal_cell, Upwards, Up, 1, _),
    append([[Down,Up], Rows, Columns], Lines),
    Total is N * (N * N + 1) // 2,
    maplist(line_sum(Total), Lines).

kept(Pairs, Given) :-
    memberchk(Given, Pairs).

rows([], _, []).
rows([Cell|Cells], N, [Row|Rows]) :-
    length(Row, N),
    append(Row, Rest, [Cell|Cells]),
    rows(Rest, N, Rows).

diagonal_cell(Row, Cell, Column, Next) :-
    nth1(Column, Row, Cell),
    Next is Column + 1.

line_sum(Total, Line) :-
    sum(Line, #=, Total).
