:- module(sudoku_places,
          [ sum_parts/4,        % +Weighted, +Grid, -Sum, -Bits
            seen_by_all/3,      % +Places, +Grid, -Others
            see/3,              % +Grid, +Place, +Other
            grid_at/3,          % +Grid, +Place, -Cell
            region_of/3         % +Grid, +Place, -Region
          ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(lists), [max_member/2, member/2, memberchk/2, nth1/3, subtract/3, sum_list/2]).
:- use_module(library(pairs), [group_pairs_by_key/2]).

/** <module> Which cells see each other

A place is Row-Column; a grid is what the clauses of rules get.
*/

%!  grid_at(+Grid, +Place, -Cell) is det.
%
%   Cell is what Place, Row-Column, holds.

grid_at(grid(Size, _, Rows), Place, Cell) :-
    (   nonvar(Place),
        Place = Row-Column
    ->  must_be(between(1, Size), Row),
        must_be(between(1, Size), Column),
        arg(Row, Rows, Cells),
        arg(Column, Cells, Cell)
    ;   domain_error(cell, Place)
    ).

%!  region_of(+Grid, +Place, -Region) is det.
%
%   Region is the number of the box, or the label of the region, that Place is in.

region_of(grid(Size, Shape, _), Row-Column, Region) :-
    (   Shape = Height-Width
    ->  Region is (Row-1) // Height * (Size // Width) + (Column-1) // Width
    ;   Shape = regions(Labels),
        nth1(Row, Labels, Line),
        nth1(Column, Line, Region)
    ).

%!  see(+Grid, +Place, +Other) is semidet.
%
%   Two places share a row, a column, or a box or region, whose digits differ; fails
%   if nothing is known of the houses.

see(grid(_, _, Matrix), _, _) :-
    functor(Matrix, rows_alone, _),
    !,
    fail.
see(_, Row-_, Row-_) :- !.
see(_, _-Column, _-Column) :- !.
see(Grid, Place, Other) :-
    region_of(Grid, Place, Region),
    region_of(Grid, Other, Region).

%!  seen_by_all(+Places, +Grid, -Others) is det.
%
%   Others are the cells that share a house with each of Places.

seen_by_all(Places, Grid, Others) :-
    Grid = grid(Size, _, _),
    findall(Row-Column,
            ( between(1, Size, Row), between(1, Size, Column),
              \+ memberchk(Row-Column, Places),
              forall(member(Place, Places), see(Grid, Place, Row-Column)) ),
            Seen),
    maplist(grid_at(Grid), Seen, Others).

%!  sum_parts(+Weighted, +Grid, -Sum, -Bits) is det.
%
%   Sum is what equal_sums/3 takes for the Weighted places, Weight-Place. Bits are
%   how many it needs for the partial sums.

sum_parts(Weighted, Grid, sum(Parts, Offset), Bits) :-
    Grid = grid(Size, _, _),
    findall(Place-Weight, member(Weight-Place, Weighted), Pairs0),
    keysort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    findall(Weight-Place,
            ( member(Place-Weights, Groups), sum_list(Weights, Weight), Weight =\= 0 ),
            Merged0),
    keysort(Merged0, Merged),
    group_pairs_by_key(Merged, ByWeight),
    findall(Bit, ( member(Weight-_, Merged), Bit is abs(Weight) * Size ), AllBits),
    findall(Bit, ( member(Weight-_, Merged), Weight < 0, Bit is -Weight * Size ), Below),
    sum_list(AllBits, Bits),
    sum_list(Below, Offset),
    findall(part(Weight, Part),
            ( member(Weight-Places, ByWeight), different_parts(Places, Grid, Part) ),
            PartPlaces),
    maplist(part_cells(Grid), PartPlaces, Parts).

part_cells(Grid, part(Weight, Places), part(Weight, Cells)) :-
    maplist(grid_at(Grid), Places, Cells).

%   On backtracking, the parts of Places that see each other: first the largest.

different_parts(Places, Grid, Part) :-
    parts(Places, Grid, Parts),
    member(Part, Parts).

parts([], _, []) :- !.
parts(Places, Grid, [Part|Parts]) :-
    Grid = grid(Size, _, _),
    (   Size =< 12,
        findall(House-Place, ( member(Place, Places), house_of(Grid, Place, House) ), Pairs0),
        keysort(Pairs0, Pairs),
        group_pairs_by_key(Pairs, Groups),
        findall(Length-Found, ( member(_-Found, Groups), length(Found, Length) ), Sized),
        max_member(Length-Part, Sized),
        Length > 1
    ->  subtract(Places, Part, Others),
        parts(Others, Grid, Parts)
    ;   findall([Place], member(Place, Places), [Part|Parts])
    ).

house_of(Grid, Place, House) :-
    see(Grid, Place, Place),
    house_around(Grid, Place, House).

house_around(_, Row-_, row(Row)).
house_around(_, _-Column, column(Column)).
house_around(Grid, Place, region(Region)) :-
    region_of(Grid, Place, Region).
