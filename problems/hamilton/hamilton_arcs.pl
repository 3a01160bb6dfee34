% Hamiltonian cycle, by arcs that are taken or not: a subset, as in hamilton.lp.
%
%   swipl -l problems/hamilton/instances/triangle.lp problems/hamilton/hamilton_arcs.pl
%   ?- model(Pairs), term_variables(Pairs, Bs), label(Bs).
%   Pairs = [next(1, 2)#<==>0, next(1, 3)#<==>1, next(2, 1)#<==>1, next(2, 3)#<==>0, next(3, 1)#<==>0, next(3, 2)#<==>1],
%   Bs = [0, 1, 1, 0, 0, 1] .
%
% Input:   node(V): the nodes are numbered from 1; edge(V,W): one may go from V to W, and back.
%          Of a single node, a trip needs an edge to itself.
% Output:  next(V,W) #<==> B: the trip goes from V to W if B is 1.
%
% Teaches: Sums say that every node is left and entered once. Each node has a number on the trip:
%          an arc leads to the next number, or back to node 1. So no trip is apart from that node.
% Costs:   All 60 arcs of the dodecahedron remain before the first choice, as in hamilton.pl; there
%          circuit/1 is one constraint, and here each arc has one.
% Unseen:  No instance notices the place of node 1: some node is the first one anyway. With it
%          known, the search is shorter.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- dynamic edge/2.
:- dynamic node/1.

model(Pairs) :-
    findall(V, node(V), Nodes),
    findall(next(V,W), way(V, W), Ways),
    sort(Ways, Arcs),
    maplist(taken, Arcs, Pairs),
    maplist(visited(Pairs), Nodes),
    maplist(numbered(Nodes), Nodes, Places),
    maplist(in_turn(Places), Pairs).

way(V, W) :- node(V), edge(V, W).
way(V, W) :- node(V), edge(W, V).

taken(Arc, Arc #<==> B) :-
    B in 0..1.

visited(Pairs, V) :-
    convlist(from(V), Pairs, Out),
    convlist(to(V), Pairs, In),
    sum(Out, #=, 1),
    sum(In, #=, 1).

from(V, next(V,_) #<==> B, B).

to(W, next(_,W) #<==> B, B).

numbered(Nodes, V, V-Place) :-
    length(Nodes, Number),
    Place in 1..Number,
    (   V == 1
    ->  Place = 1
    ;   true
    ).

in_turn(Places, next(V,W) #<==> B) :-
    (   W \== 1,
        memberchk(W-Next, Places)
    ->  memberchk(V-Place, Places),
        B #==> (Next #= Place + 1)
    ;   true
    ).
