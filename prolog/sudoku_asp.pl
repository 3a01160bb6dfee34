:- module(sudoku_asp,
          [ asp_sudoku/1,       % ?Rows
            asp_sudoku/2        % ?Rows, +Box
          ]).
:- use_module(sudoku/grid, [must_be_grid/3, square_box/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/2]).

/** <module> The answer set engine, asked from Prolog

The same relation as sudoku/1, but it is clingo that searches: through janus, the
bridge to Python, and the Python package pylogic_sudoku.

    ?- use_module(library(sudoku_asp)).
    ?- problem(1, Rows), asp_sudoku(Rows), print_grid(Rows).
    ?- problem(1, Rows), asp_sudoku(Rows), sudoku(Rows).    % both engines

Needs a swipl with library(janus), and a Python with the package: that of the
virtual environment that is active, if any.
*/

%!  asp_sudoku(?Rows) is nondet.
%!  asp_sudoku(?Rows, +Box) is nondet.
%
%   True if Rows is a full sudoku grid with boxes of the shape Box, which is square
%   if not given. Every solution comes exactly once on backtracking, as clingo
%   finds it. Constraints on the cells of Rows hold too, but only once a grid is
%   full.
%
%   @error as in sudoku/2, and existence_error or a Python error where janus or
%   the Python package cannot be found.

asp_sudoku(Rows) :-
    square_box(Rows, Box),
    asp_sudoku(Rows, Box).

asp_sudoku(Rows, Height-Width) :-
    must_be_grid(Rows, Height-Width, _),
    append(Rows, Cells),
    maplist(digit, Cells, Digits),
    python_solution(Digits, Height, Width, Cells).

digit(Cell, Digit) :-
    (   integer(Cell)
    ->  Digit = Cell
    ;   Digit = 0
    ).

:- if(exists_source(library(janus))).
:- use_module(library(janus), [py_add_lib_dir/2, py_iter/2]).
:- use_module(library(filesex), [directory_file_path/3]).

python_solution(Digits, Height, Width, Cells) :-
    find_python_package,
    py_iter('pylogic_sudoku.engines.prolog.swipl':asp_solutions(Digits, Height, Width), Cells).

%   The package stands beside this file's folder or, once installed, around it. What it
%   needs is in the virtual environment that is active, else in that of this swipl.

:- table find_python_package/0.

find_python_package :-
    (   \+ getenv('VIRTUAL_ENV', _),
        current_prolog_flag(executable, Program),
        above(Program, Environment),
        directory_file_path(Environment, 'pyvenv.cfg', File),
        exists_file(File)
    ->  setenv('VIRTUAL_ENV', Environment)
    ;   true
    ),
    module_property(sudoku_asp, file(This)),
    (   above(This, Folder),
        directory_file_path(Folder, 'pylogic_sudoku/__init__.py', Package),
        exists_file(Package)
    ->  py_add_lib_dir(Folder, last)
    ;   true
    ).

%   Folder is one that File stands in, from the inside out.

above(File, Folder) :-
    file_directory_name(File, Folder0),
    Folder0 \== File,
    (   Folder = Folder0
    ;   above(Folder0, Folder)
    ).

:- else.

python_solution(_, _, _, _) :-
    throw(error(existence_error(library, janus),
                context(asp_sudoku/2, 'this swipl was built without Python'))).

:- endif.
