"""What each platform accepts, written by hand from its documents: schemas, and a check of XML."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

NUMBER, TEXT = {"type": "number", "minimum": 0}, {"type": "string"}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}


def record(required: str, /, **properties: Any) -> dict[str, Any]:
    """An object that has these members and no others."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


GRADESCOPE = record(
    "tests",
    score=NUMBER,
    execution_time=NUMBER,
    output=TEXT,
    output_format=FORMAT,
    visibility=VISIBILITY,
    stdout_visibility=VISIBILITY,
    tests={
        "type": "array",
        "items": record(
            "score max_score name",
            score=NUMBER,
            max_score=NUMBER,
            status={"enum": ["passed", "failed"]},
            name=TEXT,
            name_format=FORMAT,
            number=TEXT,
            output=TEXT,
            output_format=FORMAT,
            visibility=VISIBILITY,
        ),
    },
)
CLASSROOM = record(
    "version status max_score tests",
    version={"const": 1},
    status={"enum": ["pass", "fail", "error"]},
    max_score=NUMBER,
    tests={
        "type": "array",
        "items": record(
            "name status score",
            name=TEXT,
            status={"enum": ["pass", "fail", "error"]},
            message={"type": ["string", "null"]},
            test_code=TEXT,
            filename=TEXT,
            line_no={"type": "integer"},
            score=NUMBER,
            execution_time=TEXT,
        ),
    },
)
EXERCISM = {
    **record(
        "version status",
        version={"const": 2},
        status={"enum": ["pass", "fail", "error"]},
        message={"type": ["string", "null"], "maxLength": 65535},
        tests={
            "type": "array",
            "items": record(
                "name status test_code",
                name=TEXT,
                status={"enum": ["pass", "fail", "error"]},
                message={"type": ["string", "null"]},
                output={"type": ["string", "null"], "maxLength": 500},
                test_code=TEXT,
            ),
        },
    ),
    "if": {"properties": {"status": {"const": "error"}}},
    "then": {"properties": {"message": {"type": "string", "minLength": 1}}},
    "else": {"properties": {"message": {"type": "null"}}, "required": ["tests"]},
}
REWARD = record("reward", reward={"type": "number", "minimum": 0, "maximum": 1})
CODERUNNER = record(
    "fraction",
    fraction={"type": "number", "minimum": 0, "maximum": 1},
    prologuehtml=TEXT,
    testresults={"type": "array", "items": {"type": "array"}},
    columnformats={"type": "array", "items": {"enum": ["%s", "%h"]}},
    epiloguehtml=TEXT,
)
_MESSAGE = record("format description", format=TEXT, description=TEXT, permission=TEXT)
_STATUS = record(
    "enum",
    human=TEXT,
    enum={
        "enum": [
            *("internal error", "compilation error", "memory limit exceeded"),
            *("time limit exceeded", "output limit exceeded", "runtime error"),
            *("wrong", "wrong answer", "correct", "correct answer"),
        ]
    },
)
DODONA = {
    "start-judgement": record("command", command=TEXT),
    "start-tab": record("command title", command=TEXT, title=TEXT),
    "start-context": record("command", command=TEXT, description=_MESSAGE),
    "start-testcase": record("command description", command=TEXT, description=_MESSAGE),
    "start-test": record("command expected", command=TEXT, expected=TEXT),
    "append-message": record("command message", command=TEXT, message=_MESSAGE),
    "close-test": record("command status generated", command=TEXT, generated=TEXT, status=_STATUS),
    "close-testcase": record("command", command=TEXT),
    "close-context": record("command", command=TEXT),
    "close-tab": record("command", command=TEXT),
    "close-judgement": record("command", command=TEXT),
}

# JUnit XML as the plugin xUnit of Jenkins wants it: for each element its attributes, those that
# are required first, and the elements it may hold.
_JUNIT = {
    "testsuites": (0, "name time tests failures errors", "testsuite"),
    "testsuite": (4, "name tests failures errors time skipped", "properties testcase"),
    "properties": (0, "", "property"),
    "property": (2, "name value", ""),
    "testcase": (1, "name time classname", "skipped error failure system-out"),
    "skipped": (0, "type message", ""),
    "error": (0, "type message", ""),
    "failure": (0, "type message", ""),
    "system-out": (0, "", ""),
}


def check_junit(element: Element) -> None:
    """Fail if the element, or one in it, is not as it should be."""
    number, attributes, children = _JUNIT[element.tag]
    names = attributes.split()
    assert set(names[:number]) <= set(element.keys()) <= set(names), element.tag
    if element.get("time"):
        assert re.fullmatch(r"\d+\.\d{3}", element.attrib["time"])
    for child in element:
        assert child.tag in children.split(), (element.tag, child.tag)
        check_junit(child)
