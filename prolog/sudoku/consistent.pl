:- module(sudoku_consistent,
          [ consistent/4,       % +Shape, +Rules, +Holds, +Excluded
            consistent/6,       % ?Rows, +Shape, +Rules, +Holds, +Excluded, +How
            must_follow/3       % +Shape, +Rule, +Clauses
          ]).
:- use_module(grid, [grid_cell/4, house_groups/3, house_name/3, must_be_grid/3, named_houses/3,
                     with_implied/3]).
:- use_module(house, [every_digit/1]).
:- use_module('../rules/rule', [post_rules_alone/3]).
:- use_module(search, [search/1]).
:- use_module(library(apply), [exclude/3, include/3, maplist/2, maplist/3, maplist/4,
                               partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2, numlist/3, same_length/2]).

/** <module> The rules one by one

What sudoku/2 demands all at once, taken apart, to check explanations that name
some of the rules. A placement is [Row,Column,Digit]. A rule is one of

    - filled(Row,Column), single(Row,Column)
    The cell holds at least, or at most, one digit.
    - at_least_once(Kind,Number,Digit), at_most_once(Kind,Number,Digit)
    The house holds the digit at least, or at most, once. Kind is row, column, and
    box or region. Number counts from 1.
    - house(Kind,Number)
    The house holds every digit once, and each cell of the grid one digit.
    - cells
    Each cell of the grid holds one digit.
    - rule(Rule)
    A rule beyond plain sudoku, such as thermometer(cells=[1-1,1-2]), is obeyed, and
    each cell of the grid holds one digit.
*/

%!  consistent(+Shape, +Rules, +Holds, +Excluded) is semidet.
%!  consistent(?Rows, +Shape, +Rules, +Holds, +Excluded, +How) is semidet.
%
%   True if some set of placements obeys all Rules, has every one of Holds and none
%   of Excluded. With Rows of empty cells, the constraints on these hold too, if one of Rules is
%   about the whole grid. How is `search`, or `propagation` for what that alone does not refute.
%
%   @error type_error or domain_error if the grid does not have such a rule or
%   placement.

consistent(Shape, Rules, Holds, Excluded) :-
    must_be_grid(Rows, Shape, _),
    consistent(Rows, Shape, Rules, Holds, Excluded, search).

consistent(Rows, Shape, Rules, Holds, Excluded, How) :-
    length(Rows, Size),
    append(Rows, Cells),
    named_houses(Rows, Shape, Houses),
    Grid = grid(Size, Rows, Houses),
    partition(of_whole_grid, Rules, Whole, Single),
    (   Whole == []
    ->  maplist(places_of_cell(Size), Cells),
        Choices0 = [],
        Others = Single
    ;   Cells ins 1..Size,
        Choices0 = Cells,
        exclude(of_one_cell, Single, Others)
    ),
    findall(House, house_in(Whole, House), Stated),
    house_groups(Size, Shape, Groups),
    with_implied(Stated, Groups, AllHouses),
    maplist(placed(Grid, 1), Holds),
    maplist(placed(Grid, 0), Excluded),
    findall(AtMost, ( member(Rule, Others), at_most(Rule, AtMost) ), Needed),
    maplist(some_place(Grid), Needed, Choices1),
    append(Choices1, Choices0, Choices),
    maplist(forbid(Grid), Others),
    maplist(post_house(Grid), AllHouses),
    findall(Term, member(rule(Term), Whole), Beyond),
    post_rules_alone(Rows, Shape, Beyond),
    ( How == search -> search(Choices) ; true ).

%   A cell that holds one digit is a variable. A cell that may hold none or several
%   is a term with a variable in 0..1 for each digit.

house_in(Rules, House) :-
    member(house(Kind,Number), Rules),
    house_name(Kind, Number, House).

of_whole_grid(cells).
of_whole_grid(house(_, _)).
of_whole_grid(rule(_)).

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
    grid_cell(Rows, Row, Column, Cell).

house(grid(_, _, Houses), Name, Cells) :-
    (   memberchk(Name-Found, Houses)
    ->  Cells = Found
    ;   domain_error(house, Name)
    ).

number(grid(Size, _, _), Number) :-
    must_be(between(1, Size), Number).

%   The search has to choose what the rules need.

some_place(Grid, Rule, some(Places)) :-
    places(Rule, Grid, Places),
    Places ins 0..1,
    sum(Places, #>=, 1).

%   A place that no rule needs has no constraints, and can be left empty.

forbid(_, Rule), at_most(Rule, _) =>
    true.
forbid(Grid, Rule) =>
    places(Rule, Grid, AllPlaces),
    exclude(unneeded, AllPlaces, Places),
    sum(Places, #=<, 1).

post_house(Grid, House) :-
    house(Grid, House, Cells),
    all_different(Cells),
    every_digit(Cells).

unneeded(Place) :-
    var(Place),
    \+ attvar(Place).

%   The rule that says "at most" of what another says "at least".

at_most(filled(Row,Column), single(Row,Column)).
at_most(at_least_once(Kind,Number,Digit), at_most_once(Kind,Number,Digit)).

places(single(Row,Column), Grid, Places) =>
    Grid = grid(Size, _, _),
    cell(Grid, Row, Column, Cell),
    numlist(1, Size, Digits),
    same_length(Digits, Cells),
    maplist(=(Cell), Cells),
    maplist(place, Digits, Cells, Places).
places(at_most_once(Kind,Number,Digit), Grid, Places) =>
    house_name(Kind, Number, House),
    house(Grid, House, Cells),
    number(Grid, Digit),
    maplist(place(Digit), Cells, Places).
places(Rule, _, _) =>
    domain_error(rule, Rule).

%!  must_follow(+Shape, +Rule, +Clauses) is det.
%
%   True if each of Clauses is true of every grid that obeys Rule, a rule beyond plain
%   sudoku. They are lists of literals, numbered as in proof.pl.
%
%   @error domain_error(clause_of(Rule), Clause) if that is not so.

must_follow(Shape, Rule, Clauses) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    (   post_rules_alone(Rows, Shape, [Rule]),
        CellsTerm =.. [cells|Cells],
        member(Clause, Clauses),
        may_be_false(Clause, Size, CellsTerm)
    ->  throw(error(domain_error(clause_of(Rule), Clause),
                    context(_, 'the clause does not follow from the rule')))
    ;   true
    ).

may_be_false(Clause, Size, Cells) :-
    \+ \+ ( maplist(is_false(Size, Cells), Clause),
            term_variables(Cells, Open),
            include(constrained, Open, Constrained),
            search(Constrained) ).

is_false(Size, Cells, Literal) :-
    Number is (abs(Literal) - 1) // Size + 1,
    Digit is (abs(Literal) - 1) mod Size + 1,
    arg(Number, Cells, Cell),
    (   Literal < 0
    ->  Cell = Digit
    ;   Cell #\= Digit
    ).

constrained(Cell) :-
    fd_degree(Cell, Degree),
    Degree > 0.
