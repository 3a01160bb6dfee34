:- module(sudoku_board,
          [ narrow/1,           % ?Houses
            label_ahead/1       % ?Cells
          ]).
:- use_module(house, [candidate_set/2, locked_digits/2]).
:- use_module('../rules/bits', [digit_set/2, restrict_all/2]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [numlist/3]).

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

A board is board(Sets, Seen, Houses, Digits, Weights): for each cell its set of digits
and of houses, for each house its open cells and the digits that are left for them, and
for each cell how often it was part of a dead end. Cells are numbered from 1. A set of
houses is an integer, with bit H-1 for house H. These terms are changed in place, and
backtracking undoes that, but for the weights.

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
        arg(1, Board, Sets),
        (   only_houses(Cells, Board)
        ->  Listeners = []
        ;   Listeners = Cells
        ),
        functor(Sets, _, Last),
        numlist(1, Last, Numbers),
        search(Numbers, Listeners, Board),
        tell(Cells, Board)
    ;   labeling([ff], Cells)
    ).

%   Cells has those that are open, and perhaps others. Tells clpfd at each step about
%   Listeners, the cells that may have other constraints.

search(Cells, Listeners, Board) :-
    agree(Listeners, Board),
    Board = board(Sets, Seen, _, _, Weights),
    smallest(Cells, Sets, infinite, [], Smallest, Open),
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
%   that have the fewest, the last ones first. Of these the search takes the one that was part of the most
%   dead ends, a simple form of what Boussemart and others (2004) call weighted degrees:
%   that makes half as many choices as taking the first.

smallest([], _, _, Smallest, Smallest, []).
smallest([Cell|Cells], Sets, Size0, Smallest0, Smallest, Open) :-
    arg(Cell, Sets, Set),
    Size is popcount(Set),
    (   Size =:= 1
    ->  smallest(Cells, Sets, Size0, Smallest0, Smallest, Open)
    ;   Open = [Cell|Open1],
        (   Size == Size0
        ->  smallest(Cells, Sets, Size0, [Cell|Smallest0], Smallest, Open1)
        ;   Size @> Size0
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

%   What the board knows and what clpfd knows of Cells, until neither learns more.

agree([], _) :-
    !.
agree(Cells, Board) :-
    tell(Cells, Board),
    Board = board(Sets, Seen, _, _, _),
    hear(Cells, 1, Sets, Seen, 0, Changed),
    (   Changed =:= 0
    ->  true
    ;   settle(Changed, Board),
        agree(Cells, Board)
    ).

tell(Cells, board(Sets, _, _, _, _)) :-
    Sets =.. [_|SetsOfCells],
    clpfd:disable_queue,                % let constraints run when they know all
    restrict_all(Cells, SetsOfCells),
    clpfd:enable_queue,
    clpfd:do_queue.

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
    ;   Set =\= 0,
        setarg(Number, Sets, Set),
        arg(Number, Seen, Houses),
        Changed is Changed0 \/ Houses
    ).

                /*******************************
                *         what follows         *
                *******************************/

%   Looks at the houses Changed, and at others, until nothing changes.

settle_all(Board) :-
    arg(3, Board, Houses),
    functor(Houses, _, Number),
    All is (1 << Number) - 1,
    settle(All, Board).

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
    arg(3, Board, Houses),
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

%   Board has a number for each of the variables Cells, which are all that Houses have.
%   Fails if the digits of a house exclude each other, or all of a cell.

board(Cells, Houses, board(Sets, Seen, Opens, Digits, Weights)) :-
    maplist(candidate_set, Cells, SetsOfCells),
    Sets =.. [sets|SetsOfCells],
    maplist(zero, Cells, Zeros),
    Seen =.. [seen|Zeros],
    Weights =.. [weights|Zeros],
    foldl(numbered, Cells, 1, _),
    open_houses(Houses, 1, Sets, Seen, OpenHouses, DigitsOfHouses),
    maplist(not_numbered, Cells),
    Opens =.. [houses|OpenHouses],
    Digits =.. [digits|DigitsOfHouses].

zero(_, 0).

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
