:- module(sudoku_diagnosis, []).
:- use_module('../host/clauses', [read_program/3]).
:- use_module('../host/interpreter', [bound/2, finds/1, interpreted/3, within/2]).
:- use_module('../host/repair', [suspect/5]).
:- use_module('../host/runner', [load/1, write_json/2]).
:- use_module('../host/slices', [endless/5, sliced/3]).
:- use_module(grading, [asked/5, goal/5, puzzle/3]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> Why does a Prolog program for sudoku lose a solution?

    swipl -q -f none --no-packs -g sudoku_diagnosis:explain -t halt diagnosis.pl --
          my.pl results sudoku 2000000

The arguments are those of grading.pl, with inferences for one attempt in place of the number of
answers. In the request, the lost solution, right grids, and wrong ones follow the givens:

    request([9, "5 3 0 ...", "5 3 4 ...", ["5 3 4 ...", ...], ["5 5 4 ...", ...]], none)

It writes ["blame", how, why, rows], see interpreted/3 of interpreter.pl, or ["refusal", "unknown", 1, why, []],
as in reasons/lines.py. Another such line is better than the first one. At the end ["likelier", row] may
follow: there, a small change makes the program accept the solution and right grids, and refuse wrong ones.

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
    Asked = asked(Name, Size, Rules, Budget),
    question(Asked, Givens, Solution, Question),
    Last = last(none, none),
    forall(interpreted(Question, Failed, Blame),
           ( told(Out, Blame), nb_setarg(1, Last, Failed), nb_setarg(2, Last, Blame) )),
    (   Last = last(Failed, blame(How, _, Places)),
        memberchk(Failed, [bound,guided]),
        How \== slow,
        ( Failed == bound -> bound(Question, First) ; First = Question ),
        suspect(finds(First), passes(Asked, Question, Right, Wrong), Budget, Places,
                [File,Line,Column,Text])
    ->  write_json(Out, [likelier,
                         [File,Line,Column,Text,"with a small change here, the program accepts this solution"]])
    ;   true
    ).

told(Out, nothing) :-
    write_json(Out, [refusal, unknown, 1, "no goal of the program keeps this solution out", []]).
told(Out, blame(How, Why, Rows)) :-
    write_json(Out, [blame, How, Why, Rows]).

%   Whether a grid is among the answers to a puzzle, as a question of interpreter.pl.

question(asked(Name, Size, Rules, Budget), Givens, Grid, Question) :-
    puzzle(Givens, Size, Rows),
    puzzle(Grid, Size, Wanted),
    goal(Name, Rows, Rules, Goal, _),
    Cells is Size*Size,
    Question = question(user:Goal, Rows, Wanted, cells-Cells, Budget, none).

answers(Asked, Givens, Grid) :-
    question(Asked, Givens, Grid, Question),
    finds(Question).

%   The tests for changes of a program, but the first one, for which a change may have less time.

passes(Asked, Question, Right, Wrong) :-
    Asked = asked(_, _, _, Budget),
    Most is Budget//3,
    forall(member(Grid, Right), within(answers(Asked, Grid, Grid), Most)),
    forall(member(Grid, Wrong), within(\+ answers(Asked, Grid, Grid), Most)),
    within(finds(Question), Most).

accepts :-
    asked(Program, Out, Name, Budget, request([Size, Givens, Kinds], Rules)),
    load(Program),
    Asked = asked(Name, Size, Rules, Budget),
    forall(( member([Kind, Grids], Kinds),
             forall(member(Grid, Grids), within(answers(Asked, Givens, Grid), Budget)) ),
           write_json(Out, [accepts, Kind])).

loop :-
    asked(Program, Out, Name, _, request([Size, Givens], Rules)),
    read_file_to_string(Program, Text, [encoding(utf8)]),
    sliced(user, Program-Text, load(Program)),
    puzzle(Givens, Size, Cells),
    goal(Name, Cells, Rules, Goal, _),
    endless(user, user:Goal, How, Why, Rows),
    write_json(Out, [loop, How, Why, Rows]).
