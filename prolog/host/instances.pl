:- module(pls_instances,
          [ answer/5,
            assert_facts/3,
            candidates/4,
            confirmed/4,
            costs/5,
            each_pushed/3,
            found/5,
            number_of_answers/5,
            rejected/5,
            retract_facts/2,
            states_constraints/1,
            warm_up/0
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
asked about at the same time.
*/

%!  answer(+Program, +Facts, +Outputs, -Pairs, -Answer) is nondet.
%
%   Answer is [Costs,Atoms] for an answer to an instance with Facts, each once. Costs are [] unless
%   there are some. Of the atoms, those count whose Name/Arity is in Outputs; all if that is []. Pairs
%   are those of the model.

answer(Program, facts(Facts, Inputs), Outputs, Pairs, Answer) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        each_answer(Program, Outputs, Pairs, Answer),
        retract_facts(Program, Facts)).

%!  each_pushed(+Program, +Facts, +Outputs) is det.
%
%   Hands each answer to Python, once. If each pair of a model distinguishes its answers, these are
%   [0|Values] of its variables, after [1,Keys,Slots]: a key is [0|Start] of an atom whose last argument
%   is the value, or [1|Atom] of one that is there if the value is 1, and a slot is the number, from 0, of
%   the variable, or the value in a list. Other answers are
%   [2,Costs|Numbers] of atoms, after [3,Atom] for each new atom, which have numbers in this order.

each_pushed(Program, facts(Facts, Inputs), Outputs) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        push_answers(Program, Outputs),
        retract_facts(Program, Facts)).

push_answers(Program, Outputs) :-
    trie_new(Numbers),
    (   states_model(Program)
    ->  trie_new(Seen),
        forall(posted(Program, Outputs, Pairs, Residue, Ways),
               (   all_distinguish(Ways, Pairs, Outputs)
               ->  push_values(Program, Pairs, Residue)
               ;   forall(( found_values(Program, any, Pairs, Residue),
                            atoms(Pairs, Outputs, Atoms),
                            maplist(atom_number(Numbers), Atoms, List),
                            trie_insert(Seen, List) ),
                          pls_bridge:pushed([2,[]|List]))
               ))
    ;   \+ has(Program, model/2),
        \+ has(Program, answer/2)
    ->  trie_new(Seen),
        trie_new(Known),
        forall(( run(Program, answer(Atoms)),
                 own_numbers(Program, Outputs, Known, Numbers, Atoms, List),
                 trie_insert(Seen, List) ),
               pls_bridge:pushed([2,[]|List]))
    ;   forall(each_answer(Program, Outputs, _, [Costs,Atoms]),
               ( maplist(atom_number(Numbers), Atoms, List),
                 pls_bridge:pushed([2,Costs|List]) ))
    ).

%   List are the numbers of the Atoms that are output, in order. Known has those of atoms that have been
%   looked at before, -1 for others.

own_numbers(Program, Outputs, Known, Numbers, Atoms, List) :-
    (   is_list(Atoms),
        ground(Atoms)
    ->  true
    ;   must_be_atoms(Program, Atoms)
    ),
    maplist(own_number(Program, Outputs, Known, Numbers, Atoms), Atoms, List0),
    sort(List0, List1),
    (   List1 = [-1|List]
    ->  true
    ;   List = List1
    ).

own_number(Program, Outputs, Known, Numbers, Atoms, Atom, Number) :-
    (   trie_lookup(Known, Atom, Number0)
    ->  Number = Number0
    ;   must_be_atoms(Program, Atoms),
        (   atom_list(Outputs, Atom, List)
        ->  atom_number(Numbers, List, Number)
        ;   Number = -1
        ),
        trie_insert(Known, Atom, Number)
    ).

push_values(Program, Pairs, Residue) :-
    pairs_values(Pairs, Values),
    term_variables(Values, Variables),
    findall(List, ( member(Key-_, Pairs), pushed_key(Key, List) ), Keys),
    maplist(slot(Variables), Values, Slots),
    pls_bridge:pushed([1,Keys,Slots]),
    term_variables(Variables-Residue, All),
    append(Variables, Others, All),     % those of the pairs need not be looked at each time
    forall(found_values(Program, any, Pairs, Others),
           pls_bridge:pushed([0|Variables])).

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

atom_number(Numbers, Atom, Number) :-
    (   trie_lookup(Numbers, Atom, Number0)
    ->  Number = Number0
    ;   trie_property(Numbers, value_count(Number)),
        trie_insert(Numbers, Atom, Number),
        pls_bridge:pushed([3,Atom])
    ).

%!  number_of_answers(+Program, +Facts, +Outputs, +Limit, -Number) is det.
%
%   Number is that of the answers, or Limit if there are at least that many; no limit if it is negative.

number_of_answers(Program, facts(Facts, Inputs), Outputs, Limit, Number) :-
    (   Limit < 0
    ->  Most = infinite
    ;   Most = Limit
    ),
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        aggregate_all(count, limit(Most, different_answer(Program, Outputs)), Number),
        retract_facts(Program, Facts)).

%   Each answer once.

each_answer(Program, Outputs, Pairs, [[],Atoms]) :-
    states_model(Program),
    !,
    different_values(Program, Outputs, Pairs, Atoms),
    (   var(Atoms)
    ->  atoms(Pairs, Outputs, Atoms)
    ;   true
    ).
each_answer(Program, Outputs, Pairs, Answer) :-
    distinct(Answer, found(Program, Outputs, any, Pairs, Answer)).

different_answer(Program, Outputs) :-
    (   states_model(Program)
    ->  different_values(Program, Outputs, _, _)
    ;   each_answer(Program, Outputs, _, _)
    ).

states_constraints(Program) :-
    (   has(Program, model/1)
    ->  true
    ;   has(Program, model/2)
    ).

states_model(Program) :-
    has(Program, model/1),
    \+ has(Program, model/2).

%   Pairs have the values of an answer that was not there before. Atoms is a variable if that is known
%   without them; else they are in a table of all answers.

different_values(Program, Outputs, Pairs, Atoms) :-
    trie_new(Seen),
    posted(Program, Outputs, Pairs, Residue, Ways),
    (   all_distinguish(Ways, Pairs, Outputs)
    ->  found_values(Program, any, Pairs, Residue)
    ;   found_values(Program, any, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms),
        trie_insert(Seen, Atoms)
    ).

%   There is no other model, each pair is part of the answer, and no two have the same name.

all_distinguish(one, Pairs, Outputs) :-
    findall(Key, ( member(Pair, Pairs), pair_key(Outputs, Pair, Key) ), Keys0),
    sort(Keys0, Keys),
    same_length(Keys, Pairs).

posted(Program, Outputs, Pairs, Residue, Ways) :-
    stated(Program, model(Given), Residue, Ways),
    must_be_pairs(Program, Outputs, Given, Pairs).

%   Ways is one if there is no other model, before or after this one, and several if there may be.

stated(Program, Model, Residue, Ways) :-
    State = before(none),
    arg(1, Model, Given),
    b_setval(pls_pairs, given(Given)),       % a model may search before it is stated
    call_cleanup(call_residue_vars(run(Program, Model), Residue), Last = true),
    (   Last == true,
        arg(1, State, none)
    ->  Ways = one
    ;   Ways = several
    ),
    nb_setarg(1, State, some).

%!  candidates(+Program, +Facts, +Outputs, -Atoms) is det.
%
%   Atoms are those of at least one answer; of the best ones, if there are costs. Of a model, a search
%   begins with each value that no answer so far has.

candidates(Program, facts(Facts, Inputs), Outputs, Atoms) :-
    trie_new(Seen),
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        note_candidates(Program, Outputs, Seen),
        retract_facts(Program, Facts)),
    findall(Atom, trie_gen(Seen, Atom, _), Atoms0),
    sort(Atoms0, Atoms).

note_candidates(Program, Outputs, Seen) :-
    states_constraints(Program),
    !,
    forall(posted_best(Program, Outputs, Pairs, Residue),
           note_values(Program, Outputs, Pairs, Residue, Seen)).
note_candidates(Program, Outputs, Seen) :-
    forall(found(Program, Outputs, any, _, [_,Atoms]), note_atoms(Atoms, Seen)).

note_values(Program, Outputs, Pairs, Residue, Seen) :-
    (   \+ note_answer(Program, Outputs, Pairs, Residue, Seen)
    ->  true
    ;   forall(( member(Key-Value, Pairs), var(Value), indomain(Value),
                 output(Outputs, Key-Value, Atom), \+ trie_lookup(Seen, Atom, _) ),
               ignore(note_answer(Program, Outputs, Pairs, Residue, Seen)))
    ).

note_answer(Program, Outputs, Pairs, Residue, Seen) :-
    \+ \+ ( found_values(Program, any, Pairs, Residue),
            atoms(Pairs, Outputs, Atoms),
            note_atoms(Atoms, Seen) ).

note_atoms(Atoms, Seen) :-
    forall(member(Atom, Atoms), ignore(trie_insert(Seen, Atom, true))).

%!  confirmed(+Program, +Facts, +Outputs, +Wanted) is semidet.
%
%   True if the atoms Wanted are an answer. Their values are given to the pairs before any search.

confirmed(Program, facts(Facts, Inputs), Outputs, Wanted0) :-
    sort(Wanted0, Wanted),
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        once(found(Program, Outputs, atoms(Outputs, Wanted), _, [_,Wanted])),
        retract_facts(Program, Facts)).

%!  rejected(+Program, +Facts, +Outputs, +Wanted, -Numbers) is det.
%
%   Wanted is a list of lists of atoms. Numbers are the places, from 0, of those that a program of
%   constraints rejects. The model is posted once for all of them, and its least costs are found once.

rejected(Program, facts(Facts, Inputs), Outputs, Wanted, Numbers) :-
    findall(Number-Atoms, ( nth0(Number, Wanted, Atoms0), sort(Atoms0, Atoms) ), Open),
    State = state(Open),
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        ignore(( posted_best(Program, Outputs, Pairs, Residue),
                 arg(1, State, Open0),
                 exclude(is_answer(Program, Outputs, Pairs, Residue), Open0, Open1),
                 nb_setarg(1, State, Open1),
                 Open1 == [] )),
        retract_facts(Program, Facts)),
    arg(1, State, Rest),
    pairs_keys(Rest, Numbers).

%!  costs(+Program, +Facts, +Outputs, +Wanted, -Costs) is det.
%
%   Costs has for each list of atoms in Wanted [Least], the least costs at which these are an answer,
%   whether or not others cost less, or [] if they are none.

costs(Program, facts(Facts, Inputs), Outputs, Wanted, Costs) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        maplist(least_costs(Program, Outputs), Wanted, Costs),
        retract_facts(Program, Facts)).

least_costs(Program, Outputs, Atoms0, Least) :-
    sort(Atoms0, Atoms),
    findall(Costs, costs_of(Program, Outputs, Atoms, Costs), All),
    (   msort(All, [First|_])
    ->  Least = [First]
    ;   Least = []
    ).

%   Costs are the least of one model, and there may be several.

costs_of(Program, Outputs, Atoms, Costs) :-
    has(Program, model/2),
    !,
    costed(Program, Outputs, Pairs, Costs, Residue, _),
    once(( given(atoms(Outputs, Atoms), Pairs),
           maplist(least, Costs),
           found_values(Program, any, Pairs, Residue),
           atoms(Pairs, Outputs, Atoms) )).
costs_of(Program, Outputs, Atoms, Costs) :-
    once(found(Program, Outputs, atoms(Outputs, Atoms), _, [Costs,Atoms])).

is_answer(Program, Outputs, Pairs, Residue, _-Wanted) :-
    \+ \+ ( found_values(Program, atoms(Outputs, Wanted), Pairs, Residue),
            atoms(Pairs, Outputs, Wanted) ).

%   Given says which values are known before the search: none, if it is any, or those of
%   atoms(Outputs, Lists).

found(Program, Outputs, Given, Pairs, Answer) :-
    has(Program, model/2),
    !,
    best(Program, Outputs, Given, Pairs, Answer).
found(Program, Outputs, Given, Pairs, [[],Atoms]) :-
    has(Program, model/1),
    !,
    posted(Program, Outputs, Pairs, Residue, _),
    found_values(Program, Given, Pairs, Residue),
    atoms(Pairs, Outputs, Atoms).
found(Program, Outputs, _, _, Answer) :-
    must_not_be_watched(Program),
    must_search_itself(Program),
    (   has(Program, answer/1)
    ->  Answer = [[],Lists],
        run(Program, answer(Atoms)),
        lists(Program, Outputs, Atoms, Lists)
    ;   cheapest(Program, Outputs, Answer)
    ).

lists(Program, Outputs, Atoms, Lists) :-
    must_be_atoms(Program, Atoms),
    findall(List, ( member(Atom, Atoms), atom_list(Outputs, Atom, List) ), Lists0),
    sort(Lists0, Lists).

%   The first of the best answers comes first. All of them are kept until it is known that none is better.

cheapest(Program, Outputs, [Least,Lists]) :-
    Best = best(none, none),
    forall(( run(Program, answer(Atoms, Cost)),
             costs(Program, Cost, Costs),
             lists(Program, Outputs, Atoms, Found) ),
           keep(Best, Costs, Found)),
    improved(proved, []),
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
        tell([Costs,Lists])
    ;   true
    ),
    (   arg(1, Best, Costs),
        arg(2, Best, Kept),
        \+ trie_lookup(Kept, Lists, _)
    ->  trie_property(Kept, value_count(Number)),
        trie_insert(Kept, Lists, Number)
    ;   true
    ).

costs(Program, Cost, Costs) :-
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

must_not_be_watched(Program) :-
    (   nb_current(pls_watch, How),
        memberchk(How, [yield,left(_)])
    ->  wrong_answer(Program, own_search, "searches on its own, which cannot be watched"-[],
                     "ask a program with model/1")
    ;   true
    ).

must_search_itself(Program) :-
    (   chosen_search(Options)
    ->  atomic_list_concat(Options, ', ', Text),
        wrong_answer(Program, own_search, "searches on its own, and ~w is a search for model/1"-[Text],
                     "leave it out")
    ;   true
    ).

                /*******************************
                *            facts             *
                *******************************/

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

found_values(Program, Given, Pairs, Residue) :-
    given(Given, Pairs),
    maplist(must_be_bounded(Program), Pairs),
    pairs_values(Pairs, Values),
    term_variables(Values, Variables),
    labeled(Variables),
    once(settled(Program, Residue)).

%   The search is first fail, unless somebody has chosen another one.

labeled(Variables) :-
    (   chosen_search(Options)
    ->  labeling(Options, Variables)
    ;   labeling([ff], Variables)
    ).

chosen_search(Options) :-
    nb_current(pls_labeling, Options),
    Options = [_|_].

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

best(Program, Outputs, Given, Pairs, Answer) :-
    optimum(Program, Outputs, First, Ways, Pairs, Residue),
    (   Answer = First
    ;   First = [Costs,_],
        at_costs(Ways, Program, Outputs, Costs, Pairs, Residue),
        found_values(Program, Given, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms),
        Answer = [Costs,Atoms]
    ).

%   First is the first of the best answers. If there is one way only, Pairs are those of what is posted, at
%   the least costs.

optimum(Program, Outputs, First, Ways, Pairs, Residue) :-
    Best = best(none),
    (   costed(Program, Outputs, Pairs, Costs, Residue, Ways),
        tell_bound(Ways, Costs),
        improve(Best, Program, found(Pairs, Residue, Outputs, Costs)),
        Ways == one
    ->  true
    ;   arg(1, Best, [_|_])
    ),
    improved(proved, []),
    arg(1, Best, First).

at_costs(Ways, Program, Outputs, Costs, Pairs, Residue) :-
    (   Ways == one
    ->  true
    ;   costed(Program, Outputs, Pairs, Costs0, Residue, _),
        Costs0 = Costs
    ).

%   Pairs are those of a model as it is posted; those of a model/2 at the least costs.

posted_best(Program, Outputs, Pairs, Residue) :-
    (   has(Program, model/2)
    ->  optimum(Program, Outputs, [Costs,_], Ways, Pairs, Residue),
        at_costs(Ways, Program, Outputs, Costs, Pairs, Residue)
    ;   posted(Program, Outputs, Pairs, Residue, _)
    ).

costed(Program, Outputs, Pairs, Costs, Residue, Ways) :-
    stated(Program, model(Given, Cost), Residue, Ways),
    must_be_pairs(Program, Outputs, Given, Pairs),
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

improve(Best, Program, Found) :-
    Found = found(_, _, _, Costs),
    (   arg(1, Best, none)
    ->  better(Best, Program, Found, 1, none)
    ;   true
    ),
    length(Costs, Number),
    numlist(1, Number, Places),
    maplist(smallest(Best, Program, Found), Places).

%   The cost at this Place is as small as it can be.

smallest(Best, Program, Found, Place) :-
    cost_of(Best, Place, Least),
    (   better(Best, Program, Found, Place, Least)
    ->  smallest(Best, Program, Found, Place)
    ;   Found = found(_, _, _, Costs),
        nth1(Place, Costs, Least)
    ).

cost_of(Best, Place, Cost) :-
    arg(1, Best, [Costs,_]),
    nth1(Place, Costs, Cost).

%   True if there is an answer whose cost at Place is less than Least, which is then kept.

better(Best, Program, found(Pairs, Residue, Outputs, Costs), Place, Least) :-
    nth1(Place, Costs, Cost),
    \+ \+ ( less(Cost, Least),
            pairs_values(Pairs, Values),
            term_variables(Values, Variables),
            labeled(Variables),
            once(( all_least(Program, Costs), settled(Program, Residue) )),
            atoms(Pairs, Outputs, Atoms),
            nb_setarg(1, Best, [Costs,Atoms]),
            tell([Costs,Atoms]) ).

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

tell(Answer) :-
    (   current_predicate(pls_watch:solved/1)
    ->  pls_watch:solved(Answer)
    ;   true
    ),
    improved(better, Answer).

tell_bound(Ways, Costs) :-
    (   Ways == one,
        maplist(fd_inf, Costs, Bounds),
        maplist(integer, Bounds)
    ->  improved(bound, Bounds)
    ;   true
    ).

improved(What, Data) :-
    (   current_predicate(pls_bridge:improved/2)
    ->  pls_bridge:improved(What, Data)
    ;   true
    ).

                /*******************************
                *            atoms             *
                *******************************/

must_be_atoms(Program, Atoms) :-
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
