:- module(pls_oracle, [blamed/5]).
:- use_module(instances, [found/3, instance/5, with_facts/2]).
:- use_module(clauses, [shown/2]).
:- use_module(reference,
              [ reference_call/2, reference_defines/2, reference_solutions/3, with_instance/4 ]).
:- use_module(switched, [bare/2, clause_at/4, goal_at/6, nearest_heads/3]).
:- use_module(wanted, [as_atoms/2]).
:- use_module(library(apply), [exclude/3, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(lists),
              [ append/2, append/3, list_to_set/2, member/2, memberchk/2, nth1/3, reverse/2,
                subtract/3 ]).
:- use_module(library(occurs), [occurrences_of_var/3, sub_term/2]).
:- use_module(library(pairs), [pairs_values/2]).
:- use_module(library(prolog_wrap), [unwrap_predicate/2, wrap_predicate/4]).
:- use_module(library(solution_sequences), [distinct/2, limit/2]).

/** <module> Which clause is to blame, by the program that is right

Declarative debugging (Shapiro 1983; Ferrand 1987; Naish 1997) searches for a clause whose calls are
all answered rightly, and which nevertheless gives a wrong answer, or lacks a right one. The oracle
that knows what is right is the reference. A predicate of it answers for one of the program with the
same name and arity if the program is right as soon as it does. Unless the teacher calls it, it must
agree, too: on some call, and on each that comes up in the instances for which the program is right.
Else it has this name and another meaning.

So every call of such a predicate is compared: the reference's answers are those that the clauses of the
program should give, with the reference in place of all such predicates below. Helpers of the program's own
are run clause by clause. Where an answer is missing, it is given to the head, and the failure that gets
furthest shows the place; if nothing fails then, the order of the goals, a cut or a negation loses it.

A question that takes too long is unknown, and unknown is not wrong.
*/

:- dynamic
    noted/1.            % Call of a predicate that the reference answers

%!  blamed(+Copy, +Program, +Reference, +Question, -Blame) is semidet.
%
%   Copy is the module of the copy of switched.pl, and Program that of the same text as it is.
%   Reference is that of reference.pl. Question is question(Asked,Facts,Outputs,Right,Passing), with
%   the predicates that the teacher's file calls, all answers, and the facts of instances for which
%   the program is right. Blame is blame(How,Why,Numbers), with the goals of the copy in order; How
%   is extra if there is a wrong answer, and sure or likely if one is missing.

blamed(Copy, Program, Reference, Question, Blame) :-
    Question = question(Asked, Facts, Outputs, Right0, Passing),
    findall(clause(Number, Head, Body), normal_clause(Copy, Number, Head, Body), Clauses),
    maplist(sorted_atoms, Right0, Right1),
    sort(Right1, Right),
    instance(Program, Facts, Outputs, [], Own),
    In = in(Copy, Program, Reference, Clauses, []),
    with_facts(Own, cures(In, Own, Right, Cures)),
    others(In, Asked, Outputs, Passing, Cures, Others),
    subtract(Cures, Others, Meant),
    Meant \== [],
    with_facts(Own, once(blame(In, Asked, Own, Right, Meant, Blame))).

%   A unification with which a body begins is part of the head: that of a terminal of a grammar, above all.

normal_clause(Copy, Number, Head, Body) :-
    clause_at(Copy, Number, Head, Body0),
    (   Body0 = (pls_goal(_, Variable=Term),Body1),
        var(Variable),
        Head =.. [_|Arguments],
        member(Argument, Arguments),
        Argument == Variable,
        unify_with_occurs_check(Variable, Term)
    ->  Body = Body1
    ;   Body = Body0
    ).

sorted_atoms(Atoms0, Atoms) :-
    maplist(as_atoms, Atoms0, Atoms1),
    sort(Atoms1, Atoms).

blame(In0, Asked, Own, Right, Cures, Blame) :-
    In0 = in(_, Program, _, _, _),
    differences(In0, Own, Right, Cures, Compared),
    include(is_oracle(Asked, Compared), Cures, Oracles),
    Oracles \== [],
    (   Oracles == Cures
    ->  Differences = Compared
    ;   differences(In0, Own, Right, Oracles, Differences)
    ),
    set_oracles(In0, Oracles, In),
    findall(Size-Difference,
            ( member(Difference, Differences),
              Difference = differs(Call, _, _),
              term_size(Call, Size) ),
            Sized0),
    keysort(Sized0, Sized),
    pairs_values(Sized, Ordered),
    setup_call_cleanup(
        maplist(replaced(In), Oracles),
        once(( member(Difference, Ordered), explained(In, Difference, Blame) )),
        maplist(restored(Program), Oracles)).

set_oracles(in(Copy, Program, Reference, Clauses, _), Oracles,
            in(Copy, Program, Reference, Clauses, Oracles)).

                /*******************************
                *   what the reference knows   *
                *******************************/

shared(in(_, Program, Reference, Clauses, _), Name/Arity) :-
    member(clause(_, Head, _), Clauses),
    functor(Head, Name, Arity),
    \+ memberchk(Name/Arity, [answer/1,answer/2]),
    functor(General, Name, Arity),
    defines(Program, General),
    reference_defines(Reference, General).

defines(Module, Head) :-
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)),
    \+ predicate_property(Module:Head, thread_local).

%   The program is right if the reference answers for one of these predicates.

cures(In, Own, Right, Cures) :-
    findall(Predicate, shared(In, Predicate), Shared0),
    list_to_set(Shared0, Shared),
    include(is_cured(In, Own, Right), Shared, Cures).

is_cured(In, Own, Right, Predicate) :-
    In = in(_, Program, _, _, _),
    setup_call_cleanup(
        replaced(In, Predicate),
        has_answers(Own, Right),
        restored(Program, Predicate)).

replaced(in(_, Program, Reference, _, _), Name/Arity) :-
    functor(Head, Name, Arity),
    wrap_predicate(Program:Head, pls_oracle, _, pls_oracle:right(Reference, Head)).

restored(Program, Predicate) :-
    unwrap_predicate(Program:Predicate, pls_oracle).

:- public note/1, right/2.

right(Reference, Call) :-
    note(Call),
    reference_call(Reference, Call).

note(Call) :-
    (   term_attvars(Call, [_|_])
    ->  true
    ;   noted(Other),
        Other =@= Call
    ->  true
    ;   predicate_property(noted(_), number_of_clauses(Number)),
        Number >= 60
    ->  true
    ;   assertz(noted(Call))
    ).

has_answers(Own, Right) :-
    length(Right, Number),
    Most is Number+1,
    within(2_000_000, findall(Atoms, limit(Most, distinct(Atoms, found(Own, any, [_,Atoms]))), Found0)),
    sort(Found0, Right).

:- meta_predicate within(+, 0).

within(Inferences, Goal) :-
    catch(call_with_inference_limit(Goal, Inferences, Limit), _, fail),
    !,
    Limit \== inference_limit_exceeded.

%   Runs clauses. Found is true, false, or unknown.

:- meta_predicate found_within(0, -).

found_within(Goal, Found) :-
    catch(call_with_inference_limit(( Goal -> Found = true ; Found = false ), 3_000_000, Limit), _,
          Found = unknown),
    (   Limit == inference_limit_exceeded
    ->  Found = unknown
    ;   true
    ).

%   Each call is compared, those that come up in the clauses of the program too. Compared is a list of
%   differs(Call,Missing,Extra), both of them lists of calls; and of agrees(Call).

differences(In, Own, Right, Predicates, Compared) :-
    In = in(_, Program, _, _, _),
    retractall(noted(_)),
    setup_call_cleanup(
        ( maplist(replaced(In), Predicates), maplist(copied(In), Predicates) ),
        ( ignore(has_answers(Own, Right)), compared(In, 0, Compared) ),
        ( maplist(restored(Program), Predicates), maplist(uncopied(Program), Predicates) )).

compared(In, At, Compared) :-
    (   At < 60,
        nth_clause(noted(_), 1, _),
        findall(Call, noted(Call), Calls),
        Next is At+1,
        length(Calls, Number),
        Next =< Number
    ->  length(Before, At),
        append(Before, [Call|_], Calls),
        (   compare_call(In, Call, Result)
        ->  Compared = [Result|More]
        ;   Compared = More
        ),
        compared(In, Next, More)
    ;   Compared = []
    ).

compare_call(in(_, Program, Reference, _, _), Call, Result) :-
    one_level(Call, One),
    compared_with(Reference, Program:One, Call, Result).

%   Result compares the solutions of Goal, a copy of a call or the call itself, with those of the
%   reference.

:- meta_predicate compared_with(+, 0, +, -).

compared_with(Reference, Goal, Call, Result) :-
    reference_solutions(Reference, Call, Known),
    solutions(Goal, Call, Whole, Found),
    subtract_variants(Found, Known, Extra),
    (   Whole == some
    ->  Missing = [],
        Extra \== []
    ;   subtract_variants(Known, Found, Missing)
    ),
    (   Missing == [],
        Extra == []
    ->  Known \== [],
        Result = agrees(Call)
    ;   Result = differs(Call, Missing, Extra)
    ).

subtract_variants(All, Some, Rest) :-
    exclude(has_variant(Some), All, Rest).

has_variant(Some, Term) :-
    member(Other, Some),
    Other =@= Term,
    !.

%   Whole is some if there may be more solutions, as they are many or take long; all else, even if an error
%   ends them.

:- meta_predicate solutions(0, +, -, -).

solutions(Goal, Call, Whole, Solutions) :-
    State = found([]),
    catch(call_with_inference_limit(
              forall(limit(201, Goal),
                     ( must_be_plain(Call), arg(1, State, Others), nb_setarg(1, State, [Call|Others]) )),
              100_000, Limit),
          Error, true),
    arg(1, State, Found),
    reverse(Found, Solutions),
    (   (   Limit == inference_limit_exceeded
        ;   Error == unknown
        ;   length(Found, Number), Number > 200
        )
    ->  Whole = some
    ;   Whole = all
    ).

%   What constraints leave open is no answer yet.

must_be_plain(Call) :-
    (   term_attvars(Call, [])
    ->  true
    ;   throw(unknown)
    ).

%   A copy of the predicate under another name, whose calls of the predicate itself are answered by the
%   reference.

copied(In, Name/Arity) :-
    In = in(_, Program, _, Clauses, _),
    functor(Head, Name, Arity),
    forall(( member(clause(_, Head, Body0), Clauses) ),
           ( one_level(Head, One), bare(Body0, Body), assertz(Program:(One :- Body)) )).

uncopied(Program, Name/Arity) :-
    functor(Head, Name, Arity),
    one_level(Head, One),
    retractall(Program:One).

one_level(Call, One) :-
    Call =.. [Name|Arguments],
    atom_concat('pls one ', Name, Other),
    One =.. [Other|Arguments].

%   A predicate of another meaning agrees on nothing.

is_oracle(Asked, Compared, Predicate) :-
    (   memberchk(Predicate, Asked)
    ->  true
    ;   Predicate = Name/Arity,
        functor(Head, Name, Arity),
        memberchk(agrees(Head), Compared)
    ).

                /*******************************
                * predicates of other meanings *
                *******************************/

%   Others are those of the predicates that disagree with the reference on a call that comes up in
%   an instance for which the program is right. What the teacher's file calls has the meaning that
%   it expects.

others(In, Asked, Outputs, Passing, Predicates, Others) :-
    subtract(Predicates, Asked, Own),
    (   Own == []
    ->  Others = []
    ;   findall(Other,
                ( nth1(Number, Passing, Facts),
                  catch(disagreeing(In, Number, Facts, Outputs, Own, There), _, fail),
                  member(Other, There) ),
                Others)
    ).

disagreeing(In, Number, Facts, Outputs, Predicates, Others) :-
    In = in(_, Program, Reference, _, _),
    instance(Program, Facts, Outputs, [], Instance),
    findall(Name/Arity,
            with_instance(Reference, Number, There,
                          with_facts(Instance,
                                     ( calls(In, Instance, Predicates, Calls),
                                       member(Call, Calls),
                                       compared_with(There, Program:Call, Call, differs(_, _, _)),
                                       functor(Call, Name, Arity) ))),
            Others).

%   Calls of these predicates, while the program looks for its answers.

calls(In, Instance, Predicates, Calls) :-
    In = in(_, Program, _, _, _),
    retractall(noted(_)),
    setup_call_cleanup(
        maplist(watched(Program), Predicates),
        ignore(within(1_000_000, forall(limit(201, found(Instance, any, _)), true))),
        maplist(restored(Program), Predicates)),
    findall(Call, noted(Call), Calls).

watched(Program, Name/Arity) :-
    functor(Head, Name, Arity),
    wrap_predicate(Program:Head, pls_oracle, Wrapped, ( pls_oracle:note(Head), Wrapped )).

                /*******************************
                *     the clause to blame      *
                *******************************/

%   What is noted while clauses are run is state(Progress,Best,Proof,Early): the failure that got furthest,
%   the clauses that are in use, and the first goal that was called too early. Backtracking undoes the
%   progress and the proof.

explained(In, differs(Call, [Missing|_], _), Blame) :-
    !,
    copy_term(Call+Missing, Call1+_),
    State = state(0, best(-1, none, []), [], none),
    copy_term(Missing, Wanted),
    found_within(run_clauses(Wanted, In, State, []), Found),
    (   Found == true
    ->  by_order(In, Call1, Missing, Blame)
    ;   Found == false,
        arg(2, State, Best),
        by_best(In, Call1, Missing, Best, Blame)
    ).
explained(In, differs(_, [], [Extra|_]), Blame) :-
    State = state(0, best(-1, none, []), [], none),
    found_within(proved(Extra, In, State, Proof0), true),
    by_use(Proof0, Proof),
    findall(Call, keeps_argument(In, Proof0, Call), Kept),
    clauses_numbers(In, Proof, Numbers0),
    heads_last(In, Numbers0, Numbers1),
    append(Kept, Numbers1, Numbers2),
    list_to_set(Numbers2, Numbers),
    (   Kept \== []
    ->  true
    ;   length(Numbers, Number),
        Number =< 8                     % a long list would blame nobody
    ),
    shown(Extra, Text),
    format(string(Why), "~s holds, and should not", [Text]),
    Blame = blame(extra, Why, Numbers).

%   Clauses of a proof, those that are used most first, the deepest first of as many.

by_use(Proof, Clauses) :-
    list_to_set(Proof, Different),
    findall(Uses-Clause,
            ( member(Clause, Different),
              include(==(Clause), Proof, Same),
              length(Same, Uses) ),
            Counted0),
    sort(1, @>=, Counted0, Counted),
    pairs_values(Counted, Clauses).

%   A call by which a clause that is used again and again hands on an argument as it came.

keeps_argument(in(_, _, _, Clauses, _), Proof, Number) :-
    member(clause(Clause, Head, Body), Clauses),
    append(_, [Clause|Others], Proof),
    memberchk(Clause, Others),
    conjuncts(Body, Goals),
    member(pls_goal(Number, Goal), Goals),
    functor(Head, Name, Arity),
    functor(Goal, Name, Arity),
    arg(Place, Head, Argument),
    var(Argument),
    arg(Place, Goal, Same),
    Argument == Same.

heads_last(in(Copy, _, _, _, _), Numbers0, Numbers) :-
    partition(is_head(Copy), Numbers0, Heads, Goals),
    append(Goals, Heads, Numbers).

is_head(Copy, Number) :-
    goal_at(Copy, Number, _, head, _, _).

proved(Goal, In, State, Proof) :-
    run_clauses(Goal, In, State, []),
    arg(3, State, Proof).

%   The answer is found if it is known from the start: it is lost by a cut, or by goals that come too
%   early.

by_order(In, Call, Missing, blame(sure, Why, Numbers)) :-
    left_open(In, Call, Missing, Open, Clauses),
    !,
    maplist(shown, [Missing,Open], [Text,Found]),
    format(string(Why), "~s is missing: ~s leaves a variable unbound", [Text, Found]),
    clauses_numbers(In, Clauses, Numbers0),
    heads_last(In, Numbers0, Numbers).
by_order(In, Call, Missing, Blame) :-
    State = state(0, best(-1, none, []), [], none),
    functor(Call, Name, Arity),
    copy_term(Call, Wanted),
    found_within(( run_clauses(Wanted, In, State, []), Wanted =@= Missing ), Found),
    (   Found == true
    ->  cuts(In, Name/Arity, Cuts),
        Cuts \== [],
        shown(Missing, Text),
        format(string(Why), "~s is missing: a cut, or a condition that is true once, loses it", [Text]),
        Blame = blame(sure, Why, Cuts)
    ;   Found == false,
        (   arg(4, State, early(What, Chain))
        ->  Best = best(0, What, Chain)
        ;   arg(2, State, Best)
        ),
        by_best(In, Call, Missing, Best, Blame)
    ).

%   Open is an answer of the program that is more general than the one that is missing. Clauses are those that
%   gave it, first of all those with a variable in the head that no goal has.

left_open(In, Call, Missing, Open, Clauses) :-
    State = state(0, best(-1, none, []), [], none),
    copy_term(Call, Open),
    found_within(( proved(Open, In, State, Proof),
                   subsumes_term(Open, Missing),
                   \+ Open =@= Missing ),
                 true),
    partition(has_idle_variable(In), Proof, Idle, Others),
    append(Idle, Others, Clauses0),
    list_to_set(Clauses0, Clauses).

has_idle_variable(in(_, _, _, Clauses, _), Number) :-
    memberchk(clause(Number, Head, Body), Clauses),
    term_variables(Head, Variables),
    term_variables(Body, Used),
    member(Variable, Variables),
    \+ has_same(Used, Variable),
    !.

by_best(In, Call, Missing, best(_, What, Chain), blame(Sure, Why, Numbers)) :-
    shown(Missing, Text),
    (   failing(What, In, Chain, Named, Sure, Reason)
    ->  format(string(Why), "~s is missing: ~s", [Text, Reason])
    ;   functor(Call, Name, Arity),
        heads_near(In, Missing, Named),
        Sure = sure,
        format(string(Why), "no clause of ~w fits ~s", [Name/Arity, Text])
    ),
    in_turn(In, Named, Numbers).

%   Goals are the likeliest ones. Sure is likely if data that come from elsewhere may be wrong instead.

failing(raised(_, _), In, Chain, [Early], sure, Why) :-
    reverse(Chain, Outermost),
    member(Early, Outermost),
    before_its_maker(In, Early),
    !,
    Why = "this goal is called before a later one gives it its values".
failing(raised(Number, Goal), _, Chain, [Number|Chain], sure, Why) :-
    shown(Goal, Text),
    format(string(Why), "~s is called before its variables are known", [Text]).
failing(nofit(Number, Goal), In, Chain, [Number|Chain], sure, Why) :-
    Number \== none,
    exchanged(Goal, Exchanged),
    In = in(_, _, _, Clauses, _),
    memberchk(clause(_, Exchanged, _), Clauses),
    !,
    maplist(shown, [Goal,Exchanged], [Text,Other]),
    format(string(Why), "no clause fits ~s, but one fits ~s", [Text, Other]).
failing(nofit(_, Goal), In, Chain, [Maker|Chain], likely, Why) :-
    other_value(In, Goal, Place),
    maker(In, Chain, Place, Maker),
    !,
    shown(Goal, Text),
    format(string(Why), "~s is called, with another value than the one it needs", [Text]).
failing(nofit(Number, Goal), In, Chain, Numbers, sure, Why) :-
    heads_near(In, Goal, Heads),
    functor(Goal, Name, Arity),
    shown(Goal, Text),
    format(string(Why), "no clause of ~w fits ~s", [Name/Arity, Text]),
    append(Heads, [Number|Chain], Numbers).
failing(holds(Number, Goal, Proof), In, Chain, Numbers, sure, Why) :-
    shown(Goal, Text),
    format(string(Why), "~s holds, and should not", [Text]),
    clauses_numbers(In, Proof, Goals),
    append(Goals, [Number|Chain], Numbers).
failing(negated(Number, Goal), _, Chain, [Number|Chain], sure, Why) :-
    shown(Goal, Text),
    format(string(Why), "\\+ is asked while a variable of ~s is unbound", [Text]).
failing(without_else(Number), _, Chain, [Number|Chain], sure,
        "an if-then without else fails where its condition does").
failing(fails(Number, Goal), _, Chain, [Number|Chain], likely, Why) :-
    shown(Goal, Text),
    format(string(Why), "~s fails", [Text]).

%   A head would fit if it had no variable twice: the arguments of these places have different values.

other_value(in(_, _, _, Clauses, _), Goal, Place) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    member(clause(_, Head, _), Clauses),
    Head =.. [_|Arguments],
    maplist(without_variable, Arguments, General),
    Goal =.. [_|Values],
    \+ General \= Values,
    nth1(I, Arguments, One),
    var(One),
    nth1(J, Arguments, Two),
    J > I,
    One == Two,
    arg(I, Goal, First),
    arg(J, Goal, Second),
    First \= Second,
    ( Place = I ; Place = J ).

without_variable(Argument, General) :-
    (   var(Argument)
    ->  true
    ;   General = Argument
    ).

%   The goal that gives an argument of a call its value, in the clauses that led there.

maker(In, [Number|Callers], Place, Maker) :-
    In = in(_, _, _, Clauses, _),
    member(clause(_, Head, Body), Clauses),
    conjuncts(Body, Goals),
    append(Before, [pls_goal(Same, Goal)|_], Goals),
    Same == Number,
    !,
    arg(Place, Goal, Argument),
    (   nonvar(Argument)
    ->  Maker = Number
    ;   arg(Above, Head, Parameter),
        Parameter == Argument
    ->  maker(In, Callers, Above, Maker)
    ;   member(pls_goal(Earlier, Other), Before),
        term_variables(Other, Variables),
        has_same(Variables, Argument)
    ->  Maker = Earlier
    ).

%   A later goal of the clause has a variable of this one that no earlier goal has.

before_its_maker(in(_, _, _, Clauses, _), Number) :-
    integer(Number),
    member(clause(_, _, Body), Clauses),
    conjuncts(Body, Goals),
    append(Before, [pls_goal(Same, Goal)|After], Goals),
    Same == Number,
    !,
    term_variables(Goal, Own),
    term_variables(After, Later),
    term_variables(Before, Earlier),
    member(Variable, Own),
    has_same(Later, Variable),
    \+ has_same(Earlier, Variable).

has_same(Variables, Variable) :-
    member(Other, Variables),
    Other == Variable,
    !.

conjuncts(Body, Goals) :-
    (   nonvar(Body),
        Body = (A,B)
    ->  conjuncts(A, As),
        conjuncts(B, Bs),
        append(As, Bs, Goals)
    ;   Goals = [Body]
    ).

%   Two arguments that differ in kind are exchanged.

exchanged(Goal, Exchanged) :-
    Goal =.. [Name|Arguments0],
    append(Before, [A|After0], Arguments0),
    append(Between, [B|After], After0),
    A \= B,
    append([Before,[B|Between],[A|After]], Arguments),
    Exchanged =.. [Name|Arguments].

%   The heads of the predicate that is called, the one that is most like the call first.

heads_near(in(_, _, _, Clauses, _), Goal, Heads) :-
    findall(Number-Head, ( member(clause(Number, Head, _), Clauses), Number \== none ), All),
    nearest_heads(All, Goal, Heads).

in_turn(In, Named0, Numbers) :-
    exclude(==(none), Named0, Named),
    clauses_numbers(In, Named, Others),
    append(Named, Others, Numbers0),
    list_to_set(Numbers0, Numbers),
    Numbers \== [].

%   All goals of these clauses, or of the clauses with these goals.

clauses_numbers(in(Copy, _, _, _, _), Named, Numbers) :-
    findall(Other,
            ( member(Number, Named),
              integer(Number),
              once(goal_at(Copy, Number, Clause, _, _, _)),
              goal_at(Copy, Other, Clause, _, _, _) ),
            Numbers0),
    list_to_set(Numbers0, Numbers).

%   What stands before a cut, or a head, of clauses that the predicate runs.

cuts(In, Predicate, Numbers) :-
    In = in(_, _, _, Clauses, _),
    reached(In, [Predicate], [], Reached),
    findall(Number,
            ( member(Name/Arity, Reached),
              functor(Head, Name, Arity),
              member(clause(HeadNumber, Head, Body), Clauses),
              before_cut(Body, HeadNumber, Number) ),
            Numbers0),
    exclude(==(none), Numbers0, Numbers1),
    list_to_set(Numbers1, Numbers).

before_cut((A,B), Number0, Number) :-
    !,
    (   A == !
    ->  Number = Number0
    ;   before_cut(A, Number0, Number)
    ->  true
    ;   last_number(A, Number0, Number1),
        before_cut(B, Number1, Number)
    ).
before_cut(!, Number, Number).
before_cut((A;B), Number0, Number) :-
    ( before_cut(A, Number0, Number) -> true ; before_cut(B, Number0, Number) ).
before_cut((_->B), Number0, Number) :-
    last_number(B, Number0, Number).
before_cut(pls_goal(Number, once(_)), _, Number).

last_number(Term, Number0, Number) :-
    findall(N, ( sub_term(Sub, Term), compound(Sub), ( Sub = pls_goal(N, _) ; Sub = pls_inner(N, _) ) ), All),
    (   append(_, [Last], All)
    ->  Number = Last
    ;   Number = Number0
    ).

reached(_, [], Seen, Predicates) :-
    reverse(Seen, Predicates).
reached(In, [Predicate|More], Seen, Predicates) :-
    (   memberchk(Predicate, Seen)
    ->  reached(In, More, Seen, Predicates)
    ;   In = in(_, _, _, Clauses, Oracles),
        Predicate = Name/Arity,
        functor(Head, Name, Arity),
        findall(Called,
                ( member(clause(_, Head, Body), Clauses),
                  sub_term(Goal, Body),
                  callable(Goal),
                  functor(Goal, N, A),
                  Called = N/A,
                  \+ memberchk(Called, Oracles),
                  functor(Other, N, A),
                  memberchk(clause(_, Other, _), Clauses) ),
                Next),
        append(More, Next, All),
        reached(In, All, [Predicate|Seen], Predicates)
    ).

                /*******************************
                *      running the clauses     *
                *******************************/

%   The clauses of the program for a goal. A cut does nothing, so that more is found than by Prolog; but a
%   recursion that goes very deep would have ended by the cut of its predicate, if it has one.

run_clauses(Goal, In, State, Chain) :-
    In = in(_, _, _, Clauses, _),
    (   \+ memberchk(clause(_, Goal, _), Clauses)
    ->  ( Chain = [Number|_] -> true ; Number = none ),
        failed(State, nofit(Number, Goal), Chain),
        fail
    ;   length(Chain, Depth),
        ( Depth < 1000 -> true ; \+ has_cut(Goal, Clauses), throw(unknown) ),
        member(Clause, Clauses),
        copy_term(Clause, clause(Number, Goal, Body)),
        arg(3, State, Proof),
        setarg(3, State, [Number|Proof]),
        solve(Body, In, State, Chain)
    ).

has_cut(Goal, Clauses) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    member(clause(_, Head, Body), Clauses),
    sub_term(Part, Body),
    Part == !,
    !.

solve(Goal, _, _, _), var(Goal) => fail.
solve((A,B), In, State, Chain) =>
    solve(A, In, State, Chain),
    solve(B, In, State, Chain).
solve((A->B;C), In, State, Chain) =>
    (   quietly(A, In)
    ->  solve(B, In, State, Chain)
    ;   solve(C, In, State, Chain)
    ).
solve((A;B), In, State, Chain) =>
    ( solve(A, In, State, Chain) ; solve(B, In, State, Chain) ).
solve((A->B), In, State, Chain) =>
    (   quietly(A, In)
    ->  solve(B, In, State, Chain)
    ;   last_number(A, none, Number),
        failed(State, without_else(Number), Chain),
        fail
    ).
solve(!, _, _, _) => true.
solve(true, _, _, _) => true.
solve(pls_goal(Number, Goal), In, State, Chain) =>
    step(Goal, Number, In, State, Chain).
solve(pls_inner(Number, Goal), In, State, Chain) =>
    step(Goal, Number, In, State, Chain).
solve(pls_switched(Number/_, Goal), In, State, Chain) =>
    step(Goal, Number, In, State, Chain).
solve(pls_search(Number, Goal), In, State, Chain) =>
    step(Goal, Number, In, State, Chain).
solve(pls_quiet(Goal), In, State, Chain) =>
    solve(Goal, In, State, Chain).
solve(Goal, In, State, Chain) =>
    step(Goal, none, In, State, Chain).

quietly(Goal, In) :-
    solve(Goal, In, state(0, best(1_000_000, none, []), [], none), []).

step(\+Goal, Number, In, State, Chain) =>
    Test = state(0, best(1_000_000, none, []), [], none),
    (   \+ \+ ( solve(Goal, In, Test, []), arg(3, Test, Proof), nb_setarg(2, Test, Proof) )
    ->  bare(Goal, Bare),
        (   negates_unbound(In, Number, Goal)
        ->  What = negated(Number, Bare),
            early(State, What, Chain)
        ;   arg(2, Test, Proof1),
            Proof1 = [_|_],
            is_list(Proof1)
        ->  reverse(Proof1, Proof2),
            What = holds(Number, Bare, Proof2)
        ;   What = fails(Number, \+Bare)
        ),
        failed(State, What, Chain),
        fail
    ;   arg(4, Test, early(raised(Inner, Raised), _))
    ->  early(State, raised(Inner, Raised), [Number|Chain]),
        failed(State, raised(Inner, Raised), [Number|Chain]),
        fail
    ;   proceeded(State)
    ).
step(phrase(Body, List), Number, In, State, Chain) =>
    step(phrase(Body, List, []), Number, In, State, Chain).
step(phrase(Body, List, Rest), Number, In, State, Chain), callable(Body) =>
    Body =.. Parts0,
    append(Parts0, [List,Rest], Parts),
    Goal =.. Parts,
    step(Goal, Number, In, State, Chain).
step(once(Goal), _, In, State, Chain) =>
    once(solve(Goal, In, State, Chain)).
step(call(Goal), _, In, State, Chain) =>
    solve(Goal, In, State, Chain).
step(Goal, Number, In, State, Chain), own_helper(In, Goal) =>
    run_clauses(Goal, In, State, [Number|Chain]),
    proceeded(State).
step(Goal0, Number, In, State, Chain) =>
    In = in(_, Program, _, _, _),
    bare(Goal0, Goal),
    (   catch(Program:Goal, Ball, true)
    *-> (   var(Ball)
        ->  proceeded(State)
        ;   ends_search(Ball)
        ->  throw(unknown)
        ;   (   Ball = error(instantiation_error, _)
            ->  What = raised(Number, Goal),
                early(State, What, Chain)
            ;   What = fails(Number, Goal)
            ),
            failed(State, What, Chain),
            fail
        )
    ;   failed(State, fails(Number, Goal), Chain),
        fail
    ).

%   A limit is ours, whatever goal it ends.

ends_search(inference_limit_exceeded).
ends_search(time_limit_exceeded).
ends_search(unknown).
ends_search(error(resource_error(_), _)).

%   A variable that only the negation has is meant to be any; but one of the rest of the clause is not.

negates_unbound(in(_, _, _, Clauses, _), Number, Goal) :-
    member(clause(_, Head, Body), Clauses),
    sub_term(Part, Body),
    compound(Part),
    Part =.. [_,Own,Negation],
    memberchk(Own, [Number,Number/_]),
    Negation = (\+Template),
    !,
    term_variables(Template, Variables),
    include(used_outside(Template, Head-Body), Variables, Shared),
    copy_term(Template-Shared, Goal-Values),
    \+ ground(Values).

used_outside(Part, Whole, Variable) :-
    occurrences_of_var(Variable, Whole, All),
    occurrences_of_var(Variable, Part, Inside),
    All > Inside.

own_helper(in(_, _, _, Clauses, Oracles), Goal) :-
    functor(Goal, Name, Arity),
    \+ memberchk(Name/Arity, Oracles),
    functor(General, Name, Arity),
    memberchk(clause(_, General, _), Clauses).

proceeded(State) :-
    arg(1, State, Progress0),
    Progress is Progress0+1,
    setarg(1, State, Progress).

early(State, What, Chain) :-
    (   arg(4, State, none)
    ->  duplicate_term(early(What, Chain), Early),
        nb_setarg(4, State, Early)
    ;   true
    ).

failed(State, What, Chain) :-
    arg(1, State, Progress),
    arg(2, State, best(Best, _, _)),
    (   Progress > Best
    ->  duplicate_term(best(Progress, What, Chain), New),
        nb_setarg(2, State, New)
    ;   true
    ).
