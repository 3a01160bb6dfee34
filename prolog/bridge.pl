:- module(sudoku_bridge, []).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> What Python calls

Digits go in and out as one flat list of n*n integers, row by row, 0 for an
empty cell: lists of integers are what crosses janus fastest and cannot leak.

Every search is a Prolog engine under a number of the caller's choice. Engines
interleave freely and run in any thread, where the iterators of janus are a
stack in one thread. Python stops a search by its number: the search looks every
10,000 inferences, about every millisecond, whether it has been stopped.
*/

:- dynamic
    search/2,           % Number, Engine
    stopped/1,          % Number
    complaint/1.        % Text of an error or a warning while loading

%!  load(-Complaints) is det.
%
%   Loads the program that people load. Complaints are the errors and warnings
%   of the compiler, which by itself only prints them.

load(Complaints) :-
    module_property(sudoku_bridge, file(File)),
    file_directory_name(File, Directory),
    directory_file_path(Directory, 'sudoku.pl', Program),
    directory_file_path(Directory, 'sudoku/consistent.pl', Checker),
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, _) :-
                     sudoku_bridge:complain(Kind, Term)), Hook),
        catch(load_files(sudoku_bridge:[Program,Checker], [silent(true)]),
              Error, complain(error, Error)),
        erase(Hook)),
    findall(Text, retract(complaint(Text)), Complaints).

complain(Kind, Term) :-
    memberchk(Kind, [error, warning]),
    message_text(Term, Text),
    assertz(complaint(Text)).

%!  search_open(+Number, +Digits, +BoxRows, +BoxColumns, +StackLimit) is det.
%
%   Starts a search for the solutions of a puzzle, which first runs in search_next/2.

search_open(Number, Digits, BoxRows, BoxColumns, StackLimit) :-
    engine_create(Cells, solution(Number, Digits, BoxRows-BoxColumns, Cells), Engine,
                  [stack_limit(StackLimit)]),
    assertz(search(Number, Engine)).

%!  search_next(+Number, -Answer) is det.
%
%   Answer is the next solution of a search, or [] when there is no other, or a
%   text when the search broke.

search_next(Number, Answer) :-
    search(Number, Engine),
    catch(engine_next(Engine, Answer), Error, message_text(Error, Answer)),
    !.
search_next(_, []).

%!  search_count(+Number, +Digits, +BoxRows, +BoxColumns, +StackLimit, +Limit, -Answer) is det.
%
%   Answer is the number of solutions, or Limit if there are at least that many
%   (no limit if negative), or a text when the search broke.

search_count(Number, Digits, BoxRows, BoxColumns, StackLimit, Limit, Answer) :-
    answer(Number, Count, number_of_solutions(Number, Digits, BoxRows-BoxColumns, Limit, Count),
           StackLimit, Answer).

%!  search_reason(+Number, +Digits, +BoxRows, +BoxColumns, +StackLimit, +Row, +Column,
%!                -Answer) is det.
%
%   Answer is [Digit, Elements] if the cell has to hold Digit, where Elements are
%   the givens and houses that force it, each a list [Name|Arguments]; or [] if
%   there is no such digit; or a text when the search broke.

search_reason(Number, Digits, BoxRows, BoxColumns, StackLimit, Row, Column, Answer) :-
    answer(Number, Reason,
           reason(Number, Digits, BoxRows-BoxColumns, cell(Row,Column), Reason),
           StackLimit, Answer).

%!  search_consistent(+Number, +BoxRows, +BoxColumns, +StackLimit, +Rules, +Holds, +Lacks,
%!                    -Answer) is det.
%
%   Answer is [1] if some placements obey Rules, which are lists [Name|Arguments],
%   with all of Holds and none of Lacks; or [] if not; or a text when the search
%   broke.

search_consistent(Number, BoxRows, BoxColumns, StackLimit, Rules, Holds, Lacks, Answer) :-
    answer(Number, [1],
           all_consistent(Number, BoxRows-BoxColumns, Rules, Holds, Lacks),
           StackLimit, Answer).

%   The first answer of a search that is asked for no other.

answer(Number, Template, Goal, StackLimit, Answer) :-
    engine_create(Template, Goal, Engine, [stack_limit(StackLimit)]),
    assertz(search(Number, Engine)),
    search_next(Number, Answer).

%!  search_stop(+Number) is det.
%
%   Makes search_next/2 of this search, running in another thread, end soon.

search_stop(Number) :-
    assertz(stopped(Number)).

%!  search_close(+Number) is det.
%
%   Forgets a search. To be called for every search, however it ended; engines
%   are not collected by themselves.

search_close(Number) :-
    retractall(stopped(Number)),
    forall(retract(search(Number, Engine)),
           catch(engine_destroy(Engine), _, true)).

%   What runs inside an engine.

solution(Number, Digits, Box, Cells) :-
    watched(Number),
    digits_rows(Digits, Cells, Rows),
    sudoku:sudoku_rules(Rows, Box),
    sudoku:sudoku_search(Rows).

number_of_solutions(Number, Digits, Box, Limit, Count) :-
    Goal = solution(Number, Digits, Box, _),
    (   Limit < 0
    ->  aggregate_all(count, Goal, Count)
    ;   aggregate_all(count, limit(Limit, Goal), Count)
    ).

reason(Number, Digits, Box, Cell, [Digit,Lists]) :-
    watched(Number),
    digits_rows(Digits, _, Rows),
    sudoku_explain:explain(Rows, Box, Cell, because(Digit, Elements)),
    maplist(=.., Elements, Lists).

all_consistent(Number, Box, Lists, Holds, Lacks) :-
    watched(Number),
    maplist(must_be(list), [Lists,Holds,Lacks]),
    maplist(=.., Rules, Lists),
    sudoku_consistent:consistent(Box, Rules, Holds, Lacks).

digits_rows(Digits, Cells, Rows) :-
    must_be(list(integer), Digits),      % anything else would look like no solution
    maplist(digit_cell, Digits, Cells),
    length(Cells, Area),
    Size is truncate(sqrt(Area)),
    findall(Row, (between(1, Size, _), length(Row, Size)), Rows),
    append(Rows, Cells).

digit_cell(0, _) :- !.
digit_cell(Digit, Digit).

watched(Number) :-
    nb_setval(sudoku_search, Number),
    set_prolog_flag(heartbeat, 10_000).

:- multifile prolog:heartbeat/0.

%   Must succeed: a heartbeat that fails makes the goal that it interrupts fail.

prolog:heartbeat :-
    (   nb_current(sudoku_search, Number),
        sudoku_bridge:stopped(Number)
    ->  throw(sudoku_stopped)
    ;   true
    ).

message_text(Error, Text) :-
    phrase(prolog:translate_message(Error), Lines),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", "\n ", [Text]).
