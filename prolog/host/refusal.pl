:- module(pls_refusal, [refusal/3]).
:- use_module(attempts,
              [ attempt_best/2, attempt_built/2, attempt_costs/2, attempt_failed/2, attempt_made/2,
                attempt_maker/2, attempt_progress/2, attempt_ran/2, told/3, tried/3 ]).
:- use_module(clauses, [shown/2]).
:- use_module(instances, [instance_program/2, states_constraints/1, with_facts/2]).
:- use_module(switched,
              [calls/3, clause_at/4, goal_at/6, head_at/3, nearest_heads/3, role/3, row/3]).
:- use_module(wanted, [given_pairs/3, other_key/3, wanted/3]).
:- use_module(library(apply), [exclude/3, include/3, maplist/3, partition/4]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, reverse/2]).
:- use_module(library(pairs), [pairs_keys/2, pairs_values/2]).
:- use_module(library(prolog_wrap), [unwrap_predicate/2, wrap_predicate/4]).

:- meta_predicate watched(+, +, +, 0).

:- thread_local
    unfit/1,            % Call that no clause fits
    furthest/1.         % Call of these that got furthest

/** <module> Why does a program for a problem refuse an answer?

The answer is tried in the copy of the program that switched.pl makes, with different goals switched off.
The goals to blame are a minimal set that refuses it; if it is refused without any of them, the goal of
plain Prolog that fails.

An attempt is described by what attempts.pl has to know before, a list of fields.
*/

%!  refusal(+Instance, +Atoms, -Answer) is det.
%
%   Answer is [Kind,Together,Why,Rows], as in reasons/lines.py, with rows of switched.pl. The program of the
%   instance is a copy.

refusal(Instance, Atoms, Answer) :-
    with_facts(Instance, once(found(Instance, Atoms, answer(Kind, Together, Why0, Numbers)))),
    atom_string(Why0, Why),
    instance_program(Instance, Module),
    maplist(row(Module), Numbers, Rows),
    Answer = [Kind,Together,Why,Rows].

found(Instance, Atoms, Answer) :-
    instance_program(Instance, Module),
    wanted(Instance, Atoms, Wanted),
    Fields = [wanted(Wanted)],
    (   states_constraints(Instance)
    ->  of_model(Module, Fields, Answer)
    ;   of_answer(Module, Fields, Answer)
    ).

%   First with goals that only compute as they are, then with all that can be switched.

of_model(Module, Fields0, Answer) :-
    findall(Number, goal_at(Module, Number, _, constraint, _, _), Constraints),
    member(Search, [skipped,called]),
    Fields = [search(Search)|Fields0],
    tried(Fields, Whole, Attempt),
    \+ Whole = broken(_),
    !,
    (   Whole == accepted
    ->  unfound(Module, Attempt, Answer)
    ;   member(Static, [true,false]),
        Some = [static(Static)|Fields],
        tried([on(0)|Some], accepted, Without)
    ->  attempt_ran(Without, Ran),
        pairs_keys(Ran, Called),
        include(memberof(Called), Constraints, Candidates),
        by_constraints(Module, Some, Candidates, Ran, Answer)
    ;   by_plain_goals(Module, Fields, Answer)
    ).
of_model(_, _, answer(unknown, 1, "the program breaks off before it has refused it", [])).

memberof(List, Member) :-
    memberchk(Member, List).

%   Why are the costs, if there are any.

unfound(Module, Attempt, answer(unfound, 1, Cost, Suspects)) :-
    findall(Number, suspect(Module, Number), Suspects),
    attempt_costs(Attempt, Costs),
    atomic_list_concat(Costs, ', ', Cost).

suspect(Module, Number) :-
    goal_at(Module, Number, _, search, _, _).
suspect(Module, Number) :-
    goal_at(Module, Number, _, plain, _, Text),
    once(( member(Name, ["once(","findall(","ignore("]), sub_string(Text, 0, _, _, Name) )).

%   Candidates are goals that refuse the answer together. One without which it is accepted is more likely
%   to blame than another, since all else then is right.

by_constraints(Module, Fields, Candidates, Ran, answer(excluded, Together, "", Numbers)) :-
    include(refuses_alone(Fields), Candidates, Alone),
    (   Alone = [_|_]
    ->  Together = 1,
        Blamed = Alone
    ;   minimal(Fields, Candidates, [], Blamed),
        length(Blamed, Together)
    ),
    include(alone_to_blame(Fields, Candidates), Blamed, Sole),
    exclude_all(Blamed, Sole, Others),
    maplist(by_role(Module), [Sole,Others], Likely),
    append(Likely, Ordered),
    findall(Call,
            ( member(Number, Ordered), memberchk(Number-Chain, Ran), member(Call, Chain) ),
            Calls),
    with_others(Module, Ordered, Calls, Numbers).

%   What relates values comes before what fetches them, otherwise in turn.

by_role(Module, Numbers, Likely) :-
    findall(Role-Number, ( member(Number, Numbers), role(Module, Number, Role) ), Pairs0),
    keysort(Pairs0, Pairs),
    pairs_values(Pairs, Likely).

%   Goals, then the calls that led to them, then the others of these clauses that post no constraint or
%   only compute: first those before the goal, the last one first.

with_others(Module, Goals, Calls, Numbers) :-
    append(Goals, Calls, Named),
    findall(Other,
            (   member(Number, Named),
                goal_at(Module, Number, Clause, _, _, _),
                findall(One,
                        ( goal_at(Module, One, Clause, Kind, _, _), \+ memberchk(Kind, [head,inner]) ),
                        All),
                partition(>(Number), All, Before0, After),
                reverse(Before0, Before),
                ( member(Other, Before) ; member(Other, After) )
            ),
            Others),
    append(Named, Others, Numbers0),
    without_repeats(Numbers0, Numbers).

refuses(Fields, Numbers) :-
    foldl_bits(Numbers, 0, On),
    tried([on(On)|Fields], refused(_), _).

foldl_bits([], On, On).
foldl_bits([Number|Numbers], On0, On) :-
    On1 is On0 \/ 1<<Number,
    foldl_bits(Numbers, On1, On).

refuses_alone(Fields, Number) :-
    refuses(Fields, [Number]).

alone_to_blame(Fields, Candidates, Number) :-
    exclude_all(Candidates, [Number], Others),
    \+ refuses(Fields, Others).

exclude_all(All, Some, Others) :-
    findall(One, ( member(One, All), \+ memberchk(One, Some) ), Others).

%   Deletion from the end.

minimal(Fields, Left, Needed, Minimal) :-
    (   Left == []
    ->  Minimal = Needed
    ;   append(Before, [Last], Left),
        append(Before, Needed, Rest),
        (   refuses(Fields, Rest)
        ->  minimal(Fields, Before, Needed, Minimal)
        ;   minimal(Fields, Before, [Last|Needed], Minimal)
        )
    ).

without_repeats(List, Once) :-
    without_repeats(List, [], Once).

without_repeats([], _, []).
without_repeats([Each|List], Seen, Once) :-
    (   memberchk(Each, Seen)
    ->  without_repeats(List, Seen, Once)
    ;   Once = [Each|More],
        without_repeats(List, [Each|Seen], More)
    ).

%   The answer is refused without any constraint. If the program gives pairs, these are tried with their
%   values from the start, so that the goal that gives one another value fails.

by_plain_goals(Module, Fields, Answer) :-
    Off = [on(0)|Fields],
    tried(Off, Outcome, Attempt),
    (   Outcome = refused(pairs(Keys))
    ->  (   other(Module, Fields, Attempt, Keys, Answer)
        ->  true
        ;   memberchk(wanted(Wanted), Fields),
            given_pairs(Wanted, Keys, Given),
            by_pairs(Module, [pairs(Given)|Off], Answer)
        )
    ;   Outcome = refused(model)
    ->  (   attempt_made(Attempt, made(Keys)),
            other(Module, Fields, Attempt, Keys, Answer)
        ->  true
        ;   by_failure(Module, Off, Answer)
        )
    ;   by_failure(Module, Fields, Answer)
    ).

%   If the answer is accepted where one goal succeeds though it fails, that goal is to blame, the innermost
%   one first, and last one that fetches values. If a goal that builds the terms of the answer makes others,
%   what gives it the values is more likely; else the failure that got furthest.

by_failure(Module, Fields, Answer) :-
    tried(Fields, _, Attempt),
    attempt_best(Attempt, best(_, Best, BestChain)),
    attempt_built(Attempt, best(_, Built, BuiltChain)),
    attempt_failed(Attempt, Failed),
    findall(Fetches-(Depth-Number),
            ( member(Number-Depth, Failed), fetches(Module, Number, Fetches) ),
            Depths0),
    sort(2, @>=, Depths0, Depths1),
    sort(1, @=<, Depths1, Depths),
    findall(Number,
            ( member(_-(_-Number), Depths), tried([ignored(Number)|Fields], accepted, _) ),
            Ignored),
    reverse([Built|BuiltChain], Builders),
    findall(Maker, ( Ignored == [], member(Builder, Builders), made_for(Module, Builder, Maker) ), Makers),
    (   Ignored == [],
        Makers == [],
        unfit_call(Module, Fields, Best, Call)
    ->  shown(Call, Text),
        functor(Call, Name, Arity),
        format(string(Why), "no clause of ~w fits ~s", [Name/Arity, Text]),
        findall(Number-Head, clause_at(Module, Number, Head, _), All),
        nearest_heads(All, Call, Heads),
        (   recurs(Module, Best, Name/Arity)
        ->  append(Heads, [Best], Failing)
        ;   Failing = [Best|Heads]
        )
    ;   Why = "",
        findall(Head, ( calls(Module, Best, Called), head_at(Module, Head, Called) ), Heads),
        Failing = [Best|Heads]
    ),
    append([Ignored,Makers,Failing,BestChain,BuiltChain,[Built]], Named0),
    exclude(==(none), Named0, Named),
    (   Named == []
    ->  Answer = answer(unknown, 1, "no goal of the program keeps it out", [])
    ;   with_others(Module, Named, [], Numbers0),
        partition(==(Built), Numbers0, Last, Numbers1),
        append(Numbers1, Last, Numbers),
        Answer = answer(excluded, 1, Why, Numbers)
    ).

%   A goal in a clause of the predicate that it calls: the clause for the end is missing, or is not right.

recurs(Module, Number, Predicate) :-
    goal_at(Module, Number, Clause, _, _, _),
    goal_at(Module, Head, Clause, head, _, _),
    head_at(Module, Head, Predicate),
    !.

%   The goals of its clause that give a goal its values, the last one first: the first ones with a variable of
%   it, or of another one of these.

made_for(Module, Number, Maker) :-
    clause_at(Module, _, _, Body),
    body_goals(Body, Goals),
    append(Before, [Goal|_], Goals),
    goal_number(Goal, Number),
    !,
    reverse(Before, Backwards),
    maker(Backwards, Goal, Maker).

maker([Goal|Earlier], Needing, Maker) :-
    term_variables(Goal, Own),
    term_variables(Earlier, Known),
    term_variables(Needing, Needed),
    (   member(Variable, Own),
        has_same(Needed, Variable),
        \+ has_same(Known, Variable)
    ->  (   goal_number(Goal, Maker)
        ;   maker(Earlier, Needing+Goal, Maker)
        )
    ;   maker(Earlier, Needing, Maker)
    ).

has_same(Variables, Variable) :-
    member(Other, Variables),
    Other == Variable,
    !.

body_goals(Body, Goals), nonvar(Body), Body = (A,B) =>
    body_goals(A, As),
    body_goals(B, Bs),
    append(As, Bs, Goals).
body_goals(Body, Goals) =>
    Goals = [Body].

goal_number(pls_goal(Number, _), Number).
goal_number(pls_switched(Number/_, _), Number).

%   So does a call of a predicate of the program, in which another goal fails.

fetches(Module, Number, Fetches) :-
    (   role(Module, Number, Role),
        Role =\= 2,
        \+ ( calls(Module, Number, Called), head_at(Module, _, Called) )
    ->  Fetches = false
    ;   Fetches = true
    ).

%   A call of a predicate of the program that no clause of it fits, made by the goal that got furthest, or
%   the first one if no goal did.

unfit_call(Module, Fields, Furthest, Call) :-
    findall(Predicate, ( head_at(Module, _, Predicate), is_defined(Module, Predicate) ), Predicates0),
    sort(Predicates0, Predicates),
    retractall(unfit(_)),
    retractall(furthest(_)),
    setup_call_cleanup(
        maplist(observed(Module), Predicates),
        tried([watch(pls_refusal:watched(Furthest))|Fields], _, _),
        forall(member(Predicate, Predicates), unwrap_predicate(Module:Predicate, pls_refusal))),
    (   Furthest == none
    ->  unfit(Call)
    ;   furthest(Call)
    ),
    !.

%   Not what a clause of another module, or one with a guard, looks like.

is_defined(Module, Name/Arity) :-
    Name \== (:),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)).

observed(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    wrap_predicate(Module:Head, pls_refusal, Wrapped,
                   ( Wrapped *-> true ; pls_refusal:note_unfit(Module, Head), fail )).

:- public note_unfit/2, watched/4.

note_unfit(Module, Call) :-
    (   clause_at(Module, _, Call, _),
        true                            % lets the goals run that wait for the unification
    ->  true
    ;   assertz(unfit(Call))
    ).

watched(Furthest, Attempt, Number, Goal) :-
    (   Number == Furthest
    ->  retractall(unfit(_)),
        (   told(Attempt, Number, Goal)
        *-> true
        ;   attempt_progress(Attempt, Progress),
            (   attempt_best(Attempt, best(Progress, Number, _))
            ;   attempt_built(Attempt, best(Progress, Number, _))
            )
        ->  (   retract(unfit(Call))
            ->  retractall(furthest(_)),
                assertz(furthest(Call))
            ;   true
            ),
            fail
        )
    ;   told(Attempt, Number, Goal)
    ).

by_pairs(Module, Fields, Answer) :-
    tried(Fields, Outcome, _),
    (   Outcome == accepted
    ->  Answer = answer(unknown, 1, "no goal of the program keeps it out", [])
    ;   by_failure(Module, Fields, Answer)
    ).

%   The pairs are others than the answer wants: those goals are to blame that make them.

other(Module, Fields, Attempt, Keys, answer(underived, 1, Why, Makers)) :-
    memberchk(wanted(Wanted), Fields),
    other_key(Wanted, Keys, Why),
    makers(Module, Attempt, Makers).

%   The plain goal that makes the pairs, those before it, the last one first, and then the others.

makers(Module, Attempt, Numbers) :-
    findall(Number, goal_at(Module, Number, _, plain, _, _), All),
    attempt_maker(Attempt, Maker0),
    (   integer(Maker0)
    ->  Maker = Maker0
    ;   Maker = -1
    ),
    findall(Number, ( member(Number, All), Number =< Maker ), Before0),
    sort(0, @>=, Before0, Before),
    exclude_all(All, Before, After),
    append(Before, After, Numbers).

                /*******************************
                *   programs without a model   *
                *******************************/

%   The answer is tried as a list of atoms that may be in any order. The program may search on its own
%   after its constraints, so that no goal fails but the search.

of_answer(Module, Fields0, Answer) :-
    Fields = [pairs(atoms)|Fields0],
    (   by_values(Module, [search(skipped)|Fields], Answer)
    ->  true
    ;   tried(Fields, Outcome, Attempt),
        of_search(Outcome, Module, Fields, Attempt, Answer)
    ).

%   Without its search the program has the atoms of the answer before it can have their values: these are
%   given at the end, to constraints.

by_values(Module, Fields, Answer) :-
    goal_at(Module, _, _, constraint, _, _),
    !,
    tried(Fields, refused(_), Attempt),
    ran(Module, Attempt, Candidates),
    Candidates = [_|_],
    member(Static, [true,false]),
    Some = [static(Static)|Fields],
    tried([on(0)|Some], accepted, Without),
    !,
    attempt_ran(Without, Ran),
    pairs_keys(Ran, Called),
    include(memberof(Called), Candidates, Constraints),
    by_constraints(Module, Some, Constraints, Ran, Answer).

ran(Module, Attempt, Constraints) :-
    attempt_ran(Attempt, Ran0),
    pairs_keys(Ran0, Ran),
    findall(Number, ( goal_at(Module, Number, _, constraint, _, _), memberchk(Number, Ran) ), Constraints).

of_search(accepted, Module, _, Attempt, Answer) =>
    unfound(Module, Attempt, Answer).
of_search(refused(_), Module, Fields, Attempt, Answer) =>
    ran(Module, Attempt, Constraints),
    findall(Number,
            ( member(Number, Constraints),
              On is \ (1<<Number),
              tried([on(On)|Fields], accepted, _) ),
            Sole0),
    (   Sole0 == []
    ->  by_failure(Module, Fields, Answer)
    ;   by_role(Module, Sole0, Sole),
        with_others(Module, Sole, [], Numbers),
        Answer = answer(excluded, 1, "", Numbers)
    ).
of_search(_, _, _, _, Answer) =>
    Answer = answer(unknown, 1, "the program breaks off before it has refused it", []).
