% Conjunctions in, solutions out: a term a line. Any SWI-Prolog runs this file.
%
% A request is ask(Seconds, Options, Vs-Goal); a reply is a list of solutions, `no end`, or
% {"error": words}, as JSON.
:- use_module(library(clpfd)).
:- use_module(library(time)).

:- initialization(main, main).

main :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format(string(Version), "~w.~w.~w", [Major, Minor, Patch]),
    reply(Version),
    repeat,
    read_term(user_input, Request, []),
    (   Request == end_of_file
    ->  !
    ;   answer(Request),
        fail
    ).

answer(ask(Seconds, Options, Vs-Goal)) :-
    catch(call_with_time_limit(Seconds, solutions(Options, Vs, Goal, Reply)), Error, said(Error, Reply)),
    reply(Reply).

solutions(Options, Vs, Goal, Solutions) :-
    findall(Vs, ( call(Goal), labeling(Options, Vs) ), Solutions).

said(time_limit_exceeded, "no end") :- !.
said(Error, error(Words)) :-
    message_to_string(Error, Words).

message_to_string(Error, Words) :-
    format(string(Words), "~q", [Error]).

reply(Reply) :-
    (   Reply = error(Words)
    ->  format("{\"error\": ~q}~n", [Words])
    ;   string(Reply)
    ->  format("\"~w\"~n", [Reply])
    ;   format("~w~n", [Reply])
    ),
    flush_output.
