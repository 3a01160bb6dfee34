% Graph colouring: give each node one of K colours so that adjacent nodes differ.
%
%   swipl -l problems/colouring/instances/cycle.lp problems/colouring/colouring.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [colour(a)-1, colour(b)-2, colour(c)-1, colour(d)-2, colour(e)-3],
%   Values = [1, 2, 1, 2, 3] .
%
% Input:   node(V); edge(V,W): the nodes V and W are adjacent; colours(K): colours are 1 to K.
%          An edge that leads to no node leaves no answer.
% Output:  colour(V)-C: the node V has colour C.
%
% Teaches: From facts to variables. The nodes that findall/3 collects get a variable each; the edges
%          then look up the variables of their ends.
% Costs:   A constraint for each edge, 15 for the Petersen graph. All 30 colours remain before the
%          first choice, as in colouring.lp; #\= waits until one of its ends is known.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic edge/2.

model(Pairs) :-
    colours(K),
    findall(colour(V)-_, node(V), Pairs),
    pairs_values(Pairs, Colours),
    Colours ins 1..K,
    findall(V-W, edge(V, W), Edges),
    maplist(different(Pairs), Edges).

different(Pairs, V-W) :-
    memberchk(colour(V)-A, Pairs),
    memberchk(colour(W)-B, Pairs),
    A #\= B.
