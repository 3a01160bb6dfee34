% Sudoku as a constraint problem, for any box shape, or with regions of any shape, and more rules.
%
%   swipl prolog/sudoku.pl
%
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows).
%   Rows = [[1, 2, 4, 3], [3, 4, 1, 2], [4, 3, 2, 1], [2, 1, 3, 4]].
%
%   ?- findall(D, ( sudoku_rules([Row,[3,_,2,_]|_], 2-2), maplist(fd_dom, Row, D) ), [Domains]).
%   Domains = [1..2\/4, 1..2\/4, 1\/3..4, 1\/3..4].
%
%   ?- aggregate_all(count, sudoku(_, 2-2), Count).
%   Count = 288.
%
%   ?- sudoku_rules(Rows, 2-2), Rows = [Row|_], chain(Row, #>), maplist(label, Rows), !.
%   Rows = [[4, 3, 2, 1], [1, 2, 3, 4], [2, 1, 4, 3], [3, 4, 1, 2]],
%   Row = [4, 3, 2, 1].
%
%   ?- sudoku(Rows, 2-2, [anti_knight, thermometer(cells=[1-1,2-1,3-1])]), !.
%   Rows = [[1, 4, 3, 2], [2, 3, 4, 1], [3, 2, 1, 4], [4, 1, 2, 3]].
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks, rules
%
% Teaches:  What a solution is and how one is found are two things. Two constraints a house: no digit
%           twice, and every digit somewhere. The second follows from the first, but stating it makes
%           the search short: it finds the last place of a digit.
% Costs:    A seventh or an eighth of the time of classic.pl for an ordinary puzzle. clingo knows
%           exactly as much of a puzzle before its first choice.
%
% Rows are n lists of n cells, each a digit or a variable. A shape is Height-Width of a box, or
% regions(Labels), with n rows of n labels. Rules are terms such as killer_cage(cells=[1-1,1-2], sum=3).
% sudoku_prompt.pl has puzzles, printing, explanations and more.

:- module(sudoku, [sudoku/1, sudoku/2, sudoku/3, sudoku_rules/1, sudoku_rules/2, sudoku_rules/3]).
:- reexport(library(clpfd)).            % #>/2, in/2, fd_dom/2, labeling/2, ... at the prompt too
:- reexport(sudoku/house, [every_digit/1]).
:- use_module(sudoku/grid, [must_be_grid/3, square_box/2, sudoku_houses/3]).
:- use_module(sudoku/search, [weighted_labeling/3]).
:- use_module(rules/rule, [post_rules/3]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/2]).

%!  sudoku(?Rows) is nondet.
%!  sudoku(?Rows, +Shape) is nondet.
%!  sudoku(?Rows, +Shape, +Rules) is nondet.
%
%   True if Rows is a full grid of this Shape, by default with square boxes, that obeys Rules. The
%   search is labeling([ff], Cells) that weighs dead ends: no slower as a rule, and there are
%   puzzles that would take minutes otherwise.

sudoku(Rows) :-
    square_box(Rows, Shape),
    sudoku(Rows, Shape).

sudoku(Rows, Shape) :-
    sudoku(Rows, Shape, []).

sudoku(Rows, Shape, Rules) :-
    sudoku_rules(Rows, Shape, Rules),   % what a solution is
    weighted_labeling(Rows, Shape, Rules).      % how one is found

%!  sudoku_rules(?Rows) is semidet.
%!  sudoku_rules(?Rows, +Shape) is semidet.
%!  sudoku_rules(?Rows, +Shape, +Rules) is semidet.
%
%   The same without the search: what is left in the domains are the candidates.

sudoku_rules(Rows) :-
    square_box(Rows, Shape),
    sudoku_rules(Rows, Shape).

sudoku_rules(Rows, Shape) :-
    sudoku_rules(Rows, Shape, []).

sudoku_rules(Rows, Shape, Rules) :-
    must_be_grid(Rows, Shape, Size),    % or an error: so failure means "no solution"
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Shape, Houses),
    maplist(all_different, Houses),     % no digit twice
    maplist(every_digit, Houses),       % a digit with one place left goes there
    post_rules(Rows, Shape, Rules).
