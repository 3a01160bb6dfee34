"""Rules of one's own: defined by programs, used like all others."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.oracle import assert_answers
from helpers.programs import prolog
from helpers.rule_instances import EVERY

import pylogic_sudoku as pls
from pylogic_sudoku import BackendFailure, Grid, InvalidPuzzle, Puzzle, rules
from pylogic_sudoku.files import resource
from pylogic_sudoku.rules import AnyOf, Cells, Digits, Numbers, Rule, Thermometer, define

ASP = """\
#include "shared/pairs.lp".
kind(rising).
pair(R,cells,I,cells,I+1) :- rule(R,rising), on(R,cells,I,_,_), on(R,cells,I+1,_,_).
ok(R,N,M) :- rule(R,rising), digit(N), digit(M), N < M.
"""
PROLOG = """\
rule(rising, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    chain(Cells, #<).
"""
SUM = """\
#include "rules/sums.lp".
kind(twice).
total(R,cells,S) :- rule(R,twice), value(R,values,1,S).
term(R,cells,I,X,Y,1) :- rule(R,twice), on(R,cells,I,X,Y).
"""
EMPTY = "." * 16


@pytest.fixture(autouse=True)
def forget():
    with patch.dict(rules.KINDS):
        yield


@pytest.fixture(params=["clingo", "prolog"])
def backend(request) -> str:
    """The engines for which these rules are written; sat reads the Python of a rule."""
    return request.param


@pytest.fixture
def rising() -> type[Rule]:
    return define("rising", ASP, PROLOG)


def thermometer(text: str) -> Puzzle:
    return Puzzle(EMPTY, rules=[Thermometer(text)])


def holds(rule: Rule, digits: Digits) -> bool:
    found = [digits[cell] for cell in rule.cells]
    return found == sorted(set(found))


def by_files(folder: Path) -> type[Rule]:
    (folder / "part.lp").write_text('#include "rules.lp".\n')
    (folder / "rising.lp").write_text('#include "part.lp".\n' + ASP)
    (folder / "rising.pl").write_text(PROLOG)
    return define("rising", folder / "rising.lp", str(folder / "rising.pl"))


def by_class(_folder: Path) -> type[Rule]:
    @rules.rule
    class Rising(Rule):
        """The digits increase."""

        cells: Cells
        asp = ASP
        prolog = PROLOG

        def holds(self, digits):
            return holds(self, digits)

    return Rising


def with_python(_folder: Path) -> type[Rule]:
    return define("rising", ASP, PROLOG, {"cells": Cells}, holds)


@pytest.mark.parametrize("make", [by_files, by_class, with_python])
def test_it_is_used_as_all_others(make, tmp_path, backend):
    puzzle = Puzzle(EMPTY, rules=[make(tmp_path)("r1c1 r1c2 r1c3")])
    same = thermometer("r1c1 r1c2 r1c3")
    expected = {grid for grid in EVERY if grid.is_solution_of(same)}
    assert_answers(puzzle, expected, backend=backend)
    if make is not by_files:
        assert expected == {grid for grid in EVERY if grid.is_solution_of(puzzle)}


def test_a_section_may_include_a_whole_family():
    made = define("twice", SUM)
    cage = {"rule": "killer_cage", "cells": "r1c1 r1c2", "sum": 5}
    rules = [made("r1c1 r1c2", [5]), made("r2c1 r2c2", [5]), cage]
    assert pls.count(Puzzle(EMPTY, rules=rules), "clingo") == pls.count(
        Puzzle(EMPTY, rules=[cage, {**cage, "cells": "r2c1 r2c2"}]), "clingo"
    )


def test_json_names_it(rising):
    puzzle = Puzzle(EMPTY, rules=[{"rule": "rising", "cells": ["r1c1", "r1c2"], "values": [3]}])
    assert puzzle.rules == (rising("r1c1 r1c2", values=[3]),)
    assert Puzzle.parse(puzzle.format("json")) == puzzle


def test_it_may_be_an_option(rising, backend):
    puzzle = Puzzle(EMPTY, rules=[AnyOf([[rising("r1c1 r1c2")], [rising("r1c2 r1c1")]])])
    assert pls.count(puzzle, backend) == 288


def test_a_new_definition_replaces_the_one_before(rising, backend):
    falling = define("rising", ASP.replace("N < M", "N > M"), PROLOG.replace("#<", "#>"))
    assert falling is not rising
    for made, cells in ((falling, "r1c3 r1c2 r1c1"), (rising, "r1c1 r1c2 r1c3")):
        puzzle = Puzzle(EMPTY, rules=[made("r1c1 r1c2 r1c3")])
        assert set(pls.solutions(puzzle, backend)) == set(pls.solutions(thermometer(cells)))


def test_the_same_definition_is_the_same_kind(rising):
    assert define("rising", ASP, PROLOG) is rising
    one = rising("r1c1 r1c2")
    assert pickle.loads(pickle.dumps(one)) == one


def test_another_process_gets_its_definition(rising):
    data = pickle.dumps(rising("r1c1 r1c2"))
    del rules.KINDS["rising"]
    found = pickle.loads(data)
    assert str(found) == "rising at r1c1 and r1c2"
    assert rules.KINDS["rising"] is type(found)
    assert pls.count(Puzzle(EMPTY, rules=[found])) == 144


def test_processes_solve_and_compare_it(rising):
    puzzles = [Puzzle(EMPTY, rules=[rising("r1c1 r1c2 r1c3 r1c4")])] * 2
    solved = list(pls.solve_many(puzzles, jobs=2))
    assert all(str(each).startswith("1234") for each in solved)
    checks = list(pls.cross_check(puzzles, jobs=2, limit=None))
    assert [each.comparison and each.comparison.agree for each in checks] == [True, True]


def test_a_comparison_shows_that_its_programs_differ():
    wrong = define("rising", ASP, PROLOG.replace("#<", "#=<"))
    puzzle = Puzzle(EMPTY, rules=[wrong("r1c1 r2c3 r3c1")])
    assert not pls.compare(puzzle, limit=None).agree


def test_without_holds_only_an_engine_can_check_it(rising):
    puzzle = Puzzle(EMPTY, rules=[rising("r1c1 r1c2")])
    with pytest.raises(InvalidPuzzle, match="only an engine can check it"):
        puzzle.holds(Grid.parse("1234341221434321"))


def test_its_fields_are_checked():
    asp = ASP.replace("rising", "wide")
    made = define("wide", asp, None, {"slow": bool, "cells": Cells, "gaps": Numbers})
    assert made("r1c1 r1c2", [1]).to_json() == {
        "rule": "wide",
        "cells": ["r1c1", "r1c2"],
        "gaps": [1],
    }
    with pytest.raises(InvalidPuzzle, match="the field 'gaps' is missing"):
        rules.from_json({"rule": "wide", "cells": ["r1c1"]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Rising", ASP), "'Rising' is not a name of a rule"),
        (("thermometer", ASP), "there is a rule 'thermometer' here already"),
        (("rising",), "expected a module for clingo, a clause for Prolog, or both"),
        (("rising", "rising.lp"), "rising.lp cannot be read: No such file"),
        (("rising", "kind(other)."), "does not have the fact kind(rising)."),
        (("rising", "% kind(rising)."), "does not have the fact kind(rising)."),
        (("rising", "kind(rising). violated(R"), "clingo does not take the module"),
        (("rising", "kind(rising). violated(R) :- rule(_,rising)."), "unsafe variables"),
        (("rising", "kind(rising). broken(R) :- rule(R,rising)."), "expected violated(R)"),
        (("rising", 'kind(rising).\n#include "none.lp".'), "includes none.lp, which is not there"),
        (("rising", "kind(rising).\n:- rule(R,rising)."), "line 2 of the module is a constraint"),
        (("rising", None, "rule(other, _, _)."), "there is no clause rule(rising, Fields, Grid)"),
        (("rising", ASP, None, {"cells": list}), "is not a field of a rule"),
    ],
)
def test_a_wrong_definition_is_refused(arguments, message, capfd):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        define(*arguments)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("rule(rising, F, G) :- cells(F, G, C), chain(C #<).", "Syntax error"),
        ("rule(rising, F, G) :- cells(F, G, C), chains(C, #<).", "chains/2"),
        (":- module(my, []).\nrule(rising, _, _).", "rule `rising' does not exist"),
    ],
)
def test_what_prolog_finds_wrong_is_a_failure(clause, message, capfd):
    made = define("rising", ASP, clause)
    with pytest.raises(BackendFailure, match=re.escape(message)):
        pls.solve(Puzzle(EMPTY, rules=[made("r1c1 r1c2")]), "prolog")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("asp", "prolog", "backend", "message"),
    [
        (ASP, None, "prolog", "the rule rising has no clause for Prolog"),
        (None, PROLOG, "clingo", "the rule rising has no module for clingo"),
    ],
)
def test_an_engine_without_its_part_says_so(asp, prolog, backend, message):
    made = define("rising", asp, prolog)
    with pytest.raises(BackendFailure, match=message):
        pls.solve(Puzzle(EMPTY, rules=[made("r1c1 r1c2")]), backend)


def test_commands_take_its_files(tmp_path, command):
    (tmp_path / "rising.lp").write_text(ASP)
    (tmp_path / "rising.pl").write_text(PROLOG)
    puzzle = tmp_path / "puzzle.json"
    puzzle.write_text(
        '{"grid": "................", "rules": [{"rule": "rising", "cells": ["r1c1", "r1c2"]}]}'
    )
    files = [f"--rule={tmp_path / name}" for name in ("rising.lp", "rising.pl")]
    for more in (["-b", "all"], ["-b", "prolog", "--jobs", "2"]):
        assert command("count", *more, *files, puzzle) == (0, "144\n", "")


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.lp", "cannot be read"), ("rising.txt", "expected a file that ends in .lp or .pl")],
)
def test_commands_refuse_other_files(name, message, command):
    code, _out, errors = command("solve", "--rule", name, EMPTY)
    assert code == 2
    assert message in " ".join(errors.split())


def test_at_the_prompt_it_is_a_clause_of_user():
    goal = (
        "length(Rows, 4), maplist([Row]>>length(Row, 4), Rows),"
        " aggregate_all(count, sudoku(Rows, 2-2, [rising(cells=[1-1,1-2,1-3,1-4])]), Count),"
        " print(Count), nl"
    )
    clause = f"assertz((user:{PROLOG.strip().rstrip('.')}))"
    asked = ("-g", clause, "-g", goal, resource("prolog/prompt.pl"))
    found = prolog("-q", "-f", "none", *asked)
    assert (found.stdout.strip(), found.stderr) == ("12", "")
