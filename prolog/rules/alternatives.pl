:- module(sudoku_alternatives,
          [ post_own/2,         % :Goal, +Grid
            post_alternatives/2 % :Goal, +Grid
          ]).
:- use_module('../sudoku/propagator', [post_propagator/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [member/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Rules that can be obeyed in several ways

A goal that constrains a grid may leave choice points: with `( A #< B ; B #< C )`, a grid may obey
both. Here such a goal is one constraint without choice points, so each grid is found once.
*/

:- meta_predicate
    post_own(1, +),
    post_alternatives(1, +),
    post_only(1, +),
    one_way(1, +, +),
    way(1, +, -).

%!  post_own(:Goal, +Grid) is semidet.
%
%   Constrains Grid by call(Goal, Grid), a clause that somebody wrote. Each grid that obeys it is found
%   once, however many ways there are.

post_own(Goal, Grid) :-
    Ways = ways(none),
    (   one_way(Goal, Grid, Ways)
    ->  true
    ;   arg(1, Ways, several)
    ->  post_alternatives(Goal, Grid)
    ;   arg(1, Ways, one)               % and a choice point with nothing behind it
    ->  post_only(Goal, Grid)
    ).

%   There is one way. Goals that wait for a cell keep their answers.

post_only(Goal, Grid) :-
    (   waits(Grid)
    ->  call(Goal, Grid)
    ;   call(Goal, Grid),
        !
    ).

one_way(Goal, Grid, Ways) :-
    call_cleanup(call(Goal, Grid), Determinate = true),
    (   ( arg(1, Ways, one) ; waits(Grid) )
    ->  nb_setarg(1, Ways, several),
        !,
        fail
    ;   Determinate == true
    ->  true
    ;   nb_setarg(1, Ways, one),
        fail
    ).

%   A goal waits for a cell, and may have several answers when that is filled in. This is for
%   conditions: it leaves choice points.

waits(Grid) :-
    term_attvars(Grid, Cells),
    member(Cell, Cells),
    (   get_attr(Cell, freeze, _)
    ;   get_attr(Cell, when, _)
    ).

%!  post_alternatives(:Goal, +Grid) is semidet.
%
%   Grid is one for which call(Goal, Grid) succeeds, in one or several ways. As long as several are
%   possible, nothing is posted. The last one is, so that its constraints prune the grid.

post_alternatives(Goal, Grid) :-
    post_propagator(alternatives(Goal, Grid, open(-1)), Grid).

:- multifile clpfd:run_propagator/2.

clpfd:run_propagator(alternatives(Goal, Grid, Open), State) :-
    term_variables(Grid, Cells),
    length(Cells, Number),
    (   (   arg(1, Open, Number)        % no other cell is filled in: trials take long
        ;   inside_other_trial(Grid)
        )
    ->  true
    ;   setarg(1, Open, Number),
        findall(Waits, limit(2, way(Goal, Grid, Waits)), Ways),
        (   Number =:= 0
        ->  Ways = [_|_],
            clpfd:kill(State)
        ;   Ways == [false]
        ->  clpfd:kill(State),
            post_only(Goal, Grid)
        ;   Ways = [_|_]
        )
    ).

:- multifile sudoku_propagator:constraint_goal/3.

sudoku_propagator:constraint_goal(alternatives(Goal, Grid, _), Grid,
                                  sudoku_alternatives:post_alternatives(Goal, Grid)).

%   The candidates that are left allow Goal in some way. This is tried on a copy of the grid that has
%   no other rules. Waits is true if a goal then waits for a cell.

way(Goal, Grid, Waits) :-
    copy_term_nat(Grid, Copy),
    b_setval(sudoku_alternatives, Copy),
    term_variables(Grid, Cells),
    term_variables(Copy, Copies),
    maplist(copy_domain, Cells, Copies),
    call(Goal, Copy),
    (   waits(Copy)
    ->  Waits = true
    ;   Waits = false
    ).

copy_domain(Cell, Copy) :-
    fd_dom(Cell, Domain),
    Copy in Domain.

%   A trial may wake up other rules, but what they find is lost with it.

inside_other_trial(Grid) :-
    nb_current(sudoku_alternatives, Copy),
    Copy = grid(_, _, Rows),
    Grid = grid(_, _, GridRows),
    \+ same_term(Rows, GridRows).
