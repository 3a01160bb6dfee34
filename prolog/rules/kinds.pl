:- module(sudoku_kinds,
          [ known_kind/1,       % ?Kind
            obey/3              % +Kind, +Fields, +Grid
          ]).
:- use_module(bits, []).
:- use_module(implied, []).
:- use_module(kernels, [equal_sums/3, no_subset_sum/2]).
:- use_module(places, [region_of/3, see/3, seen_by_all/3, sum_parts/4]).
:- use_module(rule).
:- use_module(subsets, [all_ways/3, different_sum/4, largest_exact/1, subset_tables/3]).
:- use_module(walks, [move_table/3, ones/2, repeated/4, walk/4]).
:- use_module('../sudoku/house', [watch_digits/1]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [foldl/4, foldl/5, maplist/2, maplist/3, maplist/4]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, numlist/3, reverse/2, same_length/2,
                               sum_list/2]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_keys_values/3]).
:- use_module(library(yall)).

/** <module> All kinds of rules

The files that this includes have one clause rule(Kind, Fields, Grid) for each kind.
*/

:- discontiguous rule/3.

%!  known_kind(?Kind) is nondet.
%
%   There is a clause for Kind here.

known_kind(Kind) :-
    clause(rule(Kind, _, _), _).

%!  obey(+Kind, +Fields, +Grid) is semidet.
%
%   The cells of Grid obey the rule of this Kind with these Fields.

obey(Kind, Fields, Grid) :-
    rule(Kind, Fields, Grid).

:- include(lines).
:- include(pairs).
:- include(sums).
:- include(outside).
:- include(sets).
:- include(counts).
