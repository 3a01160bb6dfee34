:- module(sudoku_board,
          [ narrow/1,           % ?Houses
            board/3,            % +Cells, +Houses, -Board
            settle/2,           % +Houses, +Board
            tell/2,             % ?Cells, +Board
            hear/2,             % ?Cells, +Board
            number_cells/1,     % ?Cells
            cell_number/2,      % ?Cell, -Number
            clear_numbers/1     % ?Cells
          ]).
:- use_module(bits, [candidate_set/2, digit_set/2, restrict_together/2]).
:- use_module(house, [locked_digits/2]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).

/** <module> All houses at once, as sets of digits

Constraints are general, so each step of one is dear. A sudoku needs little more than
sets of digits, which are integers here, with bit D for digit D. A board has one for
each cell, and finds what the houses exclude by themselves:

  - narrow/1 looks at a board before constraints are posted, so that these are about
    fewer cells and fewer digits;
  - ahead.pl tries each choice of a search on a board first, so that clpfd does not hear
    of most dead ends.

What a board excludes is in no solution, and clpfd has the last word. So other
constraints can be posted before and after.

A board is board(Sets, Seen, Houses, Digits, Weights): for each cell its set of digits
and of houses, for each house its open cells and the digits that are left for them, and
for each cell the number of dead ends in a house of which it was open. Cells are
numbered from 1. A set of houses is an integer, with bit H-1 for house H. All of these
change in place, and backtracking undoes that except for the weights.
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
    look_far(Board),
    tell(Cells, Board).

%!  tell(?Cells, +Board) is semidet.
%
%   Restricts Cells, all that Board has, to their sets.

tell(Cells, board(Sets, _, _, _, _)) :-
    Sets =.. [_|SetsOfCells],
    restrict_together(Cells, SetsOfCells).

%!  hear(?Cells, +Board) is semidet.
%
%   Restricts the sets of Board to what is left of Cells, which have been told (see
%   tell/2), and settles it.

hear(Cells, Board) :-
    Board = board(Sets, Seen, _, _, _),
    hear(Cells, 1, Sets, Seen, 0, Changed),
    settle(Changed, Board).

hear([], _, _, _, Changed, Changed).
hear([Cell|Cells], Number, Sets, Seen, Changed0, Changed) :-
    digit_set(Cell, Set),
    put(Number, Set, Sets, Seen, Changed0, Changed1),
    Next is Number + 1,
    hear(Cells, Next, Sets, Seen, Changed1, Changed).

%   Writes the set of a cell. Changed are the houses that have to be looked at.

put(Number, Set, Sets, Seen, Changed0, Changed) :-
    arg(Number, Sets, Before),
    (   Set =:= Before
    ->  Changed = Changed0
    ;   setarg(Number, Sets, Set),
        arg(Number, Seen, Houses),
        Changed is Changed0 \/ Houses
    ).

                /*******************************
                *         what follows         *
                *******************************/

%!  settle(+Houses, +Board) is semidet.
%
%   Looks at Houses for digits that are placed and for digits with one place, and then at
%   the houses where something has changed.

settle(Changed, board(Sets, Seen, Houses, Digits, Weights)) :-
    settle(Changed, 0, Sets, Seen, Houses, Digits, Weights).

%   In the houses Taking, digits may have been placed that the other cells still have.
%   In the houses Seeking, digits may have lost places. To look at these last is faster.

settle(0, 0, _, _, _, _, _) :-
    !.
settle(0, Seeking0, Sets, Seen, Houses, Digits, Weights) :-
    !,
    House is lsb(Seeking0) + 1,
    Seeking is Seeking0 /\ (Seeking0 - 1),
    arg(House, Houses, Cells),
    arg(House, Digits, Left),
    (   survey(Cells, Sets, 0, Found, 0, Twice),
        Found =:= Left,
        Single is Found /\ \Twice,
        place(Cells, Sets, Seen, Single, 0, Taking)
    ->  settle(Taking, Seeking, Sets, Seen, Houses, Digits, Weights)
    ;   blame(Cells, Weights)
    ).
settle(Taking0, Seeking0, Sets, Seen, Houses, Digits, Weights) :-
    House is lsb(Taking0) + 1,
    Taking1 is Taking0 /\ (Taking0 - 1),
    Seeking1 is Seeking0 \/ (Taking0 - Taking1),
    arg(House, Houses, Cells),
    arg(House, Digits, Left0),
    (   settled(Cells, Sets, Open, Left0, Left),
        setarg(House, Houses, Open),
        setarg(House, Digits, Left),
        take(Open, Sets, Seen, Left, Taking1, Taking, Seeking1, Seeking)
    ->  settle(Taking, Seeking, Sets, Seen, Houses, Digits, Weights)
    ;   blame(Cells, Weights)
    ).

%   A dead end: fails, and gives each of Cells more weight.

blame([Cell|Cells], Weights) :-
    arg(Cell, Weights, Weight0),
    Weight is Weight0 + 1,
    nb_setarg(Cell, Weights, Weight),
    blame(Cells, Weights).

%   Found are the digits that have a place in these open cells, Twice those that have
%   several.

survey([], _, Found, Found, Twice, Twice).
survey([Cell|Cells], Sets, Found0, Found, Twice0, Twice) :-
    arg(Cell, Sets, Set),
    Found1 is Found0 \/ Set,
    Twice1 is Twice0 \/ (Found0 /\ Set),
    survey(Cells, Sets, Found1, Found, Twice1, Twice).

%   Puts the digits Single in their only places. Taking are the houses of these.

place([], _, _, _, Taking, Taking).
place([Cell|Cells], Sets, Seen, Single, Taking0, Taking) :-
    arg(Cell, Sets, Set),
    Here is Set /\ Single,
    (   Here =:= 0
    ->  place(Cells, Sets, Seen, Single, Taking0, Taking)
    ;   Here /\ (Here - 1) =:= 0,       % no room for two
        setarg(Cell, Sets, Here),
        arg(Cell, Seen, Houses),
        Taking1 is Taking0 \/ Houses,
        place(Cells, Sets, Seen, Single, Taking1, Taking)
    ).

%   Open are those of the cells that have several digits, Left the digits that no other
%   cell has alone.

settled([], _, [], Left, Left).
settled([Cell|Cells], Sets, Open, Left0, Left) :-
    arg(Cell, Sets, Set),
    (   Set /\ (Set - 1) =:= 0
    ->  Left0 /\ Set =\= 0,             % else two cells have this digit alone
        Left1 is Left0 - Set,
        settled(Cells, Sets, Open, Left1, Left)
    ;   Open = [Cell|Open1],
        settled(Cells, Sets, Open1, Left0, Left)
    ).

%   Leaves the cells only digits that are left.

take([], _, _, _, Taking, Taking, Seeking, Seeking).
take([Cell|Cells], Sets, Seen, Left, Taking0, Taking, Seeking0, Seeking) :-
    arg(Cell, Sets, Before),
    Set is Before /\ Left,
    (   Set =:= Before
    ->  take(Cells, Sets, Seen, Left, Taking0, Taking, Seeking0, Seeking)
    ;   Set =\= 0,
        setarg(Cell, Sets, Set),
        arg(Cell, Seen, Houses),
        (   Set /\ (Set - 1) =:= 0
        ->  Taking1 is Taking0 \/ Houses,
            take(Cells, Sets, Seen, Left, Taking1, Taking, Seeking0, Seeking)
        ;   Seeking1 is Seeking0 \/ Houses,
            take(Cells, Sets, Seen, Left, Taking0, Taking, Seeking1, Seeking)
        )
    ).

%   Looks once at each house for cells that share as many digits.

look_far(Board) :-
    Board = board(_, _, Houses, _, _),
    functor(Houses, _, Last),
    look_far(1, Last, Board).

look_far(House, Last, Board) :-
    (   House > Last
    ->  true
    ;   Board = board(Sets, _, Houses, _, _),
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
    Board = board(Sets, Seen, _, _, _),
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

%!  board(+Cells, +Houses, -Board) is semidet.
%
%   Board is that of the variables Cells, numbered in this order. They have domains in
%   1..n, and include all that are in Houses, lists of n cells. It is settled, which settle/2
%   relies on: a cell has only digits that are left for its houses.

board(Cells, Houses, Board) :-
    Board = board(Sets, Seen, Opens, Digits, Weights),
    maplist(candidate_set, Cells, SetsOfCells),
    Sets =.. [sets|SetsOfCells],
    maplist(zero, Cells, Zeros),
    Seen =.. [seen|Zeros],
    Weights =.. [weights|Zeros],
    number_cells(Cells),
    open_houses(Houses, 1, Seen, OpenHouses, DigitsOfHouses),
    clear_numbers(Cells),
    Opens =.. [houses|OpenHouses],
    Digits =.. [digits|DigitsOfHouses],
    settle_all(Board).

zero(_, 0).

settle_all(Board) :-
    Board = board(_, _, Houses, _, _),
    functor(Houses, _, Number),
    All is (1 << Number) - 1,
    settle(All, Board).

%!  number_cells(?Cells) is det.
%!  cell_number(?Cell, -Number) is semidet.
%!  clear_numbers(?Cells) is det.
%
%   Numbers the variables Cells from 1. Nothing may be bound until that is undone.

number_cells(Cells) :-
    foldl(number_cell, Cells, 1, _).

number_cell(Cell, Number, Next) :-
    put_attr(Cell, sudoku_board, Number),
    Next is Number + 1.

cell_number(Cell, Number) :-
    get_attr(Cell, sudoku_board, Number).

clear_numbers(Cells) :-
    maplist(clear_number, Cells).

clear_number(Cell) :-
    del_attr(Cell, sudoku_board).

open_houses([], _, _, [], []).
open_houses([House|Houses], Bit, Seen, [Open|Opens], [Digits|DigitsOfHouses]) :-
    length(House, Size),
    All is (2 << Size) - 2,
    open_house(House, Bit, Seen, Open, All, Digits),
    Next is Bit << 1,
    open_houses(Houses, Next, Seen, Opens, DigitsOfHouses).

open_house([], _, _, [], Digits, Digits).
open_house([Cell|Cells], Bit, Seen, Open, Digits0, Digits) :-
    (   integer(Cell)
    ->  Digits0 /\ (1 << Cell) =\= 0,
        Digits1 is Digits0 - (1 << Cell),
        open_house(Cells, Bit, Seen, Open, Digits1, Digits)
    ;   cell_number(Cell, Number),
        arg(Number, Seen, Houses0),
        Houses is Houses0 \/ Bit,
        setarg(Number, Seen, Houses),
        Open = [Number|Open1],
        open_house(Cells, Bit, Seen, Open1, Digits0, Digits)
    ).
