:- module(sudoku_board,
          [ narrow/1,           % ?Houses
            label_ahead/1       % ?Cells
          ]).
:- use_module(house, [candidate_set/2, locked_digits/2]).
:- use_module('../rules/bits', [digit_set/2, restrict_all/2]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(clpfd)).

/** <module> All houses at once, as sets of digits

Constraints are general, and so each step of one is dear. Much of a sudoku needs only
sets of digits, which are integers here, with bit D for digit D. A board has such a set
for each cell, and finds what the houses exclude by themselves:

  - narrow/1 looks at a board before constraints are posted, so that these are about
    fewer cells and fewer digits;
  - label_ahead/1 makes each choice of a search on a board first, so that clpfd does not
    hear of most dead ends.

Whatever a board excludes has no solution, and clpfd has the last word. So other
constraints may be posted before or after.

A board is board(Sets, Seen, Houses, Digits): the set and the houses of each cell, and
for each house the numbers of its open cells and the digits that are left for them.
Cells are numbered from 1; a set of houses is an integer, with bit H-1 for house H. The
four terms are changed in place, and backtracking undoes that.

Like house.pl, this file reads the domains and propagators of library(clpfd).
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  narrow(?Houses) is semidet.
%
%   Removes from the cells of Houses, which are in 1..n, what the houses exclude: digits
%   that are placed already, all others where a digit has its only place, and, once, the
%   digits of other cells that need all of theirs (see locked_digits/2). A cell with one
%   digit left is filled in. Posts no constraint.

narrow(Houses) :-
    term_variables(Houses, Cells),
    board(Cells, Houses, Board),
    settle_all(Board),
    look_far(Board),
    tell(Cells, Board).

%!  label_ahead(?Cells) is nondet.
%
%   True if labeling([ff], Cells) is. Dead ends that sets of digits show are not tried in
%   clpfd: it hears of each choice afterwards. If the houses are the only constraints, it
%   hears of whole grids alone.

label_ahead(Cells) :-
    posted_houses(Cells, Houses),
    (   Houses = [_|_],
        term_variables(Cells-Houses, All),
        All == Cells                    % else there are cells that are not to be labelled
    ->  board(Cells, Houses, Board),
        settle_all(Board),
        (   only_houses(Cells, Board)
        ->  search([], Board)
        ;   search(Cells, Board)
        ),
        tell(Cells, Board)
    ;   labeling([ff], Cells)
    ).

%   Tells clpfd about Listeners, the cells that may have other constraints, at each step.

search(Listeners, Board) :-
    agree(Listeners, Board),
    Board = board(Sets, Seen, _, _),
    (   smallest_open(Sets, Cell)
    ->  arg(Cell, Sets, Set),
        arg(Cell, Seen, Changed),
        First is Set /\ -Set,
        (   Tried = First
        ;   Tried is Set - First
        ),
        setarg(Cell, Sets, Tried),
        settle(Changed, Board),
        search(Listeners, Board)
    ;   true
    ).

smallest_open(Sets, Cell) :-
    functor(Sets, _, Last),
    smallest_open(1, Last, Sets, 0, 0, Cell),
    Cell > 0.

%   The first of those with the fewest digits.

smallest_open(Number, Last, Sets, Size0, Cell0, Cell) :-
    (   Number > Last
    ->  Cell = Cell0
    ;   arg(Number, Sets, Set),
        Size is popcount(Set),
        Next is Number + 1,
        (   Size =:= 2
        ->  Cell = Number
        ;   Size > 1,
            ( Size < Size0 ; Cell0 =:= 0 )
        ->  smallest_open(Next, Last, Sets, Size, Number, Cell)
        ;   smallest_open(Next, Last, Sets, Size0, Cell0, Cell)
        )
    ).

%   What the board knows and what clpfd knows of Cells, until neither learns more.

agree([], _) :-
    !.
agree(Cells, Board) :-
    tell(Cells, Board),
    Board = board(Sets, Seen, _, _),
    hear(Cells, 1, Sets, Seen, 0, Changed),
    (   Changed =:= 0
    ->  true
    ;   settle(Changed, Board),
        agree(Cells, Board)
    ).

tell(Cells, board(Sets, _, _, _)) :-
    Sets =.. [_|SetsOfCells],
    restrict_all(Cells, SetsOfCells).

hear([], _, _, _, Changed, Changed).
hear([Cell|Cells], Number, Sets, Seen, Changed0, Changed) :-
    digit_set(Cell, Set),
    put(Number, Set, Sets, Seen, Changed0, Changed1),
    Next is Number + 1,
    hear(Cells, Next, Sets, Seen, Changed1, Changed).

%   Writes the set of a cell. Changed are the houses that have to be looked at again.

put(Number, Set, Sets, Seen, Changed0, Changed) :-
    arg(Number, Sets, Before),
    (   Set =:= Before
    ->  Changed = Changed0
    ;   Set =\= 0,
        setarg(Number, Sets, Set),
        arg(Number, Seen, Houses),
        Changed is Changed0 \/ Houses
    ).

                /*******************************
                *         what follows         *
                *******************************/

%   Looks at houses until nothing changes. Changed are those to look at.

settle_all(Board) :-
    arg(3, Board, Houses),
    functor(Houses, _, Number),
    settle((1 << Number) - 1, Board).

settle(Changed, board(Sets, Seen, Houses, Digits)) :-
    All is Changed,
    settle(All, Sets, Seen, Houses, Digits).

settle(0, _, _, _, _) :-
    !.
settle(Changed0, Sets, Seen, Houses, Digits) :-
    House is lsb(Changed0) + 1,
    Changed1 is Changed0 /\ (Changed0 - 1),
    arg(House, Houses, Cells),
    arg(House, Digits, Left),
    survey(Cells, Sets, Open, 0, Found, 0, Twice, 0, Settled),
    Found =:= Left,
    Single is Found /\ \ (Twice \/ Settled),
    (   Settled =:= 0
    ->  true
    ;   setarg(House, Houses, Open),
        Others is Left - Settled,
        setarg(House, Digits, Others)
    ),
    (   Single \/ Settled =:= 0
    ->  Changed = Changed1
    ;   place(Open, Sets, Seen, Single, \Settled, Changed1, Changed)
    ),
    settle(Changed, Sets, Seen, Houses, Digits).

%   Open are those of the cells that have several digits. Found are the digits that have
%   a place, Twice those with several places, and Settled those of the other cells.

survey([], _, [], Found, Found, Twice, Twice, Settled, Settled).
survey([Cell|Cells], Sets, Open, Found0, Found, Twice0, Twice, Settled0, Settled) :-
    arg(Cell, Sets, Set),
    Found1 is Found0 \/ Set,
    (   Set /\ (Set - 1) =:= 0
    ->  Settled0 /\ Set =:= 0,
        Settled1 is Settled0 \/ Set,
        survey(Cells, Sets, Open, Found1, Found, Twice0, Twice, Settled1, Settled)
    ;   Twice1 is Twice0 \/ (Found0 /\ Set),
        Open = [Cell|Open1],
        survey(Cells, Sets, Open1, Found1, Found, Twice1, Twice, Settled0, Settled)
    ).

%   Puts the Single digits in their only places, and leaves other cells what is in Free.

place([], _, _, _, _, Changed, Changed).
place([Cell|Cells], Sets, Seen, Single, Free, Changed0, Changed) :-
    arg(Cell, Sets, Before),
    Here is Before /\ Single,
    (   Here =:= 0
    ->  Set is Before /\ Free
    ;   Here /\ (Here - 1) =:= 0,       % no room for two
        Set = Here
    ),
    put(Cell, Set, Sets, Seen, Changed0, Changed1),
    place(Cells, Sets, Seen, Single, Free, Changed1, Changed).

%   Looks once at each house for cells that share as many digits.

look_far(Board) :-
    arg(3, Board, Houses),
    functor(Houses, _, Last),
    look_far(1, Last, Board).

look_far(House, Last, Board) :-
    (   House > Last
    ->  true
    ;   Board = board(Sets, _, Houses, _),
        arg(House, Houses, Cells),
        sets_of(Cells, Sets, Before),
        locked_digits(Before, AllLocked),
        maplist(keep_out(Cells, Before, Board), AllLocked),
        Next is House + 1,
        look_far(Next, Last, Board)
    ).

sets_of([], _, []).
sets_of([Cell|Cells], Sets, [Set|SetsOfCells]) :-
    arg(Cell, Sets, Set),
    sets_of(Cells, Sets, SetsOfCells).

keep_out(Cells, Before, Board, Locked) :-
    Board = board(Sets, Seen, _, _),
    keep_out(Cells, Before, Sets, Seen, Locked, 0, Changed),
    settle(Changed, Board).

keep_out([], [], _, _, _, Changed, Changed).
keep_out([Cell|Cells], [Before|Befores], Sets, Seen, Locked, Changed0, Changed) :-
    (   Before /\ \Locked =:= 0         % one of those that share Locked
    ->  Changed1 = Changed0
    ;   arg(Cell, Sets, Set0),
        Set is Set0 /\ \Locked,
        put(Cell, Set, Sets, Seen, Changed0, Changed1)
    ),
    keep_out(Cells, Befores, Sets, Seen, Locked, Changed1, Changed).

                /*******************************
                *            boards            *
                *******************************/

%   Board has a number for each of the variables Cells, which are all that Houses have.
%   Fails if the digits of a house exclude each other, or all of a cell.

board(Cells, Houses, board(Sets, Seen, Opens, Digits)) :-
    maplist(candidate_set, Cells, SetsOfCells),
    Sets =.. [sets|SetsOfCells],
    maplist(no_houses, Cells, None),
    Seen =.. [seen|None],
    foldl(numbered, Cells, 1, _),
    open_houses(Houses, 1, Sets, Seen, OpenHouses, DigitsOfHouses),
    maplist(not_numbered, Cells),
    Opens =.. [houses|OpenHouses],
    Digits =.. [digits|DigitsOfHouses].

no_houses(_, 0).

numbered(Cell, Number, Next) :-
    put_attr(Cell, sudoku_board, Number),
    Next is Number + 1.

not_numbered(Cell) :-
    del_attr(Cell, sudoku_board).

open_houses([], _, _, _, [], []).
open_houses([House|Houses], Bit, Sets, Seen, [Open|Opens], [Digits|DigitsOfHouses]) :-
    length(House, Size),
    All is (2 << Size) - 2,
    open_house(House, Bit, Seen, Open, All, Digits),
    leave(Open, Sets, Digits),
    Next is Bit << 1,
    open_houses(Houses, Next, Sets, Seen, Opens, DigitsOfHouses).

open_house([], _, _, [], Digits, Digits).
open_house([Cell|Cells], Bit, Seen, Open, Digits0, Digits) :-
    (   integer(Cell)
    ->  Digits0 /\ (1 << Cell) =\= 0,
        Digits1 is Digits0 - (1 << Cell),
        open_house(Cells, Bit, Seen, Open, Digits1, Digits)
    ;   get_attr(Cell, sudoku_board, Number),
        arg(Number, Seen, Houses0),
        Houses is Houses0 \/ Bit,
        setarg(Number, Seen, Houses),
        Open = [Number|Open1],
        open_house(Cells, Bit, Seen, Open1, Digits0, Digits)
    ).

leave([], _, _).
leave([Cell|Cells], Sets, Digits) :-
    arg(Cell, Sets, Set0),
    Set is Set0 /\ Digits,
    Set =\= 0,
    setarg(Cell, Sets, Set),
    leave(Cells, Sets, Digits).

                /*******************************
                *     what clpfd is told of    *
                *******************************/

%   Houses are those for which every_digit/1 is posted on some of the variables Cells.

posted_houses([], []).
posted_houses([Cell|Cells], Houses) :-
    clpfd:fd_get(Cell, _, fd_props(_, _, Propagators)),
    houses_of(Propagators, Cell, Houses, Houses1),
    posted_houses(Cells, Houses1).

houses_of([], _, Houses, Houses).
houses_of([propagator(Constraint, _)|Propagators], Cell, Houses0, Houses) :-
    (   Constraint = every_digit(House),
        first_open(House, First),
        First == Cell                   % so that it comes once
    ->  Houses0 = [House|Houses1]
    ;   Houses0 = Houses1
    ),
    houses_of(Propagators, Cell, Houses1, Houses).

first_open(Cells, First) :-
    term_variables(Cells, [First|_]).

%   True if Cells have no constraints but those of the houses of the board.

only_houses(Cells, Board) :-
    arg(2, Board, Seen),
    foldl(numbered, Cells, 1, _),
    maplist(only_houses_of_cell(Seen), Cells),
    maplist(not_numbered, Cells).

only_houses_of_cell(Seen, Cell) :-
    get_attrs(Cell, att(clpfd, _, att(sudoku_board, _, []))),
    clpfd:fd_get(Cell, _, fd_props(Different, [], EveryDigit)),
    maplist(every_digit, EveryDigit),
    maplist(different_in_a_house(Cell, Seen), Different).

every_digit(propagator(every_digit(_), _)).

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
    get_attr(Cell, sudoku_board, Number),
    arg(Number, Seen, HousesOfCell),
    Houses is Houses0 /\ HousesOfCell.
