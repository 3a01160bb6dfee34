"""The handout of an exercise: templates, references of several files, what students are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import command_line
from helpers.command_line import run

from pylogic_sudoku.check import Grader, grade, telling
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.comments import comment_on
from pylogic_sudoku.check.handout import make_exercise
from pylogic_sudoku.check.problem_programs import Posed
from pylogic_sudoku.check.problems import Answers, ProblemTask
from pylogic_sudoku.check.telling import LONGEST_EXAMPLE, PLACE, example, optimum, purpose
from pylogic_sudoku.errors import InvalidPuzzle
from pylogic_sudoku.problem import Answer, Atom
from pylogic_sudoku.problem.folder import Problem, template_words, whole_text, with_loaded

PICK = "{ pick(1..N) } = 1 :- size(N).\n"
SHOW = "#show pick/1.\n"


def folder_of(tmp_path: Path, files: dict[str, str], name: str = "pick") -> Path:
    folder = tmp_path / name
    for each, text in files.items():
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text(text, encoding="utf-8")
    return folder


def recorded(*witnesses: list[str], more: str = "no", costs: list[int] | None = None) -> str:
    """The output of clingo with these answers."""
    cost = {"Costs": costs} if costs else {}
    return json.dumps(
        {
            "Result": "OPTIMUM FOUND" if costs else "SATISFIABLE",
            "Call": [{"Witnesses": [{"Value": each, **cost} for each in witnesses]}],
            "Models": {"More": more, **({"Optimal": len(witnesses)} if costs else {})},
        }
    )


def made(tmp_path: Path, problem: Path, **more: object) -> Path:
    """The folder of an exercise."""
    folder = tmp_path / "week"
    assert [*make_exercise(folder, Problem(problem), Grader(timeout=60), **more)]
    return folder


# --- templates ---


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.lp", "% Your rules:\n\n#show pick/1.\n", "a.lp holds no rule"),
        ("a.lp", ":~. [0]\n", "a.lp holds no rule"),
        ("a.lp", f"time(0..n).\n{SHOW}", "a.lp holds no rule for pick/1"),
        ("a.lp", PICK + SHOW, ""),
        ("a.lp", "pick(1).\n", ""),
        ("a.lp", f'#include "b.lp".\n{SHOW}', ""),
        ("a.lp", f"#external pick(1).\n{SHOW}", ""),
        ("a.lp", f"#show pick(N) : size(N).\nsize(1).\n{SHOW}", ""),
        ("a.lp", ":- is it.", ""),  # the engine names the line
        ("a.pl", "% Your clauses:\n/* foo. */\n:- use_module(library(clpfd)).\n", "a.pl holds no"),
        ("a.pl", "", "a.pl holds no clause"),
        ("a.pl", ":- include(b).\n", ""),
        ("a.pl", ":- use_module(library(lists)).\npick('A. b').% yes\n", ""),
    ],
)
def test_a_program_without_rules_is_a_template(tmp_path, name, text, words):
    folder = folder_of(tmp_path, {name: text, "b.lp": PICK, "b.pl": "pick(1).\n"})
    found = template_words(folder / name)
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_a_template_is_no_reference_and_the_error_says_where_that_goes(tmp_path):
    files = {"pick.lp": SHOW, "rows.lp": "line(X) :- pick(X).\n", "instances/a.lp": "size(1).\n"}
    problem = Problem(folder_of(tmp_path, files))
    assert problem.references == {}
    with pytest.raises(InvalidPuzzle) as error:
        ProblemTask(problem).engines("all")
    words = str(error.value)
    assert "pick.lp holds no rule, so it looks like a template for students" in words
    assert f"as pick.lp, and the template elsewhere; or recorded answers into {problem.folder}" in (
        words
    )
    (problem.folder / "pick.lp").write_text(PICK + SHOW)
    assert [*problem.references] == ["clingo", "clingo:rows"]


def test_a_program_beside_a_template_of_another_name_is_the_reference(tmp_path):
    problem = Problem(folder_of(tmp_path, {"begin.lp": SHOW, "right.lp": PICK + SHOW}))
    assert {name: path.name for name, path in problem.references.items()} == {"clingo": "right.lp"}


def test_recorded_answers_decide_where_there_is_only_a_template(tmp_path):
    files = {
        "pick.lp": f"% Please write your names here\n{SHOW}",
        "instances/two.lp": "size(2).\n",
        "solutions/two.json": recorded(["pick(1)"], ["pick(2)"]),
    }
    said: list[str] = []
    folder = made(tmp_path, folder_of(tmp_path, files), warn=said.append)
    assert said == ["pick.lp holds no rule, so it is taken for a template, and not for a reference"]
    assert not [*folder.glob("*.lp")]
    assert (folder / "student" / "pick.lp").read_text() == files["pick.lp"]
    assert Problem(folder).title == "pick"
    assert json.loads((folder / "solutions" / "two.json").read_text())["Models"]["Number"] == 2


@pytest.mark.slow
def test_cases_without_solutions_need_more_than_a_template(tmp_path):
    folder = folder_of(tmp_path, {"pick.pl": "% Yours:\n", "cases.pl": "case(a, pick(X)).\n"})
    done = command_line.run("exercise", "new", "w", "-p", "pick", cwd=tmp_path)
    assert done.returncode == 2
    assert "pick.pl holds no clause, so it looks like a template for students" in done.stderr
    assert "as pick.pl, and the template elsewhere; or the solutions into cases.pl" in done.stderr
    (folder / "cases.pl").write_text("case(a, pick(X), X = 1).\n")
    done = command_line.run("exercise", "new", "w", "-p", "pick", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not [*(tmp_path / "w").glob("w.pl")]


@pytest.mark.slow
@pytest.mark.parametrize("adapted", [True, False])
def test_facts_that_students_do_not_get_are_told(tmp_path, adapted):
    edges = "edge(a,b). edge(b,c).\n"
    files = {
        "way.pl": f"{'' if adapted else edges}way(X,Y) :- edge(X,Y).\nstart(a).\n",
        "cases.pl": "case(one, way(a,X)).\n",
        **({"adapter.pl": edges} if adapted else {}),
    }
    said: list[str] = []
    folder = made(tmp_path, folder_of(tmp_path, files, "way"), warn=said.append)
    told = "students do not get the facts of edge/2 in the reference; write those that they need"
    assert said == ([] if adapted else [f"{told} into adapter.pl"])
    readme = (folder / "student" / "README.md").read_text()
    assert "There is 1 case in `exercise/cases.pl`, as Prolog's prompt shows it:" in readme
    assert "check -e way.pl -i ." in (folder / "README.md").read_text()


@pytest.mark.slow
def test_each_predicate_has_an_example(tmp_path):
    names = [f"p{number}" for number in range(8)]
    files = {
        "p.pl": "".join(f"{name}(1). {name}(X) :- X = 2.\n" for name in names),
        "cases.pl": "".join(f"case({name}, {name}(X)).\n" for name in names),
    }
    folder = made(tmp_path, folder_of(tmp_path, files, "p"))
    readme = (folder / "student" / "README.md").read_text()
    assert [name for name in names if f"?- {name}(X)." in readme] == names


# --- a reference of several files ---


SEVERAL = {
    "pick.lp": '% Pick: take one.\n#include "parts/choose.lp".\n#include "show.lp".\n',
    "parts/choose.lp": f"% SECRET\n{PICK}",
    "show.lp": SHOW,
    "instances/two.lp": "size(2).\n",
}


def test_an_exercise_has_all_files_of_the_reference_and_the_handout_none(tmp_path):
    problem = folder_of(tmp_path, SEVERAL)
    assert [*Problem(problem).paths] == ["clingo"]
    folder = made(tmp_path, problem)
    for name in ("parts/choose.lp", "show.lp"):
        assert (folder / name).read_text() == SEVERAL[name]
    assert "exercise.toml problem.toml week.lp parts show.lp " in (folder / "pack.sh").read_text()
    student = [each for each in (folder / "student").rglob("*") if each.is_file()]
    assert not {each.name for each in student} & {"choose.lp", "show.lp", "week.lp"}
    assert not [each for each in student if "SECRET" in each.read_text("utf-8")]
    (tmp_path / "my").mkdir()
    (tmp_path / "my" / "my.lp").write_text(PICK + SHOW)
    (verdict,) = grade(tmp_path / "my" / "my.lp", folder / "instances", problem=folder, timeout=60)
    assert verdict.passed


def test_a_submission_beside_the_reference_reads_no_part_of_it(tmp_path):
    problem = Problem(folder_of(tmp_path, {**SEVERAL, "mine.lp": '#include "pick.lp".\n'}))
    secrets = {each.name for each in ProblemTask(problem).secrets(problem.folder / "mine.lp")}
    assert {"pick.lp", "choose.lp", "show.lp"} <= secrets
    own = {each.name for each in ProblemTask(problem).secrets(problem.folder / "pick.lp")}
    assert not own & {"pick.lp", "choose.lp", "show.lp"}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"a.lp": PICK, "b.lp": "pick(1).\n"},
            "has a.lp and b.lp: call the reference pick.lp, or, if they are parts of one program, "
            'write pick.lp with #include "a.lp". #include "b.lp".',
        ),
        ({"pick.lp": '#include "../other.lp".\n'}, "other.lp, which is outside"),
        ({"pick.lp": f'#include "week.lp".\n{PICK}', "week.lp": "a.\n"}, "another file of that"),
    ],
)
def test_a_reference_that_cannot_be_copied_is_an_error(tmp_path, files, words):
    folder_of(tmp_path, {"other.lp": PICK}, "")
    files = {"problem.toml": 'output = ["pick/1"]\n', "instances/a.lp": "size(1).\n", **files}
    problem = folder_of(tmp_path, files)
    with pytest.raises(InvalidPuzzle) as error:
        made(tmp_path, problem)
    assert words in str(error.value)
    assert not (tmp_path / "week").exists()


def test_files_of_tests_are_no_reference(tmp_path):
    files = {
        "p99.pl": ":- module(p99, [last/2]).\n:- include('core.pl').\n",
        "core.pl": "last(X, [X]).\nlast(X, [_|Y]) :- last(X, Y).\n",
        "p99_test.pl": ":- use_module(p99).\ntests :- last(1, [1]).\n",
    }
    folder = folder_of(tmp_path, files)
    problem = Problem(folder)
    assert {name: path.name for name, path in problem.paths.items()} == {"prolog": "p99.pl"}
    assert [each.name for each in with_loaded(folder / "p99.pl")] == ["p99.pl", "core.pl"]
    test = folder / "p99_test.pl"
    assert whole_text(test) == f"\n{files['core.pl']}\n\ntests :- last(1, [1]).\n"


@pytest.mark.slow
def test_a_prolog_reference_of_several_files_names_modes_and_blames_calls(tmp_path):
    files = {
        "sums.pl": ":- use_module(library(lists)).\n:- include(core).\n",
        "core.pl": "%! total(+List, -Sum) is det.\ntotal([], 0).\n"
        "total([X|Xs], S) :- total(Xs, T), S is X+T.\n",
        "cases.pl": "case(none, total([], S)).\ncase(two, total([1,2], S)).\n",
    }
    folder = folder_of(tmp_path, files, "sums")
    week = made(tmp_path, folder)
    assert {"week.pl", "core.pl"} <= {each.name for each in week.iterdir()}
    assert "    total(+List, -Sum) is det.\n" in (week / "student" / "README.md").read_text()
    my = folder_of(tmp_path, {"my.pl": "total([], 1).\n" + files["core.pl"].split("\n", 2)[2]}, "s")
    verdicts = {each.instance: each for each in grade(my / "my.pl", (), problem=week, timeout=60)}
    diagnosis = verdicts["none"].diagnosis
    assert diagnosis is not None
    assert diagnosis.places[0].line == 1, diagnosis


# --- what students are told ---


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "% Me\n%\n% Input:\n%   edge(N,M): an edge \n%\n% Output:\n%   at(R,N)\n%\n\na.\n",
            "% Input:\n%   edge(N,M): an edge\n%\n% Output:\n%   at(R,N)",
        ),
        (
            "% Input: a/1\n% Output: b/1\n%\n% We choose one of them, SECRET.\n% Output: c\n",
            "% Input: a/1\n% Output: b/1",
        ),
        ("% Input: a/1\n% Teaches: SECRET\n", "% Input: a/1"),
        ("% Nothing\n", ""),
    ],
)
def test_the_head_goes_on_after_an_empty_line_of_comment(text, shown):
    assert telling._interface(text) == shown


@pytest.mark.parametrize(
    ("source", "comment"),
    [
        (
            "a.\n%! p(+X, -Y) is det.\n%\n%  Y is twice X.\n\np(X, Y) :- Y is X*2.\n",
            "Y is twice X.",
        ),
        (
            "a.\n\n% Signature: p/2\n% Purpose: doubles\np(X, Y).\n",
            "Signature: p/2 Purpose: doubles",
        ),
        ("a.\n/** p(+X, -Y)\n *\n * Doubles.\n */\np(X, Y).\n", "Doubles."),
        ("a.\n% Choose one.\n1 { p(1..2) } 1.\n", "Choose one."),
        ("a.\n% Choose one.\n{ p(1..2) }.\n", "Choose one."),
        ("% A file of mine.\n\np(X, Y).\n", ""),
        ("a.\n% About q.\n\n\np(X, Y).\n", ""),
        ("% About pq.\npq(1).\np(1).\n", ""),
    ],
)
def test_the_comment_directly_on_a_predicate(source, comment):
    assert comment_on("p", source) == comment


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("% p(List, Sorted)\n", "p(List, Sorted)"),
        ("% p(List, Sorted) is det.\n% SECRET\n\n", "p(List, Sorted)"),
        ("% About it:\n% p(List, _Sorted): SECRET, as q(List, X)\n", "p(List, _Sorted)"),
        ("% p(A, B)\n\n% p(+List, -Sorted) is det\n", "p(+List, -Sorted) is det"),
        ("% p(List)\n", "p(+,-)"),
        ("% p(A, B)\n\nq(1).\n", "p(+,-)"),
        ("% p(A, B) :- q(A, B).\n", "p(+,-)"),
        ("% p([], [])\n", "p(+,-)"),
    ],
)
def test_a_predicate_to_write_has_the_names_of_the_comment_above_it(comment, line):
    source = f"a(1).\n{comment}p([], []).\np([X], [X]).\n"
    goal = SimpleNamespace(calls=[("p", ("+", "-"), False)])
    assert telling.predicates([goal], source, ()) == [line]


REFERENCE = "a.\n\n% Pick the SECRET one.\n{ pick(1..N) } = 1 :- size(N).\n"
BEST = "\n% The number\n#minimize { N : pick(N) }.\n"


def told(tmp_path: Path, settings: str, title: str = "", exercise: str = "") -> tuple[str, str]:
    files = {"pick.lp": title + REFERENCE + BEST, "problem.toml": settings}
    if exercise:
        files["exercise.toml"] = exercise
    problem = Problem(folder_of(tmp_path, files))
    source = telling.source_of(problem.references.values())
    return purpose(problem, source, [("pick", 1)]), optimum(problem, source)


def test_comments_of_the_reference_are_told_where_the_teacher_says_so(tmp_path):
    what, best = told(tmp_path, "show_comments = true\n")
    assert what == "- `pick/1`: Pick the SECRET one."
    assert best.endswith("The cost: The number.")


def test_a_description_is_told_and_no_comment(tmp_path):
    what, best = told(tmp_path, 'description = """\nPick the least number.\n"""\n')
    assert what == "Pick the least number."
    assert best.startswith("Each answer has a cost, and only the answers of the least cost count.")
    assert "number" not in best
    assert PLACE not in what + best


@pytest.mark.parametrize("of_problem", ["", 'description = "Pick one."\n'])
def test_the_description_of_the_exercise_is_told(tmp_path, of_problem):
    exercise = 'description = "Pick the least of them."\n'
    what, best = told(tmp_path, of_problem, exercise=exercise)
    assert what == "Pick the least of them."
    assert PLACE not in best


def test_a_handout_has_the_description_of_the_exercise(tmp_path):
    own = {"exercise.toml": 'problem = "."\ndescription = "Take a number."\n'}
    files = {"pick.lp": PICK, "instances/two.lp": "size(2).\n", **own}
    folder = made(tmp_path, folder_of(tmp_path, files))
    assert "Take a number." in (folder / "student" / "README.md").read_text()


def test_there_is_a_place_for_what_nobody_has_told(tmp_path):
    what, best = told(tmp_path, "")
    assert what.startswith(f"**{PLACE}** say here what a program is to do, or set `description`")
    assert f"**{PLACE}** say here what is minimized or maximized" in best
    assert "SECRET" not in what + best
    assert "The number" not in best


def test_the_title_may_say_what_is_to_be_done(tmp_path):
    assert told(tmp_path, "", "% Pick: take a number.\n\n")[0] == "Take a number."


def test_the_handout_of_an_optimum_tells_the_cost_of_its_example(tmp_path):
    files = {
        "problem.toml": 'output = ["pick/1"]\n',
        "instances/two.lp": "size(2).\n",
        "solutions/two.json": recorded(["pick(1)"], costs=[3, 1]),
    }
    folder = made(tmp_path, folder_of(tmp_path, files))
    readme = (folder / "student" / "README.md").read_text()
    assert "only the answers of the least cost count" in readme
    assert "and this is its answer:\n\n    pick(1).\n\nIts cost is 3, 1.\n\n" in readme
    assert "gives every answer of the least cost and nothing else" in readme
    assert f'where it says "{PLACE}"' in (folder / "README.md").read_text()


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("show_comments = 1", "show_comments is 1; expected true or false"),
        ("description = 3", "description is 3; expected a text"),
    ],
)
def test_settings_of_the_handout_that_cannot_be(tmp_path, setting, words):
    folder = folder_of(tmp_path, {"pick.lp": PICK, "problem.toml": setting})
    with pytest.raises(Exception, match=words):
        Problem(folder)


# --- the example ---


def board(tmp_path: Path, *sizes: int) -> tuple[list[Case], dict[str, Answers]]:
    """Instances of full boards, each with one answer as large."""
    problem = Problem(folder_of(tmp_path, {"pick.lp": PICK}))
    cases, answers = [], {}
    for size in sizes:
        cells = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
        text = " ".join(f"initial({x},{y},{size})." for x, y in cells)
        atoms = Answer([Atom("select", (x, y, size)) for x, y in cells])
        name = f"board{size}"
        cases.append(Case(name, Path(f"{name}.lp"), text))
        posed = Posed(problem.instance(text), frozenset())
        answers[name] = Answers(posed, frozenset({atoms}), True, "")
    return cases, answers


def test_a_board_of_ten_by_ten_is_shown(tmp_path):
    cases, answers = board(tmp_path, 12, 10, 11)
    text = example(cases, answers)
    assert "The instance `board10` has these facts:" in text
    lines = text.splitlines()
    assert sum(line.count("initial(") for line in lines) == 100
    assert sum(line.count("select(") for line in lines) == 100
    assert max(map(len, lines)) <= 104
    assert all(line.startswith("    ") for line in lines if "(" in line)


def test_a_larger_example_is_named(tmp_path):
    cases, answers = board(tmp_path, 30, 20)
    assert example(cases, answers) == (
        "A small instance is `exercise/instances/board20.lp`, and `exercise/solutions/board20.json`"
        " has its answers.\n\n"
    )
    (_, right), *_ = answers.items()
    assert sum(map(len, telling._texts(right)[0])) > LONGEST_EXAMPLE


def test_the_smallest_instance_with_several_answers_is_the_example(tmp_path):
    cases, answers = board(tmp_path, 2, 3, 4)
    other = Answer([Atom("select", (1, 1, 1))])
    for name in ("board3", "board4"):
        right = answers[name]
        answers[name] = replace(right, solutions=right.solutions | {other})
    text = example(cases, answers)
    assert "The instance `board3`" in text
    assert "this is one of its 2 answers:\n\n    select(1,1,1).\n" in text
    answers["board3"] = replace(answers["board3"], complete=False)
    assert "one of at least 2 answers" in example(cases, answers)


# --- facts of the teacher's file ---


@pytest.mark.slow
def test_predicates_of_the_teachers_file_are_announced_and_not_asked_for(tmp_path):
    files = {
        "graph.pl": "path(A, B, [A,B]) :- edge(A, B).\n",
        "adapter.pl": "edge(a, b).\nedge(b, c).\nonly(1).\nsize(L, N) :- length(L, N).\n",
        "cases.pl": "case(one, path(a, B, P)).\ncase(two, (path(b, c, P), size(P, N))).\n",
    }
    problem = folder_of(tmp_path, files, "graph")
    readme = (made(tmp_path, problem) / "student" / "README.md").read_text()
    assert (
        "These predicates are there already, in `exercise/adapter.pl`: `edge/2` (2 facts).\n"
    ) in readme
    assert "    path(+,-,-)\n" in readme
    assert "    size(" not in readme


# --- names of instances after -i ---


@pytest.mark.slow
def test_a_case_is_named_after_its_folder(tmp_path):
    files = {"cases.pl": "case(one, p(X), X = 1).\ncase(two, p(X), X = 2).\n"}
    folder_of(tmp_path, files, "ps")
    (tmp_path / "my.pl").write_text("p(1).\n")
    done = run("check", "-e", "my.pl", "-i", "ps", "one", "--brief", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 passed" in done.stdout
    done = run("check", "-e", "my.pl", "-i", "ps", "three", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no case 'three', but one and two" in done.stderr


def test_an_instance_is_named_after_its_folder(tmp_path):
    folder_of(tmp_path, {f"{n}.lp": f"initial(1,1,{n}). #const dim=1.\n" for n in (1, 2)}, "in")
    (tmp_path / "my.lp").write_text("sudoku(1,1,1).\n#show sudoku/3.\n")
    done = run("check", "-e", "my.lp", "-i", "in", "1", "--brief", cwd=tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()][:1] == ["1"]
    assert "of 1 passed" in done.stdout
    done = run("check", "-e", "my.lp", "-i", "in", "7", cwd=tmp_path)
    assert (done.returncode, "there is no instance '7', but 1 and 2" in done.stderr) == (2, True)


# --- recorded answers that are not all ---


OPEN = {
    "problem.toml": 'output = ["pick/1"]\n',
    "instances/three.lp": "size(3).\n",
    "solutions/three.json": recorded(["pick(1)"], more="yes"),
}


def verdict_on(tmp_path: Path, text: str, files: dict[str, str]):
    problem = folder_of(tmp_path, files)
    my = folder_of(tmp_path, {"my.lp": text + SHOW}, "my") / "my.lp"
    (found,) = grade(my, (), problem / "solutions", problem=problem, timeout=60)
    return found


def test_an_answer_that_nothing_judges_is_not_known(tmp_path):
    found = verdict_on(tmp_path, "{ pick(1..4) } = 1.\n", OPEN)
    assert found.way == "ungraded"
    assert "it is not known whether 3 answers are right" in found.message
    assert "Add a right program, pick.lp or pick.pl, a check.lp that derives" in found.message


def test_an_answer_that_the_teachers_check_refuses_is_wrong(tmp_path):
    check = 'violated("it is too large") :- pick(N), size(M), N > M.\n'
    found = verdict_on(tmp_path, "{ pick(1;4) } = 1.\n", OPEN | {"check.lp": check})
    assert (found.way, found.extra, found.rule) == ("wrong", 1, "it is too large")


def test_open_answers_are_a_warning_when_the_exercise_is_made(tmp_path):
    said: list[str] = []
    made(tmp_path, folder_of(tmp_path, OPEN), warn=said.append)
    (words,) = said
    assert "some recorded answers are not all, and nothing judges others" in words
