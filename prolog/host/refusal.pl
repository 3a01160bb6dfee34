:- module(pls_refusal, [refusal/5]).
:- use_module(instances, [assert_facts/3, retract_facts/2]).
:- use_module(pairs, [key_list/2, normal/2, value/2]).
:- use_module(raised, [has/2]).
:- use_module(switched,
              [ calls/3, counts/1, give/2, goal_at/6, head_at/3, line/3, reset/3, wanted/3 ]).
:- use_module(library(apply), [exclude/3, foldl/4, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(assoc), [list_to_assoc/2]).
:- use_module(library(clpfd), [fd_size/2, labeling/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, reverse/2]).
:- use_module(library(ordsets), [ord_memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_keys/2]).
:- use_module(library(when), [when/2]).

/** <module> Why does a program for a problem refuse an answer?

The answer is tried in the copy of the program that switched.pl makes, with different goals switched off.
The goals to blame are a minimal set that refuses it; if it is refused without any of them, the goal of
plain Prolog that fails.
*/

                /*******************************
                *           attempts           *
                *******************************/

%!  tried(+How, -Outcome) is det.
%
%   How is try(Module, On, Static, Search, Pairs): which goals are on, and what Pairs are, if they are
%   known. Outcome is accepted, refused(Stage, Pairs), or broken(Error). Stage is model, if the program
%   fails by itself, or pairs.

tried(try(Module, On, Static, Search, Pairs), Outcome) :-
    reset(On, Static, Search),
    maplist(b_setval, [sr_progress,sr_quiet,sr_chain,sr_pairs], [0,0,[],Pairs]),
    most_inferences(Most),
    catch(call_with_inference_limit(( accepts(Module, Pairs) -> Found = accepted ; Found = refused ),
                                    Most, Limit),
          error(Error, _), true),
    (   nonvar(Error)
    ->  Outcome = broken(Error)
    ;   Limit == inference_limit_exceeded
    ->  Outcome = broken(inference_limit)
    ;   Found == accepted
    ->  Outcome = accepted
    ;   nb_getval(sr_stage, Stage),
        Outcome = refused(Stage)
    ).

most_inferences(20_000_000).

accepts(Module, Given) :-
    nonvar(Given),
    Given = answer(Atoms),
    !,
    length(Atoms, Number),
    length(Terms, Number),
    maplist(when_known(Atoms), Terms),
    (   has(Module, answer/1)
    ->  Module:answer(Terms),
        Costs = []
    ;   Module:answer(Terms, Cost),
        costs_list(Cost, Costs)
    ),
    ground(Terms),
    maplist(term_list, Terms, Lists),
    msort(Lists, Atoms),
    nb_setval(sr_costs, Costs).
accepts(Module, Given) :-
    call_residue_vars(posted(Module, Given, Costs), Residue),
    maplist(normal, Given, Pairs),
    nb_setval(sr_stage, pairs(Pairs)),
    nb_getval(sr_wanted, Wanted),
    maplist(give(Wanted), Pairs),
    complete(Pairs),
    once(( settled(Residue), maplist(least, Costs) )),
    nb_setval(sr_costs, Costs),
    !.

posted(Module, Pairs, Costs) :-
    (   has(Module, model/2)
    ->  Module:model(Pairs, Cost),
        costs_list(Cost, Costs)
    ;   Module:model(Pairs),
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

%   A list of as many atoms as the answer has, in any order.

when_known(Atoms, Term) :-
    when(ground(Term), ( pls_refusal:term_list(Term, List), memberchk(List, Atoms) )).

term_list(Term, [Name|Arguments]) :-
    Term =.. [Name|Arguments0],
    maplist(value, Arguments0, Arguments).

%   Each atom of the answer has its pair, and each pair that is of a predicate of the answer its atom.

complete(Pairs) :-
    pairs_keys(Pairs, Keys),
    \+ other_key(Keys, _).

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
                *           to blame           *
                *******************************/

%!  refusal(+Module, +Facts, +Outputs, +Atoms, -Answer) is det.
%
%   Answer is [Kind,Together,Why,Lines], as in reasons/refusal.py; a line is [Number,Text], or
%   [Number,Text,File] in an included file.

refusal(Module, facts(Facts, Inputs), Outputs, Atoms0, Answer) :-
    maplist(as_atoms, Atoms0, Atoms),
    setup_call_cleanup(
        assert_facts(Module, Facts, Inputs),
        once(found(Module, Outputs, Atoms, Answer0)),
        retract_facts(Module, Facts)),
    Answer0 = answer(Kind, Together, Why0, Numbers),
    atom_string(Why0, Why),
    maplist(line(Module), Numbers, Lines),
    Answer = [Kind,Together,Why,Lines].

as_atoms(Text, Atom), string(Text) => atom_string(Atom, Text).
as_atoms(List0, List), is_list(List0) => maplist(as_atoms, List0, List).
as_atoms(Value0, Value) => Value = Value0.

found(Module, Outputs, Atoms, Answer) :-
    nb_setval(sr_outputs, Outputs),
    (   has(Module, model/1)
    ;   has(Module, model/2)
    ),
    !,
    maplist(key_value, Atoms, Pairs0),
    keysort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    list_to_assoc(Groups, Wanted),
    nb_setval(sr_wanted, Wanted),
    nb_setval(sr_atoms, Atoms),
    of_model(Module, Answer).
found(Module, _, Atoms, Answer) :-
    of_answer(Module, Atoms, Answer).

key_value(Atom, Key-Value) :-
    append(Key, [Value], Atom).

%   First with goals that only compute as they are, then with all that can be switched.

of_model(Module, Answer) :-
    nb_setval(sr_ignored, none),
    findall(Number, goal_at(Module, Number, _, constraint, _, _), Constraints),
    member(Search, [skipped,called]),
    All = try(Module, -1, true, Search, _),
    tried(All, Whole),
    \+ Whole = broken(_),
    !,
    (   Whole == accepted
    ->  unfound(Module, Answer)
    ;   member(Static, [true,false]),
        tried(try(Module, 0, Static, Search, _), accepted)
    ->  nb_getval(sr_ran, Ran),
        pairs_keys(Ran, Called),
        include(memberof(Called), Constraints, Candidates),
        by_constraints(try(Module, _, Static, Search, _), Candidates, Ran, Answer)
    ;   by_plain_goals(Module, Search, Answer)
    ).
of_model(_, answer(unknown, 1, "the program breaks off before it has refused it", [])).

memberof(List, Member) :-
    memberchk(Member, List).

%   Why are the costs, if there are any.

unfound(Module, answer(unfound, 1, Cost, Suspects)) :-
    findall(Number, suspect(Module, Number), Suspects),
    nb_getval(sr_costs, Costs),
    atomic_list_concat(Costs, ', ', Cost).

suspect(Module, Number) :-
    goal_at(Module, Number, _, search, _, _).
suspect(Module, Number) :-
    goal_at(Module, Number, _, plain, _, Text),
    once(( member(Name, ["once(","findall(","ignore("]), sub_string(Text, 0, _, _, Name) )).

%   Candidates are goals that refuse the answer together. One without which it is accepted is more likely
%   to blame than another, since all else then is right.

by_constraints(Try, Candidates, Ran, answer(excluded, Together, "", Numbers)) :-
    include(refuses_alone(Try), Candidates, Alone),
    (   Alone = [_|_]
    ->  Together = 1,
        Blamed = Alone
    ;   minimal(Try, Candidates, [], Blamed),
        length(Blamed, Together)
    ),
    include(alone_to_blame(Try, Candidates), Blamed, Sole),
    exclude_all(Blamed, Sole, Others),
    append(Sole, Others, Ordered),
    findall(Call,
            ( member(Number, Ordered), memberchk(Number-Chain, Ran), member(Call, Chain) ),
            Calls),
    Try = try(Module, _, _, _, _),
    with_others(Module, Ordered, Calls, Numbers).

%   Goals, then the calls that led to them, then the others of these clauses that post no constraint or
%   only compute: first those before the goal, the last one first.

with_others(Module, Goals, Calls, Numbers) :-
    append(Goals, Calls, Named),
    findall(Other,
            (   member(Number, Named),
                goal_at(Module, Number, Clause, _, _, _),
                findall(One, ( goal_at(Module, One, Clause, Kind, _, _), Kind \== head ), All),
                partition(>(Number), All, Before0, After),
                reverse(Before0, Before),
                ( member(Other, Before) ; member(Other, After) )
            ),
            Others),
    append(Named, Others, Numbers0),
    without_repeats(Numbers0, Numbers).

refuses(Try, Numbers) :-
    foldl_bits(Numbers, 0, On),
    copy_term(Try, try(Module, On, Static, Search, Pairs)),
    tried(try(Module, On, Static, Search, Pairs), refused(_)).

foldl_bits([], On, On).
foldl_bits([Number|Numbers], On0, On) :-
    On1 is On0 \/ 1<<Number,
    foldl_bits(Numbers, On1, On).

refuses_alone(Try, Number) :-
    refuses(Try, [Number]).

alone_to_blame(Try, Candidates, Number) :-
    exclude_all(Candidates, [Number], Others),
    \+ refuses(Try, Others).

exclude_all(All, Some, Others) :-
    findall(One, ( member(One, All), \+ memberchk(One, Some) ), Others).

%   Deletion from the end.

minimal(Try, Left, Needed, Minimal) :-
    (   Left == []
    ->  Minimal = Needed
    ;   append(Before, [Last], Left),
        append(Before, Needed, Rest),
        (   refuses(Try, Rest)
        ->  minimal(Try, Before, Needed, Minimal)
        ;   minimal(Try, Before, [Last|Needed], Minimal)
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

by_plain_goals(Module, Search, Answer) :-
    Try = try(Module, 0, true, Search, _),
    tried(Try, Outcome),
    (   Outcome = refused(pairs(Pairs))
    ->  by_pairs(Module, Search, Pairs, Answer)
    ;   Outcome = refused(model)
    ->  (   nb_getval(sr_made, made(Keys)),
            other_key(Keys, Why)
        ->  makers(Module, Makers),
            Answer = answer(underived, 1, Why, Makers)
        ;   by_failure(Try, Answer)
        )
    ;   by_failure(try(Module, -1, true, Search, _), Answer)
    ).

%   If the answer is accepted where one goal succeeds though it fails, that goal is to blame, the innermost
%   one first; else the failure that got furthest.

by_failure(Try, Answer) :-
    copy_term(Try, First),
    tried(First, _),
    nb_getval(sr_best, best(_, Furthest, Chain)),
    nb_getval(sr_failed, Failed),
    findall(Depth-Number, member(Number-Depth, Failed), Depths0),
    sort(1, @>=, Depths0, Depths),
    findall(Number,
            (   member(_-Number, Depths),
                nb_setval(sr_ignored, Number),
                copy_term(Try, Again),
                tried(Again, accepted)
            ),
            Ignored),
    nb_setval(sr_ignored, none),
    (   Furthest == none
    ->  Answer = answer(unknown, 1, "no clause of the program fits it", [])
    ;   findall(Head, ( calls(Module, Furthest, Called), head_at(Module, Head, Called) ), Heads),
        append([Ignored,[Furthest],Heads,Chain], Named),
        Try = try(Module, _, _, _, _),
        with_others(Module, Named, [], Numbers),
        Answer = answer(excluded, 1, "", Numbers)
    ).

by_pairs(Module, Search, Pairs, Answer) :-
    pairs_keys(Pairs, Keys),
    (   other_key(Keys, Why)
    ->  makers(Module, Makers),
        Answer = answer(underived, 1, Why, Makers)
    ;   copy_keys(Pairs, Keyed),
        Try = try(Module, 0, true, Search, Keyed),
        tried(Try, Outcome),
        (   Outcome == accepted
        ->  Answer = answer(unknown, 1, "no goal of the program keeps it out", [])
        ;   by_failure(Try, Answer)
        )
    ).

%   Why says of which pairs the answer has no atom, or several, or of which of its atoms there is no pair.

other_key(Keys, Why) :-
    nb_getval(sr_wanted, Wanted),
    (   member(Key, Keys),
        Key \= #<==>(_),
        wanted(Wanted, Key-_, [_,_|_])
    ->  Format = "a pair for ~s has one value, and the answer has several",
        key_list(Key, List)
    ;   nb_getval(sr_atoms, Atoms),
        findall(Made, ( member(Key, Keys), made_key(Key, Made) ), Made0),
        sort(Made0, Made),
        member(Atom, Atoms),
        append(Start, [_], Atom),
        \+ ord_memberchk(value(Start), Made),
        \+ ord_memberchk(atom(Atom), Made)
    ->  Format = "model gives no pair for ~s",
        Atom = [Name|_],
        (   memberchk(atom([Name|_]), Made)
        ->  List = Atom
        ;   List = Start
        )
    ;   member(Key, Keys),
        Key \= #<==>(_),
        counts(Key-_),
        \+ wanted(Wanted, Key-_, _)
    ->  Format = "model gives a pair for ~s, which the answer lacks",
        key_list(Key, List)
    ),
    key_text(List, Text),
    format(string(Why), Format, [Text]).

made_key(#<==>(Atom), Made) =>
    key_list(Atom, List),
    Made = atom(List).
made_key(Key, Made) =>
    counts(Key-_),
    key_list(Key, List),
    Made = value(List).

copy_keys(Pairs, Keyed) :-
    nb_getval(sr_wanted, Wanted),
    findall(Given,
            ( member(Key-_, Pairs),
              ( wanted(Wanted, Key-_, [Value]) -> true ; true ),
              normal(Given, Key-Value) ),
            Keyed).

%   The plain goal that makes the pairs, those before it, the last one first, and then the others.

makers(Module, Numbers) :-
    findall(Number, goal_at(Module, Number, _, plain, _, _), All),
    nb_getval(sr_maker, Maker0),
    (   integer(Maker0)
    ->  Maker = Maker0
    ;   Maker = -1
    ),
    findall(Number, ( member(Number, All), Number =< Maker ), Before0),
    sort(0, @>=, Before0, Before),
    exclude_all(All, Before, After),
    append(Before, After, Numbers).

key_text([Name|Arguments], Text) :-
    maplist(value_text, Arguments, Texts),
    (   Texts == []
    ->  format(string(Text), "~w", [Name])
    ;   atomic_list_concat(Texts, ',', Joined),
        format(string(Text), "~w(~w)", [Name, Joined])
    ).

value_text([''|Values], Text) =>
    maplist(value_text, Values, Texts),
    atomic_list_concat(Texts, ',', Joined),
    format(atom(Text), "(~w)", [Joined]).
value_text(List, Text), is_list(List) =>
    key_text(List, Text).
value_text(Value, Text) =>
    Text = Value.

                /*******************************
                *   programs without a model   *
                *******************************/

%   The answer is tried as a list of atoms that may be in any order.

of_answer(Module, Atoms0, Answer) :-
    msort(Atoms0, Atoms),
    nb_setval(sr_ignored, none),
    Try = try(Module, -1, true, called, answer(Atoms)),
    tried(Try, Outcome),
    (   Outcome == accepted
    ->  unfound(Module, Answer)
    ;   Outcome = refused(_)
    ->  nb_getval(sr_ran, Ran0),
        pairs_keys(Ran0, Ran),
        findall(Number,
                ( goal_at(Module, Number, _, constraint, _, _),
                  memberchk(Number, Ran),
                  without(Number, Try, accepted) ),
                Sole),
        (   Sole == []
        ->  by_failure(Try, Answer)
        ;   with_others(Module, Sole, [], Numbers),
            Answer = answer(excluded, 1, "", Numbers)
        )
    ;   Answer = answer(unknown, 1, "the program breaks off before it has refused it", [])
    ).

%   The program may search on its own after its constraints, so that no goal fails but the search.

without(Number, try(Module, _, Static, Search, Pairs), Outcome) :-
    On is \ (1<<Number),
    tried(try(Module, On, Static, Search, Pairs), Outcome).
