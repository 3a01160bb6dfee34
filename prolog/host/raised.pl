:- module(pls_raised, [has/2, has_place/3, keep_text/2, run/2, wrong/5, wrong_answer/4, wrong_model/4]).
:- use_module(current, [current/2, with_current/3]).
:- use_module(dialects, [elsewhere/2]).
:- autoload(hints, [of_library/2]).
:- use_module(loading, [message_text/2, placed/2]).
:- autoload(meant, [did_you_mean/2, meant/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3]).
:- use_module(library(occurs), [sub_term/2]).

/** <module> What is wrong with a program, and where

A program runs, and whatever it raises becomes an error pls_wrong(Message) with its place in the
program and what to do about it. A message is that of loading.pl.
*/

:- multifile prolog:message//1.

prolog:message(pls_wrong(Message)) -->
    { placed(Message, Text) },
    [ '~s'-[Text] ].

%!  run(+Program, +Goal) is nondet.
%
%   Runs a goal of the program. Errors in it get their place.
%
%   The hook below sees where an error is raised, and nothing can be passed to it: so the one global of
%   this module, pls_raised, is running(Program, Place) while a program runs, with the place of the last
%   error.

run(Program, Goal) :-
    Running = running(Program, none),
    catch(with_current(pls_raised, Running, Program:Goal), Error,
          explain(Program, Goal, Running, Error)).

explain(Program, Goal, Running, error(Formal, Context)) =>
    explain(Program, Goal, Running, Formal, Context).
explain(Program, _, _, Error), thrown_at(Program, Error, Place) =>
    wrong(Program, Place, thrown, "the program throws ~p"-[Error], "").
explain(_, _, _, Error) =>              % of a limit, or our own
    throw(Error).

%   Place is where the program has thrown Error, if that can be known: the place that the hook below has
%   seen, or else a goal that throws such a term, if it was the last one of its clause.

thrown_place(Program, Goal, Running, Error, Place) :-
    (   run_again(Program, Goal, Again),
        arg(2, Again, Place),
        Place \== none
    ->  true
    ;   arg(2, Running, Place),
        Place \== none
    ->  true
    ;   thrown_at(Program, Error, Place)
    ).

%   The last goal of a clause takes the place of the clause, and the hook below does not see it: once more,
%   with every clause kept.

run_again(Program, Goal, Running) :-
    Running = running(Program, none),
    current_prolog_flag(last_call_optimisation, Before),
    setup_call_cleanup(
        set_prolog_flag(last_call_optimisation, false),
        catch(call_with_inference_limit(
                  with_output_to(string(_),
                                 catch(forall(with_current(pls_raised, Running, Program:Goal), true),
                                       _, true)),
                  10_000_000, _),
              _, true),
        set_prolog_flag(last_call_optimisation, Before)).

thrown_at(Program, Error, Place) :-
    own_clause(Program, Clause),
    clause(_, Body, Clause),
    sub_term(Goal, Body),
    nonvar(Goal),
    Goal = throw(Term),
    nonvar(Term),
    subsumes_term(Term, Error),
    goal_place(Program, Clause, throw, Place),
    !.

:- multifile
    prolog:prolog_exception_hook/5,
    user:prolog_exception_hook/4.       % its name before SWI-Prolog 9.1.13

prolog:prolog_exception_hook(Error, _, Frame, _, _) :-
    pls_raised:note_place(Error, Frame),
    fail.
user:prolog_exception_hook(Error, _, Frame, _) :-
    pls_raised:note_place(Error, Frame),
    fail.

note_place(Error, Frame) :-
    current(pls_raised, Running),
    Running = running(Program, _),
    Error \= error(resource_error(_), _),
    (   called_in(Error, Called),
        place_in(Frame, Program, Called, none, Place)
    ->  nb_setarg(2, Running, Place)
    ;   nb_setarg(2, Running, none)
    ).

%   Called is the predicate that raises Error, if it says so: some of Prolog's have no frame.

called_in(error(_, Context), Name) :-
    nonvar(Context),
    Context = context(Called, _),
    nonvar(Called),
    strip_module(Called, _, Name/_),
    !.
called_in(_, none).

%   Place is that of the goal in the innermost clause of Program, or else of the clause. Counter is where
%   that clause goes on, or none in the frame in which the error is raised.

place_in(Frame, Program, Called, Counter, Place) :-
    prolog_frame_attribute(Frame, predicate_indicator, Indicator),
    strip_module(Indicator, Module, Name/_),
    (   Module == Program,
        prolog_frame_attribute(Frame, clause, Clause)
    ->  (   clause_line(Program, Clause, Counter, Line)
        ->  clause_place(Program, Clause, File:_),
            Place = File:Line
        ;   Called == Name
        ->  goal_place(Program, Clause, none, Place)
        ;   goal_place(Program, Clause, Called, Place)
        )
    ;   prolog_frame_attribute(Frame, parent, Parent),
        (   prolog_frame_attribute(Frame, pc, Counter1)
        ->  true
        ;   Counter1 = none
        ),
        place_in(Parent, Program, Name, Counter1, Place)
    ).

%   Line is that of the goal of a clause after which it goes on at Counter. The text of the clause has the
%   same conjunctions, though a goal in them may have become another one.

clause_line(Program, Clause, Counter, Line) :-
    integer(Counter),
    clause_text(Program, Clause, Text, Term, Position),
    '$clause_term_position'(Clause, Counter, Path),
    clause(Head, Body, Clause),
    goal_start(Path, (Head :- Body), Term, Position, Start),
    line_in(Text, Start, Line).

%   Text is from(Line,Source): a clause begins in this line, and Source begins with it. Term is the clause
%   as it is written, with its positions.

clause_text(Program, Clause, from(First, Source), Term, Position) :-
    clause_property(Clause, file(File)),
    clause_property(Clause, source(File)),          % it is not included
    clause_property(Clause, line_count(First)),
    text_of(Program, Text),
    split_string(Text, "\n", "", Lines),
    length(Before, First),
    append(Before, Rest, [""|Lines]),
    atomic_list_concat(Rest, '\n', Source0),
    atom_string(Source0, Source),
    setup_call_cleanup(
        open_string(Source, Stream),
        catch(read_term(Stream, Term, [module(Program),subterm_positions(Position)]), _, fail),
        close(Stream)).

line_in(from(First, Source), Start, Line) :-
    sub_string(Source, 0, Start, _, Above),
    split_string(Above, "\n", "", Parts),
    length(Parts, Number),
    Line is First + Number - 1.

%   The goal true leaves nothing in a clause.

goal_start(Path, Compiled, (true,Term), Position, Start) :-
    Compiled \= (true,_),
    !,
    inner(Position, [_,Position1]),
    goal_start(Path, Compiled, Term, Position1, Start).
goal_start([At|Path], Compiled, Term, Position, Start) :-
    maplist(nonvar, [Compiled,Term]),
    control(Term),
    inner(Position, Inner),
    nth1(At, Inner, PositionAt),
    maplist(arg(At), [Compiled,Term], [CompiledAt,Argument]),
    !,
    goal_start(Path, CompiledAt, Argument, PositionAt, Start).
goal_start(_, _, Term, Position, Start) :-
    Term \= (_ --> _),
    (   Position = parentheses_term_position(_, _, Position1)
    ->  goal_start([], none, Term, Position1, Start)
    ;   arg(1, Position, Start)
    ).

inner(term_position(_, _, _, _, Inner), Inner).
inner(parentheses_term_position(_, _, Position), Inner) :-
    inner(Position, Inner).

control((_ :- _)).
control((_ , _)).
control((_ ; _)).
control((_ -> _)).
control((_ *-> _)).
control(\+ _).

:- dynamic
    text_of/2.          % Program, Text

%!  keep_text(+Program, +Text) is det.
%
%   Lines of a program are looked for in its Text, if that is known.

keep_text(Program, Text) :-
    assertz(text_of(Program, Text)).

%   Place is that of the goal which calls a predicate of this name, or else of its clause.

goal_place(Program, Clause, Called, Name:Line) :-
    clause_place(Program, Clause, Name:First),
    (   clause_property(Clause, file(File)),
        clause_property(Clause, source(File)),      % it is not included
        called_at(Program, First, Called, Line0)
    ->  Line = Line0
    ;   Line = First
    ).

%   The module of a program may be part of the name under which its file was loaded.

clause_place(Program, Clause, Name:Line) :-
    clause_property(Clause, line_count(Line)),
    clause_property(Clause, file(Path)),
    short_name(Program, Path, Name).

short_name(Program, Path, Name) :-
    (   atom_concat('#', Program, End),
        atom_concat(File, End, Path)
    ->  true
    ;   File = Path
    ),
    file_base_name(File, Name).

called_at(Program, First, Called, Line) :-
    text_of(Program, Text),
    split_string(Text, "\n", "", Lines),
    spelled(Called, Spelled),
    between(0, 30, More),
    Line is First + More,
    nth1(Line, Lines, String),
    member(Name, Spelled),
    sub_string(String, _, _, _, Name),
    !.

%   A predicate as a text has it: those of clpfd may be expanded, and arithmetic is part of a clause.

spelled(clpfd_in, Spelled) =>
    Spelled = [" in "," ins "].
spelled(clpfd_equal, Spelled) =>
    Spelled = ["#="].
spelled(clpfd_neq, Spelled) =>
    Spelled = ["#\\="].
spelled(clpfd_geq, Spelled) =>
    Spelled = ["#>","#<","#=<"].
spelled(none, Spelled) =>
    findall(Text, ( constraint(Operator, _), format(string(Text), " ~w ", [Operator]) ), Spelled).
spelled(Called, Spelled) =>
    Spelled = [Called].

explain(_, _, _, resource_error(What), Context) :-
    !,
    throw(error(resource_error(What), Context)).
explain(Program, _, _, existence_error(procedure, Called), _) :-
    strip_module(Program:Called, Program, Name/Arity),
    !,
    (   calls(Program, Name/Arity, Place)
    ->  true
    ;   Place = none
    ),
    (   elsewhere(existence_error(procedure, Name/Arity), Text)
    ->  wrong(Program, Place, no_predicate, "~s"-[Text], "")
    ;   true
    ),
    missing(Program, Name/Arity, Kind, There, Cure),
    wrong(Program, Place, Kind,
          "there is no predicate ~w, which is called here~s"-[Name/Arity,There], Cure).
explain(Program, Goal, Running, Formal, Context) :-
    message_text(error(Formal, Context), Text),
    (   thrown_place(Program, Goal, Running, error(Formal, Context), Place)
    ->  true
    ;   Place = none
    ),
    (   Place = _:Number,
        text_of(Program, Program0),
        split_string(Program0, "\n", "", Lines),
        nth1(Number, Lines, Line0)
    ->  Line = Line0
    ;   Line = ""
    ),
    (   cure(Formal, Context, Line, Cure0)
    ->  Cure = Cure0
    ;   Cure = ""
    ),
    (   callable(Formal)
    ->  functor(Formal, Kind, _)
    ;   Kind = error
    ),
    wrong(Program, Place, Kind, "~s"-[Text], Cure).

%   There is a predicate that may be meant instead, and Cure what to do about a missing one. One of a
%   library has a Kind of its own, since the page shows another cure for all other predicates.

missing(_, Predicate, not_loaded, "", Cure) :-
    of_library(Predicate, Library),
    !,
    format(string(Cure), "it is of library(~w): write :- use_module(library(~w)).", [Library,Library]).
missing(Program, Predicate, not_loaded, "", Cure) :-
    \+ meant(Program, Predicate, _),
    did_you_mean(Predicate, Cure),
    !.
missing(Program, Predicate, no_predicate, There,
        "correct its name or its arguments, or name it under input in problem.toml if instances have \c
         facts of it") :-
    meant(Program, Predicate, Near),
    !,
    format(string(There), "; there is ~w", [Near]).
missing(_, _, no_predicate, "", "if instances have facts of it, name it under input in problem.toml").

%   Cure is what to do about an error that goals of the program raise; Line is the one where it is raised.

cure(instantiation_error, Context, _, Cure) :-
    nonvar(Context),
    Context = context(Called, _),
    nonvar(Called),
    strip_module(Called, _, Operator/2),
    constraint(Operator, Constraint),
    !,
    instead(Operator, Constraint, Cure).
cure(instantiation_error, _, Line, Cure) :-
    constraint(Operator, Constraint),
    format(string(Used), " ~w ", [Operator]),
    sub_string(Line, _, _, _, Used),
    !,
    instead(Operator, Constraint, Cure).
cure(instantiation_error, _, Line, "V in L..H needs a known L and H, and Vs ins L..H a list") :-
    member(Used, [" in "," ins "]),
    sub_string(Line, _, _, _, Used),
    !.
cure(instantiation_error, _, Line, "give each variable a finite domain before the search, such as \c
V in 1..9") :-
    sub_string(Line, _, _, _, "label"),
    !.
cure(instantiation_error, _, _, "something has no value here that must have one, or a list has no end").
cure(domain_error(clpfd_domain, _), _, _, "expected integers as in 1..9, or 1..3 \\/ 7 for others").
cure(type_error(clpfd_domain, _), _, _, "expected integers as in 1..9, or 1..3 \\/ 7 for others").
cure(domain_error(clpfd_expression, _), _, _, "expected integers, variables, and +, -, *, //, mod, rem, \c
abs, min and max of them").
cure(type_error(evaluable, _), _, _, "expected integers, variables, and +, -, *, //, mod, rem, abs, min \c
and max of them").
cure(domain_error(scalar_product_relation, _), _, _, "expected #=, #\\=, #<, #>, #=< or #>=").
cure(evaluation_error(zero_divisor), _, _, "test the divisor before").

constraint(<, #<).
constraint(>, #>).
constraint(=<, #=<).
constraint(>=, #>=).
constraint(=:=, #=).
constraint(=\=, #\=).
constraint(is, #=).

instead(Operator, Constraint, Cure) :-
    format(string(Cure), "~w needs numbers; between variables write ~w, which is a constraint",
           [Operator, Constraint]).

%   Place is that of a goal which calls this predicate. Where none is found, it is that of a term of its
%   name in a clause, which may lack arguments for it.

calls(Program, Predicate, Place) :-
    (   called_by_goal(Program, Predicate, Place)
    ->  true
    ;   mentioned(Program, Predicate, =, Place)
    ->  true
    ;   mentioned(Program, Predicate, <, Place)
    ).

called_by_goal(Program, Name/Arity, File:Line) :-
    clause_with(Program, Name, Clause),
    clause_text(Program, Clause, Text, (_ :- Body), Position),
    inner(Position, [_,BodyPosition]),
    goal_at(Program, Name/Arity, Body, 0, BodyPosition, Start),
    !,
    line_in(Text, Start, Line),
    clause_place(Program, Clause, File:_).

clause_with(Program, Name, Clause) :-
    own_clause(Program, Clause),
    clause(_, Body, Clause),
    once(( sub_term(Goal, Body), callable(Goal), functor(Goal, Name, _) )).

%   A goal that calls the predicate begins at Start: Goal, with More arguments, or one in it.

goal_at(_, Name/Arity, Goal, More, Position, Start) :-
    callable(Goal),
    functor(Goal, Name, Given),
    Given + More =:= Arity,
    !,
    goal_start([], none, Goal, Position, Start).
goal_at(Program, Predicate, Goal, 0, Position, Start) :-
    compound(Goal),
    part_called(Program, Goal, Number, More),
    inner(Position, Inner),
    nth1(Number, Inner, PartPosition),
    arg(Number, Goal, Part),
    goal_at(Program, Predicate, Part, More, PartPosition, Start).
goal_at(Program, Predicate, _>>Goal, More, Position, Start) :-
    More > 0,
    inner(Position, [_,GoalPosition]),
    goal_at(Program, Predicate, Goal, 0, GoalPosition, Start).

part_called(Program, Goal, Number, More) :-
    (   control(Goal)
    ->  arg(Number, Goal, _),
        More = 0
    ;   Goal = _^_
    ->  Number = 2,
        More = 0
    ;   catch(predicate_property(Program:Goal, meta_predicate(Spec)), _, fail),
        arg(Number, Spec, Kind),
        (   integer(Kind)
        ->  More = Kind
        ;   Kind == (^),
            More = 0
        )
    ).

mentioned(Program, Name/Arity, Order, Place) :-
    own_clause(Program, Clause),
    clause(_, Body, Clause),
    sub_term(Goal, Body),
    callable(Goal),
    functor(Goal, Name, Given),
    compare(Order, Given, Arity),
    goal_place(Program, Clause, Name, Place),
    !.

                /*******************************
                *           mistakes           *
                *******************************/

%!  has(+Program, +Predicate) is semidet.
%
%   True if Predicate, a Name/Arity, is one of the program's own.

has(Program, Name/Arity) :-
    functor(Head, Name, Arity),
    predicate_property(Program:Head, defined),
    \+ predicate_property(Program:Head, imported_from(_)).

%!  wrong_model(+Program, +Kind, +Words, +Cure) is det.
%!  wrong_answer(+Program, +Kind, +Words, +Cure) is det.
%
%   Raises what is wrong with the model, or the answers, of a program. Words are Format-Arguments.

wrong_model(Program, Kind, Words, Cure) :-
    (   has(Program, model/2)
    ->  Head = model(_, _)
    ;   Head = model(_)
    ),
    wrong_in(Program, Head, Kind, Words, Cure).

wrong_answer(Program, Kind, Words, Cure) :-
    (   has(Program, answer/1)
    ->  Head = answer(_)
    ;   Head = answer(_, _)
    ),
    wrong_in(Program, Head, Kind, Words, Cure).

wrong_in(Program, Head, Kind, Format-Arguments, Cure) :-
    functor(Head, Name, Arity),
    has_place(Program, Head, Place),
    copy_term_nat(Arguments, Plain),
    term_variables(Plain, Variables),
    maplist(=('$VAR'('_')), Variables),
    format(string(Said), Format, Plain),
    wrong(Program, Place, Kind, "~w ~s"-[Name/Arity, Said], Cure).

has_place(Program, Head, Place) :-
    functor(Head, Name, Arity),
    functor(Any, Name, Arity),
    (   nth_clause(Program:Any, 1, Clause),
        clause_place(Program, Clause, Place0)
    ->  Place = Place0
    ;   Place = none
    ).

%!  wrong(+Program, +Place, +Kind, +Words, +Cure) is det.
%
%   Place is Name:Line, or none; Cure is a text, empty if nothing is known to help.

wrong(Program, Place, Kind, Format-Arguments, Cure) :-
    format(string(Said), Format, Arguments),
    (   Place = Name:Line
    ->  true
    ;   file_name(Program, Name),
        Line = 0
    ),
    format(string(File), "~w", [Name]),
    throw(pls_wrong([Kind,File,Line,0,Said,Cure])).

file_name(Program, Name) :-
    own_clause(Program, Clause),
    clause_property(Clause, source(Path)),
    \+ module_property(pls_instances, file(Path)),
    !,
    short_name(Program, Path, Name).

own_clause(Program, Clause) :-
    current_predicate(_, Program:Head),
    \+ predicate_property(Program:Head, imported_from(_)),
    \+ predicate_property(Program:Head, thread_local),
    nth_clause(Program:Head, _, Clause).
