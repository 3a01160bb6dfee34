"""Documents as text: their code blocks, links and headings, and whether their examples are true."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from helpers import command_line
from helpers.processes import ended
from helpers.programs import without_warning
from pylogic_sudoku.engines.registry import BUILT_IN
from pylogic_sudoku.running.prolog import swipl

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)(?: title=\"[^\"\n]*\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\w+ title=\"(mine/[^\"\n]*)\"\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"(?:\]\(|<img src=\")([^)\s\"]+)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
OF_PYTEST = (".hypothesis", ".pytest_cache")


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def blocks(document: Path, language: str) -> list[str]:
    """The code blocks in this language."""
    return [text for name, text in BLOCK.findall(text_of(document)) if name == language]


def links(text: str) -> list[str]:
    """The targets of the links in the text."""
    return LINK.findall(CODE.sub("", BLOCK.sub("", text)))


def anchors(document: Path) -> set[str]:
    """The fragments that lead to its headings."""
    headings = HEADING.findall(BLOCK.sub("", text_of(document)))
    return {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings}


def same(expected: str, printed: str) -> bool:
    """Equal except for times and versions; ``...`` stands for any text."""

    def plain(text: str) -> str:
        text = re.sub(r"\d+(\.\d+)+", "#", text)
        return re.sub(r"(# ?(ms|s)\b.*)", "#", text).strip()

    parts = [re.escape(part.strip()) for part in plain(expected).split("...")]
    return bool(re.fullmatch(r"\s*.*?\s*".join(parts), plain(printed), re.DOTALL))


def files(document: Path) -> dict[str, str]:
    """The files that the reader is shown, by the names in the titles of their blocks."""
    return dict(FILE.findall(text_of(document)))


def write_files(document: Path, folder: Path) -> None:
    """Write these files, as the reader does."""
    for name, text in files(document).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def commands(document: Path) -> list[tuple[str, str]]:
    """The commands of its ``console`` blocks, each with the output that it should print."""
    return [
        pair
        for block in blocks(document, "console")
        for pair in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def check_commands(
    pairs: Iterable[tuple[str, str]], folder: Path, venv: str | Path = sys.prefix
) -> None:
    """Run them in order, because some need a file that an earlier one has written.

    To them the folder is the checkout. They may write to its folder `mine` and nowhere else, except
    pytest and Hypothesis, whose folders git ignores.
    Ours run in this process if they belong to it and need no shell.
    `make` uses this virtual environment and sets up nothing. Readers of the pages have two
    engines, whatever else is installed here.
    """
    places = {name: ROOT / name for name in ("prolog", "encodings", "problems", "Makefile")}
    places[".venv"] = Path(venv)
    for name, place in places.items():
        (folder / name).symlink_to(place)
    for command, output in pairs:
        name, *arguments = shlex.split(command)
        if name == "pylogic-sudoku" and not {"|", ">"} & {*arguments} and venv == sys.prefix:
            text = command_line.run(*arguments, cwd=folder).printed
        else:
            text = _printed_by_shell(command, folder, venv)
        assert same(output, by_two_engines(without_warning(text))), (command, text)
    assert {path.name for path in folder.iterdir()} - {*places} <= {"mine", *OF_PYTEST}


def by_two_engines(printed: str) -> str:
    """The text that `-b all` prints, without the engines that not everybody has."""
    optional = "|".join(name for name, each in BUILT_IN.items() if each.needs)
    printed = re.sub(rf"(?m)^(?:{optional}) \(.*\n", "", printed)
    return re.sub(r"(?m)^All \d+ engines agree\.$", "Both engines agree.", printed)


def _printed_by_shell(command: str, folder: Path, venv: str | Path) -> str:
    path = os.pathsep.join([str(Path(venv) / "bin"), os.environ["PATH"]])
    command = re.sub("^make", "make PYTHON=true", command)
    # What pytest prints must not depend on where these tests run.
    inherited = {
        name: value for name, value in os.environ.items() if name != "CI" and "PYTEST" not in name
    }
    environ = {**inherited, "PATH": path, "PYTHONIOENCODING": "utf-8", "MAKELEVEL": "0"}
    environ["PYTEST_PLUGINS"] = "pylogic_sudoku.pytest.plugin"  # .venv may be older than its entry
    return ended("bash", "-c", f"exec 2>&1; {command}", cwd=folder, env=environ, input="").stdout


def check_prolog_session(block: str) -> None:
    """Ask its queries, one after the other, in a swipl that has loaded our program."""
    sessions = re.findall(r"^\?- (.*\.)\n((?:(?!\?- ).*\n)*)", block, re.MULTILINE)
    assert sessions
    mark = "end of an answer"
    queries = "".join(f"{query}\nwriteln('{mark}').\n" for query, _ in sessions)
    answers = ended(swipl(), "-q", ROOT / "prolog" / "sudoku_prompt.pl", input=queries).stdout
    found = answers.split(f"{mark}\ntrue.\n")
    for (query, output), answer in zip(sessions, found, strict=False):
        assert same(output, answer), (query, answer)
    assert len(found) == len(sessions) + 1


def light(image: Path) -> str:
    """A picture of the documentation without its style sheet for dark pages."""
    return re.sub(r"<style>@media .*?</style>\n", "", image.read_text(), flags=re.DOTALL)
