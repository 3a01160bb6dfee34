:- module(sudoku_explain,
          [ explain/3,          % +Rows, +Cell, -Reason
            explain/4,          % +Rows, +Box, +Cell, -Reason
            candidates/2,       % +Rows, -Candidates
            candidates/3        % +Rows, +Box, -Candidates
          ]).
:- use_module('../sudoku', [sudoku_rules/2, sudoku_search/1, every_digit/1]).
:- use_module(grid, [must_be_grid/3, square_box/2, sudoku_houses/3]).
:- use_module(implied, [with_implied/3]).
:- use_module(search, [search/1, digits_left/2]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2, type_error/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, nth1/3, reverse/2]).
:- use_module(library(pairs), [pairs_keys_values/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Why a cell holds its digit

    ?- problem(small, Rows), explain(Rows, cell(1,2), Reason).
    ?- problem(six, Rows, Box), candidates(Rows, Box, Candidates).

Nothing here binds a cell of Rows. Constraints that the cells have already, such
as those of a variant, are taken for granted and need no reason.
*/

%!  explain(+Rows, +Cell, -Reason) is semidet.
%!  explain(+Rows, +Box, +Cell, -Reason) is semidet.
%
%   Reason tells what the puzzle Rows makes of the empty Cell, cell(Row,Column):
%
%     - because(Digit, Elements)
%     The cell has to hold Digit. Elements are houses, row(I), column(I) and
%     box(I), and givens, given(Row,Column,Digit), that force it, whatever else
%     stands in the grid. None of them can be spared, but there may be
%     a smaller set elsewhere.
%     - not_forced(Rows1, Rows2)
%     Two solutions that differ in the cell.
%     - given
%     The cell is not empty.
%
%   Fails if the cell is empty and the puzzle has no solution.
%
%   @error type_error, domain_error or instantiation_error as in sudoku/2, and if
%   Cell is no cell of Rows.

explain(Rows, Cell, Reason) :-
    square_box(Rows, Box),
    explain(Rows, Box, Cell, Reason).

explain(Rows, Box, Cell, Reason) :-
    must_be_grid(Rows, Box, Size),
    must_be_place(Size, Cell),
    place(Rows, Cell, Value),
    (   integer(Value)
    ->  Reason = given
    ;   solution(Rows, Box, Rows1),
        place(Rows1, Cell, Digit),
        (   findall(Rows2, ( Value #\= Digit, solution(Rows, Box, Rows2) ), [Rows2])
        ->  Reason = not_forced(Rows1, Rows2)
        ;   findall(Elements, forcing(Rows, Box, Value, Digit, Elements), [Elements]),
            Reason = because(Digit, Elements)
        )
    ).

must_be_place(Size, Cell) :-
    must_be(nonvar, Cell),
    (   Cell = cell(Row,Column)
    ->  must_be(between(1, Size), Row),
        must_be(between(1, Size), Column)
    ;   type_error(cell, Cell)
    ).

place(Rows, cell(X,Y), Cell) :-
    nth1(X, Rows, Row),
    nth1(Y, Row, Cell).

solution(Rows, Box, Solution) :-
    findall(Rows, limit(1, ( sudoku_rules(Rows, Box), sudoku_search(Rows) )), [Solution]).

%   Elements is a minimal set of givens and houses with which Cell cannot but hold
%   Digit. The first look takes only what is seen without search, as a person
%   would; it leaves a small set for the second, which is exact.

forcing(Rows, Box, Cell, Digit, Elements) :-
    maplist(maplist(emptied), Rows, Grid),
    sudoku_houses(Grid, Box, HousesOfCells),
    length(Rows, Size),
    findall(House, house(Size, House), Houses),
    pairs_keys_values(Named, Houses, HousesOfCells),
    Puzzle = puzzle(Grid, Named, Box),
    findall(given(X,Y,N), ( place(Rows, cell(X,Y), N), integer(N) ), Givens),
    append(Houses, Givens, All),
    append(Grid, Cells),
    (   Cells ins 1..Size,
        Cell #\= Digit
    ->  maplist(digit_choice, Cells, Choices),
        minimal(All, Puzzle, true, Seen),
        minimal(Seen, Puzzle, search(Choices), Elements)
    ;   Elements = []
    ).

emptied(Cell, Empty) :-
    (   var(Cell)
    ->  Empty = Cell
    ;   true
    ).

house(Size, House) :-
    member(Kind, [row,column,box]),
    between(1, Size, Number),
    House =.. [Kind,Number].

digit_choice(Cell, digit(Cell)).

%   Minimal are those of Elements, which contradict each other, that are needed for
%   the contradiction.

minimal(Elements, Puzzle, Search, Minimal) :-
    minimal(Elements, [], Puzzle, Search, Reversed),
    reverse(Reversed, Minimal).

minimal([], Needed, _, _, Needed).
minimal([Element|Elements], Needed0, Puzzle, Search, Minimal) :-
    append(Elements, Needed0, Others),
    (   possible(Others, Element, Puzzle, Search)
    ->  Needed = [Element|Needed0]
    ;   Needed = Needed0
    ),
    minimal(Elements, Needed, Puzzle, Search, Minimal).

possible(Elements, Left, Puzzle, Search) :-
    Puzzle = puzzle(_, _, Box),
    with_implied(Elements, Box, AllElements),
    \+ \+ ( maplist(post(Puzzle), AllElements),
            oppose(Left, Puzzle),
            call(Search) ).

post(puzzle(Grid, _, _), given(X,Y,Digit)) =>
    place(Grid, cell(X,Y), Digit).
post(puzzle(_, Houses, _), House) =>
    memberchk(House-Cells, Houses),
    all_different(Cells),
    every_digit(Cells).

%   As all elements together are a contradiction, without this one its opposite
%   must hold. For a house that is no help.

oppose(given(X,Y,Digit), puzzle(Grid, _, _)) =>
    place(Grid, cell(X,Y), Cell),
    Cell #\= Digit.
oppose(_, _) =>
    true.

%!  candidates(+Rows, -Candidates) is semidet.
%!  candidates(+Rows, +Box, -Candidates) is semidet.
%
%   Candidates are rows of lists: for each cell the digits that the rules leave,
%   by themselves, in its domain. No digit of a solution is missing, but some of
%   these digits may be in no solution; which, only a search could tell. Fails if
%   the rules find out that there is no solution.
%
%   @error as for sudoku_rules/2.

candidates(Rows, Candidates) :-
    square_box(Rows, Box),
    candidates(Rows, Box, Candidates).

candidates(Rows, Box, Candidates) :-
    findall(Digits,
            ( sudoku_rules(Rows, Box), maplist(maplist(digits_left), Rows, Digits) ),
            [Candidates]).
