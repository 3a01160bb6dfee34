"""Programs in Prolog graded on goals: the file of the cases, the solutions, and the reports."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest
from helpers import command_line
from helpers.processes import PATIENCE

from benchmarks import goals_graded
from pylogic_sudoku import InvalidProblem
from pylogic_sudoku.check import Grader, Verdict, grade, handout
from pylogic_sudoku.check.folder import settings_in
from pylogic_sudoku.check.goals import Goal, GoalAnswers, Solution, goals_of
from pylogic_sudoku.check.programs import Attempt
from pylogic_sudoku.errors import InvalidPuzzle
from pylogic_sudoku.problem.folder import Problem

REFERENCE = """\
% A list is sorted. SECRET
qsort(L, S) :- msort(L, S).
splits(X, Y, L) :- append(X, Y, L).
nat(0).
nat(N) :- nat(M), N is M+1.
double(X, Y) :- Y is X*2.
"""
RIGHT = """\
qsort([], []).
qsort([H|T], S) :- qsort(T, R), ins(H, R, S).
ins(X, [], [X]).
ins(X, [Y|T], [X,Y|T]) :- X =< Y.
ins(X, [Y|T], [Y|R]) :- X > Y, ins(X, T, R).
splits([], L, L).
splits([H|T], R, [H|L]) :- splits(T, R, L).
nat(0).
nat(N) :- nat(M), N is M+1.
double(X, Y) :- Y is X+X.
"""


def goal(text: str = "p(X)", *expected: str, **more: object) -> Goal:
    return Goal("it", text, kind="solutions", expected=expected, **more)  # type: ignore[arg-type]


@pytest.fixture
def exercise(tmp_path):
    """Writes the folder of an exercise with these cases."""

    def write(cases: str, reference: str = REFERENCE, name: str = "cases.pl") -> Problem:
        folder = tmp_path / "lists"
        folder.mkdir()
        (folder / name).write_text(cases, encoding="utf-8")
        if reference:
            (folder / "lists.pl").write_text(reference, encoding="utf-8")
        return Problem(folder)

    return write


@pytest.fixture
def graded(tmp_path, exercise):
    """Grades a program on cases."""

    def of(
        program: str, cases: str, reference: str = REFERENCE, **more: object
    ) -> dict[str, Verdict]:
        path = tmp_path / "my.pl"
        path.write_text(program, encoding="utf-8")
        problem = exercise(cases, reference)
        settings = {"problem": problem, "timeout": PATIENCE, **more}
        return {each.instance: each for each in grade(path, (), **settings)}

    return of


# --- values ---


def test_solutions_are_a_multiset_by_default_a_set_or_in_order():
    assert goal().solutions(["a", "b", "a"]) == [
        *(Solution("a", 1), Solution("b", 1), Solution("a", 2))
    ]
    assert set(goal(counting="set").solutions(["a", "b", "a"])) == {Solution("a"), Solution("b")}
    assert goal(counting="ordered").solutions(["a", "a"]) == [Solution("a", 1), Solution("a", 2)]


@pytest.mark.parametrize(
    ("counting", "right", "wrong", "words"),
    [
        ("", ["X=1"], Solution("X=1", 2), "it should come once"),
        ("", ["X=1", "X=1"], Solution("X=1", 3), "it should come 2 times"),
        ("", [], Solution("X=1"), "it should fail"),
        ("ordered", ["X=1", "X=2"], Solution("X=2", 1), "solution 1 should be X=1"),
        ("set", ["X=1"], Solution("X=3"), ""),
    ],
)
def test_what_is_wrong_with_a_solution(counting, right, wrong, words):
    asked = goal(counting=counting)
    answers = GoalAnswers(asked, frozenset(asked.solutions(right)), True, "cases.pl")
    _, fault = answers.worst([Attempt(wrong)])
    assert (fault.words if fault else "") == words


def test_a_case_as_a_fact():
    assert goal("p(X)", "X=1", "X=2").source == "case(it, p(X), [X=1, X=2]).\n"
    assert goal("p(X),q", "X=1, Y=2").source == "case(it, (p(X),q), [(X=1, Y=2)]).\n"
    assert goal("p", first=3, counting="ordered").source == "fails(it, p).\n"
    assert Goal("It's", "p(X)", first=2).source == "case('It\\'s', p(X), _, [first(2)]).\n"


# --- the file ---

CASES = """\
:- op(700, xfx, ===>).
case(sort3, qsort([3,1,2], S)).
case(splits, append(X, Y, [1]), [(X = [], Y = [1]), (Y = [], X = [1])]).
case('It''s', p("str", 'A b', 12345678901234567890123, a ===> b), [true], [det, inferences(5)]).
case(alias, p(X, Y, _Z), [X = Y], set).
case(variables, p(X), [X = f(A, _, A)]).
case(domain, d(X), [X in 1..3]).
fails(none, member(_, [])).
throws(no_number, foo(a), error(type_error(_, foo), _)).
:- begin_tests(lists).
test(len, X == 2) :- mylen([a,b], X).
test(each, all(X-Y == [1-2,2-3])) :- p(X, Y).
test(sum, [true(Y =:= 3), nondet]) :- bar(X), Y is X+1.
test(f, fail) :- bar(_).
test(e, error(type_error(_, _))) :- bar(a).
test(slow, [setup(foo)]) :- bar(1).
helper(1).
:- end_tests(lists).
"""


def test_the_cases_in_a_file(exercise):
    goals = {each.name: each for each in goals_of(exercise(CASES))}
    shown = {name: (each.text, each.kind, each.expected) for name, each in goals.items()}
    assert shown == {
        "sort3": ("qsort([3,1,2],S)", "reference", ()),
        "splits": ("append(X,Y,[1])", "solutions", ("X=[], Y=[1]", "X=[1], Y=[]")),
        "It's": ("p(\"str\",'A b',12345678901234567890123,===>(a,b))", "solutions", ("true",)),
        "alias": ("p(X,Y,_Z)", "solutions", ("Y=X",)),
        "variables": ("p(X)", "solutions", ("X=f(_1,_,_1)",)),
        "domain": ("d(X)", "solutions", ("X in 1..3",)),
        "none": ("member(_,[])", "solutions", ()),
        "no_number": ("foo(a)", "error", ("error(type_error(_,foo),_)",)),
        "len": ("mylen([a,b],X)", "solutions", ("X=2",)),
        "each": ("p(X,Y)", "solutions", ("X=1, Y=2", "X=2, Y=3")),
        "sum": ("(once((bar(__X),__Y is __X+1)),__Y=:=3)", "solutions", ("true",)),
        "f": ("bar(_)", "solutions", ()),
        "e": ("bar(a)", "error", ("error(type_error(_,_),_)",)),
    }
    its = goals["It's"]
    assert (its.choice_points, its.inferences, goals["alias"].counting) == ("det", 5, "set")
    assert (goals["len"].first, goals["each"].counting) == (1, "ordered")
    warning = goals["sort3"].warning
    assert "cases.pl:16: test slow, which has the option setup(foo)" in warning
    assert "cases.pl:17: helper/1" in warning


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ("case(a, p(X), X = 1).", ("X=1",)),
        ("case(a, p(X, Y), (X = 1, Y = [2])).", ("X=1, Y=[2]",)),
        ("case(a, p(1), true).", ("true",)),
    ],
)
def test_a_single_solution_needs_no_list(exercise, cases, expected):
    (found,) = goals_of(exercise(cases))
    assert (found.kind, found.expected) == ("solutions", expected)


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ("case(a, p(X), [1]).", "cases.pl:1: 1 is not a solution; write what the prompt prints"),
        ("\ncase(a, p(X), 1).", "cases.pl:2: 1 is not a solution; write [X=1]"),
        ("case(a, p(X), (X = 1 ; X = 2 ; X = 3)).", "is not a solution; write [X=1,X=2,X=3]"),
        ("case(a, p(X), false).", "cases.pl:1: false is not a solution; write []"),
        ("case(a, p(X), first(1)).", "first(1) is an option; write the solutions before it, or _"),
        (
            "case(a, p(X), [X = 1|_]).",
            "is not a solution; write a list of solutions, such as [X = 1",
        ),
        ("case(a, p(X, Y), 1).", "1 is not a solution; write a list of solutions, such as [X = 1"),
        ("case(a, p(X), [X = 1], [sorted]).", "there is no option sorted here"),
        ("case(a, p(X), [X = 1, X = 2], first(1)).", "there are 2 solutions, and first(1)"),
        ("case(a, p(X), _, [set, ordered]).", "either a set or ordered"),
        ("case(a, p(X)) :- q(X).", "a case has no body"),
        ("case(a, p(X).", "cases.pl:1: syntax error"),
        ("throws(a, p(X), _).", "any error would do"),
        ("helper(1).", "there is no case"),
    ],
)
def test_mistakes_in_the_file_are_named_with_their_lines(exercise, cases, words):
    with pytest.raises(InvalidProblem) as caught:
        goals_of(exercise(cases))
    assert words in str(caught.value)


# --- verdicts ---


def test_right_programs_pass_and_wrong_ones_are_told_why(graded):
    found = graded(
        "qsort(L, S) :- msort(L, S).\nqsort(L, L).\n",
        "case(sort, qsort([2,1], S)).\ncase(same, qsort([1], S), [S = [1]], set).\n",
    )
    assert found["same"].passed
    sort = found["sort"]
    assert (sort.way, sort.extra, str(sort.extra_answer)) == ("wrong", 1, "S=[2,1]")


@pytest.mark.slow
def test_a_right_program_passes_each_kind_of_case(graded):
    cases = """\
case(sort3, qsort([3,1,2], S)).
case(ends, splits(X, Y, [a]), [(X = [], Y = [a]), (X = [a], Y = [])]).
case(join, splits([1], [2], L), [L = [1,2]], det).
case(prefix, splits([1], R, [1|T]), [T = R]).
case(many, nat(N), _, first(3)).
case(twice, member(X, [1,1]), [X = 1, X = 1]).
fails(none, qsort([1], [])).
throws(no_number, double(a, _), error(type_error(_, _), _)).
case(derived_error, double(a, _)).
case(text, double("1", _), _).
test(two, X == 4) :- double(2, X).
"""
    found = graded(RIGHT, cases)
    assert {name: each.message for name, each in found.items() if not each.passed} == {}
    assert found["sort3"].message == "it leaves a choice point after its last solution"
    assert found["two"].message == found["many"].message == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "case", "way", "words"),
    [
        ("p(1).\np(2).\n", "case(a, p(X), [X = 1, X = 2, X = 3]).", "missing", "X=3"),
        ("p(1).\np(1).\n", "case(a, p(X), [X = 1]).", "wrong", "it should come once"),
        ("p(2).\np(1).\n", "case(a, p(X), [X = 1, X = 2], ordered).", "wrong", "should be X=1"),
        ("p(1).\n", "fails(a, p(_)).", "wrong", "it should fail"),
        ("p(_) :- fail.\n", "case(a, p(X), [X = 1]).", "nothing", "has no answer"),
        ("p(_).\n", "throws(a, p(_), error(type_error(_, _), _)).", "wrong", "throw an error"),
        ("p(_) :- throw(no).\n", "throws(a, p(_), error(type_error(_, _), _)).", "wrong", "throw"),
        ("p(_) :- throw(no).\n", "throws(a, p(_), no).", "", ""),
        ("p(X) :- X > a.\n", "case(a, p(1), [true]).", "error", "my.pl:1"),
        ("p(X) :- p(X).\n", "case(a, p(1), [true]).", "timeout", "it does not end"),
        ("q(1).\n", "case(a, p(1), [true]).", "error", "there is no predicate p/1"),
        ("p(1).\np(_) :- fail.\n", "case(a, p(X), [X = 1], det).", "wrong", "a choice point"),
        ("p(1).\np(_) :- fail.\n", "case(a, p(X), [X = 1]).", "", "a choice point"),
        ("p(1).\np(_) :- fail.\n", "case(a, p(X), [X = 1], nondet).", "", ""),
        ("p(a).\n", 'case(a, p(X), [X = "a"]).', "wrong", "X=a"),
        ("p(f(A,B,A)) :- B = A.\n", "case(a, p(X), [X = f(A,_,A)]).", "wrong", "X=f(_1,_1,_1)"),
        (
            ":- use_module(library(clpfd)).\np(X) :- X in 1..3.\n",
            ":- use_module(library(clpfd)).\ncase(a, p(X), [X in 1..3]).",
            *("", ""),
        ),
        (
            ":- use_module(library(clpfd)).\np(X) :- X in 1..3.\n",
            "case(a, p(X), [X = 1, X = 2, X = 3]).",
            *("wrong", "X in 1..3"),
        ),
    ],
)
def test_verdicts(tmp_path, graded, program, case, way, words):
    (found,) = graded(program, case + "\n", reference="").values()
    assert found.way == way
    text = f"{found.message} {found.rule} {found.missing_answer} {found.extra_answer}"
    assert words in text
    assert words or not found.message


@pytest.mark.slow
def test_the_reference_must_agree_with_the_case(graded):
    found = graded(RIGHT, "case(a, double(2, X), [X = 5]).\ncase(b, nat(X)).\n", limit=3)
    assert {each.way for each in found.values()} == {"ungraded"}
    assert "cases.pl:1: the reference has X=4, not what the case says" in found["a"].message
    assert "write first(N) in the case" in found["b"].message


@pytest.mark.slow
def test_the_teachers_file_serves_the_reference_and_nothing_of_it_is_shown(tmp_path, exercise):
    problem = exercise("case(a, sorted(S)).\n", "qsort(L, S) :- msort(L, S).\n")
    (problem.folder / "adapter.pl").write_text("sorted(S) :- qsort([2,1], S).\n", "utf-8")
    program = tmp_path / "my.pl"
    program.write_text("qsort(L, L).\n", "utf-8")
    (found,) = grade(program, (), problem=problem, timeout=PATIENCE)
    assert (found.way, str(found.missing_answer)) == ("wrong", "S=[1,2]")
    assert "adapter" not in repr(found.message)


@pytest.mark.slow
def test_an_exercise_with_hidden_cases_and_points(tmp_path, exercise):
    folder = exercise("case(a, double(1, X)).\ncase(b, double(2, X)).\n").folder
    (folder / "exercise.toml").write_text('hidden = ["b"]\n[points]\na = 2\nb = 3\n', "utf-8")
    program = tmp_path / "my.pl"
    program.write_text("double(1, 2).\ndouble(2, 5).\n", "utf-8")
    reports = [f"--report={form}={tmp_path / form}" for form in ("junit", "html", "gradescope")]
    done = command_line.run("check", "-e", program, "-i", folder, *reports, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "points: 2/5" in done.stdout
    texts = [done.stdout, *(Path(tmp_path, each.split("=")[-1]).read_text() for each in reports)]
    for text in texts:
        assert "hidden 1" in text
        assert "double(2" not in text
        assert "SECRET" not in text
    told = command_line.run("check", "-e", program, "-i", folder, "-f", "json", "--show-hidden")
    records = [json.loads(line) for line in told.stdout.splitlines()]
    assert (records[1]["extra_answer"], records[1]["missing_answer"]) == ("X=5", "X=4")


@pytest.mark.slow
def test_a_hidden_case_that_is_not_there_is_named(exercise):
    folder = exercise("case(a, double(1, X)).\n").folder
    (folder / "exercise.toml").write_text('hidden = ["c"]\n', "utf-8")
    with pytest.raises(InvalidPuzzle, match="there is no case 'c'"):
        settings_in(folder)


def test_programs_for_clingo_are_refused(tmp_path, exercise):
    program = tmp_path / "my.lp"
    program.write_text("a.\n", "utf-8")
    grader = Grader(problem=exercise("case(a, p, [true]).\n"))
    with pytest.raises(ValueError, match="not a program in Prolog"):
        grader.program(program)


# --- lines ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "case", "line", "words"),
    [
        ("qsort([], []).\n", "", "case(a, qsort([2,1], S)).", 1, "qsort([],[]) is missing"),
        ("X =< Y", "X < Y", "case(a, qsort([1,1], S), [S = [1,1]]).", 4, ""),
        ("N is M+1", "N is M+2", "case(a, nat(N), _, first(3)).", None, ""),
        ("Y is X+X", "Y is X+1", "case(a, double(5, Y)).", 10, ""),
        ("ins(X, [], [X])", "ins(X, [], [X,X])", "case(a, qsort([1], S)).", 3, ""),
        ("X > Y", "X >= Y", "case(a, qsort([1,1], S), [S = [1,1]]).", None, ""),
    ],
)
@pytest.mark.usefixtures("unhurried")
def test_the_line_of_a_wrong_solution(graded, old, new, case, line, words):
    assert RIGHT.count(old) == 1
    (found,) = graded(RIGHT.replace(old, new), case + "\n").values()
    assert not found.passed
    named = found.diagnosis.places[0].line if found.diagnosis and found.diagnosis.places else None
    assert named == line
    if found.diagnosis:
        assert words in found.diagnosis.summary


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried")
def test_the_line_of_a_goal_that_does_not_end(graded):
    text = RIGHT.replace("double(X, Y) :-", "double(X, Y) :- double(X, Z), Z > 0,")
    (found,) = graded(text, "case(a, double(2, Y)).\n").values()
    assert (found.way, found.diagnosis.kind, found.diagnosis.places[0].line) == (
        *("timeout", "loop", 10),
    )


@pytest.mark.slow
def test_a_solution_with_variables_or_constraints_has_no_line(graded):
    cases = "case(a, p(X), [dif(X, a)]).\ncase(b, q(X), [X = f(_)]).\n"
    found = graded("p(_).\nq(_).\n", cases, reference="")
    assert [(each.way, each.diagnosis) for each in found.values()] == [("wrong", None)] * 2


# --- the teacher's file above the reference of any problem ---


@pytest.mark.slow
def test_the_reference_of_a_problem_may_need_the_teachers_file(tmp_path):
    folder = tmp_path / "pick"
    (folder / "instances").mkdir(parents=True)
    (folder / "instances" / "three.lp").write_text("size(3).\n", "utf-8")
    (folder / "pick.pl").write_text("pick(N, X) :- between(1, N, X).\n", "utf-8")
    adapter = "answer([pick(X)]) :- size(N), pick(N, X).\n"
    (folder / "adapter.pl").write_text(adapter, "utf-8")
    program = tmp_path / "my.pl"
    program.write_text("pick(N, X) :- between(2, N, X).\n", "utf-8")
    (found,) = grade(program, (), problem=folder, timeout=PATIENCE)
    assert (found.way, str(found.missing_answer)) == ("missing", "pick(1).")
    assert "adapter" not in found.message
    (right,) = grade(folder / "pick.pl", (), problem=folder, timeout=PATIENCE)
    assert right.passed


# --- the handout ---


@pytest.mark.slow
def test_a_handout_names_the_predicates_that_the_teachers_file_calls(tmp_path):
    folder = tmp_path / "pick"
    (folder / "instances").mkdir(parents=True)
    (folder / "instances" / "three.pl").write_text("size(3).\n", "utf-8")
    (folder / "pick.pl").write_text("% Pick one\npick(N, X) :- between(1, N, X).\n", "utf-8")
    adapter = "answer([pick(X)]) :- size(N), pick(N, X).\n"
    (folder / "adapter.pl").write_text(adapter, "utf-8")
    done = command_line.run("exercise", "new", "w", "-p", "pick", "--language=prolog", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    student = tmp_path / "w" / "student"
    readme = (student / "README.md").read_text("utf-8")
    assert "    pick(+N, -X)\n" in readme
    assert "    size(3).\n\nand this is one of its 3 answers:\n\n    pick(1).\n" in readme
    assert "answer/1" not in readme
    start = (student / "pick.pl").read_text("utf-8")
    assert start == "% Pick one\n%\n% pick(+N, -X)\n\n% Your predicates:\n"
    done = command_line.run("check", "-e", "pick.pl", "-i", "exercise", cwd=student)
    assert "there is no predicate pick/2\n" in done.stdout
    (student / "pick.pl").write_text("pick(N, X) :- between(1, N, X).\n", "utf-8")
    done = command_line.run("check", "-e", "pick.pl", "-i", "exercise", cwd=student)
    assert "1 of 1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_a_handout_names_the_predicates_and_has_the_visible_cases_alone(tmp_path, exercise):
    exercise(
        "case(one, qsort([1], S)).\ncase(ends, splits(X, Y, [a])).\n"
        "throws(letters, double(a, _), error(type_error(_, _), _)).\n"
        "case(two, double(2, 4)).\ncase(secret, qsort([2,1], S)).\n",
        REFERENCE.replace("qsort(", "%! qsort(+List, -Sorted) is det.\nqsort(", 1),
    )
    done = command_line.run("exercise", "new", "week5", "-p", "lists", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "week5"
    student = folder / "student"
    readme = (student / "README.md").read_text("utf-8")
    assert "    qsort(+List, -Sorted) is det." in readme
    assert "    splits(-,-,+)\n    double(+,-)\n    double(+,+)" in readme
    assert "?- splits(X,Y,[a]).\nX=[], Y=[a] ;\nX=[a], Y=[]." in readme
    assert "pylogic-sudoku check -e lists.pl -i exercise" in readme
    assert "clpfd" not in (student / "lists.pl").read_text("utf-8")
    cases = (student / "exercise" / "cases.pl").read_text("utf-8")
    assert "case(ends, splits(X,Y,[a]), [(X=[], Y=[a]), (X=[a], Y=[])])." in cases
    own = [each for each in folder.rglob("*") if each.is_file()]
    for file in (each for each in own if student in each.parents):
        text = file.read_text("utf-8")
        assert "SECRET" not in text
        assert "[2,1]" not in text
    for file in (each for each in own if each.name != "setup.sh"):
        text = file.read_text("utf-8").replace("pylogic-sudoku", "").replace("pylogic_sudoku", "")
        assert "sudoku" not in text.lower(), file
        assert "puzzle" not in text.lower(), file
    (student / "lists.pl").write_text(RIGHT, "utf-8")
    done = command_line.run("check", "-e", "lists.pl", "-i", "exercise", cwd=student)
    assert "3 of 3 passed" in done.stdout, done.stdout + done.stderr
    done = command_line.run("check", "-e", student / "lists.pl", "-i", folder, cwd=tmp_path)
    assert "5 of 5 passed" in done.stdout, done.stdout + done.stderr


def test_a_program_that_cannot_be_loaded_tells_no_goal(graded):
    """The case may be hidden, and what keeps a program from being loaded is shown."""
    program = "qsort(L, S :- msort(L, S).\n"
    verdict = graded(program, "case(secret, qsort([9,7], S)).", hidden=["secret"])["secret"]
    assert verdict.at_fault
    assert "[9,7]" not in verdict.message + verdict.error
    assert verdict.error.startswith("Syntax error")


def test_the_mistake_of_an_error_is_the_error(graded):
    verdict = graded("qsort(L, S) :- msort(L, X), S is X+a.\n", "case(it, qsort([9,7], S)).")["it"]
    assert verdict.way == "error"
    assert "the goal is qsort([9,7],S)" in verdict.message
    assert verdict.error
    assert "the goal is" not in verdict.error


def test_each_predicate_has_a_case_that_is_seen():
    def case(name: str, predicate: str) -> Goal:
        return Goal(name, f"{predicate}(X)", calls=((predicate, ("-",), False),))

    cases = [case(f"{name}{number}", name) for name in "pqr" for number in range(1, 4)]
    cases += [case("s1", "s"), case("t1", "t"), case("t2", "t")]
    assert handout._hidden_goals(cases) == ["p3", "q3", "r3", "t2"]
    assert handout._hidden_goals(cases[:2]) == []
    shown = [each.name for each in handout._one_each(cases)]
    assert shown == ["p1", "q1", "r1", "s1", "t1"]
    assert [each.name for each in handout._one_each(cases[:5])] == ["p1", "p2", "q1"]


def test_the_example_of_an_endless_goal_says_so():
    asked = goal("nat(N)", "N=0", "N=1", first=2)
    assert handout._example(asked).splitlines()[-2:] == [
        "N=1 ;",
        "% and so on: the first 2 are asked for",
    ]
    assert handout._example(goal("nat(N)", "N=0")) == "?- nat(N).\nN=0."


@pytest.mark.slow
def test_an_exercise_of_recorded_answers_needs_no_program(tmp_path):
    folder = tmp_path / "pick"
    for part in ("instances", "solutions"):
        (folder / part).mkdir(parents=True)
    (folder / "instances" / "two.lp").write_text("size(2).\n", "utf-8")
    witnesses = [{"Value": ["pick(1)"]}, {"Value": ["pick(2)"]}]
    recorded = {
        "Result": "SATISFIABLE",
        "Call": [{"Witnesses": witnesses}],
        "Models": {"More": "no"},
    }
    (folder / "solutions" / "two.json").write_text(json.dumps(recorded), "utf-8")
    (folder / "problem.toml").write_text('output = ["pick/1"]\n', "utf-8")
    done = command_line.run("exercise", "new", "w", "-p", "pick", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "my.lp").write_text("{ pick(1..N) } = 1 :- size(N).\n#show pick/1.\n", "utf-8")
    done = command_line.run("check", "-e", "my.lp", "-i", "w", cwd=tmp_path)
    assert "1 of 1 passed" in done.stdout, done.stdout + done.stderr
    (folder / "solutions" / "two.json").unlink()
    done = command_line.run("exercise", "new", "v", "-p", "pick", cwd=tmp_path)
    assert done.returncode == 2
    assert "has no program that says what is right" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_plain_prolog_passes_the_same_cases():
    right, *wrong = islice(goals_graded.rows(), 3)
    assert (right.mistake, len(right.plain)) == ("", right.cases)
    for each in (right, *wrong):
        assert each.plain == each.graded
        assert bool(each.mistake) == (len(each.plain) < each.cases)


@pytest.mark.parametrize("door", ["command line", "Python"])
def test_a_command_answers_no_goals(exercise, tmp_path, door):
    problem = exercise("case(twice, double(2, X), [X = 4]).")
    mine = tmp_path / "mine.pl"
    mine.write_text(RIGHT, encoding="utf-8")
    command = "exec:swipl asfacts.pl {program:prolog} {instance:prolog}"
    if door == "Python":
        with pytest.raises(ValueError, match=r"cases\.pl has goals, and only our own SWI-Prolog"):
            grade(mine, [], problem=problem, against=command)
        return
    done = command_line.run("check", "-e", mine, "-p", problem.folder, "--against", command)
    assert done.returncode == 2
    words = " ".join(done.stderr.split())
    assert f"not a command ({command}). Name a program of the folder for Prolog" in words
