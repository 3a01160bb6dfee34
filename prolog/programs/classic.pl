% Sudoku by all_distinct: the sixteen lines of most tutorials.
%
%   swipl prolog/programs/classic.pl
%   ?- Rows = [[2,_,_,_,9,_,_,_,1], [3,_,9,_,_,7,_,_,_], [_,_,1,_,4,_,_,7,_],
%              [_,6,_,_,_,_,_,_,_], [_,_,_,_,_,3,_,_,_], [_,_,8,6,_,_,7,9,_],
%              [6,_,_,7,_,_,8,_,_], [1,2,3,_,_,8,_,_,_], [_,8,7,_,_,4,3,_,_]],
%      sudoku(Rows), maplist(portray_clause, Rows).
%
% Paradigm: constraint logic programming
% Shape:    9x9
% Knows:    marks
%
% Teaches:  The rules are stated once, as relations, and the search is one word.
% Costs:    all_distinct/1 looks at a whole house whenever one of its cells changes. It sees more than
%           the main program does, and takes seven or eight times as long on ordinary puzzles.

:- module(classic, [sudoku/1]).
:- use_module(library(clpfd)).

sudoku(Rows) :-
    length(Rows, 9),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    Cells ins 1..9,
    transpose(Rows, Columns),
    phrase(boxes(Rows), Boxes),
    maplist(maplist(all_distinct), [Rows, Columns, Boxes]),
    maplist(label, Rows).

boxes([]) --> [].
boxes([Top,Middle,Bottom|Rows]) -->
    band(Top, Middle, Bottom), boxes(Rows).

band([], [], []) --> [].
band([A,B,C|Top], [D,E,F|Middle], [G,H,I|Bottom]) -->
    [[A,B,C,D,E,F,G,H,I]],
    band(Top, Middle, Bottom).
