% Sudoku on sets of digits that are integers.
%
%   swipl prolog/programs/bits.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: plain Prolog
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  How far plain Prolog goes with the right data. Bit D of an integer says that a cell may still
%           hold digit D, so one operation handles a whole set.
% Costs:    It is faster than the main program. But it knows houses alone: another kind of rule, or
%           another puzzle, would need another program.

:- module(bits, [sudoku/2]).
:- use_module('../sudoku/grid', [must_be_grid/3, sudoku_houses/3]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(lists), [append/2, last/2, member/2, nth1/3, numlist/3]).

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%   Cells and houses are numbered from 1. Sets is a term with the set of each cell; it changes in place,
%   and backtracking undoes that. Houses is a term with the cells of each house, Seen a term with the set
%   of houses that each cell is in.

sudoku(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    All is (2 << Size) - 2,
    maplist(first_set(All), Cells, FirstSets),
    Sets =.. [sets|FirstSets],
    board(Size, Shape, Houses, Seen),
    functor(Houses, _, Number),
    Waiting is (2 << Number) - 2,
    look(Waiting, All, Sets, Houses, Seen),
    search(All, Sets, Houses, Seen),
    Sets =.. [_|LastSets],
    maplist(digit, LastSets, Cells).

first_set(All, Cell, Set) :-
    (   integer(Cell)
    ->  Set is 1 << Cell
    ;   Set = All
    ).

digit(Set, Digit) :-
    Digit is lsb(Set).

board(Size, Shape, Houses, Seen) :-
    Area is Size * Size,
    numlist(1, Area, Numbers),
    length(Rows, Size),
    maplist(same_length(Rows), Rows),
    append(Rows, Numbers),
    sudoku_houses(Rows, Shape, Lists),
    Houses =.. [houses|Lists],
    findall(Set, ( member(Number, Numbers), seen(Lists, Number, Set) ), Sets),
    Seen =.. [seen|Sets].

seen(Houses, Number, Set) :-
    aggregate_all(sum(1 << House), ( nth1(House, Houses, Cells), memberchk(Number, Cells) ), Set).

                /*******************************
                *            search            *
                *******************************/

%   Takes a cell with the fewest digits. The first of them is right, or it is one of the others.

search(All, Sets, Houses, Seen) :-
    (   smallest(Sets, Cell)
    ->  arg(Cell, Sets, Set),
        First is Set /\ -Set,
        (   Tried = First
        ;   Tried is Set - First
        ),
        setarg(Cell, Sets, Tried),
        arg(Cell, Seen, Waiting),
        look(Waiting, All, Sets, Houses, Seen),
        search(All, Sets, Houses, Seen)
    ;   true
    ).

smallest(Sets, Cell) :-
    functor(Sets, _, Last),
    smallest(Last, Sets, 1000, 0, Cell),
    Cell > 0.

smallest(0, _, _, Cell, Cell) :-
    !.
smallest(Number, Sets, Size0, Cell0, Cell) :-
    arg(Number, Sets, Set),
    Size is popcount(Set),
    Next is Number - 1,
    (   Size > 1,
        Size =< Size0
    ->  smallest(Next, Sets, Size, Number, Cell)
    ;   smallest(Next, Sets, Size0, Cell0, Cell)
    ).

                /*******************************
                *         what follows         *
                *******************************/

%   Looks at the houses Waiting, a set, until nothing follows. A digit that is placed leaves the other
%   cells; a digit with one place left goes there.

look(0, _, _, _, _) :-
    !.
look(Waiting0, All, Sets, Houses, Seen) :-
    House is lsb(Waiting0),
    Waiting1 is Waiting0 /\ (Waiting0 - 1),
    arg(House, Houses, Cells),
    survey(Cells, Sets, 0, All, 0, Twice, 0, Placed),
    Single is All /\ \Twice,
    restrict(Cells, Placed, Single, Sets, Seen, Waiting1, Waiting),
    look(Waiting, All, Sets, Houses, Seen).

%   Found is the set of digits that some of these cells may hold, Twice of those that several may, and
%   Placed of those that a cell holds alone. Fails if two cells hold the same digit.

survey([], _, Found, Found, Twice, Twice, Placed, Placed).
survey([Cell|Cells], Sets, Found0, Found, Twice0, Twice, Placed0, Placed) :-
    arg(Cell, Sets, Set),
    Found1 is Found0 \/ Set,
    Twice1 is Twice0 \/ (Found0 /\ Set),
    (   Set /\ (Set - 1) =:= 0
    ->  Set /\ Placed0 =:= 0,
        Placed1 is Placed0 \/ Set
    ;   Placed1 = Placed0
    ),
    survey(Cells, Sets, Found1, Found, Twice1, Twice, Placed1, Placed).

restrict([], _, _, _, _, Waiting, Waiting).
restrict([Cell|Cells], Placed, Single, Sets, Seen, Waiting0, Waiting) :-
    arg(Cell, Sets, Set),
    (   Set /\ (Set - 1) =:= 0
    ->  Waiting1 = Waiting0
    ;   Here is Set /\ Single,
        (   Here =:= 0
        ->  New is Set /\ \Placed,
            New =\= 0
        ;   New = Here,
            Here /\ (Here - 1) =:= 0    % no room for two
        ),
        (   New =:= Set
        ->  Waiting1 = Waiting0
        ;   setarg(Cell, Sets, New),
            arg(Cell, Seen, Changed),
            Waiting1 is Waiting0 \/ Changed
        )
    ),
    restrict(Cells, Placed, Single, Sets, Seen, Waiting1, Waiting).
