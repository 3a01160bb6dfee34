"""Any problem by the JSON API: bundled ones, changed programs, and custom ones."""

from __future__ import annotations

import json
import tempfile

import pytest
from helpers.programs import need_sandbox
from helpers.serving import asked

import pylogic_sudoku as pls
from pylogic_sudoku.check import explain, trial
from pylogic_sudoku.errors import Message
from pylogic_sudoku.page import SOLUTIONS, app, problems, questions
from pylogic_sudoku.page.app import NO_PROGRAMS
from pylogic_sudoku.page.problems import InstanceSource
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.running import notices

ENGINES = ("clingo", "prolog")
ASKED = [
    ("queens", "6"),
    ("queens", "3"),
    ("colouring", "australia"),
    ("colouring", "triangle"),
    ("futoshiki", "4"),
    ("knapsack", "tea"),
    ("nonogram", "two"),
]
QUEENS = pls.Problem("queens").path("clingo").read_text(encoding="utf-8")
FAULT = ("D = 1-N..N-1", "D = 0..N-1")
WRONG = QUEENS.replace(*FAULT)
OWN = {
    "clingo": "#defined odd/1.\n{ q(1..N) } = 1 :- n(N).\n:- q(V), odd(V).\n#show q/1.\n",
    "prolog": """\
:- use_module(library(clpfd)).
model([q-V]) :- n(N), V in 1..N, findall(O, odd(O), Odd), maplist(#\\=(V), Odd).
""",
}


INSTANCE = {"problem": "", "instance": "", "texts": {}}


def text_of(problem, name):
    path = pls.Problem(problem).folder / "instances" / f"{name}.lp"
    return path.read_text(encoding="utf-8")


def posed(problem, name):
    return {"problem": problem, "instance": text_of(problem, name)}


def solved(client, **body):
    return asked(client, "solve", **{"limit": SOLUTIONS, **body})


def answered(question, timeout, *, engine="clingo", **body):
    """The answer to a question that is asked in this process."""
    about = {name: body.pop(name, default) for name, default in INSTANCE.items()}
    source = InstanceSource(**about)
    return questions.ask_about(question, source, engine, tempfile.gettempdir(), body, timeout)


FORGOTTEN = {
    "clingo": ("mine.lp", WRONG, "size(4)."),
    "prolog": (
        "mine.pl",
        pls.Problem("queens").path("prolog").read_text("utf-8").replace("all_distinct(Sums),", ""),
        "size(3).",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_mistake_has_the_diagnosis_of_the_grader(tmp_path, engine):
    file, text, instance = FORGOTTEN[engine]
    (tmp_path / file).write_text(text)
    known = explain(tmp_path / file, instance, problem="queens", timeout=60)
    about = {"problem": "queens", "instance": instance, "texts": {engine: text}}
    found = answered(questions.blame, 60.0, engine=engine, **about)["diagnosis"]
    assert known.places
    assert [each["line"] for each in found["places"]] == list(
        dict.fromkeys(int(each.line) for each in known.places)
    )
    assert known.summary.endswith(found["summary"])  # after the rule that is broken


@pytest.mark.slow
def test_a_line_found_by_trying_changes_is_named_although_the_rest_is_quick(tmp_path, strangers):
    """The words alone are known soon, which is no reason to stop there."""
    of = pls.Problem("set_cover")
    right = of.path("clingo").read_text("utf-8")
    text = right.replace(":- element(E), not select(S)", ":- #true, not select(S)")
    assert text != right
    (tmp_path / "set_cover.lp").write_text(text)
    instance = text_of("set_cover", "open")
    (tmp_path / "open.lp").write_text(instance)
    known = explain(tmp_path / "set_cover.lp", tmp_path / "open.lp", problem="set_cover")
    about = {"problem": "set_cover", "instance": instance, "texts": {"clingo": text}}
    found = asked(strangers, "blame", **about)["diagnosis"]
    assert [each["line"] for each in found["places"]] == [each.line for each in known.places]
    assert known.places


def test_only_a_changed_program_of_a_problem_has_a_diagnosis():
    with pytest.raises(pls.InvalidProblem, match="only a changed program"):
        answered(questions.blame, 60.0, problem="queens", instance="size(3).")
    with pytest.raises(pls.InvalidProblem, match="nothing says what is right"):
        answered(questions.blame, 60.0, instance="n(3).", texts=OWN)


def as_atoms(answers):
    return {frozenset(each["atoms"]) for each in answers}


def strings(answers):
    return {frozenset(map(str, each)) for each in answers}


def test_the_box_is_offered_with_its_programs_and_instances(client):
    found = {each["name"]: each for each in asked(client, "problems")["problems"]}
    assert list(found) == [problem.name for problem in bundled()]
    for problem in bundled():
        shown = found[problem.name]
        assert shown["title"] == problem.title == f"{shown['heading']}: {shown['about']}"
        assert [each["name"] for each in shown["instances"]] == list(problem.instances)
        for program in shown["programs"]:
            assert program["text"] == problem.path(program["name"]).read_text(encoding="utf-8")
            assert program["engine"] in ENGINES
            assert program["teaches"]
        assert shown["first"] == problem.first
        assert pls.solve(problem.instance(problem.first)), problem.name
    names = [each["name"] for each in found["queens"]["programs"]]
    assert names == ["clingo", "clingo:queens_pairwise", "prolog", "prolog:queens_dual"]


def test_the_facts_of_an_instance_are_worked_out(client):
    facts = asked(client, "facts", instance="size(1..2). before(X,X+1) :- X = 1..2.")
    assert facts == {"facts": ["size(1)", "size(2)", "before(1,2)", "before(2,3)"]}


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize(("problem", "name"), ASKED)
def test_the_answers_are_those_of_compare(client, problem, name):
    instance = pls.Problem(problem).instances[name]
    known = pls.compare(instance, ENGINES, None)
    assert known.agree
    for engine in ENGINES:
        answer = solved(client, engine=engine, **posed(problem, name))
        assert as_atoms(answer["solutions"]) == strings(known.answers[engine].solutions)
        assert answer["stopped"] is None
        assert (answer["first"] is None) == (not answer["solutions"])
        costs = {tuple(each["cost"]) for each in answer["solutions"]}
        assert costs == {each.cost for each in known.solutions}
        found = asked(client, "propagate", engine=engine, **posed(problem, name))
        left = pls.propagate(instance, engine)
        assert found["atoms"] == (None if left is None else list(map(str, sorted(left))))
        sure = None if left is None else list(map(str, sorted(left.certain)))
        assert found["certain"] == sure
        search = asked(client, "trace", engine=engine, limit=7, **posed(problem, name))
        events = pls.trace(instance, engine)
        assert [each["kind"] for each in search["events"]] == [
            event.kind for event, _ in zip(events, range(7), strict=False)
        ]
        assert search["number"] == sum(pls.trace(instance, engine).counts.values())


def test_the_smallest_answer_comes_first_and_the_limit_is_said(client):
    instance = "number(1,1,1). number(1,2,2)."
    found = solved(client, problem="hitori", instance=instance)
    assert [each["atoms"] for each in found["solutions"]] == [[], ["black(1,1)"], ["black(1,2)"]]
    few = solved(client, problem="hitori", instance=instance, limit=2)
    assert (len(few["solutions"]), few["stopped"]) == (2, "limit")


def test_a_bundled_program_confirms_and_refuses(client):
    right = solved(client, **posed("queens", "4"))["solutions"]
    wrong = {"atoms": ["queen(1,1)", "queen(2,2)", "queen(3,3)", "queen(4,4)"], "cost": []}
    for engine in ENGINES:
        about = {**posed("queens", "4"), "engine": engine}
        found = asked(client, "confirm", solutions=[*right, wrong], **about)
        assert found == {"rejected": [wrong]}
        why = asked(client, "refusal", answer=wrong, **about)
        path = pls.Problem("queens").path(engine)
        lines = path.read_text(encoding="utf-8").splitlines()
        (first, *_), text = why["places"], why["text"]
        assert first["file"] == path.name
        assert first["text"].partition("(")[0] in lines[first["line"] - 1]
        assert text.startswith(f"{engine} refuses it: {path.name}:{first['line']} ")
        assert why["says"] == text.removeprefix(f"{engine} ")


REFUSED = [
    ("facts", {"instance": "size(4"}, "instance:1: syntax error"),
    ("facts", {"instance": "a.\n{ b }."}, "instance:2: { b }. is not a fact"),
    ("facts", {"instance": "a(X)."}, "instance:1: a(X). has the variable X"),
    ("solve", {"problem": "queens", "instance": ":- a."}, "is not a fact"),
    ("solve", {"problem": "quens"}, "did you mean 'queens'?"),
    ("solve", {"problem": "/etc"}, "there is no problem '/etc'"),
    ("solve", {"problem": "queens", "engine": "sat"}, "there is clingo"),
    ("solve", {"problem": "queens", "engine": "prolog:/tmp/my.pl"}, "no program"),
    ("solve", {"problem": "queens", "engine": "clingcon"}, "no program"),
    ("solve", {"instance": "a."}, "there is no problem ''"),
    ("solve", {}, "expected a puzzle, or an instance of a problem"),
    ("solve", {"box": [2, 2], "instance": "a."}, "expected a puzzle, or an instance"),
    ("solve", {"puzzle": "." * 16, "problem": "queens"}, "expected a puzzle, or an instance"),
    ("solve", {"puzzle": "." * 16, "texts": {}}, "expected a puzzle, or an instance"),
    ("solve", {"problem": "queens", "instance": "4.lp"}, "syntax error"),
    ("solve", {"problem": "queens", "limit": 0}, "limit"),
    ("solve", {"problem": "queens", "place": "/"}, "place"),
    ("confirm", {"problem": "queens", "solutions": [{"atoms": ["a). b(1"]}]}, "not an atom"),
    ("confirm", {"problem": "queens", "solutions": [[[1, 2], [2, 1]]]}, "is its atoms"),
    ("confirm", {"puzzle": "." * 16, "solutions": [{"atoms": []}]}, "is its rows"),
    ("refusal", {"puzzle": "." * 16, "answer": {"atoms": []}}, "is for an answer to an instance"),
    ("refusal", {"problem": "queens", "answer": {"atoms": ["1"]}}, "not an atom"),
]


@pytest.mark.parametrize(("path", "body", "says"), REFUSED)
def test_bad_input_is_refused(client, path, body, says):
    assert says in asked(client, path, 422, **body)["error"]


def test_what_is_wrong_with_an_instance_has_its_fields(client):
    found = asked(client, "facts", 422, instance="a.\n{ b }.")
    assert found["messages"] == [
        {
            "text": "{ b }. is not a fact",
            "kind": "not-facts",
            "file": "instance",
            "line": 2,
            "cure": "expected facts such as size(8).",
            "message": found["error"],
        }
    ]
    assert found["error"] == "instance:2: { b }. is not a fact; expected facts such as size(8)."


def test_a_missing_engine_is_said(client, monkeypatch):
    def missing(*_):
        raise pls.BackendUnavailable("there is no swipl here", "Install it.")

    monkeypatch.setattr(problems, "engine_for", missing)
    with pytest.raises(pls.BackendUnavailable, match="no swipl"):
        answered(questions.solve, 9, problem="queens", engine="prolog")


def test_time_runs_out(clock):
    clock.over = True
    found = answered(questions.solve, 9, **posed("queens", "8"))
    assert found["stopped"] == "time"


# --- changed programs -------------------------------------------------------------------------


def test_nobody_elses_programs_run_unless_they_are_allowed(client):
    for path, more in [
        ("solve", {}),
        ("propagate", {}),
        ("trace", {}),
        ("refusal", {"answer": {"atoms": []}}),
    ]:
        body = {**posed("queens", "4"), "texts": {"clingo": QUEENS}, **more}
        assert asked(client, path, 403, **body)["error"] == NO_PROGRAMS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "name"), [("queens", "6"), ("futoshiki", "4"), ("knapsack", "tea")]
)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_changed_program_has_the_answers_of_ours_if_it_means_the_same(
    strangers, engine, problem, name
):
    text = pls.Problem(problem).path(engine).read_text(encoding="utf-8") + "\n"
    about = {**posed(problem, name), "engine": engine}
    own = {**about, "texts": {engine: text}}
    ours, theirs = (solved(strangers, **each) for each in (about, own))
    assert theirs["solutions"] == ours["solutions"]
    for path in ("propagate", "trace"):
        found, same = (asked(strangers, path, **each) for each in (about, own))
        found.pop("seconds", None), same.pop("seconds", None)
        if problem != "knapsack" or path == "propagate":
            assert same == found


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_certain_is_apart_from_what_is_possible(strangers, engine):
    about = {**posed("set_cover", "radio"), "engine": engine}
    text = pls.Problem("set_cover").path(engine).read_text(encoding="utf-8") + "\n"
    for texts in ({}, {engine: text}):
        found = asked(strangers, "propagate", texts=texts, **about)
        assert len(found["atoms"]) == 5
        assert found["certain"] == ["select(kfive)", "select(kthree)"]
    found = asked(strangers, "propagate", engine=engine, **posed("set_cover", "open"))
    assert (found["atoms"], found["certain"]) == (None, None)


def test_a_fault_shows_as_an_answer_and_the_line_that_refuses_it(strangers):
    about = posed("queens", "4")
    changed = {**about, "texts": {"clingo": WRONG}}
    wrong = solved(strangers, **changed)["solutions"]
    right = solved(strangers, **about)["solutions"]
    extra = [each for each in wrong if each not in right]
    assert (len(wrong), len(right), len(extra)) == (4, 2, 2)
    why = asked(strangers, "refusal", engine="prolog", answer=extra[0], **about)
    assert why["places"][0]["file"] == "queens.pl"
    # And one that is lost: the changed program says which of its lines excludes it.
    lost = {**about, "texts": {"clingo": f"{QUEENS}\n:- queen(1,2).\n"}}
    left = solved(strangers, **lost)["solutions"]
    (missing,) = (each for each in right if each not in left)
    why = asked(strangers, "refusal", answer=missing, **lost)
    line = QUEENS.count("\n") + 2
    assert (why["places"][0]["file"], why["places"][0]["line"]) == ("queens.lp", line)
    assert "clingo refuses it: queens.lp" in why["text"]
    assert why["says"] == why["text"].removeprefix("clingo ")
    assert str(line) in why["text"]


ERRORS = [
    ("clingo", QUEENS + "a(.", "syntax error", QUEENS.count("\n") + 1),
    ("prolog", ":- use_module(library(clpfd)).\nmodel(P) :- size(N),, P = N.\n", "", 2),
    ("prolog", "model(P) :- sise(P).\n", "there is no predicate sise/1", 1),
    ("prolog", "model([q-V]) :- V = 1.\n", "answers consist of queen/2", 1),
    ("clingo", '#include "/etc/passwd".', "", None),
    ("prolog", "modell(_).\n", "model", None),
    ("prolog", "", "empty", None),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("engine", "text", "says", "line"), ERRORS)
def test_an_error_names_the_line(strangers, engine, text, says, line):
    body = {**posed("queens", "4"), "engine": engine, "texts": {engine: text}}
    found = asked(strangers, "solve", 422, **body)
    assert says in found["error"]
    assert "/tmp" not in found["error"].replace("/etc/passwd", "")
    if line:
        file = pls.Problem("queens").path(engine).name
        assert (found["messages"][0]["file"], found["messages"][0]["line"]) == (file, line)
    assert "/pylogic" not in json.dumps(found)


FIELDS = [
    ("clingo", QUEENS + "a(.", ("syntax", "queens.lp", QUEENS.count("\n") + 1, 3)),
    ("clingo", "#script (lua)\n#end.\n" + QUEENS, ("refused", "queens.lp", 1, 1)),
    ("prolog", "model(P) :- p(P.\n", ("syntax-error", "queens.pl", 1, 16)),
    ("prolog", "model(P) :- sise(P).\n", ("no-predicate", "queens.pl", 1, None)),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("engine", "text", "fields"), FIELDS)
def test_an_error_has_its_fields_whoever_asks_for_what(strangers, engine, text, fields):
    body = {**posed("queens", "4"), "engine": engine, "texts": {engine: text}}
    found = {path: asked(strangers, path, 422, **body) for path in ("solve", "propagate", "trace")}
    for each in found.values():
        (message,) = each["messages"]
        kind, file, line, column = fields
        assert (message["kind"], message["file"], message["line"]) == (kind, file, line)
        assert message.get("column") == column
        assert "problem.toml" not in json.dumps(each)
        assert "/tmp" not in json.dumps(each)
    cure = found["propagate"]["messages"][0].get("cure", "")
    assert ("#defined" in cure) == (kind == "no-predicate")


def test_the_page_has_its_own_cure_whatever_the_words_of_another():
    message = Message("there is no predicate p/1", "no-predicate", "my.pl", 3, cure="do this")
    assert "#defined" in problems._curable(message).cure
    for each in (message._replace(kind="not-loaded"), message._replace(cure="")):
        assert problems._curable(each) == each


def test_a_program_with_an_error_may_have_warnings(strangers):
    text = "p(X, Y) :- Y > 1.\nmodel(P) :- unheard(P).\n"
    body = {**posed("queens", "4"), "engine": "prolog", "texts": {"prolog": text}}
    found = asked(strangers, "solve", 422, **body)
    assert [(each["kind"], each["line"]) for each in found["messages"]] == [("no-predicate", 2)]
    assert [(each["kind"], each["line"]) for each in found["warnings"]] == [("singletons", 1)]


STRANGE = {
    "clingo": (QUEENS + ":- nosuch(X).\n", "atom-undefined", "#defined"),
    "prolog": (
        pls.Problem("queens").path("prolog").read_text(encoding="utf-8") + "p(X, Y) :- Y > 1.\n",
        "singletons",
        "write _ for a variable that is used once",
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_warnings_about_a_changed_program_have_their_line(strangers, engine):
    text, kind, cure = STRANGE[engine]
    body = {**posed("queens", "4"), "engine": engine, "texts": {engine: text}}
    for path in ("solve", "propagate", "trace"):
        (warning,) = asked(strangers, path, **body)["warnings"]
        place, line = f"queens.{'lp' if engine == 'clingo' else 'pl'}", text.count("\n")
        assert (warning["kind"], warning["file"], warning["line"]) == (kind, place, line)
        assert cure in warning["cure"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_strange_about_a_right_program_or_an_input_that_is_lacking(strangers, engine):
    about = {"instance": "n(2).", "engine": engine, "texts": OWN}
    assert "warnings" not in asked(strangers, "solve", **about)
    assert "warnings" not in asked(strangers, "solve", **posed("queens", "4"))
    text = pls.Problem("futoshiki").path(engine).read_text(encoding="utf-8") + "\n"
    lacking = {"problem": "futoshiki", "instance": "size(2).", "engine": engine}
    assert "warnings" not in asked(
        strangers, "solve", **lacking, texts={engine: text.replace("#defined", "% ")}
    )


def test_warnings_of_a_bundled_program_are_in_the_answer(monkeypatch):
    # It limits the memory of its process, and ends it with its standard input.
    monkeypatch.setattr(app, "_begin", lambda prepare: None)
    message = pls.Message("it is strange", "strange", "queens.lp", 3)

    def question():
        notices.report([message, message])
        return {"solutions": []}

    assert app._answer(None, question) == {"solutions": [], "warnings": [message.to_json()]}
    assert app._answer(None, dict) == {}


@pytest.mark.slow
def test_a_program_that_never_ends_is_stopped():
    text = ":- use_module(library(clpfd)).\nmodel(P) :- model(P).\n"
    body = {**posed("queens", "4"), "engine": "prolog", "texts": {"prolog": text}}
    found = answered(questions.solve, 1, **body)
    assert (found["solutions"], found["stopped"]) == ([], "time")
    for watch in (questions.propagate, questions.trace):
        with pytest.raises(pls.SolveTimeout):
            answered(watch, 1, **body)


def test_programs_are_bounded(strangers):
    body = {**posed("queens", "4"), "texts": {"clingo": "a" * (trial.CHARACTERS + 1)}}
    assert "characters" in asked(strangers, "solve", 422, **body)["error"]


def test_a_program_sees_no_other_files(strangers, tmp_path):
    secret = tmp_path / "secret.pl"
    secret.write_text("secret(7).\n")
    text = f"answer([queen(1,N)]) :- consult('{secret}'), secret(N).\n"
    body = {**posed("queens", "1"), "engine": "prolog", "texts": {"prolog": text}}
    need_sandbox()
    assert "secret" in asked(strangers, "solve", 422, **body)["error"]


# --- pictures -----------------------------------------------------------------------------------


GRAPH = "node(a). node(b). edge(a,b). colours(2). colour(a,1). colour(b,2)."


def test_a_bundled_description_draws_without_the_right_to_run_programs(client):
    body = {"problem": "colouring", "instance": GRAPH, "engine": "draw"}
    found = solved(client, **body)
    (each,) = found["solutions"]
    assert {"node(a)", "edge((a,b))", "attr(node,b,label,(b,2))"} <= set(each["atoms"])
    assert (found["stopped"], "warnings" in found) == (None, False)
    changed = body | {"texts": {"draw": "#show node/1."}}
    assert asked(client, "solve", 403, **changed) == {"error": NO_PROGRAMS}


def test_a_changed_description_draws_any_problem(strangers):
    def draws(text, instance=GRAPH, status=200):
        body = {"instance": instance, "engine": "draw", "texts": {"draw": text}, "limit": 2}
        return asked(strangers, "solve", status, **body)

    shows = "#show node/1. #show edge/1. #show attr/4. edge((V,W)) :- edge(V,W)."
    atoms = [each["atoms"] for each in draws(shows)["solutions"]]
    assert atoms == [["edge((a,b))", "node(a)", "node(b)"]]
    assert len(draws(f"{shows} {{ node(c) }}.")["solutions"]) == 2
    assert draws(f"{shows} :- node(a).")["solutions"] == []
    assert "draw.lp shows nothing; expected #show" in draws("node(c).", status=422)["error"]
    (message,) = draws("#show node/1.\nnode(c)).\n", status=422)["messages"]
    assert (message["file"], message["line"]) == ("draw.lp", 2)


def test_the_page_has_the_descriptions_of_the_box(client):
    for shown in asked(client, "problems")["problems"]:
        file = pls.Problem(shown["name"]).folder / "draw.lp"
        assert shown["draws"] == file.read_text(encoding="utf-8")


# --- a custom problem ---------------------------------------------------------------------------


@pytest.mark.one_in(4, 2)
@pytest.mark.parametrize(
    ("instance", "answers"),
    [("n(3).", ["q(1)", "q(2)", "q(3)"]), ("n(3). odd(1;3).", ["q(2)"])],
    ids=["three", "one"],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_own_programs_are_asked_without_a_problem(strangers, engine, instance, answers):
    body = {"instance": instance, "engine": engine, "texts": OWN}
    found = solved(strangers, **body)
    assert [each["atoms"] for each in found["solutions"]] == [[each] for each in answers]
    left = asked(strangers, "propagate", **body)["atoms"]
    assert left == answers
    assert asked(strangers, "trace", **body)["events"][-1]["kind"] == "solution"


def test_the_line_that_refuses_an_answer_of_own_programs(strangers):
    why = asked(
        strangers,
        "refusal",
        instance="n(3). odd(1;3).",
        engine="prolog",
        texts=OWN,
        answer={"atoms": ["q(1)"]},
    )
    assert why["places"][0]["line"] == 2


def test_without_show_nothing_says_what_answers_are(strangers):
    def error(engine, **texts):
        body = {"instance": "n(1).", "engine": engine, "texts": OWN | texts}
        return asked(strangers, "solve", 422, **body)["error"]

    silent = OWN["clingo"].replace("#show q/1.", "")
    for engine in ENGINES:
        assert "expected #show with a predicate" in error(engine, clingo=silent)
    assert "which has an error" in error("prolog", clingo="a(")
    broken = {"instance": "n(1).", "engine": "clingo", "texts": OWN | {"clingo": "a("}}
    assert "mine.lp:" in asked(strangers, "solve", 422, **broken)["error"]
    assert "no engine 'sat'" in error("sat", sat="p cnf")
    assert "'prolog'" in error("prolog:x", **{"prolog:x": "a."})
