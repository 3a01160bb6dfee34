% Nonogram: a picture of black cells, given the lengths of the blocks in each row and each column.
%
%   swipl -l problems/nonogram/instances/2.lp problems/nonogram/nonogram.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [cell(1, 1)-0, cell(1, 2)-1, cell(2, 1)-1, cell(2, 2)-0],
%   Values = [0, 1, 1, 0] .
%
% Input:   rows(N); columns(M): the picture has N rows and M columns;
%          row_block(R,I,L): the I-th block of row R, from the left, is L cells long;
%          column_block(C,I,L): the I-th block of column C, from the top, is L cells long.
%          The line is in the picture, I counts from 1, and L is 1 or more; else there is no answer.
% Output:  cell(R,C)-V for every cell: V is 1 if it is black, else 0.
%
% Teaches: automaton/3. A line is a word of zeros and ones, and its blocks are a regular language:
%          0*110+10* has a block of two, then one of one. It removes what no such word allows.
% Costs:   heart.lp and lambda.lp are answered without any choice, by 17 and by 20 automata;
%          nonogram.lp leaves 126 of 144 and 200 of 200 atoms.
% Unseen:  No instance notices the domain of the cells, since the automata leave nothing but 0 and
%          1.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic row_block/3, column_block/3.

model(Pairs) :-
    rows(N),
    columns(M),
    findall(cell(R,C)-_, (between(1, N, R), between(1, M, C)), Pairs),
    pairs_values(Pairs, Cells),
    Cells ins 0..1,
    findall(R, between(1, N, R), RowNumbers),
    findall(C, between(1, M, C), ColumnNumbers),
    forall(row_block(R, _, _), memberchk(R, RowNumbers)),
    forall(column_block(C, _, _), memberchk(C, ColumnNumbers)),
    maplist(row(Pairs), RowNumbers),
    maplist(column(Pairs), ColumnNumbers).

row(Pairs, R) :-
    findall(cell(R,C), member(cell(R,C)-_, Pairs), Names),
    findall(I-L, row_block(R, I, L), Blocks),
    line(Pairs, Names, Blocks).

column(Pairs, C) :-
    findall(cell(R,C), member(cell(R,C)-_, Pairs), Names),
    findall(I-L, column_block(C, I, L), Blocks),
    line(Pairs, Names, Blocks).

line(Pairs, Names, Blocks) :-
    maplist(value(Pairs), Names, Cells),
    keysort(Blocks, Sorted),
    pairs_keys_values(Sorted, Numbers, Lengths),
    foldl(counted, Numbers, 1, _),
    maplist(=<(1), Lengths),
    arcs(Lengths, 0, End, Arcs),
    automaton(Cells, [source(0),sink(End)], Arcs).

value(Pairs, Name, Value) :-
    memberchk(Name-Value, Pairs).

counted(Number, Number, Next) :-
    Next is Number + 1.

% From State: any number of zeros, then the blocks; between two blocks at least one zero.
arcs([], State, State, [arc(State,0,State)]).
arcs([Length|Lengths], State, End, [arc(State,0,State)|Arcs]) :-
    ones(Length, State, Black, Arcs, Rest),
    after(Lengths, Black, End, Rest).

ones(0, State, State, Arcs, Arcs) :- !.
ones(Length, State, Black, [arc(State,1,Next)|Arcs], Rest) :-
    Next is State + 1,
    Shorter is Length - 1,
    ones(Shorter, Next, Black, Arcs, Rest).

after([], Black, End, Arcs) :-
    arcs([], Black, End, Arcs).
after([Length|Lengths], Black, End, [arc(Black,0,White)|Arcs]) :-
    White is Black + 1,
    arcs([Length|Lengths], White, End, Arcs).
