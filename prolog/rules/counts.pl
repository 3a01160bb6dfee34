% Rules that count digits, point at cells, or choose among other rules.

%   The digits are in the cells, each as often as it is listed; with exactly, not
%   more often.

rule(contains, Fields, Grid) :-
    get(digits, Fields, Digits),
    cells(Fields, Grid, Cells),
    msort(Digits, Sorted),
    clumped(Sorted, Least),
    (   flag(exactly, Fields)
    ->  hold_numbers(Cells, #=, Least, Grid)
    ;   hold_numbers(Cells, #>=, Least, Grid)
    ).

%   If the control holds K, the K-th of the cells holds the value.

rule(index, Fields, Grid) :-
    cells(control, Fields, Grid, [Control]),
    cells(Fields, Grid, Cells),
    get(value, Fields, Value),
    element(Control, Cells, Value).

%   A digit N that is in these cells is in exactly N of them.

rule(counting_circles, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    digit_counts(Grid, Counts),
    maplist([Digit-Count]>>(Count in 0 \/ Digit), Counts),
    global_cardinality(Cells, Counts).

%   Each of the digits is in as many of the cells as its count says.

rule(look_and_say, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(digits, Fields, Digits),
    get(counts, Fields, Numbers),
    pairs_keys_values(Said, Digits, Numbers),
    hold_numbers(Cells, #=, Said, Grid).

%   For each Digit-Number, exactly Number cells hold the digit; at least, if Relation is #>=.
%   States: how often each of the digits was there, as one number with a place for each digit.

hold_numbers(Cells, Relation, Numbers, Grid) :-
    grid_size(Grid, Size),
    foldl(number_place, Numbers, Places, 1, States),
    (   States =< 20_000
    ->  move_table(number_move(Relation, Places, States), Size, Moves),
        Ends is 1 << (States - 1),
        accepted(Cells, Moves, 1, Ends)
    ;   digit_counts(Grid, Counts),
        maplist(holds_number(Counts, Relation), Numbers),
        global_cardinality(Cells, Counts)
    ).

number_place(Digit-Number, Digit-place(Unit, Number), Unit, Next) :-
    Next is Unit * (Number + 1).

number_move(Relation, Places, States, Digit, From, Shift) :-
    (   memberchk(Digit-place(Unit, Number), Places)
    ->  Wide is Unit * (Number + 1),
        Above is States // Wide,
        Low is Unit * Number,
        (   ones(Low, Block),
            Shift = Unit
        ;   Relation == (#>=),
            ones(Unit, Block0),
            Block is Block0 << Low,
            Shift = 0
        ),
        repeated(Block, Wide, Above, From)
    ;   ones(States, From),
        Shift = 0
    ).

holds_number(Counts, Relation, Digit-Number) :-
    memberchk(Digit-Count, Counts),
    call(Relation, Count, Number).

%   The digit in the control is the number of different digits in the cells.

rule(count_different, Fields, Grid) :-
    cells(control, Fields, Grid, [Control]),
    cells(Fields, Grid, Cells),
    digit_counts(Grid, Counts),
    global_cardinality(Cells, Counts),
    maplist([_-Count,There]>>(There #<==> (Count #> 0)), Counts, All),
    sum(All, #=, Control).

%   The rules of at least one option are obeyed. A grid that obeys several is found once.

rule(any_of, Fields, Grid) :-
    get(options, Fields, Options),
    post_alternatives(some_option(Options), Grid).

some_option(Options, Grid) :-
    member(Option, Options),
    maplist(post_rule(Grid), Option).

%   Counts are pairs Digit-Count for all digits of a grid, as global_cardinality/2 takes them.

digit_counts(Grid, Counts) :-
    grid_size(Grid, Size),
    numlist(1, Size, Digits),
    maplist([Digit,Digit-_]>>true, Digits, Counts).

group_counts(Grid, Counts, Places) :-
    maplist(grid_at(Grid), Places, Cells),
    global_cardinality(Cells, Counts).
