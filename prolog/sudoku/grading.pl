:- module(sudoku_grading, [asked/5, goal/5, puzzle/3]).
:- use_module('../host/runner',
              [ failed/2, json/2, load/1, load_hint/2, request_later/1, request_now/2, started/3,
                value/2, write_json/2, write_line/2 ]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/2, member/2, nth1/3]).

/** <module> Runs a foreign Prolog program for sudoku

    swipl -q -f none --no-packs -g sudoku_grading:grade -t halt grading.pl --
          my.pl results sudoku 925

925 is the most answers. When the program is loaded, a term such as this is read from standard input:

    request([9, "5 3 0 ..."], 3-3+[anti_knight])

the size, the givens, and the box shape with the rules. Instead of these stands none if the puzzle has
no rules beyond plain sudoku.

It writes JSON lists as runner.pl has it, and

    ["note", text]                       a remark that may explain wrong answers
    ["answer", [[x, y, n], ...], note]   the bound cells of an answer, each answer once
    ["found", number, how]               answers so far, and how one comes again

Messages of the compiler go to standard error as usual.
*/

:- dynamic
    seen/1.             % Line

:- multifile pls_runner:calls/1.

pls_runner:calls(sudoku_grading:_).

grade :-
    arguments(Program, Out, Name, Limit),
    request_later(In),
    load(Program),
    (   load_hint(Program, Hint)
    ->  write_json(Out, [failed, load, Hint])
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
    started(Program, Out, [Name, MostText]),
    atom_number(MostText, Most).

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
