:- module(sudoku_diagnosis, []).
:- use_module('../host/current', [current/2, with_current/3]).
:- use_module('../host/loading', [shortened/3]).
:- use_module('../host/runner', [load/1, raised_text/2, write_json/2]).
:- use_module('../host/slices', [endless/5, sliced/3]).
:- use_module('../host/clauses', [located/5, own/4, parts/2, place/3, read_program/3, shown/2]).
:- use_module(grading, [asked/5, goal/5, puzzle/3]).
:- use_module(repair, [finds/4, guided/5, suspect/5, within/2]).
:- use_module(library(apply), [include/3, maplist/2]).
:- use_module(library(lists), [append/3, member/2, same_length/2]).
:- use_module(library(readutil), [read_file_to_string/3]).
:- use_module(library(record)).
:- use_module(library(solution_sequences), [distinct/2]).
:- use_module(library(yall), []).       % a program that uses it may not load it

/** <module> Why does a Prolog program lose a solution?

    swipl -q -f none --no-packs -g sudoku_diagnosis:explain -t halt diagnosis.pl --
          my.pl results sudoku 2000000

The arguments are those of grading.pl, with inferences for one attempt in place of the number of
answers. In the request, the lost solution, right grids, and wrong ones follow the givens:

    request([9, "5 3 0 ...", "5 3 4 ...", ["5 3 4 ...", ...], ["5 5 4 ...", ...]], none)

The program is loaded, its clauses are seen with their positions, and run by an
interpreter that descends into the program's own predicates:

 1. on the full grid: a goal that fails there keeps the solution out;
 2. on the givens, with cells that accept no digit but that of the solution: this finds what
    fails only while cells are unknown, and cells that stay unbound;
 3. on the givens alone, to see which goal commits to an answer and so throws the solution away.

The first attempt that tells counts; but if the second finds the solution, the first has failed
only because a program may look at what is bound. The result is one line of JSON:

    ["found", kind, summary, [[file, line, column, text, words], ...]]

with a kind of check/diagnosis.py, and the most likely place first. If another line follows, it is better.

    swipl ... -g sudoku_diagnosis:accepts ... diagnosis.pl -- my.pl results sudoku 2000000

writes ["accepts", kind] if the program answers the empty puzzle with each grid of this kind. There the
request is

    request([9, "0 0 0 ...", [["row", ["1 2 3 ...", ...]], ...]], none)

    swipl ... -g sudoku_diagnosis:loop ... diagnosis.pl -- my.pl results sudoku 0

writes ["loop", how, why, rows] if the program does not end on a puzzle, see endless/5 of slices.pl. There the
request is that of grading.pl.
*/

explain :-
    findall(File, source_file(File), Ours),
    asked(Program, Out, Name, Budget, request([Size, Givens, Solution, Right, Wrong], Rules)),
    read_program(Program, Ours, load(Program)),
    Asked = asked(Name, Size, Givens, Solution, Rules, Budget),
    Last = last(none),
    forall(diagnosis(Asked, Failed, Kind, Places, Summary),
           ( write_json(Out, [found, Kind, Summary, Places]),
             nb_setarg(1, Last, told(Failed, Kind, Places, Summary)) )),
    (   Last = last(told(Failed, Kind, Places, Summary)),
        memberchk(Failed, [bound,guided]),
        memberchk(Kind, [goal,error,loop,unbound]),
        suspect(Asked, Failed, Right-Wrong, Places, Place)
    ->  Place = [_,Line|_],
        format(string(Better), "~w; the mistake is more likely in line ~w", [Summary, Line]),
        different([Place|Places], Others),
        write_json(Out, [found, Kind, Better, Others])
    ;   true
    ).

accepts :-
    asked(Program, Out, Name, Budget, request([Size, Givens, Kinds], Rules)),
    load(Program),
    forall(( member([Kind, Grids], Kinds),
             forall(member(Grid, Grids), within(finds(Name+Rules, Size, Givens, Grid), Budget)) ),
           write_json(Out, [accepts, Kind])).

loop :-
    asked(Program, Out, Name, _, request([Size, Givens], Rules)),
    read_file_to_string(Program, Text, [encoding(utf8)]),
    sliced(user, Program-Text, load(Program)),
    puzzle(Givens, Size, Cells),
    goal(Name, Cells, Rules, Goal, _),
    endless(user, user:Goal, How, Why, Rows),
    write_json(Out, [loop, How, Why, Rows]).

                /*******************************
                *       three attempts         *
                *******************************/

%   An attempt is one record, which is passed along. But goals that a library calls back come without it:
%   so the one global of this module, sudoku_diagnosis, is the attempt that runs in this thread or engine.
%
%   Backtracking undoes changes of chain, the calls around a goal; of quiet, the number of tests around it,
%   whose failure is none; of progress, the number of goals that have succeeded; of fits, which is true
%   while the solution is possible; and of last, the last goal that has succeeded. It leaves best, the
%   progress of the failure that got furthest, and where that was; noted, the last error and where it was
%   raised; and lost, where a goal has committed to another answer.

:- record attempt(
       mode:any, size:any, rows:any, wanted:any,
       chain:any=[], quiet:any=0, progress:any=0, fits:any=true, last:any=none,
       best:any= -1, where:any=none, noted:any=none, lost:any=none).

%!  diagnosis(+Asked, -Failed, -Kind, -Places, -Summary) is nondet.
%
%   The first is there soon, and the second, better one may need more time. Failed is the attempt in which
%   the program has failed.

diagnosis(Asked, Failed, Kind, Places, Summary) :-
    attempt(bound, Asked, Bound, _),
    (   \+ Bound = succeeded(_),
        Failed = bound,
        worded(Asked, Bound, Kind, Places, Summary)
    ;   second(Asked, Bound, Failed, Second),
        worded(Asked, Second, Kind, Places, Summary)
    ).

second(Asked, Bound, Failed, Result) :-
    \+ Bound = error(_, _),
    attempt(guided, Asked, Guided, _),
    (   Guided = succeeded(0)
    ->  Failed = tracked,
        attempt(tracked, Asked, Tracked, Attempt),
        third(Tracked, Attempt, Result)
    ;   Bound = succeeded(_),
        Failed = guided,
        Result = Guided
    ).

%   A goal that has committed to another answer counts only if the program then loses the solution.

third(failed(_), Attempt, Result) :-
    !,
    attempt_lost(Attempt, Where),
    (   Where == none
    ->  Result = succeeded(0)
    ;   Result = lost(Where)
    ).
third(Result, _, Result).

%!  attempt(+Mode, +Asked, -Result, -Attempt) is det.
%
%   Result is succeeded(Unbound), with a number of cells; failed(Where), lost(Where),
%   limit(Where), or error(Text, Where). Where is a place with its calls, or none.

attempt(Mode, Asked, Result, Attempt) :-
    Asked = asked(Name, Size, _, _, Rules, Budget),
    rows(Mode, Asked, Rows, Wanted),
    goal(Name, Rows, Rules, Goal, _),
    make_attempt([mode(Mode), size(Size), rows(Rows), wanted(Wanted)], Attempt),
    (   catch(snapshot(tried(Attempt, Goal, Budget, Result)), Ball, stopped_by(Ball, Attempt, Result))
    ->  true
    ;   attempt_where(Attempt, Where),
        Result = failed(Where)
    ).

tried(Attempt, Goal, Budget, Result) :-
    call_with_inference_limit(with_current(sudoku_diagnosis, Attempt, finds_rows(Attempt, Goal)),
                              Budget, Limit),
    !,
    (   Limit == inference_limit_exceeded
    ->  noted_place(Attempt, Where),
        Result = limit(Where)
    ;   attempt_rows(Attempt, Rows),
        term_variables(Rows, Unbound),
        length(Unbound, Number),
        Result = succeeded(Number)
    ).

finds_rows(Attempt, Goal) :-
    made(Goal, user, nowhere, Attempt),
    (   attempt_mode(Attempt, tracked)
    ->  attempt_rows(Attempt, Rows),
        attempt_wanted(Attempt, Wanted),
        Rows == Wanted
    ;   true
    ).

%   Where the last error was raised.

noted_place(Attempt, Where) :-
    (   attempt_noted(Attempt, noted(_, Where0))
    ->  Where = Where0
    ;   Where = none
    ).

stopped_by(Ball, Attempt, Result) :-
    noted_place(Attempt, Where),
    (   Ball = error(resource_error(_), _)
    ->  Result = limit(Where)
    ;   (   Ball = error(Formal, context(_, Message))
        ->  raised_text(error(Formal, context(_, Message)), Long)   % without the interpreter
        ;   raised_text(Ball, Long)
        ),
        split_string(Long, "\n", " ", [Text|_]),
        Result = error(Text, Where)
    ).

%!  rows(+Mode, +Asked, -Rows, -Wanted) is det.

rows(Mode, asked(_, Size, Givens, Solution, _, _), Rows, Wanted) :-
    puzzle(Solution, Size, Wanted),
    (   Mode == bound
    ->  Rows = Wanted
    ;   Mode == guided
    ->  guided(Size, Givens, Solution, Rows, _)
    ;   puzzle(Givens, Size, Rows)
    ).

                /*******************************
                *       the interpreter        *
                *******************************/

%!  run(+Body, ?Position, +In, +Choice, +Attempt) is nondet.
%
%   In is where Body stands, as in clauses.pl. Choice is where a cut goes back to.

run(Goal, Position, In, _, Attempt), var(Goal) =>
    place(Position, In, Place),
    leaf(call(Goal), _, In, Place, Attempt).
run(Goal, From-To, In, _, Attempt), compound(Goal) =>    % a variable of the text has become this goal
    place(From-To, In, Place),
    In = in(Module, _),
    made(Goal, Module, Place, Attempt).
run(Body, parentheses_term_position(_, _, Position), In, Choice, Attempt) =>
    run(Body, Position, In, Choice, Attempt).
run((A,B), Position, In, Choice, Attempt) =>
    parts(Position, [PositionA,PositionB]),
    run(A, PositionA, In, Choice, Attempt),
    run(B, PositionB, In, Choice, Attempt).
run((If->Then;Else), Position, In, Choice, Attempt) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    fits(Fits, Attempt),
    (   quietly(If, PositionIf, In, Attempt)
    ->  (   If = (_,_),
            attempt_last(Attempt, last(_, Kept))    % the goal that gave the answer that is kept
        ->  true
        ;   place(PositionIf, In, Kept)
        ),
        committed(Fits, Kept, Attempt),
        run(Then, PositionThen, In, Choice, Attempt)
    ;   run(Else, PositionElse, In, Choice, Attempt)
    ).
run((If->Then), Position, In, Choice, Attempt) =>
    parts(Position, [PositionIf,_]),
    run((If->Then;fail), term_position(_, _, _, _, [Position,PositionIf]), In, Choice, Attempt).
run((If*->Then;Else), Position, In, Choice, Attempt) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    (   quietly(If, PositionIf, In, Attempt)
    *-> run(Then, PositionThen, In, Choice, Attempt)
    ;   run(Else, PositionElse, In, Choice, Attempt)
    ).
run((A;B), Position, In, Choice, Attempt) =>
    parts(Position, [PositionA,PositionB]),
    (   run(A, PositionA, In, Choice, Attempt)
    ;   run(B, PositionB, In, Choice, Attempt)
    ).
run(\+ Goal, Position, In, _, Attempt) =>
    parts(Position, [PositionGoal]),
    (   quietly(Goal, PositionGoal, In, Attempt)
    ->  attempt_last(Attempt, Last),
        place(Position, In, Place),
        failure(\+ Goal, Place, Last, Attempt),
        fail
    ;   true
    ).
run(!, Position, In, Choice, Attempt) =>
    place(Position, In, Place),
    attempt_fits(Attempt, Fits),
    committed(Fits, Place, Attempt),
    prolog_cut_to(Choice).
run(true, _, _, _, _) =>
    true.
run(Goal, Position, In, _, Attempt) =>
    place(Position, In, Place),
    call_goal(Goal, Position, In, Place, Attempt).

%   A body of its own, in which a cut is local.

opaque(Body, Position, In, Attempt) :-
    prolog_current_choice(Choice),
    run(Body, Position, In, Choice, Attempt).

made(Goal, Module, Place, Attempt) :-
    opaque(Goal, _, in(Module, made(Place)), Attempt).

quietly(Body, Position, In, Attempt) :-
    quietly(opaque(Body, Position, In, Attempt), Attempt).

quietly(Goal, Attempt) :-
    attempt_quiet(Attempt, Before),
    Quiet is Before+1,
    set_quiet_of_attempt(Quiet, Attempt),
    call(Goal),
    set_quiet_of_attempt(Before, Attempt).

%!  call_goal(+Goal, ?Position, +In, +Place, +Attempt) is nondet.

call_goal(Module:Goal, _, _, Place, Attempt), atom(Module) =>
    made(Goal, Module, Place, Attempt).
call_goal(phrase(Body, List), Position, In, Place, Attempt) =>
    call_goal(phrase(Body, List, []), Position, In, Place, Attempt).
call_goal(phrase(Body, List, Rest), _, in(Module, _), Place, Attempt), callable(Body), \+ is_list(Body) =>
    once(dcg_translate_rule((in_list --> Body), (in_list(List0, Rest0) :- Goal))),
    List0-Rest0 = List-Rest,
    made(Goal, Module, Place, Attempt).
call_goal(Goal, Position, In, Place, Attempt), compound(Goal), Goal =.. [call,Closure|Extra] =>
    parts(Position, [PositionClosure|_]),
    call_closure(Closure, PositionClosure, In, Place, Extra, Attempt).
call_goal(Goal, Position, In, Place, Attempt) =>
    In = in(Module, _),
    (   defined_in(Goal, Module, Home)
    ->  call_own(Goal, Home, Place, Attempt)
    ;   leaf(Goal, Position, In, Place, Attempt)
    ).

%   What call/N calls: a closure, also a lambda expression, with more arguments.

call_closure(Closure, Position, In, Place, Extra, Attempt) :-
    In = in(Module, _),
    (   var(Closure)
    ->  Goal =.. [call,Closure|Extra],
        leaf(Goal, _, In, Place, Attempt)
    ;   Closure = Inner:Goal,
        atom(Inner)
    ->  call_closure(Goal, _, in(Inner, made(Place)), Place, Extra, Attempt)
    ;   Extra == []
    ->  (   nonvar(Position)
        ->  opaque(Closure, Position, In, Attempt)
        ;   made(Closure, Module, Place, Attempt)
        )
    ;   lambda(Closure, Extra, Body)
    ->  parts(Position, [_,PositionBody]),
        call_closure(Body, PositionBody, In, Place, [], Attempt)
    ;   Closure =.. [Name|Arguments],
        append(Arguments, Extra, All),
        Goal =.. [Name|All],
        made(Goal, Module, Place, Attempt)
    ).

lambda(Free/Parameters>>Body0, Extra, Body) =>
    same_length(Parameters, Extra),
    callable(Body0),
    copy_term_nat(Free/Parameters/Body0, Free/Extra/Body).
lambda(Parameters>>Body0, Extra, Body) =>
    lambda([]/Parameters>>Body0, Extra, Body).
lambda(_, _, _) =>
    fail.

defined_in(Goal, Module, Home) :-
    callable(Goal),
    (   predicate_property(Module:Goal, imported_from(Home))
    ->  true
    ;   Home = Module
    ),
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    own(Head, Home, _, _),
    !.

%   One of the program's own predicates: another frame.

call_own(Goal, Module, Place, Attempt) :-
    functor(Goal, Name, Arity),
    attempt_chain(Attempt, Chain),
    attempt_fits(Attempt, Fits),
    catch(clause_body(Goal, Module, Place, Name/Arity, Chain, Attempt), Ball,
          noted(Ball, Goal, Place, Attempt)),
    set_chain_of_attempt(Chain, Attempt),
    set_fits_of_attempt(Fits, Attempt),
    progress(Attempt).

clause_body(Goal, Module, Place, Key, Chain, Attempt) :-
    prolog_current_choice(Choice),
    length(Chain, Depth),
    attempt_size(Attempt, Size),
    (   Depth > 500+4*Size*Size
    ->  throw(error(resource_error(depth), _))
    ;   true
    ),
    (   own(Goal, Module, body(Body, Position, In), _)
    *-> set_chain_of_attempt([frame(Place, Goal, Key)|Chain], Attempt),
        fits(Fits, Attempt),
        set_fits_of_attempt(Fits, Attempt),
        run(Body, Position, In, Choice, Attempt)
    ;   failure(Goal, Place, no_clause, Attempt),
        fail
    ).

%   Any other predicate is called as it is, but calls back what it is given to call.

leaf(Goal0, Position, In, Place, Attempt) :-
    In = in(Module, _),
    (   callable(Goal0),
        predicate_property(Module:Goal0, meta_predicate(Spec))
    ->  Goal0 =.. [Name|Arguments0],
        Spec =.. [_|Specs],
        length(Specs, Arity),
        length(Positions, Arity),
        parts(Position, Positions),
        wrapped(Arguments0, Specs, Positions, 1, goal(Name/Arity, In, Place), Arguments),
        Goal =.. [Name|Arguments]
    ;   Goal = Goal0
    ),
    (   first_only(Goal0)
    ->  fits(Fits, Attempt)
    ;   Fits = false
    ),
    (   catch(Module:Goal, Ball, noted(Ball, Goal0, Place, Attempt))
    *-> committed(Fits, Place, Attempt),
        progress(Attempt),
        set_last_of_attempt(last(Goal0, Place), Attempt)
    ;   failure(Goal0, Place, none, Attempt),
        fail
    ).

progress(Attempt) :-
    attempt_progress(Attempt, Progress0),
    Progress is Progress0+1,
    set_progress_of_attempt(Progress, Attempt).

%   Goals that keep their first answer.

first_only(once(_)).
first_only(ignore(_)).
first_only(memberchk(_, _)).

wrapped([], [], _, _, _, []).
wrapped([Argument0|Arguments0], [Spec|Specs], [Position|Positions], Number, Caller,
        [Argument|Arguments]) :-
    (   ( integer(Spec) ; Spec == (^) )
    ->  wrap(Argument0, Spec, Position, Number, Caller, Argument)
    ;   Argument = Argument0
    ),
    Next is Number+1,
    wrapped(Arguments0, Specs, Positions, Next, Caller, Arguments).

wrap(Argument0, _, _, _, _, Argument), var(Argument0) =>
    Argument = Argument0.
wrap(Free^Body, ^, Position, Number, Caller, Argument) =>
    parts(Position, [_,PositionBody]),
    wrap(Body, ^, PositionBody, Number, Caller, Inner),
    Argument = Free^Inner.
wrap(Closure, _, Position, Number, goal(Key, In, Place), Argument) =>
    (   loud(Key, Number)
    ->  Loud = true
    ;   Loud = false
    ),
    Argument = sudoku_diagnosis:back(closure(Closure, Position, In, Place, Loud)).

%   Where failure inside is failure of the whole.

loud(maplist/_, 1).
loud(foldl/_, 1).
loud(call/_, 1).
loud(once/1, 1).
loud(forall/2, 2).
loud(catch/3, 1).
loud(call_cleanup/2, 1).
loud(setup_call_cleanup/3, _).
loud(limit/2, 2).
loud(apply/2, 1).

back(C) :- call_back([], C).
back(C, A) :- call_back([A], C).
back(C, A, B) :- call_back([A,B], C).
back(C, A, B, D) :- call_back([A,B,D], C).
back(C, A, B, D, E) :- call_back([A,B,D,E], C).
back(C, A, B, D, E, F) :- call_back([A,B,D,E,F], C).
back(C, A, B, D, E, F, G) :- call_back([A,B,D,E,F,G], C).
back(C, A, B, D, E, F, G, H) :- call_back([A,B,D,E,F,G,H], C).

call_back(Extra, closure(Closure, Position, In, Place, Loud)) :-
    current(sudoku_diagnosis, Attempt),
    (   Loud == true
    ->  call_closure(Closure, Position, In, Place, Extra, Attempt)
    ;   quietly(call_closure(Closure, Position, In, Place, Extra, Attempt), Attempt)
    ).

                /*******************************
                *       what is noticed        *
                *******************************/

%!  failure(+Goal, +Place, +Why, +Attempt) is det.
%
%   Keeps the failure that got furthest.

failure(Goal, Place, Why, Attempt) :-
    attempt_quiet(Attempt, 0),
    attempt_progress(Attempt, Progress),
    attempt_best(Attempt, Best),
    Progress > Best,
    !,
    nb_set_best_of_attempt(Progress, Attempt),
    where(Goal, Place, Why, Attempt, Where),
    nb_set_where_of_attempt(Where, Attempt).
failure(_, _, _, _).

%   A copy without attributes; guided cells are digits. Of a deep recursion, some frames are enough.

where(Goal, Place, Why, Attempt, Where) :-
    attempt_chain(Attempt, Whole),
    attempt_size(Attempt, Size),
    Most is Size*Size+20,
    length(Last, Most),
    (   append(Last, _, Whole)
    ->  Chain = Last
    ;   Chain = Whole
    ),
    findall(Where0,
            ( Where0 = where(Goal, Place, Why, Chain),
              term_attvars(Where0, Variables),
              maplist(strip, Variables) ),
            [Where]).

strip(Variable) :-
    ignore(get_attr(Variable, sudoku_repair, Digit)),
    del_attrs(Variable),
    Variable = Digit.

noted(Ball, Goal, Place, Attempt) :-
    attempt_noted(Attempt, Noted),
    (   Noted = noted(Same, _),
        Same =@= Ball
    ->  true
    ;   where(Goal, Place, none, Attempt, Where),
        nb_set_noted_of_attempt(noted(Ball, Where), Attempt)
    ),
    throw(Ball).

fits(Fits, Attempt) :-
    (   attempt_mode(Attempt, tracked),
        attempt_rows(Attempt, Rows),
        attempt_wanted(Attempt, Wanted),
        Rows \= Wanted
    ->  Fits = false
    ;   Fits = true
    ).

%   The first goal that commits to another answer has lost this one.

committed(Before, Place, Attempt) :-
    (   Before == true,
        fits(false, Attempt),
        attempt_lost(Attempt, none)
    ->  where(true, Place, none, Attempt, Where),
        nb_set_lost_of_attempt(Where, Attempt)
    ;   true
    ).

                /*******************************
                *       in words, for JSON     *
                *******************************/

%!  worded(+Asked, +Result, -Kind, -Places, -Summary) is semidet.

worded(Asked, Result, Kind, Places, Summary) :-
    told(Result, Asked, Kind, Rows, End),
    begin(Kind, Begin),
    different(Rows, Places),
    (   Places = [[_,Line|_]|_],
        memberchk(Kind, [goal,loop,error])
    ->  format(string(Summary), "~w in line ~w~w", [Begin, Line, End])
    ;   \+ memberchk(Kind, [goal,loop]),    % which are nothing without their line
        string_concat(Begin, End, Summary)
    ).

begin(none, "no goal of the program keeps this solution out").
begin(goal, "the program loses a solution").
begin(unbound, "the program ends with unbound cells: no label/1?").
begin(loop, "the program comes to no end").
begin(slow, "the search for this solution takes too long to explain").
begin(error, "the program raises an error").

%   The summary ends with End. The first row is the most likely place.

told(failed(none), _, none, [], "").
told(failed(where(Goal, Place, Why, Chain)), _, goal, [First,Failing|Calls], End) :-
    shown(Goal, Shown),
    (   Why == no_clause
    ->  string_concat("matches no clause: ", Shown, Words)
    ;   string_concat("fails: ", Shown, Words)
    ),
    place_rows(Place, Words, Chain, [Failing|Calls]),
    (   Why = last(Inside, InsidePlace)
    ->  End = ", where a test succeeds",
        shown(Inside, Text),
        format(string(Succeeds), "succeeds: ~w", [Text]),
        as_row(InsidePlace, Succeeds, First)
    ;   End = "",
        First = Failing
    ).
told(succeeded(0), _, none, [], "").
told(succeeded(Number), Asked, unbound, Rows, "") :-
    Number > 0,
    asked_head(Asked, Goal),
    findall(Row, ( own(Goal, _, _, Place), as_row(Place, "ends while cells are unbound", Row) ), Rows).
told(lost(where(_, Place, _, Chain)), _, goal, Rows, ", which keeps another answer") :-
    place_rows(Place, "keeps another answer, and no way leads back to this solution", Chain, Rows).
told(limit(Where), Asked, Kind, Rows, "") :-
    (   Where = where(Goal, Place, _, Chain),
        callable(Goal),
        functor(Goal, Name, Arity),
        recursion([frame(Place, Goal, Name/Arity)|Chain], Asked, At, Words, Calls)
    ->  Kind = loop,
        place_rows(At, Words, Calls, Rows)
    ;   Kind = slow,
        Rows = []                       % a long search is not the fault of the goal that runs
    ).
told(error(Text, Where), _, error, Rows, End) :-
    string_concat(": ", Text, End),
    (   Where = where(Goal, Place, _, Chain)
    ->  shown(Goal, Shown),
        format(string(Words), "raises an error: ~w", [Shown]),
        place_rows(Place, Words, Chain, Rows)
    ;   Rows = []
    ).

%   Any call of the predicate that is asked.

asked_head(asked(Name, Size, Givens, _, Rules, _), Head) :-
    puzzle(Givens, Size, Rows),
    goal(Name, Rows, Rules, Goal, _),
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity).

place_rows(Place, Words, Chain, [Row|Calls]) :-
    as_row(Place, Words, Row),
    findall(Call,
            ( member(frame(At, Goal, _), Chain),
              shown(Goal, Text),
              shortened(Text, 80, Short),
              string_concat("calls ", Short, Calls0),
              as_row(At, Calls0, Call) ),
            Calls).

%   Recursion that comes to no end: with the same arguments, or very deep.

recursion([frame(Place, Goal, Key)|Chain], asked(_, Size, _, _, _, _), Place, Words, Chain) :-
    include(of_key(Key), Chain, Same),
    (   member(frame(_, Before, _), Same),
        Before =@= Goal
    ->  Words = "calls itself with the same arguments, without end"
    ;   length(Same, Depth),
        Depth > Size*Size,
        Words = "calls itself deeper and deeper"
    ),
    !.
recursion([_|Chain], Asked, Place, Words, Calls) :-
    recursion(Chain, Asked, Place, Words, Calls).

of_key(Key, frame(_, _, Key)).

as_row(Place, Words, [File, Line, Column, Text, Words]) :-
    (   located(Place, File, Line, Column, Text)
    ->  true
    ;   [File, Line, Column, Text] = [none, 0, 0, ""]
    ).

%   Each place that is in a file, once.

different(Rows, Different) :-
    findall(Row,
            distinct(File-Line-Column,
                     ( member(Row, Rows), Row = [File, Line, Column|_], Line > 0 )),
            Different).
