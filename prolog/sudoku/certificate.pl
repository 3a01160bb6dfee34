:- module(sudoku_certificate,
          [ check_certificate/1         % +File
          ]).
:- use_module(grid, [must_be_grid/3]).
:- use_module(proof, [claim/4, first_refused/3, not_this_grid/3, variable/5]).
:- use_module(library(apply), [include/3, maplist/2, maplist/3]).
:- use_module(library(error), [domain_error/2, must_be/2, type_error/2]).
:- use_module(library(lists), [append/2, append/3, member/2, nth1/3, same_length/2]).
:- use_module(library(readutil), [read_file_to_terms/3]).

/** <module> Checks of answers with a proof

    ?- check_certificate('FILE.pl').

`pylogic-sudoku certify -o FILE.pl PUZZLE` writes such a file. It has one term,
certificate(Rows, Shape, Excluded, Certificate), where Excluded are the placements
Row-Column=Digit that marks exclude. It is read, never loaded. A certificate is one of

  - none(Lemmas)
    The puzzle has no solution.
  - unique(Solution, Lemmas)
    Solution, a full grid, is the only one.
  - several(Solution1, Solution2)
    These are two of its solutions.

A lemma is a list of literals, Row-Column=Digit and Row-Column\=Digit. At least one of
them is true in every solution, other than Solution if there is one. Each lemma follows
by unit propagation from the puzzle and the lemmas before it, and all of them together
lead to a contradiction (see proof.pl).
*/

%!  check_certificate(+File) is det.
%
%   True if the certificate in File proves what it claims of its puzzle. Otherwise this
%   raises an error, which says where, and does not fail.
%
%   @error invalid_certificate(Why). Why is
%
%     - does_not_follow(Number)
%     The lemma with this number, from 1, does not follow.
%     - lemmas_missing(Count)
%     The lemmas all follow, but do not lead to a contradiction.
%     - not_a_solution(Number)
%     The first or second solution is not one.
%     - equal_solutions
%     The two solutions are the same.
%
%   Other errors are type_error, domain_error or instantiation_error if there is no
%   certificate, or as in sudoku/2 for its puzzle, and what read_file_to_terms/3 raises.

check_certificate(File) :-
    read_file_to_terms(File, Terms, [encoding(utf8)]),
    (   subsumes_term([certificate(_, _, _, _)], Terms)
    ->  Terms = [certificate(Rows, Shape, Excluded, Certificate)]
    ;   domain_error(certificate_file, File)
    ),
    must_be_grid(Rows, Shape, Size),
    must_be_different(Rows),
    must_be_certificate(Certificate, Shape, Solutions, Lemmas),
    must_be(list, Excluded),
    maplist(placement_variable(Size), Excluded, Marks),
    maplist(lemma_clause(Size), Lemmas, Clauses),
    unit_clauses(Size, Rows, Givens),
    findall([Literal], ( member(Mark, Marks), Literal is -Mark ), Facts, Givens),
    (   refusal(Solutions, Clauses, puzzle(Size, Shape, Facts), Why)
    ->  throw(error(invalid_certificate(Why), _))
    ;   true
    ).

must_be_different(Rows) :-
    append(Rows, Cells),
    include(var, Cells, Empty),
    term_variables(Empty, Variables),
    (   same_length(Empty, Variables)
    ->  true
    ;   domain_error(different_variables, Empty)
    ).

must_be_certificate(Certificate, Shape, Solutions, Lemmas) :-
    must_be(nonvar, Certificate),
    (   parts(Certificate, Solutions, Lemmas)
    ->  must_be(list, Lemmas)
    ;   type_error(certificate, Certificate)
    ),
    forall(member(Solution, Solutions),
           ( must_be(list, Solution), must_be_grid(Solution, Shape, _) )).

parts(none(Lemmas), [], Lemmas).
parts(unique(Solution, Lemmas), [Solution], Lemmas).
parts(several(Solution1, Solution2), [Solution1,Solution2], []).

%   Why Solutions, up to two, and Clauses do not prove that there is no other solution of the
%   puzzle, or that there are several. Propagation sees it if the digits of a full grid
%   contradict the puzzle.

refusal(Solutions, _, Puzzle, not_a_solution(Number)) :-
    nth1(Number, Solutions, Solution),
    \+ ( ground(Solution),
         Puzzle = puzzle(Size, _, _),
         unit_clauses(Size, Solution, Filled),
         refused(Puzzle, Filled, [], 0) ),
    !.
refusal([Solution,Solution], _, _, equal_solutions) :-
    !.
refusal(Solutions, Clauses, Puzzle, Why) :-
    Solutions \= [_,_],
    Puzzle = puzzle(Size, _, _),
    maplist(append, Solutions, Digits),
    maplist(not_this_grid(Size), Digits, Another),
    refused(Puzzle, Another, Clauses, Refused),
    integer(Refused),
    (   length(Clauses, Refused)
    ->  Why = lemmas_missing(Refused)
    ;   Number is Refused + 1,
        Why = does_not_follow(Number)
    ).

refused(puzzle(_, Shape, Facts), More, Lemmas, Refused) :-
    append(Facts, More, Clauses),
    claim(Shape, [cells,house(_, _)], Clauses, Claim),
    first_refused(Claim, Lemmas, Refused).

unit_clauses(Size, Rows, Clauses) :-
    append(Rows, Digits),
    not_this_grid(Size, Digits, Opposites),
    findall([Literal], ( member(Opposite, Opposites), Literal is -Opposite ), Clauses).

lemma_clause(Size, Lemma, Clause) :-
    must_be(list, Lemma),
    maplist(said_literal(Size), Lemma, Clause).

said_literal(Size, Said, Literal) :-
    (   subsumes_term(_\=_, Said)
    ->  Said = (Cell\=Digit),
        placement_variable(Size, Cell=Digit, Variable),
        Literal is -Variable
    ;   placement_variable(Size, Said, Literal)
    ).

placement_variable(Size, Placement, Variable) :-
    (   subsumes_term(_-_=_, Placement)
    ->  Placement = (Row-Column=Digit),
        maplist(must_be(between(1, Size)), [Row,Column,Digit]),
        variable(Size, Row, Column, Digit, Variable)
    ;   type_error(placement, Placement)
    ).

:- multifile prolog:error_message//1.

prolog:error_message(invalid_certificate(Why)) -->
    [ 'not a proof of the claim: ' ],
    sudoku_certificate:why(Why).

why(does_not_follow(Number)) -->
    [ 'lemma ~d does not follow'-[Number] ].
why(lemmas_missing(Count)) -->
    [ 'its lemmas (~d) follow, but do not lead to a contradiction: some are missing'-[Count] ].
why(not_a_solution(Number)) -->
    [ 'solution ~d is not a solution of the puzzle'-[Number] ].
why(equal_solutions) -->
    [ 'the two solutions are the same grid' ].
