"""Messages that reach the page: none names our modules, or files that a reader does not see."""

from __future__ import annotations

import re

import pytest
from helpers.puzzles import TWO
from helpers.serving import asked

from pylogic_sudoku.errors import InvalidProblem, Message
from pylogic_sudoku.page import app
from pylogic_sudoku.page.plain import plain, plain_message

INTERNAL = re.compile(r"pylogic_sudoku\.|sudoku_grader|pls_|weak import|\bmain\.(pl|lp)")
WEAK = "main.pl:3: Local definition of user:size/1 overrides weak import from sudoku_grader"
RAW = [
    WEAK,
    "Warning: main.lp:3:1: something",
    "sudoku_grader:answer/1 is missing",
    "expected one of pylogic_sudoku.rules, or its JSON, such as {'rule': 'anti_knight'}",
    "pylogic_sudoku.rules.KINDS has it",
]


@pytest.mark.parametrize("text", RAW)
def test_nothing_internal_is_left(text):
    assert INTERNAL.search(text)
    assert not INTERNAL.search(plain(text))
    assert plain("mine.lp:3: atom does not occur: q(X)") == "mine.lp:3: atom does not occur: q(X)"


def test_a_message_about_a_file_out_of_sight_has_no_place():
    found = plain_message(Message(RAW[2], file="main.pl", line=3, column=1))
    assert (found.file, found.line, found.column) == ("", None, None)
    kept = Message("syntax error", file="mine.pl", line=3, column=1)
    assert plain_message(kept) == kept


@pytest.mark.parametrize("rule", [{"rule": "nosuch"}, {"kind": 1}, [1]])
def test_a_rule_that_is_not_known(client, rule):
    puzzle = {"box": [2, 2], "rows": [[0] * 4] * 4, "rules": [rule]}
    assert not INTERNAL.search(str(asked(client, "rules", 422, puzzle=puzzle)))


def test_errors_and_warnings_of_every_question(client, monkeypatch):
    async def broken(*_arguments, **_options):
        error = InvalidProblem(WEAK)
        error.messages = error.warnings = [Message(WEAK, file="main.pl", line=3)]
        raise error

    monkeypatch.setattr(app.to_process, "run_sync", broken)
    answer = asked(client, "solve", 422, puzzle=TWO)
    assert answer["error"].startswith("size/1 replaces a predicate")
    assert {*answer["messages"][0]} == {*answer["warnings"][0]} == {"text", "message"}
    assert not INTERNAL.search(str(answer))
