:- module(pls_grading, []).
:- use_module(runner,
              [ failed/2, request_later/1, request_now/2, started/3, write_json/2 ]).
:- use_module(asked, [wanted_call/4]).
:- use_module(clauses, [read_program/3]).
:- use_module(instances, [answer/2, instance/5, with_facts/2]).
:- use_module(interpreter, [interpreted/3]).
:- use_module(mentions, [unrelated/2]).
:- use_module(mistakes, [forgotten/2]).
:- use_module(loading, [lacking/4, lacking/5, load_text/4, placed/2]).
:- use_module(oracle, [blamed/5]).
:- use_module(raised, [has/2]).
:- use_module(reference, [request_apart/2]).
:- use_module(refusal, [refusal/3]).
:- use_module(slices, [endless/5, sliced/3]).
:- use_module(submitted, [goal_in/3, named/3, submitted/5, text_in/3, without_module/3]).
:- use_module(switched, [clause_at/4, goal_at/6, prepared/4, row/3, searching/2, single_at/3]).
:- use_module(wanted, [wanted/3]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(gensym), [gensym/2]).
:- use_module(library(lists), [append/3, last/2, member/2, memberchk/2, nth0/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(readutil), [read_file_to_string/3]).
:- use_module(library(solution_sequences), [distinct/2, limit/2]).
:- use_module(library(time), [call_with_time_limit/2]).
:- use_module(library(yall), [(>>)/4]).

/** <module> Runs a foreign Prolog program for a problem, for the grader

    swipl -q -f none --no-packs -g pls_grading:grade -t halt grading.pl --
          my.pl results adapter.pl

The last argument is the file with which the teacher makes model/1 or answer/1 of what the program has to
define, or none. When the program is loaded, this term is read from standard input:

    request(Most, facts(Facts, Inputs), Outputs)

Most is the most answers, 0 for all; facts and output predicates are those of instances.pl.

It writes JSON lists as runner.pl has it, and

    ["answer", costs, [[name, ...], ...]]  the atoms of an answer, each answer once
    ["message", severity, [...]]         a message of loading.pl: a warning, or the error before "failed"

    swipl ... -g pls_grading:explain ... grading.pl -- my.pl results adapter.pl

writes ["singles", [[line, name], ...]], the variables that a clause has once, with the line where
it begins, ["apart", [[name, arity], ...]], the predicates of the instance that no goal relates to
an answer, if that is known, and ["refusal", kind, together, why, rows], as in reasons/lines.py, for
an answer: there the request is

    request(Atoms, facts(Facts, Inputs), Outputs)

If the request ends with a fourth part, reference(Text,Answers,Passing), it may be ["blame", how,
why, rows] instead, see blamed/5 of oracle.pl. Text is the program of the teacher, which never
reaches the process of this one, see reference.pl; Answers are all; and Passing has
facts(Facts,Inputs) for each of some instances to which the program has the right answers.

With none in place of Atoms it writes ["forgets", rows], the goals in which constraints are forgotten, or
["nothing"]. A row is [file, line, column, text, words], see row/3 of switched.pl.

    swipl ... -g pls_grading:loop ... grading.pl -- my.pl results adapter.pl

writes ["loop", how, why, rows], the goals with nothing but which the program does not end, see endless/5 of
slices.pl, and then the "singles" of their clauses. The request is the same, with any Atoms.
*/

grade :-
    arguments(Program, Out, Adapter),
    request_later(In),
    loaded(pls_own_program, Program, Adapter, Messages, Complaint),
    forall(member(Severity-Message, Messages), write_json(Out, [message, Severity, Message])),
    (   Complaint == ""
    ->  write_json(Out, [ready]),
        request_now(In, request(Most, Facts, Outputs)),
        write_json(Out, [stage, searching]),
        (   lacks(pls_own_program, Program, Adapter, Facts, Lack)
        ->  write_json(Out, [failed, load, Lack])
        ;   catch(answers(Out, Facts, Outputs, Most), Error, failed(Out, Program, Error))
        )
    ;   write_json(Out, [failed, load, Complaint])
    ).

%!  load is det.
%
%   Writes the messages of loading, and ["ready"] or ["failed", "load", text]. Nothing is asked.

load :-
    arguments(Program, Out, Adapter),
    loaded(pls_own_program, Program, Adapter, Messages, Complaint),
    forall(member(Severity-Message, Messages), write_json(Out, [message, Severity, Message])),
    (   Complaint == ""
    ->  write_json(Out, [ready])
    ;   write_json(Out, [failed, load, Complaint])
    ).

asked(Program, Out, Adapter, Request) :-
    arguments(Program, Out, Adapter),
    request_later(In),
    request_now(In, Request).

arguments(Program, Out, Adapter) :-
    started(Program, Out, [Adapter]).

%   Complaint is "" if Module has the program and, of the teacher, what makes answers of it. Messages are
%   what Prolog says of the program, each Severity-Message.

loaded(Module, Program, Adapter, Messages, Complaint) :-
    submitted(Module, Program, Adapter, Messages, Complaint0),
    (   Complaint0 == "",
        Wanted = [model/1, model/2, answer/1, answer/2],
        \+ ( member(Predicate, Wanted), has(Module, Predicate) )
    ->  lacking(Module, Program, Wanted, Complaint1),
        without_module(Complaint1, Module, Complaint)
    ;   Complaint = Complaint0
    ).

%!  repair is det.
%
%   Tries changes of the program, each edit(Rank,From,To,New) a piece of its text and what stands there
%   instead. Those that make it have the right answers are written, of the first Rank that has any. Each may
%   take the first of Limits, in inferences: where that is too few for all that are right, it gets the next.

repair :-
    asked(Program, Out, Adapter, request(repair(Right0, Edits, Limits), Facts, Outputs)),
    read_file_to_string(Program, Text, [encoding(utf8)]),
    maplist(sort, Right0, Right1),
    sort(Right1, Right),
    findall(Index-Edit, nth0(Index, Edits, Edit), Numbered),
    ignore(repaired(Numbered, Limits, none,
                    tests(Out, changed(Program, Text, Adapter), Facts, Outputs, Right))).

repaired([Edit|Edits], [Most|Limits], none, Tests) :-
    tried_each([Edit|Edits], Most, Tests, none, Rank, Undecided),
    repaired(Undecided, Limits, Rank, Tests).

tried_each([], _, _, Rank, Rank, []).
tried_each([Index-Edit|Edits], Most, Tests, Rank0, Rank, Undecided) :-
    Edit = edit(Own, _, _, _),
    (   memberchk(Rank0, [none,Own])
    ->  right_answers(Edit, Most, Tests, Right),
        (   Right == true
        ->  Tests = tests(Out, _, _, _, _),
            write_json(Out, [repaired, Index]),
            Rank1 = Own
        ;   Rank1 = Rank0
        ),
        (   Right == unknown
        ->  Undecided = [Index-Edit|More]
        ;   Undecided = More
        ),
        tried_each(Edits, Most, Tests, Rank1, Rank, More)
    ;   Rank = Rank0,                   % no later one is likelier
        Undecided = []
    ).

%   Right is true, false, or unknown.

right_answers(edit(_, From, To, New), Most, Tests, Right) :-
    Tests = tests(_, changed(Program, Text, Adapter), Facts, Outputs, Known),
    sub_string(Text, 0, From, _, Before),
    sub_string(Text, To, _, 0, After),
    atomics_to_string([Before,New,After], Changed),
    gensym(pls_changed_program, Module),    % a predicate that has lost all clauses may crash Prolog
    named(Program, Module, File),
    length(Known, Number),
    Enough is Number+1,
    setup_call_cleanup(
        true,
        (   catch(( load_text(Module:File, Changed, [module(Module)], []),
                    ( Adapter == none -> true ; text_in(Adapter, Module, []) ),
                    call_with_time_limit(2,
                        call_with_inference_limit(
                            findall(Lists, limit(Enough, answered(Module, Facts, Outputs, Lists)), Found0),
                            Most, Limit)) ),
                  _, fail)
        ->  (   Limit == inference_limit_exceeded
            ->  Right = unknown
            ;   sort(Found0, Known)
            ->  Right = true
            ;   Right = false
            )
        ;   Right = false
        ),
        unload_file(File)).

answered(Module, Facts, Outputs, Lists) :-
    instance(Module, Facts, Outputs, [], Instance),
    answer(Instance, [_, Atoms]),
    maplist(texts, Atoms, Lists0),
    sort(Lists0, Lists).

%   Backtracks through the answers.

answers(Out, Facts, Outputs, Most) :-
    Count = count(0),
    instance(pls_own_program, Facts, Outputs, [], Instance),
    (   answer(Instance, [Costs, Atoms]),
        arg(1, Count, Before),
        Number is Before+1,
        nb_setarg(1, Count, Number),
        must_be_writable(Costs-Atoms),
        maplist(texts, Atoms, Lists),
        write_json(Out, [answer, Costs, Lists]),
        Number == Most
    ->  Exhausted = false
    ;   Exhausted = true
    ),
    arg(1, Count, All),
    write_json(Out, [end, Exhausted, All]).

%   The grader reads no longer numbers.

must_be_writable(Answer) :-
    (   sub_term(Number, Answer),
        integer(Number),
        abs(Number) >= 10**4300
    ->  throw(pls_wrong([too_large,"",0,0,"an answer has a number of more than 4300 digits, which is too \c
                         large",""]))
    ;   true
    ).

%   An atom as JSON: a name such as true is a text too.

texts(Value, Text), atom(Value) => atom_string(Value, Text).
texts(List0, List), is_list(List0) => maplist(texts, List0, List).
texts(Value0, Value) => Value = Value0.

failed(Out, Program, pls_wrong(Message0)) =>
    for_students(Program, Message0, Message),
    placed(Message, Text),
    write_json(Out, [message, error, Message]),
    write_json(Out, [failed, raised, Text]).
failed(Out, _, Error) =>
    failed(Out, Error).

%   A student has neither problem.toml nor the teacher's file, where model/1 and answer/1 may be.

for_students(_, [Kind,File,Line,Column,Text,Cure0], Message) :-
    memberchk(Kind, [no_predicate,not_loaded]),
    !,
    (   sub_string(Cure0, _, _, _, "problem.toml")
    ->  Cure = ""
    ;   Cure = Cure0
    ),
    Message = [Kind,File,Line,Column,Text,Cure].
for_students(Program, [Kind,_,_,_,Text0,Cure], [Kind,File,0,0,Text,Cure]) :-
    member(Name/Arity, [model/1,model/2,answer/1,answer/2]),
    functor(Head, Name, Arity),
    nth_clause(pls_own_program:Head, 1, Clause),
    clause_property(Clause, file(Path)),
    \+ named(Program, pls_own_program, Path),
    format(string(Begin), "~w ", [Name/Arity]),
    sub_string(Text0, 0, _, _, Begin),
    !,
    file_base_name(Program, File0),
    format(string(File), "~w", [File0]),
    format(string(Text), "what the exercise makes of it: ~s", [Text0]).
for_students(_, Message, Message).

                /*******************************
                *      the teacher's file      *
                *******************************/

%!  adapter is det.
%
%       swipl ... -g pls_grading:adapter ... grading.pl -- adapter.pl results
%
%   writes ["complaints", [text, ...]], what is wrong with the file itself, and ["calls", [[name, arity, text],
%   ...]], the predicates that it calls and that neither it nor a library has. The text has a sign before each
%   argument: + if its variables are in the clause before, - if it is a variable that is not, and ? otherwise.
%   The last line is ["defines", [[name, arity, facts], ...]], what the file defines, with 0 for what has rules.

adapter :-
    started(Adapter, Out, []),
    text_in(Adapter, pls_own_program, Errors0),
    maplist([Error0,Error]>>without_module(Error0, pls_own_program, Error), Errors0, Errors),
    write_json(Out, [complaints,Errors]),
    findall(Row, called_in(Adapter, Row), Calls),
    write_json(Out, [calls,Calls]),
    findall(Row, defined_in(Row), Defined0),
    sort(Defined0, Defined),
    write_json(Out, [defines,Defined]).

defined_in([Name,Arity,Facts]) :-
    predicate_property(pls_own_program:Head, number_of_clauses(Number)),
    \+ predicate_property(pls_own_program:Head, imported_from(_)),
    predicate_property(pls_own_program:Head, number_of_rules(Rules)),
    functor(Head, Name, Arity),
    ( Rules =:= 0 -> Facts = Number ; Facts = 0 ).

called_in(Adapter, [Name,Arity,Text]) :-
    setup_call_cleanup(
        open(Adapter, read, In, [encoding(utf8)]),
        findall(Clause, named_clause(In, Clause), Clauses),
        close(In)),
    findall(Goal-Before,
            ( member((_ :- Body), Clauses),
              findall(Goal, goal_in(pls_own_program, Body, Goal), Goals),
              append(Before, [Goal|_], Goals) ),
            Called),
    distinct(Name/Arity,
             ( member(Goal-Before, Called),
               \+ predicate_property(pls_own_program:Goal, visible),
               functor(Goal, Name, Arity),
               Name \== '$VAR' )),
    Goal =.. [Name|Arguments0],
    maplist(signed(Before), Arguments0, Arguments),
    Shown =.. [Name|Arguments],
    format(string(Text), "~W", [Shown,[quoted(true),numbervars(true),spacing(next_argument)]]).

%   Variables are terms '$VAR'(Name), so that they are the same in all goals.

named_clause(In, Clause) :-
    repeat,
    catch(read_term(In, Term, [module(pls_own_program), variable_names(Names)]), _, true),
    (   var(Term)
    ->  fail
    ;   Term == end_of_file
    ->  !,
        fail
    ;   maplist([Name='$VAR'(Name)]>>true, Names),
        Clause = Term
    ).

signed(Before, Argument, Signed) :-
    findall(Name, sub_term('$VAR'(Name), Argument), Names),
    (   forall(( member(Name, Names), atom(Name) ), ( sub_term(Known, Before), Known == '$VAR'(Name) ))
    ->  Signed = +Argument
    ;   Argument = '$VAR'(_)
    ->  Signed = -Argument
    ;   Signed = ?(Argument)
    ).

%   Text is about predicates that the teacher's file calls, and the program does not define.

lacks(Module, Program, Adapter, facts(_, Inputs), Text) :-
    Adapter \== none,
    named(Adapter, Module, File),
    findall(Name/Arity,
            ( current_predicate(_, Module:Head),
              \+ predicate_property(Module:Head, imported_from(_)),
              nth_clause(Module:Head, _, Clause),
              clause_property(Clause, file(File)),
              clause(Module:Head, Body, Clause),
              goal_in(Module, Body, Goal),
              \+ predicate_property(Module:Goal, visible),
              functor(Goal, Name, Arity),
              \+ memberchk(Name/Arity, Inputs) ),
            Lacking0),
    sort(Lacking0, Lacking),
    Lacking \== [],
    lacking(Module, Program, File, Lacking, Text).

explain :-
    request_apart(request(Atoms, Facts, Outputs, Right), Reference),
    arguments(Program, Out, Adapter),
    Module = pls_switched_program,
    read_file_to_string(Program, Text, [encoding(utf8)]),
    named(Program, Module, File),
    prepared(Module, File, Text, Errors),
    Errors == [],
    (   Adapter == none
    ->  true
    ;   searching(Module, text_in(Adapter, Module, []))
    ),
    findall([Line,Name], single_at(Module, Line, Name), Singles0),
    maplist(texts, Singles0, Singles),
    write_json(Out, [singles, Singles]),
    instance(Module, Facts, Outputs, [], Instance),
    (   catch(unrelated(Instance, Predicates), _, fail)
    ->  findall([Name,Arity], ( member(Name0/Arity, Predicates), texts(Name0, Name) ), Apart),
        write_json(Out, [apart, Apart])
    ;   true
    ),
    (   Right = right(Answers, Passing),
        catch(by_reference(Module, Reference, Program, Adapter,
                           question(Facts, Outputs, Answers, Passing),
                           blame(How, Why, Rows)), _,
              fail)
    ->  write_json(Out, [blame, How, Why, Rows])
    ;   Atoms \== none,
        Adapter \== none,
        catch(by_running(question(Program-Text, Adapter, Atoms, Facts, Outputs), Reference, Why, Rows), _,
              fail)
    ->  write_json(Out, [refusal, excluded, 1, Why, Rows])
    ;   Atoms == none
    ->  (   forgotten(Instance, Found)
        ->  write_json(Out, [forgets, Found])
        ;   write_json(Out, [nothing])
        )
    ;   refusal(Instance, Atoms, [Kind, Together, Why, Rows]),
        write_json(Out, [refusal, Kind, Together, Why, Rows])
    ).

%!  loop is semidet.
%
%   A search that is ours, for the variables of a model, is no fault of the program.

loop :-
    asked(Program, Out, Adapter, request(_, Facts, Outputs)),
    Module = pls_sliced_program,
    read_file_to_string(Program, Text, [encoding(utf8)]),
    named(Program, Module, File),
    sliced(Module, File-Text, load_text(Module:File, Text, [module(Module)], [])),
    (   Adapter == none
    ->  true
    ;   sliced(Module, none, text_in(Adapter, Module, []))
    ),
    instance(Module, Facts, Outputs, [], Instance),
    member(Goal, [model(_,_),model(_),answer(_),answer(_,_)]),
    functor(Goal, Name, Arity),
    has(Module, Name/Arity),
    !,
    with_facts(Instance, once(endless(Module, Module:Goal, How, Why, Rows))),
    write_json(Out, [loop, How, Why, Rows]),
    Copy = pls_switched_program,
    named(Program, Copy, Other),
    prepared(Copy, Other, Text, []),
    findall([Line,Once],
            ( member(["",At|_], Rows), clause_line(Copy, At, Line), single_at(Copy, Line, Once) ),
            Singles0),
    sort(Singles0, Singles1),
    maplist(texts, Singles1, Singles),
    write_json(Out, [singles, Singles]).

%   The clause with this line begins in Line.

clause_line(Copy, At, Line) :-
    aggregate_all(max(Begin),
                  ( goal_at(Copy, _, _, head, place("", Begin, _), _), Begin =< At ),
                  Line).

%   A program that posts constraints has goals that refuse an answer, which refusal.pl finds.

by_reference(Copy, Reference, Program, Adapter, question(Facts, Outputs, Answers, Passing),
             blame(How, Why, Rows)) :-
    \+ posts(Copy),
    loaded(pls_own_program, Program, Adapter, _, ""),
    has(pls_own_program, answer/1),
    (   Adapter == none
    ->  Asked = []
    ;   read_file_to_string(Adapter, Text, [encoding(utf8)]),
        setup_call_cleanup(open_string(Text, In), asked_for(In, Asked0), close(In)),
        sort(Asked0, Asked)
    ),
    call_with_inference_limit(
        blamed(Copy, pls_own_program, Reference, question(Asked, Facts, Outputs, Answers, Passing),
               blame(How, Why, Numbers)),
        20_000_000, Limit),
    Limit \== inference_limit_exceeded,
    maplist(row(Copy), Numbers, Rows).

posts(Copy) :-
    clause_at(Copy, _, _, Body),
    sub_term(Goal, Body),
    callable(Goal),
    Goal \= _:_,
    predicate_property(Copy:Goal, imported_from(clpfd)),
    \+ functor(Goal, transpose, 2),
    !.

%!  by_running(+Question, +Reference, -Why, -Rows) is semidet.
%
%   The call of the program that the teacher's answer/1 makes is run with the values that an answer wants
%   there. Rows are the goals that refuse these, and Why is a reason or "".

by_running(question(Program-Text, Adapter, Atoms, Facts, Outputs), Reference, Why, Rows) :-
    Module = pls_run_program,
    named(Program, Module, File),
    read_program(File-Text, [], load_text(Module:File, Text, [module(Module)], [])),
    text_in(Adapter, Module, []),
    instance(Module, Facts, Outputs, [], Instance),
    wanted(Instance, Atoms, Wanted),
    with_facts(Instance, wanted_call(Wanted, Reference, 5_000_000, Question)),
    with_facts(Instance, findall(Blame, interpreted(Question, _, Blame), Blames)),
    last(Blames, blame(How, Why0, Rows)),
    Rows = [_|_],
    reason(How, Why0, Why1),
    atomic_list_concat(Parts, 'pls_run_program:', Why1),    % the module is a name of ours
    atomic_list_concat(Parts, Why2),
    atom_string(Why2, Why).

reason(fails, "which keeps another answer", Why) => Why = "it keeps another answer".
reason(fails, _, Why) => Why = "".
reason(raises, Text, Why) => string_concat("it raises an error: ", Text, Why).
reason(_, _, _) => fail.                % a value that is unbound may be found by the search of the teacher

%   All predicates that may be called in a text.

asked_for(In, Predicates) :-
    read_term(In, Term, []),
    (   Term == end_of_file
    ->  Predicates = []
    ;   findall(Name/Arity,
                ( sub_term(Goal, Term), callable(Goal), functor(Goal, Name, Arity) ),
                Some),
        append(Some, More, Predicates),
        asked_for(In, More)
    ).
