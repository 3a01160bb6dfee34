"""Why a cell holds its digit: sets of rules and givens that force it, and how engines find them."""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import islice, product
from random import Random

import numpy as np
import pytest
from helpers.jigsaws import REAL, jigsaw
from helpers.oracle import dig, full_grid
from helpers.processes import interrupted, soon
from helpers.programs import clingo, resource
from helpers.puzzles import CLASSIC, DIABOLICAL, IMPOSSIBLE, PRINTED, SEVERAL, SMALL, TWO
from helpers.ruled import SMALL_KILLER

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo.session import Session
from pylogic_sudoku.engines.sudoku import get, rulebook
from pylogic_sudoku.engines.sudoku.rulebook import Rulebook
from pylogic_sudoku.explain import SudokuRule
from pylogic_sudoku.explain.mus import MusSearch
from pylogic_sudoku.puzzle.cells import Layout, candidates_of
from pylogic_sudoku.rules.demands import cell_rules, rules, sentences
from pylogic_sudoku.running.workers import Workers, shelf
from pylogic_sudoku.techniques import way as _steps
from pylogic_sudoku.techniques.step import removed_by
from pylogic_sudoku.techniques.way import start_candidates

PUZZLE = list(PRINTED)[3]
TINY = Layout((1, 2))


# --- consistent: the check behind every claim -------------------------------------------


def obeys(cells: dict[tuple[int, int], set[int]], rule: tuple, layout: Layout) -> bool:
    """The rules again in plain Python: `cells` has the digits of each cell."""
    match rule:
        case ("filled", row, column):
            return len(cells[row, column]) > 0
        case ("single", row, column):
            return len(cells[row, column]) < 2
        case ("at_least_once" | "at_most_once" as name, kind, number, digit):
            house = next(each for each in layout.houses if each[:2] == (kind, number))
            found = [cell for cell in house.cells if digit in cells[cell]]
            return len(found) > 0 if name == "at_least_once" else len(found) < 2
        case ("house", kind, number):
            parts = [
                (name, kind, number, d)
                for name in ("at_least_once", "at_most_once")
                for d in (1, 2)
            ]
            return all(obeys(cells, part, layout) for part in (*parts, *cell_rules(layout)))
    raise AssertionError(rule)


def every_grid() -> list[dict[tuple[int, int], set[int]]]:
    """All sets of placements in a 2x2 grid: 256, most of which break every rule."""
    places = list(product((1, 2), repeat=2))
    sets = [set(), {1}, {2}, {1, 2}]
    return [dict(zip(places, chosen, strict=True)) for chosen in product(sets, repeat=4)]


def test_consistent_is_what_trying_every_grid_says(backend):
    choose = Random(7)
    placements = list(product((1, 2), repeat=3))
    grids = every_grid()
    engine = get(backend)
    answers = set()
    for size in [*range(12)] * 8:
        chosen = choose.sample(rules(TINY), size) + choose.sample(rules(TINY, "house"), size % 3)
        marked = choose.sample(placements, 3)
        holds, lacks = marked[: size % 3], marked[2:]
        expected = any(
            all(obeys(grid, rule, TINY) for rule in chosen)
            and all(digit in grid[row, column] for row, column, digit in holds)
            and not any(digit in grid[row, column] for row, column, digit in lacks)
            for grid in grids
        )
        asked = [*chosen, *holds, *(("excluded", *each) for each in lacks)]
        assert engine.consistent(TINY, asked) is expected, asked
        answers.add(expected)
    assert answers == {True, False}


def test_consistent_sees_a_placement_that_must_and_must_not_be(backend):
    lacks = ("excluded", 1, 1, 1)
    assert not get(backend).consistent(Layout((2, 2)), [(1, 1, 1), lacks])
    assert get(backend).consistent(Layout((2, 2)), [(1, 1, 2), (1, 1, 3), lacks])


@pytest.mark.parametrize(
    "demand",
    [
        *(("at_most_once", "row", 5, 1), ("at_most_once", "line", 1, 1), ("twice", "row", 1, 1)),
        *(("filled", 0, 1), ("single", 1, 5), ("house", "box", 5), ("house", "box", 1, 1)),
        *(("house", "region", 1), ("cells", 1), (), (1, 1, 5), (1, 0, 1)),
        *(("excluded", 1, 1, 5), ("excluded", 1, 1)),
    ],
)
def test_consistent_knows_its_demands_and_placements(demand, backend):
    with pytest.raises(ValueError, match=r"a grid with 2x2 boxes has no "):
        get(backend).consistent(Layout((2, 2)), [demand])


# --- forced cells ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("box", "keep"), [((4, 4), 240), ((5, 5), 610)], ids=str)
def test_large_grids(box, keep):
    puzzle = dig(full_grid(box, 2), keep, 2)
    at = puzzle.digits.index(0)
    explanation = pls.why(puzzle, (at // puzzle.size + 1, at % puzzle.size + 1))
    assert explanation.digit == full_grid(box, 2).digits[at]
    explanation.verify()


# --- what people type and read -----------------------------------------------------------


@pytest.mark.parametrize("cell", ["r2c1", "R2C1", " r2c1 ", (2, 1), [2, 1], np.array([2, 1])])
def test_cells_as_people_write_them(cell):
    assert pls.why(SMALL, cell).cell == (2, 1)


def test_wrong_grain():
    with pytest.raises(ValueError, match="'rule' or 'house', not 'clause'"):
        pls.why(SMALL, "r2c1", detail="clause")


def test_text_groups_what_belongs_together():
    assert list(
        sentences(
            [
                *(("at_most_once", kind, 1, digit) for digit in (2, 11) for kind in ("box", "row")),
                ("at_least_once", "row", 3, 8),
                ("at_least_once", "row", 3, 1),
                ("single", 3, 2),
                ("single", 1, 4),
                ("filled", 1, 1),
                *(("house", "box", number) for number in (3, 1, 2)),
            ]
        )
    ) == [
        "row 1 and box 1 each hold 2 and 11 only once",
        "row 3 must hold a 1 and an 8",
        "r1c4 and r3c2 each hold only one digit",
        "r1c1 must hold a digit",
        "boxes 1, 2 and 3 each hold every digit once",
    ]
    assert str(SudokuRule(("at_most_once", "column", 2, 7))) == "column 2 holds 7 only once"


@pytest.mark.parametrize("box", [(1, 1), (1, 3), (2, 3), (3, 3)], ids=str)
def test_counts_of_rules(box):
    n, kinds = box[0] * box[1], 2 + (1 not in box)  # of houses
    small, large = ({*rules(Layout(box), detail)} for detail in ("rule", "house"))
    assert (len(small), len(large)) == ((2 + 2 * kinds) * n * n, kinds * n)
    assert all(map(str, small | large))


# === Sets of minimum size: what is known if there is no time to find one ==========================

CLASH = f"{CLASSIC[:-1]}1"


@pytest.fixture
def late(monkeypatch):
    """Let time run out after some improvements."""
    real = MusSearch.narrow

    def cut(number):
        def narrow(search, mus):
            yield from islice(real(search, mus), number)
            raise pls.SolveTimeout("clingo", 1.0)

        monkeypatch.setattr(MusSearch, "narrow", narrow)

    return cut


def known(answer):
    return answer.smallest, answer.least, len(answer.mus.members)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("ask", "number"),
    [
        *((partial(pls.why, CLASSIC, "r5c2"), n) for n in (0, 1, 12)),
        (partial(pls.conflicts, CLASH), 1),
    ],
)
def test_without_time_it_is_the_best_set_so_far_and_a_bound(late, ask, number):
    late(number)
    answer, some = ask(smallest=True), ask()
    assert known(some)[:2] == (False, 0)
    assert "Time ran out" not in some.text()
    smallest, least, size = known(answer)
    assert not smallest
    assert (least > 1) == (number > 1)
    assert least < size <= len(some.mus.members)
    said = "Time ran out: there may be a smaller set"
    said += f", though none with fewer than {least} members." if least > 1 else "."
    assert answer.text().endswith(said)
    assert answer.to_json()["least"] == least
    assert not answer.to_json()["smallest"]
    answer.verify()


def test_progress_is_told():
    told = []
    answer = pls.why(CLASSIC, "r5c2", True, "house", progress=told.append)
    assert answer.smallest
    assert told[:2] == ["looking for a solution", "looking for another solution"]
    assert told[2] == "looking for rules and givens that force r5c2 = 2"
    bounds = "looking for a set of minimum size of {} to {} members"
    numbers = [tuple(map(int, re.findall(r"\d+", each))) for each in told[3:]]
    assert told[3:] == [bounds.format(*each) for each in numbers]
    assert numbers[-1] == (answer.least, answer.least) == (len(answer.mus.members),) * 2
    least, most = zip(*numbers, strict=True)
    assert (list(least), list(most)) == (sorted(least), sorted(most, reverse=True))
    assert len(set(told)) == len(told) > 1
    clashes = []
    clash = pls.conflicts(CLASH, True, progress=clashes.append)
    assert clashes[-1] == bounds.format(clash.least, clash.least)


# === The steps that lead to the digit of one cell, and no others ==================================

SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
"""As few givens as a 9x9 puzzle with one solution can have."""
MOST = {CLASSIC: 11, SEVENTEEN: 18}
"""As few steps as that are known to do."""
MARKED = jigsaw(6, 8, 1, marked=8)


def test_why_looks_for_no_step(monkeypatch):
    """No search is made whose result nobody asked for."""
    monkeypatch.setattr(_steps.Steps, "__init__", None)
    answer = pls.why(CLASSIC, "r1c3")
    assert len(answer.mus.members) > 24
    assert answer.text().startswith("r1c3 is 4, because:\n")
    assert "steps" not in answer.to_json()


def test_its_steps_are_those_of_the_puzzle_in_their_order():
    rest = pls.steps(DIABOLICAL)
    for step in pls.steps_to(DIABOLICAL, "r5c3"):
        one = next(one for one in rest if (one.placed, one.removed) == (step.placed, step.removed))
        assert step.placed or (step.technique, step.rules) == (one.technique, one.rules)


@pytest.mark.parametrize(
    ("puzzle", "cell"),
    [
        *((SMALL, "r4c4"), (CLASSIC, "r1c3"), (DIABOLICAL, "r8c8"), (SEVENTEEN, "r1c1")),
        *((MARKED, "r1c4"), (SMALL_KILLER, "r2c2"), (TWO, "r2c3")),
        pytest.param(REAL, "r9c2", marks=pytest.mark.slow),
        *(pytest.param(DIABOLICAL, cell, marks=pytest.mark.slow) for cell in ("r1c8", "r5c3")),
    ],
)
def test_each_step_leads_on_from_those_before_it_to_the_digit(puzzle, cell):
    """A cell can be forced though there are several solutions."""
    way, most = pls.steps_to(puzzle, cell), MOST.get(puzzle, 99)
    puzzle = pls.formats.as_puzzle(puzzle)
    answer = pls.why(puzzle, cell)
    assert way[-1].placed == (*answer.cell, answer.digit)
    assert way.outcome == f"{cell} is {answer.digit}."
    assert len(way) <= most
    grid, left = puzzle.grid, start_candidates(puzzle)
    for step in way:
        assert (step.grid, step.candidates) == (grid, candidates_of(left, puzzle.size))
        step.verify("clingo")
        step.verify("prolog")
        grid = grid.with_(step.placed) if step.placed else grid
        left -= removed_by(step)


def test_no_steps_lead_to_a_cell_that_is_given_or_open():
    assert pls.steps_to(TWO, "r1c1") is None
    assert pls.steps_to(TWO, "r1c3") is None


def test_the_steps_heed_the_time_and_say_what_they_do():
    told = []
    pls.steps_to(CLASSIC, "r1c3", progress=told.append)
    assert "looking for singles and locked candidates at step 2" in told
    with pytest.raises(pls.SolveTimeout, match="while looking for"):
        pls.steps_to(CLASSIC, "r1c3", timeout=1e-6)


# === How explanations use their engine, and their encodings run by hand ===========================

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


@pytest.mark.slow
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


# --- the ground rules are kept -----------------------------------------------------------


def test_rules_are_ground_once_and_shared(monkeypatch, clock):
    made = []
    real = Rulebook.__init__
    monkeypatch.setattr(
        Rulebook, "__init__", lambda self, layout: (made.append(layout), real(self, layout))[1]
    )
    monkeypatch.setattr(rulebook, "_idle", shelf(list, 2))
    for cell in ("r1c2", "r5c5"):
        pls.why(PUZZLE, cell, detail="house").verify()
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

    def broken_off(session, control, question):
        def late():
            clock.over = True
            assert soon(lambda: not session.sound)
            return question()

        return ask(session, control, late)

    monkeypatch.setattr(Session, "ask", broken_off)
    with pytest.raises(pls.SolveTimeout):
        pls.conflicts(IMPOSSIBLE, timeout=60)
    monkeypatch.setattr(Session, "ask", ask)
    first, second = (pls.conflicts(SEVERAL[:-1] + "9").all() for _ in range(2))
    assert next(first).givens
    assert next(second).givens
    assert len(made) == 3


@pytest.mark.slow
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
    assert number(lambda: pls.why(PUZZLE, "r5c5", smallest=True)) == 1 + 1  # and all its narrowing
    assert number(lambda: pls.conflicts(IMPOSSIBLE)) == 1
    assert number(lambda: list(islice(pls.conflicts("1111" + "." * 12).all(), 3))) == 1 + 3


# --- by hand -----------------------------------------------------------------------------


FOLDERS = dict.fromkeys(("demands", "tell_apart", "why_not"), "explaining/")


@pytest.fixture
def ask(tmp_path):
    """The atoms of every answer of clingo to encodings and a file of these facts."""

    def found(encodings: str, facts: str, *options: str) -> tuple[str, list[set[str]]]:
        asked = tmp_path / "asked.lp"
        asked.write_text(facts)
        files = [
            resource(f"encodings/{FOLDERS.get(name, '')}{name}.lp") for name in encodings.split()
        ]
        done = clingo(*files, asked, "--outf=2", *options)
        assert done.stderr == ""
        data = json.loads(done.stdout)
        return data["Result"], [set(each["Value"]) for each in data["Call"][0].get("Witnesses", [])]

    return found


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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("detail", ["rule", "house"])
def test_an_explanation_is_checked_by_hand(ask, detail):
    facts = facts_of(pls.why(PUZZLE, "r5c5", detail=detail))
    anyway = "demand(cells)." if detail == "house" else ""
    assert ask("demands", anyway + " ".join(facts)) == ("UNSATISFIABLE", [])
    for spared in (0, len(facts) // 2, -1):
        left = [fact for fact in facts if fact != facts[spared]]
        assert ask("demands", anyway + " ".join(left))[0] == "SATISFIABLE", facts[spared]


def test_all_rules_make_a_sudoku(ask):
    every = "demand(house(Kind,Number)) :- house(Kind,Number). demand(cells)."
    shape = ("-c", "box_rows=2", "-c", "box_columns=2")
    result, answers = ask("demands", every + "initial(1,1,1). initial(2,3,1).", "0", *shape)
    assert result == "SATISFIABLE"
    grids = {Grid.parse(" ".join(atoms), format="facts", box=(2, 2)) for atoms in answers}
    puzzle = Grid.parse("1.....1.........")
    assert len(answers) == len(grids) == pls.count(puzzle)
    assert all(grid.is_solution_of(puzzle) for grid in grids)


@pytest.mark.parametrize(
    "fact", ["demand(at_most_once(row,10,1)).", "initial(1,1,0).", "demand(nonsense)."]
)
def test_only_rules_and_cells_of_the_grid_can_be_demanded(ask, fact):
    assert ask("demands", fact)[0] == "UNSATISFIABLE"


def test_why_not_by_hand(ask):
    facts = " ".join(f"removable{tuple(given)}." for given in Grid.parse(PUZZLE).givens)
    options = ("0", "--opt-mode=optN", "--project")
    result, answers = ask("sudoku why_not", f"{facts} query(1,3,7).", *options)
    assert result == "OPTIMUM FOUND"
    assert "sudoku(1,3,7)" in answers[-1]
    every = {
        frozenset(f"removed{tuple(given)}".replace(" ", "") for given in found.givens)
        for found in pls.why_not(PUZZLE, "r1c3", 7).all()
    }
    assert every <= {frozenset(a for a in atoms if a.startswith("removed")) for atoms in answers}


def test_tell_apart_by_hand(ask):
    solutions = pls.solutions(SEVERAL)
    facts = " ".join(
        f"solution({number},{row},{column},{digit})."
        for number, grid in enumerate(solutions)
        for row, column, digit in grid.givens
    )
    result, answers = ask("tell_apart", facts, "0")
    assert result == "OPTIMUM FOUND"
    (given,) = answers[-1]
    assert given.removeprefix("given")[1:-1].split(",")[:2] in (
        [[str(row), str(column)] for row, column in pls.ambiguity(SEVERAL).cells]
    )


def test_an_answer_is_false_if_it_found_nothing():
    one, several, none = "4......3...13...", "12..34......4321", "1.....1....2.2.3"
    assert not pls.conflicts(one)
    assert pls.conflicts(none)
    assert not pls.ambiguity(one)
    assert pls.ambiguity(several)
    assert not pls.redundant("4......3...13...")
    assert pls.redundant("4312" + "." * 8 + "3124")
    assert pls.why(one, "r1c2")
