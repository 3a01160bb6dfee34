"""The metadata of the package, as an index shows them, and the source distribution."""

from __future__ import annotations

import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from hatch_metadata import absolute

ROOT = Path(__file__).parents[1]
PLACE = "https://github.com/OWNER/pylogic_sudoku"
"""The only place in the tests that knows it; it moves with `repository` in pyproject.toml."""


@pytest.fixture(scope="module")
def metadata():
    return ProjectMetadata(str(ROOT), PluginManager())


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("[a](docs/a.md#b)", f"[a]({PLACE}/blob/HEAD/docs/a.md#b)"),
        ('<img src="docs/a.svg">', f'<img src="{PLACE}/raw/HEAD/docs/a.svg">'),
        ('<source srcset="docs/a.webp">', f'<source srcset="{PLACE}/raw/HEAD/docs/a.webp">'),
        ("![a](docs/a.png)", f"![a]({PLACE}/raw/HEAD/docs/a.png)"),
        ("[a](#there)", "[a](#there)"),
        ("[a](https://example.org/a)", "[a](https://example.org/a)"),
        ("p(X) and [x] (y)", "p(X) and [x] (y)"),
    ],
)
def test_links_are_absolute_on_the_page_of_an_index(text, there):
    assert absolute(text, PLACE) == there


def test_every_link_of_the_readme_leads_to_a_file(metadata):
    text = metadata.core.readme
    links = re.findall(rf"{re.escape(PLACE)}/(?:blob|raw)/HEAD/([^)\"#]+)", text)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert not re.search(r"\]\((?!https?:|#)|(?:src|srcset)=\"(?!https:)", text)
    assert all(url.startswith(PLACE) for url in metadata.core.urls.values())


def test_one_file_has_the_version(metadata):
    version = metadata.version
    assert f"version('{version}')." in (ROOT / "pack.pl").read_text().splitlines()
    for name in ("pyproject.toml", "CITATION.cff", "mkdocs.yml", "scripts/conda/recipe.yaml"):
        assert version not in (ROOT / name).read_text(), name


def test_all_has_every_extra_but_the_one_that_needs_a_compiler(metadata):
    extras = {name: set(needs) for name, needs in metadata.core.optional_dependencies.items()}
    everything, prolog = extras.pop("all"), extras.pop("prolog")
    assert everything == set().union(*extras.values())
    assert not everything & prolog


def test_no_requirement_names_a_pre_release(metadata):
    requirements = [*metadata.core.dependencies]
    for needs in metadata.core.optional_dependencies.values():
        requirements += needs
    assert len(requirements) > 15
    assert not [each for each in requirements if re.search(r"\d(a|b|rc|\.dev)\d", each)]


@pytest.mark.slow
def test_the_source_distribution_has_all_but_the_records(tmp_path):
    (file,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(file) as archive:
        inside = {Path(*Path(each.name).parts[1:]).as_posix() for each in archive.getmembers()}
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(listed.splitlines()) - inside == {
        "benchmarks/study/records.jsonl.xz",
        "benchmarks/study/repeat.jsonl.xz",
    }
    assert inside - set(listed.splitlines()) == {"PKG-INFO"}
