% Sudoku in plain Prolog: try a digit, check, go back.
%
%   swipl prolog/programs/backtracking.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: plain Prolog
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  What the constraint library is for. Nothing is known of a cell until it is tried, so the
%           program finds out late that a digit is impossible, and does so again and again.
% Costs:    From milliseconds to minutes, by luck: the order of the cells decides. Hard puzzles are
%           out of reach.

:- module(backtracking, [sudoku/2]).
:- use_module('../sudoku/grid', [must_be_grid/3, sudoku_houses/3]).
:- use_module(library(apply), [include/3, maplist/2]).
:- use_module(library(lists), [append/2, member/2, same_length/2]).

sudoku(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    sudoku_houses(Rows, Shape, Houses),
    maplist(no_digit_twice, Houses),    % of the givens
    append(Rows, Cells),
    maplist(fill(Size, Houses), Cells).

fill(Size, Houses, Cell) :-
    (   integer(Cell)
    ->  true
    ;   houses_of(Houses, Cell, Seeing),
        between(1, Size, Cell),
        maplist(no_digit_twice, Seeing)
    ).

houses_of([], _, []).
houses_of([House|Houses], Cell, Seeing) :-
    (   member(Other, House),
        Other == Cell
    ->  Seeing = [House|Seeing1]
    ;   Seeing = Seeing1
    ),
    houses_of(Houses, Cell, Seeing1).

no_digit_twice(House) :-
    include(integer, House, Digits),
    sort(Digits, Different),
    same_length(Digits, Different).
