% Set cover: select sets that together contain every element, for the least cost.
%
%   swipl -l problems/set_cover/instances/radio.lp problems/set_cover/set_cover.pl
%   ?- model(Pairs, Cost), term_variables(Pairs, Bs), labeling([min(Cost)], Bs).
%   Pairs = [select(kfive)#<==>1, select(kfour)#<==>0, select(kone)#<==>1, select(kthree)#<==>1, select(ktwo)#<==>0],
%   Cost = 8,
%   Bs = [0, 1, 0] .
%
% Input:   element(E): the element E is to be covered; set(S,C): the set S costs C;
%          contains(S,E): S contains E. An element in no set leaves no answer.
% Output:  select(S) #<==> B: the set S is selected if B is 1. Best is the least cost.
%
% Teaches: A subset is a variable of 0 and 1 for each atom. convlist/3 collects the variables of the
%          sets that an element is in; their sum is 1 or more.
% Costs:   7,000 inferences find a best answer to radio.lp. All 5 atoms remain before the first
%          choice, and two are certain, as in set_cover.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- dynamic contains/2.
:- dynamic element/1.
:- dynamic set/2.

model(Pairs, Cost) :-
    findall(S, set(S, _), Sets),
    sort(Sets, Different),
    maplist(chosen, Different, Pairs),
    findall(E, element(E), Elements),
    maplist(covered(Pairs), Elements),
    findall(S-C, set(S, C), Prices),
    maplist(price(Pairs), Prices, Costs, Bs),
    scalar_product(Costs, Bs, #=, Cost).

chosen(S, select(S) #<==> B) :-
    B in 0..1.

covered(Pairs, E) :-
    convlist(with(E), Pairs, Bs),
    sum(Bs, #>=, 1).

with(E, select(S) #<==> B, B) :-
    contains(S, E).

price(Pairs, S-C, C, B) :-
    memberchk(select(S) #<==> B, Pairs).
