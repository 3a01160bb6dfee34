"""Pictures taken apart: elements, the points and sides that paths visit, and contrasts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import dist
from xml.etree import ElementTree

import pytest

Point = tuple[float, float]
Element = ElementTree.Element
SVG = "{http://www.w3.org/2000/svg}"


def texts(element: Element) -> list[str]:
    return [text.text or "" for text in element.iter(SVG + "text")]


def traced(d: str) -> list[Point]:
    """The points that a path visits, and for an arc those that it could reach."""
    at = start = (0.0, 0.0)
    found = []
    for way, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        numbers = [float(each) for each in text.split()]
        x, y = at
        if way in "ML":
            at = numbers[0], numbers[1]
            start = at if way == "M" else start
        elif way in "hv":
            at = (x + numbers[0], y) if way == "h" else (x, y + numbers[0])
        elif way == "l":
            at = x + numbers[0], y + numbers[1]
        elif way == "a":
            at = x + numbers[5], y + numbers[6]
            r = numbers[0]
            middle = (x + at[0]) / 2, (y + at[1]) / 2
            assert dist((x, y), at) / 2 == pytest.approx(r, abs=0.02)  # half a circle
            found += [(middle[0] - r, middle[1] - r), (middle[0] + r, middle[1] + r)]
        else:
            assert way == "z"
            at = start
        found.append(at)
    return found


Side = tuple[str, int, int]
"""The way of a side of a cell, and the row and column where it begins, from 0."""


def rim(cells: Iterable[tuple[int, int]]) -> set[Side]:
    """The sides of these cells that no two of them share."""
    found = Counter(
        side
        for row, column in cells
        for side in (
            *(("h", row - 1, column - 1), ("h", row, column - 1)),
            *(("v", row - 1, column - 1), ("v", row - 1, column)),
        )
    )
    return {side for side, times in found.items() if times == 1}


def sides(d: str, origin: Point, side: float) -> set[Side]:
    """The sides of cells along which a path goes."""
    found = set()
    for part in re.findall("M[^M]+", d):
        corners = [
            (round((x - origin[0]) / side), round((y - origin[1]) / side)) for x, y in traced(part)
        ]
        for (x, y), (a, b) in pairwise(corners):
            found |= {("h", y, at) for at in range(min(x, a), max(x, a))}
            found |= {("v", at, x) for at in range(min(y, b), max(y, b))}
    return found


# --- colours ---


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as ``#ffffff``, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """From 1, no contrast, to 21, black on white."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
