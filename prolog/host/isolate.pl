:- module(pls_isolate, []).
:- use_module(bridge, []).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).
:- use_module(library(wasm), [(:=)/2, op(_, _, _)]).

/** <module> What the bridge needs where JavaScript runs Prolog

There it asks functions of isolate.js, which Python asks elsewhere: whether the search is to stop, since no
other thread can tell it, and to pass on what it has found.
*/

:- multifile
    pls_bridge:stop_asked/0,
    pls_bridge:told_outside/3.

pls_bridge:stop_asked :-
    true := isStopped().

pls_bridge:told_outside(Number, What, Data) :-
    true := tell(Number, #What, #Data).

%   library(wasm) has a clause of prolog:heartbeat/0 for pages, which succeeds before that of the bridge is
%   reached. Two clauses would also leave a choice point in the search at each heartbeat: it would find its
%   answers twice. Nor does a file that is missing have an address here. The operators of that library are
%   for those who ask for them.

:- initialization(
       ( wrap_predicate(prolog:heartbeat, pls_isolate, _, pls_bridge:beat),
         wrap_predicate(wasm:file_url(_, _), pls_isolate, _, fail),
         op(0, xfx, user:(:=)),
         op(0, fx, user:(#)),
         op(0, yf, user:([])) )).
