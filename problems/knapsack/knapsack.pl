% Knapsack: take items of the greatest value that are together not too heavy.
%
%   swipl -l problems/knapsack/instances/tea.lp problems/knapsack/knapsack.pl
%   ?- model(Pairs, Cost), pairs_values(Pairs, Values), labeling([min(Cost)], Values).
%   Pairs = [take(tea)-2, take(coffee)-0, take(rice)-2, take(oil)-1, take(honey)-0],
%   Cost = -29,
%   Values = [2, 0, 2, 1, 0] .
%
% Input:   item(I,W,V,L): an item I weighs W and is worth V, and there are L of them;
%          capacity(C): the items may weigh C together.
% Output:  take(I)-N: N items I are taken. Best is the greatest value.
%
% Teaches: Two scalar products, one of which is minimized: the cost is the value, but negative.
% Costs:   63,000 inferences find a best answer to tea.lp. All 14 values remain before the first
%          choice, as in knapsack.lp.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

model(Pairs, Cost) :-
    capacity(Capacity),
    findall(item(I,W,V,L), item(I, W, V, L), Items),
    maplist(number_taken, Items, Pairs),
    pairs_values(Pairs, Numbers),
    maplist(weight, Items, Weights),
    scalar_product(Weights, Numbers, #=<, Capacity),
    maplist(value, Items, Values),
    scalar_product(Values, Numbers, #=, Value),
    Cost #= -Value.

number_taken(item(I,_,_,L), take(I)-N) :-
    N in 0..L.

weight(item(_,W,_,_), W).

value(item(_,_,V,_), V).
