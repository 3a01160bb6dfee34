"""The programs of a kind of rule, as people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .._resources import resource
from ._rule import KINDS, Rule, everything

__all__ = ["asp_kernels", "asp_section", "asp_sections", "family", "helpers", "meaning"]
__all__ += ["prolog_clause"]

_SECTION = re.compile(r"^kind\((\w+)\)\.$", re.MULTILINE)
_CLAUSE = re.compile(r"^rule\((\w+), ", re.MULTILINE)
_DEFINED = re.compile(r"^([a-z]\w*)\(", re.MULTILINE)
_CALLED = re.compile(r"\b([a-z]\w*)\b")
_ATOM = re.compile(r"\b([a-z]\w*)\(")


class _Parts(NamedTuple):
    """A file with the programs of several kinds of rules."""

    head: str
    kinds: dict[str, str]
    """The program of each, with its comment and what follows up to the next one."""
    shared: str
    """What comes after a line ``% ---``."""


def family(rule: type[Rule]) -> str:
    """The name that its files in ``encodings/rules/`` and ``prolog/rules/`` have, as its module."""
    return rule.__module__.rpartition("._")[2]


def ours(rules: Iterable[Rule]) -> list[str]:
    """The kinds of these rules, and of those within them, that are ours, in alphabetical order."""
    kinds = {type(rule) for rule in everything(rules)}
    return sorted(kind.kind for kind in kinds if kind.asp is None and kind.prolog is None)


def families(rules: Iterable[Rule]) -> list[str]:
    """The names of the files with these kinds, in alphabetical order."""
    return sorted({family(KINDS[kind]) for kind in ours(rules)})


def asp_section(kind: str) -> str:
    """The text of its section in ``encodings/rules/``, or of a section of one's own."""
    section = KINDS[kind].asp
    if section is None:
        return _asp(family(KINDS[kind])).kinds[kind].strip() + "\n"
    return section if isinstance(section, str) else section.read_text(encoding="utf-8")


def asp_sections(kinds: Iterable[str]) -> Iterator[str]:
    """The files of ``encodings/rules/`` with these kinds, without the sections of all others."""
    wanted = sorted(kinds)
    for name in sorted({family(KINDS[kind]) for kind in wanted}):
        parts = _asp(name)
        sections = (parts.kinds[kind] for kind in wanted if kind in parts.kinds)
        yield "".join((parts.head, *sections, parts.shared))


def asp_kernels(kind: str) -> dict[str, list[str]]:
    """The predicates that its section has in common with others, by the file that reads them."""
    if KINDS[kind].asp is not None:
        return {}
    names = set(_ATOM.findall(_bare(asp_section(kind))))
    names -= set(_ATOM.findall(_bare(resource("encodings/rules.lp").read_text(encoding="utf-8"))))
    texts = {
        f"encodings/kernels/{path.name}": path.read_text(encoding="utf-8")
        for path in sorted(resource("encodings/kernels").glob("*.lp"))
    }
    own = family(KINDS[kind])
    texts[f"encodings/rules/{own}.lp"] = _asp(own).shared
    found = {name: names & set(_ATOM.findall(_bare(text))) for name, text in texts.items()}
    return {name: sorted(shared) for name, shared in found.items() if shared}


def prolog_clause(kind: str) -> str:
    """Its clause in ``prolog/rules/`` with its comment and what follows up to the next one."""
    clauses = KINDS[kind].prolog
    if clauses is None:
        file = resource(f"prolog/rules/{family(KINDS[kind])}.pl")
        return _parts(file, _CLAUSE).kinds[kind].strip() + "\n"
    return clauses if isinstance(clauses, str) else clauses.read_text(encoding="utf-8")


def helpers(kind: str) -> dict[str, list[str]]:
    """The predicates of ``prolog/rules/`` that its clause calls, by the file that has them."""
    if KINDS[kind].prolog is not None:
        return {}
    text = prolog_clause(kind)
    own = set(_DEFINED.findall(text))
    calls = set(_CALLED.findall(_bare(text)))
    found: dict[str, list[str]] = {}
    for path in sorted(resource("prolog/rules").glob("*.pl")):
        defined = set(_DEFINED.findall(path.read_text(encoding="utf-8")))
        if names := sorted((defined & calls) - own):
            found[f"prolog/rules/{path.name}"] = names
    return found


def _asp(name: str) -> _Parts:
    return _parts(resource(f"encodings/rules/{name}.lp"), _SECTION)


@cache
def _parts(file: Path, first: re.Pattern[str]) -> _Parts:
    """The parts of a file: each kind has one line that `first` matches, with its name."""
    whole = file.read_text(encoding="utf-8")
    text, mark, shared = whole.partition("\n% ---")
    starts = [(each[1], _comment_before(text, each.start())) for each in first.finditer(text)]
    ends = [*(start for _, start in starts[1:]), len(text)]
    kinds = {kind: text[start:end] for (kind, start), end in zip(starts, ends, strict=True)}
    return _Parts(text[: starts[0][1]], kinds, mark + shared)


def _comment_before(text: str, at: int) -> int:
    """Where the lines of comment right before this line begin; a blank line may follow them."""
    comment = re.search(r"(?:^%.*\n)+\n?\Z", text[:at], re.MULTILINE)
    return comment.start() if comment else at


def _bare(text: str) -> str:
    """Without comments."""
    return re.sub(r"%.*", "", text)


def meaning(rule: type[Rule]) -> str:
    """What the rule demands: its docstring on one line."""
    return " ".join((rule.__doc__ or "").split())
