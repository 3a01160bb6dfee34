:- module(sudoku_clauses, [line/5, meta_spec/3, node/4, own/4, read_program/1, shown/2,
                           translated/4, written/4]).
:- use_module(grader, [shortened/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [last/2, member/2, proper_length/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> The clauses of a program with their places in its text

read_program/1 fills own/4 with them. The body of a clause becomes a tree of nodes, which diagnosis.pl
runs: true, and/2, or/2, if/4, soft/3, not/3, cut/1 and goal/2, each with its place.
*/

:- dynamic
    own/4,              % Head, Module, Node, Place
    source/2,           % File, Text
    written/4.          % Module:Name/Arity, Term, Position, File

%!  read_program(+Program) is det.
%
%   Fills own/4 with the clauses of the program and of files that it loads from its folder. A
%   predicate whose clauses are not those of the text is called as it is.

read_program(Program) :-
    absolute_file_name(Program, Main),
    file_directory_name(Main, Folder),
    atom_concat(Folder, '/', Prefix),
    findall(Ours,
            ( member(Module, [sudoku_clauses, sudoku_diagnosis, sudoku_grader]),
              module_property(Module, file(Ours)) ),
            OurFiles),
    forall(( source_file(File),
             ( same_file(File, Main) -> true ; sub_atom(File, 0, _, _, Prefix) ),
             \+ memberchk(File, OurFiles) ),
           read_file(File)),
    findall(Home:Name/Arity,
            ( own(Head, Home, _, _), functor(Head, Name, Arity) ),
            All),
    sort(All, Different),
    forall(( member(Home:Name/Arity, Different), \+ as_written(Home, Name/Arity, All) ),
           ( functor(Head, Name, Arity), retractall(own(Head, Home, _, _)) )).

as_written(Module, Name/Arity, All) :-
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, dynamic),
    \+ predicate_property(Module:Head, tabled),
    predicate_property(Module:Head, number_of_clauses(Number)),
    aggregate_all(count, member(Module:Name/Arity, All), Number).

read_file(File) :-
    (   module_property(Module, file(File))
    ->  true
    ;   Module = user
    ),
    file_base_name(File, Name),
    catch(read_file_to_string(File, Text, []), _, fail),
    assertz(source(Name, Text)),
    setup_call_cleanup(open_string(Text, In),
                       read_clauses(In, Module, Name),
                       close(In)),
    !.
read_file(_).

read_clauses(In, Module, File) :-
    repeat,
    catch(read_term(In, Term, [module(Module), subterm_positions(Position)]), _, true),
    (   Term == end_of_file
    ->  !
    ;   catch(take_clause(Term, Position, Module, File), _, true),
        fail
    ).

take_clause(Term, Position0, Module, File) :-
    nonvar(Term),
    Term \= (:- _),
    Term \= (?- _),
    translated(Term, Position0, Clause, Position),
    (   Clause = (Head :- Body)
    ->  parts(Position, [HeadPosition, BodyPosition]),
        node(Body, BodyPosition, c(Module, File, Position), Node)
    ;   Head = Clause,
        HeadPosition = Position,
        Node = true
    ),
    place(HeadPosition, Position, File, Head, Place),
    functor(Head, Name, Arity),
    assertz(own(Head, Module, Node, Place)),
    assertz(written(Module:Name/Arity, Term, Position0, File)).

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

%   A place is at(File, Line, Column, Text).

place(Position, _, File, _, at(File, Line, Column, Shown)) :-
    range(Position, From, To),
    !,
    source(File, Text),
    position(Text, From, Line, Offset),
    Column is Offset+1,
    Length is To-From,
    sub_string(Text, From, Length, _, Piece),
    split_string(Piece, "\n", " \t\r", Lines),
    maplist(without_comment, Lines, Clean),
    atomic_list_concat(Clean, ' ', Joined),
    shortened(Joined, 120, Shown).
place(_, Clause, File, Goal, at(File, Line, 0, Shown)) :-
    (   range(Clause, From, _)
    ->  line(File, From, Line, _, _)
    ;   Line = 0
    ),
    shown(Goal, Shown).

range(Position, From, To) :-
    nonvar(Position),
    (   Position = From-To
    ;   compound(Position),
        arg(1, Position, From),
        arg(2, Position, To)
    ),
    integer(From),
    integer(To),
    !.

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

%!  node(+Body, ?Position, +Context, -Node) is det.

node(Body, Position, Context, Node) :-
    var(Body),
    !,
    goal_node(call(Body), Position, Context, Node).
node(Body, Position0, Context, Node) :-
    nonvar(Position0),
    Position0 = parentheses_term_position(_, _, Position),
    !,
    node(Body, Position, Context, Node).
node(Body, Position, Context, Node) :-
    control(Body, Position, Parts, Goal-GoalPosition, Place, Nodes, Node),
    !,
    goal_place(Goal, GoalPosition, Context, Place),
    maplist(node_of(Context), Parts, Nodes).
node(!, Position, Context, cut(Place)) :-
    !,
    goal_place(!, Position, Context, Place).
node(true, _, _, true) :- !.
node(Goal, Position, Context, Node) :-
    goal_node(Goal, Position, Context, Node).

node_of(Context, Body-Position, Node) :-
    node(Body, Position, Context, Node).

%   Node is that of a control structure, with the Nodes of its Parts, which are bodies with their
%   positions, and perhaps with the Place of a Goal.

control((A,B), P, [A-PA,B-PB], A-PA, _, [NA,NB], and(NA,NB)) :-
    parts(P, [PA,PB]).
control((I->T;E), P, [I-PI,T-PT,E-PE], I-PI, Place, [NI,NT,NE], if(Place,NI,NT,NE)) :-
    parts(P, [PA,PE]),
    parts(PA, [PI,PT]).
control((I*->T;E), P, [I-PI,T-PT,E-PE], I-PI, _, [NI,NT,NE], soft(NI,NT,NE)) :-
    parts(P, [PA,PE]),
    parts(PA, [PI,PT]).
control((I->T), P, [I-PI,T-PT], I-PI, Place, [NI,NT], if(Place,NI,NT,goal(fail,Place))) :-
    parts(P, [PI,PT]).
control((A;B), P, [A-PA,B-PB], A-PA, _, [NA,NB], or(NA,NB)) :-
    parts(P, [PA,PB]).
control(\+ A, P, [A-PA], (\+ A)-P, Place, [NA], not(Place,\+ A,NA)) :-
    parts(P, [PA]).

%   The bodies inside a goal such as findall/3 become closures that know their places.

goal_node(Goal0, Position, Context, goal(Goal, Place)) :-
    goal_place(Goal0, Position, Context, Place),
    Context = c(Module, _, _),
    (   meta_spec(Goal0, Module, Spec),
        parts(Position, Positions),
        is_list(Positions)
    ->  Goal0 =.. [Name|Arguments0],
        Spec =.. [_|Specs],
        inner_nodes(Arguments0, Specs, Positions, Context, Arguments),
        Goal =.. [Name|Arguments]
    ;   Goal = Goal0
    ).

inner_nodes([], [], _, _, []).
inner_nodes([Argument0|Arguments0], [Spec|Specs], [Position|Positions], Context,
            [Argument|Arguments]) :-
    (   inner_node(Argument0, Spec, Position, Context, Argument)
    ->  true
    ;   Argument = Argument0
    ),
    inner_nodes(Arguments0, Specs, Positions, Context, Arguments).

inner_node(Body, 0, Position, Context, sd_body(Node)) :-
    callable(Body),
    node(Body, Position, Context, Node).
inner_node(Free^Body, ^, Position, Context, Free^Inner) :-
    !,
    parts(Position, [_, BodyPosition]),
    inner_node(Body, ^, BodyPosition, Context, Inner).
inner_node(Body, ^, Position, Context, sd_body(Node)) :-
    callable(Body),
    node(Body, Position, Context, Node).
inner_node(Lambda, Spec, Position, Context, sd_lambda(Free, Parameters, Node)) :-
    integer(Spec),
    nonvar(Lambda),
    Lambda = (Left >> Body),
    callable(Body),
    (   nonvar(Left),
        Left = Free/Parameters
    ->  true
    ;   Free = [],
        Parameters = Left
    ),
    proper_length(Parameters, Spec),
    parts(Position, [_, BodyPosition]),
    node(Body, BodyPosition, Context, Node).

meta_spec(Goal, Module, Spec) :-
    callable(Goal),
    predicate_property(Module:Goal, meta_predicate(Spec)).

goal_place(_, _, c(_, Place, none), Place) :-       % a goal that is made while the program runs
    !.
goal_place(Goal, Position, c(_, File, Clause), Place) :-
    place(Position, Clause, File, Goal, Place).

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
    readable(Term, Plain),
    (   own(_, Module, _, _)
    ->  true
    ;   Module = user
    ),
    format(string(Long), "~W",
           [Plain, [quoted(true), numbervars(true), module(Module), spacing(standard)]]),
    shortened(Long, 160, Text).

%   Without our closures.

readable(Term, Term) :-
    \+ compound(Term),
    !.
readable(sd_body(_), '...') :- !.
readable(sd_lambda(_, Parameters, _), Parameters>>'...') :- !.
readable('$VAR'(Name), '$VAR'(Name)) :- !.
readable(Term0, Term) :-
    Term0 =.. [Name|Arguments0],
    maplist(readable, Arguments0, Arguments),
    Term =.. [Name|Arguments].
