"""Steps as a list through which one can walk: in Python, in a notebook, and on a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from helpers.puzzles import PRINTED, SEVERAL, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.draw import Picture, pages

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
    form = parsed(walk.to_html())
    assert texts(form, "p") == [f"12 steps: {walk.rating}. The puzzle is solved."]
    lines = texts(form, "ol/li/label/span")
    assert lines == str(walk).splitlines()[1:-1]
    inputs = form.findall("ol/li/label/input")
    assert {(each.get("type"), each.get("name")) for each in inputs} == {("radio", "shown")}
    assert [at for at, each in enumerate(inputs) if each.get("checked")] == [0]
    figures = form.findall("figure")
    captions = [figure.find("figcaption") for figure in figures]
    assert [caption.find("div").tail for caption in captions] == [each.text() for each in walk]
    headings = [caption.find("div[@role='heading']") for caption in captions]
    assert [heading.text.strip() for heading in headings] == lines
    assert [heading.find("small").text for heading in headings] == [
        f"{step.level}, {step.weight}" for step in walk
    ]
    assert form.findall(".//*[@id]") == []  # a notebook may have several lists
    assert all(figure.find("{*}svg") is not None for figure in figures)
    style = form.find("style").text
    chosen = re.findall(r"li:nth-child\((\d+)\) :checked\) > figure:nth-of-type\((\d+)\)", style)
    assert chosen == [(str(at), str(at)) for at in range(1, 13)]
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
    assert re.findall(r"<span>(.*?)</span>", page) == [
        "1. A &amp; B",
        "2. Sudoku 9x9 with 30 givens",
    ]
    assert page.count("<figcaption>") == page.count("<svg ") == 2
    links, ids = re.findall(r'<a href="#(\w+)">', page), re.findall(r'<figure id="(\w+)">', page)
    assert links == ids == ["p1", "p2"]
    assert "radio" not in pages(several[:1])
    assert not re.search(r"(src|href)=(?!.#)|@import|url\(|<script", page)


@pytest.fixture(scope="module")
def shown(browser, tmp_path_factory):
    """A page with two lists, as a browser shows it."""
    path = tmp_path_factory.mktemp("walk") / "walk.html"
    html = pls.steps(SMALL).walk().to_html()
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8">{html}{html}', encoding="utf-8")
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    yield page
    page.close()


@pytest.mark.slow
def test_one_walks_by_keys_and_by_clicks_and_each_list_for_itself(shown):
    def visible(which: int) -> list[int]:
        figures = shown.locator("form").nth(which).locator("figure")
        return [at for at in range(figures.count()) if figures.nth(at).is_visible()]

    assert (visible(0), visible(1)) == ([0], [0])
    shown.locator("input[type=radio]").first.focus()
    for _ in range(3):
        shown.keyboard.press("ArrowDown")
    shown.keyboard.press("ArrowUp")
    assert (visible(0), visible(1)) == ([2], [0])
    shown.locator("label", has_text="12. ").last.click()
    assert (visible(0), visible(1)) == ([2], [11])


@pytest.mark.slow
def test_on_paper_all_pictures_are_shown(shown):
    shown.emulate_media(media="print")
    figures = shown.locator("form").first.locator("figure")
    assert [figures.nth(at).is_visible() for at in range(12)] == [True] * 12
    boxes = [figures.nth(at).bounding_box() for at in range(12)]
    assert len({box["x"] for box in boxes}) > 1
    shown.emulate_media(media="screen")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 320])
def test_a_page_can_show_all_steps_in_columns(browser, tmp_path, width):
    path = tmp_path / "steps.html"
    several = [(step.text(), step.picture()) for step in pls.steps(SMALL)]
    path.write_text(pages(several), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800}, java_script_enabled=False)
    page.goto(path.as_uri())
    assert not page.get_by_role("link").first.is_visible()
    page.get_by_label("Show all").check()
    figures = page.locator("figure").all()
    assert all(figure.is_visible() for figure in figures)
    columns = {figure.bounding_box()["x"] for figure in figures}
    assert len(columns) == (3 if width == 1280 else 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="12. ").click()
    assert page.get_by_role("heading", name="12. ").bounding_box()["y"] < 800
    page.close()
