"""The tutorial: it runs from top to bottom, and is kept in the form that a reader gets it in."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from helpers.processes import soon
from helpers.shells import Shell
from nbclient import NotebookClient
from nbformat import NotebookNode

import pylogic_sudoku as pls
from pylogic_sudoku.commands import _waiting
from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.notebook._doing import follow_cells

DOCS = Path(__file__).parent.parent / "docs"
TUTORIAL = DOCS / "tutorial.ipynb"
MISTAKE = "raises-exception"
"""The tag of cells that show what an error looks like; Jupyter goes on after them."""

SAID = {
    "as-facts": "initial(1,1,5). initial(1,2,3). initial(1,5,7).",
    "small": "#const box_rows=2.",
    "clingo-guess": "Not a solution",
    "clingo-givens": "Not a solution",
    "clingo-rows": "1296 answers, and there are no others. Here are 6 of them.",
    "clingo-columns": "2 answers, and there are no others.",
    "clingo-boxes": "1 answer, and there are no others.",
    "clingo-any-size": "A solution.",
    "clingo-diagonals": "1 answer, and there are no others.",
    "prolog-program": "1 answer, and there are no others.",
    "prolog-rules": "A in 1\\/3, B in 1\\/3",
    "prolog-diagonals": "A = 4, E = 3, B = 3, F = 4, G = 1, C = 2, H = 2, D = 1",
    "compare-many": "solutions: 3, puzzle: ..3",
    "grade-mine": "ex001: failure r1c2 and r3c1 both hold 3 (box 1)",
    "mend": "ex001: success",
    "why": "r5c5 is 5",
    "why-not": "r5c5 can be 2",
    "conflicts": "no solution",
    "hint": "r5c5 is 5",
    "steps": "12. ",
    "rate": "easy",
}
"""What the text around these cells relies on."""

PICTURES = {
    "puzzle": 1,
    "solution": 1,
    "clingo-guess": 1,
    "clingo-rows": 6,
    "clingo-columns": 2,
    "differ": 1,
    "candidates": 1,
    "why": 1,
    "conflicts": 1,
    "hint": 1,
    "picture": 1,
}


def read() -> NotebookNode:
    return nbformat.read(TUTORIAL, as_version=4)


def tagged(notebook: NotebookNode) -> list[str]:
    return [cell.id for cell in notebook.cells if MISTAKE in cell.metadata.get("tags", [])]


def shown(cell: list[NotebookNode]) -> str:
    """All that a cell prints and shows, each in every form that it has."""
    return "\n".join(
        text for each in cell for text in (each.get("text"), *each.get("data", {}).values()) if text
    )


# One test, as each test may be run by another process, and they would all have to run the cells.
@pytest.mark.slow
def test_it_runs_and_shows_what_its_text_says(tmp_path, monkeypatch):
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    notebook = read()
    # This raises the error of any cell but a tagged one.
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}

    assert tagged(notebook) == ["clingo-mistake"]
    (mistake,) = outputs.pop("clingo-mistake")
    assert mistake.traceback == [mistake.evalue]
    assert mistake.evalue.startswith("cell.lp:3:1-3: error: syntax error, unexpected :-")
    for name, cell in outputs.items():
        assert all(each.get("name") != "stderr" for each in cell), name
        assert all(each.output_type != "error" for each in cell), name

    assert {name: said for name, said in SAID.items() if said not in shown(outputs[name])} == {}
    assert {name: shown(outputs[name]).count("</svg>") for name in PICTURES} == PICTURES
    # What the reader is asked to see in the grid that the grader found wrong.
    pairs = re.findall(r"r(\d)c(\d) and r(\d)c(\d) both", shown(outputs["show-wrong"]))
    assert pairs
    assert all(upper < lower and right > left for upper, right, lower, left in pairs)


def test_what_it_asks_the_reader_to_try():
    small, loose = pls.Grid.parse("4......3...13..."), pls.Grid.parse("4..3......2.....")
    shell = Shell(small=small, loose=loose)
    cells = {cell.id: cell.source.partition("\n")[2] for cell in read().cells}
    # "The cell works with %%clingo small as well."
    assert list(shell.magics["clingo"]("small -n 0", cells["clingo-any-size"])) == [
        pls.solve(small)
    ]
    # "Take out label(Cells). The puzzle is solved all the same. And is that so with loose?"
    bare = cells["prolog-program"].replace("boxes(Rows),\n    label(Cells).", "boxes(Rows).")
    assert bare != cells["prolog-program"]
    assert shell.magics["prolog"]("small", bare)[0] == pls.solve(small)
    assert 0 in shell.magics["prolog"]("loose", bare)[0].digits


def test_it_is_kept_without_outputs():
    """These differ with each run and machine: `jupyter nbconvert --clear-output --inplace`."""
    notebook = read()
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert notebook.metadata.kernelspec.name == "python3"
    assert TUTORIAL.stat().st_size < 40_000


def test_what_it_links_to_is_there():
    text = "\n".join(cell.source for cell in read().cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 5
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_a_cell_that_takes_long_says_what_it_does(monkeypatch):
    monkeypatch.setattr(_waiting, "PATIENCE", 0)
    events, said = {}, []
    shell = SimpleNamespace(
        kernel=object(),
        events=SimpleNamespace(register=events.__setitem__),
        display_pub=SimpleNamespace(
            publish=lambda data, transient, update: said.append((data["text/plain"], update))
        ),
    )
    follow_cells(shell)
    events["post_run_cell"](None)
    budget = Budget("clingo", None)
    budget.turn_to("looking for pairs")
    events["pre_run_cell"](None)
    with budget:
        assert soon(lambda: said)
    events["post_run_cell"](None)
    assert re.fullmatch(r"looking for pairs … \d+ s", said[0][0])
    assert [said[0][1], said[-1]] == [False, ("", True)]
