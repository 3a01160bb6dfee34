"""Runs a foreign ASP program: the one part of the grader that imports clingo.

A script for a process of its own; it imports nothing of ours. It writes one JSON list a line::

    ["answer", [[x, y, n], ...], note]   atoms of an answer set, each set of atoms once
    ["failed", kind, text]               kind: "refused", "memory", or "clingo"
    ["end", exhausted, number]           after all answer sets, or as many as were asked for

clingo itself writes its complaints to standard error. Passing it a logger would be no better: a
byte that is no UTF-8 in a message then ends the process.
"""

from __future__ import annotations

import json
import sys
from hashlib import blake2b
from typing import IO, Any

MOST_ATOMS = 3_000
"""Atoms of one answer that are told: over twice what the largest grid has."""


def main(arguments: dict[str, Any]) -> None:
    """Grounds, solves and tells."""
    # A #script block runs as part of the main module: let that be an empty one and not ours.
    sys.modules["__main__"] = type(sys)("__main__")
    with open(arguments["results"], "w", encoding="utf-8") as out:
        try:
            _solve(arguments, out)
        except MemoryError:
            _tell(out, "failed", "memory", "")
        except _Refused as refusal:
            _tell(out, "failed", "refused", str(refusal))
        except RuntimeError as error:
            kind = "memory" if "bad_alloc" in str(error) else "clingo"
            _tell(out, "failed", kind, str(error))


class _Refused(Exception):
    """The program has a statement that the grader does not run."""


def _solve(arguments: dict[str, Any], out: IO[str]) -> None:
    import clingo
    from clingo.ast import ProgramBuilder, parse_files

    control = clingo.Control([part for each in arguments["constants"] for part in ("-c", each)])
    if arguments["allow_scripts"]:
        from clingo.script import enable_python

        enable_python()
    statements: list[Any] = []
    # The statements that are looked at are those that run, from included files as well.
    parse_files(arguments["files"], statements.append)
    for statement in statements:
        _look_at(statement, arguments["allow_scripts"])
    with ProgramBuilder(control) as builder:
        for statement in statements:
            builder.add(statement)
    control.ground()
    if hasattr(sys.modules["__main__"], "main"):
        raise _Refused("a #script defines main(), but here the grader itself grounds and solves")
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    name, most = arguments["atom"], arguments["limit"]
    number, exhausted = 0, True
    cells: dict[Any, str] = {}
    seen: set[bytes] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            number += 1
            said = sorted(filter(None, (_cell(s, name, cells) for s in model.symbols(shown=True))))
            key = blake2b("".join(said).encode(errors="replace"), digest_size=16).digest()
            if key in seen:
                continue
            seen.add(key)
            note = "" if said else _why_nothing(model, name)
            out.write(f'["answer", [{",".join(said[:MOST_ATOMS])}], {json.dumps(note)}]\n')
            out.flush()  # what is known at the time limit is worth something
            if len(seen) == most:
                exhausted = False
                break
    _tell(out, "end", exhausted, number)


def _cell(symbol: Any, name: str, known: dict[Any, str]) -> str:
    """An atom of the name as JSON, and nothing for another one.

    `known` keeps them: asking clingo anew would take longer than the search.
    """
    key = getattr(symbol, "_rep", symbol)
    text = known.get(key)
    if text is None:
        parts = [_plain(part) for part in symbol.arguments] if symbol.match(name, 3) else ()
        known[key] = text = json.dumps(parts) if parts else ""
    return text


def _look_at(statement: Any, allow_scripts: bool) -> None:
    from clingo.ast import ASTType

    begin = statement.location.begin
    where = f"{begin.filename}:{begin.line}:{begin.column}"
    if statement.ast_type == ASTType.Script and not allow_scripts:
        raise _Refused(f"{where}: #script is not run; --allow-scripts lets it run")
    if statement.ast_type == ASTType.Minimize:
        raise _Refused(
            f"{where}: #minimize, #maximize and weak constraints rank the answer sets; expected a"
            " program whose answer sets are the solutions"
        )


def _plain(symbol: Any) -> int | str:
    """A number, or any other term as text."""
    text = str(symbol)
    return int(text) if text.lstrip("-").isdigit() else text[:50]


def _why_nothing(model: Any, name: str) -> str:
    """What is wrong where an answer set shows no atom of the name and three arguments."""
    if any(symbol.match(name, 3) for symbol in model.symbols(atoms=True)):
        return f"#show hides {name}/3"
    others = {
        f"{symbol.name}/{len(symbol.arguments)}"
        for symbol in model.symbols(shown=True)
        if str(symbol).startswith(name)
    }
    shown = f", but {', '.join(sorted(others))}" if others else ""
    return f"no {name}/3 is shown{shown}"


def _tell(out: IO[str], *line: object) -> None:
    out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
