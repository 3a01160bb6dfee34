:- module(sudoku_fields,
          [ must_have_fields/3  % +Module, +Kind, +Fields
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- use_module(library(occurs), [sub_term/2]).

/** <module> The fields that a kind of rule has

A field that no clause asks for would be ignored, and a misspelt one with it. Which fields a kind has
is not stated anywhere: its clauses ask for them by get/3, get/4, cells/3, cells/4, flag/2, memberchk/2
or member/2, and so do the predicates that they call with all fields.
*/

:- dynamic
    known_fields/2.     % Kind, Names: of the kinds in sudoku_kinds, which do not change

%!  must_have_fields(+Module, +Kind, +Fields) is det.
%
%   True if Fields is a list of Name=Value for different names, which are fields of Kind in Module. If
%   its clauses do anything else with the fields, all names may be fields. A string, such as the name of
%   a set of cells, is for people.
%
%   @error type_error(rule_field, Field), unknown_field(Kind, Name, Names) or duplicate_field(Kind, Name)

must_have_fields(Module, Kind, Fields) :-
    maplist(field_name, Fields, All),
    must_be_different(Kind, All),
    findall(Name, ( member(Name=Value, Fields), \+ string(Value) ), Given),
    (   Given \== [],
        kind_fields(Module, Kind, Names)
    ->  maplist(must_be_one_of(Names, Kind), Given)
    ;   true
    ).

field_name(Field, Name) :-
    (   Field = (Name=_),
        atom(Name)
    ->  true
    ;   throw(error(type_error(rule_field, Field), context(_, 'write Name=Value')))
    ).

must_be_different(Kind, Names) :-
    (   append(_, [Name|Others], Names),
        memberchk(Name, Others)
    ->  throw(error(duplicate_field(Kind, Name), _))
    ;   true
    ).

must_be_one_of(Names, Kind, Name) :-
    (   memberchk(Name, Names)
    ->  true
    ;   throw(error(unknown_field(Kind, Name, Names), _))
    ).

kind_fields(sudoku_kinds, Kind, Names) :-
    known_fields(Kind, Known),
    !,
    Names = Known.
kind_fields(Module, Kind, Names) :-
    Head = rule(Kind, '$fields', _),
    catch(findall(Name, asked(Head, Module, [], Name), Unordered), sudoku_opaque, fail),
    sort(Unordered, Names),
    (   Module == sudoku_kinds
    ->  assertz(known_fields(Kind, Names))
    ;   true
    ).

%   Goal, called in Module with '$fields' in place of all fields, asks for the field Name.

asked(Goal, _, _, _) :-
    \+ has_fields(Goal),
    !,
    fail.
asked(Module:Goal, _, Seen, Name) :-
    !,
    asked(Goal, Module, Seen, Name).
asked(Goal, Module, Seen, Name) :-
    predicate_property(Module:Goal, implementation_module(Where)),
    asked_in(Where, Goal, Module, Seen, Name).

asked_in(sudoku_rule, get(Name0, '$fields', _), _, _, Name) :-    % the others call memberchk/2
    !,
    (   atom(Name0)
    ->  Name = Name0
    ;   opaque
    ).
asked_in(Where, Goal, _, _, Name) :-
    memberchk(Where, [lists,system]),
    ( Goal = memberchk(Field, Fields) ; Goal = member(Field, Fields) ),
    !,
    (   Fields == '$fields',
        Field = (Name0=_),
        atom(Name0)
    ->  Name = Name0
    ;   opaque
    ).
asked_in(_, Goal, Module, Seen, Name) :-
    predicate_property(Module:Goal, meta_predicate(Specification)),
    !,
    arg(Number, Goal, Argument),
    arg(Number, Specification, Meta),
    (   memberchk(Meta, [0,^])
    ->  strip_bound(Argument, Inner),
        asked(Inner, Module, Seen, Name)
    ;   has_fields(Argument)
    ->  opaque
    ;   fail
    ).
asked_in(Where, Goal, _, Seen, Name) :-
    Goal =.. [Functor|Arguments],
    maplist(opened, Arguments, Open),
    Head =.. [Functor|Open],
    (   member(Other, Seen),
        Other =@= Goal
    ->  fail
    ;   predicate_property(Where:Head, number_of_clauses(_))
    ->  catch(clause(Where:Head, Body), error(permission_error(_, _, _), _), opaque),
        maplist(closed, Arguments, Open),
        asked(Body, Where, [Goal|Seen], Name)
    ;   opaque
    ).

%   An argument that is all fields is a variable in the head of a clause; else the clause takes them
%   apart by itself.

opened(Argument, Open) :-
    (   Argument == '$fields'
    ->  true
    ;   has_fields(Argument)
    ->  opaque
    ;   Open = Argument
    ).

closed(Argument, Open) :-
    (   Argument \== '$fields'
    ->  true
    ;   var(Open)
    ->  Open = '$fields'
    ;   opaque
    ).

strip_bound(Goal, Goal) :-
    var(Goal),
    !.
strip_bound(_^Goal, Inner) :-
    !,
    strip_bound(Goal, Inner).
strip_bound(Goal, Goal).

has_fields(Term) :-
    sub_term(Part, Term),
    Part == '$fields'.

opaque :-
    throw(sudoku_opaque).

:- multifile prolog:error_message//1.

prolog:error_message(unknown_field(Kind, Name, Names)) -->
    [ '~w has no field ~w'-[Kind,Name] ],
    sudoku_fields:meant(Name, Names),
    sudoku_fields:fields_of(Names).
prolog:error_message(duplicate_field(Kind, Name)) -->
    [ '~w has two fields ~w'-[Kind,Name] ].

meant(Name, Names) -->
    { member(Near, Names), dwim_match(Near, Name) },
    !,
    [ '; did you mean ~w?'-[Near] ].
meant(_, _) -->
    [].

fields_of([]) -->
    !,
    [ '; it has none' ].
fields_of(Names) -->
    { atomic_list_concat(Names, ', ', List) },
    [ ' (its fields: ~w)'-[List] ].
