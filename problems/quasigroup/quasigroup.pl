% Quasigroup completion: fill a square so that every row and every column holds 1 to N once each.
%
%   swipl -l problems/quasigroup/instances/5.lp problems/quasigroup/quasigroup.pl
%   ?- findall(Values, (model(Pairs), pairs_values(Pairs, Values), label(Values)), Answers).
%   Answers = [[5, 4, 1, 2, 3, 4, 5, 3|...]].
%
% Input:   size(N): the square has N rows and N columns.
%          Optional: given(R,C,V): row R, column C holds V. A given outside the square leaves no answer.
% Output:  cell(R,C)-V for every cell.
%
% Teaches: all_distinct/1 for each line: it removes a value unless some filling of the line has it.
% Costs:   25 of 125 values remain for 5.lp, which is the answer, and 55 of 64 for 4.lp: the same as
%          by quasigroup.lp. 28,000 inferences to state 5.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic given/3.

model(Pairs) :-
    size(N),
    findall(cell(R,C)-_, (between(1, N, R), between(1, N, C)), Pairs),
    findall(cell(R,C)-V, given(R, C, V), Given),
    maplist(kept(Pairs), Given),
    pairs_values(Pairs, Cells),
    Cells ins 1..N,
    rows(Cells, N, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns).

kept(Pairs, Given) :-
    memberchk(Given, Pairs).

rows([], _, []).
rows([Cell|Cells], N, [Row|Rows]) :-
    length(Row, N),
    append(Row, Rest, [Cell|Cells]),
    rows(Rest, N, Rows).
