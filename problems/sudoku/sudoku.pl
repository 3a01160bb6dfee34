% Sudoku in a few lines: every row, every column and every box holds each digit once.
%
%   swipl -l problems/sudoku/instances/4.lp problems/sudoku/sudoku.pl
%   ?- findall(Values, (model(Pairs), pairs_values(Pairs, Values), label(Values)), Answers).
%   Answers = [[4, 3, 1, 2, 1, 2, 4, 3|...]].
%
% Input:   box_rows(P); box_columns(Q): a box has P rows and Q columns; digits are 1 to P*Q.
%          Optional: initial(X,Y,N): row X, column Y holds digit N. A given outside the grid leaves no
%          answer.
% Output:  sudoku(X,Y)-N for every cell.
%
% Teaches: A house is a list of variables that all_distinct/1 is about; findall/3 gathers the names of
%          its cells, and maplist/3 looks them up, since a copy of a variable is another one.
% Costs:   33,000 inferences state 4.lp, 107,000 6.lp; neither needs a choice, as in sudoku.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic initial/3.

model(Pairs) :-
    box_rows(P),
    box_columns(Q),
    S is P * Q,
    findall(sudoku(X,Y)-_, (between(1, S, X), between(1, S, Y)), Pairs),
    findall(sudoku(X,Y)-N, initial(X, Y, N), Givens),
    maplist(kept(Pairs), Givens),
    pairs_values(Pairs, Cells),
    Cells ins 1..S,
    findall(House-Cell, in_house(P-Q, S, House, Cell), Members),
    keysort(Members, Sorted),
    group_pairs_by_key(Sorted, Houses),
    maplist(different(Pairs), Houses).

kept(Pairs, Given) :-
    memberchk(Given, Pairs).

in_house(P-Q, S, House, sudoku(X,Y)) :-
    between(1, S, X),
    between(1, S, Y),
    A is (X - 1) // P,
    B is (Y - 1) // Q,
    member(House, [row(X), column(Y), box(A,B)]).

different(Pairs, _-Names) :-
    maplist(value(Pairs), Names, House),
    all_distinct(House).

value(Pairs, Name, Value) :-
    memberchk(Name-Value, Pairs).
