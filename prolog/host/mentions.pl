:- module(pls_mentions, [unrelated/2]).
:- use_module(instances, [instance_inputs/2, instance_program/2]).
:- use_module(raised, [has/2]).
:- use_module(switched, [bare/2, meta_spec/3]).
:- use_module(library(apply), [exclude/3, include/3, maplist/4, partition/4]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, subtract/3]).
:- use_module(library(occurs), [occurrences_of_var/3]).

/** <module> Predicates of the instance that nothing relates to an answer

Values meet where goals have variables in common. So the goals of model/1 or answer/1 fall into groups that
have none in common; whatever a group fetches from the instance says nothing about an answer unless the group
has a variable of it. A call of a predicate with one clause is as good as the goals of that clause. Any other
goal relates all its variables to all that it calls, at any depth: a condition decides what its branches do.

Nothing is known of a program that calls what only a run shows, or hands on values without variables, as by
assertz/1.
*/

%!  unrelated(+Instance, -Predicates) is semidet.
%
%   Predicates, each Name/Arity, are those of the instance that no goal relates to the terms of an answer. The
%   program is a copy as switched.pl makes it, with the teacher's file.

unrelated(Instance, Predicates) :-
    instance_program(Instance, Program),
    instance_inputs(Instance, Inputs),
    catch(call_with_inference_limit(
              ( groups(in(Program, Inputs), Parts, Answer), related(Answer, Parts, Related) ),
              5_000_000, Limit),
          unknown, fail),
    Limit \== inference_limit_exceeded,
    subtract(Inputs, Related, Predicates).

groups(In, Parts, Answer) :-
    In = in(Program, _),
    \+ '$c_current_predicate'(_, Program:chr_show_store(_)),   % its rules find values in a store
    member(Predicate, [model/2,model/1,answer/1,answer/2]),
    has(Program, Predicate),
    !,
    Predicate = Name/Arity,
    functor(Head, Name, Arity),
    only_clause(In, Head, Body, Local),
    term_variables(Head, Answer),
    parts(Body, Local, In, [Predicate], Parts).

%   Local are the variables that only findall/3 and its like have, and that never get a value outside.

only_clause(in(Program, _), Head, Body, Local) :-
    findall(Head-Body0, clause(Program:Head, Body0), [Head-Body1]),
    bare(Body1, Body),
    inner_terms(Body, Terms),
    term_variables(Terms, Variables),
    include(only_in(Terms, Head-Body), Variables, Local).

inner_terms(Goal, Terms), var(Goal) => Terms = [].
inner_terms((A,B), Terms) =>
    inner_terms(A, As),
    inner_terms(B, Bs),
    append(As, Bs, Terms).
inner_terms(findall(Template, Goal, _), Terms) => Terms = [Template,Goal].
inner_terms(findall(Template, Goal, _, _), Terms) => Terms = [Template,Goal].
inner_terms(aggregate_all(Template, Goal, _), Terms) => Terms = [Template,Goal].
inner_terms(forall(Condition, Goal), Terms) => Terms = [Condition,Goal].
inner_terms(\+Goal, Terms) => Terms = [Goal].
inner_terms(_, Terms) => Terms = [].

only_in(Terms, Clause, Variable) :-
    occurrences_of_var(Variable, Terms, Number),
    occurrences_of_var(Variable, Clause, Number).

%   Parts are part(Variables,Predicates), what a goal relates.

parts(Goal, _, _, _, _), var(Goal) =>
    throw(unknown).
parts((A,B), Local, In, Callers, Parts) =>
    parts(A, Local, In, Callers, As),
    parts(B, Local, In, Callers, Bs),
    append(As, Bs, Parts).
parts(Goal, _, In, Callers, Parts), is_single(Goal, In, Callers, Head, Body, Inner) =>
    functor(Goal, Name, Arity),
    Goal =.. [_|Arguments],
    Head =.. [_|Parameters],
    maplist(handed_on, Arguments, Parameters, Handed),
    parts(Body, Inner, In, [Name/Arity|Callers], Within),
    append(Handed, Within, Parts).
parts(Goal, Local, In, _, Parts) =>
    term_variables(Goal, All),
    exclude(one_of(Local), All, Variables),
    reached([Goal], In, [], Predicates),
    Parts = [part(Variables,Predicates)].

is_single(Goal, In, Callers, Head, Body, Local) :-
    In = in(Program, Inputs),
    functor(Goal, Name, Arity),
    \+ memberchk(Name/Arity, Inputs),
    \+ memberchk(Name/Arity, Callers),
    length(Callers, Depth),
    Depth < 20,
    own(Program, Goal),
    functor(Head, Name, Arity),
    only_clause(In, Head, Body, Local).

handed_on(Argument, Parameter, part(Variables,[])) :-
    term_variables(Argument-Parameter, Variables).

one_of(Variables, Variable) :-
    member(Other, Variables),
    Other == Variable,
    !.

%   Related are the predicates of the parts that have one of these variables, or one of such a part.

related(Variables, Parts, Related) :-
    partition(has_one_of(Variables), Parts, Near, Far),
    (   Near == []
    ->  Related = []
    ;   findall(Predicate, ( member(part(_, All), Near), member(Predicate, All) ), Here),
        term_variables(Variables-Near, More),
        related(More, Far, There),
        append(Here, There, Related)
    ).

has_one_of(Variables, part(Own, _)) :-
    member(Variable, Own),
    one_of(Variables, Variable),
    !.

                /*******************************
                *        what goals call       *
                *******************************/

%   Predicates are those of the instance that goals call at any depth. Seen are those of the program that have
%   been looked at.

reached([], _, _, []).
reached([Module:_|Goals], In, Seen, Predicates) :-
    is_of_library(Module),              % such as what library(clpfd) makes of a constraint
    !,
    reached(Goals, In, Seen, Predicates).
reached([Goal|Goals], In, Seen, Predicates) :-
    In = in(Program, Inputs),
    must_be_known(Goal),
    functor(Goal, Name, Arity),
    functor(General, Name, Arity),
    (   memberchk(Name/Arity, Seen)
    ->  reached(Goals, In, Seen, Predicates)
    ;   memberchk(Name/Arity, Inputs)
    ->  Predicates = [Name/Arity|More],
        reached(Goals, In, [Name/Arity|Seen], More)
    ;   own(Program, General)
    ->  findall(Body, ( clause(Program:General, Body0), bare(Body0, Body) ), Bodies),
        append(Goals, Bodies, Next),
        reached(Next, In, [Name/Arity|Seen], Predicates)
    ;   must_be_pure(Program, General),
        findall(Inner, called(Program, Goal, Inner), Inners),
        append(Goals, Inners, Next),
        reached(Next, In, Seen, Predicates)
    ).

must_be_known(Goal) :-
    (   callable(Goal),
        Goal \= _:_
    ->  true
    ;   throw(unknown)
    ).

own(Program, Goal) :-
    predicate_property(Program:Goal, number_of_clauses(_)),
    \+ predicate_property(Program:Goal, imported_from(_)).

%   What has clauses elsewhere is not seen, unless it is of a library.

must_be_pure(Program, Goal) :-
    functor(Goal, Name, _),
    (   (   hands_on(Name)
        ;   predicate_property(Program:Goal, imported_from(Module)),
            \+ is_of_library(Module)
        )
    ->  throw(unknown)
    ;   true
    ).

is_of_library(Module) :-
    atom(Module),
    module_property(Module, class(Class)),
    memberchk(Class, [library,system]).

hands_on(Name) :-
    memberchk(Name,
              [ assert, asserta, assertz, retract, retractall, abolish, erase, flag,
                nb_setval, b_setval, nb_getval, b_getval, recorda, recordz, recorded,
                setarg, nb_setarg, apply, consult, load_files, set_prolog_flag,
                create_prolog_flag, current_prolog_flag, thread_get_message,
                thread_send_message, tnot, clause, nth_clause, current_predicate,
                predicate_property, current_op, term_to_atom, read, read_term, freeze,
                when, frozen, put_attr, copy_predicate_clauses ]).

%   The goals in a goal, as its meta-predicate calls them.

called(Program, Goal, Inner) :-
    meta_spec(Program, Goal, Spec),
    arg(Place, Spec, Kind),
    arg(Place, Goal, Argument),
    in_argument(Kind, Argument, Inner).

in_argument(0, Argument, Inner) =>
    Inner = Argument.
in_argument(^, _^Argument, Inner) =>
    in_argument(^, Argument, Inner).
in_argument(^, Argument, Inner) =>
    Inner = Argument.
in_argument(//, Argument, Inner), callable(Argument), \+ combines(Argument) =>
    in_argument(2, Argument, Inner).
in_argument(//, _, Inner) =>
    Inner = _.
in_argument(Extra, _>>Argument, Inner), integer(Extra) =>
    in_lambda(Extra, Argument, Inner).
in_argument(Extra, Argument, Inner), integer(Extra), callable(Argument), plain(Argument) =>
    Argument =.. Parts0,
    length(Others, Extra),
    append(Parts0, Others, Parts),
    Inner =.. Parts.
in_argument(Extra, _, Inner), integer(Extra) =>
    Inner = _.                          % known at run time only
in_argument(_, _, _) => fail.

plain(Argument) :-
    functor(Argument, Name, _),
    \+ memberchk(Name, [:,/,\]).

%   The body of a grammar rule with more than one call is translated at run time.

combines(Argument) :-
    functor(Argument, Name, _),
    memberchk(Name, [',',;,'|',->,*->,\+,{}]).

%   A lambda expression may call its body with some of the arguments.

in_lambda(Most, Argument, Inner) :-
    between(0, Most, Extra),
    in_argument(Extra, Argument, Inner).
