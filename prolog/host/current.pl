:- module(pls_current, [current/2, with_current/3]).

/** <module> What runs now, for those to whom it cannot be passed

What runs is a record, which is passed along. But a program that is asked calls us, a hook is called by
Prolog, and a library calls a goal back, all without it. So a module may have one global, called as the
module is, with the record of what runs in this thread or engine.
*/

:- meta_predicate with_current(+, +, 0).

%!  with_current(+Module, +Record, :Goal) is nondet.
%
%   Runs Goal, while the Record is that of the module. However Goal ends, what ran before goes on: a
%   question may be asked within another one.

with_current(Module, Record, Goal) :-
    (   current(Module, Outer0)
    ->  Outer = Outer0
    ;   Outer = none
    ),
    b_setval(Module, Record),
    call(Goal),
    b_setval(Module, Outer).

%!  current(+Module, -Record) is semidet.
%
%   Fails if nothing runs.

current(Module, Record) :-
    nb_current(Module, Record),
    Record \== none.
