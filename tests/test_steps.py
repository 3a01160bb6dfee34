"""Solving step by step: plain puzzles, puzzles with rules, and walks through the steps."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from xml.etree import ElementTree

import pytest
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import CLASSIC as EASY
from helpers.puzzles import COUNTS, IMPOSSIBLE, LOOSE, PRINTED, SEVERAL, SMALL
from helpers.ruled import CAGE, KILLER, LINE, SMALL_KILLER, TWO_RULES, verified
from helpers.symmetry import grids, symmetries
from helpers.technique_oracle import TECHNIQUES as ORACLES
from helpers.technique_oracle import by_cell, what
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.draw import Highlight, Picture, pages
from pylogic_sudoku.engines.clingo.session import Session
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.puzzle.cells import placements_in
from pylogic_sudoku.rules import KillerCage, Maximum, Minimum
from pylogic_sudoku.techniques.table import LEVELS, TECHNIQUES

# === The way to the solution: each step is right and the simplest, and the last one is the end ===


HARD, _, MIDDLING, _ = PRINTED
"""HARD needs more than MIDDLING, which needs no technique that is harder than a wing."""
WITH_SEVERAL = [puzzle for puzzle, count in COUNTS.items() if count > 1][::-1]
WITH_SEVERAL.sort(key=lambda puzzle: COUNTS[puzzle] == 125)  # the steps of that one take long
NAMES = [technique.name for technique in TECHNIQUES.values()]


def walk(puzzle, solutions=None) -> list[pls.Step]:
    """All steps, after a check that each leads to the next and that no solution is lost.

    `solutions` are all solutions, if they are known.
    """
    way = pls.steps(puzzle)
    taken = list(way)
    for step in taken:
        assert (step.puzzle, step.picture().puzzle) == (way.puzzle, way.puzzle)
        assert not {*way.puzzle.excluded} & placements_in(step.candidates)
    for before, after in pairwise([*taken, way]):
        placed = {before.placed} if before.placed else set()
        assert set(after.grid.givens) == set(before.grid.givens) | placed
        lost = {
            (x, y, digit)
            for x, row in enumerate(before.candidates, 1)
            for y, digits in enumerate(row, 1)
            for digit in digits - after.candidates[x - 1][y - 1]
        }
        assert placed | set(before.removed) <= lost
        if before.removed:
            assert lost == set(before.removed)
    for solution in solutions or ():
        assert way.grid.digits == tuple(
            here and there for here, there in zip(way.grid.digits, solution.digits, strict=True)
        )
        for step in taken:
            assert not set(step.removed) & set(solution.givens)
            assert step.placed is None or step.placed in solution.givens
    # Each cell is filled in, or still has what it holds in some solution, and no more.
    for row, shown, possible in zip(
        way.grid.rows, way.candidates, pls.candidates(puzzle), strict=True
    ):
        for digit, marks, digits in zip(row, shown, possible, strict=True):
            assert digits == ({digit} if digit else marks)
    return taken


@cache
def taken(puzzle: str) -> list[pls.Step]:
    return list(pls.steps(puzzle))


@cache
def minimal_set() -> pls.Step:
    """The step of a hard puzzle if no technique but singles and locked candidates is known."""
    way = pls.steps(HARD)
    way._techniques = ["minimal_set"]
    return next(step for step in way if step.technique == "minimal set")


def check_simplest(step: pls.Step) -> None:
    """Check that the technique in plain Python finds the step, and that no easier one does."""
    marks = by_cell(placements_in(step.candidates))
    filled = step.puzzle.with_(*step.grid.givens)
    for name in NAMES:
        find = ORACLES.get(name) if name != "ALS-XZ" else None  # that takes too long
        found = set(find(filled, marks)) - {frozenset()} if find else None
        if name == step.technique:
            assert found is None or what(step) in found
            return
        assert not found, f"{name} before {step}"


def slow(puzzles, quick):
    """The puzzles; all but the first `quick` are marked as slow."""
    marks = pytest.mark.slow
    return [*puzzles[:quick], *(pytest.param(puzzle, marks=marks) for puzzle in puzzles[quick:])]


@pytest.mark.parametrize("puzzle", slow(sorted(PRINTED, key=MIDDLING.__ne__), 1))
def test_from_the_givens_to_the_solution(puzzle):
    for step in walk(puzzle, [Grid.parse(PRINTED[puzzle])]):
        check_simplest(step)
        step.verify()


@pytest.mark.parametrize("puzzle", slow(WITH_SEVERAL, 3))
def test_several_solutions(puzzle):
    """Until nothing more is sure, and not a step less."""
    taken = walk(puzzle, list(all_solutions(Grid.parse(puzzle))) if len(puzzle) < 20 else None)
    for step in taken:
        check_simplest(step)
    way = pls.steps(puzzle)
    assert way.outcome() == f"{Grid.parse(puzzle).digits.count(0)} empty cells left."
    assert len(list(way)) == len(taken)
    empty = way.grid.digits.count(0)
    assert way.outcome() == (
        f"Nothing more is sure: {empty} empty cells left, as there are several solutions."
    )
    assert next(way, None) is None


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (1, 4), (2, 4), (2, 5)], ids=str)
def test_other_shapes(box):
    solution = full_grid(box, 7)
    puzzle = dig(solution, len(solution.digits) * 45 // 100, 7)
    for step in walk(puzzle, [solution] if pls.is_unique(puzzle) else None):
        check_simplest(step)
        step.verify()


@pytest.mark.slow
def test_no_question_names_boxes_where_there_are_none():
    """A box of one row would be that row; and rules may not take it for a region."""
    for box in ((1, 4), (4, 1)):
        grid = Grid.parse("123." + "." * 12, box=box)
        assert str(pls.hint(grid)) == "Row 1 has one empty cell left, so r1c4 is 4."
        assert [*map(str, grid.with_(r1c4=1).duplicates())] == ["r1c1 and r1c4 both hold 1 (row 1)"]
        for detail in ("rule", "house"):
            assert "box" not in str(pls.why(grid, "r1c4", detail=detail))
        assert "box" not in str(pls.conflicts(grid.with_(r1c4=1)))
        assert "box" not in str(pls.steps(grid.with_(r2c1=2, r2c2=1, r2c3=4)))
        assert pls.certify(grid.with_(r1c4=1)).verify() is None
        drawn = Picture(grid).to_text().splitlines()
        assert [at for at, row in enumerate(drawn) if "━" in row] == [0, len(drawn) - 1]
        assert {row.count("┃") for row in drawn[1:-1]} <= {0, 2}
        line = pls.rules.RegionSumLine("r1c1 r2c1")
        counts = [pls.count(Puzzle(grid, rules=[line]), name) for name in ("clingo", "prolog")]
        assert counts == [24, 24]
    puzzle = Puzzle(Grid.parse("....", box=(1, 2)), rules=[pls.rules.RegionSumLine("r1c1 r2c2")])
    assert pls.count(puzzle) == 2


def test_16x16():
    solution = full_grid((4, 4), 2)
    puzzle = dig(solution, 160, 2)
    assert pls.is_unique(puzzle)
    assert len(walk(puzzle, [solution])) >= 256 - 160


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(grids())
def test_steps_of_any_puzzle(puzzle):
    assume(pls.solve(puzzle) is not None)
    for step in walk(puzzle, list(pls.solutions(puzzle, limit=20))[:1]):
        check_simplest(step)


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_step_of_an_image_loses_its_solution(data):
    puzzle, solution = Grid.parse(MIDDLING), Grid.parse(PRINTED[MIDDLING])
    move = data.draw(symmetries(puzzle))
    walk(move(puzzle), [move(solution)])


@pytest.mark.parametrize("puzzle", slow([MIDDLING, HARD], 1))
def test_the_same_puzzle_has_the_same_steps(puzzle):
    assert list(pls.steps(puzzle)) == taken(puzzle)


# --- what is asked ----------------------------------------------------------------------------


def test_steps_are_found_as_they_are_asked_for():
    way = pls.steps(HARD)
    first = next(way)
    assert first == pls.hint(HARD)
    assert way.grid.digits.count(0) == way.puzzle.digits.count(0) - 1
    assert iter(way) is way


def test_a_filled_grid_needs_no_hint():
    solution = pls.solve(EASY)
    assert pls.hint(solution) is None
    assert pls.steps(solution).outcome() == "The puzzle is solved."


def test_nothing_is_sure_of_an_empty_grid():
    assert pls.hint("." * 81) is None


@pytest.mark.parametrize("puzzle", ["11..............", IMPOSSIBLE])
@pytest.mark.parametrize("ask", [pls.steps, pls.hint, pls.rate])
def test_no_solution(puzzle, ask):
    with pytest.raises(pls.InvalidPuzzle, match=r"no solution.*ask for its conflicts"):
        ask(puzzle)


def test_wrong_arguments():
    with pytest.raises(pls.InvalidPuzzle):
        pls.steps("no puzzle")
    with pytest.raises(ValueError, match="timeout"):
        pls.steps(EASY, timeout=0)


def test_time_limit():
    with pytest.raises(pls.SolveTimeout):
        list(pls.steps(HARD, timeout=1e-9))
    assert len(list(pls.steps(EASY, timeout=60))) == 51


def test_what_is_found_before_time_runs_out_is_kept(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pylogic_sudoku.running.workers.perf_counter", lambda: now[0])

    def progress(what):
        if what.endswith("at step 4"):
            now[0] += 100

    walk = pls.steps(EASY, timeout=60, progress=progress).walk()
    assert [*walk] == taken(EASY)[:3]
    said = "while looking for singles and locked candidates at step 4"
    assert (walk.solved, walk.outcome) == (False, f"clingo gave no answer within 60 s, {said}.")
    with pytest.raises(pls.SolveTimeout, match=f"{said}$"):
        pls.rate(EASY, timeout=60, progress=progress)


def test_after_ctrl_c_the_steps_go_on(monkeypatch):
    from pylogic_sudoku.techniques.position import _Program

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    way = pls.steps(EASY)
    first = next(way)
    with monkeypatch.context() as patched:
        patched.setattr(_Program, "answers", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(way)
    assert [first, *way] == taken(EASY)


# --- explanations -----------------------------------------------------------------------------


def test_both_engines_check_every_step(backend):
    puzzle = dig(full_grid((2, 3), 1), 12, 5)
    taken = walk(puzzle)
    assert taken
    for step in taken:
        step.verify(backend)


def test_both_engines_check_a_minimal_set(backend):
    step = minimal_set()
    step.verify(backend)
    with pytest.raises(pls.Disagreement):
        replace(step, truths=step.truths[1:]).verify(backend)


@pytest.fixture(params=slow([MIDDLING, HARD], 1))
def steps_by_technique(request) -> dict[str, pls.Step]:
    """The first step by each, and a minimal set."""
    several = [*taken(request.param), minimal_set()]
    return {step.technique: step for step in reversed(several)}


def test_wrong_steps_are_noticed(steps_by_technique):
    for technique, step in steps_by_technique.items():
        rng = random.Random(1)
        concerned = {placement[:2] for placement in (step.placed, *step.removed) if placement}
        marks = by_cell(placements_in(step.candidates))
        cell = rng.choice(sorted(marks.keys() - concerned))
        wrong = (*cell, min(marks[cell]))
        lies = [
            replace(step, truths=()),
            replace(step, placed=wrong) if step.placed else replace(step, removed=(wrong,)),
            replace(step, candidates=tuple((frozenset(),) * 9 for _ in range(9))),
        ]
        if technique == "minimal set":
            lies.append(replace(step, links=(*step.links, next(pls.steps(EASY)).truths[0])))
        for lie in lies:
            with pytest.raises(pls.Disagreement):
                lie.verify()


def test_json(steps_by_technique):
    for technique, step in steps_by_technique.items():
        data = json.loads(json.dumps(step.to_json()))
        assert data["technique"] == technique
        assert data["text"] == str(step)
        assert [tuple(rule) for rule in data["rules"]] == list(step.rules)
        assert bool(data["placed"]) != bool(data["removed"])
    data = pls.hint(EASY).to_json()
    assert data["placed"] == {"cell": "r5c5", "digit": 5}
    assert data["candidates"][4][4] == [5]
    assert data["grid"] == Grid.parse(EASY).to_json()


def test_picture(steps_by_technique):
    for step in steps_by_technique.values():
        picture = step.picture()
        assert (picture.grid, picture.puzzle) == (step.grid, step.puzzle)
        first, *_ = picture.highlights
        if step.placed:
            label, cell = f"{step.placed.digit} goes here", step.placed.cell
            assert first == Highlight(label, "target", (cell,), (step.placed,))
        else:
            assert (first.role, set(first.candidates)) == ("removed", set(step.removed))
        assert picture.to_svg().startswith("<svg")


# --- ratings ------------------------------------------------------------------------------------


def test_rating():
    rating = pls.rate(EASY)
    assert rating == pls.Rating(
        "easy", 51 * 4, "naked single", {"full house": 21, "naked single": 30}
    )
    assert str(rating) == "easy (204, naked single)"
    assert pls.rate(pls.solve(EASY)) == pls.Rating("easy", 0, None, {})


@pytest.mark.parametrize("puzzle", slow(["." * 16, "." * 81, *WITH_SEVERAL], 4))
def test_a_puzzle_with_several_solutions_has_no_rating(puzzle):
    with pytest.raises(pls.InvalidPuzzle, match=r"several solutions.*no rating.*ambiguity"):
        pls.rate(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "level"), [(MIDDLING, "hard"), (HARD, "extreme")])
def test_the_number_is_the_sum_of_the_weights(puzzle, level):
    rating = pls.rate(puzzle)
    weight = {each.name: each.weight for each in TECHNIQUES.values()}
    assert rating.number == sum(
        weight[step.technique] * (len(step.rules) if step.technique == "minimal set" else 1)
        for step in taken(puzzle)
    )
    assert rating.level == level
    assert sum(rating.techniques.values()) == len(taken(puzzle))
    assert list(rating.techniques) == [name for name in NAMES if name in rating.techniques]


def test_a_high_number_raises_the_level(monkeypatch):
    monkeypatch.setitem(LEVELS, "easy", 203)
    assert pls.rate(EASY).level == "medium"


# === Steps that start without the candidates that earlier steps have removed =====================


JIGSAW = Puzzle("1..4.......3....", "1112122233343444", {"r1c2": "even", "r2c3": [1, 4]})


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", [HARD, LOOSE, JIGSAW])
def test_hints_go_on_where_the_last_one_ended(puzzle):
    """The steps that one gets by asking for a hint after each."""
    way, grid = pls.steps(puzzle), pls.formats.as_puzzle(puzzle).to_puzzle()
    removed = set()
    for known in islice(way, 28):
        step = pls.hint(grid, removed=removed)
        step.verify()
        assert removed.isdisjoint(placements_in(step.candidates))
        assert (step.placed, step.removed) == (known.placed, known.removed)
        assert step.candidates == known.candidates
        removed.update(step.removed)
        grid = grid.with_(step.placed) if step.placed else grid
    assert removed or puzzle is JIGSAW


def test_removed_candidates_may_decide_between_solutions():
    several = "12..34......4321"
    assert pls.hint(several, removed=[]) is not None
    assert len(list(pls.solutions(several))) > 1
    one = next(iter(pls.solutions(several)))
    removed = [
        (row, column, digit)
        for row, cells in enumerate(pls.candidates(several), 1)
        for column, digits in enumerate(cells, 1)
        for digit in digits - {one[row, column]}
    ]
    way = pls.steps(several, removed=removed)
    assert [*way][-1].placed
    assert way.grid == one
    assert pls.rate(several, removed=removed).level == "easy"


def test_the_digit_of_the_only_solution_must_stay():
    solution = pls.solve(MIDDLING)
    cell = next(cell for cell in solution.cells if not pls.Grid.parse(MIDDLING)[cell])
    digit = solution[cell]
    with pytest.raises(InvalidPuzzle, match=f"{cell} can only be {digit}, so"):
        pls.hint(MIDDLING, removed=[(*cell, digit)])
    with pytest.raises(InvalidPuzzle, match="every solution needs some of the removed candidates"):
        pls.hint("." * 16, removed=[(1, 1, digit) for digit in (1, 2, 3, 4)])
    with pytest.raises(pls.NoSolution, match="the puzzle has no solution"):
        pls.hint(IMPOSSIBLE, removed=[(1, 1, 1)])


@pytest.mark.parametrize("removed", [(1, 2), (0, 1, 1), (1, 1, 10), (1.0, 1, 1), "r1c1"])
def test_candidates_are_a_row_a_column_and_a_digit(removed):
    expected = f"{removed!r}; expected (row, column, digit), each from 1 to 9"
    with pytest.raises(InvalidPuzzle, match=re.escape(expected)):
        pls.hint(MIDDLING, removed=[removed])


# === Steps of puzzles with rules beyond plain sudoku =============================================


def test_a_step_names_the_rule_that_it_needs():
    step = pls.hint(TWO_RULES)
    assert step.technique == ("one rule" if step.rules[0].beyond == LINE else "cage combinations")
    assert " remove " in str(step)
    assert [rule.beyond in (CAGE, LINE) for rule in step.rules] == [True]
    assert step.weight == 50
    assert step.to_json()["rules"] == [step.rules[0].beyond.to_json()]
    labels = [highlight.label for highlight in step.picture().highlights]
    assert str(step.rules[0].beyond) in labels
    verified(step)


def test_a_killer_is_solved_step_by_step():
    grid = full_grid((2, 3), 5)
    cages = [grid.cells[at : at + 3] for at in range(0, 36, 3)]
    several = [KillerCage(cells, sum=sum(grid[cell] for cell in cells)) for cells in cages]
    puzzle = Puzzle(dig(grid, 9, 23), rules=several)
    assert list(pls.solutions(puzzle, limit=2)) == [grid]
    taken = walk(puzzle, [grid])
    assert {"cage combinations", "naked single"} <= {step.technique for step in taken}
    for step in taken:
        if any(rule.beyond for rule in step.rules):
            verified(step)
    assert pls.rate(puzzle).number == sum(step.weight for step in taken)


def test_the_first_hint_asks_few_questions(monkeypatch):
    """The rules of a killer are asked together, and no technique that cannot apply."""
    asked = []
    ask = Session.ask

    def counting(self, *arguments):
        asked.append(arguments)
        return ask(self, *arguments)

    monkeypatch.setattr(Session, "ask", counting)
    step = pls.hint(KILLER)
    assert len(step.removed) >= 12
    assert len(asked) < 30
    verified(step)


def test_rules_that_name_no_common_cell_may_be_linked():
    """Each removal follows from the one rule that is named, whatever others say of its cells."""
    puzzle = Puzzle("." * 16, rules=[Minimum("r1c1"), Maximum("r1c3")])  # r1c2 is between them
    taken = list(pls.steps(puzzle))
    assert taken[0].technique == "one rule"
    for step in taken:
        if any(rule.beyond for rule in step.rules):
            verified(step)


def test_one_rule_comes_before_pairs():
    """It weighs less."""
    way = [(step.technique, len(step.rules)) for step in pls.steps(SMALL_KILLER)]
    pairs = [at for at, (name, _) in enumerate(way) if name.endswith("pair")]
    assert way.index(("cage combinations", 1)) < min(pairs, default=len(way))


def test_in_an_explanation_a_cell_that_holds_one_digit_reaches_no_more():
    """Said of the cells that hold one digit, it helps the search; of others it would be wrong."""
    layout = Puzzle("." * 16, rules=[CAGE]).layout
    two = [(1, 1, 1), (1, 1, 2)]
    engine = get("clingo")
    assert engine.consistent(layout, [("filled", 1, 1), *two])
    assert not engine.consistent(layout, [("single", 1, 1), *two])


# === Steps as a list through which one can walk: in Python, in a notebook, and on a page =========


PUZZLE, SOLUTION = list(PRINTED.items())[-1]
EXAMPLE = Grid.parse(PUZZLE)


def parsed(html: str) -> ElementTree.Element:
    """The list, which must be well formed."""
    return ElementTree.fromstring(html)


def texts(form: ElementTree.Element, path: str) -> list[str]:
    return ["".join(each.itertext()) for each in form.findall(path)]


def test_a_walk_holds_all_steps_and_says_how_hard_they_are():
    walk = pls.steps(SMALL).walk()
    assert list(walk) == list(pls.steps(SMALL))
    assert (len(walk), walk[0], walk.solved) == (12, pls.hint(SMALL), True)
    assert walk.rating == pls.rate(SMALL)
    assert repr(walk) == f"<Walk: 12 steps: {pls.rate(SMALL)}>"
    lines = str(walk).splitlines()
    assert lines[0] == f"12 steps: {pls.rate(SMALL)}"
    assert lines[1] == "1. naked single: r1c4=2"
    assert lines[-1] == "The puzzle is solved."
    assert len(lines) == 14


def test_a_walk_begins_where_the_steps_are():
    way = pls.steps(SMALL)
    first = next(way)
    walk = way.walk()
    assert [first, *walk] == list(pls.steps(SMALL))
    assert list(way) == []


def test_a_walk_that_does_not_solve_the_puzzle_has_no_rating():
    walk = pls.steps(SEVERAL).walk()
    assert (walk.solved, walk.rating) == (False, None)
    assert walk.outcome.startswith("Nothing more is sure")
    assert walk.outcome in walk.to_html()


def test_a_list_for_a_notebook():
    walk = pls.steps(SMALL).walk()
    part = parsed(walk.to_html())
    assert texts(part, "p") == [f"12 steps: {walk.rating}. The puzzle is solved."]
    lines = part.findall("details")
    named = zip(str(walk).splitlines()[1:-1], walk, strict=True)
    assert texts(part, "details/summary") == [
        f"{line} {step.level}, {step.weight}" for line, step in named
    ]
    assert texts(part, "details/figure/figcaption") == [each.text() for each in walk]
    assert len(part.findall("details/figure/{*}svg")) == 12
    assert [line.get("open") for line in lines] == ["open", *[None] * 11]
    assert len({line.get("name") for line in lines}) == 1
    assert part.findall(".//*[@id]") == []  # a notebook may have several lists
    assert "<script" not in walk.to_html()
    assert walk._repr_html_() == walk.to_html()


def test_steps_show_themselves_in_a_notebook_without_being_taken():
    way = pls.steps(SMALL)
    assert way._repr_html_() == pls.steps(SMALL).walk().to_html()
    assert len(list(way)) == 12


def test_the_list_says_what_goes():
    names = re.findall(r"\d+\. (.*)", str(pls.steps(PUZZLE).walk()))
    for name, step in zip(names, pls.steps(PUZZLE), strict=True):
        assert name.startswith(f"{step.technique}: ")
        said = {*re.findall(r"r\dc\d", name)}
        assert said == {str(each.cell) for each in step.removed or [step.placed]}


def test_pages_of_several_pictures_have_a_list():
    several = [("one", Picture(EXAMPLE, title="A & B")), ("two", Picture(EXAMPLE))]
    page = pages(several)
    assert re.findall(r"<summary>(.*?)</summary>", page) == [
        "1. A &amp; B",
        "2. Sudoku 9x9 with 30 givens",
    ]
    assert page.count("<figcaption>") == page.count("<svg ") == 2
    assert "<details" not in pages(several[:1])
    assert not re.search(r"(src|href)=(?!.#)|@import|url\(|<script", page)


@pytest.mark.slow
def test_one_picture_of_each_list_is_open_and_paper_has_all(browser, tmp_path):
    path = tmp_path / "walk.html"
    lists = [pls.steps(puzzle).walk().to_html() for puzzle in (SMALL, SEVERAL)]
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8">{"".join(lists)}', encoding="utf-8")
    page = browser.new_page(viewport={"width": 320, "height": 800}, java_script_enabled=False)
    page.goto(path.as_uri())

    def visible(which: int) -> list[int]:
        figures = page.locator(".sudoku-walk").nth(which).locator("figure").all()
        return [at for at, figure in enumerate(figures) if figure.is_visible()]

    assert (visible(0), visible(1)) == ([0], [0])
    page.locator("summary").nth(2).focus()
    page.keyboard.press("Enter")
    assert (visible(0), visible(1)) == ([2], [0])
    page.locator("summary", has_text="12. ").first.click()
    assert (visible(0), visible(1)) == ([11], [0])
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.emulate_media(media="print")
    assert visible(0) == list(range(12))
    page.close()
