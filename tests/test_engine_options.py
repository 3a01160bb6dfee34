"""Options of a search as a part of an engine's name."""

from __future__ import annotations

import json

import pytest
from helpers.command_line import run
from helpers.problems import QUEENS_CLINGCON, QUEENS_LP, QUEENS_PL, queens, written

import pylogic_sudoku as pls
from pylogic_sudoku.problem.search import split_name

FRUMPY = "clingo --configuration=frumpy"
BISECT = "prolog --labeling=ffc,bisect"


@pytest.fixture
def board(tmp_path) -> pls.Instance:
    problem = written(
        tmp_path / "queens",
        queens_lp=QUEENS_LP,
        queens_pl=QUEENS_PL,
        queens_clingcon_lp=QUEENS_CLINGCON,
        other_lp=QUEENS_LP,
        problem_toml='[search]\nclingo = ["--configuration=handy"]\n',
    )
    return problem.instance("size=6")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("clingo", ("clingo", ())),
        (FRUMPY, ("clingo", ("--configuration=frumpy",))),
        ("clingo:a b.lp -t2 --seed=3", ("clingo:a b.lp", ("-t2", "--seed=3"))),
        ("clingcon '--heuristic=Vsids'", ("clingcon '--heuristic=Vsids'", ())),
        (BISECT, ("prolog", ("ffc", "bisect"))),
        ("prolog:mine --labeling=ff --labeling=down", ("prolog:mine", ("ff", "down"))),
        ("exec:clingo --outf=2 {instance}", ("exec:clingo --outf=2 {instance}", ())),
    ],
)
def test_a_name_has_options(name, parts):
    assert split_name(name) == parts


def test_two_settings_are_compared(board):
    names = ["clingo", FRUMPY, "prolog", BISECT, "clingo:other --heuristic=Vsids"]
    found = pls.compare(board, names, None)
    assert found.agree
    assert list(found.answers) == names
    assert found.solutions == queens(6)


def test_options_in_a_name_count_first(board):
    problem = board.problem
    assert problem.search("clingo") == ("--configuration=handy",)
    assert problem.search(FRUMPY) == ("--configuration=frumpy",)
    assert problem.path(FRUMPY) == problem.path("clingo")
    assert pls.measure(board, FRUMPY).chosen == ("--configuration=frumpy",)
    assert pls.measure(board, BISECT).chosen == ("ffc", "bisect")
    assert next(pls.solutions(board, "prolog --labeling=max,down")) in queens(6)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "clingo --confguration=frumpy",
            "clingo: the search has no option --confguration=frumpy; did you mean",
        ),
        ("clingo --configuration=rumpy", "clingo: there is no configuration 'rumpy'"),
        ("clingo --opt-mode=optN", "changes which answers count"),
        ("clingo --seed='3", "no closing quotation"),
        ("prolog --labeling=fast", "labeling/2 has no option 'fast'"),
        ("prolog --stack=3", "there is --labeling=OPTIONS, with leftmost, ff, ffc, min, max, up"),
        ("sat --seed=3", "sat takes no options"),
    ],
)
def test_an_unknown_option_is_refused(board, name, why):
    with pytest.raises(pls.InvalidProblem) as caught:
        pls.solve(board, name)
    assert why in str(caught.value)
    assert not str(caught.value).startswith("options")
    for words in (("-p", board.problem.folder, "size=4"), ("." * 16,)):
        done = run("solve", "-b", name, *words)
        assert done.returncode == 2
        assert why in " ".join(done.stderr.split())


def test_clingos_options_count_for_sudokus():
    assert str(pls.solve("4......3...13...", FRUMPY)) == "4312124324313124"
    crafty = "clingo:pairwise --configuration=crafty"
    found = pls.compare("12..34......4321", ["clingo", FRUMPY, crafty])
    assert found.agree
    assert list(found.answers) == ["clingo", FRUMPY, crafty]
    with pytest.raises(pls.BackendUnavailable, match="prolog takes no options on a sudoku"):
        pls.solve("." * 16, BISECT)


def test_the_work_of_each_setting_is_shown(board):
    done = run(
        "solve", "-p", board.problem.folder, "--stats", "-b", "clingo", "-b", FRUMPY, "size=6"
    )
    assert done.returncode == 0, done.stderr
    assert f"{FRUMPY}: set-up" in done.stderr
    done = run(
        *("compare", "-p", board.problem.folder, "-b", FRUMPY, "-b", BISECT, "-f", "json", "size=6")
    )
    assert json.loads(done.stdout.splitlines()[0])["counts"] == {FRUMPY: 4, BISECT: 4}
