:- module(test_sudoku, []).

/*  Tests of prolog/sudoku.pl. Run them with

        swipl -g run_tests -t halt tests/sudoku.plt

    The oracle that checks solutions uses no constraint solver.
*/

:- use_module(library(plunit)).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [clumped/2, member/2, nth0/3, numlist/3]).
:- use_module('../prolog/sudoku_prompt').

%!  valid(+Rows, +Shape) is semidet.
%
%   The oracle: every house of the full grid Rows is a permutation of 1..n.

valid(Rows, Shape) :-
    length(Rows, Size),
    numlist(1, Size, Digits),
    findall(House-Digit,
            ( nth0(X, Rows, Row), nth0(Y, Row, Digit), house_of(X, Y, Size, Shape, House) ),
            Held),
    findall(House, member(House-_, Held), Houses0),
    sort(Houses0, Houses),
    length(Houses, Number),
    Number =:= 3 * Size,
    forall(member(House, Houses),
           ( findall(Digit, member(House-Digit, Held), Found), msort(Found, Digits) )).

house_of(X, _, _, _, row(X)).
house_of(_, Y, _, _, column(Y)).
house_of(X, Y, Size, Height-Width, box(Box)) :-
    Box is X // Height * (Size // Width) + Y // Width.
house_of(X, Y, _, regions(Labels), region(Label)) :-
    nth0(X, Labels, Row),
    nth0(Y, Row, Label).

%   Four regions of four cells, none of them a box.

jigsaw(regions([[a,a,a,b],[a,b,b,b],[c,c,c,d],[c,d,d,d]])).

count(Goal, Count) :-
    aggregate_all(count, Goal, Count).

empty_grid(Size, Rows) :-
    findall(Row, ( between(1, Size, _), length(Row, Size) ), Rows).

residual_goals(Term, Goals) :-
    copy_term(Term, _, Goals).

:- begin_tests(solve).

number_of_solutions(asplain, 176) :- !.
number_of_solutions(several, 3) :- !.
number_of_solutions(none, 0) :- !.
number_of_solutions(_, 1).

test(problems, [forall(problem(Id, Rows, Shape)), true(Found-Count =@= Count-Count)]) :-
    number_of_solutions(Id, Count),
    findall(Rows, ( sudoku(Rows, Shape), valid(Rows, Shape) ), Grids),
    length(Grids, Found),
    sort(Grids, Distinct),
    length(Distinct, Count).
test(regions_that_are_boxes, Found-Same == 288-true) :-
    empty_grid(4, Rows),
    Shape = regions([[1,1,x,x],[1,1,x,x],["b","b",0.5,0.5],["b","b",0.5,0.5]]),
    findall(Rows, sudoku(Rows, Shape), Grids),
    length(Grids, Found),
    ( maplist([Grid]>>valid(Grid, 2-2), Grids) -> Same = true ; Same = false ).
test(empty, [forall(member(Size, [9,16,25])), nondet]) :-
    empty_grid(Size, Rows),
    sudoku(Rows),
    Side is truncate(sqrt(Size)),
    valid(Rows, Side-Side).
test(no_residual_constraints, [nondet, Goals == []]) :-
    problem(several, Rows),
    term_variables(Rows, Cells),
    sudoku(Rows),
    residual_goals(Rows-Cells, Goals).
test(no_shape, Ids == [six,jigsaw,even]) :-
    findall(Id, ( problem(Id, _, _), \+ problem(Id, _) ), Ids).

test(full_grid_is_the_first_in_its_thread, Ended == true) :-
    Full = [[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]],
    Open = [[1,2,3,4],[3,4,1,_],[_,1,_,3],[4,_,2,1]],
    thread_create(( \+ \+ sudoku(Full), sudoku(Open), Open == Full ), Thread),
    thread_join(Thread, Ended).

:- end_tests(solve).

:- begin_tests(constraints).

test(residual_goals_can_be_posted, Count == 3) :-
    problem(several, Rows),
    sudoku_rules(Rows),
    copy_term(Rows, Copy, Goals),
    maplist(call, Goals),
    count(maplist(label, Copy), Count).
test(constraint_before_or_after_the_rules, Before-After == 144-144) :-
    empty_grid(4, Rows),
    Rows = [[A,B|_]|_],
    count(( A #< B, sudoku(Rows) ), Before),
    count(( sudoku_rules(Rows), A #< B, maplist(label, Rows) ), After).
test(residual_goals_come_once, Functors == [all_different-27,every_digit-27]) :-
    sudoku_rules(Rows, 3-3),
    copy_term(Rows, _, Goals),
    findall(Functor,
            ( member(Goal, Goals), strip_module(Goal, _, Plain), functor(Plain, Functor, 1) ),
            All),
    msort(All, Sorted),
    clumped(Sorted, Functors0),
    Functors = Functors0.

residual(thermometer(cells=[1-1,1-2])).
residual(whispers(cells=[1-1,2-2], difference=2)).
residual(killer_cage(cells=[1-1,1-2,2-1], sum=6)).
residual(total(cells=[1-1,2-2,3-4], sum=6)).
residual(sandwich(cells=[1-1,1-2,1-3,1-4], sum=2)).
residual(anti_taxicab).
residual(contains(cells=[1-1,1-2,3-3], digits=[1,1])).
residual(any_of(options=[[killer_cage(cells=[1-1,1-2], sum=3)], [anti_knight]])).

test(residual_goals_of_rules_can_be_posted, [forall(residual(Rule)), true(Found == Expected)]) :-
    count(sudoku(_, 2-2, [Rule]), Expected),
    (   sudoku_rules(Rows, 2-2, [Rule])
    ->  copy_term(Rows, Copy, Goals),
        maplist(call, Goals),
        count(maplist(label, Copy), Found)
    ;   Found = 0
    ).
test(posted_domain, Count == 72) :-
    empty_grid(4, Rows),
    Rows = [[A|_]|_],
    A #> 3,
    count(sudoku(Rows), Count).
test(constraint_on_a_variable_outside, Sum == 7) :-
    empty_grid(4, Rows),
    Rows = [[A,B|_]|_],
    Sum #= A + B,
    Sum #> 6,
    once(sudoku(Rows)).
test(same_variable_in_two_houses, Found == Expected) :-
    empty_grid(4, Rows),
    Rows = [[X,_,_,_],[_,_,_,_],[_,X,_,_]|_],
    count(( sudoku(Rows), valid(Rows, 2-2) ), Found),
    empty_grid(4, Free),
    Free = [[Y,_,_,_],[_,_,_,_],[_,Z,_,_]|_],
    count(( sudoku(Free), Y =:= Z ), Expected),
    Expected > 0.
test(same_variable_in_one_house, fail) :-
    empty_grid(4, Rows),
    Rows = [[X,X|_]|_],
    sudoku(Rows).
test(monotonic, [setup(set_prolog_flag(clpfd_monotonic, true)),
                 cleanup(set_prolog_flag(clpfd_monotonic, false)),
                 true(Count == 3)]) :-
    problem(several, Rows),
    count(sudoku(Rows), Count).
test(marks_of_a_named_puzzle, Digits == [2,2,2,4,4,6]) :-
    problem(even, Rows, Shape),
    term_attvars(Rows, Marked),
    sudoku(Rows, Shape),
    msort(Marked, Digits).
test(diagonals, Count == 48) :-                     % a variant, from the parts
    empty_grid(4, Rows),
    Rows = [[A,_,_,E],[_,B,F,_],[_,G,C,_],[H,_,_,D]],
    sudoku_rules(Rows),
    maplist(all_different, [[A,B,C,D],[E,F,G,H]]),
    maplist(every_digit, [[A,B,C,D],[E,F,G,H]]),
    count(maplist(label, Rows), Count).

%   Goals that wait for a cell, a row or the grid have all of their answers, as with labeling/2. The
%   numbers without them are 288, and 96, 144 and 96 with the rules.

waiting(X, [[X|_]|_], []).
waiting(Row, [_,Row|_], []).
waiting(Rows, Rows, []).
waiting(X, [[X|_]|_], [killer_cage(cells=[1-1,1-2], sum=5)]).
waiting(X, [[X|_]|_], [thermometer(cells=[1-1,1-2])]).
waiting(X, [[X|_]|_], [whispers(cells=[1-1,1-2], difference=2)]).
waiting(X, [[X|_]|_], [any_of(options=[[killer_cage(cells=[1-1,1-2], sum=3)],
                                       [killer_cage(cells=[1-1,1-2], sum=4)]])]).

test(goals_that_wait_have_all_their_answers,
     [forall(waiting(Term, Rows, Rules)), true(Found == Expected)]) :-
    count(sudoku(Rows, 2-2, Rules), Once),
    Expected is 2 * Once,
    freeze(Term, member(_, [a,b])),
    count(sudoku(Rows, 2-2, Rules), Found).
test(goals_that_wait_may_fail, [forall(waiting(Term, Rows, Rules)), fail]) :-
    freeze(Term, fail),
    sudoku(Rows, 2-2, Rules).

test(rules_of_large_grids_come_soon, [forall(member(Size, [16,25]))]) :-
    empty_grid(Size, Rows),
    call_with_inference_limit(sudoku_rules(Rows), 5_000_000, Result),
    Result \== inference_limit_exceeded.

:- end_tests(constraints).

:- begin_tests(search).

%   True if the search that weighs dead ends finds each solution of labeling/2 once.

same_solutions(Goal, Rows) :-
    term_variables(Rows, Cells),
    findall(Rows, ( Goal, labeling([ff], Cells) ), Expected0),
    findall(Rows, ( Goal, sudoku_search:weighted_labeling(Rows, 2-2, []) ), Found0),
    msort(Expected0, Expected),
    msort(Found0, Found),
    Found == Expected,
    Expected = [_,_|_].

test(solutions_of_labeling) :-
    problem(several, Rows),
    same_solutions(sudoku_rules(Rows), Rows).
test(solutions_with_marks) :-
    empty_grid(4, Rows),
    Rows = [[A,B|_],[_,_,C|_]|_],
    same_solutions(( A in 1\/3, [B,C] ins 2..4, sudoku_rules(Rows) ), Rows).
test(solutions_with_other_constraints) :-
    empty_grid(4, Rows),
    Rows = [[A,_,_,B],[_,C,_,_]|_],
    same_solutions(( sudoku_rules(Rows), A + B #> 2*C ), Rows).
test(solutions_with_a_cell_twice) :-
    empty_grid(4, Rows),
    Rows = [[X|_],[_,_,X,_]|_],
    same_solutions(sudoku_rules(Rows), Rows).
test(a_hard_puzzle_takes_few_choices, [nondet, Result == true]) :-
    problem(hard, Rows),
    call_with_inference_limit(sudoku(Rows), 5_000_000, Result0),
    ( Result0 == inference_limit_exceeded -> Result = false ; Result = true ).
test(a_look_with_matching_ends_a_search_in_vain, Result == done) :-
    impossible(Rows),
    call_with_inference_limit(( sudoku(Rows) -> Result0 = solved ; Result0 = done ), 5_000_000, Limit),
    ( Limit == inference_limit_exceeded -> Result = Limit ; Result = Result0 ).

%   Matching in all houses together sees that this has no solution.

impossible([[_,_,_,_,_,5,_,8,_],[_,_,_,6,_,1,_,4,3],[_,_,_,_,_,_,_,_,_],
            [_,1,_,5,_,_,_,_,_],[_,_,_,1,_,6,_,_,_],[3,_,_,_,_,_,_,_,5],
            [5,3,_,_,_,_,_,6,1],[_,_,_,_,_,_,_,_,4],[_,_,_,_,_,_,_,_,_]]).

:- end_tests(search).

:- begin_tests(open_lists).

test(unbound, Count == 12) :-                       % 1x3 boxes are rows: Latin squares
    count(sudoku(_, 1-3), Count).
test(no_box_is_a_region, Counts == [576,576,48]) :-
    findall(Count,
            ( member(Shape, [1-4,4-1,2-2]),
              count(sudoku(_, Shape, [region_sum_line(cells=[1-1,1-2,1-3])]), Count) ),
            Counts).
test(unbound_regions, Size == 4) :-
    jigsaw(Shape),
    once(sudoku(Rows, Shape)),
    length(Rows, Size),
    valid(Rows, Shape).
test(open_list, Length-Last == 4-4) :-
    sudoku_rules([Row|_], 2-2),
    Row = [1,2,3|_],
    length(Row, Length),
    last(Row, Last).
test(too_long, error(domain_error(box_of_cells(5), 2-2))) :-
    sudoku([_,_,_,_,_|_], 2-2).
test(no_shape, error(instantiation_error)) :-
    sudoku(_, _).

:- end_tests(open_lists).

:- begin_tests(errors).

wrong(sudoku(_), instantiation_error).
wrong(sudoku([[1]|_]), instantiation_error).
wrong(sudoku(grid), type_error(list, grid)).
wrong(sudoku([row]), type_error(list, row)).
wrong(sudoku([]), _).
wrong(sudoku([_,[_,_,_],_,_]), domain_error(row_of_cells(4), [_,_,_])).
wrong(sudoku([[x]]), type_error(integer, x)).
wrong(sudoku([[1.0]]), type_error(integer, 1.0)).
wrong(sudoku([_,[_,Digit|_],_,_]), domain_error(between(1, 4), Digit)) :-
    member(Digit, [0,-1,5]).
wrong(sudoku([[_]], Shape), instantiation_error) :-
    member(Shape, [_,1-_,regions(_),regions([_|_]),regions([[_]])]).
wrong(sudoku([[_]], Shape), type_error(shape, Shape)) :-
    member(Shape, [3,region,boxes(1)]).
wrong(sudoku([[_]], regions([a])), type_error(list, a)).
wrong(sudoku([[_]], regions([[f(x)]])), type_error(atomic, f(x))).
wrong(sudoku([_,_], regions([[a]])), domain_error(rows_of_labels(2), [[a]])).
wrong(sudoku([_,_], regions([[a,b],[a]])), domain_error(row_of_labels(2), [a])).
wrong(sudoku([[_]], 0-1), type_error(positive_integer, 0)).
wrong(sudoku([[_]], a-1), type_error(positive_integer, a)).
wrong(sudoku([_,_,_,_,_,_], 2-2), domain_error(box_of_cells(6), 2-2)).
wrong(sudoku_rules([_,_]), domain_error(square_number, 2)).
wrong(sudoku(_, 2-2, Rules), Error) :-
    wrong_rules(Rules, Error).

wrong_rules([fogofwar(cells=[1-1])], existence_error(rule, fogofwar)).
wrong_rules([thermometer], domain_error(fields_with(cells), [])).
wrong_rules([little_killer(cells=[1-1,2-2])], domain_error(fields_with(sum), _)).
wrong_rules([killer_cage(cells=[1-1,1-5], sum=3)], type_error(between(1, 4), 5)).
wrong_rules([killer_cage(cells=[r1c1], sum=3)], domain_error(cell, r1c1)).
wrong_rules([killer_cage(cells=[1-1,1-2], sum=x)], type_error(integer, x)).
wrong_rules(killer_cage(cells=[1-1,1-2], sum=3), type_error(list, _)).

test(wrong, [forall(wrong(Goal, Error)), error(Error)]) :-
    call(Goal).
test(no_square, error(domain_error(square_number, 6),
                      context(_, 'give the shape of the boxes too, such as 2-3'))) :-
    empty_grid(6, Rows),
    sudoku(Rows).
test(region_with_too_many_cells,
     error(domain_error(region_of_cells(2), a),
           context(_, 'the region a has 3 cells, not 2'))) :-
    sudoku([[_,_],[_,_]], regions([[a,a],[b,a]])).

:- end_tests(errors).

:- begin_tests(print).

printed(Goal, Lines) :-
    with_output_to(string(Text), Goal),
    split_string(Text, "\n", "", Lines).

test(small, Lines == ["4 . | . .",
                      ". . | . 3",
                      "----+----",
                      ". . | . 1",
                      "3 . | . .",
                      ""]) :-
    problem(small, Rows),
    printed(print_grid(Rows), Lines).
test(constrained_variables, Lines == ["."," "]) :-
    Rows = [[X]],
    X in 3..4,
    printed(( print_grid(Rows), write(' ') ), Lines).
test(six, Lines == [". . . | 5 6 2",
                    ". . . | . . .",
                    "------+------",
                    ". . . | . 1 .",
                    ". 2 6 | . . .",
                    "------+------",
                    "3 . . | . . 5",
                    ". 4 . | . . .",
                    ""]) :-
    problem(six, Rows, Box),
    printed(print_grid(Rows, Box), Lines).
test(regions, Lines == ["1 . .|.",
                        "  - -  ",
                        ".|. . .",
                        "- - - -",
                        ". . .|.",
                        "  - -  ",
                        ".|. . 4",
                        ""]) :-
    jigsaw(Shape),
    Rows = [[1,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,4]],
    printed(print_grid(Rows, Shape), Lines).
test(no_square, Lines == ["1 .", ". 2", ""]) :-
    printed(print_grid([[1,_],[_,2]]), Lines).
test(two_figures, First == " .  . 13  . |  .  .  .  5 | 15 11  7  . |  .  .  .  .") :-
    problem(large, Rows),
    printed(print_grid(Rows), [First|_]).
test(no_choice_point, [forall(problem(_, Rows, Shape))]) :-
    with_output_to(string(_), call_cleanup(print_grid(Rows, Shape), Done = true)),
    Done == true.
test(error, error(type_error(integer, x))) :-
    print_grid([[x]]).

:- end_tests(print).

:- begin_tests(rules).

test(problems, forall(member(Id, [killer,thermometers]))) :-
    problem(Id, Rows, Shape, Rules),
    copy_term(Rows, Copy),
    once(sudoku(Rows, Shape, Rules)),
    valid(Rows, Shape),
    count(sudoku(Copy, Shape, Rules), 1).

test(rules_alone, Left == 1..2) :-
    empty_grid(4, Rows),
    Rows = [[A|_]|_],
    sudoku_rules(Rows, 2-2, [killer_cage(cells=[1-1,1-2], sum=3)]),
    fd_dom(A, Left).

%   Domains have holes that bounds would not see: 1, 3 and 5 cannot make 6 with 2.

test(exact_sums, Left == 1\/5) :-
    length(Rows, 6),
    maplist(same_length(Rows), Rows),
    Rows = [[A,B|_]|_],
    A in 1\/2\/5,
    B in 1\/3\/5,
    sudoku_rules(Rows, 2-3, [total(cells=[1-1,1-2], sum=6)]),
    fd_dom(A, Left).

test(cells_of_a_house_differ, Left == 1\/5) :-
    length(Rows, 6),
    maplist(same_length(Rows), Rows),
    Rows = [[A|_]|_],
    A in 1\/3\/5,
    sudoku_rules(Rows, 2-3, [total(cells=[1-1,2-2], sum=6)]),
    fd_dom(A, Left).

%   The cages cover the first row and one more cell, whose digit follows: an outie.

test(outie, Cell == 3) :-
    empty_grid(4, Rows),
    Rows = [_,[_,_,_,Cell]|_],
    sudoku_rules(Rows, 2-2, [killer_cage(cells=[1-1,1-2], sum=5),
                             killer_cage(cells=[1-3,1-4,2-4], sum=8)]).

%   Of two rows, all but seven cells are in cages, and these have the least sum that they can have.

test(innies, Doms == [1..4,1..3]) :-
    empty_grid(9, Rows),
    Rows = [[_,_,_,_,_,_,One|_],[_,_,_,_,_,_,Other|_]|_],
    findall(killer_cage(cells=[1-Y,2-Y], sum=Sum), nth1(Y, [11,13,15,17,14], Sum), Cages),
    sudoku_rules(Rows, 1-9, [killer_cage(cells=[2-6], sum=4)|Cages]),
    maplist(fd_dom, [One,Other], Doms).

%   With rules, a house is seen whole: three cells share three digits.

test(house, Left == 4) :-
    length(Rows, 6),
    maplist(same_length(Rows), Rows),
    Rows = [[A,B,C|_]|_],
    [A,B,C] ins 1..3,
    Rows = [[_,_,_,Cell|_]|_],
    Cell in 1..4,
    sudoku_rules(Rows, 2-3, [thermometer(cells=[2-4,3-4])]),
    Left = Cell.

%   A digit that a cage needs is nowhere else in its row.

test(cage, Cell == 4) :-
    empty_grid(4, Rows),
    Rows = [[_,_,_,Cell]|_],
    Cell in 1 \/ 4,
    sudoku_rules(Rows, 2-2, [killer_cage(cells=[1-1,1-2,1-3], sum=6)]).

%   The search begins at a cell of the sum, as more constraints are about it.

test(search_order, Digit == 1) :-
    empty_grid(4, Rows),
    once(sudoku(Rows, 2-2, [total(cells=[3-3,4-4], sum=5)])),
    Rows = [_,_,[_,_,Digit,_],_].

%   The two digits are 1 and 2: a twelfth of all grids.

test(named_twice) :-
    empty_grid(4, Rows),
    Rules = [total(cells=[1-1,1-1,1-2], sum=4)],
    count(sudoku(Rows, 2-2, Rules), 24).

test(large_grids, Digits == [16,15]) :-
    empty_grid(16, Rows),
    Rows = [[A,B|_]|_],
    sudoku_rules(Rows, 4-4, [killer_cage(cells=[1-1,1-2], sum=31),
                             thermometer(cells=[1-2,1-1]),
                             total(cells=[1-1,1-2,2-1], sum=32)]),
    Digits = [A,B].

:- end_tests(rules).

:- begin_tests(fields).

:- multifile user:rule/3.
:- dynamic user:rule/3.

user:rule(rising, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    at_least(Fields, Cells),
    chain(Cells, #<).
user:at_least(Fields, [Cell|_]) :-
    get(least, Fields, Least, 1),
    Cell #>= Least.
user:rule(by_hand, Fields, Grid) :-
    (   memberchk(place=Row-Column, Fields)
    ->  grid_at(Grid, Row-Column, 1)
    ;   forall(member(_=_, []), true)
    ).
user:rule(opaque, Fields, _) :-
    forall(member(Field, Fields), Field = (_=_)).

refused(killer_cage(cells=[1-1,1-2], summ=3), unknown_field(killer_cage, summ, [cells,sum])).
refused(killer_cage(cels=[1-1,1-2], sum=3), unknown_field(killer_cage, cels, [cells,sum])).
refused(anti_knight(foo=bar), unknown_field(anti_knight, foo, [])).
refused(little_killer(cells=[1-1,2-2], total=3),
        unknown_field(little_killer, total, [cells,sum,weights])).
refused(rising(cells=[1-1,1-2], leest=2), unknown_field(rising, leest, [cells,least])).
refused(user:rising(cells=[1-1,1-2], leest=2), unknown_field(rising, leest, [cells,least])).
refused(by_hand(plase=1-1), unknown_field(by_hand, plase, [place])).
refused(any_of(options=[[anti_knight],[arrow(cirle=[1-1], arm=[1-2])]]),
        unknown_field(arrow, cirle, [arm,circle])).
refused(killer_cage(cells=[1-1,1-2], sum=3, sum=4), duplicate_field(killer_cage, sum)).
refused(killer_cage([1-1,1-2], 3), type_error(rule_field, [1-1,1-2])).
refused(thermometer(cells=[1-1,1-2], slow), type_error(rule_field, slow)).
refused(thermometer(cells=[1-1,1-2], slow=yes), type_error(boolean, yes)).
refused(killer_cage(sum=3), domain_error(fields_with(cells), [sum=3])).
refused(killer_cag(cells=[1-1,1-2]), existence_error(rule, killer_cag)).

test(refused, [forall(refused(Rule, Formal)), true(Error =@= Formal)]) :-
    catch(sudoku_rules(_, 2-2, [Rule]), error(Error, _), true).
test(explanations_refuse_them_too, error(unknown_field(killer_cage, summ, _))) :-
    explain(_, 2-2, [killer_cage(cells=[1-1,1-2], summ=3)], cell(1,1), _).
test(message, Text == "killer_cage has no field summ; did you mean sum? (its fields: cells, sum)\n") :-
    message_to_codes(unknown_field(killer_cage, summ, [cells,sum]), Text).
test(taken, [forall(member(Rule-Count, [rising(cells=[1-1,1-2], least=2)-72, rising(cells=[1-1,1-2])-144,
                                        by_hand(place=1-1)-72, opaque(anything=3)-288,
                                        thermometer(cells=[1-1,1-2], slow=false)-144,
                                        thermometer(cells=[1-1,1-3], slow=true)-144])),
             true(Found == Count)]) :-
    count(sudoku(_, 2-2, [Rule]), Found).
test(rules_must_be_given, error(instantiation_error)) :-
    sudoku(_, 2-2, _).

message_to_codes(Formal, Text) :-
    phrase(prolog:error_message(Formal), Lines),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

:- end_tests(fields).
