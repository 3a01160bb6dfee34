:- module(sudoku_shared,
          [ equal_sums/3,       % +Sums, +Size, +Target
            digit_pair/4,       % ?One, ?Other, +Masks, +BackMasks
            locked_out/4        % ?First, ?Last, ?Cells, +Least
          ]).
:- use_module('../sudoku/propagator').
:- use_module(automata, [largest_exact/1, reachable/6, subset_tables/3, supported/4]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [reverse/2]).

/** <module> Sums, pairs and lockouts as propagators

The cells of a sum are taken one by one, or several at once if they are known to be
different. A set of partial sums is an integer with bit S for the sum S: to add a
digit to all of them is one shift. So the cells keep exactly the digits that they
can have, where bounds of sums would miss most.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- multifile
    clpfd:run_propagator/2,
    sudoku_propagator:constraint_goal/3.

%!  equal_sums(+Sums, +Size, +Target) is semidet.
%
%   Each of Sums is sum(Parts, Offset). A part is part(Weight, Cells): the sum of
%   Cells counts Weight times; if they are several, they are different cells that are
%   known to hold different digits. Offset is such that no partial sum with it is
%   negative. All totals, without Offset, are the same; Target is the set of totals
%   that they may have, an integer with bit T for the total T, or -1 for any.

equal_sums(Sums, Size, Target) :-
    post_propagator(equal_sums(Sums, Size, Target, put_off(no)), Sums).

sudoku_propagator:constraint_goal(equal_sums(Sums, Size, Target, _), Sums,
                                  sudoku_shared:equal_sums(Sums, Size, Target)).

clpfd:run_propagator(equal_sums(Sums, Size, Target, PutOff), State) :-
    turn(equal_sums(Sums, Size, Target, PutOff), State, Turn),
    (   Turn == later
    ->  true
    ;   subset_tables_if_small(Size, Tables),
        maplist(survey(Tables), Sums, Surveys),
        foldl(total, Surveys, Target, Common),
        (   ground(Sums)
        ->  clpfd:kill(State)
        ;   maplist(prune_sum(Tables, Common), Surveys, Pruned),
            at_once(State, maplist(maplist(restrict_part), Pruned)),
            (   ground(Sums)
            ->  clpfd:kill(State),
                maplist(survey(Tables), Sums, Again),
                foldl(total, Again, Target, _)
            ;   true
            )
        )
    ).

subset_tables_if_small(Size, Tables) :-
    largest_exact(Largest),
    (   Size =< Largest
    ->  subset_tables(Size, Moves, OfSum),
        Tables = subsets(Moves, OfSum)
    ;   Tables = none
    ).

restrict_part(Cells-Sets) :-
    maplist(restrict, Cells, Sets).

%   What is known of a sum: of each part its possible sums, and the partial sums
%   before it, from the last part to the first.

survey(Tables, sum(Parts, Offset), survey(Known, Befores, Offset, Last)) :-
    maplist(part_sums(Tables), Parts, Forward),
    First is 1 << Offset,
    add_parts(Forward, First, [], Befores, Last),
    reverse(Forward, Known).

part_sums(_, part(Weight, [Cell]), Known) =>
    digit_set(Cell, Set),
    Known = one(Weight, Set, Cell).
part_sums(subsets(Moves, OfSum), part(Weight, Cells), Known) =>
    reachable(Cells, Moves, 1, -1, Passed, Last),
    functor(OfSum, _, Length),
    possible_sums(0, Length, OfSum, Last, 0, Possible),
    Known = several(Weight, Possible, Cells, Passed, Last).

possible_sums(Sum, Length, OfSum, Last, Possible0, Possible) :-
    (   Sum =:= Length
    ->  Possible = Possible0
    ;   Next is Sum + 1,
        arg(Next, OfSum, Good),
        (   Last /\ Good =:= 0
        ->  Possible1 = Possible0
        ;   Possible1 is Possible0 \/ (1 << Sum)
        ),
        possible_sums(Next, Length, OfSum, Last, Possible1, Possible)
    ).

sums_of(one(Weight, Sums, _), Weight, Sums).
sums_of(several(Weight, Sums, _, _, _), Weight, Sums).

add_parts([], Here, Befores, Befores, Here).
add_parts([Part|Parts], Here, Befores0, Befores, Last) :-
    sums_of(Part, Weight, Sums),
    add_sums(Sums, Weight, Here, 0, Next),
    Next =\= 0,
    add_parts(Parts, Next, [Here|Befores0], Befores, Last).

add_sums(Sums, Weight, Here, Next0, Next) :-
    (   Sums =:= 0
    ->  Next = Next0
    ;   Next1 is Next0 \/ (Here << (Weight * lsb(Sums))),
        Others is Sums /\ (Sums-1),
        add_sums(Others, Weight, Here, Next1, Next)
    ).

%   Those of the totals so far that this sum can have, too.

total(survey(_, _, Offset, Last), Common0, Common) :-
    Common is Common0 /\ (Last >> Offset),
    Common =\= 0.

prune_sum(Tables, Common, survey(Known, Befores, Offset, _), Pruned) :-
    Last is Common << Offset,
    prune_parts(Known, Befores, Last, Tables, Pruned).

prune_parts([], _, _, _, []).
prune_parts([Part|Parts], [Before|Befores], Last, Tables, [Pruned|Others]) :-
    sums_of(Part, Weight, Sums),
    take_sums(Sums, Weight, Last, Before, 0, Here, 0, Keep),
    Keep =\= 0,
    prune_part(Part, Keep, Tables, Pruned),
    prune_parts(Parts, Befores, Here, Tables, Others).

take_sums(Sums, Weight, Last, Before, Here0, Here, Keep0, Keep) :-
    (   Sums =:= 0
    ->  Here = Here0,
        Keep = Keep0
    ;   Sum is lsb(Sums),
        From is (Last >> (Weight * Sum)) /\ Before,
        Others is Sums /\ (Sums-1),
        (   From =:= 0
        ->  take_sums(Others, Weight, Last, Before, Here0, Here, Keep0, Keep)
        ;   Here1 is Here0 \/ From,
            Keep1 is Keep0 \/ (1 << Sum),
            take_sums(Others, Weight, Last, Before, Here1, Here, Keep1, Keep)
        )
    ).

prune_part(one(_, _, Cell), Keep, _, [Cell]-[Keep]).
prune_part(several(_, Sums, Cells, Passed, Last), Keep, subsets(Moves, OfSum), Pruned) :-
    (   Keep =:= Sums
    ->  Pruned = []-[]
    ;   Places is Keep << 1,            % argument S+1 is about the sum S
        union_of(Places, OfSum, 0, Good),
        Last1 is Last /\ Good,
        supported(Passed, Moves, Last1, Kept),
        Pruned = Cells-Kept
    ).

%!  digit_pair(?One, ?Other, +Masks, +BackMasks) is semidet.
%
%   If One is the digit D, Other is in the set that is argument D of Masks; and the
%   other way round in BackMasks.

digit_pair(One, Other, Masks, BackMasks) :-
    post_propagator(digit_pair(One, Other, Masks, BackMasks), One-Other).

sudoku_propagator:constraint_goal(Pair, One-Other, sudoku_shared:Pair) :-
    Pair = digit_pair(One, Other, _, _).

clpfd:run_propagator(digit_pair(One, Other, Masks, BackMasks), State) :-
    (   integer(One)
    ->  clpfd:kill(State),
        arg(One, Masks, Set),
        restrict(Other, Set)
    ;   integer(Other)
    ->  clpfd:kill(State),
        arg(Other, BackMasks, Set),
        restrict(One, Set)
    ;   digit_set(One, OneSet),
        union_of(OneSet, Masks, 0, OtherKept),
        digit_set(Other, OtherSet),
        union_of(OtherSet, BackMasks, 0, OneKept),
        at_once(State, ( restrict(One, OneKept), restrict(Other, OtherKept) )),
        (   integer(One)                % as both may be the same cell
        ->  arg(One, Masks, Set),
            restrict(Other, Set)
        ;   true
        )
    ).

%   Union has what is in argument N of Sets for some N in Numbers.

union_of(Numbers, Sets, Union0, Union) :-
    (   Numbers =:= 0
    ->  Union = Union0
    ;   Number is lsb(Numbers),
        arg(Number, Sets, Set),
        Union1 is Union0 \/ Set,
        Others is Numbers /\ (Numbers-1),
        union_of(Others, Sets, Union1, Union)
    ).

%!  locked_out(?First, ?Last, ?Cells, +Least) is semidet.
%
%   The digits First and Last differ by Least or more, and none of Cells is one of them or
%   between them. The cells keep exactly the digits that they can have if all are different
%   variables.

locked_out(First, Last, Cells, Least) :-
    post_propagator(locked_out(First, Last, Cells, Least), [First,Last|Cells]).

sudoku_propagator:constraint_goal(Lockout, [First,Last|Cells], sudoku_shared:Lockout) :-
    Lockout = locked_out(First, Last, Cells, _).

clpfd:run_propagator(locked_out(First, Last, Cells, Least), State) :-
    lockout(First, Last, Cells, Least, Kept),
    at_once(State, keep(Kept, First, Last, Cells)),
    (   integer(First),
        integer(Last)
    ->  clpfd:kill(State),
        lockout(First, Last, Cells, Least, Exact),  % as a cell may be there twice
        keep(Exact, First, Last, Cells)
    ;   true
    ).

keep(kept(FirstSet, LastSet, Outside), First, Last, Cells) :-
    restrict(First, FirstSet),
    restrict(Last, LastSet),
    maplist(restrict_to(Outside), Cells).

restrict_to(Set, Cell) :-
    restrict(Cell, Set).

%   Kept are the digits of First and of Last for which all Cells have one that is neither
%   theirs nor between them, and all such digits.

lockout(First, Last, Cells, Least, Kept) :-
    maplist(digit_set, [First,Last|Cells], [FirstSet,LastSet|Sets]),
    first_ends(FirstSet, LastSet, Least, Sets, kept(0, 0, 0), Kept).

first_ends(Firsts, LastSet, Least, Sets, Kept0, Kept) :-
    (   Firsts =:= 0
    ->  Kept = Kept0
    ;   First is lsb(Firsts),
        Apart is LastSet /\ \ ((1 << (First+Least)) - (1 << max(0, First-Least+1))),
        last_ends(Apart, First, Sets, Kept0, Kept1),
        Others is Firsts /\ (Firsts-1),
        first_ends(Others, LastSet, Least, Sets, Kept1, Kept)
    ).

last_ends(Lasts, First, Sets, Kept0, Kept) :-
    (   Lasts =:= 0
    ->  Kept = Kept0
    ;   Last is lsb(Lasts),
        Outside is \ ((2 << max(First, Last)) - (1 << min(First, Last))),
        (   maplist(meets(Outside), Sets)
        ->  Kept0 = kept(FirstSet0, LastSet0, Outside0),
            FirstSet is FirstSet0 \/ (1 << First),
            LastSet is LastSet0 \/ (1 << Last),
            Outside1 is Outside0 \/ Outside,
            Kept1 = kept(FirstSet, LastSet, Outside1)
        ;   Kept1 = Kept0
        ),
        Others is Lasts /\ (Lasts-1),
        last_ends(Others, First, Sets, Kept1, Kept)
    ).

meets(One, Other) :-
    One /\ Other =\= 0.
