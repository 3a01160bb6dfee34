% @title@: find every solution.
%
% @predicate@(+Rows): Rows is a list of rows; empty cells are variables.

:- use_module(library(clpfd)).

@predicate@(Rows) :-
    append(Rows, Cells),
    Cells ins 1..@size@,
    % Your rules:
    label(Cells).
