"""Givens as facts for clingo, read with clingo's own parser."""

from __future__ import annotations

import re
from typing import Any

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid, checked_box, square_box

__all__ = ["ATOMS", "read_facts", "write_facts"]

ATOMS = ("initial", "sudoku", "numberAt", "given", "clue", "cell")
"""Names of the facts that are read as givens; ``initial`` is the one that is written."""

_SHAPE = {"box_rows", "box_columns", "dim", "subgrid_size"}
"""Constants (and one fact) that say the box shape; the last two, the side of a square box."""
LONGEST = 10_000
"""Characters of a statement: clingo's parser overflows its stack on deeply nested terms."""
_STATEMENT = re.compile(rf"[^.]{{{LONGEST + 1}}}")
_COMMENT = re.compile(r"%\*.*?\*%|%[^\n]*", re.DOTALL)


def read_facts(text: str, box: Box | None) -> Grid:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    Comments, ``#const``, ``#show``, several facts on a line, and atoms without full stops (an
    answer set) are read; facts of other names are no givens and are passed over. Nothing is
    grounded: a rule with a body is an error. The box shape is `box`, else what constants say,
    else that of a full grid of this many facts, else the smallest square from 3x3 up.
    """
    import clingo.ast

    unreadable = re.search("#include|[\0\ud800-\udfff]", text)
    if unreadable:
        line = text.count("\n", 0, unreadable.start()) + 1
        raise InvalidPuzzle(f"line {line}: {unreadable.group()!r} is not read; expected facts")
    bare = _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    if bare.strip() and "." not in bare:
        bare = text = re.sub(r"\)(?=\s+\w)", ").", bare.rstrip()) + "."
    if (long := _STATEMENT.search(bare)) is not None:
        line = bare.count("\n", 0, long.start()) + 1
        raise InvalidPuzzle(
            f"line {line}: no full stop within {LONGEST} characters; expected facts"
        )
    messages: list[str] = []
    statements: list[Any] = []
    try:
        clingo.ast.parse_string(
            text, statements.append, logger=lambda _code, message: messages.append(message)
        )
    except RuntimeError:
        raise InvalidPuzzle(_plain("".join(messages))) from None
    givens: dict[tuple[int, int], int] = {}
    shape: dict[str, int] = {}
    for statement in statements:
        symbol = _fact(statement, {*ATOMS, *_SHAPE}, shape)
        if symbol is None:
            continue
        where = f"line {statement.location.begin.line}: {symbol}"
        if symbol.name in _SHAPE and len(symbol.arguments) == 1:
            shape[symbol.name] = _number(symbol.arguments[0], where)
        if len(symbol.arguments) != 3:
            continue
        x, y, n = (_number(argument, where) for argument in symbol.arguments)
        if givens.setdefault((x, y), n) != n:
            raise InvalidPuzzle(f"{where}, but r{x}c{y} already holds {givens[x, y]}")
    if not givens and not shape:
        raise InvalidPuzzle(f"no givens here; expected facts such as {ATOMS[0]}(1,1,5).")
    box = box or _stated_box(shape) or _fitting_box(givens)
    size = box[0] * box[1]
    rows = [[0] * size for _ in range(size)]
    for (x, y), n in givens.items():
        if max(x, y, n) > size:
            raise InvalidPuzzle(f"r{x}c{y} holds {n}: over {size}, the size of the grid")
        rows[x - 1][y - 1] = n
    return Grid.from_rows(rows, box)


def write_facts(grid: Grid) -> str:
    """A fact for each given, a line for each row, and the box shape where it must be told."""
    lines: list[str] = []
    largest = max(map(max, grid.givens), default=0)
    # Without its shape, this would be read as a full grid of a smaller size, or as none.
    if grid.box != (3, 3) or len(grid.givens) == largest**2 < len(grid.cells):
        names = zip(("box_rows", "box_columns"), grid.box, strict=True)
        lines.append(" ".join(f"#const {name}={value}. [override]" for name, value in names))
    for x in range(1, grid.size + 1):
        facts = [f"initial({x},{y},{n})." for row, y, n in grid.givens if row == x]
        if facts:
            lines.append(" ".join(facts))
    return "\n".join(lines)


def _fact(statement: Any, names: set[str], shape: dict[str, int]) -> Any:
    """The symbol of a fact with one of the names; None for a statement that adds nothing.

    Constants go to `shape`.
    """
    from clingo.ast import ASTType

    where = f"line {statement.location.begin.line}"
    if statement.ast_type == ASTType.Definition:
        if statement.name in _SHAPE:
            shape[statement.name] = _number(_symbol(statement.value, where), where)
        return None
    if statement.ast_type == ASTType.Rule:
        head = statement.head
        if head.ast_type == ASTType.Literal and not head.sign and not statement.body:
            name = re.match(r"\w+", str(head))
            return _symbol(head, where) if name and name.group() in names else None
        raise InvalidPuzzle(f"{where}: {statement} is a rule; expected facts")
    quiet = {ASTType.Program, ASTType.ShowSignature, ASTType.Defined, ASTType.Comment}
    if statement.ast_type in quiet:
        return None
    raise InvalidPuzzle(f"{where}: {statement} is no fact; expected facts such as initial(1,1,5).")


def _symbol(term: Any, where: str) -> Any:
    import clingo

    try:
        return clingo.parse_term(str(term), logger=lambda _code, _message: None)
    except RuntimeError:
        raise InvalidPuzzle(f"{where}: {term} is no plain fact; expected numbers") from None


def _number(symbol: Any, where: str) -> int:
    import clingo

    if symbol.type != clingo.SymbolType.Number or symbol.number < 1:
        raise InvalidPuzzle(f"{where}: {symbol} stands where a number from 1 up is expected")
    return int(symbol.number)


def _plain(message: str) -> str:
    """clingo's complaint without its mark for a nameless text: ``line 2, column 5: ...``."""
    first = next(iter(message.splitlines()), "clingo cannot read this")
    return re.sub(r"^<string>:(\d+):(\d+)[-\d:]*: error: ", r"line \1, column \2: ", first)


def _stated_box(shape: dict[str, int]) -> Box | None:
    if not shape:
        return None
    side = shape.get("dim", shape.get("subgrid_size", 3))
    return checked_box((shape.get("box_rows", side), shape.get("box_columns", side)))


def _fitting_box(givens: dict[tuple[int, int], int]) -> Box:
    largest = max(max(x, y, n) for (x, y), n in givens.items())
    if len(givens) == largest * largest > 1:
        return square_box(largest)
    sides = (side for side in range(3, MAX_SIZE) if side * side >= largest)
    side = next(sides, MAX_SIZE)
    if side * side > MAX_SIZE:
        raise InvalidPuzzle(f"{largest} is over {MAX_SIZE}, the largest size of a grid")
    return side, side
