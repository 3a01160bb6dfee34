"""Explanations by asplain, and the facts for it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.gallery import answers
from helpers.oracle import all_solutions, full_grid
from helpers.processes import interrupted
from helpers.programs import needed, resource
from helpers.puzzles import COUNTS
from helpers.ruled import TWO_RULES

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.sudoku.ground_once import encoding
from pylogic_sudoku.explain import PRUNINGS, asplain, cost_encodings
from pylogic_sudoku.explain import graph as module
from pylogic_sudoku.files import install_command
from pylogic_sudoku.formats import FORMATS

# === asplain on ``encodings/explaining/explain.lp``: by our function, and by hand ================


# The two puzzles of asplain's own example, with the queries that it explains.
FOUR, FOUR_QUERY = "1.....1....2.2..", (3, 2, 1)
NINE, NINE_QUERY = next(p for p, count in COUNTS.items() if count == 176), (2, 2, 2)
PRUNED = ("CHANGES", "ORPHANS")
FEWEST = ("penalize-removed",)
SLOW = pytest.mark.slow


def said(query: tuple[int, int, int]) -> str:
    return "sudoku({},{},{})".format(*query)


# --- our function ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "query", "prune"),
    [
        (FOUR, (1, 1, 4), ()),
        pytest.param(FOUR, FOUR_QUERY, (), marks=SLOW),
        pytest.param(FOUR, (3, 4, 1), (), marks=SLOW),
        pytest.param(NINE, NINE_QUERY, PRUNED, marks=SLOW),
    ],
)
def test_the_fewest_givens_go(line, query, prune):
    puzzle = Grid.parse(line)
    foil = asplain(puzzle, said(query), prune=prune, cost_encoding=FEWEST)
    assert len(foil.removed) == len(pls.why_not(puzzle, query[:2], query[2]).givens)
    assert {*foil.removed} <= {*puzzle.givens}
    assert query in foil.grid.givens
    assert foil.grid.is_solution_of(puzzle.without(*foil.removed))
    if prune:
        assert 0 < foil.edges < 100
    else:
        assert (foil.nodes, foil.edges) == (140, 268)  # the whole program


@pytest.mark.slow
def test_pruning_shrinks_the_graph_and_it_is_drawn(tmp_path):
    needed("dot")
    picture = tmp_path / "why.svg"
    foil = asplain(FOUR, said(FOUR_QUERY), picture, prune=PRUNED, cost_encoding=FEWEST)
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count('class="node"') == foil.nodes < 140
    assert drawn.count('class="edge"') == foil.edges < 268
    assert "r3c2 holds 1" in drawn
    assert str(foil).startswith("Givens that go: none.\n")
    # Graphviz 2.43 enlarges the drawing, as asplain asks, but not its view box.
    shift = re.search(r"scale\(([\d.]+) \S+ rotate\(0\) translate\(([\d.]+) (\S+)\)", drawn)
    scale, left, up = map(float, shift.groups())
    _, _, width, height = map(float, re.search(r'viewBox="([^"]+)"', drawn)[1].split())
    nodes = re.findall(r'<ellipse .*?cx="(\S+)" cy="(\S+)" rx="(\S+)" ry="(\S+)"', drawn)
    assert nodes
    for x, y, wide, high in (map(float, node) for node in nodes):
        assert scale * (left + x + wide) <= width
        assert scale * (up + y + high) <= height


@pytest.mark.slow
def test_a_query_may_deny_and_have_several_atoms():
    foil = asplain(FOUR, "sudoku(3, 2, 1)  -initial(2,3,1) -sudoku(1,2,3)", cost_encoding=FEWEST)
    assert foil.removed == ((2, 3, 1),)
    assert foil.grid.rows[2][1] == 1
    assert foil.grid.rows[0][1] != 3


@pytest.mark.slow
def test_none_if_no_removal_helps():
    assert asplain(FOUR, "sudoku(1,1,2) sudoku(1,2,2)") is None


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ("", {}, "cannot read the query ''; expected atoms such as"),
        ("sudoku(1,1,1)sudoku(1,1,2)", {}, "cannot read the query"),
        ("sudoku(1,5,1)", {}, "cannot read the query 'sudoku(1,5,1)'"),
        ("sudoku(1,0,1)", {}, "expected atoms such as sudoku(3,2,1), up to 4"),
        ("sudoku(1,1,1)", {"prune": ["changes"]}, f"choose one of {', '.join(PRUNINGS)}"),
        ("sudoku(1,1,1)", {"dynamic_tags": ["nowhere.lp"]}, "nowhere.lp: no such file"),
        ("sudoku(1,1,1)", {"cost_encoding": ["fewest"]}, "penalize-removed"),
    ],
)
def test_bad_requests_are_refused_at_once(query, options, message):
    with pytest.raises(pls.InvalidPuzzle) as refused:
        asplain(FOUR, query, **options)
    assert message in str(refused.value)


def test_times_sizes_and_rules_have_limits():
    with pytest.raises(ValueError, match="timeout"):
        asplain(FOUR, "sudoku(1,1,1)", timeout=0)
    with pytest.raises(pls.InvalidPuzzle, match=r"this puzzle has rules, .*a plain sudoku"):
        asplain(TWO_RULES, "sudoku(1,1,2)")
    with pytest.raises(pls.InvalidPuzzle, match="up to 9x9"):
        asplain("." * 256, "sudoku(1,1,1)")
    with pytest.raises(pls.SolveTimeout, match=r"asplain gave no answer within 0\.001 s"):
        asplain(NINE, said(NINE_QUERY), timeout=0.001)  # less than a process takes to start


def test_missing_programs_are_reported_with_a_fix(monkeypatch, tmp_path):
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    with pytest.raises(pls.BackendUnavailable, match="apt-get or brew install graphviz"):
        asplain(FOUR, "sudoku(1,1,1)", tmp_path / "why.svg")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(pls.BackendUnavailable, match=re.escape(install_command("asplain"))):
        asplain(FOUR, "sudoku(1,1,1)")
    with pytest.raises(pls.BackendUnavailable, match="asplain is not installed"):
        cost_encodings()


@pytest.mark.slow
def test_errors_of_asplain_are_passed_on(tmp_path):
    broken = tmp_path / "costs.lp"
    broken.write_text("cost(")
    with pytest.raises(pls.BackendFailure, match=r"^asplain failed: \S.*error"):
        asplain(FOUR, said(FOUR_QUERY), cost_encoding=[broken])


def test_ctrl_c_stops_it(tmp_path):
    ended = interrupted(
        f"""
        from pylogic_sudoku.explain import asplain
        ready("*/errors.txt")
        asplain({NINE!r}, {said(NINE_QUERY)!r})
        """,
        TMPDIR=str(tmp_path),
    )
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")


@pytest.mark.slow
def test_dynamic_tags_reach_asplain(tmp_path):
    tags = tmp_path / "tags.lp"
    tags.write_text(
        "tag(rule(disjunction(H),B), hide) :-"
        " rule(disjunction(H), B), atom_tuple(H, A), symbol_literal(initial(_,_,_), A)."
    )
    shown, hidden = (
        asplain(FOUR, "sudoku(1,1,4)", prune=["CHANGES"], cost_encoding=FEWEST, dynamic_tags=files)
        for files in ([], [tags])
    )
    assert len(hidden.removed) == len(shown.removed) == 1
    assert hidden.nodes == shown.nodes - 1  # the fact that goes


# --- by hand -----------------------------------------------------------------------------


def by_hand(folder: Path, given: str, *options: str) -> str:
    """The output of the command in this folder, where it also writes its drawings."""
    assert shutil.which("dot"), "Graphviz is missing: apt-get install graphviz"
    (folder / "given.lp").write_text(given)
    program = Path(sys.executable).with_name("asplain")
    done = subprocess.run(
        [program, resource("encodings/explaining/explain.lp"), "given.lp", *options],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert "ERROR" not in done.stdout + done.stderr
    return done.stdout


BARE = "#const dim=2.\n" + Grid.parse(FOUR).format("facts").replace("#const", "%")
REMOVABLE, NINE_REMOVABLE = (Grid.parse(p).format("facts", removable=True) for p in (FOUR, NINE))
PRUNE = [part for name in PRUNED for part in ("--prune", name)]
TAGS = ["--dynamic-tags", str(resource("encodings/explaining/explain_tags.lp"))]
ONCE = ["--cost-encoding", str(resource("encodings/explaining/explain_once.lp"))]
QUERY = "sudoku(3,2,1) -initial(2,3,1)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "query", "options"),
    [
        pytest.param(REMOVABLE, QUERY, [], id="removable"),
        pytest.param(REMOVABLE.replace("#const box", "% "), QUERY, PRUNE, id="dim alone, pruned"),
        pytest.param(BARE, QUERY, [*PRUNE, *TAGS], id="tags"),
        pytest.param(NINE_REMOVABLE, said(NINE_QUERY), [*PRUNE, *ONCE], id="9x9"),
    ],
)
def test_the_command_explains(tmp_path, given, query, options):
    costs = ["--cost-encoding", str(cost_encodings()["penalize-removed"])]
    data = by_hand(tmp_path, given, "--query", query, *options, *costs)
    (removed,) = [line for line in data.splitlines() if "Removed:" in line]
    assert removed.count("initial(") == 1
    drawn = (tmp_path / "out" / "contrastive_pg_1_1.svg").read_text()
    if query == QUERY:
        assert "Removed: initial(2,3,1)." in removed
        assert "r2c3 holds 1" in drawn


# --- the encoding, as an encoding --------------------------------------------------------


def solved(facts: str = "", box: tuple[int, int] = (2, 2), limit: int = 0) -> list[Grid]:
    shape = ["-c", f"box_rows={box[0]}", "-c", f"box_columns={box[1]}"]
    found, grumbles = answers(encoding("explaining/explain"), facts, shape, limit)
    assert grumbles == []
    return [Grid.parse(" ".join(atoms), format="facts", box=box) for atoms in found]


@pytest.mark.parametrize(
    "box", [(1, 1), (1, 2), (3, 1), (2, 2), (1, 4), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)], ids=str
)
def test_it_has_every_solution_once(box):
    """Of empty small grids, and of larger ones with many givens."""
    full = full_grid(box, 1)
    kept = (digit * (full.size > 4 and cell % 3 > 0) for cell, digit in enumerate(full.digits))
    puzzle = Grid(tuple(kept), box)
    grids = solved(puzzle.format("facts").replace("#const", "%"), box)
    assert len(grids) == len(set(grids))
    assert set(grids) == set(all_solutions(puzzle))


def test_what_is_too_large_has_no_answer():
    assert solved(box=(2, 5), limit=1) == []


# === Facts that asplain may remove: ``Grid.format("facts", removable=True)`` =====================


def test_every_given_is_marked_and_the_shape_is_given():
    assert Grid.parse("1..4.....3......").format("facts", removable=True) == (
        "#const dim=2.\n"
        "#const box_rows=2. [override] #const box_columns=2. [override]\n"
        "% @removable\ninitial(1,1,1).\n"
        "% @removable\ninitial(1,4,4).\n"
        "% @removable\ninitial(3,2,3)."
    )


@pytest.mark.parametrize(
    "box", [(1, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5), (6, 6)], ids=str
)
def test_it_is_read_again(box):
    full = full_grid(box, 2)
    for cells in (full.digits, (*full.digits[:-1], 0), (0,) * len(full.digits)):
        grid = Grid(cells, box)
        text = grid.format("facts", removable=True)
        assert Grid.parse(text, format="facts") == grid
        assert text.count("% @removable\n") == len(grid.givens)


@pytest.mark.parametrize("name", ["sudoku", "explaining/explain"])
@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3)], ids=str)
def test_encodings_take_it(name, box):
    grid = full_grid(box, 3)
    puzzle = Grid((0, 0, *grid.digits[2:]), box)
    found, grumbles = answers(encoding(name), puzzle.format("facts", removable=True))
    assert grumbles == []
    shown = {atom for atom in found[0] if atom.startswith("sudoku")}
    assert (len(found), shown) == (1, {f"sudoku({x},{y},{n})" for x, y, n in grid.givens})


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "facts"])
def test_no_other_format_has_it(format):
    with pytest.raises(ValueError, match=f"only facts can be removable; the format is '{format}'"):
        full_grid((2, 2), 1).format(format, removable=True)
