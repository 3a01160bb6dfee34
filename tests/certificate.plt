:- module(test_certificate, []).

/*  Tests of prolog/sudoku/certificate.pl and proof.pl. Run them with

        swipl -g run_tests -t halt tests/certificate.plt
*/

:- use_module(library(plunit)).
:- use_module(library(lists), [member/2, nth1/4]).
:- use_module('../prolog/sudoku_prompt').
:- use_module('../prolog/sudoku/proof').

:- begin_tests(check_certificate).

checked(Text) :-
    setup_call_cleanup(
        ( tmp_file_stream(File, Stream, [encoding(utf8)]),
          write(Stream, Text),
          close(Stream) ),
        check_certificate(File),
        delete_file(File)).

checked(Puzzle, Certificate) :-
    format(string(Text), "% a comment~ncertificate(~s, ~q).~n", [Puzzle, Certificate]),
    checked(Text).

small("[[4,_,_,_],[_,_,_,3],[_,_,_,1],[3,_,_,_]], 2-2, []").

%   A puzzle whose proof needs all its lemmas.

pair("[[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]], 2-2,
      [2-2=2,2-3=1,2-3=2,3-4=3,3-4=4,4-4=3,4-4=4]", [[2-4\=1],[2-4\=2],[1-4\=1]]).

test(right, [forall(member(Puzzle-Certificate,
         [ "[[4,_,_,_],[_,_,_,3],[_,_,_,1],[3,_,_,_]], 2-2, []"
           -unique([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,2,4]], [[1-1=4,1-2\=2],[1-2=3]]),
           "[[1,1],[_,_]], 1-2, []"-none([]),
           "[[_,_],[_,_]], 1-2, []"-several([[1,2],[2,1]], [[2,1],[1,2]]),
           "[[_,_],[_,_]], 1-2, [2-2=1]"-unique([[2,1],[1,2]], []),
           "[[_,_],[_,_]], regions([[a,a],[b,b]]), [2-2=1,1-2=1]"-none([]) ]))]) :-
    checked(Puzzle, Certificate).
test(lemmas) :-
    pair(Puzzle, Lemmas),
    checked(Puzzle, none(Lemmas)).
test(each_lemma_is_needed, [forall(member(Number, [1,2,3])), error(invalid_certificate(_))]) :-
    pair(Puzzle, Lemmas),
    nth1(Number, Lemmas, _, Others),
    checked(Puzzle, none(Others)).
test(wrong, [forall(member(Certificate-Error,
         [ none([])-invalid_certificate(lemmas_missing(0)),
           none([[1-2\=3]])-invalid_certificate(does_not_follow(1)),
           none([[1-2=3],[1-2\=3]])-invalid_certificate(does_not_follow(2)),
           none([[1-2=3,2-2=2]])-invalid_certificate(lemmas_missing(1)),
           unique([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,4,2]], [])-invalid_certificate(not_a_solution(1)),
           unique([[2,3,1,4],[1,4,2,3],[4,2,3,1],[3,1,4,2]], [])-invalid_certificate(not_a_solution(1)),
           unique([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,_,4]], [])-invalid_certificate(not_a_solution(1)),
           several([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,2,4]], [[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,2,4]])
           -invalid_certificate(equal_solutions),
           several([[4,3,1,2],[1,2,4,3],[2,4,3,1],[3,1,2,4]], [[2,3,1,4],[1,4,2,3],[4,2,3,1],[3,1,4,2]])
           -invalid_certificate(not_a_solution(2)),
           _-instantiation_error,
           foo-type_error(certificate, foo),
           none-type_error(certificate, none),
           none(foo)-type_error(list, foo),
           none([foo])-type_error(list, foo),
           none([[foo]])-type_error(placement, foo),
           none([[_]])-type_error(placement, _),
           none([[a-1=1]])-type_error(_, a),
           none([[1-1=1,1-5\=1]])-type_error(between(1, 4), 5),
           unique(_, [])-instantiation_error,
           unique([[1]], [])-domain_error(box_of_cells(1), 2-2),
           several([[1]], [[1]])-domain_error(box_of_cells(1), 2-2) ])),
     error(Error)]) :-
    small(Puzzle),
    checked(Puzzle, Certificate).
test(no_certificate, [forall(member(Text-Error,
         [ ""-domain_error(certificate_file, _),
           "certificate([[_,_],[_,_]], 1-2, [], none([])). foo."-domain_error(certificate_file, _),
           "_."-domain_error(certificate_file, _),
           ":- halt."-domain_error(certificate_file, _),
           "certificate([[_,_],[_,_]], 1-2, [], none([[1-1"-syntax_error(_),
           "certificate([[_],[_],[_],[_]], 2-2, [], none([]))."-domain_error(row_of_cells(4), [_]),
           "certificate([[_,_],[_,_]], 1-2, [1-1\\=1], none([]))."-type_error(placement, _),
           "certificate([[_,X],[X,_]], 1-2, [], none([]))."-domain_error(different_variables, _),
           "certificate([[_,_],[_,_]], 1-2, [1-1=1], unique([[1,2],[2,1]], []))."
           -invalid_certificate(not_a_solution(1)) ])),
     error(Error)]) :-
    checked(Text).
test(no_file, error(existence_error(_, 'no such file'))) :-
    check_certificate('no such file').

:- end_tests(check_certificate).

:- begin_tests(messages).

test(every_refusal, [forall(member(Why, [ does_not_follow(3), lemmas_missing(3), not_a_solution(1),
                                          equal_solutions ])),
                     Start == 'not a proof of the claim: ']) :-
    phrase(prolog:error_message(invalid_certificate(Why)), [Start,_]).

:- end_tests(messages).

:- begin_tests(proof).

test(no_demand, error(domain_error(rule, twice(1)))) :-
    claim(2-2, [twice(1)], [], _).
test(no_literal, [forall(member(Literal, [0,65,-65])), error(domain_error(literal(64), Literal))]) :-
    claim(2-2, [cells], [[1,Literal]], _).
test(no_lemma, error(type_error(_, _))) :-
    claim(2-2, [cells], [], Claim),
    first_refused(Claim, [[a]], _).

:- end_tests(proof).
