"""A search that somebody has chosen, and constants."""

from __future__ import annotations

import json
import pickle

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, QUEENS_LP, QUEENS_PL, queens, written

import pylogic_sudoku as pls

LABELING = ["leftmost", "ff", "ffc", "min", "max", "up", "down", "step", "enum", "bisect"]
CLINGO = [
    *("--configuration=handy", "--heuristic=Vsids", "--seed=7", "--restarts=no"),
    *("--deletion=basic,50", "--opt-strategy=usc", "--no-lookback", "--sign-def=neg", "-t2"),
    "--parallel-mode=2,compete",
]


def folder(tmp_path, toml=""):
    problem = written(tmp_path / "queens", queens_lp=QUEENS_LP, queens_pl=QUEENS_PL)
    (problem.folder / "queens_other.pl").write_text(QUEENS_PL)
    if toml:
        (problem.folder / "problem.toml").write_text(toml)
    return problem.folder


@pytest.mark.parametrize("option", LABELING)
def test_every_option_of_labeling_finds_the_same_answers(tmp_path, option):
    instance = pls.Problem(folder(tmp_path), {"prolog": [option]}).instance("size(5).")
    found = list(pls.solutions(instance, "prolog"))
    assert (set(found), len(found)) == (queens(5), 10)
    assert pls.count(instance, "prolog") == 10
    measured = pls.measure(instance, "prolog")
    assert (measured.solution, measured.chosen) == (found[0], (option,))
    assert str(measured).endswith(f"; {option}")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("option", CLINGO)
def test_options_of_clingo_find_the_same_answers(tmp_path, option):
    instance = pls.Problem(folder(tmp_path), {"clingo": [option]}).instance("size(5).")
    found = list(pls.solutions(instance, "clingo"))
    assert (set(found), len(found)) == (queens(5), 10)
    assert pls.count(instance, "clingo") == 10
    assert pls.compare(instance, limit=3).outcome == "agree"


def test_the_order_of_the_answers_is_that_of_the_search(tmp_path):
    first = {}
    for options in (["leftmost"], ["leftmost", "down"], ["max", "bisect"]):
        problem = pls.Problem(folder(tmp_path), {"prolog": options})
        first[tuple(options)] = str(pls.solve(problem.instance("size(4)."), "prolog"))
    low, high, half = first.values()
    assert low.startswith("queen(1,2)")
    assert high.startswith("queen(1,3)")
    assert half in (low, high)


def test_an_optimum_is_found_by_a_chosen_search():
    problem = pls.Problem("knapsack", {"prolog": ["max", "down"], "clingo": ["--opt-strategy=usc"]})
    instance = problem.instance("tea")
    assert pls.compare(instance, limit=None).outcome == "agree"
    assert {each.cost for each in pls.solutions(instance, "prolog")} == {(-29,)}


def test_a_trace_is_that_of_the_search(tmp_path):
    instance = pls.Problem(folder(tmp_path), {"prolog": ["leftmost", "down"]}).instance("size(4).")
    choice = next(each for each in pls.trace(instance, "prolog") if each.kind == "choice")
    assert str(*choice.placed) == "queen(1,4)"
    halves = pls.Problem(folder(tmp_path), {"prolog": ["bisect"]}).instance("size(4).")
    with pytest.raises(pls.BackendUnavailable, match="a search by bisect is not shown"):
        list(pls.trace(halves, "prolog"))


def test_the_file_chooses_for_an_engine_and_for_a_program(tmp_path):
    toml = '[search]\nprolog = ["ffc"]\n"prolog:queens_other" = ["min", "down"]\n'
    where = folder(tmp_path, toml)
    problem = pls.Problem(where)
    assert problem.search("prolog") == ("ffc",)
    assert problem.search("prolog:queens_other") == ("min", "down")
    assert problem.search("clingo") == ()
    given = pls.Problem(where, {"prolog": ["max"]})
    assert given.search("prolog:queens_other") == given.search("prolog") == ("max",)
    own = pls.Problem(where, {"prolog:queens_other": ["max"]})
    assert (own.search("prolog:queens_other"), own.search("prolog")) == (("max",), ("ffc",))
    assert own != problem
    assert pickle.loads(pickle.dumps(own)) == own
    assert hash(own) == hash(problem)
    measured = pls.measure(problem.instance("size(4)."), "prolog:queens_other")
    assert measured.chosen == ("min", "down")


def test_threads_are_not_watched(tmp_path):
    where, two = folder(tmp_path), ("--search", "clingo=-t2 --seed=3")
    measured = pls.measure(
        pls.Problem(where, {"clingo": ["-t2", "--seed=3"]}).instance("size(4)."), "clingo"
    )
    assert measured.chosen == ("--seed=3", "with one thread")
    said = "clingo: with one thread, so that its search can be watched\n"
    for command in ("propagate", "trace"):
        done = run(command, "-p", where, "-b", "clingo", *two, "size(4).")
        assert (done.returncode, done.stderr) == (0, said)
    assert run("count", "-p", where, *two, "size(4).").stderr == ""
    stats = run("solve", "--stats", "-f", "json", "-p", where, *two, "size(4).").stdout
    assert json.loads(stats)["search"] == {"clingo": ["--seed=3", "with one thread"]}


def test_a_program_that_searches_on_its_own_takes_none(tmp_path):
    problem = written(tmp_path / "own", own_pl="answer([p(X)]) :- member(X, [1,2]).")
    instance = pls.Problem(problem.folder, {"prolog": ["ff"]}).instance("")
    said = "own.pl:1: answer/1 searches on its own, and ff is a search for model/1"
    with pytest.raises(pls.BackendFailure, match=said):
        pls.solve(instance, "prolog")


def test_several_processes_and_a_report_have_the_search(tmp_path):
    where = folder(tmp_path)
    (where / "queens_wrong.pl").write_text(QUEENS_PL.replace("A #\\= B,", "A #< B,"))
    search = ("--search", "prolog=ffc,down", "--search", "clingo=-t2 --seed=3")
    done = run("count", "-p", where, "--jobs", 2, *search, "size(4).", "size(5).")
    assert (done.returncode, done.stdout) == (0, "2\n10\n")
    done = run(
        "compare", "-p", where, "-b", "clingo", "-b", "prolog:queens_wrong", *search, "size(4)."
    )
    words = "--search prolog=ffc,down --search 'clingo=-t2 --seed=3' 'size(4).'"
    assert (done.returncode, words in done.stdout + done.stderr) == (5, True)


REFUSED = {
    "prolog=foo": "prolog: labeling/2 has no option 'foo'; expected one of bisect, down",
    "prolog=ff,min": "prolog: ff and min each say which variable is next; give one of them",
    "prolog=up down": "prolog: up and down each say which of its values; give one of them",
    "prolog=bisect,enum": "prolog: bisect and enum each say how it branches; give one of them",
    "prolog=min(X)": "prolog: labeling/2 has no option 'min(X)'",
    "clingo=0": "clingo: 0 changes which answers count",
    "clingo=--opt-mode=ignore": "clingo: --opt-mode=ignore changes which answers count",
    "clingo=--enum-mode=brave": "clingo: --enum-mode=brave changes which answers count",
    "clingo=-ebrave": "clingo: -ebrave changes which answers count",
    "clingo=--project": "clingo: --project changes which answers count",
    "clingo=--no-project": "clingo: --no-project changes which answers count",
    "clingo=-n1": "clingo: -n1 changes which answers count",
    "clingo=--models=1": "clingo: --models=1 changes which answers count",
    "clingo=--opt-stop=3": "clingo: --opt-stop=3 changes which answers count",
    "clingo=--eq=3": "clingo: --eq=3 is set for every program",
    "clingo=--sat-prepro=2": "clingo: --sat-prepro=2 is set for every program",
    "clingo=-cn=3": "clingo: -cn=3 is not a choice of the search; give a constant by -c",
    "clingo=--time-limit=3": "clingo: --time-limit=3 is not a choice of the search; -t limits",
    "clingo=--configurat=handy": "clingo: the search has no option --configurat=handy; did you",
    "clingo=--configuration=my.cfg": "clingo: there is no configuration 'my.cfg'; expected one",
    "clingo=-t99": "clingo: -t99: In context '<libclingo>': '99' invalid value for",
    "clingo=handy": "clingo: handy is not an option of clingo; expected one such as",
    "sat=x": "there is no engine 'sat'; expected one of clingcon, clingo, prolog",
    "prolog:other=ff": "has no program prolog:other; there is clingo, prolog, prolog:queens_other",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("search", "said"), REFUSED.items(), ids=REFUSED)
def test_an_option_that_is_none_of_the_search_is_refused_with_its_place(tmp_path, search, said):
    where = folder(tmp_path)
    done = run("solve", "-p", where, "--search", search, "size(4).")
    assert done.returncode == 2
    assert "Error: --search: " in done.stderr
    assert said in done.stderr
    name, _, options = search.partition("=")
    (where / "problem.toml").write_text(f'[search]\n"{name}" = {options.split(",")}\n')
    if "," not in options and " " not in options:
        done = run("solve", "-p", where, "size(4).")
        assert done.returncode == 2
        assert f"{where / 'problem.toml'}: search: " in done.stderr
        assert said in done.stderr


@pytest.mark.parametrize("value", ["5", '"ff"', "[1]", "{ a = 1 }", "true"])
def test_options_in_the_file_are_lists_of_texts(tmp_path, value):
    where = folder(tmp_path, f"[search]\nprolog = {value}\n")
    done = run("solve", "-p", where, "size(4).")
    assert done.returncode == 2
    assert f"{where / 'problem.toml'}: search: prolog: " in done.stderr
    assert 'is not a list of options; expected one such as ["ffc"]' in done.stderr


@pytest.mark.parametrize("text", ["prolog", "prolog=", "=ff"])
def test_a_search_without_a_name_or_options_is_refused(tmp_path, text):
    done = run("solve", "-p", folder(tmp_path), "--search", text, "size(4).")
    assert (done.returncode, "expected prolog=ffc,bisect" in done.stderr) == (2, True)


def test_sudokus_have_neither_a_chosen_search_nor_constants():
    for option in (("--search", "prolog=ff"), ("-c", "n=3")):
        done = run("solve", *option, "1..4............")
        assert (done.returncode, f"{option[0]} goes with -p PROBLEM" in done.stderr) == (2, True)


# --- constants ---

TEXT = "#const n=2. size(n)."


@pytest.fixture
def sized(tmp_path):
    lp = "#const n=2. { p(1..n) } = 1. :- p(X), size(N), X > N. #defined size/1. #show p/1."
    pl = f"{CLPFD}model([p-V]) :- (constant(n,N) -> true ; N = 2), size(S), V in 1..N, V #=< S."
    toml = 'input = ["size/1", "constant/2"]'
    problem = written(tmp_path / "sized", sized_lp=lp, sized_pl=pl, problem_toml=toml)
    (problem.folder / "instances").mkdir()
    (problem.folder / "instances" / "two.lp").write_text(TEXT)
    return problem


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_a_constant_has_the_value_that_is_given(sized, backend):
    assert pls.count(sized.instance("size(9)."), backend) == 2
    assert pls.count(sized.instance("size(9).", {"n": 5}), backend) == 5
    assert pls.count(sized.instance("two"), backend) == 2
    assert pls.count(sized.instance("two", constants={"n": "4"}), backend) == 4


def test_facts_follow_from_the_value(sized):
    instance = sized.instance("#const n=2. #const m=n+1. size(n..m). size(n*n).", {"n": 3})
    assert [fact.text for fact in instance.facts] == ["size(3)", "size(4)", "size(9)"]
    assert dict(instance.constants) == {"n": "3", "m": "4"}
    assert instance == sized.instance("#const n=3. #const m=4. size(3..4). size(9).")


def test_constants_at_the_command_line(sized):
    where = sized.folder
    assert run("count", "-p", where, "-b", "all", "-c", "n=6", "size(9).").stdout == "6\n"
    assert run("count", "-p", where, "-c", "n=3", "two").stdout == "3\n"
    assert run("compare", "-p", where, "-c", "n=3").returncode == 0
    assert "p(_): 1 2 3\n" in run("propagate", "-p", where, "--const", "n=3", "two").stdout
    assert run("trace", "-p", where, "-b", "prolog", "-c", "n=1", "two").returncode == 0
    printed = run("program", "prolog", "-p", where, "-c", "n=3", "two").stdout
    assert "constant(n,3).\n" in printed
    text = run("solve", "-f", "json", "-p", where, "-c", "n=1", "two").stdout
    assert json.loads(text)["constants"] == {"n": "1"}


def test_the_smallest_difference_has_the_constant(sized):
    (sized.folder / "sized_wrong.pl").write_text(
        (sized.folder / "sized.pl").read_text().replace("V in 1..N", "V in 1..2")
    )
    asked = ("compare", "-p", sized.folder, "-b", "clingo", "-b", "prolog:sized_wrong")
    assert run(*asked, "--smallest").returncode == 0
    done = run(*asked, "--smallest", "-c", "n=3")
    assert done.returncode == 5
    assert "'#const n=3. size(3).'" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("constants", "said"),
    [
        ({"m": 3}, "-c m: neither the instance nor a program of sized has such a constant"),
        ({"N": 3}, "-c N=3: 'N' is not a name of a constant; expected n=8"),
        ({"n": "X"}, "-c n=X: X is not a term; expected a number, a name, or a text in quotes"),
        ({"n": "a b"}, "-c n=a b: a b is not a term"),
        ({"n": 2**31}, "-c n=2147483648:1: 2147483648 is too large for clingo"),
        ({"n": "_x"}, "-c n=_x: Prolog reads _x in constant(n,_x) otherwise; rename it"),
    ],
)
def test_a_constant_that_cannot_be_is_refused(sized, constants, said):
    with pytest.raises(pls.InvalidProblem) as error:
        sized.instance("size(1).", constants)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("options", [("-c", "n"), ("-c", "n="), ("-c", "n=1", "-c", "n=2")])
def test_a_wrong_constant_is_a_wrong_use(sized, options):
    assert run("count", "-p", sized.folder, *options, "size(1).").returncode == 2
