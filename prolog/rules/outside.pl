% Clues beside the grid. The cells are in the order in which one sees them from the
% clue; each rule is an automaton that goes along them.

%   The digits between the lowest and the highest digit have the sum.

rule(sandwich, Fields, Grid) :-
    clue_sum(Fields, Grid, Cells, Size, Sum),
    (   different_places(Fields, Grid)
    ->  (   Size =< 12
        ->  set_between(Cells, Sum, Size)
        ;   between_ends(Cells, Sum, [1-Size], Size)
        )
    ;   between_ends(Cells, Sum, [1-Size], Size),
        hold_numbers(Cells, #=, [1-1], Grid)        % so the other end holds the highest
    ).

%   The digits are different; those between the lowest and the highest of them have
%   the sum.

rule(lunchbox, Fields, Grid) :-
    clue_sum(Fields, Grid, Cells, Size, Sum),
    unlike(Cells, Grid),
    findall(Low-High, ( between(1, Size, High), Below is High - 1, between(1, Below, Low) ),
            Ends),
    between_ends(Cells, Sum, Ends, Size).

%   States: for each of the pairs in Ends a block of Sum + 3. In the block, 0 is
%   before the first end, 1 after the last, and 2 + S between them with the sum S.

between_ends(Cells, Sum, Ends, Size) :-
    Width is Sum + 3,
    length(Ends, Blocks),
    repeated(1, Width, Blocks, Before),
    After is Before << 1,
    move_table(between_move(Sum, Width, Ends), Size, Moves),
    accepted(Cells, Moves, Before, After).

between_move(Sum, Width, Ends, Digit, From, Shift) :-
    (   Room is Sum - Digit + 1,
        ones(Room, Inside0),
        Inside is Inside0 << 2,
        member(Block-Shift, [0b11-0,Inside-Digit]),
        Test = inner(Digit)
    ;   Full is 1 << (Sum + 2),
        Back is -(Sum + 1),
        member(Block-Shift, [1-2,Full-Back]),
        Test = end(Digit)
    ),
    aggregate_all(sum(Block << (Index * Width)),
                  ( nth0(Index, Ends, Pair), once(call(Test, Pair)) ),
                  From).

inner(Digit, Low-High) :-
    Digit > Low,
    Digit < High.

end(Digit, Digit-_).
end(Digit, _-Digit).

%   The same for cells that hold different digits. State 0 is before the first end.
%   Then come two blocks with a state for each set of digits between the ends so
%   far: one before the last end, and one after it.

set_between(Cells, Sum, Size) :-
    Width is 1 << Size,
    subset_tables(Size, Adding, OfSum),
    At is Sum + 1,
    (   arg(At, OfSum, Good)
    ->  true
    ;   Good = 0
    ),
    move_table(set_between_move(Size, Width, Adding, Good), Size, Moves),
    Ends is Good << (Width + 1),
    accepted(Cells, Moves, 1, Ends).

set_between_move(Size, Width, Adding, Good, Digit, From, Shift) :-
    (   end(Digit, 1-Size)
    ->  GoodHere is Good << 1,
        member(From-Shift, [1-1,GoodHere-Width])
    ;   ones(Width, All),
        After is (All << (Width + 1)) \/ 1,
        arg(Digit, Adding, [Free-Add]),
        Inside is Free << 1,
        member(From-Shift, [After-0,Inside-Add])
    ).

%   The first X digits have the sum; X is the first of them.

rule(x_sum, Fields, Grid) :-
    clue_sum(Fields, Grid, Cells, Size, Sum),
    Width is Sum + 1,
    Start is 1 << (Size * Width),
    Ends is 1 << Sum,
    move_table(x_sum_move(Sum, Width, Size), Size, Moves),
    accepted(Cells, Moves, Start, Ends).

%   States: R * (Sum + 1) + S if R digits more count and the sum so far is S. The
%   last one is the start.

x_sum_move(Sum, Width, Size, Digit, From, Shift) :-
    (   Digit =< Sum,
        Start is Size * Width,
        From is 1 << Start,
        Shift is (Digit - 1) * Width + Digit - Start
    ;   ones(Width, From),
        Shift = 0
    ;   Room is Sum - Digit + 1,
        ones(Room, Block),
        More is Size - 1,
        repeated(Block, Width, More, From0),
        From is From0 << Width,
        Shift is Digit - Width
    ).

%   Exactly Value digits exceed all before them.

rule(skyscraper, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(value, Fields, Value),
    must_be(integer, Value),
    grid_size(Grid, Size),
    length(Cells, Length),
    Value >= 0,
    Value =< Length,
    Width is Value + 1,
    move_table(skyscraper_move(Size, Width), Size, Moves),
    More is Size + 1,
    Last is 1 << Value,
    repeated(Last, Width, More, Ends),
    accepted(Cells, Moves, 1, Ends).

%   States: H * (Value + 1) + C if the highest digit so far is H, and C are seen.

skyscraper_move(Size, Width, Digit, From, Shift) :-
    (   Higher is Size + 1 - Digit,
        ones(Width, Block),
        repeated(Block, Width, Higher, From0),
        From is From0 << (Digit * Width),
        Shift = 0
    ;   Below is Digit - 1,
        Room is Width - 1,
        ones(Room, Block),
        between(0, Below, Highest),
        From is Block << (Highest * Width),
        Shift is (Digit - Highest) * Width + 1
    ).

%   The first digit that is not greater than all before it is the clue.

rule(hidden_skyscraper, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(value, Fields, Value),
    grid_size(Grid, Size),
    must_be(integer, Value),
    move_table(hidden_move(Size, Value), Size, Moves),
    Ends is 1 << (Size + 1),
    accepted(Cells, Moves, 1, Ends).

%   States: the highest digit so far; Size + 1 once the hidden one has come.

hidden_move(Size, Value, Digit, From, Shift) :-
    Found is Size + 1,
    (   From is 1 << Found,
        Shift = 0
    ;   Below is Digit - 1,
        between(0, Below, Highest),
        From is 1 << Highest,
        Shift is Digit - Highest
    ;   Digit =:= Value,
        between(Value, Size, Highest),
        From is 1 << Highest,
        Shift is Found - Highest
    ).

%   Sum is that of the clue. Fails if no cells of a grid of this Size can have it.

clue_sum(Fields, Grid, Cells, Size, Sum) :-
    cells(Fields, Grid, Cells),
    get(sum, Fields, Sum),
    must_be(integer, Sum),
    grid_size(Grid, Size),
    Sum >= 0,
    Sum =< Size * Size.

%   The cells are different, and each sees all others.

different_places(Fields, Grid) :-
    get(cells, Fields, Places),
    sort(Places, Sorted),
    same_length(Places, Sorted),
    forall(( member(One, Places), member(Other, Places), One @< Other ),
           see(Grid, One, Other)).

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
