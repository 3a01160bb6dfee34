:- module(pls_mistakes, [forgotten/2]).
:- use_module(attempts, [make_attempt/2, told/3, within_attempt/2]).
:- use_module(instances, [found/3, instance_program/2, with_facts/2]).
:- use_module(switched, [calls/3, constrains/1, goal_at/6, head_at/3, row/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [list_to_set/2, member/2, memberchk/2, reverse/2]).
:- use_module(library(occurs), [sub_term/2]).

/** <module> Mistakes in Prolog programs that no refused answer shows

The copy of the program that switched.pl makes shows which constraints are forgotten.
*/

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

%   Every goal is on, and nothing is known of an answer.

note_forgotten(Instance, Noted) :-
    make_attempt([quiet(1),watch(pls_mistakes:watch(Noted))], Attempt),
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
