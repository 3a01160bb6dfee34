:- module(sudoku_instances, []).
:- use_module(library(apply), [include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3, numlist/3]).
:- use_module(library(pairs), [pairs_values/2]).
:- use_module(library(solution_sequences), [distinct/2]).

/** <module> The answers to an instance of a problem

A program states a problem by one of

  - model(Pairs)
    Posts the constraints. Pairs are a list of Name(Arguments...)-Variable: the pair queen(3)-V, where
    V is 5, is the atom queen(3,5). The search is ours.
  - model(Pairs, Cost)
    The same, and Cost, a variable or a list of them, the most important first, is to be as small as
    possible.
  - answer(Atoms)
    Finds a list of atoms; for a program without constraints.

The facts of an instance are in the module of the program, for this thread alone, so instances can be
asked about at the same time.
*/

%!  answer(+Program, +Facts, +Outputs, -Pairs, -Answer) is nondet.
%
%   Answer is [Costs,Atoms] for an answer to an instance with Facts, each once. Costs are [] unless
%   there are some. Of the atoms, those count whose Name/Arity is in Outputs; all if that is []. Pairs
%   are those of the model.

answer(Program, facts(Facts, Inputs), Outputs, Pairs, Answer) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        distinct(Answer, found(Program, Outputs, any, Pairs, Answer)),
        retract_facts(Program, Facts)).

%!  confirmed(+Program, +Facts, +Outputs, +Wanted) is semidet.
%
%   True if the atoms Wanted are an answer. Their values are given to the pairs before any search.

confirmed(Program, facts(Facts, Inputs), Outputs, Wanted0) :-
    sort(Wanted0, Wanted),
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        once(found(Program, Outputs, atoms(Wanted), _, [_,Wanted])),
        retract_facts(Program, Facts)).

%!  predicates(+Program, +Facts, -Predicates) is semidet.
%
%   Predicates are a list [Name,Arity] for each predicate of the pairs of a model.

predicates(Program, facts(Facts, Inputs), Predicates) :-
    setup_call_cleanup(
        assert_facts(Program, Facts, Inputs),
        once(( has(Program, model/2) -> Program:model(Pairs, _) ; Program:model(Pairs) )),
        retract_facts(Program, Facts)),
    must_be_pairs(Program, Pairs),
    findall([Name,Arity],
            ( member(Key-_, Pairs), functor(Key, Name, Arity0), Arity is Arity0 + 1 ),
            Predicates0),
    sort(Predicates0, Predicates).

%   Given says which values are known before the search: none, if it is any, or those of atoms(Lists).

found(Program, Outputs, Given, Pairs, Answer) :-
    has(Program, model/2),
    !,
    best(Program, Outputs, Given, Pairs, Answer).
found(Program, Outputs, Given, Pairs, [[],Atoms]) :-
    has(Program, model/1),
    !,
    call_residue_vars(Program:model(Pairs), Residue),
    must_be_pairs(Program, Pairs),
    found_values(Given, Pairs, Residue),
    atoms(Pairs, Outputs, Atoms).
found(Program, Outputs, _, _, [[],Lists]) :-
    Program:answer(Atoms),
    must_be_atoms(Program, Atoms),
    findall(List, ( member(Atom, Atoms), atom_list(Outputs, Atom, List) ), Lists0),
    sort(Lists0, Lists).

has(Program, Name/Arity) :-
    functor(Head, Name, Arity),
    predicate_property(Program:Head, defined),
    \+ predicate_property(Program:Head, imported_from(_)).

                /*******************************
                *            facts             *
                *******************************/

assert_facts(Program, Facts, Inputs) :-
    with_mutex(sudoku_own, maplist(declare(Program, Facts), Inputs)),
    forall(member(Fact, Facts), assertz(Program:Fact)).

retract_facts(Program, Facts) :-
    forall(member(Fact, Facts), retractall(Program:Fact)).

%   An input predicate without facts fails. A program may define one that the instance leaves out.

declare(Program, Facts, Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(Program:Head, thread_local)
    ->  true
    ;   taken(Program:Head)
    ->  (   memberchk(Head, Facts)
        ->  must_not_define(Program, Head, Name/Arity)
        ;   true
        )
    ;   Program:thread_local(Name/Arity)
    ).

taken(Goal) :-
    predicate_property(Goal, number_of_clauses(Number)),
    Number > 0,
    !.
taken(Goal) :-
    predicate_property(Goal, system).
taken(Goal) :-
    predicate_property(Goal, imported_from(_)).

must_not_define(Program, Head, Predicate) :-
    (   nth_clause(Program:Head, 1, Clause),
        clause_property(Clause, line_count(Line))
    ->  wrong(Program, Line, "~w is defined here, and the instance has facts of it", [Predicate])
    ;   wrong(Program, none, "~w belongs to Prolog, and the instance has facts of it; give it another \c
               name", [Predicate])
    ).

                /*******************************
                *          the model           *
                *******************************/

must_be_pairs(Program, Pairs) :-
    (   is_list(Pairs)
    ->  true
    ;   wrong_model(Program, "gives ~p instead of a list of pairs Name(Arguments...)-Variable", [Pairs])
    ),
    forall(nth1(Number, Pairs, Pair), must_be_pair(Program, Number, Pair)).

must_be_pair(_, _, Key-_) :-
    callable(Key),
    ground(Key),
    \+ is_list(Key),
    Key \= _-_,
    !.
must_be_pair(Program, Number, Pair) :-
    wrong_model(Program, "gives ~p as pair ~d; expected Name(Arguments...)-Variable, such as \c
                 queen(3)-V", [Pair, Number]).

%   Values for the variables of Pairs: first fail. The rest of the constraints must hold for some
%   values of the other variables, which are no part of the answer.

found_values(Given, Pairs, Residue) :-
    given(Given, Pairs),
    maplist(must_be_bounded, Pairs),
    pairs_values(Pairs, Values),
    term_variables(Values, Variables),
    labeling([ff], Variables),
    once(settled(Residue)).

given(any, _).
given(atoms(Lists), Pairs) :-
    maplist(give(Lists), Pairs).

give(Lists, Key-Variable) :-
    Key =.. [Name|Arguments0],
    maplist(value, Arguments0, Arguments),
    append([Name|Arguments], [Value], List),
    (   member(Given, Lists),
        same_list(List, Given)
    ->  (   string(Value)
        ->  atom_string(Variable, Value)
        ;   Variable = Value
        )
    ;   true
    ).

%   Python's texts are strings, and a name may be one or an atom.

same_list([Name0|List], [Name|List]) :-
    atom_string(Name0, Name).

must_be_bounded(Key-Variable) :-
    (   var(Variable),
        fd_size(Variable, Size),
        \+ integer(Size)
    ->  format(atom(Why), "the variable of ~w has no finite domain; give it one, such as V in 1..9",
               [Key]),
        throw(error(instantiation_error, context(_, Why)))
    ;   true
    ).

settled(Residue) :-
    include(waits, Residue, Open),
    partition(is_bounded, Open, Bounded, Others),
    (   Bounded = [_|_]
    ->  labeling([ff], Bounded),
        settled(Others)
    ;   Others == []
    ->  true
    ;   throw(error(instantiation_error,
                    context(_, 'a variable that is in no pair has no finite domain, so it is not \c
known whether its constraints can be met')))
    ).

%   Constraints of clpfd note things at variables of their own, which are none of the program's.

waits(Variable) :-
    attvar(Variable),
    copy_term(Variable, Variable, Goals),
    member(Goal, Goals),
    Goal \= put_attr(_, _, _),
    !.

is_bounded(Variable) :-
    fd_size(Variable, Size),
    integer(Size).

atoms(Pairs, Outputs, Atoms) :-
    findall(Atom, ( member(Pair, Pairs), output(Outputs, Pair, Atom) ), Atoms0),
    sort(Atoms0, Atoms).

                /*******************************
                *          the best            *
                *******************************/

%   The best answer is kept when it is found: it is the first one, and others as good follow.

best(Program, Outputs, Given, Pairs, Answer) :-
    call_residue_vars(Program:model(Pairs, Cost), Residue),
    must_be_pairs(Program, Pairs),
    maplist(must_be_bounded, Pairs),
    (   is_list(Cost)
    ->  Costs = Cost
    ;   Costs = [Cost]
    ),
    Best = best(none),
    Found = found(Pairs, Residue, Outputs, Costs),
    length(Costs, Number),
    better(Best, Found, 1, none),
    numlist(1, Number, Places),
    maplist(smallest(Best, Found), Places),
    (   arg(1, Best, Answer)
    ;   found_values(Given, Pairs, Residue),
        atoms(Pairs, Outputs, Atoms),
        Answer = [Costs,Atoms]
    ).

%   The cost at this Place is as small as it can be.

smallest(Best, Found, Place) :-
    cost_of(Best, Place, Least),
    (   better(Best, Found, Place, Least)
    ->  smallest(Best, Found, Place)
    ;   Found = found(_, _, _, Costs),
        nth1(Place, Costs, Least)
    ).

cost_of(Best, Place, Cost) :-
    arg(1, Best, [Costs,_]),
    nth1(Place, Costs, Cost).

%   True if there is an answer whose cost at Place is less than Least, which is then kept.

better(Best, found(Pairs, Residue, Outputs, Costs), Place, Least) :-
    nth1(Place, Costs, Cost),
    \+ \+ ( less(Cost, Least),
            pairs_values(Pairs, Values),
            term_variables(Values, Variables),
            labeling([ff], Variables),
            once(( maplist(least, Costs), settled(Residue) )),
            atoms(Pairs, Outputs, Atoms),
            nb_setarg(1, Best, [Costs,Atoms]),
            tell([Costs,Atoms]) ).

less(_, none) :- !.
less(Cost, Least) :-
    Cost #< Least.

least(Cost) :-
    labeling([], [Cost]).

tell(Answer) :-
    (   current_predicate(sudoku_trace:solved/1)
    ->  sudoku_trace:solved(Answer)
    ;   true
    ).

                /*******************************
                *            atoms             *
                *******************************/

must_be_atoms(Program, Atoms) :-
    (   is_list(Atoms),
        ground(Atoms),
        \+ ( member(Atom, Atoms), \+ ( callable(Atom), \+ is_list(Atom) ) )
    ->  true
    ;   has_line(Program, answer(_), Line),
        wrong(Program, Line, "answer/1 gives ~p instead of a list of atoms without variables", [Atoms])
    ).

%!  output(+Outputs, +Pair, -List) is semidet.
%
%   List is the atom that a pair Key-Value stands for: its name and its arguments. Fails if it is none
%   of the Outputs.

output(Outputs, Key-Value, List) :-
    Key =.. [Name|Arguments0],
    length(Arguments0, Arity0),
    Arity is Arity0 + 1,
    is_output(Outputs, Name/Arity),
    maplist(value, Arguments0, Arguments),
    value(Value, Last),
    append([Name|Arguments], [Last], List).

atom_list(Outputs, Atom, [Name|Arguments]) :-
    functor(Atom, Name, Arity),
    is_output(Outputs, Name/Arity),
    Atom =.. [Name|Arguments0],
    maplist(value, Arguments0, Arguments).

is_output([], _) :- !.
is_output(Outputs, Predicate) :-
    memberchk(Predicate, Outputs).

value(Value, List) :-
    (   integer(Value)
    ->  List = Value
    ;   atomic(Value),
        Value \== [],
        \+ float(Value)
    ->  atom_string(List, Value)
    ;   Value = (_,_)
    ->  tuple(Value, Values),
        maplist(value, Values, Arguments),
        List = [''|Arguments]
    ;   compound(Value),
        \+ is_list(Value)
    ->  Value =.. [Name|Arguments0],
        maplist(value, Arguments0, Arguments),
        List = [Name|Arguments]
    ;   throw(error(type_error(term_of_both_languages, Value),
                    context(_, 'the argument of an atom is an integer, a name, a text or a term')))
    ).

tuple((First,Rest), [First|Values]) :-
    !,
    tuple(Rest, Values).
tuple(Last, [Last]).

                /*******************************
                *           mistakes           *
                *******************************/

wrong_model(Program, Format, Arguments) :-
    (   has(Program, model/2)
    ->  Head = model(_, _)
    ;   Head = model(_)
    ),
    functor(Head, Name, Arity),
    has_line(Program, Head, Line),
    format(string(Said), Format, Arguments),
    wrong(Program, Line, "~w ~s", [Name/Arity, Said]).

has_line(Program, Head, Line) :-
    (   nth_clause(Program:Head, 1, Clause),
        clause_property(Clause, line_count(Line0))
    ->  Line = Line0
    ;   Line = none
    ).

%   A text alone is the whole of such an error; see message_text/2 of the bridge.

wrong(Program, Line, Format, Arguments) :-
    module_property(Program, file(Path)),
    file_base_name(Path, Name0),
    atomic_list_concat([Name|_], '#', Name0),
    format(string(Said), Format, Arguments),
    (   Line == none
    ->  format(string(Text), "~w: ~s", [Name, Said])
    ;   format(string(Text), "~w:~d: ~s", [Name, Line, Said])
    ),
    throw(sudoku_wrong(Text)).

:- multifile prolog:message//1.

prolog:message(sudoku_wrong(Text)) -->
    [ '~s'-[Text] ].
