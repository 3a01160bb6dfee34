% Sets of cells, and rules over the whole grid.

%   The digits of these cells are different.

rule(different, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    unlike(Cells, Grid).

%   No two cells a knight's move apart hold the same digit.

rule(anti_knight, _, Grid) :-
    moves_differ([1-(-2), 1-2, 2-(-1), 2-1], Grid).

%   No two cells a king's move apart hold the same digit. Its moves in a row or a
%   column need no constraint.

rule(anti_king, _, Grid) :-
    moves_differ([1-(-1), 1-1], Grid).

%   No two cells with the digit N are exactly N steps apart.

rule(anti_taxicab, _, Grid) :-
    grid_size(Grid, Size),
    places(Size, Places),
    maplist(taxicab(Grid), Places).

%   Each group holds the same digits equally often.

rule(same_values, Fields, Grid) :-
    get(groups, Fields, Groups),
    digit_counts(Grid, Counts),
    maplist(group_counts(Grid, Counts), Groups).

%   Each square of 2x2 cells holds a low, a middle and a high digit.

rule(global_entropy, _, Grid) :-
    grid_size(Grid, Size),
    thirds(Size, Thirds),
    move_table(third_move(Thirds), Size, Moves),
    Last is Size - 1,
    places(Last, Places),
    maplist(holds_thirds(Grid, Moves), Places).

holds_thirds(Grid, Moves, X-Y) :-
    X1 is X + 1,
    Y1 is Y + 1,
    maplist(grid_at(Grid), [X-Y,X-Y1,X1-Y,X1-Y1], Cells),
    walk(Cells, Moves, 0b1, 0b10000000).

%   States: the thirds that were there, of 1, 2 and 4 the sum.

third_move(Thirds, Digit, From, Shift) :-
    nth0(Index, Thirds, Low..High),
    between(Low, High, Digit),
    (   Shift is 1 << Index,
        nth0(Index, [0b01010101,0b00110011,0b00001111], From)   % not there before
    ;   Shift = 0,
        nth0(Index, [0b10101010,0b11001100,0b11110000], From)
    ).

%   Thirds are the low, the middle and the high digits. If there are no equal thirds, as
%   many digits are low as high.

thirds(Size, [1..Low, AfterLow..BeforeHigh, High..Size]) :-
    Low is (Size + 1) // 3,
    High is Size + 1 - Low,
    AfterLow is Low + 1,
    BeforeHigh is High - 1.

%   The places of the cells up to row and column Last.

places(Last, Places) :-
    findall(X-Y, ( between(1, Last, X), between(1, Last, Y) ), Places).

moves_differ(Moves, Grid) :-
    grid_size(Grid, Size),
    findall([X-Y,X1-Y1],
            ( between(1, Size, X),
              between(1, Size, Y),
              member(Down-Right, Moves),
              X1 is X + Down,
              Y1 is Y + Right,
              X1 =< Size,
              between(1, Size, Y1) ),
            Pairs),
    maplist({Grid}/[[Place1,Place2]]>>
                ( grid_at(Grid, Place1, Cell1),
                  grid_at(Grid, Place2, Cell2),
                  Cell1 #\= Cell2 ),
            Pairs).

%   As soon as the cell holds N, no cell N steps away does.

taxicab(Grid, X-Y) :-
    grid_at(Grid, X-Y, Cell),
    grid_size(Grid, Size),
    findall(Digit-Places,
            ( between(1, Size, Digit),
              findall(X1-Y1, steps_away(Size, Digit, X, Y, X1, Y1), Places) ),
            PlacesAway),
    maplist({Grid}/[Digit-Places,Digit-Cells]>>maplist(grid_at(Grid), Places, Cells),
            PlacesAway, Away),
    post_propagator(taxicab(Cell, Away), Cell).

steps_away(Size, Steps, X, Y, X1, Y1) :-
    between(1, Size, X1),
    Right is Steps - abs(X1 - X),
    Right >= 0,
    (   Y1 is Y + Right
    ;   Right > 0,
        Y1 is Y - Right
    ),
    between(1, Size, Y1).

clpfd:run_propagator(taxicab(Cell, Away), State) :-
    (   integer(Cell)
    ->  clpfd:kill(State),
        memberchk(Cell-Cells, Away),
        keep_from(Cells, Cell)
    ;   true
    ).

keep_from([], _).
keep_from([Cell|Cells], Digit) :-
    Cell #\= Digit,
    keep_from(Cells, Digit).
