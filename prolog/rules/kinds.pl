:- module(sudoku_kinds,
          [ rule_kind/1,        % ?Kind
            post_implied/2      % +Rules, +Grid
          ]).
:- use_module(alternatives, [post_alternatives/2]).
:- use_module(fields, []).              % loaded here, since a search may be stopped
:- use_module(shared, [equal_sums/3, locked_out/4]).
:- use_module(rule).
:- use_module(automata, [accepted/4, different/3, largest_exact/1, move_table/3, ones/2, repeated/4,
                         subset_tables/3]).
:- use_module('../sudoku/propagator', [post_propagator/2]).
:- use_module('../sudoku/grid', [box_or_region/4, sudoku_houses/3]).
:- use_module('../sudoku/house', [every_digit/1]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [foldl/4, foldl/5, include/3, maplist/2, maplist/3, maplist/4]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, append/3, clumped/2, max_member/2, member/2, memberchk/2,
                               nth0/3, nth1/3, numlist/3, reverse/2, same_length/2, subtract/3]).
:- use_module(library(ordsets), [ord_disjoint/2, ord_intersection/3, ord_subset/2, ord_subtract/3,
                                 ord_union/3]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_keys_values/3, pairs_values/2]).
:- use_module(library(yall)).

/** <module> All kinds of rules

The files that this includes have one clause rule(Kind, Fields, Grid) for each kind.
*/

:- discontiguous rule/3.
:- multifile
    clpfd:run_propagator/2,
    sudoku_propagator:constraint_goal/3.

%!  rule_kind(?Kind) is nondet.
%
%   There is a clause for Kind here.

rule_kind(Kind) :-
    clause(rule(Kind, _, _), _).

%!  post_implied(+Rules, +Grid) is semidet.
%
%   Posts what follows from those of Rules that are cages, and the houses of Grid.

:- include(lines).
:- include(pairs).
:- include(sums).
:- include(outside).
:- include(sets).
:- include(counts).
:- include(implied).
