:- module(sudoku_grid,
          [ must_be_grid/3,     % +Rows, +Box, -Size
            square_box/2,       % +Rows, -Box
            sudoku_houses/3,    % +Rows, +Box, -Houses
            print_grid/1,       % +Rows
            print_grid/2        % +Rows, +Box
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd), [transpose/2]).
:- use_module(library(error), [must_be/2, domain_error/2, type_error/2]).
:- use_module(library(lists), [append/2, append/3]).

/** <module> The shape of a sudoku grid

Nothing here knows the rules. A mistake in the shape or the cells of a grid
raises an error, so that failure always means "no solution".
*/

%!  sudoku_houses(+Rows, +Box, -Houses) is det.
%
%   Houses are the rows, the columns and the boxes of Rows, each a list of its
%   cells. Box is the shape of a box, Height-Width. The cells may be anything.

sudoku_houses(Rows, Box, Houses) :-
    transpose(Rows, Columns),
    boxes(Rows, Box, Boxes),
    append([Rows, Columns, Boxes], Houses).

boxes(Rows, Height-Width, Boxes) :-
    pieces(Height, Rows, Bands),
    maplist(band_boxes(Width), Bands, BoxesOfBands),
    append(BoxesOfBands, Boxes).

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

%!  square_box(+Rows, -Box) is det.
%
%   Box is the shape of the boxes in Rows if they are square.
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

%!  must_be_grid(+Rows, +Box, -Size) is det.
%
%   True if Rows are Size rows of Size cells, each a variable or a digit in
%   1..Size, and boxes of the shape Box fit in. Raises an error otherwise.

must_be_grid(Rows, Box, Size) :-
    must_be(list, Rows),
    length(Rows, Size),
    must_be_box(Size, Box),
    maplist(must_be_row(Size), Rows).

must_be_box(Size, Box) :-
    must_be(nonvar, Box),
    (   Box = Height-Width
    ->  must_be(positive_integer, Height),
        must_be(positive_integer, Width)
    ;   type_error(box, Box)
    ),
    (   Size =:= Height * Width
    ->  true
    ;   domain_error(box_of_cells(Size), Box)
    ).

must_be_row(Size, Row) :-
    must_be(list, Row),
    (   length(Row, Size)
    ->  maplist(must_be_cell(Size), Row)
    ;   domain_error(row_of_cells(Size), Row)
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
%!  print_grid(+Rows, +Box) is det.
%
%   Prints Rows, a dot for each variable, with lines between the boxes. Without
%   Box, there are lines only where the boxes can be square.

print_grid(Rows) :-
    must_be(list, Rows),
    length(Rows, Size),
    (   square_root(Size, Side)
    ->  print_grid(Rows, Side-Side)
    ;   must_be_grid(Rows, 1-Size, _),
        print_bands(Rows, Size-Size)
    ).

print_grid(Rows, Box) :-
    must_be_grid(Rows, Box, _),
    print_bands(Rows, Box).

print_bands(Rows, Height-Width) :-
    length(Rows, Size),
    atom_length(Size, Digits),
    Dashes is Width * (Digits + 1) - 1,
    format(atom(Dash), "~`-t~*|", [Dashes]),
    Pieces is Size // Width,
    length(DashPieces, Pieces),
    maplist(=(Dash), DashPieces),
    atomic_list_concat(DashPieces, '-+-', Line),
    atomic_list_concat(['\n', Line, '\n'], Between),
    pieces(Height, Rows, Bands),
    maplist(band_text(Digits, Width), Bands, Texts),
    atomic_list_concat(Texts, Between, Text),
    writeln(Text).

band_text(Digits, Width, Band, Text) :-
    maplist(row_text(Digits, Width), Band, Texts),
    atomic_list_concat(Texts, '\n', Text).

row_text(Digits, Width, Row, Text) :-
    maplist(cell_text(Digits), Row, Cells),
    pieces(Width, Cells, Pieces),
    maplist(piece_text, Pieces, Texts),
    atomic_list_concat(Texts, ' | ', Text).

piece_text(Piece, Text) :-
    atomic_list_concat(Piece, ' ', Text).

cell_text(Digits, Cell, Text) :-
    (   var(Cell)
    ->  Shown = '.'
    ;   Shown = Cell
    ),
    format(atom(Text), "~t~w~*|", [Shown, Digits]).
