:- module(sudoku_bridge, []).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, member/2, memberchk/2, nth0/3]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> What Python calls

Digits go in and out as one flat list of n*n integers, row by row, 0 for an
empty cell: lists of integers are what crosses janus fastest and cannot leak. A
shape is a pair Height-Width of a box, or n rows of labels of regions. Rules beyond
plain sudoku are one text, a list of terms. A placement is a list
[Row,Column,Digit].

Every search has a number of the caller's choice. Python stops a search by its
number: the search checks every 10,000 inferences, about every millisecond,
whether it was stopped. A search for several solutions is a Prolog engine. Engines
interleave freely and run in any thread, while the iterators of janus are a stack
in one thread. A search with one answer runs in the thread that asks.
*/

:- dynamic
    search/2,           % Number, Engine
    stopped/1,          % Number
    own_loaded/1,       % Module
    complaint/1.        % Text of an error or a warning while loading

%!  load(-Complaints) is det.
%
%   Loads the program that people load. Complaints are the errors and warnings
%   of the compiler, which by itself only prints them.

load(Complaints) :-
    module_property(sudoku_bridge, file(File)),
    file_directory_name(File, Directory),
    directory_file_path(Directory, 'prompt.pl', Program),
    directory_file_path(Directory, 'sudoku/consistent.pl', Checker),
    directory_file_path(Directory, 'sudoku/proof.pl', Proofs),
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, _) :-
                     sudoku_bridge:complain(Kind, Term)), Hook),
        catch(load_files(sudoku_bridge:[Program,Checker,Proofs], [silent(true)]),
              Error, complain(error, Error)),
        erase(Hook)),
    findall(Text, retract(complaint(Text)), Complaints).

complain(Kind, Term) :-
    memberchk(Kind, [error, warning]),
    message_text(Term, Text),
    assertz(complaint(Text)).

%!  search_open(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit) is det.
%
%   Starts a search for the solutions of a puzzle without the placements Excluded. It
%   first runs in search_next/2.

search_open(Number, Program, Digits, Shape, Rules, Excluded, StackLimit) :-
    load_kinds(Rules),
    engine_create(Cells,
                  ( watched(Number), solution(Program, Digits, Shape, Rules, Excluded, Cells) ),
                  Engine,
                  [stack_limit(StackLimit)]),
    assertz(search(Number, Engine)).

%!  search_next(+Number, -Answer) is det.
%
%   Answer is the next solution of a search, or [] if there is no other, or a
%   text if the search broke.

search_next(Number, Answer) :-
    search(Number, Engine),
    catch(engine_next(Engine, Answer), Error, message_text(Error, Answer)),
    !.
search_next(_, []).

%!  search_close(+Number) is det.
%
%   Forgets a search. To be called for every search that was opened or stopped,
%   however it ended; engines are not collected by themselves. A search that is
%   forgotten has no engine any more.

search_close(Number) :-
    forall(search(Number, Engine),
           catch(engine_destroy(Engine), _, true)),
    retractall(search(Number, _)),
    retractall(stopped(Number)).

%!  search_stop(+Number) is det.
%
%   Makes a search that runs in another thread end soon.

search_stop(Number) :-
    assertz(stopped(Number)).

%!  solve(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit, -Answer) is det.
%
%   Answer is a solution of a puzzle without the placements Excluded, or [] if there
%   is none, or a text if the search broke.

solve(Number, Program, Digits, Shape, Rules, Excluded, StackLimit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, Cells, solution(Program, Digits, Shape, Rules, Excluded, Cells), Answer).

%!  count(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit, +Limit, -Answer) is det.
%
%   Answer is the number of solutions, or Limit if there are at least that many
%   (no limit if negative), or a text if the search broke.

count(Number, Program, Digits, Shape, Rules, Excluded, StackLimit, Limit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, Count,
           number_of_solutions(Program, Digits, Shape, Rules, Excluded, Limit, Count), Answer).

%!  check(+Number, +Shape, +Demands, +Rules, +Holds, +Excluded, +StackLimit, -Answer) is det.
%
%   Answer is [1] if some placements obey Demands, which are lists [Name|Arguments],
%   and Rules beyond plain sudoku, with all of Holds and none of Excluded; or [] if
%   not; or a text if the search broke.

check(Number, Shape, Demands, Rules, Holds, Excluded, StackLimit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, [1],
           consistent_lists(Shape, Demands, Rules, Holds, Excluded), Answer).

%!  first_refused(+Number, +Shape, +Demands, +Rules, +RuleClauses, +Holds, +Excluded, +Solution,
%!                +Lemmas, +StackLimit, -Answer) is det.
%
%   Answer is [N] if N is the number, from 0, of the first of Lemmas that does not
%   follow, or the number of Lemmas if they lack one; or [] if they prove that nothing
%   but Solution obeys Demands, as in check/8, and Rules; or a text if the check broke.
%   RuleClauses has for each of Rules a list of clauses that follow from it. Solution is a
%   flat list of digits, or [] if there is none.

first_refused(Number, Shape, Demands, Rules, RuleClauses, Holds, Excluded, Solution,
              Lemmas, StackLimit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, [Refused],
           ( claim(Shape, Demands, Rules, RuleClauses, Holds, Excluded, Solution, Claim),
             sudoku_proof:first_refused(Claim, Lemmas, Refused),
             Refused \== none ),
           Answer).

%   Answer is Template after Goal, [] if Goal fails, a text if it raises. Nothing is
%   left of the search, and the thread has its own limit of memory again.

answer(Number, StackLimit, Template, Goal, Answer) :-
    current_prolog_flag(stack_limit, Before),
    setup_call_cleanup(
        set_prolog_flag(stack_limit, StackLimit),
        catch(( watched(Number), findall(Template, limit(1, Goal), Found) ),
              Error,
              ( message_text(Error, Text), Found = [Text] )),
        ( nb_setval(sudoku_search, none),
          give_back_memory,
          set_prolog_flag(stack_limit, Before) )),
    (   Found = [Answer]
    ->  true
    ;   Answer = []
    ).

give_back_memory :-
    statistics(stack, Bytes),
    (   Bytes > 10_000_000
    ->  trim_stacks
    ;   true
    ).

solution(Program, Digits, Shape0, Text, Excluded, Cells) :-
    puzzle(Digits, Shape0, Text, Excluded, Cells, Rows, Shape, Rules),
    solves(Program, Rows, Shape, Rules, Goal),
    call(Goal),
    must_be_filled(Cells).

%   Cells are all cells of the grid Rows, where nothing is posted but what Excluded are.

puzzle(Digits, Shape0, Text, Excluded, Cells, Rows, Shape, Rules) :-
    digits_rows(Digits, Cells, Rows),
    shape(Shape0, Shape),
    rules(Text, Rules),
    maplist(exclude(Rows), Excluded).

exclude(Rows, [Row,Column,Digit]) :-
    sudoku_grid:grid_cell(Rows, Row, Column, Cell),
    sudoku:'#\\='(Cell, Digit).

%   The goal by which a program finds a solution.

solves(sudoku, Rows, Shape, Rules, Goal) :-
    !,
    Goal = sudoku:sudoku(Rows, Shape, Rules).
solves(Program, Rows, Shape, _, Program:Goal) :-
    (   defines(Program, sudoku/2)
    ->  Goal = sudoku(Rows, Shape)
    ;   Goal = sudoku(Rows)
    ).

defines(Program, Name/Arity) :-
    functor(Head, Name, Arity),
    predicate_property(Program:Head, visible),
    \+ predicate_property(Program:Head, imported_from(sudoku)).

must_be_filled(Cells) :-
    (   ground(Cells)
    ->  true
    ;   throw(error(instantiation_error, context(_, 'the program leaves cells open')))
    ).

%!  left(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit, -Answer) is det.
%
%   Answer are the sets of digits that a program leaves the cells before its search, each an integer
%   with bit D for digit D; or [] if it finds that there is no solution; or a text.

left(Number, Program, Digits, Shape, Rules, Excluded, StackLimit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, Sets,
           sets_left(Program, Digits, Shape, Rules, Excluded, Sets), Answer).

sets_left(Program, Digits, Shape0, Text, Excluded, Sets) :-
    puzzle(Digits, Shape0, Text, Excluded, _, Rows, Shape, Rules),
    solves(Program, Rows, Shape, Rules, Goal),
    sudoku_trace:left(Rows, Goal, RowsOfSets),
    append(RowsOfSets, Sets).

%!  measure(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit, -Answer) is det.
%
%   Answer is [Posting,Search,Inferences,Choices,DeadEnds|Cells] for the first solution, without
%   Cells if there is none; times are in microseconds of this thread. A number is -1 if it is not
%   known.

measure(Number, Program, Digits, Shape, Rules, Excluded, StackLimit, Answer) :-
    load_kinds(Rules),
    answer(Number, StackLimit, Work,
           work(Program, Digits, Shape, Rules, Excluded, Work), Answer).

work(Program, Digits, Shape0, Text, Excluded, [Posting,Search,Inferences,Choices,DeadEnds|Found]) :-
    puzzle(Digits, Shape0, Text, Excluded, Cells, Rows, Shape, Rules),
    solves(Program, Rows, Shape, Rules, Goal),
    sudoku_trace:work(Rows, ( Goal, Solved = true ),
                      work(Posting, Search, Inferences, Choices, DeadEnds)),
    (   Solved == true
    ->  must_be_filled(Cells),
        Found = Cells
    ;   Found = []
    ).

%!  trace_open(+Number, +Program, +Digits, +Shape, +Rules, +Excluded, +StackLimit) is det.
%
%   As search_open/7, for the events of a search for one solution: lists [Kind,Level|More] of
%   integers and of lists of integers.

trace_open(Number, Program, Digits, Shape, Rules, Excluded, StackLimit) :-
    load_kinds(Rules),
    engine_create([5],
                  ( watched(Number), trace(Program, Digits, Shape, Rules, Excluded) ),
                  Engine,
                  [stack_limit(StackLimit)]),
    assertz(search(Number, Engine)).

trace(Program, Digits, Shape0, Text, Excluded) :-
    puzzle(Digits, Shape0, Text, Excluded, _, Rows, Shape, Rules),
    solves(Program, Rows, Shape, Rules, Goal),
    once(sudoku_trace:traced(Rows, Goal)).

%!  trace_next(+Number, -Answer) is det.
%
%   Answer is the next event, [] after the last, or a text if the search broke.

trace_next(Number, Answer) :-
    search_next(Number, Event),
    event_list(Event, Answer).

event_list(choice(Level, Row-Column, Digit), List) => List = [1,Level,[[Row,Column,Digit]]].
event_list(implied(Level, Placed, Excluded), List) => List = [2,Level,Placed,Excluded].
event_list(conflict(Level), List)                  => List = [3,Level].
event_list(back(Level), List)                      => List = [4,Level].
event_list(solution(Level, Digits), List)          => List = [5,Level,Digits].
event_list([5], List)                              => List = [].
event_list(Other, List)                            => List = Other.

number_of_solutions(Program, Digits, Shape, Rules, Excluded, Limit, Count) :-
    Goal = solution(Program, Digits, Shape, Rules, Excluded, _),
    (   Limit < 0
    ->  aggregate_all(count, Goal, Count)
    ;   aggregate_all(count, limit(Limit, Goal), Count)
    ).

consistent_lists(Shape0, Lists, Text, Holds, Excluded) :-
    shape(Shape0, Shape),
    maplist(must_be(list), [Lists,Holds,Excluded]),
    maplist(=.., Demands0, Lists),
    rules(Text, Rules),
    findall(rule(Rule), member(Rule, Rules), Demands, Demands0),
    sudoku_consistent:consistent(Shape, Demands, Holds, Excluded).

claim(Shape0, Lists, Text, RuleClauses, Holds, Excluded, Solution, Claim) :-
    shape(Shape0, Shape),
    sudoku_grid:shape_size(Shape, Size),
    maplist(=.., Demands, Lists),
    rules(Text, Rules),
    maplist(sudoku_consistent:must_follow(Shape), Rules, RuleClauses),
    findall(Clause,
            (   member(Clauses, RuleClauses), member(Clause, Clauses)
            ;   fact(Holds, Excluded, Size, Clause)
            ;   not_this_grid(Solution, Size, Clause)
            ),
            AllClauses),
    sudoku_proof:claim(Shape, Demands, AllClauses, Claim).

fact(Holds, _, Size, [Literal]) :-
    member([Row,Column,Digit], Holds),
    sudoku_proof:variable(Size, Row, Column, Digit, Literal).
fact(_, Excluded, Size, [Literal]) :-
    member([Row,Column,Digit], Excluded),
    sudoku_proof:variable(Size, Row, Column, Digit, Variable),
    Literal is -Variable.

not_this_grid(Solution, Size, Clause) :-
    Solution = [_|_],
    findall(Literal,
            ( nth0(Index, Solution, Digit), Literal is -(Size * Index + Digit) ),
            Clause).

shape(Height-Width, Height-Width) :- !.
shape(Labels, regions(Labels)).

rules(Text, Rules) :-
    (   atom_length(Text, 0)
    ->  Rules = []
    ;   term_to_atom(Term, Text),
        (   Term = own(Modules, Unqualified)
        ->  maplist(qualified(Modules), Unqualified, Rules)
        ;   Rules = Term
        )
    ).

%   Rules of one's own are in modules of their own; Modules are pairs Kind-Module.

qualified(Modules, Rule0, Rule) :-
    Rule0 =.. [Kind|Fields0],
    maplist(qualified_options(Modules), Fields0, Fields),
    Rule1 =.. [Kind|Fields],
    (   memberchk(Kind-Module, Modules)
    ->  Rule = Module:Rule1
    ;   Rule = Rule1
    ).

qualified_options(Modules, options=Options0, Field) =>
    maplist(maplist(qualified(Modules)), Options0, Options),
    Field = (options=Options).
qualified_options(_, Field0, Field) =>
    Field = Field0.

%!  own_rule(+Module, +Kind, +Text, -Answer) is det.
%
%   Makes sure that Module has the clauses of Text, one of them for a rule of this
%   Kind. Answer is [] or a text if something is wrong.

own_rule(Module0, Kind0, Text, Answer) :-
    atom_string(Module, Module0),
    atom_string(Kind, Kind0),
    with_mutex(sudoku_own_rule, loaded_rule(Module, Kind, Text, Answer)).

loaded_rule(Module, Kind, Text, Answer) :-
    (   own_loaded(Module)
    ->  Answer = []
    ;   load_own(Module, Kind, Text, Complaints),
        (   Complaints == [],
            \+ catch(clause(Module:rule(Kind, _, _), _), _, fail)
        ->  format(string(Answer), "~w: there is no clause rule(~w, Fields, Grid)", [Kind,Kind])
        ;   Complaints == []
        ->  assertz(own_loaded(Module)),
            Answer = []
        ;   atomic_list_concat([Kind|Complaints], '\n', Answer0),
            atom_string(Answer0, Answer)
        )
    ).

load_own(Module, Kind, Text, Complaints) :-
    module_property(sudoku_prompt, file(Program)),
    file_base_name(Module, Name),
    atomic_list_concat([Kind,'-',Name,'.pl'], File),
    Module:use_module(Program),
    load_text(Module:File, Text, [], Complaints).

%   Loads Text as if it were in File. Complaints are the errors; then nothing is left of it.

load_text(Module:File, Text, Options, Complaints) :-
    setup_call_cleanup(
        asserta((user:message_hook(Term, Message, _) :-
                     sudoku_bridge:complain_error(Message, Term)), Hook),
        setup_call_cleanup(
            open_string(Text, Stream),
            catch(load_files(Module:File, [stream(Stream), silent(true)|Options]),
                  Error, complain(error, Error)),
            close(Stream)),
        erase(Hook)),
    findall(Complaint, retract(complaint(Complaint)), Complaints),
    (   Complaints == []
    ->  true
    ;   unload_file(File)
    ).

%!  program(+Module, +File, +Text, -Answer) is det.
%
%   Makes sure that Module has the program Text. Answer is [] or a text if something is wrong. File
%   is where it comes from, but no name that was used for another text: Prolog would not load that.

program(Module0, File0, Text, Answer) :-
    atom_string(Module, Module0),
    atom_string(File, File0),
    with_mutex(sudoku_own_rule, loaded_program(Module, File, Text, Answer)).

loaded_program(Module, File, Text, Answer) :-
    (   own_loaded(Module)
    ->  Answer = []
    ;   load_text(Module:File, Text, [module(Module)], Complaints),
        (   Complaints == [],
            \+ defines(Module, sudoku/1),
            \+ defines(Module, sudoku/2)
        ->  format(string(Answer), "~w: there is no predicate sudoku/1 or sudoku/2", [File])
        ;   Complaints == []
        ->  assertz(own_loaded(Module)),
            Answer = []
        ;   atomic_list_concat(Complaints, '\n', Answer0),
            atom_string(Answer0, Answer)
        )
    ).

%   Warnings about a rule are not shown.

complain_error(Kind, Term) :-
    memberchk(Kind, [error, warning]),
    (   Kind == error
    ->  complain(Kind, Term)
    ;   true
    ).

%   The kinds of rules are loaded when they are first needed, but before the search, as
%   a search may be stopped at any time.

load_kinds(Text) :-
    (   atom_length(Text, 0)
    ->  true
    ;   once(sudoku_rule:rule_kind(_))
    ).

digits_rows(Digits, Cells, Rows) :-
    must_be(list(integer), Digits),      % anything else would look like no solution
    maplist(digit_cell, Digits, Cells),
    length(Cells, Area),
    Size is truncate(sqrt(Area)),
    findall(Row, (between(1, Size, _), length(Row, Size)), Rows),
    append(Rows, Cells).

digit_cell(0, _) :- !.
digit_cell(Digit, Digit).

%   A thread that Prolog did not start allows no integers above a kilobyte, as of 9.2.9.

watched(Number) :-
    nb_setval(sudoku_search, Number),
    set_prolog_flag(heartbeat, 10_000),
    current_prolog_flag(stack_limit, Bytes),
    set_prolog_flag(max_integer_size, Bytes).

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
