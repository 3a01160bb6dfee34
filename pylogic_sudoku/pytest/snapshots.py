"""Values that are stored beside the tests: the fixture ``logic_snapshot``.

The snapshots of ``tests/test_talks.py`` are files in ``tests/__logic__/test_talks``, at least one
for each test, so that the processes of xdist write different ones. They are text to read and to
keep under version control.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from hashlib import sha256
from pathlib import Path
from pprint import pformat
from typing import Any

import pytest

from ..errors import cost_text, counted, shortened, shown
from ..files import save
from ..problem import Answer
from ..questions.comparison import by_size
from .stash import FOLDER, OUTPUT, narrowed, told

__all__ = ["Keeper", "Snapshot", "of_test", "summary", "text_of"]

SHOWN = 40
"""Lines of a difference that a message shows."""
_UNSAFE = re.compile(r"[^\w.\[\]=,+-]", re.ASCII)


def of_test(request: pytest.FixtureRequest) -> Snapshot:
    """The snapshots of the test that asks for the fixture."""
    return keeper_of(request.session).of(request.node)


def keeper_of(session: pytest.Session) -> Keeper:
    """The only keeper of a session."""
    plugins = session.config.pluginmanager
    keeper: Keeper | None = plugins.get_plugin("logic-snapshots")
    if keeper is None:
        keeper = Keeper(session)
        plugins.register(keeper, "logic-snapshots")
    return keeper


def folder_of(module: Path) -> Path:
    """The folder with the snapshots of a file of tests."""
    return module.parent / FOLDER / module.stem


def stem_of(nodeid: str) -> str:
    """The beginning of the names of a test's snapshots: its own name, as a file can have it."""
    name = nodeid.partition("::")[2].replace("::", ".")
    plain = _UNSAFE.sub("_", name)[:150]
    return name if plain == name else f"{plain}-{sha256(name.encode()).hexdigest()[:8]}"


class Keeper:
    """The snapshots of all tests of this process; told at the end."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._config = session.config
        self.update: bool = session.config.option.logic_update
        self._by_test: dict[str, Snapshot] = {}
        self._folders: dict[Path, Path] = {}
        """The folders of snapshots with the files of tests that they are for."""

    def of(self, item: pytest.Item) -> Snapshot:
        """The snapshots of a test."""
        folder = folder_of(item.path)
        self._folders[folder] = item.path
        made = Snapshot(self, folder, stem_of(item.nodeid))
        self._by_test[item.nodeid] = made
        return made

    def tell(self, fate: str, path: Path) -> None:
        """Have the summary tell the fate of a snapshot."""
        names = self._config.stash[told].setdefault(fate, [])
        root = self._config.rootpath
        name = str(path.relative_to(root) if path.is_relative_to(root) else path)
        if name not in names:
            names.append(name)

    def _unused(self, path: Path) -> None:
        if self.update:
            path.unlink(missing_ok=True)
        self.tell("removed" if self.update else "unused", path)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Look for snapshots that a test no longer takes, once it has passed."""
        if report.when == "call" and report.passed and report.nodeid in self._by_test:
            snapshot = self._by_test[report.nodeid]
            for path in snapshot.files():
                if path not in snapshot.taken:
                    self._unused(path)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Look for snapshots of tests that are gone, if all tests of a file were collected.

        Those of a file that is gone are beside the other files.
        """
        config = session.config
        for folder in sorted({each.path.parent / FOLDER for each in session.items}):
            for path in sorted(folder.glob("*/*.txt")):
                if not (folder.parent / f"{path.parent.name}.py").exists():
                    self._unused(path)
        partial = config.stash.get(narrowed, False) or config.getoption("lf", False)
        if not (partial or any("::" in each for each in config.args)):
            for folder, module in self._folders.items():
                stems = {stem_of(each.nodeid) for each in session.items if each.path == module}
                for path in sorted(folder.glob("*.txt")):
                    if path.stem.partition("@")[0] not in stems:
                        self._unused(path)
        if hasattr(config, "workeroutput"):
            config.workeroutput[OUTPUT] = config.stash[told]


class Snapshot:
    """The snapshots of one test; a call compares a value with the next one, or with a named one."""

    def __init__(self, keeper: Keeper, folder: Path, stem: str) -> None:
        self._keeper = keeper
        self._folder = folder
        self._stem = stem
        self.taken: set[Path] = set()
        """The files that the test has compared so far."""

    def __repr__(self) -> str:
        return f"<snapshots of {self._stem}>"

    def files(self) -> Iterator[Path]:
        """The files that are there for this test."""
        for path in sorted(self._folder.glob("*.txt")):
            if path.stem.partition("@")[0] == self._stem:
                yield path

    def __call__(self, value: object, name: str = "") -> bool:
        """Compare a value with what is stored; an assert fails if it is something else.

        Args:
            value: Answers in any order, an `Answer`, a text, or any value with a stable ``repr``.
            name: The end of the file's name, for several snapshots in one test; without it they
                are numbered.
        """
        __tracebackhide__ = True
        path = self._path(name)
        text = text_of(value)
        # A file in another encoding differs, and the message shows where.
        stored = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
        self.taken.add(path)
        if stored == text:
            return True
        if self._keeper.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            save(path, text)
            self._keeper.tell("written", path)
            return True
        if stored is None:
            raise AssertionError(
                f"there is no snapshot {path} yet; pytest --logic-update writes it:\n"
                f"{_beginning(text.splitlines())}"
            )
        raise AssertionError(
            f"the value is not that of {path} (-); if it is right, pytest --logic-update stores"
            f" it (+)\n{_difference(stored, text)}"
        )

    def _path(self, name: str) -> Path:
        __tracebackhide__ = True
        if name and _UNSAFE.search(name):
            raise ValueError(f"{shown(name)} cannot be part of the name of a snapshot's file")
        number = len(self.taken) + 1
        ending = f"@{name}" if name else f"@{number}" * (number > 1)
        path = self._folder / f"{self._stem}{ending}.txt"
        if path in self.taken:
            raise ValueError(f"this test has two snapshots called {name!r}; give each its own name")
        return path


def text_of(value: object) -> str:
    """A value as the text of a file: answers one a line, the smallest first."""
    if isinstance(value, Answer):
        return f"{_line(value)}\n"
    if isinstance(value, str):
        return value if value.endswith("\n") else f"{value}\n"
    if isinstance(value, Iterator):
        value = list(value)
    if isinstance(value, list | tuple | Set) and all(isinstance(each, Answer) for each in value):
        lines = [counted(len(value), "answer"), *map(_line, sorted(value, key=by_size))]
        return "".join(f"{line}\n" for line in lines)
    if isinstance(value, Set):
        value = sorted(value, key=str)
    return f"{pformat(value, width=100, sort_dicts=True)}\n"


def _line(answer: Answer) -> str:
    cost = f"  % cost {cost_text(answer.cost)}" if answer.cost else ""
    return f"{str(answer) or '% no atom'}{cost}"


def _difference(stored: str, text: str) -> str:
    """The lines that are gone, and those that are new."""
    from difflib import unified_diff

    lines = unified_diff(stored.splitlines(), text.splitlines(), lineterm="", n=1)
    return _beginning([line for line in lines if not line.startswith(("---", "+++", "@@"))])


def _beginning(lines: list[str]) -> str:
    more = [f"... and {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
    return "\n".join([*(shortened(line) for line in lines[:SHOWN]), *more])


def summary(fates: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the fates of snapshots."""
    for fate, given in sorted(fates.items()):
        names = sorted(set(given))
        cure = "; pytest --logic-update removes them" if fate == "unused" else ""
        yield f"logic snapshots: {counted(len(names), 'file')} {fate}{cure}"
        yield from (f"  {name}" for name in names[:SHOWN])
        if len(names) > SHOWN:
            yield f"  ... and {len(names) - SHOWN} more"
