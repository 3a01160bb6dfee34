:- module(test_explain, []).

/*  Tests of prolog/sudoku/explain.pl and consistent.pl. Run them with

        swipl -g run_tests -t halt tests/explain.plt

    The oracle for a set that forces a digit uses no constraint solver: it writes the
    digits into the houses of the set in every order.
*/

:- use_module(library(plunit)).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3, numlist/3, permutation/2,
                               select/3]).
:- use_module('../prolog/prompt').
:- use_module('../prolog/sudoku/consistent').

empty_grid(Size, Rows) :-
    findall(Row, ( between(1, Size, _), length(Row, Size) ), Rows).

at(Rows, X, Y, Cell) :-
    nth1(X, Rows, Row),
    nth1(Y, Row, Cell).

%   The oracle: true if in each grid of this size that obeys Elements, whatever
%   other rule it breaks, Digit stands at X, Y.

forced(Size, Shape, Elements, X, Y, Digit) :-
    empty_grid(Size, Rows),
    \+ ( between(1, Size, Other),
         Other =\= Digit,
         at(Rows, X, Y, Other),
         obeyed(Elements, Size, Shape, Rows) ).

obeyed(Elements, Size, Shape, Rows) :-
    findall(given(X,Y,N), member(given(X,Y,N), Elements), Givens),
    maplist(given_in(Rows), Givens),
    sudoku_houses(Rows, Shape, Houses),
    numlist(1, Size, Digits),
    findall(Index,
            ( ( Shape = _-_ -> Box = box ; Box = region ),
              nth1(Kinds, [row,column,Box], Kind),
              between(1, Size, Number),
              House =.. [Kind,Number],
              memberchk(House, Elements),
              Index is (Kinds - 1) * Size + Number ),
            Indices),
    maplist(house_in(Houses, Digits), Indices).

given_in(Rows, given(X,Y,Digit)) :-
    at(Rows, X, Y, Digit).

house_in(Houses, Digits, Index) :-
    nth1(Index, Houses, House),
    permutation(Digits, House).

minimal(Size, Shape, Elements, X, Y, Digit) :-
    forced(Size, Shape, Elements, X, Y, Digit),
    forall(select(_, Elements, Others),
           \+ forced(Size, Shape, Others, X, Y, Digit)).

:- begin_tests(explain).

%   How many cells the explanations are about is counted from the solutions.

forced_cell(Rows, Shape, X-Y) :-
    at(Rows, X, Y, Cell),
    var(Cell),
    findall(Cell, sudoku(Rows, Shape), Digits),
    sort(Digits, [_]).

explained_cell(Rows, Shape, X-Y) :-
    length(Rows, Size),
    at(Rows, X, Y, Cell),
    var(Cell),
    explain(Rows, Shape, cell(X,Y), because(Digit, Elements)),
    minimal(Size, Shape, Elements, X, Y, Digit).

test(small, Reason == because(3, [row(2),box(1),given(1,1,4),given(2,4,3)])) :-
    problem(small, Rows),
    explain(Rows, cell(1,2), Reason).
test(given, Reason == given) :-
    problem(small, Rows),
    explain(Rows, cell(1,1), Reason).
test(forced_and_minimal,
     [forall(member(Shape-Rows-Count,
                    [ 2-2-[[4,_,_,_],[_,_,_,3],[_,_,_,1],[3,_,_,_]]-12,
                      2-2-[[1,2,_,_],[3,4,_,_],[_,_,4,3],[_,_,_,_]]-6,
                      2-2-[[_,1,3,_],[2,_,_,_],[_,_,_,3],[_,2,1,_]]-10,
                      1-4-[[1,2,3,_],[2,_,_,_],[_,_,_,_],[_,_,_,1]]-4,
                      1-3-[[1,_,_],[_,2,_],[_,_,_]]-7,
                      2-1-[[_,_],[_,1]]-3,
                      1-1-[[_]]-1,
                      regions([[a,a,a,b],[a,b,b,b],[c,c,c,d],[c,d,d,d]])
                      -[[1,2,_,_],[_,_,_,_],[_,_,_,3],[_,_,_,_]]-6 ])),
      true(Length-Explained == Count-Forced)]) :-
    findall(Cell, forced_cell(Rows, Shape, Cell), Forced),
    findall(Cell, explained_cell(Rows, Shape, Cell), Explained),
    length(Forced, Length).
test(several_solutions, Digits == [1,2]) :-
    Rows = [[_,_,3,4],[3,4,_,_],[_,_,4,3],[4,3,_,_]],
    explain(Rows, cell(1,1), not_forced(Rows1, Rows2)),
    maplist(sudoku, [Rows1,Rows2]),
    Rows1 = [[Digit1|_]|_],
    Rows2 = [[Digit2|_]|_],
    msort([Digit1,Digit2], Digits).
test(no_solution, fail) :-
    explain([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], cell(2,1), _).
test(boxes_that_are_not_square, Digit == 4) :-
    problem(six, Rows, Shape),
    explain(Rows, Shape, cell(1,1), because(Digit, _)).
test(needs_search, Digit == 8) :-
    problem(1, Rows),
    explain(Rows, cell(1,4), because(Digit, _)).
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
test(jigsaw, Digit == 4) :-
    Rows = [[1,2,_,_],[_,_,_,_],[_,_,_,3],[_,_,_,_]],
    Shape = regions([[a,a,a,b],[a,b,b,b],[c,c,c,d],[c,d,d,d]]),
    explain(Rows, Shape, cell(1,4), because(Digit, Elements)),
    forall(member(Element, Elements), \+ Element = box(_)),
    memberchk(region(_), Elements).
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
