:- module(pls_mistakes, [endless/3, forgotten/2]).
:- use_module(attempts, [getbit_of/2, make_attempt/2, told/3, within_attempt/2]).
:- use_module(instances, [found/3, instance_program/2, with_facts/2]).
:- use_module(switched, [calls/3, constrains/1, goal_at/6, head_at/3, row/3]).
:- use_module(library(apply), [exclude/3, foldl/4, maplist/3, partition/4]).
:- use_module(library(lists), [append/3, list_to_set/2, member/2, memberchk/2, reverse/2]).
:- use_module(library(occurs), [sub_term/2]).

/** <module> Mistakes in Prolog programs that no refused answer shows

The copy of the program that switched.pl makes shows which goals keep it from ending, and which
constraints are forgotten.
*/

%!  endless(+Instance, -Why, -Rows) is semidet.
%
%   A program that does not end goes on doing so with nothing but the goals of Rows: a failure slice
%   (Neumerkel and Mesnard 1999), in which every other goal fails. A row is that of switched.pl. The goals with
%   which clauses end then are first, the last one of the text before all. Why is a text about the first
%   one, or empty. Fails if the program ends.

endless(Instance, Why, Rows) :-
    with_facts(Instance, once(needed_to_loop(Instance, Numbers))),
    Numbers = [First|_],
    instance_program(Instance, Module),
    (   slow(Module, First, Why)
    ->  true
    ;   Why = ""
    ),
    maplist(row(Module), Numbers, Rows).

slow(Module, Number, Why) :-
    goal_at(Module, Number, Clause, search, _, _),
    goal_at(Module, Later, Clause, _, place(_, Line, _), _),
    Later > Number,
    posting(Module, Clause, Later, []),
    !,
    format(string(Why), "it searches before the constraint in line ~w is posted", [Line]).
slow(Module, Number, "it makes every order in full before it tests one") :-
    goal_at(Module, Number, _, _, _, Text),
    sub_atom(Text, 0, _, _, 'permutation(').

%   A slice that is found within few inferences and goes on for many is the one that many would give: the
%   goals of it are needed, and every larger slice goes on, too. A deep search takes a time that grows with
%   its square.

needed_to_loop(Instance, Numbers) :-
    instance_program(Instance, Module),
    findall(Number, ( goal_at(Module, Number, _, Kind, _, _), \+ memberchk(Kind, [head,inner]) ), All),
    member(Inferences, [50_000,500_000]),
    loops(Instance, Inferences, 0),
    foldl(cut_if_it_loops(Instance, Inferences), All, 0, Cut),
    loops(Instance, 500_000, Cut),
    !,
    exclude(getbit_of(Cut), All, Kept),
    reverse(Kept, Backwards),
    partition(ends_clause(Module, Kept), Backwards, Last, Others),
    append(Last, Others, Numbers),
    Numbers \== [].

cut_if_it_loops(Instance, Inferences, Number, Cut0, Cut) :-
    Cut1 is Cut0 \/ 1<<Number,
    (   loops(Instance, Inferences, Cut1)
    ->  Cut = Cut1
    ;   Cut = Cut0
    ).

ends_clause(Module, Kept, Number) :-
    goal_at(Module, Number, Clause, _, _, _),
    !,
    \+ ( member(Later, Kept), Later > Number, goal_at(Module, Later, Clause, _, _, _) ).

loops(Instance, Inferences, Cut) :-
    whole_attempt([cut(Cut)], Attempt),
    catch(call_with_inference_limit(
              ( within_attempt(Attempt, found(Instance, any, _)), fail ; true ), Inferences, Limit),
          _, fail),
    Limit == inference_limit_exceeded.

%   Every goal is on, and nothing is known of an answer.

whole_attempt(Fields, Attempt) :-
    make_attempt([quiet(1)|Fields], Attempt).

%!  forgotten(+Instance, -Found) is semidet.
%
%   Found are rows of goals after which constraints do not hold of the variables that they seem to be
%   about: a copy has them, or they are undone, as the words of a row say. Fails if there is none.

forgotten(Instance, Found) :-
    Noted = noted([]),
    with_facts(Instance, once(note_forgotten(Instance, Noted))),
    Noted = noted([_|_]),
    arg(1, Noted, Noted0),
    reverse(Noted0, Noted1),
    list_to_set(Noted1, Goals),
    instance_program(Instance, Module),
    maplist(said(Module), Goals, Found).

note_forgotten(Instance, Noted) :-
    whole_attempt([watch(pls_mistakes:watch(Noted))], Attempt),
    catch(call_with_inference_limit(
              ( within_attempt(Attempt, found(Instance, any, _)) -> true ; true ), 5_000_000, _),
          _, true).

%   Calls a goal of the program, and notes whether it forgets constraints.

watch(Noted, Attempt, Number, Goal) :-
    term_attvars(Goal, Before),
    told(Attempt, Number, Goal),
    (   Before \== [],
        forgetful(Goal, How)
    ->  arg(1, Noted, Others),
        nb_setarg(1, Noted, [How-Number|Others])
    ;   true
    ).

%   findall/3 and its like give copies of variables that were there before, and a test undoes the
%   constraints that it posts.

forgetful(Module:Goal, How) :-
    functor(Goal, Name, Arity),
    (   copies(Name/Arity, Place)
    ->  arg(Place, Goal, Copies),
        term_attvars(Copies, [_|_]),
        How = copied(Name/Arity)
    ;   memberchk(Name/Arity, [forall/2,(\+)/1]),
        posts_in(Module, Goal)
    ->  How = undone(Name/Arity)
    ).

copies(findall/3, 3).
copies(findall/4, 3).
copies(aggregate_all/3, 3).
copies(copy_term/2, 2).

%   A term with a goal in it that posts a constraint, or calls a clause that does.

posts_in(Module, Term) :-
    sub_term(Goal, Term),
    callable(Goal),
    functor(Goal, Name, Arity),
    posts(Module, Name/Arity, []),
    !.

posts(_, Called, _) :-
    constrains(Called),
    !.
posts(Module, Name/Arity, Seen) :-
    head_at(Module, Head, Name/All),
    All >= Arity,
    \+ memberchk(Head, Seen),
    goal_at(Module, Head, Clause, head, _, _),
    posting(Module, Clause, _, [Head|Seen]),
    !.

posting(Module, Clause, Number, Seen) :-
    goal_at(Module, Number, Clause, Kind, _, _),
    (   Kind == constraint
    ->  true
    ;   Kind == plain,
        calls(Module, Number, Called),
        posts(Module, Called, Seen)
    ).

said(Module, How-Number, [File,Line,Column,Text,Why]) :-
    row(Module, Number, [File,Line,Column,Text,_]),
    why(How, Why).

why(copied(Predicate), Why) =>
    format(string(Why), "~w gives copies of the variables: constraints on the copies say nothing about \c
                         the variables", [Predicate]).
why(undone(Predicate), Why) =>
    format(string(Why), "~w undoes the constraints that are posted in it", [Predicate]).
