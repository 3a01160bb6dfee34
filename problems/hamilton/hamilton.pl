% Hamiltonian cycle: a round trip along the edges of a graph that visits every node once.
%
%   swipl -l problems/hamilton/instances/cube.lp problems/hamilton/hamilton.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [next(1)-2, next(2)-3, next(3)-4, next(4)-8, next(5)-1, next(6)-5, next(7)-6, next(...)-7],
%   Values = [2, 3, 4, 8, 1, 5, 6, 7] .
%
% Input:   node(V): the nodes are numbered from 1; edge(V,W): one may go from V to W, and back.
%          Of a single node, a trip needs an edge to itself.
% Output:  next(V)-W: the trip goes from V to W.
%
% Teaches: circuit/1: the V-th variable of its list is the node after V, and all are on one cycle.
%          tuples_in/2 says which nodes these may be: tuples of length one are a domain.
% Costs:   All 60 ways of the dodecahedron remain before the first choice, as in hamilton.lp. All
%          its answers take 4.2 million inferences, and 300,000 show that the Petersen graph has
%          none. clingo, which learns, needs 43 conflicts for that.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

model(Pairs) :-
    findall(V, node(V), Nodes),
    sort(Nodes, Sorted),
    maplist(successor, Sorted, Pairs),
    pairs_values(Pairs, Successors),
    circuit(Successors).

successor(V, next(V)-Next) :-
    findall([W], way(V, W), Ways),
    tuples_in([[Next]], Ways).

way(V, W) :- edge(V, W).
way(V, W) :- edge(W, V).
