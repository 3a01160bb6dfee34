"""Searches in SWI-Prolog as WebAssembly, see ``running/wasm.py``.

A process is lent to one search at a time. For a program that is not ours its memory is as it was
when the program had been loaded, whatever earlier questions have left behind; so it is after a
search that was stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...errors import BackendFailure
from ...files import resource
from ...problem.text import read_text
from ...running.wasm import ISOLATES, Isolate
from .search import VERSION, Bridge, Loaded, Search, version_text

STACK_LIMIT = 2**29
"""The most bytes of the stacks of a search: half of what its process may use."""
_BRIDGE = "/prolog/host/bridge.pl", "/prolog/host/isolate.pl"
_FIRST = ""
"""The key of the memory in which nothing but the bridge is loaded."""
_LOADS = re.compile(r"\b(?:include|consult|use_module|load_files|ensure_loaded)\b|:-\s*\[")
_FILES = 100
"""The most files that a program may load besides its own."""


class _IsolateBridge(Bridge):
    """The Prolog of one process."""

    def __init__(self, isolate: Isolate) -> None:
        super().__init__()
        self._isolate = isolate

    def ask(self, goal: str, **inputs: object) -> Any:
        passed = {name: _passed(each) for name, each in inputs.items()}
        if "File" in inputs:
            passed["File"] = _path(str(inputs["File"]))
        outcome = self._isolate.ask(goal, passed)
        if error := outcome.get("error"):
            raise BackendFailure(f"SWI-Prolog: {error}")
        if "answer" not in outcome:
            raise BackendFailure(f"SWI-Prolog: {goal} is false")
        return self._answer_in(outcome["answer"])


def _passed(value: object) -> object:
    """The value as the process takes it: a pair is a term."""
    return {"pair": value} if isinstance(value, tuple) else value


def _path(file: str) -> str:
    """The path that a file has there: ours are in a folder of their own."""
    path, ours = file.replace("\\", "/"), resource("prolog").resolve().as_posix()
    return f"/prolog{path.removeprefix(ours)}" if path.startswith(f"{ours}/") else path


class WasmSearch(Search):
    """A search in such a process."""

    _isolate: Isolate | None = None
    _key = _FIRST

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.is_foreign = False  # a process of its own, not a fork of this one
        limit: Any = self._inputs.get("StackLimit", STACK_LIMIT)
        self._inputs["StackLimit"] = min(limit, STACK_LIMIT)

    def _load(self) -> None:
        isolate = ISOLATES.lend()
        with self._lock:
            self._isolate = isolate
            isolate.stopped = self._stopped
        isolate.hears = self._hear
        self._bridge = _IsolateBridge(isolate)
        files = dict(_files(self.texts))
        modules = tuple(text.module for text in self.texts)
        self._key = repr((self.parts, modules, self._prepares, sorted(files.items())))
        state, isolate.state = isolate.state, None
        if state != self._key and not isolate.call("restore", self._key):
            self._load_anew(isolate, files)

    def _load_anew(self, isolate: Isolate, files: Mapping[str, str]) -> None:
        if not isolate.call("restore", _FIRST):
            for file in _BRIDGE:
                self._bridge.ask("load_files(File, [silent(true)])", File=file)
            isolate.call("keep", _FIRST)
        isolate.call("write", files)
        self._bridge.load(self.parts, self.texts)
        if self._prepares:
            for text in self.texts:
                text.prepare(self._bridge)
        isolate.call("keep", self._key)

    def _hear(self, number: int, what: str, data: Any) -> None:
        if number == self._number:
            self.improve(what, data)

    def _ended(self) -> None:
        """Note that nothing is left of the search: the next one need not restore the memory."""
        if self._is_ours and self._isolate:
            self._isolate.state = self._key

    def interrupt(self) -> None:
        with self._lock:
            self._stopped = True
            if self._isolate and not self._closed:
                self._isolate.stop()

    def _close(self) -> None:
        with self._lock:
            closed, self._closed = self._closed, True
        if self._isolate and not closed:
            ISOLATES.take_back(self._isolate)


def _files(texts: Iterable[Loaded]) -> Iterator[tuple[str, str]]:
    """The files next to a program that it seems to load, or another of them: paths and texts."""
    for program in texts:
        if program.path is None or not _LOADS.search(program.text):
            continue
        others = sorted(program.path.parent.glob("*.pl"))[:_FILES]
        left = {each: read_text(each) for each in others if each != program.path}
        mentioned = [program.text]
        while mentioned:
            text = mentioned.pop()
            for each in [each for each in left if re.search(rf"\b{re.escape(each.stem)}\b", text)]:
                mentioned.append(left[each])
                yield each.as_posix(), left.pop(each)


def version() -> str:
    """The version of this Prolog; BackendUnavailable if there is none."""
    with ISOLATES.lent() as isolate:
        return version_text(_IsolateBridge(isolate).ask(VERSION))
