:- module(mutation,
          [ judge/5,            % +Program, +Mutated, +Names, +Checks, +Share
            finds/3,            % :Goal, ?Template, +Expected
            only/1,             % :Goal
            cells_alone/3,      % +Rules, +Places, -Cells
            listed/4,           % :Goal, +Rows, -Names, -Copy
            with_clauses/2,     % :Clauses, :Goal
            raises/2,           % :Goal, +Error
            raises/3,           % :Goal, +Error, +Text
            says/2              % +Error, -Text
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd), []).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, nth1/3, same_length/2,
                               select/3]).
:- use_module(library(readutil), [read_file_to_terms/3]).
:- use_module(library(solution_sequences), [call_nth/2, limit/2]).

/** <module> Mutants of a Prolog program, and what becomes of them

Used by test_mutation_prolog.py. All mutants are loaded in one process, each
in the place of the one before. No clock is asked: a check has a number of
inferences at its disposal, some times what the program itself takes for it.
*/

:- meta_predicate
    finds(0, ?, +),
    only(0),
    listed(0, +, -, -),
    with_clauses(:, 0),
    raises(0, +),
    raises(0, +, +).

%!  finds(:Goal, ?Template, +Expected) is semidet.
%
%   True if Goal has exactly the Expected solutions, a sorted list, each once.

finds(Goal, Template, Expected) :-
    length(Expected, Number),
    Enough is Number + 1,
    findall(Template, limit(Enough, Goal), Found),
    msort(Found, Expected).

%!  only(:Goal) is semidet.
%
%   Goal is true, and leaves no choice point.

only(Goal) :-
    call_cleanup(Goal, Ended = true),
    (   Ended == true
    ->  true
    ;   throw(choice_point_left)
    ).

%!  cells_alone(+Rules, +Places, -Cells) is semidet.
%
%   Cells are at Places of a 4x4 grid that has Rules, but no houses.

cells_alone(Rules, Places, Cells) :-
    length(Rows, 4),
    maplist(same_length(Rows), Rows),
    append(Rows, All),
    clpfd:ins(All, '..'(1, 4)),
    only(sudoku_rule:post_rules_alone(Rows, 2-2, Rules)),
    maplist(cell_at(Rows), Places, Cells).

cell_at(Rows, Row-Column, Cell) :-
    nth1(Row, Rows, Cells),
    nth1(Column, Cells, Cell).

%!  listed(:Goal, +Rows, -Names, -Copy) is semidet.
%
%   Copy are cells like those of Rows after Goal, made by the goals that the prompt lists for their
%   constraints. No goal is listed twice. Names are those of the goals.

listed(Goal, Rows, Names, Copy) :-
    call(Goal),
    copy_term(Rows, Copy, Goals),
    sort(Goals, Different),
    same_length(Goals, Different),
    findall(Name/Arity,
            ( member(Each, Goals), strip_module(Each, _, Plain), functor(Plain, Name, Arity) ),
            Unordered),
    sort(Unordered, Names),
    maplist(call, Goals).

%!  with_clauses(:Clauses, :Goal) is semidet.
%
%   Goal is true once, while there are these clauses, a list.

with_clauses(Module:Clauses, Goal) :-
    setup_call_cleanup(
        findall(Clause, ( member(Term, Clauses), assertz(Module:Term, Clause) ), Added),
        once(Goal),
        maplist(erase, Added)).

%!  raises(:Goal, +Error) is semidet.
%!  raises(:Goal, +Error, +Text) is semidet.
%
%   Goal raises an error of this form; Text is what its context says.

raises(Goal, Error) :-
    catch(( Goal, fail ), error(Formal, _), true),
    subsumes_term(Error, Formal).

raises(Goal, Error, Text) :-
    catch(( Goal, fail ), error(Formal, context(_, Said)), true),
    subsumes_term(Error, Formal),
    Said == Text.

%!  says(+Error, -Text) is det.
%
%   Text is the message about an Error.

says(Error, Text) :-
    phrase(prolog:error_message(Error), Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

%!  judge(+Program, +Mutated, +Names, +Checks, +Share) is det.
%
%   Breaks the file Mutated, which is the file Program or a part of it, in every
%   way, and prints a line for each: the outcome, the check that told, the clause
%   and the change. Names are those of the predicates to break; [] stands for all.
%   Checks is a file of terms Name-Goal, where Goal is true in the module of Program.
%   Share is Part/Parts: of all mutants every one whose number leaves the remainder Part.
%
%   A mutant is judged by the checks that call the clause that it breaks, the cheapest
%   first. If there are none, the outcome is `right` and the check `none`.

judge(Program, Mutated, Names, Checks, Part/Parts) :-
    load(Program),
    module_of(Program, Module, _),
    read_file_to_terms(Checks, Terms, [module(Module)]),
    findall(Check, ( member(Term, Terms), limited(Module, Term, Check) ), Limited0),
    sort(3, @=<, Limited0, Limited),
    module_of(Mutated, Own, Owner),    % some files are loaded when a check needs them
    terms(Own, Mutated, Clauses),
    noting(Clauses, Noting),
    load_mutant(Own, Program, Mutated, Owner, Noting),
    callers(Limited, Callers),
    forall(( call_nth(mutant(Clauses, Names, Mutant, Number, Clause, Change), Nth),
             Nth mod Parts =:= Part ),
           ( load_mutant(Own, Program, Mutated, Owner, Mutant),
             findall(Check, ( member(Check-Called, Callers), memberchk(Number, Called) ), Some),
             judge_as(Some, Clause, Change) )),
    load_mutant(Own, Program, Mutated, Owner, Clauses),
    judge_as(Limited, program, mended).

%   File is the file Owner, or Owner includes it, and is that of Module.

module_of(File, Module, Owner) :-
    module_property(Module, file(Owner)),
    (   Owner == File
    ;   source_file_property(Owner, includes(File, _))
    ),
    !.

limited(Module, Name-Goal, check(Name, Module:Goal, Most)) :-
    statistics(inferences, Before),
    (   \+ \+ call(Module:Goal)
    ->  true
    ;   throw(false_of_the_unbroken_program(Name))
    ),
    statistics(inferences, After),
    Most is 3 * (After - Before) + 100_000.

load_mutant(Module, Program, Mutated, Owner, Clauses) :-
    forget_tables,
    write_clauses(Module, Clauses, Mutated),
    load(Owner),
    (   Program == Owner
    ->  true
    ;   load(Program)
    ).

%   Tables and names of fields that were found before would hide the clauses that find them.

forget_tables :-
    (   current_predicate(sudoku_fields:known_fields/2)
    ->  retractall(sudoku_fields:known_fields(_, _))
    ;   true
    ),
    nb_delete(sudoku_automata).

judge_as(Checks, Clause, Change) :-
    (   member(check(Name, Goal, Most), Checks),
        outcome(Goal, Most, Outcome),
        Outcome \== right
    ->  true
    ;   Outcome = right,
        ( Checks == [] -> Name = none ; Name = all )
    ),
    format("~w\t~w\t~w\t~w~n", [Outcome, Name, Clause, Change]).

%   Callers are pairs of each of the Checks and the numbers of the clauses that it calls. So the
%   program as it is written anew passes all of them.

callers(Checks, Callers) :-
    maplist(calls, Checks, Callers).

calls(Check, Check-Called) :-
    Check = check(Name, Goal, Most),
    forget_tables,
    retractall(called_clause(_)),
    outcome(Goal, Most, Outcome),
    (   Outcome == right
    ->  true
    ;   throw(not_right_when_written_anew(Name, Outcome))
    ),
    findall(Number, called_clause(Number), Called).

:- dynamic called_clause/1.

%   Such a clause notes its number when it is called.

noting(Clauses, Noting) :-
    findall(Term-Names,
            ( nth1(Number, Clauses, Term0-Names), noting_clause(Term0, Number, Term) ),
            Noting).

noting_clause((:- Goal), _, Term) =>
    Term = (:- Goal).
noting_clause((Head :- Body), Number, Term) =>
    Term = (Head :- mutation:note_call(Number), Body).
noting_clause((Head, Guard => Body), Number, Term) =>
    Term = (Head, (mutation:note_call(Number), Guard) => Body).
noting_clause((Head => Body), Number, Term) =>
    Term = (Head => mutation:note_call(Number), Body).
noting_clause((Head --> Body), Number, Term) =>
    Term = (Head --> {mutation:note_call(Number)}, Body).
noting_clause(Head, Number, Term) =>
    Term = (Head :- mutation:note_call(Number)).

note_call(Number) :-
    (   called_clause(Number)
    ->  true
    ;   assertz(called_clause(Number))
    ).

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

%!  mutant(+Clauses, +Predicates, -Mutant, -Number, -Clause, -Change) is nondet.
%
%   Mutant are the Clauses with one of them dropped, or with one thing changed
%   in its body. It is that with this Number.

mutant(Clauses, Predicates, Mutant, Number, Clause, Change) :-
    nth1(Number, Clauses, Term-Names),
    Term \= (:- _),
    length([_|Before], Number),
    append(Before, [_|After], Clauses),
    clause_head(Term, Head),
    functor(Head, Predicate, _),
    ( Predicates == [] -> true ; memberchk(Predicate, Predicates) ),
    text(Names, Head, Clause),
    (   without(Term, Before, After, Mutant),
        Change = dropped
    ;   changed_clause(Term, New, From, To),
        text(Names, From, FromText),
        text(Names, To, ToText),
        format(atom(Change), "~w -> ~w", [FromText, ToText]),
        append(Before, [New-Names|After], Mutant)
    ).

%   The last clause of a predicate fails instead: SWI-Prolog 9.2.9 may crash if a file that
%   is loaded again declares a meta-predicate but no longer has clauses of it.

without(Term, Before, After, Mutant) :-
    clause_head(Term, Head),
    functor(Head, Name, Arity),
    functor(Other, Name, Arity),
    (   ( member(Clause-_, Before) ; member(Clause-_, After) ),
        Clause \= (:- _),
        clause_head(Clause, Other)
    ->  append(Before, After, Mutant)
    ;   failing(Term, Head, Failing),
        append(Before, [Failing-[]|After], Mutant)
    ).

failing((_ --> _), Head, Failing) => Failing = (Head --> {fail}).
failing(_, Head, Failing) => Failing = (Head :- fail).

clause_head((Head :- _), Head) :- !.
clause_head((Head, _ => _), Head) :- !.
clause_head((Head => _), Head) :- !.
clause_head((Head --> _), Head) :- !.
clause_head(Head, Head).

changed_clause((Head :- Body), (Head :- New), From, To) :-
    changed_goal(Body, true, New, From, To).
changed_clause((Head, Guard => Body), (Head, New => Body), From, To) :-
    changed_goal(Guard, true, New, From, To).
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
