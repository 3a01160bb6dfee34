"""Why an ASP program loses a solution or accepts a wrong grid: what is asked, and in what order.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .blame import Blame, Found, Shapes
from .relaxed import DERIVED, Relaxed, Statement, read, signature

Placements = Sequence[tuple[int, int, int]]
"""A grid: row, column and digit of each cell."""
Write = Callable[..., None]
_LOSS = "the program loses the solution"
_NOTHING = "the program has no answer at all"


def main(request: str, program: str, instance: str) -> None:
    """Explain what a file asks for, and write JSON lists, one per line.

    ::

        ["found", kind, summary, [[file, line, column, text, words], ...]]    the last is the best
        ["accepts", kind]                  all grids that are wrong only in this kind of house
        ["failed", kind, text]             kind: "memory" or "clingo"
        ["end"]
    """
    # A #script block runs in the main module, which must not be this one.
    sys.modules["__main__"] = type(sys)("__main__")
    with open(request, encoding="utf-8") as file:
        asked = json.load(file)
    with open(asked["results"], "w", encoding="utf-8") as out:

        def write(*line: object) -> None:
            out.write(f"{json.dumps(line)}\n")
            out.flush()  # at the time limit, partial results count

        try:
            _explain(asked, program, instance, write)
            write("end")
        except MemoryError:
            write("failed", "memory", "")
        except RuntimeError as error:
            write("failed", "memory" if "bad_alloc" in str(error) else "clingo", str(error))


def _explain(asked: dict[str, Any], program: str, instance: str, write: Write) -> None:
    """Write why the program refuses a grid, or which kinds of houses it never mentions.

    Of `asked["grids"]`, those under a kind of house are right but for such houses.
    """
    statements = read(program, instance, asked["atom"])
    if not asked["allow_scripts"] and any(each.is_script for each in statements):
        return
    for kind, grids in asked["grids"].items():
        if not kind:
            _explain_loss(asked, statements, grids[0], write)
        elif _accepts_all(asked, _without_givens(asked, statements), grids):
            write("accepts", kind)


def _relaxed(asked: dict[str, Any], statements: Sequence[Statement], grid: Placements) -> Relaxed:
    options = [part for each in asked["constants"] for part in ("-c", each)] + asked["options"]
    return Relaxed(statements, grid, asked["atom"], options, asked["allow_scripts"])


def _accepts_all(
    asked: dict[str, Any], statements: Sequence[Statement], grids: Sequence[Placements]
) -> bool:
    """True if no constraint excludes one of the grids."""
    return bool(grids) and not any(_relaxed(asked, statements, grid).excludes for grid in grids)


def _without_givens(asked: dict[str, Any], statements: Sequence[Statement]) -> list[Statement]:
    given = (asked["given"], 3)
    return [
        each
        for each in statements
        if not (each.ours and any(signature(term) == given for term, _ in each.heads))
    ]


def _explain_loss(
    asked: dict[str, Any], statements: Sequence[Statement], grid: Placements, write: Write
) -> None:
    name = asked["atom"]
    relaxed = _relaxed(asked, statements, grid)
    sets = relaxed.to_blame()
    if not sets:
        places = [
            [*each.place, each.text, f"does not show {name}/3"]
            for each in _hiding(statements, name)
        ]
        if places:
            write("found", "underived", f"{_LOSS}: no statement shows {name}/3", places)
        else:
            write("found", "none", "no statement of the program excludes the solution", [])
        return
    if [] in sets:
        write("found", "unsatisfiable", f"{_NOTHING} even without its constraints", [])
        return
    lost = [DERIVED] in sets
    if lost:  # what else excludes it together may follow from that
        sets = [members for members in sets if len(members) == 1]
    shapes = Shapes(asked["box"], asked["houses"], map(tuple, grid))  # type: ignore[arg-type]

    def blame(kept: Sequence[int] = ()) -> Blame:
        seen = relaxed.without([each for members in sets for each in members if each not in kept])
        return Blame(statements, seen, shapes, relaxed.control.get_const, name, asked["given"])

    found = _once(_to_blame(statements, sets, blame))
    places = [[*each.place, each.text, words] for each, words in found]
    if lost:
        reason = f"no rule derives {blame().first_lost}"
    else:
        reason = f"{places[0][0]}, line {places[0][1]} excludes it"
    write("found", "underived" if lost else "constraint", f"{_LOSS}: {reason}", places)
    if not relaxed.answers_something(_without_givens(asked, statements)):
        write("found", "unsatisfiable", f"{_NOTHING}: {reason}", places)


def _to_blame(
    statements: Sequence[Statement], sets: Sequence[Sequence[int]], blame: Callable[..., Blame]
) -> Iterator[Found]:
    """Yield what is to blame, the most likely first."""
    everything = blame()
    by_number = {each.number: each for each in statements}
    alone = [by_number[first] for first, *others in sets if not others and first != DERIVED]
    if [DERIVED] in sets:
        # A rule that derives something else is likely to be the one that should derive this.
        yield from ((each, everything.violated(each)) for each in alone if each.is_single)
        yield from _underived(everything, statements)
    for each in alone:
        yield from _excluded(everything, each)
    for members in sets:
        if len(members) > 1:
            together = sorted(members, key=lambda number: by_number[number].is_choice)
            for number in together:
                others = [each for each in members if each != number]
                yield from _excluded(blame(others), by_number[number])


def _hiding(statements: Sequence[Statement], name: str) -> list[Statement]:
    """Return the #show statements of the program, if they hide its answers."""
    shows = [each for each in statements if each.shows is not None]
    if any((name, 3) == each.shows for each in shows):
        return []
    return [each for each in shows if not each.ours]


def _excluded(blame: Blame, statement: Statement) -> list[Found]:
    *behind, last = blame.suspects(statement, blame.gaps(statement))
    return [*((each, blame.described(each)) for each in behind), (last, blame.violated(last))]


def _underived(blame: Blame, statements: Sequence[Statement]) -> list[Found]:
    atom = blame.first_lost
    rules = [each for each in statements if each.derives and not each.ours]
    rules.sort(key=lambda rule: not rule.is_choice)
    gaps = {
        rule: [gap for head in rule.derives for gap in blame.missing(rule, *head, atom)]
        for rule in rules
    }
    found: list[Found] = []
    for rule in [rule for rule in rules if gaps[rule]] or rules:
        *behind, last = blame.suspects(rule, gaps[rule])
        found += [(each, blame.described(each)) for each in behind]
        found.append((last, blame.derives_not(last, atom, gaps[rule])))
    return found


def _once(found: Iterable[Found]) -> list[Found]:
    """Return each statement once, with its first words, where it comes first."""
    words: dict[Statement, str] = {}
    for statement, each in found:
        words.setdefault(statement, each)
    return list(words.items())
