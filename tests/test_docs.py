"""The documentation: its links lead somewhere, its examples are true, nothing is left out."""

from __future__ import annotations

import doctest
import json
import re
import shutil
from pathlib import Path

import pytest
from helpers.documents import (
    BLOCK,
    ROOT,
    anchors,
    blocks,
    check_commands,
    check_prolog_session,
    commands,
    links,
    text_of,
)

import pylogic_sudoku as pls
from pylogic_sudoku.engines.clingo.program import HARD

DOCS = ROOT / "docs"
README = ROOT / "README.md"
GALLERY = ROOT / "encodings" / "README.md"
PAGES = sorted(DOCS.glob("*.md"))
RUN = [*PAGES, README, GALLERY]
# What an example uses, and what the reader must do first.
NEEDS = {
    r"from loky import": r"pip install .*\bloky\b",
    r"from distributed import": r"pip install .*\bdistributed\b",
    r"\| clingraph": r"pip install clingraph",
    r"^asplain \S+\.lp|import asplain$": r'pip install -e "\.\[asplain\]"',
    r"^pylogic-sudoku serve": r"make demo",
    r"-o \S+\.(png|pdf)": r'pip install -e "\.\[draw\]"',
    r'"sat"|-b sat': r'pip install -e "\.\[sat\]"',
    r"%load_ext": r'pip install -e "\.\[notebook\]"',
    r'backend="prolog"|backends=.*"prolog"|-b all|sudoku compare|^\?- ': r"make (demo|setup)\b",
    r"\bmine/": r"`mkdir mine`|^(\$ )?mkdir -p mine|: mkdir -p mine$",
}
PROGRAMS = [*ROOT.glob("encodings/*.lp"), *ROOT.glob("prolog/**/*.pl")]


def named(documents):
    return pytest.mark.parametrize("document", documents, ids=lambda path: path.name)


def having(language):
    return named([page for page in RUN if blocks(page, language)])


def written(document: Path) -> str:
    """Its Markdown, which a notebook has in cells."""
    if document.suffix == ".md":
        return text_of(document)
    cells = json.loads(text_of(document))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


@pytest.mark.parametrize(
    "document",
    [*RUN, ROOT / "CONTRIBUTING.md", DOCS / "tutorial.ipynb"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_links(document):
    for link in links(written(document)):
        path, _, anchor = link.partition("#")
        if ":" in path:
            assert path.startswith("https://"), link
            continue
        target = document.parent / path if path else document
        assert target.resolve().is_relative_to(ROOT), link
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@named(RUN)
def test_what_an_example_needs_comes_before_it(document):
    text = text_of(document)
    for used, said in NEEDS.items():
        if first := re.search(used, text, re.MULTILINE):
            before = text[: text.find("\n", first.end())]
            assert re.search(said, before, re.MULTILINE), f"{first[0]!r} needs {said}"


@named(RUN)
def test_examples_call_the_clingo_that_pip_installs(document):
    """After `pip install` there is no other: its wheel has no command of its own."""
    assert re.findall(r"^(?:\$ )?clingo .*\.lp\b", text_of(document), re.MULTILINE) == []


@having("python")
@pytest.mark.usefixtures("clock")  # there is time for all that they ask
def test_python_blocks(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert doctest.testfile(str(document), module_relative=False).failed == 0
    for block in blocks(document, "python"):
        if not block.startswith(">>> "):
            compile(block, document.name, "exec")


@having("console")
def test_commands(document, tmp_path):
    pairs = [pair for pair in commands(document) if "clingraph" not in pair[0]]
    check_commands(pairs, tmp_path)  # test_show.py runs the other


@having("prolog")
def test_prolog_blocks(document):
    """A session shows what swipl prints; everything else is quoted from our programs."""
    programs = [text_of(program) for program in PROGRAMS]
    for block in blocks(document, "prolog"):
        if block.startswith("?- "):
            check_prolog_session(block)
        else:
            for piece in block.split("\n\n"):
                assert any(piece in program for program in programs), piece


def test_every_block_of_the_readme_is_of_a_kind_that_is_run():
    assert {name for name, _ in BLOCK.findall(text_of(README))} == {"console", "python", "prolog"}


def test_the_pictures_are_small():
    images = list((DOCS / "images").iterdir())
    assert len(images) > 2
    assert all(image.stat().st_size < 80_000 for image in images)


def test_the_pictures_are_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import render

    for path, image in render.images().items():
        assert text_of(path) == image, "run python docs/render.py"


@pytest.mark.parametrize("document", [GALLERY, DOCS / "inside.md"], ids=lambda path: path.name)
def test_when_a_puzzle_gets_a_program_of_its_own(document):
    assert f"after {HARD} conflicts" in text_of(document)


def test_ci_runs_the_test_command():
    assert "make test" in text_of(ROOT / ".ci" / "run")
    assert shutil.which("make")


def test_no_text_takes_this_package_from_an_index():
    files = [
        file
        for end in ("py", "md", "sh", "yml")
        for file in ROOT.glob(f"pylogic_sudoku/**/*.{end}")
    ]
    for file in [*RUN, DOCS / "tutorial.ipynb", *files]:
        assert not re.findall(r"pip install [^\n]*\bpylogic-sudoku\b", text_of(file)), file


def test_the_whole_api_is_documented():
    entries = re.findall(r"^::: ([\w.]+)$", text_of(DOCS / "api.md"), re.MULTILINE)
    names = {name.rpartition(".")[2] for name in entries}
    assert len(names) == len(entries)
    assert set(pls.__all__) - names == {"PuzzleLike"}  # in the first lines of the page
    assert "PuzzleLike" in text_of(DOCS / "api.md")


def test_the_site_lists_every_page():
    nav = re.findall(r": (\w+\.md)\b", text_of(ROOT / "mkdocs.yml"))
    assert sorted(nav) == sorted([*(page.name for page in PAGES), "tutorial.md"])
