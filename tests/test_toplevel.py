"""The Prolog program at a real prompt, in a terminal of its own, as a person types."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pexpect
import pytest
from helpers.oracle import all_solutions
from helpers.processes import terminal
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.prolog.swipl import swipl

ROOT = Path(__file__).resolve().parent.parent
PROMPT = r"\d+ \?- $"
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


CONTRADICTION = '{"grid": [[2, null], [null, null]], "box": [1, 2], "marks": {"r1c1": "odd"}}'
FOUR_SOLVED = re.compile(r"1 2 \| 3 4\n3 4 \| [12] [12]\n-+\+-+\n")


class Toplevel:
    """A Prolog prompt."""

    def __init__(self, command: str, *arguments: str) -> None:
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self._child = terminal(
            command,
            *arguments,
            env={**os.environ, "TERM": "dumb", "PYTHONPATH": path},
            encoding="utf-8",
            echo=False,
            dimensions=(50, 200),
        )
        self.greeting = self._answer()

    def ask(self, query: str, first: str = "") -> str:
        """What is printed between the query and the next prompt.

        The prompt must come by itself, unless the search has more to try after the `first` answer.
        """
        for line in query.splitlines():
            self._child.sendline(line)
        if first:
            self._child.expect_exact(f"{first} ")
            self._child.send(".")  # no more answers, please
            self._child.expect(PROMPT)
            return first
        return self._answer()

    def halt(self) -> int | None:
        self._child.sendline("halt.")
        self._child.expect(pexpect.EOF)
        self._child.close()
        return self._child.exitstatus

    def close(self) -> None:
        self._child.close(force=True)

    def _answer(self) -> str:
        self._child.expect(PROMPT)
        return self._child.before.replace("\r", "")


@pytest.fixture
def toplevel():
    started = []

    def start(command: object, *arguments: object) -> Toplevel:
        started.append(Toplevel(str(command), *map(str, arguments)))
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


def test_our_prompt_with_a_puzzle(toplevel):
    prolog = toplevel(*OPEN, "1..4.....3......")
    assert "?- puzzle(Rows), sudoku(Rows), print_grid(Rows)." in prolog.greeting
    said = prolog.ask("puzzle(R), sudoku(R), !, print_grid(R).")
    assert FOUR_SOLVED.search(said)
    said = prolog.ask("aggregate_all(count, (puzzle(R), sudoku(R)), Solutions).")
    assert "Solutions = 3." in said
    said = prolog.ask("Rows = [[1,_,_,4],[_,_,_,_],[_,_,3,_],[_,_,_,_]], trace_sudoku(Rows).")
    assert "Rows = [[1, _, _, 4]" in said  # nothing is bound
    assert "false." in prolog.ask("trace_sudoku([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]]).")
    assert prolog.halt() == 0


def test_our_prompt_with_boxes_that_are_not_square(toplevel):
    puzzle = "1....6" + "." * 24 + "6....1"
    prolog = toplevel(*OPEN, "--box", "2x3", puzzle)
    query, *others = re.findall(r"\?- (puzzle\(.*\)\.)", prolog.greeting)
    assert others == [
        "puzzle(Rows, Shape), candidates(Rows, Shape, Candidates).",
        "puzzle(Rows, Shape), explain(Rows, Shape, cell(1,2), Reason).",
        "puzzle(Rows, Shape), trace_sudoku(Rows, Shape).",
        "puzzle(Rows, Shape), asp_sudoku(Rows, Shape).",
    ]
    assert query == "puzzle(Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape)."
    said = prolog.ask(query.replace("sudoku(Rows, Shape)", "once(sudoku(Rows, Shape))"))
    assert re.search(r"^1( \d){2} \| (\d ){2}6$", said, re.MULTILINE)
    assert prolog.halt() == 0


RUN = "from pylogic_sudoku import Puzzle; from pylogic_sudoku.engines.prolog import swipl"


def test_our_prompt_with_regions_and_marks(toplevel):
    grid = Grid.parse("1..............2")
    marks = {"r1c2": [2, 3], "r1c1": "odd"}
    puzzle = Puzzle(grid, regions="1112122233343444", marks=marks)
    code = f"{RUN}; swipl.run(Puzzle.parse({puzzle.format('json')!r}))"
    prolog = toplevel(sys.executable, "-c", code)
    solve, candidates, why, *_ = re.findall(r"\?- (puzzle\(.*\)\.)", prolog.greeting)
    assert solve == "puzzle(Rows, Shape), sudoku(Rows, Shape), print_grid(Rows, Shape)."
    said = prolog.ask(solve.replace("sudoku(Rows, Shape)", "once(sudoku(Rows, Shape))"))
    assert re.search(r"^1 [23] [234]\|[34]\n  - - *$", said, re.MULTILINE)
    assert "Candidates = [[[1], [2, 3], " in prolog.ask(candidates)
    assert "Reason = " in prolog.ask(why)
    assert "ERROR" not in prolog.ask("use_module(library(sudoku_asp)).")
    same = "setof(R, S^(puzzle(R, S), {}(R, S)), Found), length(Found, Number)."
    numbers = [prolog.ask(same.format(name)) for name in ("sudoku", "asp_sudoku")]
    expected = len(list(all_solutions(puzzle)))
    assert [int(re.search(r"Number = (\d+)\.", number)[1]) for number in numbers] == [expected] * 2
    assert prolog.halt() == 0


def test_our_prompt_with_rules(toplevel, tmp_path):
    rules = [{"rule": "killer_cage", "cells": "r1c1 r1c2 r2c2", "sum": 8}]
    rules += [{"rule": "thermometer", "cells": "r4c1 r3c2 r2c3"}, {"rule": "odd_ends"}]
    rules[-1]["cells"] = "r4c3 r4c4"
    own = tmp_path / "odd_ends.pl"
    own.write_text("rule(odd_ends, F, G) :- cells(F, G, [A,B]), (A + B) mod 2 #= 0.\n")
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"grid": "." * 16, "rules": rules}))
    command = (*OPEN, "--rule", own, file)
    prolog = toplevel(*command)
    solve, candidates, why, _ = re.findall(r"\?- (puzzle\(.*\)\.)", prolog.greeting)
    assert "ERROR" not in prolog.greeting
    assert "asp_sudoku" not in prolog.greeting
    assert (
        solve == "puzzle(Rows, Shape, Rules), sudoku(Rows, Shape, Rules), print_grid(Rows, Shape)."
    )
    assert "3 1 | 2 4" in prolog.ask(
        solve.replace("sudoku(", "once(sudoku(").replace("Rules), p", "Rules)), p")
    )
    assert "Candidates = [[[" in prolog.ask(candidates)
    assert "Reason = " in prolog.ask(why)
    assert prolog.halt() == 0


def test_a_marked_given_that_contradicts_itself(toplevel):
    code = f"{RUN}; swipl.run(Puzzle.parse({CONTRADICTION!r}))"
    prolog = toplevel(sys.executable, "-c", code)
    assert "false." in prolog.ask("puzzle(Rows).")
    assert prolog.halt() == 0


def test_our_prompt_without_a_puzzle(toplevel):
    prolog = toplevel(*OPEN)
    solve, candidates, why, *_ = re.findall(r"\?- (problem\(.*\)\.)", prolog.greeting)
    assert "2 7 6 | 8 9 5 | 4 3 1" in prolog.ask(solve)
    assert "Candidates = [[[2], " in prolog.ask(candidates)
    assert "Reason = because(7, [" in prolog.ask(why)
    assert "?- use_module(library(sudoku_asp)).\n" in prolog.greeting
    assert "ERROR" not in prolog.ask("use_module(library(sudoku_asp)).")
    assert prolog.halt() == 0
