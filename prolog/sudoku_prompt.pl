:- module(sudoku_prompt, []).
:- reexport(sudoku).
:- reexport(sudoku/grid, [sudoku_houses/3, print_grid/1, print_grid/2]).
:- reexport(sudoku/puzzles, [problem/2, problem/3, problem/4]).
:- reexport(sudoku/explain, [explain/3, explain/4, explain/5,
                             candidates/2, candidates/3, candidates/4]).
:- reexport(sudoku/trace, [trace_sudoku/1, trace_sudoku/2, trace_sudoku/3]).
:- reexport(sudoku/certificate, [check_certificate/1]).
:- reexport(rules/rule, [cells/3, cells/4, get/3, get/4, grid_at/3, grid_shape/2, grid_size/2,
                         related/3]).

/** <module> All of it at the prompt of swipl

sudoku.pl, with puzzles to try, printing, candidates, explanations, certificates, and the tools
for a custom rule.

    $ swipl prolog/sudoku_prompt.pl                 or ?- use_module(library(sudoku_prompt)).
    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    ?- problem(six, Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape).
    ?- problem(killer, Rows, Shape, Rules), sudoku(Rows, Shape, Rules), print_grid(Rows, Shape).
    ?- problem(asplain, Rows), candidates(Rows, Candidates).
    ?- problem(small, Rows), explain(Rows, cell(1,2), Reason).
    ?- problem(several, Rows), trace_sudoku(Rows).

A rule beyond plain sudoku is a term with the fields that docs/rules.md lists; a cell is Row-Column
(see rules/rule.pl). check_certificate/1 checks a proof that `pylogic-sudoku certify -o FILE.pl`
has written (see sudoku/certificate.pl).
*/

%   A wrong query is answered by its error, and not by the debugger, which beginners cannot leave.

:- set_prolog_flag(debug_on_error, false).

%   Some builds of SWI-Prolog, such as that of `make setup`, have no help/1, which the greeting offers.

:- if(\+ exists_source(library(help))).
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(welcome, banner, _) :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    print_message_lines(user_error, '',
        [ 'SWI-Prolog ~d.~d.~d with sudoku/1 to sudoku/3.'-[Major,Minor,Patch], nl,
          'Try ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).   To leave: ?- halt.', nl, nl ]).
:- endif.
