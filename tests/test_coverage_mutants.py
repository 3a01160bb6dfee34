"""Mutants of programs, the instances that a folder lacks, and records of trials."""

from __future__ import annotations

import json

import pytest
from helpers.command_line import run
from helpers.talks import DESCRIBED, INSTANCES, TALKS, TALKS_PL, folder

import pylogic_sudoku as pls
from pylogic_sudoku.coverage import mutate, plan_of, suggest
from pylogic_sudoku.coverage.edits import mutants_of
from pylogic_sudoku.coverage.mutants import judged, sampled
from pylogic_sudoku.coverage.record import Record
from pylogic_sudoku.coverage.small import at_the_edge, program_for, smallest
from pylogic_sudoku.problem.seen import seen_in

TWO = {"two": INSTANCES["two"]}
"""Instances that do not notice the order of talks."""
CHOICE = "{ at(T,1..N) } = 1 :- talk(T), slots(N)."


def suggestions(made, **more):
    plan = plan_of(made, **more)
    missed = [each for each in plan.run() if each[1].verdict == "missed"]
    return list(suggest(plan, missed))


# --- the missing instance ---


def test_the_missing_instance_is_the_smallest_that_the_description_has(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS, "instances.lp": DESCRIBED}, TWO)
    (found,) = suggestions(made)
    assert (found.kind, found.trial.edit.line) == ("instance", 5)
    # There are 2 instances without a talk, 4 with one, 2 with both, and of the next two this is
    # the first: bob cannot be after ada in a single slot, nor without that order.
    assert str(found.instance) == "before(ada,bob). slots(2). talk(ada). talk(bob)."
    assert found.tried == 10
    assert str(found) == f"{found.instance} notices it: 1 answer, and 2 answers after the change"
    assert found.to_json()["facts"] == ["before(ada,bob)", "slots(2)", "talk(ada)", "talk(bob)"]


@pytest.mark.slow
def test_without_a_description_facts_are_like_those_of_the_instances(tmp_path):
    instances = {**TWO, "order": "slots(2). talk(ada). talk(bob). before(ada,bob)."}
    made = folder(tmp_path, {"talks.lp": TALKS}, instances)
    (found,) = suggestions(made, instances=["two"])
    assert str(found.instance) == "before(ada,ada). slots(1). talk(ada)."
    assert found.kind == "unconfirmed"
    assert "notices it (unconfirmed): 0 answers, and 1 answer after the change" in str(found)
    (made / "talks.pl").write_text(TALKS_PL)
    (found,) = suggestions(made, instances=["two"], programs=["clingo"])
    assert (found.kind, str(found.instance)) == (
        "instance",
        "before(ada,ada). slots(1). talk(ada).",
    )


@pytest.mark.slow
def test_an_instance_on_which_the_programs_disagree_is_not_suggested(tmp_path):
    instances = {**TWO, "order": "slots(2). talk(ada). talk(bob). before(ada,bob)."}
    programs = {"talks.lp": TALKS, "talks.pl": TALKS_PL.replace("S #< R", "S #=< R")}
    made = folder(tmp_path, programs, instances)
    (found,) = suggestions(made, instances=["two"], programs=["clingo"])
    # A talk before itself is refused by one of them only.
    assert str(found.instance) == "before(ada,bob). slots(2). talk(ada). talk(bob)."


def test_an_edge_of_the_domain_is_no_hole(tmp_path):
    text = f"{TALKS}:- {{ slots(_) }} = 0.\n"
    made = folder(tmp_path, {"talks.lp": text, "instances.lp": DESCRIBED}, INSTANCES)
    (found,) = suggestions(made)
    assert (found.kind, str(found.instance), found.is_complete) == ("edge", "", True)
    assert str(found).startswith("an instance without facts notices it, at the edge: it is no answ")


@pytest.mark.slow
def test_a_line_that_others_imply_only_changes_the_search(tmp_path):
    text = f"{TALKS}:- talk(T), slots(N), not at(T,1..N).\n:- at(T,1), at(U,1), T < U.\n"
    made = folder(tmp_path, {"talks.lp": text, "instances.lp": DESCRIBED}, INSTANCES)
    found = [each for each in suggestions(made) if each.trial.edit.line == 9]
    assert [each.kind for each in found] == ["none"]
    assert str(found[0]).startswith("no instance notices it: the same answers to all 10 small inst")
    before, after = found[0].work
    assert before.keys() == after.keys() == {"choices", "conflicts"}


def test_if_no_small_instance_makes_sense_none_is_tried(tmp_path):
    asp = f"#defined late/1.\n{TALKS}:- late(T), at(T,1).\n"
    programs = {"talks.lp": asp, "talks.pl": "answer([at(none,0)]).\n"}
    made = folder(tmp_path, programs, TWO)
    order, late = suggestions(made, programs=["clingo"])
    assert (order.kind, order.tried, order.work) == ("none", 0, None)
    assert str(order) == (
        "no small instance was tried: the programs agree on none; describe those that make sense"
        " in instances.lp; no instance in the folder has a fact of before/2"
    )
    assert str(late).endswith("no instance in the folder has a fact of late/1")
    missed = [("clingo", order.trial)]
    plan = plan_of(made, programs=["clingo"])
    (one,) = judged(plan, missed).programs
    assert (len(one.survived), len(one.equivalent)) == (1, 0)
    (made / "instances.lp").write_text("slots(1). :- slots(1). #show slots/1.")
    (order,) = suggest(plan, missed)
    assert str(order).startswith("no small instance was tried: instances.lp has no answer")


def test_small_instances_have_the_constants_of_those_in_the_folder(tmp_path):
    text = "{ on(1..n) } = 1.\n:- on(X), p(X).\n#show on/1.\n"
    instances = {"a": "#const n=3. p(1).", "b": "#const n=2. p(1).", "c": "#const n=2. p(2)."}
    problem = pls.Problem(folder(tmp_path, {"talks.lp": text}, instances))
    found = [next(small) for small in [smallest(problem)] for _ in range(4)]
    assert [each.constants for each in found] == [(("n", "2"),), (("n", "3"),)] * 2
    assert str(found[0]) == "#const n=2. p(0)."


def test_small_instances_have_few_values_of_each_kind(tmp_path):
    instances = {"one": 'n(7). n(9). p(9,"A b"). p(7,c). q. one(5).', "two": "n(7). one(-2)."}
    made = folder(tmp_path, {"talks.lp": TALKS}, instances)
    problem = pls.Problem(made)
    text = program_for(problem, seen_in(problem))
    assert "{ p(X0,X1) : n(X0), __value_" in text
    assert '("A b").' in text
    assert "{ one(X0) : __value_" in text
    assert "} = 1." in text
    first = next(smallest(problem))
    assert [each.signature for each in first.facts] == [("one", 1)]
    assert str(next(at_the_edge(problem))) == ""


@pytest.mark.slow
def test_the_holes_of_bundled_problems_are_found():
    text = ":- rows(N), columns(M), R = 1..N, C = 1..M, not black(row(R),C), black(column(C),R)."
    plan = plan_of("nonogram", programs=["clingo"], instances=["1", "2"])
    missed = [each for each in plan.run() if each[1].verdict == "missed"]
    (found,) = suggest(plan, [each for each in missed if each[1].edit.text == text])
    assert found.kind == "instance"
    assert str(found.instance) == "column_block(1,1,1). columns(1). rows(1)."


# --- mutants ---


def test_the_mutants_of_a_small_program_are_those_that_are_expected(tmp_path):
    made = folder(tmp_path, {"talks.lp": f"{CHOICE}\n:- not at(a,2).\n"}, TWO)
    found = {
        (each.kind, each.text, each.new) for each in mutants_of(made / "talks.lp") if each.line == 1
    }
    assert found == {
        *(("comparison", "=", sign) for sign in ("!=", "<", ">", "<=", ">=")),
        *(("number", "1", number) for number in ("0", "2")),
        *(("bound", "N", bound) for bound in ("(N-1)", "(N+1)", "(2*N)")),
        *(("goal", goal, "#true") for goal in ("talk(T)", "slots(N)")),
        *(("negation", "", "not ") for _ in range(2)),
        ("statement", CHOICE, ""),
        ("choice", "= 1", ""),
    }
    negated = [each for each in mutants_of(made / "talks.lp") if each.line == 2]
    assert ("negation", "not", "") in {(each.kind, each.text, each.new) for each in negated}


@pytest.mark.slow
def test_what_becomes_of_mutants_is_counted(tmp_path):
    text = ":- at(T,S), at(U,S), T < U."
    programs = {"talks.lp": f"{{ at(T,1..N) }} = 1 :- talk(T), slots(N).\n{text}\n#show at/2.\n"}
    programs["instances.lp"] = DESCRIBED.replace("#show before/2.", "").replace("{ before", "%{ b")
    made = folder(tmp_path, programs, {"one": "slots(1). talk(ada)."})
    mutants = mutate(made, number=None)
    (one,) = mutants.programs
    survived = {each.trial.edit.words for each in one.survived}
    assert text in survived  # there is no second talk
    equivalent = {each.trial.edit.words.partition(" in ")[0] for each in one.equivalent}
    assert {"< becomes !=", "< becomes >"} <= equivalent
    assert mutants.score == len(one.killed) / (len(one.killed) + len(one.survived))
    assert f"{len(one.killed)} of {len(one.killed) + len(one.survived)} mutants" in str(mutants)


def test_a_sample_is_the_same_for_the_same_seed(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS, "talks.pl": TALKS_PL}, TWO)
    plan = plan_of(made)
    one, same, other = (sampled(plan, 20, seed).edits for seed in (1, 1, 2))
    assert one == same != other
    assert sum(map(len, one.values())) == 20
    every = sampled(plan).edits
    assert all({*own} <= {*every[name]} for name, own in one.items())
    assert list(one) == ["clingo", "prolog"]


# --- records ---


def test_a_record_is_resumed(tmp_path, monkeypatch):
    from pylogic_sudoku.coverage import trials

    made = folder(tmp_path, {"talks.lp": TALKS}, INSTANCES)
    tried = []

    def noted(task, edit, tried_=trials.tried):
        tried.append(edit.line)
        if len(tried) == 2:
            raise KeyboardInterrupt
        return tried_(task, edit)

    monkeypatch.setattr(trials, "tried", noted)
    arguments = ("coverage", "-p", "talks", "--record", "r.jsonl")
    assert run(*arguments, cwd=tmp_path).returncode == 130
    with (tmp_path / "r.jsonl").open("a") as file:
        file.write('{"program": "clingo", "ed')  # the process was killed while it wrote
    done = run(*arguments, cwd=tmp_path)
    assert (done.returncode, tried) == (0, [3, 4, 4, 5])
    assert "3 of 3 parts noticed" in done.stdout
    lines = [json.loads(each) for each in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [each.get("line") for each in lines] == [None, 3, 4, 5]
    assert run(*arguments, cwd=tmp_path).stdout == done.stdout
    assert len(tried) == 4
    (made / "talks.lp").write_text(f"{TALKS}% changed\n")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "r.jsonl is a record of something else (programs differ)" in done.stderr


def test_a_file_that_is_no_record_is_refused(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS}, TWO)
    (tmp_path / "r.jsonl").write_text("[1]\n")
    with pytest.raises(pls.InvalidProblem, match=r"r.jsonl:1: it is no line of a record"):
        Record(tmp_path / "r.jsonl", plan_of(made))


# --- the command ---


def test_the_command_suggests_instances_and_tries_mutants(tmp_path):
    folder(tmp_path, {"talks.lp": TALKS, "instances.lp": DESCRIBED}, TWO)
    done = run("coverage", "-p", "talks", "--suggest", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-3:] == [
        "The smallest instances:",
        "talks/talks.lp:5: :- before(T,U), at(T,S), at(U,R), S >= R.",
        "    before(ada,bob). slots(2). talk(ada). talk(bob). notices it: 1 answer, and 2 answers"
        " after the change",
    ]
    done = run("coverage", "-p", "talks", "--mutants", "5", "-f", "json", cwd=tmp_path)
    found = json.loads(done.stdout)
    (one,) = found["programs"]
    assert one["mutants"] == 5
    assert done.returncode == (1 if one["survived"] else 0)
    assert done.stderr.startswith("talks: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seed", "1"], "--seed is that of the sample of --mutants: give both"),
        (
            ["--mutants", "3", "-f", "html"],
            "-f html is about parts left out; with --mutants, choos",
        ),
        (["--mutants", "3", "--suggest"], "--mutants looks for the smallest instances anyway"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path, arguments, words):
    folder(tmp_path, {"talks.lp": TALKS}, TWO)
    done = run("coverage", "-p", "talks", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
