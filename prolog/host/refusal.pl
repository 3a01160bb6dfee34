:- module(sudoku_refusal,
          [ sudoku_goal/2,
            sudoku_quiet/1,
            sudoku_search/2, sudoku_search/3, sudoku_search/4,
            sudoku_switched/2, sudoku_switched/3, sudoku_switched/4, sudoku_switched/5,
            sudoku_switched/6, sudoku_switched/7, sudoku_switched/8
          ]).
:- use_module(instances, []).
:- use_module(loading, [load_text/4]).
:- use_module(pairs, [is_output/2, key_list/2, normal/2, signature/2, value/2]).
:- use_module(library(apply), [exclude/3, foldl/4, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2]).
:- use_module(library(clpfd), [fd_size/2, labeling/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, reverse/2]).
:- use_module(library(ordsets), [ord_memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_keys/2]).
:- use_module(library(when), [when/2]).

/** <module> Why does a program for a problem refuse an answer?

A copy of the program is loaded in which each goal of a body is wrapped: a goal that posts a constraint
can be switched off by its number, a search gives the variables the values of the answer, and any other
goal tells when it fails. Then the answer is tried, with different goals switched off. The goals to blame
are a minimal set that refuses it; if it is refused without any of them, the goal of plain Prolog that
fails.

A goal that only computes is never switched off: one without a variable of the problem, with at most one
variable. Variables of the problem are known by an attribute, also when the goal that would have given
them a domain is off.
*/

:- dynamic
    prepared_module/1,          % Module
    goal_at/6,                  % Module, Number, Clause, Kind, Line, Text
    calls/3,                    % Module, Number of a goal, Name/Arity
    single_at/3,                % Module, Line of a clause, Name of a variable that it has once
    head_at/3.                  % Module, Number, Name/Arity

:- meta_predicate
    sudoku_goal(+, 0),
    sudoku_quiet(0),
    sudoku_search(+, 0),
    sudoku_search(+, 1, ?),
    sudoku_search(+, 2, ?, ?),
    sudoku_switched(+, 0),
    sudoku_switched(+, 1, ?),
    sudoku_switched(+, 2, ?, ?),
    sudoku_switched(+, 3, ?, ?, ?),
    sudoku_switched(+, 4, ?, ?, ?, ?),
    sudoku_switched(+, 5, ?, ?, ?, ?, ?),
    sudoku_switched(+, 6, ?, ?, ?, ?, ?, ?).

                /*******************************
                *           the copy           *
                *******************************/

%!  prepared(+Module, +File, +Text, -Answer) is det.
%
%   Makes sure that Module has the copy of a program with this Text. Answer is [], or a text if something
%   is wrong. File is no name that was used for another text.

prepared(Module0, File0, Text, Answer) :-
    maplist(atom_string, [Module,File], [Module0,File0]),
    with_mutex(sudoku_own, prepare(Module, File, Text, Errors)),
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
    retractall(single_at(Module, _, _)),
    retractall(head_at(Module, _, _)),
    forall(( member(Name, [sudoku_goal,sudoku_quiet,sudoku_search,sudoku_switched]),
             module_property(sudoku_refusal, exports(All)),
             member(Name/Arity, All) ),
           Module:import(sudoku_refusal:Name/Arity)),
    flag(sudoku_refusal, _, 0),
    asserta((Module:term_expansion(Term, Position, Wrapped, _) :-
                 sudoku_refusal:wrapped(Module, File-Text, Term, Position, Wrapped)),
            Hook),
    call_cleanup(load_text(Module:File, Text, [module(Module)], Errors), erase(Hook)),
    (   Errors == []
    ->  assertz(prepared_module(Module))
    ;   true
    ).

wrapped(Module, Program, Term, Position, Wrapped) :-
    prolog_load_context(module, Module),
    nonvar(Position),
    flag(sudoku_refusal_clause, Clause, Clause+1),
    read_from(Program, Text),
    singles(Module, Text, Term, Position),
    (   clause_parts(Term, Position, Head, Neck, Body0, BodyPosition)
    ->  parts(Position, [HeadPosition|_])
    ;   callable(Term),
        Term \= (:- _),
        Term \= (?- _),
        Term \= (_ --> _)
    ->  head_numbered(Term, Position, in(Module, Text)),
        fail
    ),
    head_numbered(Head, HeadPosition, in(Module, Text)),
    wrap(Body0, BodyPosition, in(Module, Text), Body),
    Wrapped =.. [Neck,Head,Body].

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
        line_of(Text, From, Line),
        forall(( member(Name=Variable, Names),
                 \+ sub_atom(Name, 0, _, _, '_'),
                 member(Single, Singles),
                 Single == Variable ),
               assertz(single_at(Module, Line, Name)))
    ;   true
    ).

clause_parts((Head --> Body), Position0, NewHead, (:-), NewBody, BodyPosition) :-
    !,
    dcg_translate_rule((Head --> Body), Position0, (NewHead :- NewBody), Position),
    parts(Position, [_,BodyPosition]).
clause_parts((Head :- Body), Position, Head, (:-), Body, BodyPosition) :-
    parts(Position, [_,BodyPosition]).
clause_parts((Head => Body), Position, Head, (=>), Body, BodyPosition) :-
    parts(Position, [_,BodyPosition]).

parts(Position, Positions) :-
    (   nonvar(Position),
        (   Position = term_position(_, _, _, _, Found)
        ;   Position = parentheses_term_position(_, _, Inner),
            parts(Inner, Found)
        )
    ->  Positions = Found
    ;   true
    ).

head_numbered(Head, Position, In) :-
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
wrap((A->B0), Position, In, Wrapped) =>
    both(true, B0, Position, In, _, B),
    Wrapped = (sudoku_quiet(A)->B).
wrap((A*->B0), Position, In, Wrapped) =>
    both(true, B0, Position, In, _, B),
    Wrapped = (sudoku_quiet(A)*->B).
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

wrap_goal(Goal, Position, In, Wrapped) :-
    functor(Goal, Name, Arity),
    (   constrains(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(constraint, Goal, Position, In, Number),
        term_variables(Goal, Variables),
        Wrapped = sudoku_switched(Number/Variables, Goal)
    ;   searches(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(search, Goal, Position, In, Number),
        Wrapped = sudoku_search(Number, Goal)
    ;   numbered(plain, Goal, Position, In, Number),
        In = in(Module, _),
        forall(called(Module, Goal, Called), assertz(calls(Module, Number, Called))),
        wrap_arguments(Goal, Position, In, Goal1),
        Wrapped = sudoku_goal(Number, Goal1)
    ).

called(_, Goal, Name/Arity) :-
    functor(Goal, Name, Arity).
called(Module, Goal, Name/Arity) :-
    catch(predicate_property(Module:Goal, meta_predicate(Spec)), _, fail),
    arg(Place, Spec, More),
    integer(More),
    arg(Place, Goal, Closure),
    callable(Closure),
    functor(Closure, Name, Arity0),
    Arity is Arity0+More.

wrap_arguments(Goal0, Position, In, Goal) :-
    In = in(Module, _),
    catch(predicate_property(Module:Goal0, meta_predicate(Spec)), _, fail),
    !,
    Goal0 =.. [Name|Arguments0],
    Spec =.. [_|Specs],
    length(Specs, Arity),
    length(Positions, Arity),
    parts(Position, Positions),
    (   tests(Name/Arity)
    ->  maplist(quieted, Specs, Arguments0, Arguments)
    ;   wrap_each(Specs, Arguments0, Positions, In, Arguments)
    ),
    Goal =.. [Name|Arguments].
wrap_arguments(Goal, _, _, Goal).

quieted(Spec, Argument, Quiet) :-
    (   Spec == 0,
        nonvar(Argument)
    ->  Quiet = sudoku_quiet(Argument)
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
        Wrapped = sudoku_switched(Number, Closure)
    ;   More =< 2,
        searches(Name/Arity),
        \+ own(In, Goal)
    ->  numbered(search, Closure, Position, In, Number),
        Wrapped = sudoku_search(Number, Closure)
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

%   A number for a goal of the text.

numbered(Kind, Goal, Position, in(Module, Source), Number) :-
    flag(sudoku_refusal, Number, Number+1),
    (   Source = text(File, Text)
    ->  Line = File:Line0
    ;   Text = Source,
        Line = Line0
    ),
    (   range(Position, From, To)
    ->  Length is To-From,
        sub_string(Text, From, Length, _, Piece),
        split_string(Piece, "\n", " \t\r", Lines0),
        maplist(without_comment, Lines0, Lines),
        atomic_list_concat(Lines, ' ', Shown)
    ;   format(atom(Shown), "~q", [Goal]),
        From = 0
    ),
    line_of(Text, From, Line0),
    flag(sudoku_refusal_clause, Clause, Clause),
    assertz(goal_at(Module, Number, Clause, Kind, Line, Shown)).

range(Position, From, To) :-
    compound(Position),
    arg(1, Position, From),
    arg(2, Position, To),
    integer(From),
    integer(To).

line_of(Text, At, Line) :-
    sub_string(Text, 0, At, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line).

without_comment(Line, Clean) :-
    (   sub_string(Line, Before, _, _, "  %")
    ->  sub_string(Line, 0, Before, _, Clean0),
        split_string(Clean0, "", " \t", [Clean])
    ;   Clean = Line
    ).

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

                /*******************************
                *      what the copy calls     *
                *******************************/

%   Of the globals, sr_ignored is the number of a goal that succeeds where it fails, or none; sr_failed has
%   the goals that have failed, with the number of goals around them; sr_on are the numbers of the constraints that are on, as bits; sr_static is true if
%   goals that only compute are called anyway; sr_ran has the numbers of the constraints that were
%   called; sr_at their calls, as in sr_chain, the numbers of the goals around a goal; sr_watch is
%   what calls a goal that posts no constraint, with its number.

%
%   The compiler may turn a constraint into one with more variables, so those of the text are there too.

sudoku_switched(Number/Variables, Goal) :-
    switched(Number, Goal, Variables).
sudoku_switched(Number, Closure, A) :-
    switched(Number, call(Closure, A), Closure+A).
sudoku_switched(Number, Closure, A, B) :-
    switched(Number, call(Closure, A, B), Closure+A+B).
sudoku_switched(Number, Closure, A, B, C) :-
    switched(Number, call(Closure, A, B, C), Closure+A+B+C).
sudoku_switched(Number, Closure, A, B, C, D) :-
    switched(Number, call(Closure, A, B, C, D), Closure+A+B+C+D).
sudoku_switched(Number, Closure, A, B, C, D, E) :-
    switched(Number, call(Closure, A, B, C, D, E), Closure+A+B+C+D+E).
sudoku_switched(Number, Closure, A, B, C, D, E, F) :-
    switched(Number, call(Closure, A, B, C, D, E, F), Closure+A+B+C+D+E+F).

switched(Number, Goal, Term) :-
    nb_getval(sr_on, On),
    (   getbit_of(On, Number)
    ->  ran(Number),
        told(Number, Goal)
    ;   term_variables(Term, Variables),
        (   nb_getval(sr_static, true),
            only_computes(Variables)
        ->  told(Number, Goal)
        ;   ran(Number),
            maplist(mark, Variables)
        )
    ).

getbit_of(On, Number) :-
    On >> Number /\ 1 =:= 1.

only_computes([]).
only_computes([Variable]) :-
    \+ attvar(Variable).

mark(Variable) :-
    put_attr(Variable, sudoku_refusal, problem).

attr_unify_hook(_, Other) :-
    (   var(Other)
    ->  mark(Other)
    ;   true
    ).

attribute_goals(_) --> [].

ran(Number) :-
    nb_getval(sr_ran, Ran),
    (   memberchk(Number-_, Ran)
    ->  true
    ;   b_getval(sr_chain, Chain),
        nb_setval(sr_ran, [Number-Chain|Ran])
    ).

%   The first goal after which the pairs are there.

makes_pairs(Number) :-
    (   nb_getval(sr_maker, none),
        b_getval(sr_pairs, Pairs),
        is_list(Pairs)
    ->  nb_setval(sr_maker, Number),
        (   \+ ( member(Pair, Pairs), \+ has_key(Pair) )
        ->  maplist(normal, Pairs, Normal),
            pairs_keys(Normal, Keys),
            nb_setval(sr_made, made(Keys))
        ;   true
        )
    ;   true
    ).

%   The failure that got furthest is kept.

sudoku_goal(Number, Goal) :-
    b_getval(sr_chain, Chain),
    b_setval(sr_chain, [Number|Chain]),
    nb_getval(sr_watch, Watch),
    call(Watch, Number, Goal),
    b_setval(sr_chain, Chain).

told(Number, _) :-
    nb_getval(sr_cut, Cut),
    getbit_of(Cut, Number),
    !,
    fail.
told(Number, Goal) :-
    (   call(Goal)
    *-> b_getval(sr_progress, Progress0),
        Progress is Progress0+1,
        b_setval(sr_progress, Progress),
        makes_pairs(Number)
    ;   failed(Number),
        nb_getval(sr_ignored, Number)
    ).

failed(Number) :-
    b_getval(sr_quiet, 0),
    noted(Number),
    b_getval(sr_progress, Progress),
    nb_getval(sr_best, best(Best, _, _)),
    Progress > Best,
    !,
    b_getval(sr_chain, Chain),
    nb_setval(sr_best, best(Progress, Number, Chain)).
failed(_).

noted(Number) :-
    nb_getval(sr_failed, Failed),
    (   memberchk(Number-_, Failed)
    ->  true
    ;   b_getval(sr_chain, Chain),
        length(Chain, Depth),
        nb_setval(sr_failed, [Number-Depth|Failed])
    ).

%   Whatever is a test fails without being to blame.

sudoku_quiet(Goal) :-
    b_getval(sr_quiet, Before),
    Quiet is Before+1,
    b_setval(sr_quiet, Quiet),
    call(Goal),
    b_setval(sr_quiet, Before).

%   A search begins with the values of the answer, if the pairs are there.

sudoku_search(Number, Goal) :-
    search(Number, Goal).
sudoku_search(Number, Closure, A) :-
    search(Number, call(Closure, A)).
sudoku_search(Number, Closure, A, B) :-
    search(Number, call(Closure, A, B)).

:- meta_predicate search(+, 0).

search(Number, _) :-
    nb_getval(sr_cut, Cut),
    getbit_of(Cut, Number),
    !,
    fail.
search(_, Goal) :-
    (   b_getval(sr_quiet, Quiet),
        Quiet > 0
    ->  call(Goal)
    ;   b_getval(sr_pairs, Pairs),
        is_list(Pairs),
        Pairs \== [],
        \+ ( member(Pair, Pairs), \+ has_key(Pair) )
    ->  maplist(normal, Pairs, Normal),
        nb_getval(sr_wanted, Wanted),
        maplist(give(Wanted), Normal),
        catch(Goal, error(instantiation_error, _), true)
    ;   nb_getval(sr_search, skipped)
    ->  true
    ;   call(Goal)
    ).

has_key(Pair) :-
    nonvar(Pair),
    normal(Pair, Key-_),
    ground(Key).

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

reset(On, Static, Search) :-
    maplist(nb_setval,
            [sr_on,sr_static,sr_search,sr_best,sr_failed,sr_ran,sr_stage,sr_costs,sr_maker,sr_made,
             sr_cut,sr_watch],
            [On,Static,Search,best(-1, none, []),[],[],model,[],none,none,0,sudoku_refusal:told]).

most_inferences(20_000_000).

accepts(Module, Given) :-
    nonvar(Given),
    Given = answer(Atoms),
    !,
    length(Atoms, Number),
    length(Terms, Number),
    maplist(when_known(Atoms), Terms),
    (   sudoku_instances:has(Module, answer/1)
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
    (   sudoku_instances:has(Module, model/2)
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
    ->  sudoku_instances:least(Cost)
    ;   true
    ).

%   A list of as many atoms as the answer has, in any order.

when_known(Atoms, Term) :-
    when(ground(Term), ( sudoku_refusal:term_list(Term, List), memberchk(List, Atoms) )).

term_list(Term, [Name|Arguments]) :-
    Term =.. [Name|Arguments0],
    maplist(value, Arguments0, Arguments).

%   The values of the answer. Of an atom that it lacks, the variable is 0.

give(Wanted, Pair) :-
    Pair = _-Variable,
    (   wanted(Wanted, Pair, [Value])
    ->  \+ is_no_number(Variable, Value),
        Variable = Value
    ;   true
    ).

%   A name for a variable of constraints, which would raise an error.

is_no_number(Variable, Value) :-
    var(Variable),
    get_attr(Variable, clpfd, _),
    \+ integer(Value).

%   Values are those with which a pair is in the answer; 0 if it may be left out.

wanted(Wanted, Pair, Values) :-
    Pair = Key-_,
    (   Key = #<==>(Atom)
    ->  key_list(Atom, List),
        append(Start, [Last], List),
        (   get_assoc(Start, Wanted, Lasts),
            memberchk(Last, Lasts)
        ->  Values = [1]
        ;   counts(Pair)
        ->  Values = [0]
        )
    ;   key_list(Key, List),
        get_assoc(List, Wanted, Values)
    ).

%   Each atom of the answer has its pair, and each pair that is of a predicate of the answer its atom.

complete(Pairs) :-
    pairs_keys(Pairs, Keys),
    \+ other_key(Keys, _).

counts(Pair) :-
    nb_getval(sr_outputs, Outputs),
    signature(Pair, Predicate),
    is_output(Outputs, Predicate).

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
%   Answer is [Kind,Together,Why,Lines], as in explain/refusal.py; a line is [Number,Text], or
%   [Number,Text,File] in an included file.

refusal(Module, facts(Facts, Inputs), Outputs, Atoms0, Answer) :-
    maplist(as_atoms, Atoms0, Atoms),
    setup_call_cleanup(
        sudoku_instances:assert_facts(Module, Facts, Inputs),
        once(found(Module, Outputs, Atoms, Answer0)),
        sudoku_instances:retract_facts(Module, Facts)),
    Answer0 = answer(Kind, Together, Why0, Numbers),
    atom_string(Why0, Why),
    maplist(line(Module), Numbers, Lines),
    Answer = [Kind,Together,Why,Lines].

line(Module, Number, Line) :-
    goal_at(Module, Number, _, _, At, Text),
    atom_string(Text, Shown),
    (   At = File:Place
    ->  Line = [Place,Shown,File]
    ;   Line = [At,Shown]
    ).

as_atoms(Text, Atom), string(Text) => atom_string(Atom, Text).
as_atoms(List0, List), is_list(List0) => maplist(as_atoms, List0, List).
as_atoms(Value0, Value) => Value = Value0.

found(Module, Outputs, Atoms, Answer) :-
    nb_setval(sr_outputs, Outputs),
    (   sudoku_instances:has(Module, model/1)
    ;   sudoku_instances:has(Module, model/2)
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
