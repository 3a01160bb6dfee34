:- module(sudoku_ahead,
          [ label_ahead/1       % ?Cells
          ]).
:- use_module(board).
:- use_module(library(apply), [foldl/4, maplist/2]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [numlist/3]).

/** <module> A search that looks ahead on sets of digits

Like bits.pl, this file uses internals of library(clpfd): what fd_get/3 gives, and the
names of the propagators of all_different/1. If other versions have other names, the
search is only slower.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  label_ahead(?Cells) is nondet.
%
%   Has the solutions of labeling([ff], Cells), perhaps in another order. Cells are
%   variables. A choice is tried on a board of the houses first (see board.pl), and clpfd
%   hears of it only if that is not a dead end. If Cells have no other constraints, it hears
%   only of whole grids.

label_ahead(Cells) :-
    posted_houses(Cells, Houses),
    (   Houses = [_|_],
        term_variables([Cells|Houses], All),
        All == Cells                    % else there are cells that are not to be labelled
    ->  board(Cells, Houses, Board),
        length(Cells, Last),
        numlist(1, Last, Numbers),
        (   only_houses(Cells, Board)
        ->  search(Numbers, [], Board)
        ;   search(Numbers, Cells, Board)
        ),
        tell(Cells, Board)
    ;   labeling([ff], Cells)
    ).

%   Cells are numbers, those of all open cells and perhaps of others. clpfd hears at each
%   step of Listeners: all cells or none.

search(Cells, Listeners, Board) :-
    agree(Listeners, Board),
    Board = board(Sets, Seen, _, _, Weights),
    smallest(Cells, Sets, inf, [], Smallest, Open),
    (   heaviest(Smallest, Weights, Cell)
    ->  arg(Cell, Sets, Set),
        arg(Cell, Seen, Houses),
        First is Set /\ -Set,
        (   Tried = First
        ;   Tried is Set - First
        ),
        setarg(Cell, Sets, Tried),
        settle(Houses, Board),
        search(Open, Listeners, Board)
    ;   true
    ).

%   Open are those of the cells that have several digits, and Smallest those of them
%   that have the fewest, the last one first. The search takes the first of those with the
%   most dead ends, a simple form of what Boussemart and others (2004) call weighted
%   degrees, and so needs half as many choices as if it took the first of all.

smallest([], _, _, Smallest, Smallest, []).
smallest([Cell|Cells], Sets, Size0, Smallest0, Smallest, Open) :-
    arg(Cell, Sets, Set),
    Size is popcount(Set),
    (   Size =:= 1
    ->  smallest(Cells, Sets, Size0, Smallest0, Smallest, Open)
    ;   Open = [Cell|Open1],
        (   Size =:= Size0
        ->  smallest(Cells, Sets, Size0, [Cell|Smallest0], Smallest, Open1)
        ;   Size > Size0
        ->  smallest(Cells, Sets, Size0, Smallest0, Smallest, Open1)
        ;   smallest(Cells, Sets, Size, [Cell], Smallest, Open1)
        )
    ).

heaviest([First|Cells], Weights, Cell) :-
    arg(First, Weights, Weight),
    heaviest(Cells, Weights, Weight, First, Cell).

heaviest([], _, _, Cell, Cell).
heaviest([Cell1|Cells], Weights, Weight0, Cell0, Cell) :-
    arg(Cell1, Weights, Weight1),
    (   Weight1 >= Weight0
    ->  heaviest(Cells, Weights, Weight1, Cell1, Cell)
    ;   heaviest(Cells, Weights, Weight0, Cell0, Cell)
    ).

%   What the board knows is told to clpfd, and what clpfd then knows of Cells is heard. To
%   repeat that until neither learns more takes longer.

agree([], _) :-
    !.
agree(Cells, Board) :-
    tell(Cells, Board),
    hear(Cells, Board).

%   Houses are those for which every_digit/1 is posted on some of the variables Cells.

posted_houses([], []).
posted_houses([Cell|Cells], Houses) :-
    clpfd:fd_get(Cell, _, fd_props(_, _, Propagators)),
    houses_of(Propagators, Cell, Houses, Houses1),
    posted_houses(Cells, Houses1).

houses_of([], _, Houses, Houses).
houses_of([propagator(Constraint, _)|Propagators], Cell, Houses0, Houses) :-
    (   Constraint = every_digit(House),
        term_variables(House, [First|_]),
        First == Cell                   % so that it comes once
    ->  Houses0 = [House|Houses1]
    ;   Houses0 = Houses1
    ),
    houses_of(Propagators, Cell, Houses1, Houses).

%   True if Cells have no constraints but those of the houses of the board.

only_houses(Cells, Board) :-
    arg(2, Board, Seen),
    number_cells(Cells),
    maplist(only_houses_of_cell(Seen), Cells),
    clear_numbers(Cells).

only_houses_of_cell(Seen, Cell) :-
    get_attrs(Cell, att(clpfd, _, att(sudoku_board, _, []))),
    clpfd:fd_get(Cell, _, fd_props(Different, [], EveryDigit)),
    maplist(about_a_house, EveryDigit),
    maplist(different_in_a_house(Cell, Seen), Different).

about_a_house(propagator(every_digit(_), _)).

different_in_a_house(Cell, Seen, propagator(pdifferent(_, _, _, original_goal(_, Goal)), _)) :-
    Goal = all_different(Cells),
    term_variables(Cells, Open),
    (   Open = [First|_],
        First == Cell                   % so that it is looked at once
    ->  foldl(houses_in_common(Seen), Open, -1, Houses),
        Houses =\= 0
    ;   true
    ).

houses_in_common(Seen, Cell, Houses0, Houses) :-
    cell_number(Cell, Number),
    arg(Number, Seen, HousesOfCell),
    Houses is Houses0 /\ HousesOfCell.
