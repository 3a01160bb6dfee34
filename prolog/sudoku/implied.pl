:- module(sudoku_implied,
          [ with_implied/3      % +Elements, +Box, -AllElements
          ]).
:- use_module(library(lists), [member/2, subtract/3]).

/** <module> Houses that follow from other houses

The rows and the boxes of a band have the same cells. So where every digit is once
in all but one of these houses, it is once in that one too, and likewise in a stack.
To say so spares a search what it could only find out by trying very many grids.
*/

%!  with_implied(+Elements, +Box, -AllElements) is det.
%
%   AllElements are Elements and those houses, row(I), column(I) or box(I), that
%   follow from the houses among them. Box is the shape of a box.

with_implied(Elements, Box, AllElements) :-
    (   lines_and_boxes(Box, Houses),
        subtract(Houses, Elements, [House])
    ->  with_implied([House|Elements], Box, AllElements)
    ;   AllElements = Elements
    ).

%   Houses are the lines and the boxes of a band or a stack.

lines_and_boxes(Height-Width, Houses) :-
    between(1, Width, Band),
    findall(House,
            ( between(1, Height, Nth),
              Number is (Band - 1) * Height + Nth,
              member(House, [row(Number),box(Number)]) ),
            Houses).
lines_and_boxes(Height-Width, Houses) :-
    between(1, Height, Stack),
    findall(House,
            ( between(1, Width, Nth),
              Column is (Stack - 1) * Width + Nth,
              Box is (Nth - 1) * Height + Stack,
              member(House, [column(Column),box(Box)]) ),
            Houses).
