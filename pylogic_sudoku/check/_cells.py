"""Answers of a foreign ASP program as the cells of a sudoku.

``running/child.py`` loads this script, in a process that does not import the package. It writes

    ["answer", [[x, y, n], ...], note]   the atoms of an answer set, and a remark on one without any
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any


class Answers:
    """Answers as the cells of a sudoku."""

    options = ()
    again = "answer sets with the same grid differ in other atoms"
    text = ""
    project = "no"

    def __init__(self, job: dict[str, Any]) -> None:
        self._given, self._name, self._most = job["given"], job["atom"], job["atoms"]
        self._known: dict[Any, str] = {}

    def refused(self, statement: Any) -> str:
        """Return why a statement does not belong in such a program; empty if it does."""
        from clingo.ast import ASTType

        if statement.ast_type != ASTType.Minimize:
            return ""
        return (
            "#minimize, #maximize and weak constraints rank the answer sets; expected a program"
            " whose answer sets are the solutions"
        )

    def notes(self, statements: list[Any]) -> Iterator[str]:
        return _notes(statements, self._given, self._name)

    def answer(self, model: Any) -> tuple[list[str], str]:
        """Return the atoms that distinguish answers, and the line that is written."""
        cells = (_cell(s, self._name, self._known) for s in model.symbols(shown=True))
        atoms = sorted(filter(None, cells))
        note = "" if atoms else _why_nothing(model, self._name, self._given)
        shown = ",".join(atoms[: self._most])
        return atoms, f'["answer", [{shown}], {json.dumps(note)}]'


def _signature(symbol: Any) -> str:
    return f"{symbol.name}/{len(symbol.arguments)}"


def _join_first(names: Iterable[str], most: int = 3) -> str:
    """Return the first names, in alphabetical order unless they are in a list."""
    ordered = names if isinstance(names, list) else sorted(names)
    return " and ".join(ordered[:most])


def _notes(statements: list[Any], given: str, name: str) -> Iterator[str]:
    """Yield remarks that may explain why its answers do not keep the givens."""
    hint = _other_vocabulary(list(map(str, statements)), given, name)
    used = re.compile(rf"\b{given}\b")
    if given != name and not any(used.search(str(statement)) for statement in statements):
        yield f"the program does not use {given}/3, the atoms of the givens{hint and f'; {hint}'}"
    elif hint:
        yield hint
    for statement in statements if given != name else ():
        atom = getattr(getattr(statement, "head", None), "atom", None)
        head: Any = getattr(atom, "symbol", None)
        if getattr(head, "name", "") == given and len(head.arguments) == 3:
            where = _where(statement)
            yield f"{where}: the program has {given}/3 of its own, in addition to the instance"
            return


_PLACED = re.compile(r"\b([a-z]\w*)\([^(),]+,[^(),]+,[^(),]+\)")
"""An atom with three arguments."""


def _other_vocabulary(statements: list[str], given: str, name: str) -> str:
    """Return advice if the atoms of the program seem to have other names; empty if they do not."""
    shown = re.findall(r"^#show (\w+)/3\.", "\n".join(statements), re.MULTILINE)
    rules = [each.partition(":-") for each in statements if not re.match("#(?!false)", each)]
    derived = [atom for head, _, _ in rules for atom in _PLACED.findall(head)]
    bodies = [atom for _, _, body in rules for atom in _PLACED.findall(body)]
    wanted = [name] if name in shown or (not shown and name in derived) else [*shown, *derived]
    if not wanted:
        return ""
    answer = wanted[0]
    ours = (*derived, "region", "excluded")  # facts that an instance may have
    inputs = [atom for atom in bodies if atom not in ours]
    direct = given in bodies and (given != name or not inputs)
    source = given if direct else next(iter(inputs), answer)
    if (source, answer) == (given, name):
        return ""
    known = answer if source == answer and answer in ("sudoku", "numberAt") else ""
    if not known and (source, answer) == ("initial", "sudoku"):
        known = "initial"
    names = f"its givens are {source}/3" if answer == name else f"its atoms are {answer}/3"
    return f"if {names}, use --vocabulary {known or f'{source},{answer}'}"


def _cell(symbol: Any, name: str, known: dict[Any, str]) -> str:
    """Return an atom of this name as JSON; empty for other atoms.

    They are kept in `known`: calls to clingo would take longer than the search.
    """
    key = getattr(symbol, "_rep", symbol)
    text = known.get(key)
    if text is None:
        parts = [_plain(part) for part in symbol.arguments] if symbol.match(name, 3) else ()
        known[key] = text = json.dumps(parts) if parts else ""
    return text


def _where(statement: Any) -> str:
    begin = statement.location.begin
    return f"{begin.filename}:{begin.line}:{begin.column}"


def _plain(symbol: Any) -> int | str:
    """Return a number, or any other term as text."""
    text = str(symbol)
    return int(text) if text.lstrip("-").isdigit() else text[:50]


def _why_nothing(model: Any, name: str, given: str) -> str:
    """Return why an answer set shows no atom of this name with three arguments."""
    if any(symbol.match(name, 3) for symbol in model.symbols(atoms=True)):
        return f"#show hides {name}/3"
    symbols = (each for each in model.symbols(shown=True) if each.type.name == "Function")
    shown = {_signature(symbol) for symbol in symbols if symbol.name}
    # The most likely names first.
    others = sorted(
        shown - {f"{given}/3"},
        key=lambda other: (not other.startswith(name), not other.endswith("/3"), other),
    )
    return f"no {name}/3 is shown" + (f", but {_join_first(others)}" if others else "")
