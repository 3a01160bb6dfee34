:- module(sudoku_questions, [digits_rows/3, rules/2, shape/2]).
:- use_module('../sudoku', []).
:- use_module('../host/bridge', [defines/3]).
:- use_module(grid, [grid_cell/4, shape_size/2]).
:- autoload(consistent, [consistent/4, must_follow/3]). % these are loaded before their questions
:- autoload(proof, [claim/4, first_refused/3, not_this_grid/3, variable/5]).
:- autoload(trace, [cells/3]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3]).
:- use_module(library(clpfd)).
:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/2, member/2]).

/** <module> What Python asks about a sudoku

Digits go in and out as one flat list of n*n integers, row by row, 0 for an empty cell. A shape is a pair
Height-Width of a box, or n rows of labels of regions. Rules beyond plain sudoku are one text, a list of
terms, with the module of each custom one. A placement is a list [Row,Column,Digit].

What is posed is puzzle(Program, Digits, Shape, Rules, Excluded): a sudoku, which is to be solved by a
program without the placements Excluded. A solution is the list of its digits.
*/

:- multifile
    pls_bridge:posed/4,
    pls_bridge:pairs/3,
    pls_bridge:left_list/3,
    pls_bridge:placement/2,
    pls_bridge:asked/2,
    pls_bridge:program/3,
    pls_bridge:tools/2.

pls_bridge:program(sudoku, [sudoku/1, sudoku/2], sudoku).

%   The clause for a kind of rules.

pls_bridge:tools(rule, sudoku_prompt).

pls_bridge:posed(puzzle(Program, Digits, Shape, Rules, Excluded), rows(Rows), Goal, Cells) :-
    puzzle_goal(puzzle(Program, Digits, Shape, Rules, Excluded), Cells, Rows, Goal0),
    Goal = ( Goal0, sudoku_questions:must_be_filled(Cells) ).

pls_bridge:pairs(rows(Rows), Pairs, Before) :-
    cells(Rows, Pairs, Before).

%   The sets of digits of the cells, each an integer with bit D for digit D.

pls_bridge:left_list(rows(_), Left, Sets) :-
    maplist(digit_set, Left, Sets).

digit_set(_-Digits, Set) :-
    foldl(with_digit, Digits, 0, Set).

with_digit(Digit, Set0, Set) :-
    Set is Set0 \/ 1 << Digit.

pls_bridge:placement((Row-Column)-Digit, [Row,Column,Digit]).

%   Goal is how the program of a puzzle finds a solution, after Excluded are posted. Cells are all cells
%   of the grid Rows.

puzzle_goal(puzzle(Program0, Digits, Shape0, Text, Excluded), Cells, Rows, Goal) :-
    digits_rows(Digits, Cells, Rows),
    shape(Shape0, Shape),
    atom_string(Program, Program0),
    (   Program == sudoku
    ->  rules(Text, Rules),
        Solves = sudoku:sudoku(Rows, Shape, Rules)
    ;   defines(Program, sudoku/2, sudoku)
    ->  Solves = Program:sudoku(Rows, Shape)
    ;   Solves = Program:sudoku(Rows)
    ),
    Goal = ( maplist(sudoku_questions:exclude(Rows), Excluded), Solves ).

exclude(Rows, [Row,Column,Digit]) :-
    grid_cell(Rows, Row, Column, Cell),
    Cell #\= Digit.

must_be_filled(Cells) :-
    (   ground(Cells)
    ->  true
    ;   throw(error(instantiation_error, context(_, 'the program leaves cells open')))
    ).

%   Other questions are about demands(Shape, Demands, Rules, Holds, Excluded), where Demands are lists
%   [Name|Arguments], and Rules are those beyond plain sudoku that must be obeyed. For them consistent.pl
%   and proof.pl are loaded, too.
%
%   - consistent(Demands)
%     Answer is [1] if some placements obey them, with all of Holds and none of Excluded.
%   - first_refused(Demands, RuleClauses, Solution, Lemmas)
%     Answer is [N] if N is the number, from 0, of the first of Lemmas that does not follow, or the
%     number of Lemmas if they lack one. Fails if they prove that nothing but Solution obeys the
%     demands. RuleClauses has for each of the rules a list of clauses that follow from it. Solution
%     is a flat list of digits, or [] if there is none.

pls_bridge:asked(consistent(demands(Shape0, Lists, Text, Holds, Excluded)), [1]) :-
    shape(Shape0, Shape),
    maplist(=.., Demands0, Lists),
    rules(Text, Rules),
    findall(rule(Rule), member(Rule, Rules), Demands, Demands0),
    consistent(Shape, Demands, Holds, Excluded).
pls_bridge:asked(first_refused(Demands, RuleClauses, Solution, Lemmas), [Refused]) :-
    claim_of(Demands, RuleClauses, Solution, Claim),
    first_refused(Claim, Lemmas, Refused),
    Refused \== none.

claim_of(demands(Shape0, Lists, Text, Holds, Excluded), RuleClauses, Solution, Claim) :-
    shape(Shape0, Shape),
    shape_size(Shape, Size),
    maplist(=.., Demands, Lists),
    rules(Text, Rules),
    maplist(must_follow(Shape), Rules, RuleClauses),
    findall(Clause,
            (   member(Clauses, RuleClauses), member(Clause, Clauses)
            ;   (   member([Row,Column,Digit], Holds), Sign = 1
                ;   member([Row,Column,Digit], Excluded), Sign = -1
                ),
                variable(Size, Row, Column, Digit, Variable),
                Literal is Sign * Variable,
                Clause = [Literal]
            ;   Solution = [_|_], not_this_grid(Size, Solution, Clause)
            ),
            AllClauses),
    claim(Shape, Demands, AllClauses, Claim).

shape(Height-Width, Height-Width) :- !.
shape(Labels, regions(Labels)).

rules(Text, Rules) :-
    (   atom_length(Text, 0)
    ->  Rules = []
    ;   term_to_atom(Rules, Text)
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
