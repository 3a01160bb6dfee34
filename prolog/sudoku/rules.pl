:- module(sudoku_rules,
          [ sudoku_rules/1,     % ?Rows
            sudoku_rules/2,     % ?Rows, +Shape
            sudoku_rules/3,     % ?Rows, +Shape, +Rules
            exclude_placements/2,       % ?Rows, +Placements
            sudoku_search/1,    % ?Rows
            sudoku_search/2,    % ?Rows, +Rules
            search/1,           % +Choices
            digit_choices/2,    % ?Cells, -Choices
            digits_left/2,      % ?Cell, -Digits
            house_groups/3,     % +Size, +Shape, -Groups
            with_implied/3      % +Elements, +Groups, -AllElements
          ]).
:- use_module(ahead, [label_ahead/1]).
:- use_module(board, [narrow/1]).
:- use_module(grid, [box_kind/2, grid_cell/4, grid_labels/3, house_name/3, must_be_grid/3,
                     square_box/2, sudoku_houses/3]).
:- use_module(house, [watch_digits/1]).
:- use_module('../rules/rule', [post_rules/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, append/3, member/2, min_member/2, subtract/3]).
:- use_module(library(ordsets), [ord_subtract/3, ord_union/3]).
:- use_module(library(pairs), [pairs_values/2]).

/** <module> The rules of sudoku, and search

The rules all at once, and a search for whole grids, which for plain sudoku runs on
sets of digits (see ahead.pl). Explanations take some rules alone; for these there is
a search of its own, in clpfd, and the houses that follow from other houses.
*/

%!  sudoku_rules(?Rows) is semidet.
%!  sudoku_rules(?Rows, +Shape) is semidet.
%!  sudoku_rules(?Rows, +Shape, +Rules) is semidet.
%
%   Constrains Rows to be a sudoku grid, without any search. What is left in the
%   domains are the candidates that no house is seen to exclude; a cell with one
%   candidate is filled in.

sudoku_rules(Rows) :-
    square_box(Rows, Shape),
    sudoku_rules(Rows, Shape).

sudoku_rules(Rows, Shape) :-
    sudoku_rules(Rows, Shape, []).

sudoku_rules(Rows, Shape, Rules) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Shape, Houses),
    narrow(Houses),
    maplist(term_variables, Houses, Open),
    maplist(all_different, Open),
    maplist(watch_digits, Houses),
    beyond_plain(Rules, Rows, Shape, Houses).

beyond_plain([], _, _, _) =>
    true.
beyond_plain(Rules, Rows, Shape, Houses) =>
    post_rules(Rows, Shape, Rules),
    narrow(Houses).

%!  exclude_placements(?Rows, +Placements) is semidet.
%
%   Constrains Rows to have none of Placements, lists [Row,Column,Digit].

exclude_placements(_, []).
exclude_placements(Rows, [[Row,Column,Digit]|Placements]) :-
    grid_cell(Rows, Row, Column, Cell),
    Cell #\= Digit,
    exclude_placements(Rows, Placements).

%!  sudoku_search(?Rows) is nondet.
%!  sudoku_search(?Rows, +Rules) is nondet.
%
%   Labels the variables of Rows, those with the fewest candidates first, by
%   label_ahead/1. With Rules beyond plain sudoku, search/1 does it, in clpfd alone:
%   parts of such a grid have little to do with each other.

sudoku_search(Rows) :-
    term_variables(Rows, Cells),
    label_ahead(Cells).

sudoku_search(Rows, []) :-
    !,
    sudoku_search(Rows).
sudoku_search(Rows, _) :-
    term_variables(Rows, Cells),
    digit_choices(Cells, Choices),
    search(Choices).

%!  search(+Choices) is nondet.
%
%   Makes every one of Choices, which are
%
%     - digit(Cell)
%     a digit for the variable Cell;
%     - some(Places)
%     1 for at least one of Places, which are variables in 0..1.
%
%   Without some of the rules, a grid falls into parts that have little to do with
%   each other. Taking the choice with the fewest alternatives first then goes
%   through all that one part allows before it finds out that another allows
%   nothing. So this counts for each choice the alternatives that turned out to be
%   dead ends at once, and prefers choices with many: a simple form of what
%   Boussemart and others (2004) call weighted degrees. On plain sudoku,
%   sudoku_search/1 is faster, on hard puzzles by far, since it searches without constraints.

search(Choices) :-
    maplist(counted, Choices, Counted),
    settle(Counted).

counted(Choice, ends(1)-Choice).

settle(Counted) :-
    promised(Counted, Promised),
    (   min_member(_-(Ends-Choice), Promised)
    ->  choose(Choice, Ends),
        pairs_values(Promised, Open),
        settle(Open)
    ;   true
    ).

promised([], []).
promised([Ends-Choice|Counted], Promised) :-
    (   alternatives(Choice, Number)
    ->  arg(1, Ends, Count),
        Promise is Number / Count,
        Promised = [Promise-(Ends-Choice)|Others]
    ;   Promised = Others
    ),
    promised(Counted, Others).

%   Number is how many alternatives are left; fails if the choice is made.

alternatives(digit(Cell), Number) :-
    var(Cell),
    fd_size(Cell, Number).
alternatives(some(Places), Number) :-
    \+ ( member(Place, Places), Place == 1 ),
    term_variables(Places, Open),
    length(Open, Number).

choose(digit(Cell), Ends) :-
    digits_left(Cell, Digits),
    member(Digit, Digits),
    try(Cell = Digit, Ends).
choose(some(Places), Ends) :-
    term_variables(Places, Open),
    first(Open, Ends).

first([Place|Places], Ends) :-
    (   try(Place = 1, Ends)
    ;   Place = 0,
        first(Places, Ends)
    ).

try(Goal, Ends) :-
    (   call(Goal)
    ->  true
    ;   arg(1, Ends, Count0),
        Count is Count0 + 1,
        nb_setarg(1, Ends, Count),
        fail
    ).

%!  digit_choices(?Cells, -Choices) is det.
%
%   Choices are what search/1 needs to fill in all Cells.

digit_choices(Cells, Choices) :-
    maplist(digit_choice, Cells, Choices).

digit_choice(Cell, digit(Cell)).

%!  digits_left(?Cell, -Digits) is det.
%
%   Digits are what is left in the domain of Cell, in order.

digits_left(Cell, Digits) :-
    fd_dom(Cell, Domain),
    findall(Digit, in_domain(Domain, Digit), Digits).

in_domain(Low..High, Digit) =>
    between(Low, High, Digit).
in_domain(Lower \/ Upper, Digit) =>
    (   in_domain(Lower, Digit)
    ;   in_domain(Upper, Digit)
    ).
in_domain(Only, Digit) =>
    Digit = Only.

%!  with_implied(+Elements, +Groups, -AllElements) is det.
%
%   AllElements are Elements and the houses that follow from the houses among them.
%   Groups are those of house_groups/3. To state these houses spares a search what
%   it could find out only by trying very many grids.

with_implied(Elements, Groups, AllElements) :-
    (   member(Houses, Groups),
        subtract(Houses, Elements, [House])
    ->  with_implied([House|Elements], Groups, AllElements)
    ;   AllElements = Elements
    ).

%!  house_groups(+Size, +Shape, -Groups) is det.
%
%   Each of Groups is a list of houses, such as row(1) and box(3). Each house of a
%   group follows from the others: the rows of a band and its boxes have the same
%   cells, so if every digit is once in all but one of them, it is once in that one
%   too. The same holds for columns, and for rows that have whole regions.

house_groups(Size, Shape, Groups) :-
    grid_labels(Size, Shape, Rows),
    transpose(Rows, Columns),
    box_kind(Shape, Kind),
    phrase(( bands(Rows, 1, [], [], row, Kind), bands(Columns, 1, [], [], column, Kind) ),
           Groups).

%   A band ends with the line up to which there are as many boxes as lines.

bands([], _, _, _, _, _) -->
    [].
bands([Labels|Lines], Number, Band0, Found0, Line, Kind) -->
    { sort(Labels, Here),
      ord_union(Found0, Here, Found),
      ord_subtract(Here, Found0, New),
      house_name(Line, Number, Name),
      maplist(house_name(Kind), New, Boxes),
      append([Name|Boxes], Band0, Band),
      Next is Number + 1 },
    (   { length(Found, Number) }
    ->  [Band],
        bands(Lines, Next, [], Found, Line, Kind)
    ;   bands(Lines, Next, Band, Found, Line, Kind)
    ).
