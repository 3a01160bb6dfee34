:- module(mutation,
          [ judge/4,            % +Program, +Mutated, +Names, +Checks
            finds/3             % :Goal, ?Template, +Expected
          ]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(clpfd), []).
:- use_module(library(lists), [append/3, member/2, select/3]).
:- use_module(library(readutil), [read_file_to_terms/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Mutants of a Prolog program, and what becomes of them

Used by test_mutation_prolog.py. All mutants are loaded in one process, each
in the place of the one before. No clock is asked: a check has a number of
inferences at its disposal, some times what the program itself takes for it.
*/

:- meta_predicate finds(0, ?, +).

%!  finds(:Goal, ?Template, +Expected) is semidet.
%
%   True if Goal has exactly the Expected solutions, a sorted list, each once.

finds(Goal, Template, Expected) :-
    length(Expected, Number),
    Enough is Number + 1,
    findall(Template, limit(Enough, Goal), Found),
    msort(Found, Expected).

%!  judge(+Program, +Mutated, +Names, +Checks) is det.
%
%   Breaks the file Mutated, which is the file Program or a part of it, in every
%   way, and prints a line for each: the outcome, the check that told, the clause
%   and the change. Names are those of the predicates to break; [] stands for all. Checks is a file of terms Name-Goal, where Goal is true in
%   the module of Program.

judge(Program, Mutated, Names, Checks) :-
    load(Program),
    module_of(Program, Module),
    module_of(Mutated, Own),
    read_file_to_terms(Checks, Terms, [module(Module)]),
    findall(Check, (member(Term, Terms), limited(Module, Term, Check)), Limited),
    terms(Own, Mutated, Clauses),
    judge_as(Own, Program, Mutated, Limited, Clauses, program, 'written anew'),
    forall(mutant(Clauses, Names, Mutant, Clause, Change),
           judge_as(Own, Program, Mutated, Limited, Mutant, Clause, Change)),
    judge_as(Own, Program, Mutated, Limited, Clauses, program, mended).

module_of(File, Module) :-
    module_property(Module, file(File)),
    !.

limited(Module, Name-Goal, check(Name, Module:Goal, Most)) :-
    statistics(inferences, Before),
    (   \+ \+ call(Module:Goal)
    ->  true
    ;   throw(false_of_the_unbroken_program(Name))
    ),
    statistics(inferences, After),
    Most is 3 * (After - Before) + 100_000.

judge_as(Module, Program, Mutated, Checks, Clauses, Clause, Change) :-
    write_clauses(Module, Clauses, Mutated),
    load(Mutated),
    (   Program == Mutated
    ->  true
    ;   load(Program)
    ),
    (   member(check(Name, Goal, Most), Checks),
        outcome(Goal, Most, Outcome),
        Outcome \== right
    ->  true
    ;   Name = all,
        Outcome = right
    ),
    format("~w\t~w\t~w\t~w~n", [Outcome, Name, Clause, Change]).

outcome(Goal, Most, Outcome) :-
    (   catch(call_with_inference_limit(\+ \+ Goal, Most, Result), _, Result = error)
    ->  (   memberchk(Result, [error, inference_limit_exceeded])
        ->  Outcome = Result
        ;   Outcome = right
        )
    ;   Outcome = wrong
    ).

%   Quietly: what is wrong with a mutant shows when it runs.

load(File) :-
    setup_call_cleanup(
        asserta((user:message_hook(_, _, _) :- true), Hook),
        load_files(user:File, [silent(true)]),
        erase(Hook)).

terms(Module, File, Clauses) :-
    setup_call_cleanup(
        open(File, read, Stream),
        read_clauses(Module, Stream, Clauses),
        close(Stream)).

read_clauses(Module, Stream, Clauses) :-
    read_term(Stream, Term, [module(Module), variable_names(Names)]),
    (   Term == end_of_file
    ->  Clauses = []
    ;   Clauses = [Term-Names|Others],
        read_clauses(Module, Stream, Others)
    ).

write_clauses(Module, Clauses, File) :-
    setup_call_cleanup(
        open(File, write, Stream),
        forall(member(Term-_, Clauses),
               write_term(Stream, Term,
                          [ quoted(true), ignore_ops(true), module(Module),
                            fullstop(true), nl(true) ])),
        close(Stream)).

%!  mutant(+Clauses, +Predicates, -Mutant, -Clause, -Change) is nondet.
%
%   Mutant are the Clauses with one of them dropped, or with one thing changed
%   in its body.

mutant(Clauses, Predicates, Mutant, Clause, Change) :-
    append(Before, [Term-Names|After], Clauses),
    Term \= (:- _),
    clause_head(Term, Head),
    functor(Head, Predicate, _),
    ( Predicates == [] -> true ; memberchk(Predicate, Predicates) ),
    text(Names, Head, Clause),
    (   append(Before, After, Mutant),
        Change = dropped
    ;   changed_clause(Term, New, From, To),
        text(Names, From, FromText),
        text(Names, To, ToText),
        format(atom(Change), "~w -> ~w", [FromText, ToText]),
        append(Before, [New-Names|After], Mutant)
    ).

clause_head((Head :- _), Head) :- !.
clause_head((Head => _), Head) :- !.
clause_head((Head --> _), Head) :- !.
clause_head(Head, Head).

changed_clause((Head :- Body), (Head :- New), From, To) :-
    changed_goal(Body, true, New, From, To).
changed_clause((Head => Body), (Head => New), From, To) :-
    changed_goal(Body, true, New, From, To).
changed_clause((Head --> Body), (Head --> New), From, To) :-
    changed_goal(Body, [], New, From, To).

%   From, a part of Goal, is replaced by To, and Goal becomes New.

changed_goal((A, B), True, (New, B), From, To) :-
    changed_goal(A, True, New, From, To).
changed_goal((A, B), True, (A, New), From, To) :-
    !,
    changed_goal(B, True, New, From, To).
changed_goal((If -> Then ; Else), True, New, From, To) :-
    !,
    (   From = (If -> '...'),
        To = (fail -> '...'),
        New = (fail -> Then ; Else)
    ;   changed_goal(If, True, If1, From, To),
        New = (If1 -> Then ; Else)
    ;   changed_goal(Then, True, Then1, From, To),
        New = (If -> Then1 ; Else)
    ;   changed_goal(Else, True, Else1, From, To),
        New = (If -> Then ; Else1)
    ).
changed_goal((A ; B), True, New, From, To) :-
    !,
    (   From = (A ; B),
        member(To, [A, B]),
        New = To
    ;   changed_goal(A, True, A1, From, To),
        New = (A1 ; B)
    ;   changed_goal(B, True, B1, From, To),
        New = (A ; B1)
    ).
changed_goal(Goal, True, True, Goal, True) :-
    Goal \== True.
changed_goal(Goal, _, New, Goal, New) :-
    changed(Goal, New).

changed(Term, _) :-
    var(Term),
    !,
    fail.
changed(Integer, Next) :-
    integer(Integer),
    !,
    Next is Integer + 1.
changed(List, New) :-
    is_list(List),
    !,
    (   List = [_,_|_],
        select(_, List, New)
    ;   append(Before, [Item|After], List),
        changed(Item, NewItem),
        append(Before, [NewItem|After], New)
    ).
changed(Term, New) :-
    compound(Term),
    (   other(Term, New)
    ;   Term =.. [Name|Arguments],
        append(Before, [Argument|After], Arguments),
        changed(Argument, Changed),
        append(Before, [Changed|After], NewArguments),
        New =.. [Name|NewArguments]
    ).

other((A, _), A).
other((_, B), B).
other(\A, A).
other(A + B, A - B).
other(A - B, A + B).
other(A /\ B, A \/ B).
other(A \/ B, A /\ B).
other(A << B, A >> B).
other(A =:= B, A =\= B).
other(A =\= B, A =:= B).
other(A > B, A >= B).
other(A >= B, A > B).
other(A < B, A =< B).
other(A =< B, A < B).
other(-A, A).
other(A == B, A \== B).
other(A \== B, A == B).
other(A \= B, A = B).

text(Names, Term, Text) :-
    copy_term(Names-Term, Bound-Shown),
    maplist(name_variable, Bound),
    term_variables(Shown, Others),
    maplist(=('$VAR'('_')), Others),
    format(atom(Text), "~W", [Shown, [numbervars(true), quoted(true), module(clpfd)]]).

name_variable(Name=Variable) :-
    (   var(Variable)
    ->  Variable = '$VAR'(Name)
    ;   true
    ).
