"""The page, served by a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from helpers.processes import PATIENCE
from pylogic_sudoku import Puzzle

COMMAND = [sys.executable, "-m", "pylogic_sudoku", "serve"]


@contextmanager
def served(
    *options: str, python: str | Path = sys.executable
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address, and the process, which is interrupted at the end if it still runs."""
    process = subprocess.Popen(
        [python, *COMMAND[1:], "--port", "0", *options],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address, process.communicate()
        yield address, process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=PATIENCE)
        except ValueError:
            pass  # the test has read all there was
        finally:
            process.kill()


def ask(address: str, path: str, **body: Any) -> tuple[int, Any]:
    """The status and the answer."""
    address, _, token = address.partition("?token=")
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = Request(f"{address}api/{path}", json.dumps(body).encode(), headers)
    try:
        with urlopen(request) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)


def asked(client: Any, path: str, status: int = 200, **body: Any) -> Any:
    """The answer to a question that the fixture `client` asks, about a `Puzzle` or its JSON."""
    if isinstance(puzzle := body.get("puzzle"), Puzzle):
        body["puzzle"] = puzzle.to_json()
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()
