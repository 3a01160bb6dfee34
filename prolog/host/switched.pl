:- module(pls_switched,
          [ bare/2, calls/3, clause_at/4, constrains/1, goal_at/6, head_at/3, meta_spec/3, nearest_heads/3,
            prepared/4, role/3, row/3, searching/2, single_at/3 ]).
:- use_module(attempts, []).            % what the copy calls
:- use_module(clauses, [clause_parts/7, parts/2, range/3, reading/3, text_at/6]).
:- use_module(loading, [load_text/4]).
:- use_module(library(apply), [foldl/5, maplist/3, maplist/5]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(pairs), [pairs_values/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

:- meta_predicate searching(+, 0).

/** <module> A copy of a program whose goals can be switched off

Each goal of a body is wrapped: a goal that posts a constraint can be switched off by its number, a search
gives the variables the values of an answer, and any other goal tells when it fails. The wrapped goals are
those of attempts.pl; refusal.pl and mistakes.pl run the copy to find the goals to blame.
*/

:- dynamic
    prepared_module/1,          % Module
    goal_at/6,                  % Module, Number, Clause, Kind, Place, Text
    calls/3,                    % Module, Number of a goal that is no constraint, Name/Arity
    role_at/3,                  % Module, Number of a goal, Role
    single_at/3,                % Module, Line of a clause, Name of a variable that it has once
    head_at/3,                  % Module, Number, Name/Arity
    clause_at/4.                % Module, Number of its head, Head, Body with its goals wrapped

                /*******************************
                *           the copy           *
                *******************************/

%!  prepared(+Module, +File, +Text, -Answer) is det.
%
%   Makes sure that Module has the copy of a program with this Text. Answer is [], or a text if something
%   is wrong. File must differ from the names of other texts.

prepared(Module0, File0, Text, Answer) :-
    maplist(atom_string, [Module,File], [Module0,File0]),
    with_mutex(pls_own, prepare(Module, File, Text, Errors)),
    (   Errors == []
    ->  Answer = []
    ;   atomic_list_concat(Errors, '\n', Joined),
        atom_string(Joined, Answer)
    ).

prepare(Module, _, _, []) :-
    prepared_module(Module),
    !.
prepare(Module, File, Text, Errors) :-
    retractall(goal_at(Module, _, _, _, _, _)),
    retractall(calls(Module, _, _)),
    retractall(role_at(Module, _, _)),
    retractall(single_at(Module, _, _)),
    retractall(head_at(Module, _, _)),
    retractall(clause_at(Module, _, _, _)),
    forall(( member(Name, [pls_goal,pls_inner,pls_quiet,pls_search,pls_switched]),
             module_property(pls_attempts, exports(All)),
             member(Name/Arity, All) ),
           Module:import(pls_attempts:Name/Arity)),
    flag(pls_switched, _, 0),
    reading(Module, wrapped(Module, File-Text), load_text(Module:File, Text, [module(Module)], Errors)),
    (   Errors == []
    ->  assertz(prepared_module(Module))
    ;   true
    ).

wrapped(Module, Program, Term, Position, Wrapped) :-
    prolog_load_context(module, Module),
    flag(pls_switched_clause, Clause, Clause+1),
    read_from(Program, Text),
    singles(Module, Text, Term, Position),
    clause_parts(Term, Position, Head, Neck, Body0, HeadPosition, BodyPosition),
    In = in(Module, Text),
    head_numbered(Head, HeadPosition, In, Number),
    (   Neck == none
    ->  assertz(clause_at(Module, Number, Head, true)),
        fail
    ;   wrap(Body0, BodyPosition, In, Body),
        assertz(clause_at(Module, Number, Head, Body)),
        Wrapped =.. [Neck,Head,Body]
    ).

%   The text of the file that is read: the program, or text(File,Text) for one that it includes.

read_from(Program-Text0, Text) :-
    prolog_load_context(file, File),
    (   absolute_file_name(Program, File)
    ->  Text = Text0
    ;   read_file_to_string(File, Included, [encoding(utf8)]),
        file_base_name(File, Name),
        Text = text(Name, Included)
    ).

singles(Module, Text, Term, Position) :-
    (   Text \= text(_, _),
        prolog_load_context(variable_names, Names),
        range(Position, From, _)
    ->  term_singletons(Term, Singles),
        text_at(Text, From, From, Line, _, _),
        forall(( member(Name=Variable, Names),
                 \+ sub_atom(Name, 0, _, _, '_'),
                 member(Single, Singles),
                 Single == Variable ),
               assertz(single_at(Module, Line, Name)))
    ;   true
    ).

head_numbered(Head, Position, In, Number) :-
    In = in(Module, _),
    functor(Head, Name, Arity),
    numbered(head, Head, Position, In, Number),
    assertz(head_at(Module, Number, Name/Arity)).

%   Wrapped goals stand where those of the body do.

wrap(Goal, _, _, Wrapped), var(Goal) =>
    Wrapped = Goal.
wrap(Goal, parentheses_term_position(_, _, Position), In, Wrapped) =>
    wrap(Goal, Position, In, Wrapped).
wrap((A0,B0), Position, In, Wrapped) =>
    both(A0, B0, Position, In, A, B),
    Wrapped = (A,B).
wrap((A0;B0), Position, In, Wrapped) =>
    both(A0, B0, Position, In, A, B),
    Wrapped = (A;B).
wrap((A0->B0), Position, In, Wrapped) =>
    test_and_then(A0, B0, Position, In, A, B),
    Wrapped = (pls_quiet(A)->B).
wrap((A0*->B0), Position, In, Wrapped) =>
    test_and_then(A0, B0, Position, In, A, B),
    Wrapped = (pls_quiet(A)*->B).
wrap(!, _, _, Wrapped) =>
    Wrapped = ! .
wrap(true, _, _, Wrapped) =>
    Wrapped = true.
wrap(Goal0, Position, In, Wrapped), callable(Goal0) =>
    wrap_goal(Goal0, Position, In, Wrapped).
wrap(Goal, _, _, Wrapped) =>
    Wrapped = Goal.

both(A0, B0, Position, In, A, B) :-
    parts(Position, [PositionA,PositionB]),
    wrap(A0, PositionA, In, A),
    wrap(B0, PositionB, In, B).

test_and_then(A0, B0, Position, In, A, B) :-
    parts(Position, [PositionA,PositionB]),
    inner(A0, PositionA, In, A),
    wrap(B0, PositionB, In, B).

%   The goals of a test have numbers, but cannot be switched off.

inner(Goal0, Position, In, Goal) :-
    (   nonvar(Position),
        Position = parentheses_term_position(_, _, Within)
    ->  inner(Goal0, Within, In, Goal)
    ;   nonvar(Goal0),
        ( Goal0 = (_,_) ; Goal0 = (_;_) )
    ->  Goal0 =.. [Control,A0,B0],
        parts(Position, [PositionA,PositionB]),
        inner(A0, PositionA, In, A),
        inner(B0, PositionB, In, B),
        Goal =.. [Control,A,B]
    ;   callable(Goal0),
        \+ memberchk(Goal0, [!,true,(_->_),(_*->_)])
    ->  numbered(inner, Goal0, Position, In, Number),
        Goal = pls_inner(Number, Goal0)
    ;   Goal = Goal0
    ).

wrap_goal(Goal, Position, In, Wrapped) :-
    functor(Goal, Name, Arity),
    (   constrains(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(constraint, Goal, Position, In, Number),
        term_variables(Goal, Variables0),
        ( memberchk(Name, [in,ins]) -> Variables = limits(Variables0) ; Variables = Variables0 ),
        Wrapped = pls_switched(Number/Variables, Goal)
    ;   searches(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(search, Goal, Position, In, Number),
        Wrapped = pls_search(Number, Goal)
    ;   numbered(plain, Goal, Position, In, Number),
        In = in(Module, _),
        forall(called(Module, Goal, Called), assertz(calls(Module, Number, Called))),
        wrap_arguments(Goal, Position, In, Goal1),
        Wrapped = pls_goal(Number, Goal1)
    ).

called(_, Goal, Name/Arity) :-
    functor(Goal, Name, Arity).
called(Module, Goal, Name/Arity) :-
    meta_spec(Module, Goal, Spec),
    arg(Place, Spec, More),
    integer(More),
    arg(Place, Goal, Closure),
    callable(Closure),
    functor(Closure, Name, Arity0),
    Arity is Arity0+More.

%!  meta_spec(+Module, +Goal, -Spec) is semidet.
%
%   A library is not loaded into the program for this: it may define a predicate of this name further down.

meta_spec(Module, Goal, Spec) :-
    (   '$get_predicate_attribute'(Module:Goal, defined, 1)
    ->  Asked = Module
    ;   Asked = pls_switched
    ),
    catch(predicate_property(Asked:Goal, meta_predicate(Spec)), _, fail).

wrap_arguments(Goal0, Position, In, Goal) :-
    In = in(Module, _),
    meta_spec(Module, Goal0, Spec),
    !,
    Goal0 =.. [Name|Arguments0],
    Spec =.. [_|Specs],
    length(Specs, Arity),
    length(Positions, Arity),
    parts(Position, Positions),
    (   tests(Name/Arity)
    ->  maplist(quieted(In), Specs, Arguments0, Positions, Arguments)
    ;   wrap_each(Specs, Arguments0, Positions, In, Arguments)
    ),
    Goal =.. [Name|Arguments].
wrap_arguments(Goal, _, _, Goal).

quieted(In, Spec, Argument, Position, Quiet) :-
    (   Spec == 0,
        nonvar(Argument)
    ->  inner(Argument, Position, In, Inner),
        Quiet = pls_quiet(Inner)
    ;   Quiet = Argument
    ).

wrap_each([], [], _, _, []).
wrap_each([Spec|Specs], [Argument0|Arguments0], [Position|Positions], In, [Argument|Arguments]) :-
    (   integer(Spec)
    ->  wrap_closure(Spec, Argument0, Position, In, Argument)
    ;   Argument = Argument0
    ),
    wrap_each(Specs, Arguments0, Positions, In, Arguments).

%   A closure is called with this many more arguments.

wrap_closure(_, Closure, _, _, Wrapped), var(Closure) =>
    Wrapped = Closure.
wrap_closure(0, Goal, Position, In, Wrapped) =>
    wrap(Goal, Position, In, Wrapped).
wrap_closure(More, Parameters>>Body, Position, In, Wrapped) =>
    parts(Position, [_,BodyPosition]),
    parameters(Parameters, Known),
    Left is max(0, More-Known),
    wrap_closure(Left, Body, BodyPosition, In, Body1),
    Wrapped = (Parameters>>Body1).
wrap_closure(More, Closure, Position, In, Wrapped), callable(Closure) =>
    functor(Closure, Name, Arity0),
    Arity is Arity0+More,
    functor(Goal, Name, Arity),
    (   More =< 6,
        constrains(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(constraint, Closure, Position, In, Number),
        Wrapped = pls_switched(Number, Closure)
    ;   More =< 2,
        searches(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(search, Closure, Position, In, Number),
        Wrapped = pls_search(Number, Closure)
    ;   Wrapped = Closure
    ).
wrap_closure(_, Closure, _, _, Wrapped) =>
    Wrapped = Closure.

parameters(Parameters, 0), var(Parameters) =>
    true.
parameters(_/Parameters, Number) =>
    parameters(Parameters, Number).
parameters(Parameters, Number), is_list(Parameters) =>
    length(Parameters, Number).
parameters(_, Number) =>
    Number = 0.

own(in(Module, _), Goal) :-
    predicate_property(Module:Goal, number_of_clauses(_)),
    \+ predicate_property(Module:Goal, imported_from(_)).

%!  searching(+Module, :Load).
%
%   Calls Load, which loads what the teacher makes of a program into its copy. No goal of that is to blame; but
%   its searches give the variables the values of an answer, as those of the copy do.

searching(Module, Load) :-
    reading(Module, searched(Module), Load).

searched(Module, Term, Position, Searched) :-
    prolog_load_context(module, Module),
    clause_parts(Term, Position, Head, Neck, Body0, _, _),
    Neck \== none,
    in_body(in(Module, ""), Body0, Body),
    Searched =.. [Neck,Head,Body].

in_body(_, Body0, Body), var(Body0) =>
    Body = Body0.
in_body(In, Goal, Body), search_of(In, Goal, 0) =>
    flag(pls_switched, Number, Number+1),
    Body = pls_search(Number, Goal).
in_body(In, maplist(Closure, List), Body), search_of(In, Closure, 1) =>
    flag(pls_switched, Number, Number+1),
    Body = maplist(pls_search(Number, Closure), List).
in_body(In, Body0, Body), controls(Body0) =>
    Body0 =.. [Control|Parts0],
    maplist(in_body(In), Parts0, Parts),
    Body =.. [Control|Parts].
in_body(_, Body0, Body) =>
    Body = Body0.

search_of(In, Closure, More) :-
    callable(Closure),
    functor(Closure, Name, Arity0),
    Arity is Arity0+More,
    searches(Name/Arity),
    functor(Goal, Name, Arity),
    \+ own(In, Goal).

controls((_,_)).
controls((_;_)).
controls((_->_)).
controls((_*->_)).
controls(once(_)).
controls(ignore(_)).

%!  bare(+Wrapped, -Bare) is det.
%
%   Bare is a body without what is wrapped around its goals here.

bare(Goal, Bare), var(Goal) => Bare = Goal.
bare(pls_goal(_, Goal), Bare) => bare(Goal, Bare).
bare(pls_inner(_, Goal), Bare) => bare(Goal, Bare).
bare(pls_quiet(Goal), Bare) => bare(Goal, Bare).
bare(pls_switched(_, Goal), Bare) => bare(Goal, Bare).
bare(pls_search(_, Goal), Bare) => bare(Goal, Bare).
bare(Term, Bare), compound(Term) =>
    Term =.. [Name|Arguments0],
    maplist(bare, Arguments0, Arguments),
    Bare =.. [Name|Arguments].
bare(Term, Bare) => Bare = Term.

%   A number for a goal of the text.

numbered(Kind, Goal, Position, in(Module, Source), Number) :-
    flag(pls_switched, Number, Number+1),
    (   role_of(Goal, Role)
    ->  assertz(role_at(Module, Number, Role))
    ;   true
    ),
    (   Source = text(File, Text)
    ->  true
    ;   File = "",
        Text = Source
    ),
    (   range(Position, From, To)
    ->  text_at(Text, From, To, Line, Column, Shown)
    ;   format(string(Shown), "~q", [Goal]),
        Line-Column = 1-0
    ),
    flag(pls_switched_clause, Clause, Clause),
    assertz(goal_at(Module, Number, Clause, Kind, place(File, Line, Column), Shown)).

%!  nearest_heads(+Heads, +Call, -Numbers) is det.
%
%   Heads are Number-Head; Numbers are those of the predicate that is called, with the head first that is most
%   like the call.

nearest_heads(Heads, Call, Numbers) :-
    functor(Call, Name, Arity),
    functor(Head, Name, Arity),
    findall(Distance-Number, ( member(Number-Head, Heads), distance(Head, Call, Distance) ), Found0),
    keysort(Found0, Found),
    pairs_values(Found, Numbers).

distance(Head, Call, Distance) :-
    Head =.. [_|As],
    Call =.. [_|Bs],
    foldl(farther, As, Bs, 0, Distance).

farther(A, B, Distance0, Distance) :-
    (   A \= B
    ->  ( atomic(A), atomic(B) -> Distance is Distance0+1 ; Distance is Distance0+2 )
    ;   Distance = Distance0
    ).

%!  role(+Module, +Number, -Role) is det.
%
%   Role tells how likely a goal is to be wrong, of several that refuse an answer together: 0 if it relates
%   values or limits them, 1 if it gives a variable the value of a term, 2 if it fetches values, also
%   from facts.

role(Module, Number, Role) :-
    (   role_at(Module, Number, Known)
    ->  Role = Known
    ;   calls(Module, Number, Called),
        looks_up(Module, Called)
    ->  Role = 2
    ;   Role = 0
    ).

looks_up(Module, Called) :-
    \+ ( head_at(Module, Head, Called), \+ clause_at(Module, Head, _, true) ),
    (   head_at(Module, _, Called)
    ->  true
    ;   Called = Name/Arity,
        functor(Goal, Name, Arity),
        predicate_property(Module:Goal, thread_local)
    ).

role_of(Goal, Role) :-
    functor(Goal, Name, Arity),
    (   fetches(Name/Arity)
    ->  Role = 2
    ;   memberchk(Name/Arity, [(#=)/2,(=)/2,(is)/2]),
        arg(_, Goal, Variable),
        var(Variable)
    ->  Role = 1
    ).

fetches(element/3).
fetches(tuples_in/2).
fetches(nth0/3).
fetches(nth1/3).
fetches(arg/3).
fetches(member/2).
fetches(memberchk/2).
fetches(select/3).
fetches(last/2).
fetches(length/2).
fetches(get_assoc/3).

%   What library(clpfd) exports.

constrains(Name/2) :-
    memberchk(Name, [#=, #\=, #<, #>, #=<, #>=, #<==>, #==>, #<==, #\/, #/\, #\, in, ins, in_set,
                     tuples_in, global_cardinality, cumulative, chain]).
constrains(Name/1) :-
    memberchk(Name, [#\, all_different, all_distinct, circuit, cumulative, disjoint2, lex_chain]).
constrains(Name/3) :-
    memberchk(Name, [sum, global_cardinality, element, automaton]).
constrains(scalar_product/4).
constrains(automaton/8).

searches(label/1).
searches(labeling/2).
searches(indomain/1).

tests((\+)/1).
tests(findall/3).
tests(findall/4).
tests(forall/2).
tests(aggregate_all/3).
tests(aggregate_all/4).

%!  row(+Module, +Number, -Row) is det.
%
%   Row is how Python is told of a goal, as located in its file: [File,Line,Column,Text,Words]. File is
%   empty if it is the program itself, and Words are too.

row(Module, Number, [File,Line,Column,Text,""]) :-
    goal_at(Module, Number, _, _, place(File, Line, Column), Text).
