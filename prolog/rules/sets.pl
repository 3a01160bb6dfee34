% Sets of cells, and rules over the whole grid.

%   The digits of these cells are different.

rule(different, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    unlike(Cells, Grid).

%   No two cells a knight's move apart hold the same digit.

rule(anti_knight, _, Grid) :-
    cells_apart(knight, Grid, Pairs),
    maplist(all_different, Pairs).

knight(1, 2).
knight(2, 1).

%   No two cells a king's move apart hold the same digit. Its moves in a row or a
%   column need no constraint.

rule(anti_king, _, Grid) :-
    cells_apart(king, Grid, Pairs),
    maplist(all_different, Pairs).

king(1, 1).

%   No two cells with the digit N are exactly N steps apart.

rule(anti_taxicab, _, Grid) :-
    grid_size(Grid, Size),
    places(Size, Places),
    maplist(taxicab(Grid, Places), Places).

taxicab(Grid, Places, X-Y) :-
    findall(Steps-(X1-Y1),
            ( member(X1-Y1, Places), Steps is abs(X1 - X) + abs(Y1 - Y), Steps > 0 ),
            Away),
    pairs_keys_values(Away, Steps, PlacesAway),
    maplist(grid_at(Grid), [X-Y|PlacesAway], [Cell|Cells]),
    pairs_keys_values(Others, Steps, Cells),
    post_propagator(taxicab(Cell, Others), Cell).

sudoku_propagator:constraint_goal(taxicab(Cell, Others), Cell,
                                  sudoku_propagator:post_propagator(taxicab(Cell, Others), Cell)).

%   As soon as the cell holds N, no cell N steps away does.

clpfd:run_propagator(taxicab(Cell, Others), State) :-
    (   integer(Cell)
    ->  clpfd:kill(State),
        maplist(not_after(Cell), Others)
    ;   true
    ).

not_after(Digit, Steps-Cell) :-
    (   Steps =:= Digit
    ->  Cell #\= Digit
    ;   true
    ).

%   Pairs are any two cells whose distances in rows and in columns make Test true.

cells_apart(Test, Grid, Pairs) :-
    grid_size(Grid, Size),
    places(Size, Places),
    findall([X-Y,X1-Y1],
            ( member(X-Y, Places),
              member(X1-Y1, Places),
              X-Y @< X1-Y1,
              Down is X1 - X,
              Right is abs(Y1 - Y),
              call(Test, Down, Right) ),
            Apart),
    maplist(maplist(grid_at(Grid)), Apart, Pairs).

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
    accepted(Cells, Moves, 0b1, 0b10000000).

%   States: the sum of 1, 2 and 4 for the low, middle and high thirds so far.

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
