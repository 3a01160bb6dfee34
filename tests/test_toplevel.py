"""The Prolog program at a real prompt, in a terminal of its own, as a person types."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import pexpect
import pytest
from helpers.processes import terminal
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.running.prolog import swipl

ROOT = Path(__file__).resolve().parent.parent
PROMPT = r"\d+ \?- $"
OURS = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
OPEN = (sys.executable, "-m", "pylogic_sudoku", "program", "prolog", "--open")


def typed(line: str) -> str:
    """The query about a puzzle of a blog post, line by line, as it prints it."""
    rows = [",".join(line[at : at + 9]).replace(".", "_") for at in range(0, 81, 9)]
    grid = ",\n".join(f"    [{row}]" for row in rows)
    return f"Puzzle = [\n{grid}], Puzzle = [A,B,C,D,E,F,G,H,I], sudoku(Puzzle)."


def printed(line: str) -> str:
    """The answer that it prints."""
    rows = [", ".join(line[at : at + 9]) for at in range(0, 81, 9)]
    return ",\n".join(f"{name} = [{row}]" for name, row in zip("ABCDEFGHI", rows, strict=True))


class Toplevel:
    """A Prolog prompt."""

    def __init__(self, *command: object, env: Mapping[str, str] = OURS) -> None:
        self.child = terminal(
            *map(str, command),
            env={**env, "TERM": "dumb"},
            encoding="utf-8",
            echo=False,
            dimensions=(50, 200),
        )
        self.greeting = self._answer()

    def ask(self, query: str, first: str = "") -> str:
        """Return the output between the query and the next prompt.

        The prompt must come by itself, unless the search has more to try after the `first` answer.
        """
        for line in query.splitlines():
            self.child.sendline(line)
        if first:
            self.child.expect_exact(f"{first} ")
            self.child.send(".")  # no more answers, please
            self.child.expect(PROMPT)
            return first
        return self._answer()

    def halt(self) -> int | None:
        self.child.sendline("halt.")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

    def close(self) -> None:
        self.child.close(force=True)

    def _answer(self) -> str:
        self.child.expect(PROMPT)
        return self.child.before.replace("\r", "")


@pytest.fixture
def toplevel():
    started = []

    def start(*command: object) -> Toplevel:
        started.append(Toplevel(*command))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_queries_of_the_blog_post(toplevel):
    prolog = toplevel(swipl(), ROOT / "prolog" / "sudoku.pl")
    *known, (puzzle, answer) = list(PRINTED.items())[:3]
    for easy, solution in known:  # without a guess
        said = prolog.ask(typed(easy))
        assert said.rstrip().endswith(f"{printed(solution)}.")
        assert "Warning" not in said
    *_, last = printed(answer).splitlines()
    assert prolog.ask(typed(puzzle), first=last) == last
    assert prolog.halt() == 0


def test_queries_at_the_head_of_the_program(toplevel):
    program = ROOT / "prolog" / "sudoku.pl"
    head = program.read_text().partition("% Paradigm:")[0]
    sessions = re.findall(r"%   \?- (.*\.)\n((?:%   [^?\n]*\n)+)", head)
    assert len(sessions) == 5
    prolog = toplevel(swipl(), program)
    for query, answer in sessions:
        said = prolog.ask(query)
        assert said.strip() == answer.replace("%   ", "").strip()
    assert prolog.halt() == 0


@pytest.mark.parametrize(
    "command",
    [
        (swipl(), ROOT / "prolog" / "sudoku_prompt.pl"),
        (*OPEN, "-p", "queens", "4"),
    ],
    ids=["prompt", "open"],
)
def test_a_wrong_query_leads_back_to_the_prompt(toplevel, command):
    prolog = toplevel(*command)
    for _ in range(2):
        assert "Unknown procedure: no_such_thing/1" in prolog.ask("no_such_thing(1).")
        assert "not sufficiently instantiated" in prolog.ask("X is Y + 1.")
    assert prolog.halt() == 0


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("names", [["sudoku_prompt"], ["sudoku_prompt", "sudoku_asp"]])
def test_queries_at_the_head_of_the_other_programs(toplevel, monkeypatch, names):
    monkeypatch.setitem(OURS, "VIRTUAL_ENV", sys.prefix)
    files = [ROOT / "prolog" / f"{name}.pl" for name in names]
    head = files[-1].read_text()
    [command] = re.findall(r"^    \$ swipl ((?:\S+\.pl ?)+)", head, re.MULTILINE)
    assert command.split() == [f"prolog/{name}.pl" for name in names]
    queries = re.findall(r"^    \?- (.*)\.(?: +%.*)?$", head, re.MULTILINE)
    assert len(queries) == (3 if "sudoku_asp" in names else 6)
    prolog = toplevel(swipl(), *files)
    for query in queries:
        said = prolog.ask(f"once(({query})).")
        assert not re.search(r"ERROR|Warning|^false\.", said, re.MULTILINE), (query, said)
    assert prolog.halt() == 0


def test_the_greeting_offers_only_what_is_there(toplevel):
    prolog = toplevel(swipl(), ROOT / "prolog" / "sudoku_prompt.pl")
    offered = re.findall(r"\?- (.*?)\.(?: |$)", prolog.greeting, re.MULTILINE)
    *queries, _halt = [query for query in offered if "Topic" not in query]
    assert queries
    if "help(Topic)" in prolog.greeting:
        queries.append("help(append)")
    for query in queries:
        said = prolog.ask(f"once(({query})).")
        assert not re.search(r"ERROR|Warning|^false\.", said, re.MULTILINE), (query, said)
    assert prolog.halt() == 0


def test_only_what_is_documented_is_in_the_namespace_of_the_user(toplevel):
    prolog = toplevel(swipl(), ROOT / "prolog" / "sudoku.pl")
    said = prolog.ask(
        "setof(N/A, H^M^(predicate_property(H, imported_from(M)),"
        " memberchk(M, [sudoku,sudoku_house]), functor(H, N, A)), L), print(L), nl."
    )
    names = (
        "[every_digit/1,sudoku/1,sudoku/2,sudoku/3,sudoku_rules/1,sudoku_rules/2,sudoku_rules/3]"
    )
    assert names in said
    for name in ("problem/2", "get/3", "cells/3", "print_grid/1", "sudoku_search/2"):
        assert "false." in prolog.ask(f"catch(current_predicate({name}), _, fail).")
    assert prolog.halt() == 0


RULES = [
    {"rule": "killer_cage", "cells": "r1c1 r1c2 r2c2", "sum": 8},
    {"rule": "thermometer", "cells": "r4c1 r3c2 r2c3"},
    {"rule": "odd_ends", "cells": "r4c3 r4c4"},
]
OWN = "rule(odd_ends, F, G) :- cells(F, G, [A,B]), (A + B) mod 2 #= 0.\n"
MARKS = {"r1c2": [2, 3], "r1c1": "odd"}
JIGSAW = Puzzle(Grid.parse("1..............2"), regions="1112122233343444", marks=MARKS)
PROMPTS = {
    "no puzzle": (
        *((), "problem(1, Rows)", r"2 7 6 \| 8 9 5 \| 4 3 1"),
        *(r"Candidates = \[\[\[2\], ", r"Reason = because\(7, \["),
    ),
    "a puzzle": (
        *(("1..4.....3......",), "puzzle(Rows)", r"1 2 \| 3 4\n3 4 \| [12] [12]\n-+\+-+\n"),
        *(r"Candidates = \[\[\[1\], ", r"Reason = because\(2, \["),
    ),
    "boxes that are not square": (
        *(("--box", "2x3", "1....6" + "." * 24 + "6....1"), "puzzle(Rows, Shape)"),
        *(r"^1( \d){2} \| (\d ){2}6$", r"Candidates = \[\[\[1\], ", "Reason = not_forced"),
    ),
    "regions and marks": (
        *((JIGSAW.format("json"),), "puzzle(Rows, Shape)", r"^1 [23] [234]\|[34]\n  - - *$"),
        *(r"Candidates = \[\[\[1\], \[2, 3\], ", "Reason = "),
    ),
    "rules": (
        *(("--rule", "odd_ends.pl", json.dumps({"grid": "." * 16, "rules": RULES})),),
        *("puzzle(Rows, Shape, Rules)", r"1 3 \| 4 2", r"Candidates = \[\[\[", "Reason = "),
    ),
}
"""The command line, the beginning of queries, and the output of the first three of them."""


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", PROMPTS)
def test_every_query_that_our_prompt_offers_has_an_answer(toplevel, tmp_path, monkeypatch, name):
    arguments, rows, *answers = PROMPTS[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd_ends.pl").write_text(OWN)
    prolog = toplevel(*OPEN, *arguments)
    assert "ERROR" not in prolog.greeting
    *queries, halt = re.findall(r"\?- (.*)\.", prolog.greeting)
    library = "use_module(library(sudoku_asp))"
    assert (library in queries) == (name != "rules")  # which it does not know
    for query, answer in zip_longest(queries, answers, fillvalue=""):
        assert query == library or query.startswith(f"{rows}, ")
        said = prolog.ask(f"once(({query})).")
        assert not re.search(r"ERROR|Warning|^false\.", said, re.MULTILINE), query
        assert re.search(answer, said, re.MULTILINE), query
    assert (halt, prolog.halt()) == ("halt", 0)


def test_what_has_no_solution_is_false_and_a_trace_ends_in_the_solution(toplevel):
    marked = '{"grid": [[2, null], [null, null]], "box": [1, 2], "marks": {"r1c1": "odd"}}'
    prolog = toplevel(*OPEN, marked)
    assert "false." in prolog.ask("puzzle(Rows).")
    said = prolog.ask("Rows = [[1,_,_,4],[_,_,_,_],[_,_,3,_],[_,_,_,_]], trace_sudoku(Rows).")
    assert "3 2 | 4 1\nRows = [[1, 3, 2, 4], [2, 4, 1, 3], [4, 1, 3, 2], [3, 2, 4, 1]]." in said
    assert "false." in prolog.ask("trace_sudoku([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]]).")
    assert prolog.halt() == 0
