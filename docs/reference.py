"""The tables of the API page: the parameters and the errors of each function.

They are made from the signature and the docstring, which is prose: a parameter is described by a
sentence that names it in backticks, an error by the clause after its name. A paragraph that says
nothing else is left out, since the tables have it all.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import griffe

import pylogic_sudoku as pls

DOCTEST = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
SENTENCES = re.compile(r"(?<=[.:])\s+(?=[A-Z`])")
PARTS = re.compile(
    r"(?<=\.)\s+(?=[A-Z`])|\s*\n- |;\s+(?=`)|,\s+(?:and\s+)?(?=`\w+` (?:is|are|in)\b)"
)
"""Between what may be about one parameter: sentences, lines of a list, and some clauses."""
OWN = {
    name
    for name, kind in inspect.getmembers(pls, inspect.isclass)
    if issubclass(kind, Exception) and name in vars(pls)["__all__"]
}
SYSTEM = ("ValueError", "TypeError", "IndexError", "OSError", "FileExistsError")
ERROR = re.compile(rf"(?<![`\w.])(?:{'|'.join([*sorted(OWN), *SYSTEM])})\b")
CLAUSE = re.compile(r"\(?(?:also |at once )?(?:if|for|at|unless|while|in)\b|whose\b")
"""The beginning of a clause about when an error is raised."""
ELSEWHERE = re.compile(r"(?:as for|those of|[Rr]aises what) `([\w.]+)`")
COMMON = {
    "puzzle": "A `Grid`, a `Puzzle`, text in any known format, or nested rows.",
    "puzzles": "Each is as for `solve`.",
    "cell": 'A name such as `"r3c2"`, a `Cell`, or row and column, each from 1.',
    "digit": "From 1 to n.",
    "detail": 'How detailed the rules are: `"rule"` or `"house"`.',
    "backend": "The name of an engine, or a backend object.",
    "backends": "Names of engines, or backend objects.",
    "timeout": "In seconds, over 0; None means no limit.",
}
"""The facts about these parameters if the docstring does not describe them."""
MEANINGS = {"OSError": "The operating system reports an error."}


class Reference(griffe.Extension):
    """Adds the tables to the docstrings of functions, and makes code blocks of the examples."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if not obj.docstring:
            return
        text = obj.docstring.value
        if isinstance(obj, griffe.Function) and not obj.name.startswith("_"):
            types = {each.name: str(each.annotation) for each in obj.parameters}
            text = with_tables(text, types)
        # Markdown takes examples for quotations.
        obj.docstring.value = DOCTEST.sub(r"```pycon\n\g<0>\n```", text)


def with_tables(text: str, types: Mapping[str, str]) -> str:
    """The docstring of a function of these parameters, with its tables in Google's style."""
    first, *others = text[: _prose(text)].split("\n\n")
    example = text[_prose(text) :]
    kept = [first, *(each for each in others if not _is_in_tables(each, types))]
    described = parameters(text, types)
    for head, table in (("Args", described), ("Raises", errors(text))):
        if any(table.values()):
            lines = (f"    {name}: {what or '&nbsp;'}" for name, what in table.items())
            kept.append("\n".join([f"{head}:", *lines]))
    return "\n\n".join(part for part in (*kept, example) if part.strip())


def parameters(text: str, types: Mapping[str, str]) -> dict[str, str]:
    """The description of each of these parameters, with its type; "" for none."""
    parts = [" ".join(part.split()) for part in PARTS.split(text[: _prose(text)])]
    common = dict(COMMON)
    if "PuzzleLike" not in types.get("puzzle", ""):
        del common["puzzle"]
    return {
        name: _parameter(name, parts) or common.get(name, "")
        for name in types
        if name not in {"self", "cls"}
    }


def errors(text: str) -> dict[str, str]:
    """When each error is raised that the docstring names."""
    found: dict[str, str] = {}
    for sentence in SENTENCES.split(text[: _prose(text)]):
        for name, when in _errors(" ".join(sentence.split())):
            before = found.get(name, "")
            found[name] = before if when in before else f"{before} {when}".strip()
        if re.search("errors|raises", sentence) and (other := ELSEWHERE.search(sentence)):
            found = {**errors(_docstring(other[1])), **found}
    return found


def _prose(text: str) -> int:
    """Where the examples begin."""
    example = DOCTEST.search(text)
    return example.start() if example else len(text)


def _is_in_tables(paragraph: str, names: Iterable[str]) -> bool:
    """True if each sentence begins with a parameter, or says when errors are raised."""
    return all(
        any(re.match(rf"`{re.escape(name)}`", sentence) for name in names)
        or (_begins_with_errors(sentence) and None not in _clauses(sentence))
        for sentence in SENTENCES.split(paragraph.strip())
    )


def _parameter(name: str, parts: Sequence[str]) -> str:
    naming = [part for part in parts if re.search(rf"`{name}(?:=[^`]*)?`", part)]
    naming.sort(key=lambda part: re.match(rf"`{name}` is (?!then)", part) is None)
    naming.sort(key=lambda part: not part.startswith(f"`{name}`"))
    wide = [part for part in parts if "arguments" in part]
    for other in filter(None, map(ELSEWHERE.search, (*naming[:1], *wide))):
        described = parameters(_docstring(other[1]), {name: "PuzzleLike"})[name]
        if described:
            return described
    return _sentence(re.sub(rf"^`{name}`(?: is |: |, | (?=in ))", "", naming[0])) if naming else ""


def _begins_with_errors(sentence: str) -> bool:
    return bool(ERROR.match(re.sub(r"^(?:Raises|Iterating raises) (?:also )?", "", sentence)))


def _errors(sentence: str) -> Iterator[tuple[str, str]]:
    """The errors that a sentence names, and when they are raised."""
    late = re.search(r"iterating raises", sentence, re.IGNORECASE)
    named = list(ERROR.finditer(sentence))
    for error, clause in zip(named, _clauses(sentence), strict=True):
        when = _when(error[0], clause or "")
        iterating = late and error.start() > late.start()
        yield error[0], f"{when} Raised while iterating." if iterating else when


def _clauses(sentence: str) -> list[str | None]:
    """The clause of each error that a sentence names; None if what follows is something else.

    "A or B if …" is one clause for both, "A, B if …" is one for B.
    """
    clauses: list[str | None] = []
    named = list(zip(ERROR.findall(sentence), ERROR.split(sentence)[1:], strict=True))
    for name, text in reversed(named):
        shared = text in (" or ", " and ") or (text == ", " and name in SYSTEM)
        if shared and clauses and not (clauses[-1] or "").startswith("("):
            clauses.append(clauses[-1])
            continue
        clause = re.sub(r"^, which [^,;]*,?\s*", "", text)
        clause = re.sub(r"\b(?:and|or|raises|iterating raises)\s*$", "", clause).strip(" ,;.")
        clauses.append(clause if not clause or CLAUSE.match(clause) else None)
    return clauses[::-1]


def _when(name: str, clause: str) -> str:
    """When an error is raised, in sentences."""
    meaning = MEANINGS.get(name, "")
    if name in OWN:
        meaning = _docstring(name).split("\n")[0]
    if clause.startswith(("(", "also", "whose")):
        more = re.sub(r"^whose ", "its ", clause.strip("()"))
        return f"{meaning} {_sentence(more)}".strip()
    return _sentence(clause) if clause else meaning


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".;,:")
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _docstring(name: str) -> str:
    """The docstring of a function or method of the package; "" if there is none."""
    found: Any = pls
    for part in name.split("."):
        found = getattr(found, part, None)
    return inspect.getdoc(found) or "" if callable(found) else ""
