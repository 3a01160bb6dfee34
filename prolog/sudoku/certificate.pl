:- module(sudoku_certificate,
          [ check_certificate/1,        % +File
            check_certificate/2,        % +Rows, +Certificate
            check_certificate/3         % +Rows, +Shape, +Certificate
          ]).
:- use_module(grid, [grid_cell/4, must_be_grid/3, square_box/2]).
:- use_module(proof, [claim/4, first_refused/3, variable/5]).
:- use_module(library(apply), [include/3, maplist/2, maplist/3]).
:- use_module(library(error), [domain_error/2, must_be/2, type_error/2]).
:- use_module(library(lists), [append/2, append/3, member/2, nth1/3]).
:- use_module(library(readutil), [read_file_to_terms/3]).

/** <module> Checks of answers with a proof

    ?- check_certificate('FILE.pl').
    ?- problem(small, Rows),
       check_certificate(Rows, unique([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,2,4]], [])).

`pylogic-sudoku certify -o FILE.pl PUZZLE` writes such a file. A certificate is one of

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

A certificate is about givens, houses, and marks, which are domains of empty cells such
as `A in 1\/3`. Other constraints and rules beyond plain sudoku are refused.

A file has one term, certificate(Rows, Shape, Excluded, Certificate), where Excluded are the
placements Row-Column=Digit that marks exclude. It is read, never loaded.
*/

%!  check_certificate(+Rows, +Certificate) is det.
%!  check_certificate(+Rows, +Shape, +Certificate) is det.
%!  check_certificate(+File) is det.
%
%   True if Certificate, or the one in File with its puzzle, proves what it claims.
%   Otherwise this raises an error, which says where, and does not fail.
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
%   Other errors are type_error, domain_error or instantiation_error if Certificate is not
%   one, or as in sudoku/2 for Rows, and permission_error if the cells have constraints other
%   than domains; for a file, also what read_file_to_terms/3 raises.

check_certificate(File) :-
    read_file_to_terms(File, Terms, [encoding(utf8)]),
    (   subsumes_term([certificate(_, _, _, _)], Terms)
    ->  Terms = [certificate(Rows, Shape, Excluded, Certificate)],
        puzzle(Rows, Shape, Excluded, Puzzle),
        must_prove(Certificate, Puzzle)
    ;   domain_error(certificate_file, File)
    ).

check_certificate(Rows, Certificate) :-
    square_box(Rows, Shape),
    check_certificate(Rows, Shape, Certificate).

check_certificate(Rows, Shape, Certificate) :-
    puzzle(Rows, Shape, Puzzle),
    must_prove(Certificate, Puzzle).

must_prove(Certificate, Puzzle) :-
    certificate_parts(Certificate, Puzzle, Solutions, Lemmas),
    Puzzle = puzzle(Size, _, _),
    maplist(lemma_clause(Size), Lemmas, Clauses),
    verdict(Puzzle, Solutions, Clauses, Verdict),
    (   Verdict == proved
    ->  true
    ;   throw(error(invalid_certificate(Verdict), _))
    ).

certificate_parts(Certificate, puzzle(_, Shape, _), Solutions, Lemmas) :-
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

%   Verdict is `proved`, or why Solutions, up to two, and Clauses do not prove that
%   there is no other solution, or that there are several.

verdict(Puzzle, Solutions, Clauses, Verdict) :-
    Puzzle = puzzle(Size, _, _),
    (   nth1(Number, Solutions, Solution),
        \+ is_solution(Solution, Puzzle)
    ->  Verdict = not_a_solution(Number)
    ;   Solutions = [Solution1,Solution2]
    ->  (   Solution1 == Solution2
        ->  Verdict = equal_solutions
        ;   Verdict = proved
        )
    ;   maplist(not_this_grid(Size), Solutions, Another),
        claim_of(Puzzle, Another, OtherClaim),
        first_refused(OtherClaim, Clauses, Refused),
        verdict_on_lemmas(Refused, Clauses, Verdict)
    ).

verdict_on_lemmas(none, _, Verdict) =>
    Verdict = proved.
verdict_on_lemmas(Count, Clauses, Verdict), length(Clauses, Count) =>
    Verdict = lemmas_missing(Count).
verdict_on_lemmas(Refused, _, Verdict) =>
    Number is Refused + 1,
    Verdict = does_not_follow(Number).

%   Propagation sees it if the digits of all cells contradict the puzzle.

is_solution(Rows, Puzzle) :-
    ground(Rows),
    Puzzle = puzzle(Size, _, _),
    digits_variables(Rows, Size, Variables),
    findall([Variable], member(Variable, Variables), Clauses),
    claim_of(Puzzle, Clauses, Claim),
    first_refused(Claim, [], 0).

not_this_grid(Size, Rows, Clause) :-
    digits_variables(Rows, Size, Variables),
    findall(Literal, ( member(Variable, Variables), Literal is -Variable ), Clause).

%   A puzzle is puzzle(Size, Shape, Facts). Facts are clauses of one literal.

claim_of(puzzle(_, Shape, Facts), Clauses, Claim) :-
    append(Facts, Clauses, AllClauses),
    claim(Shape, [cells,house(_, _)], AllClauses, Claim).

puzzle(Rows, Shape, Puzzle) :-
    must_be_grid(Rows, Shape, Size),
    findall(Row-Column=Digit,
            ( grid_cell(Rows, Row, Column, Cell),
              var(Cell),
              between(1, Size, Digit),
              \+ Cell = Digit ),
            Excluded),
    puzzle(Rows, Shape, Excluded, Puzzle).

puzzle(Rows, Shape, Excluded, puzzle(Size, Shape, Facts)) :-
    must_be_grid(Rows, Shape, Size),
    must_have_domains_only(Rows),
    must_be(list, Excluded),
    digits_variables(Rows, Size, Givens),
    maplist(placement_variable(Size), Excluded, Marks),
    findall([Literal],
            (   member(Literal, Givens)
            ;   member(Mark, Marks),
                Literal is -Mark
            ),
            Facts).

must_have_domains_only(Rows) :-
    append(Rows, Cells),
    include(var, Cells, Empty),
    copy_term(Empty, Copies, Goals),
    (   member(Goal, Goals),
        Goal \= clpfd:in(_, _)
    ->  refuse_constraint(Goal)
    ;   append(_, [Cell|Others], Copies),
        member(Other, Others),
        Cell == Other
    ->  refuse_constraint(Cell=Other)
    ;   true
    ).

refuse_constraint(Goal) :-
    throw(error(permission_error(certify, constraint, Goal),
                context(_, 'a certificate is about givens, houses and marks, such as A in 1\\/3'))).

digits_variables(Rows, Size, Variables) :-
    findall(Variable,
            ( grid_cell(Rows, Row, Column, Digit),
              integer(Digit),
              placement_variable(Size, Row-Column=Digit, Variable) ),
            Variables).

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
