:- module(sudoku_grid,
          [ must_be_grid/3,     % +Rows, +Shape, -Size
            shape_size/2,       % +Shape, -Size
            square_box/2,       % +Rows, -Shape
            sudoku_houses/3,    % +Rows, +Shape, -Houses
            named_houses/3,     % +Rows, +Shape, -Houses
            house_name/3,       % +Kind, +Number, -Name
            box_kind/2,         % +Shape, -Kind
            grid_labels/3,      % +Size, +Shape, -Labels
            grid_cell/4,        % +Rows, ?Row, ?Column, ?Cell
            box_or_region/4,    % +Size, +Shape, +Row-Column, -Number
            house_groups/3,     % +Size, +Shape, -Groups
            with_implied/3,     % +Elements, +Groups, -AllElements
            print_grid/1,       % +Rows
            print_grid/2        % +Rows, +Shape
          ]).
:- use_module(library(apply), [foldl/5, include/3, maplist/2, maplist/3, maplist/4]).
:- use_module(library(clpfd), [transpose/2]).
:- use_module(library(error), [domain_error/2, must_be/2, type_error/2]).
:- use_module(library(lists), [append/2, append/3, clumped/2, list_to_set/2, member/2, nth1/3,
                               same_length/2, subtract/3]).
:- use_module(library(pairs), [pairs_keys_values/3, pairs_values/2]).

/** <module> The shape of a sudoku grid

The shape says which cells form the houses beside rows and columns:

  - Height-Width
    Boxes that are Height rows high and Width columns wide. A box of one row or column
    would be that row or column: then the grid has no boxes.
  - regions(Labels)
    Regions of any form. Labels are n rows of n atomic terms, one for each cell;
    the n cells with the same label are a region.

Nothing here knows the rules. A mistake in the shape or the cells of a grid
raises an error, so that failure always means "no solution".
*/

%!  sudoku_houses(+Rows, +Shape, -Houses) is det.
%
%   Houses are the rows, the columns, and the boxes or regions of Rows, each a
%   list of its cells. Regions come in the order of their first cells. The cells
%   may be anything.

sudoku_houses(Rows, Shape, Houses) :-
    transpose(Rows, Columns),
    boxes(Shape, Rows, Boxes),
    append([Rows, Columns, Boxes], Houses).

boxes(Height-Width, Rows, Boxes) :-
    (   has_boxes(Height-Width)
    ->  pieces(Height, Rows, Bands),
        maplist(band_boxes(Width), Bands, BoxesOfBands),
        append(BoxesOfBands, Boxes)
    ;   Boxes = []
    ).
boxes(regions(Labels), Rows, Regions) :-
    append(Labels, LabelsOfCells),
    append(Rows, Cells),
    pairs_keys_values(Labelled, LabelsOfCells, Cells),
    list_to_set(LabelsOfCells, Names),
    maplist(region(Labelled), Names, Regions).

has_boxes(Height-Width) :-
    Height > 1,
    Width > 1.

band_boxes(Width, Band, Boxes) :-
    maplist(pieces(Width), Band, RowsOfPieces),
    transpose(RowsOfPieces, Stacks),
    maplist(append, Stacks, Boxes).

%   Cuts List into Pieces of the same Length.

pieces(Length, List, Pieces) :-
    (   List == []
    ->  Pieces = []
    ;   length(Piece, Length),
        append(Piece, Rest, List),
        Pieces = [Piece|Others],
        pieces(Length, Rest, Others)
    ).

%   Region are the cells whose label is Name.

region(Labelled, Name, Region) :-
    include(has_label(Name), Labelled, Own),
    pairs_values(Own, Region).

has_label(Name, Label-_) :-
    Label == Name.

%!  named_houses(+Rows, +Shape, -Houses) is det.
%
%   As sudoku_houses/3, with Houses as pairs Name-Cells, such as row(1)-[A,B,C,D].

named_houses(Rows, Shape, Houses) :-
    sudoku_houses(Rows, Shape, CellsOfHouses),
    length(Rows, Size),
    box_kind(Shape, Box),
    findall(Name,
            ( member(Kind, [row,column,Box]),
              between(1, Size, Number),
              house_name(Kind, Number, Name) ),
            AllNames),
    same_length(CellsOfHouses, Names),      % there may be no boxes
    append(Names, _, AllNames),
    pairs_keys_values(Houses, Names, CellsOfHouses).

house_name(Kind, Number, Name) :-
    Name =.. [Kind,Number].

%!  box_kind(+Shape, -Kind) is det.
%
%   Kind is what the houses are called that are not rows or columns.

box_kind(_-_, box).
box_kind(regions(_), region).

%!  grid_labels(+Size, +Shape, -Labels) is det.
%
%   Labels are Size rows of numbers: for each cell that of its box or region, in
%   the order of sudoku_houses/3, or 0 if there are no boxes.

grid_labels(Size, Shape, Labels) :-
    Area is Size * Size,
    length(Cells, Area),
    pieces(Size, Cells, Labels),
    boxes(Shape, Labels, Boxes),
    findall(Number, nth1(Number, Boxes, _), Numbers),
    maplist(label_all, Numbers, Boxes),
    term_variables(Cells, Others),
    label_all(0, Others).

label_all(Number, Cells) :-
    maplist(=(Number), Cells).

%!  box_or_region(+Size, +Shape, +Place, -Number) is semidet.
%
%   Number is that of the box, or the label of the region, that Place, Row-Column, is
%   in. Fails if there are no boxes.

box_or_region(Size, Height-Width, Row-Column, Number) :-
    has_boxes(Height-Width),
    Number is (Row-1) // Height * (Size // Width) + (Column-1) // Width.
box_or_region(_, regions(Labels), Row-Column, Label) :-
    grid_cell(Labels, Row, Column, Label).

%!  grid_cell(+Rows, ?Row, ?Column, ?Cell) is nondet.
%
%   Cell is in this row and column of Rows, counted from 1.

grid_cell(Rows, Row, Column, Cell) :-
    nth1(Row, Rows, Cells),
    nth1(Column, Cells, Cell).

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
    findall(Group,
            ( member(Line-Lines, [row-Rows,column-Columns]),
              append(Before, Rest, Lines),
              once(band(Rest, Band, Boxes)),
              Boxes \== [0],
              length(Before, First),
              findall(House,
                      (   nth1(Nth, Band, _),
                          Number is First + Nth,
                          house_name(Line, Number, House)
                      ;   member(Box, Boxes),
                          house_name(Kind, Box, House)
                      ),
                      Group) ),
            Groups).

%   The first of Lines, which have as many regions as they are, and so no part of another one.

band(Lines, Band, Boxes) :-
    Band = [_|_],
    append(Band, _, Lines),
    append(Band, Labels),
    sort(Labels, Boxes),
    same_length(Band, Boxes).

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

%!  shape_size(+Shape, -Size) is det.
%
%   Grids of this Shape have Size rows.

shape_size(Height-Width, Size) :-
    Size is Height * Width.
shape_size(regions(Labels), Size) :-
    length(Labels, Size).

%!  square_box(+Rows, -Shape) is det.
%
%   Shape is that of the boxes in Rows if they are square.
%
%   @error domain_error(square_number, Size) if they cannot be.

square_box(Rows, Side-Side) :-
    must_be(list, Rows),
    length(Rows, Size),
    (   square_root(Size, Side)
    ->  true
    ;   throw(error(domain_error(square_number, Size),
                    context(_, 'give the shape of the boxes too, such as 2-3')))
    ).

square_root(Size, Side) :-
    Side is truncate(sqrt(Size)),
    Size =:= Side * Side.

%!  must_be_grid(?Rows, +Shape, -Size) is det.
%
%   True if Rows are Size rows of Size cells, each a variable or a digit in
%   1..Size, and Shape fits them. Lists that are open or unbound get their length. Raises an
%   error otherwise.

must_be_grid(Rows, Shape, Size) :-
    must_be_shape(Shape, Size),
    (   may_have_length(Rows, Size)
    ->  length(Rows, Size)
    ;   length(Rows, Number),
        must_fit(Shape, Number)
    ),
    maplist(must_be_row(row_of_cells(Size)), Rows),
    maplist(maplist(must_be_cell(Size)), Rows).

%   List is a list of this Length, or one that is open and not longer. Whatever waits for its end is
%   not woken here, so that it can fail, or have several answers, when the list is bound.

may_have_length(List, Length) :-
    '$skip_list'(Number, List, End),
    (   var(End)
    ->  Number =< Length
    ;   End == []
    ->  Number =:= Length
    ;   type_error(list, List)
    ).

must_be_shape(Shape, Size) :-
    must_be(nonvar, Shape),
    (   Shape = Height-Width
    ->  must_be(positive_integer, Height),
        must_be(positive_integer, Width),
        Size is Height * Width
    ;   Shape = regions(Labels)
    ->  must_be_labels(Labels, Size)
    ;   throw(error(type_error(shape, Shape),
                    context(_, 'give Rows-Columns of a box, or regions(Labels)')))
    ).

must_fit(regions(Labels), Size) :-
    domain_error(rows_of_labels(Size), Labels).
must_fit(Height-Width, Size) :-
    domain_error(box_of_cells(Size), Height-Width).

must_be_labels(Labels, Size) :-
    must_be(list, Labels),
    length(Labels, Size),
    maplist(must_be_row(row_of_labels(Size)), Labels),
    maplist(maplist(must_be(atomic)), Labels),
    append(Labels, Unordered),
    msort(Unordered, Ordered),
    clumped(Ordered, Counted),
    (   member(Label-Count, Counted),
        Count =\= Size
    ->  format(atom(Text), "the region ~q has ~d cells, not ~d", [Label, Count, Size]),
        throw(error(domain_error(region_of_cells(Size), Label), context(_, Text)))
    ;   true
    ).

must_be_row(Domain, Row) :-
    arg(1, Domain, Size),
    (   may_have_length(Row, Size)
    ->  length(Row, Size)
    ;   domain_error(Domain, Row)
    ).

must_be_cell(Size, Cell) :-
    (   var(Cell)
    ->  true
    ;   must_be(integer, Cell),
        (   between(1, Size, Cell)
        ->  true
        ;   domain_error(between(1, Size), Cell)
        )
    ).

%!  print_grid(+Rows) is det.
%!  print_grid(+Rows, +Shape) is det.
%
%   Prints Rows, a dot for each variable, with lines between the boxes or regions.
%   Without Shape, there are lines only if the boxes can be square.

print_grid(Rows) :-
    must_be(list, Rows),
    length(Rows, Size),
    (   square_root(Size, Side)
    ->  print_grid(Rows, Side-Side)
    ;   print_grid(Rows, 1-Size)
    ).

print_grid(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    print_cells(Shape, Size, Rows).

print_cells(Shape, Size, Rows) :-
    grid_labels(Size, Shape, Labels),
    atom_length(Size, Width),
    maplist(grid_line(Shape, Width), Labels, Rows, Lines),
    print_lines(Lines, Labels, Shape, Width).

%   A wall is between cells of different boxes or regions.

grid_line(Shape, Width, Labels, Row, Line) :-
    (   Shape = _-_
    ->  Wall = ' | '
    ;   Wall = '|'
    ),
    foldl(cell_and_gap(Width, Wall), Labels, Row, none-'', _-Line).

cell_and_gap(Width, Wall, Label, Cell, Left-Line0, Label-Line) :-
    (   Left == none
    ->  Gap = ''
    ;   Left == Label
    ->  Gap = ' '
    ;   Gap = Wall
    ),
    (   var(Cell)
    ->  Shown = '.'
    ;   Shown = Cell
    ),
    format(atom(Line), "~w~w~|~t~w~*+", [Line0, Gap, Shown, Width]).

print_lines([Last], _, _, _) =>
    writeln(Last).
print_lines([Line|Lines], [Upper,Lower|Labels], Shape, Width) =>
    writeln(Line),
    (   border(Shape, Width, Line, Upper, Lower, Border)
    ->  writeln(Border)
    ;   true
    ),
    print_lines(Lines, [Lower|Labels], Shape, Width).

%   Between two lines: below all of a box, or below the cells where a region ends.

border(_-_, _, Line, Upper, Lower, Border) :-
    Upper \== Lower,
    atom_chars(Line, Chars),
    maplist(dash, Chars, Dashes),
    atomic_list_concat(Dashes, Border).
border(regions(_), Width, _, Upper, Lower, Border) :-
    maplist(border_text(Width), Upper, Lower, Texts),
    atomic_list_concat(Texts, ' ', Border).

dash(Char, Dash) :-
    (   Char == '|'
    ->  Dash = +
    ;   Dash = -
    ).

border_text(Width, Upper, Lower, Text) :-
    (   Upper == Lower
    ->  Border = ' '
    ;   Border = -
    ),
    format(atom(Text), "~t~w~*|", [Border, Width]).
