:- module(sudoku_house,
          [ every_digit/1       % ?House
          ]).
:- use_module(propagator, [candidate_set/2, post_propagator/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(clpfd)).

/** <module> What one house knows beyond all_different/1

A house is a list of n cells for n digits. A set of digits is an integer here,
with bit D for digit D.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  every_digit(?House) is semidet.
%
%   Constrains the n cells of House to hold every digit in 1..n. If all cells are
%   different, this has the same solutions, but it sees more than all_different/1
%   does: a digit with one place left goes there, and one without a place is a dead
%   end.

every_digit(House) :-
    length(House, Size),
    House ins 1..Size,
    post_propagator(every_digit(House), House).

%   library(clpfd) calls this whenever the domain of a cell has changed.

:- multifile clpfd:run_propagator/2.

clpfd:run_propagator(every_digit(House), State) :-
    (   ground(House)
    ->  clpfd:kill(State)
    ;   true
    ),
    survey(House, Sets, 0, Found, 0, Settled),
    length(House, Size),
    Found =:= (2 << Size) - 2,
    Single is Found /\ \Settled,
    (   Single =:= 0
    ->  true
    ;   maplist(put_single(Single), House, Sets)
    ).

:- multifile sudoku_propagator:constraint_goal/3.

sudoku_propagator:constraint_goal(every_digit(House), House, sudoku_house:every_digit(House)).

%   Sets are the candidates of the cells. Found are the digits that have a place.
%   Settled are those of them that are filled in or have several places.

survey([], [], Found, Found, Settled, Settled).
survey([Cell|Cells], [Set|Sets], Found0, Found, Settled0, Settled) :-
    (   integer(Cell)
    ->  Set is 1 << Cell,
        Settled1 is Settled0 \/ Set
    ;   candidate_set(Cell, Set),
        Settled1 is Settled0 \/ (Found0 /\ Set)
    ),
    Found1 is Found0 \/ Set,
    survey(Cells, Sets, Found1, Found, Settled1, Settled).

put_single(Single, Cell, Set) :-
    Here is Single /\ Set,
    (   Here =:= 0
    ->  true
    ;   Here =:= 1 << lsb(Here),        % no room for two
        Cell is lsb(Here)
    ).
