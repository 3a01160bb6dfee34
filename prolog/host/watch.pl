:- module(pls_watch,
          [ left/3,             % ?Pairs, :Goal, -Left
            traced/4,           % ?Pairs, +Before, :Goal, ?Answer
            shown/5,            % ?Pairs, +Before, :Show, :Goal, ?Answer
            work/3              % ?Pairs, :Goal, -Work
          ]).
:- use_module(current, [current/2, with_current/3]).
:- autoload(pairs, [normal/2]).         % loaded where the pairs are those of a model
:- use_module(library(apply), [exclude/3, foldl/4, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2]).
:- autoload(library(prolog_wrap), [wrap_predicate/4]).  % when a search is first watched

/** <module> Watching a search

The search of a program is seen where it calls labeling/2 or label/1 of library(clpfd), or a search
that seen_by/3 knows: these are wrapped, and take the same choices in the same order. What follows
from a choice is the difference between the domains before and after it.

The variables that are watched are a list of pairs Key-Variable, or stated(Pairs) of a model, as it gives
them, which may be unknown until the search begins. A key is any term.

Level is the number of choices that are open. An event is one of

  - choice(Level, Key, Value)
    At this level, Value is tried. Key is none for a variable that is in no pair.
  - implied(Level, Placed, Excluded)
    What follows: lists of Key-Value for variables that now have one value, and for values that a
    variable has lost.
  - conflict(Level)
    A variable has no value left.
  - back(Level)
    All choices above this level are undone.
  - solution(Level, Answer)

A search begins deep inside a program, to which nothing can be passed: so the one global of this module,
pls_watch, is the record of the search that is watched in this thread or engine,

    watch(How, Pairs, Posted, Solved, Impossible, Level, Domains)

and anything else if none is. How is yield, show(Show), left(Left) or counts(Choices, DeadEnds). Posted is
when all was posted, or none. Solved and Impossible tell of the program and of the search that runs. These
stay as they are on backtracking, which undoes changes of Level and of the Domains of Pairs.
*/

:- meta_predicate
    left(?, 0, -),
    watched(+, 0),
    traced(?, +, 0, ?),
    shown(?, +, 1, 0, ?),
    searched(+, 0, ?),
    work(?, 0, -).

%!  left(?Pairs, :Goal, -Left) is semidet.
%
%   Left has Key-Values for each pair, in order: the values that Goal, a program that finds values for
%   the variables of Pairs, leaves them when it begins to search. If it has several ways to begin, these
%   are the values of all of them. Fails if it fails before that.

left(Pairs, Goal, Left) :-
    watch(Pairs, unknown, left(none), Watch),
    once(watched(Watch, left_by_all(Watch, Goal, Left))).

:- meta_predicate left_by_all(+, 0, -).

left_by_all(Watch, Goal, Left) :-
    (   call(Goal),
        must_be_seen(Watch),
        note(Watch),
        fail
    ;   Watch = watch(left(Left), _, _, _, _, _, _),
        Left \== none
    ).

note(Watch) :-
    watched_pairs(Watch, Pairs),
    maplist(key_values, Pairs, Left),
    arg(1, Watch, How),
    arg(1, How, Before),
    (   Before == none
    ->  With = Left
    ;   append(Before, Left, Both),
        keysort(Both, Sorted),
        group_pairs_by_key(Sorted, Groups),
        maplist(key_union, Groups, With)
    ),
    nb_setarg(1, How, With).

%   A pair that one way lacks has no value there, which is none of its values.

key_union(Key-Lists0, Key-Values) :-
    (   Lists0 = [_]
    ->  Lists = [['$no_value']|Lists0]
    ;   Lists = Lists0
    ),
    append(Lists, Values0),
    sort(Values0, Values).

watch(Pairs, Before, How, watch(How, Pairs, none, false, false, 0, Before)).

watched(Watch, Goal) :-
    wrapped,
    with_current(pls_watch, Watch, Goal).

watching(Watch) :-
    current(pls_watch, Watch).

%!  traced(?Pairs, +Before, :Goal, ?Answer) is nondet.
%
%   Runs Goal, a program that finds values for the variables of Pairs and binds Answer. Its events go
%   to the engine that runs this (see engine_yield/1). Before are the domains that count as known at
%   the start, or unknown.

traced(Pairs, Before, Goal, Answer) :-
    watch(Pairs, Before, yield, Watch),
    watched(Watch, searched(Watch, Goal, Answer)).

%!  shown(?Pairs, +Before, :Show, :Goal, ?Answer) is semidet.
%
%   The same for one answer. Show is called with each event.

shown(Pairs, Before, Show, Goal, Answer) :-
    watch(Pairs, Before, show(Show), Watch),
    once(watched(Watch, searched(Watch, Goal, Answer))).

searched(Watch, Goal, Answer) :-
    (   call(Goal)
    *-> must_be_seen(Watch),
        (   arg(4, Watch, true)
        ->  true
        ;   solved(Watch, Answer)
        )
    ;   arg(3, Watch, none)
    ->  report(Watch, conflict(0)),
        fail
    ).

%   An answer is reported where it is found: a program that looks for the best one finds several.

:- multifile
    pls_instances:told/2.

pls_instances:told(better, Answer) :-
    watching(Watch),
    solved(Watch, Answer).

solved(Watch, Answer) :-
    nb_setarg(4, Watch, true),
    arg(6, Watch, Level),
    report(Watch, solution(Level, Answer)).

must_be_seen(Watch) :-
    (   arg(3, Watch, none)
    ->  throw(error(existence_error(procedure, labeling/2),
                    context(_, 'only a search by labeling/2 or label/1 can be watched')))
    ;   true
    ).

%!  work(?Pairs, :Goal, -Work) is semidet.
%
%   Work is work(Posting, Search, Inferences, Choices, DeadEnds) for the first solution of Goal, a
%   program that finds values for the variables of Pairs, or for finding out that it has none; they
%   are bound if there is one.
%   Times are in microseconds. If the search cannot be seen, all of the time is the search's, and
%   Posting, Choices and DeadEnds are -1.

work(Pairs, Goal, Work) :-
    watch(Pairs, unknown, counts(0, 0), Watch),
    once(watched(Watch, work_of(Watch, Goal, Work))).

:- meta_predicate work_of(+, 0, -).

work_of(Watch, Goal, work(Posting, Search, Inferences, Choices, DeadEnds)) :-
    now(Start),
    statistics(inferences, Inferences0),
    (   call(Goal)
    ->  true
    ;   true
    ),
    statistics(inferences, Inferences1),
    now(End),
    Inferences is Inferences1 - Inferences0,
    arg(3, Watch, Posted),
    (   Posted == none
    ->  Search is End - Start,
        [Posting,Choices,DeadEnds] = [-1,-1,-1]
    ;   Posting is Posted - Start,
        Search is End - Posted,
        arg(1, Watch, counts(Choices, DeadEnds))
    ).

now(Microseconds) :-
    get_time(Seconds),
    Microseconds is round(1_000_000 * Seconds).

%   The search begins: everything is posted.

begin(Watch) :-
    (   arg(3, Watch, none)
    ->  now(Microseconds),
        nb_setarg(3, Watch, Microseconds),
        follow(0, Watch)
    ;   true
    ),
    (   arg(1, Watch, left(_))
    ->  note(Watch),
        fail
    ;   true
    ).

watched_pairs(Watch, Pairs) :-
    (   known_pairs(Watch, Pairs0)
    ->  Pairs = Pairs0
    ;   throw(error(instantiation_error,
                    context(_, 'the search begins before it is known what is searched for')))
    ).

known_pairs(Watch, Pairs) :-
    arg(2, Watch, Watched),
    (   Watched = stated(Stated)        % by a model, perhaps within it
    ->  is_list(Stated),
        maplist(normal, Stated, Pairs)
    ;   Pairs = Watched
    ).

key_values(Key-Variable, Key-Values) :-
    (   var(Variable)
    ->  must_be_bounded(Key, Variable),
        fd_set(Variable, Set),
        fdset_to_list(Set, Values)
    ;   Values = [Variable]
    ).

must_be_bounded(Key, Variable) :-
    (   fd_size(Variable, Size),
        integer(Size)
    ->  true
    ;   format(atom(Why), "the variable of ~w has no finite domain", [Key]),
        throw(error(instantiation_error, context(_, Why)))
    ).

report(Watch, Event) :-
    arg(1, Watch, How),
    report_by(How, Event).

report_by(yield, Event) =>
    engine_yield(Event).
report_by(show(Show), Event) =>
    call(Show, Event).
report_by(Counts, choice(_, _, _)) =>
    count(1, Counts).
report_by(Counts, conflict(_)) =>
    count(2, Counts).
report_by(_, _) =>
    true.

count(Place, Counts) :-
    arg(Place, Counts, Count0),
    Count is Count0 + 1,
    nb_setarg(Place, Counts, Count).

%   What has changed since the last look. The sets are kept for backtracking to undo.

follow(Level, Watch) :-
    arg(1, Watch, How),
    shows(How),
    !,
    watched_pairs(Watch, Pairs),
    maplist(domain, Pairs, Domains),
    arg(7, Watch, Before),
    findall(Key-Value, ( changed(Before, Pairs, Domains, Key, Value, _, _), nonvar(Value) ), Placed),
    findall(Key-Value,
            ( changed(Before, Pairs, Domains, Key, Variable, Old, New), var(Variable),
              lost(Old, New, Value) ),
            Excluded),
    setarg(7, Watch, Domains),
    (   Placed-Excluded == []-[]
    ->  true
    ;   report(Watch, implied(Level, Placed, Excluded))
    ).
follow(_, _).

shows(yield).
shows(show(_)).

domain(_-Value, Domain) :-
    (   var(Value)
    ->  fd_set(Value, Domain)
    ;   Domain = Value
    ).

changed(unknown, Pairs, _, Key, Value, unknown, unknown) :-
    !,
    member(Key-Value, Pairs).
changed(Before, Pairs, Domains, Key, Value, Old, New) :-
    same_place(Before, Pairs, Domains, Old, Key-Value, New),
    Old \== New.

same_place([A|_], [B|_], [C|_], A, B, C).
same_place([_|As], [_|Bs], [_|Cs], A, B, C) :-
    same_place(As, Bs, Cs, A, B, C).

lost(Old, New, Value) :-
    Old \== unknown,
    fdset_subtract(Old, New, Gone),
    fdset_to_list(Gone, Values),
    member(Value, Values).

                /*******************************
                *       the same search        *
                *******************************/

:- dynamic
    is_wrapped/1.       % Head
:- multifile
    seen_by/3.

%!  seen_by(?Head, -Call, -Seen) is nondet.
%
%   A call of Head is seen by the goal Seen, in which Call makes that call. Another search than that of
%   labeling/2 has clauses of its own here, in which Seen is
%
%     - seen_search(Call)
%     of a whole search;
%     - seen_look(Call)
%     of a look at everything before the search: fails if that shows that there is no solution;
%     - seen_try(Which, Variable = Value, Call)
%     of a step of it that gives a variable a value. Which is choice, or last if the variable has no
%     other value left.

seen_by(clpfd:labeling(Options, Variables), Call, seen_labeling(Options, Variables, Call)).

wrapped :-
    with_mutex(pls_watch, forall(( seen_by(Head, Call, Seen), \+ is_wrapped(Head) ),
                                 wrap(Head, Call, Seen))).

wrap(Head, Call, Seen) :-
    assertz(is_wrapped(Head)),
    wrap_predicate(Head, pls_watch, Call, pls_watch:Seen).

:- public seen_labeling/3, seen_search/1, seen_look/1, seen_try/3.

seen_labeling(Options, Variables, Labeling) :-
    (   watching(Watch),
        order(Options, Order)
    ->  begin(Watch),
        label_in(Order, Variables, Watch)
    ;   watching(Watch),
        \+ arg(1, Watch, counts(_, _))
    ->  begin(Watch),                   % what follows from its choices is not seen
        call(Labeling)
    ;   call(Labeling)
    ).

%   An order of variables, and of values, in which each choice is between a value and all others.

order(Options, Variables-Values) :-
    is_list(Options),
    ground(Options),
    partition(is_of_variables, Options, OfVariables, Others),
    exclude(==(step), Others, OfValues),
    only(OfVariables, leftmost, Variables),
    only(OfValues, up, Values),
    memberchk(Values, [up,down]).

is_of_variables(Option) :-
    memberchk(Option, [leftmost,ff,ffc,min,max]).

only([], Default, Default).
only([Option], _, Option).

%   As labeling/2 does it: a variable is its first value, or it is not.

label_in(Order, Variables0, Watch) :-
    include(var, Variables0, Variables),
    Order = OfVariables-OfValues,
    (   next_variable(OfVariables, Variables, Variable)
    ->  first_value(OfValues, Variable, Value),
        (   guess(Variable = Value, Variable = Value, Watch)
        ;   arg(6, Watch, Level),
            report(Watch, back(Level)),
            take(Variable #\= Value, Level, Watch)
        ),
        label_in(Order, Variables, Watch)
    ;   true
    ).

first_value(up, Variable, Value) :-
    fd_inf(Variable, Value).
first_value(down, Variable, Value) :-
    fd_sup(Variable, Value).

%   The first of the variables with the least key.

next_variable(leftmost, [Variable|_], Variable) :- !.
next_variable(Order, [Variable|Variables], Least) :-
    key(Order, Variable, Key),
    foldl(lesser(Order), Variables, Key-Variable, _-Least).

lesser(Order, Variable, Key0-Variable0, Next) :-
    key(Order, Variable, Key),
    (   Key @< Key0
    ->  Next = Key-Variable
    ;   Next = Key0-Variable0
    ).

key(ff, Variable, Size) :-
    fd_size(Variable, Size).
key(ffc, Variable, Size-Less) :-
    fd_size(Variable, Size),
    fd_degree(Variable, Degree),
    Less is -Degree.
key(min, Variable, Least) :-
    fd_inf(Variable, Least).
key(max, Variable, Less) :-
    fd_sup(Variable, Most),
    Less is -Most.

%   Call does what Variable = Value says.

guess(Variable = Value, Call, Watch) :-
    arg(6, Watch, Level0),
    Level is Level0 + 1,
    setarg(6, Watch, Level),
    place(Variable, Watch, Place),
    report(Watch, choice(Level, Place, Value)),
    take(Call, Level, Watch).

:- meta_predicate take(0, +, +).

take(Goal, Level, Watch) :-
    (   call(Goal)
    *-> follow(Level, Watch)
    ;   report(Watch, conflict(Level)),
        fail
    ).

seen_search(Search) :-
    (   watching(Watch)
    ->  begin(Watch),
        nb_setarg(5, Watch, false),
        (   call(Search)
        *-> true
        ;   arg(5, Watch, true)
        ->  report(Watch, conflict(0)),
            fail
        )
    ;   call(Search)
    ).

%   If a look shows that there is no solution, all choices are undone, and then there is a conflict
%   without any.

seen_look(Look) :-
    (   call(Look)
    ->  true
    ;   watching(Watch),
        nb_setarg(5, Watch, true),
        fail
    ).

%   The next value of the variable comes after this one failed. The last one is not a choice, just as
%   labeling/2 has none where one value is left.

seen_try(Which, Goal, Try) :-
    (   watching(Watch)
    ->  seen(Which, Goal, Try, Watch)
    ;   call(Try)
    ).

seen(last, _, Try, Watch) :-
    arg(6, Watch, Level),
    take(Try, Level, Watch).
seen(choice, Goal, Try, Watch) :-
    (   guess(Goal, Try, Watch)
    ;   arg(6, Watch, Level),
        report(Watch, back(Level)),
        fail
    ).

place(Variable, Watch, Key) :-
    (   known_pairs(Watch, Pairs),      % a count needs none
        member(Key0-Other, Pairs),
        Other == Variable
    ->  Key = Key0
    ;   Key = none
    ).
