:- module(pls_instances,
          [ answer/2,
            candidates/2,
            confirmed/2,
            costs/3,
            each_pushed/2,
            found/3,
            instance/5, instance_inputs/2, instance_outputs/2, instance_program/2,
            number_of_answers/3,
            rejected/3,
            states_constraints/1,
            stated_pairs/2,
            warm_up/0,
            with_facts/2
          ]).
:- use_module(pairs).
:- use_module(raised).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [exclude/3, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, nth1/3, numlist/3,
                             same_length/2]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(pairs), [pairs_keys/2, pairs_values/2]).
:- use_module(library(solution_sequences), [distinct/2, limit/2]).

/** <module> The answers to an instance of a problem

A program states a problem by one of

  - model(Pairs)
    Posts the constraints. Pairs are a list of Name(Arguments...)-Variable: the pair queen(3)-V, where
    V is 5, is the atom queen(3,5); or of Atom #<==> Variable, where the atom is there if the variable,
    0 or 1, is 1. The search is ours.
  - model(Pairs, Cost)
    The same, and Cost, a variable or a list of them, the most important first, is to be as small as
    possible.
  - answer(Atoms)
    Finds a list of atoms; for a program without constraints.
  - answer(Atoms, Cost)
    The same, and Cost, a number or a list of them, the most important first, is to be as small as
    possible. All solutions are tried. Of a program that has answer/1, it is a predicate of its own.

The facts of an instance are in the module of the program, for this thread alone, so instances can be
asked about at the same time. An instance is one record, which every predicate here passes along.
*/

:- meta_predicate
    each_pushed(+, 1),
    with_facts(+, 0).

:- multifile
    told/2.             % What, Data

%!  told(+What, +Data) is nondet.
%
%   Called with what is known of the best answer before the end of the search. If What is better, Data is
%   an answer; if it is bound, no answer has costs that are less than Data; if it is proved, no answer is
%   better than the last one.

%!  instance(+Program, +Facts, +Outputs, +Search, -Instance) is det.
%
%   Facts are facts(List, Predicates), where some predicates may have none. Of the atoms of an answer,
%   those count whose Name/Arity is in Outputs; all if that is []. Search are options of labeling/2; if
%   that is [], the search is first fail.

instance(Program, Facts, Outputs, Search, instance(Program, Facts, Outputs, Search, _)).

%!  stated_pairs(+Instance, -Pairs) is det.
%
%   Pairs are those of the model, as it gives them; a variable, or a list that is not complete, until it
%   has. A model may search before.

stated_pairs(instance(_, _, _, _, Pairs), Pairs).

%!  instance_program(+Instance, -Program) is det.
%!  instance_inputs(+Instance, -Inputs) is det.
%!  instance_outputs(+Instance, -Outputs) is det.

instance_program(instance(Program, _, _, _, _), Program).

instance_inputs(instance(_, facts(_, Inputs), _, _, _), Inputs).

instance_outputs(instance(_, _, Outputs, _, _), Outputs).

%!  answer(+Instance, -Answer) is nondet.
%
%   Answer is [Costs,Atoms], each once. Costs are [] unless there are some.

answer(Instance, Answer) :-
    with_facts(Instance, each_answer(Instance, Answer)).

%!  each_pushed(+Instance, :Push) is det.
%
%   Calls Push with each answer, once. If each pair of a model distinguishes its answers, these are
%   [0|Values] of its variables, after [1,Keys,Slots]: a key is [0|Start] of an atom whose last argument
%   is the value, or [1|Atom] of one that is there if the value is 1, and a slot is the number, from 0, of
%   the variable, or the value in a list. Other answers are
%   [2,Costs|Numbers] of atoms, after [3,Atom] for each new atom, which have numbers in this order.

each_pushed(Instance, Push) :-
    with_facts(Instance, push_answers(Instance, Push)).

push_answers(Instance, Push) :-
    instance_program(Instance, Program),
    instance_outputs(Instance, Outputs),
    trie_new(Numbers),
    (   states_model(Program)
    ->  trie_new(Seen),
        forall(posted(Instance, Pairs, Residue, Ways),
               (   all_distinguish(Ways, Pairs, Outputs)
               ->  push_values(Instance, Push, Pairs, Residue)
               ;   forall(( found_values(Instance, any, Pairs, Residue),
                            atoms(Pairs, Outputs, Atoms),
                            maplist(atom_number(Numbers, Push), Atoms, List),
                            trie_insert(Seen, List) ),
                          call(Push, [2,[]|List]))
               ))
    ;   \+ has(Program, model/2),
        \+ has(Program, answer/2)
    ->  trie_new(Seen),
        trie_new(Known),
        forall(( run(Program, answer(Atoms)),
                 own_numbers(Instance, Push, Known, Numbers, Atoms, List),
                 trie_insert(Seen, List) ),
               call(Push, [2,[]|List]))
    ;   forall(each_answer(Instance, [Costs,Atoms]),
               ( maplist(atom_number(Numbers, Push), Atoms, List),
                 call(Push, [2,Costs|List]) ))
    ).

%   List are the numbers of the Atoms that are output, in order. Known has those of atoms that have been
%   looked at before, -1 for others.

own_numbers(Instance, Push, Known, Numbers, Atoms, List) :-
    (   is_list(Atoms),
        ground(Atoms)
    ->  true
    ;   must_be_atoms(Instance, Atoms)
    ),
    maplist(own_number(Instance, Push, Known, Numbers, Atoms), Atoms, List0),
    sort(List0, List1),
    (   List1 = [-1|List]
    ->  true
    ;   List = List1
    ).

own_number(Instance, Push, Known, Numbers, Atoms, Atom, Number) :-
    (   trie_lookup(Known, Atom, Number0)
    ->  Number = Number0
    ;   must_be_atoms(Instance, Atoms),
        instance_outputs(Instance, Outputs),
        (   atom_list(Outputs, Atom, List)
        ->  atom_number(Numbers, Push, List, Number)
        ;   Number = -1
        ),
        trie_insert(Known, Atom, Number)
    ).

push_values(Instance, Push, Pairs, Residue) :-
    pairs_values(Pairs, Values),
    term_variables(Values, Variables),
    findall(List, ( member(Key-_, Pairs), pushed_key(Key, List) ), Keys),
    maplist(slot(Variables), Values, Slots),
    call(Push, [1,Keys,Slots]),
    term_variables(Variables-Residue, All),
    append(Variables, Others, All),     % those of the pairs need not be looked at each time
    forall(found_values(Instance, any, Pairs, Others),
           call(Push, [0|Variables])).

pushed_key(Key, List) :-
    (   Key = #<==>(Atom)
    ->  key_list(Atom, Atoms),
        List = [1|Atoms]
    ;   key_list(Key, Start),
        List = [0|Start]
    ).

slot(Variables, Value, Slot) :-
    (   nth0(Slot0, Variables, Variable),
        Variable == Value
    ->  Slot = Slot0
    ;   value(Value, List),
        Slot = [List]
    ).

atom_number(Numbers, Push, Atom, Number) :-
    (   trie_lookup(Numbers, Atom, Number0)
    ->  Number = Number0
    ;   trie_property(Numbers, value_count(Number)),
        trie_insert(Numbers, Atom, Number),
        call(Push, [3,Atom])
    ).

%!  number_of_answers(+Instance, +Limit, -Number) is det.
%
%   Number is that of the answers, or Limit if there are at least that many; no limit if it is negative.

number_of_answers(Instance, Limit, Number) :-
    (   Limit < 0
    ->  Most = infinite
    ;   Most = Limit
    ),
    with_facts(Instance, aggregate_all(count, limit(Most, different_answer(Instance)), Number)).

%   Each answer once.

each_answer(Instance, [[],Atoms]) :-
    instance_program(Instance, Program),
    states_model(Program),
    !,
    different_values(Instance, Pairs, Atoms),
    (   var(Atoms)
    ->  instance_outputs(Instance, Outputs),
        atoms(Pairs, Outputs, Atoms)
    ;   true
    ).
each_answer(Instance, Answer) :-
    distinct(Answer, found(Instance, any, Answer)).

different_answer(Instance) :-
    instance_program(Instance, Program),
    (   states_model(Program)
    ->  different_values(Instance, _, _)
    ;   each_answer(Instance, _)
    ).

%!  states_constraints(+Instance) is semidet.
%
%   True if the program states constraints, and does not search on its own.

states_constraints(Instance) :-
    instance_program(Instance, Program),
    (   has(Program, model/1)
    ->  true
    ;   has(Program, model/2)
    ).

states_model(Program) :-
    has(Program, model/1),
    \+ has(Program, model/2).

%   Pairs have the values of an answer that was not there before. Atoms is a variable if that is known
%   without them; else they are in a table of all answers.

different_values(Instance, Pairs, Atoms) :-
    instance_outputs(Instance, Outputs),
    trie_new(Seen),
    posted(Instance, Pairs, Residue, Ways),
    (   all_distinguish(Ways, Pairs, Outputs)
    ->  found_values(Instance, any, Pairs, Residue)
    ;   found_values(Instance, any, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms),
        trie_insert(Seen, Atoms)
    ).

%   There is no other model, each pair is part of the answer, and no two have the same name.

all_distinguish(one, Pairs, Outputs) :-
    findall(Key, ( member(Pair, Pairs), pair_key(Outputs, Pair, Key) ), Keys0),
    sort(Keys0, Keys),
    same_length(Keys, Pairs).

posted(Instance, Pairs, Residue, Ways) :-
    stated(Instance, model(Given), Residue, Ways),
    must_be_pairs_of(Instance, Given, Pairs).

must_be_pairs_of(instance(Program, _, Outputs, _, _), Given, Pairs) :-
    must_be_pairs(Program, Outputs, Given, Pairs).

%   Ways is one if there is no other model, before or after this one, and several if there may be.

stated(Instance, Model, Residue, Ways) :-
    State = before(none),
    arg(1, Model, Given),
    stated_pairs(Instance, Given),
    instance_program(Instance, Program),
    call_cleanup(call_residue_vars(run(Program, Model), Residue), Last = true),
    (   Last == true,
        arg(1, State, none)
    ->  Ways = one
    ;   Ways = several
    ),
    nb_setarg(1, State, some).

%!  candidates(+Instance, -Atoms) is det.
%
%   Atoms are those of at least one answer; of the best ones, if there are costs. Of a model, a search
%   begins with each value that no answer so far has.

candidates(Instance, Atoms) :-
    trie_new(Seen),
    with_facts(Instance, note_candidates(Instance, Seen)),
    findall(Atom, trie_gen(Seen, Atom, _), Atoms0),
    sort(Atoms0, Atoms).

note_candidates(Instance, Seen) :-
    states_constraints(Instance),
    !,
    forall(posted_best(Instance, Pairs, Residue),
           note_values(Instance, Pairs, Residue, Seen)).
note_candidates(Instance, Seen) :-
    forall(found(Instance, any, [_,Atoms]), note_atoms(Atoms, Seen)).

note_values(Instance, Pairs, Residue, Seen) :-
    instance_outputs(Instance, Outputs),
    (   \+ note_answer(Instance, Pairs, Residue, Seen)
    ->  true
    ;   forall(( member(Key-Value, Pairs), var(Value), indomain(Value),
                 output(Outputs, Key-Value, Atom), \+ trie_lookup(Seen, Atom, _) ),
               ignore(note_answer(Instance, Pairs, Residue, Seen)))
    ).

note_answer(Instance, Pairs, Residue, Seen) :-
    instance_outputs(Instance, Outputs),
    \+ \+ ( found_values(Instance, any, Pairs, Residue),
            atoms(Pairs, Outputs, Atoms),
            note_atoms(Atoms, Seen) ).

note_atoms(Atoms, Seen) :-
    forall(member(Atom, Atoms), ignore(trie_insert(Seen, Atom, true))).

%!  confirmed(+Instance, +Wanted) is semidet.
%
%   True if the atoms Wanted are an answer. Their values are given to the pairs before any search.

confirmed(Instance, Wanted0) :-
    sort(Wanted0, Wanted),
    with_facts(Instance, once(found(Instance, Wanted, [_,Wanted]))).

%!  rejected(+Instance, +Wanted, -Numbers) is det.
%
%   Wanted is a list of lists of atoms. Numbers are the places, from 0, of those that a program of
%   constraints rejects. The model is posted once for all of them, and its least costs are found once.

rejected(Instance, Wanted, Numbers) :-
    findall(Number-Atoms, ( nth0(Number, Wanted, Atoms0), sort(Atoms0, Atoms) ), Open),
    State = state(Open),
    with_facts(Instance,
               ignore(( posted_best(Instance, Pairs, Residue),
                        arg(1, State, Open0),
                        exclude(is_answer(Instance, Pairs, Residue), Open0, Open1),
                        nb_setarg(1, State, Open1),
                        Open1 == [] ))),
    arg(1, State, Rest),
    pairs_keys(Rest, Numbers).

%!  costs(+Instance, +Wanted, -Costs) is det.
%
%   Costs has for each list of atoms in Wanted [Least], the least costs at which these are an answer,
%   whether or not others cost less, or [] if they are none.

costs(Instance, Wanted, Costs) :-
    with_facts(Instance, maplist(least_costs(Instance), Wanted, Costs)).

least_costs(Instance, Atoms0, Least) :-
    sort(Atoms0, Atoms),
    findall(Costs, costs_of(Instance, Atoms, Costs), All),
    (   msort(All, [First|_])
    ->  Least = [First]
    ;   Least = []
    ).

%   Costs are the least of one model, and there may be several.

costs_of(Instance, Atoms, Costs) :-
    Instance = instance(Program, _, Outputs, _, _),
    has(Program, model/2),
    !,
    costed(Instance, Pairs, Costs, Residue, _),
    once(( given(atoms(Outputs, Atoms), Pairs),
           maplist(least, Costs),
           found_values(Instance, any, Pairs, Residue),
           atoms(Pairs, Outputs, Atoms) )).
costs_of(Instance, Atoms, Costs) :-
    once(found(Instance, Atoms, [Costs,Atoms])).

is_answer(Instance, Pairs, Residue, _-Wanted) :-
    instance_outputs(Instance, Outputs),
    \+ \+ ( found_values(Instance, atoms(Outputs, Wanted), Pairs, Residue),
            atoms(Pairs, Outputs, Wanted) ).

%!  found(+Instance, +Known, -Answer) is nondet.
%
%   As answer/2, while the facts are there. Known is any, or a list of atoms, whose values are given to
%   the pairs of a model before the search. Some answers may come several times.

found(Instance, Known, Answer) :-
    Instance = instance(Program, _, Outputs, _, _),
    (   Known == any
    ->  Given = any
    ;   Given = atoms(Outputs, Known)
    ),
    (   has(Program, model/2)
    ->  best(Instance, Given, Answer)
    ;   has(Program, model/1)
    ->  Answer = [[],Atoms],
        posted(Instance, Pairs, Residue, _),
        found_values(Instance, Given, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms)
    ;   must_search_itself(Instance),
        own_answer(Instance, Answer)
    ).

own_answer(Instance, Answer) :-
    instance_program(Instance, Program),
    (   has(Program, answer/1)
    ->  Answer = [[],Lists],
        run(Program, answer(Atoms)),
        lists(Instance, Atoms, Lists)
    ;   cheapest(Instance, Answer)
    ).

lists(Instance, Atoms, Lists) :-
    must_be_atoms(Instance, Atoms),
    instance_outputs(Instance, Outputs),
    findall(List, ( member(Atom, Atoms), atom_list(Outputs, Atom, List) ), Lists0),
    sort(Lists0, Lists).

%   The first of the best answers comes first. All of them are kept until it is known that none is better.

cheapest(Instance, [Least,Lists]) :-
    instance_program(Instance, Program),
    Best = best(none, none),
    forall(( run(Program, answer(Atoms, Cost)),
             cost_list(Program, Cost, Costs),
             lists(Instance, Atoms, Found) ),
           keep(Best, Costs, Found)),
    tell(proved, []),
    Best = best(Least, Kept),
    Least \== none,
    findall(Number-Found, trie_gen(Kept, Found, Number), Numbered),
    keysort(Numbered, Sorted),
    member(_-Lists, Sorted).

keep(Best, Costs, Lists) :-
    Best = best(Least, _),
    (   ( Least == none ; Costs @< Least )
    ->  trie_new(New),
        nb_setarg(1, Best, Costs),
        nb_setarg(2, Best, New),
        tell(better, [Costs,Lists])
    ;   true
    ),
    (   arg(1, Best, Costs),
        arg(2, Best, Kept),
        \+ trie_lookup(Kept, Lists, _)
    ->  trie_property(Kept, value_count(Number)),
        trie_insert(Kept, Lists, Number)
    ;   true
    ).

cost_list(Program, Cost, Costs) :-
    (   is_list(Cost)
    ->  Costs = Cost
    ;   Costs = [Cost]
    ),
    (   Costs = [_|_],
        maplist(integer, Costs)
    ->  true
    ;   wrong_answer(Program, cost, "gives ~p as cost"-[Cost],
                     "expected an integer, or a list of them")
    ).

%!  warm_up is det.
%
%   Lets Prolog make the indexes of library(clpfd) that most models need: they belong to the process
%   that first calls its predicates, and each question of a foreign program has a new one.

warm_up :-
    forall(( length(Xs, 4), Xs ins 1..4, all_distinct(Xs), all_different(Xs), chain(Xs, #=<),
             Xs = [X,Y,Z,W], X #\= Y + 1, X #< Z, B #<==> (X + 2*Y #= Z), sum(Xs, #=, S),
             S #> 0, W #>= 1, abs(X-Y) #\= 3, element(X, Xs, _), tuples_in([[X,Y]], [[1,2],[1,3]]),
             global_cardinality(Xs, [1-_,2-_,3-_,4-_]), term_variables(B-Xs, Variables),
             labeling([ff], Variables), labeling([min(X)], Variables) ),
           true).

must_search_itself(instance(Program, _, _, Search, _)) :-
    (   Search = [_|_]
    ->  atomic_list_concat(Search, ', ', Text),
        wrong_answer(Program, own_search, "searches on its own, and ~w is a search for model/1"-[Text],
                     "leave it out")
    ;   true
    ).

                /*******************************
                *            facts             *
                *******************************/

%!  with_facts(+Instance, :Goal) is nondet.
%
%   Runs Goal while the facts of an instance are there.

with_facts(instance(Program, facts(Facts, Inputs), _, _, _), Goal) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        Goal,
        retract_facts(Program, Facts)).

assert_facts(Program, Facts, Inputs) :-
    with_mutex(pls_own, maplist(declare(Program, Facts), Inputs)),
    forall(member(Fact, Facts), assertz(Program:Fact)).

retract_facts(Program, Facts) :-
    forall(member(Fact, Facts), retractall(Program:Fact)).

%   An input predicate without facts fails. A program may define one that the instance leaves out.

declare(Program, Facts, Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(Program:Head, thread_local)
    ->  true
    ;   owner(Program, Head, Owner)
    ->  (   memberchk(Head, Facts)
        ->  must_not_define(Owner, Program, Head, Name/Arity)
        ;   true
        )
    ;   Program:thread_local(Name/Arity)
    ).

%   Owner has clauses for Head that are no facts of an instance. Of libraries, those count that the
%   program uses: it would lose them.

owner(_, Head, system) :-
    '$c_current_predicate'(_, system:Head),
    !.
owner(Program, Head, Owner) :-
    '$c_current_predicate'(_, Program:Head),
    (   predicate_property(Program:Head, imported_from(Owner0))
    ->  Owner = Owner0
    ;   predicate_property(Program:Head, number_of_clauses(Number)),
        Number > 0,
        Owner = Program
    ).

must_not_define(Program, Program, Head, Predicate) :-
    !,
    has_place(Program, Head, Place),
    wrong(Program, Place, defined_here,
          "~w is defined here, and the instance has facts of it"-[Predicate],
          "remove one of them, or give one another name").
must_not_define(Owner, Program, _, Predicate) :-
    (   Owner == system
    ->  Whose = 'Prolog'
    ;   Whose = library(Owner)
    ),
    wrong(Program, none, not_free,
          "~w belongs to ~w, and the instance has facts of it"-[Predicate,Whose],
          "give them another name").

                /*******************************
                *          the model           *
                *******************************/

%   Values for the variables of Pairs: first fail. The rest of the constraints must hold for some
%   values of the other variables, which are no part of the answer.

found_values(instance(Program, _, _, Search, _), Given, Pairs, Residue) :-
    given(Given, Pairs),
    maplist(must_be_bounded(Program), Pairs),
    pairs_values(Pairs, Values),
    term_variables(Values, Variables),
    labeled(Search, Variables),
    once(settled(Program, Residue)).

labeled(Search, Variables) :-
    (   Search = [_|_]
    ->  labeling(Search, Variables)
    ;   labeling([ff], Variables)
    ).

given(any, _).
given(atoms(Outputs, Lists), Pairs) :-
    maplist(give(Lists, Outputs), Pairs).

give(Lists, Outputs, #<==>(Atom)-Variable) :-
    !,
    (   var(Variable),
        signature(#<==>(Atom)-Variable, Predicate),
        is_output(Outputs, Predicate)
    ->  key_list(Atom, List),
        (   member(Given, Lists),
            same_list(List, Given)
        ->  Variable = 1
        ;   Variable = 0
        )
    ;   true
    ).
give(Lists, Outputs, Key-Variable) :-
    (   var(Variable),
        signature(Key-Variable, Predicate),
        is_output(Outputs, Predicate)
    ->  key_list(Key, Start),
        append(Start, [Value], List),
        findall(Value,
                ( member(Given, Lists), same_list(List, Given), integer(Value) ),
                Values),
        among(Variable, Values)
    ;   true
    ).

%   Several pairs may have one name. Without a value, some variable of the answer would have none.

among(Variable, [Value]) :-
    !,
    Variable = Value.
among(Variable, Values) :-
    list_to_fdset(Values, Set),
    Variable in_set Set.

%   Python's texts are strings, and a name may be one or an atom.

same_list([Name0|List], [Name|List]) :-
    atom_string(Name0, Name).

must_be_bounded(Program, Key-Value) :-
    (   var(Value),
        \+ is_bounded(Value)
    ->  wrong_model(Program, no_domain, "gives the variable of ~p no finite domain"-[Key],
                    "write one, such as V in 1..9")
    ;   true
    ).

settled(Program, Residue) :-
    include(waits, Residue, Open),
    maplist(boolean, Open),
    partition(is_bounded, Open, Bounded, Others),
    (   Bounded = [_|_]
    ->  labeling([ff], Bounded),
        settled(Program, Others)
    ;   Others == []
    ->  true
    ;   wrong_model(Program, no_domain,
                    "has a variable that is in no pair and has no finite domain, so it is not known \c
                     whether its constraints can be met"-[],
                    "give it one")
    ).

%   Constraints of clpfd note things at variables of their own, which are none of the program's.

waits(Variable) :-
    attvar(Variable),
    copy_term(Variable, Variable, Goals),
    member(Goal, Goals),
    Goal \= put_attr(_, _, _),
    !.

is_bounded(Variable) :-
    fd_size(Variable, Size),
    integer(Size).

atoms(Pairs, Outputs, Atoms) :-
    findall(Atom, ( member(Pair, Pairs), output(Outputs, Pair, Atom) ), Atoms0),
    sort(Atoms0, Atoms).

                /*******************************
                *          the best            *
                *******************************/

%   The best answer is kept when it is found: it is the first one, and others as good follow.
%
%   If the program can state its model in one way only, what is posted for the best one serves for the
%   others. If it has choices of its own, all of them are tried for the best one, and once more.

best(Instance, Given, Answer) :-
    instance_outputs(Instance, Outputs),
    optimum(Instance, First, Ways, Pairs, Residue),
    (   Answer = First
    ;   First = [Costs,_],
        at_costs(Ways, Instance, Costs, Pairs, Residue),
        found_values(Instance, Given, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms),
        Answer = [Costs,Atoms]
    ).

%   First is the first of the best answers. If there is one way only, Pairs are those of what is posted, at
%   the least costs.

optimum(Instance, First, Ways, Pairs, Residue) :-
    Best = best(none),
    (   costed(Instance, Pairs, Costs, Residue, Ways),
        tell_bound(Ways, Costs),
        improve(Best, Instance, found(Pairs, Residue, Costs)),
        Ways == one
    ->  true
    ;   arg(1, Best, [_|_])
    ),
    tell(proved, []),
    arg(1, Best, First).

at_costs(Ways, Instance, Costs, Pairs, Residue) :-
    (   Ways == one
    ->  true
    ;   costed(Instance, Pairs, Costs0, Residue, _),
        Costs0 = Costs
    ).

%   Pairs are those of a model as it is posted; those of a model/2 at the least costs.

posted_best(Instance, Pairs, Residue) :-
    instance_program(Instance, Program),
    (   has(Program, model/2)
    ->  optimum(Instance, [Costs,_], Ways, Pairs, Residue),
        at_costs(Ways, Instance, Costs, Pairs, Residue)
    ;   posted(Instance, Pairs, Residue, _)
    ).

costed(Instance, Pairs, Costs, Residue, Ways) :-
    stated(Instance, model(Given, Cost), Residue, Ways),
    must_be_pairs_of(Instance, Given, Pairs),
    instance_program(Instance, Program),
    maplist(must_be_bounded(Program), Pairs),
    (   is_list(Cost)
    ->  Costs = Cost
    ;   Costs = [Cost]
    ),
    must_be_costs(Program, Costs).

must_be_costs(Program, Costs) :-
    (   Costs = [_|_],
        \+ ( member(Cost, Costs), \+ integer(Cost), \+ attvar(Cost) )
    ->  true
    ;   wrong_model(Program, cost, "gives ~p as cost"-[Costs],
                    "expected a variable with constraints, or a list of such")
    ).

%   Best is the best answer of this model, unless it is better already.

improve(Best, Instance, Found) :-
    Found = found(_, _, Costs),
    (   arg(1, Best, none)
    ->  better(Best, Instance, Found, 1, none)
    ;   true
    ),
    length(Costs, Number),
    numlist(1, Number, Places),
    maplist(smallest(Best, Instance, Found), Places).

%   The cost at this Place is as small as it can be.

smallest(Best, Instance, Found, Place) :-
    cost_of(Best, Place, Least),
    (   better(Best, Instance, Found, Place, Least)
    ->  smallest(Best, Instance, Found, Place)
    ;   Found = found(_, _, Costs),
        nth1(Place, Costs, Least)
    ).

cost_of(Best, Place, Cost) :-
    arg(1, Best, [Costs,_]),
    nth1(Place, Costs, Cost).

%   True if there is an answer whose cost at Place is less than Least, which is then kept.

better(Best, instance(Program, _, Outputs, Search, _), found(Pairs, Residue, Costs), Place, Least) :-
    nth1(Place, Costs, Cost),
    \+ \+ ( less(Cost, Least),
            pairs_values(Pairs, Values),
            term_variables(Values, Variables),
            labeled(Search, Variables),
            once(( all_least(Program, Costs), settled(Program, Residue) )),
            atoms(Pairs, Outputs, Atoms),
            nb_setarg(1, Best, [Costs,Atoms]),
            tell(better, [Costs,Atoms]) ).

all_least(Program, Costs) :-
    (   nth1(Place, Costs, Cost),
        var(Cost),
        \+ is_bounded(Cost)
    ->  which_cost(Costs, Place, Which),
        wrong_model(Program, no_bound, "gives ~s without bounds"-[Which],
                    "give it both, such as Cost in 0..100")
    ;   maplist(least, Costs)
    ).

which_cost([_], _, "a cost") :- !.
which_cost(Costs, Place, Which) :-
    length(Costs, Number),
    format(string(Which), "cost ~d of ~d", [Place,Number]).

less(_, none) :- !.
less(Cost, Least) :-
    Cost #< Least.

least(Cost) :-
    labeling([], [Cost]).

%   Whoever waits for the best answer hears of each that is better than those before it: time may run
%   out before it is known that there is none better. The bounds of the costs of the only model are
%   bounds of every answer.

tell(What, Data) :-
    (   told(What, Data),
        fail
    ;   true
    ).

tell_bound(Ways, Costs) :-
    (   Ways == one,
        maplist(fd_inf, Costs, Bounds),
        maplist(integer, Bounds)
    ->  tell(bound, Bounds)
    ;   true
    ).

                /*******************************
                *            atoms             *
                *******************************/

must_be_atoms(Instance, Atoms) :-
    instance_program(Instance, Program),
    (   is_list(Atoms),
        ground(Atoms),
        \+ ( member(Atom, Atoms), \+ ( callable(Atom), \+ is_list(Atom) ) )
    ->  true
    ;   wrong_answer(Program, not_atoms, "gives ~p instead of a list of atoms without variables"-[Atoms],
                     "write each as a term, such as queen(1,5)")
    ),
    forall(( member(Atom, Atoms), Atom =.. [_|Arguments], member(Argument, Arguments),
             too_deep(Argument) ),
           wrong_answer(Program, too_deep, "gives an atom in which a term is nested more than 100 deep"-[],
                        "")),
    forall(( member(Atom, Atoms), Atom =.. [_|Arguments], member(Argument, Arguments),
             no_value(Argument, Part) ),
           wrong_answer(Program, no_value, "gives ~p, where ~p cannot be part of an atom"-[Atom, Part],
                        "expected an integer, a name, a text or a term")).
