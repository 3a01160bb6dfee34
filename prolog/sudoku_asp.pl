:- module(sudoku_asp,
          [ asp_sudoku/1,       % ?Rows
            asp_sudoku/2        % ?Rows, +Shape
          ]).
:- use_module(sudoku/grid, [grid_labels/3, must_be_grid/3, square_box/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/2]).

/** <module> The answer set engine, asked from Prolog

The same relation as sudoku/1, but clingo searches: through janus, the bridge to
Python, and the Python package pylogic_sudoku.

    $ swipl prolog/sudoku_prompt.pl prolog/sudoku_asp.pl
    ?- problem(1, Rows), asp_sudoku(Rows), print_grid(Rows).
    ?- problem(jigsaw, Rows, Shape), asp_sudoku(Rows, Shape), print_grid(Rows, Shape).
    ?- problem(1, Rows), asp_sudoku(Rows), sudoku(Rows).    % both engines

With the pack, or after `pylogic-sudoku program prolog --open`, both files are libraries:
`?- use_module(library(sudoku_asp)).`

Needs a swipl with library(janus), and a Python with the package: that of the
active virtual environment (the variable VIRTUAL_ENV), if there is one.
*/

%!  asp_sudoku(?Rows) is nondet.
%!  asp_sudoku(?Rows, +Shape) is nondet.
%
%   True if Rows is a full sudoku grid of this Shape; without Shape, the boxes are
%   square. Every solution comes exactly once on backtracking, as clingo finds it.
%   clingo knows which digits each cell may hold by itself, as in `A in 1\/3\/5`;
%   other constraints on the cells hold too, but are checked only when a grid is full.
%
%   @error as in sudoku/2, and existence_error or a Python error if janus or the
%   Python package is not found.

asp_sudoku(Rows) :-
    square_box(Rows, Shape),
    asp_sudoku(Rows, Shape).

asp_sudoku(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    python_shape(Shape, Size, Height, Width, Labels),
    append(Rows, Cells),
    maplist(allowed(Size), Cells, Allowed),
    python_solution(Allowed, Height, Width, Labels, Cells).

python_shape(Height-Width, _, Height, Width, []).
python_shape(regions(Labels0), Size, 1, Size, Labels) :-
    grid_labels(Size, regions(Labels0), Labels).

allowed(Size, Cell, Digits) :-
    findall(Digit, ( between(1, Size, Digit), \+ Cell \= Digit ), Digits).

:- if(exists_source(library(janus))).
:- use_module(library(janus), [py_add_lib_dir/2, py_iter/2]).
:- use_module(library(filesex), [directory_file_path/3]).

python_solution(Allowed, Height, Width, Labels, Cells) :-
    find_python_package,
    py_iter('pylogic_sudoku.engines.sudoku.prompt':asp_solutions(Allowed, Height, Width, Labels),
            Cells).

%   The package is beside this file's folder or, once installed, around it.

:- table find_python_package/0.

find_python_package :-
    module_property(sudoku_asp, file(This)),
    (   above(This, Folder),
        directory_file_path(Folder, 'pylogic_sudoku/__init__.py', Package),
        exists_file(Package)
    ->  py_add_lib_dir(Folder, last)
    ;   true
    ).

%   Folder is one of those that contain File, from the inside out.

above(File, Folder) :-
    file_directory_name(File, Folder0),
    Folder0 \== File,
    (   Folder = Folder0
    ;   above(Folder0, Folder)
    ).

:- else.

python_solution(_, _, _, _, _) :-
    throw(error(existence_error(library, janus),
                context(asp_sudoku/2, 'this swipl was built without Python'))).

:- endif.
