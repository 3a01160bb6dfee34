"""The formats that each platform accepts, from its documents: schemas, and a check of XML."""

from __future__ import annotations

import re
from datetime import datetime
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
CODERUNNER = record(
    "fraction",
    fraction={"type": "number", "minimum": 0, "maximum": 1},
    prologuehtml=TEXT,
    testresults={"type": "array", "items": {"type": "array"}},
    columnformats={"type": "array", "items": {"enum": ["%s", "%h"]}},
    epiloguehtml=TEXT,
    instructorhtml=TEXT,
)

_COUNT = {"type": "integer", "minimum": 1}
_WORDS = record("text", text={"type": "string", "minLength": 1})
_LEVEL = {"enum": ["error", "warning", "note", "none"]}
SARIF = record(
    "$schema version runs",
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "minItems": 1,
        "items": record(
            "tool results",
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            tool=record(
                "driver",
                driver=record(
                    "name",
                    name=TEXT,
                    version=TEXT,
                    rules={
                        "type": "array",
                        "uniqueItems": True,
                        "items": record("id", id=TEXT, shortDescription=_WORDS),
                    },
                ),
            ),
            invocations={
                "type": "array",
                "items": record(
                    "executionSuccessful",
                    executionSuccessful={"type": "boolean"},
                    toolExecutionNotifications={
                        "type": "array",
                        "items": record("message", level=_LEVEL, message=_WORDS),
                    },
                ),
            },
            results={
                "type": "array",
                "items": record(
                    # Code scanning of GitHub shows what has a place, and no other result.
                    "message ruleId level locations",
                    ruleId=TEXT,
                    level=_LEVEL,
                    message=_WORDS,
                    locations={
                        "type": "array",
                        "minItems": 1,
                        "items": record(
                            "physicalLocation",
                            physicalLocation=record(
                                "artifactLocation",
                                artifactLocation=record(
                                    "uri", uri={"type": "string", "pattern": r"^[!-~]+$"}
                                ),
                                region=record("startLine", startLine=_COUNT, startColumn=_COUNT),
                            ),
                        ),
                    },
                ),
            },
        ),
    },
)

# JUnit XML as the plugin xUnit of Jenkins wants it: for each element its attributes, those that
# are required first, and the elements it may hold.
_JUNIT = {
    "testsuites": (0, "name time tests failures errors", "testsuite"),
    "testsuite": (
        *(4, "name tests failures errors time skipped timestamp hostname"),
        "properties testcase",
    ),
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
    if stamp := element.get("timestamp"):
        datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S")  # without a zone, as the schema has it
    for child in element:
        assert child.tag in children.split(), (element.tag, child.tag)
        check_junit(child)
