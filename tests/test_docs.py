"""The documentation: its links lead somewhere, its examples are true, nothing is left out."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import griffe
import pytest
from helpers import command_line
from helpers.browsing import faults, until
from helpers.documents import (
    BLOCK,
    ROOT,
    anchors,
    blocks,
    by_two_engines,
    check_commands,
    check_prolog_session,
    commands,
    files,
    links,
    text_of,
    write_files,
)
from helpers.processes import ended

import doubles
import house
import pylogic_sudoku as pls
import render
import techniques
from benchmarks.bundled import table_of_candidates
from pylogic_sudoku import errors
from pylogic_sudoku.engines.registry import BUILT_IN
from pylogic_sudoku.engines.sudoku.ground_once import HARD
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.rules import KINDS
from pylogic_sudoku.techniques import TECHNIQUES

DOCS = ROOT / "docs"
README = ROOT / "README.md"
GALLERY = ROOT / "encodings" / "README.md"
PAGES = sorted(DOCS.glob("*.md"))
STUDY = sorted((ROOT / "benchmarks" / "study").glob("*.md"))
RUN = [*PAGES, *STUDY, README, GALLERY]
# What an example uses, and what the reader must do first.
NEEDS = {
    r"from loky import": r"pip install .*\bloky\b",
    r"from distributed import": r"pip install .*\bdistributed\b",
    r"\| clingraph": r"pip install clingraph",
    r"^asplain \S+\.lp|import asplain$": r'pip install -e "\.\[asplain\]"',
    r"^pylogic-sudoku serve": r"make demo",
    r"-o \S+\.(png|pdf)": r'pip install -e "\.\[draw\]"',
    r"-b prolog-wasm": r'pip install -e "\.\[wasm\]"',
    r"-b clingcon": r'pip install -e "\.\[clingcon\]"',
    r"^\$ pytest|from pylogic_sudoku\.pytest": r'pip install -e "\.\[pytest\]"',
    r'"sat"|-b sat': r'pip install -e "\.\[sat\]"',
    r"%load_ext": r'pip install -e "\.\[notebook\]"',
    r'backend="prolog"|backends=.*"prolog"|-b all|sudoku compare|^\?- ': r"make (demo|setup)\b",
    r"\bmine/": r"`mkdir (-p )?mine\b|^(\$ )?mkdir -p mine|: mkdir -p mine$",
}
PROGRAMS = [
    *ROOT.glob("encodings/*.lp"),
    *ROOT.glob("prolog/**/*.pl"),
    *ROOT.glob("problems/*/*.[lp][pl]"),
]


def named(documents):
    pages = [
        pytest.param(each, id=each.name) if isinstance(each, Path) else each for each in documents
    ]
    return pytest.mark.parametrize("document", pages)


LONG = {
    *(
        (f"{name}.md", "console")
        for name in ("grading", "making", "problems", "teaching", "testing")
    ),
    *((f"{name}.md", "python") for name in ("encodings", "many", "witnesses")),
}
"""Pages whose blocks take long."""


def having(language):
    pages = [page for page in RUN if blocks(page, language)]
    long = [pytest.mark.slow]
    return named(
        [
            pytest.param(page, marks=long if (page.name, language) in LONG else (), id=page.name)
            for page in pages
        ]
    )


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
    write_files(document, tmp_path)
    assert doctest.testfile(str(document), module_relative=False).failed == 0
    for block in blocks(document, "python"):
        if not block.startswith(">>> "):
            compile(block, document.name, "exec")


@pytest.fixture
def two_engines(monkeypatch):
    """Lets `all` mean the engines that everybody has."""
    for name, each in BUILT_IN.items():
        if each.needs:
            monkeypatch.setitem(BUILT_IN, name, each._replace(in_all=False))


@having("console")
@pytest.mark.usefixtures("two_engines")
def test_commands(document, tmp_path):
    pairs = [pair for pair in commands(document) if "clingraph" not in pair[0]]
    write_files(document, tmp_path)
    check_commands(pairs, tmp_path)  # test_show.py runs the other


def test_transcripts_are_those_of_two_engines_whatever_is_installed():
    both = "a(1).\nclingo 5.8.3: 1.0 ms\nprolog (SWI-Prolog) 9.2.9: 2.0 ms\n"
    more = "sat (CaDiCaL) 1.9: 3.0 ms\nprolog-wasm (SWI-Prolog) 9.3.1: 4.0 ms\n"
    for printed, engines in ((both, "Both"), (both + more, "All 4")):
        shown = by_two_engines(f"{printed}{engines} engines agree.\n")
        assert shown == f"{both}Both engines agree.\n"


@having("prolog")
def test_prolog_blocks(document):
    """A session shows what swipl prints; everything else is quoted from our programs.

    Or it is a file that the commands of the page are run on.
    """
    programs = [*map(text_of, PROGRAMS), *files(document).values()]
    for block in blocks(document, "prolog"):
        if block.startswith("?- "):
            check_prolog_session(block)
        else:
            for piece in block.split("\n\n"):
                assert any(piece in program for program in programs), piece


def test_every_block_of_the_readme_is_of_a_kind_that_is_run():
    """The block of text is what set-up advises; see test_setup.py and scripts/try_targets.py."""
    kinds = [name for name, _ in BLOCK.findall(text_of(README))]
    assert {*kinds} == {"console", "python", "prolog", "text"}
    assert kinds.count("text") == 1


def test_the_pictures_are_small():
    images = list((DOCS / "images").iterdir())
    assert len(images) > 2
    assert all(image.stat().st_size < 80_000 for image in images)


def test_the_pictures_are_up_to_date():
    for path, image in render.images().items():
        assert text_of(path) == image, "run python docs/render.py"


@pytest.mark.slow
def test_the_candidates_of_problems_are_those_that_are_left():
    assert table_of_candidates() in text_of(ROOT / "benchmarks" / "study" / "problems.md")


@pytest.mark.parametrize(
    "document", [GALLERY, DOCS / "inside-engines.md"], ids=lambda path: path.name
)
def test_when_a_puzzle_gets_a_program_of_its_own(document):
    assert f"after {HARD} conflicts" in text_of(document)


FIRST = (
    "State a problem in ASP and in Prolog: this runs both, checks that they agree, and names the"
    " line that is wrong if they do not"
)


def test_each_first_screen_has_the_same_first_sentence():
    screen = "\n".join(text_of(README).splitlines()[:40])
    shown = [
        screen,
        text_of(DOCS / "index.md").partition("buttons")[0],
        pls.__doc__,
        command_line.invoke("--help").stdout,
    ]
    for text in shown:
        assert re.search("one problem, two logics", text, re.IGNORECASE), text
    files = ["pyproject.toml", "mkdocs.yml", "CITATION.cff"]
    files.append("pylogic_sudoku/page/static/index.html")
    for text in (*shown, *(text_of(ROOT / name) for name in files)):
        assert FIRST in " ".join(text.split()), text
    assert "refuses it: map.pl:9 fails: A #< B\n" in screen


def test_the_readme_is_short_and_the_first_page_begins_as_it_does():
    assert len(text_of(README).splitlines()) <= 200
    assert files(README) == files(DOCS / "index.md")


def test_no_sentence_stands_twice():
    assert doubles.doubles() == {}


def test_every_bundled_problem_is_linked():
    linked = re.findall(r"\]\(\.\./problems/(\w+)\)", text_of(DOCS / "problems.md"))
    assert linked == [problem.name for problem in bundled()]


MISTAKES = [
    ("instances/three.lp", "slots(3).", "{ talk(ada) }."),
    ("talks.lp", "#show at/2", "#show at/3"),
    ("talks.pl", "at(", "slot("),
    ("talks.pl", "    Slots ins 1..N,\n", ""),
    ("talks.pl", "before(T, U)", "befor(T, U)"),
    ("talks.pl", ":- use_module(library(clpfd)).\n", ""),
    ("talks.pl", "S #< R", "S <= R"),
    ("talks.lp", "S >= R", "R =< S"),
    ("talks.lp", "S >= R", "S is R"),
    ("talks.pl", "% One room", "```prolog\n% One room"),
    ("talks.pl", "    slots(N),\n", "<<<<<<< HEAD\n    slots(N),\n"),
    ("talks.pl", "    slots(N),\n", "    slots(N), flaten(N, _),\n"),
    ("talks.lp", ":- before(T,U)", ":- befor(T,U)"),
    ("instances/three.lp", "slots(3)", "slot(3)"),
    ("instances/three.lp", "talk(ada)", "tölk(ada)"),
    ("talks.pl", "    slots(N),\n", "    slots(N), halt,\n"),
    ("talks.pl", None, ""),
    ("talks.pl", "S #< R", "S < R"),
    ("talks.pl", "    Slots ins 1..N,\n", "    Slots ins 1.._,\n"),
    ("talks.pl", "model(Pairs) :-\n", "model(Pairs, C) :- C #> 0,\n"),
]
"""The mistakes of the table in problems.md: the file, and what is replaced by what in it."""


@pytest.mark.slow
def test_mistakes_have_the_errors_that_a_page_promises(tmp_path):
    page = DOCS / "problems.md"
    rows = re.findall(r"^\| .* \| `+(.*?)`+ \|$", text_of(page).partition("## Mistakes")[2], re.M)
    for said, (name, old, new) in zip(rows, MISTAKES, strict=True):
        shutil.rmtree(tmp_path / "mine", ignore_errors=True)
        write_files(page, tmp_path)
        file = tmp_path / "mine" / "talks" / name
        if old is None:
            shutil.copy(file, file.with_stem("other"))
            file.rename(file.with_stem("another"))
        else:
            file.write_text(text_of(file).replace(old, new))
        asked = command_line.run("solve", "-p", "mine/talks", "-b", "prolog", cwd=tmp_path)
        if said not in asked.stderr:
            asked = command_line.run("solve", "-p", "mine/talks", cwd=tmp_path)
        assert said in asked.stderr, (said, asked.stderr)


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
    told = {"Backend", "PuzzleLike", "SudokuError"}  # of which the page tells without an entry
    assert set(pls.__all__) - names == told
    assert all(name in text_of(DOCS / "api.md") for name in told)


def test_the_site_lists_every_page():
    nav = re.findall(r"^ +- ([\w/.-]+\.md)\b", text_of(ROOT / "mkdocs.yml"), re.MULTILINE)
    assert sorted(nav) == sorted([*(page.name for page in PAGES), "tutorial.md"])
    assert len(nav) <= 25


# === The site that `make docs` builds: its search, its tables, its first page =====================

OF_THE_PACKAGE = {*KINDS}
"""Without those that a page defines when it is run."""
FUNCTIONS = [name for name in pls.__all__ if inspect.isfunction(getattr(pls, name))]


ENTRY = re.compile(
    r"^::: pylogic_sudoku\.([\w.]+)$((?:\n    options:\n      inherited_members: true$)?)",
    re.MULTILINE,
)
ERRORS = {
    *(name for name in errors.__all__ if name not in ("Message", "ProgramWarning")),
    *("ValueError", "TypeError", "IndexError", "OSError"),
}


@dataclass(frozen=True)
class Documented:
    """A function or class of the API page, as the page shows it."""

    prose: str
    takes: list[str]
    parameters: dict[str, str]
    errors: dict[str, str]


def documented(shown):
    sections = {}
    for section in shown.docstring.parsed:
        sections.setdefault(section.kind.value, []).append(section.value)
    described = [each for part in sections.get("parameters", ()) for each in part]
    raised = [each for part in sections.get("raises", ()) for each in part]
    found = Documented(
        "\n".join(sections.get("text", ())),
        [each.name for each in shown.parameters if each.name not in ("self", "cls")],
        {each.name: each.description for each in described},
        {str(each.annotation): each.description for each in raised},
    )
    assert len(found.parameters) == len(described), shown.path
    assert len(found.errors) == len(raised), shown.path
    return found


@pytest.fixture(scope="module")
def api():
    """The functions and classes of the API page, by name, as griffe reads them for the page."""
    loader = griffe.GriffeLoader(
        search_paths=[ROOT],
        docstring_parser="google",
        extensions=griffe.load_extensions(str(DOCS / "reference.py")),
    )
    package = loader.load("pylogic_sudoku")
    loader.resolve_aliases(implicit=True)
    found = {}

    def add(name, shown, inherited):
        shown = shown.final_target if shown.is_alias else shown
        if shown.docstring and (shown.is_function or shown.is_class):
            found[name] = documented(shown)
        if shown.is_class:
            for member, each in (shown.all_members if inherited else shown.members).items():
                if member == "__init__" or not member.startswith("_"):
                    add(f"{name}.{member}", each, inherited)

    for name, inherited in ENTRY.findall(text_of(DOCS / "api.md")):
        add(name, package[name], bool(inherited))
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_error_of_a_function_is_in_a_section(api, name):
    shown = api[name]
    assert list(shown.parameters) == list(inspect.signature(getattr(pls, name)).parameters)
    if "puzzle" in shown.parameters:
        assert "InvalidPuzzle" in shown.errors
    if "timeout" in shown.parameters:
        assert {"ValueError", "TypeError"} <= {*shown.errors}


def test_a_section_has_all_that_it_is_about_in_sentences(api):
    assert sum(bool(shown.parameters) for shown in api.values()) > 90
    assert sum(bool(shown.errors) for shown in api.values()) > 65
    for name, shown in api.items():
        assert list(shown.parameters) in ([], shown.takes), name
        assert {*shown.errors} <= ERRORS, name
        for text in (*shown.parameters.values(), *shown.errors.values()):
            assert re.fullmatch(r"[A-Z`].*\.", text, re.DOTALL), (name, text)


@pytest.mark.parametrize("name", ["SudokuEngine", "ProblemEngine"])
def test_an_engine_has_all_its_methods_on_the_page(api, name):
    engine = getattr(pls, name)
    public = [(each, getattr(engine, each)) for each in dir(engine) if each[0] != "_"]
    methods = {f"{name}.{each}" for each, value in public if callable(value) and value.__doc__}
    assert f"{name}.with_limit" in methods
    assert methods <= {*api}


def test_what_is_in_a_section_is_not_said_in_prose(api):
    error = rf"(?:{'|'.join(ERRORS)})"
    said = re.compile(rf"\b{error} (?:if|for|unless)\b|\braises? {error}\b", re.IGNORECASE)
    for name, shown in api.items():
        prose = shown.prose.partition("```pycon")[0]
        assert not said.search(prose), name
        for parameter in shown.parameters:
            assert not re.search(rf"(?:^|\. )`{parameter}`", " ".join(prose.split())), name


def test_examples_are_blocks_of_code(api):
    assert "```pycon\n>>> print(solve(" in api["solve"].prose
    for name, shown in api.items():
        assert ">>> " not in re.sub(r"```pycon\n.*?\n```", "", shown.prose, flags=re.DOTALL), name


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site; building it fails at a warning, and if a page would ask another host."""
    pytest.importorskip("mkdocs", reason="make docs installs what builds the site")
    site = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", site]
    done = ended(*build, cwd=ROOT, timeout=None)
    assert done.returncode == 0, done.stderr
    return site


@pytest.mark.slow
def test_the_site(site):
    assert "A puzzle or a solution" in text_of(site / "api" / "grids-and-cells.html")
    assert "%%clingo" in text_of(site / "tutorial.html")
    assert "Generate: every cell" in text_of(site / "files" / "encodings" / "sudoku.lp.html")
    api = text_of(site / "api" / "solving-and-counting.html")
    assert "&gt;&gt;&gt;" in api
    # The errors of a function are links.
    solve = api[api.index('id="pylogic_sudoku.solve"') : api.index('id="pylogic_sudoku.count"')]
    assert re.search(r"Parameters:.*timeout.*In seconds, over 0.*Raises:", solve, re.DOTALL)
    assert re.search(r'href="[\w.-]*#pylogic_sudoku\.SolveTimeout"[^>]*>SolveTimeout<', solve)
    # Every kind of rule has its place.
    rules = "".join(map(text_of, (site / "all-rules").glob("*.html")))
    assert {*re.findall(r'<h2 id="(\w+)"', rules)} == OF_THE_PACKAGE
    # Source files count less in the search.
    for entry in json.loads(text_of(site / "search" / "search_index.json"))["docs"]:
        assert ("boost" in entry) == entry["location"].startswith("files/"), entry["location"]
        assert "Row 1: " not in entry["text"]  # which a picture says to a screen reader


@pytest.mark.slow
def test_the_site_has_the_playground(site, playground):
    for start in ("index.html", "page.html"):
        assert 'href="playground/index.html"' in text_of(site / start)
    page = text_of(site / "playground" / "index.html")
    back = ' · <a href="../index.html">Documentation</a>'
    assert page.count(back) == 1
    assert page.replace(back, "") == text_of(playground / "index.html")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_begins_with_two_programs_and_their_difference(browser, site, scheme):
    page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme=scheme)
    page.goto((site / "index.html").as_uri())
    (picture,) = (each for each in page.locator(".beside img").all()[:2] if each.is_visible())
    assert ("page-dark.webp" in picture.get_attribute("src")) == (scheme == "dark")
    assert picture.bounding_box()["width"] > 500
    programs = page.locator(".programs").first
    asp, prolog = (each.bounding_box() for each in programs.locator("> div").all())
    assert asp["y"] == prolog["y"]
    assert asp["x"] + asp["width"] < prolog["x"]
    line = page.get_by_text("map.pl:9 fails: A #< B").bounding_box()
    assert line["y"] + line["height"] < 768  # seen without scrolling
    said = page.locator(".programs").last.inner_text()
    assert "{ sudoku(X,Y,N) : digit(N) } = 1 :- cell(X,Y)." in said
    assert "maplist(maplist(all_distinct), [Rows, Columns, Boxes])," in said
    page.set_viewport_size({"width": 390, "height": 844})
    asp, prolog = (each.bounding_box() for each in programs.locator("> div").all())
    assert asp["y"] + asp["height"] < prolog["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


OF_THE_SITE = [
    *(page.stem for page in PAGES),
    *(f"files/benchmarks/study/{page.name}" for page in STUDY),
    *("tutorial", "tutorial/prolog", "tutorial/graded", "tutorial/another"),
    # Of the pages that are alike, one each.
    *("api/solving-and-counting", "all-rules/sums", "files/encodings/sudoku.lp"),
]
REFERENCES = {"grading.html": 17_000, "problems.html": 18_000}
"""Pages in which people look something up by the table beside them, and the most pixels of each."""
CUT = """all => all.filter(each => each.scrollWidth > each.clientWidth)
    .map(each => each.innerText.slice(0, 80))"""


@pytest.mark.slow
def test_each_page_is_of_readable_length_and_goes_by_its_heading(browser, site):
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    long, cut, unlike = {}, {}, {}
    parts = [*site.glob("api/*.html"), *site.glob("all-rules/*.html")]
    for path in [*(site / f"{name}.html" for name in OF_THE_SITE), *parts]:
        page.goto(path.as_uri())
        most = REFERENCES.get(path.name, 11_500)
        if (high := page.evaluate("document.documentElement.scrollHeight")) >= most:
            long[path.name] = high
        code = ":is(.language-prolog, .language-python, .language-json) pre > code"
        if wide := page.locator(code).evaluate_all(CUT):
            cut[path.name] = wide
        heading = page.locator("h1").first.inner_text().removesuffix("¶")
        here = page.locator(".md-nav--primary .md-nav__link--active").last
        if here.count() and here.text_content().strip() not in (heading, "Overview"):
            unlike[path.name] = heading
    assert (long, cut, unlike) == ({}, {}, {})
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_THE_SITE)
def test_axe_finds_nothing_on_the_site(browser, site, name):
    for scheme, width in (("light", 1366), ("dark", 390)):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_load_state("load")
        assert faults(page) == [], scheme
        page.close()


KEPT = """(all, what) => [...new Set(all.filter(each => {
    const probe = document.createElement("span");
    probe.style.color = each.getAttribute(what);
    document.body.append(probe);
    return getComputedStyle(each)[what] === getComputedStyle(probe).color;
}).map(each => each.getAttribute(what)))]"""


@pytest.mark.slow
def test_links_are_underlined_and_pictures_are_dark_in_the_dark(browser, site):
    page = browser.new_page(color_scheme="dark")
    for name in ("index", "tutorial/graded", "all-rules/sums"):
        page.goto((site / f"{name}.html").as_uri())
        lines = page.locator(".md-content :is(p, li, td) a:not(.md-button)").evaluate_all(
            "all => all.map(each => getComputedStyle(each).textDecorationLine)"
        )
        assert {*lines} <= {"underline"}, name
        for what in ("fill", "stroke"):
            light = page.locator(f".md-content svg [{what}^='#']:not(path[fill][stroke])")
            kept = light.evaluate_all(KEPT, what)
            assert kept == [], name
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("start", ["index.html", "files/encodings/sudoku.lp.html"])
def test_the_search_works_from_disk(browser, site, start):
    """As a file it has no worker; an answer from a source file comes after all others."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.goto((site / start).as_uri())
    page.keyboard.press("f")
    page.locator(".md-search__input").press_sequentially("naked")
    page.wait_for_selector(".md-search-result__link")
    results = page.locator(".md-search__scrollwrap")
    sources = []

    def all_are_there():
        results.evaluate("list => list.scrollTo(0, list.scrollHeight)")  # it grows as one scrolls
        links = "all => all.map(each => each.href)"
        found = page.eval_on_selector_all(".md-search-result__link", links)
        sources[:] = ["/files/" in each for each in found]
        return any(sources) and "/techniques.html" in found[0]

    until(page, all_are_there)
    assert sources == sorted(sources)
    assert wrong == []
    page.close()


# === The layers of the code: picture and paragraphs in inside.md are those of the contract ========

SIZE = r"([\d,]+) lines"


def test_each_package_of_the_contract_has_one_paragraph_in_the_order_of_the_layers():
    packages = [package for layer in house.layers() for package in layer]
    assert list(house.ideas()) == packages
    page = text_of(DOCS / "inside.md")
    assert len(re.findall(r"^\*\*`\w+(?:/|\.py)`: ", page, re.M)) == len(packages)


def test_each_package_is_there_and_no_other_is():
    files = {path.stem for path in house.PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    folders = {path.parent.name for path in house.PACKAGE.glob("*/__init__.py")}
    assert {package for layer in house.layers() for package in layer} == files | folders


def test_the_picture_of_the_packages_is_up_to_date():
    """All but the lines, which are about right: otherwise each change would draw it anew."""
    shown, true = text_of(house.PICTURE), house.picture()
    assert re.sub(SIZE, "", shown) == re.sub(SIZE, "", true), "run python docs/house.py"
    for said, now in zip(*(re.findall(SIZE, text) for text in (shown, true)), strict=True):
        was, is_ = (int(each.replace(",", "")) for each in (said, now))
        assert abs(was - is_) <= 20 + is_ / 4, "run python docs/house.py"


@pytest.mark.parametrize(
    "document", [*(f"docs/{page.name}" for page in DOCS.glob("inside*.md")), "CONTRIBUTING.md"]
)
def test_the_files_that_are_named_are_there(document):
    names = re.findall(r"`([\w/]+/(?:[\w.]+\.(?:py|pl|lp|js|md))?)`", text_of(ROOT / document))
    names += re.findall(r"`(\w+\.(?:py|pl|lp|js))`", text_of(ROOT / document))
    folders = (ROOT, *(ROOT / name for name in ("pylogic_sudoku", "prolog", "encodings", "docs")))
    for name in names:
        found = any((folder / name).exists() for folder in folders)
        assert found or ("/" not in name and any(ROOT.glob(f"[!.]*/**/{name}"))), name


# === The page about the techniques says what the package knows ====================================


def test_the_table_is_up_to_date():
    page = text_of(techniques.PAGE)
    assert techniques.updated(page) == page, "run python docs/techniques.py"


@pytest.mark.slow
def test_the_pictures_of_techniques_are_up_to_date():
    images = techniques.images()
    assert {*techniques.IMAGES.iterdir()} == {*images}
    for path, image in images.items():
        assert text_of(path) == image, "run python docs/techniques.py"
        assert f"(images/techniques/{path.name})" in text_of(techniques.PAGE)


@pytest.mark.slow
def test_the_pictures_show_steps_that_hold():
    for step in techniques.steps():
        step.verify("prolog")


def test_every_technique_is_described():
    page = text_of(techniques.PAGE)
    rows = re.findall(r"^\| (.+?) \| (\w+) \| (\d+) \| (.*) \|$", page, re.M)
    assert [row[0] for row in rows] == [technique.name for technique in TECHNIQUES.values()]
    for name, *_, text in rows:
        assert re.fullmatch(r"[A-Z].{15,}\.", text), name
