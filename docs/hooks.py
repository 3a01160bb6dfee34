"""Hooks that let MkDocs make a site of this folder.

A file of the repository that a page links to becomes a page of the site. The notebook is run, and
becomes one too. The Python API gets a page for each section of ``api.md``, and the rules a page for
each of their modules. The playground is built into the site if npm can do that.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from nbclient import NotebookClient

from pylogic_sudoku import Grid, Puzzle, __version__
from pylogic_sudoku.rules import KINDS
from pylogic_sudoku.rules.own import asp_module, asp_shared, helpers, meaning, prolog_clause
from render import dark_style

ROOT = Path(__file__).parent.parent
PLAYGROUND = "playground"
"""The folder of the playground in the site."""
PLAYGROUND_HERE = "<!-- the playground -->"
"""The link to the playground in ``page.md``; removed if there is none."""
TRY_IT = "Try it in the browser"
"""The link of ``index.md`` to that page, or to the playground itself."""
PROGRAMS_HERE = "<!-- both programs -->"
"""Where ``index.md`` shows the two textbook programs."""
RULES_HERE = "<!-- every rule -->"
"""The place in ``rules.md`` for the list of rules with links to their pages."""
RULE_PAGES = {
    "sums": "Cages, arrows and other sums",
    "lines": "Thermometers, whispers and other lines",
    "pairs": "Dots and other pairs of cells",
    "sets": "Diagonals, chess moves and other sets of cells",
    "counts": "Rules that count or index",
    "outside": "Clues outside the grid",
}
"""The modules of rules, and the titles of their pages."""
TUTORIAL = "docs/tutorial.ipynb"
TUTORIAL_PAGES = {
    "The same puzzle in Prolog": "prolog",
    "A program is graded": "graded",
    "Another problem": "another",
}
"""The sections of the tutorial that begin a page, each with the name of the page."""
SOURCES_BOOST = 1e-6
"""The weight of source files in the search: below all other pages."""
LANGUAGES = {".lp": "prolog", ".pl": "prolog", ".py": "python", ".md": "markdown"}
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)")
FENCED = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
SCREENSHOT = re.compile(r"(!\[[^\]]*\]\()(images/[\w-]+)\.webp\)")
"""A picture of the page; a dark one stands beside it."""
OUTSIDE = re.compile(
    r"""<(?:script|img|source|iframe|link)\b[^>]*\b(?:src|href)=["']?(?:\w+:)?//[^>]*>"""
)


_log = logging.getLogger("mkdocs.hooks")
_built = tempfile.TemporaryDirectory(prefix="pylogic-sudoku-")
"""Where the playground waits, since MkDocs empties the site before it writes the pages."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The version in the head; beside it the repository, once pyproject.toml names its address."""
    config.site_name += f" {__version__}"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if address := project.get("urls", {}).get("Repository"):
        config.repo_url, config.repo_name = address, project["name"]
    return config


def on_pre_build(config: MkDocsConfig) -> None:
    """Build the playground; without npm or its registry, say so and go on."""
    script = ROOT / "scripts" / "playground.py"
    build = [sys.executable, str(script), str(_playground()), "../index.html"]
    ended = subprocess.run(build, capture_output=True, text=True, check=False)
    if ended.returncode:
        shutil.rmtree(_playground(), ignore_errors=True)
        _log.info("The site is without the playground. %s", ended.stdout.strip())


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the notebook, all parts of long pages, and every file that a page links to."""
    for whole, folder, parts in (
        ("api", "api", _api_pages()),
        ("rules", "all-rules", _rule_pages()),
    ):
        pages = {f"{folder}/{name}.md": text for name, text in parts}
        for page, text in pages.items():
            files.append(File.generated(config, page, content=text))
        _list_in_nav(config.nav, f"{whole}.md", _title(_shown(f"docs/{whole}.md")), [*pages])
    of_tutorial = [f"tutorial/{name}.md" for name in TUTORIAL_PAGES.values()]
    _list_in_nav(config.nav, "tutorial.md", "Tutorial", of_tutorial)
    style = dark_style()
    nested = f"[data-md-color-scheme=slate] .md-content svg {{\n{style}\n}}\n"
    files.append(File.generated(config, "pictures.css", content=nested))
    waiting = [TUTORIAL]
    written = [file for file in files.documentation_pages() if file.generated_by is None]
    waiting += [f"docs/{file.src_uri}" for file in written]
    for kind in KINDS:  # the pages of rules link to what they use
        waiting += {**asp_shared(kind), **helpers(kind)}
    seen = set()
    while waiting:
        path = waiting.pop()
        text = _shown(path)
        pages = _tutorial_pages(text) if path == TUTORIAL else {_page(path): text}
        for page, content in pages.items():
            if files.get_file_from_path(page) is None:
                listed = path.startswith("docs/")
                level = InclusionLevel.INCLUDED if listed else InclusionLevel.NOT_IN_NAV
                files.append(File.generated(config, page, content=content, inclusion=level))
        for link in LINK.findall(FENCED.sub("", text)):
            target = _target(path, link)
            outside = not target.startswith("docs/") and (ROOT / target).exists()
            if outside and target not in seen:
                seen.add(target)
                waiting.append(target)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page with its links and rules as on the site; source files weigh little in a search."""
    uri = page.file.src_uri
    # A search lists them after the documentation.
    if page.file.inclusion.is_not_in_nav():
        page.meta["search"] = {"boost": SOURCES_BOOST}
    if uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]  # the two programs need its width
        markdown = markdown.replace(PROGRAMS_HERE, _both_programs())
        markdown = re.sub(r"^\[Install\].*", r"\g<0>{ .md-button }", markdown, flags=re.MULTILINE)
    if uri in ("index.md", "page.md") and _playground().exists():
        link = f'<a class="md-button md-button--primary" href="{PLAYGROUND}/index.html">'
        markdown = markdown.replace(f"[{TRY_IT}](page.md#without-a-server)", f"{link}{TRY_IT}</a>")
        markdown = markdown.replace(PLAYGROUND_HERE, f"{link}Open the playground</a>")
    if uri == "api.md":
        listed = [f"- [{_title(text)}](api/{name}.md)" for name, text in _api_pages()]
        markdown = markdown.partition("\n## ")[0] + "\n\n" + "\n".join(listed)
    if uri == "rules.md":
        markdown = markdown.replace(RULES_HERE, _rule_list())
    if uri.startswith("all-rules/"):
        page.meta["hide"] = ["toc"]  # as on the first page
    markdown = SCREENSHOT.sub(r"\1\2.webp#only-light)\n\1\2-dark.webp#only-dark)", markdown)
    outside = uri.startswith("files/")
    path = uri.removeprefix("files/").removesuffix(".md") if outside else f"docs/{uri}"

    def moved(link: re.Match[str]) -> str:
        return os.path.relpath(_page(_target(path, link[1])), PurePosixPath(uri).parent)

    return "".join(
        part if part.startswith("`") else LINK.sub(moved, part)
        for part in re.split(f"({FENCED.pattern})", markdown, flags=FENCED.flags)
    )


def on_post_page(output: str, **_: Any) -> str:
    """The page; its search, which opens as a dialog, has a name."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def on_post_build(config: MkDocsConfig) -> None:
    """Add the playground. Raise PluginError if a page would ask another host for anything."""
    if _playground().exists():
        shutil.copytree(_playground(), Path(config.site_dir) / PLAYGROUND)
    for page in Path(config.site_dir).rglob("*.html"):
        if found := OUTSIDE.search(page.read_text(encoding="utf-8")):
            raise PluginError(f"{page} is not complete in itself: {found[0]}")


def _playground() -> Path:
    return Path(_built.name) / PLAYGROUND


def _target(path: str, link: str) -> str:
    """The target of a link in this file; both are paths from the top of the repository."""
    return os.path.normpath(PurePosixPath(path).parent / link)


def _page(path: str) -> str:
    """The source, on the site, of the page with this file."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/").replace(".ipynb", ".md")
    return f"files/{path}.md"


def _shown(path: str) -> str:
    """The file as Markdown; a folder as a list of its files."""
    file = ROOT / path
    if file.is_dir():
        names = sorted(inside.name for inside in file.iterdir() if inside.suffix in LANGUAGES)
        return f"# {path}/\n\n" + "".join(f"- [{name}]({file.name}/{name})\n" for name in names)
    text = file.read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    if path.endswith(".ipynb"):
        return _notebook(text)
    language = LANGUAGES.get(file.suffix, "text")
    return f"# {path}\n\n````{language}\n{text}````\n"


def _title(text: str) -> str:
    """The title of a page."""
    return text.partition("\n")[0].lstrip("# ")


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _tutorial_pages(text: str) -> dict[str, str]:
    """The pages of the tutorial, each by its source on the site."""
    pages, page = {"tutorial.md": ""}, "tutorial.md"
    for section in re.split(r"(?m)^(?=## )", text):
        if name := TUTORIAL_PAGES.get(_title(section)):
            page = f"tutorial/{name}.md"
            pages[page], section = "", re.sub(r"(?m)^#(?=#+ )", "", section)
        if page != "tutorial.md":
            section = LINK.sub(lambda link: f"../{link[1]}", section)
        pages[page] += section
    return pages


def _list_in_nav(nav: Any, whole: str, title: str, parts: list[str]) -> None:
    """Put the parts after the page that they are parts of."""
    for section in nav:
        (entries,) = section.values()
        if whole in entries:
            entries[entries.index(whole)] = {title: [{"Overview": whole}, *parts]}


def _api_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of the page for each section of ``api.md``."""
    for section in _shown("docs/api.md").split("\n## ")[1:]:
        text = LINK.sub(lambda link: f"../{link[1]}", section)
        yield _slug(_title(text)), f"# {text}".replace("\n### ", "\n## ")


def _rule_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of the page for each module of rules."""
    for module, title in RULE_PAGES.items():
        kinds = _kinds(module)
        links = " · ".join(f"[{KINDS[kind].title}](#{kind})" for kind in kinds)
        yield module, "\n".join([f"# {title}\n\n{links}\n", *map(_kind, kinds)])


def _kinds(module: str) -> list[str]:
    return sorted(kind for kind, made in KINDS.items() if made.__module__.endswith(f".{module}"))


def _rule_list() -> str:
    """All rules in one list, by page."""
    lines = []
    for module, title in RULE_PAGES.items():
        page = f"all-rules/{module}.md"
        kinds = [f"[{KINDS[kind].title}]({page}#{kind})" for kind in _kinds(module)]
        lines.append(f"- **[{title}]({page})**: {', '.join(kinds)}")
    return "\n".join(lines)


def _both_programs() -> str:
    """The heart of ``sudoku.lp`` with its houses, and the classic program in Prolog."""
    houses = _between("encodings/houses.lp", "% Define: the digits", None)
    rules = _between("encodings/sudoku.lp", "% Generate", "% Test: no cell holds")
    classic = _between("prolog/programs/classic.pl", "sudoku(Rows) :-", None)
    return f"""<div class="programs" markdown>

```prolog title="Answer set programming, for clingo"
{houses}

{rules}
```

```prolog title="Prolog with constraints, for SWI-Prolog"
{classic}
```

</div>"""


def _between(path: str, first: str, after: str | None) -> str:
    """The lines of a file from one that begins so to one before that."""
    text = (ROOT / path).read_text(encoding="utf-8")
    start = text.index(f"\n{first}") + 1
    return text[start : text.index(f"\n{after}") if after else None].strip()


def _kind(kind: str) -> str:
    """A rule beyond plain sudoku: its meaning, an example, and both programs side by side."""
    made = KINDS[kind]
    fields, good, bad = made.example
    rule = made(**fields)
    pictures = []
    for digits, what in ((good, "It obeys the rule"), (bad, "It does not")):
        grid = Grid.parse(digits.replace(" ", ""))
        empty = Grid((0,) * len(grid.digits), grid.box)
        drawn = grid.to_svg(Puzzle(empty, rules=[rule]), title=what)
        pictures.append(" ".join(drawn.split()))
    named = "; ".join(
        f"`{name}`, {field.expected}{' (may be left out)' * (name in made.defaults)}"
        for name, field in made.types.items()
    )
    uses = (("The module uses", asp_shared(kind)), ("The clause calls", helpers(kind)))
    used = "\n".join(f"{verb} {_linked(found)}." for verb, found in uses if found)
    return f"""## {made.title} {{ #{kind} }}

{meaning(made)}

{f"Fields: {named}." if named else "It has no fields."} For example, {rule}:

<div class="pair" data-search-exclude>{"".join(pictures)}</div>

```json
{json.dumps(rule.to_json())}
```

<div class="programs" markdown>

```prolog title="ASP"
{asp_module(kind).strip()}
```

```prolog title="Prolog"
{prolog_clause(kind).strip()}
```

</div>

{used}
"""


def _linked(names: dict[str, list[str]]) -> str:
    """The names, each file with those that are in it."""
    return "; ".join(
        f"{', '.join(f'`{name}`' for name in found)} in [{file}](../../{file})"
        for file, found in names.items()
    )


def _notebook(text: str) -> str:
    """Text, code, and the output of the code."""
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    quiet = ["--log-level=ERROR"]
    here = {"metadata": {"path": str(ROOT / "docs")}}
    NotebookClient(notebook, extra_arguments=quiet, resources=here).execute()
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            logic = re.match(r"%%(clingo|prolog)\b", cell.source)
            parts.append(f"```{'prolog' if logic else 'python'}\n{cell.source}\n```")
            parts += map(_output, cell.outputs)
    return "\n\n".join(parts)


def _output(output: Any) -> str:
    data = output.get("data", {})
    drawn = data.get("image/svg+xml") or data.get("text/html")
    if drawn:
        return f'<div class="output" data-search-exclude>{" ".join(drawn.split())}</div>'
    error = f"{output.get('ename')}: {output.get('evalue')}"
    said = output.get("text") or data.get("text/plain") or error
    return f"```text\n{said.rstrip()}\n```"
