:- module(pls_clauses,
          [ clause_parts/7, line/5, located/5, own/4, parts/2, place/3, range/3, read_program/3, reading/3,
            shown/2, text_at/6, translated/4, written/4 ]).
:- use_module(loading, [shortened/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [last/2, member/2, memberchk/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> The clauses of a program with their places in its text

They are seen as Prolog loads them, see reading/3: each term with the operators, the conditions and the
included files before it.

read_program/3 fills own/4 with them. A body is body(Goal, Position, In), with the position of the goal
as read_term/2 gives it, and In, where it stands: in(Module, clause(File, From)), with the first
character of its clause; or in(Module, made(Place)), if a goal at Place has made it while the program
runs.
*/

:- meta_predicate
    reading(+, 3, 0),
    read_program(+, +, 0).

:- dynamic
    own/4,              % Head, Module, Body, Place
    source/2,           % File, Text
    written/4.          % Module:Name/Arity, Term, Position, File

%!  reading(+Module, :Take, :Load).
%
%   Calls Load, which loads clauses, with a look at each term that is read for Module, or for any if that
%   is user: Take is called with the term, its position and what is loaded in its place. If it fails, the
%   term is.

reading(Module, Take, Load) :-
    setup_call_cleanup(
        asserta((Module:term_expansion(Term, Position, Expanded, _) :-
                     nonvar(Position),
                     call(Take, Term, Position, Expanded)),
                Hook),
        Load,
        erase(Hook)).

%!  clause_parts(+Term, ?Position, -Head, -Neck, -Body, -HeadPosition, -BodyPosition) is semidet.
%
%   What a clause says, also one of a grammar. Neck is (:-) or (=>), or none for a fact, whose Body is true.
%   Fails for a directive.

clause_parts(Term, Position0, Head, Neck, Body, HeadPosition, BodyPosition) :-
    translated(Term, Position0, Clause, Position),
    (   ( Clause = (Head :- Body), Neck = (:-) ; Clause = (Head => Body), Neck = (=>) )
    ->  parts(Position, [HeadPosition,BodyPosition])
    ;   callable(Clause),
        Clause \= (:- _),
        Clause \= (?- _),
        Head-Neck-Body-HeadPosition = Clause-none-true-Position
    ).

%!  read_program(+Program, +Others, :Load).
%
%   Calls Load, which loads the program, and fills own/4 with its clauses and those of files that it loads
%   from its folder, except Others. A predicate whose clauses are not those of the text is called as it is.
%   Program is a path, or Path-Text if it is loaded from a text under that name; places in it are then in "".

read_program(Program, Others, Load) :-
    (   Program = Path-Text
    ->  assertz(source("", Text)),
        Name = ""
    ;   Path = Program,
        Name = none
    ),
    absolute_file_name(Path, Main),
    reading(user, noted(Main-Name, Others), Load),
    findall(Home:Own/Arity,
            ( own(Head, Home, _, _), functor(Head, Own, Arity) ),
            All),
    sort(All, Different),
    forall(( member(Home:Own/Arity, Different), \+ as_written(Home, Own/Arity, All) ),
           ( functor(Head, Own, Arity), retractall(own(Head, Home, _, _)) )).

noted(Main, Others, Term, Position, _) :-
    prolog_load_context(file, File),
    \+ memberchk(File, Others),
    prolog_load_context(module, Module),
    source_name(Main, File, Name),
    catch(take_clause(Term, Position, Module, Name), _, true),
    fail.

%   Name is that of a file of the program, whose text is there.

source_name(Main-Name0, File, Name) :-
    (   Name0 \== none,
        absolute_file_name(File, Main)
    ->  Name = Name0
    ;   file_directory_name(Main, Folder),
        atom_concat(Folder, '/', Prefix),
        (   sub_atom(File, 0, _, _, Prefix)
        ->  true
        ;   same_file(File, Main)
        ),
        file_base_name(File, Name),
        (   source(Name, _)
        ->  true
        ;   read_file_to_string(File, Text, [encoding(utf8)]),
            assertz(source(Name, Text))
        )
    ).

as_written(Module, Name/Arity, All) :-
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, dynamic),
    \+ keeps_some(Module, Head),
    predicate_property(Module:Head, number_of_clauses(Number)),
    aggregate_all(count, member(Module:Name/Arity, All), Number).

%   The table of some modes has the least answers, say, and no clause tells so.

keeps_some(Module, Head) :-
    predicate_property(Module:Head, tabled),
    \+ Module:'$table_mode'(Head, Head, _).

take_clause(Term, Position, Module, File) :-
    clause_parts(Term, Position, Head, Neck, Body, HeadPosition, BodyPosition),
    memberchk(Neck, [none,(:-)]),
    range(Position, From, _),
    In = in(Module, clause(File, From)),
    place(HeadPosition, In, Place),
    functor(Head, Name, Arity),
    assertz(own(Head, Module, body(Body, BodyPosition, In), Place)),
    assertz(written(Module:Name/Arity, Term, Position, File)).

%!  translated(+Term, ?Position0, -Clause, -Position) is det.
%
%   Clause is Term, or what it says as a rule of a grammar.

translated(Term, Position0, Clause, Position) :-
    Term = (_-->_),
    !,
    once(dcg_translate_rule(Term, Position0, Clause, Position)).
translated(Clause, Position, Clause, Position).

%!  line(+File, +At, -Line, -Column, -Text) is det.
%
%   Text is the line in which a character of the file stands, without its last comma; it begins in Column.

line(File, At, Line, Column, Text) :-
    source(File, Whole),
    position(Whole, At, Line, Offset),
    Begin is At-Offset,
    sub_string(Whole, Begin, _, 0, Rest),
    split_string(Rest, "\n", "", [Long|_]),
    split_string(Long, "", " \t\r", [Clean]),
    without_comment(Clean, Code),
    split_string(Code, "", ",", [Goal]),
    shortened(Goal, 120, Text),
    once(sub_string(Long, Before, _, _, Clean)),
    Column is Before+1.

%!  parts(?Position, -Positions) is det.
%
%   Positions are those of the arguments; variables if they are not known.

parts(Position, Positions) :-
    nonvar(Position),
    (   Position = term_position(_, _, _, _, Positions)
    ;   Position = parentheses_term_position(_, _, Inner),
        parts(Inner, Positions)
    ),
    !.
parts(_, _).

%!  place(?Position, +In, -Place) is det.
%
%   Place is that of a goal: at(File, From, To), its characters in the text; of the clause it is
%   near(File, From) if its own is not known.

place(_, in(_, made(Place)), Made) =>
    Made = Place.
place(Position, in(_, clause(File, Begin)), Place) =>
    (   range(Position, From, To)
    ->  Place = at(File, From, To)
    ;   Place = near(File, Begin)
    ).

%!  located(+Place, -File, -Line, -Column, -Text) is semidet.
%
%   Text begins there, on one line; Column is 0 if it is not known.

located(at(File, From, To), File, Line, Column, Shown) :-
    source(File, Text),
    text_at(Text, From, To, Line, Column, Long),
    shortened(Long, 120, Shown).
located(near(File, From), File, Line, 0, Text) :-
    line(File, From, Line, _, Text).

%!  text_at(+Text, +From, +To, -Line, -Column, -Shown) is det.
%
%   Shown are these characters of a text on one line, without comments: a string, or the goal `true` would
%   become a value of JSON.

text_at(Text, From, To, Line, Column, Shown) :-
    position(Text, From, Line, Offset),
    Column is Offset+1,
    Length is To-From,
    sub_string(Text, From, Length, _, Piece),
    split_string(Piece, "\n", " \t\r", Lines),
    maplist(without_comment, Lines, Clean),
    atomic_list_concat(Clean, ' ', Joined),
    atom_string(Joined, Shown).

%!  range(?Position, -From, -To) is semidet.

range(Position, From, To) :-
    compound(Position),                 % such as From-To and term_position(From, To, _, _, _)
    arg(1, Position, From),
    arg(2, Position, To),
    integer(From),
    integer(To).

%   The character at this place is in this line, behind Offset others.

position(Text, At, Line, Offset) :-
    sub_string(Text, 0, At, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line),
    last(Lines, Last),
    string_length(Last, Offset).

without_comment(Line, Clean) :-
    (   sub_string(Line, Before, _, _, "  %")
    ->  sub_string(Line, 0, Before, _, Clean0),
        split_string(Clean0, "", " \t", [Clean])
    ;   Clean = Line
    ).

%!  shown(+Term, -Text) is det.
%
%   Text is the term in the operators of the program; what is not known is _.

shown(Term, "a term that holds itself") :-
    cyclic_term(Term),
    !.
shown(Term0, Text) :-
    copy_term_nat(Term0, Term),
    term_variables(Term, Variables),
    maplist(=('$VAR'('_')), Variables),
    (   own(_, Module, _, _)
    ->  true
    ;   Module = user
    ),
    format(string(Long), "~W",
           [Term, [quoted(true), numbervars(true), module(Module), spacing(standard)]]),
    shortened(Long, 160, Text).
