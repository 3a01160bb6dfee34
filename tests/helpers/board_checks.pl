:- module(board_checks, [check/1]).
:- discontiguous check/1.
:- use_module('../../prolog/sudoku').
:- use_module('../../prolog/sudoku/board').
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [member/2, nth1/3, same_length/2]).

/** <module> What a board has to do

Used by test_mutation_prolog.py: for each mutant of board.pl, one of these checks must
fail. A set of digits is an integer with bit D for digit D, so 0b1110 are the digits 1 to 3.
The last bit of a set of houses is house 1.
*/

%!  check(?Name) is nondet.
%
%   True of the programs as they are.

                /*******************************
                *           narrow/1           *
                *******************************/

check(narrow_takes_placed_digits) :-
    [A,B] ins 1..4,
    narrow([[1,A,B,2]]),
    maplist(fd_dom, [A,B], [3..4, 3..4]).
check(narrow_goes_from_house_to_house) :-
    A in 2..3,
    [B,C] ins 1..3,
    narrow([[A,B,1], [B,3,C]]),
    [A,B,C] == [3,2,1].
check(narrow_places_a_digit_where_there_are_too_many_cells_for_a_far_look) :-
    length(Others, 8),
    Others ins 2..9,
    A in 1..9,
    narrow([[A|Others]]),
    A == 1,
    forall(member(Cell, Others), fd_dom(Cell, 2..9)).
check(narrow_sees_a_pair_and_what_follows) :-
    [A,B] ins 1..2,
    C in 1..3,
    [D,E|Others] = [_,_,_,_,_,_],
    [D,E|Others] ins 1..5,
    narrow([[C|Others], [A,B,C,D,E]]),
    C == 3,
    maplist(fd_dom, [A,B,D,E], [1..2, 1..2, 4..5, 4..5]),
    forall(member(Cell, Others), fd_dom(Cell, 1..2 \/ 4..5)).
check(narrow_sees_a_pair_in_each_house) :-
    forall(member(Houses, [ [House,Full], [Full,House] ]),
           ( Full = [1,2,3,4],
             House = [A,B,C,D],
             [A,B] ins 1..2,
             [C,D] ins 1..4,
             narrow(Houses),
             maplist(fd_dom, [C,D], [3..4, 3..4]) )).
check(narrow_posts_nothing) :-
    Cells = [_,_,_,_],
    Cells ins 1..4,
    narrow([Cells, Cells]),
    copy_term(Cells, _, Goals),
    forall(member(Goal, Goals), Goal = clpfd:(_ in 1..4)),
    forall(member(Cell, Cells), get_attrs(Cell, att(clpfd, _, []))).
check(narrow_wakes_other_constraints) :-
    [A,B] ins 1..3,
    A #< B,
    narrow([[A,B,3]]),
    [A,B] == [1,2].
check(narrow_needs_no_open_cell) :-
    narrow([]),
    narrow([[1]]),
    narrow([[1,2], [2,1]]).
check(narrow_refuses) :-
    forall(member(House-Domains,
                  [ [1,1]-[],
                    [1,_,1]-[1..3],
                    [_,_,1]-[1..2, 1..2],
                    [_,_,_]-[1..2, 1..2, 1..2],
                    [_,_,_,_]-[1..2, 1..2, 1..2, 1..4] ]),
           \+ ( term_variables(House, Cells), maplist(in, Cells, Domains), narrow([House]) )).

                /*******************************
                *    board/3, tell/2, hear/2   *
                *******************************/

check(board) :-
    Cells = [A,B,C,_],
    Cells ins 1..3,
    board(Cells, [[A,B,C], [B,C,A]], Board),
    Board == board(sets(0b1110, 0b1110, 0b1110, 0b1110), seen(0b11, 0b11, 0b11, 0),
                   houses([1,2,3], [2,3,1]), digits(0b1110, 0b1110), weights(0, 0, 0, 0)),
    \+ ( member(Cell, Cells), cell_number(Cell, _) ).
check(board_is_settled) :-
    Cells = [A,B,C,_],
    Cells ins 1..3,
    board(Cells, [[A,B,3], [2,C,A]], Board),
    Board == board(sets(0b0010, 0b0100, 0b1000, 0b1110), seen(0b11, 0b01, 0b10, 0),
                   houses([], []), digits(0, 0), weights(0, 0, 0, 0)).
check(board_leaves_only_digits_that_are_left) :-
    Cells = [A,B,C,D],
    Cells ins 1..4,
    board(Cells, [[1,A,B,C], [1,B,C,D]], Board),
    Board == board(sets(0b11100, 0b11100, 0b11100, 0b11100), seen(0b01, 0b11, 0b11, 0b10),
                   houses([1,2,3], [2,3,4]), digits(0b11100, 0b11100), weights(0, 0, 0, 0)).
check(board_refuses_a_digit_twice) :-
    [A,B] ins 1..4,
    \+ board([A,B], [[1,A,B,1]], _).
check(board_without_houses) :-
    A in 1..2,
    board([A], [], Board),
    hear([A], Board),
    A = 2,
    hear([A], Board),
    arg(1, Board, sets(0b0100)).
check(numbers) :-
    Cells = [A,B,C],
    A in 1..3,
    number_cells(Cells),
    maplist(cell_number, Cells, [1,2,3]),
    clear_numbers(Cells),
    \+ ( member(Cell, Cells), cell_number(Cell, _) ),
    fd_dom(A, 1..3),
    \+ get_attrs(B, _),
    \+ get_attrs(C, _).
check(tell) :-
    [A,B,C] ins 1..3,
    A #< C,
    tell([A,B,C], board(sets(0b1100, 0b1010, 0b1110), _, _, _, _)),
    [A,C] == [2,3],
    fd_dom(B, 1 \/ 3).
check(tell_refuses_what_constraints_refuse) :-
    [A,B] ins 1..3,
    A #< B,
    \+ tell([A,B], board(sets(0b1000, 0b1110), _, _, _, _)).
check(hear) :-
    Cells = [A,B,C,D,E],
    Cells ins 1..3,
    board(Cells, [[A,B,C], [C,D,E]], Board),
    hear(Cells, Board),
    arg(1, Board, sets(0b1110, 0b1110, 0b1110, 0b1110, 0b1110)),
    A = 1,
    B #\= 3,
    hear(Cells, Board),
    arg(1, Board, sets(0b0010, 0b0100, 0b1000, 0b0110, 0b0110)),
    tell(Cells, Board),
    E #\= 2,
    hear(Cells, Board),
    arg(1, Board, sets(0b0010, 0b0100, 0b1000, 0b0100, 0b0010)).
check(hear_refuses) :-
    Cells = [A,B,_],
    Cells ins 1..3,
    board(Cells, [Cells], Board),
    [A,B] = [1,1],
    \+ hear(Cells, Board).
check(only_houses_that_have_changed_are_heard_of) :-
    sudoku_board:put(2, 0b110, sets(0b10, 0b110), seen(0b1, 0b1), 0b100, 0b100),
    sudoku_board:put(2, 0b100, sets(0b10, 0b110), seen(0b1, 0b1), 0b100, 0b101).

                /*******************************
                *           settle/2           *
                *******************************/

check(settle_takes_placed_digits) :-
    settles([0b1110, 0b0010, 0b0110], [[1,2,3]], [0b1000, 0b0010, 0b0100]).
check(settle_closes_houses) :-
    board_of([0b0010, 0b1110, 0b1110], [[1,2,3]], Board),
    settle(1, Board),
    Board = board(_, _, houses([2,3]), digits(0b1100), _).
check(settle_places_digits) :-
    settles([0b1110, 0b1100, 0b1100], [[1,2,3]], [0b0010, 0b1100, 0b1100]).
check(settle_places_digits_and_takes_them_elsewhere) :-
    settles([0b1110, 0b1100, 0b1100, 0b1110, 0b1110], [[1,2,3], [1,4,5]],
            [0b0010, 0b1100, 0b1100, 0b1100, 0b1100]).
check(settle_seeks_places_of_digits_that_it_has_taken) :-
    settles([0b00010, 0b11110, 0b11110, 0b11110, 0b11100, 0b11100, 0b11110],
            [[1,2,3,4], [2,5,6,7]],
            [0b00010, 0b11100, 0b11100, 0b11100, 0b11100, 0b11100, 0b00010]).
check(settle_goes_on_where_a_digit_was_the_last) :-
    settles([0b0010, 0b0110, 0b1110, 0b0110, 0b1110], [[1,2,3], [2,4,5]],
            [0b0010, 0b0100, 0b1000, 0b0010, 0b1000]).
check(settle_places_several_digits) :-
    settles([0b11110, 0b11110, 0b11000, 0b11000, 0b11110, 0b11110, 0b00110],
            [[1,2,3,4], [1,5,6,7]],
            [0b11110, 0b11110, 0b11000, 0b11000, 0b11110, 0b11110, 0b00110]),
    settles([0b11110, 0b11010, 0b11000, 0b11000], [[1,2,3,4]],
            [0b00100, 0b00010, 0b11000, 0b11000]).
check(settle_looks_at_no_other_house) :-
    Sets = [0b1110, 0b1110, 0b1110, 0b0110, 0b0110, 0b0110],
    board_of(Sets, [[1,2,3], [4,5,6]], Board),
    settle(0b01, Board),
    settle(0, Board),
    arg(1, Board, Found),
    Found =.. [sets|Sets],
    \+ settle(0b10, Board).
check(settle_refuses) :-
    forall(member(Sets,
                  [ [0b00010, 0b00010, 0b11110, 0b11110],       % two cells have one alone
                    [0b01110, 0b01110, 0b01110, 0b01100],       % a digit has no place
                    [0b11110, 0b11000, 0b11000, 0b11000],       % two have only the first cell
                    [0b00110, 0b00010, 0b00100, 0b11110] ]),    % none is left for a cell
           ( board_of(Sets, [[1,2,3,4]], Board), \+ settle(1, Board) )).
check(settle_is_undone) :-
    board_of([0b0010, 0b1110, 0b1110], [[1,2,3]], Board),
    copy_term(Board, Before),
    \+ \+ settle(1, Board),
    Board == Before.
check(settle_leaves_no_choice_point) :-
    board_of([0b0010, 0b1110, 0b1110], [[1,2,3]], Board),
    call_cleanup(settle(1, Board), End = true),
    ( End == true -> Left = none ; Left = some ),
    !,                                  % which would bind End in any case
    Left == none.
check(each_dead_end_is_counted) :-
    board_of([0b0010, 0b0010, 0b0110, 0b0110, 0b0110], [[2,1,3], [3,4,5]], Board),
    \+ settle(0b01, Board),
    arg(5, Board, Weights),
    Weights == weights(1, 1, 1, 0, 0),
    \+ settle(0b10, Board),
    Weights == weights(1, 1, 2, 1, 1).
check(a_cell_without_a_digit_is_a_dead_end_of_the_house_that_took_it) :-
    board_of([0b1110, 0b0010, 0b0100, 0b0110, 0b1110], [[1,4,5], [2,3,4]], Board),
    \+ settle(0b10, Board),
    arg(5, Board, Weights),
    Weights == weights(0, 1, 1, 1, 0).
check(settle_all) :-
    board_of([0b0010, 0b1110, 0b1110, 0b1110, 0b1110, 0b0010], [[1,2,3], [4,5,6]], Board),
    sudoku_board:settle_all(Board),
    arg(1, Board, sets(0b0010, 0b1100, 0b1100, 0b1100, 0b1100, 0b0010)).
%   To look for places is dearer than to take digits.
check(places_are_sought_last) :-
    sudoku_board:take([1,2,3], sets(0b1100, 0b1110, 0b1010), seen(0b001, 0b010, 0b100), 0b1100,
                      0, 0b100, 0, 0b010).

%   True if Sets become Expected if all houses, lists of numbers of cells, are settled.

settles(Sets, Houses, Expected) :-
    board_of(Sets, Houses, Board),
    sudoku_board:settle_all(Board),
    arg(1, Board, Found),
    Found =.. [sets|Expected].

%   A board that has these sets, though nothing is settled.

board_of(Sets, Houses, board(SetsOfCells, Seen, HousesOfCells, Digits, Weights)) :-
    same_length(Sets, Cells),
    Houses = [House|_],
    length(House, Size),
    Cells ins 1..Size,
    maplist(maplist(cell_of(Cells)), Houses, Named),
    board(Cells, Named, board(_, Seen, HousesOfCells, Digits, Weights)),
    SetsOfCells =.. [sets|Sets].

cell_of(Cells, Number, Cell) :-
    nth1(Number, Cells, Cell).
