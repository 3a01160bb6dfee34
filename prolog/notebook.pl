:- module(sudoku_notebook, []).
:- reexport(library(clpfd)).            % its operators are needed to read the query
:- use_module(library(lists), [member/2, select/3]).

/** <module> What a query in a notebook is run with

A `%%prolog` cell that has a query is a file whose first line loads this one
and tells the shape of the boxes:

    :- use_module('notebook.pl'), assertz(sudoku_notebook:box(3-3)).
    ?- sudoku_rules(Rows), Rows = [[A,B|_]|_], A #> B, sudoku_search(Rows).

The query becomes the predicate cell_query(Rows), which the grader calls, and
Box in it is the shape of the boxes. It may ask whatever sudoku.pl exports; what
the cell itself defines comes first. The other variables of the query are
printed for each answer.
*/

:- dynamic
    box/1.              % Rows-Columns, until the query is read

:- multifile
    user:term_expansion/2,
    user:message_hook/3.
:- dynamic
    user:term_expansion/2,
    user:message_hook/3.

%   Autoloaded, so that a cell that defines sudoku/1 itself is not warned.

:- prolog_load_context(directory, Here),
   forall(member(File, ['sudoku.pl', 'sudoku/rules.pl', 'sudoku/grid.pl', 'sudoku/house.pl',
                 'sudoku/problems.pl']),
          ( directory_file_path(Here, File, Path),
            user:autoload(Path) )).

user:term_expansion((?- Query), Clauses) :-
    prolog_load_context(variable_names, Names),
    sudoku_notebook:expansion(Query, Names, Clauses).

expansion(Query, Names, [(cell_query(Rows) :- Query, sudoku_notebook:tell(Others))]) :-
    retract(box(Box)),
    !,
    without('Rows'=Rows, Names, Names1),
    without('Box'=Box, Names1, Others).
expansion(_, _, []) :-
    print_message(error, format("a cell asks one query, and another one stands before this", [])).

without(Binding, Names, Others) :-
    (   select(Binding, Names, Others)
    ->  true
    ;   Others = Names
    ).

%   A variable that a query names once is there to be shown.

user:message_hook(singletons((?- _), _), warning, _).

tell(Bindings) :-
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
