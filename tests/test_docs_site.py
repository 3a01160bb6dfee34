"""The site that `make docs` builds: its search, its tables, its first page."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys

import pytest
from helpers.browsing import until
from helpers.documents import ROOT, text_of

import pylogic_sudoku as pls

FUNCTIONS = [name for name in pls.__all__ if inspect.isfunction(getattr(pls, name))]


@pytest.fixture
def reference(monkeypatch):
    pytest.importorskip("griffe", reason="make docs installs what builds the site")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import reference

    yield reference
    sys.modules.pop("reference")


def types(function):
    return {
        name: str(each.annotation) for name, each in inspect.signature(function).parameters.items()
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_error_of_a_function_is_in_a_table(reference, name):
    function = getattr(pls, name)
    text = inspect.getdoc(function)
    parameters = reference.parameters(text, types(function))
    assert list(parameters) == list(types(function))
    assert all(parameters.values()), parameters
    errors = reference.errors(text)
    if "puzzle" in parameters:
        assert "InvalidPuzzle" in errors
    if "timeout" in parameters and inspect.signature(function).return_annotation != "Generator":
        assert {"ValueError", "TypeError"} <= {*errors}
    assert all(errors.values())


def test_an_error_is_described_by_the_clause_after_it(reference):
    said = (
        "Raises NoSolution if there is none; InvalidPuzzle, SolveTimeout or BackendFailure, and"
        " ValueError or TypeError for an impossible timeout. Iterating raises BackendUnavailable if"
        " the engine does not start."
    )
    errors = reference.errors(said)
    assert list(errors) == [
        *("NoSolution", "InvalidPuzzle", "SolveTimeout", "BackendFailure"),
        *("ValueError", "TypeError", "BackendUnavailable"),
    ]
    assert errors["NoSolution"] == "If there is none."
    assert errors["InvalidPuzzle"].startswith("The input is not a puzzle")
    assert errors["ValueError"] == errors["TypeError"] == "For an impossible timeout."
    assert errors["BackendUnavailable"] == ("If the engine does not start. Raised while iterating.")


def test_what_is_in_the_tables_is_not_said_twice(reference):
    text = reference.with_tables(inspect.getdoc(pls.solve), types(pls.solve))
    assert text.startswith("A solution of the puzzle, or None if there is none.\n\nArgs:\n")
    assert text.count("nested rows") == 1
    assert "Raises InvalidPuzzle" not in text
    hint = reference.with_tables(inspect.getdoc(pls.hint), types(pls.hint))
    assert "    NoSolution: If there is no solution." in hint  # as for `steps`


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site; building it fails at a warning, and if a page would ask another host."""
    pytest.importorskip("mkdocs", reason="make docs installs what builds the site")
    site = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    ended = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return site


@pytest.mark.slow
def test_the_site(site):
    assert "A puzzle or a solution" in text_of(site / "api.html")
    assert "&gt;&gt;&gt;" in text_of(site / "api.html")
    assert "%%clingo" in text_of(site / "tutorial.html")
    assert "Generate: every cell" in text_of(site / "files" / "encodings" / "sudoku.lp.html")


@pytest.mark.slow
def test_the_site_has_the_playground(site, playground):
    assert 'href="playground/index.html"' in text_of(site / "playground.html")
    page = text_of(site / "playground" / "index.html")
    assert page == text_of(playground / "index.html")


@pytest.mark.slow
def test_the_api_page_links_the_errors_of_a_function(site):
    page = text_of(site / "api.html")
    solve = page[page.index('id="pylogic_sudoku.solve"') : page.index('id="pylogic_sudoku.count"')]
    assert re.search(r"Parameters:.*timeout.*In seconds, over 0.*Raises:", solve, re.DOTALL)
    assert re.search(r'href="#pylogic_sudoku\.SolveTimeout"[^>]*>SolveTimeout<', solve)


@pytest.mark.slow
def test_the_first_page_has_an_explanation_and_both_programs(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((site / "index.html").as_uri())
    picture = page.locator("img[src='images/why.svg']").bounding_box()
    asp, prolog = (each.bounding_box() for each in page.locator(".programs > div").all())
    assert picture["y"] + picture["height"] < 900  # seen without scrolling
    assert asp["y"] == prolog["y"] > picture["y"]
    assert asp["x"] + asp["width"] < prolog["x"]
    assert asp["y"] < page.locator("#installation").bounding_box()["y"]
    page.close()


@pytest.mark.slow
def test_source_files_count_less_in_the_search(site):
    entries = json.loads(text_of(site / "search" / "search_index.json"))["docs"]
    for entry in entries:
        assert ("boost" in entry) == entry["location"].startswith("files/"), entry["location"]
        assert "Row 1: " not in entry["text"]  # which a picture says to a screen reader


@pytest.mark.slow
@pytest.mark.parametrize("start", ["index.html", "files/encodings/sudoku.lp.html"])
def test_the_search_works_from_disk(browser, site, start):
    """As a file it has no worker; an answer from a source file comes after all others."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.goto((site / start).as_uri())
    page.keyboard.press("f")
    page.locator(".md-search__input").press_sequentially("timeout")
    page.wait_for_selector(".md-search-result__link")
    results = page.locator(".md-search__scrollwrap")
    source = page.locator(".md-search-result__link[href*='/files/']")
    down = "list => list.scrollTo(0, list.scrollHeight)"
    until(page, lambda: results.evaluate(down) or source.count())  # it grows as one scrolls
    found = page.eval_on_selector_all(
        ".md-search-result__link", "all => all.map(each => each.href)"
    )
    sources = ["/files/" in each for each in found]
    assert "/api.html" in found[0]
    assert any(sources)
    assert sources == sorted(sources)
    assert wrong == []
    page.close()
