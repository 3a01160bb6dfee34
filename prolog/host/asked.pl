:- module(pls_asked, [wanted_call/4]).
:- use_module(clauses, [own/4]).
:- use_module(current, [current/2, with_current/3]).
:- use_module(instances, [instance_program/2]).
:- use_module(raised, [has/2]).
:- use_module(reference, [reference_call/2, reference_defines/2]).
:- use_module(wanted, [give_terms/2, wanted_atoms/2, wanted_instance/2]).
:- use_module(library(apply), [maplist/2, maplist/3, maplist/4]).
:- use_module(library(lists), [member/2, nth0/3, same_length/2]).
:- use_module(library(prolog_wrap), [unwrap_predicate/2, wrap_predicate/4]).
:- use_module(library(terms), [term_size/2]).

/** <module> What an answer wants of the predicate that is asked for it

The teacher's answer/1 makes atoms of what a predicate of the program finds. Which values does an answer
want there? No clause of that predicate runs: the reference answers for it. If the reference has none of
this name, the variables of the call get marks, and the atoms that are made of these tell.

The one global of this module, pls_asked, has call(Call,Answered), the call and what became of it, none
before it; backtracking undoes it.
*/

%!  wanted_call(+Wanted, +Reference, +Budget, -Question) is semidet.
%
%   Question is that of interpreter.pl about a call of the program and the values that are Wanted, a record of
%   wanted.pl. Reference is that of reference.pl, or none. Fails if there is not one such call, or if its
%   values cannot be told from the answer.

wanted_call(Wanted, Reference, Budget, Question) :-
    Question = question(Program:Call, Variables, Values, values-Size, Budget, Reference),
    wanted_instance(Wanted, Instance),
    instance_program(Instance, Program),
    has(Program, answer/1),
    findall(Name/Arity,
            ( own(Head, Program, _, _), functor(Head, Name, Arity) ),
            Predicates0),
    sort(Predicates0, Predicates),
    setup_call_cleanup(
        maplist(replaced(Program, Reference), Predicates),
        catch(call_with_inference_limit(called(Program, Wanted, Call, Answered), 2_000_000, Limit), _, fail),
        forall(member(Predicate, Predicates), unwrap_predicate(Program:Predicate, pls_asked))),
    !,
    Limit \== inference_limit_exceeded,
    term_variables(Call, All),
    copy_term(Call-All, Answered-Becomes),
    findall(Index-Value, ( nth0(Index, Becomes, Value), ground(Value) ), Known),
    Known \== [],
    maplist(known(All), Known, Variables, Values),
    term_size(Values, Size).

known(All, Index-Value, Variable, Value) :-
    nth0(Index, All, Variable).

called(Program, Wanted, Call, Answered) :-
    State = asked(none),
    with_current(pls_asked, State, Program:answer(Made)),
    arg(1, State, call(Call, Answered0)),
    is_list(Made),
    term_variables(Call, All),
    copy_term(All, Variables),
    maplist(unmarked(Variables), [Made,Answered0], [Terms,Answered]),
    wanted_atoms(Wanted, Atoms),
    same_length(Terms, Atoms),
    give_terms(Wanted, Terms),
    !.

replaced(Program, Reference, Name/Arity) :-
    functor(Head, Name, Arity),
    (   Reference \== none,
        reference_defines(Reference, Head)
    ->  Answers = pls_asked:right(Reference, Head)
    ;   Answers = pls_asked:marked(Head)
    ),
    wrap_predicate(Program:Head, pls_asked, _, ( pls_asked:note(Head), Answers )).

:- public note/1, marked/1, right/2.

note(Call0) :-
    current(pls_asked, State),
    (   arg(1, State, none),
        term_attvars(Call0, [])
    ->  copy_term(Call0, Call),
        setarg(1, State, call(Call, Call0))
    ;   throw(several)
    ).

right(Reference, Call) :-
    reference_call(Reference, Call).

marked(Call) :-
    term_variables(Call, Variables),
    marks(Variables, 0).

marks([], _).
marks([pls_mark(Index)|Variables], Index) :-
    Next is Index+1,
    marks(Variables, Next).

%   Has variables for the marks, each for the same one.

unmarked(Variables, pls_mark(Index), Term) =>
    nth0(Index, Variables, Term).
unmarked(Variables, Term0, Term), compound(Term0) =>
    compound_name_arguments(Term0, Name, Arguments0),
    maplist(unmarked(Variables), Arguments0, Arguments),
    compound_name_arguments(Term, Name, Arguments).
unmarked(_, Term0, Term) =>
    Term = Term0.
