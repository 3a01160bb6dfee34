% Sudoku seen from both sides: the digit of a cell, the place of a digit.
%
%   swipl prolog/programs/dual.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  A second model beside the first. In each house every digit has a place, and a channel
%           says that both models are one: a cell holds a digit exactly if the digit has its place
%           there. No digit twice then follows, and so does the last place of a digit.
% Costs:    What is left before any guess is the same as in the main program, candidate for
%           candidate, but 2,187 reified constraints take the place of 54.

:- module(dual, [sudoku/2, sudoku_rules/2]).
:- use_module(library(clpfd)).
:- use_module('../sudoku/grid', [must_be_grid/3, sudoku_houses/3]).
:- use_module(library(lists), [append/2, numlist/3]).

sudoku(Rows, Shape) :-
    sudoku_rules(Rows, Shape),
    term_variables(Rows, Cells),
    labeling([ff], Cells).

sudoku_rules(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Shape, Houses),
    maplist(channel, Houses).

channel(House) :-
    length(House, Size),
    length(Places, Size),               % the place of 1, of 2, ...
    Places ins 1..Size,
    numlist(1, Size, Numbers),
    maplist(one_place(House, Numbers), Numbers, Places).

one_place(House, Numbers, Digit, Place) :-
    maplist(holds(Digit, Place), House, Numbers).

holds(Digit, Place, Cell, Number) :-
    Cell #= Digit #<==> Place #= Number.
