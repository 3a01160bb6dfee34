:- module(sudoku_house,
          [ every_digit/1,      % ?House
            watch_digits/1,     % ?House
            locked_digits/2,    % +Sets, -AllLocked
            candidate_set/2     % ?Cell, -Set
          ]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [member/2]).

/** <module> What one house knows beyond all_different/1

A house is a list of n cells for n digits. A set of digits is an integer here,
with bit D for digit D.

A constraint of one's own is made as the manual of SWI-Prolog says, in section A.9.14,
"Custom constraints": by make_propagator/2, init_propagator/2, trigger_once/1, kill/1 and
the hook run_propagator/2. These internals of library(clpfd) are not documented:

  - the form of a set that fd_set/2 gives: from_to(n(Low), n(High)) for an interval,
    split(Hole, Lower, Upper) for the union of two sets;
  - pdistinct(Cells), the propagator by which loading this file finds out whether the
    hook has its usual form.

All of them have been the same from SWI-Prolog 9.0.4 to 10.1.12 at least. If one of them
is missing, loading this file is an error.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- initialization(check_internals).

check_internals :-
    (   \+ missing_internal(_)
    ->  true
    ;   missing_internal(Missing),
        current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
        print_message(error,
            format("library(clpfd) of SWI-Prolog ~d.~d.~d does not have ~w, \c
                    which every_digit/1 needs: use another one, such as 9.2.9", [Major, Minor, Patch, Missing]))
    ).

missing_internal(Name/Arity) :-
    member(Name/Arity, [make_propagator/2, init_propagator/2, trigger_once/1, kill/1]),
    functor(Head, Name, Arity),
    \+ predicate_property(clpfd:Head, defined).
missing_internal('run_propagator/2 of the usual form') :-
    \+ clause(clpfd:run_propagator(pdistinct(_), _), _).
missing_internal('sets of the usual form') :-
    Cell in 1..2 \/ 4,
    \+ catch(candidate_set(Cell, 0b10110), _, fail).

%!  every_digit(?House) is semidet.
%
%   Constrains the n cells of House to hold every digit in 1..n. If all cells are
%   different, this has the same solutions, but it sees more than all_different/1
%   does: a digit with one place left goes there, and one without a place is a dead
%   end.

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
    survey(House, Sets, 0, Found, 0, Settled),
    length(House, Size),
    Found =:= (2 << Size) - 2,
    Single is Found /\ \Settled,
    (   Single =:= 0
    ->  true
    ;   maplist(put_single(Single), House, Sets)
    ).

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

%!  locked_digits(+Sets, -AllLocked) is semidet.
%
%   AllLocked are the sets of digits that as many of Sets, the digits left for cells of
%   a house, have between them: no other cell takes one of these digits. Fails if some
%   cells have fewer digits than they are. It sees, for example, that three cells cannot
%   share two digits. To look again at every step of a search would not pay.

locked_digits(Sets, AllLocked) :-
    findall(Locked, locked(Sets, 0, 0, Locked), Counted),
    maplist(enough, Counted, AllLocked).

enough(Digits-Count, Digits) :-
    Count =:= popcount(Digits).

%   Locked is Digits-Count if Count of the cells have at most Count Digits between
%   them. Sets of 8 or 9 add nothing in a 9x9 grid, and in larger grids there would be
%   too many to look at.

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

%!  candidate_set(?Cell, -Set) is det.
%
%   Set are the digits left for the variable Cell. With fd_dom/2 instead, the whole
%   takes a third longer.

candidate_set(Cell, Set) :-
    fd_set(Cell, Domain),
    domain_set(Domain, Set).

domain_set(from_to(n(Low), n(High)), Set) =>
    Set is (2 << High) - (1 << Low).
domain_set(split(_, Lower, Upper), Set) =>
    domain_set(Lower, Set1),
    domain_set(Upper, Set2),
    Set is Set1 \/ Set2.
