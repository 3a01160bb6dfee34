:- module(pls_runner,
          [ failed/2, json/2, load/1, load_hint/2, raised_text/2, request_later/1, request_now/2,
            started/3, term_now/2, value/2, write_json/2, write_line/2 ]).
:- use_module(dialects, [elsewhere/2]).
:- use_module(hints, [clpfd_hint/2, line_naming/3, of_library/2, slip_place/5, told/4]).
:- autoload(meant, [did_you_mean/2, meant/3]).
:- use_module(loading, [mend_clpfd/0, message_text/2, shortened/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> Runs a foreign Prolog program for another process

    swipl -q -f none --no-packs -g module:task -t halt task.pl -- my.pl results ...

The tasks are in other files. Each loads the program, reads a request from standard input when the program
is loaded, and writes JSON lists to the file results, one per line:

    ["ready"]                            when the program is loaded: the request may come
    ["stage", "searching"]               when the request is there
    ["failed", kind, text]               kind: "load", "memory" or "raised"
    ["end", exhausted, number]           after all answers, or the limit
*/

:- dynamic
    load_error/1.       % Message

:- multifile
    calls/1.            % a predicate of ours that calls the program, as errors name it: Name/Arity if in user

%!  started(-Program, -Out, -Arguments) is det.
%
%   The arguments of the command: the program, the file of the results, which Out writes, and others.

started(Program, Out, Arguments) :-
    current_prolog_flag(argv, Argv),
    length(Arguments, Number),
    Most is Number+2,
    length(Given, Most),
    append(_, Given, Argv),
    !,
    Given = [Program, Results|Arguments],
    open(Results, write, Out, [encoding(utf8)]).

%!  request_later(-In) is det.
%
%   In is standard input, which has the request. For the program it is empty.

request_later(In) :-
    stream_property(In, alias(user_input)),
    set_stream(In, encoding(utf8)),
    open('/dev/null', read, Empty),
    set_stream(Empty, alias(user_input)),
    set_input(Empty).

%!  request_now(+In, -Request) is det.
%
%   Request is the next term, whatever operators and flags the program has defined.

request_now(In, Request) :-
    term_now(In, Request),
    close(In).

%!  term_now(+In, -Term) is det.

term_now(In, Term) :-
    set_module(pls_request:base(system)),
    read_term(In, Term, [module(pls_request)]).

%!  load(+Program) is det.
%
%   Load it into user. Prolog prints its messages, but neither syntax errors, which load_hint/2 prints, nor
%   what comes after one of them: it is likely to follow from it.

load(Program) :-
    asserta((user:message_hook(Message, Kind, _) :-
                 pls_runner:heard(Message, Kind)),
            Hook),
    catch(load_files(user:Program, []), Error, not_loaded(Program, Error)),
    erase(Hook),
    mend_clpfd.

not_loaded(Program, Error) :-
    (   catch(read_file_to_string(Program, Text, [encoding(utf8)]), _, fail),
        line_naming(Text, Error, Line)
    ->  assertz(load_error(Error)),
        message_text(Error, Words),
        format(user_error, "ERROR: ~w:~d:~nERROR:    ~s~n", [Program,Line,Words])
    ;   print_message(error, Error)
    ).

heard(Message, Kind) :-
    (   Kind == error
    ->  assertz(load_error(Message))
    ;   true
    ),
    memberchk(Kind, [error, warning]),
    load_error(error(syntax_error(_), _)).

%!  load_hint(+Program, -Hint) is semidet.
%
%   Succeeds if the program did not load. Print the syntax errors; Hint says what mends an error, or is "".

load_hint(Program, Hint) :-
    findall(error(Place, Words, Message),
            ( load_error(Error),
              syntax_error(Error, Program, Place, Message),
              message_text(Message, Words) ),
            Errors),
    (   Errors = [error(_, _, error(_, file(File, _, _, _)))|_]
    ->  read_file_to_string(File, Text, [encoding(utf8)]),
        told(Errors, Text, Told, Hint0),
        forall(member(error(_, _, Message), Told), print_message(error, Message))
    ;   load_error(_),
        Hint0 = ""
    ),
    (   load_error(error(Formal, _)),
        nonvar(Formal),
        elsewhere(Formal, Hint)         % then operators are missing with it
    ->  true
    ;   Hint0 == "",
        load_error(Message),
        sub_term(Error, Message),
        unknown_of_clpfd(Error, Hint)
    ->  true
    ;   Hint = Hint0
    ).

%   Message is the syntax error with its Place in the file that has it, which may be one that Program loads.

syntax_error(error(syntax_error(Kind), Context), Program, Line-Column, Message) :-
    (   Context = file(File, _, _, Offset)
    ;   Context = stream(_, _, _, Offset),
        File = Program
    ),
    !,
    read_file_to_string(File, Text, [encoding(utf8)]),
    slip_place(Kind, Offset, Text, Line, Column),
    Message = error(syntax_error(Kind), file(File, Line, Column, Offset)).

%   Error is that of a call to a predicate that library(clpfd) exports.

unknown_of_clpfd(Error, Hint) :-
    nonvar(Error),
    Error = error(existence_error(procedure, Unknown), _),
    strip_module(Unknown, _, Name/Arity),
    of_library(Name/Arity, clpfd),
    format(string(Begin), "~w/~w is in", [Name, Arity]),
    clpfd_hint(Begin, Hint).

%   Hint names what may be meant by the unknown predicate of Error.

meant_by(error(existence_error(procedure, Unknown), _), Hint) :-
    nonvar(Unknown),
    strip_module(Unknown, _, Name/Arity),
    (   meant(user, Name/Arity, Near)
    ->  format(string(Question), "did you mean ~w?", [Near])
    ;   did_you_mean(Name/Arity, Question)
    ),
    format(string(Hint), "there is no predicate ~w: ~s", [Name/Arity, Question]).

value(Cell, Cell) :-
    integer(Cell),
    abs(Cell) < 1_000_000_000,
    !.
value(Cell, Text) :-
    format(string(Long), "~W", [Cell, [quoted(true), max_depth(5), cycles(true)]]),
    shortened(Long, 50, Text).

%!  failed(+Out, +Error) is det.
%
%   Write what the program has raised.

failed(Out, Error) :-
    (   Error = error(resource_error(_), _)
    ->  write_json(Out, [failed, memory, ""])
    ;   raised_text(Error, Text),
        (   (   unknown_of_clpfd(Error, Hint)
            ;   meant_by(Error, Hint)
            )
        ->  atomic_list_concat([Hint, Text], '\n', Said)
        ;   Said = Text
        ),
        write_json(Out, [failed, raised, Said])
    ).

raised_text(error(Formal, context(Caller, Message)), Text) :-
    calls(Caller),
    !,                                  % our call is of no interest
    said(error(Formal, context(_, Message)), Text).
raised_text(error(Formal, Context), Text) :-
    !,
    said(error(Formal, Context), Text).
raised_text(Ball, Text) :-
    value(Ball, Thrown),
    format(string(Text), "the program throws ~w", [Thrown]).

said(Error, Text) :-
    message_text(Error, Long),
    shortened(Long, 2000, Text).

write_json(Out, Term) :-
    json(Term, Line),
    write_line(Out, Line).

write_line(Out, Line) :-
    format(Out, "~w~n", [Line]),
    flush_output(Out).                  % at the time limit, partial results count

%!  json(+Term, -Json) is det.
%
%   Json is an atom: Term as JSON. Strings and atoms become strings, except true
%   and false.

json(List, Json) :-
    is_list(List),
    !,
    maplist(json, List, Items),
    atomic_list_concat(Items, ',', Inner),
    atomic_list_concat(['[', Inner, ']'], Json).
json(Atomic, Json) :-
    (   integer(Atomic)
    ;   Atomic == true
    ;   Atomic == false
    ),
    !,
    term_to_atom(Atomic, Json).
json(Text, Json) :-
    string_codes(Text, Codes),
    maplist(escaped, Codes, Escaped),
    atomic_list_concat(['"'|Escaped], Open),
    atom_concat(Open, '"', Json).

escaped(Code, Text) :-
    (   memberchk(Code, [0'", 0'\\])
    ->  format(atom(Text), "\\~c", [Code])
    ;   Code < 32
    ->  format(atom(Text), "\\u~|~`0t~16r~4+", [Code])
    ;   char_code(Text, Code)
    ).
