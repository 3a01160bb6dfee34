% Sums: of a cage, of an arrow, of a line.

%   The digits are different, and their sum is the clue if there is one. A cell that
%   is named twice counts twice in the sum. implied.pl has the 45 rule: as the digits of a house have a
%   known sum, so have the few cells of it that no cage covers.

rule(killer_cage, Fields, Grid) :-
    get(cells, Fields, Places),
    different_cells(Fields, Grid, Cells),
    get(sum, Fields, Sum, none),
    grid_size(Grid, Size),
    (   Sum == none
    ->  unlike(Cells, Grid)
    ;   must_be(integer, Sum),
        same_length(Places, Cells),
        largest_exact(Largest),
        Size =< Largest
    ->  Sum >= 0,
        different(Cells, Size, Sum)
    ;   unlike(Cells, Grid),
        weighted(Places, [], Weighted),
        has_sum(Weighted, Sum, Grid)
    ).

%   The digits, each times the weight of its cell, have the sum; they may repeat.

rule(total, Fields, Grid) :-
    get(cells, Fields, Places),
    get(sum, Fields, Sum),
    get(weights, Fields, Weights, []),
    weighted(Places, Weights, Weighted),
    has_sum(Weighted, Sum, Grid).

%   The digits along the arm have the sum that the circle holds. Several circle cells
%   are one number in decimal digits.

rule(arrow, Fields, Grid) :-
    get(circle, Fields, Circle),
    get(arm, Fields, Arm),
    cells(circle, Fields, Grid, [_|Later]),
    maplist(#>=(9), Later),
    reverse(Circle, Backwards),
    decimals(Backwards, -1, CircleWeighted),
    weighted(Arm, [], ArmWeighted),
    append(CircleWeighted, ArmWeighted, Weighted),
    has_sum(Weighted, 0, Grid).

decimals([], _, []).
decimals([Place|Places], Weight, [Weight-Place|Weighted]) :-
    Next is Weight * 10,
    decimals(Places, Next, Weighted).

%   The digits along the diagonal have the sum; they may repeat.

rule(little_killer, Fields, Grid) :-
    rule(total, Fields, Grid).

%   Each run of the line within one box or region has the same sum. Cells that are in
%   none are passed over. The rule may have regions of its own.

rule(region_sum_line, Fields, Grid) :-
    get(cells, Fields, Places),
    get(regions, Fields, Regions, []),
    cells(Fields, Grid, _),
    maplist(maplist(grid_at(Grid)), Regions, _),
    findall(Region-Place,
            ( member(Place, Places), region_of(Regions, Grid, Place, Region) ),
            Pairs),
    group_pairs_by_key(Pairs, Groups),  % neighbours on the line
    pairs_values(Groups, Runs),
    same_sum(Runs, Grid).

region_of([], Grid, Place, Region) :-
    region_of(Grid, Place, Region).
region_of([First|Others], _, Place, Region) :-
    nth1(Region, [First|Others], Places),
    memberchk(Place, Places).

%   Two cells at the same distance from the middle have the same sum, wherever they
%   are. If there is a cell in the middle, its digit is that sum.

rule(zipper_line, Fields, Grid) :-
    get(cells, Fields, Places),
    cells(Fields, Grid, _),
    length(Places, Length),
    Half is Length // 2,
    length(First, Half),
    append(First, Rest, Places),
    reverse(Places, Backwards),
    length(Last, Half),
    append(Last, _, Backwards),
    maplist([One,Other,[One,Other]]>>true, First, Last, Groups),
    (   Length mod 2 =:= 1
    ->  Rest = [Middle|_],
        same_sum([[Middle]|Groups], Grid)
    ;   same_sum(Groups, Grid)
    ).

%   The line splits into pieces that each have the sum. In a loop the last cell is
%   beside the first one, and a piece may go across.

rule(sum_line, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(sum, Fields, Sum, 10),
    must_be(positive_integer, Sum),
    grid_size(Grid, Size),
    length(Cells, Length),
    Sum =< Length * Size,
    (   flag(loop, Fields)
    ->  Blocks = Sum
    ;   Blocks = 1
    ),
    move_table(piece_move(Sum, Blocks), Size, Moves),
    Next is Sum + 1,
    repeated(1, Next, Blocks, Ends),
    accepted(Cells, Moves, Ends, Ends).

%   States: what the open piece has so far, less than Sum; of a loop, a block for each
%   sum that the first piece brings from behind the last cell, and that has to be the
%   open one there.

piece_move(Sum, Blocks, Digit, From, Shift) :-
    Left is Sum - Digit,
    (   ones(Left, Block),
        Shift = Digit
    ;   Left >= 0,
        Block is 1 << Left,
        Shift is -Left
    ),
    repeated(Block, Sum, Blocks, From).

%   The digits between the two ends of the line have the same sum as the ends.

rule(double_arrow, Fields, Grid) :-
    get(cells, Fields, Places),
    ends(Places, First, Inner, Last),
    weighted(Inner, [], Weighted),
    has_sum([-1-First,-1-Last|Weighted], 0, Grid).

%   The digits are different, and no non-empty subset has the sum.

rule(rellik_cage, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(sum, Fields, Sum),
    must_be(nonneg, Sum),
    grid_size(Grid, Size),
    largest_exact(Largest),
    (   Size =< Largest
    ->  subset_tables(Size, Moves, OfSum),
        At is Sum + 1,
        (   arg(At, OfSum, Bad0)
        ->  true
        ;   Bad0 = 0
        ),
        Moves =.. [_|MovesOfDigits],
        foldl(and_larger, MovesOfDigits, Bad0, Bad),
        Ends is \Bad,
        accepted(Cells, Moves, 1, Ends)
    ;   get(cells, Fields, Places),
        findall(Some, some_of(Places, Some), Parts),
        maplist(maplist(grid_at(Grid)), Parts, CellsOfParts),
        maplist({Sum}/[Part]>>sum(Part, #\=, Sum), CellsOfParts),
        unlike(Cells, Grid)
    ).

%   With a set of digits, the same and one digit more are bad too.

and_larger([Without-Shift], Bad0, Bad) :-
    Bad is Bad0 \/ ((Bad0 /\ Without) << Shift).

some_of([], []).
some_of([Place|Places], [Place|Some]) :-
    some_of(Places, Some).
some_of([_|Places], Some) :-
    some_of(Places, Some).

% --- what several of these rules use ---

%   The weight of each place is 1 if there are none.

weighted(Places, Weights, Weighted) :-
    must_be(list, Places),
    (   Weights == []
    ->  maplist(once_each, Places, Weighted)
    ;   must_be(list(integer), Weights),
        pairs_keys_values(Weighted, Weights, Places)
    ).

once_each(Place, 1-Place).

has_sum(Weighted, Sum, Grid) :-
    must_be(integer, Sum),
    (   Sum < 0
    ->  maplist(negated, Weighted, Negated),
        Positive is -Sum,
        has_sum(Negated, Positive, Grid)
    ;   sum_parts(Weighted, Grid, SumParts, Bits),
        Bits =< 20_000,
        Sum =< 20_000
    ->  grid_size(Grid, Size),
        Target is 1 << Sum,
        equal_sums([SumParts], Size, Target)
    ;   pairs_keys_values(Weighted, Weights, Places),
        maplist(grid_at(Grid), Places, Cells),
        scalar_product(Weights, Cells, #=, Sum)
    ).

same_sum(Groups, Grid) :-
    grid_size(Grid, Size),
    maplist(sum_of_group(Grid), Groups, Sums),
    equal_sums(Sums, Size, -1).

sum_of_group(Grid, Places, Sum) :-
    weighted(Places, [], Weighted),
    sum_parts(Weighted, Grid, Sum, _).

negated(Weight0-Place, Weight-Place) :-
    Weight is -Weight0.

%   These cells, each named once, hold different digits.

unlike(Cells, Grid) :-
    all_different(Cells),
    grid_size(Grid, Size),
    (   largest_exact(Largest),
        Size =< Largest
    ->  different(Cells, Size, any)
    ;   length(Cells, Size)
    ->  every_digit(Cells)
    ;   true
    ).

%   Region is the number of the box, or the label of the region, that Place is in.

region_of(grid(Size, Shape, _), Place, Region) :-
    box_or_region(Size, Shape, Place, Region).

%   Sum is what equal_sums/3 takes for the Weighted places, Weight-Place. Bits are
%   how many it needs for the partial sums.

sum_parts(Weighted, Grid, sum(Parts, Offset), Bits) :-
    grid_size(Grid, Size),
    findall(Place, member(_-Place, Weighted), Places0),
    sort(Places0, Places),
    findall(Weight-Place,
            ( member(Place, Places),
              aggregate_all(sum(Each), member(Each-Place, Weighted), Weight),
              Weight =\= 0 ),
            Merged0),
    keysort(Merged0, Merged),
    group_pairs_by_key(Merged, ByWeight),
    aggregate_all(sum(abs(Weight) * Size), member(Weight-_, Merged), Bits),
    aggregate_all(sum(-Weight * Size), ( member(Weight-_, Merged), Weight < 0 ), Offset),
    findall(part(Weight, Part),
            ( member(Weight-Same, ByWeight), parts(Same, Grid, Found), member(Part, Found) ),
            PartPlaces),
    maplist(part_cells(Grid), PartPlaces, Parts).

part_cells(Grid, part(Weight, Places), part(Weight, Cells)) :-
    maplist(grid_at(Grid), Places, Cells).

%   The parts of Places that see each other: first the largest.

parts([], _, []) :- !.
parts(Places, Grid, [Part|Parts]) :-
    (   Grid = grid(Size, _, Matrix),
        Size =< 12,
        functor(Matrix, rows, _),       % else nothing is known of the houses
        findall(House-Place, ( member(Place, Places), house_around(Grid, Place, House) ), Pairs0),
        keysort(Pairs0, Pairs),
        group_pairs_by_key(Pairs, Groups),
        findall(Length-Found, ( member(_-Found, Groups), length(Found, Length) ), Sized),
        max_member(Length-Part, Sized),
        Length > 1
    ->  subtract(Places, Part, Others),
        parts(Others, Grid, Parts)
    ;   findall([Place], member(Place, Places), [Part|Parts])
    ).

house_around(_, Row-_, row(Row)).
house_around(_, _-Column, column(Column)).
house_around(Grid, Place, region(Region)) :-
    region_of(Grid, Place, Region).
