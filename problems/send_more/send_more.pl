% SEND + MORE = MONEY: give each letter a digit of its own so that the sum of the words is right.
%
%   swipl -l problems/send_more/instances/money.lp problems/send_more/send_more.pl
%   ?- model(Pairs), pairs_values(Pairs, Values), label(Values).
%   Pairs = [digit(d)-7, digit(e)-5, digit(m)-1, digit(n)-6, digit(o)-0, digit(r)-8, digit(s)-9, digit(...)-2],
%   Values = [7, 5, 1, 6, 0, 8, 9, 2] .
%
% Input:   letter(W,P,L): word W has the letter L where a digit counts 10**P: 0 is its last letter;
%          total(W): the word W is the sum of the others.
% Output:  digit(L)-D: the letter L stands for the digit D.
%
% Teaches: Propagation of bounds. The greatest total of two words of four letters begins with 1, so M
%          is 1 and then O is 0 before anything is tried.
% Costs:   32 of 80 values remain for money.lp before the first choice (send_more.lp: 63); the whole
%          search takes 48,000 inferences, of which the model takes 25,000.

:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- dynamic total/1.

model(Pairs) :-
    once(total(_)),
    findall(L, letter(_, _, L), Letters),
    sort(Letters, Sorted),
    maplist(digit, Sorted, Pairs),
    pairs_values(Pairs, Digits),
    Digits ins 0..9,
    all_distinct(Digits),
    findall(digit(L), first_letter(L), Firsts),
    maplist(not_zero(Pairs), Firsts),
    findall(Weight-digit(L), weight(L, Weight), Weighted),
    pairs_keys_values(Weighted, Weights, Names),
    maplist(named(Pairs), Names, Summands),
    scalar_product(Weights, Summands, #=, 0).

digit(L, digit(L)-_).

first_letter(L) :-
    letter(W, P, L),
    P > 0,
    Next is P + 1,
    \+ letter(W, Next, _).

not_zero(Pairs, Name) :-
    named(Pairs, Name, Digit),
    Digit #\= 0.

weight(L, Weight) :-
    letter(W, P, L),
    (   total(W)
    ->  Weight is -(10 ** P)
    ;   Weight is 10 ** P
    ).

named(Pairs, Name, Digit) :-
    memberchk(Name-Digit, Pairs).
