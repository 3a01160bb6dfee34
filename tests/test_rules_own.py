"""Custom rules: defined by programs, used like all others."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command_line import ROOT
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
BODY = "kind(rising).\nviolated(R) :- rule(R,rising), {}, N > 2."
EMPTY = "." * 16


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


@pytest.mark.slow
def test_an_example_in_a_docstring_leaves_no_kind_behind():
    kinds = (
        "tests/test_page_rules_browser.py::test_every_kind_of_rule_has_its_lines_in_both_languages"
    )
    asked = [sys.executable, "-m", "pytest", "-n0", "pylogic_sudoku/rules/own.py", kinds]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert " 2 passed" in done.stdout, done.stdout


def test_another_process_gets_its_definition(rising):
    data = pickle.dumps(rising("r1c1 r1c2"))
    del rules.KINDS["rising"]
    found = pickle.loads(data)
    assert str(found) == "rising at r1c1 and r1c2"
    assert rules.KINDS["rising"] is type(found)
    assert pls.count(Puzzle(EMPTY, rules=[found])) == 144


@pytest.mark.slow
def test_processes_solve_and_compare_it(rising):
    puzzles = [Puzzle(EMPTY, rules=[rising("r1c1 r1c2 r1c3 r1c4")])] * 2
    solved = list(pls.solve_many(puzzles, jobs=2))
    assert all(str(each).startswith("1234") for each in solved)
    checks = list(pls.cross_check(puzzles, jobs=2, limit=None))
    assert [each.comparison and each.comparison.agree for each in checks] == [True, True]


ANY = {
    "a disjunction": "( A #< B ; B #< C )",
    "a choice among cells": "member(X-Y, [A-B,B-C]), X #< Y",
    "a search of its own": "A #< B #\\/ B #< C, label([A,B,C])",
    "a goal that waits": "freeze(A, ( A #< B ; B #< C ))",
    "a goal that waits for two cells": "when(( nonvar(A), nonvar(B) ), ( A #< B ; B #< C ))",
    "an answer that comes twice": "member(_, [a,b]), A #< B #\\/ B #< C",
    "a choice point with nothing behind it": "( A #< B #\\/ B #< C ; fail )",
}
"""Ways to write in Prolog that the digits increase somewhere in three cells."""


def up(digits: Digits, places: list[int]) -> bool:
    a, b, c = (digits[place] for place in places)
    return a < b or b < c


@pytest.mark.one_in(10)
@pytest.mark.parametrize(("grid", "number"), [(EMPTY, 127), ("1234341243212143", 1)])
@pytest.mark.parametrize("body", ANY.values(), ids=ANY)
def test_each_grid_counts_once_whatever_choice_points_a_clause_leaves(body, grid, number):
    asp = "kind(up). ok(R) :- holds(R,cells,I,N), holds(R,cells,I+1,M), N < M."
    asp += " violated(R) :- rule(R,up), not ok(R)."
    made = define("up", asp, f"rule(up, F, G) :- cells(F, G, [A,B,C]), {body}.")
    puzzle = Puzzle(grid, rules=[made("r1c2 r2c3 r3c2"), made("r1c1 r2c2 r3c4")])
    expected = [
        found
        for found in EVERY
        if found.is_solution_of(puzzle.grid)
        and up(found.digits, [1, 6, 9])
        and up(found.digits, [0, 5, 11])
    ]
    assert len(expected) == number
    assert_answers(puzzle, expected, backend="prolog")
    assert pls.compare(puzzle, limit=None).agree
    left = pls.propagate(puzzle, "prolog")
    assert left is not None
    cells = [set(cell) for row in left for cell in row]
    for found in expected:
        assert all(digit in cell for digit, cell in zip(found.digits, cells, strict=True))
    assert list(pls.trace(puzzle, "prolog", limit=None))[-1].solution in expected
    assert pls.measure(puzzle, "prolog").solution in expected


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
        (
            ("rising", BODY.format("hold(R,cells,1,N)")),
            "line 2 of the module uses hold(R,cells,1,N)",
        ),
        (
            ("rising", BODY.format("hold(R,cells,1,N)")),
            "which is not defined: did you mean 'holds'?",
        ),
        (("rising", BODY.format("holds(R,cels,1,N)")), "a field 'cels', which the rule does not"),
        (("rising", BODY.format("holds(R,cels,1,N)")), "have: did you mean 'cells'?"),
        (("rising", BODY.format("holds(R,(cels,1),1,N)")), "did you mean 'cells'?"),
        (
            ("rising", BODY.format("on(R,cell,1,_,_), N=1")),
            "line 2 of the module names a field 'cell'",
        ),
        (("rising", BODY.format("N = #sum { K : value(R,sum,_,K) }")), "a field 'sum', which the"),
        (
            ("rising", BODY.format("holds(R,cells,N)")),
            "uses holds(R,cells,N); holds has 4 arguments",
        ),
        (
            ("rising", BODY.format("holds(R,cells,1,N), not fine")),
            "uses fine, which is not defined",
        ),
        (
            ("rising", BODY.format("holds(R,cells,1,N)").replace("R,rising", "R,risng")),
            "line 2 of the module speaks of the rule 'risng': did you mean 'rising'?",
        ),
        (("rising", BODY.format("holds(R,cels,1,N)"), None, {"circle": Cells}), "'cels'"),
        (("rising", None, "rule(other, _, _)."), "there is no clause rule(rising, Fields, Grid)"),
        (("rising", ASP, None, {"cells": list}), "is not a field of a rule"),
    ],
)
def test_a_wrong_definition_is_refused(arguments, message, capfd):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        define(*arguments)
    assert capfd.readouterr().err == ""


def test_a_class_with_a_misspelt_module_is_refused_when_clingo_first_needs_it():
    @rules.rule
    class Rising(Rule):
        """The first digit is 1 or 2."""

        cells: Cells
        asp = BODY.format("holds(R,cels,1,N)")

        def holds(self, digits):
            return digits[self.cells[0]] < 3

    with pytest.raises(InvalidPuzzle, match=r"rising: line 2 .*did you mean 'cells'"):
        pls.solve(Puzzle(EMPTY, rules=[Rising("r1c1")]))


def test_what_a_module_includes_may_define_what_it_uses():
    asp = '#include "shared/thirds.lp".\nkind(rising). thirds(R) :- rule(R,rising).\n'
    asp += "violated(R) :- rule(R,rising), holds(R,cells,_,N), not third(low,N)."
    puzzle = Puzzle(EMPTY, rules=[define("rising", asp)("r1c1 r3c2")])
    assert pls.count(puzzle) == sum(g.digits[0] == g.digits[9] == 1 for g in EVERY)


def test_what_else_clingo_says_of_a_module_is_a_warning():
    with pytest.warns(UserWarning, match="rising: clingo says of the module: .*operation undefin"):
        define("rising", BODY.format("holds(R,cells,1,N), N = 1/(2-digits)") + " #const digits=2.")


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
    asked = ("-g", clause, "-g", goal, resource("prolog/sudoku_prompt.pl"))
    found = prolog("-q", "-f", "none", *asked)
    assert (found.stdout.strip(), found.stderr) == ("12", "")
