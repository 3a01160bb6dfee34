:- module(sudoku_propagator,
          [ candidate_set/2,    % ?Cell, -Set
            digit_set/2,        % ?Cell, -Set
            restrict/2,         % ?Cell, +Set
            post_propagator/2,  % +Constraint, +Term
            at_once/2,          % +State, :Goal
            turn/3              % +Constraint, +State, -Turn
          ]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(clpfd)).
:- use_module(library(lists), [member/2]).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).

/** <module> Sets of digits as integers, and propagators that prune them

A set of digits is an integer with bit D for digit D.

A custom constraint is made as the manual of SWI-Prolog says, in section A.9.14,
"Custom constraints": by make_propagator/2, init_propagator/2, trigger_once/1, kill/1 and
the hook run_propagator/2. What the manual does not document is used in this file alone:

  - the form of a set that fd_set/2 gives: from_to(n(Low), n(High)) for an interval,
    split(Hole, Lower, Upper) for the union of two sets;
  - fd_get/3 and fd_put/3, which read and write a domain with its propagators: a set of
    any form is put at once, where in/2 would first make it of intervals;
  - disable_queue/0 and enable_queue/0, between which no propagator runs: several cells are
    pruned before others hear of it;
  - push_queue/2, whose second queue runs when the first is empty: expensive propagators wait;
  - attributes_goals//1, which lists the constraints that wait for a variable, so that the
    prompt shows each of ours once, as a goal that can be called;
  - pdistinct(Cells), the propagator by which loading this file finds out whether the
    hook has its usual form.

All of them have been the same from SWI-Prolog 9.0.4 to 10.1.12 at least. If one of them
is missing, loading this file is an error.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

:- initialization(check_internals).

check_internals :-
    forall(missing_internal(Missing),
           ( current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
             print_message(error,
                 format("library(clpfd) of SWI-Prolog ~d.~d.~d does not have ~w, which this program \c
                         needs: use another one, such as 9.2.9", [Major, Minor, Patch, Missing])) )).

missing_internal(Name/Arity) :-
    member(Name/Arity, [make_propagator/2, init_propagator/2, trigger_once/1, kill/1, fd_get/3,
                        fd_put/3, disable_queue/0, enable_queue/0, push_queue/2]),
    functor(Head, Name, Arity),
    \+ predicate_property(clpfd:Head, defined).
missing_internal('run_propagator/2 of the usual form') :-
    \+ clause(clpfd:run_propagator(pdistinct(_), _), _).
missing_internal('sets of the usual form') :-
    Cell in 1..2 \/ 4,
    \+ catch(candidate_set(Cell, 0b10110), _, fail).
missing_internal('domains that can be written') :-
    Cell in 1..6,
    \+ catch(( restrict(Cell, 0b1011010), fd_dom(Cell, 1\/3..4\/6) ), _, fail).

%!  candidate_set(?Cell, -Set) is det.
%
%   Set are the digits left for the variable Cell. With fd_dom/2 instead, the whole
%   takes a third longer; with fdset_parts/4, a seventh.

candidate_set(Cell, Set) :-
    fd_set(Cell, Domain),
    domain_set(Domain, Set).

domain_set(from_to(n(Low), n(High)), Set) =>
    Set is (2 << High) - (1 << Low).
domain_set(split(_, Lower, Upper), Set) =>
    domain_set(Lower, Set1),
    domain_set(Upper, Set2),
    Set is Set1 \/ Set2.

%!  digit_set(?Cell, -Set) is det.
%
%   Set are the digits that are left for Cell, a digit or a variable.

digit_set(Cell, Set) :-
    (   integer(Cell)
    ->  Set is 1 << Cell
    ;   candidate_set(Cell, Set)
    ).

%!  restrict(?Cell, +Set) is semidet.
%
%   Cell is in Set.

restrict(Cell, Set) :-
    (   integer(Cell)
    ->  Set /\ (1 << Cell) =\= 0
    ;   candidate_set(Cell, Before),
        After is Before /\ Set,
        (   After =:= Before
        ->  true
        ;   After =\= 0,
            (   After /\ (After-1) =:= 0
            ->  Cell is lsb(After)
            ;   set_domain(After, Domain),
                clpfd:fd_get(Cell, _, Propagators),
                clpfd:fd_put(Cell, Domain, Propagators)
            )
        )
    ).

%   The intervals of a set from the lowest on, each an arm of split(Hole, Lower, Upper).

set_domain(Set, Domain) :-
    Low is lsb(Set),
    High is lsb((Set >> Low) + 1) + Low - 1,
    Rest is (Set >> (High + 1)) << (High + 1),
    (   Rest =:= 0
    ->  Domain = from_to(n(Low), n(High))
    ;   Hole is High + 1,
        Domain = split(Hole, from_to(n(Low), n(High)), Upper),
        set_domain(Rest, Upper)
    ).

%!  post_propagator(+Constraint, +Term) is semidet.
%
%   Runs Constraint, for which there is a clause of clpfd:run_propagator/2, now and
%   whenever the domain of a variable in Term has changed.

post_propagator(Constraint, Term) :-
    clpfd:make_propagator(Constraint, Propagator),
    term_variables(Term, Cells),
    maplist(attach(Propagator), Cells),
    clpfd:trigger_once(Propagator).

attach(Propagator, Cell) :-
    clpfd:init_propagator(Cell, Propagator).

%!  at_once(+State, :Goal) is semidet.
%
%   Runs Goal, which prunes some cells for the propagator with this State; what
%   follows from that runs afterwards. The propagator itself does not run again: it
%   has to find by itself all that it can, and to check its cells if they are then
%   all filled in.

:- meta_predicate at_once(+, 0).

at_once(State, Goal) :-
    clpfd:disable_queue,
    b_setval('$clpfd_current_propagator', State),
    call(Goal),
    b_setval('$clpfd_current_propagator', []),
    clpfd:enable_queue.

%!  turn(+Constraint, +State, -Turn) is det.
%
%   Turn is `now` if the propagator may run, and `later` if it is put off until the
%   cheaper ones have run. The last argument of Constraint is the term put_off(no),
%   which it keeps.

turn(Constraint, State, Turn) :-
    functor(Constraint, _, Arity),
    arg(Arity, Constraint, PutOff),
    (   arg(1, PutOff, no)
    ->  setarg(1, PutOff, yes),
        put_attr(State, clpfd_aux, queued),
        clpfd:push_queue(propagator(Constraint, State), 2),
        Turn = later
    ;   setarg(1, PutOff, no),
        Turn = now
    ).

                /*******************************
                *        at the prompt         *
                *******************************/

%!  constraint_goal(+Constraint, -Term, -Goal) is semidet.
%
%   Goal posts Constraint, which watches the variables in Term (see post_propagator/2).

:- multifile constraint_goal/3.

%   library(clpfd) would list a constraint that it does not know once for each of its variables, and
%   as a goal that may not exist. It is listed with the last of them, when all have their domains.

:- initialization(show_once).

show_once :-
    (   predicate_property(clpfd:attributes_goals(_, _, _), defined)    % else only the prompt suffers
    ->  wrap_predicate(clpfd:attributes_goals(Propagators, Goals, Rest), sudoku_propagator, Others,
                       sudoku_propagator:goals_once(Propagators, Goals, Rest, Others))
    ;   true
    ).

:- public goals_once/4.

goals_once([propagator(Constraint, State)|Propagators], Goals, Rest, _) :-
    constraint_goal(Constraint, Term, Goal),
    !,
    visit(State, Visits),
    term_variables(Term, Variables),
    length(Variables, Number),
    (   Visits == Number
    ->  Goals = [Goal|Others]
    ;   Goals = Others
    ),
    clpfd:attributes_goals(Propagators, Others, Rest).
goals_once(_, _, _, Others) :-
    call(Others).

visit(State, Visits) :-
    (   nonvar(State)
    ->  Visits = dead
    ;   get_attr(State, clpfd_aux, visits(Before))
    ->  Visits is Before + 1,
        put_attr(State, clpfd_aux, visits(Visits))
    ;   Visits = 1,
        put_attr(State, clpfd_aux, visits(Visits))
    ).
