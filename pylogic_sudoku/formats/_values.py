"""Rows of Python values: numbers, text, None, NaN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from operator import index
from os import PathLike
from typing import Any

from ..errors import InvalidPuzzle, shown
from ..grid import MAX_SIZE, Grid
from ._characters import is_number, values_for

__all__ = ["check_lengths", "digits", "items", "many", "refuse_row_count"]


def items(value: Any, what: str, parts: str) -> list[Any]:
    """The items of a sequence, one more than a grid has at most; InvalidPuzzle if it has none."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()  # the iterator of a data frame gives its column names
    if isinstance(value, PathLike):
        raise InvalidPuzzle(f"{what} is the path {value!r}; read_puzzles reads a file")
    if not isinstance(value, str | bytes | bytearray | Mapping | Set):
        try:
            return list(islice(value, MAX_SIZE + 1))
        except (TypeError, RecursionError):
            pass
    elif isinstance(value, Mapping | Set):
        raise InvalidPuzzle(f"{what} is {shown(value)}; expected a list, which has an order")
    raise InvalidPuzzle(f"{what} is {shown(value)}; expected a list of {parts}")


def check_lengths(lengths: Sequence[int]) -> None:
    """InvalidPuzzle unless there are as many rows as each row has cells."""
    n = len(lengths)
    if n == 0:
        raise InvalidPuzzle("there are no rows: expected as many rows as columns")
    if n > MAX_SIZE:
        raise InvalidPuzzle(f"a grid has 1 to {MAX_SIZE} rows, this one has more")
    refuse_row_count(lengths)
    for number, length in enumerate(lengths, 1):
        if length != n:
            count = f"more than {MAX_SIZE}" if length > MAX_SIZE else length
            raise InvalidPuzzle(
                f"row {number} has {count} cells, expected {n} as there are {n} rows"
            )


def refuse_row_count(lengths: Sequence[int]) -> None:
    """InvalidPuzzle if all rows have the same number of cells, but there are more or fewer rows."""
    n, cells = len(lengths), lengths[0]
    if n > 1 and cells > 1 and cells != n and cells <= MAX_SIZE and len(set(lengths)) == 1:
        wrong = "missing" if n < cells else "too many"
        rows = "1 row is" if abs(cells - n) == 1 else f"{abs(cells - n)} rows are"
        raise InvalidPuzzle(f"there are {n} rows of {cells} cells: {rows} {wrong}")


def digits(rows: Sequence[Sequence[Any]]) -> list[int]:
    """The digit of every cell of a square, row by row; 0 if it is empty."""
    n = len(rows)
    words = [_word(value) for row in rows for value in row]
    texts = [word if isinstance(word, str) else "." for word in words]
    known = values_for(texts, n) if any(isinstance(word, str) for word in words) else {}
    found: list[int] = []
    for place, word in enumerate(words):
        digit = known.get(word) if isinstance(word, str) else word
        if digit is None or not 0 <= digit <= n:
            row, column = divmod(place, n)
            value = rows[row][column]
            over = digit is not None or (isinstance(word, str) and is_number(word))
            wanted = f"1 to {n}, or 0" if over else "a whole number, or 0"
            raise InvalidPuzzle(
                f"r{row + 1}c{column + 1} holds {shown(value)}; expected {wanted} for"
                f" {'empty' if over else 'an empty cell'}"
            )
        found.append(digit)
    return found


def _word(value: Any) -> int | str | None:
    """The cell as a number, or as text without blanks around; None if it is neither."""
    if isinstance(value, str):
        return str(value).strip() or "."
    if value is None:
        return 0
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        pass
    if type(value).__name__ == "NAType":  # pandas.NA
        return 0
    # Beside NaN, the empty cell of data frames and arrays, whole numbers are floats.
    if not hasattr(value, "is_integer"):
        return None
    if value != value:
        return 0
    return int(value) if value.is_integer() else None


def many(puzzles: Any, where: str) -> Iterable[Any]:
    """Several puzzles, as they are; TypeError if they are one text, one grid or a path."""
    if isinstance(puzzles, PathLike):
        raise TypeError(f"{where} takes puzzles, not a path: pass read_puzzles({str(puzzles)!r})")
    if isinstance(puzzles, str | bytes | bytearray | Grid):
        raise TypeError(
            f"{where} takes several puzzles, not {shown(puzzles)}: pass a list of puzzles, or"
            " read_puzzles(path) for those of a file"
        )
    found: Iterable[Any] = puzzles
    return found
