"""Coverage of programs by instances: the parts that an instance notices, counted by hand."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.command_line import run
from helpers.talks import INSTANCES, TALKS, TALKS_PL, folder

import pylogic_sudoku as pls
from pylogic_sudoku.check.changes import removable, weaker_choices
from pylogic_sudoku.coverage import Coverage, as_cobertura, as_html, cover, plan_of
from pylogic_sudoku.coverage.edits import files_of, parts_of
from pylogic_sudoku.coverage.plan import covered
from pylogic_sudoku.coverage.trials import Trial


@pytest.fixture
def talks(tmp_path):
    return folder(tmp_path, {"talks.lp": TALKS}, INSTANCES)


def by_line(coverage: Coverage) -> dict[int, tuple[str, ...]]:
    """The instances that notice each part, by its line."""
    return {each.edit.line: each.noticing for each in coverage.programs[0].trials}


# --- the parts of a program ---


def test_the_parts_of_an_asp_program_are_its_statements():
    text = "#const n=2.\n#script (python)\ndef f(): return [1.]\n#end.\n" + TALKS + "a. b :- a.\n"
    text += "#minimize { S : at(_,S) }.\n:~ a. [1]\n"
    found = [(text.count("\n", 0, each.start) + 1, each.kind) for each in removable(text, ".lp")]
    assert found == [(line, "statement") for line in (7, 8, 9, 12, 12, 13, 14)]


def test_the_parts_of_a_prolog_program_are_its_clauses_and_goals():
    found = [(each.line, each.kind, each.new) for each in removable(TALKS_PL)]
    goals = [5, 6, 7, 7, 8, 9, 10]
    assert found == [
        (4, "clause", ""),
        *((line, "goal", "true") for line in goals),
        (12, "clause", ""),
        *((line, "goal", "true") for line in (13, 13, 14)),
    ]


def test_goals_of_grammars_and_choices_without_their_bounds():
    text = "s --> [a], t, { true }.\n"
    assert [(each.kind, each.new) for each in removable(text)] == [
        ("clause", ""),
        *[("goal", "[]")] * 3,
    ]
    text = "1 { a; b } 2 :- c.\n{ d }.\n&sum { x } = 3.\n{ e : f(X) } = 1.\n"
    assert [text[each.start : each.end] for each in weaker_choices(text)] == [" 2", " = 1"]


def test_parts_of_included_files_belong_to_a_program(tmp_path):
    made = folder(tmp_path, {"talks.lp": '#include "more.lp".\na.\n', "more.lp": "b.\n"}, INSTANCES)
    (tmp_path / "out.lp").write_text("c.\n")
    (made / "more.lp").write_text('#include "../out.lp".\nb.\n')
    assert [each.name for each in files_of(made / "talks.lp")] == ["talks.lp", "more.lp"]
    assert [each.text for each in parts_of(made / "talks.lp")] == ["a.", "b."]


# --- which of them an instance notices ---


def test_the_instances_that_notice_a_statement_are_counted(talks):
    coverage = cover(talks)
    assert by_line(coverage) == {3: ("two", "order"), 4: ("two",), 5: ("order",)}
    assert coverage.is_full
    assert coverage.summary == "talks: 3 of 3 parts noticed by 2 instances"
    coverage = cover(talks, ["two"])
    assert by_line(coverage) == {3: ("two",), 4: ("two",), 5: ()}
    assert [each.edit.line for each in coverage.missed] == [5]
    assert coverage.missed[0].edit.text == ":- before(T,U), at(T,S), at(U,R), S >= R."
    assert (
        str(coverage)
        .splitlines()[-1]
        .endswith("talks/talks.lp:5: :- before(T,U), at(T,S), at(U,R), S >= R.")
    )


def test_a_sum_that_a_variable_gets_and_a_cost_are_noticed(tmp_path):
    text = """\
{ in(X) : item(X,_,_) }.
load(T) :- T = #sum { W,X : in(X), item(X,W,_) }.
:- load(T), T > 3.
#maximize { V,X : in(X), item(X,_,V) }.
#minimize { W@-1,X : in(X), item(X,W,_) }.
#show in/1.
"""
    instances = {
        "tight": "item(a,2,1). item(b,2,1).",  # either of them
        "loose": "item(a,1,1).",
        "worth": "item(a,3,0).",  # nothing is gained, so only the weight decides
    }
    made = folder(tmp_path, {"talks.lp": text}, instances)
    assert by_line(cover(made)) == {
        1: ("loose", "tight", "worth"),
        2: ("tight",),
        3: ("tight",),
        4: ("loose", "tight", "worth"),  # each answer has a second cost less
        5: ("loose", "tight", "worth"),
    }


def test_the_instances_that_notice_a_goal_are_counted(tmp_path):
    made = folder(tmp_path, {"talks.pl": TALKS_PL}, INSTANCES)
    (program,) = cover(made).programs
    found = {each.edit.words: each.noticing for each in program.trials if each.edit.new}
    assert found.pop("findall(T-U, before(T, U), Orders)") or program.of(
        "late"
    )  # a list without end
    both = ("two", "order")
    assert found == {
        "slots(N)": both,
        "findall(at(T)-_, talk(T), Pairs)": both,
        "pairs_values(Pairs, Slots)": both,
        "Slots ins 1..N": both,
        "all_distinct(Slots)": ("two",),  # the other one has an order, so the slots differ anyway
        "maplist(in_order(Pairs), Orders)": ("order",),
        "memberchk(at(T)-S, Pairs)": ("order",),
        "memberchk(at(U)-R, Pairs)": ("order",),
        "S #< R": ("order",),
    }
    assert program.share == 1


@pytest.mark.slow
def test_a_program_that_does_not_end_is_noticed_by_time_alone(tmp_path):
    text = "answer([n(N)]) :- size(N), down(N).\ndown(0) :- !.\ndown(N) :- M is N - 1, down(M).\n"
    made = folder(tmp_path, {"talks.pl": text}, {"one": "size(1)."})
    coverage = cover(made, timeout=0.5)
    assert {each.edit.words for each in coverage.late} >= {"!"}
    assert "Noticed by time alone:" in str(coverage)
    assert "(no end in time on one)" in str(coverage)


def test_beyond_the_limit_each_program_must_accept_what_the_other_has_found(tmp_path):
    text = "{ a(1..N) } :- size(N).\nb.\n:- a(X), a(Y), X + Y = 25.\n#show a/1.\n#show b/0.\n"
    made = folder(tmp_path, {"talks.lp": text}, {"eight": "size(8)."})
    assert by_line(cover(made, limit=3)) == {1: ("eight",), 2: ("eight",), 3: ()}
    (missed,) = cover(made, limit=3).missed
    assert missed.outcomes == {"eight": "alike"}
    assert "(1 instance compared up to the limit only)" in str(cover(made, limit=3))
    (missed,) = cover(made).missed
    assert missed.outcomes == {"eight": "same"}


def test_a_program_that_is_late_as_it_is_tells_nothing(talks, monkeypatch):
    plan = plan_of(talks)
    edit = plan.edits["clingo"][0]
    coverage = covered(plan, [("clingo", Trial(edit, {"two": "unknown", "order": "same"}))])
    assert [each.edit for each in coverage.unknown] == [edit]
    assert not coverage.is_full
    assert "(two: not answered in time even with it)" in str(coverage)


def test_all_programs_of_a_folder_are_tried_unless_some_are_named(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS, "talks_2.lp": TALKS}, INSTANCES)
    assert [each.name for each in cover(made).programs] == ["clingo", "clingo:talks_2"]
    assert [each.name for each in cover(made, programs=["clingo:talks_2"]).programs] == [
        "clingo:talks_2"
    ]
    with pytest.raises(pls.InvalidProblem, match="has no program 'clingo:talks'; did you mean"):
        cover(made, programs=["clingo:talks"])


def test_a_program_that_has_changed_is_asked_again(talks):
    assert cover(talks, ["two"]).missed
    (talks / "talks.lp").write_text(
        TALKS.replace(":- before", "%% :- before").replace("at(U,R)", "%")
    )
    assert not cover(talks, ["two"]).missed


def test_a_folder_without_instances_is_refused(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS}, {})
    with pytest.raises(pls.InvalidProblem, match="has no instances; write their facts into"):
        cover(made)


def test_a_program_that_fails_as_it_is_is_an_error(tmp_path):
    made = folder(tmp_path, {"talks.lp": "{ at(T) } :- talk(T).\n#show at/1.\n:- at(1."}, INSTANCES)
    with pytest.raises(pls.BackendFailure, match="syntax error"):
        cover(made)


def test_the_search_of_a_program_is_that_of_its_changes(talks):
    (talks / "problem.toml").write_text('search = { clingo = ["--configuration=handy"] }\n')
    assert cover(talks).is_full


@pytest.mark.slow
def test_processes_find_the_same(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS, "talks.pl": TALKS_PL}, INSTANCES)
    assert cover(made, jobs=2).to_json() == cover(made).to_json()


# --- the reports ---


class _Checked(HTMLParser):
    """Holds that each element is closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.classes: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.classes += [value for name, value in attributes if name == "class"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_has_the_text_of_the_program_in_colours(talks):
    (talks / "talks.lp").write_text(TALKS.replace("One room", "One <room> & more"))
    page = as_html(cover(talks, ["two"]))
    checked = _Checked()
    checked.feed(page)
    assert checked.open == []
    assert "% One &lt;room&gt; &amp; more." in page
    assert 'title="no instance notices that it is missing">:- before(T,U), at(T,S),<' in page
    assert 'title="1 of 1 instances notice it: two"' in page
    assert checked.classes.count("missed") == 3  # in the key, and two lines
    assert "prefers-color-scheme: dark" in page
    assert "http" not in page


def test_the_lines_of_cobertura_have_the_instances_that_notice_them(talks, monkeypatch):
    monkeypatch.chdir(talks.parent)
    text = as_cobertura(cover(talks))
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("line-rate"), root.get("lines-valid")) == ("coverage", "1", "4")
    assert root.findtext("sources/source") == str(Path.cwd())
    (one,) = root.findall("packages/package/classes/class")
    assert one.get("filename") == "talks/talks.lp"
    hits = {each.get("number"): each.get("hits") for each in one.findall("lines/line")}
    assert hits == {"3": "2", "4": "1", "5": "1", "6": "1"}
    assert one.find("methods") is not None


def test_a_line_with_several_goals_has_the_fewest_instances_of_them(tmp_path):
    made = folder(tmp_path, {"talks.pl": TALKS_PL}, INSTANCES)
    root = ElementTree.fromstring(as_cobertura(cover(made)))
    hits = {each.get("number"): each.get("hits") for each in root.iter("line")}
    assert hits["7"] == "2"  # three goals
    assert hits["8"] == hits["13"] == hits["14"] == "1"
    assert {"1", "2", "3"}.isdisjoint(hits)


# --- the command ---


def test_the_command_ends_with_1_if_a_part_is_missed(talks):
    done = run("coverage", "-p", "talks", cwd=talks.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:3] == [
        "talks: 3 of 3 parts noticed by 2 instances",
        "  program  file      parts  noticed  late  missed  unknown",
        "  clingo   talks.lp      3        3     0       0        0",
    ]
    done = run("coverage", "-p", "talks", "two", cwd=talks.parent)
    assert done.returncode == 1
    assert done.stdout.endswith(
        "No instance notices that these are missing:\n"
        "talks/talks.lp:5: :- before(T,U), at(T,S), at(U,R), S >= R.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-p", "talks", "thre"], "talks has no instance 'thre'; there is two, order"),
        (["-p", "talks", "-b", "prolog"], "no program for prolog"),
        (["-p", "nothing"], "there is no problem 'nothing'"),
        (["-p", "talks", "talx(ada)."], "talks takes before/2, slots/1 and talk/1, not talx/1"),
        (["-p", "talks", "-t", "0"], "'0' is not a number of seconds over 0"),
        (
            ["-p", "talks", "-o", "talks.pdf"],
            "should end in one of .json, .jsonl, .html, .xml",
        ),
        ([], "Missing option '-p'"),
    ],
)
def test_wrong_input_is_refused(talks, arguments, words):
    done = run("coverage", *arguments, cwd=talks.parent)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize(
    ("name", "begins"), [("c.html", "<!DOCTYPE html>"), ("c.xml", "<?xml"), ("c.json", "{")]
)
def test_the_ending_of_the_file_is_the_form_of_the_report(talks, name, begins):
    done = run("coverage", "-p", "talks", "-o", name, cwd=talks.parent)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "talks: 3 of 3 parts noticed by 2 instances\n"
    text = (talks.parent / name).read_text(encoding="utf-8")
    assert text.startswith(begins)
    if name == "c.json":
        found = json.loads(text)
        assert [part["verdict"] for part in found["programs"][0]["parts"]] == ["noticed"] * 3


def test_ctrl_c_leaves_what_is_done(talks, monkeypatch):
    from pylogic_sudoku.coverage import trials

    def stopping(task, edit, tried=trials.tried):
        if edit.line == 5:
            raise KeyboardInterrupt
        return tried(task, edit)

    monkeypatch.setattr(trials, "tried", stopping)
    done = run("coverage", "-p", "talks", cwd=talks.parent)
    assert done.returncode == 130
    assert "talks: 2 of 2 parts noticed by 2 instances" in done.stdout
    assert "INCOMPLETE: interrupted after 2 of 3 parts" in done.stdout


def test_constants_of_the_command_count(tmp_path):
    text = "#const k=1.\n{ a(1..2) }.\n:- a(1), k=2.\n#show a/1.\n"
    made = folder(tmp_path, {"talks.lp": text}, {"any": ""})
    assert run("coverage", "-p", made).returncode == 1
    assert run("coverage", "-p", made, "-c", "k=2").returncode == 0
