:- module(sudoku_trace,
          [ trace_sudoku/1,     % ?Rows
            trace_sudoku/2,     % ?Rows, +Shape
            trace_sudoku/3,     % ?Rows, +Shape, +Rules
            left/3,             % ?Pairs, :Goal, -Left
            traced/4,           % ?Pairs, +Before, :Goal, ?Answer
            work/3,             % ?Pairs, :Goal, -Work
            solved/1,           % +Answer
            cells/3             % ?Rows, -Pairs, -Before
          ]).
:- use_module('../sudoku', [sudoku/3]).
:- use_module(grid, [must_be_grid/3, print_grid/2, square_box/2]).
:- use_module(search, []).
:- use_module(library(apply),
              [exclude/3, foldl/4, foldl/6, include/3, maplist/2, maplist/3, partition/4]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
:- use_module(library(pairs), [group_pairs_by_key/2]).
:- autoload(library(prolog_wrap), [wrap_predicate/4]).  % when a search is first watched

/** <module> Watching a search

The search of a program is seen where it calls labeling/2 or label/1 of library(clpfd), or our own
search (see search.pl): these are wrapped, and take the same choices in the same order. What follows
from a choice is the difference between the domains before and after it.

The variables that are watched are a list of pairs Key-Variable, which may be unknown until the search
begins. A key is Row-Column for a cell, and in any other problem a term.

Level is the number of choices that are open. An event is one of

  - choice(Level, Key, Value)
    At this level, Value is tried. Key is none for a variable that is in no pair.
  - implied(Level, Placed, Excluded)
    What follows: lists of Key-Value for variables that now have one value, and for values that a
    variable has lost.
  - conflict(Level)
    A variable has no value left.
  - back(Level)
    All choices above this level are undone.
  - solution(Level, Answer)
*/

:- meta_predicate
    left(?, 0, -),
    watched(?, +, +, 0),
    traced(?, +, 0, ?),
    searched(0, ?),
    work(?, 0, -).

%!  left(?Pairs, :Goal, -Left) is semidet.
%
%   Left has Key-Values for each pair, in order: the values that Goal, a program that finds values for
%   the variables of Pairs, leaves them when it begins to search. If it has several ways to begin, these
%   are the values of all of them. Fails if it fails before that.

left(Pairs, Goal, Left) :-
    watched(Pairs, unknown, left(none), left_by_all(Pairs, Goal, Left)).

:- meta_predicate left_by_all(?, 0, -).

left_by_all(Pairs, Goal, Left) :-
    (   call(Goal),
        must_be_seen,
        note(Pairs),
        fail
    ;   nb_getval(sudoku_trace, left(Left)),
        Left \== none
    ).

note(Pairs) :-
    maplist(key_values, Pairs, Left),
    nb_getval(sudoku_trace, How),
    arg(1, How, Before),
    (   Before == none
    ->  With = Left
    ;   append(Before, Left, Both),
        keysort(Both, Sorted),
        group_pairs_by_key(Sorted, Groups),
        maplist(key_union, Groups, With)
    ),
    nb_setarg(1, How, With).

%   A pair that one way lacks has no value there, which is none of its values.

key_union(Key-Lists0, Key-Values) :-
    (   Lists0 = [_]
    ->  Lists = [['$no_value']|Lists0]
    ;   Lists = Lists0
    ),
    append(Lists, Values0),
    sort(Values0, Values).

%   However Goal ends, the next search in this thread is not watched.

watched(Pairs, Before, How, Goal) :-
    setup_call_cleanup(setup_trace(Pairs, Before, How), once(Goal), nb_setval(sudoku_trace, none)).

%!  traced(?Pairs, +Before, :Goal, ?Answer) is nondet.
%
%   Runs Goal, a program that finds values for the variables of Pairs and binds Answer. Its events go
%   to the engine that runs this (see engine_yield/1). Before are the domains that count as known at
%   the start, or unknown.

traced(Pairs, Before, Goal, Answer) :-
    setup_trace(Pairs, Before, yield),
    searched(Goal, Answer).

searched(Goal, Answer) :-
    (   call(Goal)
    *-> must_be_seen,
        (   nb_getval(sudoku_solved, true)
        ->  true
        ;   solved(Answer)
        )
    ;   nb_getval(sudoku_posted, none)
    ->  report(conflict(0)),
        fail
    ).

%!  solved(+Answer) is det.
%
%   Reports an answer where it is found, if the search is watched: a program that looks for the best
%   one finds several.

solved(Answer) :-
    (   watching
    ->  nb_setval(sudoku_solved, true),
        b_getval(sudoku_level, Level),
        report(solution(Level, Answer))
    ;   true
    ).

must_be_seen :-
    nb_getval(sudoku_posted, Posted),
    (   Posted == none
    ->  throw(error(existence_error(procedure, labeling/2),
                    context(_, 'only a search by labeling/2 or label/1 can be watched')))
    ;   true
    ).

%!  cells(?Rows, -Pairs, -Before) is det.
%
%   The cells of a grid as pairs Row-Column-Cell, and their domains before anything is posted.

cells(Rows, Pairs, Before) :-
    length(Rows, Size),
    foldl(row_pairs, Rows, PairsOfRows, 1, _),
    append(PairsOfRows, Pairs),
    Any in 1..Size,
    fd_set(Any, All),
    maplist(before(All), Pairs, Before).

row_pairs(Row, Pairs, Y0, Y) :-
    Y is Y0 + 1,
    foldl(cell_pair(Y0), Row, Pairs, 1, _).

cell_pair(Y, Cell, (Y-X0)-Cell, X0, X) :-
    X is X0 + 1.

before(All, _-Cell, Before) :-
    (   var(Cell)
    ->  Before = All
    ;   Before = Cell
    ).

%!  work(?Pairs, :Goal, -Work) is semidet.
%
%   Work is work(Posting, Search, Inferences, Choices, DeadEnds) for the first solution of Goal, a
%   program that finds values for the variables of Pairs, or for finding out that it has none; they
%   are bound if there is one.
%   Times are in microseconds. If the search cannot be seen, all of the time is the search's, and
%   Posting, Choices and DeadEnds are -1.

work(Pairs, Goal, Work) :-
    watched(Pairs, unknown, counts(0, 0), work_of(Goal, Work)).

:- meta_predicate work_of(0, -).

work_of(Goal, work(Posting, Search, Inferences, Choices, DeadEnds)) :-
    now(Start),
    statistics(inferences, Inferences0),
    (   call(Goal)
    ->  true
    ;   true
    ),
    statistics(inferences, Inferences1),
    now(End),
    Inferences is Inferences1 - Inferences0,
    nb_getval(sudoku_posted, Posted),
    (   Posted == none
    ->  Search is End - Start,
        [Posting,Choices,DeadEnds] = [-1,-1,-1]
    ;   Posting is Posted - Start,
        Search is End - Posted,
        nb_getval(sudoku_trace, counts(Choices, DeadEnds))
    ).

now(Microseconds) :-
    statistics(cputime, Seconds),
    Microseconds is round(1_000_000 * Seconds).

setup_trace(Pairs, Before, How) :-
    wrapped,
    nb_setval(sudoku_trace, How),
    nb_setval(sudoku_posted, none),
    nb_setval(sudoku_solved, false),
    b_setval(sudoku_level, 0),
    b_setval(sudoku_pairs, Pairs),
    b_setval(sudoku_domains, Before).

%   The search begins: everything is posted.

begin :-
    (   nb_getval(sudoku_posted, none)
    ->  now(Microseconds),
        nb_setval(sudoku_posted, Microseconds),
        follow(0)
    ;   true
    ),
    (   nb_getval(sudoku_trace, left(_))
    ->  watched_pairs(Pairs),
        note(Pairs),
        fail
    ;   true
    ).

watched_pairs(Pairs) :-
    (   known_pairs(Pairs0)
    ->  Pairs = Pairs0
    ;   throw(error(instantiation_error,
                    context(_, 'the search begins before it is known what is searched for')))
    ).

known_pairs(Pairs) :-
    b_getval(sudoku_pairs, Watched),
    (   Watched = given(Given)          % by a model, perhaps within it
    ->  is_list(Given),
        maplist(sudoku_pairs:normal, Given, Pairs)
    ;   is_list(Watched),
        Pairs = Watched
    ).

key_values(Key-Variable, Key-Values) :-
    (   var(Variable)
    ->  must_be_bounded(Key, Variable),
        fd_set(Variable, Set),
        fdset_to_list(Set, Values)
    ;   Values = [Variable]
    ).

must_be_bounded(Key, Variable) :-
    (   fd_size(Variable, Size),
        integer(Size)
    ->  true
    ;   format(atom(Why), "the variable of ~w has no finite domain", [Key]),
        throw(error(instantiation_error, context(_, Why)))
    ).

report(Event) :-
    nb_getval(sudoku_trace, How),
    report(How, Event).

report(yield, Event) =>
    engine_yield(Event).
report(print, Event) =>
    print_event(Event).
report(_, choice(_, _, _)) =>
    count(1).
report(_, conflict(_)) =>
    count(2).
report(_, _) =>
    true.

count(Place) :-
    nb_getval(sudoku_trace, Counts),
    arg(Place, Counts, Count0),
    Count is Count0 + 1,
    nb_setarg(Place, Counts, Count).

%   What has changed since the last look. The sets are kept for backtracking to undo.

follow(Level) :-
    nb_getval(sudoku_trace, How),
    memberchk(How, [yield,print]),
    !,
    watched_pairs(Pairs),
    maplist(domain, Pairs, Domains),
    b_getval(sudoku_domains, Before),
    findall(Key-Value, ( changed(Before, Pairs, Domains, Key, Value, _, _), nonvar(Value) ), Placed),
    findall(Key-Value,
            ( changed(Before, Pairs, Domains, Key, Variable, Old, New), var(Variable),
              lost(Old, New, Value) ),
            Excluded),
    b_setval(sudoku_domains, Domains),
    (   Placed-Excluded == []-[]
    ->  true
    ;   report(implied(Level, Placed, Excluded))
    ).
follow(_).

domain(_-Value, Domain) :-
    (   var(Value)
    ->  fd_set(Value, Domain)
    ;   Domain = Value
    ).

changed(unknown, Pairs, _, Key, Value, unknown, unknown) :-
    !,
    member(Key-Value, Pairs).
changed(Before, Pairs, Domains, Key, Value, Old, New) :-
    same_place(Before, Pairs, Domains, Old, Key-Value, New),
    Old \== New.

same_place([A|_], [B|_], [C|_], A, B, C).
same_place([_|As], [_|Bs], [_|Cs], A, B, C) :-
    same_place(As, Bs, Cs, A, B, C).

lost(Old, New, Value) :-
    Old \== unknown,
    fdset_subtract(Old, New, Gone),
    fdset_to_list(Gone, Values),
    member(Value, Values).

                /*******************************
                *       the same search        *
                *******************************/

:- dynamic
    is_wrapped/0.

wrapped :-
    with_mutex(sudoku_trace, wrapped_once).

wrapped_once :-
    is_wrapped,
    !.
wrapped_once :-
    wrap_predicate(clpfd:labeling(Options, Cells), sudoku_trace, Labeling,
                   sudoku_trace:seen_labeling(Options, Cells, Labeling)),
    wrap_predicate(sudoku_search:weighted_labeling(_, _, _), sudoku_trace, Search,
                   sudoku_trace:seen_search(Search)),
    wrap_predicate(sudoku_search:possible(_), sudoku_trace, Look,
                   sudoku_trace:seen_look(Look)),
    wrap_predicate(sudoku_search:try(Which, Goal, _), sudoku_trace, Try,
                   sudoku_trace:seen_try(Which, Goal, Try)),
    assertz(is_wrapped).

watching :-
    nb_current(sudoku_trace, How),
    How \== none.

:- public seen_labeling/3, seen_search/1, seen_look/1, seen_try/3.

seen_labeling(Options, Cells, Labeling) :-
    (   watching,
        order(Options, Order)
    ->  begin,
        label_in(Order, Cells)
    ;   watching,
        \+ nb_getval(sudoku_trace, counts(_, _))
    ->  begin,                          % what follows from its choices is not seen
        call(Labeling)
    ;   call(Labeling)
    ).

%   An order of cells, and of digits, in which each choice is between a digit and all others.

order(Options, Cells-Digits) :-
    is_list(Options),
    ground(Options),
    partition(is_of_cells, Options, OfCells, Others),
    exclude(==(step), Others, OfDigits),
    only(OfCells, leftmost, Cells),
    only(OfDigits, up, Digits),
    memberchk(Digits, [up,down]).

is_of_cells(Option) :-
    memberchk(Option, [leftmost,ff,ffc,min,max]).

only([], Default, Default).
only([Option], _, Option).

%   As labeling/2 does it: a cell is its first digit, or it is not.

label_in(Order, Cells0) :-
    include(var, Cells0, Cells),
    Order = OfCells-OfDigits,
    (   next_cell(OfCells, Cells, Cell)
    ->  first_digit(OfDigits, Cell, Digit),
        (   guess(Cell = Digit, Cell = Digit)
        ;   b_getval(sudoku_level, Level),
            report(back(Level)),
            take(Cell #\= Digit, Level)
        ),
        label_in(Order, Cells)
    ;   true
    ).

first_digit(up, Cell, Digit) :-
    fd_inf(Cell, Digit).
first_digit(down, Cell, Digit) :-
    fd_sup(Cell, Digit).

%   The first of the cells with the least key.

next_cell(leftmost, [Cell|_], Cell) :- !.
next_cell(Order, [Cell|Cells], Least) :-
    key(Order, Cell, Key),
    foldl(lesser(Order), Cells, Key-Cell, _-Least).

lesser(Order, Cell, Key0-Cell0, Next) :-
    key(Order, Cell, Key),
    (   Key @< Key0
    ->  Next = Key-Cell
    ;   Next = Key0-Cell0
    ).

key(ff, Cell, Size) :-
    fd_size(Cell, Size).
key(ffc, Cell, Size-Less) :-
    fd_size(Cell, Size),
    fd_degree(Cell, Degree),
    Less is -Degree.
key(min, Cell, Least) :-
    fd_inf(Cell, Least).
key(max, Cell, Less) :-
    fd_sup(Cell, Most),
    Less is -Most.

%   Call does what Cell = Digit says.

guess(Cell = Digit, Call) :-
    b_getval(sudoku_level, Level0),
    Level is Level0 + 1,
    b_setval(sudoku_level, Level),
    place(Cell, Place),
    report(choice(Level, Place, Digit)),
    take(Call, Level).

:- meta_predicate take(0, +).

take(Goal, Level) :-
    (   call(Goal)
    *-> follow(Level)
    ;   report(conflict(Level)),
        fail
    ).

seen_search(Search) :-
    (   watching
    ->  begin,
        nb_setval(sudoku_impossible, false),
        (   call(Search)
        *-> true
        ;   nb_getval(sudoku_impossible, true)
        ->  report(conflict(0)),
            fail
        )
    ;   call(Search)
    ).

%   The look at the grid before the search. If that is impossible, all choices are undone, and then
%   there is a conflict without any.

seen_look(Look) :-
    (   call(Look)
    ->  true
    ;   nb_setval(sudoku_impossible, true),
        fail
    ).

%   In our own search, the next digit of the cell comes after this one failed. The last one is not a
%   choice, just as labeling/2 has none where one digit is left.

seen_try(Which, Goal, Try) :-
    (   watching
    ->  seen(Which, Goal, Try)
    ;   call(Try)
    ).

seen(last, _, Try) :-
    b_getval(sudoku_level, Level),
    take(Try, Level).
seen(choice, Goal, Try) :-
    (   guess(Goal, Try)
    ;   b_getval(sudoku_level, Level),
        report(back(Level)),
        fail
    ).

place(Variable, Key) :-
    (   known_pairs(Pairs),             % a count needs none
        member(Key0-Other, Pairs),
        Other == Variable
    ->  Key = Key0
    ;   Key = none
    ).

                /*******************************
                *        at the prompt         *
                *******************************/

%!  trace_sudoku(?Rows) is semidet.
%!  trace_sudoku(?Rows, +Shape) is semidet.
%!  trace_sudoku(?Rows, +Shape, +Rules) is semidet.
%
%   Prints how sudoku/3 finds its first solution, to which Rows are bound: each choice, what follows
%   from it, dead ends, and in the end the grid. Fails if there is no solution.

trace_sudoku(Rows) :-
    square_box(Rows, Shape),
    trace_sudoku(Rows, Shape).

trace_sudoku(Rows, Shape) :-
    trace_sudoku(Rows, Shape, []).

trace_sudoku(Rows, Shape, Rules) :-
    must_be_grid(Rows, Shape, _),
    cells(Rows, Pairs, Before),
    watched(Pairs, Before, print, searched(sudoku(Rows, Shape, Rules), Rows)),
    print_grid(Rows, Shape).

print_event(choice(Level, Row-Column, Digit)) =>
    indented(Level, "r~dc~d = ~d?", [Row, Column, Digit]).
print_event(implied(Level, Placed, Excluded)) =>
    length(Excluded, Number),
    findall(Text,
            ( member((Row-Column)-Digit, Placed),
              format(atom(Text), "r~dc~d = ~d", [Row, Column, Digit]) ),
            Texts),
    atomic_list_concat(Texts, ', ', Line),
    go(Number, Gone),
    exclude(==(''), [Line,Gone], Parts),
    atomic_list_concat(Parts, ', and ', Text),
    indented(Level + 1, "follows: ~w", [Text]).
print_event(conflict(Level)) =>
    indented(Level + 1, "conflict", []).
print_event(back(Level)) =>
    indented(Level, "back to level ~d", [Level]).
print_event(solution(_, _)) =>
    true.

go(0, '') :- !.
go(1, '1 candidate goes') :- !.
go(Number, Text) :-
    format(atom(Text), "~d candidates go", [Number]).

indented(Level, Format, Arguments) :-
    Columns is 2 * Level,
    format("~*c", [Columns, 0' ]),
    format(Format, Arguments),
    nl.
