"""Mutants of programs, the instances that a folder lacks, and records of trials."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice

import pytest
from helpers.command_line import run
from helpers.talks import DESCRIBED, INSTANCES, TALKS, TALKS_PL, folder

import pylogic_sudoku as pls
from pylogic_sudoku.coverage import mutate, plan_of, suggest
from pylogic_sudoku.coverage.edits import mutants_of
from pylogic_sudoku.coverage.mutants import judged, sampled
from pylogic_sudoku.coverage.record import Record
from pylogic_sudoku.coverage.small import at_the_edge, constants_of, program_for, smallest
from pylogic_sudoku.problem.facts import read_answer
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
    assert str(found).startswith(
        "an instance without facts notices it, at the edge: it is not an answ"
    )


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
    assert (order.kind, order.tried, order.work) == ("unknown", 0, None)
    assert str(order).startswith("not known: there is no small instance to try; on ")
    assert str(order).endswith(" differ; no instance in the folder has a fact of before/2")
    assert str(late).endswith("no instance in the folder has a fact of late/1")
    missed = [("clingo", order.trial)]
    plan = plan_of(made, programs=["clingo"])
    (one,) = judged(plan, missed).programs
    assert (len(one.survived), len(one.equivalent), len(one.undecided)) == (0, 0, 1)
    (made / "instances.lp").write_text("slots(1). :- slots(1). #show slots/1.")
    (order,) = suggest(plan, missed)
    assert str(order).startswith("not known: there is no small instance to try")


def test_small_instances_have_few_values_of_each_kind(tmp_path):
    instances = {"one": 'n(7). n(9). p(9,"A b"). p(7,c). q. one(5).', "two": "n(7). one(-2)."}
    made = folder(tmp_path, {"talks.lp": TALKS}, instances)
    problem = pls.Problem(made)
    program = program_for(problem, seen_in(problem))
    assert "{ p(X0,X1) : n(X0), __value_" in program.text
    assert program.values["p", 2] == [[0, 1, 2, 3], ["A b", "c"]]
    assert "{ one(X0) : __value_" in program.text
    assert "} = 1." in program.text
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


def test_names_and_numbers_that_the_programs_mention_come_first(tmp_path):
    instances = {"one": "job(a,2). job(b,15). job(c,3). job(work,9). end(9). least(-5)."}
    text = "% zebra, 13\n{ on(X) : job(X,_) }.\n:- on(work), end(X), X < 11.\n#show on/1.\n"
    problem = pls.Problem(folder(tmp_path, {"talks.lp": text}, instances))
    values = program_for(problem, seen_in(problem)).values
    assert values["job", 2] == [["work", "a", "b"], [11, 12, 10, 0, 1]]
    assert values["end", 1] == [[0, 1, 2, 3]]  # none is as large as 11
    assert values["least", 1] == [[-5]]
    (work, *_) = smallest(problem, 8)
    assert [each.signature for each in work.facts] == [("end", 1), ("least", 1)]
    assert len({len(each.facts) for each in smallest(problem, 8)}) >= 3  # few of each size


# --- constants ---

BOARD = """\
{ on(1..n) }.
:- on(X), not row(X,_).
:- #count { X : on(X) } > most.
#show on/1.
"""
BOARD_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    constant(n, N), constant(most, M),
    numlist(1, N, Xs),
    findall(on(X) #<==> _, member(X, Xs), Pairs),
    maplist([_ #<==> B, B]>>(B in 0..1), Pairs, Bs),
    maplist([on(X) #<==> B]>>(row(X, _) -> true ; B = 0), Pairs),
    sum(Bs, #=<, M).
"""
CONSTANTS = {
    "one": "#const n=3. #const most=7. row(1,1). row(3,6).",
    "two": "#const n=5. #const most=7. row(2,0). row(4,1).",
}


def test_small_instances_have_the_constants_of_the_folder(tmp_path):
    problem = pls.Problem(folder(tmp_path, {"talks.lp": BOARD}, CONSTANTS))
    assert constants_of(problem) == (
        (("n", "3"), ("most", "7")),
        (("n", "5"), ("most", "7")),
    )
    posed = [problem.instance("one", {"most": 2})]
    assert [*map(dict, constants_of(problem, posed))] == [{"n": "3", "most": "2"}]
    found = [*islice(smallest(problem, 40), 40)]
    constants = [dict(each.constants) for each in found]
    assert {tuple(each.values()) for each in constants} >= {("3", "7"), ("5", "7"), ("0", "1")}
    assert all(each.keys() == {"n", "most"} for each in constants)
    rows = [
        (dict(each.constants)["n"], atom.arguments[0])
        for each in found
        for atom in read_answer(" ".join(f"{fact.text}." for fact in each.facts), "")
    ]
    assert rows
    assert all(1 <= row <= int(n) for n, row in rows)  # 3 is a row, and none is beyond n


def test_as_many_facts_as_a_constant_says(tmp_path):
    instances = {"one": "#const n=1. row(7).", "two": "#const n=2. row(7). row(8)."}
    text = "{ on(X) } :- row(X), X <= n.\n#show on/1.\n"
    problem = pls.Problem(folder(tmp_path, {"talks.lp": text}, instances))
    for each in islice(smallest(problem, 8), 8):
        assert len(each.facts) == int(dict(each.constants)["n"])


def test_described_instances_have_the_constants_of_the_first(tmp_path):
    programs = {"talks.lp": BOARD, "instances.lp": "{ row(1..2,0) }.\n#show row/2.\n"}
    problem = pls.Problem(folder(tmp_path, programs, CONSTANTS))
    assert {each.constants for each in smallest(problem)} == {(("n", "3"), ("most", "7"))}
    first = next(at_the_edge(problem, constants_of(problem)[0]))
    assert first.constants == (("n", "3"), ("most", "7"))


@pytest.mark.slow
def test_an_instance_with_constants_is_suggested(tmp_path):
    programs = {"talks.lp": BOARD, "talks.pl": BOARD_PL}
    made = folder(tmp_path, programs, CONSTANTS)
    plan = plan_of(made, programs=["clingo"])
    missed = [each for each in plan.run() if each[1].verdict == "missed"]
    assert [each.edit.line for _, each in missed] == [3]  # no instance has 8 rows
    (found,) = suggest(plan, missed, tries=60)
    assert found.kind == "instance"
    most = dict(found.instance.constants)["most"]
    assert found.to_json()["constants"]["most"] == most
    assert len(found.instance.facts) > int(most)
    assert str(found).startswith("#const n=")


# --- programs that differ, and instances without an answer ---


def test_programs_that_never_agree_leave_nothing_to_try(tmp_path):
    programs = {"talks.lp": TALKS, "talks.pl": "answer([at(x,0)]).\n"}
    made = folder(tmp_path, programs, TWO)
    (found,) = suggestions(made, programs=["clingo"])
    assert (found.kind, found.instance, found.tried) == ("unknown", None, 0)
    number = len(found.pool.differing)
    assert number == found.pool.asked > 8
    assert str(found) == (
        f"not known: there is no small instance to try; on {number} of {number} the programs"
        " differ; no instance in the folder has a fact of before/2"
    )
    assert found.pool.difference == (
        f"clingo and prolog differ on {number} of {number} small instances, the smallest is"
        " slots(0). (clingo has 1 answer, prolog has 1 answer)"
    )
    assert found.to_json()["differ"] == number
    done = run("coverage", "-p", "talks", "-b", "clingo", "--mutants", "0", cwd=tmp_path)
    assert done.returncode in (1, 4)
    assert "0 equivalent" in done.stdout
    assert "Not known:" in done.stdout
    assert done.stdout.splitlines()[-2:] == ["The programs differ:", f"    {found.pool.difference}"]


def test_a_program_that_fails_on_small_instances_is_shown(tmp_path):
    failing = "answer([]) :- talk(_), !.\nanswer(_) :- throw(no_talk).\n"
    made = folder(tmp_path, {"talks.lp": TALKS, "talks.pl": failing}, TWO)
    (found,) = suggestions(made, programs=["clingo"])
    assert str(found.pool.failing[0]) == "slots(0)."
    assert "no_talk" in found.pool.difference
    assert found.pool.to_json()["failure"]["facts"] == ["slots(0)"]


def test_no_answer_to_any_small_instance_makes_no_mutant_equivalent(tmp_path):
    programs = {"talks.lp": f"{TALKS}:- not never.\n#defined never/0.\n"}
    programs["instances.lp"] = DESCRIBED
    made = folder(tmp_path, programs, TWO)
    mutants = mutate(made, number=12)
    (one,) = mutants.programs
    assert not one.equivalent
    assert {each.kind for each in one.undecided} == {"unknown"}
    assert one.numbers[-1] == len(one.undecided) > 2
    assert one.to_json()["unknown"] == len(one.to_json()["undecided"])
    assert str(one.undecided[0]) == (
        "not known: the same answers to all 10 small instances, none of which has an answer"
    )
    assert "\nNot known:\n" in str(mutants)


def test_the_instances_with_an_answer_are_counted(tmp_path):
    text = f"{TALKS}:- at(T,1), at(U,1), T < U.\n"
    made = folder(tmp_path, {"talks.lp": text, "instances.lp": DESCRIBED}, INSTANCES)
    (found,) = (each for each in suggestions(made) if each.trial.edit.line == 8)
    # Two talks do not fit into a slot, with an order or without; in two slots, they do.
    assert (found.kind, found.tried, found.answered) == ("none", 10, 8)
    assert "to all 10 small instances, 8 of which have an answer" in str(found)
    plan = plan_of(made)
    (found,) = suggest(plan, [("clingo", found.trial)], tries=1)
    assert str(found).startswith(
        "no instance notices it: the same answers to the 1 smallest instance, all of which have"
    )


def test_two_programs_are_compared_once(tmp_path, monkeypatch):
    from pylogic_sudoku.coverage import pool

    made = folder(tmp_path, {"talks.lp": TALKS, "talks.pl": TALKS_PL}, TWO)
    asked = []

    def noted(tasks, instance, asked_=pool._asked):
        asked.append(instance)
        return asked_(tasks, instance)

    monkeypatch.setattr(pool, "_asked", noted)
    plan = plan_of(made)
    instances = tuple(islice(smallest(plan.problem), 3))
    pools = [pool.pool_of(task, instances, False) for task in plan.tasks.values()] * 2
    assert asked == list(instances)
    assert pools[0].instances == pools[1].instances
    assert len(pool.differences(pools)) <= 1
    (made / "talks.pl").write_text(TALKS_PL + "% changed\n")
    pool.pool_of(plan_of(made).tasks["clingo"], instances, False)
    assert len(asked) == 6


# --- mutants ---


def test_a_long_change_is_shortened_where_it_is_still_seen(tmp_path):
    one, two = f"p({'X,' * 30}Y)", f"q({'Y,' * 30}X)"
    made = folder(tmp_path, {"talks.pl": f"answer([]) :- {one},\n    {two}.\n"}, TWO)
    by_kind = {each.kind: each for each in mutants_of(made / "talks.pl")}
    words = by_kind["order"].brief(100)
    assert words == f"{one[:37]}... and {two[:37]}... change places"
    assert len(by_kind["goal"].brief(100)) <= 100
    text = ":- at(T,S), at(U,S), T < U."
    (changed,) = (
        each
        for each in mutants_of(folder(tmp_path / "b", {"talks.lp": text}, TWO) / "talks.lp")
        if each.new == "<="
    )
    assert changed.brief(100) == f"< becomes <= in {text}"
    assert changed.brief(20) == "< becomes <= in :..."


def test_exchanged_goals_are_listed_apart(tmp_path):
    text = "answer(L) :- slots(N), findall(T, talk(T), L0), N > 0, L = L0.\n"
    programs = {"talks.pl": text, "instances.lp": DESCRIBED.replace("{ before", "%{ before")}
    made = folder(tmp_path, programs, TWO)
    plan = sampled(plan_of(made))
    only = {name: tuple(e for e in own if e.kind == "order") for name, own in plan.edits.items()}
    plan = replace(plan, edits=only)
    mutants = judged(plan, list(plan.run()))
    lines = str(mutants).splitlines()
    assert "Equivalent:" not in lines
    rest = lines[lines.index("Equivalent, two goals exchanged:") + 1 :]
    assert len(rest) == len(mutants.programs[0].equivalent) == 3


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
    with pytest.raises(pls.InvalidProblem, match=r"r.jsonl:1: it is not a line of a record"):
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
