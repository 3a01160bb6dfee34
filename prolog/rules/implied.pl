:- module(sudoku_implied,
          [ post_implied/2      % +Rules, +Grid
          ]).
:- use_module(shared, [equal_sums/3]).
:- use_module(places, [grid_at/3, house_places/3, sum_parts/4]).
:- use_module(subsets, [all_ways/3]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, same_length/2]).
:- use_module(library(ordsets), [ord_disjoint/2, ord_intersection/3, ord_subset/2, ord_subtract/3,
                                 ord_union/2, ord_union/3]).
:- use_module(library(pairs), [pairs_keys_values/3]).

/** <module> What follows from cages and houses together

All digits of a house have a known sum. So if cages cover all but a few cells of
some rows, the sum of these cells is known (people say innies), and likewise that of
a few cells of cages that reach out (outies).
*/

%!  post_implied(+Rules, +Grid) is semidet.

post_implied(Rules, Grid) :-
    Grid = grid(Size, _, _),
    (   Size =< 12
    ->  findall(cage(Places, Sum), summed_cage(Rules, Places, Sum), Cages),
        findall(House, a_house(Grid, House), Houses),
        maplist(with_cages(Cages, Grid), Houses),
        leftovers(Cages, Grid, Leftovers),
        maplist(post_leftover(Grid), Leftovers)
    ;   true
    ).

summed_cage(Rules, Places, Sum) :-
    member(Rule, Rules),
    compound(Rule),
    Rule =.. [killer_cage|Fields],
    memberchk(cells=Places0, Fields),
    memberchk(sum=Sum, Fields),
    sort(Places0, Places),
    same_length(Places0, Places).

a_house(Grid, Places) :-
    house_places(Grid, _, Places0),
    sort(Places0, Places).

%   The cages of a house come first, one after another.

with_cages(Cages, Grid, House) :-
    Grid = grid(Size, _, _),
    cages_within(Cages, House, Inner),
    foldl(cage_steps, Inner, Steps-House-0, []-Rest-_),
    findall(Place-none, member(Place, Rest), RestSteps),
    append(Steps, RestSteps, AllSteps),
    pairs_keys_values(AllSteps, Places, Sums),
    maplist(grid_at(Grid), Places, Cells),
    all_ways(Cells, Sums, Size).

cage_steps(cage(Places, Sum), Steps0-House0-Sum0, Steps-House-Sum1) :-
    Sum1 is Sum0 + Sum,
    ord_subtract(House0, Places, House),
    append(Before, [Last], Places),
    !,
    findall(Place-none, member(Place, Before), First),
    append(First, [Last-Sum1|Steps], Steps0).

%   Inner are cages in these places that have no cell in common.

cages_within(Cages, House, Inner) :-
    foldl(cage_within, Cages, House-[], _-Inner).

cage_within(cage(Places, Sum), Free0-Inner0, Free-Inner) :-
    (   ord_subset(Places, Free0)
    ->  ord_subtract(Free0, Places, Free),
        Inner = [cage(Places, Sum)|Inner0]
    ;   Free = Free0,
        Inner = Inner0
    ).

%   Leftovers are leftover(In, Out, Sum): the sum of In less that of Out is Sum.

leftovers([], _, Leftovers) =>
    Leftovers = [].
leftovers(Cages, Grid, Leftovers) =>
    Grid = grid(Size, _, _),
    findall(Leftover,
            ( area(Grid, Area, Number), leftover(Cages, Size, Area, Number, Leftover) ),
            Leftovers0),
    sort(Leftovers0, Leftovers).

%   One to four rows, columns or boxes beside each other, or other boxes together.

area(Grid, Area, Number) :-
    Grid = grid(Size, _, _),
    findall(Kind-Places,
            ( house_places(Grid, House, Places0), functor(House, Kind, 1), sort(Places0, Places) ),
            Houses),
    member(Kind, [row,column,region]),
    findall(Places, member(Kind-Places, Houses), OfKind),
    Half is Size // 2,
    between(1, Half, Number),
    (   Kind == region
    ->  Number =< 2,
        length(Chosen, Number),
        phrase(chosen(Chosen), OfKind, _)
    ;   length(Chosen, Number),
        append(_, Rest, OfKind),
        append(Chosen, _, Rest)
    ),
    ord_union(Chosen, Area).

chosen([]) -->
    [].
chosen([House|Houses]) -->
    before,
    [House],
    chosen(Houses).

before -->
    [].
before -->
    [_],
    before.

leftover(Cages, Size, Area, Number, leftover(In, Out, Sum)) :-
    Total is Number * Size * (Size + 1) // 2,
    foldl(take_cage(Area), Cages, Area-[]-Total, In-Out-Sum),
    In \== Area,                       % else no cage is in it
    length(In, Ins),
    length(Out, Outs),
    Ins + Outs > 0,
    Ins + Outs =< 5.

%   Cages that are mostly in the area, and have no cell in common with others.

take_cage(Area, cage(Places, Sum), In0-Out0-Sum0, In-Out-Sum1) :-
    ord_intersection(Places, Area, Within),
    ord_subtract(Places, Area, Beyond),
    length(Within, Here),
    length(Beyond, There),
    (   Here > There,
        ord_subset(Within, In0),
        ord_disjoint(Beyond, Out0)
    ->  ord_subtract(In0, Within, In),
        ord_union(Out0, Beyond, Out),
        Sum1 is Sum0 - Sum
    ;   In = In0,
        Out = Out0,
        Sum1 = Sum0
    ).

post_leftover(Grid, leftover(In, Out, Sum)) :-
    Grid = grid(Size, _, _),
    (   Sum >= 0
    ->  Plus = In,
        Minus = Out,
        Target is 1 << Sum
    ;   Plus = Out,
        Minus = In,
        Target is 1 << -Sum
    ),
    findall(1-Place, member(Place, Plus), Weighted, Negative),
    findall(-1-Place, member(Place, Minus), Negative),
    sum_parts(Weighted, Grid, SumParts, _),
    equal_sums([SumParts], Size, Target).
