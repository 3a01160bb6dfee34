:- module(pls_refusal, [refusal/3]).
:- use_module(attempts,
              [ attempt_best/2, attempt_costs/2, attempt_failed/2, attempt_made/2, attempt_maker/2,
                attempt_ran/2, tried/3 ]).
:- use_module(clauses, [shown/2]).
:- use_module(instances, [instance_program/2, states_constraints/1, with_facts/2]).
:- use_module(switched, [calls/3, goal_at/6, head_at/3, row/3]).
:- use_module(wanted, [given_pairs/3, other_key/3, wanted/3]).
:- use_module(library(apply), [exclude/3, include/3, maplist/3, partition/4]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, reverse/2]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(library(prolog_wrap), [unwrap_predicate/2, wrap_predicate/4]).

:- thread_local
    unfit/1.            % Call

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

refusal(Instance, Atoms0, Answer) :-
    maplist(as_atoms, Atoms0, Atoms),
    with_facts(Instance, once(found(Instance, Atoms, answer(Kind, Together, Why0, Numbers)))),
    atom_string(Why0, Why),
    instance_program(Instance, Module),
    maplist(row(Module), Numbers, Rows),
    Answer = [Kind,Together,Why,Rows].

as_atoms(Text, Atom), string(Text) => atom_string(Atom, Text).
as_atoms(List0, List), is_list(List0) => maplist(as_atoms, List0, List).
as_atoms(Value0, Value) => Value = Value0.

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
    append(Sole, Others, Ordered),
    findall(Call,
            ( member(Number, Ordered), memberchk(Number-Chain, Ran), member(Call, Chain) ),
            Calls),
    with_others(Module, Ordered, Calls, Numbers).

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
%   one first; else the failure that got furthest.

by_failure(Module, Fields, Answer) :-
    tried(Fields, _, Attempt),
    attempt_best(Attempt, best(_, Furthest, Chain)),
    attempt_failed(Attempt, Failed),
    findall(Depth-Number, member(Number-Depth, Failed), Depths0),
    sort(1, @>=, Depths0, Depths),
    findall(Number,
            ( member(_-Number, Depths), tried([ignored(Number)|Fields], accepted, _) ),
            Ignored),
    (   Furthest == none,
        unfit_call(Module, Fields, Call),
        functor(Call, Name, Arity),
        findall(Head, head_at(Module, Head, Name/Arity), Heads),
        Heads \== []
    ->  shown(Call, Text),
        format(string(Why), "no clause of ~w fits ~s", [Name/Arity, Text]),
        Answer = answer(excluded, 1, Why, Heads)
    ;   Furthest == none
    ->  Answer = answer(unknown, 1, "no clause of the program fits it", [])
    ;   findall(Head, ( calls(Module, Furthest, Called), head_at(Module, Head, Called) ), Heads),
        append([Ignored,[Furthest],Heads,Chain], Named),
        with_others(Module, Named, [], Numbers),
        Answer = answer(excluded, 1, "", Numbers)
    ).

%   The first call of a predicate of the program that fails.

unfit_call(Module, Fields, Call) :-
    findall(Predicate, head_at(Module, _, Predicate), Predicates0),
    sort(Predicates0, Predicates),
    retractall(unfit(_)),
    setup_call_cleanup(
        maplist(observed(Module), Predicates),
        tried(Fields, _, _),
        forall(member(Predicate, Predicates), unwrap_predicate(Module:Predicate, pls_refusal))),
    retract(unfit(Call)),
    !.

observed(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    wrap_predicate(Module:Head, pls_refusal, Wrapped,
                   ( Wrapped *-> true ; pls_refusal:assertz(unfit(Head)), fail )).

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
    tried(Fields, Outcome, Attempt),
    (   Outcome == accepted
    ->  unfound(Module, Attempt, Answer)
    ;   Outcome = refused(_)
    ->  attempt_ran(Attempt, Ran0),
        pairs_keys(Ran0, Ran),
        findall(Number,
                ( goal_at(Module, Number, _, constraint, _, _),
                  memberchk(Number, Ran),
                  On is \ (1<<Number),
                  tried([on(On)|Fields], accepted, _) ),
                Sole),
        (   Sole == []
        ->  by_failure(Module, Fields, Answer)
        ;   with_others(Module, Sole, [], Numbers),
            Answer = answer(excluded, 1, "", Numbers)
        )
    ;   Answer = answer(unknown, 1, "the program breaks off before it has refused it", [])
    ).
