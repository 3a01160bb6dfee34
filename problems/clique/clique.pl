% Clique: select K nodes of a graph that are all adjacent to each other.
%
%   swipl -l problems/clique/instances/octahedron.lp problems/clique/clique.pl
%   ?- model(Pairs), term_variables(Pairs, Bs), label(Bs).
%   Pairs = [clique(a)#<==>0, clique(b)#<==>0, clique(c)#<==>0, clique(x)#<==>1, clique(y)#<==>1, clique(z)#<==>1],
%   Bs = [0, 0, 0, 1, 1, 1] .
%
% Input:   node(V); edge(V,W): the nodes V and W are adjacent; size(K): a clique has K nodes.
%          An edge that leads to no node says nothing.
% Output:  clique(V) #<==> B: the node V is in the clique if B is 1.
%
% Teaches: The size of a subset is a sum. Each node is compared with those after it in the list.
% Costs:   A constraint for each two nodes that are not adjacent, 3 for the octahedron. All 6 atoms
%          remain before the first choice, as in clique.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- dynamic edge/2.
:- dynamic node/1.

model(Pairs) :-
    size(K),
    findall(clique(V) #<==> _, node(V), Pairs),
    maplist([_ #<==> B,B]>>true, Pairs, Bs),
    Bs ins 0..1,
    sum(Bs, #=, K),
    adjacent(Pairs).

adjacent([]).
adjacent([Pair|Pairs]) :-
    maplist(fits(Pair), Pairs),
    adjacent(Pairs).

fits(clique(V) #<==> A, clique(W) #<==> B) :-
    (   ( edge(V, W) ; edge(W, V) )
    ->  true
    ;   A + B #=< 1
    ).
