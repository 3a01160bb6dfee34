:- module(pls_pairs,
          [ atom_list/3,
            boolean/1,
            is_output/2,
            key_list/2,
            must_be_pairs/4,
            no_value/2,
            normal/2,
            output/3,
            pair_key/3,
            signature/2,
            too_deep/1,
            value/2
          ]).
:- use_module(raised, [wrong_model/4]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(pairs), [group_pairs_by_key/2, pairs_values/2]).

/** <module> The meaning of the pairs of a model

A model gives pairs Name(Arguments...)-Variable, and Atom #<==> Variable for an atom that is there when
its variable is 1, and not when that is 0. From here on both are Key-Variable: of the second kind, the key
is #<==>(Atom). An atom is a list of its name and its arguments, where a term is a list too.
*/

%!  normal(?Pair, ?Normal) is semidet.
%
%   Normal is the pair of a model as Key-Variable.

normal(Atom #<==> Variable, #<==>(Atom)-Variable) :- !.
normal(Key-Variable, Key-Variable).

%!  must_be_pairs(+Program, +Outputs, +Given, -Pairs) is det.
%
%   Pairs are those that a model has given, as Key-Variable. An error says what is wrong with them.

must_be_pairs(Program, Outputs, Given, Pairs) :-
    (   is_list(Given)
    ->  true
    ;   wrong_model(Program, not_pairs, "gives ~p instead of a list of pairs"-[Given],
                    "expected Name(Arguments...)-Variable")
    ),
    forall(nth1(Number, Given, Pair), must_be_pair(Program, Number, Pair)),
    maplist(normal, Given, Pairs),
    pairs_values(Pairs, Values),
    maplist(boolean, Values),
    maplist(must_be_boolean(Program), Pairs),
    must_be_different(Program, Pairs),
    must_be_output(Program, Outputs, Pairs).

must_be_pair(Program, Number, Pair) :-
    (   is_pair(Pair)
    ->  true
    ;   pair_text(Pair, Text),
        wrong_model(Program, no_pair, "gives ~s as pair ~d"-[Text, Number],
                    "expected Name(Arguments...)-Variable, such as queen(3)-V, or Atom #<==> Variable, \c
                     such as select(a) #<==> B")
    ),
    normal(Pair, Key-Value),
    atom_of(Key, Atom),
    Atom =.. [_|Arguments],
    forall(( member(Argument, [Value|Arguments]), too_deep(Argument) ),
           wrong_model(Program, too_deep, "gives a pair ~d in which a term is nested more than 100 deep"-[Number],
                       "")),
    forall(( member(Argument, [Value|Arguments]), no_value(Argument, Part), pair_text(Pair, Text) ),
           wrong_model(Program, no_value, "gives ~s as pair ~d, where ~p cannot be part of an atom"-
                       [Text, Number, Part],
                       "expected an integer, a name, a text or a term")),
    forall(( member(Variable, Arguments), \+ ground(Variable), pair_text(Pair, Text) ),
           wrong_model(Program, no_pair, "gives ~s as pair ~d"-[Text, Number],
                       "expected a name without variables")).

pair_text(Pair, Text) :-
    copy_term_nat(Pair, Plain),
    term_variables(Plain, Variables),
    maplist(=('$VAR'('_')), Variables),
    (   nonvar(Plain),
        Plain = (Atom #<==> Variable)
    ->  format(string(Text), "~p #<==> ~p", [Atom, Variable])
    ;   format(string(Text), "~p", [Plain])
    ).

is_pair(Pair) :-
    nonvar(Pair),
    normal(Pair, Key-Value),
    atom_of(Key, Atom),
    callable(Atom),
    \+ is_list(Atom),
    Atom \= _-_,
    ( var(Value) ; ground(Value) ),
    !.

atom_of(Key, Atom) :-
    (   nonvar(Key),
        Key = #<==>(Atom0)
    ->  Atom = Atom0
    ;   Atom = Key
    ).

%!  boolean(?Value) is det.
%
%   A variable of library(clpb) is an integer to library(clpfd), too.

boolean(Value) :-
    (   get_attr(Value, clpb, _)
    ->  Value in 0..1
    ;   true
    ).

must_be_boolean(Program, #<==>(Atom)-Value) :-
    !,
    (   var(Value)
    ->  (   fd_inf(Value, Low),
            fd_sup(Value, High),
            integer(Low),
            integer(High),
            Low >= 0,
            High =< 1
        ->  true
        ;   wrong_model(Program, no_boolean, "gives the variable of ~p #<==> B not just the values 0 and 1"-
                    [Atom],
                    "write B in 0..1")
        )
    ;   memberchk(Value, [0,1])
    ->  true
    ;   wrong_model(Program, no_boolean, "gives the pair ~p #<==> ~p"-[Atom,Value],
                    "expected 0, 1, or a variable that is one of them")
    ).
must_be_boolean(_, _).

%   No atom is stated twice, where that can be known before the search.

must_be_different(Program, Pairs) :-
    findall(List-Atom, ( member(#<==>(Atom)-_, Pairs), key_list(Atom, List) ), Lists),
    (   Lists == []
    ->  true
    ;   keysort(Lists, Sorted),
        forall(append(_, [List-Atom,List-_|_], Sorted),
               wrong_model(Program, stated_twice, "gives two pairs for the atom ~p"-[Atom], "give one")),
        findall(Key-(Last-Atom),
                ( member(List-Atom, Sorted), append(Key, [Last], List), Key \== [] ),
                Lasts),
        group_pairs_by_key(Lasts, Groups),
        list_to_assoc(Groups, Known),
        forall(( member(Key-Value, Pairs), stated_too(Known, Key, Value, Atom) ),
               wrong_model(Program, stated_twice,
                           "gives the atom ~p by ~p #<==> B and by ~p-V, whose variable may have that \c
                            value"-[Atom, Atom, Key],
                           "give one of the pairs"))
    ).

stated_too(Known, Key, Value, Atom) :-
    Key \= #<==>(_),
    key_list(Key, List),
    get_assoc(List, Known, Lasts),
    member(Last-Atom, Lasts),
    (   var(Value)
    ->  integer(Last),
        fd_set(Value, Set),
        fdset_member(Last, Set)
    ;   value(Value, Last)
    ),
    !.

%   If no pair is one of the outputs, all answers would be the same.

must_be_output(_, [], _) :- !.
must_be_output(_, _, []) :- !.
must_be_output(Program, Outputs, Pairs) :-
    (   member(Pair, Pairs),
        signature(Pair, Predicate),
        memberchk(Predicate, Outputs)
    ->  true
    ;   Pairs = [Pair-_|_],
        signature(Pair-_, Predicate),
        (   Pair = #<==>(Atom)
        ->  format(string(Said), "~p #<==> B", [Atom])
        ;   format(string(Said), "~p-V", [Pair])
        ),
        names(Outputs, Names),
        wrong_model(Program, no_output,
                    "gives the pair ~s, an atom of ~w, and answers consist of ~w"-
                    [Said, Predicate, Names],
                    "give one the name and the arguments of the other")
    ).

names(Predicates, Names) :-
    findall(Text, ( member(Predicate, Predicates), format(atom(Text), "~w", [Predicate]) ), Texts),
    atomic_list_concat(Texts, ' and ', Names).

                /*******************************
                *            atoms             *
                *******************************/

%!  output(+Outputs, +Pair, -List) is semidet.
%
%   List is the atom that a pair Key-Value stands for: its name and its arguments. Fails if it is none
%   of the Outputs, or is not there.

output(Outputs, Key-Value, List) :-
    signature(Key-Value, Predicate),
    is_output(Outputs, Predicate),
    (   Key = #<==>(Atom)
    ->  Value == 1,
        key_list(Atom, List)
    ;   key_list(Key, Start),
        value(Value, Last),
        append(Start, [Last], List)
    ).

%!  pair_key(+Outputs, +Pair, -Key) is semidet.
%
%   No other pair than this one stands for atoms with this Key. Fails if they are none of the Outputs.

pair_key(Outputs, Key-Value, Parts) :-
    signature(Key-Value, Predicate),
    is_output(Outputs, Predicate),
    (   Key = #<==>(Atom)
    ->  key_list(Atom, List),
        Parts = atom(List)
    ;   key_list(Key, Parts)
    ).

atom_list(Outputs, Atom, List) :-
    parts(Atom, _, Arguments),
    key_list(Atom, List),
    List = [Name|_],
    length(Arguments, Arity),
    is_output(Outputs, Name/Arity).

%!  key_list(+Key, -List) is det.
%
%   List has the name of a term and its arguments as values.

key_list(Key, [Name|Arguments]) :-
    parts(Key, Name, Arguments0),
    maplist(value, Arguments0, Arguments).

%!  signature(+Pair, -Predicate) is det.

signature(#<==>(Atom)-_, Predicate) :-
    !,
    parts(Atom, Name, Arguments),
    length(Arguments, Arity),
    Predicate = Name/Arity.
signature(Key-_, Name/Arity) :-
    parts(Key, Name, Arguments),
    length([_|Arguments], Arity).

%   As in ASP, the sign belongs to the name.

parts(-Atom, Name, Arguments) :-
    callable(Atom),
    !,
    Atom =.. [Name0|Arguments],
    atom_concat(-, Name0, Name).
parts(Atom, Name, Arguments) :-
    Atom =.. [Name|Arguments].

is_output([], _) :- !.
is_output(Outputs, Predicate) :-
    memberchk(Predicate, Outputs).

value(Value, List) :-
    (   integer(Value)
    ->  List = Value
    ;   is_list(Value)
    ->  maplist(value, Value, Arguments),
        List = ['[]'|Arguments]         % a term whose name is this atom
    ;   atomic(Value)
    ->  atom_string(List, Value)
    ;   Value = (_,_)
    ->  tuple(Value, Values),
        maplist(value, Values, Arguments),
        List = [''|Arguments]
    ;   Value =.. [Name|Arguments0],
        maplist(value, Arguments0, Arguments),
        List = [Name|Arguments]
    ).

%   Python could neither compare nor send it (see problem/atoms.py).

too_deep(Value) :-
    compound(Value),
    term_size(Value, Cells),
    Cells > 100,
    nested(Value, 0).

nested(Value, Depth0) :-
    compound(Value),
    Depth is Depth0 + 1,
    (   Depth > 100
    ->  true
    ;   arg(_, Value, Argument),
        nested(Argument, Depth)
    ),
    !.

%   Part of Value is something that atoms of ASP cannot hold.

no_value(Value, Part) :-
    sub_term(Part, Value),
    nonvar(Part),
    (   number(Part),
        \+ integer(Part)
    ;   is_dict(Part)
    ;   blob(Part, Type),
        \+ memberchk(Type, [text,ucs_text,reserved_symbol])
    ),
    !.

tuple((First,Rest), [First|Values]) :-
    !,
    tuple(Rest, Values).
tuple(Last, [Last]).

