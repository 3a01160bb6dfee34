:- module(pls_goals, []).
:- use_module(loading, [lacking/5, placed/2]).
:- use_module(raised, [run/2]).
:- use_module(runner,
              [ failed/2, request_later/1, request_now/2, started/3, write_json/2 ]).
:- use_module(submitted, [goal_in/3, named/3, submitted/5, without_module/3]).
:- use_module(library(apply), [exclude/3, include/3, maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

/** <module> Runs a goal of a foreign Prolog program, for the grader

    swipl -q -f none --no-packs -g pls_goals:grade -t halt goals.pl -- my.pl results adapter.pl

The last argument is a file of the teacher that is loaded above the program, or none. When the program is
loaded, this term is read from standard input:

    request(Goal, Most, Inferences, Repeated, Expected)

Goal is a text; Most is the most solutions, 0 for all, which may take this number of Inferences. If Repeated
is once, a solution that comes again is left out. If Expected is error, what the goal throws is an answer.

It writes JSON lists as runner.pl has it, the messages of grading.pl, and

    ["answer", text]                     a solution, as the prompt prints it
    ["answer", text, "thrown"]           what the goal throws
    ["remark", text]                     a choice point is left, say, which is fine
    ["failed", "limit", text]            it takes more inferences
*/

grade :-
    started(Program, Out, [Adapter]),
    request_later(In),
    Module = pls_own_program,
    submitted(Module, Program, Adapter, Messages, Complaint),
    forall(member(Severity-Message, Messages), write_json(Out, [message, Severity, Message])),
    (   Complaint == ""
    ->  write_json(Out, [ready]),
        request_now(In, request(Text, Most, Inferences, Repeated, Expected)),
        goal_of(Text, Goal, Named),
        write_json(Out, [stage, searching]),
        asked(Module, Program-Adapter, Out, Goal, run(Named, Most, Inferences, Repeated, Expected))
    ;   write_json(Out, [failed, load, Complaint])
    ).

goal_of(Text, Goal, Named) :-
    term_string(Goal, Text,
                [ module(pls_texts), double_quotes(string), back_quotes(codes), variable_names(Names) ]),
    named_in(Names, Goal, Named).

asked(Module, Files, Out, Goal, run(Named, Most, Inferences, Repeated, Expected)) :-
    (   Expected \== error,
        lacking_for(Module, Goal, Files, Text)
    ->  write_json(Out, [failed, load, Text])
    ;   Count = count(0, none),
        catch(call_with_inference_limit(
                  solved(Module, Out, Goal, run(Named, Most, Repeated, Expected), Count),
                  Inferences, Limit),
              Error,
              thrown(Expected, Out, Count, Error)),
        (   Limit == inference_limit_exceeded
        ->  format(string(Words), "it does not end: it needs more than ~D inferences", [Inferences]),
            write_json(Out, [failed, limit, Words])
        ;   true
        )
    ).

%   Text names the predicates that Goal calls, and the program does not define.

lacking_for(Module, Goal, Program-Adapter, Text) :-
    findall(Name/Arity,
            ( goal_in(Module, Goal, Called),
              \+ predicate_property(Module:Called, visible),
              functor(Called, Name, Arity) ),
            Lacking0),
    sort(Lacking0, Lacking),
    Lacking \== [],
    named(Adapter, Module, Above),
    lacking(Module, Program, Above, Lacking, Text).

%   Count has the number of solutions, and whether the last one has left a choice point.

solved(Module, Out, Goal, run(Named, Most, Repeated, Expected), Count) :-
    trie_new(Known),
    (   call_cleanup(own(Expected, Module, Goal), Left = false),
        ( Left == false -> Last0 = none ; Last0 = left ),
        nb_setarg(2, Count, Last0),
        solution_text(Named, Text),
        (   Repeated == once
        ->  trie_insert(Known, Text)
        ;   true
        ),
        arg(1, Count, Before),
        Number is Before+1,
        nb_setarg(1, Count, Number),
        write_json(Out, [answer, Text]),
        Number == Most
    ->  Stopped = true
    ;   Stopped = false
    ),
    arg(1, Count, All),
    arg(2, Count, Last),
    (   Stopped == true,
        Last == left
    ->  Exhausted = false
    ;   Exhausted = true
    ),
    (   Last == left
    ->  write_json(Out, [remark, "it leaves a choice point after its last solution"])
    ;   true
    ),
    write_json(Out, [end, Exhausted, All]).

%   An error that is expected needs no place.

own(error, Module, Goal) :-
    !,
    Module:Goal.
own(_, Module, Goal) :-
    run(Module, Goal).

thrown(error, Out, Count, Error) :-
    Error \= error(resource_error(_), _),
    !,
    error_text(Error, Text),
    arg(1, Count, Before),
    All is Before+1,
    write_json(Out, [answer, Text, thrown]),
    write_json(Out, [end, true, All]).
thrown(_, Out, _, pls_wrong([Kind,File,Line,Column,Text,Cure0])) :-
    !,
    (   sub_string(Cure0, _, _, _, "problem.toml")      % a student has none
    ->  Cure = ""
    ;   Cure = Cure0
    ),
    write_json(Out, [message, error, [Kind,File,Line,Column,Text,Cure]]),
    placed([Kind,File,Line,Column,Text,Cure], Words),
    write_json(Out, [failed, raised, Words]).
thrown(_, Out, _, Error) :-
    failed(Out, Error).

error_text(Error, Text) :-
    ball(Error, Ball),
    all_named(Ball, [], Names),
    written(Ball, Names, Text).

%   The context of an error is of no interest.

ball(error(Formal0, _), error(Formal, _)) :-
    !,
    without_program(Formal0, Formal).
ball(Ball, Ball).

without_program(Term0, Term) :-
    (   Term0 = Module:Inner,
        Module == pls_own_program
    ->  Term = Inner
    ;   compound(Term0)
    ->  Term0 =.. [Name|Arguments0],
        maplist(without_program, Arguments0, Arguments),
        Term =.. [Name|Arguments]
    ;   Term = Term0
    ).

                /*******************************
                *       texts of solutions     *
                *******************************/

%   Texts have the operators of Prolog and of library(clpfd), whatever operators the program has.

:- set_module(pls_texts:base(system)).
:- forall(( member(op(Priority, Type, Name),
                   [ op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/),
                     op(730, yfx, #\), op(720, yfx, #/\), op(710, fy, #\), op(700, xfx, #>),
                     op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<), op(700, xfx, #=),
                     op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins), op(450, xfx, ..) ]),
            member(Module, [pls_texts,pls_cases]) ),
          op(Priority, Type, Module:Name)).

%   Named are the variables that a solution is about: those of the goal whose names do not begin with _.

named_in(Names, Goal, Named) :-
    term_variables(Goal, Variables),
    include(is_named_in(Variables), Names, Named).

is_named_in(Variables, Name=Variable) :-
    \+ sub_atom(Name, 0, _, _, '_'),
    member(Other, Variables),
    Other == Variable,
    !.

%   Text is what the prompt would print: two solutions are variants if their texts are the same. Constraints
%   on variables are a part of it, in the order of their texts.

solution_text(Named, Text) :-
    copy_term(Named, Copy, Constraints),
    solution_text(Copy, Constraints, Text).

solution_text(Named, Constraints, Text) :-
    parted(Named, [], Names0, Equations),
    all_named(Equations-Constraints, Names0, Names),
    findall(Each, ( member(Equation, Equations), written(Equation, Names, Each) ), Texts),
    findall(Each,
            ( member(Constraint0, Constraints),
              strip_module(Constraint0, _, Constraint),
              written(Constraint, Names, Each) ),
            More0),
    msort(More0, More),
    append(Texts, More, All),
    (   All == []
    ->  Text = "true"
    ;   atomic_list_concat(All, ', ', Joined),
        atom_string(Joined, Text)
    ).

%   A variable that is free has the first name that it got; each other name is one of an equation.

parted([], Names, Names, []).
parted([Name=Value|Named], Names0, Names, Equations) :-
    (   var(Value),
        \+ ( member(_=Other, Names0), Other == Value )
    ->  parted(Named, [Name=Value|Names0], Names, Equations)
    ;   Equations = [equation(Name, Value)|More],
        parted(Named, Names0, Names, More)
    ).

%   A variable without a name gets a number, or just _ if it is there once.

all_named(Term, Names0, Names) :-
    term_singletons(Term, Singles),
    maplist(anonymous, Singles, Once),
    exclude(has_name(Names0), Once, More),
    append(More, Names0, Names1),
    term_variables(Term, Variables),
    numbered(Variables, 1, Names1, Names).

anonymous(Variable, '_'=Variable).

has_name(Names, _=Variable) :-
    member(_=Other, Names),
    Other == Variable,
    !.

numbered([], _, Names, Names).
numbered([Variable|Variables], Number, Names0, Names) :-
    (   member(_=Other, Names0),
        Other == Variable
    ->  numbered(Variables, Number, Names0, Names)
    ;   atom_concat('_', Number, Name),
        Next is Number+1,
        numbered(Variables, Next, [Name=Variable|Names0], Names)
    ).

written(equation(Name, Value), Names, Text) =>
    written(Left = Value, [Name=Left|Names], Text).
written(Term, Names, Text) =>
    format(string(Text), "~W",
           [ Term,
             [ quoted(true), module(pls_texts), variable_names(Names), priority(999), portray(false),
               numbervars(false), cycles(true) ]
           ]).

                /*******************************
                *          the cases           *
                *******************************/

%!  cases is det.
%
%       swipl ... -g pls_goals:cases ... goals.pl -- cases.pl results
%
%   writes what is in the file of the teacher, each with its line:
%
%       ["case", name, line, goal, kind, expected, options, calls]
%       ["skipped", line, text]
%       ["complaint", line, text]
%
%   Kind is "solutions", with their texts as what is expected, "error", with the text of one, or "reference",
%   with "". An option is a list of its name and its argument, if it has one; a call is [name, modes, library],
%   where the mode of an argument is "+" if it is known, "-" if it is a variable, and "?" otherwise.

cases :-
    started(Path, Out, []),
    setup_call_cleanup(
        open(Path, read, In, [encoding(utf8)]),
        each_term(In, Out, string),
        close(In)).

each_term(In, Out, Quotes0) :-
    catch(read_term(In, Term,
                    [ module(pls_cases), variable_names(Names), term_position(Position),
                      double_quotes(Quotes0) ]),
          Error,
          unread(Error, Out)),
    (   Term == end_of_file
    ->  true
    ;   stream_position_data(line_count, Position, Line),
        (   Term = (:- Directive)
        ->  directed(Directive, Line, Out, Quotes0, Quotes)
        ;   Quotes = Quotes0,
            catch(row(Term, Names, Line, Row0), wrong(Text), Row0 = [complaint,Line,Text]),
            with_calls(Term, Row0, Row),
            write_json(Out, Row)
        ),
        each_term(In, Out, Quotes)
    ).

unread(Error, Out) :-
    (   Error = error(syntax_error(Kind), Context),
        ( Context = stream(_, Line, _, _) ; Context = file(_, Line, _, _) )
    ->  format(string(Text), "syntax error: ~w", [Kind])
    ;   Line = 0,
        format(string(Text), "~p", [Error])
    ),
    write_json(Out, [complaint, Line, Text]),
    halt.

with_calls(Term, [case|Row0], Row) =>
    (   Term = (_ :- Goal)
    ->  true
    ;   arg(2, Term, Goal)
    ->  true
    ;   Goal = true
    ),
    findall([Name,Modes,OfLibrary],
            ( goal_in(pls_cases, Goal, Called),
              \+ predicate_property(pls_cases:Called, built_in),
              Called =.. [Name|Arguments],
              maplist(mode, Arguments, Modes),
              ( predicate_property(pls_cases:Called, visible) -> OfLibrary = true ; OfLibrary = false ) ),
            Calls),
    append([case|Row0], [Calls], Row).
with_calls(_, Row0, Row) => Row = Row0.

mode(Argument, Mode), var(Argument) => Mode = (-).
mode(Argument, Mode), ground(Argument) => Mode = (+).
mode(_, Mode) => Mode = (?).

%   Directives may say how to read the file, and which program it is about.

directed(set_prolog_flag(double_quotes, Quotes), _, _, _, Quotes) :- !.
directed(op(Priority, Type, Names), _, _, Quotes, Quotes) :-
    !,
    op(Priority, Type, pls_cases:Names).
directed(use_module(library(Name)), _, _, Quotes, Quotes) :-
    !,
    catch(pls_cases:use_module(library(Name)), _, true).
directed(Directive, _, _, Quotes, Quotes) :-
    functor(Directive, Name, _),
    memberchk(Name, [begin_tests,consult,end_tests,ensure_loaded,'[|]',initialization,load_files,module,use_module]),
    Directive \= begin_tests(_, _),
    !.
directed(Directive, Line, Out, Quotes, Quotes) :-
    format(string(Text), "the directive ~q", [Directive]),
    write_json(Out, [skipped,Line,Text]).

row((test(Name) :- Body), Names, Line, Row) =>
    tested(Name, [], Body, Names, Line, Row).
row((test(Name, Options) :- Body), Names, Line, Row) =>
    as_list(Options, List),
    tested(Name, List, Body, Names, Line, Row).
row(test(Name), Names, Line, Row) =>
    row((test(Name) :- true), Names, Line, Row).
row(test(Name, Options), Names, Line, Row) =>
    row((test(Name, Options) :- true), Names, Line, Row).
row((Head :- _), _, _, _), functor(Head, Name, _), memberchk(Name, [case,fails,throws]) =>
    throw(wrong("a case has no body; write a fact for each case")).
row(case(Name, Goal), Names, Line, Row) =>
    row(case(Name, Goal, _, []), Names, Line, Row).
row(case(Name, Goal, Solutions), Names, Line, Row) =>
    row(case(Name, Goal, Solutions, []), Names, Line, Row).
row(case(Name, Goal, Solutions, Options0), Names, Line, Row) =>
    options_of_case(Known),
    options(Options0, Known, Options),
    text_of(Name, NameText),
    goal_text(Goal, Names, GoalText),
    (   var(Solutions)
    ->  Row = [case,NameText,Line,GoalText,reference,"",Options]
    ;   named_in(Names, Goal, Named),
        solutions_in(Solutions, Named, List),
        findall(Text, ( member(Each, List), expected_text(Each, Named, Text) ), Texts),
        must_fit(Texts, Options),
        Row = [case,NameText,Line,GoalText,solutions,Texts,Options]
    ).
row(fails(Name, Goal), Names, Line, Row) =>
    row(fails(Name, Goal, []), Names, Line, Row).
row(fails(Name, Goal, Options0), Names, Line, Row) =>
    options(Options0, [inferences], Options),
    row(case(Name, Goal, [], Options0), Names, Line, [case,Text,_,GoalText|_]),
    Row = [case,Text,Line,GoalText,solutions,[],Options].
row(throws(Name, Goal, Error), Names, Line, Row) =>
    row(throws(Name, Goal, Error, []), Names, Line, Row).
row(throws(Name, Goal, Error, Options0), Names, Line, Row) =>
    options(Options0, [inferences], Options),
    text_of(Name, NameText),
    goal_text(Goal, Names, GoalText),
    pattern_text(Error, ErrorText),
    Row = [case,NameText,Line,GoalText,error,ErrorText,Options].
row(Term, _, Line, Row) =>
    (   Term = (Head :- _)
    ->  true
    ;   Head = Term
    ),
    (   callable(Head)
    ->  functor(Head, Name, Arity),
        format(string(Text), "~q, which is not a case: a predicate that goals need belongs into adapter.pl",
               [Name/Arity])
    ;   Text = "text that is not a case"
    ),
    Row = [skipped,Line,Text].

text_of(Name, Text) :-
    (   atomic(Name)
    ->  format(string(Text), "~w", [Name])
    ;   ground(Name)
    ->  written(Name, [], Text)
    ;   throw(wrong("the name of the case is not known; expected one such as empty_list"))
    ).

goal_text(Goal, Names, Text) :-
    (   callable(Goal)
    ->  all_named(Goal, Names, All),
        written(Goal, All, Text)
    ;   throw(wrong("there is no goal; expected one such as append(X, Y, [1])"))
    ).

pattern_text(Error, Text) :-
    (   nonvar(Error)
    ->  error_text(Error, Text)
    ;   throw(wrong("any error would do; expected one such as error(type_error(_, _), _)"))
    ).

options_of_case([set,ordered,first,inferences,det,nondet]).

%   A single solution may be there without a list.

solutions_in(Solutions, _, List), is_list(Solutions) => List = Solutions.
solutions_in(Solution, _, List), is_solution(Solution) => List = [Solution].
solutions_in(Solutions, Named, _) =>
    written(Solutions, Named, Text),
    options_of_case(Known),
    (   is_option(Solutions, Known)
    ->  format(string(Words), "~s is an option; write the solutions before it, or _ for those of the reference",
               [Text])
    ;   form_of(Solutions, Named, List)
    ->  written(List, Named, Form),
        format(string(Words), "~s is not a solution; write ~s", [Text,Form])
    ;   format(string(Words), "~s is not a solution; write a list of solutions, such as [X = 1, X = 2]", [Text])
    ),
    throw(wrong(Words)).

is_solution(Solution) :-
    Solution \= (_;_),
    Solution \= [_|_],
    copy_term(Solution, Copy),
    parts(Copy, _).

%   List is what was probably meant.

form_of(Solutions, _, List), memberchk(Solutions, [fail,false]) => List = [].
form_of((First;Rest), _, List), is_solution(First) =>
    List = [First|More],
    (   is_solution(Rest)
    ->  More = [Rest]
    ;   form_of(Rest, [], More)
    ).
form_of(Value, [_=Variable], List), ground(Value) => List = [Variable=Value].
form_of(_, _, _) => fail.

as_list(Options0, Options) :-
    (   is_list(Options0)
    ->  Options = Options0
    ;   Options = [Options0]
    ).

options(Options0, Known, Options) :-
    as_list(Options0, List),
    (   member(Option, List),
        \+ is_option(Option, Known)
    ->  atomic_list_concat(Known, ', ', Names),
        format(string(Text), "there is no option ~q here; the options are ~w", [Option,Names]),
        throw(wrong(Text))
    ;   memberchk(set, List),
        memberchk(ordered, List)
    ->  throw(wrong("solutions are either a set or ordered"))
    ;   findall([Name|Arguments], ( member(Option, List), Option =.. [Name|Arguments] ), Options)
    ).

is_option(Option, Known) :-
    callable(Option),
    functor(Option, Name, Arity),
    memberchk(Name, Known),
    (   memberchk(Name, [first,inferences])
    ->  Arity =:= 1,
        arg(1, Option, Number),
        integer(Number),
        Number > 0
    ;   Arity =:= 0
    ).

must_fit(Texts, Options) :-
    (   memberchk([first,Most], Options),
        length(Texts, Number),
        Number > Most
    ->  format(string(Text), "there are ~d solutions, and first(~d) asks for fewer", [Number,Most]),
        throw(wrong(Text))
    ;   true
    ).

%   A solution is written as the prompt prints it: equations, and constraints on variables.

expected_text(Solution, Named, Text) :-
    copy_term(Solution-Named, Parts-Copy),
    (   parts(Parts, Constraints)
    ->  solution_text(Copy, Constraints, Text)
    ;   written(Solution, Named, Found),
        format(string(Text1), "~s is not a solution; write what the prompt prints, such as ~s",
               [Found,"X = 1, or true for a goal without variables"]),
        throw(wrong(Text1))
    ).

parts(Goal, _), var(Goal) => fail.
parts((Left,Right), Constraints) =>
    parts(Left, Constraints0),
    parts(Right, Constraints1),
    append(Constraints0, Constraints1, Constraints).
parts(Left = Right, Constraints) =>
    ( var(Left) ; var(Right) ),
    !,
    Left = Right,
    Constraints = [].
parts(true, Constraints) => Constraints = [].
parts(Constraint, Constraints) =>
    compound(Constraint),
    \+ is_list(Constraint),
    \+ ground(Constraint),
    Constraints = [Constraint].

                /*******************************
                *      the tests of plunit     *
                *******************************/

%   Of true(X == 1), the value of X in the first solution is what is compared. Any other condition is a part of
%   the goal.

tested(Name, Options0, Body, Names, Line, Row) :-
    text_of(Name, Text),
    (   select_result(Options0, Result, Options),
        \+ ( member(Option, Options), Option \== nondet ),
        converted(Result, Body, Goal, Expected, More)
    ->  (   memberchk(nondet, Options)
        ->  All = [[nondet]|More]
        ;   All = More
        ),
        compared(Expected, Compared),
        renamed(Names, Compared, Renamed),
        goal_text(Goal, Renamed, GoalText),
        expectation(Expected, Renamed, Goal, Kind, What),
        Row = [case,Text,Line,GoalText,Kind,What,All]
    ;   member(Option, Options0),
        \+ select_result([Option], _, []),
        Option \== nondet
    ->  format(string(Words), "test ~s, which has the option ~p", [Text,Option]),
        Row = [skipped,Line,Words]
    ;   format(string(Words), "test ~s, whose options are not plain", [Text]),
        Row = [skipped,Line,Words]
    ).

select_result(Options0, Result, Options) :-
    results(Options0, Results, Options),
    (   Results == []
    ->  Result = true(true)
    ;   Results = [Result]
    ).

results([], [], []).
results([Option|Options0], Results, Options) :-
    (   nonvar(Option),
        result(Option, Result)
    ->  Results = [Result|More],
        results(Options0, More, Options)
    ;   Options = [Option|More],
        results(Options0, Results, More)
    ).

result(true, true(true)).
result(true(Condition), true(Condition)).
result(fail, fail).
result(throws(Error), throws(Error)).
result(error(Formal), throws(error(Formal,_))).
result(error(Formal, _), throws(error(Formal,_))).
result(all(Template == Values), all(Template, Values, [[ordered]])).
result(bag(Template == Values), all(Template, Values, [])).
result(set(Template == Values), all(Template, Values, [[set]])).
result(Condition, true(Condition)) :-
    functor(Condition, Name, 2),
    memberchk(Name, [==,=,=:=,=@=,is,\==,\=,=\=,<,>,=<,>=]).

converted(fail, Body, Body, [], []).
converted(throws(Error), Body, Body, error(Error), []) :-
    nonvar(Error).
converted(all(Template, Values, Options), Body, Body, values(Template, Values), Options) :-
    is_list(Values),
    ground(Values).
converted(true(Condition), Body, Goal, Expected, [[first,1]]) :-
    (   Condition == true
    ->  Goal = Body,
        Expected = values(true, [true])
    ;   Condition = (Template == Value),
        ground(Value),
        \+ ground(Template)
    ->  Goal = Body,
        Expected = values(Template, [Value])
    ;   Goal = (once(Body), Condition),
        Expected = values(true, [true])
    ).

compared(values(Template, _), Variables) => term_variables(Template, Variables).
compared(_, Variables) => Variables = [].

renamed([], _, []).
renamed([Name=Variable|Names], Compared, [New=Variable|Renamed]) :-
    (   (   sub_atom(Name, 0, _, _, '_')
        ;   member(Other, Compared),
            Other == Variable
        )
    ->  New = Name
    ;   atom_concat('__', Name, New)
    ),
    renamed(Names, Compared, Renamed).

expectation([], _, _, solutions, []).
expectation(error(Error), _, _, error, Text) :-
    pattern_text(Error, Text).
expectation(values(Template, Values), Names, Goal, solutions, Texts) :-
    named_in(Names, Goal, Named),
    findall(Text,
            ( member(Value, Values),
              copy_term(Template-Named, Copy-Bound),
              ( Copy = Value -> true ; throw(wrong("a value has another form than what it is compared with")) ),
              solution_text(Bound, [], Text) ),
            Texts).

%!  matching is det.
%
%       swipl ... -g pls_goals:matching ... goals.pl -- cases.pl results
%
%   reads request(Pattern,Texts) and writes ["matching", [boolean, ...]], whether each error has the form of the
%   pattern.

matching :-
    started(_, Out, []),
    request_later(In),
    request_now(In, request(PatternText, Texts)),
    goal_of(PatternText, Pattern, _),
    findall(Is,
            ( member(Text, Texts),
              (   catch(goal_of(Text, Ball, _), _, fail),
                  subsumes_term(Pattern, Ball)
              ->  Is = true
              ;   Is = false
              ) ),
            All),
    write_json(Out, [matching, All]).
