:- module(pls_slices,
          [ pls_all/1, pls_at/1, pls_count/1, pls_enter/3, pls_leave/1, pls_may/2, pls_on/1, pls_once/1,
            pls_pre/2, pls_raised/1, pls_same/1, pls_test/2,
            endless/5, sliced/3
          ]).
:- use_module(clauses, [clause_parts/7, parts/2, range/3, reading/3, text_at/6]).
:- use_module(current, [current/2, with_current/3]).
:- use_module(switched, [constrains/1]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [exclude/3, foldl/4, include/3, maplist/3]).
:- use_module(library(lists), [append/3, last/2, member/2, memberchk/2, reverse/2, subtract/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(readutil), [read_file_to_string/3]).
:- use_module(library(time), [call_with_time_limit/2]).

/** <module> The goals that keep a program from ending

A failure slice (Neumerkel and Mesnard 1999, Localizing and explaining reasons for non-terminating logic
programs with failure-slices) is a program with `false` in front of goals. If it does not end, neither does
the program, and the goals behind `false` do not matter. endless/5 finds one in which no goal more can go.

sliced/3 loads a copy of a program that has a point in front of each goal, where an attempt may fail. All
that it runs the program runs, too: where only the first answer counts, as before a cut, in a condition or a
negation, an attempt that comes to a point that fails leaves the whole, and after findall/3 and its like it
goes on only if no point in it has failed.

An attempt looks for signs. It ends after a number of inferences, or after five seconds:

  - same
    a clause is entered within itself with the same arguments. Where all answers are asked for, that
    never ends;
  - infinite
    a goal has answers without end, and all are asked for;
  - deep
    clauses are entered deeper and deeper;
  - stuck
    a goal of a library does not come back in time, and makes hardly an inference. Only this depends on the
    clock, and so it is never sure;
  - long
    none of these, but many inferences: such a program may only be slow.
*/

:- dynamic
    point_at/6,         % Module, Number, Clause, Goal, place(File, Line, Column), Text
    clause_of/3.        % Module, Clause, Head; its variables are '$VAR'(Number), as those of its goals

:- meta_predicate
    pls_all(0),
    pls_may(+, 0),
    pls_once(0),
    pls_pre(0, -),
    pls_test(0, -),
    endless(+, 0, -, -, -),
    slice(+, 0, -, -),
    sliced(+, +, 0).

                /*******************************
                *           the copy           *
                *******************************/

%!  sliced(+Module, +Text, :Load) is semidet.
%
%   Calls Load, which loads clauses into Module; they get points. Text is File-Text of the program, or none:
%   then only what a test or findall/3 finds is looked at, and no goal is one of the slice.

sliced(Module, Text, Load) :-
    reading(Module, with_points(Module, Text), Load).

%   A program may be a module of its own.

with_points(Module, Text, Term, Position, Clause) :-
    prolog_load_context(module, Home),
    (   Home == Module
    ->  true
    ;   Text = Program-_,
        is_read(Program)
    ),
    (   predicate_property(Home:pls_at(_), imported_from(pls_slices))
    ->  true
    ;   forall(( module_property(pls_slices, exports(All)),
                 member(Name/Arity, All),
                 sub_atom(Name, 0, _, _, pls_) ),
               Home:import(pls_slices:Name/Arity))
    ),
    clause_parts(Term, Position, Head, Neck, Body0, _, BodyPosition),
    Neck \== none,
    flag(pls_slices_clause, Number, Number+1),
    term_variables(Head-Body0, Variables),
    read_from(Text, Source),
    In = in(Module, Number, Variables, Source),
    ( Head = (Call,_), Neck == (=>) -> true ; Call = Head ),
    ground_in(Variables, Call, Ground),
    assertz(clause_of(Module, Number, Ground)),
    body(Body0, BodyPosition, In, Body),
    Clause =.. [Neck,Head,(pls_enter(Number, Call, Outer),Body,pls_leave(Outer))].

%   The text that is read: the program, or one that it includes.

read_from(none, none).
read_from(Program-Text0, source(Name, Text)) :-
    (   is_read(Program)
    ->  Name-Text = ""-Text0
    ;   prolog_load_context(file, File),
        read_file_to_string(File, Text, [encoding(utf8)]),
        file_base_name(File, Name)
    ).

is_read(Program) :-
    prolog_load_context(file, File),
    maplist(absolute_file_name, [Program,File], [Same,Same]).

ground_in(Variables0, Term0, Term) :-
    copy_term_nat(Variables0-Term0, Variables-Term),
    foldl(numbered_variable, Variables, 0, _).

numbered_variable('$VAR'(Number), Number, Next) :-
    Next is Number+1.

%   What is in front of a cut finds one answer.

body(Body, Position, In, Points) :-
    conjuncts(Body, Position, Goals, []),
    (   append(Before0, [Cut-_|After0], Goals),
        Cut == !
    ->  maplist(goal_points(In), Before0, Before),
        after_cut(After0, In, After),
        (   Before == []
        ->  Points = (!,After)
        ;   conjunction(Before, Pre),
            Points = (pls_pre(Pre, State),!,pls_on(State),After)
        )
    ;   maplist(goal_points(In), Goals, All),
        conjunction(All, Points)
    ).

after_cut([], _, true) :-
    !.
after_cut(Goals0, In, Points) :-
    conjunction_of(Goals0, Body, Position),
    body(Body, Position, In, Points).

conjuncts(Goal, _, [Goal-_|Rest], Rest), var(Goal) =>
    true.
conjuncts(Goal, parentheses_term_position(_, _, Position), Goals, Rest) =>
    conjuncts(Goal, Position, Goals, Rest).
conjuncts((A,B), Position, Goals, Rest) =>
    parts(Position, [PositionA,PositionB]),
    conjuncts(A, PositionA, Goals, More),
    conjuncts(B, PositionB, More, Rest).
conjuncts(Goal, Position, Goals, Rest) =>
    Goals = [Goal-Position|Rest].

conjunction([], true).
conjunction([Goal], Goal) :-
    !.
conjunction([Goal|Goals], (Goal,Rest)) :-
    conjunction(Goals, Rest).

conjunction_of([Goal-Position], Goal, Position) :-
    !.
conjunction_of([Goal-Position|Goals], (Goal,Rest), term_position(_, _, _, _, [Position,More])) :-
    conjunction_of(Goals, Rest, More).

goal_points(In, Goal-Position, Points) :-
    points(Goal, Position, In, Points).

points(Goal, Position, In, Points), var(Goal) =>
    plain(Goal, Position, In, Goal, Points).
points(true, _, _, Points) =>
    Points = true.
points((If->Then;Else), Position, In, Points) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    body(If, PositionIf, In, If1),
    body(Then, PositionThen, In, Then1),
    body(Else, PositionElse, In, Else1),
    Points = (pls_test(If1, Holds),(Holds==true->Then1;Else1)).
points((If->Then), Position, In, Points) =>
    parts(Position, [PositionIf,PositionThen]),
    body(If, PositionIf, In, If1),
    body(Then, PositionThen, In, Then1),
    Points = (pls_test(If1, Holds),Holds==true,Then1).
points((If*->Then;Else), Position, In, Points) =>
    parts(Position, [Position1,PositionElse]),
    parts(Position1, [PositionIf,PositionThen]),
    body(If, PositionIf, In, If1),
    body(Then, PositionThen, In, Then1),
    body(Else, PositionElse, In, Else1),
    Points = (pls_count(Count),(If1*->Then1;pls_same(Count),Else1)).
points((A;B), Position, In, Points) =>
    parts(Position, [PositionA,PositionB]),
    body(A, PositionA, In, A1),
    body(B, PositionB, In, B1),
    Points = (A1;B1).
points(\+ Goal, Position, In, Points) =>
    parts(Position, [PositionGoal]),
    body(Goal, PositionGoal, In, Goal1),
    plain(\+ Goal, Position, In, (pls_test(Goal1, Holds),Holds==false), Points).
points(once(Goal), Position, In, Points) =>
    parts(Position, [PositionGoal]),
    body(Goal, PositionGoal, In, Goal1),
    plain(once(Goal), Position, In, (pls_test(Goal1, Holds),Holds==true), Points).
points(ignore(Goal), Position, In, Points) =>
    parts(Position, [PositionGoal]),
    body(Goal, PositionGoal, In, Goal1),
    plain(ignore(Goal), Position, In, pls_test(Goal1, _), Points).
points(forall(Condition, Action), Position, In, Points) =>
    parts(Position, [PositionC,PositionA]),
    body(Condition, PositionC, In, Condition1),
    body(Action, PositionA, In, Action1),
    plain(forall(Condition, Action), Position, In,
          (pls_test((Condition1,pls_test(Action1, Done),Done==false), Fails),Fails==false), Points).
points(catch(Goal, Ball, Recovery), Position, In, Points) =>
    parts(Position, [PositionG,_,PositionR]),
    body(Goal, PositionG, In, Goal1),
    body(Recovery, PositionR, In, Recovery1),
    plain(catch(Goal, Ball, Recovery), Position, In, catch(Goal1, Ball, (pls_raised(Ball),Recovery1)), Points).
points(Goal, Position, In, Points), callable(Goal) =>
    meta_points(Goal, Position, In, Goal1),
    plain(Goal, Position, In, Goal1, Points).
points(Goal, _, _, Points) =>
    Points = Goal.

plain(_, _, in(_, _, _, none), Goal, Points) =>
    Points = Goal.
plain(Written, Position, In, Goal, Points) =>
    numbered(Written, Position, In, Number),
    (   nonvar(Written),
        functor(Written, Name, Arity),
        may_be_infinite(Name/Arity)
    ->  Points = (pls_may(Number, Written),Goal)
    ;   Points = (pls_at(Number),Goal)
    ).

%   Goals in the arguments of a library's predicate.

meta_points(Goal0, Position, In, Goal) :-
    In = in(Module, _, _, _),
    callable(Goal0),
    Goal0 \= _:_,
    (   '$get_predicate_attribute'(Module:Goal0, defined, 1)
    ->  Asked = Module
    ;   Asked = pls_slices              % the program may define a predicate of this name further down
    ),
    catch(predicate_property(Asked:Goal0, meta_predicate(Spec)), _, fail),
    Spec =.. [_|Specs],
    member(More, Specs),
    ( integer(More) ; memberchk(More, [^,//]) ),
    !,
    Goal0 =.. [Name|Arguments0],
    length(Specs, Arity),
    length(Positions, Arity),
    parts(Position, Positions),
    inner_points(Specs, Arguments0, Positions, In, Arguments),
    Goal1 =.. [Name|Arguments],
    (   transparent(Name)
    ->  Goal = Goal1
    ;   collects(Name)
    ->  Goal = pls_all(Goal1)
    ;   Goal = pls_once(Goal1)
    ).
meta_points(Goal, _, _, Goal).

inner_points([], [], _, _, []).
inner_points([Spec|Specs], [Argument0|Arguments0], [Position|Positions], In, [Argument|Arguments]) :-
    (   nonvar(Argument0),
        Spec == 0
    ->  body(Argument0, Position, In, Argument)
    ;   Spec == (^)
    ->  quantified(Argument0, Position, In, Argument)
    ;   Argument = Argument0
    ),
    inner_points(Specs, Arguments0, Positions, In, Arguments).

quantified(Goal, _, _, Points), var(Goal) =>
    Points = Goal.
quantified(Variable^Goal, Position, In, Points) =>
    parts(Position, [_,PositionGoal]),
    quantified(Goal, PositionGoal, In, Inner),
    Points = Variable^Inner.
quantified(Goal, Position, In, Points) =>
    body(Goal, Position, In, Points).

transparent(call).
transparent(maplist).
transparent(foldl).
transparent(phrase).
transparent(apply).

collects(findall).
collects(aggregate_all).
collects(bagof).
collects(setof).

numbered(Goal, Position, in(Module, Clause, Variables, source(File, Text)), Number) :-
    flag(pls_slices_point, Number, Number+1),
    (   range(Position, From, To)
    ->  text_at(Text, From, To, Line, Column, Shown)
    ;   format(string(Shown), "~q", [Goal]),
        Line-Column = 1-0
    ),
    ground_in(Variables, Goal, Ground),
    assertz(point_at(Module, Number, Clause, Ground, place(File, Line, Column), Shown)).

                /*******************************
                *     what the copy calls      *
                *******************************/

%   An attempt is attempt(Cut, Asked, Chain, Last, Seen, Count, Newest): the points that fail, as bits; all,
%   or one, if only the first answer counts; the clauses that are entered, each with the point before it; and
%   the last point. Backtracking undoes these three. It leaves the points that were passed, as bits; how many
%   times a point has failed; and the last point that was passed.

running(Attempt) :-
    current(pls_slices, Attempt).

pls_at(Number) :-
    running(Attempt),
    arg(1, Attempt, Cut),
    (   getbit(Cut, Number) =:= 1
    ->  cut_off(Attempt)
    ;   arg(5, Attempt, Seen),
        (   getbit(Seen, Number) =:= 1
        ->  true
        ;   Seen1 is Seen \/ 1<<Number,
            nb_setarg(5, Attempt, Seen1)
        ),
        setarg(4, Attempt, Number),
        nb_setarg(7, Attempt, Number)
    ).

pls_may(Number, Module:Goal) :-
    pls_at(Number),
    running(Attempt),
    (   arg(2, Attempt, all),
        infinite(Goal),
        (   predicate_property(Module:Goal, imported_from(_))
        ->  true
        ;   \+ predicate_property(Module:Goal, number_of_clauses(_))   % nor is it the program's own
        )
    ->  throw(pls_sign(infinite, [Number]))
    ;   true
    ).

may_be_infinite(repeat/0).
may_be_infinite(between/3).
may_be_infinite(length/2).
may_be_infinite(append/3).
may_be_infinite(member/2).

infinite(repeat).
infinite(between(_, High, Value)) :-
    var(Value),
    memberchk(High, [inf,infinite]).
infinite(length(List, Length)) :-
    var(Length),
    open_list(List).
infinite(append(Front, _, Whole)) :-
    open_list(Front),
    open_list(Whole).
infinite(member(_, List)) :-
    open_list(List).

open_list(List) :-
    \+ cyclic_term(List),
    '$skip_list'(_, List, Tail),
    var(Tail).

cut_off(Attempt) :-
    arg(6, Attempt, Count0),
    Count is Count0+1,
    nb_setarg(6, Attempt, Count),
    arg(2, Attempt, one),
    throw(pls_cut_off).

pls_enter(Clause, Head, outer(Chain,Last)) :-
    running(Attempt),
    arg(3, Attempt, Chain),
    arg(4, Attempt, Last),
    (   Chain = chain(Before, _, _, _, _)
    ->  Depth is Before+1
    ;   Depth = 1
    ),
    copy_term_nat(Head, Copy),
    (   Depth /\ 15 =:= 0
    ->  (   arg(2, Attempt, all),
            term_attvars(Head, [])
        ->  Rounds = 1
        ;   Rounds = 200
        ),
        look_back(Depth, Rounds, Clause, Copy, Last, Chain)
    ;   true
    ),
    setarg(3, Attempt, chain(Depth, Clause, Copy, Last, Chain)).

%   Where one answer is enough, it may come from any round, and constraints may change with each: there, many
%   are needed.

look_back(Depth, Rounds, Clause, Copy, Last, Chain) :-
    (   Depth >= Rounds,
        round(Chain, 0, Clause, Copy, [Last], Calls)
    ->  throw(pls_sign(same, Calls))
    ;   Depth >= 10_000
    ->  ( round(Chain, 0, Clause, _, [Last], Calls) -> true ; Calls = [Last] ),
        throw(pls_sign(deep, Calls))
    ;   true
    ).

pls_leave(outer(Chain,Last)) :-
    running(Attempt),
    setarg(3, Attempt, Chain),
    setarg(4, Attempt, Last).

%   Calls are those from a clause to the same one, the last one first to be entered by it.

round(chain(_, Clause, Copy, Last, Chain), Steps, Clause0, Copy0, Calls0, Calls) :-
    Steps < 64,
    (   Clause == Clause0,
        ( var(Copy0) -> true ; Copy =@= Copy0 )
    ->  Calls = Calls0
    ;   Next is Steps+1,
        round(Chain, Next, Clause0, Copy0, [Last|Calls0], Calls)
    ).

%   A program that catches everything does not catch what is ours.

pls_raised(Ball) :-
    (   nonvar(Ball),
        ( Ball = pls_sign(_, _) ; Ball == pls_cut_off ; Ball == time_limit_exceeded ;
          Ball = inference_limit_exceeded(_) )
    ->  throw(Ball)
    ;   true
    ).

%   Answer is true or false. The whole fails if a point in it has failed.

pls_test(Goal, Answer) :-
    first_of(Goal, Answer0),
    (   Answer0 == cut_off
    ->  running(Attempt),
        cut_off(Attempt)
    ;   Answer = Answer0
    ).

first_of(Goal, Answer) :-
    running(Attempt),
    arg(2, Attempt, Asked),
    setarg(2, Attempt, one),
    catch(( call(Goal) -> Answer = true ; Answer = false ), pls_cut_off, Answer = cut_off),
    setarg(2, Attempt, Asked).

%   In front of a cut. If a point has failed, no other clause may be tried.

pls_pre(Goal, State) :-
    first_of(Goal, State),
    State \== false.

pls_on(true).
pls_on(cut_off) :-
    running(Attempt),
    cut_off(Attempt).

pls_all(Goal) :-
    pls_count(Count),
    running(Attempt),
    arg(2, Attempt, Asked),
    setarg(2, Attempt, all),
    call(Goal),
    setarg(2, Attempt, Asked),
    pls_same(Count).

pls_once(Goal) :-
    running(Attempt),
    arg(2, Attempt, Asked),
    setarg(2, Attempt, one),
    catch(( call(Goal), State = true ), pls_cut_off, State = cut_off),
    setarg(2, Attempt, Asked),
    pls_on(State).

pls_count(Count) :-
    running(Attempt),
    arg(6, Attempt, Count).

pls_same(Count) :-
    running(Attempt),
    arg(6, Attempt, Now),
    (   Now =:= Count
    ->  true
    ;   cut_off(Attempt)
    ).

                /*******************************
                *          the slice           *
                *******************************/

%   Goal goes on with nothing but the goals of Numbers, in the order of the text. Sign is sign(Kind, Calls),
%   with the calls of a round. Fails if Goal ends.

slice(Module, Goal, Sign, Numbers) :-
    prolog_flag_least(stack_limit, 128_000_000),
    findall(Number, point_at(Module, Number, _, _, _, _), All),
    All \== [],
    most(Most),
    attempt(Goal, 0, Most, Sign0, Used, Seen0),
    Sign0 \== none,
    smallest(Sign0, Goal, Used, All, Seen0, Sign, Numbers).

most(5_000_000).

prolog_flag_least(Flag, Value) :-
    current_prolog_flag(Flag, Now),
    (   Now > Value
    ->  set_prolog_flag(Flag, Value)
    ;   true
    ).

smallest(sign(stuck, [Number]), _, _, _, _, sign(stuck, [Number]), [Number]) :-
    !.
smallest(sign(long, _), Goal, _, All, _, Sign, Numbers) :-
    !,
    most(Most),
    member(Limit, [100_000,500_000]),
    attempt(Goal, 0, Limit, sign(long, _), _, Seen0),
    Limit*popcount(Seen0) < 4*Most,
    cut_down(Goal, long, Limit, All, Seen0, Cut, _, Numbers),
    attempt(Goal, Cut, Most, Sign, _, _),
    Sign \== none,
    !.
smallest(sign(Kind, _), Goal, Used, All, Seen0, Sign, Numbers) :-
    Limit is 2*Used+20_000,
    cut_down(Goal, Kind, Limit, All, Seen0, _, Sign, Numbers).

%   Points that are not passed do not matter. An early point takes those behind it along.

cut_down(Goal, Kind, Limit, All, Seen, Cut, Sign, Kept) :-
    unseen(All, Seen, Cut0),
    attempt(Goal, Cut0, Limit, Sign0, _, Seen1),
    Sign0 = sign(Kind, _),
    foldl(cut_if_it_goes_on(Goal, Kind, Limit, All), All, Cut0-Seen1-Sign0, Cut-Seen2-Sign),
    include(getbit_of(Seen2), All, Kept).

unseen(All, Seen, Cut) :-
    exclude(getbit_of(Seen), All, Unseen),
    foldl(with_bit, Unseen, 0, Cut).

with_bit(Number, Bits0, Bits) :-
    Bits is Bits0 \/ 1<<Number.

cut_if_it_goes_on(Goal, Kind, Limit, All, Number, Cut0-Seen0-Sign0, Cut-Seen-Sign) :-
    (   getbit(Cut0, Number) =:= 0,
        Cut1 is Cut0 \/ 1<<Number,
        attempt(Goal, Cut1, Limit, Sign1, _, Seen1),
        Sign1 = sign(Kind, _)
    ->  unseen(All, Seen1, Cut),
        Seen = Seen1,
        Sign = Sign1
    ;   Cut-Seen-Sign = Cut0-Seen0-Sign0
    ).

getbit_of(Bits, Number) :-
    getbit(Bits, Number) =:= 1.

%   Sign is none if the program ends. Used are the inferences.

attempt(Goal, Cut, Limit, Sign, Used, Seen) :-
    Attempt = attempt(Cut, all, none, none, 0, 0, none),
    abolish_all_tables,
    statistics(inferences, Before),
    catch(call_with_time_limit(5, snapshot(ended(Attempt, Goal, Limit, Result))), Ball, true),
    statistics(inferences, After),
    Used is After-Before,
    arg(5, Attempt, Seen),
    sign_of(Ball, Result, Attempt, Used, Sign).

ended(Attempt, Goal, Limit, Result) :-
    call_with_inference_limit(( with_current(pls_slices, Attempt, Goal), fail ; true ), Limit, Result).

sign_of(Ball, Result, _, _, Sign), var(Ball) =>
    (   Result == inference_limit_exceeded
    ->  Sign = sign(long, [])
    ;   Sign = none
    ).
sign_of(pls_sign(Kind, Calls), _, _, _, Sign) =>
    Sign = sign(Kind, Calls).
sign_of(time_limit_exceeded, _, Attempt, Used, Sign) =>
    (   Used < 100_000,
        arg(7, Attempt, Number),
        Number \== none
    ->  Sign = sign(stuck, [Number])
    ;   Sign = sign(long, [])
    ).
sign_of(error(resource_error(_), _), _, _, _, Sign) =>
    Sign = sign(long, []).
sign_of(_, _, _, _, Sign) =>
    Sign = none.

                /*******************************
                *           in words           *
                *******************************/

%!  endless(+Module, :Goal, -How, -Why, -Rows) is semidet.
%
%   Goal calls the copy in Module, and does not end with nothing but the goals of Rows, as in reasons/lines.py.
%   The first is the most likely cause; those behind it are in the order of the text. How is sure, likely, or
%   slow, if it may only be slow. Why is a text about the first one, or empty. Fails if Goal ends.

endless(Module, Goal, How, Why, Rows) :-
    slice(Module, Goal, sign(Kind, Calls0), Numbers),
    exclude(==(none), Calls0, Calls),
    once(cause(Kind, Module, Calls, Numbers, First, How, Why)),
    maplist(row(Module), [First|Numbers], [Cause|Rows0]),
    sort(Rows0, Rows1),
    subtract(Rows1, [Cause], Others),
    Rows = [Cause|Others].

row(Module, Number, [File,Line,Column,Text,""]) :-
    point_at(Module, Number, _, _, place(File, Line, Column), Text).

cause(same, Module, Calls, Numbers, First, sure, Why) :-
    last(Calls, Closing),
    maker(Module, Closing, Numbers, First),
    by_itself(Module, Calls, "with the same arguments", Why).
cause(infinite, Module, [Number|_], _, Number, sure, Why) :-
    no_last(Module, Number, Why).
cause(deep, Module, Calls, Numbers, First, likely, Why) :-
    last(Calls, Closing),
    by_itself(Module, Calls, "deeper and deeper", Why0),
    Calls = [Top|_],
    point_at(Module, Top, Clause, _, _, _),
    (   no_end(Module, Clause)
    ->  First = Closing,
        string_concat(Why0, ", and so does each of its clauses", Why)
    ;   maker(Module, Closing, Numbers, First),
        Why = Why0
    ).
cause(stuck, Module, [Number|_], _, Number, likely, Why) :-
    point_at(Module, Number, _, _, place(_, Line, _), Text),
    format(string(Why), "~s in line ~d does not come back in time", [Text, Line]).
cause(long, Module, _, Numbers, First, likely, Why) :-
    member(First, Numbers),
    point_at(Module, First, _, Goal, _, _),
    once(( Goal = repeat ; Goal = between(_, inf, _) ; Goal = between(_, infinite, _) )),
    no_last(Module, First, Why).
cause(long, Module, _, Numbers, First, likely, Why) :-
    reverse(Numbers, Backwards),
    member(First, Backwards),
    slow(Module, First, Why).
cause(long, Module, _, Numbers, First, slow, "") :-
    reverse(Numbers, Backwards),
    (   member(First, Backwards),
        searches(Module, First)
    ;   member(First, Backwards),
        ends_clause(Module, Numbers, First)
    ).
cause(_, _, _, Numbers, First, slow, "") :-
    last(Numbers, First).

no_last(Module, Number, Why) :-
    point_at(Module, Number, _, _, place(_, Line, _), Text),
    format(string(Why), "~s in line ~d has no last answer", [Text, Line]).

by_itself(Module, Calls, How, Why) :-
    Calls = [Top|_],
    point_at(Module, Top, Clause, _, _, _),
    clause_of(Module, Clause, Head),
    functor(Head, Name, Arity),
    findall(Line, ( member(Call, Calls), point_at(Module, Call, _, _, place(_, Line, _), _) ), Lines0),
    sort(Lines0, Lines),
    (   Lines = [Line]
    ->  format(string(Where), "in line ~d", [Line])
    ;   append(Front, [Line], Lines),
        atomic_list_concat(Front, ', ', Before),
        format(string(Where), "by lines ~w and ~d", [Before, Line])
    ),
    format(string(Why), "~w calls itself ~s ~s", [Name/Arity, How, Where]).

%   The goal that gives a call its arguments: the last one before it with a variable that the head does not
%   have. The call itself, if there is none, or if it has a term of the head again.

maker(Module, Call, Numbers, Maker) :-
    point_at(Module, Call, Clause, Goal, _, _),
    clause_of(Module, Clause, Head),
    (   arg(Place, Goal, Again),
        arg(Place, Head, Again),
        Again \= '$VAR'(_),
        compound(Again)
    ->  Maker = Call
    ;   findall(Number,
                ( member(Number, Numbers),
                  Number < Call,
                  point_at(Module, Number, Clause, Other, _, _),
                  sub_term('$VAR'(Variable), Goal),
                  \+ occurs('$VAR'(Variable), Head),
                  occurs('$VAR'(Variable), Other) ),
                Makers),
        last(Makers, Maker)
    ->  true
    ;   Maker = Call
    ).

occurs(Variable, Term) :-
    sub_term(Part, Term),
    Part == Variable,
    !.

%   Each clause of a predicate calls it.

no_end(Module, Clause) :-
    clause_of(Module, Clause, Head0),
    functor(Head0, Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Number)),
    aggregate_all(count,
                  ( clause_of(Module, Each, Head),
                    once(( point_at(Module, _, Each, Goal, _, _), functor(Goal, Name, Arity) )) ),
                  Number).

ends_clause(Module, Numbers, Number) :-
    point_at(Module, Number, Clause, _, _, _),
    \+ ( member(Later, Numbers), Later > Number, point_at(Module, Later, Clause, _, _, _) ).

searches(Module, Number) :-
    point_at(Module, Number, _, Goal, _, _),
    functor(Goal, Name, Arity),
    memberchk(Name/Arity, [label/1,labeling/2,indomain/1]).

slow(Module, Number, Why) :-
    searches(Module, Number),
    point_at(Module, Number, Clause, _, _, _),
    point_at(Module, Later, Clause, Posting, place(_, Line, _), _),
    Later > Number,
    posts(Module, Posting, []),
    !,
    format(string(Why), "it searches before the constraint in line ~d is posted", [Line]).
slow(Module, Number, "it makes every order in full before it tests one") :-
    point_at(Module, Number, _, permutation(_, _), _, _).

%   A goal, or what it is given to call, posts a constraint, or calls a clause that does.

posts(Module, Goal, Seen) :-
    ( Called = Goal, More = 0 ; compound(Goal), arg(_, Goal, Called), callable(Called), More = 6 ),
    functor(Called, Name, Arity0),
    Most is Arity0+More,
    between(Arity0, Most, Arity),
    (   constrains(Name/Arity)
    ->  true
    ;   functor(Head, Name, Arity),
        clause_of(Module, Clause, Head),
        \+ memberchk(Clause, Seen),
        point_at(Module, _, Clause, Inner, _, _),
        posts(Module, Inner, [Clause|Seen])
    ),
    !.
