"""What notebooks show of answers: rich text without scripts."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ElementTree

import pytest
from helpers.puzzles import CLASSIC, EMPTY, SMALL, TWO

import pylogic_sudoku as pls

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
VIEWS = {
    "why": lambda: pls.why(CLASSIC, "r5c5"),
    "not forced": lambda: pls.why(TWO, "r3c3"),
    "why not": lambda: pls.why_not(CLASSIC, "r5c5", 4),
    "a step": lambda: pls.hint(CLASSIC),
    "steps": lambda: pls.steps(SMALL),
    "the same": lambda: pls.compare(CLASSIC),
    "several": lambda: pls.compare(TWO),
    "a search": lambda: pls.trace(HARD),
}


@pytest.mark.parametrize("name", VIEWS)
def test_it_is_rich_text_without_scripts(name):
    shown = VIEWS[name]()
    html = shown._repr_html_()
    assert "<script" not in html
    assert ElementTree.fromstring(f"<div>{html.replace('scope=row', '')}</div>").itertext()
    assert shown._repr_html_() == html or name in ("the same", "several")  # these have times


def test_an_explanation_is_a_picture_with_its_text():
    why = VIEWS["why"]()
    html = why._repr_html_()
    assert why.picture().to_svg() in html
    assert all(line.strip() in html for line in str(why).splitlines())


def test_a_comparison_has_a_line_for_each_engine():
    html = pls.compare(TWO, ("clingo", "prolog"))._repr_html_()
    assert html.count("<tr>") == 2
    assert html.count("2 solutions</td>") == 2
    assert "<svg" not in html
    assert pls.compare(CLASSIC)._repr_html_().count("<svg") == 1


@pytest.mark.parametrize(("limit", "ends"), [(2_000, ""), (5, "; there may be more")])
def test_a_search_is_shown_from_its_start_and_does_not_move(limit, ends):
    search = pls.trace(HARD, "prolog:classic", limit)
    first = next(search)
    html = search._repr_html_()
    events = [first, *search]
    kinds = [event.kind for event in events]
    choices, conflicts = (kinds.count(kind) for kind in ("choice", "conflict"))
    said = f"prolog:classic: {len(events)} events, {choices} choices, {conflicts} conflict"
    assert said in html
    assert html.count("\n") == len(events) - 1
    assert ends in html.partition("</p>")[0]


@pytest.mark.parametrize("ask", [pls.propagate, pls.candidates])
@pytest.mark.parametrize("puzzle", [SMALL, TWO, EMPTY])
def test_candidates_are_drawn_as_pencil_marks(ask, puzzle):
    rows = ask(puzzle)
    grid = pls.Grid.parse(puzzle)
    assert rows == tuple(rows)
    assert hash(rows) == hash(tuple(rows))
    again = pickle.loads(pickle.dumps(rows))
    assert (again, again._repr_svg_()) == (rows, rows._repr_svg_())
    texts = "".join(ElementTree.fromstring(rows._repr_svg_()).itertext())
    number = sum(len(digits) for row in rows for digits in row)
    assert sum(map(str.isdigit, texts)) >= number
    assert grid.size == len(rows)


def test_a_contradiction_has_no_candidates():
    assert pls.propagate("11..............") is None
