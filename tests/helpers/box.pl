% Answers of a program of the box, one a line, for the tests.
%
%   swipl tests/helpers/box.pl -- PROGRAM [size/1,...] INSTANCE
%
% The list names the predicates of an instance, which fail if it has no facts of them.

:- module(box, []).
:- use_module(library(clpfd)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- initialization(main, main).

main :-
    current_prolog_flag(argv, [Program, Input|Files]),
    term_to_atom(Predicates, Input),
    consult(user:Program),
    forall(member(Name, Predicates), dynamic(user:Name)),
    forall(member(File, Files), read_facts(File)),
    (   current_predicate(user:answer/1)
    ->  forall(user:answer(Atoms), show(Atoms))
    ;   current_predicate(user:model/2)
    ->  (   once(cheapest(Cost))
        ->  format("cost ~d~n", [Cost]),
            forall(labeled(Cost, Pairs), show_pairs(Pairs))
        ;   true
        )
    ;   forall(labeled(Pairs), show_pairs(Pairs))
    ).

read_facts(File) :-
    setup_call_cleanup(open(File, read, In), read_facts_from(In), close(In)).

read_facts_from(In) :-
    repeat,
    read_term(In, Fact, []),
    (   Fact == end_of_file -> ! ; assertz(user:Fact), fail ).

cheapest(Cost) :-
    user:model(Pairs, Cost),
    pairs_values(Pairs, Values),
    labeling([ff, min(Cost)], Values).

labeled(Cost, Pairs) :-
    user:model(Pairs, Cost),
    pairs_values(Pairs, Values),
    labeling([ff], Values).

labeled(Pairs) :-
    user:model(Pairs),
    pairs_values(Pairs, Values),
    labeling([ff], Values).

show_pairs(Pairs) :-
    maplist(pair_atom, Pairs, Atoms),
    show(Atoms).

pair_atom(Term-Value, Atom) :-
    Term =.. List,
    append(List, [Value], Longer),
    Atom =.. Longer.

show(Atoms) :-
    write(answer),
    forall(member(Atom, Atoms), (write(' '), writeq(Atom))),
    nl.
