:- module(pls_interpreter, [bound/2, finds/1, interpreted/3, within/2]).
:- use_module(clauses, [located/5, own/4, parts/2, place/3, shown/2]).
:- use_module(current, [current/2, with_current/3]).
:- use_module(loading, [shortened/3]).
:- autoload(reference, [reference_defines/2, reference_raises/3]).
:- use_module(runner, [raised_text/2]).
:- use_module(library(apply), [include/3, maplist/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, nth1/3, same_length/2]).
:- use_module(library(record)).
:- use_module(library(solution_sequences), [distinct/2]).
:- use_module(library(yall), []).       % a program that uses it may not load it

/** <module> Runs the clauses of a program, and sees where it loses an answer

The clauses are those of clauses.pl. Any other predicate is called as it is, and calls back what it is given
to call. An answer is what the variables of a goal become. So there are three attempts:

  - bound
    The variables have the values of the answer: a goal that fails keeps it out.
  - guided
    They accept no other values: this finds what fails only while they are unknown, and variables that stay
    unbound.
  - tracked
    They accept any values. This shows which goal commits to other ones and so throws the answer away.

The first attempt that tells counts; but if the second finds the answer, the first has failed only because a
program may look at what is bound.

A question is question(Goal,Terms,Wanted,Values,Budget,Oracle): a Module:Goal, the terms of it that are to
become those that are Wanted, the name for their values with their number, such as cells-81, the inferences
of one attempt, and the reference of reference.pl, or none.
*/

:- meta_predicate
    within(0, +).

                /*******************************
                *         the attempts         *
                *******************************/

%   An attempt is one record, which is passed along. But goals that a library calls back come without it:
%   so the one global of this module, pls_interpreter, is the attempt that runs in this thread or engine.
%
%   Backtracking undoes changes of chain, the calls around a goal; of quiet, the number of tests around it,
%   whose failure is none; of progress, the number of goals that have succeeded; of fits, which is true
%   while the answer is possible; and of last, the last goal that has succeeded. It leaves best, the
%   progress of the failure that got furthest, and where that was; noted, the last error and where it was
%   raised; and lost, where a goal has committed to another answer.

:- record attempt(
       mode:any, size:any, terms:any, wanted:any,
       chain:any=[], quiet:any=0, progress:any=0, fits:any=true, last:any=none,
       best:any= -1, where:any=none, noted:any=none, lost:any=none).

%!  interpreted(+Question, -Failed, -Blame) is nondet.
%
%   The first Blame is there soon, and the second, better one may need more time. Failed is the attempt in
%   which the program has failed. Blame is nothing, if no goal keeps the answer out, or blame(How,Why,Rows),
%   where Rows are places with words, the most likely one first. How is
%
%     - fails
%     if a goal or a test fails, or one keeps another answer, as Why tells then;
%     - loops
%     if a predicate calls itself without end;
%     - raises
%     if there is an error, and Why is its text;
%     - unbound
%     if values are not known in the end, and Why is the name for them;
%     - slow
%     if the search takes longer.

interpreted(Question, Failed, Blame) :-
    attempt(bound, Question, Bound, _),
    (   \+ Bound = succeeded(_),
        Failed = bound,
        told(Bound, Question, Blame)
    ;   second(Question, Bound, Failed, Second),
        told(Second, Question, Blame)
    ).

second(Question, Bound, Failed, Result) :-
    \+ Bound = error(_, _),
    attempt(guided, Question, Guided, _),
    (   Guided = succeeded(0)
    ->  Failed = tracked,
        attempt(tracked, Question, Tracked, Attempt),
        third(Tracked, Attempt, Result)
    ;   Bound = succeeded(_),
        Failed = guided,
        Result = Guided
    ).

%   A goal that has committed to another answer counts only if the program then loses the wanted one.

third(failed(_), Attempt, Result) :-
    !,
    attempt_lost(Attempt, Where),
    (   Where == none
    ->  Result = succeeded(0)
    ;   Result = lost(Where)
    ).
third(Result, _, Result).

%   Result is succeeded(Unbound), with a number of variables; failed(Where), lost(Where), limit(Where), or
%   error(Ball, Where). Where is a place with its calls, or none.

attempt(Mode, Question, Result, Attempt) :-
    copy_term(Question, question(Module:Goal, Terms, Wanted, _-Size, Budget, _)),
    posed(Mode, Terms, Wanted),
    make_attempt([mode(Mode), size(Size), terms(Terms), wanted(Wanted)], Attempt),
    (   catch(snapshot(tried(Attempt, Module, Goal, Budget, Result)), Ball, stopped_by(Ball, Attempt, Result))
    ->  true
    ;   attempt_where(Attempt, Where),
        Result = failed(Where)
    ).

posed(bound, Wanted, Wanted).
posed(guided, Terms, Wanted) :-
    guide(Terms, Wanted).
posed(tracked, _, _).

tried(Attempt, Module, Goal, Budget, Result) :-
    call_with_inference_limit(with_current(pls_interpreter, Attempt, answers(Attempt, Module, Goal)),
                              Budget, Limit),
    !,
    (   Limit == inference_limit_exceeded
    ->  noted_place(Attempt, Where),
        Result = limit(Where)
    ;   attempt_terms(Attempt, Terms),
        term_variables(Terms, Unbound),
        length(Unbound, Number),
        Result = succeeded(Number)
    ).

answers(Attempt, Module, Goal) :-
    made(Goal, Module, nowhere, Attempt),
    (   attempt_mode(Attempt, tracked)
    ->  attempt_terms(Attempt, Terms),
        attempt_wanted(Attempt, Wanted),
        Terms == Wanted
    ;   true
    ).

%   Where the last error was raised.

noted_place(Attempt, Where) :-
    (   attempt_noted(Attempt, noted(_, Where0))
    ->  Where = Where0
    ;   Where = none
    ).

stopped_by(Ball, Attempt, Result) :-
    noted_place(Attempt, Where),
    (   Ball = error(resource_error(_), _)
    ->  Result = limit(Where)
    ;   Result = error(Ball, Where)
    ).

                /*******************************
                *  variables that are guided   *
                *******************************/

%!  finds(+Question) is semidet.
%
%   True if the goal, called as Prolog does, succeeds where variables accept no values but the wanted ones.

finds(Question) :-
    copy_term(Question, question(Goal, Terms, Wanted, _, _, _)),
    guide(Terms, Wanted),
    once(( Goal, Terms == Wanted )).

%!  bound(+Question, -Bound) is semidet.
%
%   Bound is the question with the wanted values in its goal.

bound(Question, Bound) :-
    copy_term(Question, Bound),
    Bound = question(_, Wanted, Wanted, _, _, _).

%!  within(:Goal, +Limit) is semidet.
%
%   Goal succeeds within a number of inferences. Some programs go on for ever.

within(Goal, Limit) :-
    catch(call_with_inference_limit(once(Goal), Limit, Result), _, fail),
    Result \== inference_limit_exceeded.

%   A variable accepts no value but the Wanted one, which is ground.

guide(Term, Wanted) :-
    (   attvar(Term),
        get_attr(Term, pls_interpreter, Known)
    ->  Known == Wanted
    ;   var(Term)
    ->  put_attr(Term, pls_interpreter, Wanted)
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments),
        compound_name_arguments(Wanted, Name, Values),
        maplist(guide, Arguments, Values)
    ;   Term == Wanted
    ).

attr_unify_hook(Wanted, Value) :-
    guide(Value, Wanted).

attribute_goals(_) --> [].

                /*******************************
                *       the interpreter        *
                *******************************/

%!  run(+Body, ?Position, +In, +Choice, +Attempt) is nondet.
%
%   In is where Body stands, as in clauses.pl. Choice is where a cut goes back to.

run(Goal, Position, In, _, Attempt), var(Goal) =>
    place(Position, In, Place),
    leaf(call(Goal), _, In, Place, Attempt).
run(Goal, From-To, In, _, Attempt), compound(Goal) =>    % a variable of the text has become this goal
    place(From-To, In, Place),
    In = in(Module, _),
    made(Goal, Module, Place, Attempt).
run(Body, parentheses_term_position(_, _, Position), In, Choice, Attempt) =>
    run(Body, Position, In, Choice, Attempt).
run((A,B), Position, In, Choice, Attempt) =>
    parts(Position, [PositionA,PositionB]),
    run(A, PositionA, In, Choice, Attempt),
    run(B, PositionB, In, Choice, Attempt).
run((If->Then;Else), Position, In, Choice, Attempt) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    fits(Fits, Attempt),
    (   quietly(If, PositionIf, In, Attempt)
    ->  (   If = (_,_),
            attempt_last(Attempt, last(_, Kept))    % the goal that gave the answer that is kept
        ->  true
        ;   place(PositionIf, In, Kept)
        ),
        committed(Fits, Kept, Attempt),
        run(Then, PositionThen, In, Choice, Attempt)
    ;   run(Else, PositionElse, In, Choice, Attempt)
    ).
run((If->Then), Position, In, Choice, Attempt) =>
    parts(Position, [PositionIf,_]),
    run((If->Then;fail), term_position(_, _, _, _, [Position,PositionIf]), In, Choice, Attempt).
run((If*->Then;Else), Position, In, Choice, Attempt) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    (   quietly(If, PositionIf, In, Attempt)
    *-> run(Then, PositionThen, In, Choice, Attempt)
    ;   run(Else, PositionElse, In, Choice, Attempt)
    ).
run((A;B), Position, In, Choice, Attempt) =>
    parts(Position, [PositionA,PositionB]),
    (   run(A, PositionA, In, Choice, Attempt)
    ;   run(B, PositionB, In, Choice, Attempt)
    ).
run(\+ Goal, Position, In, _, Attempt) =>
    parts(Position, [PositionGoal]),
    (   quietly(Goal, PositionGoal, In, Attempt)
    ->  attempt_last(Attempt, Last),
        place(Position, In, Place),
        failure(\+ Goal, Place, Last, Attempt),
        fail
    ;   true
    ).
run(!, Position, In, Choice, Attempt) =>
    place(Position, In, Place),
    attempt_fits(Attempt, Fits),
    committed(Fits, Place, Attempt),
    prolog_cut_to(Choice).
run(true, _, _, _, _) =>
    true.
run(Goal, Position, In, _, Attempt) =>
    place(Position, In, Place),
    call_goal(Goal, Position, In, Place, Attempt).

%   A body of its own, in which a cut is local.

opaque(Body, Position, In, Attempt) :-
    prolog_current_choice(Choice),
    run(Body, Position, In, Choice, Attempt).

made(Goal, Module, Place, Attempt) :-
    opaque(Goal, _, in(Module, made(Place)), Attempt).

quietly(Body, Position, In, Attempt) :-
    quietly(opaque(Body, Position, In, Attempt), Attempt).

quietly(Goal, Attempt) :-
    attempt_quiet(Attempt, Before),
    Quiet is Before+1,
    set_quiet_of_attempt(Quiet, Attempt),
    call(Goal),
    set_quiet_of_attempt(Before, Attempt).

%!  call_goal(+Goal, ?Position, +In, +Place, +Attempt) is nondet.

call_goal(Module:Goal, _, _, Place, Attempt), atom(Module) =>
    made(Goal, Module, Place, Attempt).
call_goal(phrase(Body, List), Position, In, Place, Attempt) =>
    call_goal(phrase(Body, List, []), Position, In, Place, Attempt).
call_goal(phrase(Body, List, Rest), _, in(Module, _), Place, Attempt), callable(Body), \+ is_list(Body) =>
    once(dcg_translate_rule((in_list --> Body), (in_list(List0, Rest0) :- Goal))),
    List0-Rest0 = List-Rest,
    made(Goal, Module, Place, Attempt).
call_goal(Goal, Position, In, Place, Attempt), compound(Goal), Goal =.. [call,Closure|Extra] =>
    parts(Position, [PositionClosure|_]),
    call_closure(Closure, PositionClosure, In, Place, Extra, Attempt).
call_goal(Goal, Position, In, Place, Attempt) =>
    In = in(Module, _),
    (   defined_in(Goal, Module, Home)
    ->  call_own(Goal, Home, Place, Attempt)
    ;   leaf(Goal, Position, In, Place, Attempt)
    ).

%   What call/N calls: a closure, also a lambda expression, with more arguments.

call_closure(Closure, Position, In, Place, Extra, Attempt) :-
    In = in(Module, _),
    (   var(Closure)
    ->  Goal =.. [call,Closure|Extra],
        leaf(Goal, _, In, Place, Attempt)
    ;   Closure = Inner:Goal,
        atom(Inner)
    ->  call_closure(Goal, _, in(Inner, made(Place)), Place, Extra, Attempt)
    ;   Extra == []
    ->  (   nonvar(Position)
        ->  opaque(Closure, Position, In, Attempt)
        ;   made(Closure, Module, Place, Attempt)
        )
    ;   lambda(Closure, Extra, Body)
    ->  parts(Position, [_,PositionBody]),
        call_closure(Body, PositionBody, In, Place, [], Attempt)
    ;   Closure =.. [Name|Arguments],
        append(Arguments, Extra, All),
        Goal =.. [Name|All],
        made(Goal, Module, Place, Attempt)
    ).

lambda(Free/Parameters>>Body0, Extra, Body) =>
    same_length(Parameters, Extra),
    callable(Body0),
    copy_term_nat(Free/Parameters/Body0, Free/Extra/Body).
lambda(Parameters>>Body0, Extra, Body) =>
    lambda([]/Parameters>>Body0, Extra, Body).
lambda(_, _, _) =>
    fail.

defined_in(Goal, Module, Home) :-
    callable(Goal),
    (   predicate_property(Module:Goal, imported_from(Home))
    ->  true
    ;   Home = Module
    ),
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    own(Head, Home, _, _),
    !.

%   One of the program's own predicates: another frame.

call_own(Goal, Module, Place, Attempt) :-
    functor(Goal, Name, Arity),
    attempt_chain(Attempt, Chain),
    attempt_fits(Attempt, Fits),
    catch(clause_body(Goal, Module, Place, Name/Arity, Chain, Attempt), Ball,
          noted(Ball, Goal, Place, Attempt)),
    set_chain_of_attempt(Chain, Attempt),
    set_fits_of_attempt(Fits, Attempt),
    progress(Attempt).

clause_body(Goal, Module, Place, Key, Chain, Attempt) :-
    prolog_current_choice(Choice),
    length(Chain, Depth),
    attempt_size(Attempt, Size),
    (   Depth > 500+4*Size
    ->  throw(error(resource_error(depth), _))
    ;   true
    ),
    (   own(Goal, Module, body(Body, Position, In), _)
    *-> set_chain_of_attempt([frame(Place, Goal, Key)|Chain], Attempt),
        fits(Fits, Attempt),
        set_fits_of_attempt(Fits, Attempt),
        run(Body, Position, In, Choice, Attempt)
    ;   failure(Goal, Place, no_clause, Attempt),
        fail
    ).

%   Any other predicate is called as it is, but calls back what it is given to call.

leaf(Goal0, Position, In, Place, Attempt) :-
    In = in(Module, _),
    (   callable(Goal0),
        predicate_property(Module:Goal0, meta_predicate(Spec))
    ->  Goal0 =.. [Name|Arguments0],
        Spec =.. [_|Specs],
        length(Specs, Arity),
        length(Positions, Arity),
        parts(Position, Positions),
        wrapped(Arguments0, Specs, Positions, 1, goal(Name/Arity, In, Place), Arguments),
        Goal =.. [Name|Arguments]
    ;   Goal = Goal0
    ),
    (   first_only(Goal0)
    ->  fits(Fits, Attempt)
    ;   Fits = false
    ),
    (   catch(Module:Goal, Ball, noted(Ball, Goal0, Place, Attempt))
    *-> committed(Fits, Place, Attempt),
        progress(Attempt),
        set_last_of_attempt(last(Goal0, Place), Attempt)
    ;   failure(Goal0, Place, none, Attempt),
        fail
    ).

progress(Attempt) :-
    attempt_progress(Attempt, Progress0),
    Progress is Progress0+1,
    set_progress_of_attempt(Progress, Attempt).

%   Goals that keep their first answer.

first_only(once(_)).
first_only(ignore(_)).
first_only(memberchk(_, _)).

wrapped([], [], _, _, _, []).
wrapped([Argument0|Arguments0], [Spec|Specs], [Position|Positions], Number, Caller,
        [Argument|Arguments]) :-
    (   ( integer(Spec) ; Spec == (^) )
    ->  wrap(Argument0, Spec, Position, Number, Caller, Argument)
    ;   Argument = Argument0
    ),
    Next is Number+1,
    wrapped(Arguments0, Specs, Positions, Next, Caller, Arguments).

wrap(Argument0, _, _, _, _, Argument), var(Argument0) =>
    Argument = Argument0.
wrap(Free^Body, ^, Position, Number, Caller, Argument) =>
    parts(Position, [_,PositionBody]),
    wrap(Body, ^, PositionBody, Number, Caller, Inner),
    Argument = Free^Inner.
wrap(Closure, _, Position, Number, goal(Key, In, Place), Argument) =>
    (   loud(Key, Number)
    ->  Loud = true
    ;   Loud = false
    ),
    Argument = pls_interpreter:back(closure(Closure, Position, In, Place, Loud)).

%   Where failure inside is failure of the whole.

loud(maplist/_, 1).
loud(foldl/_, 1).
loud(call/_, 1).
loud(once/1, 1).
loud(forall/2, 2).
loud(catch/3, 1).
loud(call_cleanup/2, 1).
loud(setup_call_cleanup/3, _).
loud(limit/2, 2).
loud(apply/2, 1).

back(C) :- call_back([], C).
back(C, A) :- call_back([A], C).
back(C, A, B) :- call_back([A,B], C).
back(C, A, B, D) :- call_back([A,B,D], C).
back(C, A, B, D, E) :- call_back([A,B,D,E], C).
back(C, A, B, D, E, F) :- call_back([A,B,D,E,F], C).
back(C, A, B, D, E, F, G) :- call_back([A,B,D,E,F,G], C).
back(C, A, B, D, E, F, G, H) :- call_back([A,B,D,E,F,G,H], C).

call_back(Extra, closure(Closure, Position, In, Place, Loud)) :-
    current(pls_interpreter, Attempt),
    (   Loud == true
    ->  call_closure(Closure, Position, In, Place, Extra, Attempt)
    ;   quietly(call_closure(Closure, Position, In, Place, Extra, Attempt), Attempt)
    ).

                /*******************************
                *       what is noticed        *
                *******************************/

%!  failure(+Goal, +Place, +Why, +Attempt) is det.
%
%   Keeps the failure that got furthest.

failure(Goal, Place, Why, Attempt) :-
    attempt_quiet(Attempt, 0),
    attempt_progress(Attempt, Progress),
    attempt_best(Attempt, Best),
    Progress > Best,
    !,
    nb_set_best_of_attempt(Progress, Attempt),
    where(Goal, Place, Why, Attempt, Where),
    nb_set_where_of_attempt(Where, Attempt).
failure(_, _, _, _).

%   A copy without attributes; guided variables are their values. Of a deep recursion, some frames are enough.

where(Goal, Place, Why, Attempt, Where) :-
    attempt_chain(Attempt, Whole),
    attempt_size(Attempt, Size),
    Most is Size+20,
    length(Last, Most),
    (   append(Last, _, Whole)
    ->  Chain = Last
    ;   Chain = Whole
    ),
    findall(Where0,
            ( Where0 = where(Goal, Place, Why, Chain),
              term_attvars(Where0, Variables),
              maplist(strip, Variables) ),
            [Where]).

strip(Variable) :-
    ignore(get_attr(Variable, pls_interpreter, Value)),
    del_attrs(Variable),
    Variable = Value.

noted(Ball, Goal, Place, Attempt) :-
    attempt_noted(Attempt, Noted),
    (   Noted = noted(Same, _),
        Same =@= Ball
    ->  true
    ;   where(Goal, Place, none, Attempt, Where),
        nb_set_noted_of_attempt(noted(Ball, Where), Attempt)
    ),
    throw(Ball).

fits(Fits, Attempt) :-
    (   attempt_mode(Attempt, tracked),
        attempt_terms(Attempt, Terms),
        attempt_wanted(Attempt, Wanted),
        Terms \= Wanted
    ->  Fits = false
    ;   Fits = true
    ).

%   The first goal that commits to another answer has lost this one.

committed(Before, Place, Attempt) :-
    (   Before == true,
        fits(false, Attempt),
        attempt_lost(Attempt, none)
    ->  where(true, Place, none, Attempt, Where),
        nb_set_lost_of_attempt(Where, Attempt)
    ;   true
    ).

                /*******************************
                *           in words           *
                *******************************/

%!  told(+Result, +Question, -Blame) is semidet.
%
%   Fails if a goal would be to blame that has no place.

told(failed(none), _, Blame) =>
    Blame = nothing.
told(failed(where(Goal, Place, Why, Chain)), _, Blame) =>
    shown(Goal, Shown),
    (   Why == no_clause
    ->  string_concat("matches no clause: ", Shown, Words)
    ;   string_concat("fails: ", Shown, Words)
    ),
    place_rows(Place, Words, Chain, [Failing|Calls]),
    (   Why = last(Inside, InsidePlace)
    ->  Test = "where a test succeeds",
        shown(Inside, Text),
        string_concat("succeeds: ", Text, Succeeds),
        as_row(InsidePlace, Succeeds, First)
    ;   Test = "",
        First = Failing
    ),
    placed(fails, Test, [First,Failing|Calls], Blame).
told(succeeded(0), _, Blame) =>
    Blame = nothing.
told(succeeded(_), question(Module:Goal, _, _, Name-_, _, _), Blame) =>
    functor(Goal, Asked, Arity),
    functor(Head, Asked, Arity),
    format(string(Words), "ends while ~w are unbound", [Name]),
    findall(Row, ( own(Head, Module, _, Place), as_row(Place, Words, Row) ), Rows),
    different(Rows, Places),
    Blame = blame(unbound, Name, Places).
told(lost(where(_, Place, _, Chain)), _, Blame) =>
    place_rows(Place, "keeps another answer, and no way leads back to this one", Chain, Rows),
    placed(fails, "which keeps another answer", Rows, Blame).
told(limit(Where), Question, Blame) =>
    (   Where = where(Goal, Place, _, Chain),
        callable(Goal),
        functor(Goal, Name, Arity),
        recursion([frame(Place, Goal, Name/Arity)|Chain], Question, At, Words, Calls)
    ->  place_rows(At, Words, Calls, Rows),
        placed(loops, "", Rows, Blame)
    ;   Blame = blame(slow, "", [])     % a long search is not the fault of the goal that runs
    ).
told(error(Ball, Where), question(_, _, _, _, _, Oracle), Blame) =>
    (   Ball = error(Formal, context(_, Message))
    ->  raised_text(error(Formal, context(_, Message)), Long)   % without the interpreter
    ;   raised_text(Ball, Long)
    ),
    split_string(Long, "\n", " ", [Text|_]),
    (   Where = where(Goal, Place, _, Chain)
    ->  shown(Goal, Shown),
        string_concat("raises an error: ", Shown, Words),
        place_rows(Place, Words, Chain, Rows0),
        (   unmeant(Chain, Ball, Oracle, Number)
        ->  nth0(Number, Rows0, Row),
            Rows = [Row|Rows0]
        ;   Rows = Rows0
        )
    ;   Rows = []
    ),
    different(Rows, Places),
    Blame = blame(raises, Text, Places).

%   Number is that of the outermost of the calls, from 1, with which the right predicate raises such an error,
%   too: nothing that it calls is to blame.

unmeant(Chain, error(Formal, _), Oracle, Number) :-
    Oracle \== none,
    length(Chain, Length),
    between(1, Length, Back),
    Number is Length+1-Back,
    nth1(Number, Chain, frame(_, Call, Name/Arity)),
    functor(Head, Name, Arity),
    reference_defines(Oracle, Head),
    reference_raises(Oracle, Call, Formal),
    !.

placed(How, Why, Rows, blame(How, Why, Places)) :-
    different(Rows, Places),
    Places \== [].

place_rows(Place, Words, Chain, [Row|Calls]) :-
    as_row(Place, Words, Row),
    findall(Call,
            ( member(frame(At, Goal, _), Chain),
              shown(Goal, Text),
              shortened(Text, 80, Short),
              string_concat("calls ", Short, Calls0),
              as_row(At, Calls0, Call) ),
            Calls).

%   Recursion that comes to no end: with the same arguments, or very deep. A table may end it.

recursion([frame(Place, Goal, Key)|Chain], question(Module:_, _, _, _-Size, _, _), Place, Words, Chain) :-
    \+ predicate_property(Module:Goal, tabled),
    include(of_key(Key), Chain, Same),
    (   member(frame(_, Before, _), Same),
        Before =@= Goal
    ->  Words = "calls itself with the same arguments, without end"
    ;   length(Same, Depth),
        Depth > Size,
        Words = "calls itself deeper and deeper"
    ),
    !.
recursion([_|Chain], Question, Place, Words, Calls) :-
    recursion(Chain, Question, Place, Words, Calls).

of_key(Key, frame(_, _, Key)).

as_row(Place, Words, [File, Line, Column, Text, Words]) :-
    (   located(Place, File, Line, Column, Text)
    ->  true
    ;   [File, Line, Column, Text] = [none, 0, 0, ""]
    ).

%   Each place that is in a file, once.

different(Rows, Different) :-
    findall(Row,
            distinct(File-Line-Column,
                     ( member(Row, Rows), Row = [File, Line, Column|_], Line > 0 )),
            Different).
