:- module(pls_wanted,
          [ as_atoms/2, counts/2, give/2, give_terms/2, given_pairs/3, other_key/3, wanted/3, wanted_atoms/2,
            wanted_instance/2 ]).
:- use_module(instances, [instance_outputs/2]).
:- use_module(pairs, [is_output/2, key_list/2, normal/2, signature/2, value/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, select/3]).
:- use_module(library(ordsets), [ord_memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2]).

/** <module> What an answer wants of the pairs of a model

An answer to an instance is one record: its atoms, and the last values of these atoms by what stands before
them.
*/

%!  wanted(+Instance, +Atoms, -Wanted) is det.
%
%   Names in Atoms may be strings, as Python writes them.

wanted(Instance, Atoms0, wanted(Instance, Atoms, Values)) :-
    maplist(as_atoms, Atoms0, Atoms),
    maplist(key_value, Atoms, Pairs0),
    keysort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    list_to_assoc(Groups, Values).

%!  as_atoms(+Value0, -Value) is det.
%
%   Value has atoms in place of strings.

as_atoms(Text, Atom), string(Text) => atom_string(Atom, Text).
as_atoms(List0, List), is_list(List0) => maplist(as_atoms, List0, List).
as_atoms(Value0, Value) => Value = Value0.

key_value(Atom, Key-Value) :-
    append(Key, [Value], Atom).

%!  wanted_instance(+Wanted, -Instance) is det.
%!  wanted_atoms(+Wanted, -Atoms) is det.

wanted_instance(wanted(Instance, _, _), Instance).

wanted_atoms(wanted(_, Atoms, _), Atoms).

%!  give(+Wanted, ?Pair) is semidet.
%
%   Gives a pair its value in the answer. Of an atom that it lacks, the variable is 0.

give(Wanted, Pair) :-
    Pair = _-Variable,
    (   values(Wanted, Pair, [Value])
    ->  \+ is_no_number(Variable, Value),
        Variable = Value
    ;   true
    ).

%   A name for a variable of constraints, which would raise an error.

is_no_number(Variable, Value) :-
    var(Variable),
    get_attr(Variable, clpfd, _),
    \+ integer(Value).

%!  give_terms(+Wanted, ?Terms) is nondet.
%
%   Gives the variables of terms their values in an answer, of which each term is another atom. A term that
%   is a variable itself is left as it is.

give_terms(wanted(_, Atoms, _), Terms) :-
    give_each(Terms, Atoms).

give_each([], _).
give_each([Term|Terms], Atoms0) :-
    (   var(Term)
    ->  give_each(Terms, Atoms0)
    ;   select([Name|Values], Atoms0, Atoms),
        Term =.. [Name|Arguments],
        give_values(Arguments, Values),
        give_each(Terms, Atoms)
    ).

give_values([], []).
give_values([Argument|Arguments], [Value|Values]) :-
    give_value(Argument, Value),
    give_values(Arguments, Values).

%   Values are those of value/2 in pairs.pl.

give_value(Variable, Value), var(Variable) =>
    \+ is_no_number(Variable, Value),
    value_term(Value, Variable).
give_value(Text, Value), atomic(Text), Text \== [] =>
    value(Text, Value).
give_value([], Value) =>
    Value = ['[]'].
give_value([First|Rest], Value) =>
    Value = ['[]',One|Others],
    give_value(First, One),
    give_value(Rest, ['[]'|Others]).
give_value((First,Rest), Value) =>
    Value = ['',One|Others],
    give_value(First, One),
    (   Others = [Last]
    ->  give_value(Rest, Last)
    ;   give_value(Rest, [''|Others])
    ).
give_value(Term, Value) =>
    Value = [Name|Values],
    Term =.. [Name|Arguments],
    give_values(Arguments, Values).

value_term(['[]'|Values], Term) =>
    maplist(value_term, Values, Term).
value_term([''|Values], Term) =>
    maplist(value_term, Values, Terms),
    append(Before, [Last], Terms),
    tuple_of(Before, Last, Term).
value_term([Name|Values], Term) =>
    maplist(value_term, Values, Terms),
    Term =.. [Name|Terms].
value_term(Value, Term) =>
    Term = Value.

tuple_of([], Last, Last).
tuple_of([Term|Terms], Last, (Term,Rest)) :-
    tuple_of(Terms, Last, Rest).

%   Values are those with which a pair is in the answer; 0 if it may be left out.

values(Wanted, Pair, Values) :-
    Wanted = wanted(_, _, Known),
    Pair = Key-_,
    (   Key = #<==>(Atom)
    ->  key_list(Atom, List),
        append(Start, [Last], List),
        (   get_assoc(Start, Known, Lasts),
            memberchk(Last, Lasts)
        ->  Values = [1]
        ;   counts(Wanted, Pair)
        ->  Values = [0]
        )
    ;   key_list(Key, List),
        get_assoc(List, Known, Values)
    ).

%!  counts(+Wanted, +Pair) is semidet.
%
%   True if a pair is of a predicate of answers.

counts(wanted(Instance, _, _), Pair) :-
    instance_outputs(Instance, Outputs),
    signature(Pair, Predicate),
    is_output(Outputs, Predicate).

%!  given_pairs(+Wanted, +Keys, -Given) is det.
%
%   Given are pairs as a model gives them, with these Keys and the values of the answer.

given_pairs(Wanted, Keys, Given) :-
    findall(Pair,
            ( member(Key, Keys),
              ( values(Wanted, Key-_, [Value]) -> true ; true ),
              normal(Pair, Key-Value) ),
            Given).

%!  other_key(+Wanted, +Keys, -Why) is semidet.
%
%   Why says of which pairs the answer has no atom, or several, or of which of its atoms there is no pair.

other_key(Wanted, Keys, Why) :-
    (   member(Key, Keys),
        Key \= #<==>(_),
        values(Wanted, Key-_, [_,_|_])
    ->  Format = "a pair for ~s has one value, and the answer has several",
        key_list(Key, List)
    ;   findall(Made, ( member(Key, Keys), made_key(Wanted, Key, Made) ), Made0),
        sort(Made0, Made),
        wanted_atoms(Wanted, Atoms),
        member(Atom, Atoms),
        append(Start, [_], Atom),
        \+ ord_memberchk(value(Start), Made),
        \+ ord_memberchk(atom(Atom), Made)
    ->  Format = "model gives no pair for ~s",
        Atom = [Name|_],
        (   memberchk(atom([Name|_]), Made)
        ->  List = Atom
        ;   List = Start
        )
    ;   member(Key, Keys),
        Key \= #<==>(_),
        counts(Wanted, Key-_),
        \+ values(Wanted, Key-_, _)
    ->  Format = "model gives a pair for ~s, which the answer lacks",
        key_list(Key, List)
    ),
    key_text(List, Text),
    format(string(Why), Format, [Text]).

made_key(_, #<==>(Atom), Made) =>
    key_list(Atom, List),
    Made = atom(List).
made_key(Wanted, Key, Made) =>
    counts(Wanted, Key-_),
    key_list(Key, List),
    Made = value(List).

key_text([Name|Arguments], Text) :-
    maplist(value_text, Arguments, Texts),
    (   Texts == []
    ->  format(string(Text), "~w", [Name])
    ;   atomic_list_concat(Texts, ',', Joined),
        format(string(Text), "~w(~w)", [Name, Joined])
    ).

value_text([''|Values], Text) =>
    maplist(value_text, Values, Texts),
    atomic_list_concat(Texts, ',', Joined),
    format(atom(Text), "(~w)", [Joined]).
value_text(List, Text), is_list(List) =>
    key_text(List, Text).
value_text(Value, Text) =>
    Text = Value.
