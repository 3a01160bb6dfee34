:- module(sudoku_consistent,
          [ consistent/4        % +Box, +Rules, +Holds, +Lacks
          ]).
:- use_module('../sudoku', [every_digit/1]).
:- use_module(grid, [sudoku_houses/3]).
:- use_module(implied, [with_implied/3]).
:- use_module(search, [search/1]).
:- use_module(library(apply), [exclude/3, maplist/2, maplist/3, maplist/4]).
:- use_module(library(clpfd)).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(lists), [append/2, member/2, memberchk/2, nth0/3, nth1/3, numlist/3, same_length/2]).

/** <module> The rules one by one

What sudoku/2 demands all at once, taken apart, to check explanations that name
some of the rules. A placement is [Row,Column,Digit]. A rule is one of

    - filled(Row,Column), single(Row,Column)
    The cell holds at least, or at most, one digit.
    - somewhere(Kind,Number,Digit), once(Kind,Number,Digit)
    The house holds the digit at least, or at most, once. Kind is row, column or
    box, and Number counts from 1.
    - house(Kind,Number)
    The house holds every digit once, and each cell of the grid one digit.
    - cells
    Each cell of the grid holds one digit.
*/

%!  consistent(+Box, +Rules, +Holds, +Lacks) is semidet.
%
%   True if some set of placements obeys all Rules, has every one of Holds and none
%   of Lacks. Box is the shape of a box.
%
%   @error type_error or domain_error if the grid has no such rule or placement.

consistent(Height-Width, Rules, Holds, Lacks) :-
    Size is Height * Width,
    length(Rows, Size),
    maplist(same_length(Rows), Rows),
    append(Rows, Cells),
    sudoku_houses(Rows, Height-Width, Houses),
    Grid = grid(Size, Rows, Houses),
    (   member(Rule, Rules),
        memberchk(Rule, [house(_, _), cells])
    ->  Cells ins 1..Size,
        maplist(digit_choice, Cells, Choices0),
        exclude(of_one_cell, Rules, Others),
        findall(House, house_in(Rules, House), Stated),
        with_implied(Stated, Height-Width, AllHouses)
    ;   maplist(places_of_cell(Size), Cells),
        Choices0 = [],
        Others = Rules,
        AllHouses = []
    ),
    maplist(placed(Grid, 1), Holds),
    maplist(placed(Grid, 0), Lacks),
    phrase(needed(Others, Grid), Choices, Choices0),
    maplist(forbid(Grid), Others),
    maplist(post_house(Grid), AllHouses),
    search(Choices).

%   A cell that holds one digit is a variable for it. One that may hold none, or
%   several, is a term that has a variable in 0..1 for each digit.

digit_choice(Cell, digit(Cell)).

house_in(Rules, House) :-
    member(house(Kind,Number), Rules),
    House =.. [Kind,Number].

of_one_cell(filled(_, _)).
of_one_cell(single(_, _)).

places_of_cell(Size, Cell) :-
    functor(Cell, places, Size).

place(Digit, Cell, Place) :-
    (   compound(Cell)
    ->  arg(Digit, Cell, Place)
    ;   Place == 1
    ->  Cell = Digit
    ;   Place == 0
    ->  Cell #\= Digit
    ;   Place #<==> (Cell #= Digit)
    ).

placed(Grid, Place, [Row,Column,Digit]) :-
    cell(Grid, Row, Column, Cell),
    number(Grid, Digit),
    place(Digit, Cell, Place).

cell(Grid, Row, Column, Cell) :-
    Grid = grid(_, Rows, _),
    number(Grid, Row),
    number(Grid, Column),
    nth1(Row, Rows, Cells),
    nth1(Column, Cells, Cell).

house(Grid, Kind, Number, House) :-
    Grid = grid(Size, _, Houses),
    must_be(oneof([row,column,box]), Kind),
    number(Grid, Number),
    nth0(Kinds, [row,column,box], Kind),
    Index is Kinds * Size + Number,
    nth1(Index, Houses, House).

number(grid(Size, _, _), Number) :-
    must_be(between(1, Size), Number).

%   What the rules need is what the search has to choose.

needed([], _) -->
    [].
needed([Rule|Rules], Grid) -->
    (   { at_most(Rule, AtMost) }
    ->  { places(AtMost, Grid, Places),
          Places ins 0..1,
          sum(Places, #>=, 1) },
        [some(Places)]
    ;   []
    ),
    needed(Rules, Grid).

%   A place that no rule needs has no constraints, and can be left empty.

forbid(_, cells) =>
    true.
forbid(_, house(_, _)) =>
    true.
forbid(_, Rule), at_most(Rule, _) =>
    true.
forbid(Grid, Rule) =>
    places(Rule, Grid, AllPlaces),
    exclude(unneeded, AllPlaces, Places),
    sum(Places, #=<, 1).

post_house(Grid, House) :-
    House =.. [Kind,Number],
    house(Grid, Kind, Number, Cells),
    all_different(Cells),
    every_digit(Cells).

unneeded(Place) :-
    var(Place),
    \+ attvar(Place).

%   The rule that says "at most" of what another says "at least".

at_most(filled(Row,Column), single(Row,Column)).
at_most(somewhere(Kind,Number,Digit), once(Kind,Number,Digit)).

places(single(Row,Column), Grid, Places) =>
    Grid = grid(Size, _, _),
    cell(Grid, Row, Column, Cell),
    numlist(1, Size, Digits),
    same_length(Digits, Cells),
    maplist(=(Cell), Cells),
    maplist(place, Digits, Cells, Places).
places(once(Kind,Number,Digit), Grid, Places) =>
    house(Grid, Kind, Number, Cells),
    number(Grid, Digit),
    maplist(place(Digit), Cells, Places).
places(Rule, _, _) =>
    domain_error(rule, Rule).
