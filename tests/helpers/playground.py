"""The playground: the folder that `make playground` builds, and a server for it."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest

from pylogic_sudoku import Grid, Puzzle

from .processes import PATIENCE
from .programs import resource

UNREACHABLE = re.compile(r"\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENOTCACHED|\w*CERT\w*)\b")
"""The messages of npm if its registry cannot be reached."""


def built(base: Path) -> Path:
    """The folder, built by the first process that asks; without npm or its registry, skip."""
    place, failure = base / "playground", base / "playground.failed"
    with (base / "playground.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists() and not failure.exists():
            _build(place, failure)
    if failure.exists():
        pytest.skip(failure.read_text())  # in CI too: not every machine reaches npm's registry
    return place


def _build(place: Path, failure: Path) -> None:
    if not shutil.which("npm"):
        failure.write_text("npm is missing: install Node.js")
        return
    script = [sys.executable, str(resource("scripts/playground.py")), str(place)]
    try:
        ended = subprocess.run(
            script, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        failure.write_text(f"the npm registry did not answer in {PATIENCE} seconds")
        return
    if ended.returncode and UNREACHABLE.search(ended.stdout):
        failure.write_text("the npm registry cannot be reached")
    else:
        assert ended.returncode == 0, ended.stdout + ended.stderr


ASKED = """async ([path, body]) => {
    const { answer } = await import("./answerer.js");
    try {
        return await answer(path, body, new AbortController().signal);
    } catch (error) {
        if (error.status !== 422) throw error;
        const { message, boxes, messages } = error;
        return { error: message, boxes, ...(messages && { messages }) };
    }
}"""


def as_json(puzzle: Grid | Puzzle) -> dict[str, Any]:
    return (Puzzle(puzzle) if isinstance(puzzle, Grid) else puzzle).to_json()


def asked(page: Any, path: str, puzzle: Grid | Puzzle | None = None, **body: Any) -> Any:
    """The answer of the playground to a question, as the page asks it; its "error" if refused."""
    about = {} if puzzle is None else {"puzzle": as_json(puzzle)}
    return page.evaluate(ASKED, [f"/{path}", about | body])


def unhurried(page: Any) -> None:
    """No clock stops a program: neither soon after a wrong answer, nor by its time limit."""
    page.evaluate("window.setTimeout = () => 0")
    page.evaluate("AbortSignal.timeout = () => new AbortController().signal")


class Served(SimpleHTTPRequestHandler):
    """The files of a folder, to a browser that may take the server for a proxy."""

    asked: ClassVar[list[str]]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.path = urlsplit(self.path).path
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a server for the folder, and a list of all that it is asked for."""

    class Here(Served):
        asked: ClassVar[list[str]] = []

    def handler(*arguments: object) -> Served:
        return Here(*arguments, directory=str(folder))  # type: ignore[arg-type]

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", Here.asked
        finally:
            server.shutdown()
            thread.join()
