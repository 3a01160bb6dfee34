:- module(pls_deadline, [call_with_time_limit/2]).

/** <module> What our files need of library(time), where no alarm interrupts a goal

WebAssembly has no threads, so it has no alarms: the time is looked at after each 10,000 inferences. Where
it has no library(time), this is it.
*/

:- dynamic
    deadline/1.         % Time
:- multifile
    prolog:heartbeat/0.
:- dynamic
    prolog:heartbeat/0.
:- meta_predicate call_with_time_limit(+, 0).

%!  call_with_time_limit(+Seconds, :Goal) is semidet.
%
%   Once Goal. Throws time_limit_exceeded at the end of these Seconds.

call_with_time_limit(Seconds, Goal) :-
    set_prolog_flag(heartbeat, 10_000),
    get_time(Now),
    Deadline is Now+Seconds,
    setup_call_cleanup(
        asserta(deadline(Deadline), Reference),
        once(Goal),
        erase(Reference)).

prolog:heartbeat :-
    get_time(Now),
    pls_deadline:deadline(Deadline),
    Now > Deadline,
    !,
    throw(time_limit_exceeded).
prolog:heartbeat.
