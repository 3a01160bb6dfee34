"""The commands on problems: options, output, errors and exit codes."""

import json
import re
import shlex
import shutil

import pytest
from helpers.command_line import cli, run, spawned
from helpers.problems import written
from helpers.programs import WASM

import pylogic_sudoku as pls
from pylogic_sudoku.files import resource
from pylogic_sudoku.questions.comparison import instances_by_size

QUEENS = resource("problems/queens")


@pytest.fixture
def mine(tmp_path):
    """A folder with queens of its own, whose Prolog program forgets a diagonal."""
    folder = tmp_path / "mine"
    (folder / "instances").mkdir(parents=True)
    shutil.copy(QUEENS / "queens.lp", folder / "mine.lp")
    shutil.copy(QUEENS / "instances.lp", folder / "instances.lp")
    shutil.copy(QUEENS / "instances" / "4.lp", folder / "instances" / "4.lp")
    text = (QUEENS / "queens.pl").read_text()
    (folder / "mine.pl").write_text(text.replace("    all_distinct(Sums),\n", ""))
    return folder


def said(*arguments, code=0):
    ended = run(*map(str, arguments))
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.parametrize("which", ["size=6", "size(6).", "6", "instances/6.lp"])
def test_an_instance_is_a_name_a_file_or_facts(which):
    ended = said("solve", "-p", "queens", "-n", 0, which)
    assert len(ended.stdout.splitlines()) == 4
    assert ended.stdout.splitlines()[0].startswith("queen(1,")


def test_without_an_instance_all_of_the_folder_are_asked():
    ended = said("count", "-p", "queens", code=1)
    assert sorted(map(int, ended.stdout.split())) == [0, 1, 2, 4, 92]
    assert ended.stderr == "queens, 3: no solution\n"


def test_answers_as_json():
    (line,) = said("solve", "-p", "queens", "-f", "json", "size=1").stdout.splitlines()
    found = json.loads(line)
    assert found.pop("seconds").keys() == {"clingo"}
    assert found == {
        "where": "queens, size(1).",
        "problem": "queens",
        "facts": ["size(1)"],
        "solutions": [{"atoms": [["queen", 1, 1]]}],
    }


def test_an_optimum_has_its_cost():
    lines = said("solve", "-p", "knapsack", "-b", "all").stdout.splitlines()
    assert len(lines) == 4
    assert [line.partition("% ")[2] for line in lines] == [
        "cost -29",
        "cost 0",
        "cost -3",
        "cost -20",
    ]


def test_several_engines_must_agree(mine):
    ended = said("solve", "-p", mine, "-b", "all", "-n", 0, 4, code=5)
    assert "the engines disagree on size(4).: clingo: 2 solutions" in ended.stderr


def test_candidates_are_atoms():
    ended = said("propagate", "-p", "futoshiki", "-b", "clingo", "-b", "prolog", 5)
    titles = [line for line in ended.stdout.splitlines() if ":" in line and "left" in line]
    assert titles == [
        "clingo: 113 candidates are left, 1 of them certain",
        "prolog: 25 candidates are left, 25 of them certain; 112 differ from the first",
    ]


def test_a_trace_of_atoms():
    lines = said("trace", "-p", "queens", "-b", "prolog", 4).stdout.splitlines()
    assert lines[0] == "  queen(1,1)?"
    assert lines[-1].startswith("solution: queen(1,2). queen(2,4).")


def test_a_difference_is_explained(mine):
    ended = said("compare", "-p", mine, "-n", 0, code=5)
    lines = ended.stdout.splitlines()
    alone = ": clingo stands alone" if WASM else ""
    assert lines[0] == f"mine, 4: the engines disagree{alone}"
    assert "  clingo: 2 solutions" in lines
    (why,) = (line for line in lines if "refuses it" in line)
    assert "mine.lp:" in why
    assert "queen(R,D-R)" in why


def test_an_answer_that_is_given_is_explained(mine, tmp_path):
    answer = "queen(1,2). queen(2,4). queen(3,3). queen(4,1)."
    as_clingo_prints = answer.replace(".", "")
    asked = ["explain", "refusal", "-p", mine]
    ended = said(*asked, answer, 4)
    whys = [str(pls.refusal(pls.Problem(mine).instance("4"), SAME_DIAGONAL, name)) for name in ALL]
    assert ended.stdout.splitlines() == [f"mine, 4: {why}" for why in whys]
    assert " refuses it: mine.lp:" in whys[0]
    assert whys[1:] == [f"{name} has it" for name in ALL[1:]]
    assert said(*asked, as_clingo_prints, "-b", "clingo").stdout == f"mine, 4: {whys[0]}\n"
    found = json.loads(said(*asked, answer, "-f", "json", "size(4).").stdout)
    assert {name: each["text"] for name, each in found["refusals"].items()} == dict(
        zip(ALL, whys, strict=True)
    )
    assert found["answer"] == SAME_DIAGONAL.to_json()
    file = tmp_path / "why.txt"
    assert said(*asked, answer, "-o", file, 4).stdout == ""
    assert file.read_text() == ended.stdout


ALL = ("clingo", "prolog", *WASM)
BY_NAME = [word for name in ALL for word in ("-b", name)]
SAME_DIAGONAL = pls.Answer(pls.Atom("queen", place) for place in [(1, 2), (2, 4), (3, 3), (4, 1)])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-p", "queens", "4"], "this question is about sudokus; of another problem"),
        (["why", "r1c1", "-p", "queens", "4"], "this question is about sudokus"),
        (["why-not", "r1c1", "2", "-p", "queens"], "explain refusal -p PROBLEM ANSWER [INSTANCE]"),
        (["graph", "queen(1,1)", "-p", "queens", "4"], "this question is about sudokus"),
        (["refusal", "q(1)", "4"], "Missing option '-p' / '--problem'."),
        (["refusal", "-p", "queens"], "Missing argument 'ANSWER'."),
        (["refusal", "-p", "queens", "q(X)", "4"], "Invalid value for 'ANSWER': ANSWER:1: "),
        (["refusal", "-p", "queens", "q(1)", "-b", "sat", "4"], "sat takes sudokus only; choose"),
        (["refusal", "-p", "queens", "q(1)", "-o", "x.svg", "4"], "'x.svg' should end in one of"),
    ],
)
def test_an_explanation_that_there_is_not_is_refused(arguments, told):
    ended = said("explain", *arguments, code=2)
    assert (ended.stdout, told in ended.stderr) == ("", True), ended.stderr


TAKE_PROBLEMS = {"solve", "count", "compare", "propagate", "trace", "program", "check"}


def test_the_usage_has_a_line_for_instances():
    for name in sorted({*cli.commands} - {"exercise"}):
        first, *more = said(name, "--help").stdout.partition("\n\n")[0].splitlines()
        assert ("[INSTANCE]" in "".join(more)) == (name in TAKE_PROBLEMS)
        assert "INSTANCE" not in first
    only = said("explain", "refusal", "--help").stdout.partition("\n\n")[0]
    usage = "Usage: pylogic-sudoku explain refusal -p PROBLEM [OPTIONS] ANSWER [INSTANCE]..."
    assert " ".join(only.split()) == usage


@pytest.mark.parametrize("name", sorted(TAKE_PROBLEMS))
def test_a_wrong_use_of_a_problem_shows_the_line_for_instances(name):
    words = {"program": ["asp"], "check": ["-e", QUEENS / "queens.lp"]}.get(name, [])
    for options in (["--box", "2x2"], ["--from", "csv"], ["--rule", "x.lp"]):
        usage, *_, error = said(name, "-p", "queens", *options, *words, code=2).stderr.splitlines()
        assert usage.startswith(f"Usage: pylogic-sudoku {name} -p PROBLEM [OPTIONS] ")
        assert error == f"Error: {options[0]} is about sudokus, and -p names another problem"


def test_a_record_has_the_reasons(mine, tmp_path):
    log = tmp_path / "log.jsonl"
    printed = said("compare", "-p", mine, "-n", 0, "--json", log, "-f", "json", 4, code=5)
    assert printed.stdout == log.read_text()
    assert "mine, 4: the engines disagree" in printed.stderr.splitlines()
    record, summary = map(json.loads, printed.stdout.splitlines())
    assert summary["summary"]["disagreement"] == 1
    answers = [each["answer"] for each in record["refusals"]["clingo"]]
    assert sorted(answers) == record["only"]["prolog"]
    for each in record["refusals"]["clingo"]:
        assert (each["backend"], each["kind"]) == ("clingo", "excluded")
        assert each["lines"][0]["file"] == "mine.lp"
        assert each["text"].startswith("clingo refuses it: mine.lp:")


def test_a_file_of_a_comparison_has_the_reasons(mine, tmp_path):
    file = tmp_path / "report.txt"
    ended = said("compare", "-p", mine, "-n", 0, "-o", file, 4, code=5)
    assert ended.stdout == ""
    assert "the engines disagree" not in ended.stderr
    (line,) = (line for line in file.read_text().splitlines() if "refuses it" in line)
    assert line.startswith("  clingo refuses it: mine.lp:")
    log = tmp_path / "report.jsonl"
    said("compare", "-p", mine, "-n", 0, "-o", log, 4, code=5)
    assert json.loads(log.read_text().splitlines()[0])["refusals"]["clingo"]


def test_the_command_below_a_difference_shows_it(mine):
    limited = said("compare", "-p", mine, "-n", 2, 4, code=5).stdout.splitlines()
    assert "  clingo: at least 2 solutions" in limited
    (command,) = (line for line in limited if line.startswith("  pylogic-sudoku compare "))
    asked = shlex.split(command)[1:]
    assert asked[-len(BY_NAME) - 1 :] == [*BY_NAME, "4"]
    again = said(*asked, code=5).stdout
    assert "  clingo: 2 solutions\n" in again
    assert f"{command}\n" in again
    typed = said("compare", "-p", mine, "size=4", code=5).stdout
    assert f"{' '.join(BY_NAME)} 'size(4).'\n" in typed


def test_the_smallest_instance_on_which_two_programs_differ(mine):
    ended = said("compare", "-p", mine, "--smallest", code=5)
    last = ended.stderr.splitlines()[-1]
    assert last == "3 instances tried: the last one is the smallest on which they differ"
    assert "mine, size(2).: the engines disagree" in ended.stdout


@pytest.mark.parametrize(
    ("options", "ending"),
    [
        (["--tries", 3], "3 instances tried, and --tries allows no more: no difference"),
        (["--tries", 9], "9 instances tried, and there are no more: no difference"),
        (
            ["--tries", 2, "-t", 1e-6],
            "2 instances tried, and --tries allows no more: no difference; time ran out on 2 of"
            " them",
        ),
    ],
)
def test_no_difference_is_said_with_the_reason_for_stopping(options, ending):
    ended = run(*map(str, ("compare", "-p", "queens", "--smallest", *options)))
    assert ended.stderr.splitlines()[-1] == ending


@pytest.mark.parametrize(
    ("tries", "number", "ending"),
    [
        (3, 3, "3 instances tried, and tries allows no more: no difference"),
        (None, 9, "9 instances tried, and there are no more: no difference"),
        (9, 9, "9 instances tried, and there are no more: no difference"),
        (0, 0, "0 instances tried, and tries allows no more: no difference"),
    ],
)
def test_python_is_told_why_a_search_for_a_difference_stops(tries, number, ending):
    search = pls.smallest_search(pls.Problem("queens"), tries=tries)
    assert (search.difference, search.tried, search.late) == (None, number, 0)
    assert str(search) == ending


def test_python_is_told_that_the_last_instance_is_the_smallest(mine):
    search = pls.smallest_search(pls.Problem(mine))
    assert str(search) == "3 instances tried: the last one is the smallest on which they differ"
    difference = pls.smallest_difference(pls.Problem(mine))
    assert search.difference
    assert difference
    assert str(search.difference.puzzle) == str(difference.puzzle) == "size(2)."


def test_an_engine_that_cannot_be_watched_leaves_what_others_know(tmp_path):
    folder = tmp_path / "mine"
    written(
        folder, mine_lp="{ p(1..2) } = 1. #show p/1.", mine_pl="answer([p(X)]) :- X = 1 ; X = 2."
    )
    asked = said("propagate", "-p", folder)
    assert asked.stdout.splitlines() == ["clingo: 2 candidates are left", "p(_): 1 2"]
    assert "answer/1 searches on its own, which cannot be watched" in asked.stderr
    assert said("propagate", "-p", folder, "-b", "prolog", code=3).stdout == ""


def test_facts_of_standard_input_may_be_notes(tmp_path):
    folder = tmp_path / "mine"
    written(folder, mine_lp="{ p(X) : size(X) } = 1. #show p/1.")
    facts = "note(2). size(X) :- note(X)."
    assert run("solve", "-p", str(folder), "-", stdin=facts).stdout == "p(2).\n"
    assert "mine takes size/1, not note/1" in said("solve", "-p", folder, facts, code=2).stderr


BY_SIZE = """{ a(1..2,(2;x)) } = 1. { b(-3;0;9) }. { c }.
#show a/2. #show b/1. #show c/0."""


def test_of_instances_with_equally_many_facts_the_smallest_numbers_come_first(mine):
    (mine / "instances.lp").write_text(BY_SIZE)
    facts = [[fact.text for fact in each.facts] for each in instances_by_size(pls.Problem(mine))]
    sums = [sum(map(int, re.findall(r"\d+", " ".join(each)))) for each in facts]
    sizes = [*zip(map(len, facts), sums, strict=True)]
    assert len({str(sorted(each)) for each in facts}) == len(facts) == 4 * 8 * 2
    assert sizes == sorted(sizes)
    assert facts[:2] == [["a(1,x)"], ["a(2,x)"]]


def test_instances_of_a_folder_are_tried_in_the_same_order(mine):
    (mine / "instances.lp").unlink(missing_ok=True)
    for name, size in (("a", 12), ("bb", 3), ("c", 100)):
        (mine / "instances" / f"{name}.lp").write_text(f"size({size}).")
    (mine / "instances" / "d.lp").write_text("size(1). size(2).")
    tried = [each.name for each in instances_by_size(pls.Problem(mine))]
    assert [each for each in tried if each in {"a", "bb", "c", "d"}] == ["bb", "a", "c", "d"]


def test_problems_and_their_programs_are_listed(mine):
    listed = said("problems").stdout.splitlines()
    assert len(listed) == 18
    assert listed == sorted(listed)
    assert any(line.startswith("queens: N queens") for line in listed)
    shown = said("problems", "zebra", mine).stdout
    assert shown.startswith("zebra: ")
    assert "        zebra: Who drinks water, and who owns the zebra?" in shown
    assert "        prolog: " in shown
    assert "\nmine: " in shown
    assert shown.endswith("    instances:\n        4: size(4).\n")
    assert "there is no problem 'nosuch'" in said("problems", "nosuch", code=2).stderr
    (one,) = map(json.loads, said("problems", "-f", "json", "queens").stdout.splitlines())
    assert one["instances"] == ["1", "3", "4", "6", "8"]
    rows = [json.loads(line) for line in said("problems", "-f", "json").stdout.splitlines()]
    assert len(rows) == 18
    assert "prolog:queens_dual: N queens from both sides" in said("programs", "-p", "queens").stdout
    printed = said("program", "prolog", "-p", "queens", 4).stdout
    assert printed.endswith("% The instance.\n:- dynamic size/1.\nsize(4).\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("solve", "-p", "nosuch"), 2, "there is no problem 'nosuch'"),
        (("solve", "-p", "queens", "9"), 2, "queens has no instance '9'; there is 1, 3, 4, 6, 8"),
        (("solve", "-p", "queens", "-b", "sat", "4"), 2, "sat takes sudokus only"),
        (("solve", "-p", "queens", "-b", "gringo", "4"), 2, "there is no engine 'gringo'; choose"),
        (("solve", "-p", "queens", "-b", "prolog:nosuch", "4"), 2, "prolog:nosuch"),
        (("solve", "-p", "queens", "--box", "2x2", "4"), 2, "--box is about sudokus"),
        (("solve", "-p", "queens", "-f", "sdk", "4"), 2, "-f sdk writes sudokus"),
        (("solve", "-p", "queens", "-f", "pretty", "4"), 2, "-f pretty writes sudokus"),
        (("compare", "-p", "queens", "--tries", 3, "4"), 2, "--tries is how many instances"),
        (("compare", "--tries", 3, "." * 16), 2, "--tries is how many instances"),
        (("solve", "-p", "queens", "size(4) :- a."), 2, "atom does not occur in any rule head: a"),
        (("compare", "-p", "queens", "-b", "prolog", "4"), 2, "there is nothing to compare prolog"),
        (("compare", "--smallest", "." * 81), 2, "--smallest goes with -p PROBLEM"),
        (("trace", "-p", "hitori", "-b", "prolog", "1"), 3, "answer/1 searches on its own"),
    ],
)
def test_wrong_uses(arguments, code, message):
    assert message in " ".join(said(*arguments, code=code).stderr.split())


def test_predicates_of_instances_may_have_no_fact(tmp_path):
    """Clingo's program, instances.lp or an instance may name them."""
    (tmp_path / "instances").mkdir()
    (tmp_path / "instances" / "one.lp").write_text("a(1).")
    (tmp_path / "instances" / "wrong.lp").write_text("a(1")
    (tmp_path / "instances.lp").write_text("#show b/1.")
    name = tmp_path.name
    (tmp_path / f"{name}.lp").write_text("#defined c/0. r(1). #show r/1.")
    (tmp_path / f"{name}.pl").write_text("answer([r(1)]) :- \\+ a(_), \\+ b(_), \\+ c.")
    assert said("count", "-p", tmp_path, "-b", "all", "#const d=1.").stdout == "1\n"


def test_the_table_names_instances():
    lines = said(
        "compare", "-p", "futoshiki", "-b", "clingo", "-b", "prolog", "chain"
    ).stdout.splitlines()
    assert lines[-1] == "worst for prolog: futoshiki, chain"
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_a_prompt_takes_facts_of_any_length(tmp_path):
    """An argument of a program has at most 128 kB on Linux."""
    written(tmp_path / "mine", mine_pl="answer([p(N)]) :- aggregate_all(count, n(_), N).")
    facts = tmp_path / "facts.lp"
    facts.write_text("n(1..30000).")
    done = spawned(
        *("program", "prolog", "-p", tmp_path / "mine", "--open", facts),
        stdin="answer(Atoms).\nhalt.\n",
    )
    assert "Atoms = [p(30000)]" in done.stdout


def test_a_search_goes_on_where_no_engine_answers_in_time(monkeypatch):
    problem = pls.Problem("queens")

    def late(instance, *_arguments):
        raise pls.SolveTimeout("clingo", 1.0)

    monkeypatch.setattr("pylogic_sudoku.questions.comparison.compare", late)
    found = pls.smallest_search(problem, tries=2)
    assert (found.difference, found.tried, found.late, found.more) == (None, 2, 2, True)
    with pytest.raises(ValueError, match="must be 0 or more"):
        pls.smallest_search(problem, tries=-1)
