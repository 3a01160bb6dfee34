:- module(pls_bridge, [defines/3, improved/2, pushed/1]).
:- use_module(loading, [complaints/3, lacking/4, load_text/5, message_text/2, placed/2]).
:- autoload(watch, [left/3, traced/4, work/3]).      % loaded before such a question
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).

/** <module> What Python calls

Python runs this Prolog by janus, or by JavaScript, where isolate.pl has clauses of stop_asked/0 and of
told_outside/3.

Lists of integers are what crosses janus fastest and cannot leak. What is asked is a term, see
question/2. What it is about is known to another file: questions.pl for an instance of any problem.

Every search has a number of the caller's choice. Python stops a search by its
number: the search checks every 10,000 inferences, about every millisecond,
whether it was stopped. A search for several solutions is a Prolog engine. Engines
interleave freely and run in any thread, while the iterators of janus are a stack
in one thread. A search with one answer runs in the thread that asks.

A heartbeat comes in the middle of whatever runs, and a program finds its answers deep inside, so the one
global of this module, pls_bridge, has what they need: search(Number, Pushes) of the search that runs in
this thread or engine, or none. Pushes is none, or pushes(Last, Busy) where all answers are handed over:
when that was last done, and whether it is being done.
*/

:- dynamic
    search/2,           % Number, Engine
    stopped/1,          % Number
    own_loaded/1.       % Module

:- multifile
    posed/4,            % Posed, Subject, Goal, Answer
    shown/1,            % Posed
    pairs/3,            % Subject, Pairs, Before
    left_list/3,        % Subject, Left, Answer
    placement/2,        % Key-Value, List
    counted/3,          % Posed, Limit, Count
    each_pushed/1,      % Posed
    asked/2,            % Question, Answer
    stop_asked/0,
    told_outside/3,     % Number, What, Data
    program/3,          % Kind, Predicates, Module
    tools/2,            % Kind, Part
    noted/3.            % Kind, Module, Text

%!  load(+Part, -Complaints) is det.
%
%   Loads a file of the program that a question needs, if it is not loaded.
%   Part is its name below prolog/. Complaints are the errors and warnings of the compiler, which by
%   itself only prints them. A search may be stopped at any time, so nothing is loaded in one.

load(Part, Complaints) :-
    part_file(Part, File),
    complaints(load_files(pls_bridge:File, [silent(true), if(not_loaded), imports([])]),
               Errors, Warnings),
    append(Errors, Warnings, Messages),
    maplist(placed, Messages, Complaints).

part_file(Part, File) :-
    module_property(pls_bridge, file(Bridge)),
    file_directory_name(Bridge, Directory),
    atomic_list_concat([Directory, '/../', Part], File).

%!  search_open(+Number, +StackLimit, +Question) is det.
%
%   Starts a search for the answers to a question. It first runs in search_next/2.

search_open(Number, StackLimit, Question) :-
    engine_create(Answer, ( watched(Number), question(Question, Answer) ), Engine,
                  [stack_limit(StackLimit)]),
    assertz(search(Number, Engine)).

%!  search_next(+Number, -Answer) is det.
%
%   Answer is the next answer of a search, or [] if there is no other, or a failure.

search_next(Number, Answer) :-
    search(Number, Engine),
    catch(( engine_next(Engine, Found), event_list(Found, Answer) ),
          Error, failed(Error, Answer)),
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

%!  improved(+What, +Data) is det.
%
%   Tells Python what the search of this thread has found on its way to the best answer, as told/2 of
%   instances.pl does.

improved(What, Data) :-
    (   nb_current(pls_bridge, search(Number, _))
    ->  (   told_outside(Number, What, Data)
        ->  true
        ;   janus:py_call('pylogic_sudoku.engines.prolog.search':improved(Number, What, Data))
        )
    ;   true
    ).

%!  answer(+Number, +StackLimit, +Question, -Answer) is det.
%
%   Answer is the first answer to a question, or [] if there is none, or a failure. Nothing is left of
%   the search, and the thread has its own limit of memory again.

answer(Number, StackLimit, Question, Answer) :-
    current_prolog_flag(stack_limit, Before),
    running(Outer),
    setup_call_cleanup(
        set_prolog_flag(stack_limit, StackLimit),
        catch(( watched(Number), findall(Found, once(question(Question, Found)), Answers) ),
              Error,
              ( failed(Error, Failure), Answers = [Failure] )),
        ( nb_setval(pls_bridge, Outer),
          give_back_memory,
          set_prolog_flag(stack_limit, Before) )),
    (   Answers = [Answer]
    ->  true
    ;   Answer = []
    ).

%   Failure is how Python is told of an error: a text, or [pls_wrong,Text,Message] with a message of
%   loading.pl.

failed(Error, Failure) :-
    message_text(Error, Text),
    (   Error = pls_wrong(Message)
    ->  Failure = [pls_wrong,Text,Message]
    ;   Failure = Text
    ).

running(Search) :-
    (   nb_current(pls_bridge, Search0)
    ->  Search = Search0
    ;   Search = none
    ).

%!  push(+Number, +StackLimit, +Question, -Answer) is det.
%
%   Hands all answers to a question solution(Posed) to Python, many at a time. Answer is [], or a
%   failure. Only for a process that does nothing else.

push(Number, StackLimit, solution(Posed), Answer) :-
    set_prolog_flag(stack_limit, StackLimit),
    catch(( watched(Number, pushes(0, false)), each_pushed(Posed), Answer = [] ),
          Error,
          failed(Error, Answer)),
    running(search(_, Pushes)),
    hand_over(Pushes).

%!  pushed(+Item) is det.
%
%   Hands an item to Python soon: those that come fast wait for the next heartbeat.

pushed(Item) :-
    recordz(pls_pushed, Item),
    get_time(Now),
    nb_getval(pls_bridge, search(_, Pushes)),
    arg(1, Pushes, Last),
    (   Now - Last > 0.002
    ->  hand_over(Pushes)
    ;   true
    ).

%   A heartbeat in the middle of it must not hand over later items first.

hand_over(Pushes) :-
    nb_setarg(2, Pushes, true),
    get_time(Now),
    nb_setarg(1, Pushes, Now),
    findall(Item, ( recorded(pls_pushed, Item, Reference), erase(Reference) ), Items),
    (   Items == []
    ->  true
    ;   janus:py_call('pylogic_sudoku.engines.prolog.search':handed_over(Items))
    ),
    nb_setarg(2, Pushes, false).

give_back_memory :-
    statistics(stack, Bytes),
    (   Bytes > 10_000_000
    ->  trim_stacks
    ;   true
    ).

%!  question(+Question, -Answer) is nondet.
%
%   Answers a question about what is posed. The questions are
%
%   - solution(Posed)
%     Answer is a solution.
%   - count(Posed, Limit)
%     Answer is the number of solutions, or Limit if there are at least that many; no limit if it
%     is negative.
%   - left(Posed)
%     Answer is what the program leaves before its search, see left_list/3. Fails if it finds that
%     there is no solution.
%   - measure(Posed)
%     Answer is [Posting,Search,Inferences,Choices,DeadEnds|Solution] for the first solution; Solution
%     is [] if there is none. Times are in microseconds of this thread. A number is -1 if it is not
%     known.
%   - trace(Posed)
%     The events of a search for one solution go to the engine that runs this; see event_list/2.
%
%   and those that asked/2 knows. Whoever knows what Posed is has clauses of
%
%   - posed(+Posed, -Subject, -Goal, -Answer)
%     Goal is how a program finds a solution, to which it binds Answer. Subject is what is watched.
%   - shown(+Posed)
%     Raises an error if its search cannot be watched. Nothing else matters.
%   - pairs(+Subject, -Pairs, -Before)
%     Pairs and Before are those of watch.pl.
%   - left_list(+Subject, +Left, -Answer)
%     Answer is how Python is told what is left.
%   - placement(+Pair, -List)
%     List is how Python is told of a Key-Value of an event.
%   - counted(+Posed, +Limit, -Count)
%     A count that needs no solution as Python is told it.
%   - each_pushed(+Posed)
%     Calls pushed/1 with each solution.

question(solution(Posed), Answer) =>
    posed(Posed, _, Goal, Answer),
    call(Goal).
question(count(Posed, Limit), Count) =>
    (   counted(Posed, Limit, Count0)
    ->  Count = Count0
    ;   posed(Posed, _, Goal, _),
        number_of_solutions(Goal, Limit, Count)
    ).
question(left(Posed), Answer) =>
    forall(shown(Posed), true),
    posed(Posed, Subject, Goal, _),
    pairs(Subject, Pairs, _),
    left(Pairs, Goal, Left),
    left_list(Subject, Left, Answer).
question(measure(Posed), Work) =>
    Work = [Posting,Search,Inferences,Choices,DeadEnds|Found],
    posed(Posed, Subject, Goal, Answer),
    pairs(Subject, Pairs, _),
    work(Pairs, ( Goal, Solved = true ),
         work(Posting, Search, Inferences, Choices, DeadEnds)),
    (   Solved == true
    ->  Found = Answer
    ;   Found = []
    ).
question(trace(Posed), End) =>
    forall(shown(Posed), true),
    posed(Posed, Subject, Goal, Answer),
    pairs(Subject, Pairs, Before),
    once(traced(Pairs, Before, Goal, Answer)),
    End = [].
question(Question, Answer) =>
    asked(Question, Answer).

%   The number of solutions of Goal, or Limit if there are at least that many; no limit if it is negative.
%   The libraries that have this take longer to load than a sudoku to solve.

number_of_solutions(_, 0, 0) :- !.
number_of_solutions(Goal, Limit, Count) :-
    Found = found(0),
    (   call(Goal),
        arg(1, Found, Before),
        Number is Before+1,
        nb_setarg(1, Found, Number),
        Number =:= Limit
    ->  true
    ;   true
    ),
    arg(1, Found, Count).

%!  defines(+Program, +Predicate, +Except) is semidet.
%
%   True if a program has Predicate, a Name/Arity, and not from the module Except.

defines(Program, Name/Arity, Except) :-
    functor(Head, Name, Arity),
    predicate_property(Program:Head, visible),
    \+ predicate_property(Program:Head, imported_from(Except)).

%   An event of a search as a list [Kind,Level|More] of integers and of lists.

event_list(choice(Level, Key, Value), List) =>
    placements([Key-Value], Placed),
    absent([Key-Value], Absent),
    List = [1,Level,Placed,Absent].
event_list(implied(Level, Placed0, Excluded0), List) =>
    maplist(placements, [Placed0,Excluded0], [Placed,Excluded]),
    absent(Placed0, Absent),
    append(Excluded, Absent, Gone),
    List = [2,Level,Placed,Gone].
event_list(conflict(Level), List)                  => List = [3,Level].
event_list(back(Level), List)                      => List = [4,Level].
event_list(solution(Level, Digits), List)          => List = [5,Level,Digits].
event_list(Answer, List)                           => List = Answer.

placements(Pairs, Lists) :-
    findall(List, ( member(Pair, Pairs), once(placement(Pair, List)) ), Lists).

%   The atoms of which it is known that they are not there.

absent(Pairs, Lists) :-
    findall(List,
            ( member(Key-0, Pairs), Key = #<==>(_), once(placement(Key-1, List)) ),
            Lists).

%!  loaded(+Module, +File, +Text, +Kind, -Answer) is det.
%
%   Makes sure that Module has the clauses of Text. File is where Text comes from, but no name that was
%   used for another text: Prolog would not load that. Answer is [Errors,Warnings], lists of messages as
%   in loading.pl; none if it was loaded before. Whoever knows texts of this Kind has clauses of
%
%   - program(+Kind, -Predicates, -Except)
%     These are programs, which have one of Predicates, and not from the module Except.
%   - tools(+Kind, -Part)
%     These are clauses, which may call what a file exports, named as for load/2.
%   - noted(+Kind, +Module, +Text)
%     Called when such a text is loaded.

loaded(Module0, File0, Text, Kind0, Answer) :-
    maplist(atom_string, [Module,File,Kind], [Module0,File0,Kind0]),
    with_mutex(pls_own, load_once(Kind, Module, File, Text, Errors, Warnings)),
    Answer = [Errors,Warnings].

load_once(_, Module, _, _, [], []) :-
    own_loaded(Module),
    !.
load_once(Kind, Module, File, Text, Errors, Warnings) :-
    (   tools(Kind, Part)
    ->  part_file(Part, Tools),
        Module:use_module(Tools),
        Options = []
    ;   Options = [module(Module)]
    ),
    load_text(Module:File, Text, Options, Errors0, Warnings),
    (   Errors0 \== []
    ->  Errors = Errors0
    ;   program(Kind, Predicates, Except),
        \+ ( member(Predicate, Predicates), defines(Module, Predicate, Except) )
    ->  lacking(Module, File, Predicates, Complaint),
        Errors = [[no_predicate,"",0,0,Complaint,""]]
    ;   assertz(own_loaded(Module)),
        forall(noted(Kind, Module, Text), true),
        Errors = []
    ).

%!  foreign_files(-Files) is det.
%
%   Files are all that is loaded, as texts, except ours and those of Prolog.

foreign_files(Files) :-
    part_file('.', Ours0),
    absolute_file_name(Ours0, Ours),
    current_prolog_flag(home, Home),
    findall(File,
            ( ( source_file(Path) ; source_file_property(_, includes(Path, _)) ),
              \+ ( member(Folder, [Ours,Home]), sub_atom(Path, 0, _, _, Folder) ),
              atom_string(Path, File) ),
            Files0),
    sort(Files0, Files).

%   A thread that Prolog did not start allows no integers above a kilobyte, as of 9.2.9.

watched(Number) :-
    watched(Number, none).

watched(Number, Pushes) :-
    nb_setval(pls_bridge, search(Number, Pushes)),
    set_prolog_flag(heartbeat, 10_000),
    current_prolog_flag(stack_limit, Bytes),
    set_prolog_flag(max_integer_size, Bytes).

:- multifile prolog:heartbeat/0.

%   Must succeed: a heartbeat that fails makes the goal that it interrupts fail.

prolog:heartbeat :-
    pls_bridge:beat.

beat :-
    (   nb_current(pls_bridge, search(Number, Pushes))
    ->  heartbeat(Number, Pushes)
    ;   true
    ).

heartbeat(Number, Pushes) :-
    (   ( stopped(Number) ; stop_asked )
    ->  throw(pls_stopped)
    ;   Pushes = pushes(_, false)
    ->  hand_over(Pushes)
    ;   true
    ).
