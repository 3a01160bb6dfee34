:- module(sudoku_notebook, []).
:- reexport(library(clpfd)).            % its operators are needed to read the query
:- use_module(library(lists), [member/2, subtract/3]).

/** <module> Support for queries in a notebook

A `%%prolog` cell with a query is a file whose first line loads this one and
gives the shape of the puzzle:

    :- use_module('notebook.pl'), assertz(sudoku_notebook:shape(3-3)).
    ?- sudoku_rules(Rows), Rows = [[A,B|_]|_], A #> B, maplist(label, Rows).

The query becomes the predicate cell_query(Rows), which the grader calls; its
variable Shape is the shape of sudoku/2. It may call the predicates of the cell and those
that sudoku.pl exports; the former take precedence. The other variables of the
query are printed for each answer.
*/

:- dynamic
    shape/1.            % until the query is read

:- multifile
    pls_runner:calls/1,
    user:term_expansion/2,
    user:message_hook/3.
:- dynamic
    user:term_expansion/2,
    user:message_hook/3.

pls_runner:calls(cell_query/1).

%   Autoloaded, so that a cell may define sudoku/1 itself without a warning.

:- prolog_load_context(directory, Here),
   forall(member(Name, [sudoku, 'sudoku/grid', 'sudoku/house', 'sudoku/puzzles',
                        'sudoku/explain']),
          ( atomic_list_concat([Here, '/../', Name, '.pl'], Path),
            user:autoload(Path) )).

user:term_expansion((?- Query), Clauses) :-
    prolog_load_context(variable_names, Names),
    sudoku_notebook:expansion(Query, Names, Clauses).

expansion(Query, Names, [(cell_query(Rows) :- Query, sudoku_notebook:print_bindings(Others))]) :-
    retract(shape(Shape)),
    !,
    ignore(memberchk('Rows'=Rows, Names)),
    ignore(memberchk('Shape'=Shape, Names)),
    subtract(Names, ['Rows'=_,'Shape'=_], Others).
expansion(_, _, []) :-
    print_message(error, format("a cell has one query, but another one precedes this", [])).

%   A variable that occurs once in a query is there to be shown.

user:message_hook(singletons((?- _), _), warning, _).

print_bindings(Bindings) :-
    findall(Text, ( member(Binding, Bindings), binding_text(Binding, Text) ), Texts),
    (   Texts == []
    ->  true
    ;   atomic_list_concat(Texts, ', ', Line),
        writeln(Line)
    ).

binding_text(Name=Value, Text) :-
    (   fd_var(Value)
    ->  fd_dom(Value, Domain),
        format(atom(Text), "~w in ~w", [Name, Domain])
    ;   nonvar(Value),
        format(atom(Text), "~w = ~W", [Name, Value, [quoted(true), portray(true), max_depth(40)]])
    ).
