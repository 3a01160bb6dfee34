:- module(sudoku_house,
          [ every_digit/1,      % ?House
            watch_digits/1,     % ?House
            look_far/1          % ?House
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).

/** <module> What one house knows beyond all_different/1

A house is a list of n cells for n digits. A set of digits is an integer here,
with bit D for digit D.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  every_digit(?House) is semidet.
%
%   Constrains the n cells of House to hold every digit in 1..n. If all cells are
%   different, that is nothing new, but it sees more than all_different/1 does: a
%   digit with one place left goes there, one without a place is a dead end.

every_digit(House) :-
    length(House, Size),
    House ins 1..Size,
    watch_digits(House).

%!  watch_digits(?House) is semidet.
%
%   As every_digit/1, for cells that are known to be in 1..n.

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

%!  look_far(?House) is semidet.
%
%   Takes out, once, what only a house as a whole excludes: when some cells have as
%   many digits between them as they are cells, no other cell takes one of these.
%   It sees, for example, that three cells have two digits to share. To have it look
%   again at every step of a search would not pay.

look_far(House) :-
    term_variables(House, Cells),
    maplist(candidate_set, Cells, Sets),
    findall(Locked, locked(Sets, 0, 0, Locked), AllLocked),
    maplist(keep_out(Cells, Sets), AllLocked).

%   Locked is Digits-Count if Count of the cells have together no more Digits. Sets of
%   8 or 9 say nothing new in 9x9, and in larger grids there would be too many to
%   look at.

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
