% Hitori: blacken cells until no number is left twice in a row or column.
% No two black cells are neighbours, and the white cells are connected.
%
%   swipl -l problems/hitori/instances/5.lp problems/hitori/hitori.pl
%   ?- answer(Black).
%   Black = [black(1, 5), black(2, 1), black(2, 4), black(4, 3), black(5, 2), black(5, 5)] .
%
% Input:   number(R,C,N): the number in row R, column C is N. The grid may have gaps.
% Output:  black(R,C): the cell in row R, column C is black.
%
% Teaches: A rule without a constraint is tested after labeling. There is none for "connected", so
%          the program finds its answers itself: each cell is 1, black, or 0, white.
% Costs:   For 5.lp 24 labelings keep the rules about numbers and neighbours, and one of them is
%          connected; for 3.lp 39 of 63 are. No labeling is cut short for being unconnected.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

answer(Black) :-
    findall(cell(R,C)-_, number(R, C, _), Pairs),
    pairs_values(Pairs, Values),
    Values ins 0..1,
    findall(A-B, equal(A, B), Equals),
    maplist(one_is_black(Pairs), Equals),
    findall(A-B, neighbours(A, B), Neighbours),
    maplist(one_is_white(Pairs), Neighbours),
    label(Values),
    findall(cell(R,C), member(cell(R,C)-0, Pairs), White),
    connected(White),
    findall(black(R,C), member(cell(R,C)-1, Pairs), Black).

equal(cell(R,C), cell(R,D)) :- number(R, C, N), number(R, D, N), C < D.
equal(cell(R,C), cell(S,C)) :- number(R, C, N), number(S, C, N), R < S.

neighbours(cell(R,C), cell(R,D)) :- number(R, C, _), D is C + 1, number(R, D, _).
neighbours(cell(R,C), cell(S,C)) :- number(R, C, _), S is R + 1, number(S, C, _).

one_is_black(Pairs, A-B) :- values(Pairs, A, B, V, W), V + W #>= 1.
one_is_white(Pairs, A-B) :- values(Pairs, A, B, V, W), V + W #=< 1.

values(Pairs, A, B, V, W) :-
    memberchk(A-V, Pairs),
    memberchk(B-W, Pairs).

% From the first cell, all others are reached.
connected([]).
connected([Cell|Cells]) :-
    reach([Cell], Cells).

reach([], []).
reach([Cell|Cells], Unseen) :-
    partition(adjacent(Cell), Unseen, Near, Far),
    append(Near, Cells, Next),
    reach(Next, Far).

adjacent(cell(R,C), cell(S,D)) :-
    abs(R - S) + abs(C - D) =:= 1.
