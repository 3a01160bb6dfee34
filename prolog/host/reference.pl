:- module(pls_reference,
          [ reference_call/2, reference_defines/2, reference_raises/3, reference_solutions/3,
            request_apart/2, with_instance/4 ]).
:- use_module(clauses, [reading/3]).
:- use_module(instances, [instance/5, with_facts/2]).
:- use_module(loading, [load_text/4]).
:- use_module(runner, [request_later/1, request_now/2, term_now/2]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(clpfd), [label/1]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(solution_sequences), [limit/2, offset/2]).
:- use_module(library(terms), [term_size/2]).
:- use_module(library(yall), [(>>)/3]).
:- autoload(library(unix), [fork/1, pipe/2]).

/** <module> The reference of an exercise, in a process of its own

A program of Prolog can read all clauses and all memory of its process. So the reference is not there: before
anything of the program is loaded, a child reads the request, keeps the text of the reference, and passes on
the rest. No other process may read its memory, where the system can forbid that. It ends when its pipe does.

The program can write to the pipe, too. So the child answers for the predicates of the reference alone, and
tells their solutions, nothing else. If the reference calls what it is given, no name in a question may be that
of a predicate of Prolog, which might show clauses.

A question is question(Number,Question), a line as of write_canonical/1; the answer is answer(Number,Answer):

    defines(Name/Arity)                       true or false
    solutions(Call, Inferences, From, Most)   found(Calls, End)
    instance(Number)                          true: further questions are about this instance

Of the solutions, the first From are left out. End is all, more if there are Most of them, raised(Ball), or
unknown, which is neither an error nor a failure: it takes too long, or they are too large.
*/

:- dynamic
    solution/1.         % Call

:- meta_predicate with_instance(+, +, -, 0).

                /*******************************
                *       for the program        *
                *******************************/

%!  request_apart(-Request, -Reference) is semidet.
%
%   Request is that of standard input, request(Atoms,Facts,Outputs,Right), where Right is
%   right(Answers,Passing), with the facts of other instances, or none without a reference that can
%   be loaded, or where no process can fork; then Reference is none.

request_apart(Request, Reference) :-
    request_later(In),
    (   exists_source(library(unix))
    ->  with_child(In, Request, Reference)
    ;   request_now(In, Request0),
        without_reference(Request0, Request),
        Reference = none
    ).

without_reference(Request0, request(Atoms, Facts, Outputs, none)) :-
    Request0 =.. [request,Atoms,Facts,Outputs|_].

with_child(In, Request, Reference) :-
    pipe(Questions, Ask),
    pipe(Answers, Tell),
    maplist([Stream]>>set_stream(Stream, encoding(utf8)), [Questions,Ask,Answers,Tell]),
    fork(Process),
    (   Process == child
    ->  maplist(close, [Ask,Answers]),
        ignore(catch(kept(In, Questions, Tell), _, true)),
        halt
    ;   maplist(close, [In,Questions,Tell]),
        term_now(Answers, Request),
        Request = request(_, _, _, Right),
        (   Right == none
        ->  Reference = none
        ;   trie_new(Known),
            Reference = reference(Ask, Answers, Known)
        )
    ).

%!  reference_defines(+Reference, ?Head) is semidet.

reference_defines(Reference, Head) :-
    functor(Head, Name, Arity),
    catch(answer_to(Reference, defines(Name/Arity), true), unknown, fail).

%!  reference_call(+Reference, ?Call) is nondet.
%
%   As the reference answers. Throws unknown where it has more answers, or needs longer, than a question may.

reference_call(Reference, Call) :-
    copy_term_nat(Call, Plain),
    called_from(0, Reference, Plain, Call).

called_from(From, Reference, Plain, Call) :-
    (   batch(From, Most)
    ->  answer_to(Reference, solutions(Plain, 2_000_000, From, Most), found(Calls, End)),
        (   End == all
        ->  member(Call, Calls)
        ;   member(Call, Calls)
        ;   End == more
        ->  Next is From+Most,
            called_from(Next, Reference, Plain, Call)
        ;   End = raised(Ball)
        ->  throw(Ball)
        ;   throw(unknown)
        )
    ;   throw(unknown)
    ).

%   The first solutions are often enough.

batch(0, 100).
batch(100, 10_000).

%!  reference_solutions(+Reference, +Call, -Calls) is semidet.
%
%   All solutions, even if an error ends them; fails if they are many or take long.

reference_solutions(Reference, Call, Calls) :-
    answer_to(Reference, solutions(Call, 100_000, 0, 201), found(Calls, End)),
    ( End == all ; End = raised(_) ),
    !.

%!  with_instance(+Reference, +Number, -Other, :Goal) is nondet.
%
%   Calls Goal while Other, which is the same reference, answers about another instance: that of
%   this number, from 1, among those in the request.

with_instance(Reference, Number, Other, Goal) :-
    setup_call_cleanup(
        about(Reference, Number, Other),
        Goal,
        about(Reference, 0, _)).

about(reference(Ask, Answers, _), Number, Other) :-
    trie_new(Known),
    Other = reference(Ask, Answers, Known),
    answer_to(Other, instance(Number), true).

%!  reference_raises(+Reference, +Call, +Formal) is semidet.
%
%   True if the call raises such an error before it has a solution.

reference_raises(Reference, Call, Formal) :-
    catch(answer_to(Reference, solutions(Call, 1_000_000, 0, 1), found([], raised(error(Other, _)))),
          unknown, fail),
    Other =@= Formal.

%   Each question is asked once.

answer_to(reference(Ask, Answers, Known), Question, Answer) :-
    (   acyclic_term(Question)
    ->  true
    ;   throw(unknown)
    ),
    (   trie_lookup(Known, Question, Answer0)
    ->  true
    ;   flag(pls_reference, Number, Number+1),
        catch(( format(Ask, "~k.~n", [question(Number, Question)]),
                flush_output(Ask),
                answer_now(Answers, Number, Answer0) ),
              error(_, _), throw(unknown)),
        trie_insert(Known, Question, Answer0)
    ),
    Answer = Answer0.

%   A limit of inferences may have kept an answer from being read.

answer_now(Answers, Number, Answer) :-
    term_now(Answers, Term),
    (   Term = answer(Number, Answer0)
    ->  Answer = Answer0
    ;   Term == end_of_file
    ->  throw(unknown)
    ;   answer_now(Answers, Number, Answer)
    ).

                /*******************************
                *         in the child         *
                *******************************/

kept(In, Questions, Tell) :-
    unreadable,
    open_null_stream(Null),
    set_stream(Null, alias(user_output)),
    set_stream(Null, alias(user_error)),
    set_output(Null),
    request_now(In, Request),
    Module = pls_right_program,
    (   Request = request(Atoms, Facts, Outputs, reference(Text, Right, Passing)),
        catch(( loaded(Module, Text),
                tell(Tell, request(Atoms, Facts, Outputs, right(Right, Passing))),
                rights(Module, Rights),
                answered_about(0, [Facts|Passing], Questions, Tell, Module-Rights, 30_000_000) ),
              _, fail)
    ->  true
    ;   without_reference(Request, Rest),
        tell(Tell, Rest)
    ).

unreadable :-
    (   current_predicate(unix:prctl/1)     % only Linux has it
    ->  unix:prctl(set_dumpable(false))
    ;   true
    ).

tell(Tell, Term) :-
    format(Tell, "~k.~n", [Term]),
    flush_output(Tell).

%   A reference, without what it includes.

loaded(Module, Text) :-
    reading(Module, alone, load_text(Module:Module, Text, [module(Module)], Errors)),
    Errors == [].

alone((:- include(_)), _, []).

%   Answers about the instance with this Number, until another one is asked about.

answered_about(Number, All, Questions, Tell, Asked, Budget) :-
    nth0(Number, All, Facts),
    Asked = Module-_,
    instance(Module, Facts, [], [], Instance),
    with_facts(Instance, once(answered(Questions, Tell, Asked, Budget, Next))),
    (   Next = next(Question, Other, Left)
    ->  tell(Tell, answer(Question, true)),
        answered_about(Other, All, Questions, Tell, Asked, Left)
    ;   true
    ).

%   All questions together may take Budget inferences.

answered(Questions, Tell, Asked, Budget, Next) :-
    catch(term_now(Questions, Term), error(syntax_error(_), _), Term = question(_, unreadable)),
    (   Term == end_of_file
    ->  Next = end
    ;   Term = question(Number, instance(Other))
    ->  Next = next(Number, Other, Budget)
    ;   Term = question(Number, Question),
        statistics(inferences, Before),
        answer(Question, Asked, Budget, Answer),
        statistics(inferences, After),
        tell(Tell, answer(Number, Answer)),
        Left is max(0, Budget-(After-Before)),
        answered(Questions, Tell, Asked, Left, Next)
    ).

answer(defines(Name/Arity), Module-_, _, Answer), atom(Name), integer(Arity) =>
    functor(Head, Name, Arity),
    (   defines(Module, Head)
    ->  Answer = true
    ;   Answer = false
    ).
answer(solutions(Call, Inferences, From, Most), Module-Rights, Budget, Answer),
        callable(Call), defines(Module, Call), may_be_asked(Rights, Module, Call) =>
    Limit is min(Inferences, Budget),
    solutions(Module:Call, Limit, From, Most, End),
    findall(Call, retract(solution(Call)), Calls),
    Answer = found(Calls, End).
answer(_, _, _, Answer) =>
    Answer = found([], unknown).

defines(Module, Head) :-
    Head \= _:_,
    predicate_property(Module:Head, implementation_module(Module)),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, thread_local).

solutions(Module:Call, Inferences, From, Most, End) :-
    Size = size(0),
    catch(call_with_inference_limit(
              forall(limit(Most, offset(From, labelled(Module, Call))), kept_solution(Call, Size)),
              Inferences, Limit),
          Error, true),
    predicate_property(solution(_), number_of_clauses(Number)),
    (   Limit == inference_limit_exceeded
    ->  End = unknown
    ;   nonvar(Error)
    ->  raised(Error, End)
    ;   Number >= Most
    ->  End = more
    ;   End = all
    ).

%   Solutions without an end often grow: to write them all would take much longer than to find them.

kept_solution(Call, Size) :-
    term_size(Call, Cells),
    arg(1, Size, Before),
    All is Before+Cells,
    (   All > 300_000
    ->  throw(pls_open)
    ;   nb_setarg(1, Size, All),
        assertz(solution(Call))
    ).

raised(error(Formal, _), End), Formal = resource_error(_) => End = unknown.
raised(error(Formal, _), End) => End = raised(error(Formal,_)).
raised(pls_open, End) => End = unknown.
raised(Ball, End) => End = raised(Ball).

%   Constraints would show what the reference posts: their solutions are told instead.

labelled(Module, Call) :-
    Module:Call,
    term_attvars(Call, Variables),
    (   Variables == []
    ->  true
    ;   catch(label(Variables), error(_, _), throw(pls_open)),
        (   term_attvars(Call, [])
        ->  true
        ;   throw(pls_open)
        )
    ).

                /*******************************
                *    what a question may do    *
                *******************************/

%   Rights are few if some clause calls what it is given.

rights(Module, Rights) :-
    (   current_predicate(_, Module:Head),
        defines(Module, Head),
        clause(Module:Head, Body),
        calls_given(Body, Module)
    ->  Rights = few
    ;   Rights = all
    ).

calls_given(Goal, _), var(Goal) => true.
calls_given(Inner:Goal, _) => ( var(Inner) ; calls_given(Goal, Inner) ), !.
calls_given(Goal, Module), predicate_property(Module:Goal, meta_predicate(Spec)) =>
    arg(Place, Spec, Kind),
    arg(Place, Goal, Argument),
    calls_argument(Kind, Argument, Module),
    !.
calls_given(_, _) => fail.

calls_argument(Kind, Argument, _), var(Argument) =>
    ( integer(Kind) ; memberchk(Kind, [^,:,//]) ),
    !.
calls_argument(^, _^Goal, Module) => calls_argument(^, Goal, Module).
calls_argument(^, Goal, Module) => calls_given(Goal, Module).
calls_argument(//, Body, Module) => calls_argument(2, Body, Module).
calls_argument(Extra, _>>Goal, Module), integer(Extra) => calls_given(Goal, Module).
calls_argument(Extra, Inner:Closure, _), integer(Extra) =>
    ( var(Inner) ; calls_argument(Extra, Closure, Inner) ),
    !.
calls_argument(Extra, Closure, Module), integer(Extra), callable(Closure) =>
    Closure =.. Parts0,
    length(Others, Extra),
    append(Parts0, Others, Parts),
    Goal =.. Parts,
    calls_given(Goal, Module).
calls_argument(:, Term, Module) =>
    sub_term(Clause, Term),             % what becomes a clause may be called
    nonvar(Clause),
    Clause = (_:-Body),
    calls_given(Body, Module),
    !.
calls_argument(_, _, _) => fail.

may_be_asked(all, _, _).
may_be_asked(few, Module, Call) :-
    Call =.. [_|Arguments],
    \+ ( sub_term(Name, Arguments),
         \+ is_harmless(Name, Module) ).

is_harmless(Term, _), ( var(Term) ; number(Term) ; Term == [] ) => true.
is_harmless(Term, Module), callable(Term) =>
    functor(Term, Name, Arity),
    Most is Arity+7,
    \+ ( between(Arity, Most, Number),
         functor(Head, Name, Number),
         Name/Number \== '[|]'/2,
         predicate_property(Module:Head, visible),
         \+ defines(Module, Head) ).
is_harmless(_, _) => fail.
