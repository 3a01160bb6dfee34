"""The formats that each platform accepts, from its documents: schemas, and a check of XML."""

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
CODERUNNER = record(
    "fraction",
    fraction={"type": "number", "minimum": 0, "maximum": 1},
    prologuehtml=TEXT,
    testresults={"type": "array", "items": {"type": "array"}},
    columnformats={"type": "array", "items": {"enum": ["%s", "%h"]}},
    epiloguehtml=TEXT,
    instructorhtml=TEXT,
)

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
