:- module(pls_repair, [suspect/5]).
:- use_module(clauses, [line/5, own/4, translated/4, written/4]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, nth0/4, same_length/2, select/3]).
:- use_module(library(time), [call_with_time_limit/2]).

/** <module> Which place of a faulty program would have to change?

The goal that fails may be right, and another one may have given it wrong data. So small changes are
tried, each of a single token: another number, operator or variable, two arguments that change places, a
list without its first element. A place counts if the program with the change passes tests that it fails as
it is.

The program, whose clauses are those of clauses.pl, is changed where it is loaded, in a snapshot that takes
each change back. Only the place is told. The change would often be the solution of the exercise.
*/

:- meta_predicate suspect(0, 0, +, +, -).

%!  suspect(:First, :Rest, +Budget, +Named, -Place) is semidet.
%
%   Place is where a change of one token makes the program right, [File,Line,Column,Text], with which rows
%   of Named begin. Then First succeeds, within few inferences if possible, and Rest does. Budget is half of
%   the inferences for all of that. It fails if nothing is found, or if the change is in the line named first.

suspect(First, Rest, Budget, Named, [File,Line,Column,Text]) :-
    set_prolog_flag(stack_limit, 64_000_000),    % or an endless recursion would take seconds
    findall(Module:Own/Arity, ( own(Head, Module, _, _), functor(Head, Own, Arity) ), All),
    sort(All, Keys),
    maplist(changeable, Keys),
    findall(Rank-change(Key, Clauses, Place),
            ( member(Key, Keys), changed(Key, Named, Rank, Clauses, Place) ),
            Changes0),
    keysort(Changes0, Changes),
    statistics(inferences, Now),
    End is Now+2*Budget,
    findall(Most, ( member(Part, [100,10,3]), Most is Budget//Part ), Limits),
    deepen(Limits, Changes, tests(First, Rest, End), Found),
    Found = [rank(Class, Near)-_|_],
    Near > 0,
    findall(At, member(rank(Class, Near)-At, Found), Places),
    aggregate_all(max(Number, At),
                  ( member(At, Places), aggregate_all(count, member(At, Places), Number) ),
                  max(_, at(File, Line, Column, Text))).

%   The first limit within which a change passes is enough: it is that of the cheapest ones. No worse
%   change is tried once one has passed.

deepen([Limit|Limits], Changes, Tests, Found) :-
    Tests = tests(_, _, End),
    Best = best(none),                  % class of those that pass; a number is less than an atom
    findall(Outcome-(rank(Class, Near)-Change),
            ( member(rank(Class, Near)-Change, Changes),
              arg(1, Best, Worst),
              Class @=< Worst,
              statistics(inferences, Now),
              Now < End,
              outcome(Change, Limit, Tests, Outcome),
              ( Outcome == passes -> nb_setarg(1, Best, Class) ; true ) ),
            Outcomes),
    findall(Rank-Place, member(passes-(Rank-change(_, _, Place)), Outcomes), Passing),
    (   Passing = [_|_]
    ->  Found = Passing
    ;   findall(Change, member(undecided-Change, Outcomes), Undecided),
        deepen(Limits, Undecided, Tests, Found)
    ).

outcome(change(Module:Name/Arity, Clauses, _), Limit, tests(First, Rest, _), Outcome) :-
    functor(Head, Name, Arity),
    snapshot(( retractall(Module:Head),
               forall(member(Clause, Clauses), assertz(Module:Clause)),
               (   catch(call_with_time_limit(2, call_with_inference_limit(First, Limit, Result)),
                         _, fail)       % a loop in C, as in length/2, makes no inferences
               ->  (   Result == inference_limit_exceeded
                   ->  Outcome = undecided
                   ;   Rest
                   ->  Outcome = passes
                   ;   Outcome = fails
                   )
               ;   Outcome = fails
               ) )).

changeable(Module:Name/Arity) :-
    findall(Clause, clause_of(Module:Name/Arity, Clause), Clauses),
    abolish(Module:Name/Arity),
    forall(member(Clause, Clauses), assertz(Module:Clause)).

clause_of(Key, Clause) :-
    written(Key, Term, _, _),
    translated(Term, _, Clause, _).

%!  changed(+Key, +Named, -Rank, -Clauses, -Place) is nondet.
%
%   Clauses are those of a predicate with a change of one token. Rank has the class of the change: 0
%   where the line is named already, so that it is confirmed. Another variable lets a wrong program pass
%   more often than other changes, so it comes last. Of one class, those near the places that are named
%   come first.

changed(Key, Named, rank(Class, Near), Clauses, at(File, Line, Column, Text)) :-
    findall(Term-Position, written(Key, Term, Position, _), Terms),
    once(written(Key, _, _, File)),
    nth0(Index, Terms, Term0-Position),
    term_variables(Term0, Variables),
    change(Term0, Position, Variables, Term, Kind, At),
    catch(translated(Term, _, Clause, _), _, fail),
    line(File, At, Line, Column, Text),
    findall(Other, clause_of(Key, Other), Others),
    nth0(Index, Others, _, Rest),
    nth0(Index, Clauses, Clause, Rest),
    (   nth0(Near, Named, [File,Line|_])
    ->  true
    ;   Named = [[File,First|_]|_],
        arg(1, Position, From),
        arg(2, Position, To),
        line(File, From, Begin, _, _),
        line(File, To, End, _, _),
        First >= Begin,
        First =< End
    ->  length(Named, Near)
    ;   length(Named, Number),
        Near is Number+1
    ),
    memberchk(Kind-Class0, [number-1, operator-1, order-2, list-2, variable-3]),
    (   Near =:= 0, Class0 < 3
    ->  Class = 0
    ;   Class = Class0
    ).

%!  change(+Term, +Position, +Variables, -Changed, -Kind, -At) is nondet.
%
%   At is where in the text the token begins. Parts without a position are not in the text.

change(Term0, Position, Variables, Term, Kind, At) :-
    nonvar(Position),
    (   token(Term0, Position, Variables, Term, Kind, At)
    ;   part(Term0, Position, Part0, Inner, Part, Term),
        change(Part0, Inner, Variables, Part, Kind, At)
    ).

token(Variable, At-_, Variables, Other, variable, At) :-
    var(Variable),
    !,
    member(Other, Variables),
    Other \== Variable.
token(Number, At-_, _, Other, number, At) :-
    integer(Number),
    !,
    member(Step, [1, -1, 2, -2]),
    Other is Number+Step.
token([], At-_, _, _, variable, At).
token(Term0, term_position(_, _, At, _, _), _, Term, operator, At) :-
    Term0 =.. [Name,A,B],
    alike(Operators),
    select(Name, Operators, Others),
    member(Other, Others),
    Term =.. [Other,A,B].
token(Term0, term_position(At, _, _, _, _), _, Term, order, At) :-
    Term0 =.. [Name|Arguments0],
    \+ memberchk(Name, [:-, -->, ',', ;, ->, *->]),
    append(Front, [A,B|Back], Arguments0),
    append(Front, [B,A|Back], Arguments),
    Term =.. [Name|Arguments].
token([_|Rest], list_position(At, _, _, _), _, Rest, list, At).
token(List0, list_position(At, _, _, none), _, List, list, At) :-
    append(Front, [Before,Last], List0),
    append(Front, [Before|Last], List).

%   Term0 has a part at Position; Term is the same with another one in its place.

part(Term, parentheses_term_position(_, _, Position), Term, Position, Part, Part).
part({Part0}, brace_term_position(_, _, Position), Part0, Position, Part, {Part}).
part(Term0, term_position(_, _, _, _, Positions), Part0, Position, Part, Term) :-
    Term0 =.. [Name|Arguments0],
    nth0(Number, Positions, Position),
    nth0(Number, Arguments0, Part0, Others),
    nth0(Number, Arguments, Part, Others),
    Term =.. [Name|Arguments].
part(List0, list_position(_, _, Positions, _), Part0, Position, Part, List) :-
    nth0(Number, Positions, Position),
    length(Front, Number),
    append(Front, [Part0|Rest], List0),
    append(Front, [Part|Rest], List).
part(List0, list_position(_, _, Positions, Position), Part0, Position, Part, List) :-
    Position \== none,
    same_length(Positions, Front),
    append(Front, Part0, List0),
    append(Front, Part, List).

alike([#=, #\=, #<, #>, #=<, #>=]).
alike([=:=, =\=, <, >, =<, >=]).
alike([==, \==, =, \=]).
alike([+, -, *, //, mod]).
alike([<<, >>]).
