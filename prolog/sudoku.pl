:- module(sudoku,
          [ sudoku/1,           % ?Rows
            sudoku/2,           % ?Rows, +Box
            sudoku_rules/1,     % ?Rows
            sudoku_rules/2,     % ?Rows, +Box
            sudoku_search/1,    % ?Rows
            every_digit/1       % ?House
          ]).
:- reexport(sudoku/grid, [sudoku_houses/3, print_grid/1, print_grid/2]).
:- reexport(sudoku/problems, [problem/2, problem/3]).
:- reexport(sudoku/explain, [explain/3, explain/4, candidates/2, candidates/3]).
:- reexport(library(clpfd)).            % #>/2, fd_dom/2, ... at the prompt too
:- use_module(sudoku/grid, [must_be_grid/3, square_box/2]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Sudoku as a constraint problem

A grid is a list of n rows, each a list of n cells. A cell is a digit 1..n, or
a variable while it is empty. A _house_ is a row, a column or a box: n cells
that hold every digit once. A box of the shape R-C is R rows high and C columns
wide, with R*C = n.

    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    ?- problem(six, Rows, Box), sudoku(Rows, Box), print_grid(Rows, Box).

Rules and search are apart. After the rules alone, fd_dom/2 tells what is left
for a cell, and more constraints can be added before the search:

    ?- problem(asplain, Rows), Rows = [[A|_]|_], sudoku_rules(Rows),
       fd_dom(A, Candidates).
    ?- problem(asplain, Rows), Rows = [[A,B|_]|_], sudoku_rules(Rows),
       A #> B, sudoku_search(Rows).
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  sudoku(?Rows) is nondet.
%!  sudoku(?Rows, +Box) is nondet.
%
%   True if Rows is a full sudoku grid with boxes of the shape Box, which is
%   square if not given. Every solution comes exactly once on backtracking.
%
%   @error instantiation_error, type_error or domain_error if Rows is no square
%   grid of variables and digits, or if Box does not fit it.

sudoku(Rows) :-
    square_box(Rows, Box),
    sudoku(Rows, Box).

sudoku(Rows, Box) :-
    sudoku_rules(Rows, Box),
    term_variables(Rows, Cells),
    without_choice_point_if_unique(sudoku_search(Rows), Cells).

%   Most puzzles have one solution, and then no choice point should be left
%   behind. So this looks for a second solution before it gives the first, but
%   gives that up where it would take long.

without_choice_point_if_unique(Goal, Cells) :-
    call_with_inference_limit(findall(Cells, limit(2, Goal), Solutions), 10_000_000, _),
    (   Solutions \= [_,_]              % nor unbound, as it is over the limit
    ->  Solutions = [Cells]
    ;   call(Goal)
    ).

%!  sudoku_rules(?Rows) is semidet.
%!  sudoku_rules(?Rows, +Box) is semidet.
%
%   Constrains Rows to be a sudoku grid, without any search. What is left in the
%   domains are the candidates that no house is seen to exclude; a cell with one
%   candidate is filled in.

sudoku_rules(Rows) :-
    square_box(Rows, Box),
    sudoku_rules(Rows, Box).

sudoku_rules(Rows, Box) :-
    must_be_grid(Rows, Box, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Box, Houses),
    maplist(all_different, Houses),
    maplist(watch_digits, Houses),
    maplist(look_far, Houses).

%   Takes out, once, what only a house as a whole excludes: when some cells have as
%   many digits between them as they are cells, no other cell takes one of these.
%   It sees, for example, that three cells have two digits to share. To have it look
%   again at every step of a search would not pay.

look_far(House) :-
    term_variables(House, Cells),
    maplist(candidate_set, Cells, Sets),
    findall(Locked, locked(Sets, 0, 0, Locked), AllLocked),
    maplist(keep_out(Cells, Sets), AllLocked).

%   Locked is Digits-Count if Count of the cells have together no more Digits. A set
%   of digits is an integer here, with bit D for digit D. Sets of 8 or 9 say nothing
%   new in 9x9, and in larger grids there would be too many to look at.

locked([Set|Sets], Digits0, Count0, Locked) :-
    Digits is Digits0 \/ Set,
    Size is popcount(Digits),
    Size =< 7,
    Count is Count0 + 1,
    (   Size =< Count,
        Locked = Digits-Count
    ;   locked(Sets, Digits, Count, Locked)
    ).
locked([_|Sets], Digits, Count, Locked) :-
    locked(Sets, Digits, Count, Locked).

keep_out(Cells, Sets, Digits-Count) :-
    Count =:= popcount(Digits),
    maplist(keep_out_of(Digits), Cells, Sets).

keep_out_of(Digits, Cell, Set) :-
    Out is Set /\ Digits,
    (   ( Out =:= 0 ; Out =:= Set )
    ->  true
    ;   Digit is lsb(Out),
        #(Cell) #\= Digit,
        Others is Digits - (1 << Digit),
        keep_out_of(Others, Cell, Set)
    ).

%!  sudoku_search(?Rows) is nondet.
%
%   Labels the variables of Rows, those with the fewest candidates first.

sudoku_search(Rows) :-
    term_variables(Rows, Cells),
    labeling([ff], Cells).

%!  every_digit(?House) is semidet.
%
%   Constrains the n cells of House to hold every digit in 1..n. If all cells are
%   different, that is nothing new, but it sees more than all_different/1 does: a
%   digit with one place left goes there, one without a place is a dead end.

every_digit(House) :-
    length(House, Size),
    House ins 1..Size,
    watch_digits(House).

watch_digits(House) :-
    clpfd:make_propagator(every_digit(House), Propagator),
    term_variables(House, Cells),
    maplist(attach(Propagator), Cells),
    clpfd:trigger_once(Propagator).

attach(Propagator, Cell) :-
    clpfd:init_propagator(Cell, Propagator).

%   library(clpfd) calls this whenever the domain of a cell has changed.

:- multifile clpfd:run_propagator/2.

clpfd:run_propagator(every_digit(House), State) :-
    (   ground(House)
    ->  clpfd:kill(State)
    ;   true
    ),
    places(House, Sets, 0, Found, 0, Settled),
    length(House, Size),
    Found =:= (2 << Size) - 2,
    Single is Found /\ \Settled,
    (   Single =:= 0
    ->  true
    ;   maplist(place(Single), House, Sets)
    ).

%   Sets are the candidates of the cells. Found are the digits that have a place,
%   Settled those of them that are filled in or have several places.

places([], [], Found, Found, Settled, Settled).
places([Cell|Cells], [Set|Sets], Found0, Found, Settled0, Settled) :-
    (   integer(Cell)
    ->  Set is 1 << Cell,
        Settled1 is Settled0 \/ Set
    ;   candidate_set(Cell, Set),
        Settled1 is Settled0 \/ (Found0 /\ Set)
    ),
    Found1 is Found0 \/ Set,
    places(Cells, Sets, Found1, Found, Settled1, Settled).

place(Single, Cell, Set) :-
    Here is Single /\ Set,
    (   Here =:= 0
    ->  true
    ;   Here =:= 1 << lsb(Here),        % no room for two
        Cell is lsb(Here)
    ).

%   fd_dom/2 tells the same, but then the whole takes a third longer. Domains have
%   had this form for as long as SWI-Prolog has had fd_set/2.

candidate_set(Cell, Set) :-
    fd_set(Cell, Domain),
    domain_set(Domain, Set).

domain_set(from_to(n(Low), n(High)), Set) =>
    Set is (2 << High) - (1 << Low).
domain_set(split(_, Lower, Upper), Set) =>
    domain_set(Lower, Set1),
    domain_set(Upper, Set2),
    Set is Set1 \/ Set2.
