:- module(pls_attempts,
          [ pls_goal/2,
            pls_inner/2,
            pls_quiet/1,
            pls_search/2, pls_search/3, pls_search/4,
            pls_switched/2, pls_switched/3, pls_switched/4, pls_switched/5,
            pls_switched/6, pls_switched/7, pls_switched/8,
            attempt_best/2, attempt_built/2, attempt_costs/2, attempt_failed/2, attempt_made/2,
            attempt_maker/2, attempt_progress/2, attempt_ran/2, make_attempt/2, told/3, tried/3,
            within_attempt/2
          ]).
:- use_module(current, [current/2, with_current/3]).
:- use_module(instances, [instance_program/2]).
:- use_module(pairs, [normal/2, value/2]).
:- use_module(raised, [has/2]).
:- use_module(wanted, [give/2, give_terms/2, other_key/3, wanted_atoms/2, wanted_instance/2]).
:- use_module(library(apply), [include/3, maplist/2, maplist/3]).
:- use_module(library(clpfd), [fd_size/2, labeling/2]).
:- use_module(library(lists), [member/2, memberchk/2, same_length/2]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(library(record)).
:- use_module(library(when), [when/2]).

/** <module> Attempts with a copy of a program whose goals can be switched off

The copy is that of switched.pl, and calls the predicates here. An attempt is one record. It is passed
along; but the goals of the copy are called by the program, which knows none: so the one global of this
module, pls_attempts, is the attempt that runs in this thread or engine.

A goal that only computes is never switched off: one without a variable of the problem, with at most one
variable, to which it gives no domain. Variables of the problem are known by an attribute, also when the
goal that would have given them a domain is off.
*/

%   What is known before is
%
%     - on
%     the numbers of the constraints that are on, as bits;
%     - static
%     true if goals that only compute are called anyway;
%     - search
%     skipped, if goals that search are not called before the pairs are there, or called;
%     - ignored
%     the number of a goal that succeeds where it fails, or none;
%     - watch
%     what calls a goal that posts no constraint, with the attempt and its number;
%     - wanted
%     the answer that is tried, see wanted.pl;
%     - pairs
%     those of the model, or atoms, if the program has none; while it runs, atoms(Terms) with the terms of
%     its answer.
%
%   While the copy runs, backtracking undoes changes of progress, the number of goals that have succeeded;
%   of quiet, the number of tests around a goal, whose failure is none; and of chain, the numbers of the
%   goals around a goal. It leaves
%
%     - best
%     best(Progress, Number, Chain) of the failure that got furthest;
%     - built
%     the same of a goal that was to build terms of the answer, and built others;
%     - failed
%     the goals that have failed, each with the number of goals around it;
%     - ran
%     the numbers of the constraints that were called, each with its chain;
%     - stage
%     model, or pairs(Keys) when the model has given pairs;
%     - maker
%     the first goal after which the pairs are there, or none;
%     - made
%     made(Keys) of these pairs, or none;
%     - costs
%     those of an answer that is accepted.

:- record attempt(
       on:any= -1, static:any=true, search:any=called, ignored:any=none,
       watch:any=pls_attempts:told, wanted:any, pairs:any,
       progress:any=0, quiet:any=0, chain:any=[],
       best:any=best(-1, none, []), built:any=best(-1, none, []), failed:any=[], ran:any=[],
       stage:any=model, maker:any=none, made:any=none, costs:any=[]).

:- meta_predicate
    within_attempt(+, 0),
    pls_goal(+, 0),
    pls_inner(+, 0),
    pls_quiet(0),
    pls_search(+, 0),
    pls_search(+, 1, ?),
    pls_search(+, 2, ?, ?),
    pls_switched(+, 0),
    pls_switched(+, 1, ?),
    pls_switched(+, 2, ?, ?),
    pls_switched(+, 3, ?, ?, ?),
    pls_switched(+, 4, ?, ?, ?, ?),
    pls_switched(+, 5, ?, ?, ?, ?, ?),
    pls_switched(+, 6, ?, ?, ?, ?, ?, ?).

%!  within_attempt(+Attempt, :Goal) is nondet.
%
%   Runs Goal, which calls the copy.

within_attempt(Attempt, Goal) :-
    with_current(pls_attempts, Attempt, Goal).

                /*******************************
                *      is it an answer?        *
                *******************************/

%!  tried(+Fields, -Outcome, -Attempt) is det.
%
%   Tries whether the copy accepts an answer. Outcome is accepted, refused(Stage), or broken(Error).
%   Stage is model, if the program fails by itself, or pairs(Keys).

tried(Fields, Outcome, Attempt) :-
    copy_term(Fields, Copied),
    make_attempt(Copied, Attempt),
    most_inferences(Attempt, Most),
    catch(call_with_inference_limit(( within_attempt(Attempt, accepts(Attempt))
                                    ->  Found = accepted
                                    ;   Found = refused
                                    ),
                                    Most, Limit),
          error(Error, _), true),
    (   nonvar(Error)
    ->  Outcome = broken(Error)
    ;   Limit == inference_limit_exceeded
    ->  Outcome = broken(inference_limit)
    ;   Found == accepted
    ->  Outcome = accepted
    ;   attempt_stage(Attempt, Stage),
        Outcome = refused(Stage)
    ).

%   With a test that is ignored, many a recursion never ends.

most_inferences(Attempt, Most) :-
    (   attempt_ignored(Attempt, none)
    ->  Most = 20_000_000
    ;   Most = 1_000_000
    ).

accepts(Attempt) :-
    attempt_wanted(Attempt, Wanted),
    wanted_instance(Wanted, Instance),
    instance_program(Instance, Program),
    attempt_pairs(Attempt, Given),
    (   Given == atoms
    ->  wanted_atoms(Wanted, Atoms0),
        msort(Atoms0, Atoms),
        accepts_atoms(Attempt, Program, Atoms, Costs)
    ;   accepts_pairs(Attempt, Program, Given, Costs)
    ),
    nb_set_costs_of_attempt(Costs, Attempt).

accepts_atoms(Attempt, Program, Atoms, Costs) :-
    length(Atoms, Number),
    length(Terms, Number),
    maplist(when_known(Atoms), Terms),
    set_pairs_of_attempt(atoms(Terms), Attempt),
    (   has(Program, answer/1)
    ->  Program:answer(Terms),
        Costs = []
    ;   Program:answer(Terms, Cost),
        costs_list(Cost, Costs)
    ),
    give_late(Attempt, Terms),
    ground(Terms),
    maplist(term_list, Terms, Lists),
    msort(Lists, Atoms),
    !.

accepts_pairs(Attempt, Program, Given, Costs) :-
    call_residue_vars(posted(Program, Given, Costs), Residue),
    maplist(normal, Given, Pairs),
    pairs_keys(Pairs, Keys),
    nb_set_stage_of_attempt(pairs(Keys), Attempt),
    attempt_wanted(Attempt, Wanted),
    maplist(give(Wanted), Pairs),
    \+ other_key(Wanted, Keys, _),
    once(( settled(Residue), maplist(least, Costs) )),
    !.

posted(Program, Pairs, Costs) :-
    (   has(Program, model/2)
    ->  Program:model(Pairs, Cost),
        costs_list(Cost, Costs)
    ;   Program:model(Pairs),
        Costs = []
    ).

costs_list(Cost, Costs) :-
    (   is_list(Cost)
    ->  Costs = Cost
    ;   Costs = [Cost]
    ).

least(Cost) :-
    (   is_bounded(Cost)
    ->  labeling([], [Cost])
    ;   true
    ).

%   A search that is left out, or has no domains, has given no values.

give_late(Attempt, Terms) :-
    attempt_search(Attempt, Search),
    attempt_on(Attempt, On),
    (   Search-On == called-(-1)
    ->  true
    ;   attempt_wanted(Attempt, Wanted),
        give_terms(Wanted, Terms)
    ).

%   A list of as many atoms as the answer has, in any order. A clause that makes atoms of other predicates
%   is not entered.

when_known(Atoms, Term) :-
    when(nonvar(Term), pls_attempts:is_like(Term, Atoms)),
    when(ground(Term), ( pls_attempts:term_list(Term, List), memberchk(List, Atoms) )).

is_like(Term, Atoms) :-
    Term =.. [Name|Arguments],
    member([Name|Values], Atoms),
    same_length(Arguments, Values),
    !.

term_list(Term, [Name|Arguments]) :-
    Term =.. [Name|Arguments0],
    maplist(value, Arguments0, Arguments).

settled(Residue) :-
    include(is_bounded, Residue, Bounded),
    (   Bounded == []
    ->  true
    ;   labeling([ff], Bounded),
        settled(Residue)
    ).

is_bounded(Variable) :-
    attvar(Variable),
    get_attr(Variable, clpfd, _),
    fd_size(Variable, Size),
    integer(Size).

                /*******************************
                *      what the copy calls     *
                *******************************/

running(Attempt) :-
    current(pls_attempts, Attempt).

%   The compiler may turn a constraint into one with more variables, so those of the text are there too, as
%   limits(Variables) if it gives them a domain.

pls_switched(Number/Variables, Goal) :-
    switched(Number, Goal, Variables).
pls_switched(Number, Closure, A) :-
    switched(Number, call(Closure, A), Closure+A).
pls_switched(Number, Closure, A, B) :-
    switched(Number, call(Closure, A, B), Closure+A+B).
pls_switched(Number, Closure, A, B, C) :-
    switched(Number, call(Closure, A, B, C), Closure+A+B+C).
pls_switched(Number, Closure, A, B, C, D) :-
    switched(Number, call(Closure, A, B, C, D), Closure+A+B+C+D).
pls_switched(Number, Closure, A, B, C, D, E) :-
    switched(Number, call(Closure, A, B, C, D, E), Closure+A+B+C+D+E).
pls_switched(Number, Closure, A, B, C, D, E, F) :-
    switched(Number, call(Closure, A, B, C, D, E, F), Closure+A+B+C+D+E+F).

switched(Number, Goal, Term) :-
    running(Attempt),
    attempt_on(Attempt, On),
    (   getbit_of(On, Number)
    ->  ran(Attempt, Number),
        told(Attempt, Number, Goal)
    ;   term_variables(Term, Variables),
        (   attempt_static(Attempt, true),
            only_computes(Variables),
            \+ subsumes_term(limits(_), Term)
        ->  told(Attempt, Number, Goal)
        ;   ran(Attempt, Number),
            maplist(mark, Variables)
        )
    ).

getbit_of(On, Number) :-
    On >> Number /\ 1 =:= 1.

only_computes([]).
only_computes([Variable]) :-
    \+ attvar(Variable).

mark(Variable) :-
    put_attr(Variable, pls_attempts, problem).

attr_unify_hook(_, Other) :-
    (   var(Other)
    ->  mark(Other)
    ;   true
    ).

attribute_goals(_) --> [].

ran(Attempt, Number) :-
    attempt_ran(Attempt, Ran),
    (   memberchk(Number-_, Ran)
    ->  true
    ;   attempt_chain(Attempt, Chain),
        nb_set_ran_of_attempt([Number-Chain|Ran], Attempt)
    ).

%   The first goal after which the pairs are there.

makes_pairs(Attempt, Number) :-
    (   attempt_maker(Attempt, none),
        attempt_pairs(Attempt, Pairs),
        is_list(Pairs)
    ->  nb_set_maker_of_attempt(Number, Attempt),
        (   \+ ( member(Pair, Pairs), \+ has_key(Pair) )
        ->  maplist(normal, Pairs, Normal),
            pairs_keys(Normal, Keys),
            nb_set_made_of_attempt(made(Keys), Attempt)
        ;   true
        )
    ;   true
    ).

pls_goal(Number, Goal) :-
    running(Attempt),
    attempt_chain(Attempt, Chain),
    set_chain_of_attempt([Number|Chain], Attempt),
    attempt_watch(Attempt, Watch),
    call(Watch, Attempt, Number, Goal),
    set_chain_of_attempt(Chain, Attempt).

%!  told(+Attempt, +Number, :Goal) is nondet.
%
%   Calls a goal of the copy, and keeps the failure that got furthest.

told(Attempt, Number, Goal) :-
    (   call(Goal)
    *-> attempt_progress(Attempt, Progress0),
        Progress is Progress0+1,
        set_progress_of_attempt(Progress, Attempt),
        makes_pairs(Attempt, Number)
    ;   failed(Attempt, Number, Goal),
        attempt_ignored(Attempt, Number)
    ).

failed(Attempt, Number, Goal) :-
    attempt_quiet(Attempt, 0),
    noted(Attempt, Number),
    attempt_progress(Attempt, Progress),
    attempt_best(Attempt, best(Best, _, _)),
    attempt_built(Attempt, best(Built, _, _)),
    Progress > min(Best, Built),
    !,
    attempt_chain(Attempt, Chain),
    Failure = best(Progress, Number, Chain),
    (   builds(Attempt, Goal)
    ->  ( Progress > Built -> nb_set_built_of_attempt(Failure, Attempt) ; true )
    ;   ( Progress > Best -> nb_set_best_of_attempt(Failure, Attempt) ; true )
    ).
failed(_, _, _).

%   A term of the answer is unknown before the goal, which has it.

builds(Attempt, Goal) :-
    attempt_pairs(Attempt, Pairs),
    nonvar(Pairs),
    Pairs = atoms(Terms),
    term_variables(Goal, Variables),
    member(Term, Terms),
    var(Term),
    member(Variable, Variables),
    Variable == Term,
    !.

noted(Attempt, Number) :-
    attempt_failed(Attempt, Failed),
    (   memberchk(Number-_, Failed)
    ->  true
    ;   attempt_chain(Attempt, Chain),
        length(Chain, Depth),
        nb_set_failed_of_attempt([Number-Depth|Failed], Attempt)
    ).

%   Whatever is a test fails without being to blame.

pls_quiet(Goal) :-
    running(Attempt),
    attempt_quiet(Attempt, Before),
    Quiet is Before+1,
    set_quiet_of_attempt(Quiet, Attempt),
    call(Goal),
    set_quiet_of_attempt(Before, Attempt).

%   A goal of a test.

pls_inner(_, Goal) :-
    call(Goal).

%   A search begins with the values of the answer, if the pairs are there.

pls_search(_, Goal) :-
    search(Goal).
pls_search(_, Closure, A) :-
    search(call(Closure, A)).
pls_search(_, Closure, A, B) :-
    search(call(Closure, A, B)).

:- meta_predicate search(0).

search(Goal) :-
    running(Attempt),
    attempt_pairs(Attempt, Pairs),
    (   attempt_quiet(Attempt, Quiet),
        Quiet > 0
    ->  call(Goal)
    ;   gives(Pairs, Attempt, Given)
    ->  call(Given),
        labeled(Goal)
    ;   attempt_search(Attempt, skipped)
    ->  true
    ;   subsumes_term(atoms(_), Pairs)
    ->  labeled(Goal)
    ;   call(Goal)
    ).

%   Given gives pairs, or the terms of an answer, their values, as all of them are there.

gives(Pairs, _, _), var(Pairs) =>
    fail.
gives(atoms(Terms), Attempt, Given) =>
    \+ ( member(Term, Terms), var(Term) ),
    attempt_wanted(Attempt, Wanted),
    Given = give_terms(Wanted, Terms).
gives(Pairs, Attempt, Given), Pairs = [_|_] =>
    \+ ( member(Pair, Pairs), \+ has_key(Pair) ),
    maplist(normal, Pairs, Normal),
    attempt_wanted(Attempt, Wanted),
    Given = maplist(give(Wanted), Normal).
gives(_, _, _) =>
    fail.

%   The domain of a variable may be off.

:- meta_predicate labeled(0).

labeled(Goal) :-
    catch(Goal, error(instantiation_error, _), true).

has_key(Pair) :-
    nonvar(Pair),
    normal(Pair, Key-_),
    ground(Key).
