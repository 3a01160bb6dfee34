% Zebra puzzle: whose house is where, from clues about equal, neighbouring and known houses.
%
%   swipl -l problems/zebra/instances/zebra.lp problems/zebra/zebra.pl
%   ?- findall(Z, (model(Ps), pairs_values(Ps, Hs), label(Hs), memberchk(house(zebra)-Z, Ps)), Zs).
%   Zs = [5].
%
% Input:   houses(N): houses 1 to N are in a row, from left to right;
%          thing(Kind,T): each house has one thing T of each kind;
%          same(S,T): S and T are in the same house; right_of(S,T): S is in the next house to the
%          right of T; next_to(S,T): S and T are in neighbouring houses; at(T,H): T is in house H.
%          If there are not N things of a kind, or a clue is about another thing, there is no answer.
% Output:  house(T)-H: the thing T is in house H.
%
% Teaches: A variable for the house of each thing, not for what is in a house: then each clue is an
%          equation between two variables.
% Costs:   63 of 125 values remain before the first choice (zebra.lp: 93). A #= B + 1 moves the
%          bounds of both, and all_distinct/1 then sees which colours are left for a house.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic thing/2, same/2, right_of/2, next_to/2, at/2.

model(Pairs) :-
    houses(N),
    findall(T, thing(_, T), All),
    sort(All, Things),
    findall(house(T)-_, member(T, Things), Pairs),
    pairs_values(Pairs, Houses),
    Houses ins 1..N,
    findall(Kind, thing(Kind, _), Kinds),
    sort(Kinds, Sorted),
    maplist(one_in_each(Pairs, N), Sorted),
    findall(Clue, clue(Clue), Clues),
    maplist(holds(Pairs), Clues).

one_in_each(Pairs, N, Kind) :-
    findall(T, thing(Kind, T), Things),
    length(Things, N),
    maplist(house(Pairs), Things, Houses),
    all_distinct(Houses).

clue(same(S, T))     :- same(S, T).
clue(right_of(S, T)) :- right_of(S, T).
clue(next_to(S, T))  :- next_to(S, T).
clue(at(T, H))       :- at(T, H).

holds(Pairs, same(S, T))     :- house(Pairs, S, A), house(Pairs, T, B), A #= B.
holds(Pairs, right_of(S, T)) :- house(Pairs, S, A), house(Pairs, T, B), A #= B + 1.
holds(Pairs, next_to(S, T))  :- house(Pairs, S, A), house(Pairs, T, B), abs(A - B) #= 1.
holds(Pairs, at(T, H))       :- house(Pairs, T, H).

house(Pairs, Thing, House) :-
    memberchk(house(Thing)-House, Pairs).
