"""How explanations use their engine, and their encodings run by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice

import pytest
from helpers.oracle import full_grid
from helpers.processes import interrupted, soon
from helpers.programs import resource
from helpers.puzzles import IMPOSSIBLE, PRINTED, SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo import ClingoBackend
from pylogic_sudoku.engines.clingo.rulebook import Rulebook, Session
from pylogic_sudoku.engines.threads import Workers
from pylogic_sudoku.grid import Layout
from pylogic_sudoku.techniques import TECHNIQUES

PUZZLE = list(PRINTED)[3]
FULL = full_grid((4, 4), 2)
# Two questions that take long, one for each kind of search.
LONG = {
    "cores": f"list(pls.conflicts('{PRINTED[PUZZLE][:-1]}1').all({{}}))",
    "optimum": f"pls.why_not({FULL.rows!s}, 'r1c1', {FULL.digits[0] % 16 + 1}, {{}})",
}


# --- time limits and Ctrl-C --------------------------------------------------------------


@pytest.mark.parametrize("name", LONG)
def test_timeout(name):
    for _ in range(2):
        with pytest.raises(pls.SolveTimeout, match=r"clingo gave no answer within 0\.05 s"):
            eval(LONG[name].format("timeout=0.05"), {"pls": pls, "PUZZLE": PUZZLE})
        pls.why(PUZZLE, "r5c5").verify()


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c(name):
    ended = interrupted(
        f"""
        pls.why(PUZZLE, "r1c2")
        ready()
        try:
            {LONG[name].format("")}
        except KeyboardInterrupt:
            pls.why(PUZZLE, "r1c2").verify()
            print("stopped")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "stopped\n", "")


def test_other_questions_heed_the_time():
    with pytest.raises(pls.SolveTimeout, match=r"within 1e-06 s"):
        pls.ambiguity(Grid((0,) * 25**2, (5, 5)), timeout=1e-6)


# --- the ground rules are kept -----------------------------------------------------------


def test_rules_are_ground_once_and_shared(monkeypatch, clock):
    made = []
    real = Rulebook.__init__
    monkeypatch.setattr(
        Rulebook, "__init__", lambda self, layout: (made.append(layout), real(self, layout))[1]
    )
    engine = ClingoBackend()
    monkeypatch.setitem(pls.backends.__globals__["_made"], "clingo", engine)
    for cell in ("r1c2", "r5c5"):
        pls.why(PUZZLE, cell, grain="house").verify()
    pls.conflicts(IMPOSSIBLE)
    assert made == [Layout((3, 3))]
    # Two enumerations at one time have one each; both can be used again.
    first, second = (pls.conflicts(SEVERAL[:-1] + "9").all() for _ in range(2))
    assert next(first).givens
    assert next(second).givens
    assert len(made) == 2
    del first, second
    pls.conflicts(IMPOSSIBLE)
    assert len(made) == 2
    # One that is broken off in the middle of a question is not.
    ask = Session.ask

    def broken_off(session, control, question, conflicts=None):
        def late():
            clock.over = True
            assert soon(lambda: not session.sound)
            return question()

        return ask(session, control, late, conflicts)

    monkeypatch.setattr(Session, "ask", broken_off)
    with pytest.raises(pls.SolveTimeout):
        pls.conflicts(IMPOSSIBLE, timeout=60)
    monkeypatch.setattr(Session, "ask", ask)
    first, second = (pls.conflicts(SEVERAL[:-1] + "9").all() for _ in range(2))
    assert next(first).givens
    assert next(second).givens
    assert len(made) == 3


def test_a_search_runs_in_its_worker_as_a_whole(monkeypatch):
    calls = []
    real = Workers.call
    monkeypatch.setattr(Workers, "call", lambda *its: (calls.append(its), real(*its))[1])

    def number(search) -> int:
        search()  # grounds
        calls.clear()
        search()
        return len(calls)

    assert number(lambda: pls.why(PUZZLE, "r5c5")) == 1
    assert number(lambda: pls.conflicts(IMPOSSIBLE)) == 1
    assert number(lambda: list(islice(pls.conflicts("1111" + "." * 12).all(), 3))) == 1 + 3
    way = pls.steps(next(iter(PRINTED)))

    # The singles, each technique that has a question of its own, and a minimal set; and the
    # programs that are ground for each position.
    asked = [each for each in TECHNIQUES.values() if each.program not in ("", "singles")]
    programs = {each.program for each in asked}
    most = 1 + len(asked) + len(programs) + 1
    taken = [number(lambda: next(way, None)) for _ in range(20)]
    assert 1 < max(taken) <= most


@pytest.mark.parametrize("encoding", ["demands", "why_not", "tell_apart"])
def test_a_broken_encoding_is_reported(monkeypatch, encoding, capfd):
    from pylogic_sudoku.engines.clingo import program, rulebook

    for module in (program, rulebook):
        real = module.encoding
        monkeypatch.setattr(
            module,
            "encoding",
            lambda *names, real=real, **more: "a(" if encoding in names else real(*names, **more),
        )
    monkeypatch.setitem(pls.backends.__globals__["_made"], "clingo", ClingoBackend())
    ask = {
        "demands": lambda: pls.why(PUZZLE, "r5c5"),
        "why_not": lambda: pls.why_not(PUZZLE, "r5c5", 1),
        "tell_apart": lambda: pls.ambiguity(SEVERAL),
    }
    with pytest.raises(pls.BackendFailure, match=r"clingo: .*syntax error|clingo: parsing failed"):
        ask[encoding]()
    assert capfd.readouterr().err == ""


# --- by hand -----------------------------------------------------------------------------


@pytest.fixture
def clingo(tmp_path):
    """The atoms of every answer of clingo to encodings and a file of these facts."""

    def run(encodings: str, facts: str, *options: str) -> tuple[str, list[set[str]]]:
        asked = tmp_path / "asked.lp"
        asked.write_text(facts)
        files = [resource(f"encodings/{name}.lp") for name in encodings.split()]
        command = [sys.executable, "-m", "clingo", *files, asked, "--outf=2", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        data = json.loads(done.stdout)
        return data["Result"], [
            set(found["Value"]) for found in data["Call"][0].get("Witnesses", [])
        ]

    return run


def facts_of(explanation) -> list[str]:
    """An explanation as a file for ``demands.lp``."""

    def term(rule):
        name, *arguments = rule
        return f"demand({name}({','.join(map(str, arguments))}))."

    row, column = explanation.cell
    return [
        *map(term, explanation.rules),
        *(f"initial{tuple(given)}." for given in explanation.givens),
        f"excluded({row},{column},{explanation.digit}).",
    ]


@pytest.mark.parametrize("grain", ["rule", "house"])
def test_an_explanation_is_checked_by_hand(clingo, grain):
    facts = facts_of(pls.why(PUZZLE, "r5c5", grain=grain))
    anyway = "demand(cells)." if grain == "house" else ""
    assert clingo("demands", anyway + " ".join(facts)) == ("UNSATISFIABLE", [])
    for spared in (0, len(facts) // 2, -1):
        left = [fact for fact in facts if fact != facts[spared]]
        assert clingo("demands", anyway + " ".join(left))[0] == "SATISFIABLE", facts[spared]


def test_all_rules_make_a_sudoku(clingo):
    every = "demand(house(Kind,Number)) :- house(Kind,Number). demand(cells)."
    shape = ("-c", "box_rows=2", "-c", "box_columns=2")
    result, answers = clingo("demands", every + "initial(1,1,1). initial(2,3,1).", "0", *shape)
    assert result == "SATISFIABLE"
    grids = {Grid.parse(" ".join(atoms), format="facts", box=(2, 2)) for atoms in answers}
    puzzle = Grid.parse("1.....1.........")
    assert len(answers) == len(grids) == pls.count(puzzle)
    assert all(grid.is_solution_of(puzzle) for grid in grids)


@pytest.mark.parametrize(
    "fact", ["demand(once(row,10,1)).", "initial(1,1,0).", "demand(nonsense)."]
)
def test_only_rules_and_cells_of_the_grid_can_be_demanded(clingo, fact):
    assert clingo("demands", fact)[0] == "UNSATISFIABLE"


def test_why_not_by_hand(clingo):
    puzzle = Grid.parse(PUZZLE)
    facts = " ".join(f"removable{tuple(given)}." for given in puzzle.givens) + " query(1,3,7)."
    result, answers = clingo("sudoku why_not", facts, "0")
    assert result == "OPTIMUM FOUND"
    shown = {atom for atom in answers[-1] if atom.startswith("removed")}
    expected = pls.why_not(puzzle, "r1c3", 7)
    assert len(shown) == len(expected.givens) == 2
    assert "sudoku(1,3,7)" in answers[-1]
    result, answers = clingo("sudoku why_not", facts, "0", "--opt-mode=optN", "--project")
    sets = {frozenset(a for a in atoms if a.startswith("removed")) for atoms in answers}
    every = {
        frozenset(f"removed{tuple(given)}".replace(" ", "") for given in found.givens)
        for found in expected.all()
    }
    assert every <= sets


def test_tell_apart_by_hand(clingo):
    solutions = pls.solutions(SEVERAL)
    facts = " ".join(
        f"solution({number},{row},{column},{digit})."
        for number, grid in enumerate(solutions)
        for row, column, digit in grid.givens
    )
    result, answers = clingo("tell_apart", facts, "0")
    assert result == "OPTIMUM FOUND"
    (given,) = answers[-1]
    assert given.removeprefix("given")[1:-1].split(",")[:2] in (
        [[str(row), str(column)] for row, column in pls.ambiguity(SEVERAL).cells]
    )
