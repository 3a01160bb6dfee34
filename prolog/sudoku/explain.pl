:- module(sudoku_explain,
          [ explain/3,          % +Rows, +Cell, -Reason
            explain/4,          % +Rows, +Shape, +Cell, -Reason
            explain/5,          % +Rows, +Shape, +Rules, +Cell, -Reason
            candidates/2,       % +Rows, -Candidates
            candidates/3,       % +Rows, +Shape, -Candidates
            candidates/4        % +Rows, +Shape, +Rules, -Candidates
          ]).
:- use_module('../sudoku', [sudoku/3, sudoku_rules/3]).
:- use_module(consistent, [consistent/6]).
:- use_module(grid, [grid_cell/4, house_name/3, must_be_grid/3, named_houses/3, square_box/2]).
:- use_module(search, [digits_left/2]).
:- use_module(library(apply), [maplist/3, partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2, type_error/2]).
:- use_module(library(lists), [append/3, member/2, reverse/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Why a cell holds its digit

    ?- problem(small, Rows), explain(Rows, cell(1,2), Reason).
    ?- problem(jigsaw, Rows, Shape), explain(Rows, Shape, cell(1,2), Reason).
    ?- problem(six, Rows, Shape), candidates(Rows, Shape, Candidates).
    ?- problem(small, Rows),
       explain(Rows, 2-2, [thermometer(cells=[1-3,1-2])], cell(1,2), Reason).

Nothing here binds a cell of Rows. Constraints that the cells already have, such
as marks (`A in 1\/3\/5`), are taken for granted: they hold, and a reason does not
name them.
*/

%!  explain(+Rows, +Cell, -Reason) is semidet.
%!  explain(+Rows, +Shape, +Cell, -Reason) is semidet.
%!  explain(+Rows, +Shape, +Rules, +Cell, -Reason) is semidet.
%
%   Reason is what the puzzle Rows makes of Cell, cell(Row,Column):
%
%     - because(Digit, Elements)
%     The cell has to hold Digit. Elements are houses, such as row(I), column(I),
%     box(I) or region(I), those of Rules that matter, and givens,
%     given(Row,Column,Digit), that force it, whatever else is in the grid. All of
%     them are needed, but a different set may be smaller.
%     - not_forced(Rows1, Rows2)
%     Two solutions that differ in the cell.
%     - given
%     The cell is not empty.
%
%   Fails if the cell is empty and the puzzle has no solution.
%
%   @error type_error, domain_error, instantiation_error or existence_error as in
%   sudoku/3, and if Rows do not have Cell.

explain(Rows, Cell, Reason) :-
    square_box(Rows, Shape),
    explain(Rows, Shape, Cell, Reason).

explain(Rows, Shape, Cell, Reason) :-
    explain(Rows, Shape, [], Cell, Reason).

explain(Rows, Shape, Rules, Cell, Reason) :-
    must_be_grid(Rows, Shape, Size),
    must_be_cell_of(Size, Cell, Row, Column),
    grid_cell(Rows, Row, Column, Value),
    (   integer(Value)
    ->  Reason = given
    ;   solution(Rows, Shape, Rules, Rows1),
        grid_cell(Rows1, Row, Column, Digit),
        (   findall(Rows2, ( Value #\= Digit, solution(Rows, Shape, Rules, Rows2) ), [Rows2])
        ->  Reason = not_forced(Rows1, Rows2)
        ;   forcing(Rows, Shape, Rules, [Row,Column,Digit], Elements),
            Reason = because(Digit, Elements)
        )
    ).

must_be_cell_of(Size, Cell, Row, Column) :-
    must_be(nonvar, Cell),
    (   Cell = cell(Row,Column)
    ->  must_be(between(1, Size), Row),
        must_be(between(1, Size), Column)
    ;   type_error(cell, Cell)
    ).

solution(Rows, Shape, Rules, Solution) :-
    findall(Rows, limit(1, sudoku(Rows, Shape, Rules)), [Solution]).

%   Elements is a minimal set of houses, Rules and givens that do not allow the cell another digit
%   than Placement says. The first pass takes only what is seen without search, as a person would;
%   it leaves a small set for the second, which is exact.

forcing(Rows, Shape, Rules, Placement, Elements) :-
    named_houses(Rows, Shape, Houses),
    findall(Demand,
            (   member(Name-_, Houses), house_name(Kind, Number, Name), Demand = house(Kind,Number)
            ;   member(Rule, Rules), Demand = rule(Rule)
            ;   grid_cell(Rows, X, Y, N), integer(N), Demand = [X,Y,N]
            ),
            Demands),
    maplist(maplist(emptied), Rows, Grid),
    Puzzle = puzzle(Grid, Shape, Placement),
    minimal(Demands, [], Puzzle, propagation, Seen),
    minimal(Seen, [], Puzzle, search, Needed),
    maplist(element, Needed, Elements).

element(house(Kind,Number), House) => house_name(Kind, Number, House).
element(rule(Rule), Element)       => Element = Rule.
element([X,Y,N], Given)            => Given = given(X,Y,N).

emptied(Cell, Empty) :-
    (   var(Cell)
    ->  Empty = Cell
    ;   true
    ).

%   Demands, with those that are Needed, contradict each other. Minimal are those that the
%   contradiction needs.

minimal([], Needed, _, _, Minimal) :-
    reverse(Needed, Minimal).
minimal([Demand|Demands], Needed0, Puzzle, How, Minimal) :-
    append(Demands, Needed0, Others),
    (   possible(Others, Demand, Puzzle, How)
    ->  Needed = [Demand|Needed0]
    ;   Needed = Needed0
    ),
    minimal(Demands, Needed, Puzzle, How, Minimal).

%   All demands together are a contradiction. So without this given, its opposite must hold. The
%   opposite of a house or a rule is of no use here.

possible(Demands, Left, puzzle(Grid, Shape, Placement), How) :-
    partition(is_list, Demands, Givens, Rules),
    (   is_list(Left)
    ->  Excluded = [Left,Placement]
    ;   Excluded = [Placement]
    ),
    \+ \+ consistent(Grid, Shape, [cells|Rules], Givens, Excluded, How).

%!  candidates(+Rows, -Candidates) is semidet.
%!  candidates(+Rows, +Shape, -Candidates) is semidet.
%!  candidates(+Rows, +Shape, +Rules, -Candidates) is semidet.
%
%   Candidates are rows of lists: for each cell the digits that the rules leave in
%   its domain. No digit of a solution is missing, but some of these digits may be
%   in no solution; only a search could find these. Fails if the rules show that
%   there is no solution.
%
%   @error as for sudoku_rules/3.

candidates(Rows, Candidates) :-
    square_box(Rows, Shape),
    candidates(Rows, Shape, Candidates).

candidates(Rows, Shape, Candidates) :-
    candidates(Rows, Shape, [], Candidates).

candidates(Rows, Shape, Rules, Candidates) :-
    findall(Digits,
            ( sudoku_rules(Rows, Shape, Rules), maplist(maplist(digits_left), Rows, Digits) ),
            [Candidates]).
