% Rules that count digits, point at cells, or choose among other rules.

%   The digits are in the cells, each as often as it is listed; with exactly, no
%   others are.

rule(contains, Fields, Grid) :-
    get(digits, Fields, Digits),
    get(exactly, Fields, Exactly, false),
    cells(Fields, Grid, Cells),
    msort(Digits, Sorted),
    pairs_keys_values(Pairs, Sorted, Sorted),
    group_pairs_by_key(Pairs, Groups),
    maplist(least_number(Exactly), Groups, Least),
    hold_numbers(Cells, Least, Exactly, Grid).

least_number(Exactly, Digit-Copies, number(Digit, Number, Exactly)) :-
    length(Copies, Number).

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
    maplist([Digit,Number,number(Digit, Number, true)]>>true, Digits, Numbers, Exact),
    hold_numbers(Cells, Exact, false, Grid).

%   Each of Numbers is number(Digit, Number, Exactly): so many cells hold the digit, or
%   as many at least. If Only is true, no cell holds another digit. States: how often
%   each of the digits was there, as one number with a place for each digit.

hold_numbers(Cells, Numbers, Only, Grid) :-
    grid_size(Grid, Size),
    foldl(number_place, Numbers, Places, 1, States),
    (   States =< 20_000
    ->  move_table(number_move(Places, States, Only), Size, Moves),
        Ends is 1 << (States - 1),
        walk(Cells, Moves, 1, Ends)
    ;   maplist(holds_number(Cells), Numbers),
        (   Only == true
        ->  length(Cells, Length),
            findall(Number, member(number(_, Number, _), Numbers), All),
            sum_list(All, Length)
        ;   true
        )
    ).

holds_number(Cells, number(Digit, Number, Exactly)) :-
    maplist({Digit}/[Cell,Here]>>(Here #<==> (Cell #= Digit)), Cells, Places),
    (   Exactly == true
    ->  sum(Places, #=, Number)
    ;   sum(Places, #>=, Number)
    ).

number_place(number(Digit, Number, Exactly), Digit-place(Unit, Number, Exactly), Unit, Next) :-
    Next is Unit * (Number + 1).

number_move(Places, States, Only, Digit, From, Shift) :-
    (   memberchk(Digit-place(Unit, Number, Exactly), Places)
    ->  Wide is Unit * (Number + 1),
        Above is States // Wide,
        Low is Unit * Number,
        (   ones(Low, Block),
            Shift = Unit
        ;   Exactly \== true,
            ones(Unit, Block0),
            Block is Block0 << Low,
            Shift = 0
        ),
        repeated(Block, Wide, Above, From)
    ;   Only \== true,
        ones(States, From),
        Shift = 0
    ).

%   The digit in the control is the number of different digits in the cells.

rule(count_different, Fields, Grid) :-
    cells(control, Fields, Grid, [Control]),
    cells(Fields, Grid, Cells),
    digit_counts(Grid, Counts),
    global_cardinality(Cells, Counts),
    maplist([_-Count,There]>>(There #<==> (Count #> 0)), Counts, All),
    sum(All, #=, Control).

%   The rules of at least one option are obeyed. Options whose rules fail are left
%   out, and the last one is posted. There is no choice point, so a grid that obeys
%   several options is found once.

rule(any_of, Fields, Grid) :-
    get(options, Fields, Options),
    post_propagator(any_of(Options, Grid, open(-1)), Grid).

clpfd:run_propagator(any_of(Options, Grid, Open), State) :-
    term_variables(Grid, Cells),
    length(Cells, Number),
    (   (   arg(1, Open, Number)        % no other cell is filled in: trials take long
        ;   inside_other_trial(Grid)
        )
    ->  true
    ;   setarg(1, Open, Number),
        trials(Options, Grid, Outcomes),
        (   memberchk(obeyed-_, Outcomes)
        ->  clpfd:kill(State)
        ;   Outcomes = [_-Option|Others],
            (   Others == []
            ->  clpfd:kill(State),
                post_option(Grid, Option)
            ;   true
            )
        )
    ).

%   Outcomes are the options that are still possible, obeyed-Option if the candidates
%   that are left cannot break it any more, else open-Option. A trial is made on a
%   copy of the grid that has no other rules.

trials([], _, []).
trials([Option|Options], Grid, Outcomes) :-
    (   findall(Outcome, trial(Grid, Option, Outcome), [Outcome])
    ->  Outcomes = [Outcome-Option|Others]
    ;   Outcomes = Others
    ),
    trials(Options, Grid, Others).

trial(Grid, Option, Outcome) :-
    copy_term_nat(Grid, Copy),
    b_setval(sudoku_trial, Copy),
    term_variables(Grid, Cells),
    term_variables(Copy, Copies),
    maplist(copy_domain, Cells, Copies),
    post_option(Copy, Option),
    term_variables(Copies, Left),       % fewer if the option made two cells one
    (   same_length(Left, Copies),
        maplist(untouched, Cells, Copies)
    ->  Outcome = obeyed
    ;   Outcome = open
    ),
    !.

post_option(Grid, Option) :-
    maplist(post_rule(Grid), Option).

copy_domain(Cell, Copy) :-
    fd_dom(Cell, Domain),
    Copy in Domain.

untouched(Cell, Copy) :-
    var(Copy),
    fd_degree(Copy, 0),
    fd_size(Cell, Size),
    fd_size(Copy, Size).

%   A trial may wake up other rules, but what they find is lost with it.

inside_other_trial(Grid) :-
    nb_current(sudoku_trial, Copy),
    Copy = grid(_, _, Rows),
    Grid = grid(_, _, GridRows),
    \+ same_term(Rows, GridRows).

%   Counts are pairs Digit-Count for all digits of a grid, as global_cardinality/2 takes them.

digit_counts(Grid, Counts) :-
    grid_size(Grid, Size),
    numlist(1, Size, Digits),
    maplist([Digit,Digit-_]>>true, Digits, Counts).

group_counts(Grid, Counts, Places) :-
    maplist(grid_at(Grid), Places, Cells),
    global_cardinality(Cells, Counts).
