:- module(sudoku_problems,
          [ problem/2,          % ?Id, ?Rows
            problem/3,          % ?Id, ?Rows, ?Shape
            problem/4           % ?Id, ?Rows, ?Shape, ?Rules
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(clpfd)).

/** <module> Sudoku puzzles to try

Every puzzle has one solution unless its comment says otherwise.
*/

%!  problem(?Id, ?Rows) is nondet.
%
%   Rows is the puzzle Id. If Id names a puzzle whose boxes are not square, a
%   message gives the query with its shape, which sudoku/2 and print_grid/2 need. If
%   Id is unbound, the puzzles are those with square boxes, which sudoku/1 takes.

problem(Id, Rows) :-
    (   ground(Id)
    ->  problem(Id, Rows, Shape),
        show_shape(Id, Shape)
    ;   problem(Id, Rows, Side-Side)
    ).

show_shape(_, Side-Side) :-
    !.
show_shape(Id, Shape) :-
    shape_text(Shape, Text),
    print_message(help, format("The puzzle ~q has ~w:~n\c
        ?- problem(~q, Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape).",
        [Id, Text, Id])).

shape_text(Height-Width, Text) :-
    format(atom(Text), "boxes that are ~d rows high and ~d columns wide", [Height, Width]).
shape_text(regions(_), 'regions instead of boxes').

%!  problem(?Id, ?Rows, ?Shape) is nondet.
%
%   Rows is the puzzle Id, a grid of this Shape.

%   1, 2 and 3 are puzzles that a web site called "diabolical".
problem(1,
    [[2,_,_,_,9,_,_,_,1],
     [3,_,9,_,_,7,_,_,_],
     [_,_,1,_,4,_,_,7,_],
     [_,6,_,_,_,_,_,_,_],
     [_,_,_,_,_,3,_,_,_],
     [_,_,8,6,_,_,7,9,_],
     [6,_,_,7,_,_,8,_,_],
     [1,2,3,_,_,8,_,_,_],
     [_,8,7,_,_,4,3,_,_]], 3-3).

problem(2,
    [[_,9,_,_,_,3,2,8,_],
     [5,_,_,_,_,_,3,9,_],
     [_,_,6,_,_,_,_,_,_],
     [6,_,_,8,_,_,4,_,5],
     [_,5,_,7,_,_,_,3,_],
     [_,_,9,_,4,6,_,_,_],
     [_,_,_,_,2,_,5,_,_],
     [_,8,_,6,_,_,_,_,_],
     [_,_,_,_,_,_,_,2,8]], 3-3).

problem(3,
    [[_,_,6,_,_,_,9,_,_],
     [_,_,_,6,_,_,_,7,5],
     [_,5,8,_,_,7,_,1,4],
     [_,6,_,_,1,_,_,5,7],
     [_,_,_,7,5,_,_,6,_],
     [_,_,_,_,_,_,3,_,_],
     [_,_,_,1,_,_,7,8,3],
     [_,1,_,_,_,3,_,4,_],
     [_,_,_,_,6,_,5,_,_]], 3-3).

%   The example of a university course on answer set programming.
problem(course,
    [[5,3,_,_,7,_,_,_,_],
     [6,_,_,1,9,5,_,_,_],
     [_,9,8,_,_,_,_,6,_],
     [8,_,_,_,6,_,_,_,3],
     [4,_,_,8,_,3,_,_,1],
     [7,_,_,_,2,_,_,_,6],
     [_,6,_,_,_,_,2,8,_],
     [_,_,_,4,1,9,_,_,5],
     [_,_,_,_,8,_,_,7,9]], 3-3).

%   The 9x9 example of asplain, a tool that explains answer sets. 176 solutions.
problem(asplain,
    [[_,_,_,7,_,9,6,_,_],
     [_,_,_,6,3,1,_,_,_],
     [_,_,9,_,2,8,_,_,_],
     [_,_,3,4,8,_,_,_,_],
     [8,_,_,_,_,_,7,_,_],
     [_,7,6,_,_,_,8,_,_],
     [4,_,5,9,7,_,_,_,_],
     [6,2,7,3,_,4,_,_,_],
     [_,9,_,_,5,6,_,_,_]], 3-3).

%   A puzzle of the smallest size worth drawing.
problem(small,
    [[4,_,_,_],
     [_,_,_,3],
     [_,_,_,1],
     [3,_,_,_]], 2-2).

%   Boxes need not be square: here they are 2 rows high and 3 columns wide.
problem(six,
    [[_,_,_,5,6,2],
     [_,_,_,_,_,_],
     [_,_,_,_,1,_],
     [_,2,6,_,_,_],
     [3,_,_,_,_,5],
     [_,4,_,_,_,_]], 2-3).

%   Made to be hard for people, by Arto Inkala. Needs search.
problem(hard,
    [[8,_,_,_,_,_,_,_,_],
     [_,_,3,6,_,_,_,_,_],
     [_,7,_,_,9,_,2,_,_],
     [_,5,_,_,_,7,_,_,_],
     [_,_,_,_,4,5,7,_,_],
     [_,_,_,1,_,_,_,3,_],
     [_,_,1,_,_,_,_,6,8],
     [_,_,8,5,_,_,_,1,_],
     [_,9,_,_,_,_,4,_,_]], 3-3).

%   Three solutions.
problem(several,
    [[_,_,3,_,_,_,_,_,6],
     [_,_,_,9,8,_,_,2,_],
     [9,4,2,6,_,_,7,_,_],
     [4,5,_,_,_,6,_,_,_],
     [_,_,_,_,_,_,_,_,_],
     [1,_,9,_,5,_,4,7,_],
     [_,_,_,_,2,5,_,4,_],
     [6,_,_,_,7,8,5,_,_],
     [_,_,_,_,_,_,_,_,_]], 3-3).

%   No solution, but nothing wrong at first sight.
problem(none,
    [[9,_,_,1,_,_,_,_,4],
     [_,1,4,_,3,_,8,_,_],
     [_,_,3,_,_,_,_,9,_],
     [_,_,_,7,_,8,_,_,1],
     [8,_,_,_,_,3,_,_,_],
     [_,_,_,_,_,_,_,3,_],
     [_,2,1,_,_,_,_,7,_],
     [_,_,9,_,4,_,5,_,_],
     [5,_,_,_,1,6,_,_,3]], 3-3).

%   The digits go up to 16.
problem(large,
    [[ _, _,13, _, _, _, _, 5,15,11, 7, _, _, _, _, _],
     [12,14, _, _,10, 4, 6,13, _, 1, _, _, _, _,16, _],
     [ _, _, _, _,16, _, _,11, _, _, 4, _, _, _, _, 5],
     [ _, _, _,16, _, 3, 8, 1, _, 5,12, 2, 6, _, _, _],
     [ _, _, _, _, _,14, _, _, 4, _, _,11, _, _, _, 2],
     [ _,12, _, 1, _,15, _, _, _, 9, 6,13, _, _, _, _],
     [14, 7, _, 5,13, _, _, 9,12, 2, 8, _, _, _,11, _],
     [15, 4,10, _, _, _,12, _, 7,16,14, _, _, _, _, 9],
     [ _, _, _, _, _, _, 5, _, _, 7,16,14, _, 9, 6, _],
     [ 9, _, _, _, _, _, _, 7,13, 4,10, _, _, _, 8,12],
     [16, _, 7, _, 6, _, 1, 3, _, _, _, _,13,10,15, _],
     [ 2, _,12, 8, _, _,13, 4, _, _, _, _,11,16,14, _],
     [ _, _, _, 3, _, _,10,15, _, _, _, _,16, 5, _, _],
     [ _, _, 6, _,12, _,16, _, _,15,11, 7, 2, _, _, 8],
     [ _, _, _, _, _, 1, 2, _, _,14, 5,12, _, _, _, _],
     [ 5, _, _,12, _, _, 9, _, 2, 8, 1, _, _, _, _, _]], 4-4).

%   A jigsaw: the letters are its regions.
problem(jigsaw,
    [[_,2,_,_,_,_,_,_,6],
     [_,_,_,_,3,_,_,_,1],
     [_,8,_,_,_,_,5,_,_],
     [_,_,6,_,_,_,4,_,_],
     [_,_,_,_,_,_,_,_,_],
     [7,_,_,9,2,1,_,_,_],
     [_,_,_,_,_,_,8,_,_],
     [_,_,_,_,8,9,_,4,_],
     [_,1,_,_,_,4,_,_,7]], regions(Labels)) :-
    maplist(atom_chars,
            [ abbcccddd,
              aabccdddd,
              aabcccdee,
              abbcffdee,
              abbffffee,
              aabfffeeg,
              hhiiiggeg,
              hhhiiiggg,
              hhhhiiigg ],
            Labels).

%   Cells with a name hold an even digit.
problem(even,
    [[_,_,_,_,_,_],
     [_a,_,4,_b,_,_],
     [_,4,5,_,1,_],
     [_,6,_,_c,_d,_],
     [_,_e,_,3,_,_],
     [_,_,_,_,_f,_]], 2-3) :-
    [_a,_b,_c,_d,_e,_f] ins 2 \/ 4 \/ 6.

%!  problem(?Id, ?Rows, ?Shape, ?Rules) is nondet.
%
%   Rows is the puzzle Id, a grid of this Shape with these Rules beyond plain sudoku.

problem(killer,
    [[_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_]], 2-3,
    [ killer_cage(cells=[1-1,2-1,3-1], sum=9),
      killer_cage(cells=[1-2,2-2], sum=9),
      killer_cage(cells=[1-3,1-4,1-5], sum=9),
      killer_cage(cells=[1-6,2-6], sum=8),
      killer_cage(cells=[2-3,2-4,3-3,3-4], sum=14),
      killer_cage(cells=[2-5,3-5], sum=7),
      killer_cage(cells=[3-2,4-2], sum=8),
      killer_cage(cells=[3-6,4-5,4-6,5-6], sum=14),
      killer_cage(cells=[4-1,5-1,5-2], sum=9),
      killer_cage(cells=[4-3,4-4,5-4,6-4], sum=14),
      killer_cage(cells=[5-3,6-3], sum=9),
      killer_cage(cells=[5-5,6-5,6-6], sum=9),
      killer_cage(cells=[6-1,6-2], sum=7)
    ]).

problem(thermometers,
    [[_,_,6,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,1,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_]], 2-3,
    [ thermometer(cells=[1-4,2-3,3-2,4-1]),
      thermometer(cells=[6-3,6-2,5-3,5-2]),
      thermometer(cells=[2-6,1-6,1-5,2-4,3-4]),
      thermometer(cells=[5-4,6-4,5-5,4-4])
    ]).
