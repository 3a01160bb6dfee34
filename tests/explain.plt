:- module(test_explain, []).

/*  Tests of prolog/sudoku/explain.pl and consistent.pl. Run them with

        swipl -g run_tests -t halt tests/explain.plt

    What a reason must be is in test_prolog_bridge.py: there clingo checks it.
*/

:- use_module(library(plunit)).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3]).
:- use_module('../prolog/sudoku_prompt').
:- use_module('../prolog/sudoku/consistent').

empty_grid(Size, Rows) :-
    findall(Row, ( between(1, Size, _), length(Row, Size) ), Rows).

at(Rows, X, Y, Cell) :-
    nth1(X, Rows, Row),
    nth1(Y, Row, Cell).

:- begin_tests(explain).

test(small, Reason == because(3, [row(2),box(1),given(1,1,4),given(2,4,3)])) :-
    problem(small, Rows),
    explain(Rows, cell(1,2), Reason).
test(given, Reason == given) :-
    problem(small, Rows),
    explain(Rows, cell(1,1), Reason).
test(several_solutions, Digits == [1,2]) :-
    Rows = [[_,_,3,4],[3,4,_,_],[_,_,4,3],[4,3,_,_]],
    explain(Rows, cell(1,1), not_forced(Rows1, Rows2)),
    maplist(sudoku, [Rows1,Rows2]),
    Rows1 = [[Digit1|_]|_],
    Rows2 = [[Digit2|_]|_],
    msort([Digit1,Digit2], Digits).
test(no_boxes, Reason == because(4, [row(1),given(1,1,1),given(1,2,2),given(1,3,3)])) :-
    empty_grid(4, Rows),
    Rows = [[1,2,3,_]|_],
    explain(Rows, 1-4, cell(1,4), Reason),
    explain(Rows, 4-1, cell(1,4), Reason).
test(no_solution, fail) :-
    explain([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], cell(2,1), _).
test(nothing_is_bound, Rows =@= Before) :-
    problem(small, Rows),
    copy_term(Rows, Before),
    explain(Rows, cell(1,2), _),
    candidates(Rows, _).
test(own_constraints_need_no_reason, Elements == []) :-
    empty_grid(4, Rows),
    at(Rows, 1, 1, Cell),
    Cell #> 3,
    explain(Rows, cell(1,1), because(4, Elements)).
test(marks_hold, Digit == 3) :-
    empty_grid(4, Rows),
    Rows = [[A,B,C,_]|_],
    [A,B,C] ins 1\/2\/4,
    explain(Rows, cell(1,4), because(Digit, [_|_])).
test(marks_of_both_solutions) :-
    empty_grid(4, Rows),
    Rows = [[A|_]|_],
    A in 1\/3,
    explain(Rows, cell(1,1), not_forced([[X|_]|_], [[Y|_]|_])),
    msort([X,Y], [1,3]).
test(cell_unbound, error(instantiation_error)) :-
    problem(small, Rows),
    explain(Rows, _, _).
test(no_cell, error(type_error(cell, 1-2))) :-
    problem(small, Rows),
    explain(Rows, 1-2, _).
test(cell_outside, error(type_error(between(1, 4), 5))) :-
    problem(small, Rows),
    explain(Rows, cell(1,5), _).
test(no_square, error(domain_error(square_number, 2))) :-
    explain([[_,_],[_,_]], cell(1,1), _).

:- end_tests(explain).

:- begin_tests(candidates).

test(small, First == [[4],[3],[1],[2]]) :-
    problem(small, Rows),
    candidates(Rows, [First|_]).
test(several, First-Row == [1]-[[3,4],[3,4]]) :-
    Rows = [[1,2,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]],
    candidates(Rows, [[First,_|Row]|_]).
test(box, Candidates == [[[1],[2]],[[2],[1]]]) :-
    candidates([[1,_],[_,_]], 1-2, Candidates).
test(own_constraints, Candidates == [[[2],[1]],[[1],[2]]]) :-
    A #> B,
    candidates([[A,B],[_,_]], 1-2, Candidates).
test(supersets,
     [forall(( member(Id, [1,course,several,six,hard,jigsaw,even]), problem(Id, Rows, Shape) )),
      Id-Missing == Id-[]]) :-
    candidates(Rows, Shape, Candidates),
    findall(X-Y,
            ( sudoku(Rows, Shape), at(Rows, X, Y, Digit), at(Candidates, X, Y, Digits),
              \+ memberchk(Digit, Digits) ),
            Missing).
test(no_solution, fail) :-
    candidates([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], _).

:- end_tests(candidates).

:- begin_tests(consistent).

test(no_such_rule, error(domain_error(rule, twice(1,1)))) :-
    consistent(2-2, [twice(1,1)], [], []).
test(no_such_house, [forall(member(House, [row(5),region(1)])), error(domain_error(house, House))]) :-
    House =.. [Kind,Number],
    consistent(2-2, [house(Kind,Number)], [], []).
%   Without the region that follows from the rows and the other regions, a search would
%   try very many grids.
test(implied_region, fail) :-
    problem(jigsaw, _, Shape),
    findall(house(row,Row), between(1, 9, Row), Rows),
    findall(house(region,Region), between(1, 8, Region), Regions),
    append(Rows, Regions, Rules),
    consistent(Shape, Rules, [[7,1,5],[9,1,5]], []).
test(no_such_digit, error(type_error(_, 5))) :-
    consistent(2-2, [], [[1,1,5]], []).

:- end_tests(consistent).
