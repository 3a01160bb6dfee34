"""Every program of both engines by name: its answers, what it knows, its search and its work."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from contextlib import suppress
from itertools import islice

import pytest
from helpers.command_line import run as pylogic_sudoku
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import COUNTS, FOUR, IMPOSSIBLE, PRINTED, REFUTED, SEVERAL, SMALL
from helpers.small_programs import PROGRAMS

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines import matching, program_named, programs
from pylogic_sudoku.rules import AntiKing, AntiKnight, KillerCage, Thermometer

NAMES = [each.name for each in programs()]
SHAPES = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2)]
SHAPES += [(2, 4), (4, 2), (3, 3), (3, 4), (4, 3), (4, 4)]
KEPT = {1: 0, 2: 0, 3: 0, 4: 4, 6: 14, 8: 34, 9: 40, 12: 95, 16: 190}
WEAK = {"prolog:different", "clingo:pairwise", "clingo:numbered_box", "clingo:subgrid_labels"}
"""These see a digit leave the cells that a filled one sees, and nothing else."""
SINGLES = {"clingo", "clingo:cardinality", "clingo:one_puzzle", "prolog", "prolog:dual"}
"""These see the last place of a digit too."""
STRONG = {"prolog:classic", "prolog:first_fail", "prolog:cardinality"}
"""These see all that a single house excludes."""
FIRST_FAIL = {"prolog:different", "prolog:dual", "prolog:bits"}
"""These take hours to find that one of the puzzles has no solution."""
UNSEEN = {"prolog:backtracking", "prolog:bits"}
INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
FEW = [puzzle for puzzle, count in COUNTS.items() if count <= 10]


def takes(name: str, box: tuple[int, int]) -> bool:
    shapes = program_named(name).shapes
    return box == (3, 3) or (shapes != "9x9" and (box[0] == box[1] or shapes != "square boxes"))


def test_the_lists_of_what_programs_see_are_complete():
    assert WEAK | SINGLES | STRONG | UNSEEN == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_head_of_a_program_says_what_it_takes_and_teaches(name):
    found = program_named(name)
    assert found.title.startswith("Sudoku")
    assert found.shapes in ("9x9", "square boxes", "boxes of any size")
    assert found.teaches
    assert found.costs
    assert found.paradigm in (
        ["answer set programming"]
        if found.engine == "clingo"
        else ["constraint logic programming", "plain Prolog"]
    )
    assert pylogic_sudoku("program", name).stdout == found.path.read_text()


def test_the_heads_that_are_read_as_they_are_meant():
    assert program_named("clingo").knows == {"regions", "marks", "rules"}
    assert program_named("clingo:pairwise").knows == set()
    assert program_named("prolog:classic").shapes == "9x9"
    assert program_named("prolog:bits").knows == {"regions", "marks"}
    assert matching("prolog:*") == [name for name in NAMES if name.startswith("prolog")]
    assert matching("clingo:s*") == ["clingo", "clingo:subgrid_labels"]
    assert matching("prolog:none*") == []


# --- the answers -----------------------------------------------------------------------------


def agrees(name: str, puzzle: Grid | Puzzle) -> int:
    """The number of its solutions, which are those of the oracle, each once."""
    found = list(pls.solutions(puzzle, name))
    assert len(found) == len(set(found))
    assert set(found) == set(all_solutions(puzzle))
    return len(found)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("name", "box"), [(name, box) for name in NAMES for box in SHAPES if takes(name, box)]
)
def test_all_solutions_on_every_shape(name, box):
    """A puzzle with several solutions, a full grid, and one with a digit too often."""
    grid = full_grid(box, 5)
    assert agrees(name, dig(grid, KEPT[grid.size], 5)) >= 1
    assert agrees(name, grid) == 1
    if grid.size > 1:
        assert agrees(name, Grid((grid.digits[1], *grid.digits[1:]), box)) == 0
    if box == (2, 2):
        assert agrees(name, Grid.parse("." * 16)) == 288


# The tests of the engines ask this of the main programs.
@pytest.mark.one_in(6, 1)
@pytest.mark.parametrize("name", sorted({*NAMES} - {"clingo", "prolog", "prolog:backtracking"}))
def test_known_numbers_of_solutions(name):
    for puzzle in (*PRINTED, *FEW):
        grid = Grid.parse(puzzle)
        hours = puzzle == IMPOSSIBLE and name in FIRST_FAIL
        if takes(name, grid.box) and not hours:
            found = set(pls.solutions(grid, name))
            assert len(found) == COUNTS.get(puzzle, 1)
            assert all(each.is_solution_of(grid) for each in found)


JIGSAWS = [jigsaw(size, KEEP[size], 5, marked=2) for size in (4, 5, 6)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [name for name in NAMES if "regions" in program_named(name).knows])
@pytest.mark.parametrize("puzzle", JIGSAWS, ids=KEEP)
def test_regions_and_marks(name, puzzle):
    assert agrees(name, puzzle) >= 1


@pytest.mark.parametrize("name", [name for name in NAMES if "rules" in program_named(name).knows])
def test_rules(name):
    rules = [KillerCage("r1c1 r1c2 r2c1", 7), Thermometer("r3c1 r3c2 r4c2")]
    puzzle = Puzzle(Grid.parse("." * 16), rules=rules)
    found = set(pls.solutions(puzzle, name))
    assert found == {grid for grid in all_solutions(puzzle.grid) if grid.is_solution_of(puzzle)}
    assert found


def test_what_a_program_does_not_know_is_refused_by_name():
    for name, puzzle, why in [
        ("prolog:classic", Grid.parse("." * 16), "boxes of 2 x 2 cells"),
        ("clingo:subgrid_labels", Grid.parse("." * 36, box=(2, 3)), "boxes that are not square"),
        ("clingo:pairwise", jigsaw(4, 6, 5), "regions"),
        ("prolog:bits", Puzzle(Grid.parse("." * 16), rules=[AntiKnight()]), "rules"),
    ]:
        with pytest.raises(pls.BackendFailure, match=f"{name} cannot solve puzzles with {why}"):
            pls.solve(puzzle, name)


def test_a_pattern_stands_for_the_programs_that_can_solve_the_puzzle():
    found = pls.compare("4......3...13...", ["prolog:*", "clingo:*"])
    assert found.agree
    assert set(found.answers) == set(NAMES) - {"prolog:classic"}
    with pytest.raises(pls.BackendUnavailable, match=r"there is no program 'prolog:\*'"):
        pls.solve("." * 16, "prolog:*")


# --- custom programs ---------------------------------------------------------------------


@pytest.fixture
def own(tmp_path):
    def written(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return f"{'clingo' if name.endswith('.lp') else 'prolog'}:{tmp_path / name}"

    return written


@pytest.mark.parametrize("end", ["lp", "pl"])
def test_a_file_of_ones_own_is_a_backend(own, end):
    backend = own(f"my.{end}", PROGRAMS[f"right.{end}"])
    assert agrees(backend, Grid.parse("." * 16)) == 288
    assert pls.compare(SMALL, ["clingo", backend]).agree
    assert own(f"my.{end}", PROGRAMS[f"wrong.{end}"]) == backend  # which is read anew
    assert pls.compare(FOUR, ["clingo", backend]).outcome == "disagree"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("my.pl", "sudoku(Rows) :-\n    append(Rows Cells).\n", r"my\.pl:2:.*Syntax error"),
        ("my.pl", "solve(_).\n", "there is no predicate sudoku/1 or sudoku/2"),
        ("my.pl", "sudoku(Rows) :- nothing(Rows).\n", "nothing/1"),
        ("my.pl", "sudoku(_).\n", "leaves cells open"),
        ("my.lp", "n(1..4).\n{ sudoku(X,Y,N : n(N) } :- n(X).\n", r"my\.lp:2:.*syntax error"),
        ("my.lp", "a(X).\n", r"my\.lp:1:.*unsafe"),
        ("my.lp", "a.\n", "leaves r1c1 open"),
    ],
)
def test_a_broken_program_is_an_error_with_its_line(own, name, text, says):
    backend = own(name, text)
    with pytest.raises(pls.BackendFailure, match=f"(?s){says}"):
        pls.solve("." * 16, backend)
    assert pls.solve("4......3...13...", "prolog") == pls.solve("4......3...13...", "clingo")
    ended = pylogic_sudoku("solve", "-b", backend, "." * 16)
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{ cell(X,Y,N) : N = 1..4 } = 1 :- X = 1..4, Y = 1..4.", "leaves r1c2 open"),
        ("{ sudoku(X,Y,N) : N = 0..3 } = 1 :- X = 0..3, Y = 0..3.", "has the atom sudoku(0,0,"),
        ("sudoku(X,Y,a) :- X = 1..4, Y = 1..4.", "has the atom sudoku(1,1,a); expected row,"),
        ("{ sudoku(X,Y,N) : N = 1..4 } = 1 :- X = 1..4, Y = 1..3.", "leaves r1c4 open"),
    ],
    ids=["another name", "from 0", "no number", "a column too few"],
)
def test_atoms_that_are_not_recognised_are_the_same_error_of_every_question(own, text, says):
    name = own("mine.lp", text)
    asked = (pls.solve, pls.count, pls.is_unique, pls.candidates, pls.propagate, pls.measure)
    errors = []
    for ask in (*asked, lambda *both: str(pls.trace(*both))):
        with pytest.raises(pls.BackendFailure, match=re.escape(says)) as failed:
            ask(SMALL, name)
        errors.append(str(failed.value))
    assert len(set(errors)) == 1
    for command in ("solve", "count", "propagate", "trace"):
        done = pylogic_sudoku(command, "-b", name, SMALL)
        assert (done.returncode, says in done.stderr) == (3, True), command


def test_a_program_that_is_asked_again_starts_no_more_threads():
    pls.solve("." * 16, "clingo:pairwise")
    before = threading.active_count()
    for _ in range(5):
        pls.solve("." * 16, "clingo:pairwise")
    assert threading.active_count() <= before


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(pls.BackendUnavailable, match=r"there is no file .*nowhere\.pl"):
        pls.solve("." * 16, f"prolog:{tmp_path}/nowhere.pl")
    with pytest.raises(pls.BackendUnavailable, match="sat does not run programs by name"):
        pls.solve("." * 16, "sat:mine")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("my.pl", "sudoku(_) :- repeat, fail.\n"),
        ("my.lp", "{ in(X,1..11) } = 1 :- X = 1..12. :- in(X,H), in(Y,H), X < Y.\n"),
    ],
)
def test_an_endless_program_ends_in_time(own, name, text):
    backend = own(name, text)
    with pytest.raises(pls.SolveTimeout):
        for _ in pls.solutions("." * 16, backend, timeout=0.2):
            pass
    assert pls.count("." * 16, backend.partition(":")[0]) == 288


# --- what is known before any guess ------------------------------------------------------------


def left_by(puzzle: Grid | Puzzle, last_place: bool) -> list[set[int]] | None:
    """An oracle: what follows from filled cells, and from last places too, again and again."""
    size, cells = puzzle.size, puzzle.cells
    digits = range(1, size + 1)
    left = {c: {d} if d else set(digits) for c, d in zip(cells, puzzle.digits, strict=True)}
    for row, column, digit in puzzle.excluded:
        left[row, column].discard(digit)
    before = None
    while before != left:
        before = {cell: set(found) for cell, found in left.items()}
        for house in puzzle.houses:
            for cell in house.cells:
                if len(left[cell]) == 1:
                    for other in house.cells:
                        left[other] -= left[cell] if other != cell else set()
            for digit in digits:
                places = [cell for cell in house.cells if digit in left[cell]]
                if last_place and len(places) == 1:
                    left[places[0]] &= {digit}
                if last_place and not places:
                    return None
        if not all(left.values()):
            return None
    return [left[cell] for cell in cells]


def flat(left):
    return left if left is None else [set(cell) for row in left for cell in row]


PUZZLES = [Grid.parse(puzzle) for puzzle in (*PRINTED, *FEW, INKALA) if len(puzzle) == 81]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", sorted(WEAK | SINGLES | STRONG | {"sat"}))
def test_what_propagation_leaves_is_what_it_should(name):
    for puzzle in [*PUZZLES, *(JIGSAWS if name in ("clingo", "prolog", "sat") else [])]:
        found = flat(pls.propagate(puzzle, name))
        if name not in STRONG:
            assert found == left_by(puzzle, name not in WEAK), puzzle
        elif found is not None:
            kept = [set(each) for row in pls.candidates(puzzle) for each in row]
            single = left_by(puzzle, True)
            assert all(
                least <= each <= most for least, each, most in zip(kept, found, single, strict=True)
            )


def test_classic_sees_no_less_than_the_main_program_and_that_no_less_than_different():
    for puzzle in PUZZLES:
        three = [
            pls.propagate(puzzle, f"prolog{which}") for which in (":classic", "", ":different")
        ]
        known = [flat(each) or [set()] * 81 for each in three]
        assert all(one <= two <= three for one, two, three in zip(*known, strict=True))


@pytest.mark.parametrize("name", sorted(UNSEEN))
def test_a_program_without_labeling_cannot_be_asked_what_it_knows(name):
    with pytest.raises(pls.BackendUnavailable, match="does not search by labeling"):
        pls.propagate("." * 16, name)


# --- the search, and its work -------------------------------------------------------------------

TRACED = ["clingo", "clingo:pairwise", "prolog", "prolog:different", "prolog:dual"]


def replayed(puzzle: Grid | Puzzle, events) -> Grid | None:
    """The solution, if each event follows: a stack of what is known, level by level."""
    levels = [dict[tuple[int, int], int]()]
    for event in events:
        if event.kind == "choice":
            assert event.level == len(levels)
            levels.append({})
        elif event.kind == "back":
            assert event.level < len(levels)
            del levels[event.level + 1 :]
        elif event.kind == "solution":
            known = {cell: d for level in levels for cell, d in level.items()}
            known |= {(row, column): digit for row, column, digit in puzzle.givens}
            assert [known[cell] for cell in puzzle.cells] == list(event.solution.digits)
            return event.solution
        else:
            assert event.level == len(levels) - 1
            for row, column, digit in event.placed:
                levels[-1][row, column] = digit
    return None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", TRACED)
@pytest.mark.parametrize("puzzle", [next(iter(PRINTED)), INKALA, SEVERAL])
def test_a_trace_ends_in_the_solution(name, puzzle):
    grid = Grid.parse(puzzle)
    solution = replayed(grid, pls.trace(grid, name, limit=None))
    assert solution is not None
    assert solution.is_solution_of(grid)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", TRACED)
def test_its_counts_are_those_of_the_engine(name):
    counts = pls.trace(INKALA, name).counts
    work = pls.measure(INKALA, name)
    assert counts["choice"] == work.choices > 0
    if name.startswith("prolog"):
        assert counts["conflict"] == work.conflicts
    else:  # conflicts without a rest of propagation between them are one event
        assert 0 < counts["conflict"] <= work.conflicts


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["prolog", "prolog:classic", "prolog:first_fail", "prolog:dual"])
@pytest.mark.parametrize("puzzle", [INKALA, *list(PRINTED)[2:5]])
def test_each_choice_in_prolog_leaves_another_digit_to_try(name, puzzle):
    """`labeling/2` and our own search have one definition: a cell's last digit is not a choice."""
    grid = Grid.parse(puzzle)
    left = pls.propagate(grid, name)
    assert left is not None
    levels = [dict(zip(grid.cells, flat(left), strict=True))]
    tried: list[tuple[tuple[int, int], int]] = []
    for event in pls.trace(grid, name, limit=None):
        if event.kind == "choice":
            [(row, column, digit)] = event.placed
            assert digit in levels[-1][row, column]
            assert len(levels[-1][row, column]) > 1
            levels.append({cell: set(digits) for cell, digits in levels[-1].items()})
            tried.append(((row, column), digit))
        elif event.kind == "back":
            cell, digit = tried[event.level]
            del levels[event.level + 1 :], tried[event.level :]
            levels[-1][cell].discard(digit)
        elif event.kind == "implied":
            for row, column, digit in event.placed:
                levels[-1][row, column] = {digit}
            for row, column, digit in event.excluded:
                levels[-1][row, column].discard(digit)


def test_a_look_with_matching_ends_a_search_in_vain():
    """Of this puzzle `prolog:classic` sees at once that it has no solution."""
    work = pls.measure(IMPOSSIBLE, "prolog")
    assert (work.solution, pls.count(IMPOSSIBLE, "prolog")) == (None, 0)
    assert work.inferences < 5_000_000
    trace = list(pls.trace(IMPOSSIBLE, "prolog", limit=None))
    counts = Counter(event.kind for event in trace)
    assert counts["choice"] == counts["back"] == work.choices
    assert counts["conflict"] == work.conflicts
    assert [(event.kind, event.level) for event in trace[-2:]] == [("back", 0), ("conflict", 0)]
    level = 0
    for event in trace:
        level += (event.kind == "choice") - (event.kind == "back")
        assert event.level == (0 if event is trace[-1] else level)


@pytest.mark.parametrize("name", ["clingo", "prolog"])
def test_a_puzzle_without_a_solution_ends_in_a_conflict(name):
    for puzzle in ("11..............", REFUTED, IMPOSSIBLE):
        events = list(pls.trace(puzzle, name))
        assert events[-1].kind == "conflict"
        assert all(event.solution is None for event in events)
        assert pls.measure(puzzle, name).solution is None


def test_a_trace_with_rules():
    rules = [KillerCage("r1c1 r1c2 r2c1", 9), AntiKing()]
    puzzle = Puzzle(Grid.parse("." * 16), rules=rules)
    for name in ("clingo", "prolog"):
        solution = replayed(puzzle, pls.trace(puzzle, name))
        if solution is None:
            assert pls.count(puzzle, name) == 0
        else:
            assert solution.is_solution_of(puzzle)


@pytest.mark.parametrize("name", ["clingo", "prolog"])
def test_a_trace_is_lazy_and_bounded(name):
    trace = pls.trace("." * 625, name)
    first = list(islice(trace, 5))
    assert [event.kind for event in first[-2:]] == ["implied", "choice"]
    trace.close()
    assert list(pls.trace(INKALA, name, limit=3)) == list(islice(pls.trace(INKALA, name), 3))
    with pytest.raises(ValueError, match="limit must be 1 or more"):
        pls.trace(INKALA, name, limit=0)


def test_a_trace_as_text_and_json():
    text = str(pls.trace("1..4.....3......", "prolog")).splitlines()
    assert text[0].startswith("  follows: ")
    assert text[1].startswith("  r")
    assert text[1].endswith("?")
    assert text[-1].startswith("solution: 1")
    data = pls.trace("1..4.....3......", "prolog", limit=2).to_json()
    assert [event["kind"] for event in data["events"]] == ["implied", "choice"]
    assert data["counts"]["solution"] == 1
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("ask", [pls.propagate, pls.measure])
def test_the_next_search_is_not_watched(ask, own):
    """Whatever became of the one before: a contradiction, an error, no time left."""
    head = ":- use_module(library(clpfd)).\nsudoku(Rows) :- "
    broken = own("my.pl", f"{head}maplist(label, Rows), nothing_like_that.\n")
    endless = own("your.pl", f"{head}maplist([R]>>(R ins 1..4), Rows), label([]), repeat, fail.\n")
    for puzzle, backend in [
        ("11..............", "prolog"),
        ("." * 16, broken),
        ("." * 16, endless),
    ]:
        with suppress(pls.BackendFailure, pls.SolveTimeout):
            ask(puzzle, backend, timeout=0.2)
        for name in ("prolog", "prolog:different"):
            assert pls.count("." * 16, name) == 288


def test_what_cannot_be_traced_is_refused_by_name():
    with pytest.raises(pls.BackendUnavailable, match="sat engine cannot show its search"):
        pls.trace("." * 16, "sat")
    for name in UNSEEN:
        with pytest.raises(pls.BackendUnavailable, match=f"{name} does not search by labeling"):
            pls.trace("." * 16, name)


@pytest.mark.parametrize("name", [*NAMES, "sat"])
def test_the_work_is_that_of_the_search_for_the_answer(name):
    puzzle = Grid.parse(next(iter(PRINTED)))
    if name == "prolog:backtracking":
        puzzle = dig(full_grid((3, 3), 1), 60, 1)
    work = pls.measure(puzzle, name)
    assert work.solution is not None
    assert work.solution.is_solution_of(puzzle)
    assert work.search is not None
    assert (work.setup is None) == (work.choices is None) == (name in UNSEEN)
    assert (work.inferences is not None) == name.startswith("prolog")
    assert (work.propagation is not None) == name.startswith("clingo")


# --- the command line ----------------------------------------------------------------------------


def test_the_commands():
    listed = pylogic_sudoku("programs").stdout
    assert [line.partition(": ")[0] for line in listed.splitlines() if line[0] != " "] == NAMES
    shown = pylogic_sudoku("propagate", "-b", "prolog:*", "-b", "clingo", INKALA)
    assert shown.returncode == 0
    assert "prolog:first_fail and clingo: 21 of 81 cells are known" in shown.stdout
    assert "prolog:bits does not search by labeling/2" in shown.stderr
    left = json.loads(pylogic_sudoku("propagate", "-b", "clingo", "-f", "json", INKALA).stdout)
    assert left["left"]["clingo"][0][0] == [8]
    nothing = pylogic_sudoku("propagate", "11..............")
    assert "there is no solution" in nothing.stdout
    traced = pylogic_sudoku("trace", "-b", "prolog", "--events", "4", INKALA)
    assert len(traced.stdout.splitlines()) == 4
    assert "these are the first 4 of" in traced.stderr
    events = pylogic_sudoku("trace", "-f", "json", "4......3...13...").stdout.splitlines()
    assert json.loads(events[-1])["kind"] == "solution"
    assert pylogic_sudoku("trace", "11..............").returncode == 1
    wrong = pylogic_sudoku("solve", "-b", "prolog:clasic", "." * 16)
    assert (wrong.returncode, "there is no program 'prolog:clasic'" in wrong.stderr) == (2, True)
    assert pylogic_sudoku("compare", "-b", "prolog:none*", "." * 16).returncode == 2


def test_solve_says_its_work():
    ended = pylogic_sudoku("solve", "--stats", "-b", "all", "-f", "line", INKALA)
    assert ended.returncode == 0
    assert ended.stdout.strip() == str(pls.solve(INKALA))
    for name in ("clingo", "prolog", "sat"):
        assert f"{name}: set-up " in ended.stderr
    assert "inferences" in ended.stderr
    found = json.loads(pylogic_sudoku("solve", "--stats", "-f", "json", INKALA).stdout)
    assert found["stats"]["clingo"]["choices"] > 0
    assert pylogic_sudoku("solve", "--stats", "-n", "3", INKALA).returncode == 2
