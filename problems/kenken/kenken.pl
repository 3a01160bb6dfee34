% KenKen: a Latin square in cages, each with the result of an operation on its values. Any number of
% them are added or multiplied, and two are subtracted or divided.
%
%   swipl -l problems/kenken/instances/3.lp problems/kenken/kenken.pl
%   ?- findall(Values, (model(Pairs), pairs_values(Pairs, Values), label(Values)), Answers).
%   Answers = [[3, 1, 2, 1, 2, 3, 2, 3|...]].
%
% Input:   size(N): the square has N rows and N columns;
%          cage(K,Op,T): the operation Op, which is add, subtract, multiply or divide, gives T for the
%          values of cage K; in_cage(K,R,C): the cell in row R, column C belongs to it.
%          Two cells are subtracted or divided, and all cells of a cage are in the square; else there
%          is no answer. The values of an empty cage add up to 0 and multiply to 1.
% Output:  cell(R,C)-V for every cell.
%
% Teaches: A constraint that is built: foldl/4 makes the term A*B*C, and #= takes it as it is. A
%          difference in either order is an absolute value, a quotient one of two products.
% Costs:   The answers to 3.lp, 4.lp and 5.lp are found without any choice; kenken.lp leaves 94 of
%          125 atoms of 5.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic cage/3, in_cage/3.

model(Pairs) :-
    size(N),
    findall(cell(R,C)-_, (between(1, N, R), between(1, N, C)), Pairs),
    pairs_values(Pairs, Cells),
    Cells ins 1..N,
    rows(Cells, N, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns),
    findall(cage(K,Op,T), cage(K, Op, T), Cages),
    maplist(cage_holds(Pairs), Cages).

rows([], _, []).
rows([Cell|Cells], N, [Row|Rows]) :-
    length(Row, N),
    append(Row, Rest, [Cell|Cells]),
    rows(Rest, N, Rows).

cage_holds(Pairs, cage(K,Op,T)) :-
    findall(cell(R,C), in_cage(K, R, C), Names),
    maplist(value(Pairs), Names, Values),
    result(Op, Values, T).

value(Pairs, Name, Value) :-
    memberchk(Name-Value, Pairs).

result(add, Values, T) :-
    sum(Values, #=, T).
result(multiply, Values, T) :-
    foldl(times, Values, 1, Product),
    Product #= T.
result(subtract, [A,B], T) :-
    abs(A - B) #= T.
result(divide, [A,B], T) :-
    A #= B * T #\/ B #= A * T.

times(Value, Product, Product * Value).
