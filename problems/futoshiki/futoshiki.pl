% Futoshiki: a Latin square in which some neighbouring cells have a sign: less than.
%
%   swipl -l problems/futoshiki/instances/5.lp problems/futoshiki/futoshiki.pl
%   ?- findall(Values, (model(Pairs), pairs_values(Pairs, Values), label(Values)), Answers).
%   Answers = [[5, 2, 1, 4, 3, 4, 3, 5|...]].
%
% Input:   size(N): the square has N rows and N columns.
%          Optional: given(R,C,V): row R, column C holds V;
%          less(R,C,S,D): the value in row R, column C is less than that in row S, column D.
%          A given or a sign outside the square leaves no answer.
% Output:  cell(R,C)-V for every cell.
%
% Teaches: Bounds. A #< B takes from A what is not below B's greatest value, and from B what is not
%          above A's least: a chain of three signs leaves two values of five in each of its cells.
% Costs:   The answer to 5.lp is found without any choice (futoshiki.lp leaves 113 of 125 values).
%          On chain.lp 41 remain; futoshiki_order.lp leaves 47 there, futoshiki.lp 77.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic given/3, less/4.

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
    maplist(all_distinct, Columns),
    findall(cell(R,C)-cell(S,D), less(R, C, S, D), Signs),
    maplist(less_than(Pairs), Signs).

kept(Pairs, Given) :-
    memberchk(Given, Pairs).

rows([], _, []).
rows([Cell|Cells], N, [Row|Rows]) :-
    length(Row, N),
    append(Row, Rest, [Cell|Cells]),
    rows(Rest, N, Rows).

less_than(Pairs, Smaller-Greater) :-
    memberchk(Smaller-A, Pairs),
    memberchk(Greater-B, Pairs),
    A #< B.
