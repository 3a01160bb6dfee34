:- module(sudoku_grader,
          [ asked/5, goal/5, load_program/1, puzzle/3, raised_text/2, request_later/1, request_now/2, write_json/2 ]).
:- use_module(loading, [hold_tuples/0, message_text/2, shortened/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/2, append/3, member/2, nth1/3, subset/2]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> Runs a foreign Prolog program for the grader

    swipl -q -f none --no-packs -g sudoku_grader:grade -t halt grader.pl --
          my.pl results sudoku 925

925 is the most answers. When the program is loaded, a term such as this is read from standard input:

    request([9, "5 3 0 ..."], 3-3+[anti_knight])

the size, the givens, and the box shape with the rules. Instead of these stands none if the puzzle has
no rules beyond plain sudoku.

It writes JSON lists to the file results, one per line:

    ["ready"]                            when the program is loaded: the request may come
    ["stage", "searching"]               when the request is there
    ["note", text]                       a remark that may explain wrong answers
    ["answer", [[x, y, n], ...], note]   the bound cells of an answer, each answer once
    ["found", number, how]               answers so far, and how one comes again
    ["failed", kind, text]               kind: "load", "memory" or "raised"
    ["end", exhausted, number]           after all answers, or the limit

Messages of the compiler go to standard error as usual.
*/

:- dynamic
    seen/1,             % Line
    load_error/1.       % Message

grade :-
    arguments(Program, Out, Name, Limit),
    request_later(In),
    load_program(Program),
    (   load_error(_)
    ->  load_hint(Program, Hint),
        write_json(Out, [failed, load, Hint])
    ;   \+ is_defined(Name/1),
        \+ is_defined(Name/3)
    ->  missing(Program, Name, Text),
        write_json(Out, [failed, load, Text])
    ;   write_json(Out, [ready]),
        request_now(In, request([Size, CellsText], Rules)),
        puzzle(CellsText, Size, Rows),
        answer(Program, Out, Name, Limit, Rows, Rules)
    ).

answer(Program, Out, Name, Limit, Rows, Rules) :-
    (   goal(Name, Rows, Rules, Goal, Note)
    ->  (   Note == ""
        ->  true
        ;   write_json(Out, [note, Note])
        ),
        write_json(Out, [stage, searching]),
        catch(answers(Out, user:Goal, Rows, Limit), Error, failed(Out, Error))
    ;   missing(Program, Name, Text),
        write_json(Out, [failed, load, Text])
    ).

%!  asked(-Program, -Out, -Name, -Most, -Request) is det.
%
%   The arguments of the command, and the request; Out is the stream of the results. The program is not
%   loaded yet.

asked(Program, Out, Name, Most, Request) :-
    arguments(Program, Out, Name, Most),
    request_later(In),
    request_now(In, Request).

arguments(Program, Out, Name, Most) :-
    current_prolog_flag(argv, Argv),
    append(_, [Program, Results, Name, MostText], Argv),
    atom_number(MostText, Most),
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
    set_module(pls_request:base(system)),
    read_term(In, Request, [module(pls_request)]),
    close(In).

%!  goal(+Name, +Rows, +Rules, -Goal, -Note) is semidet.
%
%   Goal asks the program: Name/1, or Name/3 with the box shape and the rules if there
%   are rules and the program has it. Note is a remark, or "".

goal(Name, Rows, Shape+Rules, Goal, "") :-
    is_defined(Name/3),
    !,
    Goal =.. [Name, Rows, Shape, Rules].
goal(Name, Rows, Rules, Goal, Note) :-
    is_defined(Name/1),
    (   Rules == none
    ->  Note = ""
    ;   format(string(Note),
               "there is no ~w/3, so the program does not get the rules of the puzzle", [Name])
    ),
    Goal =.. [Name, Rows].

is_defined(Name/Arity) :-
    functor(Goal, Name, Arity),
    predicate_property(user:Goal, defined).

puzzle(CellsText, Size, Rows) :-
    atomic_list_concat(Words, ' ', CellsText),
    maplist(word_cell, Words, Cells),
    findall(Row, (between(1, Size, _), length(Row, Size)), Rows),
    append(Rows, Cells).

word_cell('0', _) :- !.
word_cell(Word, Digit) :-
    atom_number(Word, Digit).

%!  load_program(+Program) is det.
%
%   Loads it, and shows the messages.

load_program(Program) :-
    load(Program, fail).

%   Messages are shown if Hidden is fail, and not if it is true. Those of syntax errors are shown by
%   load_hint/2, which knows what matters; what comes after one of them is likely to follow from it.

load(Program, Hidden) :-
    asserta((user:message_hook(Message, Kind, _) :-
                 sudoku_grader:heard(Message, Kind, Hidden)),
            Hook),
    catch(load_files(user:Program, []), Error, print_message(error, Error)),
    erase(Hook),
    hold_tuples.

heard(Message, Kind, Hidden) :-
    (   Kind == error
    ->  assertz(load_error(Message))
    ;   true
    ),
    (   Hidden
    ->  true
    ;   memberchk(Kind, [error, warning]),
        load_error(Earlier),
        syntax_error(Earlier, _, _)
    ).

%!  syntax_error(+Message, -Line, -Place) is semidet.

syntax_error(error(syntax_error(_), Context), Line, Line-Column) :-
    (   Context = file(_, Line, Column, _)
    ;   Context = stream(_, Line, Column, _)
    ),
    !.

%!  load_hint(+Program, -Hint) is det.
%
%   Show the syntax errors, and let Hint say how to load library(clpfd), if that mends an error.
%   If the program loads it, and a syntax error comes before, the other errors follow from that one.

load_hint(Program, Hint) :-
    syntax_errors(Errors),
    Errors = [_-Message|_],
    !,
    file_of(Message, Program, File),
    with_clpfd(File, Others),
    (   subset(Errors, Others)
    ->  show(Errors),
        Hint = ""
    ;   loads_clpfd(File, Line)
    ->  (   Others = [(First-_)-_|_],
            First =< Line
        ->  show(Others),
            Hint = ""
        ;   show(Errors),
            format(string(Hint),
                   "the program uses operators of library(clpfd) before line ~w, which loads it: \c
                    put that line at the top of the program", [Line])
        )
    ;   show(Errors),
        clpfd_hint("the program uses operators of", Hint)
    ).
load_hint(_, Hint) :-
    load_error(Message),
    sub_term(Error, Message),
    unknown_of_clpfd(Error, Hint),
    !.
load_hint(_, "").

%!  file_of(+Message, +Program, -File) is det.
%
%   File is the one with the syntax error, which may be one that Program loads.

file_of(Message, Program, File) :-
    (   Message = error(_, file(File, _, _, _))
    ->  true
    ;   File = Program
    ).

%!  with_clpfd(+File, -Errors) is det.
%
%   The syntax errors that are left in File if library(clpfd) is there.

with_clpfd(File, Errors) :-
    retractall(load_error(_)),
    import_clpfd(user),
    load(File, true),
    syntax_errors(Errors).

syntax_errors(Errors) :-
    findall(Place-Message,
            ( load_error(Message), syntax_error(Message, _, Place) ),
            Errors).

show(Errors) :-
    forall(member(_-Message, Errors), print_message(error, Message)).

%!  loads_clpfd(+Program, -Line) is semidet.
%
%   Line is the first line that mentions library(clpfd), outside comments.

loads_clpfd(Program, Line) :-
    read_file_to_string(Program, Text, [encoding(utf8)]),
    split_string(Text, "\n", "", Lines),
    nth1(Line, Lines, Whole),
    split_string(Whole, "%", "", [Code|_]),
    sub_string(Code, _, _, _, "library(clpfd)"),
    !.

%!  unknown_of_clpfd(+Error, -Hint) is semidet.
%
%   Error is that of a call to a predicate that library(clpfd) exports.

unknown_of_clpfd(Error, Hint) :-
    nonvar(Error),
    Error = error(existence_error(procedure, Unknown), _),
    strip_module(Unknown, _, Name/Arity),
    import_clpfd(sudoku_grader_with_clpfd),
    module_property(clpfd, exports(Exports)),
    memberchk(Name/Arity, Exports),
    format(string(Begin), "~w/~w is in", [Name, Arity]),
    clpfd_hint(Begin, Hint).

clpfd_hint(Begin, Hint) :-
    format(string(Hint),
           "~w library(clpfd): put :- use_module(library(clpfd)). at the top of the program",
           [Begin]).

import_clpfd(Module) :-
    catch(Module:use_module(library(clpfd)), _, fail).

%!  missing(+Program, +Name, -Text) is det.
%
%   Text reports that Name/1 is missing, and suggests what was meant.

missing(Program, Name, Text) :-
    absolute_file_name(Program, File),
    findall(Other/Arity-Module,
            ( predicate_property(Module:Head, file(File)),
              functor(Head, Other, Arity) ),
            Unordered),
    sort(Unordered, Defined),
    (   memberchk(Name/1-Module, Defined)
    ->  format(string(Text), "the module ~w does not export ~w/1", [Module, Name])
    ;   member(Kind, [Name/_, _/1]),
        findall(Kind, member(Kind-_, Defined), Meant),
        Meant \== []
    ->  maplist(term_to_atom, Meant, Atoms),
        atomic_list_concat(Atoms, ', ', List),
        format(string(Text), "there is no ~w/1, but there is ~w", [Name, List])
    ;   format(string(Text), "there is no ~w/1", [Name])
    ).

%   Backtracks through the answers. With choice points left, a program may find
%   the same answer many times.

answers(Out, Goal, Rows, Limit) :-
    Count = count(0, 0),                % all, different
    (   call(Goal),
        increment(1, Count, Number),
        answer_line(Rows, Line),
        (   seen(Line)
        ->  again(Out, Number),
            fail
        ;   true
        ),
        assertz(seen(Line)),
        write_line(Out, Line),
        increment(2, Count, Different),
        Different == Limit
    ->  Exhausted = false
    ;   Exhausted = true
    ),
    arg(1, Count, All),
    write_found(Out, All),
    write_json(Out, [end, Exhausted, All]).

again(Out, Number) :-
    (   Number /\ (Number-1) =:= 0    % at each power of two: often enough for a report
    ->  write_found(Out, Number)
    ;   true
    ).

write_found(Out, Number) :-
    write_json(Out, [found, Number, "the same grid comes again on backtracking"]).

increment(Place, Count, New) :-
    arg(Place, Count, Old),
    New is Old+1,
    nb_setarg(Place, Count, New).

answer_line(Rows, Line) :-
    findall([X,Y,N],
            ( nth1(X, Rows, Row), nth1(Y, Row, Cell), nonvar(Cell), value(Cell, N) ),
            Cells),
    term_attvars(Rows, Constrained),
    term_variables(Rows, Empty),
    (   Constrained \== []
    ->  Note = "the program leaves constraints there but no digit: label/1 is missing"
    ;   Empty \== []
    ->  Note = "the program leaves a variable there"
    ;   Note = ""
    ),
    json([answer, Cells, Note], Line).

value(Cell, Cell) :-
    integer(Cell),
    abs(Cell) < 1_000_000_000,
    !.
value(Cell, Text) :-
    format(string(Long), "~W", [Cell, [quoted(true), max_depth(5), cycles(true)]]),
    shortened(Long, 50, Text).

failed(Out, Error) :-
    (   Error = error(resource_error(_), _)
    ->  write_json(Out, [failed, memory, ""])
    ;   raised_text(Error, Text),
        (   unknown_of_clpfd(Error, Hint)
        ->  atomic_list_concat([Hint, Text], '\n', Said)
        ;   Said = Text
        ),
        write_json(Out, [failed, raised, Said])
    ).

raised_text(error(Formal, context(sudoku_grader:_, Message)), Text) :-
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
