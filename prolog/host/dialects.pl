:- module(pls_dialects, [elsewhere/2]).

/** <module> What other Prolog systems have, and SWI-Prolog or this one lacks
*/

%!  elsewhere(+Formal, -Text) is semidet.
%
%   Text says which system has what an error has missed, and what to write here.

elsewhere(existence_error(source_sink, library(Library)), Text) :-
    (   missing_here(Library)
    ->  format(string(Text), "library(~w) is not part of the SWI-Prolog that runs here: install a whole \c
                              SWI-Prolog, and set up with SWIPL=path/to/swipl make setup, or do without", [Library])
    ;   library_of(Library, System, Instead),
        format(string(Text), "library(~w) is of ~w: ~w", [Library, System, Instead])
    ).
elsewhere(existence_error(matching_rule, _), "no rule with => matches this call, since => \c
          binds no variable of it: write :- for a rule, and #==> between constraints").
elsewhere(existence_error(procedure, Called), Text) :-
    strip_module(Called, _, Predicate),
    predicate_of(Predicate, System, Instead),
    format(string(Text), "~w is of ~w: ~w", [Predicate, System, Instead]).

%   What a SWI-Prolog may be built without; of those that scripts/ builds, the wheel's has no clpr and clpq.

missing_here(chr).
missing_here(clpr).
missing_here(clpq).

library_of(clpz, 'Scryer Prolog', 'write library(clpfd)').
library_of(reif, 'Scryer Prolog', 'write if-then-else, or #<==> for constraints').
library_of(lambda, 'Scryer Prolog', 'write library(yall), whose lambdas are [X]>>Goal').
library_of(dcgs, 'Scryer Prolog', 'write library(dcg/basics); --> needs no library').
library_of(iso_ext, 'Scryer Prolog', 'leave it out; forall/2 and others need no library').
library_of(charsio, 'Scryer Prolog', 'leave it out, and write term_to_atom/2 or read_term/2').
library_of(format, 'Scryer Prolog', 'leave it out; format/2 needs no library').
library_of(si, 'Scryer Prolog', 'write must_be/2 of library(error)').
library_of(files, 'Scryer Prolog', 'write library(filesex)').
library_of(between, 'SICStus Prolog or Scryer Prolog', 'leave it out; between/3 needs no library').
library_of(timeout, 'SICStus Prolog', 'leave it out; -t limits the time').
library_of(avl, 'SICStus Prolog', 'write library(assoc)').
library_of(samsort, 'SICStus Prolog', 'leave it out, and write predsort/3 or msort/2').
library_of(sets, 'SICStus Prolog', 'write library(lists) or library(ordsets)').
library_of(trees, 'SICStus Prolog', 'write library(assoc)').
library_of(fd, 'ECLiPSe', 'write library(clpfd)').
library_of(ic, 'ECLiPSe', 'write library(clpfd)').
library_of(cp, 'Picat', 'write library(clpfd)').

predicate_of((:=)/2, 'another language', 'write is for numbers, = for terms, or #= for constraints').
predicate_of((=>)/2, 'another language', 'write -> for if-then, or #==> for constraints').
predicate_of((&)/2, 'another language', 'write a comma, or #/\\ for constraints').
predicate_of(domain/3, 'SICStus Prolog', 'write Xs ins L..H').
predicate_of(all_distinct/2, 'SICStus Prolog', 'write all_distinct/1').
predicate_of(all_different/2, 'SICStus Prolog', 'write all_different/1').
predicate_of(minimize/2, 'SICStus Prolog', Instead) :- costs(Instead).
predicate_of(maximize/2, 'SICStus Prolog', Instead) :- costs(Instead).
predicate_of(if_/3, 'Scryer Prolog', 'write if-then-else, or #<==> for constraints').
predicate_of(fd_domain/3, 'GNU Prolog', 'write Xs ins L..H').
predicate_of(fd_domain/2, 'GNU Prolog', 'write X in L..H, or X in 1 \\/ 3 for single values').
predicate_of(fd_domain_bool/1, 'GNU Prolog', 'write Xs ins 0..1').
predicate_of(fd_all_different/1, 'GNU Prolog', 'write all_different/1').
predicate_of(fd_labeling/1, 'GNU Prolog', 'write label/1').
predicate_of(fd_labeling/2, 'GNU Prolog', 'write labeling/2, with the options first').
predicate_of(fd_minimize/2, 'GNU Prolog', Instead) :- costs(Instead).
predicate_of(fd_maximize/2, 'GNU Prolog', Instead) :- costs(Instead).
predicate_of(alldifferent/1, 'B-Prolog or ECLiPSe', 'write all_different/1').
predicate_of(alldistinct/1, 'B-Prolog', 'write all_distinct/1').
predicate_of(labeling/1, 'B-Prolog or ECLiPSe', 'write label/1').
predicate_of(labeling_ff/1, 'B-Prolog', 'write labeling([ff], Xs)').
predicate_of(minof/2, 'B-Prolog', Instead) :- costs(Instead).
predicate_of(maxof/2, 'B-Prolog', Instead) :- costs(Instead).
predicate_of((::)/2, 'B-Prolog or ECLiPSe', 'write Xs ins L..H').
predicate_of(lib/1, 'ECLiPSe', 'write :- use_module(library(clpfd))').
predicate_of(search/6, 'ECLiPSe', 'write labeling/2').

costs('define model(Pairs, Cost), where Cost is minimized, or write labeling([min(Cost)], Xs)').
