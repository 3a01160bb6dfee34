:- module(sudoku_puzzles,
          [ problem/2,          % ?Id, ?Rows
            problem/3,          % ?Id, ?Rows, ?Shape
            problem/4           % ?Id, ?Rows, ?Shape, ?Rules
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, same_length/2]).

/** <module> Sudoku puzzles to try

Every puzzle has one solution unless its comment says otherwise.
*/

%!  problem(?Id, ?Rows) is nondet.
%
%   Rows is the puzzle Id, whose boxes are square, as sudoku/1 takes them.

problem(Id, Rows) :-
    problem(Id, Rows, Side-Side).

%!  problem(?Id, ?Rows, ?Shape) is nondet.
%
%   Rows is the puzzle Id, a grid of this Shape.

problem(Id, Rows, Shape) :-
    line(Id, Shape, Line),
    line_rows(Line, Rows).
problem(jigsaw, Rows, regions(Labels)) :-       % the letters are its regions
    line_rows(".2......6....3...1.8....5....6...4...........7..921.........8......89.4..1...4..7", Rows),
    maplist(atom_chars,
            [ abbcccddd, aabccdddd, aabcccdee, abbcffdee, abbffffee,
              aabfffeeg, hhiiiggeg, hhhiiiggg, hhhhiiigg ],
            Labels).
problem(even,
    [[_,_,_,_,_,_],
     [_a,_,4,_b,_,_],
     [_,4,5,_,1,_],
     [_,6,_,_c,_d,_],
     [_,_e,_,3,_,_],
     [_,_,_,_,_f,_]], 2-3) :-                % cells with a name hold an even digit
    [_a,_b,_c,_d,_e,_f] ins 2 \/ 4 \/ 6.

%   Rows are those of a line: a dot is an empty cell, and the letters from A on are the digits from
%   10 on.

line_rows(Line, Rows) :-
    string_chars(Line, Chars),
    length(Chars, Area),
    Size is truncate(sqrt(Area)),
    length(Rows, Size),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    maplist(char_cell, Chars, Cells).

char_cell(Char, Cell) :-
    (   Char == '.'
    ->  true
    ;   once(sub_atom('123456789ABCDEFG', Before, 1, _, Char)),
        Cell is Before + 1
    ).

%   1, 2 and 3 are puzzles that a web site called "diabolical".
line(1, 3-3,
     "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..").
line(2, 3-3,
     ".9...328.5.....39...6......6..8..4.5.5.7...3...9.46.......2.5...8.6............28").
line(3, 3-3,
     "..6...9.....6...75.58..7.14.6..1..57...75..6.......3.....1..783.1...3.4.....6.5..").

%   The example of a university course on answer set programming.
line(course, 3-3,
     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").

%   The 9x9 example of asplain, a tool that explains answer sets. 176 solutions.
line(asplain, 3-3,
     "...7.96.....631.....9.28.....348....8.....7...76...8..4.597....6273.4....9..56...").

%   A puzzle of the smallest size worth drawing.
line(small, 2-2, "4......3...13...").

%   Boxes need not be square: here they are 2 rows high and 3 columns wide.
line(six, 2-3, "...562..........1..26...3....5.4....").

%   Made to be hard for people, by Arto Inkala. Needs search.
line(hard, 3-3,
     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..").

%   Three solutions.
line(several, 3-3,
     "..3.....6...98..2.9426..7..45...6............1.9.5.47.....25.4.6...785...........").

%   No solution, but nothing wrong at first sight.
line(none, 3-3,
     "9..1....4.14.3.8....3....9....7.8..18....3..........3..21....7...9.4.5..5...16..3").

%   The digits go up to 16.
line(large, 4-4,
     "..D....5FB7.....CE..A46D.1....G.....G..B..4....5...G.381.5C26...\c
      .....E..4..B...2.C.1.F...96D....E7.5D..9C28...B.F4A...C.7GE....9\c
      ......5..7GE.96.9......7D4A...8CG.7.6.13....DAF.2.C8..D4....BGE.\c
      ...3..AF....G5....6.C.G..FB72..8.....12..E5C....5..C..9.281.....").

%!  problem(?Id, ?Rows, ?Shape, ?Rules) is nondet.
%
%   Rows is the puzzle Id, a grid of this Shape with these Rules beyond plain sudoku.

problem(killer, Rows, 2-3,
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
    ]) :-
    line_rows("....................................", Rows).

problem(thermometers, Rows, 2-3,
    [ thermometer(cells=[1-4,2-3,3-2,4-1]),
      thermometer(cells=[6-3,6-2,5-3,5-2]),
      thermometer(cells=[2-6,1-6,1-5,2-4,3-4]),
      thermometer(cells=[5-4,6-4,5-5,4-4])
    ]) :-
    line_rows("..6.............1...................", Rows).
