"""The programs of a kind of rule, as people read them."""

from __future__ import annotations

import re
from functools import cache

from .._resources import resource
from ._rule import KINDS, Rule

__all__ = ["asp_section", "helpers", "meaning", "prolog_clause"]

_CLAUSE = re.compile(r"^rule\((\w+), ", re.MULTILINE)
_DEFINED = re.compile(r"^([a-z]\w*)\(", re.MULTILINE)
_CALLED = re.compile(r"\b([a-z]\w*)\b")


def asp_section(kind: str) -> str:
    """The text of its section in ``encodings/rules/``, or of a section of one's own."""
    section = KINDS[kind].asp
    if isinstance(section, str):
        return section
    return (section or resource(f"encodings/rules/{kind}.lp")).read_text(encoding="utf-8")


def prolog_clause(kind: str) -> str:
    """Its clause in ``prolog/rules/`` with its comment and what follows up to the next one."""
    clauses = KINDS[kind].prolog
    if isinstance(clauses, str):
        return clauses
    return clauses.read_text(encoding="utf-8") if clauses else _clauses()[kind]


def helpers(kind: str) -> dict[str, list[str]]:
    """The predicates of ``prolog/rules/`` that its clause calls, by the file that has them."""
    if KINDS[kind].prolog is not None:
        return {}
    text = prolog_clause(kind)
    own = set(_DEFINED.findall(text))
    calls = set(_CALLED.findall(re.sub(r"%.*", "", text)))
    found: dict[str, list[str]] = {}
    for path in sorted(resource("prolog/rules").glob("*.pl")):
        defined = set(_DEFINED.findall(path.read_text(encoding="utf-8")))
        if names := sorted((defined & calls) - own):
            found[f"prolog/rules/{path.name}"] = names
    return found


@cache
def _clauses() -> dict[str, str]:
    found = {}
    for path in sorted(resource("prolog/rules").glob("*.pl")):
        text = path.read_text(encoding="utf-8")
        heads = [(each[1], _comment_before(text, each.start())) for each in _CLAUSE.finditer(text)]
        ends = [*(start for _, start in heads[1:]), len(text)][: len(heads)]
        for (kind, start), end in zip(heads, ends, strict=True):
            piece = re.split(r"^% ---", text[start:end], maxsplit=1, flags=re.MULTILINE)[0]
            found[kind] = piece.strip() + "\n"
    return found


def _comment_before(text: str, at: int) -> int:
    """Where the lines of comment right before this line begin; a blank line may follow them."""
    comment = re.search(r"(?:^%.*\n)+\n?\Z", text[:at], re.MULTILINE)
    return comment.start() if comment else at


def meaning(rule: type[Rule]) -> str:
    """What the rule demands: its docstring on one line."""
    return " ".join((rule.__doc__ or "").split())
