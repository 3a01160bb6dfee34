"""The tools for agents: the package's own client asks the server for a counterexample."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

import pytest
from helpers.programs import need_sandbox
from mcp import Client, StdioServerParameters

from pylogic_sudoku.check.reports import TEMPLATES
from pylogic_sudoku.check.trial import CHARACTERS
from pylogic_sudoku.errors import InvalidProblem, SudokuError
from pylogic_sudoku.mcp import TOOLS as NAMES
from pylogic_sudoku.mcp import Tools
from pylogic_sudoku.problem.folder import Problem

ASP = Problem("queens").path("clingo").read_text(encoding="utf-8")
WRONG = ASP.replace("D = 1-N..N-1", "D = 0..N-1")
TOOLS = Tools("auto")


def asked(*calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """The answers of a server of its own, each with True for an error."""

    async def ask() -> list[tuple[bool, str]]:
        command = ["-m", "pylogic_sudoku", "mcp", "--sandbox", "auto"]
        server = StdioServerParameters(command=sys.executable, args=command)
        found = []
        async with Client(server) as client:
            listed = await client.list_tools()
            assert [tool.name for tool in listed.tools] == list(NAMES)
            for tool in listed.tools:
                assert tool.description
                for name, field in tool.input_schema["properties"].items():
                    assert field["description"], (tool.name, name)
            for name, arguments in calls:
                answer = await client.call_tool(name, arguments)
                text = "".join(getattr(each, "text", "") for each in answer.content)
                found.append((bool(answer.is_error), text))
        return found

    return asyncio.run(ask())


@pytest.mark.slow
def test_a_wrong_program_gets_a_counterexample_and_a_line():
    line = next(n for n, text in enumerate(WRONG.splitlines(), 1) if "D = 0..N-1" in text)
    pair = [{"language": "asp", "text": WRONG}, {"language": "prolog", "text": ""}]
    graded, compared, solved, refused = asked(
        ("check", {"problem": "queens", "program": WRONG, "instances": ["size(4)."]}),
        ("compare", {"problem": "queens", "programs": pair, "instances": ["size=1", "size=4"]}),
        ("solve", {"problem": "queens", "instance": "size=4", "language": "prolog"}),
        ("check", {"problem": "quens", "program": WRONG}),
    )
    assert not graded[0]
    (result,) = json.loads(graded[1])["results"]
    assert (result["outcome"], result["extra"]) == ("failure", 2)
    assert result["diagnosis"]["places"][0]["line"] == line
    found = json.loads(compared[1])
    assert (found["agree"], found["instance"], found["answers"]) == (False, "size=4", [4, 2])
    assert (found["only_in"], found["refused_by"]) == ("program1", "program2")
    assert found["why"]["places"]
    assert len(json.loads(solved[1])["answers"]) == 2
    assert refused[0]
    assert "did you mean 'queens'?" in refused[1]


def test_programs_for_no_problem_of_ours_are_compared():
    pair = [
        {"language": "asp", "text": "{ q(1..N) } = 1 :- n(N). #show q/1."},
        {
            "language": "prolog",
            "text": ":- use_module(library(clpfd)).\nmodel([q-X]) :- n(N), X in 1..N, X #\\= 2.",
        },
    ]
    found = TOOLS.compare(pair, ["n(1).", "n(2)."])
    assert not found["agree"]
    assert (found["instance"], found["facts"]) == ("n(2).", "q(2).")
    assert found["why"]["places"][0]["line"] == 2
    assert TOOLS.compare(pair, ["n(1)."]) == {"agree": True, "answers": {"n(1).": 1}}


@pytest.mark.slow
def test_more_answers_than_the_limit_are_no_agreement():
    pair = [{"text": "{ a(1..9) } = 1. #show a/1."}, {"text": "{ a(11..19) } = 1. #show a/1."}]
    found = TOOLS.compare(pair, limit=3)
    assert found["agree"] is None
    assert TOOLS.compare(pair)["agree"] is False


def test_answers_are_limited_and_the_rest_is_said_to_be_missing():
    found = TOOLS.solve(program="{ a(1..9) } = 1. #show a/1.", limit=3)
    assert (len(found["answers"]), found["complete"], found["error"]) == (3, False, "")
    assert TOOLS.solve(program="a(1.", outputs=["a/1"])["error"]


@pytest.mark.parametrize("language", ["asp", "prolog"])
def test_what_is_certain_is_apart_from_what_is_possible(language):
    found = TOOLS.propagate(problem="set_cover", instance="radio", language=language)
    assert (len(found["atoms"]), found["error"]) == (5, "")
    assert found["certain"] == ["select(kfive)", "select(kthree)"]
    none = TOOLS.propagate(problem="set_cover", instance="open", language=language)
    assert none == {"atoms": None, "certain": None, "error": ""}


def test_what_an_endless_program_knows_is_not_known():
    endless = {"program": "model(P) :- model(P).", "language": "prolog", "outputs": ["a/1"]}
    found = TOOLS.propagate(**endless, timeout=0.3)
    assert found == {"atoms": None, "certain": None, "error": "no answer within 0.3 s"}
    broken = TOOLS.propagate(program="a(", outputs=["a/1"])
    assert "syntax error" in broken["error"]


def test_an_endless_program_is_stopped():
    found = TOOLS.solve(
        program="model(P) :- model(P).", language="prolog", outputs=["a/1"], timeout=0.3
    )
    assert found["error"]
    assert not found["answers"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "expected the text of a program"),
        ({"program": "a.", "outputs": ["a/0"], "limit": 0}, "limit is 0"),
        ({"program": "a.", "timeout": 0}, "nothing says what answers consist of"),
        ({"program": "a.", "outputs": ["a"]}, "not a predicate"),
        ({"program": "a.", "outputs": ["a/0"], "timeout": 1000}, "timeout is 1000"),
        ({"program": "a" * (CHARACTERS + 1)}, "characters"),
        ({"problem": "queens", "instance": "size("}, "instance"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said):
    with pytest.raises((SudokuError, ValueError), match=said):
        TOOLS.solve(**arguments)


def test_no_program_and_too_many_instances_are_not_graded():
    for program in ("", " \n"):
        with pytest.raises(ValueError, match="there is no program to check"):
            TOOLS.check("queens", program)
    with pytest.raises(ValueError, match="there are 51 instances; expected at most 50"):
        TOOLS.check("queens", ASP, instances=["size=1"] * 51)


@pytest.mark.slow
def test_fifty_instances_are_graded():
    found = TOOLS.check("queens", ASP, instances=["size=1"] * 50)
    assert (found["total"]["instances"], found["total"]["passed"]) == (50, 50)


def test_an_answer_with_two_costs_is_a_difference():
    text = "{{ q(1..N) }} = 1 :- n(N). #minimize {{ {}X : q(X) }}. #show q/1."
    pair = [{"language": "asp", "text": text.format(factor)} for factor in ("", "2*")]
    found = TOOLS.compare(pair, ["n(3)."])
    assert (found["agree"], found["instance"], found["facts"]) == (False, "n(3).", "q(1).")
    assert found["costs"] == [[1], [2]]
    assert TOOLS.compare([pair[0], pair[0]], ["n(3)."])["agree"]


def test_two_programs_are_compared_and_no_other_number():
    with pytest.raises(ValueError, match="expected two"):
        TOOLS.compare([{"text": "a."}])
    with pytest.raises(ValueError, match="no language 'c'"):
        TOOLS.compare([{"language": "c", "text": "a."}, {"text": "a."}])


def test_a_program_reads_no_file_of_ours():
    need_sandbox()
    found = TOOLS.solve(
        program=f'#include "{Problem("queens").path("clingo")}".', outputs=["queen/2"]
    )
    assert "outside the program's own folder" in found["error"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"program": "p(1).", "instance": "größe(1)."}, "instance:1:3: the character 'ö' is not"),
        ({"program": "p(1).", "instance": "a(\ud800)."}, "is half a character"),
        ({"program": "p(1). % \ud800", "instance": "a."}, "is half a character"),
    ],
)
def test_texts_that_are_none_are_refused(settings, words):
    with pytest.raises(InvalidProblem, match=re.escape(words)):
        TOOLS.solve(**settings, outputs=["p/1"])


# --- loading, guides, progress, errors -----------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "language", "errors", "warnings"),
    [
        ("a(1..9). #show a/1.", "asp", [], []),
        ("a(1..900000000). #show a/1.", "asp", [], []),
        ("a(1.", "asp", ["program.lp:1:4: syntax error"], []),
        ("b(1).\na(X) :- not b(X).", "asp", ["program.lp:2:1: unsafe variables"], []),
        ("model([a-1]).", "prolog", [], []),
        ("answer([a]) :- repeat.", "prolog", [], []),
        ("model([a-X]) :- Y = 1.", "prolog", [], ["program.pl:1: Singleton variables: [X,Y]"]),
        ("model([a-X] :- b.", "prolog", ["program.pl:1:"], []),
        ("modell([a-1]).", "prolog", ["there is no predicate model/1"], []),
    ],
)
def test_a_program_is_loaded_and_asked_nothing(program, language, errors, warnings):
    found = TOOLS.load(program, language)
    assert found["loads"] == (not errors)
    for messages, words in ((found["errors"], errors), (found.get("warnings", []), warnings)):
        assert [len(messages)] == [len(words)], found
        assert all(
            each in message["message"] for each, message in zip(words, messages, strict=True)
        )


def test_no_program_is_not_loaded():
    with pytest.raises(ValueError, match="there is no program to load"):
        TOOLS.load(" ")


@pytest.mark.slow
def test_agents_get_guides_progress_and_plain_errors():
    async def ask() -> tuple[Any, ...]:
        command = ["-m", "pylogic_sudoku", "mcp", "--sandbox", "auto"]
        server = StdioServerParameters(command=sys.executable, args=command)
        told: list[tuple[float, float | None]] = []

        async def progress(done: float, total: float | None, _message: str | None) -> None:
            told.append((done, total))

        async with Client(server) as client:
            listed = await client.list_resources()
            texts = []
            for each in listed.resources:
                (content,) = (await client.read_resource(each.uri)).contents
                texts.append((str(each.uri), getattr(content, "text", "")))
            wrong = {"problem": "queens", "program": "queen(1,1", "instances": ["size=1", "size=2"]}
            graded = await client.call_tool("check", wrong, progress_callback=progress)
            typed = await client.call_tool("solve", {"program": 5, "limit": "many"})
            return texts, told, graded, typed

    texts, told, graded, typed = asyncio.run(ask())
    assert texts == [(f"guide://{name}", guide(name)) for name in ("asp", "prolog")]
    assert told == [(1, 2), (2, 2)]
    said = "".join(getattr(each, "text", "") for each in graded.content)
    assert "program.lp:" in said
    assert "/tmp" not in said
    assert typed.is_error
    refused = "".join(getattr(each, "text", "") for each in typed.content)
    assert refused.startswith("solve: program: Input should be a valid string; limit: ")
    assert "http" not in refused


def guide(language: str) -> str:
    path = TEMPLATES / "guides" / f"{language}.md"
    return path.read_text(encoding="utf-8")


def example(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", guide(language), re.DOTALL)
    return found


def mistakes(language: str) -> list[tuple[str, str, str]]:
    """The title of each mistake, the right piece of the example, and the wrong one."""
    found = []
    for item in re.split(r"\n(?=\d+\. )", guide(language).partition("mistakes\n")[2])[1:]:
        title, rest = re.fullmatch(r"\d+\. \*\*(.+?)\.\*\* (.*)", item, re.DOTALL).groups()
        first, *others = re.findall(r"`([^`]+)`", rest)
        found.append(
            (title, first, "") if rest.startswith("Without") else (title, others[0], first)
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["asp", "prolog"])
def test_the_example_of_a_guide_is_right(language):
    assert len(mistakes(language)) == 10
    found = TOOLS.check("queens", example(language), language)
    assert found["total"]["verdict"] == "SUCCESS", found["text"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "title"),
    [(each, title) for each in ("asp", "prolog") for title, *_ in mistakes(each)],
)
def test_each_mistake_of_a_guide_is_one(language, title):
    (pair,) = ((right, wrong) for each, right, wrong in mistakes(language) if each == title)
    text = example(language)
    assert text.count(pair[0]) == 1
    found = TOOLS.check("queens", text.replace(*pair), language, ["size=4", "size=5"], timeout=5)
    assert found["total"]["passed"] == 0, found["text"]
